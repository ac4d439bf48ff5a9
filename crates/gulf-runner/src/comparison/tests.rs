//! What two runs say together.

use gulf_agents::reports::TestId;

use super::*;

fn record(code: i32, readable: TestNaming, tests: &[(&str, TestWord)]) -> RunRecord {
    RunRecord {
        version: 1,
        end: RunEnd::Exited { code },
        duration_ms: 0,
        tail: String::new(),
        tests: tests.iter().map(|(id, word)| ((*id).to_owned(), *word)).collect(),
        readable,
        ran: None,
        skipped: None,
        rewritten: Vec::new(),
        unrun: BTreeMap::new(),
    }
}

fn lost(base: &RunRecord, now: &RunRecord) -> usize {
    lost_tests(base, now, |id| is_name_of_file(id, "tests/test_sub.py")).len()
}

#[test]
fn a_test_that_is_named_with_its_file_since_there_are_two_is_not_lost() {
    let base = record(0, TestNaming::Everything, &[("adds", TestWord::Passed)]);
    let with_file = |word| {
        record(0, TestNaming::Everything, &[("old > adds", word), ("new > subtracts", TestWord::Passed)])
    };
    assert_eq!(lost(&base, &with_file(TestWord::Passed)), 0);
    assert_eq!(lost(&base, &with_file(TestWord::Skipped)), 1);
    assert_eq!(lost(&base, &record(0, TestNaming::Everything, &[("new > subtracts", TestWord::Passed)])), 1);
}

#[test]
fn a_test_that_is_gone_or_skipped_is_lost() {
    let base = record(0, TestNaming::Everything, &[("a", TestWord::Passed), ("b", TestWord::Failed)]);
    assert_eq!(lost(&base, &record(0, TestNaming::Everything, &[("a", TestWord::Skipped)])), 2);
    assert_eq!(lost(&base, &base), 0);
}

#[test]
fn a_subtest_that_failed_is_not_lost_where_its_test_passes() {
    let subtest = "test_words (test_due.DueTest.test_words) [in 3 days]";
    let base = record(1, TestNaming::Everything, &[(subtest, TestWord::Failed)]);
    let now = |word| record(0, TestNaming::Everything, &[("test_words (test_due.DueTest.test_words)", word)]);
    assert_eq!(lost(&base, &now(TestWord::Passed)), 0);
    assert_eq!(lost(&base, &now(TestWord::Skipped)), 1);
    assert_eq!(
        lost(&base, &record(0, TestNaming::Everything, &[("test_iso (b.A.test_iso)", TestWord::Passed)])),
        1
    );
}

#[test]
fn tests_that_can_no_longer_be_named_are_lost() {
    let base = record(0, TestNaming::Everything, &[("a", TestWord::Passed)]);
    assert_eq!(lost(&base, &record(0, TestNaming::Nothing, &[])), 1);
    assert_eq!(lost(&base, &record(0, TestNaming::Failures, &[])), 1);
    let without_tests = record(0, TestNaming::Everything, &[]);
    assert_eq!(lost(&without_tests, &record(0, TestNaming::Nothing, &[])), 0);
}

#[test]
fn a_file_that_did_not_load_is_no_lost_test_when_it_loads() {
    let now = record(0, TestNaming::Everything, &[("tests.test_sub::test_sub", TestWord::Passed)]);
    let failed = record(2, TestNaming::Everything, &[("tests.test_sub", TestWord::Failed)]);
    assert_eq!(lost(&failed, &now), 0);
    let passed = record(0, TestNaming::Everything, &[("tests.test_sub", TestWord::Passed)]);
    assert_eq!(lost(&passed, &now), 1);
}

#[test]
fn files_are_known_by_the_names_runners_give_them() {
    assert!(is_name_of_file("test/sub.test.js", "test/sub.test.js"));
    assert!(is_name_of_file("sub.test.js", "web/test/sub.test.js"));
    assert!(is_name_of_file("tests.test_sub", "py/tests/test_sub.py"));
    assert!(!is_name_of_file("subs", "test/sub.test.js"));
    assert!(!is_name_of_file("b.test.js", "test/sub.test.js"));
}

#[test]
fn a_red_that_stays_red_with_the_change_is_not_due_to_it() {
    let by = [Proof::Test(TestId::new("new"))];
    let run = |code, word| record(code, TestNaming::Everything, &[("new", word)]);
    assert!(is_due_to_change(&by, &run(0, TestWord::Passed), None));
    assert!(!is_due_to_change(&by, &run(1, TestWord::Failed), None));
    assert!(!is_due_to_change(&by, &run(0, TestWord::Skipped), None));
    assert!(is_due_to_change(&by, &record(0, TestNaming::Failures, &[]), None));
    assert!(!is_due_to_change(&by, &record(1, TestNaming::Nothing, &[]), None));
}

#[test]
fn a_red_that_passes_alone_is_not_believed() {
    let red = record(1, TestNaming::Everything, &[("a", TestWord::Failed), ("b", TestWord::Failed)]);
    let green = record(0, TestNaming::Everything, &[("a", TestWord::Passed), ("b", TestWord::Passed)]);
    let half = record(1, TestNaming::Everything, &[("a", TestWord::Passed), ("b", TestWord::Failed)]);
    assert!(is_passing_red(&red, &green, Baseline::Refused));
    assert!(!is_passing_red(&red, &half, Baseline::Refused));
    assert!(is_passing_red(&red, &half, Baseline::Accepted));
    assert!(!is_passing_red(&red, &red, Baseline::Accepted));
    assert!(!is_passing_red(&green, &green, Baseline::Refused));
}

#[test]
fn a_file_that_a_check_rewrites_only_with_the_change_is_told() {
    let rewriting = |paths: &[&str]| RunRecord {
        rewritten: paths.iter().map(|path| (*path).to_owned()).collect(),
        ..record(0, TestNaming::Everything, &[])
    };
    assert_eq!(
        newly_rewritten(&rewriting(&["a.snap"]), &rewriting(&["a.snap", "src/lib.rs"])),
        ["src/lib.rs"]
    );
    assert_eq!(newly_rewritten(&rewriting(&[]), &rewriting(&["src/lib.rs"])), ["src/lib.rs"]);
    assert_eq!(newly_rewritten(&rewriting(&[]), &rewriting(&[])), [""; 0]);
}

#[test]
fn failures_of_a_baseline_do_not_speak_against_a_new_test() {
    let place = [Proof::Place(gulf_agents::sources::Location {
        path: "src/lib.rs".to_owned(),
        line: Some(3),
        missing: None,
    })];
    let base = record(1, TestNaming::Everything, &[("old", TestWord::Failed)]);
    let with_change = |word| record(1, TestNaming::Everything, &[("old", TestWord::Failed), ("new", word)]);
    assert!(is_due_to_change(&place, &with_change(TestWord::Passed), Some(&base)));
    assert!(
        !is_due_to_change(&place, &with_change(TestWord::Failed), Some(&base)),
        "this one is no old failure"
    );
    assert!(!is_due_to_change(&place, &with_change(TestWord::Passed), None));
}

// proves: B3
#[test]
fn tests_without_names_may_not_become_fewer() {
    let counted = |readable: TestNaming, ran: Option<u64>| RunRecord { ran, ..record(0, readable, &[]) };
    let before = counted(TestNaming::Failures, Some(3));
    let lost = |now: &RunRecord| lost_tests(&before, now, |_| false).len();
    assert_eq!(lost(&counted(TestNaming::Failures, Some(3))), 0);
    assert_eq!(lost(&counted(TestNaming::Everything, Some(4))), 0);
    assert_eq!(lost(&counted(TestNaming::Failures, Some(2))), 1);
    let all_failed =
        RunRecord { ran: Some(1), ..record(1, TestNaming::Everything, &[("a", TestWord::Failed)]) };
    assert_eq!(lost_tests(&all_failed, &counted(TestNaming::Failures, Some(1)), |_| false), []);
    assert_eq!(lost_tests(&all_failed, &counted(TestNaming::Failures, Some(0)), |_| false).len(), 1);
    assert_eq!(lost_tests(&all_failed, &counted(TestNaming::Nothing, None), |_| false).len(), 1);
    assert_eq!(lost(&counted(TestNaming::Nothing, None)), 1, "whoever ends the runner early has run nothing");
    assert_eq!(lost_tests(&counted(TestNaming::Nothing, None), &before, |_| false), []);
    assert_eq!(
        lost_tests(&counted(TestNaming::Failures, Some(0)), &counted(TestNaming::Nothing, None), |_| false),
        []
    );
}
