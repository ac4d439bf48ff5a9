//! Where the loop's texts are prepared, and what happens where that place is not to be had.

use std::fs;
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};

use super::write;

struct Project {
    _folder: tempfile::TempDir,
    root: Utf8PathBuf,
}

fn project() -> Project {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(folder.path()).unwrap().join("project");
    fs::create_dir(&root).unwrap();
    Project { _folder: folder, root }
}

#[track_caller]
fn check(project: &Project, names: &[&str]) {
    let path = project.root.join("text.md");
    for text in ["one", "two"] {
        write(&project.root, &path, text).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    let mut found: Vec<_> = fs::read_dir(&project.root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    found.sort();
    assert_eq!(found, names);
}

#[test]
fn a_text_is_prepared_in_the_folder_that_no_snapshot_looks_into() {
    check(&project(), &[".gulf", "text.md"]);
}

#[test]
fn a_text_is_written_also_where_that_folder_cannot_be() {
    let project = project();
    fs::write(project.root.join(".gulf"), "a file").unwrap();
    check(&project, &[".gulf", "text.md"]);
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_that_folder_is_not_followed() {
    let project = project();
    let outside = project.root.parent().unwrap().join("outside");
    fs::create_dir(&outside).unwrap();
    let long_ago = SystemTime::UNIX_EPOCH;
    fs::File::open(&outside).unwrap().set_modified(long_ago).unwrap();
    std::os::unix::fs::symlink(&outside, project.root.join(".gulf")).unwrap();
    check(&project, &[".gulf", "text.md"]);
    assert_eq!(fs::metadata(&outside).unwrap().modified().unwrap(), long_ago, "nothing was made there");
}
