//! Selections runner by runner, and what must never be one.

use super::{TestSelection, select};

fn check(command: &str, behind: &[&str], names: &[&str]) -> Option<TestSelection> {
    let behind: Vec<String> = behind.iter().map(|text| (*text).to_owned()).collect();
    let names: Vec<String> = names.iter().map(|text| (*text).to_owned()).collect();
    select(command, &behind, &names)
}

fn command(command: &str, names: &[&str]) -> Option<String> {
    let selection = check(command, &[], names)?;
    assert!(selection.environment.is_empty(), "{selection:?}");
    Some(selection.command)
}

#[test]
fn each_runner_is_asked_in_its_own_words() {
    for (own, names, wanted) in [
        ("cargo test", &["tests::adds"][..], "cargo test -- tests::adds"),
        ("cargo +nightly test --workspace", &["a", "b::c"], "cargo +nightly test --workspace -- a b::c"),
        ("cargo test -- --nocapture", &["sample > tests::adds"], "cargo test -- --nocapture tests::adds"),
        ("cargo nextest run", &["tests::adds"], "cargo nextest run -- tests::adds"),
        (
            "go test -json ./...",
            &["TestA", "a/b::TestB/case_1"],
            "go test -run '^(TestA|TestB)$' -json ./...",
        ),
        ("python3 -m unittest", &["TestA::test_b"], "python3 -m unittest -k test_b"),
        ("python3 -B -W error -m unittest -v", &["t"], "python3 -B -W error -m unittest -v -k t"),
        ("node --test test/", &["group > it's (1)"], "node --test --test-name-pattern='it.s .1.' test/"),
        ("npx jest --ci", &["a > b.c", "d"], "npx jest --ci -t 'b.c|d'"),
        ("pnpm exec vitest run", &["세 번째 것"], "pnpm exec vitest run -t '세 번째 것'"),
        ("./node_modules/.bin/mocha", &["x"], "./node_modules/.bin/mocha -g 'x'"),
        ("npx vitest run", &["a.ts > reads %s as $name"], "npx vitest run -t 'reads .* as .*'"),
        ("npx ava", &["row ${n}"], "npx ava --match='*row **'"),
        (
            "./mvnw -B verify",
            &["calc.CalcTest > adds", "CalcTest::subtracts", "a.BTest > each(int)[1]"],
            "./mvnw -B verify '-Dtest=*#adds+subtracts+each' -DfailIfNoTests=false \
             -Dsurefire.failIfNoSpecifiedTests=false",
        ),
        (
            "./gradlew --offline clean build -q",
            &["calc.CalcTest > adds()", "BTest::each(int)[1]"],
            "./gradlew --offline clean test --tests '*.adds*' --tests '*.each*' -q",
        ),
        ("npx ava --tap", &["it's one"], r"npx ava --tap --match='*it'\''s one*'"),
    ] {
        assert_eq!(command(own, names).as_deref(), Some(wanted));
    }
}

#[test]
fn rspec_is_asked_by_its_variable_wherever_it_is_called() {
    for (own, behind) in [
        ("bundle exec rspec spec/unit", &[][..]),
        ("bin/rspec", &[]),
        ("make test", &["bundle exec rake spec"]),
        ("bundle exec rake", &[]),
    ] {
        let selection = check(own, behind, &["Calc > #adds > it's two", "Calc.new is empty"]).unwrap();
        let words = "--example-matches 'Calc ?.adds ?it.s two|Calc.new is empty'".to_owned();
        assert_eq!((selection.command.as_str(), selection.environment), (own, vec![("SPEC_OPTS", words)]));
    }
}

#[test]
fn pytest_is_asked_by_its_variable_wherever_it_is_called() {
    let words = |name: &str| vec![("PYTEST_ADDOPTS", format!("-k '{name}'"))];
    for (own, behind) in [
        ("python3 -m pytest -q", &[][..]),
        ("uv run pytest tests/unit", &[]),
        ("make check && true", &["pytest -q"]),
        ("./ci/all.sh", &["sh ./ci/all.sh", "python -m pytest"]),
    ] {
        let selection = check(own, behind, &["tests/test_a.py::TestB::test_c[1]"]).unwrap();
        assert_eq!((selection.command.as_str(), selection.environment), (own, words("test_c")));
    }
    let file = check("pytest", &[], &["tests/test_a.py", "test_b"]).unwrap();
    assert_eq!(file.environment, words("test_a or test_b"));
}

#[test]
fn a_packages_script_hears_what_is_said_after_its_name() {
    let npm = |script: &str| check("npm test", &[script], &["a > b"]).map(|selection| selection.command);
    assert_eq!(npm("jest --ci").as_deref(), Some("npm test -- -t 'b'"));
    assert_eq!(npm("node --test").as_deref(), Some("npm test -- --test-name-pattern='b'"));
    let in_place = |words: &str| Some(format!("export PATH=\"$PWD/node_modules/.bin:$PATH\" && {words}"));
    assert_eq!(npm("node --test test/"), in_place("node --test --test-name-pattern='b' test/"));
    assert_eq!(npm("tsc && jest"), in_place("tsc && jest -t 'b'"));
    assert_eq!(npm("xo && ava && tsd"), in_place("ava --match='*b*'"));
    assert_eq!(npm("jest -t fast"), None);
    let yarn = check("yarn test", &["vitest run"], &["b"]).unwrap();
    assert_eq!(yarn.command, "yarn test -t 'b'");
    let before_and_after = check("npm test", &["eslint .", "jest", "echo"], &["b"]).unwrap();
    assert_eq!(Some(before_and_after.command), in_place("jest -t 'b'"));
    let deep = check("npm test", &["npm run lint && npm run unit", "eslint .", "nyc mocha"], &["b"]).unwrap();
    assert_eq!(Some(deep.command), in_place("nyc mocha -g 'b'"));
    assert_eq!(check("npm test", &["jest && mocha"], &["b"]), None, "nobody knows whose test it is");
}

#[test]
fn in_a_chain_the_runner_alone_is_asked_with_what_it_may_need_before_it() {
    for (own, wanted) in [
        ("xo && ava", "ava --match='*a*'"),
        ("node -e 0 && npx vitest run", "node -e 0 && npx vitest run -t 'a'"),
        ("cd sub && npx jest --ci && npx tsd", "cd sub && npx jest --ci -t 'a'"),
        ("cargo test && cargo fmt", "cargo test -- a"),
        ("npm run lint && cargo clippy -- -D warnings && cargo test", "cargo test -- a"),
        ("node node_modules/jest/bin/jest.js --ci", "node node_modules/jest/bin/jest.js --ci -t 'a'"),
        (
            "node --no-warnings -r ./setup.js --test x.js",
            "node --no-warnings -r ./setup.js --test --test-name-pattern='a' x.js",
        ),
        ("node --test *.test.js", "node --test --test-name-pattern='a' *.test.js"),
        ("c8 --reporter=text tap", "c8 --reporter=text tap -g 'a'"),
        ("cross-env CI=1 nyc --silent mocha test", "cross-env CI=1 nyc --silent mocha test -g 'a'"),
    ] {
        assert_eq!(command(own, &["a"]).as_deref(), Some(wanted));
    }
}

#[test]
fn go_behind_a_makefile_is_asked_by_its_variable() {
    let selection = check("make test", &["go test ./..."], &["TestA"]).unwrap();
    assert_eq!(selection.environment, [("GOFLAGS", "-run=^(TestA)$".to_owned())]);
    assert_eq!(selection.command, "make test");
}

#[test]
fn what_is_no_plain_call_of_a_known_runner_is_run_whole() {
    for own in [
        "./check.sh", "cargo clippy", "cargo test; cargo fmt", "go vet ./...", "node check.js", "true",
        "echo 'a && jest'",
    ] {
        assert_eq!(check(own, &[], &["a"]), None, "{own}");
    }
}

#[test]
fn a_check_that_selects_by_itself_is_left_alone() {
    for own in [
        "go test -run=TestA ./...", "npx jest -t fast", "python3 -m unittest -k fast",
        "node --test --test-only",
    ] {
        assert_eq!(check(own, &[], &["a"]), None, "{own}");
    }
}

#[test]
fn a_workers_name_for_a_test_cannot_become_a_word_of_the_shell() {
    for own in ["cargo test", "go test ./...", "pytest", "python3 -m unittest"] {
        assert_eq!(check(own, &[], &["a; touch /tmp/x"]), None, "{own}");
        assert_eq!(check(own, &[], &["$(x)"]), None, "{own}");
    }
    assert_eq!(command("npx jest", &["a'; touch x; '"]).as_deref(), Some("npx jest -t 'a.. touch x. .'"));
    assert_eq!(command("npx ava", &["a'b"]).as_deref(), Some(r"npx ava --match='*a'\''b*'"));
    assert_eq!(check("pytest", &[], &["not"]), None);
}

#[test]
fn many_names_are_no_selection() {
    let names: Vec<String> = (0..65).map(|number| format!("test_{number}")).collect();
    assert_eq!(select("pytest", &[], &names), None);
    assert_eq!(select("pytest", &[], &[]), None);
}
