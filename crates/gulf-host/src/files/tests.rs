//! What files promises, shown on the real thing.

use super::*;
use crate::hint::Hint as _;
use crate::places::{Disk, Folder, make_fifo};
use std::os::unix::fs::{PermissionsExt, symlink};

const BYTES_MAX: u64 = 1000;

fn mode(path: &Utf8Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn check_unreadable(bytes: &[u8], expected: &str, hint: Option<&str>) {
    let folder = Folder::new();
    let path = folder.join("RUBRIC.md");
    fs::write(&path, bytes).unwrap();
    let error = read_text(&path, BYTES_MAX).unwrap_err();
    assert_eq!(error.to_string(), format!("{path} is {expected}"));
    match (error.hint(), hint) {
        (Some(found), Some(expected)) => assert!(found.contains(expected), "{found}"),
        (found, expected) => assert_eq!(found.as_deref(), expected),
    }
}

#[test]
fn a_replaced_file_has_the_new_bytes_and_keeps_its_mode() {
    let folder = Folder::new();
    let path = folder.join("상태 file.json");
    replace(&path, b"one", Durability::Buffered).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    replace(&path, b"two", Durability::Synced).unwrap();
    assert_eq!((fs::read(&path).unwrap().as_slice(), mode(&path)), (&b"two"[..], 0o640));
    assert_eq!(folder.names(), ["상태 file.json"], "no temporary file stays");
}

#[test]
fn a_new_file_has_the_mode_of_any_new_file() {
    let folder = Folder::new();
    fs::write(folder.join("ordinary"), b"").unwrap();
    replace(&folder.join("replaced"), b"", Durability::Buffered).unwrap();
    create_new(&folder.join("created"), b"", Durability::Synced).unwrap();
    assert_eq!(mode(&folder.join("replaced")), mode(&folder.join("ordinary")));
    assert_eq!(mode(&folder.join("created")), mode(&folder.join("ordinary")));
}

#[test]
fn a_link_is_replaced_and_what_it_pointed_at_is_untouched() {
    let folder = Folder::new();
    let (precious, link) = (folder.join("precious"), folder.join("status.json"));
    fs::write(&precious, b"the person's").unwrap();
    symlink(&precious, &link).unwrap();
    replace(&link, b"ours", Durability::Buffered).unwrap();
    assert_eq!(fs::read(&precious).unwrap(), b"the person's");
    assert!(fs::symlink_metadata(&link).unwrap().is_file());
}

#[test]
fn what_a_person_names_is_written_through_links_and_into_pipes() {
    let folder = Folder::new();
    let (file, link, pipe) = (folder.join("page.html"), folder.join("link"), folder.join("pipe"));
    symlink("page.html", &link).unwrap();
    for page in ["one", "two"] {
        write_to(&link, page.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), page);
        assert!(link.is_symlink(), "the link was replaced");
    }
    make_fifo(&pipe);
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    write_to(&pipe, b"three").unwrap();
    assert_eq!(reader.join().unwrap(), "three");
    assert!(write_to(Utf8Path::new("/dev/full"), b"four").is_err());
    assert!(write_to(folder.path(), b"five").is_err());
    write_to(&file, b"six").unwrap();
    assert_eq!(fs::read_to_string(&link).unwrap(), "six");
}

#[test]
fn a_read_only_file_and_a_directory_are_not_replaced() {
    let folder = Folder::new();
    let path = folder.join("gulf.toml");
    fs::write(&path, b"mine").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let error = replace(&path, b"yours", Durability::Buffered).unwrap_err();
    assert!(matches!(error, WriteError::ReadOnly { .. }) && error.hint().unwrap().contains("chmod"));
    let error = replace(folder.path(), b"yours", Durability::Buffered).unwrap_err();
    assert!(matches!(error, WriteError::Occupied { .. }), "{error:?}");
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    assert_eq!(folder.names(), ["gulf.toml"]);
}

#[test]
fn create_new_never_overwrites_a_file_or_a_dangling_link() {
    let folder = Folder::new();
    let (path, link) = (folder.join("a"), folder.join("b"));
    create_new(&path, b"first", Durability::Synced).unwrap();
    symlink("nowhere", &link).unwrap();
    for taken in [&path, &link] {
        let error = create_new(taken, b"second", Durability::Synced).unwrap_err();
        assert!(matches!(error, WriteError::Exists { .. }), "{error:?}");
    }
    assert_eq!(fs::read(&path).unwrap(), b"first");
    assert_eq!(folder.names(), ["a", "b"]);
}

// proves: L8, REQ-PERSIST-004
#[test]
fn whoever_reads_beside_the_writer_sees_one_state_or_the_other() {
    let folder = Folder::new();
    let path = folder.join("state.json");
    // Each is all of one letter, and each of another length.
    let states = [vec![b'a'; 700_000], vec![b'b'; 300_000]];
    replace(&path, &states[0], Durability::Buffered).unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for state in states.iter().cycle().take(60) {
                replace(&path, state, Durability::Buffered).unwrap();
            }
        });
        let mut reads = 0;
        while reads < 10 || !writer.is_finished() {
            let read = fs::read(&path).unwrap();
            assert!(states.contains(&read), "{} bytes of neither", read.len());
            reads += 1;
        }
    });
    assert_eq!(folder.names(), ["state.json"]);
}

// proves: L8
#[test]
fn a_full_disk_leaves_the_old_file_and_no_leftover() {
    let Some(disk) = Disk::tiny() else { return };
    let path = disk.path().join("state.json");
    replace(&path, b"old", Durability::Synced).unwrap();
    let error = replace(&path, &vec![b'x'; 100_000], Durability::Synced).unwrap_err();
    assert!(error.hint().unwrap().contains("disk is full"), "{error:?}");
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(fs::read_dir(disk.path()).unwrap().count(), 1);
}

#[test]
fn a_disk_that_cannot_be_written_is_an_error_with_a_hint() {
    let Some(disk) = Disk::tiny() else { return };
    let path = disk.path().join("file");
    fs::write(&path, b"old").unwrap();
    disk.make_read_only();
    for error in [
        replace(&path, b"new", Durability::Buffered).unwrap_err(),
        create_new(&disk.path().join("new"), b"", Durability::Synced).unwrap_err(),
        create_private_directories(&disk.path().join("a/b"), Durability::Synced).unwrap_err(),
    ] {
        assert_eq!(error.hint().as_deref(), Some("the file system is mounted read-only"), "{error:?}");
    }
    assert_eq!(read_text(&path, BYTES_MAX).unwrap().content, "old");
}

#[test]
fn new_directories_are_for_their_owner_alone_and_old_ones_stay_as_they_are() {
    let folder = Folder::new();
    let (old, deep) = (folder.join("old"), folder.join("old/가 나/c"));
    fs::create_dir(&old).unwrap();
    fs::set_permissions(&old, fs::Permissions::from_mode(0o755)).unwrap();
    create_private_directories(&deep, Durability::Synced).unwrap();
    create_private_directories(&deep, Durability::Synced).unwrap();
    assert_eq!([mode(&old), mode(&folder.join("old/가 나")), mode(&deep)], [0o755, 0o700, 0o700]);
    fs::write(folder.join("file"), b"").unwrap();
    let error = create_private_directories(&folder.join("file"), Durability::Synced).unwrap_err();
    assert!(matches!(error, WriteError::Occupied { .. }), "{error:?}");
    assert!(create_private_directories(&folder.join("file/below"), Durability::Synced).is_err());
}

#[test]
fn leftovers_of_a_crash_are_removed_and_nothing_else() {
    let folder = Folder::new();
    let leftover = temporary_beside(&folder.join("x")).unwrap().keep().unwrap();
    fs::write(folder.join("keep"), b"").unwrap();
    drop(leftover);
    assert_eq!(folder.names().len(), 2);
    remove_leftovers(folder.path()).unwrap();
    assert_eq!(folder.names(), ["keep"]);
}

#[test]
fn a_file_is_replaced_through_another_folder_or_beside_it_where_that_is_none() {
    let folder = Folder::new();
    let (path, staging, none) = (folder.join("x"), folder.join("staging"), folder.join("none"));
    fs::create_dir(&staging).unwrap();
    for (through, text) in [(&staging, "one"), (&none, "two"), (&path, "three")] {
        replace_through(through, &path, text.as_bytes(), Durability::Buffered).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{through}");
    }
    assert_eq!(folder.names(), ["staging", "x"]);
    assert_eq!(fs::read_dir(&staging).unwrap().count(), 0);
    let staged = stage(&staging, None, b"unfinished", Durability::Buffered).unwrap();
    assert_eq!(staged.path().parent(), Some(staging.as_std_path()));
    let occupied = replace_through(&none, &staging, b"", Durability::Buffered).unwrap_err();
    assert!(matches!(occupied, WriteError::Occupied { .. }), "{occupied:?}");
}

#[test]
fn a_text_is_read_as_it_stands_with_its_line_ends() {
    let folder = Folder::new();
    let path = folder.join("목표.md");
    fs::write(&path, "가\r\n나\n").unwrap();
    let text = read_text(&path, BYTES_MAX).unwrap();
    assert_eq!((&*text.content, text.byte_order_mark), ("가\r\n나\n", ByteOrderMark::Absent));
    fs::write(&path, b"\xef\xbb\xbfa").unwrap();
    let text = read_text(&path, 4).unwrap();
    assert_eq!((&*text.content, text.byte_order_mark), ("a", ByteOrderMark::Stripped));
}

#[test]
fn a_text_that_is_not_utf_8_is_refused_with_its_place_and_a_guess() {
    let not_utf8 = |offset| format!("not UTF-8 text: the byte at offset {offset} fits no character");
    check_unreadable(b"caf\xe9 au lait", &not_utf8(3), Some("Latin-1"));
    check_unreadable(b"goal: \xb0\xa1\xb3\xaa", &not_utf8(6), Some("CP949"));
    check_unreadable(b"\xff\xfeg\0o\0", &not_utf8(0), Some("UTF-16"));
    check_unreadable(b"g\0o\0a\0l\0", &not_utf8(0), Some("UTF-16"));
    check_unreadable("끝".as_bytes().split_last().unwrap().1, &not_utf8(0), Some("cut off"));
    check_unreadable(b"a\x80b\xa0", &not_utf8(1), None);
}

#[test]
fn a_binary_file_is_refused_at_its_first_nul() {
    check_unreadable(b"\x7fELF\x02\x01\0\x01", "binary, not text: it has a NUL byte at offset 6", None);
}

#[test]
fn a_file_may_have_the_limit_and_not_one_byte_more() {
    let folder = Folder::new();
    let path = folder.join("big");
    fs::write(&path, b"12345").unwrap();
    assert_eq!(read_bytes(&path, 5).unwrap(), b"12345");
    let error = read_text(&path, 4).unwrap_err();
    assert!(matches!(error, ReadError::TooLarge { bytes: 5, bytes_max: 4, .. }), "{error:?}");
}

#[test]
fn a_file_that_hides_its_size_is_still_bounded() {
    let error = read_bytes("/proc/self/status".into(), 10).unwrap_err();
    assert!(matches!(error, ReadError::TooLarge { bytes: 11, .. }), "{error:?}");
}

#[test]
fn what_is_no_file_is_refused_without_waiting_for_it() {
    let folder = Folder::new();
    let fifo = folder.join("fifo");
    make_fifo(&fifo);
    symlink("nowhere", folder.join("dangling")).unwrap();
    let read = |path: &Utf8Path| read_text(path, BYTES_MAX).unwrap_err();
    assert!(matches!(read(&fifo), ReadError::NotAFile { kind: "a FIFO", .. }));
    assert!(matches!(read("/dev/zero".into()), ReadError::NotAFile { kind: "a device", .. }));
    assert!(matches!(read(folder.path()), ReadError::NotAFile { kind: "a directory", .. }));
    for missing in ["dangling", "missing", "missing/below"] {
        assert!(matches!(read(&folder.join(missing)), ReadError::Missing { .. }), "{missing}");
    }
}

#[test]
fn of_a_long_file_the_end_is_read_and_what_stands_before_is_counted() {
    let folder = Folder::new();
    let path = folder.join("notes");
    fs::write(&path, "12345").unwrap();
    assert_eq!(read_end(&path, 2).unwrap(), (b"45".to_vec(), 3));
    assert_eq!(read_end(&path, 5).unwrap(), (b"12345".to_vec(), 0));
    assert_eq!(read_end(&path, 9).unwrap(), (b"12345".to_vec(), 0));
    assert_eq!(read_start(&path, 2).unwrap(), b"12");
    assert_eq!(read_start(&path, 9).unwrap(), b"12345");
}

// proves: L9
#[test]
fn what_the_system_refuses_has_a_hint_where_something_can_be_done() {
    for (kind, expected) in [
        (io::ErrorKind::StorageFull, Some("free some space")),
        (io::ErrorKind::QuotaExceeded, Some("quota")),
        (io::ErrorKind::FileTooLarge, Some("ulimit -f")),
        (io::ErrorKind::ReadOnlyFilesystem, Some("read-only")),
        (io::ErrorKind::PermissionDenied, Some("permissions")),
        (io::ErrorKind::BrokenPipe, None),
    ] {
        let hint = system_hint(&kind.into());
        assert_eq!(hint.is_some(), expected.is_some(), "{kind}");
        assert!(hint.unwrap_or("").contains(expected.unwrap_or("")), "{kind}: {hint:?}");
    }
    let exists = WriteError::Exists { path: Utf8PathBuf::from("a") };
    assert!(exists.hint().unwrap().contains("does not overwrite"));
}

#[test]
fn a_folder_is_tried_by_writing_and_says_how_much_is_free() {
    let folder = Folder::new();
    try_writing_in(folder.path()).unwrap();
    assert!(try_writing_in(&folder.join("missing")).is_err());
    assert!(free_bytes(folder.path()).is_some_and(|bytes| bytes > 0));
    assert!(folder.names().is_empty(), "nothing stays there");
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_there_is_left_to_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(folder.path()).unwrap();
    let (open, link) = (root.join("open"), root.join("link"));
    fs::create_dir(&open).unwrap();
    fs::set_permissions(&open, fs::Permissions::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink(&open, &link).unwrap();
    super::close_to_others(&link);
    assert!(super::is_open_to_others(&open), "a link was followed");
    super::close_to_others(&open);
    assert!(!super::is_open_to_others(&open));
    super::close_to_others(&root.join("missing"));
}
