//! Completions and the pages of the reference.

use gulf_testkit::Sandbox;

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
    for page in ["cli", "config", "events", "exit-codes"] {
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
        "doctor",
        "config explain",
        "completions zsh",
        "__reference cli",
        "status",
        "list",
        "demo --json",
        "demo",
    ] {
        let piped = format!("set -o pipefail; {gulf} {command} | true");
        sandbox.program("bash", ["-c", &piped]).run().expect_exit(0).does_not_panic();
    }
}
