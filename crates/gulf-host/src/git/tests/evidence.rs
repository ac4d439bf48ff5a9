//! Notes are never lost to another writer.

use super::support::{Sandbox, forms, open_at};
use crate::git::{BranchName, CommitId, CommitStamp, Head, Operation, Repository};

const WHEN: CommitStamp = CommitStamp { unix_seconds: 1_800_000_000 };

fn head(repository: &Repository) -> CommitId {
    repository.head_commit().unwrap().unwrap()
}

fn branch(short: &str) -> BranchName {
    BranchName::from_short_name(short).unwrap()
}

#[test]
fn a_note_is_read_again_by_gulf_and_by_git() {
    for form in forms() {
        let sandbox = Sandbox::named("project", &form);
        sandbox.commit_all();
        let repository = sandbox.open();
        let commit = head(&repository);
        assert_eq!(repository.read_note(&commit).unwrap(), None);
        for _ in 0..2 {
            repository.note(&commit, b"{\"receipt\":1}\n", WHEN).unwrap();
        }
        assert_eq!(repository.read_note(&commit).unwrap().unwrap(), b"{\"receipt\":1}\n");
        assert_eq!(sandbox.git(&["notes", "--ref=gulf", "show", commit.as_str()]), "{\"receipt\":1}");
        repository.note(&commit, b"more", WHEN).unwrap();
        assert_eq!(repository.read_note(&commit).unwrap().unwrap(), b"{\"receipt\":1}\nmore");
    }
}

#[test]
fn notes_that_git_has_cut_into_folders_are_found() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let commit = head(&repository);
    let id = commit.as_str();
    let folded = format!("{}/{}", &id[..2], &id[2..]);
    let blob = sandbox.git(&["rev-parse", "HEAD:a.txt"]);
    let index = sandbox.root.join("notes-index");
    let script = format!(
        "export GIT_INDEX_FILE='{index}'; git update-index --add --cacheinfo 100644,{blob},{folded} && \
         git update-ref refs/notes/gulf $(git -c user.name=p -c user.email=p@x commit-tree $(git write-tree) -m n)"
    );
    let done = std::process::Command::new("sh").args(["-c", &script]).current_dir(&sandbox.project).status();
    assert!(done.unwrap().success());
    assert_eq!(repository.read_note(&commit).unwrap().unwrap(), b"a\n");
    repository.note(&commit, b"b\n", WHEN).unwrap();
    assert_eq!(repository.read_note(&commit).unwrap().unwrap(), b"a\nb\n");
    assert_eq!(sandbox.git(&["notes", "--ref=gulf", "show", id]), "a\nb");
}

#[test]
fn writers_at_the_same_time_lose_nothing() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let commits: Vec<CommitId> = {
        let repository = sandbox.open();
        let tree = repository.tree_of(&head(&repository)).unwrap();
        let commit = |number: u64| CommitStamp { unix_seconds: number };
        (0..4).map(|number| repository.commit(&tree, &[], "c\n", commit(number)).unwrap()).collect()
    };
    std::thread::scope(|scope| {
        for (number, commit) in commits.iter().enumerate() {
            let repository = open_at(&sandbox.project, &sandbox.root.join(format!("gulf/{number}")));
            scope.spawn(move || {
                for round in 0..3 {
                    repository.note(commit, format!("note {round}\n").as_bytes(), WHEN).unwrap();
                }
            });
        }
    });
    let repository = sandbox.open();
    for commit in &commits {
        assert_eq!(repository.read_note(commit).unwrap().unwrap(), b"note 0\nnote 1\nnote 2\n");
    }
}

#[test]
fn a_start_needs_a_branch_with_a_commit_and_says_why_there_is_none() {
    let sandbox = Sandbox::new();
    let start = || sandbox.open().head().unwrap();
    let check = |words: &str| {
        let (why, hint) = sandbox.open().lacks_branch(&start()).unwrap();
        assert!(why.contains(words) && !hint.is_empty(), "{why}: {hint}");
    };
    assert_eq!(start(), Head::Unborn { name: branch("main") });
    check("has no commit yet");
    sandbox.commit_all();
    sandbox.write("a.txt", "a\n");
    sandbox.commit_all();
    let commit = head(&sandbox.open());
    assert_eq!(start(), Head::Branch { name: branch("main"), commit: commit.clone() });
    assert_eq!(sandbox.open().lacks_branch(&start()), None);
    sandbox.git(&["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
    sandbox.git(&["symbolic-ref", "HEAD", "refs/heads/alias"]);
    assert_eq!(start(), Head::Branch { name: branch("main"), commit: commit.clone() });
    sandbox.git(&["checkout", "-q", "--detach"]);
    assert_eq!(start(), Head::Detached { commit });
    check("HEAD is detached");
    sandbox.git(&["checkout", "-q", "main"]);
    sandbox.git(&["-c", "sequence.editor=sed -i s/pick/edit/", "rebase", "-q", "-i", "HEAD^"]);
    assert!(matches!(start(), Head::Detached { .. }));
    assert_eq!(
        sandbox.open().worktrees().unwrap()[0].operation,
        Some(Operation { description: "a rebase", branch: Some(branch("main")) })
    );
    check("a rebase is in progress");
}
