//! What private files promise, on real folders.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use camino::Utf8PathBuf;
use tempfile::TempDir;

use super::{Placed, PrivateError, PrivateFile, clear, find, place_link};

struct Folders {
    _folder: TempDir,
    from: Utf8PathBuf,
    to: Utf8PathBuf,
}

impl Folders {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        let [from, to] = ["내 project", "fresh"].map(|name| root.join(name));
        fs::create_dir_all(&from).unwrap();
        fs::create_dir_all(&to).unwrap();
        Self { _folder: folder, from, to }
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.from.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> Result<PrivateFile, PrivateError> {
        PrivateFile::read(&self.from, path, 1000)
    }

    fn placed(&self, path: &str) -> String {
        fs::read_to_string(self.to.join(path)).unwrap()
    }
}

fn mode(path: &Utf8PathBuf) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_file_keeps_its_bytes_and_who_may_read_it() {
    let folders = Folders::new();
    for (number, bits) in [0o600, 0o640, 0o400, 0o755].into_iter().enumerate() {
        let path = format!("config/deep/{number}.env");
        folders.write(&path, "KEY=1\n");
        fs::set_permissions(folders.from.join(&path), fs::Permissions::from_mode(bits)).unwrap();
        let file = folders.read(&path).unwrap();
        for expected in [Placed::There, Placed::InTheWay] {
            assert_eq!(file.place(&folders.to, &path).unwrap(), expected);
            assert_eq!((folders.placed(&path).as_str(), mode(&folders.to.join(&path))), ("KEY=1\n", bits));
        }
    }
    assert_eq!(mode(&folders.to.join("config")), 0o700, "a folder for secrets is its owner's");
    assert_eq!(fs::read_dir(folders.to.join("config/deep")).unwrap().count(), 4, "nothing else is left");
}

#[test]
fn no_text_about_a_file_holds_a_byte_of_it() {
    let folders = Folders::new();
    folders.write(".env", "SECRET=hunter2\n");
    assert_eq!(format!("{:?}", folders.read(".env").unwrap()), "PrivateFile(15 bytes)");
    let error = PrivateFile::read(&folders.from, ".env", 3).unwrap_err();
    assert!(!format!("{error:?} {error}").contains("hunter2"), "{error:?}");
}

#[test]
fn a_link_that_leads_out_is_refused_and_one_within_is_its_file() {
    let folders = Folders::new();
    folders.write("config/dev.env", "A=1\n");
    let outside = folders.from.with_file_name("outside");
    fs::write(&outside, "B=1\n").unwrap();
    symlink("config/dev.env", folders.from.join(".env")).unwrap();
    symlink(&outside, folders.from.join("out.env")).unwrap();
    symlink("../outside", folders.from.join("climbs.env")).unwrap();
    symlink("gone", folders.from.join("dangling.env")).unwrap();
    folders.read(".env").unwrap().place(&folders.to, ".env").unwrap();
    assert_eq!(folders.placed(".env"), "A=1\n");
    assert!(!folders.to.join(".env").is_symlink());
    for path in ["out.env", "climbs.env"] {
        assert!(matches!(folders.read(path), Err(PrivateError::LeadsOut { .. })), "{path}");
    }
    assert!(matches!(folders.read("dangling.env"), Err(PrivateError::Failed { .. })));
}

#[test]
fn nothing_is_written_or_removed_behind_a_link_that_a_commit_may_hold() {
    let folders = Folders::new();
    let outside = folders.to.with_file_name("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("a.local"), "theirs\n").unwrap();
    symlink(&outside, folders.to.join("config")).unwrap();
    folders.write("config/a.local", "A=1\n");
    let file = folders.read("config/a.local").unwrap();
    assert_eq!(file.place(&folders.to, "config/a.local").unwrap(), Placed::InTheWay);
    assert_eq!(place_link(&folders.to, "config/data", &outside).unwrap(), Placed::InTheWay);
    clear(&folders.to, "config/a.local").unwrap();
    assert_eq!(fs::read_to_string(outside.join("a.local")).unwrap(), "theirs\n");
    assert!(!outside.join("data").exists());
}

#[test]
fn a_folder_in_the_place_of_a_file_stays_until_it_is_cleared() {
    let folders = Folders::new();
    folders.write(".env", "A=1\n");
    let file = folders.read(".env").unwrap();
    fs::create_dir(folders.to.join(".env")).unwrap();
    assert_eq!(file.place(&folders.to, ".env").unwrap(), Placed::InTheWay);
    clear(&folders.to, ".env").unwrap();
    assert_eq!(file.place(&folders.to, ".env").unwrap(), Placed::There);
}

#[test]
fn a_link_is_made_once_and_removed_without_what_it_leads_to() {
    let folders = Folders::new();
    folders.write("data/large.bin", "x\n");
    let target = folders.from.join("data");
    for _ in 0..2 {
        assert_eq!(place_link(&folders.to, "data", &target).unwrap(), Placed::There);
    }
    assert_eq!(folders.placed("data/large.bin"), "x\n");
    clear(&folders.to, "data").unwrap();
    assert!(!folders.to.join("data").is_symlink());
    assert!(folders.from.join("data/large.bin").is_file());
    fs::create_dir(folders.to.join("data")).unwrap();
    assert_eq!(place_link(&folders.to, "data", &target).unwrap(), Placed::InTheWay);
}

#[test]
fn what_is_found_lies_in_no_dependency_folder_and_no_other_repository() {
    let folders = Folders::new();
    for path in
        [".env", "web/.env", "node_modules/x/.env", ".git/.env", "lib/other/.git", "lib/other/.env", "a.txt"]
    {
        folders.write(path, "x\n");
    }
    symlink("../outside", folders.from.join("z.env")).unwrap();
    let found = find(&folders.from, |path| path.ends_with(".env")).unwrap();
    assert_eq!(found, [".env", "web/.env", "z.env"]);
}
