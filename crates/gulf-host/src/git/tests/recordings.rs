//! Commits of some paths on the branch that is checked out.

use std::fs;

use super::support::{Sandbox, forms, path};
use crate::git::{
    BranchName, CommitId, CommitStamp, FileMode, GitError, Head, Obstacle, Operation, Recorded, Recording,
    Repository, TreeEdit, TreePath,
};

const WHEN: CommitStamp = CommitStamp { unix_seconds: 1_800_000_000 };

/// A child of HEAD with these files; `None` removes one.
fn child(
    repository: &Repository,
    files: &[(&str, Option<&str>)],
) -> (Option<CommitId>, CommitId, Vec<TreePath>) {
    let from = repository.head().unwrap().commit().cloned();
    let tree = from.as_ref().map_or(repository.empty_tree(), |from| repository.tree_of(from).unwrap());
    let edit = |(name, text): &(&str, Option<&str>)| {
        let put = |text: &str| TreeEdit::Put(text.as_bytes().to_vec(), FileMode::File);
        (path(name), text.map_or(TreeEdit::Remove, put))
    };
    let edits: Vec<_> = files.iter().map(edit).collect();
    let tree = repository.write_tree_with(&tree, &edits).unwrap();
    let parents: Vec<&CommitId> = from.iter().collect();
    let to = repository.commit(&tree, &parents, "T0.1: work\n", WHEN).unwrap();
    (from, to, edits.into_iter().map(|(path, _)| path).collect())
}

fn record(repository: &Repository, files: &[(&str, Option<&str>)]) -> Result<Recorded, GitError> {
    let (from, to, paths) = child(repository, files);
    let branch = BranchName::from_short_name("main").unwrap();
    let index = &repository.tree_of(&to)?;
    repository.record(&Recording { branch: &branch, from: from.as_ref(), to: &to, paths: &paths, index })
}

#[test]
fn only_these_paths_are_committed_and_all_else_stays_as_it_was_staged_or_not() {
    for form in forms() {
        let sandbox = Sandbox::named("빈 칸 project", &form);
        sandbox.write_all(&[("a.txt", "a\n"), ("b.txt", "b\n"), ("c.txt", "c\n"), ("gone.txt", "gone\n")]);
        sandbox.commit_all();
        sandbox.write_all(&[("a.txt", "worked\n"), ("b.txt", "staged\n"), ("c.txt", "changed\n")]);
        sandbox.write("새 파일.txt", "new\n");
        sandbox.remove("gone.txt");
        sandbox.git(&["add", "b.txt"]);
        let repository = sandbox.open();
        let files = [("a.txt", Some("worked\n")), ("새 파일.txt", Some("new\n")), ("gone.txt", None)];
        assert_eq!(record(&repository, &files).unwrap(), Recorded::Moved);
        let status = sandbox.git(&["-c", "core.quotePath=false", "status", "--porcelain"]);
        assert_eq!(status, "M  b.txt\n M c.txt");
        assert_eq!(sandbox.git(&["show", "--format=%an %s", "--name-status", "HEAD"]).lines().count(), 5);
    }
}

#[test]
fn a_folder_takes_the_place_of_a_file_and_a_branch_without_commits_gets_its_first() {
    let sandbox = Sandbox::new();
    sandbox.write_all(&[("a", "a\n"), ("mine.txt", "mine\n")]);
    let repository = sandbox.open();
    assert_eq!(record(&repository, &[("a", Some("a\n"))]).unwrap(), Recorded::Moved);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "?? mine.txt");
    sandbox.remove("a");
    sandbox.write("a/b", "b\n");
    assert_eq!(record(&repository, &[("a", None), ("a/b", Some("b\n"))]).unwrap(), Recorded::Moved);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "?? mine.txt");
}

#[test]
fn what_a_crash_left_staged_is_committed_by_the_same_call() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    sandbox.write("a.txt", "worked\n");
    sandbox.git(&["add", "a.txt"]);
    let repository = sandbox.open();
    assert_eq!(record(&repository, &[("a.txt", Some("worked\n"))]).unwrap(), Recorded::Moved);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
}

#[test]
fn nothing_is_touched_where_head_is_elsewhere_or_something_is_under_way() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let (from, to, paths) = child(&repository, &[("a.txt", Some("worked\n"))]);
    let branch = BranchName::from_short_name("main").unwrap();
    let index = &repository.tree_of(&to).unwrap();
    let wanted = Recording { branch: &branch, from: from.as_ref(), to: &to, paths: &paths, index };
    let git_dir = sandbox.project.join(".git");
    fs::write(git_dir.join("MERGE_HEAD"), from.as_ref().unwrap().as_str()).unwrap();
    let obstacle = Obstacle::Operation(Operation { description: "a merge", branch: None });
    assert_eq!(repository.record(&wanted).unwrap(), Recorded::NotReady { obstacle });
    fs::remove_file(git_dir.join("MERGE_HEAD")).unwrap();
    fs::write(git_dir.join("index.lock"), "").unwrap();
    let obstacle = Obstacle::IndexLocked;
    assert_eq!(repository.record(&wanted).unwrap(), Recorded::NotReady { obstacle });
    fs::remove_file(git_dir.join("index.lock")).unwrap();
    for elsewhere in [["switch", "-q", "--detach"], ["switch", "-q", "-cother"]] {
        sandbox.git(&elsewhere);
        assert_eq!(repository.record(&wanted).unwrap(), Recorded::HeadMoved);
    }
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.commit_all();
    let now = sandbox.git(&["rev-parse", "HEAD"]);
    assert_eq!(repository.record(&wanted).unwrap(), Recorded::HeadMoved);
    assert_eq!(
        repository.head().unwrap(),
        Head::Branch {
            name: BranchName::parse("refs/heads/main").unwrap(),
            commit: CommitId::parse(&now).unwrap()
        }
    );
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
}

#[test]
fn what_a_filter_would_have_to_write_is_named() {
    let sandbox = Sandbox::with(&[(".gitattributes", "*.bin filter=lfs\n"), ("a.txt", "a\n")]);
    let repository = sandbox.open();
    let asked = [path("a.txt"), path("큰 파일.bin")];
    assert_eq!(repository.filtered_paths(&asked).unwrap(), [path("큰 파일.bin")]);
}
