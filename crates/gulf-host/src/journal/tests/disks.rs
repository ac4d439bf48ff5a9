//! Disks that are full, cannot be written, or fail in the middle; and people who touch the file meanwhile.

use super::*;
use crate::journal::tail::{AppendFile, Tail};
use std::fs::{File, OpenOptions};

/// A file in memory that holds so many bytes, and fails to sync or to shrink when told to.
#[derive(Default)]
struct FailingFile {
    content: Vec<u8>,
    room_bytes: usize,
    write_bytes_max: usize,
    sync_fails: Option<io::ErrorKind>,
    truncate_fails: Option<io::ErrorKind>,
}

impl AppendFile for &mut FailingFile {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        assert_eq!(offset, self.content.len() as u64, "the journal is only ever written at its end");
        let room = self.room_bytes - self.content.len();
        if room == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let written = bytes.len().min(room).min(self.write_bytes_max);
        self.content.extend_from_slice(&bytes[..written]);
        Ok(written)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_fails.map_or(Ok(()), |kind| Err(kind.into()))
    }

    fn truncate(&mut self, bytes: u64) -> io::Result<()> {
        if let Some(kind) = self.truncate_fails {
            return Err(kind.into());
        }
        self.content.truncate(bytes as usize);
        Ok(())
    }

    fn bytes(&mut self) -> io::Result<Option<u64>> {
        Ok(Some(self.content.len() as u64))
    }
}

fn file_with_room(room_bytes: usize) -> FailingFile {
    FailingFile { room_bytes, write_bytes_max: usize::MAX, ..FailingFile::default() }
}

fn tail_of<F: AppendFile>(file: F) -> Tail<F> {
    Tail::new(file, JOURNAL_FILE.into(), 0)
}

#[test]
fn a_short_write_is_continued() {
    let mut file = FailingFile { write_bytes_max: 3, ..file_with_room(100) };
    tail_of(&mut file).append(b"{\"a\":1}\n", Durability::Synced).unwrap();
    assert_eq!(file.content, b"{\"a\":1}\n");
}

#[test]
fn a_batch_that_does_not_fit_leaves_no_half_line_and_a_smaller_one_still_goes_in() {
    let mut file = file_with_room(10);
    let mut tail = tail_of(&mut file);
    tail.append(b"{}\n", Durability::Synced).unwrap();
    let error = tail.append(b"{\"a\":1}\n", Durability::Synced).unwrap_err();
    assert!(
        matches!(&error, JournalError::NotAppended { source, .. } if source.kind() == io::ErrorKind::StorageFull)
    );
    assert_eq!(tail.bytes, 3);
    tail.append(b"[]\n", Durability::Synced).unwrap();
    assert_eq!(file.content, b"{}\n[]\n");
}

fn check_poisoned(mut file: FailingFile) {
    let mut tail = tail_of(&mut file);
    for _ in 0..2 {
        let error = tail.append(b"{\"a\":1}\n", Durability::Synced).unwrap_err();
        assert!(matches!(error, JournalError::Poisoned { .. }), "{error:?}");
    }
}

#[test]
fn a_writer_that_cannot_put_the_file_back_or_sync_it_refuses_to_go_on() {
    check_poisoned(FailingFile { truncate_fails: Some(io::ErrorKind::Other), ..file_with_room(4) });
    check_poisoned(FailingFile { sync_fails: Some(io::ErrorKind::Other), ..file_with_room(100) });
}

#[test]
fn a_batch_that_was_not_synced_is_taken_out_again() {
    let mut file = FailingFile { sync_fails: Some(io::ErrorKind::Other), ..file_with_room(100) };
    tail_of(&mut file).append(b"{}\n", Durability::Synced).unwrap_err();
    assert_eq!(file.content, b"");
}

#[test]
fn a_device_that_is_always_full_poisons_the_writer_as_it_cannot_shrink() {
    let mut file: File = OpenOptions::new().read(true).write(true).open("/dev/full").unwrap();
    assert_eq!(AppendFile::bytes(&mut file).unwrap(), Some(0));
    let error = tail_of(file).append(b"{}\n", Durability::Buffered).unwrap_err();
    assert!(
        matches!(&error, JournalError::Poisoned { reason, .. } if reason.contains("No space")),
        "{error:?}"
    );
}

#[test]
fn a_full_disk_refuses_a_batch_whole_and_the_journal_goes_on_when_there_is_space() {
    let Some(disk) = Disk::tiny() else { return };
    let filler = disk.path().join("filler");
    fs::write(&filler, vec![0; 40_000]).unwrap();
    let (mut journal, _) = open(disk.path(), b"").unwrap();
    journal.append(1, &records(1..=3), Durability::Synced).unwrap();
    let before = fs::read(disk.path().join(JOURNAL_FILE)).unwrap();
    let batch = records(1..=2000);
    let error = journal.append(4, &batch, Durability::Synced).unwrap_err();
    assert!(matches!(error, JournalError::NotAppended { .. }), "{error:?}");
    assert!(error.hint().unwrap().contains("disk is full"));
    assert_eq!(fs::read(disk.path().join(JOURNAL_FILE)).unwrap(), before, "no half line stays");
    fs::remove_file(filler).unwrap();
    journal.append(4, &records(4..=1000), Durability::Synced).unwrap();
    assert_eq!(read(disk.path()).unwrap().len(), 1000);
}

#[test]
fn a_torn_end_that_cannot_be_kept_is_not_cut_off() {
    let Some(disk) = Disk::tiny() else { return };
    fs::write(disk.path().join(LOCK_FILE), b"").unwrap();
    let path = disk.path().join(JOURNAL_FILE);
    let torn = vec![b'x'; 40_000];
    fs::write(&path, &torn).unwrap();
    let error = open(disk.path(), b"").unwrap_err();
    assert!(matches!(error, JournalError::TornEndNotKept { .. }), "{error:?}");
    assert!(error.hint().unwrap().contains("disk is full"));
    assert_eq!(fs::read(&path).unwrap(), torn);
}

#[test]
fn a_journal_on_a_disk_that_cannot_be_written_can_be_read() {
    let Some(disk) = Disk::tiny() else { return };
    written(disk.path(), 2);
    disk.make_read_only();
    assert_eq!(sequences(&read(disk.path()).unwrap()), [1, 2]);
    let error = open(disk.path(), b"").unwrap_err();
    assert_eq!(error.hint().as_deref(), Some("the file system is mounted read-only"), "{error:?}");
}

#[test]
fn a_journal_that_was_changed_or_removed_under_its_writer_is_not_written_any_more() {
    let meddle: [fn(&Utf8Path) -> io::Result<()>; 2] =
        [|path| fs::remove_file(path), |path| fs::write(path, b"{}\n{}\n")];
    for meddle in meddle {
        let folder = Folder::new();
        let (mut journal, _) = open(folder.path(), b"").unwrap();
        journal.append(1, &records(1..=1), Durability::Buffered).unwrap();
        meddle(&folder.join(JOURNAL_FILE)).unwrap();
        for _ in 0..2 {
            let error = journal.append(2, &records(2..=2), Durability::Buffered).unwrap_err();
            assert!(matches!(error, JournalError::Poisoned { .. }) && error.hint().is_some(), "{error:?}");
        }
    }
}
