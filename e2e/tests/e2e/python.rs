//! SPEC B3 with pytest; `cargo xtask ci` prepares one, and where there is none that is said aloud.

use gulf_testkit::{FakeAgent, Finished, Sample, Sandbox, Step, pytest, quote};

use crate::{exit, run};

const DOUBLE: &str = "def add(a, b):\n    return a + b\n\n\ndef double(a):\n    return add(a, a)\n";
const DOUBLE_TEST: &str = "from calc import double\n\n\ndef test_doubles():\n    assert double(4) == 8\n";

fn finish(sandbox: &Sandbox, check: &str, steps: Vec<Step>) -> Finished {
    let agent = FakeAgent::new(sandbox).otherwise(steps.into_iter().chain([Step::claim()]));
    run(sandbox, &agent, &["--check", check, "-n", "2"]).run().does_not_panic()
}

fn check() -> Option<String> {
    pytest().map(|pytest| quote(pytest.as_str()))
}

#[test]
fn a_feature_with_an_honest_new_pytest_ends_verified() {
    let Some(check) = check() else { return };
    let sandbox = Sandbox::with(&Sample::python());
    let steps = vec![Step::write("calc.py", DOUBLE), Step::write("test_double.py", DOUBLE_TEST)];
    finish(&sandbox, &check, steps).expect_exit(exit::VERIFIED).says("test_double.py");
}

#[test]
fn a_new_pytest_that_passes_on_the_bases_code_proves_nothing() {
    let Some(check) = check() else { return };
    let sandbox = Sandbox::with(&Sample::python());
    let again = "from calc import add\n\n\ndef test_again():\n    assert add(1, 1) == 2\n";
    let steps = vec![Step::write("calc.py", DOUBLE), Step::write("test_again.py", again)];
    finish(&sandbox, &check, steps).expect_exit(exit::ATTESTED);
}

#[test]
fn an_error_in_a_conftest_is_not_the_new_tests_own() {
    let Some(check) = check() else { return };
    let sandbox = Sandbox::with(&Sample::python());
    let again = "from calc import add\n\n\ndef test_again():\n    assert add(1, 1) == 2\n";
    let steps = vec![
        Step::write("calc.py", DOUBLE),
        Step::write("conftest.py", "from calc import double\n"),
        Step::write("test_again.py", again),
    ];
    finish(&sandbox, &check, steps).expect_exit(exit::ATTESTED);
}

#[test]
fn a_new_conftest_that_needs_the_work_is_proof_of_the_tests_that_need_it() {
    let Some(check) = check() else { return };
    let sandbox = Sandbox::with(&Sample::python());
    let fixture =
        "import pytest\n\nfrom calc import double\n\n\n@pytest.fixture\ndef eight():\n    return double(4)\n";
    let steps = vec![
        Step::write("calc.py", DOUBLE),
        Step::write("conftest.py", fixture),
        Step::write("test_double.py", "def test_doubles(eight):\n    assert eight == 8\n"),
    ];
    finish(&sandbox, &check, steps).expect_exit(exit::VERIFIED).says("test_doubles");
}

const RED_TEST: &str = "from calc import add\n\n\ndef test_adds():\n    assert add(2, 2) == 4\n\n\n\
                        def test_adds_text():\n    assert add('a', 1) == 'a1'\n";

#[test]
fn deleting_or_skipping_the_red_pytest_is_listed_and_never_verified() {
    let Some(check) = check() else { return };
    let (kept, _) = RED_TEST.split_once("\n\n\ndef test_adds_text").unwrap();
    let skipped = format!(
        "import pytest\n{}",
        RED_TEST.replace("def test_adds_text", "@pytest.mark.skip\ndef test_adds_text")
    );
    for text in [kept, skipped.as_str()] {
        let sandbox = Sandbox::with(&Sample::python().file("test_calc.py", RED_TEST));
        finish(&sandbox, &check, vec![Step::write("test_calc.py", text)])
            .expect_exit(exit::ATTESTED)
            .says("test_calc.py");
    }
}

#[test]
fn settings_that_leave_the_red_pytest_out_are_listed_and_never_verified() {
    let Some(check) = check() else { return };
    for (path, text) in [
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = \"-k 'not text'\"\n"),
        ("pytest.ini", "[pytest]\naddopts = -k 'not text'\n"),
        ("conftest.py", "collect_ignore = ['test_calc.py']\n"),
    ] {
        let sandbox = Sandbox::with(
            &Sample::python()
                .file("test_calc.py", RED_TEST)
                .file("test_more.py", "def test_more():\n    pass\n"),
        );
        let finished = finish(&sandbox, &check, vec![Step::write(path, text)]);
        assert_ne!(finished.exit, Some(exit::VERIFIED), "{path}: {finished:#?}");
        finished.expect_exit(exit::ATTESTED).says(path);
    }
}

#[test]
fn settings_that_only_say_more_hide_nothing_where_the_same_tests_run_without_them() {
    let Some(check) = check() else { return };
    let sandbox = Sandbox::with(&Sample::python().file("test_calc.py", RED_TEST));
    let fixed = "def add(a, b):\n    return f'{a}{b}' if isinstance(a, str) else a + b\n";
    let settings = "[pytest]\naddopts = -ra\nmarkers =\n    slow: takes long\n";
    let steps = vec![Step::write("calc.py", fixed), Step::write("pytest.ini", settings)];
    let told = finish(&sandbox, &check, steps).expect_exit(exit::VERIFIED);
    told.says("pytest.addopts: was nothing, is `-ra`, and without it the checks say the same");
}

#[test]
fn tests_merged_into_a_table_are_as_good_where_all_they_asked_is_still_asked() {
    let Some(check) = check() else { return };
    let fixed = "def add(a, b):\n    return f'{a}{b}' if isinstance(a, str) else a + b\n";
    let table = "from calc import add\n\nCASES = [\n    (2, 2, 4),\n    ('a', 1, 'a1'),\n]\n\n\n\
                 def test_all():\n    for a, b, both in CASES:\n        assert add(a, b) == both\n";
    for (table, end) in [
        (table.to_owned(), exit::VERIFIED),
        (table.replace("    (2, 2, 4),\n", "    (2, 3, 5),\n"), exit::ATTESTED),
    ] {
        let sandbox = Sandbox::with(&Sample::python().file("test_calc.py", RED_TEST));
        let steps = vec![Step::write("calc.py", fixed), Step::write("test_calc.py", &table)];
        finish(&sandbox, &check, steps).expect_exit(end);
    }
}

const OLD_UNITTEST: &str = "import unittest\nfrom calc import add\n\n\nclass Old(unittest.TestCase):\n    \
                            def test_zero(self):\n        self.assertEqual(add(1, 0), 1)\n";
const FORMS: [&str; 4] = [
    "python3 -B -m unittest",
    "python3 -B -m unittest discover -v",
    "python3 -B -m unittest discover -s tests",
    "python3 -B -m unittest discover -v -s tests -t .",
];

/// A project whose tests are unittest's, with this product.
fn unittests(product: &str) -> Sandbox {
    let sample = Sample::green().file("calc.py", product).file("tests/__init__.py", "");
    Sandbox::with(&sample.file("tests/test_old.py", OLD_UNITTEST))
}

#[test]
fn a_fix_with_its_own_unittest_ends_verified_in_every_form() {
    let new =
        OLD_UNITTEST.replace("Old", "New").replace("zero", "two").replace("add(1, 0), 1", "add(2, 2), 4");
    for form in FORMS {
        let sandbox = unittests("def add(a, b):\n    return a - b\n");
        let steps = vec![Step::write("calc.py", DOUBLE), Step::write("tests/test_new.py", &new)];
        finish(&sandbox, form, steps).expect_exit(exit::VERIFIED).says("test_two");
    }
}

#[test]
fn a_unittest_that_does_not_load_on_the_base_is_not_gone_where_it_loads() {
    for form in FORMS {
        let test =
            OLD_UNITTEST.replace("import add", "import double").replace("add(1, 0), 1", "double(2), 4");
        let sample = Sample::green().file("calc.py", "def add(a, b):\n    return a + b\n");
        let sandbox = Sandbox::with(&sample.file("tests/__init__.py", "").file("tests/test_old.py", &test));
        finish(&sandbox, form, vec![Step::write("calc.py", DOUBLE)]).expect_exit(exit::VERIFIED);
    }
}

#[test]
fn a_new_test_that_hangs_on_the_bases_code_is_proof() {
    const HANGS: &str =
        "import time\n\n\ndef add(a, b):\n    while b:\n        time.sleep(0.1)\n    return a\n";
    let new =
        OLD_UNITTEST.replace("Old", "New").replace("zero", "two").replace("add(1, 0), 1", "add(2, 2), 4");
    let settings =
        "[[check]]\ncommand = \"python3 -B -m unittest discover -v -s tests -t .\"\ntimeout = \"3s\"\n";
    let sandbox = unittests(HANGS);
    sandbox.write("gulf.toml", settings);
    sandbox.commit("settings");
    let steps = [Step::write("calc.py", DOUBLE), Step::write("tests/test_new.py", &new), Step::claim()];
    let told = run(&sandbox, &FakeAgent::new(&sandbox).otherwise(steps), &["-n", "1"]).run();
    told.expect_exit(exit::VERIFIED).says("test_two: no end without the change");
}

#[test]
fn a_check_that_passes_whatever_its_tests_say_proves_nothing() {
    let new =
        OLD_UNITTEST.replace("Old", "New").replace("zero", "two").replace("add(1, 0), 1", "add(2, 2), 4");
    let sandbox = unittests("def add(a, b):\n    return a - b\n");
    let steps = vec![Step::write("calc.py", DOUBLE), Step::write("tests/test_new.py", &new)];
    let check = "python3 -B -m unittest discover -v -s tests -t . || true";
    finish(&sandbox, check, steps).expect_exit(exit::ATTESTED).says("the check passes there all the same");
}

#[test]
fn a_new_module_with_its_own_unittest_ends_verified_in_every_form() {
    let new = "import unittest\nfrom double import double\n\n\nclass Double(unittest.TestCase):\n    \
               def test_double(self):\n        self.assertEqual(double(2), 4)\n";
    for form in FORMS {
        let sandbox = unittests("def add(a, b):\n    return a + b\n");
        let product = "def double(a):\n    return a + a\n";
        let steps = vec![Step::write("double.py", product), Step::write("tests/test_double.py", new)];
        finish(&sandbox, form, steps).expect_exit(exit::VERIFIED).says("does not run without the change");
    }
}
