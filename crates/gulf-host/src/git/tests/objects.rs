//! Commits, references, differences, reads and overlays.

use crate::hint::Hint as _;
use std::time::Duration;

use super::support::{Sandbox, commit_of, path, paths_of, run_git, text_of};
use crate::git::program::Call;
use crate::git::{
    CheckoutRequest, CommitId, CommitStamp, Expected, FileMode, GitError, Keep, RefName, TreeChangeKind,
    TreeEdit, TreeId,
};

#[test]
fn the_same_commit_twice_has_the_same_id_and_gulfs_name() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let tree = sandbox.snapshot(&repository).tree;
    let first = commit_of(&repository, &tree);
    assert_eq!(first, commit_of(&repository, &tree));
    let shown = sandbox.git(&["show", "-s", "--format=%an <%ae> %cn <%ce> %at %B", first.as_str()]);
    assert_eq!(shown, "gulf <gulf@localhost> gulf <gulf@localhost> 1800000000 candidate");
    assert_eq!(repository.tree_of(&first).unwrap(), tree);
    let later = CommitStamp { unix_seconds: 1_800_000_001 };
    assert_ne!(repository.commit(&tree, &[], "candidate\n", later).unwrap(), first);
}

#[test]
fn a_reference_moves_only_from_where_it_was_expected() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let head = repository.head().unwrap().commit().unwrap().clone();
    let other = commit_of(&repository, &repository.tree_of(&head).unwrap());
    let name = RefName::iteration("2026-02-13T1430_login", 1).unwrap();
    repository.update_ref(&name, &head, &Expected::Absent).unwrap();
    let error = repository.update_ref(&name, &other, &Expected::Absent).unwrap_err();
    assert!(matches!(&error, GitError::RefMoved { actual: Some(at), .. } if *at == head), "{error}");
    let error = repository.update_ref(&name, &other, &Expected::At(other.clone())).unwrap_err();
    assert!(matches!(error, GitError::RefMoved { .. }), "{error}");
    repository.update_ref(&name, &other, &Expected::At(head.clone())).unwrap();
    assert_eq!(repository.read_ref(&name).unwrap(), Some(other.clone()));
    assert_eq!(repository.list_refs("refs/gulf").unwrap(), [(name.clone(), other.clone())]);
    let error = repository.delete_ref(&name, &Expected::At(head)).unwrap_err();
    assert!(matches!(error, GitError::RefMoved { .. }), "{error}");
    repository.delete_ref(&name, &Expected::At(other)).unwrap();
    repository.delete_ref(&name, &Expected::Anything).unwrap();
    assert_eq!(repository.read_ref(&name).unwrap(), None);
}

#[test]
fn a_reference_keeps_a_snapshot_from_being_pruned() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    sandbox.write("a.txt", "kept\n");
    let tree = sandbox.snapshot(&repository).tree;
    let name = RefName::iteration("loop", 1).unwrap();
    repository.update_ref(&name, &commit_of(&repository, &tree), &Expected::Absent).unwrap();
    sandbox.git(&["gc", "-q", "--prune=now"]);
    assert_eq!(text_of(&repository, &tree, "a.txt").as_deref(), Some("kept\n"));
    assert_eq!(sandbox.snapshot(&repository).tree, tree);
}

#[test]
fn only_references_of_gulf_can_be_named() {
    for bad in [
        "refs/heads/main", "HEAD", "refs/gulf/", "refs/gulf/../heads/main", "refs/gulf/a b",
        "refs/gulf/x.lock",
    ] {
        assert!(RefName::parse(bad).is_err(), "{bad}");
    }
    assert!(RefName::parse("refs/gulf/2026-02-13T1430_로그인/12").is_ok());
}

#[test]
fn ids_are_full_and_lower_case() {
    for bad in ["", "abc", &"g".repeat(40), &"A".repeat(40), &"a".repeat(41)] {
        assert!(TreeId::parse(bad).is_err(), "{bad}");
    }
    assert!(CommitId::parse(&"0a".repeat(32)).is_ok());
}

#[test]
fn a_difference_names_each_path_once_with_its_kind() {
    let sandbox = Sandbox::with(&[("gone", "g\n"), ("same", "s\n"), ("changed", "1\n")]);
    let repository = sandbox.open();
    let base = sandbox.base(&repository).unwrap();
    sandbox.remove("gone");
    sandbox.write_all(&[("changed", "2\n"), ("added/x", "g\n")]);
    let changes = repository.diff(&base, &sandbox.snapshot(&repository).tree).unwrap();
    let kinds: Vec<(String, TreeChangeKind)> =
        changes.iter().map(|change| (change.path.to_string(), change.kind)).collect();
    let expected = [
        ("added/x".to_owned(), TreeChangeKind::Added),
        ("changed".to_owned(), TreeChangeKind::Modified),
        ("gone".to_owned(), TreeChangeKind::Deleted),
    ];
    assert_eq!(kinds, expected);
    assert!(changes[0].old_blob.is_none() && changes[2].new_blob.is_none());
    let new = changes[1].new_blob.as_ref().unwrap();
    assert_eq!(repository.read_blob(new, 10).unwrap(), b"2\n");
    assert!(repository.diff(&base, &base).unwrap().is_empty());
}

#[test]
fn lines_are_counted_for_texts_and_not_for_bytes_without_lines() {
    let sandbox = Sandbox::with(&[("gone", "1\n2\n"), ("changed", "1\n2\n"), ("same", "s\n")]);
    let repository = sandbox.open();
    let base = sandbox.base(&repository).unwrap();
    sandbox.remove("gone");
    sandbox.write_all(&[("changed", "1\n3\n4\n"), ("new\tand odd", "n\n"), ("picture", "\0\0\n")]);
    let counts = repository.count_lines(&base, &sandbox.snapshot(&repository).tree).unwrap();
    let counts: Vec<(String, Option<(u32, u32)>)> =
        counts.iter().map(|one| (one.path.to_string(), one.lines)).collect();
    let counted = |added, removed| Some((added, removed));
    let expected = [
        ("changed".to_owned(), counted(2, 1)),
        ("gone".to_owned(), counted(0, 2)),
        ("new\\tand odd".to_owned(), counted(1, 0)),
        ("picture".to_owned(), None),
    ];
    assert_eq!(counts, expected);
    assert!(repository.count_lines(&base, &base).unwrap().is_empty());
}

#[test]
fn many_blobs_are_read_at_once_and_a_large_one_is_left_out_or_refused() {
    let sandbox = Sandbox::with(&[("a", "one\n"), ("b", "two\nlines\n"), ("empty", "")]);
    let repository = sandbox.open();
    let tree = sandbox.base(&repository).unwrap();
    let blobs: Vec<_> = repository.list(&tree).unwrap().into_iter().map(|entry| entry.blob).collect();
    let read = repository.read_small_blobs(&blobs, 100).unwrap();
    assert_eq!(read[&blobs[0]], b"one\n");
    assert_eq!(read[&blobs[1]], b"two\nlines\n");
    assert_eq!(read[&blobs[2]], b"");
    assert_eq!(repository.read_small_blobs(&blobs, 5).unwrap().len(), 2);
    assert!(repository.read_small_blobs(&[], 5).unwrap().is_empty());
    assert_eq!(repository.read_blob(&blobs[0], 5).unwrap(), b"one\n");
    assert!(matches!(repository.read_blob(&blobs[1], 5), Err(GitError::BlobTooLarge { .. })));
    assert_eq!(repository.read_file(&tree, &path("nowhere"), 5).unwrap(), None);
    let missing = crate::git::BlobId::parse(&"1".repeat(40)).unwrap();
    assert!(matches!(repository.read_blob(&missing, 5), Err(GitError::ObjectMissing { .. })));
}

#[test]
fn a_tree_is_written_from_another_one_and_edits() {
    let sandbox =
        Sandbox::with(&[("src/a", "a\n"), ("tests/t", "old\n"), ("tests/gone", "g\n"), ("file", "f\n")]);
    let repository = sandbox.open();
    let base = sandbox.base(&repository).unwrap();
    sandbox.write_all(&[("src/a", "changed\n"), ("tests/t", "new\n"), ("tests/deep/n", "n\n")]);
    sandbox.remove("tests/gone");
    let candidate = sandbox.snapshot(&repository).tree;
    let put = |text: &str| TreeEdit::Put(text.as_bytes().to_vec(), FileMode::Executable);
    let edits = [
        (path("tests"), TreeEdit::Take(candidate.clone())),
        (path("file"), TreeEdit::Remove),
        (path("run me"), put("line\nline\n")),
        (path("src/a/below"), put("")),
    ];
    let tree = repository.write_tree_with(&base, &edits).unwrap();
    assert_eq!(paths_of(&repository, &tree), ["run me", "src/a/below", "tests/deep/n", "tests/t"]);
    assert_eq!(text_of(&repository, &tree, "tests/t").as_deref(), Some("new\n"));
    assert_eq!(text_of(&repository, &tree, "run me").as_deref(), Some("line\nline\n"));
    assert_eq!(repository.write_tree_with(&base, &[]).unwrap(), base);
    let all_gone = [
        (path("src"), TreeEdit::Remove),
        (path("tests"), TreeEdit::Remove),
        (path("file"), TreeEdit::Remove),
    ];
    assert_eq!(repository.write_tree_with(&base, &all_gone).unwrap(), repository.empty_tree());
    let absent = [(path("src/nothing"), TreeEdit::Take(candidate))];
    assert_eq!(repository.write_tree_with(&base, &absent).unwrap(), base);
}

#[test]
fn the_log_since_a_commit_is_short_and_newest_first() {
    let sandbox = Sandbox::with(&[("a", "a\n")]);
    let repository = sandbox.open();
    let since = repository.head().unwrap().commit().unwrap().clone();
    assert!(repository.log_since(&since, 10).unwrap().is_empty());
    for subject in ["first", "둘째", "third"] {
        sandbox.git(&["commit", "-q", "--allow-empty", "-m", subject, "-m", "body"]);
    }
    let lines = repository.log_since(&since, 2).unwrap();
    let subjects: Vec<&str> = lines.iter().map(|line| line.title.as_str()).collect();
    assert_eq!(subjects, ["third", "둘째"]);
    assert_eq!(lines[0].commit.as_str(), sandbox.git(&["rev-parse", "HEAD"]));
}

#[cfg(unix)]
#[test]
fn a_git_that_never_ends_is_ended() {
    let sandbox = Sandbox::new();
    // An alias starts a shell below git: it must go with it.
    let settings = ["alias.hang=!exec cat /dev/zero > /dev/null".to_owned()];
    let call =
        Call::new(sandbox.project.as_std_path(), &settings, "hang").wall_max(Duration::from_millis(50));
    let error = call.run().err().unwrap();
    assert!(matches!(error, GitError::TimedOut { .. }), "{error}");
}

#[test]
fn a_failure_carries_what_git_said() {
    let sandbox = Sandbox::new();
    let unknown = CommitId::parse(&"1".repeat(40)).unwrap();
    let error = sandbox.open().common_ancestor(&unknown, &unknown).unwrap_err();
    let GitError::Failed { code: 128, said, .. } = &error else { panic!("{error}") };
    assert!(said.starts_with("fatal:"), "{said}");
}

#[test]
fn an_object_that_is_damaged_is_called_that_and_not_the_checkout() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n"), ("src/b.txt", "damaged soon\n")]);
    let repository = sandbox.open();
    let commit = sandbox.candidate(&repository);
    let blob = run_git(&sandbox.project, &["rev-parse", &format!("{commit}:src/b.txt")]);
    let (folder, file) = blob.trim().split_at(2);
    let object = sandbox.project.join(".git/objects").join(folder).join(file);
    std::fs::remove_file(&object).unwrap();
    std::fs::write(&object, "no zlib").unwrap();
    let request = CheckoutRequest {
        directory: &sandbox.checkout_directory(),
        index: &sandbox.root.join("room.index"),
        commit: &commit,
        keep: Keep::IgnoredOutput,
        keep_paths: &[],
    };
    let error = repository.checkout(&request).unwrap_err();
    let GitError::ObjectCorrupt { what, .. } = &error else { panic!("{error}") };
    assert_eq!(what, "src/b.txt");
    assert!(error.hint().unwrap().contains("git fsck"), "{error}");
}

#[test]
fn what_the_machine_lacks_is_told_apart_from_a_damaged_repository() {
    let failed = |said: &str| GitError::Failed { verb: "add".to_owned(), code: 128, said: said.to_owned() };
    let hint = |said: &str| failed(said).hint().unwrap_or_default();
    assert!(
        hint("fatal: unable to write loose object file: No space left on device").contains("disk is full")
    );
    assert!(hint("error: insufficient permission for adding an object").contains("owner and permissions"));
    assert!(hint("fatal: bad revision").contains("git fsck"));
}

/// Puts other bytes in the place of an object, in git's own form.
fn forge(sandbox: &Sandbox, name: &str, kind: &str, bytes: &[u8]) {
    let id = run_git(&sandbox.project, &["rev-parse", name]);
    let (folder, file) = id.trim().split_at(2);
    let object = sandbox.project.join(".git/objects").join(folder).join(file);
    let other = sandbox.root.join("other");
    std::fs::write(&other, bytes).unwrap();
    let made = run_git(&sandbox.project, &["hash-object", "--literally", "-w", "-t", kind, other.as_str()]);
    let (folder, file) = made.trim().split_at(2);
    std::fs::remove_file(&object).unwrap();
    std::fs::rename(sandbox.project.join(".git/objects").join(folder).join(file), object).unwrap();
}

#[test]
fn an_object_with_the_name_of_another_is_told_wherever_its_bytes_count() {
    let sandbox = Sandbox::with(&[("tests/[a].txt", "equal\n"), ("tests/b.txt", "b\n"), ("c.txt", "c\n")]);
    let repository = sandbox.open();
    let commit = sandbox.candidate(&repository);
    let tree = repository.tree_of(&commit).unwrap();
    repository.verify_trees(&[&tree]).unwrap();
    forge(&sandbox, &format!("{commit}:tests/[a].txt"), "blob", b"weaker\n");
    let (directory, index) = (sandbox.checkout_directory(), sandbox.root.join("room.index"));
    let request = CheckoutRequest {
        directory: &directory,
        index: &index,
        commit: &commit,
        keep: Keep::IgnoredOutput,
        keep_paths: &[],
    };
    let forged = |error: GitError| matches!(error, GitError::ObjectForged { .. }) && error.needs_person();
    let told =
        repository.checkout(&request).and_then(|_| repository.rewritten(&directory, &index, &|_| false));
    let told = told.unwrap_err();
    assert!(matches!(told, GitError::ObjectForged { .. }), "{told:?}");
    forge(&sandbox, &format!("{commit}:tests"), "tree", b"");
    assert!(forged(sandbox.open().verify_trees(&[&tree]).unwrap_err()));
}

/// Everything that git keeps loose, with these bytes in its place.
fn damage_all(project: &camino::Utf8Path, content: Option<&str>) {
    for folder in project.join(".git/objects").read_dir_utf8().unwrap() {
        let folder = folder.unwrap();
        if folder.file_name().len() != 2 {
            continue;
        }
        for object in folder.path().read_dir_utf8().unwrap() {
            let object = object.unwrap().into_path();
            std::fs::remove_file(&object).unwrap();
            if let Some(content) = content {
                std::fs::write(&object, content).unwrap();
            }
        }
    }
}

#[test]
fn a_store_whose_objects_cannot_be_read_is_damaged_whatever_git_was_asked_for() {
    for content in [Some("x"), Some(""), None] {
        let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
        let repository = sandbox.open();
        let commit = sandbox.candidate(&repository);
        let tree = repository.tree_of(&commit).unwrap();
        damage_all(&sandbox.project, content);
        let stamp = CommitStamp { unix_seconds: 0 };
        let error = repository.commit(&tree, &[&commit], "next\n", stamp).unwrap_err();
        assert!(matches!(error, GitError::StoreDamaged { .. }), "{content:?}: {error}");
        assert!(error.needs_person() && error.hint().unwrap().contains("git fsck"), "{error}");
        let error = repository.list(&tree).unwrap_err();
        assert!(matches!(error, GitError::StoreDamaged { .. }), "{content:?}: {error}");
    }
}

#[test]
fn a_head_whose_tree_is_not_there_is_a_damaged_store() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let tree = run_git(&sandbox.project, &["rev-parse", "HEAD^{tree}"]);
    let (folder, file) = tree.trim().split_at(2);
    std::fs::remove_file(sandbox.project.join(".git/objects").join(folder).join(file)).unwrap();
    let error = repository.head_with_tree(None).unwrap_err();
    assert!(matches!(error, GitError::StoreDamaged { .. }), "{error}");
    assert!(error.hint().unwrap().contains("git fsck"), "{error}");
}

#[test]
fn a_git_that_was_killed_says_by_what_and_each_failure_says_what_to_do() {
    let sandbox = Sandbox::new();
    let settings = ["alias.die=!kill -9 $$".to_owned(), "alias.end=!kill -9 $PPID".to_owned()];
    let call = |verb| Call::new(sandbox.project.as_std_path(), &settings, verb).run().err().unwrap();
    let killed = call("end");
    assert_eq!(killed.to_string(), "git end was killed by signal 9");
    assert!(killed.hint().unwrap().contains("memory"));
    let silent = call("die");
    assert!(!silent.to_string().ends_with(": "), "{silent}");
    assert!(silent.hint().is_some());
}

#[test]
fn a_configuration_that_git_cannot_read_is_a_persons_to_correct_and_tried_no_more() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let head = repository.head().unwrap().commit().unwrap().clone();
    std::fs::write(sandbox.project.join(".git/config"), "[core\n").unwrap();
    let name = RefName::iteration("2026-02-13T1430_login", 1).unwrap();
    let error = repository.update_ref(&name, &head, &Expected::Absent).unwrap_err();
    assert!(matches!(error, GitError::Configuration { .. }) && error.needs_person(), "{error}");
}
