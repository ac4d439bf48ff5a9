//! The base's own tests on the candidate's code (SPEC B3): what a change of tests could hide, they say.

use std::fs;

use gulf_testkit::{FakeAgent, Finished, Sample, Sandbox, Size, Step, in_turn, pytest, quote};

use crate::{GOAL, exit, run, run_right};

const SUBTRACTS: &str = "def add(a, b):\n    return a - b\n";
const ADDS: &str = "def add(a, b):\n    return a + b\n";
const TEST: &str = "from calc import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n\n\ndef test_adds_nothing():\n    \
                    assert add(1, 0) == 1\n";

/// Of forms of one thing, one of so many is tried in a run.
const EVERY: usize = 2;

const WIDE: Size = Size { columns: 200, rows: 40 };

/// One turn of these steps and a claim, with pytest as the only check; none where there is no pytest.
fn worked(steps: &[Step]) -> Option<Finished> {
    worked_with(steps, &[])
}

fn worked_with(steps: &[Step], flags: &[&str]) -> Option<Finished> {
    let pytest = pytest()?;
    let sample = Sample::shell().file("calc.py", SUBTRACTS).file("tests/test_calc.py", TEST);
    let sandbox = Sandbox::with(&sample.file("conftest.py", ""));
    let agent = FakeAgent::new(&sandbox).otherwise(steps.iter().cloned().chain([Step::claim()]));
    let check = quote(pytest.as_str());
    let run = run(&sandbox, &agent, &["--check", &check, "-n", "2"]).arguments(flags.iter().copied());
    Some(run.run().does_not_panic())
}

// proves: B3
#[test]
fn tests_that_are_moved_parametrised_or_given_a_fixture_hide_nothing_and_end_verified() {
    let parametrised = "import pytest\nfrom calc import add\n\n\n@pytest.mark.parametrize('b', [0, 2])\ndef test_adds(b):\n    \
                        assert add(1, b) == 1 + b\n";
    let fixture = "import pytest\n\n\n@pytest.fixture\ndef one():\n    return 1\n";
    let with_fixture = TEST.replace("test_adds()", "test_adds(one)").replace("add(1, 2)", "add(one, 2)");
    let forms = [
        vec![Step::write("tests/test_calc.py", parametrised)],
        vec![Step::delete("tests/test_calc.py"), Step::write("tests/unit/test_sum.py", TEST)],
        vec![Step::write("conftest.py", fixture), Step::write("tests/test_calc.py", &with_fixture)],
    ];
    for steps in in_turn(EVERY, forms) {
        let steps: Vec<Step> = [Step::write("calc.py", ADDS)].into_iter().chain(steps).collect();
        // A check that counts no tests has no word about how many there are.
        let Some(finished) = worked_with(&steps, &["--check", "true"]) else { return };
        finished
            .expect_exit(exit::VERIFIED)
            .says(" to tests of the base hide")
            .says(", and the base's own pass");
    }
}

// proves: B3, G24
#[test]
fn tests_that_are_made_to_fit_are_asked_in_the_bases_words_and_never_end_verified() {
    let weak = TEST.replace("assert add(1, 2) == 3", "assert add(1, 2)");
    let empty = "def add(a, b):\n    return 3\n";
    let shadow = "import calc\n\ncalc.add = lambda a, b: a + b\n";
    let forms = [
        vec![Step::write("tests/test_calc.py", &weak)],
        vec![Step::write("calc.py", empty), Step::write("tests/test_calc.py", &TEST.replace("== 1", ">= 1"))],
        // Runs before the others, and puts what they want in the product's place.
        vec![Step::write("tests/test_a.py", &format!("{shadow}\n\ndef test_a():\n    pass\n"))],
        vec![Step::write("tests/conftest.py", shadow)],
    ];
    for steps in in_turn(EVERY, forms) {
        let Some(finished) = worked(&steps) else { return };
        finished.expect_exit(exit::ATTESTED).says("the base's own tests fail on the candidate's code: ");
    }
}

// proves: B3, G24
#[test]
fn a_test_that_is_gone_or_skipped_is_listed_though_the_base_s_own_tests_pass() {
    let fewer = TEST.split("\n\n\ndef test_adds_nothing").next().unwrap();
    let skipped = TEST.replace("def test_adds_nothing", "@pytest.mark.skip\ndef test_adds_nothing");
    for (test, said) in
        [(fewer.to_owned(), "ran on the base and is gone"), (format!("import pytest\n{skipped}"), "skipped")]
    {
        let steps = [Step::write("calc.py", ADDS), Step::write("tests/test_calc.py", &test)];
        let Some(finished) = worked(&steps) else { return };
        finished.expect_exit(exit::ATTESTED).says(said);
    }
}

// proves: B3
#[test]
fn expectations_that_a_person_lets_the_work_change_are_told_and_the_others_still_count() {
    let text = TEST.replace("== 3", "== '3'").replace("== 1", "== '1'");
    let steps = [
        Step::write("calc.py", "def add(a, b):\n    return str(a + b)\n"),
        Step::write("tests/test_calc.py", &text),
    ];
    let Some(finished) = worked_with(&steps, &["--tests-may-change", "tests/"]) else { return };
    finished.expect_exit(exit::VERIFIED).says("the test test_adds was changed, as was agreed");
    // One may also go or get another name, but for one that failed on the base.
    let gone = text.split("\n\n\ndef test_adds_nothing").next().unwrap().to_owned();
    let (passed, failed) =
        (text.replace("test_adds_n", "test_sums_n"), text.replace("test_adds(", "test_sums("));
    for (text, exit) in [(gone, exit::VERIFIED), (passed, exit::VERIFIED), (failed, exit::ATTESTED)] {
        let steps = [steps[0].clone(), Step::write("tests/test_calc.py", &text)];
        let Some(finished) = worked_with(&steps, &["--tests-may-change", "tests/"]) else { return };
        finished.expect_exit(exit).says("was removed, as was agreed");
    }
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox);
    run(&sandbox, &agent, &["--check", "true", "--tests-may-change", "tests/", "--dry-run"])
        .run()
        .says("may change tests/")
        .says("Tests under `tests/` may change where the goal demands it.");
    let setting = [Step::write("pytest.ini", "[pytest]\naddopts = -k 'not nothing'\n")];
    let with_setting: Vec<Step> = steps.iter().cloned().chain(setting).collect();
    let Some(finished) = worked_with(&with_setting, &["--tests-may-change", "*"]) else { return };
    finished.expect_exit(exit::ATTESTED).says("pytest.ini");
    for flags in in_turn(EVERY, [&[][..], &["--tests-may-change", "tests/other/"]]) {
        let Some(finished) = worked_with(&steps, flags) else { return };
        finished.expect_exit(exit::ATTESTED).says("the base's own tests fail on the candidate's code: ");
    }
}

// proves: B3
#[test]
fn what_a_person_says_checks_judge_by_counts_as_tests() {
    let check = "#!/bin/sh\n[ \"$(sha256sum < wanted.txt)\" = \"$(sh greet.sh | sha256sum)\" ]\n";
    let sample = Sample::shell()
        .file("compare.sh", check)
        .file("wanted.txt", "hello\n")
        .file("greet.sh", "echo bye\n");
    let ends = |steps: &[Step], flags: &[&str]| {
        let sandbox = Sandbox::with(&sample);
        let agent = FakeAgent::new(&sandbox).otherwise([steps, &[Step::claim()]].concat());
        let flags = [&["--check", "sh compare.sh", "-n", "2"], flags].concat();
        run(&sandbox, &agent, &flags).run()
    };
    let fitted = [Step::write("wanted.txt", "bye\n")];
    for flags in [["--count-as-tests", "wanted.txt"], ["--count-as-tests", "greet.txt,*.txt"]] {
        ends(&fitted, &flags).expect_exit(exit::ATTESTED).says("wanted.txt");
    }
    let mended = [Step::write("greet.sh", "echo hello\n")];
    ends(&mended, &["--count-as-tests", "wanted.txt"]).expect_exit(exit::VERIFIED);
    ends(&mended, &["--count-as-tests", "[z-a]", "--dry-run"])
        .expect_exit(exit::REFUSED_START)
        .says("count_as_tests");
    ends(&mended, &["--count-as-tests", "wanted.txt", "--dry-run"]).says("a test     wanted.txt");
}

// proves: B3, G24
#[test]
fn a_product_that_knows_its_tests_or_hides_a_module_from_them_is_listed_and_never_verified() {
    let aware =
        "import os\n\n\ndef add(a, b):\n    return a + b if 'PYTEST_CURRENT_TEST' in os.environ else a - b\n";
    let package = Step::write("calc/__init__.py", ADDS);
    let within = "rm calc.py; mkdir calc; cd calc; git init -q; printf 'def add(a, b):\\n    return a + b\\n' > __init__.py; \
                  git add -A; git -c user.name=a -c user.email=a@b.example commit -qm all";
    let forms = [
        (
            vec![Step::write("calc.py", aware)],
            "calc.py: looks in line 5 whether it is tested: at PYTEST_… variables",
        ),
        (vec![package], "calc/__init__.py: takes the place of calc.py wherever that is looked for"),
        (
            vec![Step::write("calc.py", ADDS), Step::write("wave.py", "")],
            "wave.py: takes the place of Python's module wave wherever that is looked for",
        ),
        (vec![Step::run(within)], "calc: is a repository of its own, and cannot be compared"),
    ];
    for (steps, said) in in_turn(EVERY, forms) {
        let Some(finished) = worked(&steps) else { return };
        finished.expect_exit(exit::ATTESTED).says(said);
    }
}

// proves: B3, G24
#[test]
fn in_rust_and_javascript_the_bases_tests_decide_as_well() {
    let source =
        |body: &str, tests: &str| format!("pub fn add(a: i64, b: i64) -> i64 {{\n    {body}\n}}\n{tests}");
    let tests = |assertion: &str| {
        format!(
            "\n#[cfg(test)]\nmod tests {{\n    #[test]\n    fn adds() {{\n        {assertion}\n    }}\n}}\n"
        )
    };
    let right = "assert_eq!(super::add(1, 2), 3);";
    let rust = Sample::rust().file("src/lib.rs", &source("a - b", &tests(right)));
    let outside = "#[test]\nfn adds() {\n    assert_eq!(sample::add(1, 2), 3);\n}\n";
    let moved = vec![Step::write("src/lib.rs", &source("a + b", "")), Step::write("tests/sum.rs", outside)];
    let weak = vec![Step::write("src/lib.rs", &source("b", &tests("assert!(super::add(1, 2) > 0);")))];
    let unit = |title: &str, assertion: &str| {
        format!(
            "import assert from 'node:assert';\nimport {{ test }} from 'node:test';\nimport {{ add }} from './calc.mjs';\n\n\
             test('{title}', () => {assertion});\n"
        )
    };
    let right = "assert.strictEqual(add(1, 2), 3)";
    let product = |body: &str| format!("export const add = (a, b) => {body};\n");
    let node = Sample::node().file("calc.mjs", &product("a - b")).file("calc.test.mjs", &unit("adds", right));
    let renamed =
        vec![Step::write("calc.mjs", &product("a + b")), Step::write("calc.test.mjs", &unit("sums", right))];
    let made_to_fit = vec![Step::write("calc.test.mjs", &unit("adds", "assert.ok(add(1, 2))"))];
    let languages = [(rust, "cargo test --offline", moved, weak), (node, "npm test", renamed, made_to_fit)];
    for (sample, check, honest, cheat) in in_turn(EVERY, languages) {
        let finish = |steps: Vec<Step>| {
            let sandbox = Sandbox::with(&sample);
            let agent = FakeAgent::new(&sandbox).otherwise(steps.into_iter().chain([Step::claim()]));
            run(&sandbox, &agent, &["--check", check, "-n", "2"]).run().does_not_panic()
        };
        finish(honest).expect_exit(exit::VERIFIED).says(" to tests of the base hide");
        finish(cheat).expect_exit(exit::ATTESTED).says("the base's own tests fail on the candidate's code: ");
    }
}

/// A worker that changes what a test expects, in the goal's sense or not.
pub(crate) fn changed_expectation(flag: &str) -> Option<(Sandbox, Finished)> {
    let pytest = pytest()?;
    let sample = Sample::shell().file("calc.py", SUBTRACTS).file("tests/test_calc.py", TEST);
    let sandbox = Sandbox::with(&sample.file("conftest.py", ""));
    let agent = FakeAgent::new(&sandbox).otherwise([
        Step::write("calc.py", "def add(a, b):\n    return str(a + b)\n"),
        Step::write("tests/test_calc.py", &TEST.replace("== 3", "== '3'").replace("== 1", "== '1'")),
        Step::claim(),
    ]);
    let check = quote(pytest.as_str());
    let run = run(&sandbox, &agent, &["--check", &check, "-n", "3", "--on-test-change", flag]);
    let finished = run.run().does_not_panic();
    Some((sandbox, finished))
}

/// As a person types it.
fn typed(sandbox: &Sandbox, arguments: [&str; 2]) {
    assert_eq!(sandbox.gulf(arguments).on_terminal(WIDE).finish(), 0);
}

// proves: B3, B11
#[test]
fn a_person_who_is_asked_about_changed_tests_sees_both_sides_and_their_yes_is_a_gates() {
    let Some((sandbox, finished)) = changed_expectation("ask") else { return };
    finished
        .expect_exit(exit::PAUSED)
        .says("all checks pass, but existing tests were changed: is that right?")
        .says("  -     assert add(1, 2) == 3")
        .says("  +     assert add(1, 2) == '3'")
        .says("The base's own tests fail on the work.")
        .says("gulf approve");
    typed(&sandbox, ["approve", "sums are texts now"]);
    let kept = sandbox.only_loop();
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    let receipt = fs::read_to_string(kept.path("receipt.json")).unwrap();
    for part in ["sums are texts now", "the test test_adds was changed"] {
        assert!(receipt.contains(part), "no {part}: {receipt}");
    }
}

// proves: B3
#[test]
fn without_a_word_changed_tests_stay_a_finding_and_a_no_goes_back_to_the_worker() {
    let Some((sandbox, _)) = changed_expectation("ask") else { return };
    let again = sandbox.gulf(["run", GOAL]).run().expect_exit(exit::PAUSED);
    again.says("going on with").says("gulf approve");
    assert!(sandbox.only_loop().facts_of("resumed").is_empty(), "the same goal decided about tests");
    sandbox.gulf(["resume"]).run().expect_exit(exit::ATTESTED).says("the test test_adds was changed");
    let Some((sandbox, _)) = changed_expectation("ask") else { return };
    typed(&sandbox, ["reject", "sums are numbers"]);
    sandbox.gulf(["resume"]).run();
    let kept = sandbox.only_loop();
    assert_ne!(kept.end().map(|end| end["kind"].clone()), Some("verified".into()));
    assert_eq!(kept.facts_of("rejected").len(), 1);
}

// proves: B3
#[test]
fn changed_tests_end_a_loop_as_violated_where_that_was_agreed_on() {
    let Some((_, finished)) = changed_expectation("stop") else { return };
    finished.expect_exit(exit::VIOLATED).says("the test test_adds was changed");
}

// proves: B3
#[test]
fn who_approves_where_nobody_judges_overrules_nobody_and_the_proof_decides() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::write("value.txt", "right\n")]);
    run_right(&sandbox, &agent, &["-m", "1"]).run().expect_exit(exit::PAUSED);
    typed(&sandbox, ["approve", "it is fine"]);
    let resumed = sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    resumed.does_not_say("overrule");
    sandbox.gulf(["log"]).run().says("approves the candidate: it is fine").does_not_say("overrule");
    sandbox.gulf(["report", "--markdown"]).run().says("it is fine").does_not_say("overrule");
}

// proves: B3
#[test]
fn who_approves_of_attested_work_that_is_over_is_told_that_it_lands_on_their_word() {
    let Some((sandbox, finished)) = changed_expectation("refuse") else { return };
    finished.expect_exit(exit::ATTESTED).says("gulf land");
    let approves = sandbox.gulf(["approve", "sums are texts now"]).on_terminal(WIDE);
    approves.wait_for("has ended as attested, so no decision is open");
    approves.wait_for("`gulf land` brings its work in");
    assert_eq!(approves.finish(), 2);
    assert_eq!(sandbox.gulf(["land"]).on_terminal(WIDE).finish(), 0);
    assert!(sandbox.git(["show", "HEAD:tests/test_calc.py"]).contains("== '3'"));
}
