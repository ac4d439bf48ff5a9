//! What gulf writes beside the person's repository.

use std::fs;

use super::support::{Sandbox, path};
use crate::git::GitError;

#[test]
fn the_identity_is_remembered_in_the_local_configuration() {
    let sandbox = Sandbox::new();
    let repository = sandbox.open();
    assert_eq!(repository.identity().unwrap(), None);
    repository.set_identity("01J-한글 x").unwrap();
    assert_eq!(repository.identity().unwrap().as_deref(), Some("01J-한글 x"));
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
    let ignored = repository.ignored(&sandbox.index(), &asked).unwrap();
    assert_eq!(ignored, [path(".gulf"), path(".gulf/status.json")]);
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
