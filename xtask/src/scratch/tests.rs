//! Room in memory is what `df` says.

use super::available;

#[test]
fn the_room_is_read_from_df() {
    let told = "Filesystem     1024-blocks  Used Available Capacity Mounted on\n\
                tmpfs             25165824   128  25165696       1% /dev/shm\n";
    assert_eq!(available(told), Some(25_165_696));
    assert_eq!(available("df: /dev/shm: No such file or directory\n"), None);
    assert_eq!(available(""), None);
}

#[test]
fn a_folder_is_tried_before_programs_are_kept_in_it() {
    let folder = tempfile::tempdir().unwrap();
    assert!(super::runs_programs(folder.path()));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the trial is taken away");
    assert!(!super::runs_programs(&folder.path().join("gone")));
}
