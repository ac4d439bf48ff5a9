//! What is found out about a folder before tests are sent there.

use super::{free_kibibytes, starts_programs};
use std::path::Path;

#[test]
fn a_folder_in_which_programs_start_is_left_empty() {
    let folder = tempfile::tempdir().unwrap();
    assert!(starts_programs(folder.path()));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn no_program_starts_in_a_folder_that_is_not_there() {
    assert!(!starts_programs(Path::new("/nowhere")));
}

#[test]
fn room_is_known_where_there_is_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    assert!(free_kibibytes(folder.path()).is_some());
    assert_eq!(free_kibibytes(Path::new("/nowhere")), None);
}
