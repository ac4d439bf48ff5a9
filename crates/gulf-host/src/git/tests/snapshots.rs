//! Snapshots in ordinary life.

use std::fs;

use super::support::{Sandbox, path, paths_of, persons_state, run_git, text_of};
use crate::git::{FileMode, Repository, SnapshotRequest, SubmoduleFinding, SubmoduleState, TreeEdit};

#[test]
fn a_clean_worktree_gives_the_tree_of_head() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n"), ("src/b.txt", "b\n")]);
    let repository = sandbox.open();
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(Some(snapshot.tree), sandbox.base(&repository));
}

#[test]
fn changed_new_and_deleted_files_enter_and_ignored_ones_do_not() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n"), ("b.txt", "b\n"), (".gitignore", "*.log\n")]);
    let repository = sandbox.open();
    sandbox.write_all(&[("a.txt", "changed\n"), ("new/c.txt", "c\n"), ("x.log", "noise\n")]);
    sandbox.remove("b.txt");
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(paths_of(&repository, &snapshot.tree), [".gitignore", "a.txt", "new/c.txt"]);
    assert_eq!(text_of(&repository, &snapshot.tree, "a.txt").as_deref(), Some("changed\n"));
}

#[test]
fn the_persons_branch_index_and_worktree_stay_as_they_are() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    sandbox.write("staged.txt", "staged\n");
    sandbox.git(&["add", "staged.txt"]);
    sandbox.write("a.txt", "dirty\n");
    let before = persons_state(&sandbox);
    let repository = sandbox.open();
    let snapshot = sandbox.snapshot(&repository);
    let commit = super::support::commit_of(&repository, &snapshot.tree);
    sandbox.checkout(&repository, &commit, crate::git::Keep::IgnoredOutput);
    assert_eq!(persons_state(&sandbox), before);
    assert_eq!(fs::read_to_string(sandbox.project.join("a.txt")).unwrap(), "dirty\n");
    assert_eq!(paths_of(&repository, &snapshot.tree), ["a.txt", "b.txt", "staged.txt"]);
}

#[test]
fn an_index_goes_on_where_the_base_is_what_it_gave_last_and_nowhere_else() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n"), ("notes.md", "base\n")]);
    let repository = sandbox.open();
    let index = sandbox.index();
    let text = [path("notes.md")];
    let on = |base| {
        let request =
            SnapshotRequest { index: &index, base: Some(base), loop_texts: &text, file_bytes_max: 99 };
        repository.snapshot(&request).unwrap()
    };
    let base = sandbox.base(&repository).unwrap();
    sandbox.write_all(&[("a.txt", "changed\n"), ("notes.md", "changed\n")]);
    let given = on(&base).tree;
    assert_eq!(text_of(&repository, &given, "notes.md").as_deref(), Some("base\n"));
    assert_eq!(on(&given).tree, given);
    sandbox.write("a.txt", "once more\n");
    let later = on(&given).tree;
    assert_eq!(text_of(&repository, &later, "a.txt").as_deref(), Some("once more\n"));
    let text = TreeEdit::Put(b"another base\n".to_vec(), FileMode::File);
    let other = repository.write_tree_with(&base, &[(path("notes.md"), text)]).unwrap();
    // The index holds neither this base nor what was given on it.
    assert_eq!(text_of(&repository, &on(&other).tree, "notes.md").as_deref(), Some("another base\n"));
}

#[test]
fn a_second_snapshot_of_the_same_worktree_is_unchanged() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    sandbox.write("a.txt", "changed\n");
    let first = sandbox.snapshot(&repository);
    let second = sandbox.snapshot(&repository);
    assert_eq!(second.tree, first.tree);
    sandbox.write("a.txt", "CHANGED\n");
    let third = sandbox.snapshot(&repository);
    assert_ne!(third.tree, first.tree);
}

#[test]
fn a_touched_file_is_no_change() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let first = sandbox.snapshot(&repository);
    sandbox.write("a.txt", "a\n");
    let second = sandbox.snapshot(&repository);
    assert_eq!(second.tree, first.tree);
}

#[test]
fn a_change_that_keeps_length_and_time_stamp_is_seen() {
    let sandbox = Sandbox::with(&[("a.txt", "aaaa\n")]);
    let repository = sandbox.open();
    let file = sandbox.project.join("a.txt");
    sandbox.snapshot(&repository);
    let times = fs::metadata(&file).unwrap().modified().unwrap();
    sandbox.write("a.txt", "bbbb\n");
    fs::File::options().write(true).open(&file).unwrap().set_modified(times).unwrap();
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(text_of(&repository, &snapshot.tree, "a.txt").as_deref(), Some("bbbb\n"));
}

#[test]
fn loop_texts_stand_as_in_the_base_or_not_at_all() {
    let texts = ["RUBRIC.md", "gulf.toml", "progress.txt", ".gulf", ".claude/memory"];
    let sandbox = Sandbox::with(&[("RUBRIC.md", "strict\n"), ("gulf.toml", "x = 1\n"), ("a.txt", "a\n")]);
    let repository = sandbox.open();
    sandbox.write_all(&[("RUBRIC.md", "lenient\n"), ("progress.txt", "p\n"), (".gulf/status.json", "{}")]);
    sandbox.write_all(&[(".claude/memory/x.md", "m\n"), (".gulfstream/y", "y\n"), ("a.txt", "b\n")]);
    sandbox.remove("gulf.toml");
    let snapshot = sandbox.snapshot_with(&repository, &texts, u64::MAX).unwrap();
    let expected = [".gulfstream/y", "RUBRIC.md", "a.txt", "gulf.toml"];
    assert_eq!(paths_of(&repository, &snapshot.tree), expected);
    assert_eq!(text_of(&repository, &snapshot.tree, "RUBRIC.md").as_deref(), Some("strict\n"));
}

#[test]
fn edits_of_loop_texts_alone_are_no_change() {
    let sandbox = Sandbox::with(&[("RUBRIC.md", "strict\n"), ("a.txt", "a\n")]);
    let repository = sandbox.open();
    let first = sandbox.snapshot_with(&repository, &["RUBRIC.md"], u64::MAX).unwrap();
    sandbox.write("RUBRIC.md", "lenient\n");
    let second = sandbox.snapshot_with(&repository, &["RUBRIC.md"], u64::MAX).unwrap();
    assert_eq!(second.tree, first.tree);
}

#[test]
fn a_text_committed_by_the_worker_still_stands_as_in_the_base() {
    let sandbox = Sandbox::with(&[("RUBRIC.md", "strict\n")]);
    let repository = sandbox.open();
    let base = sandbox.base(&repository).unwrap();
    sandbox.write_all(&[("RUBRIC.md", "lenient\n"), ("PROMPT.md", "p\n"), ("a.txt", "a\n")]);
    sandbox.commit_all();
    let request = SnapshotRequest {
        index: &sandbox.index(),
        base: Some(&base),
        loop_texts: &[path("RUBRIC.md"), path("PROMPT.md")],
        file_bytes_max: 100,
    };
    let snapshot = repository.snapshot(&request).unwrap();
    assert_eq!(paths_of(&repository, &snapshot.tree), ["RUBRIC.md", "a.txt"]);
    assert_eq!(text_of(&repository, &snapshot.tree, "RUBRIC.md").as_deref(), Some("strict\n"));
}

#[test]
fn large_files_are_named_and_left_out() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n"), ("grows.txt", "small\n")]);
    let repository = sandbox.open();
    sandbox.write_all(&[("big.bin", &"x".repeat(2000)), ("grows.txt", &"y".repeat(3000))]);
    for round in 0..2 {
        let snapshot = sandbox.snapshot_with(&repository, &[], 1000).unwrap();
        assert_eq!(paths_of(&repository, &snapshot.tree), ["a.txt"], "round {round}");
        let named: Vec<String> =
            snapshot.left_out.iter().map(|file| format!("{}: {}", file.path, file.why)).collect();
        assert_eq!(named, ["big.bin: 2000 bytes, over the limit", "grows.txt: 3000 bytes, over the limit"]);
    }
}

#[test]
fn a_large_file_of_the_base_stays_while_it_does_not_change() {
    let sandbox = Sandbox::with(&[("big.bin", &"x".repeat(2000))]);
    let repository = sandbox.open();
    let snapshot = sandbox.snapshot_with(&repository, &[], 1000).unwrap();
    assert_eq!(paths_of(&repository, &snapshot.tree), ["big.bin"]);
    assert_eq!(snapshot.left_out, []);
}

#[test]
fn a_file_tracked_though_ignored_stays_and_one_added_by_force_enters() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    sandbox.write_all(&[(".gitignore", "dist/\n"), ("dist/kept.js", "1\n"), ("dist/noise.js", "2\n")]);
    sandbox.git(&["add", "-f", "dist/kept.js", ".gitignore"]);
    let repository = sandbox.open();
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(paths_of(&repository, &snapshot.tree), [".gitignore", "a.txt", "dist/kept.js"]);
    sandbox.write_all(&[("dist/kept.js", "3\n"), ("dist/later.js", "4\n")]);
    sandbox.git(&["add", "-f", "dist/later.js"]);
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(text_of(&repository, &snapshot.tree, "dist/kept.js").as_deref(), Some("3\n"));
    assert_eq!(text_of(&repository, &snapshot.tree, "dist/later.js").as_deref(), Some("4\n"));
}

#[test]
fn an_unborn_branch_and_an_empty_repository_have_snapshots() {
    let sandbox = Sandbox::new();
    let repository = sandbox.open();
    let empty = sandbox.snapshot(&repository);
    assert_eq!(empty.tree, repository.empty_tree());
    sandbox.write("a.txt", "a\n");
    assert_eq!(paths_of(&repository, &sandbox.snapshot(&repository).tree), ["a.txt"]);
}

#[test]
fn a_lock_left_by_a_crash_does_not_stop_the_next_snapshot() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    sandbox.snapshot(&repository);
    fs::write(format!("{}.lock", sandbox.index()), "half an index").unwrap();
    sandbox.write("a.txt", "b\n");
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(text_of(&repository, &snapshot.tree, "a.txt").as_deref(), Some("b\n"));
}

#[test]
fn a_broken_private_index_is_made_anew() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let first = sandbox.snapshot(&repository);
    for broken in ["", "DIRC", "nonsense that is longer than a checksum"] {
        fs::write(sandbox.index(), broken).unwrap();
        assert_eq!(sandbox.snapshot(&repository).tree, first.tree, "index {broken:?}");
    }
    fs::remove_file(sandbox.index()).unwrap();
    assert_eq!(sandbox.snapshot(&repository).tree, first.tree);
}

#[test]
fn objects_pruned_between_two_snapshots_are_written_again() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    sandbox.write("new.txt", "unreferenced\n");
    sandbox.snapshot(&repository);
    sandbox.git(&["prune", "--expire=now"]);
    sandbox.write("other.txt", "other\n");
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(text_of(&repository, &snapshot.tree, "new.txt").as_deref(), Some("unreferenced\n"));
}

#[test]
fn another_base_makes_the_index_anew() {
    let sandbox = Sandbox::with(&[("RUBRIC.md", "one\n")]);
    let repository = sandbox.open();
    let first = sandbox.snapshot_with(&repository, &["RUBRIC.md"], 100).unwrap();
    sandbox.write("RUBRIC.md", "two\n");
    sandbox.commit_all();
    let second = sandbox.snapshot_with(&repository, &["RUBRIC.md"], 100).unwrap();
    assert_ne!(first.tree, second.tree);
    assert_eq!(text_of(&repository, &second.tree, "RUBRIC.md").as_deref(), Some("two\n"));
}

#[test]
fn submodules_are_recorded_by_their_commit_and_dirty_ones_reported() {
    let library = Sandbox::with(&[("lib.txt", "1\n")]);
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    sandbox.git(&["submodule", "add", "-q", library.project.as_str(), "lib"]);
    sandbox.commit_all();
    let repository = sandbox.open();
    let clean = sandbox.snapshot(&repository);
    assert_eq!(clean.submodules, []);
    assert_eq!(Some(clean.tree), sandbox.base(&repository));
    sandbox.write("lib/lib.txt", "2\n");
    let dirty = sandbox.snapshot(&repository);
    let finding = SubmoduleFinding { path: path("lib"), state: SubmoduleState::Dirty };
    assert_eq!(dirty.submodules, [finding]);
    run_git(&sandbox.project.join("lib"), &["commit", "-qam", "moved"]);
    let moved = sandbox.snapshot(&repository);
    assert_eq!(moved.submodules, []);
    assert_ne!(moved.tree, dirty.tree);
}

#[test]
fn a_nested_repository_is_recorded_and_one_without_a_commit_reported() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let nested = sandbox.project.join("nested");
    fs::create_dir_all(&nested).unwrap();
    run_git(&nested, &["init", "-q"]);
    let repository = sandbox.open();
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(paths_of(&repository, &snapshot.tree), ["a.txt"]);
    let finding = SubmoduleFinding { path: path("nested"), state: SubmoduleState::WithoutCommit };
    assert_eq!(snapshot.submodules, [finding]);
    run_git(&nested, &["commit", "-q", "--allow-empty", "-m", "first"]);
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(paths_of(&repository, &snapshot.tree), ["a.txt", "nested"]);
    assert_eq!(snapshot.submodules, []);
}

#[test]
fn files_a_sparse_worktree_leaves_out_stay_and_one_put_there_counts() {
    let sandbox = Sandbox::with(&[("in/a.txt", "a\n"), ("out/b.txt", "b\n"), ("out/c.txt", "c\n")]);
    sandbox.git(&["sparse-checkout", "set", "in"]);
    assert!(!sandbox.project.join("out/b.txt").exists());
    let repository = sandbox.open();
    assert_eq!(Some(sandbox.snapshot(&repository).tree), sandbox.base(&repository));
    sandbox.write("out/b.txt", "written by the worker\n");
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(paths_of(&repository, &snapshot.tree), ["in/a.txt", "out/b.txt", "out/c.txt"]);
    let text = text_of(&repository, &snapshot.tree, "out/b.txt");
    assert_eq!(text.as_deref(), Some("written by the worker\n"));
}

#[test]
fn bits_of_the_persons_index_hide_nothing() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n"), ("b.txt", "b\n"), ("c.txt", "c\n")]);
    sandbox.git(&["update-index", "--skip-worktree", "a.txt", "c.txt"]);
    sandbox.git(&["update-index", "--assume-unchanged", "b.txt"]);
    sandbox.write_all(&[("a.txt", "A\n"), ("b.txt", "B\n")]);
    let repository = sandbox.open();
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(text_of(&repository, &snapshot.tree, "a.txt").as_deref(), Some("A\n"));
    assert_eq!(text_of(&repository, &snapshot.tree, "b.txt").as_deref(), Some("B\n"));
    sandbox.write("c.txt", "C\n");
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(text_of(&repository, &snapshot.tree, "c.txt").as_deref(), Some("C\n"));
}

#[test]
fn an_added_worktree_is_a_worktree_of_its_own() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let added = sandbox.root.join("added");
    sandbox.git(&["worktree", "add", "-q", "-b", "side", added.as_str()]);
    let repository = super::support::open_at(&added, &sandbox.root.join("gulf/added"));
    assert_eq!(repository.work_tree(), added);
    fs::write(added.join("b.txt"), "b\n").unwrap();
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(paths_of(&repository, &snapshot.tree), ["a.txt", "b.txt"]);
}

#[test]
fn a_project_without_git_has_snapshots_through_a_shadow_repository() {
    let folder = tempfile::tempdir().unwrap();
    let root = camino::Utf8Path::from_path(folder.path()).unwrap();
    let project = root.join("project");
    for (file, text) in [("a.txt", "a\n"), ("node_modules/x/index.js", "x\n")] {
        super::support::write_below(&project, file, text.as_bytes());
    }
    let open = || Repository::shadow(&project, &root.join("shadow"), &root.join("private")).unwrap();
    let index = root.join("index");
    let request = SnapshotRequest { index: &index, base: None, loop_texts: &[], file_bytes_max: 100 };
    let snapshot = open().snapshot(&request).unwrap();
    assert_eq!(paths_of(&open(), &snapshot.tree), ["a.txt"]);
    assert_eq!(open().snapshot(&request).unwrap(), snapshot);
    assert!(!project.join(".git").exists());
}

#[test]
fn a_file_that_is_not_in_the_encoding_its_attribute_names_is_named_and_keeps_nothing_else_out() {
    let sandbox = Sandbox::with(&[("old 옛.rc", "old\n"), ("a.txt", "a\n")]);
    let repository = sandbox.open();
    sandbox.write_all(&[
        (".gitattributes", "*.rc working-tree-encoding=UTF-16\n"),
        ("old 옛.rc", "changed\n"),
        ("new.rc", "new\n"),
        ("a.txt", "changed\n"),
    ]);
    fs::write(sandbox.project.join("right.rc"), b"\xff\xfer\0\n\0").unwrap();
    for _ in 0..2 {
        let snapshot = sandbox.snapshot(&repository);
        let named: Vec<String> = snapshot.left_out.iter().map(|one| one.path.to_string()).collect();
        assert_eq!(named, ["new.rc", "old 옛.rc"], "{:?}", snapshot.left_out);
        assert!(snapshot.left_out[0].why.contains("working-tree-encoding"), "{:?}", snapshot.left_out);
        let text = |path| text_of(&repository, &snapshot.tree, path);
        assert_eq!(text("a.txt").as_deref(), Some("changed\n"));
        assert_eq!(text("old 옛.rc").as_deref(), Some("old\n"));
        assert_eq!(text("right.rc").as_deref(), Some("r\n"));
        assert_eq!(text("new.rc"), None);
    }
}

#[test]
fn what_was_ignored_at_the_start_stays_out_and_is_named_once_and_what_is_new_is_taken() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n"), (".gitignore", ".env\nbuilt/\n__pycache__/\n")]);
    sandbox.write_all(&[
        (".env", "SECRET=1\n"),
        ("built/deep/a.o", "o\n"),
        ("built/b.o", "o\n"),
        ("left/__pycache__/x.pyc", "x\n"),
    ]);
    let mut repository = sandbox.open();
    repository.seal_settings().unwrap();
    assert_eq!(sandbox.snapshot(&repository).ignored, []);
    sandbox.write_all(&[(".gitignore", "!.env\n"), ("left/new.py", "new\n"), ("new.env", "new\n")]);
    let snapshot = sandbox.snapshot(&repository);
    let taken = [".gitignore", "a.txt", "left/new.py", "new.env"];
    assert_eq!(paths_of(&repository, &snapshot.tree), taken);
    assert_eq!(snapshot.ignored, [path(".env"), path("built"), path("left/__pycache__")]);
    // Nor does it come in by git's index.
    sandbox.write(".gitignore", ".env\nbuilt/\n__pycache__/\n");
    sandbox.git(&["add", "-f", ".env"]);
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(
        (paths_of(&repository, &snapshot.tree), snapshot.ignored),
        (taken.map(String::from).to_vec(), vec![path(".env")])
    );
}
