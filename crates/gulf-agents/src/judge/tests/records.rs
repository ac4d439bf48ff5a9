//! What is kept of a verdict: a golden file, because a later gulf must read what this one writes.

use super::given::*;
use crate::judge::*;

const APPROVED: &str = include_str!("golden/approved.json");
const GOLDEN: &str = include_str!("golden/judge.json");
const SILENT: &str = include_str!("golden/silent.json");
const BROKEN: &str = "cannot read the record of the judge: ";
const INCONSISTENT: &str = "the outcome in the record of the judge does not follow from its words";

/// Why this is no record.
fn unread(json: &str) -> String {
    JudgeRecord::read(json).unwrap_err().to_string()
}

fn record(judge: &str, answer: Result<Answer, NoVerdict>) -> JudgeRecord {
    let mut exhibits = exhibits();
    exhibits.files.push(binary("logo.png"));
    let parts = parts(&exhibits, &fence(&exhibits), 100_000);
    let judgement = judged(judge, 1, &[answer], &exhibits);
    let trial = Trial::new(4, FALSE_APPROVAL_BP);
    JudgeRecord::new(Protocol::Evidence, &exhibits, &parts, judgement, trial)
}

#[test]
fn a_record_is_written_as_the_golden_file_has_it_and_read_back() {
    let invented = said(2, Word::Met, vec![quote("src/error.js", "never written here"), quote("test", "12")]);
    for (golden, record) in [
        (APPROVED, record("claude · sonnet", Ok(approving()))),
        (GOLDEN, record("codex", Ok(answer(vec![said(1, Word::Unmet, Vec::new()), invented])))),
        (SILENT, record("command", Err(NoVerdict::new("the answer is empty")))),
    ] {
        let written = record.print().unwrap();
        assert_eq!(written, golden, "{written}");
        assert_eq!(JudgeRecord::read(golden), Ok(record));
    }
}

#[test]
fn a_record_with_a_field_that_is_not_known_is_not_read() {
    for (golden, place) in [
        (GOLDEN, "\"version\": 1"),
        (GOLDEN, "\"judge\": \"codex\""),
        (GOLDEN, "\"kind\": \"quote\""),
        (GOLDEN, "\"kind\": \"absent\""),
        (APPROVED, "\"word\": \"approved\""),
        (SILENT, "\"word\": \"no-verdict\""),
        (GOLDEN, "\"bytes\": 878"),
        (GOLDEN, "\"needed\": 1"),
        (GOLDEN, "\"tries\": 4"),
        (GOLDEN, "\"criterion\": 1"),
        (GOLDEN, "\"said\": \"met\""),
        (SILENT, "\"part\": 1"),
    ] {
        let more = golden.replacen(place, &format!("{place}, \"more\": 1"), 1);
        assert_ne!(more, golden, "{place}");
        assert!(unread(&more).starts_with(BROKEN), "{place}");
    }
}

#[test]
fn a_later_record_is_named_as_such() {
    let later = GOLDEN.replacen("\"version\": 1", "\"later\": true, \"version\": 2", 1);
    assert_eq!(unread(&later), "the record of the judge has version 2, this gulf knows 1");
    assert!(unread("{}").starts_with(BROKEN));
    assert!(unread(&GOLDEN[..GOLDEN.len() / 2]).starts_with(BROKEN));
}

#[test]
fn an_outcome_that_its_words_do_not_have_is_not_believed() {
    let start = GOLDEN.find("\"outcome\"").unwrap();
    let end = GOLDEN.find("\"trial\"").unwrap();
    let outcome = "\"outcome\": {\"word\": \"approved\", \"evidence_inside\": 2},\n";
    let forged = format!("{}{outcome}{}", &GOLDEN[..start], &GOLDEN[end..]);
    assert_eq!(unread(&forged), INCONSISTENT);
    for votes in ["\"needed\": 0", "\"needed\": 2"] {
        let forged = GOLDEN.replacen("\"needed\": 1", votes, 1);
        assert_eq!(unread(&forged), INCONSISTENT, "{votes}");
    }
}

#[test]
fn a_record_says_what_each_part_showed() {
    let text = "0123456789\n".repeat(4_000);
    let exhibits = Exhibits { files: vec![file("a.txt", &text, &[])], ..exhibits() };
    let parts = parts(&exhibits, &fence(&exhibits), PART_BYTES_MIN);
    let (judgement, trial) = (judged_by_line("judge", 1, &[]), Trial::new(1, FALSE_APPROVAL_BP));
    let record = JudgeRecord::new(Protocol::Line, &exhibits, &parts, judgement, trial);
    assert_eq!(record.parts.len(), parts.len());
    assert!(record.parts.iter().flat_map(|part| &part.files).any(|file| file.starts_with("a.txt:1-")));
    assert!(record.parts.iter().all(|part| part.bytes <= PART_BYTES_MIN as u64));
    assert_eq!(JudgeRecord::read(&record.print().unwrap()), Ok(record));
}
