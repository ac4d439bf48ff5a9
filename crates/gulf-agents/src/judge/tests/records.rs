//! What is kept of a verdict: a golden file, because a later gulf must read what this one writes.

use super::given::*;
use crate::judge::*;

const GOLDEN: &str = include_str!("golden/judge.json");
const BROKEN: &str = "cannot read the record of the judge: ";
const INCONSISTENT: &str = "the outcome in the record of the judge does not follow from its words";

/// Why this is no record.
fn unread(json: &str) -> String {
    JudgeRecord::read(json).unwrap_err().to_string()
}

fn record() -> JudgeRecord {
    let mut exhibits = exhibits();
    exhibits.files.push(binary("logo.png"));
    let fence = fence(&exhibits);
    let invented = said(2, Word::Met, vec![quote("src/error.js", "never written here"), quote("test", "12")]);
    let judgements = vec![
        judged("claude · sonnet", 1, &[Ok(approving())], &exhibits),
        judged("codex", 1, &[Ok(answer(vec![said(1, Word::Unmet, Vec::new()), invented]))], &exhibits),
        judged("command", 1, &[Err(NoVerdict::new("the answer is empty"))], &exhibits),
    ];
    let votes = Votes::new(2, 3).unwrap();
    let parts = parts(&exhibits, &fence, 100_000);
    let trial = Trial::new(4, FALSE_APPROVAL_BP, votes);
    JudgeRecord::new(Protocol::Evidence, &exhibits, &parts, judgements, votes, trial)
}

#[test]
fn a_record_is_written_as_the_golden_file_has_it_and_read_back() {
    let record = record();
    let written = record.print().unwrap();
    assert_eq!(written, GOLDEN, "{written}");
    assert_eq!(JudgeRecord::read(GOLDEN), Ok(record));
}

#[test]
fn a_record_with_a_field_that_is_not_known_is_not_read() {
    for place in [
        "\"version\": 1", "\"judge\": \"codex\"", "\"kind\": \"quote\"", "\"kind\": \"absent\"",
        "\"word\": \"approved\"", "\"word\": \"no-verdict\"", "\"bytes\": 878", "\"needed\": 2",
        "\"tries\": 4", "\"criterion\": 1", "\"said\": \"met\"", "\"part\": 1",
    ] {
        let more = GOLDEN.replacen(place, &format!("{place}, \"more\": 1"), 1);
        assert_ne!(more, GOLDEN, "{place}");
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
    for votes in ["\"needed\": 0", "\"needed\": 4"] {
        let forged = GOLDEN.replacen("\"needed\": 2", votes, 1);
        assert_eq!(unread(&forged), INCONSISTENT, "{votes}");
    }
}

#[test]
fn a_record_says_what_each_part_showed() {
    let text = "0123456789\n".repeat(4_000);
    let exhibits = Exhibits { files: vec![file("a.txt", &text, &[])], ..exhibits() };
    let parts = parts(&exhibits, &fence(&exhibits), PART_BYTES_MIN);
    let trial = Trial::new(1, FALSE_APPROVAL_BP, Votes::ONE);
    let record = JudgeRecord::new(Protocol::Line, &exhibits, &parts, Vec::new(), Votes::ONE, trial);
    assert_eq!(record.parts.len(), parts.len());
    assert!(record.parts.iter().flat_map(|part| &part.files).any(|file| file.starts_with("a.txt:1-")));
    assert!(record.parts.iter().all(|part| part.bytes <= PART_BYTES_MIN as u64));
    assert_eq!(JudgeRecord::read(&record.print().unwrap()), Ok(record));
}
