//! What journal promises, shown on the real thing.

use std::fs;

use super::*;
use crate::places::{Disk, Folder, make_fifo};
use camino::Utf8Path;

mod damage;
mod disks;

fn open_within(
    directory: &Utf8Path,
    note: &[u8],
    limits: JournalLimits,
) -> Result<(LocalJournal, Option<Torn>), JournalError> {
    LocalJournal::open_within(directory, note, limits).map(|(journal, torn, _)| (journal, torn))
}

fn open(directory: &Utf8Path, note: &[u8]) -> Result<(LocalJournal, Option<Torn>), JournalError> {
    open_within(directory, note, JournalLimits::default())
}

struct InFolder(Folder);

impl conformance::Subject for InFolder {
    type Writer = LocalJournal;

    fn open(&self) -> Result<LocalJournal, JournalError> {
        open(self.0.path(), b"a test").map(|(journal, _)| journal)
    }

    fn read(&self) -> Result<Vec<Record>, JournalError> {
        match read(self.0.path()) {
            Err(JournalError::Failed { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Ok(Vec::new())
            }
            other => other,
        }
    }
}

fn record(number: u64) -> Vec<u8> {
    format!(r#"{{"number":{number},"글":"하나"}}"#).into_bytes()
}

fn records(numbers: std::ops::RangeInclusive<u64>) -> Vec<Vec<u8>> {
    numbers.map(record).collect()
}

/// A journal of so many records, closed again.
fn written(directory: &Utf8Path, count: u64) -> Vec<u8> {
    let (mut journal, _) = open(directory, b"").unwrap();
    journal.append(1, &records(1..=count), Durability::Buffered).unwrap();
    fs::read(directory.join(JOURNAL_FILE)).unwrap()
}

fn sequences(records: &[Record]) -> Vec<u64> {
    records.iter().map(|record| record.sequence).collect()
}

#[test]
fn the_local_journal_keeps_the_promises_of_every_journal() {
    conformance::check(|| InFolder(Folder::new()));
}

#[test]
fn a_new_journal_is_empty_and_has_its_file() {
    let folder = Folder::new();
    let (mut journal, report) = open(folder.path(), b"").unwrap();
    assert_eq!(report, None);
    assert_eq!(journal.append(1, &[], Durability::Buffered).unwrap(), 0);
    assert_eq!(folder.names(), [JOURNAL_FILE, LOCK_FILE]);
}

#[test]
fn a_record_is_a_line_that_can_be_read_with_cat() {
    let folder = Folder::new();
    let bytes = written(folder.path(), 2);
    assert_eq!(
        String::from_utf8(bytes).unwrap(),
        "{\"number\":1,\"글\":\"하나\"}\n{\"number\":2,\"글\":\"하나\"}\n"
    );
}

#[test]
fn a_second_writer_learns_who_the_first_is() {
    let folder = Folder::new();
    let (_journal, _) = open(folder.path(), b"pid 5").unwrap();
    let error = open(folder.path(), b"pid 6").unwrap_err();
    let JournalError::Locked(LockError::Held { note, .. }) = error else { panic!("{error:?}") };
    assert_eq!(note, b"pid 5");
}

#[test]
fn the_limits_refuse_a_record_and_a_journal_that_are_too_large() {
    let folder = Folder::new();
    let limits = JournalLimits { line_bytes_max: 30, journal_bytes_max: 70 };
    let (mut journal, _) = open_within(folder.path(), b"", limits).unwrap();
    let large = format!(r#"{{"a":"{}"}}"#, "x".repeat(22)).into_bytes();
    let error = journal.append(1, &[large], Durability::Buffered).unwrap_err();
    assert!(matches!(&error, JournalError::NotARecord { reason, .. } if reason == "longer than 30 bytes"));
    journal.append(1, &records(1..=2), Durability::Buffered).unwrap();
    let error = journal.append(3, &records(3..=3), Durability::Buffered).unwrap_err();
    assert!(matches!(error, JournalError::Full { .. }) && error.hint().is_some(), "{error:?}");
    assert_eq!(sequences(&read(folder.path()).unwrap()), [1, 2]);
}

#[test]
fn what_is_no_file_is_no_journal_and_is_not_waited_for() {
    let folder = Folder::new();
    make_fifo(&folder.join(JOURNAL_FILE));
    for error in [open(folder.path(), b"").unwrap_err(), read(folder.path()).unwrap_err()] {
        assert!(matches!(error, JournalError::NotAFile { .. }), "{error:?}");
    }
}

#[test]
fn a_journal_in_a_missing_folder_is_an_error() {
    let folder = Folder::new();
    let missing = folder.join("missing");
    assert!(matches!(open(&missing, b""), Err(JournalError::Failed { .. })));
    assert!(matches!(read(&missing), Err(JournalError::Failed { .. })));
}

// proves: L9
#[test]
fn whoever_looks_back_reads_as_far_as_the_journal_makes_sense() {
    let folder = Folder::new();
    let missing = read_readable(folder.path()).unwrap_err();
    assert!(matches!(missing, JournalError::Failed { .. }), "{missing}");
    let whole = written(folder.path(), 3);
    let path = folder.join(JOURNAL_FILE);
    let rest_of = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let readable = read_readable(folder.path()).unwrap();
        (sequences(&readable.records), readable.rest)
    };
    assert!(matches!(rest_of(&whole), (known, Rest::Nothing) if known == [1, 2, 3]));
    let cut = &whole[..whole.len() - 2];
    assert!(matches!(rest_of(cut), (known, Rest::Unfinished { bytes }) if known == [1, 2] && bytes > 0));
    let damaged = String::from_utf8(whole.clone()).unwrap().replace("{\"number\":2", "\"number\":2");
    assert!(matches!(rest_of(damaged.as_bytes()), (known, Rest::Damaged(_)) if known == [1]));
    fs::write(&path, &whole).unwrap();
    let (mut journal, torn, records) = LocalJournal::open_and_read(folder.path(), b"").unwrap();
    assert_eq!((torn, sequences(&records)), (None, vec![1, 2, 3]));
    assert_eq!(journal.append(4, &[], Durability::Buffered).unwrap(), 3);
}
