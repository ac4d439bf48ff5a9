//! What two runs say together.

use gulf_agents::reports::TestId;

use super::*;

fn record(code: i32, readable: Completeness, tests: &[(&str, TestOutcome)]) -> RunRecord {
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
    let base = record(0, Completeness::Every, &[("adds", TestOutcome::Passed)]);
    let with_file = |word| {
        record(0, Completeness::Every, &[("old > adds", word), ("new > subtracts", TestOutcome::Passed)])
    };
    assert_eq!(lost(&base, &with_file(TestOutcome::Passed)), 0);
    assert_eq!(lost(&base, &with_file(TestOutcome::Skipped)), 1);
    assert_eq!(lost(&base, &record(0, Completeness::Every, &[("new > subtracts", TestOutcome::Passed)])), 1);
}

#[test]
fn a_test_that_is_gone_or_skipped_is_lost() {
    let base = record(0, Completeness::Every, &[("a", TestOutcome::Passed), ("b", TestOutcome::Failed)]);
    assert_eq!(lost(&base, &record(0, Completeness::Every, &[("a", TestOutcome::Skipped)])), 2);
    assert_eq!(lost(&base, &base), 0);
}

#[test]
fn a_new_test_that_is_skipped_is_told_from_one_that_got_another_name() {
    use TestOutcome::{Passed, Skipped};
    let every = |tests: &[(&str, TestOutcome)]| record(0, Completeness::Every, tests);
    let base = every(&[("a", Passed), ("b", Skipped)]);
    let with = |id, word| newly_skipped(&base, &every(&[("a", Passed), ("b", Skipped), (id, word)])).len();
    assert_eq!(with("c", Skipped), 1);
    assert_eq!(with("c", Passed), 0);
    assert_eq!(newly_skipped(&base, &every(&[("a", Passed), ("c", Skipped)])).len(), 0);
    assert_eq!(newly_skipped(&base, &every(&[("a", Skipped), ("b", Skipped)])).len(), 0);
}

#[test]
fn a_subtest_that_failed_is_not_lost_where_its_test_passes() {
    let subtest = "test_words (test_due.DueTest.test_words) [in 3 days]";
    let base = record(1, Completeness::Every, &[(subtest, TestOutcome::Failed)]);
    let now = |word| record(0, Completeness::Every, &[("test_words (test_due.DueTest.test_words)", word)]);
    assert_eq!(lost(&base, &now(TestOutcome::Passed)), 0);
    assert_eq!(lost(&base, &now(TestOutcome::Skipped)), 1);
    assert_eq!(
        lost(&base, &record(0, Completeness::Every, &[("test_iso (b.A.test_iso)", TestOutcome::Passed)])),
        1
    );
}

#[test]
fn tests_that_can_no_longer_be_named_are_lost() {
    let base = record(0, Completeness::Every, &[("a", TestOutcome::Passed)]);
    assert_eq!(lost(&base, &record(0, Completeness::None, &[])), 1);
    assert_eq!(lost(&base, &record(0, Completeness::FailuresOnly, &[])), 1);
    let without_tests = record(0, Completeness::Every, &[]);
    assert_eq!(lost(&without_tests, &record(0, Completeness::None, &[])), 0);
}

#[test]
fn a_file_that_did_not_load_is_no_lost_test_when_it_loads() {
    let now = record(0, Completeness::Every, &[("tests.test_sub::test_sub", TestOutcome::Passed)]);
    let failed = record(2, Completeness::Every, &[("tests.test_sub", TestOutcome::Failed)]);
    assert_eq!(lost(&failed, &now), 0);
    let passed = record(0, Completeness::Every, &[("tests.test_sub", TestOutcome::Passed)]);
    assert_eq!(lost(&passed, &now), 1);
}

#[test]
fn what_did_not_build_or_load_is_not_lost_where_its_tests_run() {
    let base = |id| record(1, Completeness::Every, &[(id, TestOutcome::Failed)]);
    let now = |id| record(0, Completeness::Every, &[(id, TestOutcome::Passed)]);
    assert_eq!(lost(&base("example.com/calc"), &now("example.com/calc::TestDouble")), 0);
    assert_eq!(lost(&base("example.com/calc"), &now("example.com/calculus::TestDouble")), 1);
    let loaded = now("test_a (tests.test_sub.T.test_a)");
    assert_eq!(lost(&base("tests.test_sub (unittest.loader._FailedTest.tests.test_sub)"), &loaded), 0);
    assert_eq!(lost(&base("tests.other (unittest.loader._FailedTest.tests.other)"), &loaded), 1);
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
    let run = |code, word| record(code, Completeness::Every, &[("new", word)]);
    assert!(is_due_to_change(&by, &run(0, TestOutcome::Passed), None));
    assert!(!is_due_to_change(&by, &run(1, TestOutcome::Failed), None));
    assert!(!is_due_to_change(&by, &run(0, TestOutcome::Skipped), None));
    assert!(is_due_to_change(&by, &record(0, Completeness::FailuresOnly, &[]), None));
    assert!(!is_due_to_change(&by, &record(1, Completeness::None, &[]), None));
}

#[test]
fn a_red_that_passes_alone_is_not_believed() {
    let red = record(1, Completeness::Every, &[("a", TestOutcome::Failed), ("b", TestOutcome::Failed)]);
    let green = record(0, Completeness::Every, &[("a", TestOutcome::Passed), ("b", TestOutcome::Passed)]);
    let half = record(1, Completeness::Every, &[("a", TestOutcome::Passed), ("b", TestOutcome::Failed)]);
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
        ..record(0, Completeness::Every, &[])
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
    let base = &[("beside", TestOutcome::Passed), ("old", TestOutcome::Failed)];
    let base = record(1, Completeness::Every, base);
    let with_change = |word| record(1, Completeness::Every, &[("old", TestOutcome::Failed), ("new", word)]);
    assert!(is_due_to_change(&place, &with_change(TestOutcome::Passed), Some(&base)));
    assert!(
        !is_due_to_change(&place, &with_change(TestOutcome::Failed), Some(&base)),
        "this one is no old failure"
    );
    assert!(!is_due_to_change(&place, &with_change(TestOutcome::Passed), None));
    let nothing_passed = record(1, Completeness::Every, &[("old", TestOutcome::Failed)]);
    assert!(!is_due_to_change(&place, &with_change(TestOutcome::Passed), Some(&nothing_passed)));
}

// proves: B3
#[test]
fn tests_without_names_may_not_become_fewer() {
    let counted = |readable: Completeness, ran: Option<u64>| RunRecord { ran, ..record(0, readable, &[]) };
    let before = counted(Completeness::FailuresOnly, Some(3));
    let lost = |now: &RunRecord| lost_tests(&before, now, |_| false).len();
    assert_eq!(lost(&counted(Completeness::FailuresOnly, Some(3))), 0);
    assert_eq!(lost(&counted(Completeness::Every, Some(4))), 0);
    assert_eq!(lost(&counted(Completeness::FailuresOnly, Some(2))), 1);
    let with_skipped = RunRecord { skipped: Some(1), ..counted(Completeness::FailuresOnly, Some(3)) };
    assert_eq!(lost(&with_skipped), 1, "a new test in the place of one that is skipped");
    let all_failed =
        RunRecord { ran: Some(1), ..record(1, Completeness::Every, &[("a", TestOutcome::Failed)]) };
    assert_eq!(lost_tests(&all_failed, &counted(Completeness::FailuresOnly, Some(1)), |_| false), []);
    assert_eq!(lost_tests(&all_failed, &counted(Completeness::FailuresOnly, Some(0)), |_| false).len(), 1);
    assert_eq!(lost_tests(&all_failed, &counted(Completeness::None, None), |_| false).len(), 1);
    assert_eq!(lost(&counted(Completeness::None, None)), 1, "whoever ends the runner early has run nothing");
    assert_eq!(lost_tests(&counted(Completeness::None, None), &before, |_| false), []);
    assert_eq!(
        lost_tests(&counted(Completeness::FailuresOnly, Some(0)), &counted(Completeness::None, None), |_| {
            false
        }),
        []
    );
}
