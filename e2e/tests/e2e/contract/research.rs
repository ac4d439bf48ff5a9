//! The research gate of an adopted loop (CONTRACT §1.8): four checks in their order, and nothing else blocks.
//!
//! Apart because it is a table: a progress.txt, and whether the first iteration may end with it.

use gulf_testkit::one_in_turn;

use super::harness::{BRIEF, Host, PROMPT, Session};

const FIRST: &str = "active: true\niteration: 1\nmax_iterations: 50\ncompletion_promise: \"COMPLETE\"";

/// Forty-eight characters.
const LONG_ENOUGH: &str = "Write the word into value.txt and run the check.";

fn brief(approach: &str, considered: &str, confidence: &str) -> String {
    format!("APPROACH:{approach}\nAPPROACHES_CONSIDERED:{considered}\n{confidence}\n")
}

fn with_approach(approach: &str) -> String {
    brief(approach, "\n- one way", "CONFIDENCE: 80")
}

fn with_considered(considered: &str) -> String {
    brief(&format!(" {LONG_ENOUGH}"), considered, "CONFIDENCE: 80")
}

fn with_confidence(confidence: &str) -> String {
    brief(&format!(" {LONG_ENOUGH}"), "\n- one way", confidence)
}

fn armed() -> Session {
    let session = Session::checked(Host::Plain);
    session.marker(FIRST, PROMPT);
    session
}

/// The first iteration may end with this progress.txt.
#[track_caller]
fn passes(progress: &str) {
    let session = armed();
    session.write("progress.txt", progress);
    session.stop("The brief is written.").continues();
    assert_eq!(session.field("iteration").as_deref(), Some("2"), "held back:\n{progress}");
}

/// It may not, and the answer names this.
#[track_caller]
fn is_held_back(progress: &str, named: &str) {
    let session = armed();
    session.write("progress.txt", progress);
    let outcome = session.stop("The brief is written.");
    let text = outcome.continues();
    assert_eq!(session.field("iteration").as_deref(), Some("1"), "passed:\n{progress}");
    assert!(text.contains(named), "{named} is not named: {text}");
}

#[test]
fn without_an_approach_the_gate_holds() {
    is_held_back("", "APPROACH");
    is_held_back("APPROACHES_CONSIDERED:\n- one way\nCONFIDENCE: 80\n", "APPROACH");
    is_held_back(&format!(" {}", with_approach(&format!(" {LONG_ENOUGH}"))), "APPROACH");
    is_held_back(
        &format!("approach: {LONG_ENOUGH}\nAPPROACHES_CONSIDERED:\n- one\nCONFIDENCE: 80\n"),
        "APPROACH",
    );
}

#[test]
fn an_approach_of_forty_eight_columns_passes_and_one_of_forty_seven_does_not() {
    assert_eq!(LONG_ENOUGH.chars().count(), 48);
    passes(&with_approach(&format!(" {LONG_ENOUGH}")));
    is_held_back(&with_approach(&format!(" {}", &LONG_ENOUGH[1..])), "APPROACH");
}

#[test]
fn an_approach_below_its_key_counts_too() {
    passes(&with_approach(&format!("\n{LONG_ENOUGH}")));
    passes(&with_approach(" First the word,\nthen the check of the whole,\nthen the note on why"));
}

#[test]
fn an_approach_is_measured_in_columns_in_every_locale() {
    // Bytes in the locale `C`, as the original had it, would let seventeen Korean characters pass.
    let korean = "값을 먼저 고치고 검사를 돌린 다음 이유를 메모에 적는다";
    let session = armed().variable("LANG", "C").variable("LC_ALL", "C");
    session.write("progress.txt", with_approach(" 값을 고치고 검사를 돌린다 지금 바로 하자"));
    session.stop("").continues();
    session.expect_fields(&[("iteration", "1")]);
    session.write("progress.txt", with_approach(&format!(" {korean}")));
    session.stop("").continues();
    session.expect_fields(&[("iteration", "2")]);
}

#[test]
fn the_approaches_considered_are_a_list_of_dashes_at_the_margin() {
    passes(&with_considered("\n- one way"));
    for list in
        ["", " - one way", "\n* one way", "\n1. one way", "\n  - one way", "\nCONFIDENCE: 90\n- one way"]
    {
        is_held_back(&with_considered(list), "APPROACHES_CONSIDERED");
    }
    let without = format!("APPROACH: {LONG_ENOUGH}\nCONFIDENCE: 80\n");
    is_held_back(&without, "APPROACHES_CONSIDERED");
}

#[test]
fn confidence_is_a_bare_number_from_thirty() {
    for confidence in ["CONFIDENCE: 30", "CONFIDENCE: 100", "CONFIDENCE:75", "CONFIDENCE:   42  "] {
        passes(&with_confidence(confidence));
    }
    let refused = [
        "CONFIDENCE: 29", "CONFIDENCE: 0", "CONFIDENCE: 80%", "CONFIDENCE: 0.8", "CONFIDENCE: 75 (sure)",
        "CONFIDENCE: high", "CONFIDENCE: -40", "CONFIDENCE:",
    ];
    for confidence in refused {
        is_held_back(&with_confidence(confidence), "CONFIDENCE");
    }
}

#[test]
fn a_missing_confidence_is_held_back_and_named() {
    // The original dies here.
    is_held_back(&with_confidence(""), "CONFIDENCE");
}

#[test]
fn confidence_has_no_upper_bound() {
    passes(&with_confidence("CONFIDENCE: 101"));
    passes(&with_confidence("CONFIDENCE: 1000"));
}

#[test]
fn the_checks_are_named_in_their_order() {
    let session = armed();
    let text = session.stop("").continues();
    assert!(text.contains("APPROACH"), "the first that fails is named first: {text}");
    session.write("progress.txt", with_approach(" short"));
    let text = session.stop("").continues();
    assert!(text.contains("APPROACH") && text.contains("48"), "{text}");
}

#[test]
fn strengths_risks_and_gaps_are_asked_for_and_named_and_do_not_block() {
    let session = armed();
    session.write("progress.txt", with_approach(" short"));
    let text = session.stop("").continues();
    for key in ["STRENGTHS", "RISKS", "GAPS"] {
        assert!(text.contains(key), "{key} is not asked for: {text}");
    }
    session.write("progress.txt", with_approach(&format!(" {LONG_ENOUGH}")));
    session.stop("").continues();
    session.expect_fields(&[("iteration", "2")]);
}

// proves: G5
#[test]
fn five_times_the_brief_is_asked_for_and_the_sixth_stop_pauses() {
    for host in one_in_turn(super::harness::HOSTS) {
        let session = Session::checked(host);
        session.marker(FIRST, PROMPT);
        for number in 1..=5 {
            let outcome = session.stop("I am still thinking.");
            outcome.continues();
            let told = format!("research phase incomplete, {number} of 5: the brief lacks APPROACH");
            outcome.says(&told);
            session.expect_fields(&[("iteration", "1"), ("active", "true")]);
        }
        session.stop("I am still thinking.").lets_stop().says("research").says("resume");
        session.expect_fields(&[("iteration", "1"), ("active", "false")]);
        assert_eq!(session.end(), None);
    }
}

#[test]
fn after_a_resume_the_brief_is_asked_for_again() {
    let session = armed();
    for _ in 0..6 {
        session.stop("I am still thinking.");
    }
    session.prompt("/gulf-loop:resume");
    session.expect_fields(&[("active", "true"), ("iteration", "1")]);
    session.write("progress.txt", BRIEF);
    session.stop("Here it is.").continues();
    session.expect_fields(&[("iteration", "2")]);
}

#[test]
fn in_judge_mode_no_judge_is_asked_before_the_brief_is_there() {
    let (session, judge) = Session::judged(Host::Plain);
    let judge = judge.says("APPROVED");
    session.marker(&super::harness::JUDGED.replace("iteration: 2", "iteration: 1"), PROMPT);
    session.mend();
    session.stop("Done at once.").continues();
    session.expect_fields(&[("iteration", "1")]);
    assert!(judge.prompts().is_empty());
    session.write("progress.txt", BRIEF);
    session.stop("The brief is written.").lets_stop();
    assert_eq!(judge.prompts().len(), 1);
    session.expect_completed();
}

#[test]
fn a_started_loop_wants_a_brief_of_its_own_and_says_so() {
    // The original lets an earlier loop's pass; so does gulf for a hand-made marker (see `order`).
    let session = Session::checked(Host::Plain);
    session.write("progress.txt", BRIEF);
    session.gulf(&["start", PROMPT]).run().expect_exit(0);
    let outcome = session.stop("The brief is there.");
    assert!(outcome.continues().contains("as it was when the loop began"), "{outcome:#?}");
    session.expect_fields(&[("iteration", "1")]);
    session.write("progress.txt", BRIEF.replace("CONFIDENCE: 80", "CONFIDENCE: 81"));
    session.stop("The brief is looked through.").continues();
    session.expect_fields(&[("iteration", "2")]);
}

/// The five fields of the seed's own brief, as its README has them.
const FIVE_FIELDS: &str = "\
STRENGTHS:   지금 읽는 형식은 그대로 둔다
RISKS:       값을 읽는 곳이 여럿이다
GAPS:        줄 끝을 아무도 정하지 않았다
APPROACH:    값을 먼저 고치고 검사를 돌린 다음 이유를 메모에 적는다
CONFIDENCE:  75
";

// proves: G5
#[test]
fn the_seeds_own_brief_is_taken_as_it_is() {
    passes(FIVE_FIELDS);
    let session = Session::checked(Host::Claude);
    session.gulf(&["start", PROMPT]).run().expect_exit(0);
    session.write("progress.txt", FIVE_FIELDS);
    session.stop("The brief is there.").continues();
    session.expect_fields(&[("iteration", "2")]);
}

// proves: G3
#[test]
fn a_claim_without_a_brief_goes_to_the_gates_and_a_green_one_ends_the_loop() {
    let session = armed();
    session.mend();
    session.stop(super::harness::PROMISE).lets_stop();
    session.expect_completed();
    assert!(!session.exists("progress.txt"));
}

#[test]
fn a_refused_claim_without_a_brief_hears_of_the_checks_and_not_of_the_brief() {
    let session = armed();
    let text = session.stop(super::harness::PROMISE).continues();
    assert!(text.contains("value.txt says wrong") && !text.contains("still lacks"), "{text}");
    session.expect_fields(&[("iteration", "2")]);
}

#[test]
fn a_start_says_that_research_comes_first_and_how_to_leave_it_out() {
    let started =
        |arguments: &[&str]| Session::checked(Host::Plain).gulf(arguments).run().expect_exit(0).stdout;
    let told = started(&["start", PROMPT]);
    let line = told.lines().find(|line| line.contains("Research")).unwrap_or_else(|| panic!("{told}"));
    assert!(line.contains("iteration 1") && line.contains("--no-research"), "{line}");
    assert!(!started(&["start", "--no-research", PROMPT]).contains("Research"));
}
