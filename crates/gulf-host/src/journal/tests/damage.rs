//! Journals that a crash cut short, and journals that someone damaged.

use super::*;

/// The longest prefix of whole lines.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    &bytes[..end]
}

#[test]
fn a_journal_cut_at_any_byte_yields_a_prefix_and_keeps_what_was_torn() {
    let original = written(Folder::new().path(), 5);
    let all: Vec<_> = records(1..=5);
    for cut in 0..=original.len() {
        let folder = Folder::new();
        let path = folder.join(JOURNAL_FILE);
        fs::write(&path, &original[..cut]).unwrap();
        let whole = whole_lines(&original[..cut]);
        let count = whole.iter().filter(|byte| **byte == b'\n').count();

        let seen = read(folder.path()).unwrap();
        assert_eq!(
            seen.iter().map(|record| &record.line).collect::<Vec<_>>(),
            all[..count].iter().collect::<Vec<_>>()
        );
        let (mut journal, torn) = open(folder.path(), b"").unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole);
        match torn {
            Some(torn) => {
                assert_eq!(torn.kept_at, folder.join("journal.torn-1"));
                assert_eq!(fs::read(&torn.kept_at).unwrap(), original[whole.len()..cut]);
                assert_eq!(torn.bytes, (cut - whole.len()) as u64);
            }
            None => assert_eq!(cut, whole.len()),
        }
        let last = journal.append(count as u64 + 1, &records(9..=9), Durability::Buffered).unwrap();
        assert_eq!(last, count as u64 + 1, "cut at {cut}");
        assert_eq!(read(folder.path()).unwrap().len(), count + 1);
    }
}

fn check_torn(end: &[u8]) {
    let folder = Folder::new();
    let original = written(folder.path(), 2);
    let path = folder.join(JOURNAL_FILE);
    fs::write(&path, [&original, end].concat()).unwrap();
    assert_eq!(sequences(&read(folder.path()).unwrap()), [1, 2], "{end:?}");
    let (_, torn) = open(folder.path(), b"").unwrap();
    assert_eq!(fs::read(torn.unwrap().kept_at).unwrap(), end);
    assert_eq!(fs::read(&path).unwrap(), original);
}

#[test]
fn a_last_line_that_is_no_record_is_torn_off_and_kept() {
    check_torn(b"{\"number\":");
    check_torn(b"{\"number\":\n");
    check_torn(b"[]\n");
    check_torn(b"\n");
    check_torn(b"{}");
    check_torn(&[0; 4096]);
    check_torn(b"{\"a\":\"\xff\"}\n");
}

#[test]
fn a_last_line_without_end_is_torn_off_however_long_it_is() {
    let folder = Folder::new();
    let limits = JournalLimits { line_bytes_max: 50, ..JournalLimits::default() };
    fs::write(folder.join(JOURNAL_FILE), [b"{}\n", &[b'x'; 200][..]].concat()).unwrap();
    let (_, torn, records) = LocalJournal::open_within(folder.path(), b"", limits).unwrap();
    assert_eq!((records.len(), torn.unwrap().bytes), (1, 200));
}

#[test]
fn each_torn_end_is_kept_under_a_name_of_its_own() {
    let folder = Folder::new();
    for (number, end) in ["{first", "{second"].into_iter().enumerate() {
        fs::write(folder.join(JOURNAL_FILE), end).unwrap();
        open(folder.path(), b"").unwrap();
        assert_eq!(fs::read_to_string(folder.join(&format!("journal.torn-{}", number + 1))).unwrap(), end);
    }
}

fn check_corrupt(bytes: &[u8], place: (u64, u64), reason: &str) {
    let folder = Folder::new();
    let path = folder.join(JOURNAL_FILE);
    fs::write(&path, bytes).unwrap();
    for error in [open(folder.path(), b"").unwrap_err(), read(folder.path()).unwrap_err()] {
        let hint = error.hint().unwrap();
        let JournalError::Corrupt { line, column, reason: found, .. } = error else { panic!("{error:?}") };
        assert_eq!(((line, column), &*found), (place, reason));
        assert!(hint.contains(&format!("sed -n {line}p")), "{hint}");
    }
    assert_eq!(fs::read(&path).unwrap(), bytes, "nothing was changed");
    assert_eq!(folder.names(), [JOURNAL_FILE, LOCK_FILE], "nothing was set aside");
}

#[test]
fn a_line_in_the_middle_that_is_no_record_is_corruption_with_its_place() {
    check_corrupt(b"{}\n\n{}\n", (2, 1), "not a JSON object");
    check_corrupt(b"{}\n{}\n{\"a\":}\n{}\n", (3, 6), "expected value");
    check_corrupt(b"{\"a\":\"\xff\"}\n{}\n", (1, 7), "not UTF-8");
    check_corrupt(b"\xef\xbb\xbf{}\n{}\n", (1, 1), "not a JSON object");
    check_corrupt(b"{}\nhello\n{\"unfinished", (2, 1), "not a JSON object");
    check_corrupt(b"<<<<<<< HEAD\n{}\n", (1, 1), "not a JSON object");
}

#[test]
fn a_line_in_the_middle_that_is_too_long_is_corruption() {
    let folder = Folder::new();
    let long = format!("{{\"a\":\"{}\"}}\n{{}}\n", "x".repeat(100));
    fs::write(folder.join(JOURNAL_FILE), long).unwrap();
    let limits = JournalLimits { line_bytes_max: 50, ..JournalLimits::default() };
    let error = open_within(folder.path(), b"", limits).unwrap_err();
    assert!(matches!(error, JournalError::Corrupt { line: 1, column: 50, .. }), "{error:?}");
}
