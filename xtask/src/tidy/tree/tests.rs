//! Which files of a repository the rules get to see.

use super::Tree;
use std::fs;
use std::process::Command;

#[test]
fn the_tree_is_what_git_would_commit_of_the_files_that_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(folder.path());
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            command.env_remove(name);
        }
        assert!(command.status().unwrap().success());
    };
    git(&["init", "--quiet"]);
    for (path, content) in [
        (".gitignore", &b"ignored.rs\n"[..]),
        ("kept.rs", b"//! Kept.\n"),
        ("gone.rs", b""),
        ("ignored.rs", b""),
        ("binary", b"\xff\xfe"),
    ] {
        fs::write(folder.path().join(path), content).unwrap();
    }
    git(&["add", "--all"]);
    fs::remove_file(folder.path().join("gone.rs")).unwrap();
    fs::write(folder.path().join("new 새.rs"), "//! New.\n").unwrap();

    let tree = Tree::of_repository(folder.path()).unwrap();

    let paths: Vec<&str> = tree.files().iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, [".gitignore", "binary", "kept.rs", "new 새.rs"]);
    assert_eq!(tree.find("binary").map(|file| (file.bytes, file.text.as_str())), Some((2, "")));
    assert_eq!(tree.find("kept.rs").map(|file| file.text.as_str()), Some("//! Kept.\n"));
}
