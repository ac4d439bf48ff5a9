//! What is believed of a record that another start of the machine, or another gulf, wrote.

use std::fs;

use super::{CheckoutRecord, Since};
use crate::git::names::CommitId;
use crate::places::Folder;

const COMMIT: &str = "0123456789012345678901234567890123456789";

#[test]
fn a_clean_look_counts_until_the_machine_is_started_again() {
    let folder = Folder::new();
    let index = folder.join("index");
    let record = |since| CheckoutRecord {
        commit: CommitId::parse(COMMIT).unwrap(),
        info: "i".to_owned(),
        rules: "r".to_owned(),
        since,
    };
    for since in [Since::Used, Since::Untouched] {
        record(since).write(&index).unwrap();
        assert_eq!(CheckoutRecord::read(&index), Some(record(since)));
    }
    let file = folder.join("index.checkout");
    let written = fs::read_to_string(&file).unwrap();
    let (rest, boot) = written.split_once("untouched in ").unwrap();
    assert!(boot.len() > 8, "{boot:?}");
    for line in ["", "untouched", "untouched in ", "untouched in another"] {
        fs::write(&file, format!("{rest}{line}\n")).unwrap();
        assert_eq!(CheckoutRecord::read(&index), Some(record(Since::Used)), "{line:?}");
    }
    fs::write(&file, format!("{COMMIT}\ni\n")).unwrap();
    assert_eq!(CheckoutRecord::read(&index), None, "a gulf that knew less wrote it");
}
