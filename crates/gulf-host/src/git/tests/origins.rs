//! Whose commits a branch holds by now, as the log of a worktree's HEAD tells.

use super::support::{Sandbox, open_at, run_git};
use crate::git::{CommitId, Origin, Repository};

/// A worktree on a branch of its own, beside the checkout of `main`.
struct Beside {
    sandbox: Sandbox,
    worktree: camino::Utf8PathBuf,
    repository: Repository,
    start: CommitId,
}

impl Beside {
    fn new() -> Self {
        let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
        let worktree = sandbox.root.join("own 일");
        sandbox.git(&["worktree", "add", "-q", "-b", "own", worktree.as_str()]);
        let repository = open_at(&worktree, &sandbox.root.join("gulf/own"));
        let start = repository.head_commit().unwrap().unwrap();
        Self { sandbox, worktree, repository, start }
    }

    fn own(&self, arguments: &[&str]) {
        run_git(&self.worktree, arguments);
    }

    /// Of what stands on `main` since the start.
    #[track_caller]
    fn is(&self, expected: &Origin) {
        let main = CommitId::parse(&self.sandbox.git(&["rev-parse", "main"])).unwrap();
        assert_eq!(self.repository.origin(&self.start, &main).unwrap(), *expected);
    }
}

#[test]
fn what_others_committed_is_theirs_whichever_way_it_was_taken_over() {
    let ways: [&[&str]; 5] = [
        &["merge", "-q", "main"],
        &["pull", "-q", ".", "main"],
        &["rebase", "-q", "main"],
        &["reset", "-q", "--hard", "main"],
        &["checkout", "-q", "--detach", "main"],
    ];
    for way in ways {
        for has_own in [false, true] {
            let beside = Beside::new();
            beside.sandbox.commit_all();
            if has_own && way[0] != "pull" {
                beside.own(&["commit", "-q", "--allow-empty", "-m", "own"]);
            }
            beside.own(way);
            beside.is(&Origin::Elsewhere);
        }
    }
}

#[test]
fn what_was_made_in_the_worktree_is_its_own_wherever_it_stands() {
    for then in [&["update-ref", "refs/heads/main", "HEAD"][..], &["merge", "-q", "main"][..]] {
        let beside = Beside::new();
        beside.own(&["commit", "-q", "--allow-empty", "-m", "own"]);
        let commit = beside.repository.head_commit().unwrap().unwrap();
        if then[0] == "merge" {
            beside.sandbox.commit_all();
            beside.sandbox.git(&["merge", "-q", "--no-edit", "own"]);
        }
        beside.own(then);
        beside.is(&Origin::Here { commit });
    }
}

#[test]
fn without_a_log_nobody_can_tell() {
    let beside = Beside::new();
    beside.sandbox.commit_all();
    beside.own(&["merge", "-q", "main"]);
    let layout = beside.repository.layout();
    for log in [layout.git_dir.join("logs/HEAD"), layout.common_dir.join("logs/refs/heads/own")] {
        std::fs::remove_file(log).unwrap();
    }
    beside.is(&Origin::Unknown);
}

#[test]
fn a_worktree_whose_folder_is_gone_is_said_by_its_name() {
    let beside = Beside::new();
    std::fs::remove_dir_all(&beside.worktree).unwrap();
    let error = beside.repository.head_commit().unwrap_err();
    let crate::git::GitError::FolderGone { folder, .. } = &error else { panic!("{error:?}") };
    assert_eq!(folder, beside.worktree.as_str());
    assert!(error.hint().unwrap().contains("git worktree add"));
}
