//! A worker that edits `.git/config`, attributes, hooks and ignore files runs nothing and hides nothing.

use std::fs;

use super::support::{Sandbox, commit_of, paths_of, run_git, text_of};
use crate::git::{Expected, Keep, RefName, Repository};

/// A command that leaves a mark when anything runs it.
fn mark(sandbox: &Sandbox, what: &str) -> String {
    format!("touch '{}/ran-{what}'; cat", sandbox.root)
}

fn marks(sandbox: &Sandbox) -> Vec<String> {
    let entries = fs::read_dir(&sandbox.root).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with("ran-")).collect()
}

/// Everything gulf does with a repository in one iteration.
fn iteration(sandbox: &Sandbox, repository: &Repository) {
    let snapshot = sandbox.snapshot(repository);
    let commit = commit_of(repository, &snapshot.tree);
    let name = RefName::iteration("loop", 1).unwrap();
    repository.update_ref(&name, &commit, &Expected::Anything).unwrap();
    sandbox.checkout(repository, &commit, Keep::IgnoredOutput);
    let head = repository.head().unwrap();
    repository.newest().unwrap().unwrap();
    repository.diff(&repository.tree_of(head.commit().unwrap()).unwrap(), &snapshot.tree).unwrap();
    repository.layout().identity().unwrap();
    repository.delete_ref(&name, &Expected::Anything).unwrap();
}

fn script(sandbox: &Sandbox, at: &str, what: &str) {
    sandbox.write(at, &format!("#!/bin/sh\ntouch '{}/ran-{what}'\n", sandbox.root));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(sandbox.project.join(at), fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn filters_hooks_monitors_and_drivers_of_the_local_configuration_never_run() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    let repository = sandbox.open();
    for key in ["filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv", "diff.evil.command"] {
        sandbox.git(&["config", key, &mark(&sandbox, key)]);
    }
    for key in
        ["core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "gpg.program", "diff.external"]
    {
        sandbox.git(&["config", key, &mark(&sandbox, key)]);
    }
    sandbox.git(&["config", "filter.evil.required", "true"]);
    sandbox.git(&["config", "log.showSignature", "true"]);
    sandbox.git(&["config", "hook.evil.event", "reference-transaction"]);
    sandbox.git(&["config", "hook.evil.command", &mark(&sandbox, "configured-hook")]);
    for hook in ["reference-transaction", "post-index-change", "post-checkout", "pre-commit"] {
        script(&sandbox, &format!(".git/hooks/{hook}"), hook);
    }
    sandbox.write("included", &format!("[core]\n\tfsmonitor = {}\n", mark(&sandbox, "include")));
    sandbox.git(&["config", "include.path", sandbox.project.join("included").as_str()]);
    sandbox.write_all(&[(".gitattributes", "* filter=evil diff=evil\n"), ("a.txt", "changed\n")]);
    sandbox.write(".git/info/attributes", "* filter=evil\n");
    sandbox.git(&["status"]);
    assert!(!marks(&sandbox).is_empty(), "plain git steps into the trap");
    for entry in marks(&sandbox) {
        fs::remove_file(sandbox.root.join(entry)).unwrap();
    }
    iteration(&sandbox, &repository);
    assert_eq!(marks(&sandbox), Vec::<String>::new());
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(text_of(&repository, &snapshot.tree, "a.txt").as_deref(), Some("changed\n"));
}

#[test]
fn a_submodule_with_a_hostile_configuration_runs_nothing() {
    let library = Sandbox::with(&[("lib.txt", "1\n")]);
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    sandbox.git(&["submodule", "add", "-q", library.project.as_str(), "lib"]);
    sandbox.commit_all();
    let repository = sandbox.open();
    let lib = sandbox.project.join("lib");
    for key in ["filter.evil.clean", "filter.evil.smudge", "core.fsmonitor"] {
        run_git(&lib, &["config", key, &mark(&sandbox, key)]);
    }
    sandbox.write_all(&[("lib/.gitattributes", "* filter=evil\n"), ("lib/lib.txt", "2\n")]);
    iteration(&sandbox, &repository);
    assert_eq!(marks(&sandbox), Vec::<String>::new());
}

#[test]
fn another_worktree_in_the_local_configuration_changes_nothing() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let before = sandbox.snapshot(&repository).tree;
    let elsewhere = sandbox.root.join("elsewhere");
    fs::create_dir_all(&elsewhere).unwrap();
    fs::write(elsewhere.join("good.txt"), "good\n").unwrap();
    sandbox.git(&["config", "core.worktree", elsewhere.as_str()]);
    assert_eq!(sandbox.snapshot(&repository).tree, before);
}

#[test]
fn replacements_of_objects_are_not_believed() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let commit = sandbox.candidate(&repository);
    sandbox.write("evil.txt", "evil\n");
    let evil = sandbox.git(&["hash-object", "-w", "evil.txt"]);
    let good = sandbox.git(&["rev-parse", "HEAD:a.txt"]);
    sandbox.git(&["replace", &good, &evil]);
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    assert_eq!(fs::read_to_string(sandbox.in_checkout("a.txt")).unwrap(), "a\n");
}

#[test]
fn an_ignore_file_over_everything_hides_no_tracked_file() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    let repository = sandbox.open();
    sandbox.write_all(&[(".gitignore", "*\n"), ("a.txt", "changed\n"), ("new.txt", "n\n")]);
    sandbox.remove("b.txt");
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(paths_of(&repository, &snapshot.tree), ["a.txt"]);
    assert_eq!(text_of(&repository, &snapshot.tree, "a.txt").as_deref(), Some("changed\n"));
}

#[test]
fn attributes_changed_by_the_worker_count_for_all_files_at_once() {
    let sandbox = Sandbox::with(&[("a.txt", "a\r\n")]);
    let repository = sandbox.open();
    sandbox.snapshot(&repository);
    sandbox.write(".gitattributes", "*.txt text\n");
    let remembered = sandbox.snapshot(&repository).tree;
    fs::remove_file(sandbox.index()).unwrap();
    let fresh = sandbox.snapshot(&repository).tree;
    assert_eq!(remembered, fresh, "a tree must not depend on what was looked at before");
    assert_eq!(text_of(&repository, &fresh, "a.txt").as_deref(), Some("a\n"));
}

#[test]
fn line_endings_follow_the_setting_the_repository_had_when_it_was_opened() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    sandbox.git(&["config", "core.autocrlf", "true"]);
    let repository = sandbox.open();
    sandbox.git(&["config", "core.autocrlf", "false"]);
    sandbox.write("a.txt", "a\r\nb\r\n");
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(text_of(&repository, &snapshot.tree, "a.txt").as_deref(), Some("a\nb\n"));
    let commit = commit_of(&repository, &snapshot.tree);
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    assert_eq!(fs::read_to_string(sandbox.in_checkout("a.txt")).unwrap(), "a\r\nb\r\n");
}
