//! Forms of thoughts, whole and half, plain and in Markdown.

use super::*;

#[track_caller]
fn check(step: Step, text: &str, word: &StepWord) {
    assert_eq!(super::word(step, text), *word, "{text}");
}

#[track_caller]
fn check_missing(step: Step, text: &str, count: usize) {
    let StepWord::Incomplete { missing } = super::word(step, text) else { panic!("{text} is complete") };
    assert_eq!(missing.len(), count, "{missing:?}");
}

#[test]
fn an_analysis_says_something() {
    check(Step::Analyze, "There is no parser yet.", &StepWord::Said);
    check_missing(Step::Analyze, " \n\t", 1);
}

#[test]
fn a_plan_is_a_list() {
    for list in ["1. parse", "- parse", "  2) print", "Plan:\n* parse\n* print"] {
        check(Step::Plan, list, &StepWord::Said);
    }
    for prose in ["", "I will parse, then print.", "1.", "-", "2026 was a year", "1.5 times faster"] {
        check_missing(Step::Plan, prose, 1);
    }
}

// proves: A3
#[test]
fn a_critic_speaks_about_four_aspects() {
    let ok = "COMPLETENESS: ok\nDEPENDENCIES: OK.\nBREAKING_CHANGES: ok\nFEASIBILITY: ok! It is small.";
    check(Step::Criticize, ok, &StepWord::Said);
    let but = "COMPLETENESS: ok\nDEPENDENCIES: ok, but the\nparser comes first\nBREAKING_CHANGES: drops --json\n\
               FEASIBILITY: ok";
    check(Step::Criticize, but, &StepWord::Objected { objections: 2 });
    assert_eq!(objections(but)[0], ("DEPENDENCIES", "ok, but the parser comes first".to_owned()));
    check_missing(Step::Criticize, "COMPLETENESS: ok\nDEPENDENCIES:\n\nFEASIBILITY: ok", 2);
    check_missing(Step::Criticize, "Looks good to me!", 4);
}

// proves: A7, A7/cause
#[test]
fn a_cause_has_four_parts() {
    let whole = "## SYMPTOM: red\n**ROOT_CAUSE:** off by one\n- LAST_ATTEMPT: patched the test\nCHANGE:\nfix the bound";
    check(Step::Cause, whole, &StepWord::Said);
    check_missing(Step::Cause, "SYMPTOM: red\nROOT_CAUSE: off by one\nLAST_ATTEMPT: none\nCHANGE: ", 1);
    check_missing(Step::Cause, "It failed because it failed.", 4);
}

fn caused(change: &str) -> String {
    format!("SYMPTOM: red\nROOT_CAUSE: off by one\nLAST_ATTEMPT: guessed\nCHANGE: {change}")
}

// proves: A7, A7/different-approach
#[test]
fn what_was_tried_already_is_no_change() {
    let tried: Vec<_> = ["Read check.sh.", "start at zero"].into_iter().zip(2..).collect();
    let tried: Vec<_> =
        tried.iter().filter_map(|(text, iteration)| TriedBefore::read(*iteration, &caused(text))).collect();
    for same in ["start at zero", "  **Start at\nzero!**", "Start at zero."] {
        let StepWord::Incomplete { missing } = cause(&caused(same), &tried) else {
            panic!("{same:?} is new")
        };
        assert!(missing[0].contains("before iteration 3 already"), "{missing:?}");
    }
    for new in ["start at one", "start at zero, and stop at nine", "처음부터"] {
        assert_eq!(cause(&caused(new), &tried), StepWord::Said, "{new}");
    }
    assert_eq!(TriedBefore::read(4, "CHANGE:"), None);
    // What is not whole is told so, whatever it proposes.
    let StepWord::Incomplete { missing } = cause("CHANGE: start at zero", &tried) else { panic!() };
    assert_eq!(missing.len(), 3, "{missing:?}");
}

#[test]
fn the_last_answer_counts() {
    let twice = "SYMPTOM: a\nROOT_CAUSE: b\nLAST_ATTEMPT: c\nCHANGE: d\n\nAgain:\nSYMPTOM:\n";
    check_missing(Step::Cause, twice, 1);
}

#[test]
fn any_text_is_read() {
    for hostile in ["\u{feff}SYMPTOM: 한글", "::::", "*:*:*", "COMPLETENESS:\0", &"-".repeat(100_000)] {
        for step in [Step::Analyze, Step::Plan, Step::Criticize, Step::Cause] {
            let _ = super::word(step, hostile);
        }
    }
}
