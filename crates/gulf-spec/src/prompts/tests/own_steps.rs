//! What a session is told to think about, and how much of the work an iteration is for.

use super::plain;
use crate::prompts::{IterationBrief, OwnSteps, framework, iteration, session};
use gulf_engine::Step;

fn brief(steps: &[Step], side_by_side: u32) -> IterationBrief {
    let own_steps = Some(OwnSteps { steps: steps.to_vec(), side_by_side });
    IterationBrief { own_steps, is_planned: true, ..plain() }
}

fn prompt(steps: &[Step], side_by_side: u32) -> String {
    iteration(&brief(steps, side_by_side), None).unwrap()
}

const BEFORE_THE_FIRST: [Step; 3] = [Step::Analyze, Step::Plan, Step::Criticize];

// proves: A1, A3, A1/parallel
#[test]
fn a_session_is_told_to_name_independent_steps_and_how_each_is_seen_to_work() {
    let prompt = prompt(&BEFORE_THE_FIRST, 4);
    let (_, told) = prompt.split_once("## Think first").unwrap();
    let (told, _) = told.split_once("## How to work").unwrap();
    insta::assert_snapshot!(told.trim(), @r#"
        Nobody thinks for you here: do these one after the other before you change anything, and write down what came of each where you keep your notes.

        - **Analyze**: what the goal asks for (each acceptance criterion), what stands already, what is missing, what may break. Make independent searches side by side.
        - **Plan**, as a checklist, a line a step, with its dependencies by their ids (only real ones) and the files that it touches, and below each, indented, how it will be seen to work:

          - [ ] S1: the parser (files: src/parse.rs)
          - [ ] S2: the printer (files: src/print.rs)
          - [ ] S3: the command (depends: S1, S2) (files: src/main.rs)

        - **Criticize the plan** as if somebody else had written it: completeness (is every requirement of the goal covered?), dependencies (does each step come after what it needs?), breaking changes, feasibility. Plan again until you have no objection.

        Steps that touch different files and wait for nothing of each other are independent. Where you can call agents of your own, give such steps to up to 4 of them at the same time, each with its step, its files and how it will be seen to work, and keep each off the files of the others; else do one after the other. What they bring you look at yourself.
        "#);
}

// proves: A3
#[test]
fn where_nothing_is_side_by_side_a_session_is_told_of_no_agents() {
    let prompt = prompt(&BEFORE_THE_FIRST, 0);
    assert!(prompt.contains("- **Plan**, as a numbered list"), "{prompt}");
    assert!(!prompt.contains("agents of your own"), "{prompt}");
}

// proves: A7
#[test]
fn after_a_refusal_a_session_is_told_to_find_the_cause_first() {
    let told = prompt(&[Step::Cause], 4);
    assert!(told.contains("- **Find the cause** of what was not accepted"), "{told}");
    assert!(!told.contains("agents of your own"), "no plan is made now: {told}");
    let news = session(&brief(&[Step::Cause], 4), "/work/.gulf/brief.md").unwrap();
    assert!(news.contains("/work/.gulf/brief.md"), "what it is told stands there: {news}");
}

#[test]
fn whoever_has_nothing_to_think_about_is_told_nothing_of_it() {
    assert!(!prompt(&[], 4).contains("Think first"));
}

// proves: A3
#[test]
fn an_iteration_is_for_all_of_a_plan_or_for_one_unit() {
    let planned = framework(&brief(&[], 0)).unwrap();
    assert!(planned.contains("All its steps that are not done yet"), "{planned}");
    assert!(!planned.contains("One feature"), "{planned}");
    assert!(framework(&plain()).unwrap().contains("One feature, one fix or one test; not more."));
}
