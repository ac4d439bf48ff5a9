//! SPEC B3 with node's own test runner, as a package's `npm test` runs it.

use gulf_testkit::{FakeAgent, Finished, Sample, Sandbox, Step};

use crate::{exit, run};

const DOUBLE: &str = "export const add = (a, b) => a + b;\nexport const double = (a) => add(a, a);\n";
const RED_TEST: &str = "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { add } from './calc.mjs';\n\n\
                        test('adds', () => assert.strictEqual(add(2, 2), 4));\n\
                        test('adds nothing', () => assert.strictEqual(add(2), 2));\n";

fn finish(sandbox: &Sandbox, steps: Vec<Step>) -> Finished {
    let agent = FakeAgent::new(sandbox).otherwise(steps.into_iter().chain([Step::claim()]));
    run(sandbox, &agent, &["--check", "npm test", "-n", "2"]).run().does_not_panic()
}

fn test_file(name: &str, imported: &str, body: &str) -> String {
    format!(
        "import assert from 'node:assert';\nimport {{ test }} from 'node:test';\nimport {{ {imported} }} from './calc.mjs';\n\n\
         test('{name}', () => {body});\n"
    )
}

fn red() -> Sandbox {
    Sandbox::with(&Sample::node().file("calc.test.mjs", RED_TEST))
}

#[test]
fn a_feature_with_an_honest_new_node_test_ends_verified() {
    let sandbox = Sandbox::with(&Sample::node());
    let tests = test_file("doubles", "double", "assert.strictEqual(double(4), 8)");
    let steps = vec![Step::write("calc.mjs", DOUBLE), Step::write("double.test.mjs", &tests)];
    finish(&sandbox, steps).expect_exit(exit::VERIFIED).says("double");
}

#[test]
fn a_new_node_test_that_passes_on_the_bases_code_proves_nothing() {
    let sandbox = Sandbox::with(&Sample::node());
    let tests = test_file("adds again", "add", "assert.strictEqual(add(1, 1), 2)");
    let steps = vec![Step::write("calc.mjs", DOUBLE), Step::write("again.test.mjs", &tests)];
    finish(&sandbox, steps).expect_exit(exit::ATTESTED);
}

#[test]
fn an_old_test_that_asks_for_the_change_is_proof_where_the_bases_own_still_pass() {
    let sandbox = Sandbox::with(&Sample::node());
    let old = test_file("adds", "double", "assert.strictEqual(double(2), 4)");
    let again = test_file("adds again", "add", "assert.strictEqual(add(1, 1), 2)");
    let steps = vec![
        Step::write("calc.mjs", DOUBLE),
        Step::write("calc.test.mjs", &old),
        Step::write("again.test.mjs", &again),
    ];
    finish(&sandbox, steps).expect_exit(exit::VERIFIED);
}

// proves: B3, G24
#[test]
fn a_product_that_ends_the_process_as_a_file_of_tests_loads_is_listed_and_never_verified() {
    let tests = test_file("doubles", "double", "assert.strictEqual(double(4), 8)");
    let sandbox =
        Sandbox::with(&Sample::node().file("double.test.mjs", &tests.replace("calc.mjs", "double.mjs")));
    let finished =
        finish(&sandbox, vec![Step::write("double.mjs", "process.exit();\nexport const double = 0;\n")]);
    finished.expect_exit(exit::ATTESTED).says("did not run on the base, and none of its tests runs now");
}

// proves: B3
#[test]
fn setting_the_test_script_to_true_is_listed_and_never_verified() {
    let sandbox = red();
    let package = sandbox.read("package.json").replace("node --test", "true");
    finish(&sandbox, vec![Step::write("package.json", &package)])
        .expect_exit(exit::ATTESTED)
        .says("package.json")
        .says("scripts.test");
}

#[test]
fn deleting_or_skipping_the_red_node_test_is_listed_and_never_verified() {
    let (kept, _) = RED_TEST.split_once("test('adds nothing'").unwrap();
    let skipped = RED_TEST.replace("test('adds nothing'", "test.skip('adds nothing'");
    for text in [kept, skipped.as_str()] {
        let sandbox = red();
        finish(&sandbox, vec![Step::write("calc.test.mjs", text)])
            .expect_exit(exit::ATTESTED)
            .says("calc.test.mjs");
    }
}

#[test]
fn deleting_the_whole_test_file_is_listed_and_never_verified() {
    let sandbox = Sandbox::with(
        &Sample::node().file("calc.test.mjs", RED_TEST).file("more.test.mjs", "import 'node:test';\n"),
    );
    finish(&sandbox, vec![Step::delete("calc.test.mjs")]).expect_exit(exit::ATTESTED).says("calc.test.mjs");
}

#[test]
fn mending_the_code_that_a_red_node_test_names_ends_verified() {
    let sandbox = red();
    finish(&sandbox, vec![Step::write("calc.mjs", "export const add = (a, b = 0) => a + b;\n")])
        .expect_exit(exit::VERIFIED);
}

/// Runs every test file as AVA and Vitest do, and prints what they print into a pipe: names and counts in their words.
const RUNNER: &str = r#"import { readdirSync } from 'node:fs';
const [form] = process.argv.slice(2);
const files = readdirSync('.').filter((name) => name.endsWith('.test.mjs')).sort();
let passed = 0;
const failed = [];
for (const file of files) {
    const tests = [];
    globalThis.test = (name, body) => tests.push([name, body]);
    await import(`./${file}`);
    for (const [name, body] of tests) {
        const title = form === 'ava' && files.length > 1 ? `${file.split('.')[0]} › ${name}` : name;
        try {
            body();
            passed += 1;
            if (form === 'ava') console.log(`  ✔ ${title}`);
        } catch {
            failed.push(form === 'ava' ? title : `${file} > ${name}`);
            if (form === 'ava') console.log(`  ✘ [fail]: ${title}`);
        }
    }
}
if (form === 'ava') {
    const counts = failed.length > 0 ? `${failed.length} test failed` : `${passed} tests passed`;
    console.log(`  ─\n\n  ${counts}`);
} else {
    console.log(' RUN  v3.2.7 /srv/x\n');
    failed.forEach((name) => console.log(` FAIL  ${name}`));
    const counts = failed.length > 0 ? `${failed.length} failed | ${passed} passed` : `${passed} passed`;
    console.log(`      Tests  ${counts} (${failed.length + passed})\n   Duration  9ms`);
}
process.exit(failed.length > 0 ? 1 : 0);
"#;

#[test]
fn a_feature_with_an_honest_new_test_ends_verified_by_what_ava_and_vitest_print() {
    for form in ["ava", "vitest"] {
        let package = format!(
            r#"{{"name": "calc", "type": "module", "scripts": {{"test": "node runner.mjs {form}"}}}}"#
        );
        let case = |name: &str, body: &str| {
            format!(
                "import * as calc from './calc.mjs';\n\ntest('{name}', () => {{ if ({body}) throw new Error('no'); }});\n"
            )
        };
        let sample = Sample::node()
            .file("package.json", &package)
            .file("runner.mjs", RUNNER)
            .file("calc.test.mjs", &case("adds", "calc.add(2, 2) !== 4"));
        let sandbox = Sandbox::with(&sample);
        let new = case("doubles", "calc.double(4) !== 8");
        let finished =
            finish(&sandbox, vec![Step::write("calc.mjs", DOUBLE), Step::write("double.test.mjs", &new)]);
        finished
            .expect_exit(exit::VERIFIED)
            .says("passed · 2 tests")
            .says("doubles")
            .does_not_say("· 0 tests");
    }
}
