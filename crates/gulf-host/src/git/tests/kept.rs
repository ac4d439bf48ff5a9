//! A git that is kept running says what a new one would say, and nothing of it is left behind.

use std::fs;
use std::process::Command;
use std::time::Duration;

use super::support::{Sandbox, commit_of, run_git};
use crate::git::kept::KeptPrograms;
use crate::git::program::Call;
use crate::git::{CommitId, CommitStamp, Committer, Expected, GitError, RefName, Repository, TreeId};
use crate::platform;

fn resolved(repository: &Repository, name: &str) -> Option<String> {
    repository.find_commit(name).unwrap().map(|commit| commit.to_string())
}

/// The ids of those that wait.
fn waiting(repository: &Repository) -> Vec<u32> {
    let KeptPrograms { objects, names, references, commits } = &repository.kept;
    [objects, names, references, commits].iter().flat_map(|programs| programs.ids()).collect()
}

#[test]
fn names_are_looked_up_anew_whatever_became_of_them() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    assert_eq!(resolved(&repository, "own"), None);
    let first = sandbox.git(&["rev-parse", "HEAD"]).trim().to_owned();
    sandbox.git(&["branch", "own"]);
    assert_eq!(resolved(&repository, "own"), Some(first.clone()));
    sandbox.git(&["pack-refs", "--all"]);
    assert_eq!(resolved(&repository, "own"), Some(first));
    sandbox.git(&["commit", "-q", "--allow-empty", "-m", "second"]);
    sandbox.git(&["branch", "-f", "own"]);
    sandbox.git(&["gc", "-q"]);
    let second = sandbox.git(&["rev-parse", "HEAD"]).trim().to_owned();
    assert_eq!(resolved(&repository, "own"), Some(second));
    sandbox.git(&["branch", "-D", "own"]);
    assert_eq!(resolved(&repository, "own"), None);
}

#[test]
fn objects_are_found_that_came_from_elsewhere_since() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let other = Sandbox::with(&[("b.txt", "b\n")]);
    let there = CommitId::parse(run_git(&other.project, &["rev-parse", "HEAD"]).trim()).unwrap();
    assert!(matches!(repository.tree_of(&there), Err(GitError::ObjectMissing { .. })));
    let objects = other.project.join(".git/objects");
    fs::write(sandbox.project.join(".git/objects/info/alternates"), format!("{objects}\n")).unwrap();
    repository.tree_of(&there).unwrap();
}

#[test]
fn a_repository_that_was_made_anew_has_nothing_of_the_one_before() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    sandbox.git(&["gc", "-q"]);
    let head = sandbox.git(&["rev-parse", "HEAD"]).trim().to_owned();
    assert_eq!(resolved(&repository, &head), Some(head.clone()));
    fs::remove_dir_all(sandbox.project.join(".git")).unwrap();
    sandbox.git(&["init", "-q"]);
    assert_eq!(resolved(&repository, &head), None);
}

#[test]
fn one_that_died_is_replaced() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let commit = sandbox.candidate(&repository);
    let name = RefName::iteration("loop", 1).unwrap();
    for _ in 0..2 {
        assert!(resolved(&repository, "HEAD").is_some());
        repository.update_ref(&name, &commit, &Expected::Anything).unwrap();
        assert_eq!(waiting(&repository).len(), 4);
        for id in waiting(&repository) {
            Command::new("kill").args(["-9", &id.to_string()]).status().unwrap();
        }
    }
    assert_eq!(repository.read_ref(&name).unwrap(), Some(commit));
}

#[test]
fn a_refused_move_of_a_reference_is_no_word_about_the_next() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let commit = sandbox.candidate(&repository);
    let name = RefName::iteration("loop", 1).unwrap();
    repository.update_ref(&name, &commit, &Expected::Absent).unwrap();
    let error = repository.update_ref(&name, &commit, &Expected::Absent).unwrap_err();
    assert!(matches!(error, GitError::RefMoved { .. }), "{error}");
    repository.update_ref(&name, &commit, &Expected::At(commit.clone())).unwrap();
    repository.delete_ref(&name, &Expected::At(commit)).unwrap();
    assert_eq!(repository.read_ref(&name).unwrap(), None);
}

#[test]
fn a_commit_is_the_one_that_git_itself_would_make() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let tree = sandbox.snapshot(&repository).tree;
    let parent = CommitId::parse(sandbox.git(&["rev-parse", "HEAD"]).trim()).unwrap();
    let person = |name: &str, email: &str| Committer { name: name.to_owned(), email: email.to_owned() };
    let persons = [Committer::gulf(), person(" Jürgen 김, <x>; ", "<a@b>\t"), person("A\nB", "a b@c")];
    for (message, parents) in
        [("one\n", vec![]), ("two\n\nlines, ä", vec![&parent]), ("", vec![&parent, &parent])]
    {
        for by in &persons {
            let when = CommitStamp { unix_seconds: 1_700_000_000 };
            let commit = repository.commit_as(by, &tree, &parents, message, when).unwrap();
            assert_eq!(commit.as_str(), by_git(&repository, by, &tree, &parents, message), "{by:?}");
        }
    }
}

fn by_git(
    repository: &Repository,
    by: &Committer,
    tree: &TreeId,
    parents: &[&CommitId],
    message: &str,
) -> String {
    let mut call = repository.store.call("commit-tree").args(["--no-gpg-sign", "-F", "-"]);
    for role in ["AUTHOR", "COMMITTER"] {
        call = call
            .variable(&format!("GIT_{role}_NAME"), &by.name)
            .variable(&format!("GIT_{role}_EMAIL"), &by.email)
            .variable(&format!("GIT_{role}_DATE"), "@1700000000 +0000");
    }
    for parent in parents {
        call = call.args(["-p", parent.as_str()]);
    }
    call.arg(tree.as_str()).input(message.as_bytes().to_vec()).run().unwrap().text()
}

#[test]
fn threads_ask_at_the_same_time() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let tree = sandbox.snapshot(&repository).tree;
    std::thread::scope(|threads| {
        for number in 0..8 {
            let (repository, tree) = (repository.clone(), tree.clone());
            threads.spawn(move || {
                let message = format!("{number}\n");
                let commit =
                    repository.commit(&tree, &[], &message, CommitStamp { unix_seconds: 0 }).unwrap();
                let name = RefName::iteration("loop", number).unwrap();
                repository.update_ref(&name, &commit, &Expected::Absent).unwrap();
                assert_eq!(repository.read_ref(&name).unwrap(), Some(commit));
            });
        }
    });
}

#[test]
fn one_that_hangs_is_ended_with_what_it_started() {
    let sandbox = Sandbox::new();
    let settings = ["alias.hang=!exec cat /dev/zero > /dev/null".to_owned()];
    let call = Call::new(sandbox.project.as_std_path(), &settings, "hang");
    let mut git = call.wall_max(Duration::from_millis(50)).converse(Duration::from_secs(900)).unwrap();
    let error = git.ask(b"question\n".to_vec(), |_| false).unwrap_err();
    assert!(matches!(error, GitError::TimedOut { .. }), "{error}");
    let id = git.child.id();
    drop(git);
    assert!(!platform::is_alive(id));
}

#[test]
fn none_outlives_the_repository() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    commit_of(&repository, &sandbox.snapshot(&repository).tree);
    assert!(resolved(&repository, "HEAD").is_some());
    let ids = waiting(&repository);
    assert_eq!(ids.len(), 3);
    assert!(ids.iter().all(|id| platform::is_alive(*id)));
    drop(repository);
    assert!(!ids.into_iter().any(platform::is_alive));
}
