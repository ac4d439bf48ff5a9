//! Remotes are asked, fetched from and pushed to as they were at the start, whatever stands in the local configuration.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

use super::support::{Sandbox, commit_of, persons_state, run_git};
use crate::git::{BranchName, CommitId, Fetch, GitError, PushOutcome, RefName, RemoteBranch, Repository};

fn main() -> BranchName {
    BranchName::from_short_name("main").unwrap()
}

fn head(repository: &Repository) -> CommitId {
    repository.head_commit().unwrap().unwrap()
}

/// A project with a bare remote `origin` that holds what it holds.
fn with_remote() -> (Sandbox, Utf8PathBuf, String) {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let bare = sandbox.root.join("remote.git");
    sandbox.git(&["clone", "-q", "--bare", ".", bare.as_str()]);
    let url = format!("file://{bare}");
    sandbox.git(&["remote", "add", "origin", &url]);
    sandbox.git(&["fetch", "-q", "origin"]);
    (sandbox, bare, url)
}

/// A commit on HEAD that no reference holds.
fn new_commit(sandbox: &Sandbox, repository: &Repository, text: &str) -> CommitId {
    sandbox.write("new.txt", text);
    let tree = sandbox.snapshot(repository).tree;
    commit_of(repository, &tree)
}

/// Somebody else pushes to the remote.
fn elsewhere(sandbox: &Sandbox, url: &str) -> CommitId {
    let clone = sandbox.root.join("elsewhere");
    run_git(&sandbox.root, &["clone", "-q", url, clone.as_str()]);
    run_git(&clone, &["commit", "-q", "--allow-empty", "-m", "elsewhere"]);
    run_git(&clone, &["push", "-q", "origin", "HEAD:main"]);
    CommitId::parse(&run_git(&clone, &["rev-parse", "HEAD"])).unwrap()
}

#[cfg(unix)]
fn hook(directory: &Utf8Path, name: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = directory.join("hooks").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_remote_is_read_with_its_addresses() {
    let (sandbox, bare, url) = with_remote();
    let repository = sandbox.open();
    assert_eq!(repository.remote("nowhere").unwrap(), None);
    let remote = repository.remote("origin").unwrap().unwrap();
    assert_eq!(remote.push_url, url.as_str());
    sandbox.git(&["remote", "set-url", "origin", "../remote.git"]);
    let remote = repository.remote("origin").unwrap().unwrap();
    assert_eq!(remote.push_url, sandbox.project.join("../remote.git"));
    sandbox.git(&["remote", "set-url", "--push", "origin", "push:here"]);
    sandbox.git(&["config", "url.https://host/.pushInsteadOf", "push:"]);
    let remote = repository.remote("origin").unwrap().unwrap();
    assert!(bare.is_dir());
    assert_eq!(remote.push_url, "push:here");
}

#[test]
fn names_lead_to_branches_of_remotes() {
    let (sandbox, _, url) = with_remote();
    let repository = sandbox.open();
    sandbox.git(&["remote", "add", "origin/fork", &url]);
    let found = |remote: &str, branch: &str| {
        Some(RemoteBranch { remote: remote.to_owned(), branch: BranchName::from_short_name(branch).unwrap() })
    };
    assert_eq!(repository.remote_branch("origin/main").unwrap(), found("origin", "main"));
    assert_eq!(repository.remote_branch("origin/fork/x/y").unwrap(), found("origin/fork", "x/y"));
    assert_eq!(repository.remote_branch("main").unwrap(), None);
    assert_eq!(repository.remote_of(&main()).unwrap(), None);
    sandbox.git(&["branch", "-q", "--set-upstream-to=origin/main", "main"]);
    assert_eq!(repository.remote_of(&main()).unwrap(), found("origin", "main"));
    sandbox.git(&["branch", "-q", "other"]);
    sandbox.git(&["branch", "-q", "--set-upstream-to=other", "main"]);
    assert_eq!(repository.remote_of(&main()).unwrap(), None, "a branch that follows a local one");
}

#[test]
fn a_fetched_branch_is_held_by_gulf_and_the_person_keeps_everything() {
    let (sandbox, _, url) = with_remote();
    let repository = sandbox.open();
    let into = RefName::parse("refs/gulf/fetched/origin-main").unwrap();
    let there = elsewhere(&sandbox, &url);
    let state = || {
        let fetch_head = fs::read(sandbox.project.join(".git/FETCH_HEAD")).unwrap();
        (persons_state(&sandbox), sandbox.git(&["for-each-ref", "refs/remotes"]), fetch_head)
    };
    let before = state();
    assert_eq!(repository.fetch(&url, &main(), &into).unwrap(), Fetch::Fetched { commit: there.clone() });
    assert_eq!(state(), before);
    assert_eq!(repository.read_ref(&into).unwrap(), Some(there.clone()));
    assert!(repository.descends(&there, &head(&repository)).unwrap());
    let absent = repository.fetch(&url, &BranchName::from_short_name("no").unwrap(), &into).unwrap();
    assert_eq!(absent, Fetch::Absent);
    let Fetch::Unreachable { words } = repository.fetch("file:///nowhere", &main(), &into).unwrap() else {
        panic!()
    };
    assert!(words.contains("/nowhere"), "{words}");
}

#[test]
fn a_push_goes_through_while_the_branch_is_where_it_was_expected() {
    let (sandbox, bare, url) = with_remote();
    let repository = sandbox.open();
    let old = head(&repository);
    let new = new_commit(&sandbox, &repository, "new\n");
    assert_eq!(repository.push(&url, &new, &main(), Some(&old)).unwrap(), PushOutcome::Pushed);
    assert_eq!(run_git(&bare, &["rev-parse", "main"]), new.as_str());
    let again = repository.push(&url, &new, &main(), Some(&old)).unwrap();
    assert_eq!(again, PushOutcome::Pushed, "after a crash nobody knows, and it is pushed again");
    let fresh = BranchName::from_short_name("fresh").unwrap();
    assert_eq!(repository.push(&url, &new, &fresh, None).unwrap(), PushOutcome::Pushed);
    let other = new_commit(&sandbox, &repository, "other\n");
    let moved = repository.push(&url, &other, &fresh, None).unwrap();
    assert_eq!(moved, PushOutcome::Moved { now: Some(new.clone()) });
    let error = repository.push(&url, &other, &main(), Some(&new)).unwrap_err();
    assert!(matches!(error, GitError::NotDescendant { .. }), "{error}");
    assert_eq!(repository.look_at_remote(&url, &main()).unwrap(), Ok(Some(new)));
}

#[test]
fn a_push_that_somebody_was_faster_than_tells_where_the_branch_is() {
    let (sandbox, bare, url) = with_remote();
    let repository = sandbox.open();
    let old = head(&repository);
    let new = new_commit(&sandbox, &repository, "new\n");
    let there = elsewhere(&sandbox, &url);
    let moved = repository.push(&url, &new, &main(), Some(&old)).unwrap();
    assert_eq!(moved, PushOutcome::Moved { now: Some(there.clone()) });
    assert_eq!(run_git(&bare, &["rev-parse", "main"]), there.as_str());
    run_git(&bare, &["update-ref", "-d", "refs/heads/main"]);
    assert_eq!(repository.push(&url, &new, &main(), Some(&old)).unwrap(), PushOutcome::Moved { now: None });
}

#[cfg(unix)]
#[test]
fn what_a_remote_declines_comes_with_its_words() {
    for name in ["pre-receive", "update"] {
        let (sandbox, bare, url) = with_remote();
        let repository = sandbox.open();
        let old = head(&repository);
        let new = new_commit(&sandbox, &repository, "new\n");
        hook(&bare, name, "echo 'two reviews are needed' >&2; exit 1");
        let declined = repository.push(&url, &new, &main(), Some(&old)).unwrap();
        let PushOutcome::Declined { words } = declined else { panic!("{declined:?}") };
        assert!(words.contains("two reviews are needed"), "{words}");
        assert_eq!(run_git(&bare, &["rev-parse", "main"]), old.as_str());
    }
}

#[test]
fn a_remote_with_the_branch_checked_out_declines() {
    let (sandbox, _, url) = with_remote();
    let clone = sandbox.root.join("checked-out");
    run_git(&sandbox.root, &["clone", "-q", &url, clone.as_str()]);
    let repository = sandbox.open();
    let new = new_commit(&sandbox, &repository, "new\n");
    let declined = repository.push(clone.as_str(), &new, &main(), Some(&head(&repository))).unwrap();
    let PushOutcome::Declined { words } = declined else { panic!("{declined:?}") };
    assert!(words.contains("checked out"), "{words}");
}

#[test]
fn a_remote_that_is_not_there_is_unreachable() {
    let (sandbox, _, _) = with_remote();
    let repository = sandbox.open();
    let new = new_commit(&sandbox, &repository, "new\n");
    let nowhere = format!("file://{}", sandbox.root.join("nowhere"));
    for url in [nowhere.as_str(), "ssh://127.0.0.1:9/x", "http://127.0.0.1:9/x.git"] {
        let push = repository.push(url, &new, &main(), Some(&head(&repository))).unwrap();
        assert!(matches!(&push, PushOutcome::Unreachable { words } if !words.is_empty()), "{push:?}");
        assert!(repository.look_at_remote(url, &main()).unwrap().is_err());
    }
}

#[cfg(unix)]
#[test]
fn what_a_worker_writes_into_the_local_configuration_has_no_effect() {
    let (sandbox, bare, url) = with_remote();
    let repository = sandbox.open();
    let old = head(&repository);
    let mark = format!("touch '{}/ran'; false", sandbox.root);
    let elsewhere = sandbox.root.join("evil.git");
    sandbox.git(&["clone", "-q", "--bare", ".", elsewhere.as_str()]);
    for (key, value) in [
        ("core.sshCommand", mark.as_str()),
        ("credential.helper", &format!("!{mark}")),
        ("core.askPass", &mark),
        ("core.gitProxy", &mark),
        ("remote.origin.uploadpack", &mark),
        ("remote.origin.receivepack", &mark),
        (&format!("url.file://{elsewhere}.insteadOf"), &url),
        ("protocol.ext.allow", "always"),
    ] {
        sandbox.git(&["config", key, value]);
    }
    hook(&sandbox.project.join(".git"), "pre-push", &mark);
    hook(&sandbox.project.join(".git"), "reference-transaction", &mark);
    let new = new_commit(&sandbox, &repository, "new\n");
    assert_eq!(repository.push(&url, &new, &main(), Some(&old)).unwrap(), PushOutcome::Pushed);
    assert_eq!(run_git(&bare, &["rev-parse", "main"]), new.as_str());
    assert_eq!(run_git(&elsewhere, &["rev-parse", "main"]), old.as_str());
    let into = RefName::parse("refs/gulf/fetched/main").unwrap();
    assert_eq!(repository.fetch(&url, &main(), &into).unwrap(), Fetch::Fetched { commit: new.clone() });
    for url in ["ssh://127.0.0.1:9/x", "ext::sh -c false", "git://127.0.0.1:9/x"] {
        let push = repository.push(url, &new, &main(), Some(&old)).unwrap();
        assert!(matches!(push, PushOutcome::Unreachable { .. }), "{push:?}");
    }
    assert!(!sandbox.root.join("ran").exists());
}

#[cfg(unix)]
#[test]
fn hooks_of_the_remote_run_as_always() {
    let (sandbox, bare, url) = with_remote();
    let repository = sandbox.open();
    hook(&bare, "post-receive", &format!("touch '{}/received'", sandbox.root));
    let new = new_commit(&sandbox, &repository, "new\n");
    assert_eq!(repository.push(&url, &new, &main(), Some(&head(&repository))).unwrap(), PushOutcome::Pushed);
    assert!(sandbox.root.join("received").exists());
}

#[test]
fn settings_for_one_repository_alone_count_where_the_person_made_them_global() {
    use crate::git::store::Scratch;
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let mut scratch = Scratch::with_all_refs(&repository).unwrap();
    sandbox.git(&["config", "core.sshCommand", "local"]);
    let command = |scratch: &Scratch| {
        let get = scratch.store.call("config").args(["--get", "core.sshCommand"]);
        get.accept(&[0, 1]).run().unwrap().text()
    };
    let global = sandbox.root.join("global");
    let included = sandbox.root.join("included");
    fs::write(&included, "[core]\n\tsshCommand = ssh -i work\n\teditor = no\n").unwrap();
    let condition = format!("[includeIf \"gitdir:{}/\"]\n\tpath = {included}\n", sandbox.project);
    fs::write(&global, condition).unwrap();
    assert_eq!(command(&scratch), "");
    scratch.take_settings(&repository, Some(&global)).unwrap();
    assert_eq!(command(&scratch), "ssh -i work");
}
