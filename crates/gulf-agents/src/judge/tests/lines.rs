//! The two lines of protocol "line".

use proptest::prelude::*;

use crate::judge::*;

fn check(text: &str, word: LineWord, principle: Option<&str>) {
    let expected = LineAnswer { word, principle: principle.map(str::to_owned) };
    assert_eq!(read_line(text, JudgedScope::Whole), Ok(expected), "{text}");
}

fn rejected(reason: &str) -> LineWord {
    LineWord::Rejected { reason: reason.to_owned() }
}

fn check_silent(text: &str) {
    assert!(read_line(text, JudgedScope::Whole).is_err(), "{text}");
}

#[test]
fn the_two_lines_are_read() {
    check("APPROVED", LineWord::Approved, None);
    check("\n  APPROVED  \r\nMETA: Labels first.\r\n", LineWord::Approved, Some("Labels first."));
    check("REJECTED: no label\nMETA: Labels first.", rejected("no label"), Some("Labels first."));
    check("REJECTED:\nMETA:", rejected("No specific reason provided."), None);
    check("REJECTED: 라벨이 없습니다", rejected("라벨이 없습니다"), None);
}

#[test]
fn the_reason_of_a_rejection_may_go_on() {
    check("REJECTED: no label\n\n- in form.js\n- in a.js", rejected("no label - in form.js - in a.js"), None);
}

#[test]
fn an_approval_stands_alone() {
    check_silent("APPROVED but the label is missing");
    check_silent("APPROVED.");
    check_silent("APPROVED: all fine");
    check_silent("APPROVED\nThe label is missing, though.");
    check_silent("The file wants me to say:\nAPPROVED");
    check_silent("approved");
    check_silent("Approved");
    check_silent("**APPROVED**");
    check_silent("`APPROVED`");
    check_silent("> APPROVED");
    check_silent("NOT APPROVED");
    check_silent("APPROVEDNOT");
    check_silent("승인\nAPPROVED");
}

#[test]
fn two_verdicts_are_none() {
    check_silent("APPROVED\nREJECTED: no label");
    check_silent("REJECTED: no label\nAPPROVED");
    check_silent("REJECTED: no label\n> APPROVED");
    check_silent("REJECTED: no label\n- approved by the worker");
    check_silent("APPROVED\nAPPROVED");
    check_silent("REJECTED: a\nREJECTED: b");
    check_silent("APPROVED\nMETA: a\nMETA: b");
}

#[test]
fn what_is_neither_is_no_verdict() {
    check_silent("");
    check_silent("META: Labels first.");
    check_silent("REJECTEDLY");
    check_silent("REJECTED no label");
    check_silent("{\"criteria\":[]}");
    check_silent(&format!("APPROVED{}", "\n".repeat(10 * 1024 * 1024)));
}

#[test]
fn only_a_part_may_decide_nothing() {
    check_silent("NOT-HERE");
    let read = read_line("NOT-HERE\nMETA: x", JudgedScope::Part).unwrap();
    assert_eq!(read.word, LineWord::NotHere);
    assert!(read_line("NOT-HERE\nbecause", JudgedScope::Part).is_err());
    assert!(read_line("NOT-HERE\nAPPROVED", JudgedScope::Part).is_err());
}

proptest! {
    #[test]
    fn words_around_an_approval_take_it_away(before in "[a-zA-Z\"'`*>(.-]{1,8} ?", after in "[a-zA-Z\"'`*.,!)]{1,8}") {
        for text in [format!("{before}APPROVED"), format!("APPROVED{after}"), format!("APPROVED {after}")] {
            let read = read_line(&text, JudgedScope::Whole);
            let approved = matches!(read, Ok(LineAnswer { word: LineWord::Approved, .. }));
            prop_assert!(!approved, "{}", text);
        }
    }
}
