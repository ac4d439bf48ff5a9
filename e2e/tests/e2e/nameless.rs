//! New tests of checks that say no more than yes or no (SPEC B3): they prove work that has answers of its own, also for what
//! they do not ask.

use gulf_testkit::{FakeAgent, Finished, Sample, Sandbox, Step};

use crate::{exit, run};

const ALL: &str = "for one in tests/*.sh; do sh \"$one\" || exit 1; done";
const MAKEFILE: &str = ".PHONY: test\ntest:\n\tsh tests/upper.sh\n";

/// A program with one test, and what it says where it is asked for its words backwards.
fn worked(check: &str, backwards: &str, test: &str, more: &[Step]) -> Finished {
    let program = |more: &str| {
        format!(
            "case \"$1\" in\n  upper) echo \"$2\" | tr a-z A-Z ;;\n{more}  *) echo \"unknown: $1\"; exit 2 ;;\nesac\n"
        )
    };
    let old = "out=$(sh text.sh upper ab)\n[ \"$out\" = AB ] || { echo \"upper: $out\"; exit 1; }\n";
    let sample = Sample::shell().file("text.sh", &program("")).file("tests/upper.sh", old);
    let sandbox = Sandbox::with(&sample.file("Makefile", MAKEFILE));
    let steps = [Step::write("text.sh", &program(backwards)), Step::write("tests/reverse.sh", test)];
    let agent = FakeAgent::new(&sandbox).otherwise(steps.iter().chain(more).cloned().chain([Step::claim()]));
    run(&sandbox, &agent, &["--check", check, "-n", "2"]).run().does_not_panic()
}

const TEST: &str = "expect() {\n  out=$(sh text.sh reverse \"$1\")\n  [ \"$out\" = \"$2\" ] || { echo \"reverse: $out\"; exit 1; }\n}\n\
                    expect abc cba\nexpect \"one two\" \"owt eno\"\n";

// proves: B3
#[test]
fn work_that_answers_what_its_new_tests_do_not_ask_is_verified_by_them() {
    let backwards = "  reverse) echo \"$2\" | rev ;;\n";
    let shown = "new tests that fail on the base's code: tests/reverse.sh";
    worked(ALL, backwards, TEST, &[]).expect_exit(exit::VERIFIED).says(shown);
    let more = Step::write("Makefile", &format!("{MAKEFILE}\tsh tests/reverse.sh\n"));
    let finished = worked("make test", backwards, TEST, &[more]);
    finished.expect_exit(exit::VERIFIED).says(shown).says("and the base's own pass");
}

// proves: B3, G24
#[test]
fn work_that_has_nothing_but_what_its_new_tests_expect_is_not() {
    let table = "  reverse) case \"$2\" in abc) echo cba ;; *) echo \"owt eno\" ;; esac ;;\n";
    let marked = "[ -f done.txt ] || { echo \"reverse: nothing\"; exit 1; }\n";
    for (backwards, test, more) in [(table, TEST, vec![]), ("", marked, vec![Step::write("done.txt", "")])] {
        let finished = worked(ALL, backwards, test, &more);
        finished.expect_exit(exit::ATTESTED).says("other inputs get no new answer");
    }
}
