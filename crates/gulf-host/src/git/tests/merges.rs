//! Merges give git's own result as a tree, or say at which paths two sides stand against each other.

use crate::hint::Hint as _;
use std::fs;

use super::support::{Sandbox, commit_of, open_at, path, paths_of, persons_state, run_git, text_of};
use crate::git::{
    CommitId, CommitStamp, Conflict, FileMode, GitError, MergeMessage, Merged, Repository, Trailer, TreeEdit,
    TreeId,
};

const WHEN: CommitStamp = CommitStamp { unix_seconds: 1_800_000_000 };

/// A commit on `parents` whose tree is that of the first with these edits.
fn commit(repository: &Repository, parents: &[&CommitId], edits: &[(&str, TreeEdit)]) -> CommitId {
    let base = repository.tree_of(parents[0]).unwrap();
    let edits: Vec<_> = edits.iter().map(|(at, edit)| (path(at), edit.clone())).collect();
    let tree = repository.write_tree_with(&base, &edits).unwrap();
    repository.commit(&tree, parents, "work\n", WHEN).unwrap()
}

fn put(text: &str) -> TreeEdit {
    TreeEdit::Put(text.as_bytes().to_vec(), FileMode::File)
}

fn head(repository: &Repository) -> CommitId {
    repository.head_commit().unwrap().unwrap()
}

fn clean(merged: Merged) -> TreeId {
    match merged {
        Merged::Clean(tree) => tree,
        Merged::Conflict(_) | Merged::Unrelated => panic!("{merged:?}"),
    }
}

fn conflict(merged: Merged) -> Conflict {
    match merged {
        Merged::Conflict(conflict) => conflict,
        Merged::Clean(_) | Merged::Unrelated => panic!("{merged:?}"),
    }
}

/// Merges two sets of edits on one base; `paths` are those in conflict, without the commit that git puts behind some.
fn check(base: &[(&str, &str)], ours: &[(&str, TreeEdit)], theirs: &[(&str, TreeEdit)], paths: &[&str]) {
    let sandbox = Sandbox::with(base);
    let repository = sandbox.open();
    let base = head(&repository);
    let (ours, theirs) = (commit(&repository, &[&base], ours), commit(&repository, &[&base], theirs));
    let conflict = conflict(repository.merge(&ours, &theirs).unwrap());
    let found: Vec<String> = conflict.paths.iter().map(ToString::to_string).collect();
    let found: Vec<&str> = found.iter().filter_map(|path| path.split('~').next()).collect();
    assert_eq!(found, paths);
}

const LINES: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

#[test]
fn what_touches_other_lines_merges_and_follows_renames() {
    let sandbox = Sandbox::with(&[("a.txt", LINES), ("한글.txt", "k\n")]);
    let repository = sandbox.open();
    let base = head(&repository);
    let before = persons_state(&sandbox);
    let ours = commit(&repository, &[&base], &[("a.txt", TreeEdit::Remove), ("moved/b.txt", put(LINES))]);
    let theirs = commit(&repository, &[&base], &[("a.txt", put(&LINES.replace('9', "nine")))]);
    let tree = clean(repository.merge(&ours, &theirs).unwrap());
    assert_eq!(paths_of(&repository, &tree), ["moved/b.txt", "한글.txt"]);
    assert_eq!(text_of(&repository, &tree, "moved/b.txt"), Some(LINES.replace('9', "nine")));
    assert_eq!(persons_state(&sandbox), before);
    assert_eq!(fs::read_to_string(sandbox.project.join("a.txt")).unwrap(), LINES);
}

#[test]
fn the_same_lines_conflict_with_a_tree_with_markers() {
    let sandbox = Sandbox::with(&[("dir/a b.txt", "base\n"), ("other.txt", "o\n")]);
    let repository = sandbox.open();
    let base = head(&repository);
    let ours = commit(&repository, &[&base], &[("dir/a b.txt", put("ours\n"))]);
    let theirs =
        commit(&repository, &[&base], &[("dir/a b.txt", put("theirs\n")), ("other.txt", put("x\n"))]);
    let conflict = conflict(repository.merge(&ours, &theirs).unwrap());
    assert_eq!(conflict.paths, [path("dir/a b.txt")]);
    let marked = text_of(&repository, &conflict.tree, "dir/a b.txt").unwrap();
    assert!(marked.contains("<<<<<<<") && marked.contains("ours") && marked.contains("theirs"));
    assert_eq!(text_of(&repository, &conflict.tree, "other.txt").as_deref(), Some("x\n"));
}

#[test]
fn each_kind_of_conflict_names_its_paths() {
    let file = &[("a.txt", LINES)];
    let changed = || [("a.txt", put("changed\n"))];
    check(file, &changed(), &[("a.txt", TreeEdit::Remove)], &["a.txt"]);
    check(&[("a.bin", "x\0y")], &[("a.bin", put("1\0"))], &[("a.bin", put("2\0"))], &["a.bin"]);
    let folder = [("a.txt", TreeEdit::Remove), ("a.txt/b", put("b\n"))];
    check(file, &changed(), &folder, &["a.txt"]);
    let renamed = |to| [("a.txt", TreeEdit::Remove), (to, put(LINES))];
    check(file, &renamed("b.txt"), &renamed("c.txt"), &["a.txt", "b.txt", "c.txt"]);
    check(file, &renamed("b.txt"), &[("a.txt", TreeEdit::Remove)], &["b.txt"]);
    let link = [("new", TreeEdit::Put(b"a.txt".to_vec(), FileMode::Symlink))];
    check(file, &[("new", put("file\n"))], &link, &["new", "new"]);
    check(file, &[("new", put("ours\n"))], &[("new", put("theirs\n"))], &["new"]);
}

#[test]
fn two_commits_of_a_submodule_conflict() {
    let library = Sandbox::with(&[("lib.txt", "1\n")]);
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    sandbox.git(&["submodule", "add", "-q", library.project.as_str(), "lib"]);
    sandbox.commit_all();
    for branch in ["one", "two"] {
        sandbox.git(&["checkout", "-q", "-b", branch, "main"]);
        run_git(&sandbox.project.join("lib"), &["checkout", "-q", "-B", branch, "origin/main"]);
        sandbox.write("lib/lib.txt", branch);
        run_git(&sandbox.project.join("lib"), &["commit", "-q", "-am", branch]);
        sandbox.commit_all();
    }
    let repository = sandbox.open();
    let find = |name: &str| repository.find_commit(name).unwrap().unwrap();
    let conflict = conflict(repository.merge(&find("one"), &find("two")).unwrap());
    assert_eq!(conflict.paths, [path("lib")]);
}

#[test]
fn merges_that_crossed_each_other_merge_again() {
    let sandbox = Sandbox::with(&[("a.txt", LINES), ("b.txt", LINES)]);
    let repository = sandbox.open();
    let base = head(&repository);
    let one = commit(&repository, &[&base], &[("a.txt", put(&LINES.replace('1', "one")))]);
    let two = commit(&repository, &[&base], &[("b.txt", put(&LINES.replace('2', "two")))]);
    let merged = clean(repository.merge(&one, &two).unwrap());
    let left = repository.commit(&merged, &[&one, &two], "left\n", WHEN).unwrap();
    let right = repository.commit(&merged, &[&two, &one], "right\n", WHEN).unwrap();
    let left = commit(&repository, &[&left], &[("a.txt", put(&LINES.replace('1', "one").replace('9', "L")))]);
    let right =
        commit(&repository, &[&right], &[("b.txt", put(&LINES.replace('2', "two").replace('9', "R")))]);
    let tree = clean(repository.merge(&left, &right).unwrap());
    assert!(text_of(&repository, &tree, "a.txt").unwrap().ends_with("L\n"));
    assert!(text_of(&repository, &tree, "b.txt").unwrap().ends_with("R\n"));
}

#[test]
fn histories_without_a_common_beginning_are_unrelated() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let base = head(&repository);
    let tree = repository.tree_of(&base).unwrap();
    let other = repository.commit(&tree, &[], "another beginning\n", WHEN).unwrap();
    assert_eq!(repository.merge(&base, &other).unwrap(), Merged::Unrelated);
}

#[test]
fn a_shallow_clone_says_what_it_lacks() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    sandbox.git(&["checkout", "-q", "-b", "other"]);
    sandbox.write("a.txt", "other\n");
    sandbox.commit_all();
    sandbox.git(&["checkout", "-q", "main"]);
    sandbox.write("b.txt", "main\n");
    sandbox.commit_all();
    let shallow = sandbox.root.join("shallow");
    let url = format!("file://{}", sandbox.project);
    run_git(&sandbox.root, &["clone", "-q", "--depth=1", "--no-single-branch", &url, shallow.as_str()]);
    let repository = open_at(&shallow, &sandbox.root.join("gulf/private"));
    let find = |name: &str| repository.find_commit(name).unwrap().unwrap();
    let error = repository.merge(&find("main"), &find("origin/other")).unwrap_err();
    assert!(matches!(error, GitError::HistoryCut { .. }), "{error}");
    assert!(error.hint().unwrap().contains("--unshallow"));
    assert_eq!(repository.steps(None, &find("main"), 10).unwrap().len(), 1);
}

#[test]
fn merge_drivers_of_the_project_do_not_run_and_its_attributes_count() {
    let sandbox = Sandbox::with(&[
        ("a.txt", "base\n"),
        ("log.txt", "base\n"),
        ("b.lock", "base\n"),
        (".gitattributes", "a.txt merge=evil\nlog.txt merge=union\nb.lock -merge\n"),
    ]);
    let mark = format!("touch '{}/ran'", sandbox.root);
    sandbox.git(&["config", "merge.evil.driver", &mark]);
    sandbox.git(&["config", "merge.default", "evil"]);
    let repository = sandbox.open();
    let base = head(&repository);
    let edits = |word: &str| ["a.txt", "log.txt", "b.lock"].map(|at| (at, put(&format!("{word}\n"))));
    let ours = commit(&repository, &[&base], &edits("ours"));
    let theirs = commit(&repository, &[&base], &edits("theirs"));
    let conflict = conflict(repository.merge(&ours, &theirs).unwrap());
    assert!(!sandbox.root.join("ran").exists());
    assert_eq!(conflict.paths, [path("a.txt"), path("b.lock")]);
    assert_eq!(text_of(&repository, &conflict.tree, "log.txt").as_deref(), Some("ours\ntheirs\n"));
}

#[test]
fn a_merge_commit_carries_trailers_that_are_read_again() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let base = head(&repository);
    let theirs = commit(&repository, &[&base], &[("a.txt", put("b\n"))]);
    let trailer = |name: &str, value: &str| Trailer { name: name.to_owned(), value: value.to_owned() };
    let trailers = vec![trailer("Gulf-Loop", "01J"), trailer("Gulf-Goal", "한글: make\nit so")];
    let title = "merge(gulf-loop): gulf/auto → main [autonomous]".to_owned();
    let message = MergeMessage { title: title.clone(), body: "Not: a trailer\n\nwords".to_owned(), trailers };
    let tree = repository.tree_of(&theirs).unwrap();
    let merge = repository.commit(&tree, &[&base, &theirs], &message.text(), WHEN).unwrap();
    assert_eq!(repository.commit(&tree, &[&base, &theirs], &message.text(), WHEN).unwrap(), merge);
    let steps = repository.steps(Some(&base), &merge, 10).unwrap();
    let [step] = steps.as_slice() else { panic!("{steps:?}") };
    assert_eq!((&step.commit, &step.tree, &step.title), (&merge, &tree, &title));
    assert_eq!(step.parents, [base.clone(), theirs]);
    assert_eq!(step.trailers, [trailer("Gulf-Loop", "01J"), trailer("Gulf-Goal", "한글: make it so")]);
    let all = repository.steps(None, &merge, 10).unwrap();
    assert_eq!(all.len(), 2);
    assert_eq!((all[1].title.as_str(), all[1].trailers.len()), ("work", 0));
    assert!(repository.descends(&merge, &base).unwrap());
    assert!(!repository.descends(&base, &merge).unwrap());
}

#[test]
fn named_paths_stand_as_in_another_tree() {
    let sandbox = Sandbox::with(&[("a.txt", "base\n"), ("progress.txt", "base\n")]);
    let repository = sandbox.open();
    let base = repository.tree_of(&head(&repository)).unwrap();
    sandbox.write_all(&[("a.txt", "x\n"), ("progress.txt", "x\n"), ("notes/n.txt", "x\n")]);
    let changed = repository.tree_of(&commit_of(&repository, &sandbox.snapshot(&repository).tree)).unwrap();
    let tree = repository.with_paths_of(&changed, &[path("progress.txt"), path("notes")], &base).unwrap();
    assert_eq!(paths_of(&repository, &tree), ["a.txt", "progress.txt"]);
    assert_eq!(text_of(&repository, &tree, "a.txt").as_deref(), Some("x\n"));
    assert_eq!(text_of(&repository, &tree, "progress.txt").as_deref(), Some("base\n"));
    assert_eq!(repository.with_paths_of(&changed, &[], &base).unwrap(), changed);
}

#[test]
fn twins_that_only_case_tells_apart_are_found_where_they_are_new() {
    let sandbox = Sandbox::with(&[("old.txt", "1\n"), ("OLD.txt", "2\n"), ("dir/x", "x\n")]);
    let repository = sandbox.open();
    let base = head(&repository);
    let theirs = commit(&repository, &[&base], &[("A.txt", put("A\n")), ("Dir/y", put("y\n"))]);
    let ours = commit(&repository, &[&base], &[("a.txt", put("a\n"))]);
    let tree = clean(repository.merge(&ours, &theirs).unwrap());
    let twins = repository.case_twins(&repository.tree_of(&base).unwrap(), &tree).unwrap();
    assert_eq!(twins, [[path("A.txt"), path("a.txt")], [path("Dir"), path("dir")]]);
}
