//! What is said to those who plan for several workers, and to one of these workers.

use gulf_engine::Step;

use crate::parts::divide;
use crate::prompts::{self, Fix, PartBrief, StepBrief, Thought, feedback, part};

fn asked(step: Step, side_by_side: bool) -> String {
    let brief = StepBrief {
        step,
        goal: "Add a login form.".to_owned(),
        iteration: 1,
        side_by_side,
        own: None,
        gaps: Vec::new(),
        tried: Vec::new(),
        notes: Vec::new(),
        fixes: Vec::new(),
        thoughts: Vec::new(),
        notepad: None,
    };
    prompts::step(&brief).unwrap()
}

// proves: A3/parallel-analysis
#[test]
fn whoever_analyzes_or_plans_searches_for_independent_things_side_by_side() {
    for (step, side_by_side) in [(Step::Analyze, false), (Step::Plan, false), (Step::Plan, true)] {
        let prompt = asked(step, side_by_side);
        let line = "for words, for names";
        assert!(prompt.contains(line) && prompt.contains("side by side"), "{prompt}");
    }
}

// proves: A3/planning, A4/parallel-files
#[test]
fn the_form_that_a_plan_is_asked_for_in_is_the_form_that_is_read() {
    let prompt = asked(Step::Plan, true);
    let parts = divide(&prompt).unwrap();
    let read: Vec<_> = parts.iter().map(|part| (part.id.as_str(), part.waits_for.as_slice())).collect();
    assert_eq!(read, [("S1", &[][..]), ("S2", &[][..]), ("S3", &[0, 1][..])]);
    let alone = asked(Step::Plan, false);
    assert!(alone.contains("as a numbered list") && divide(&alone).is_err(), "{alone}");
}

#[test]
fn one_of_several_workers_is_told_its_step_the_plan_and_whom_to_leave_alone() {
    let brief = PartBrief {
        goal: "Add a login form.".to_owned(),
        id: "S3".to_owned(),
        title: "the command".to_owned(),
        details: "- it exits with 2".to_owned(),
        attempt: 2,
        done: vec!["S1".to_owned(), "S2".to_owned()],
        others: vec!["S4: 문서".to_owned()],
        notes: vec!["mind the old flag".to_owned()],
        thoughts: vec![Thought { step: Step::Plan, text: "- [ ] S3: the command".to_owned() }],
        checks: vec!["cargo test".to_owned()],
    };
    let prompt = part(&brief).unwrap();
    assert!(prompt.starts_with("Add a login form.\n"), "{prompt}");
    for told in [
        "# Step S3 of the plan",
        "begins again (attempt 2)",
        "**S3: the command**\n\n- it exits with 2",
        "What it builds on stands here already: S1, S2.",
        "do not do their work:\n\n- S4: 문서",
        "## From the person\n\nmind the old flag",
        "## Plan\n\n- [ ] S3: the command",
        "   - `cargo test`",
        "gulf ask --kind destructive|architecture|security|unclear",
    ] {
        assert!(prompt.contains(told), "{told}\n\n{prompt}");
    }
}

#[test]
fn a_step_that_stays_out_is_told_with_its_diff() {
    let fix = Fix::LeftOut {
        step: "S2".to_owned(),
        reason: "**the printer**: it conflicts.".to_owned(),
        diff: "+fn print() {}\n".to_owned(),
    };
    let text = feedback(&[fix], &[]).unwrap();
    assert!(text.contains("Step S2 of the plan stays out") && text.contains("+fn print() {}"), "{text}");
}
