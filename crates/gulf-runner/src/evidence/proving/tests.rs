//! Which tests prove the work, and what they asked before it.

use gulf_agents::reports::Completeness;
use gulf_agents::sources::graft;

use super::*;
use crate::checks::RunEnd;

const PATH: &str = "test_calc.py";
const BASE: &str = "def test_table():\n    for n, text in [\n        (1, 'I'),\n        (2, 'II'),\n    ]:\n        assert roman(n) == text\n\n\ndef test_red():\n    assert roman(4) == 'IV'\n";

fn record(tests: &[(&str, TestOutcome)]) -> RunRecord {
    RunRecord {
        version: 1,
        end: RunEnd::Exited { code: 0 },
        duration_ms: 0,
        tail: String::new(),
        tests: tests.iter().map(|(id, word)| ((*id).to_owned(), *word)).collect(),
        readable: Completeness::Every,
        ran: None,
        skipped: None,
        rewritten: Vec::new(),
        unrun: BTreeMap::new(),
    }
}

fn changed(candidate: &str) -> BTreeMap<String, Changed> {
    let bytes = |text: &str| Some(text.as_bytes().to_vec());
    [(PATH.to_owned(), Changed { base: bytes(BASE), candidate: bytes(candidate) })].into()
}

/// What proves where the candidate's tests are these and all pass, and how many cases are known of the base.
fn proves(candidate: &str, table_before: TestOutcome) -> (Vec<String>, usize) {
    let files = changed(candidate);
    let before = record(&[
        ("test_calc.py::test_table", table_before),
        ("test_calc.py::test_red", TestOutcome::Failed),
    ]);
    let now = record(&[
        ("test_calc.py::test_table", TestOutcome::Passed),
        ("test_calc.py::test_red", TestOutcome::Passed),
    ]);
    let proving = Proving::between(&before, &now, &graft(&files));
    let known = proving.known(PATH, &files).len();
    (proving.tests.iter().map(ToString::to_string).collect(), known)
}

#[test]
fn a_green_test_that_grew_proves_by_what_it_did_not_ask_before() {
    let (red, table) = ("test_calc.py::test_red".to_owned(), "test_calc.py::test_table".to_owned());
    assert_eq!(proves(BASE, TestOutcome::Passed), (vec![red.clone()], 2), "what passed stays known");
    let grown = BASE.replace("'II'),\n", "'II'),\n        (9, 'IX'),\n");
    assert_eq!(proves(&grown, TestOutcome::Passed), (vec![red.clone(), table.clone()], 2));
    assert_eq!(proves(&grown, TestOutcome::Failed), (vec![red, table], 0), "it was red with what it asked");
}

#[test]
fn what_a_red_test_asks_too_is_not_known() {
    let both = BASE.replace(
        "def test_red():\n    assert roman(4) == 'IV'",
        "def test_red():\n    assert roman(2) == 'II'",
    );
    let grown = both.replace("(1, 'I'),\n", "(1, 'I'),\n        (9, 'IX'),\n");
    let mut files = changed(&grown);
    files.insert(
        PATH.to_owned(),
        Changed { base: Some(both.into_bytes()), candidate: Some(grown.into_bytes()) },
    );
    let before = record(&[
        ("test_calc.py::test_table", TestOutcome::Passed),
        ("test_calc.py::test_red", TestOutcome::Failed),
    ]);
    let now = record(&[
        ("test_calc.py::test_table", TestOutcome::Passed),
        ("test_calc.py::test_red", TestOutcome::Passed),
    ]);
    let known = Proving::between(&before, &now, &graft(&files)).known(PATH, &files);
    assert_eq!(known.len(), 1, "{known:?}");
}

#[test]
fn a_new_row_of_a_table_leaves_the_others_known() {
    const TABLE: &str = "@pytest.mark.parametrize('n, text', [\n    (1, 'I'),\n    (2, 'II'),\n])\ndef test_rows(n, text):\n    assert roman(n) == text\n";
    let grown = TABLE.replace("(2, 'II'),\n", "(2, 'II'),\n    (9, 'IX'),\n");
    let bytes = |text: &str| Some(text.as_bytes().to_vec());
    let files = [(PATH.to_owned(), Changed { base: bytes(TABLE), candidate: bytes(&grown) })].into();
    let rows = ["1-I", "2-II", "9-IX"].map(|row| format!("test_calc.py::test_rows[{row}]"));
    let passed = |rows: &[String]| {
        record(&rows.iter().map(|row| (row.as_str(), TestOutcome::Passed)).collect::<Vec<_>>())
    };
    let proving = Proving::between(&passed(&rows[..2]), &passed(&rows), &graft(&files));
    assert!(proving.tests.contains(&TestId::new(rows[2].as_str())), "{:?}", proving.tests);
    let known = proving.known(PATH, &files);
    // The names of the columns are asked for nothing.
    assert_eq!(known.iter().filter(|answer| !answer.expected.is_empty()).count(), 2, "{known:?}");
}

#[test]
fn a_fixture_that_got_parameters_makes_no_green_test_a_proof() {
    let outcomes =
        |red| record(&[("test_calc.py::test_table", TestOutcome::Passed), ("test_calc.py::test_red", red)]);
    let now = ["table[a]", "table[b]", "red[a]", "red[b]"].map(|name| format!("test_calc.py::test_{name}"));
    let now = record(&now.each_ref().map(|name| (name.as_str(), TestOutcome::Passed)));
    let proving = Proving::between(&outcomes(TestOutcome::Failed), &now, &graft(&changed(BASE)));
    let names: Vec<&str> = proving.tests.iter().map(TestId::as_str).collect();
    assert_eq!(names, ["test_calc.py::test_red", "test_calc.py::test_red[a]", "test_calc.py::test_red[b]"]);
}

#[test]
fn of_a_runner_that_names_failures_only_the_new_tests_prove_too() {
    let files = changed(&format!("{BASE}\n\ndef test_new():\n    assert roman(9) == 'IX'\n"));
    let before = record(&[("test_calc.py::test_red", TestOutcome::Failed)]);
    let now = RunRecord { readable: Completeness::FailuresOnly, ..record(&[]) };
    let proving = Proving::between(&before, &now, &graft(&files));
    let names: Vec<String> = proving.tests.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["test_calc.py::test_red", "test_calc.py::test_new"]);
    // What the base has and only grew proves by what it asks more.
    let files = changed(&BASE.replace("'II'),\n", "'II'),\n        (9, 'IX'),\n"));
    let proving = Proving::between(&before, &now, &graft(&files));
    let names: Vec<String> = proving.tests.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["test_calc.py::test_red", "test_calc.py::test_table"]);
    assert_eq!(proving.known(PATH, &files).len(), 2);
}

#[test]
fn a_green_file_that_did_not_run_beside_one_that_did_not_load_proves_nothing() {
    let before = record(&[("test_b", TestOutcome::Failed)]);
    let passed = |id| (id, TestOutcome::Passed);
    let now =
        record(&[passed("test_a::test_old"), passed("test_b::test_add"), passed("test_b::T::test_more")]);
    let proving = Proving::between(&before, &now, &graft(&BTreeMap::new()));
    let names: Vec<_> = proving.tests.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["test_b", "test_b::T::test_more", "test_b::test_add"]);
}
