//! What is taken for a verdict, and what is not.

use proptest::prelude::*;
use serde_json::Value;

use super::given::*;
use crate::judge::*;

const WHOLE: Asked = Asked { criteria: 2, scope: JudgedScope::Whole };

/// No verdict, for a reason in which these words stand.
fn check_silent(text: &str, why: &str) {
    let shown: String = text.chars().take(200).collect();
    match read_evidence(text, WHOLE) {
        Ok(answer) => panic!("{shown}\nis read as {answer:?}"),
        Err(silent) => {
            assert!(silent.why.contains(why), "{shown}\n{silent}");
            assert!(silent.why.chars().count() < 300 && !silent.why.contains('\n'), "{silent}");
        }
    }
}

fn one(number: u32, word: &str, more: &str) -> String {
    format!(r#"{{"number":{number},"word":"{word}"{more}}}"#)
}

fn object(criteria: &[String]) -> String {
    format!(r#"{{"criteria":[{}]}}"#, criteria.join(","))
}

#[test]
fn a_full_answer_is_read_as_text_in_a_fence_and_as_structured_output() {
    let value: Value = serde_json::from_str(APPROVAL).unwrap();
    let read = read_evidence(&value.to_string(), WHOLE).unwrap();
    assert_eq!(read.criteria[0].evidence, [quote("src/form.js", "return label('name')")]);
    let examined = Evidence::Examined { path: "src/error.js".to_owned() };
    assert_eq!(read.criteria[1].evidence, [Evidence::Check { name: "test".to_owned() }, examined]);
    assert_eq!(read.principle.as_deref(), Some("Look at labels first."));
    for text in [
        APPROVAL.to_owned(),
        format!("\u{feff}\r\n {APPROVAL}\r\n\r\n"),
        format!("```json\n{APPROVAL}\n```\n"),
        format!("```\r\n{APPROVAL}\r\n```"),
        APPROVAL.replace('\n', "\r\n"),
    ] {
        assert_eq!(read_evidence(&text, WHOLE).as_ref(), Ok(&read), "{text}");
    }
}

#[test]
fn criteria_may_come_in_any_order() {
    let text = object(&[one(2, "unsure", ""), one(1, "unsure", "")]);
    let read = read_evidence(&text, WHOLE).unwrap();
    assert_eq!(read.criteria.iter().map(|said| said.number).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(read.principle, None);
}

#[test]
fn prose_is_no_verdict() {
    check_silent("APPROVED", "not one JSON object");
    check_silent("All criteria are met.", "not one JSON object: All criteria are met.");
    check_silent("모든 기준이 충족되었습니다. 승인합니다.", "not one JSON object");
    check_silent("", "empty");
    check_silent(" \r\n\t ", "empty");
    check_silent("{}", "missing field `criteria`");
    check_silent("[]", "not one JSON object");
    check_silent("\"met\"", "not one JSON object");
}

#[test]
fn prose_around_an_object_may_deny_it_so_it_is_no_verdict() {
    check_silent(
        &format!("The file tells me to answer this, I will not:\n{APPROVAL}"),
        "not one JSON object",
    );
    check_silent(&format!("{APPROVAL}\nBut I am not sure."), "trailing characters");
    check_silent(&format!("Found in the file:\n```json\n{APPROVAL}\n```"), "not one JSON object");
    check_silent(&format!("```json\n{APPROVAL}\n```\nwas what the file said"), "not one JSON object");
    check_silent(&format!("```text\n{APPROVAL}\n```"), "not one JSON object");
    check_silent(&format!("APPROVED\n{APPROVAL}"), "not one JSON object");
}

#[test]
fn two_objects_are_no_verdict() {
    check_silent(&format!("{APPROVAL}{APPROVAL}"), "trailing characters");
    check_silent(&format!("```json\n{APPROVAL}\n```\n```json\n{APPROVAL}\n```"), "trailing characters");
    check_silent(r#"{"criteria":[],"criteria":[]}"#, "duplicate field `criteria`");
}

#[test]
fn a_cut_answer_is_no_verdict_wherever_it_is_cut() {
    for end in 0..APPROVAL.len() {
        let cut = &APPROVAL[..end];
        assert!(read_evidence(cut, WHOLE).is_err(), "{cut}");
        assert!(read_evidence(&format!("```json\n{cut}\n```"), WHOLE).is_err(), "{cut}");
    }
}

#[test]
fn each_criterion_is_named_exactly_once() {
    let unsure = |number| one(number, "unsure", "");
    check_silent(&object(&[unsure(1)]), "says nothing about criterion 2");
    check_silent(&object(&[]), "says nothing about criterion 1");
    check_silent(&object(&[unsure(1), unsure(2), unsure(1)]), "criterion 1 twice");
    check_silent(&object(&[one(1, "met", ""), one(1, "unmet", r#","reason":"x""#)]), "criterion 1 twice");
    check_silent(&object(&[unsure(0), unsure(1), unsure(2)]), "criterion 0, where there are 2");
    check_silent(&object(&[unsure(1), unsure(2), unsure(3)]), "criterion 3, where there are 2");
    check_silent(&object(&[unsure(1), one(4_294_967_295, "met", "")]), "4294967295");
    check_silent(r#"{"criteria":[{"number":4294967297,"word":"met"}]}"#, "invalid value");
    check_silent(r#"{"criteria":[{"number":-1,"word":"met"}]}"#, "invalid value");
    check_silent(r#"{"criteria":[{"number":1.0,"word":"met"}]}"#, "invalid type");
    check_silent(r#"{"criteria":[{"number":"1","word":"met"}]}"#, "invalid type");
}

#[test]
fn only_the_words_of_the_schema_are_words() {
    for word in ["Met", "MET", "approved", "met unmet", "", "충족", "partially"] {
        check_silent(&object(&[one(1, word, ""), one(2, "met", "")]), "unknown variant");
    }
    check_silent(&object(&[one(1, "met", r#","word":"unmet""#)]), "duplicate field `word`");
    check_silent(&object(&[one(1, "met", r#","verdict":"unmet""#)]), "unknown field `verdict`");
    check_silent(&object(&[one(1, "met", r#","quotes":["x"]"#)]), "invalid type");
}

#[test]
fn a_rejection_needs_a_reason() {
    check_silent(&object(&[one(1, "unmet", ""), one(2, "met", "")]), "criterion 1 is unmet without a reason");
    check_silent(&object(&[one(1, "unmet", r#","reason":" \n""#)]), "criterion 1 is unmet without a reason");
}

#[test]
fn only_a_part_may_say_that_something_is_not_here() {
    let text = object(&[one(1, "not-here", ""), one(2, "not-here", "")]);
    check_silent(&text, "criterion 1 is `not-here`");
    let read = read_evidence(&text, Asked { scope: JudgedScope::Part, ..WHOLE }).unwrap();
    assert_eq!(read.criteria[0].word, Word::NotHere);
}

#[test]
fn nothing_is_approved_where_nothing_was_asked() {
    let none = Asked { criteria: 0, scope: JudgedScope::Whole };
    let silent = read_evidence(r#"{"criteria":[]}"#, none).unwrap_err();
    assert_eq!(silent.why, "there is no criterion to judge");
}

#[test]
fn ten_megabytes_are_not_read() {
    let padded = format!("{APPROVAL}{}", " ".repeat(10 * 1024 * 1024));
    check_silent(&padded, "10486");
    let value = Value::from("x".repeat(10 * 1024 * 1024));
    assert!(read_evidence(&value.to_string(), WHOLE).is_err());
    check_silent(&"{\"a\":".repeat(100_000), "unknown field `a`");
}

#[test]
fn so_much_evidence_is_not_looked_at() {
    let checks = vec!["\"test\""; EVIDENCE_MAX + 1].join(",");
    let text = object(&[one(1, "met", &format!(r#","checks":[{checks}]"#)), one(2, "met", "")]);
    check_silent(&text, "51 pieces of evidence");
}

#[test]
fn a_reason_is_one_line_that_moves_no_cursor() {
    let text =
        object(&[one(1, "unmet", r#","reason":" a\n\n---\n## b\u001b[2J\u2028c ""#), one(2, "unsure", "")]);
    let read = read_evidence(&text, WHOLE).unwrap();
    assert_eq!(read.criteria[0].reason, "a --- ## b\\u{1b}[2J c");
}

#[test]
fn a_principle_is_one_short_line() {
    let long = format!("One.\\n\\nTwo\\u0000 {}", "x".repeat(1000));
    let text = APPROVAL.replace("Look at labels first.", &long);
    let principle = read_evidence(&text, WHOLE).unwrap().principle.unwrap();
    assert!(principle.starts_with("One. Two"), "{principle}");
    assert!(!principle.contains(char::is_control) && principle.chars().count() <= 310, "{principle}");
}

#[test]
fn the_schema_is_closed_and_asks_for_what_the_reader_reads() {
    for (scope, words) in [(JudgedScope::Whole, 3), (JudgedScope::Part, 4)] {
        let schema: Value = serde_json::from_str(&schema(scope)).unwrap();
        let mut objects = Vec::new();
        collect_objects(&schema, &mut objects);
        assert_eq!(objects.len(), 3);
        for object in objects {
            assert_eq!(object["additionalProperties"], false);
            let mut required: Vec<&str> =
                object["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            let mut properties: Vec<&str> =
                object["properties"].as_object().unwrap().keys().map(String::as_str).collect();
            required.sort_unstable();
            properties.sort_unstable();
            assert_eq!(required, properties);
        }
        let criterion = &schema["properties"]["criteria"]["items"]["properties"];
        assert_eq!(criterion["word"]["enum"].as_array().unwrap().len(), words);
        let mut full: Value = serde_json::from_str(APPROVAL).unwrap();
        let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(&full["criteria"][0]), keys(criterion));
        for word in criterion["word"]["enum"].as_array().unwrap() {
            full["criteria"][0]["word"] = word.clone();
            full["criteria"][0]["reason"] = "why".into();
            assert!(read_evidence(&full.to_string(), Asked { criteria: 2, scope }).is_ok(), "{word}");
        }
    }
}

fn collect_objects<'v>(value: &'v Value, found: &mut Vec<&'v Value>) {
    if value["type"] == "object" {
        found.push(value);
    }
    for inner in value.as_object().into_iter().flat_map(|object| object.values()) {
        collect_objects(inner, found);
    }
}

proptest! {
    #[test]
    fn what_is_no_object_is_no_verdict(text in "[^{]\\PC{0,200}") {
        prop_assume!(!text.trim_start_matches(['\u{feff}', '`']).trim_start().starts_with('{'));
        prop_assert!(read_evidence(&text, WHOLE).is_err());
    }

    #[test]
    fn a_damaged_answer_approves_nothing_that_it_did_not_before(at in 0..APPROVAL.len(), byte in any::<char>()) {
        prop_assume!(APPROVAL.is_char_boundary(at));
        let mut damaged = APPROVAL.to_owned();
        damaged.insert(at, byte);
        let Ok(read) = read_evidence(&damaged, WHOLE) else { return Ok(()) };
        prop_assert_eq!(read.criteria.len(), 2);
        let judged = judged("judge", 1, &[Ok(read)], &exhibits());
        prop_assert!(!matches!(judged.verdict, Verdict::Rejected { .. }), "{damaged}");
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in "\\PC{0,80}[{}\\[\\]\":,a-z0-9 ]{0,80}") {
        let _ = read_evidence(&text, WHOLE);
        let _ = read_line(&text, JudgedScope::Part);
    }
}
