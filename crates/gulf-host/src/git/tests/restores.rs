//! A restored folder holds what the commit has and nothing else; a failed one leaves nothing.

use std::fs;
use std::process::Command;

use super::support::{Sandbox, commit_of};
use crate::git::{DiffForm, TreeId};

#[test]
fn the_files_of_a_commit_are_written_with_their_modes_and_links_and_without_a_git_directory() {
    let sandbox =
        Sandbox::with(&[("a.txt", "one\n"), ("폴더 하나/b c.txt", "둘\n"), (".gitignore", "*.log\n")]);
    fs::write(sandbox.project.join("image.bin"), [0_u8, 255, 13, 10]).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("a.txt", sandbox.project.join("link")).unwrap();
    sandbox.commit_all();
    let repository = sandbox.open();
    let commit = sandbox.candidate(&repository);
    sandbox.write("a.txt", "two\n");
    let folder = sandbox.root.join("되살린 폴더");
    assert!(repository.restore(&commit, &folder).unwrap().is_empty());
    assert_eq!(fs::read(folder.join("a.txt")).unwrap(), b"one\n");
    assert_eq!(fs::read(folder.join("폴더 하나/b c.txt")).unwrap(), "둘\n".as_bytes());
    assert_eq!(fs::read(folder.join("image.bin")).unwrap(), [0, 255, 13, 10]);
    #[cfg(unix)]
    assert_eq!(fs::read_link(folder.join("link")).unwrap().to_str(), Some("a.txt"));
    assert!(!folder.join(".git").exists());
    assert_eq!(fs::read_to_string(sandbox.project.join("a.txt")).unwrap(), "two\n");
    assert_eq!(beside(&sandbox), ["gulf", "project", "되살린 폴더"]);
}

#[test]
fn an_empty_folder_is_filled_and_one_with_something_in_it_stays_as_it_is() {
    let sandbox = Sandbox::with(&[("a.txt", "one\n")]);
    let repository = sandbox.open();
    let commit = sandbox.candidate(&repository);
    let folder = sandbox.root.join("there");
    fs::create_dir(&folder).unwrap();
    repository.restore(&commit, &folder).unwrap();
    fs::write(folder.join("mine.txt"), "mine").unwrap();
    assert!(repository.restore(&commit, &folder).is_err());
    assert_eq!(fs::read_to_string(folder.join("mine.txt")).unwrap(), "mine");
    assert_eq!(beside(&sandbox), ["gulf", "project", "there"]);
}

#[test]
fn a_commit_that_is_not_there_leaves_nothing_behind() {
    let sandbox = Sandbox::with(&[("a.txt", "one\n")]);
    let repository = sandbox.open();
    let gone = crate::git::CommitId::parse(&"1".repeat(40)).unwrap();
    assert!(repository.restore(&gone, &sandbox.root.join("there")).is_err());
    assert_eq!(beside(&sandbox), ["gulf", "project"]);
}

#[test]
fn the_text_of_a_difference_is_what_git_diff_prints_and_git_apply_reads() {
    let sandbox = Sandbox::with(&[("a.txt", "one\n"), ("old name.txt", "1\n2\n3\n4\n5\n")]);
    let repository = sandbox.open();
    let before = sandbox.snapshot(&repository).tree;
    sandbox.write("a.txt", "two\n");
    sandbox.write("한국어 파일.txt", "새 줄\n");
    sandbox.remove("old name.txt");
    sandbox.write("new name.txt", "1\n2\n3\n4\n5\n");
    fs::write(sandbox.project.join("image.bin"), [0_u8, 255, 1]).unwrap();
    let after = sandbox.snapshot(&repository).tree;
    let text = |old: &TreeId, new: &TreeId, form| {
        String::from_utf8(repository.diff_text(old, new, form).unwrap()).unwrap()
    };
    let patch = text(&before, &after, DiffForm::Patch);
    for line in
        ["-one\n+two\n", "--- a/a.txt\n", "b/한국어 파일.txt", "rename from old name.txt\n", "Binary files"]
    {
        assert!(patch.contains(line), "{line} is not in {patch}");
    }
    let stat = text(&before, &after, DiffForm::Stat { columns_max: 60 });
    assert!(stat.contains("한국어 파일.txt") && stat.contains("Bin 0 -> 3 bytes"), "{stat}");
    assert!(stat.lines().all(|line| line.chars().count() <= 60), "{stat}");
    assert_eq!(text(&after, &after, DiffForm::Patch), "");
    let way_back = text(&after, &before, DiffForm::Patch);
    assert!(way_back.contains("-two\n+one\n"), "{way_back}");
}

#[test]
fn what_the_newer_tree_says_of_its_files_decides_how_they_are_shown() {
    let sandbox = Sandbox::with(&[("data.lock", "one\n"), ("other.txt", "one\n")]);
    let repository = sandbox.open();
    let before = sandbox.snapshot(&repository).tree;
    sandbox.write(".gitattributes", "*.lock -diff\n");
    sandbox.write("data.lock", "two\n");
    let after = sandbox.snapshot(&repository).tree;
    // The worktree has its own word, and is not asked.
    sandbox.write(".gitattributes", "*.txt -diff\n");
    let commit = commit_of(&repository, &after);
    assert_eq!(repository.tree_of(&commit).unwrap(), after);
    let patch = String::from_utf8(repository.diff_text(&before, &after, DiffForm::Patch).unwrap()).unwrap();
    let said = String::from_utf8(Command::new("git").arg("--version").output().unwrap().stdout).unwrap();
    let is_known = said
        .split(['.', ' '])
        .nth(3)
        .and_then(|minor| minor.parse().ok())
        .is_some_and(|minor: u32| minor >= 43);
    assert!(!is_known || patch.contains("Binary files a/data.lock and b/data.lock differ"), "{patch}");
}

fn beside(sandbox: &Sandbox) -> Vec<String> {
    let entries = sandbox.root.read_dir_utf8().unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().to_owned()).collect();
    names.sort();
    names
}
