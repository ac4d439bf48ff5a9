//! Every rule is seen to fail on a small tree, and to keep silent about the same tree done right.

use super::tree::Tree;
use super::violations;

const MANIFEST: &str = "[lints]\nworkspace = true\n\n[dependencies]\n";

/// Asserts the violations of a tree, each as `path:line: rule`.
#[track_caller]
fn check(texts: &[(&str, &str)], wanted: &[&str]) {
    let found = violations(&Tree::of_texts(texts));
    let places: Vec<String> =
        found.iter().map(|found| format!("{}:{}: {}", found.path, found.line, found.rule.name())).collect();
    assert_eq!(places, wanted, "{found:#?}");
}

fn manifest(dependencies: &str) -> String {
    format!("{MANIFEST}{dependencies}")
}

fn function(lines: usize) -> String {
    format!("fn long() {{\n{}}}\n", "    work();\n".repeat(lines - 2))
}

#[test]
fn an_allowed_edge_is_silent() {
    check(&[("crates/gulf-spec/Cargo.toml", &manifest("gulf-engine.workspace = true\n"))], &[]);
}

#[test]
fn an_edge_outside_the_table_is_named_with_its_line() {
    let text = manifest("serde.workspace = true\ngulf-host.workspace = true\n");
    check(&[("crates/gulf-spec/Cargo.toml", &text)], &["crates/gulf-spec/Cargo.toml:6: edge"]);
}

#[test]
fn a_platforms_and_a_build_scripts_edges_count_too() {
    let text = manifest(
        "[target.'cfg(unix)'.dependencies]\ngulf-host.workspace = true\n[build-dependencies]\ngulf-runner.workspace = true\n",
    );
    let wanted = ["crates/gulf-views/Cargo.toml:6: edge", "crates/gulf-views/Cargo.toml:8: edge"];
    check(&[("crates/gulf-views/Cargo.toml", &text)], &wanted);
}

#[test]
fn a_renamed_crate_is_still_the_crate() {
    let text = manifest("innocent = { workspace = true, package = \"gulf-host\" }\n");
    check(&[("crates/gulf-views/Cargo.toml", &text)], &["crates/gulf-views/Cargo.toml:5: edge"]);
}

#[test]
fn the_testkit_is_for_tests_only() {
    let product = manifest("gulf-testkit.workspace = true\n");
    let tests = manifest("[dev-dependencies]\ngulf-testkit.workspace = true\n");
    check(&[("crates/gulf/Cargo.toml", &product)], &["crates/gulf/Cargo.toml:5: edge"]);
    check(&[("crates/gulf/Cargo.toml", &tests), ("e2e/Cargo.toml", &product)], &[]);
}

#[test]
fn a_test_dependency_on_another_crate_is_an_edge_as_well() {
    let text = manifest("[dev-dependencies]\ngulf-runner.workspace = true\n");
    check(&[("crates/gulf-engine/Cargo.toml", &text)], &["crates/gulf-engine/Cargo.toml:6: edge"]);
}

#[test]
fn a_crate_outside_the_table_is_refused() {
    check(&[("crates/gulf-new/Cargo.toml", MANIFEST)], &["crates/gulf-new/Cargo.toml:1: edge"]);
}

#[test]
fn a_version_of_its_own_and_missing_lints_are_refused() {
    let wanted = ["e2e/Cargo.toml:1: shared-manifest", "e2e/Cargo.toml:2: shared-manifest"];
    check(&[("e2e/Cargo.toml", "[dependencies]\nserde = \"1\"\n")], &wanted);
}

#[test]
fn a_broken_manifest_is_named() {
    check(&[("e2e/Cargo.toml", "[dependencies\n")], &["e2e/Cargo.toml:1: syntax"]);
}

#[test]
fn a_dependency_must_say_what_it_saves() {
    let text = "[workspace.dependencies]\ngulf-host = { path = \"h\" }\nserde = \"1\" # codecs\ntoml = \"1\"\n\n[profile.dev]\ndebug = 1\n";
    check(&[("Cargo.toml", text)], &["Cargo.toml:4: dependency-reason"]);
}

#[test]
fn the_lock_file_has_a_budget() {
    check(&[("Cargo.lock", &"[[package]]\n".repeat(400))], &[]);
    check(&[("Cargo.lock", &"[[package]]\n".repeat(401))], &["Cargo.lock:1: lock-size"]);
}

#[test]
fn a_function_of_70_lines_passes_and_one_of_71_does_not() {
    check(&[("a.rs", &format!("//! Doc.\n{}", function(70)))], &[]);
    check(&[("a.rs", &format!("//! Doc.\n{}", function(71)))], &["a.rs:2: function-length"]);
}

#[test]
fn methods_and_default_methods_are_functions() {
    let method = format!("//! Doc.\nimpl A {{\n{}}}\n", function(71));
    let default = format!("//! Doc.\ntrait A {{\n{}}}\n", function(71));
    check(&[("a.rs", &method), ("b.rs", &default)], &["a.rs:3: function-length", "b.rs:3: function-length"]);
}

#[test]
fn a_file_of_500_lines_passes_and_one_of_501_does_not() {
    check(&[("a.rs", &format!("//! Doc.\n{}", "use a;\n".repeat(499)))], &[]);
    check(&[("a.rs", &format!("//! Doc.\n{}", "use a;\n".repeat(500)))], &["a.rs:1: file-length"]);
}

#[test]
fn tests_do_not_count_as_length() {
    let inline =
        format!("//! Doc.\n{}#[cfg(test)]\nmod tests {{\n{}}}\n", "use a;\n".repeat(490), function(80));
    let long = format!("//! Doc.\n{}", function(600));
    check(
        &[("a.rs", &inline), ("src/a/tests.rs", &long), ("src/tests/b.rs", &long), ("e2e/src/c.rs", &long)],
        &[],
    );
}

#[test]
fn what_a_product_may_contain_is_not_a_test() {
    let text = format!("//! Doc.\n#[cfg(any(test, unix))]\nmod a {{\n{}}}\n", function(71));
    check(&[("a.rs", &text)], &["a.rs:4: function-length"]);
}

#[test]
fn an_exception_beyond_the_ratchet_is_refused_though_it_fits() {
    let text = format!("//! Doc.\n{}", function(80));
    let texts = [("a.rs", text.as_str()), ("xtask/tidy-exceptions.txt", "a.rs::long 80 # a table\n")];
    check(&texts, &["xtask/tidy-exceptions.txt:1: exception"]);
}

#[test]
fn an_exception_that_is_too_wide_unneeded_or_without_reason_is_refused() {
    let text = format!("//! Doc.\n{}", function(80));
    let list = "a.rs::long 90 # a table\nb.rs 600 # gone\na.rs::long 80\n";
    let line = |number| format!("xtask/tidy-exceptions.txt:{number}: exception");
    let wanted = [line(1), line(1), line(2), line(3)];
    let texts = [("a.rs", text.as_str()), ("xtask/tidy-exceptions.txt", list)];
    check(&texts, &wanted.each_ref().map(String::as_str));
}

#[test]
fn an_exception_that_is_too_narrow_allows_nothing() {
    let text = format!("//! Doc.\n{}", function(80));
    let texts = [("a.rs", text.as_str()), ("xtask/tidy-exceptions.txt", "a.rs::long 79 # a table\n")];
    check(&texts, &["a.rs:2: function-length", "xtask/tidy-exceptions.txt:1: exception"]);
}

#[test]
fn what_decides_has_no_std() {
    for machine in ["engine", "queue"] {
        let path = format!("crates/gulf-{machine}/src/lib.rs");
        check(&[(&path, "//! Doc.\n")], &[&format!("{path}:1: engine-no-std")]);
    }
}

#[test]
fn the_map_stays_a_map() {
    check(&[("ARCHITECTURE.md", &"line\n".repeat(200))], &[]);
    check(&[("ARCHITECTURE.md", &"line\n".repeat(201))], &["ARCHITECTURE.md:1: map-length"]);
}

#[test]
fn a_heavy_file_does_not_enter_git() {
    check(&[("logo.svg", &"x".repeat(500_000))], &[]);
    check(&[("logo.svg", &"x".repeat(500_001))], &["logo.svg:1: file-weight"]);
}

#[test]
fn a_file_opens_with_a_sentence() {
    check(&[("a.rs", "use a;\n")], &["a.rs:1: module-doc"]);
    check(&[("a.rs", "//!\n")], &["a.rs:1: module-doc"]);
}

#[test]
fn a_file_that_does_not_parse_is_named_with_its_line() {
    check(&[("a.rs", "//! Doc.\n\nfn fn\n")], &["a.rs:3: syntax"]);
    check(&[("a.rs", "//! Doc.\nfn a( {\n")], &["a.rs:1: syntax"]);
}

#[test]
fn an_ignored_test_is_found_in_every_spelling() {
    let text = "//! Doc.\n#[test]\n#[ignore]\nfn a() {}\n#[ignore = \"slow\"]\nfn b() {}\n#[cfg_attr(unix, ignore)]\nfn c() {}\n";
    check(&[("a.rs", text)], &["a.rs:3: ignored-test", "a.rs:5: ignored-test", "a.rs:7: ignored-test"]);
}

#[test]
fn a_sleep_is_found_also_in_tests_and_inside_macros() {
    let text = "//! Doc.\nfn a() {\n    std::thread::sleep(pause);\n    assert!(sleep(pause));\n}\n";
    check(&[("src/tests.rs", text)], &["src/tests.rs:3: sleep", "src/tests.rs:4: sleep"]);
}

#[test]
fn a_sleep_in_a_string_or_a_comment_is_text() {
    check(&[("a.rs", "//! Doc.\nconst A: &str = \"sleep(1)\"; // sleep(1)\nfn sleep(a: A) {}\n")], &[]);
}

#[test]
fn scaffolding_is_found_also_for_other_platforms() {
    let text =
        "//! Doc.\n#[cfg(windows)]\nfn a() {\n    todo!();\n    vec![dbg!(1)];\n    unimplemented!()\n}\n";
    check(&[("a.rs", text)], &["a.rs:4: leftover", "a.rs:5: leftover", "a.rs:6: leftover"]);
}

#[test]
fn an_unfinished_note_is_found_in_comments_only() {
    let mark = concat!("TO", "DO");
    let code = format!("//! Doc.\nconst A: &str = \"{mark}\";\nuse a; // {mark}: later\n");
    let script = format!("# {mark} later\nmktemp {}\n", "X".repeat(6));
    check(&[("a.rs", &code), ("a.sh", &script)], &["a.rs:3: unfinished", "a.sh:1: unfinished"]);
}

#[test]
fn a_note_with_a_name_or_after_other_words_is_unfinished_too() {
    let mark = concat!("FIX", "ME");
    let code = format!("//! Doc.\n/// {mark}\nuse a; // later {mark}(me)\n// so {mark}: now\n");
    check(&[("a.rs", &code)], &["a.rs:2: unfinished", "a.rs:3: unfinished", "a.rs:4: unfinished"]);
}

#[test]
fn a_comment_may_speak_of_a_formats_words() {
    let mark = concat!("TO", "DO");
    check(
        &[("a.rs", &format!("//! Doc.\n/// In TAP a test marked `# {mark}` or {mark} may fail.\nuse a;\n"))],
        &[],
    );
}

#[test]
fn data_of_tests_need_not_follow_our_style() {
    check(
        &[
            ("e2e/fixtures/a.rs", "fn a() { todo!() }\n"),
            ("crates/gulf/samples/one/Cargo.toml", "[package]\n"),
        ],
        &[],
    );
}

#[test]
fn a_text_of_the_screens_without_korean_and_korean_without_a_text_are_named() {
    const TABLE: &str = "crates/gulf-views/src/korean.toml";
    const SCREEN: &str = "crates/gulf-views/src/advice.rs";
    const ELSEWHERE: &str = "xtask/src/tidy/korean/elsewhere.txt";
    let says =
        |text: &str| format!("//! What it says.\n#[doc = \"a text too\"]\nconst A: &str = \"{text}\";\n");
    let table = "\"the loop {} runs\" = \"{0} 루프\"\n\"{} tests\" = \"테스트 {0}개\"\n";
    let tests = ("crates/gulf-views/src/cost.rs", "//! Nouns.\nconst A: &str = \"tests\";\n");
    check(&[(SCREEN, &says(": the loop {} runs · `gulf log` ")), (TABLE, table), tests], &[]);
    check(
        &[(SCREEN, &says("the loop {} ran")), (TABLE, table), tests],
        &["crates/gulf-views/src/advice.rs:3: korean", "crates/gulf-views/src/korean.toml:1: korean"],
    );
    let known = (ELSEWHERE, "the loop {} ran\nnobody says that\n");
    check(&[(SCREEN, &says("the loop {} ran")), (TABLE, ""), known], &[&format!("{ELSEWHERE}:1: korean")]);
}
