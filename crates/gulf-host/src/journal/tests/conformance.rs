//! What every journal must do, as one function that a test of each form calls.
//!
//! It stands apart, behind the feature `conformance`, so that a journal shared between machines, in another crate,
//! is held to the same promises as the file on disk. A broken promise panics with the promise as its message.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::journal::{Durability, Journal, JournalError, Record};

/// One fresh, empty journal, and the ways into it.
pub trait Subject: Sync {
    type Writer: Journal;
    /// Becomes the writer; called again after the writer was dropped, and also while there is one.
    fn open(&self) -> Result<Self::Writer, JournalError>;
    /// Reads as someone who is not the writer.
    fn read(&self) -> Result<Vec<Record>, JournalError>;
}

/// Checks all promises; `fresh` makes a new empty journal each time.
pub fn check<S: Subject>(fresh: impl Fn() -> S) {
    records_keep_their_order_and_their_bytes(&fresh());
    only_the_expected_number_is_appended(&fresh());
    a_duplicate_is_refused(&fresh());
    a_batch_is_appended_whole_or_not_at_all(&fresh());
    there_is_one_writer(&fresh());
    a_new_writer_goes_on_where_the_last_one_stopped(&fresh());
    readers_see_prefixes_only(&fresh());
}

fn records_keep_their_order_and_their_bytes(subject: &impl Subject) {
    let mut journal = opened(subject);
    assert_eq!(journal.append(1, &[], Durability::Synced).ok(), Some(0), "an empty batch changes nothing");
    let sent: Vec<Vec<u8>> =
        vec![br#"{"a":1}"#.to_vec(), "{\"나\":\"둘\\n\"}".as_bytes().to_vec(), b" { } ".to_vec()];
    assert_eq!(journal.append(1, &sent, Durability::Synced).ok(), Some(3), "the last number is returned");
    assert_eq!(journal.append(4, &[record(4)], Durability::Buffered).ok(), Some(4));
    let all = records_of(subject.read());
    assert_eq!(all.iter().map(|record| record.sequence).collect::<Vec<_>>(), [1, 2, 3, 4], "no gap");
    assert_eq!(all[..3].iter().map(|record| record.line.clone()).collect::<Vec<_>>(), sent, "same bytes");
}

fn only_the_expected_number_is_appended(subject: &impl Subject) {
    let mut journal = opened(subject);
    appended(&mut journal, 1, 2);
    for wrong in [0, 1, 2, 4, u64::MAX] {
        match journal.append(wrong, &[record(9)], Durability::Synced) {
            Err(JournalError::Conflict { expected, found }) => assert_eq!((expected, found), (wrong, 3)),
            other => panic!("number {wrong} must be a conflict, not {other:?}"),
        }
    }
    assert_eq!(records_of(subject.read()).len(), 2, "a conflict appends nothing");
    appended(&mut journal, 3, 1);
}

fn a_duplicate_is_refused(subject: &impl Subject) {
    let mut journal = opened(subject);
    appended(&mut journal, 1, 1);
    let again = journal.append(1, &[record(1)], Durability::Synced);
    assert!(matches!(again, Err(JournalError::Conflict { .. })), "a repeated append is refused");
    assert_eq!(records_of(subject.read()).len(), 1, "and the record is there once");
}

fn a_batch_is_appended_whole_or_not_at_all(subject: &impl Subject) {
    let mut journal = opened(subject);
    appended(&mut journal, 1, 1);
    for wrong in [&b"{}\n{}"[..], b"", b"[]", b"{", b"{} {}", b"\xff", b"{\"a\":\"\xff\"}"] {
        match journal.append(2, &[record(2), wrong.to_vec(), record(3)], Durability::Synced) {
            Err(JournalError::NotARecord { index, .. }) => assert_eq!(index, 1, "the wrong one is named"),
            other => panic!("{wrong:?} is no record, but the answer was {other:?}"),
        }
    }
    assert_eq!(records_of(subject.read()).len(), 1, "nothing of a refused batch is there");
    appended(&mut journal, 2, 1);
}

fn there_is_one_writer(subject: &impl Subject) {
    let journal = opened(subject);
    assert!(matches!(subject.open(), Err(JournalError::Locked(_))), "a second writer is refused");
    assert_eq!(records_of(subject.read()), [], "but anyone may read");
    drop(journal);
    opened(subject);
}

fn a_new_writer_goes_on_where_the_last_one_stopped(subject: &impl Subject) {
    let mut first = opened(subject);
    appended(&mut first, 1, 3);
    drop(first);
    let mut second = opened(subject);
    let stale = second.append(3, &[record(3)], Durability::Synced);
    assert!(matches!(stale, Err(JournalError::Conflict { found: 4, .. })), "{stale:?}");
    appended(&mut second, 4, 1);
    assert_eq!(records_of(subject.read()).len(), 4, "nothing was lost");
}

fn readers_see_prefixes_only(subject: &impl Subject) {
    const BATCHES: u64 = 100;
    const BATCH_RECORDS: u64 = 3;
    let mut journal = opened(subject);
    let done = AtomicBool::new(false);
    let appended = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut seen = 0;
            loop {
                let is_last = done.load(Ordering::SeqCst);
                let found: Vec<_> = records_of(subject.read())
                    .into_iter()
                    .map(|record| (record.sequence, record.line))
                    .collect();
                let expected: Vec<_> =
                    (1..=found.len() as u64).map(|number| (number, record(number))).collect();
                assert_eq!(found, expected, "a reader sees the first records, complete and in order");
                assert!(found.len() >= seen, "what was read once stays");
                seen = found.len();
                if is_last {
                    break;
                }
            }
        });
        let appended = (0..BATCHES).map_while(|batch| {
            let first = batch * BATCH_RECORDS + 1;
            let records: Vec<_> = (first..first + BATCH_RECORDS).map(record).collect();
            journal.append(first, &records, Durability::Buffered).ok()
        });
        let last = appended.last();
        done.store(true, Ordering::SeqCst);
        last
    });
    assert_eq!(appended, Some(BATCHES * BATCH_RECORDS), "appending goes on while others read");
}

fn record(number: u64) -> Vec<u8> {
    let filling = "가".repeat(number as usize % 50);
    format!(r#"{{"number":{number},"filling":"{filling}"}}"#).into_bytes()
}

fn opened<S: Subject>(subject: &S) -> S::Writer {
    subject.open().unwrap_or_else(|error| panic!("the journal opens for a writer: {error}"))
}

fn records_of(result: Result<Vec<Record>, JournalError>) -> Vec<Record> {
    result.unwrap_or_else(|error| panic!("the journal can be read: {error}"))
}

fn appended(journal: &mut impl Journal, first: u64, count: u64) {
    let records: Vec<_> = (first..first + count).map(record).collect();
    let last = journal.append(first, &records, Durability::Synced);
    assert_eq!(last.ok(), Some(first + count - 1), "the expected number is appended");
}
