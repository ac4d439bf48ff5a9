//! Names, links and kinds of files that ordinary trees do not have.

use std::fs;

use super::support::{Sandbox, files_below, path, paths_of, text_of};
use crate::git::{FileMode, Keep, ObjectFormat, TreeChangeKind, TreePath};

#[test]
fn a_sha_256_repository_works_like_any_other() {
    let sandbox = Sandbox::named("project", &["--object-format=sha256"]);
    sandbox.write("a.txt", "a\n");
    sandbox.commit_all();
    let repository = sandbox.open();
    assert_eq!(repository.layout().object_format, ObjectFormat::Sha256);
    sandbox.write("b.txt", "b\n");
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(snapshot.tree.as_str().len(), 64);
    assert_eq!(sandbox.snapshot(&repository), snapshot);
    let commit = sandbox.candidate(&repository);
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    assert_eq!(files_below(&sandbox.checkout_directory()), ["a.txt", "b.txt"]);
    let status = super::support::run_git(&sandbox.checkout_directory(), &["status", "--porcelain"]);
    assert_eq!(status, "");
}

#[cfg(unix)]
#[test]
fn strange_names_reach_the_tree_and_the_checkout() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let sandbox = Sandbox::new();
    let names: [&[u8]; 6] =
        ["two\nlines".as_bytes(), b" spaces ", "한글".as_bytes(), b"latin-\xe9", b"*?[x]", b":(top)\"q\\"];
    for name in names {
        fs::write(sandbox.project.as_std_path().join(OsStr::from_bytes(name)), "x\n").unwrap();
    }
    let repository = sandbox.open();
    let snapshot = sandbox.snapshot(&repository);
    let mut listed: Vec<TreePath> =
        repository.list(&snapshot.tree).unwrap().into_iter().map(|entry| entry.path).collect();
    listed.sort();
    let mut expected: Vec<TreePath> = names.iter().map(|name| TreePath::parse(name).unwrap()).collect();
    expected.sort();
    assert_eq!(listed, expected);
    let changes = repository.diff(&repository.empty_tree(), &snapshot.tree).unwrap();
    assert!(changes.iter().all(|change| change.kind == TreeChangeKind::Added));
    assert_eq!(changes.len(), names.len());
    assert_eq!(TreePath::parse(b"two\nlines").unwrap().to_string(), "two\\nlines");
    let commit = sandbox.candidate(&repository);
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    for name in names {
        assert!(sandbox.checkout_directory().as_std_path().join(OsStr::from_bytes(name)).is_file());
    }
}

#[cfg(unix)]
#[test]
fn links_and_executable_bits_are_kept_and_links_never_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let sandbox = Sandbox::with(&[("run.sh", "echo\n")]);
    let repository = sandbox.open();
    let secret = sandbox.root.join("secret.txt");
    fs::write(&secret, "secret\n").unwrap();
    symlink("../secret.txt", sandbox.project.join("escape")).unwrap();
    symlink("nowhere", sandbox.project.join("dangling")).unwrap();
    fs::set_permissions(sandbox.project.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    let snapshot = sandbox.snapshot(&repository);
    let modes: Vec<(String, FileMode)> = repository
        .list(&snapshot.tree)
        .unwrap()
        .into_iter()
        .map(|entry| (entry.path.to_string(), entry.mode))
        .collect();
    let expected = [
        ("dangling".to_owned(), FileMode::Symlink),
        ("escape".to_owned(), FileMode::Symlink),
        ("run.sh".to_owned(), FileMode::Executable),
    ];
    assert_eq!(modes, expected);
    assert_eq!(text_of(&repository, &snapshot.tree, "escape").as_deref(), Some("../secret.txt"));
    let commit = sandbox.candidate(&repository);
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    assert_eq!(fs::read_link(sandbox.in_checkout("escape")).unwrap().to_str(), Some("../secret.txt"));
    let mode = fs::metadata(sandbox.in_checkout("run.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o100, 0o100);
}

#[cfg(unix)]
#[test]
fn a_directory_that_became_a_link_is_a_link_in_the_tree() {
    let sandbox = Sandbox::with(&[("src/a.txt", "a\n"), ("b.txt", "b\n")]);
    let repository = sandbox.open();
    sandbox.snapshot(&repository);
    let elsewhere = sandbox.root.join("elsewhere");
    fs::rename(sandbox.project.join("src"), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, sandbox.project.join("src")).unwrap();
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(paths_of(&repository, &snapshot.tree), ["b.txt", "src"]);
}

#[test]
fn files_and_directories_swap_places_in_the_tree() {
    let sandbox = Sandbox::with(&[("a", "file\n"), ("b/c", "below\n")]);
    let repository = sandbox.open();
    sandbox.snapshot(&repository);
    sandbox.remove("a");
    fs::remove_dir_all(sandbox.project.join("b")).unwrap();
    sandbox.write_all(&[("a/x", "now below\n"), ("b", "now a file\n")]);
    assert_eq!(paths_of(&repository, &sandbox.snapshot(&repository).tree), ["a/x", "b"]);
}

#[cfg(unix)]
#[test]
fn a_read_only_file_enters_and_an_unreadable_one_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::with(&[("locked.txt", "old\n")]);
    let repository = sandbox.open();
    sandbox.write_all(&[("locked.txt", "changed\n"), ("read-only.txt", "r\n")]);
    let set = |at: &str, mode| {
        fs::set_permissions(sandbox.project.join(at), fs::Permissions::from_mode(mode)).unwrap();
    };
    set("read-only.txt", 0o444);
    set("locked.txt", 0o000);
    let snapshot = sandbox.snapshot(&repository);
    assert_eq!(paths_of(&repository, &snapshot.tree), ["locked.txt", "read-only.txt"]);
    // The superuser reads whatever it likes; everyone else must hear about the file.
    let text = text_of(&repository, &snapshot.tree, "locked.txt");
    if rustix::process::geteuid().is_root() {
        assert_eq!(text.as_deref(), Some("changed\n"));
    } else {
        assert_eq!(text.as_deref(), Some("old\n"));
        let named: Vec<_> = snapshot.left_out.iter().map(|file| file.path.clone()).collect();
        assert_eq!(named, [path("locked.txt")]);
    }
    set("locked.txt", 0o644);
}

#[cfg(unix)]
#[test]
fn a_tracked_file_that_became_a_pipe_is_named_and_blocks_nothing() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    let repository = sandbox.open();
    sandbox.remove("a.txt");
    let made = std::process::Command::new("mkfifo").arg(sandbox.project.join("a.txt")).status().unwrap();
    assert!(made.success());
    sandbox.write("b.txt", "changed\n");
    let snapshot = sandbox.snapshot(&repository);
    let named: Vec<_> = snapshot.left_out.iter().map(|file| file.path.clone()).collect();
    assert_eq!(named, [path("a.txt")]);
    assert_eq!(text_of(&repository, &snapshot.tree, "b.txt").as_deref(), Some("changed\n"));
}

#[test]
fn paths_that_would_leave_a_tree_or_enter_git_cannot_be_named() {
    for bad in ["", "/a", "a/", "a//b", "../a", "a/../b", "./a", ".git/config", "sub/.GIT/hooks", "a\0b"] {
        assert!(TreePath::parse(bad.as_bytes()).is_err(), "{bad:?}");
    }
    assert!(path("src/a.txt").is_at_or_below(&path("src")));
    assert!(!path("src-2/a.txt").is_at_or_below(&path("src")));
}
