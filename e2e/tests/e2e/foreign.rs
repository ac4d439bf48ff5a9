//! A loop that another version of gulf sealed: nothing goes on with it, and everything that only looks or takes away
//! works.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use gulf_testkit::{FakeAgent, Sample, Sandbox, Step};

use crate::{RIGHT, exit, run};

/// As if another version had sealed it: a field is missing, and the journal knows the text as it is.
fn sealed_by_another(sandbox: &Sandbox) {
    let one = sandbox.only_loop();
    let (contract, journal) = (one.path("sealed/contract.json"), one.journal_path());
    let digest = || {
        let output = Command::new("sha256sum").arg(contract.as_str()).output().unwrap();
        String::from_utf8(output.stdout).unwrap().split_whitespace().next().unwrap().to_owned()
    };
    let before = digest();
    let mut text: serde_json::Value = serde_json::from_str(&fs::read_to_string(&contract).unwrap()).unwrap();
    text.as_object_mut().unwrap().remove("checks").unwrap();
    fs::set_permissions(&contract, fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(&contract, text.to_string()).unwrap();
    let told = fs::read_to_string(&journal).unwrap();
    assert!(told.contains(&before));
    fs::write(&journal, told.replace(&before, &digest())).unwrap();
}

#[test]
fn what_another_version_sealed_is_looked_at_ended_and_cleaned_away_and_nothing_else() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("echo x >> tried.txt")]);
    let flags = ["--check", RIGHT, "-n", "3", "--milestone-every", "1"];
    run(&sandbox, &agent, &flags).run().expect_exit(exit::PAUSED);
    sealed_by_another(&sandbox);
    let what = "another version of gulf sealed this loop";
    for look in [&["status"][..], &["status", "--json"], &["show"], &["list"], &["log"], &["diff"]] {
        sandbox.gulf(look.iter().copied()).run().does_not_panic().expect_exit(0);
    }
    sandbox.gulf(["status"]).run().expect_exit(0).says(what).says("review is due").says("gulf clean");
    for act in [&["resume"][..], &["resume", "--accept-contract"], &["fork"], &["report"]] {
        let refused = sandbox.gulf(act.iter().copied()).run().does_not_panic();
        refused.expect_exit(exit::REFUSED_START).says(what).says("gulf run");
    }
    run(&sandbox, &agent, &flags).run().expect_exit(exit::REFUSED_START).says(what);
    sandbox.gulf(["cancel"]).run().does_not_panic().expect_exit(0).says("Loop cancelled");
    sandbox.gulf(["status"]).run().expect_exit(0).says("cancelled");
    sandbox.gulf(["clean", "--yes"]).run().expect_exit(0).says("Removed 1 folder");
    run(&sandbox, &agent, &flags).run().expect_exit(exit::PAUSED);
}
