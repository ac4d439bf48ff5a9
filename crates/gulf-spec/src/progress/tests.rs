//! What workers write into progress.txt.

use proptest::prelude::*;

use super::{BriefGap, SeedBrief, brief_gaps, decisions_to_append, parse, seed_brief};

const FULL: &str = "ORIGINAL_GOAL: add a login form
  with two fields
ITERATION: 3

STRENGTHS:
- the session store works
RISKS:
1. tokens leak (high)
GAPS: which hash?
APPROACHES_CONSIDERED:
- cookies
- tokens
APPROACH: cookies first, because the store exists; then the form, then its tests
DECISIONS:
- chose: argon2id, rejected: bcrypt, reason: 72 byte limit,
  revisit_if: FIPS
- chose: cookies, rejected: tokens, reason: simpler, revisit_if: an API

REMAINING_GAP: first

- a
- b
- c
- d
- e
CONFIDENCE: 75
";

fn gaps(text: &str) -> Vec<String> {
    brief_gaps(text).iter().map(ToString::to_string).collect()
}

#[test]
fn a_full_brief_lacks_nothing() {
    assert!(brief_gaps(FULL).is_empty());
    assert!(brief_gaps(&format!("\u{feff}{}", FULL.replace('\n', "\r\n"))).is_empty());
}

// proves: G5
#[test]
fn each_thing_that_a_brief_lacks_is_named() {
    insta::assert_snapshot!(gaps("").join("\n"), @r#"
        `STRENGTHS:` is missing or empty
        `RISKS:` is missing or empty
        `GAPS:` is missing or empty
        `APPROACHES_CONSIDERED:` is missing or empty
        `APPROACH:` is missing or empty
        `CONFIDENCE:` is missing or empty
        "#);
    insta::assert_snapshot!(
        gaps("STRENGTHS: a\nRISKS: b\nGAPS: c\nAPPROACHES_CONSIDERED:\n* star\nAPPROACH: short\nCONFIDENCE: 80%\n").join("\n"),
        @r#"
        `APPROACHES_CONSIDERED:` lists nothing; write each approach as a line `- …`
        `APPROACH:` is 5 columns wide; say what, in which order and why in 48 or more
        `CONFIDENCE:` is `80%`; write one whole number from 0 to 100 and nothing else
        "#
    );
}

#[test]
fn an_approach_counts_from_48_columns_as_a_terminal_shows_it() {
    let long_enough = |approach: &str| {
        !brief_gaps(&format!("APPROACH: {approach}\n"))
            .iter()
            .any(|gap| matches!(gap, BriefGap::ApproachTooShort { .. }))
    };
    assert!(long_enough(&"가".repeat(24)) && long_enough(&"x".repeat(48)));
    assert!(!long_enough(&"가".repeat(23)) && !long_enough(&"x".repeat(47)));
    assert!(!long_enough(&"x   ".repeat(15)));
}

// proves: G5
#[test]
fn the_five_fields_of_the_seeds_own_brief_are_a_brief_in_korean_too() {
    let korean = "STRENGTHS:   지금 읽는 형식은 그대로 둔다\nRISKS:       값을 읽는 곳이 여럿이다\nGAPS:        줄 끝을 아무도 정하지 않았다\n\
                  APPROACH:    값을 먼저 고치고 검사를 돌린 다음 이유를 메모에 적는다\nCONFIDENCE:  75\n";
    assert_eq!(brief_gaps(korean), []);
    assert_eq!(seed_brief(korean), SeedBrief { blocking: Vec::new(), asked_for: Vec::new() });
    // Who writes the heading of a sixth, and nothing below it, has not finished.
    let begun = format!("{korean}APPROACHES_CONSIDERED:\n");
    assert_eq!(brief_gaps(&begun), [BriefGap::NoApproachListed]);
    assert_eq!(seed_brief(&begun).blocking, [BriefGap::NoApproachListed]);
    let without = korean.replace("RISKS:", "RISK-:");
    assert_eq!(brief_gaps(&without), ["RISKS", "APPROACHES_CONSIDERED"].map(BriefGap::Missing));
    assert_eq!(seed_brief(&without).blocking, [BriefGap::Missing("APPROACHES_CONSIDERED")]);
}

#[test]
fn confidence_is_one_whole_number_up_to_100() {
    let gap = |text: &str| brief_gaps(text).pop();
    assert_eq!(gap("CONFIDENCE: 29"), Some(BriefGap::ConfidenceTooLow { found: 29 }));
    for wrong in ["0.8", "75 (sure)", "+75", "101", "1020", "-1", "high"] {
        let found = gap(&format!("CONFIDENCE: {wrong}"));
        assert_eq!(found, Some(BriefGap::ConfidenceUnreadable { found: wrong.to_owned() }));
    }
    let twice = gap("CONFIDENCE: 10\nCONFIDENCE: 20\n");
    assert_eq!(twice, Some(BriefGap::ConfidenceUnreadable { found: "10 20".to_owned() }));
    assert!(!brief_gaps("CONFIDENCE: 30").iter().any(|gap| matches!(gap, BriefGap::ConfidenceTooLow { .. })));
}

#[test]
fn what_stands_below_confidence_is_prose() {
    let approach = format!("APPROACH: {}", "x".repeat(48));
    let gap = |text: &str| {
        brief_gaps(&format!("{approach}\nAPPROACHES_CONSIDERED:\n- a\n{text}")).into_iter().nth(3)
    };
    assert_eq!(gap("CONFIDENCE: 75\n\n## Notes\nthe store has no index\n"), None);
    assert_eq!(gap("CONFIDENCE:\n\n75\nbecause the store exists\n"), None);
    assert_eq!(gap("CONFIDENCE: 20\n75\n"), Some(BriefGap::ConfidenceTooLow { found: 20 }));
    assert_eq!(gap("CONFIDENCE:\n"), Some(BriefGap::Missing("CONFIDENCE")));
}

/// What holds an adopted loop whose brief is complete but for this.
fn held(approach: &str, considered: &str, confidence: &str) -> Vec<BriefGap> {
    let text = format!("APPROACHES_CONSIDERED:{considered}\nAPPROACH:{approach}\n{confidence}\n");
    let SeedBrief { blocking, asked_for } = seed_brief(&text);
    assert_eq!(asked_for, ["STRENGTHS", "RISKS", "GAPS"].map(BriefGap::Missing));
    blocking
}

const LONG: &str = " this is long enough to be read as a real approach, I hope";
const ONE: &str = "\n- one: too slow";

#[test]
fn an_adopted_loop_is_held_by_four_things_and_strengths_risks_and_gaps_are_only_asked_for() {
    assert_eq!(held(LONG, ONE, "CONFIDENCE: 50"), []);
    assert!(seed_brief(FULL).blocking.is_empty() && seed_brief(FULL).asked_for.is_empty());
    let SeedBrief { blocking, .. } = seed_brief("STRENGTHS: a\nRISKS: b\nGAPS: c\n");
    assert_eq!(blocking, ["APPROACH", "APPROACHES_CONSIDERED", "CONFIDENCE"].map(BriefGap::Missing));
    assert_eq!(
        seed_brief(""),
        SeedBrief { blocking, asked_for: ["STRENGTHS", "RISKS", "GAPS"].map(BriefGap::Missing).to_vec() }
    );
}

#[test]
fn the_approach_of_an_adopted_loop_counts_from_48_columns_as_it_stands_there() {
    let too_short = |approach: &str| held(approach, ONE, "CONFIDENCE: 50");
    for (approach, columns) in [
        (format!(" {}", "가".repeat(23)), 46),
        (format!("\n{}\n\n", "x".repeat(47)), 47),
        (format!(" {}\nNOTE: {}", "x".repeat(40), "y".repeat(40)), 40),
        (" ".repeat(80), 0),
    ] {
        assert_eq!(too_short(&approach), [BriefGap::ApproachTooShort { columns }], "{approach}");
    }
    for approach in [
        format!(" {}", "가".repeat(24)),
        format!("\n{}", "x".repeat(48)),
        format!(" {}\n{}", "x".repeat(40), "y".repeat(7)),
        format!(" {}x", "x   ".repeat(12)),
        format!(" {}\nNote: {}", "x".repeat(30), "y".repeat(30)),
    ] {
        assert_eq!(too_short(&approach), [], "{approach}");
    }
}

#[test]
fn an_approach_that_an_adopted_loop_considered_is_a_line_with_a_dash() {
    for considered in [" - one", "\n* one", "\n1. one", "\n  - one", "\n-one", "\n\nNOTE:\n- one", ""] {
        assert_eq!(held(LONG, considered, "CONFIDENCE: 50"), [BriefGap::NoApproachListed], "{considered}");
    }
    for considered in ["\n- one", "\nsome\n\n- one", " two:\n- one\n- two"] {
        assert_eq!(held(LONG, considered, "CONFIDENCE: 50"), [], "{considered}");
    }
}

#[test]
fn the_confidence_of_an_adopted_loop_is_digits_from_30() {
    for confidence in
        ["30", "030", " 99 ", "100", "150", "99999999999999999999999999999999999999999999", "7 5"]
    {
        assert_eq!(held(LONG, ONE, &format!("CONFIDENCE:{confidence}")), [], "{confidence}");
    }
    assert_eq!(held(LONG, ONE, "CONFIDENCE: 10\nCONFIDENCE: 20"), []);
    assert_eq!(held(LONG, ONE, "CONFIDENCE: 75\n\nand some notes"), []);
    for (confidence, found) in [("29", 29), ("0", 0), ("00029", 29)] {
        let low = BriefGap::ConfidenceTooLow { found };
        assert_eq!(held(LONG, ONE, &format!("CONFIDENCE: {confidence}")), [low]);
    }
    for confidence in ["80%", "0.8", "75 (sure)", "-50", "+50", "high", "٧٥"] {
        let unreadable = BriefGap::ConfidenceUnreadable { found: confidence.to_owned() };
        assert_eq!(held(LONG, ONE, &format!("CONFIDENCE: {confidence}")), [unreadable]);
    }
    for confidence in ["", "CONFIDENCE:", "confidence: 80", " CONFIDENCE: 80"] {
        assert_eq!(held(LONG, ONE, confidence), [BriefGap::Missing("CONFIDENCE")], "{confidence}");
    }
}

#[test]
fn the_next_task_is_the_first_five_lines_of_the_gap() {
    assert_eq!(parse(FULL).next_task().as_deref(), Some("first\n- a\n- b\n- c\n- d"));
    assert_eq!(parse("REMAINING_GAP:\n\n").next_task(), None);
    assert_eq!(parse("remaining_gap: x\n REMAINING_GAP: y\n").next_task(), None);
}

#[test]
fn a_file_of_more_than_80_lines_is_named_with_its_length() {
    assert_eq!(parse(&"x\n".repeat(80)).lines_over_limit(), None);
    assert_eq!(parse(&"x\n".repeat(81)).lines_over_limit(), Some(81));
}

// proves: G11
#[test]
fn every_decision_is_appended_once_with_its_continuation() {
    let progress = parse(FULL);
    let first = decisions_to_append(&progress, "", 3);
    insta::assert_snapshot!(first, @r#"
        [iter 3] chose: argon2id, rejected: bcrypt, reason: 72 byte limit, revisit_if: FIPS
        [iter 3] chose: cookies, rejected: tokens, reason: simpler, revisit_if: an API
        "#);
    assert_eq!(decisions_to_append(&progress, &first, 4), "");
    assert_eq!(decisions_to_append(&parse("DECISIONS:\n- new\n- new\n"), "a note", 5), "\n[iter 5] new\n");
}

// proves: G11
#[test]
fn a_changed_goal_is_told_and_rewrapping_is_no_change() {
    let progress = parse(FULL);
    let recorded = progress.original_goal().unwrap();
    assert_eq!(recorded, "add a login form with two fields");
    let rewrapped = parse("ORIGINAL_GOAL:\nadd a login\nform with two fields\n");
    assert_eq!(rewrapped.goal_change(&recorded), None);
    let changed = parse("ORIGINAL_GOAL: add a form\n").goal_change(&recorded);
    assert_eq!(changed.as_deref(), Some("add a form"));
    assert_eq!(parse("").goal_change(&recorded).as_deref(), Some(""));
}

#[test]
fn a_file_cut_at_any_byte_is_read() {
    for cut in (0..FULL.len()).filter(|cut| FULL.is_char_boundary(*cut)) {
        let progress = parse(&FULL[..cut]);
        assert!(progress.next_task().is_none_or(|task| task.lines().count() <= 5));
        assert_eq!(brief_gaps(&FULL[..cut]).is_empty(), cut >= FULL.len() - 1, "{cut}");
    }
}

proptest! {
    #[test]
    fn any_text_is_a_progress_file(text in any::<String>(), decisions in any::<String>()) {
        let progress = parse(&text);
        let appended = decisions_to_append(&progress, &decisions, 1);
        let whole = format!("{decisions}{appended}");
        prop_assert_eq!(decisions_to_append(&progress, &whole, 2), "");
        prop_assert!(!brief_gaps(&text).is_empty() || seed_brief(&text).blocking.is_empty());
        progress.next_task();
        progress.goal_change(&decisions);
    }

    #[test]
    fn decisions_are_never_appended_twice(entries in proptest::collection::vec("[a-c \\]\\[]{0,4}", 0..6)) {
        let text = format!("DECISIONS:\n{}", entries.iter().map(|entry| format!("- {entry}\n")).collect::<String>());
        let once = decisions_to_append(&parse(&text), "", 1);
        prop_assert_eq!(decisions_to_append(&parse(&text), &once, 2), "");
    }
}

#[test]
fn decisions_and_doubts_are_read_for_the_report() {
    let progress = parse("DECISIONS:\n- chose a | rejected b\n  because c\nUNCERTAINTIES:\n- d\n- e\n");
    assert_eq!(progress.decisions(), ["chose a | rejected b because c"]);
    assert_eq!(progress.uncertainties(), ["d", "e"]);
    assert_eq!(parse("UNCERTAINTIES: whether it\n  scales\n").uncertainties(), ["whether it scales"]);
    assert!(parse("GOAL: x\n").uncertainties().is_empty());
}
