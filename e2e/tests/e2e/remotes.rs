//! Work that lands at a remote, and what a person is told who asks for it wrongly or whose remote says no.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use camino::Utf8PathBuf;
use gulf_testkit::{FakeAgent, Finished, Invocation, Sample, Sandbox, Step};

use crate::{RIGHT, exit, mend, run};

fn autonomous(sandbox: &Sandbox, agent: &FakeAgent, arguments: &[&str]) -> Invocation {
    run(sandbox, agent, &["--preset", "autonomous", "--check", RIGHT]).arguments(arguments.iter().copied())
}

/// A project whose `origin` is a bare repository on this disk.
fn with_origin() -> (Sandbox, Utf8PathBuf) {
    let sandbox = Sandbox::with(&Sample::shell());
    let remote = sandbox.path("remote.git");
    sandbox.git(["clone", "--quiet", "--bare", ".", remote.as_str()]);
    sandbox.git(["remote", "add", "origin", remote.as_str()]);
    sandbox.git(["fetch", "--quiet", "origin"]);
    (sandbox, remote)
}

/// The file as it stands at the remote.
fn there(sandbox: &Sandbox, remote: &Utf8PathBuf) -> String {
    sandbox.git(["--git-dir", remote.as_str(), "show", "main:value.txt"])
}

#[track_caller]
fn refused(finished: Finished, what: &str, hint: &str) {
    finished.does_not_panic().expect_exit(exit::REFUSED_START).says(what).says(hint);
}

#[test]
fn what_was_asked_wrongly_is_refused_before_anything_is_made() {
    let bare = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&bare).otherwise(mend());
    let start = |arguments: &[&str]| autonomous(&bare, &agent, arguments).run();
    refused(start(&["--push"]), "no push destination is known for main", "--push");
    refused(start(&["-b", "origin/main", "--push"]), "no branch origin/main", "git branch --all");
    let (sandbox, remote) = with_origin();
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    let start = |arguments: &[&str]| autonomous(&sandbox, &agent, arguments).run();
    refused(
        start(&["-b", "origin/main"]),
        "work reaches it only by a push",
        "--base-branch origin/main --push",
    );
    refused(start(&["-b", "origin/no", "--push"]), "no branch origin/no", "git branch --all");
    refused(start(&["-b", "origin/no"]), "no branch origin/no", "git branch --all");
    refused(
        start(&["-b", "origin/main", "--push", "--in-place"]),
        "starts from a local one",
        "`--in-place` out",
    );
    fs::rename(&remote, sandbox.path("away")).unwrap();
    refused(start(&["-b", "origin/main", "--push"]), "origin does not say where", "git fetch origin");
    assert!(sandbox.loops().is_empty());
    assert_eq!(sandbox.git(["branch", "--list", "gulf/*"]), "");
}

#[test]
fn work_lands_at_the_remote_and_its_branch_and_worktree_can_be_cleaned_away() {
    let (sandbox, remote) = with_origin();
    let commit = Step::run("git add -A && git commit --quiet --message work");
    let agent =
        FakeAgent::new(&sandbox).otherwise([Step::write("value.txt", "right\n"), commit, Step::claim()]);
    let refs = || sandbox.git(["for-each-ref", "refs/heads/main", "refs/remotes"]);
    let before = refs();
    let finished = autonomous(&sandbox, &agent, &["-b", "origin/main", "--push"]).run();
    finished.expect_exit(exit::VERIFIED).says("lands on origin/main").says("landed as ");
    assert_eq!(there(&sandbox, &remote), "right");
    assert_eq!(sandbox.read("value.txt"), "wrong\n");
    assert_eq!(refs(), before);
    sandbox.gulf(["clean", "--yes"]).run().expect_exit(0);
    assert_eq!(sandbox.git(["branch", "--list", "gulf/*"]), "");
}

#[test]
fn what_a_hook_declines_is_said_in_its_words_and_a_resume_tries_again() {
    let (sandbox, remote) = with_origin();
    let hook = remote.join("hooks/pre-receive");
    fs::create_dir_all(remote.join("hooks")).unwrap();
    fs::write(&hook, "#!/bin/sh\necho 'ask for a review first' >&2\nexit 1\n").unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    let paused = autonomous(&sandbox, &agent, &["-b", "origin/main", "--push"]).run();
    paused.expect_exit(exit::PAUSED).says("ready to land").says("ask for a review first");
    sandbox.gulf(["status"]).run().expect_exit(0).says("ask for a review first");
    assert_eq!(there(&sandbox, &remote), "wrong");
    fs::remove_file(&hook).unwrap();
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED).says("landed as ");
    assert_eq!(there(&sandbox, &remote), "right");
}
