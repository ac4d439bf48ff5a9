//! What counts as wanted, on real folders.

use std::fs;
use std::os::unix::fs::symlink;

use camino::Utf8PathBuf;
use tempfile::TempDir;

use super::{Leftovers, programs_in};
use crate::git::TreePath;

struct Folders {
    _folder: TempDir,
    root: Utf8PathBuf,
}

impl Folders {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        Self { _folder: folder, root }
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn wanted(&self, ignored: &[&str]) -> Vec<String> {
        let ignored: Vec<TreePath> = ignored.iter().map(|path| TreePath::try_from(*path).unwrap()).collect();
        Leftovers {
            worktree: &self.root.join("worktree"),
            ignored: &ignored,
            caches: &["warm/".to_owned()],
            copies: &[self.root.join("person")],
            rebuilt_in: &self.root.join("room"),
            given: &[".env".to_owned()],
        }
        .wanted()
    }
}

#[test]
fn what_builds_and_tools_fill_is_of_no_use_and_all_else_is_wanted() {
    let folders = Folders::new();
    for path in
        ["node_modules/x/a.js", "web/dist/a.js", "a/__pycache__/b.pyc", "x.egg-info/P", "warm/w", "e.log"]
    {
        folders.write(&format!("worktree/{path}"), "built");
    }
    let built = ["node_modules", "web/dist", "a", "x.egg-info", "warm", "e.log"];
    assert_eq!(folders.wanted(&built), [""; 0]);
    folders.write("worktree/a/secret.txt", "mine");
    folders.write("worktree/.env", "KEY=1");
    assert_eq!(folders.wanted(&[".env", "a"]), [".env", "a/secret.txt"]);
}

#[test]
fn a_copy_is_of_no_use_as_long_as_it_is_one() {
    let folders = Folders::new();
    folders.write("person/.env", "KEY=1");
    folders.write("worktree/.env", "KEY=1");
    assert_eq!(folders.wanted(&[".env"]), [""; 0]);
    folders.write("worktree/.env", "KEY=2");
    assert_eq!(folders.wanted(&[".env"]), [".env"]);
    fs::remove_file(folders.root.join("person/.env")).unwrap();
    symlink(folders.root.join("worktree/.env"), folders.root.join("person/.env")).unwrap();
    assert_eq!(folders.wanted(&[".env"]), [".env"], "a link to the only one is no copy");
}

#[test]
fn what_the_checks_made_again_elsewhere_is_of_no_use_unless_it_was_given_to_them() {
    let folders = Folders::new();
    for path in ["generated/api.rs", "generated/mine.rs", ".env"] {
        folders.write(&format!("worktree/{path}"), "here");
        folders.write(&format!("room/{path}"), "there");
    }
    fs::remove_file(folders.root.join("room/generated/mine.rs")).unwrap();
    assert_eq!(folders.wanted(&["generated", ".env"]), ["generated/mine.rs", ".env"]);
}

#[test]
fn a_link_holds_nothing_and_what_it_leads_to_is_not_looked_at() {
    let folders = Folders::new();
    folders.write("person/data/large", "data");
    folders.write("worktree/a", "");
    symlink(folders.root.join("person/data"), folders.root.join("worktree/data")).unwrap();
    assert_eq!(folders.wanted(&["data"]), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_stands_in_the_folder_is_named() {
    let folders = Folders::new();
    let deep = folders.root.join("worktree/deep");
    fs::create_dir_all(&deep).unwrap();
    assert_eq!(programs_in(&folders.root.join("worktree")), [""; 0]);
    let mut program = std::process::Command::new("cat")
        .current_dir(&deep)
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let said = programs_in(&folders.root.join("worktree"));
    program.kill().unwrap();
    program.wait().unwrap();
    assert_eq!(said, [format!("cat ({})", program.id())]);
}
