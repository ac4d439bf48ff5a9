//! Several who move one branch at once, and persons in the middle of something: one wins, nobody loses.

use std::fs;
use std::process::Command;

use super::support::{Sandbox, open_at, path};
use crate::git::{
    Advance, BranchName, CommitId, CommitStamp, FastForward, FileMode, Obstacle, Operation, Repository,
    TreeEdit,
};

const WHEN: CommitStamp = CommitStamp { unix_seconds: 1_800_000_000 };

fn main() -> BranchName {
    BranchName::from_short_name("main").unwrap()
}

/// A commit on HEAD that changes one file.
fn change(repository: &Repository, at: &str, text: &str) -> CommitId {
    let head = repository.head_commit().unwrap().unwrap();
    let edit = TreeEdit::Put(text.as_bytes().to_vec(), FileMode::File);
    let tree = repository.write_tree_with(&repository.tree_of(&head).unwrap(), &[(path(at), edit)]).unwrap();
    repository.commit(&tree, &[&head], "work\n", WHEN).unwrap()
}

#[test]
fn of_several_who_move_a_branch_one_wins_and_its_files_stand() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repositories: Vec<Repository> = (0..4)
        .map(|number| open_at(&sandbox.project, &sandbox.root.join(format!("gulf/{number}"))))
        .collect();
    for round in 0..4 {
        let from = repositories[0].head_commit().unwrap().unwrap();
        let wanted: Vec<CommitId> = repositories
            .iter()
            .enumerate()
            .map(|(number, repository)| change(repository, "a.txt", &format!("{round} {number}\n")))
            .collect();
        let advances: Vec<Advance> = std::thread::scope(|scope| {
            let threads: Vec<_> = repositories
                .iter()
                .zip(&wanted)
                .map(|(repository, to)| {
                    let from = &from;
                    scope.spawn(move || {
                        let forward = FastForward { branch: &main(), from: Some(from), to };
                        repository.fast_forward(&forward).unwrap()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let won = |advance: &Advance| matches!(advance, Advance::Moved { .. });
        let winners: Vec<usize> = (0..4).filter(|number| won(&advances[*number])).collect();
        assert_eq!(winners.len(), 1, "{advances:?}");
        assert_eq!(sandbox.git(&["rev-parse", "HEAD"]), wanted[winners[0]].as_str());
        assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
        assert!(!sandbox.project.join(".git/index.lock").exists());
    }
}

#[test]
fn a_conflict_left_by_a_stash_is_in_the_way() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    sandbox.write("a.txt", "stashed\n");
    sandbox.git(&["stash"]);
    sandbox.write("a.txt", "committed\n");
    sandbox.commit_all();
    let popped = Command::new("git").args(["stash", "pop"]).current_dir(&sandbox.project).output();
    assert!(!popped.unwrap().status.success());
    let repository = sandbox.open();
    let (from, to) = (repository.head_commit().unwrap(), change(&repository, "b.txt", "b\n"));
    let index = fs::read(sandbox.project.join(".git/index")).unwrap();
    let forward = FastForward { branch: &main(), from: from.as_ref(), to: &to };
    let Advance::NotReady { reasons } = repository.fast_forward(&forward).unwrap() else { panic!() };
    assert_eq!(reasons.len(), 1, "{reasons:?}");
    assert_eq!(reasons[0].obstacle, Obstacle::Unmerged(vec![path("a.txt")]));
    assert_eq!(fs::read(sandbox.project.join(".git/index")).unwrap(), index);
    assert!(sandbox.git(&["stash", "list"]).contains("stash@{0}"));
}

/// What goes on in the checkout after a git that stops at a conflict.
fn stopped(arguments: &[&str]) -> Option<Operation> {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    sandbox.git(&["checkout", "-q", "-b", "other"]);
    sandbox.write("a.txt", "other\n");
    sandbox.commit_all();
    fs::write(sandbox.root.join("patch"), sandbox.git(&["format-patch", "--stdout", "-1"]) + "\n").unwrap();
    sandbox.git(&["checkout", "-q", "main"]);
    sandbox.write("a.txt", "main\n");
    sandbox.commit_all();
    sandbox.write("a.txt", "newest\n");
    sandbox.commit_all();
    let output = Command::new("git")
        .args(["-c", "user.name=p", "-c", "user.email=p@localhost"])
        .args(arguments)
        .current_dir(&sandbox.project)
        .output()
        .unwrap();
    assert!(!output.status.success(), "{arguments:?}");
    let worktrees = sandbox.open().worktrees().unwrap();
    let operation = worktrees[0].operation.clone();
    assert!(worktrees[0].holds(&main()), "{arguments:?}: {worktrees:?}");
    operation
}

#[test]
fn whatever_a_person_is_in_the_middle_of_has_its_name() {
    let rebase = Some(Operation { description: "a rebase", branch: Some(main()) });
    assert_eq!(stopped(&["merge", "other"]), Some(Operation { description: "a merge", branch: None }));
    assert_eq!(
        stopped(&["cherry-pick", "other"]),
        Some(Operation { description: "a cherry-pick", branch: None })
    );
    assert_eq!(
        stopped(&["revert", "--no-edit", "HEAD^"]),
        Some(Operation { description: "a revert", branch: None })
    );
    assert_eq!(stopped(&["am", "../patch"]), Some(Operation { description: "a `git am`", branch: None }));
    assert_eq!(stopped(&["rebase", "--merge", "other"]), rebase);
    assert_eq!(stopped(&["rebase", "--apply", "other"]), rebase);
}
