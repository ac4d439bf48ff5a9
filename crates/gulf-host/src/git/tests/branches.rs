//! Branches are made and deleted only where nothing is lost.

use super::support::{Sandbox, commit_of, forms};
use crate::git::{BranchName, CommitId, Deletion, GitError, Holders, Repository};

fn branch(short: &str) -> BranchName {
    BranchName::from_short_name(short).unwrap()
}

fn head(repository: &Repository) -> CommitId {
    repository.head_commit().unwrap().unwrap()
}

/// A commit on HEAD that no reference holds.
fn loose_commit(sandbox: &Sandbox, repository: &Repository) -> CommitId {
    sandbox.write("loose.txt", "loose\n");
    let tree = sandbox.snapshot(repository).tree;
    commit_of(repository, &tree)
}

#[test]
fn names_are_those_git_accepts() {
    for good in ["main", "gulf/auto-20261122-104500", "한글/x", "a@b", "v1.0"] {
        assert_eq!(branch(good).short(), good);
        assert_eq!(BranchName::parse(&format!("refs/heads/{good}")).unwrap(), branch(good));
    }
    for bad in ["", "-x", "a..b", "a b", "a/.b", "a.lock", "a/", "/a", "a@{b", "@", "HEAD", "a.", "a\nb"] {
        assert!(BranchName::from_short_name(bad).is_err(), "{bad:?}");
    }
    assert!(BranchName::parse("refs/tags/main").is_err());
}

#[test]
fn a_branch_is_made_once_and_leaves_no_room_for_its_twins() {
    for form in forms() {
        let sandbox = Sandbox::named("project", &form);
        sandbox.write("a.txt", "a\n");
        sandbox.commit_all();
        let repository = sandbox.open();
        let at = head(&repository);
        repository.create_branch(&branch("gulf/auto"), &at).unwrap();
        assert_eq!(repository.read_branch(&branch("gulf/auto")).unwrap(), Some(at.clone()));
        for twin in ["gulf/auto", "Gulf/AUTO", "gulf/auto/x", "gulf"] {
            let error = repository.create_branch(&branch(twin), &at).unwrap_err();
            assert!(matches!(error, GitError::BranchTaken { .. }), "{twin}: {error}");
        }
        assert!(sandbox.git(&["reflog", "gulf/auto"]).contains("made by gulf"));
    }
}

#[test]
fn a_branch_goes_only_while_something_else_holds_its_commit() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let at = loose_commit(&sandbox, &repository);
    let name = branch("gulf/auto");
    let delete = |held_by: Holders| repository.delete_branch(&name, &at, held_by).unwrap();
    assert_eq!(delete(Holders::Anything), Deletion::Absent);
    repository.create_branch(&name, &at).unwrap();
    assert_eq!(delete(Holders::Anything), Deletion::Unreachable { commit: at.clone() });
    let moved = repository.delete_branch(&name, &head(&repository), Holders::Anything).unwrap();
    assert_eq!(moved, Deletion::Moved { now: at.clone() });
    repository.create_branch(&branch("other"), &at).unwrap();
    let but_the_other = delete(Holders::AnythingBut(&[branch("other")]));
    assert_eq!(but_the_other, Deletion::Unreachable { commit: at.clone() });
    assert_eq!(delete(Holders::AnythingBut(&[branch("main")])), Deletion::Deleted);
    assert_eq!(repository.read_branch(&name).unwrap(), None);
    let main = repository.delete_branch(&branch("main"), &head(&repository), Holders::Anything).unwrap();
    assert!(matches!(main, Deletion::CheckedOut { at } if at == sandbox.project));
}

#[test]
fn a_commit_is_reachable_from_branches_tags_and_remotes() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let at = loose_commit(&sandbox, &repository);
    let reachable = |holders: Holders| repository.is_reachable(&at, holders).unwrap();
    assert!(!reachable(Holders::Anything));
    assert!(repository.is_reachable(&head(&repository), Holders::Anything).unwrap());
    assert!(!repository.is_reachable(&head(&repository), Holders::AnythingBut(&[branch("main")])).unwrap());
    sandbox.git(&["update-ref", "refs/remotes/origin/main", at.as_str()]);
    assert!(reachable(Holders::Anything));
    sandbox.git(&["update-ref", "-d", "refs/remotes/origin/main"]);
    sandbox.git(&["tag", "-a", "-m", "v1", "v1", at.as_str()]);
    assert!(reachable(Holders::Anything));
    sandbox.git(&["tag", "-d", "v1"]);
    sandbox.git(&["branch", "x/below", at.as_str()]);
    let but = |name: &str| reachable(Holders::AnythingBut(&[branch(name)]));
    assert!(but("x"), "what lies below a name is not that branch");
    assert!(!but("x/below"));
}

#[test]
fn taken_names_get_a_suffix() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let path = sandbox.root.join("project-gulf-auto");
    let free = || repository.free_names(&branch("gulf/auto"), &path).unwrap();
    assert_eq!(free(), (branch("gulf/auto"), path.clone()));
    sandbox.git(&["branch", "Gulf/Auto"]);
    assert_eq!(free(), (branch("gulf/auto-2"), format!("{path}-2").into()));
    std::fs::create_dir(format!("{path}-2")).unwrap();
    assert_eq!(free(), (branch("gulf/auto-3"), format!("{path}-3").into()));
    sandbox.git(&["branch", "-D", "Gulf/Auto"]);
    sandbox.git(&["branch", "gulf"]);
    assert_eq!(free(), (branch("gulf-auto"), path.clone()));
}

#[test]
fn a_symbolic_branch_is_followed_to_the_real_one() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    sandbox.git(&["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
    sandbox.git(&["symbolic-ref", "refs/heads/out", "refs/tags/x"]);
    let real = |name: &str| repository.real_branch(&branch(name)).unwrap();
    assert_eq!(real("alias"), Some(branch("main")));
    assert_eq!(real("main"), Some(branch("main")));
    assert_eq!(real("unborn"), Some(branch("unborn")));
    assert_eq!(real("out"), None);
}
