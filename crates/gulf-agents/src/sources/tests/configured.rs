//! Which fields of which files decide what a runner runs.

use crate::sources::*;

fn check(path: &str, old: &str, new: &str, expected: &[&str]) {
    let changes = runner_configuration(path, Some(old.as_bytes()), Some(new.as_bytes()), &["unit"]);
    let fields: Vec<_> = changes.iter().map(|change| change.field.as_str()).collect();
    assert_eq!(fields, expected, "{changes:#?}");
}

#[test]
fn a_test_script_is_protected_and_a_dependency_is_not() {
    let old = r#"{"scripts":{"test":"npm run inner","inner":"node --test","build":"x"},"dependencies":{}}"#;
    check("package.json", old, &old.replace("{}", r#"{"a":"1"}"#), &[]);
    check("package.json", old, &old.replace("\"x\"", "\"y\""), &[]);
    check("package.json", old, &old.replace("npm run inner", "true"), &["scripts.test"]);
    check("package.json", old, &old.replace("node --test", "true"), &["scripts.inner"]);
    check(
        "package.json",
        old,
        &old.replace("\"build\"", "\"unit\":\"a\",\"pretest\":\"rm a\",\"build\""),
        &["scripts.pretest", "scripts.unit"],
    );
    check(
        "package.json",
        old,
        &old.replace("\"dependencies\"", "\"jest\":{\"bail\":1},\"dependencies\""),
        &["jest.bail"],
    );
    check("package.json", old, "{", &[WHOLE_FILE]);
}

#[test]
fn fields_of_toml_and_ini_are_protected_by_name() {
    let old = "[project]\nname = 'a'\n[tool.pytest.ini_options]\naddopts = '-q'\n";
    check("pyproject.toml", old, &old.replace("'a'", "'b'"), &[]);
    check(
        "pyproject.toml",
        old,
        &old.replace("'-q'", "'-q -k nothing'"),
        &["tool.pytest.ini_options.addopts"],
    );
    check(
        "setup.cfg",
        "[metadata]\nname = a\n",
        "[metadata]\nname = b\n[tool:pytest]\naddopts = -x\n  -q\n",
        &["tool:pytest.addopts"],
    );
    check("pytest.ini", "[pytest]\n", "[pytest]\ntestpaths=none", &["pytest.testpaths"]);
}

#[test]
fn targets_of_cargo_are_protected() {
    let old =
        "[package]\nname = 'a'\n[workspace]\nmembers = ['x', 'y']\n[[test]]\nname = 'it'\n[dependencies]\n";
    check("Cargo.toml", old, &old.replace("[dependencies]", "[dependencies]\nserde = '1'"), &[]);
    check("Cargo.toml", old, &old.replace("'y'", "'y', 'z'"), &[]);
    check("Cargo.toml", old, &old.replace(", 'y'", ""), &["workspace.members"]);
    check("Cargo.toml", old, &old.replace("'it'", "'it'\nharness = false"), &["test.it.harness"]);
    check("Cargo.toml", old, &old.replace("'a'", "'a'\nautotests = false"), &["package.autotests"]);
    check(
        "Cargo.toml",
        old,
        &old.replace("[dependencies]", "[lib]\ntest = false\n[profile.test]\nopt-level = 3"),
        &["lib.test", "profile.test.opt-level"],
    );
}

// proves: B3
#[test]
fn a_package_that_comes_from_somewhere_else_now_is_protected() {
    let package = r#"{"devDependencies":{"chai":"^4.0.0"},"dependencies":{}}"#;
    check("package.json", package, &package.replace("^4.0.0", "^5.0.0"), &[]);
    check("package.json", package, &package.replace("{}", r#"{"own":"file:own"}"#), &[]);
    check("package.json", package, &package.replace("^4.0.0", "file:fake"), &["devDependencies.chai"]);
    let overrides = package.replace("\"dependencies\"", r#""overrides":{"chai":"file:fake"},"dependencies""#);
    check("package.json", package, &overrides, &["overrides.chai"]);
    let cargo = "[package]\nname = 'a'\n[dev-dependencies]\nproptest = '1'\n";
    check("Cargo.toml", cargo, &format!("{cargo}own = {{ path = 'own' }}\n"), &[]);
    check("Cargo.toml", cargo, &cargo.replace("'1'", "'2'"), &[]);
    let path = cargo.replace("'1'", "{ path = 'fake' }");
    check("Cargo.toml", cargo, &path, &["dev-dependencies.proptest.path"]);
    let patch = format!("{cargo}[patch.crates-io]\nproptest = {{ path = 'fake' }}\n");
    check("Cargo.toml", cargo, &patch, &["patch.crates-io.proptest.path"]);
}

#[test]
fn programs_that_configure_count_as_a_whole_also_when_they_come_or_go() {
    for path in [
        "conftest.py", "a/conftest.py", "jest.config.ts", ".mocharc.yml", ".npmrc", ".cargo/config.toml",
        "Makefile", "jest.unit.config.js",
    ] {
        let added = runner_configuration(path, None, Some(b"x"), &[]);
        assert_eq!(added.len(), 1, "{path}");
        assert_eq!((added[0].old.as_deref(), added[0].new.as_deref()), (None, Some("x")));
        assert_eq!(runner_configuration(path, Some(b"x"), None, &[])[0].field, WHOLE_FILE);
        assert!(runner_configuration(path, Some(b"x"), Some(b"x"), &[]).is_empty());
    }
    assert!(runner_configuration("build.rs", None, Some(b"x"), &[]).is_empty());
    let package =
        runner_configuration("package.json", None, Some(br#"{"name":"a","scripts":{"test":"x"}}"#), &[]);
    assert_eq!(package.len(), 1);
    let workspaces = |list: &str| format!("{{\"workspaces\": [{list}]}}");
    for (now, fields) in [("\"a\"", 1), ("\"b\", \"a\", \"c\"", 0)] {
        let (old, new) = (workspaces("\"a\", \"b\""), workspaces(now));
        let changed = runner_configuration("package.json", Some(old.as_bytes()), Some(new.as_bytes()), &[]);
        assert_eq!(changed.len(), fields, "{now}");
    }
}

// proves: L3, L4
#[test]
fn what_a_linter_looks_for_is_known_by_file_and_field() {
    let of = |path: &str, old: Option<&str>, new: Option<&str>| -> Vec<String> {
        let changes = linter_configuration(path, old.map(str::as_bytes), new.map(str::as_bytes));
        changes.into_iter().map(|change| change.field).collect()
    };
    let python = "[project]\nname = 'a'\n[tool.ruff]\nline-length = 80\n";
    assert_eq!(of("pyproject.toml", Some(python), Some(&python.replace("'a'", "'b'"))), [""; 0]);
    assert_eq!(
        of("pyproject.toml", Some(python), Some(&python.replace("80", "999"))),
        ["tool.ruff.line-length"]
    );
    let mypy = python.replace("[tool.ruff]", "[tool.mypy]\nignore_errors = true\n[tool.ruff]");
    assert_eq!(of("pyproject.toml", Some(python), Some(&mypy)), ["tool.mypy.ignore_errors"]);
    for whole in
        ["ruff.toml", "web/eslint.config.mjs", ".eslintrc.json", "tsconfig.json", "clippy.toml", "mypy.ini"]
    {
        assert_eq!(of(whole, None, Some("x")), [WHOLE_FILE], "{whole}");
    }
    let lints = "[package]\nname = 'a'\n[lints.clippy]\nall = 'allow'\n";
    assert_eq!(of("Cargo.toml", Some("[package]\nname = 'a'\n"), Some(lints)), ["lints.clippy.all"]);
    assert_eq!(
        of("setup.cfg", None, Some("[flake8]\nignore = E\n[metadata]\nname = a\n")),
        ["flake8.ignore"]
    );
    let eslint = r#"{"eslintConfig":{"rules":{}},"scripts":{}}"#;
    assert_eq!(of("package.json", Some("{}"), Some(eslint)), ["eslintConfig.rules"]);
    assert!(linter_configuration("src/main.rs", Some(b"a"), Some(b"b")).is_empty());
    assert!(linter_configuration("ruff.py", Some(b"a"), Some(b"b")).is_empty());
}

#[test]
fn where_a_module_of_the_base_comes_from_decides_and_a_new_one_does_not() {
    let old =
        "module a\n\nrequire example.com/same v1.0.0\n\nreplace example.com/same => ./third_party/same\n";
    check("go.mod", old, &old.replace("./third_party", "./internal"), &["replace.example.com/same"]);
    let plain = "module a\n\nrequire (\n\texample.com/same v1.0.0 // indirect\n)\n";
    let replaced = format!("{plain}\nreplace (\n\texample.com/same => ./own\n)\n");
    check("go.mod", plain, &replaced, &["replace.example.com/same"]);
    check("go.mod", plain, &plain.replace("v1.0.0", "v1.1.0"), &[]);
    let further = format!("{plain}require example.com/b v1.0.0\nreplace example.com/b => ./b\n");
    check("go.mod", plain, &further, &[]);
}

#[test]
fn what_cmake_says_of_the_bases_tests_decides_and_a_further_test_does_not() {
    let old = "project(a)\nenable_testing()\nadd_executable(t t.c)\nadd_test(NAME adds COMMAND t)\n";
    check(
        "CMakeLists.txt",
        old,
        &format!("{old}add_test(NAME more COMMAND t --more)\nadd_library(b b.c)\n"),
        &[],
    );
    check("CMakeLists.txt", old, &old.replace("COMMAND t", "COMMAND true"), &["add_test NAME adds"]);
    let fails = format!("{old}set_tests_properties(adds\n  PROPERTIES WILL_FAIL TRUE)\n");
    check("CMakeLists.txt", old, &fails, &["set_tests_properties adds PROPERTIES"]);
    let apart = fails.replace("properties(", "properties (");
    check("CMakeLists.txt", old, &apart, &["set_tests_properties adds PROPERTIES"]);
    let of_test =
        format!("{old}set_property(TEST adds PROPERTY DISABLED ON)\nset_property(TARGET t PROPERTY X)\n");
    check("CMakeLists.txt", old, &of_test, &["set_property TEST adds"]);
}

#[test]
fn what_a_known_task_of_python_runs_decides_and_so_does_where_a_library_of_rust_lies() {
    let tasks = "[tool.poe.tasks]\ntest = \"pytest\"\n";
    check("pyproject.toml", tasks, &tasks.replace("pytest", "true"), &["tool.poe.tasks.test"]);
    check("pyproject.toml", tasks, &format!("{tasks}docs = \"sphinx\"\n"), &[]);
    let package = "[package]\nname = \"a\"\n";
    check("Cargo.toml", package, &format!("{package}[lib]\npath = \"src/b.rs\"\n"), &["lib.path"]);
    check("Cargo.toml", package, &format!("{package}[lib]\nname = \"b\"\n"), &[]);
    check("phpunit.xml", "<phpunit/>", "<phpunit stopOnFailure=\"true\"/>", &[WHOLE_FILE]);
}
