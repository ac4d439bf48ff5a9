//! What a claim costs (SPEC B3): the checks once on the base and once on the candidate, and of what runs again only the
//! tests that are asked about.

use gulf_testkit::{FakeAgent, Finished, Sample, Sandbox, Step, pytest, quote};

use crate::{exit, run};

fn finish(sandbox: &Sandbox, check: &str, steps: Vec<Step>) -> Finished {
    let agent = FakeAgent::new(sandbox).otherwise(steps.into_iter().chain([Step::claim()]));
    run(sandbox, &agent, &["--check", check, "-n", "2"]).run().does_not_panic()
}

/// How often a test wrote its name into the tally, which lies outside of every checkout.
fn runs(sandbox: &Sandbox, test: &str) -> usize {
    let tally = std::fs::read_to_string(sandbox.path("tally")).unwrap_or_default();
    tally.lines().filter(|line| *line == test).count()
}

/// A conftest.py that tallies every test by its name.
fn tallying(sandbox: &Sandbox) {
    let path = sandbox.path("tally");
    let hook = "def pytest_runtest_call(item):\n    with open(TALLY, 'a') as file:\n        file.write(item.name + '\\n')\n";
    sandbox.write("conftest.py", format!("TALLY = {:?}\n\n\n{hook}", path.as_str()));
    sandbox.commit("tally the tests");
}

const DOUBLE: &str = "def add(a, b):\n    return a + b\n\n\ndef double(a):\n    return add(a, a)\n";

#[test]
fn old_tests_run_once_on_the_base_and_once_on_the_candidate() {
    let Some(pytest) = pytest() else { return };
    let sandbox = Sandbox::with(&Sample::python());
    tallying(&sandbox);
    let new = "import calc\n\n\ndef test_doubles():\n    assert calc.double(4) == 8\n";
    let steps = vec![Step::write("calc.py", DOUBLE), Step::write("test_double.py", new)];
    finish(&sandbox, &quote(pytest.as_str()), steps).expect_exit(exit::VERIFIED).says("test_doubles");
    assert_eq!(runs(&sandbox, "test_adds"), 2, "once on the base, once on the candidate");
    let runs = runs(&sandbox, "test_doubles");
    let most = "on the candidate, on the base's code, again with the change, on up to three stubs, where it expects something \
                else, and alone as often as there is time, up to six times";
    assert!((6..=13).contains(&runs), "{most}: {runs}");
}

#[test]
fn tests_that_were_red_on_the_base_run_again_there_without_the_others() {
    let Some(pytest) = pytest() else { return };
    let red = "from calc import add\n\n\ndef test_adds_text():\n    assert add('a', 1) == 'a1'\n";
    let sandbox = Sandbox::with(&Sample::python().file("test_text.py", red));
    tallying(&sandbox);
    let fixed = "def add(a, b):\n    return f'{a}{b}' if isinstance(a, str) else a + b\n";
    finish(&sandbox, &quote(pytest.as_str()), vec![Step::write("calc.py", fixed)])
        .expect_exit(exit::VERIFIED);
    assert_eq!(runs(&sandbox, "test_adds"), 2, "once on the base, once on the candidate");
    let runs = runs(&sandbox, "test_adds_text");
    let most = "twice on the base, once on the candidate, where it expects something else, and alone as often as there \
                is time, up to six times";
    assert!((5..=10).contains(&runs), "{most}: {runs}");
}

/// On the base they ran alone because they were red there, and on the work to see whether they pass each time.
#[test]
fn what_tests_just_said_is_not_asked_again_before_they_get_other_inputs() {
    let Some(pytest) = pytest() else { return };
    let red = "from calc import slug\n\n\ndef test_slug():\n    assert slug(\"Hello World\") == \"hello-world\"\n    \
               assert slug(\"A b\") == \"a-b\"\n";
    let sample = Sample::python()
        .file("calc.py", "def add(a, b):\n    return a + b\n\n\ndef slug(text):\n    return text\n");
    let sandbox = Sandbox::with(&sample.file("test_slug.py", red));
    let fixed =
        "def add(a, b):\n    return a + b\n\n\ndef slug(text):\n    return '-'.join(text.lower().split())\n";
    finish(&sandbox, &quote(pytest.as_str()), vec![Step::write("calc.py", fixed)])
        .expect_exit(exit::VERIFIED)
        .says("other inputs than the tests' own get new answers (5 runs,");
}

#[test]
fn a_new_test_that_needs_the_others_is_shown_by_all_of_them() {
    let Some(pytest) = pytest() else { return };
    let sandbox = Sandbox::with(&Sample::python());
    tallying(&sandbox);
    let state = format!("SEEN = []\n\n\n{DOUBLE}");
    let first = "import calc\n\n\ndef test_adds():\n    calc.__dict__.setdefault('SEEN', []).append(1)\n    \
                 assert calc.add(2, 2) == 4\n";
    sandbox.write("test_calc.py", first);
    sandbox.commit("leave a trace");
    let new =
        "import calc\n\n\ndef test_doubles_after_adding():\n    assert calc.SEEN and calc.double(4) == 8\n";
    let steps = vec![Step::write("calc.py", &state), Step::write("test_double.py", new)];
    finish(&sandbox, &quote(pytest.as_str()), steps).expect_exit(exit::VERIFIED);
    let runs = runs(&sandbox, "test_adds");
    let told =
        "no selection settled anything, so all ran on both once more, and on up to three stubs of the work";
    assert!((6..=9).contains(&runs), "{told}: {runs}");
}

#[test]
fn a_package_script_of_node_is_asked_for_the_new_tests_alone() {
    let sandbox = Sandbox::with(&Sample::node());
    let old = format!(
        "import assert from 'node:assert';\nimport {{ appendFileSync }} from 'node:fs';\nimport {{ test }} from 'node:test';\n\
         import {{ add }} from './calc.mjs';\n\ntest('adds', () => {{\n  appendFileSync({:?}, 'adds\\n');\n  \
         assert.strictEqual(add(2, 2), 4);\n}});\n",
        sandbox.path("tally").as_str()
    );
    sandbox.write("calc.test.mjs", old);
    sandbox.commit("tally the tests");
    let new = "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport * as calc from './calc.mjs';\n\n\
               test('doubles', () => assert.strictEqual(calc.double(4), 8));\n";
    let product = "export const add = (a, b) => a + b;\nexport const double = (a) => add(a, a);\n";
    let steps = vec![Step::write("calc.mjs", product), Step::write("double.test.mjs", new)];
    finish(&sandbox, "npm test", steps).expect_exit(exit::VERIFIED).says("doubles");
    assert_eq!(runs(&sandbox, "adds"), 2, "once on the base, once on the candidate");
}

#[test]
fn behind_scripts_that_call_scripts_and_beside_other_commands_the_new_tests_run_alone() {
    let sandbox = Sandbox::with(&Sample::node());
    let scripts =
        "{\"scripts\": {\"test\": \"npm run unit\", \"unit\": \"node -e 0 && node --test *.test.mjs\"}}\n";
    sandbox.write("package.json", scripts);
    let old = format!(
        "import assert from 'node:assert';\nimport {{ appendFileSync }} from 'node:fs';\nimport {{ test }} from 'node:test';\n\
         import {{ add }} from './calc.mjs';\n\ntest('adds', () => {{\n  appendFileSync({:?}, 'adds\\n');\n  \
         assert.strictEqual(add(2, 2), 4);\n}});\n",
        sandbox.path("tally").as_str()
    );
    sandbox.write("calc.test.mjs", old);
    sandbox.commit("tally the tests");
    let new = "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport * as calc from './calc.mjs';\n\n\
               test('doubles', () => assert.strictEqual(calc.double(4), 8));\n";
    let product = "export const add = (a, b) => a + b;\nexport const double = (a) => add(a, a);\n";
    let steps = vec![Step::write("calc.mjs", product), Step::write("double.test.mjs", new)];
    finish(&sandbox, "npm test", steps).expect_exit(exit::VERIFIED).says("doubles");
    assert_eq!(runs(&sandbox, "adds"), 2, "once on the base, once on the candidate");
}

#[test]
fn cargo_is_asked_for_the_new_tests_alone() {
    let sandbox = Sandbox::with(&Sample::rust());
    let source = |code: &str, tests: &str| {
        format!(
            "pub fn add(a: i64, b: i64) -> i64 {{\n    a + b\n}}\n{code}\n#[cfg(test)]\nmod tests {{\n    use super::*;\n    \
             use std::io::Write;\n\n    #[test]\n    fn adds() {{\n        let mut tally = std::fs::File::options()\
             .create(true).append(true).open({:?}).unwrap();\n        writeln!(tally, \"adds\").unwrap();\n        \
             assert_eq!(add(2, 2), 4);\n    }}\n{tests}}}\n",
            sandbox.path("tally").as_str()
        )
    };
    sandbox.write("src/lib.rs", source("", ""));
    sandbox.commit("tally the tests");
    let new = source(
        "pub fn double(a: i64) -> i64 {\n    add(a, a)\n}\n",
        "\n    #[test]\n    fn doubles() {\n        assert_eq!(double(4), 8);\n    }\n",
    );
    finish(&sandbox, "cargo test --offline", vec![Step::write("src/lib.rs", &new)])
        .expect_exit(exit::VERIFIED);
    assert_eq!(runs(&sandbox, "adds"), 2, "once on the base, once on the candidate");
}

#[test]
fn the_screen_says_what_runs_again_and_why() {
    let Some(pytest) = pytest() else { return };
    let sandbox = Sandbox::with(&Sample::python());
    let new = "import calc\n\n\ndef test_doubles():\n    assert calc.double(4) == 8\n";
    let steps = vec![Step::write("calc.py", DOUBLE), Step::write("test_double.py", new)];
    finish(&sandbox, &quote(pytest.as_str()), steps)
        .expect_exit(exit::VERIFIED)
        .says("looking for a new test that fails on the base's code");
}
