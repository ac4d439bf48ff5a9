//! Completions and the pages of the reference.

use gulf_testkit::{FakeAgent, Sample, Sandbox, repository_root};

use crate::gulf;

#[test]
fn every_shell_gets_a_script_that_names_the_commands() {
    let sandbox = Sandbox::without_git();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        gulf(&sandbox, ["completions", shell]).run().expect_exit(0).says("doctor");
    }
    gulf(&sandbox, ["completions", "bsh"]).run().expect_exit(2).says("bash");
}

#[test]
fn the_script_of_bash_is_understood_by_bash() {
    let sandbox = Sandbox::without_git();
    let script = gulf(&sandbox, ["completions", "bash"]).run().expect_exit(0).stdout;
    let asked = format!(
        "{script}\nCOMP_WORDS=(gulf doc); COMP_CWORD=1; _gulf gulf doc gulf; echo \"${{COMPREPLY[@]}}\""
    );
    sandbox.program("bash", ["-c", &asked]).run().expect_exit(0).says("doctor");
}

#[test]
fn each_page_is_the_same_on_every_machine() {
    let sandbox = Sandbox::without_git();
    for page in ["cli", "config", "glossary"] {
        let plain = gulf(&sandbox, ["__reference", page]).run().expect_exit(0).stdout;
        let elsewhere = gulf(&sandbox, ["__reference", page])
            .variable("COLUMNS", "40")
            .variable("CLICOLOR_FORCE", "1")
            .variable("GULF_RESEARCH", "gate")
            .run()
            .expect_exit(0);
        assert!(plain.starts_with("# ") && plain.ends_with('\n'), "{plain}");
        assert_eq!(plain, elsewhere.stdout, "{page}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let sandbox = Sandbox::without_git();
    let gulf = gulf_testkit::quote(env!("CARGO_BIN_EXE_gulf"));
    for command in [
        "doctor", "config explain", "completions zsh", "__reference cli", "status", "list", "demo --json",
        "demo",
    ] {
        let piped = format!("set -o pipefail; {gulf} {command} | true");
        sandbox.program("bash", ["-c", &piped]).run().expect_exit(0).does_not_panic();
    }
}

#[test]
fn the_shell_completes_a_loop_by_its_handle() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox);
    gulf(&sandbox, ["run", "x", "--agent", &agent.flag(), "--check", "true", "-n", "1"]).run();
    let listed = gulf(&sandbox, ["list", "--json"]).run().expect_exit(0).json_lines().remove(0);
    let handle = listed["loops"][0]["handle"].as_str().unwrap();
    let script = gulf(&sandbox, ["completions", "bash"]).run().expect_exit(0).stdout;
    let own = gulf_testkit::quote(env!("CARGO_BIN_EXE_gulf"));
    for (line, at) in [(format!("gulf status {}", &handle[..2]), 2), ("gulf steer --loop ''".to_owned(), 3)] {
        let asked = format!(
            "gulf() {{ {own} \"$@\"; }}\n{script}\nCOMP_WORDS=({line}); COMP_CWORD={at}; _gulf_with_loops gulf; \
             echo \"${{COMPREPLY[@]}}\""
        );
        sandbox.program("bash", ["-c", &asked]).run().expect_exit(0).says(handle);
    }
    for shell in ["zsh", "fish"] {
        gulf(&sandbox, ["completions", shell]).run().expect_exit(0).says("gulf __loops");
    }
}

#[test]
fn help_of_a_term_prints_what_the_glossary_of_the_guide_says_of_it() {
    let sandbox = Sandbox::without_git();
    let page = std::fs::read_to_string(repository_root().join("docs/reference/glossary.md")).unwrap();
    let mut terms = 0;
    for section in page.split("\n## ").skip(1) {
        let (term, text) = section.split_once("\n\n```text\n").unwrap();
        let text = text.trim_end().strip_suffix("```").unwrap();
        let told = gulf(&sandbox, ["help", term]).run().expect_exit(0).stdout;
        // A term that is a command, too, has its help below.
        let below = told.strip_prefix(&format!("{term}\n{text}")).unwrap_or_else(|| panic!("{told}"));
        assert!(below.is_empty() || below.contains(&format!("\nUsage: gulf {term} ")), "{told}");
        terms += 1;
    }
    assert!(terms > 30, "{page}");
    gulf(&sandbox, ["help", "Candidates"]).run().expect_exit(0).says("candidate\n  One commit");
    gulf(&sandbox, ["help", "status"]).run().expect_exit(0).says("Usage: gulf status");
}

#[test]
fn help_of_no_term_offers_the_nearest_and_names_all() {
    let sandbox = Sandbox::without_git();
    gulf(&sandbox, ["help", "verifed"]).run().expect_exit(2).says("did you mean `gulf help verified`?");
    gulf(&sandbox, ["help", "statu"]).run().expect_exit(2).says("did you mean `gulf help status`?");
    let refused = gulf(&sandbox, ["help", "sandwich"]).run().expect_exit(2);
    refused.says("candidate").says("driver").says("gulf --help").does_not_say("did you mean");
}

#[test]
fn what_was_nearly_typed_is_offered_and_words_without_quotes_come_back_in_quotes() {
    let sandbox = Sandbox::without_git();
    gulf(&sandbox, ["statsu"]).run().expect_exit(2).says("status");
    gulf(&sandbox, ["run", "add", "a", "flag"]).run().expect_exit(2).says("gulf run \"add a flag\"");
    let agent = gulf(&sandbox, ["run", "x", "--agent", "./my.sh", "--check", "true"]).run().expect_exit(2);
    agent.says("did you mean `command:./my.sh`?");
}

#[test]
fn a_loop_in_the_home_folder_without_git_is_not_begun_unasked() {
    let sandbox = Sandbox::without_git();
    let folder = sandbox.repository();
    let run = gulf(&sandbox, ["run", "x", "--agent", "command:true", "--check", "true"]);
    run.variable("HOME", folder.as_str()).run().expect_exit(2).says("is no repository").says("git init");
    assert!(sandbox.loops().is_empty());
}
