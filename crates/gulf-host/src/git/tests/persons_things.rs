//! What gulf writes beside the person's repository.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use camino::Utf8Path;

use super::support::{Sandbox, path};
use crate::git::GitError;

#[test]
fn the_identity_is_remembered_in_the_local_configuration() {
    let sandbox = Sandbox::new();
    let repository = sandbox.open();
    assert_eq!(repository.layout().identity().unwrap(), None);
    repository.layout().set_identity("01J-한글 x").unwrap();
    assert_eq!(repository.layout().identity().unwrap().as_deref(), Some("01J-한글 x"));
    assert_eq!(sandbox.git(&["config", "--local", "gulf.repository"]), "01J-한글 x");
}

#[test]
fn exclude_adds_what_is_missing_and_keeps_every_other_byte() {
    let sandbox = Sandbox::new();
    let repository = sandbox.open();
    let file = sandbox.project.join(".git/info/exclude");
    fs::write(&file, b"mine\r\nbytes \xff\n/.gulf/\nno newline").unwrap();
    repository.exclude(&["/.gulf/", "/progress.txt"]).unwrap();
    let expected: &[u8] = b"mine\r\nbytes \xff\n/.gulf/\nno newline\n\
        # gulf: what loops write beside the person's work\n/progress.txt\n";
    assert_eq!(fs::read(&file).unwrap(), expected);
    repository.exclude(&["/.gulf/", "/progress.txt"]).unwrap();
    assert_eq!(fs::read(&file).unwrap(), expected, "a second time changes nothing");
    repository.exclude(&["/decisions.md"]).unwrap();
    assert_eq!(fs::read(&file).unwrap(), [expected, b"/decisions.md\n"].concat());
}

#[test]
fn exclude_makes_the_file_where_there_is_none_and_refuses_what_is_no_line() {
    let sandbox = Sandbox::new();
    let repository = sandbox.open();
    fs::remove_dir_all(sandbox.project.join(".git/info")).unwrap();
    assert!(matches!(repository.exclude(&["a\nb"]), Err(GitError::Invalid { .. })));
    repository.exclude(&["/.gulf/"]).unwrap();
    sandbox.write_all(&[(".gulf/status.json", "{}"), ("a.txt", "a\n")]);
    let status = sandbox.git(&["status", "--porcelain"]);
    assert_eq!(status, "?? a.txt");
    sandbox.snapshot(&repository);
    let asked = [path(".gulf"), path("a.txt"), path(".gulf/status.json")];
    let ignored = repository.ignored(&sandbox.project, &sandbox.index(), &asked).unwrap();
    assert_eq!(ignored, [path(".gulf"), path(".gulf/status.json")]);
}

#[test]
fn exclude_leaves_the_file_as_readable_as_it_was_and_a_new_one_as_any_of_gits() {
    let sandbox = Sandbox::new();
    let repository = sandbox.open();
    let file = sandbox.project.join(".git/info/exclude");
    let mode = |path: &Utf8Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    fs::write(&file, "mine\n").unwrap();
    for (shared, pattern) in [(0o664, "/.gulf/"), (0o640, "/progress.txt")] {
        fs::set_permissions(&file, fs::Permissions::from_mode(shared)).unwrap();
        repository.exclude(&[pattern]).unwrap();
        assert_eq!(mode(&file), shared, "{pattern}");
    }
    fs::remove_file(&file).unwrap();
    repository.exclude(&["/.gulf/"]).unwrap();
    sandbox.commit_all();
    assert_eq!(mode(&file), mode(&sandbox.project.join(".git/COMMIT_EDITMSG")));
}

#[test]
fn excluding_reaches_every_added_worktree() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let added = sandbox.root.join("added");
    sandbox.git(&["worktree", "add", "-q", added.as_str()]);
    let repository = super::support::open_at(&added, &sandbox.root.join("gulf/added"));
    repository.exclude(&["/.gulf/"]).unwrap();
    let text = fs::read_to_string(sandbox.project.join(".git/info/exclude")).unwrap();
    assert!(text.ends_with("/.gulf/\n"));
}

#[test]
fn what_differs_from_head_is_counted_and_nothing_is_stored() {
    let sandbox =
        Sandbox::with(&[("a.txt", "a\n"), ("b.txt", "b\n"), ("c.txt", "c\n"), (".gitignore", "*.log\n")]);
    let repository = sandbox.open();
    assert_eq!(repository.count_uncommitted().unwrap(), 0);
    sandbox.write_all(&[
        ("a.txt", "other\n"),
        ("한글/new file.txt", "n\n"),
        ("x.log", "x\n"),
        ("staged.txt", "s\n"),
    ]);
    sandbox.remove("b.txt");
    sandbox.git(&["add", "staged.txt"]);
    let objects = sandbox.git(&["count-objects"]);
    assert_eq!(repository.count_uncommitted().unwrap(), 4);
    assert_eq!(sandbox.git(&["count-objects"]), objects);
}

#[test]
fn without_a_commit_everything_differs_and_there_is_no_newest() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "a\n");
    let repository = sandbox.open();
    assert_eq!(repository.count_uncommitted().unwrap(), 1);
    assert_eq!(repository.newest().unwrap(), None);
    sandbox.commit_all();
    assert_eq!(repository.newest().unwrap().map(|newest| newest.title).as_deref(), Some("work"));
    assert_eq!(repository.count_uncommitted().unwrap(), 0);
}
