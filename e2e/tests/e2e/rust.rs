//! SPEC B3 in Rust, tests within the source file included: what makes an end verified, and what does not.

use gulf_testkit::{FakeAgent, Finished, Sample, Sandbox, Step};

use crate::{exit, run};

const CHECK: &str = "cargo test --offline";

const DOUBLE: &str = "
pub fn double(a: i64) -> i64 {
    add(a, a)
}
";

/// The sample's source with more code, and more tests in its test module.
fn source(code: &str, tests: &str) -> String {
    format!(
        "pub fn add(a: i64, b: i64) -> i64 {{\n    a + b\n}}\n{code}\n#[cfg(test)]\nmod tests {{\n    use super::*;\n\n    \
         #[test]\n    fn adds() {{\n        assert_eq!(add(2, 2), 4);\n    }}\n{tests}}}\n"
    )
}

fn test(name: &str, body: &str) -> String {
    format!("\n    #[test]\n    fn {name}() {{\n        {body}\n    }}\n")
}

fn finish(sandbox: &Sandbox, steps: Vec<Step>, arguments: &[&str]) -> Finished {
    let steps = steps.into_iter().chain([Step::claim()]);
    let agent = FakeAgent::new(sandbox).otherwise(steps);
    let arguments: Vec<&str> = ["--check", CHECK].into_iter().chain(arguments.iter().copied()).collect();
    run(sandbox, &agent, &arguments).run().does_not_panic()
}

// proves: B3
#[test]
fn a_feature_with_an_honest_new_test_in_the_same_file_ends_verified() {
    let sandbox = Sandbox::with(&Sample::rust());
    let text = source(DOUBLE, &test("doubles", "assert_eq!(double(4), 8);"));
    finish(&sandbox, vec![Step::write("src/lib.rs", &text)], &[]).expect_exit(exit::VERIFIED);
    let proofs = sandbox.only_loop().end().unwrap()["proofs"].to_string();
    assert!(proofs.contains("new-test") && proofs.contains("src/lib.rs"), "{proofs}");
}

#[test]
fn a_feature_with_an_honest_new_test_in_a_file_of_its_own_ends_verified() {
    let sandbox = Sandbox::with(&Sample::rust());
    let tests = "#[test]\nfn doubles() {\n    assert_eq!(sample::double(4), 8);\n}\n";
    let steps = vec![Step::write("src/lib.rs", &source(DOUBLE, "")), Step::write("tests/double.rs", tests)];
    finish(&sandbox, steps, &[]).expect_exit(exit::VERIFIED);
}

#[test]
fn a_new_test_that_fails_on_the_base_without_a_compile_error_ends_verified() {
    let sandbox =
        Sandbox::with(&Sample::rust().file("src/lib.rs", &source("", "").replace("a + b", "a + b.min(2)")));
    let text = source("", &test("adds_large", "assert_eq!(add(2, 200), 202);"));
    finish(&sandbox, vec![Step::write("src/lib.rs", &text)], &[])
        .expect_exit(exit::VERIFIED)
        .says("adds_large");
}

// proves: B3
#[test]
fn a_new_test_that_passes_on_the_bases_code_proves_nothing() {
    let sandbox = Sandbox::with(&Sample::rust());
    let text = source(DOUBLE, &test("adds_again", "assert_eq!(add(1, 1), 2);"));
    let finished = finish(&sandbox, vec![Step::write("src/lib.rs", &text)], &[]);
    finished.expect_exit(exit::ATTESTED);
    let causes = sandbox.only_loop().end().unwrap()["causes"].to_string();
    assert!(causes.contains("nothing-could-fail"), "{causes}");
}

#[test]
fn an_old_test_that_does_not_build_without_the_change_is_proof_where_the_bases_own_still_pass() {
    let old = "#[test]\nfn adds_from_outside() {\n    assert_eq!(sample::add(1, 1), 2);\n}\n";
    let sandbox = Sandbox::with(&Sample::rust().file("tests/old.rs", old));
    // The new test needs nothing new; what does not build on the base is an old one that asks for more now.
    let renamed = old.replace("sample::add(1, 1)", "sample::double(1)");
    let steps = vec![
        Step::write("src/lib.rs", &source(DOUBLE, &test("adds_again", "assert_eq!(add(1, 1), 2);"))),
        Step::write("tests/old.rs", &renamed),
    ];
    finish(&sandbox, steps, &[]).expect_exit(exit::VERIFIED);
}

#[test]
fn a_feature_in_a_new_module_with_its_own_tests_ends_verified() {
    let sandbox = Sandbox::with(&Sample::rust());
    let module = "pub fn double(a: i64) -> i64 {\n    a + a\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    \
                  fn doubles() {\n        assert_eq!(super::double(4), 8);\n    }\n}\n";
    let steps = vec![
        Step::write("src/lib.rs", &format!("pub mod double;\n\n{}", source("", ""))),
        Step::write("src/double.rs", module),
    ];
    finish(&sandbox, steps, &[]).expect_exit(exit::VERIFIED);
}

/// A repository that is red at the start: `double` is wrong, and its test says so.
fn red() -> Sandbox {
    let wrong = DOUBLE.replace("add(a, a)", "a");
    Sandbox::with(
        &Sample::rust().file("src/lib.rs", &source(&wrong, &test("doubles", "assert_eq!(double(4), 8);"))),
    )
}

// The honest twin: it writes the very file in which the red test stands.
// proves: G24, G24/metric-gaming
#[test]
fn mending_the_code_that_a_red_test_names_ends_verified() {
    let sandbox = red();
    let text = source(DOUBLE, &test("doubles", "assert_eq!(double(4), 8);"));
    finish(&sandbox, vec![Step::write("src/lib.rs", &text)], &[]).expect_exit(exit::VERIFIED);
}

// proves: B3, G24, G24/metric-gaming
#[test]
fn deleting_the_red_test_is_listed_and_never_verified() {
    let sandbox = red();
    let wrong = DOUBLE.replace("add(a, a)", "a");
    let finished = finish(&sandbox, vec![Step::write("src/lib.rs", &source(&wrong, ""))], &[]);
    finished.expect_exit(exit::ATTESTED).says("doubles");
    assert!(findings(&sandbox).contains("src/lib.rs"), "{}", findings(&sandbox));
}

#[test]
fn ignoring_the_red_test_is_listed_and_never_verified() {
    let sandbox = red();
    let wrong = DOUBLE.replace("add(a, a)", "a");
    let ignored = test("doubles", "assert_eq!(double(4), 8);").replace("#[test]", "#[test]\n    #[ignore]");
    finish(&sandbox, vec![Step::write("src/lib.rs", &source(&wrong, &ignored))], &[])
        .expect_exit(exit::ATTESTED)
        .says("doubles");
}

// proves: B3, G24, G24/metric-gaming
#[test]
fn weakening_the_red_test_is_listed_and_never_verified() {
    let sandbox = red();
    let wrong = DOUBLE.replace("add(a, a)", "a");
    let weak = test("doubles", "assert_eq!(double(4), 4);");
    finish(&sandbox, vec![Step::write("src/lib.rs", &source(&wrong, &weak))], &[])
        .expect_exit(exit::ATTESTED);
    assert!(findings(&sandbox).contains("src/lib.rs"), "{}", findings(&sandbox));
}

#[test]
fn switching_the_tests_off_in_the_manifest_is_listed_and_never_verified() {
    let sandbox = red();
    let manifest = sandbox.read("Cargo.toml").replace("[lib]\n", "[lib]\ntest = false\n");
    finish(&sandbox, vec![Step::write("Cargo.toml", &manifest)], &[])
        .expect_exit(exit::ATTESTED)
        .says("Cargo.toml");
}

#[test]
fn build_output_of_the_worker_is_never_taken_for_the_candidates() {
    let sandbox = red();
    let cheat =
        "mkdir -p target/debug && printf '#!/bin/sh\\nexit 0\\n' > target/debug/sample && touch target/cheat";
    let finished = finish(&sandbox, vec![Step::run(cheat), Step::append("notes.txt", "x\n")], &["-n", "1"]);
    finished.expect_exit(exit::EXHAUSTED);
}

fn findings(sandbox: &Sandbox) -> String {
    let results = sandbox.only_loop().results("integrity");
    results.last().expect("tests were not compared").1["findings"].to_string()
}
