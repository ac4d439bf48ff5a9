//! What decides, by the commands that people write.

use super::*;

fn check(command: &str, deciding: &[&str]) {
    let mut found = deciding_words(command);
    found.sort_unstable();
    found.dedup();
    assert_eq!(found, deciding, "{command}");
}

#[test]
fn the_program_decides_and_what_it_looks_at_does_not() {
    check("./check.sh", &["./check.sh"]);
    check("grep -q hello greeting.txt", &["grep"]);
    check("! grep -qi helo greeting.txt", &["grep"]);
    check("grep -qx hello config.ini && jq -e .name package.json", &["grep", "jq"]);
    check("grep -f patterns.cfg greeting.txt", &["grep", "patterns.cfg"]);
    check("test -f greeting.txt && ci/all.sh", &["ci/all.sh", "test"]);
}

#[test]
fn signs_within_quotes_end_no_command_but_where_something_runs_there() {
    check("! grep -q 'print(' shop/sync.py", &["grep"]);
    check("test $(grep -c \"print(\" a.py) -eq 0 && sh b.sh", &["b.sh", "grep", "sh", "test"]);
    check("grep -E 'a|b' a.py && ! grep -q \"it's; (\" a.py; sh 'b.sh'", &["b.sh", "grep", "sh"]);
    check("sh -c 'cd a && python3 b.py'", &["b.py", "cd", "python3", "sh"]);
    check("bash -ec \"cd a; sh b.sh\"", &["b.sh", "bash", "cd", "sh"]);
    check("echo it\\'s; sh b.sh 'x'", &["b.sh", "echo", "sh"]);
    check("test \"$(sh b.sh \"x; y\")\" = z && sh c.sh", &["b.sh", "c.sh", "sh", "test", "z"]);
    check("# don't\nsh b.sh 'c'", &["#", "b.sh", "sh"]);
    assert!(plain_parts("test \"`sh b.sh; sh c.sh`\"").len() > 3);
}

#[test]
fn a_source_whose_examples_are_run_is_no_script_of_the_check() {
    for command in
        ["python3 -m doctest a.py", "python -W error -m doctest -v ./a.py", "cd b && python3 -m doctest a.py"]
    {
        assert!(are_examining(&[command.to_owned()], "b/a.py"), "{command}");
    }
    for command in ["python3 a.py", "python3 -m coverage run a.py", "python3 -m doctest a.py && python3 a.py"]
    {
        assert!(!are_examining(&[command.to_owned()], "a.py"), "{command}");
    }
}

#[test]
fn a_script_decides_behind_its_interpreter_and_behind_prefixes() {
    check("bash -e ci/test.sh quick", &["bash", "ci/test.sh"]);
    check("FAST=1 time python3 tools/check.py", &["python3", "tools/check.py"]);
    check("timeout 60 ./check.sh", &["./check.sh"]);
    check("sh -c './check.sh --all'", &["./check.sh", "sh"]);
}

#[test]
fn a_file_of_settings_decides_wherever_it_is_named() {
    check("pytest -c strict.ini", &["pytest", "strict.ini"]);
    check("cd web && npx jest --config jest.ci.json", &["cd", "jest.ci.json", "npx"]);
}

#[test]
fn what_is_compared_decides_and_what_a_module_is_given() {
    check("diff -u expected.txt out.txt", &["diff", "expected.txt", "out.txt"]);
    check("python3 -m doctest README.md", &["README.md", "doctest", "python3"]);
}

#[test]
fn what_a_loop_compares_decides_whatever_its_variable_is() {
    for command in ["diff -u expected/$name.txt out/$name.txt", "cmp expected/$$name.txt - || exit 1"] {
        assert!(decides(command, "tests/expected/small.txt"), "{command}");
        assert!(is_only_compared(command, "expected/small.txt"), "{command}");
        assert!(!decides(command, "expected/small.csv") && !decides(command, "data/small.txt"), "{command}");
    }
    assert!(!decides("diff $name.txt out.tmp", "notes.txt"));
}

#[test]
fn a_file_that_is_compared_may_be_the_work_and_a_script_beside_it_is_not() {
    assert!(is_only_compared("python3 check.py && diff expected.txt out.txt", "out.txt"));
    assert!(!is_only_compared("python3 check.py && diff expected.txt out.txt", "check.py"));
}

#[test]
fn a_program_that_is_asked_something_is_no_check_and_a_script_within_words_is_one() {
    assert!(!decides("test \"$(python3 add.py 1 2)\" = 3", "add.py"));
    assert!(!decides("g=`python3 add.py $n`; [ $g = 3 ]", "add.py"));
    assert!(decides("test \"$(python3 verify.py)\" = ok", "verify.py"));
    assert_eq!(question("test \"$(python3 verify.py all)\" = ok", "verify.py"), Some(AskedFor::Words));
    assert_eq!(question("g=`python3 add.py $n`; [ $g = 3 ]", "add.py"), Some(AskedFor::Values));
    assert_eq!(question("python3 verify.py all", "verify.py"), None);
    assert!(decides("test \"$(sh verify.sh 1)\" = ok", "verify.sh"));
    assert!(decides("out=$(python3 add.py 1 2) && python3 verify.py", "verify.py"));
}

#[test]
fn a_program_whose_output_is_compared_is_asked_and_no_check() {
    for command in [
        "diff -u expected.txt <(node ../toc.js \"$doc\")",
        "node toc.js guide.md | diff -u expected.txt -",
        "node toc.js guide.md > out.txt && diff expected.txt out.txt",
        "node toc.js guide.md > out.txt; cmp out.txt expected.txt",
    ] {
        assert!(!decides(command, "toc.js"), "{command}");
        assert!(question(command, "toc.js").is_some(), "{command}");
        assert!(decides(command, "expected.txt"), "{command}");
    }
    for command in [
        "node toc.js guide.md | tee log.txt",
        "node toc.js > out.txt && diff expected.txt out.txt",
        "node toc.js guide.md > log.txt && diff expected.txt out.txt",
        "node toc.js guide.md || diff expected.txt out.txt",
    ] {
        assert!(decides(command, "toc.js"), "{command}");
    }
}

#[test]
fn the_scripts_of_a_package_are_known_by_name_behind_options_too() {
    assert_eq!(script_names("npm test"), ["test"]);
    assert!(script_names("npm run lint && yarn check").contains(&"check"));
    assert!(script_names("npm --prefix sub run verify").contains(&"verify"));
    assert_eq!(script_names("cargo test"), [""; 0]);
}

#[test]
fn a_script_decides_whatever_way_leads_to_it() {
    for command in
        ["./check.sh", "cd .. && sh ./ci/../check.sh", "sh \"$PWD/check.sh\"", "sh -c \"./check.sh\""]
    {
        assert!(decides(command, "check.sh"), "{command}");
    }
    assert!(decides("cd ci && bash x.sh", "ci/x.sh"));
    assert!(!decides("./check.sh", "precheck.sh"));
    assert!(!decides("ci/check.sh", "check.sh"));
    assert!(!decides("grep -q hello greeting.txt", "greeting.txt"));
}

#[test]
fn a_new_file_takes_the_place_of_a_module_that_is_run() {
    for path in ["pytest.py", "pytest/__main__.py", "sub/pytest/__init__.py"] {
        assert!(takes_place_of_module("/venv/bin/python -m pytest -q", path), "{path}");
    }
    assert!(!takes_place_of_module("python3 -m pytest", "mypytest.py"));
    assert!(!takes_place_of_module("git commit -m pytest", "pytest.py"));
}

#[test]
fn functions_that_a_check_takes_in_are_told_from_programs_that_it_runs() {
    let check = "bash -c 'source lib/text.sh && source tests/text.sh'";
    assert!(is_sourced(check, "lib/text.sh"));
    assert!(is_sourced(". lib/text.sh; trim a", "lib/text.sh"));
    assert!(!is_sourced("sh lib/text.sh", "lib/text.sh"));
    assert!(!is_sourced(". lib/text.sh && sh lib/text.sh", "lib/text.sh"));
}

#[test]
fn what_lies_where_make_looks_for_a_target_stands_for_it() {
    assert_eq!(stands_for_target("make-target:test", "test"), Some("test".to_owned()));
    assert_eq!(stands_for_target("make-target:test", "test/README.md"), Some("test".to_owned()));
    assert_eq!(stands_for_target("make-target:test", "tests/a.py"), None);
    assert_eq!(stands_for_target("make test", "test"), None);
}

#[test]
fn data_that_a_program_of_the_project_looks_at_is_told_from_settings() {
    assert!(is_only_given("python3 validate.py people.json", "people.json"));
    assert!(is_only_given("./validate.sh data/people.json && true", "data/people.json"));
    assert!(!is_only_given("python3 check.json", "check.json"));
    assert!(!is_only_given("python3 validate.py --rules rules.json", "rules.json"));
    assert!(!is_only_given("pytest -c strict.ini", "strict.ini"));
    assert!(!is_only_given("jest strict.json", "strict.json"));
}

#[test]
fn a_script_whose_output_is_compared_is_what_is_checked() {
    let recipe = "printf 'b a' | sh count.sh > out.txt\ndiff -u expected.txt out.txt";
    assert!(is_only_compared_output(recipe, "count.sh"));
    assert!(is_only_compared_output("sh count.sh a.txt | diff expected.txt -", "count.sh"));
    assert!(!is_only_compared_output("sh count.sh > log.txt\ndiff -u expected.txt out.txt", "count.sh"));
    assert!(!is_only_compared_output("sh check.sh", "check.sh"));
    assert!(!is_only_compared_output(recipe, "other.sh"));
}
