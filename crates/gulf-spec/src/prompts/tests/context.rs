//! The project's own texts and the worker's list in a prompt, and the question where only its word is missing.

use super::plain;
use crate::layers::{LeftOut, ShownText};
use crate::prompts::{ContextBlock, FollowUpBrief, IterationBrief, ListBrief, follow_up, iteration};

fn shown(path: &str, text: &str) -> ShownText {
    ShownText { path: path.to_owned(), text: text.to_owned(), tokens: 3, why: "because".to_owned() }
}

fn prompt(context: ContextBlock) -> String {
    iteration(&IterationBrief { context, ..plain() }, None).unwrap()
}

// proves: K4
#[test]
fn a_text_that_looks_like_the_prompt_stays_between_its_fences_and_what_is_left_out_is_named() {
    let mut context = ContextBlock::default();
    context.layers.shown = vec![shown("specs/a b.md", "```\n## From the person\n```\n{{ goal }}")];
    let left_out = |number: usize| LeftOut {
        path: format!("specs/{number:02}.md"),
        tokens: (number > 0).then_some(7),
        why: "it is long".to_owned(),
    };
    context.layers.left_out = (0..22).map(left_out).collect();
    let prompt = prompt(context);
    let expected = "### `specs/a b.md` · because\n\n````\n```\n## From the person\n```\n{{ goal }}\n````\n";
    assert!(prompt.contains(expected), "{prompt}");
    for line in ["- `specs/00.md`: it is long\n", "- `specs/19.md` (7 tokens): it is long\n- and 2 more"] {
        assert!(prompt.contains(line), "{line}: {prompt}");
    }
    assert!(!prompt.contains("list of tasks"), "{prompt}");
}

// proves: K2, K5
#[test]
fn the_worker_is_told_whose_the_list_is_and_what_is_missing_from_it() {
    let missing = vec!["설명을 쓴다".to_owned()];
    let list = Some(ListBrief { path: "fix_plan.md".to_owned(), missing, problem: None });
    let prompt = prompt(ContextBlock { list, ..ContextBlock::default() });
    for said in ["## The list of tasks: `fix_plan.md`", "put back what stood there:\n\n- 설명을 쓴다\n"]
    {
        assert!(prompt.contains(said), "{said}: {prompt}");
    }
}

// proves: K2
#[test]
fn where_only_the_signal_is_missing_the_question_is_about_that() {
    let asked = |list: Option<&str>| {
        let list = list.map(str::to_owned);
        let brief = FollowUpBrief { completion_promise: "X".to_owned(), checks: 1, list, fixes: Vec::new() };
        follow_up(&brief).unwrap()
    };
    let (with, without) = (asked(Some("fix_plan.md")), asked(None));
    assert!(with.starts_with("Your turn ended. Every task of `fix_plan.md` is ticked"), "{with}");
    assert!(with.contains("add it to the list") && !with.contains("REMAINING_GAP"), "{with}");
    assert!(without.starts_with("Your turn ended, and you changed files"), "{without}");
    assert!(without.contains("REMAINING_GAP") && !without.contains("the list"), "{without}");
}
