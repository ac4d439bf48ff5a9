//! What is written back, and that nothing else is.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::checklist;
use crate::tasks::{Boxes, TaskId, Tick, parse, with_blocker, with_ticks};
use crate::text::Source;

fn ticked(name: &str, text: &str, id: &TaskId) -> Option<String> {
    with_all(name, text, id, Tick::Set)
}

fn unticked(name: &str, text: &str, id: &TaskId) -> Option<String> {
    with_ticks(name, text, &BTreeMap::from([(id, Boxes { own: Tick::Taken, steps: BTreeMap::new() })]))
}

/// The task's own box and those of all of its steps.
fn with_all(name: &str, text: &str, id: &TaskId, tick: Tick) -> Option<String> {
    let list = parse(&Source::new(name, text));
    let task = list.tasks.iter().find(|task| task.id == *id)?;
    with_ticks(name, text, &BTreeMap::from([(id, Boxes::all(task, tick))]))
}

#[test]
fn a_tick_changes_the_marks_of_the_task_and_of_its_steps() {
    let text = "\u{feff}# Tasks\r\n- [ ] T1: a  \r\n  - [x] one\r\n\t- [~] two\r\n- [ ] T2: b";
    let written = ticked("TASKS.md", text, &TaskId::new("T1")).unwrap();
    assert_eq!(written, "\u{feff}# Tasks\r\n- [x] T1: a  \r\n  - [x] one\r\n\t- [x] two\r\n- [ ] T2: b");
    assert_eq!(ticked("TASKS.md", &written, &TaskId::new("T1")), None);
    assert_eq!(ticked("TASKS.md", text, &TaskId::new("T3")), None);
    assert_eq!(
        ticked("TASKS.md", "- [ ] T1: a\n- [ ] T1: b\n", &TaskId::new("T1")),
        None,
        "which of the two?"
    );
}

#[test]
fn each_step_is_ticked_and_unticked_by_its_own_words() {
    let text = "- [ ] T1: a\n  - [ ] one\n  - [x] two\n  - [x] three\n";
    let boxes = Boxes {
        own: Tick::Set,
        steps: BTreeMap::from([("one".to_owned(), Tick::Set), ("two".to_owned(), Tick::Taken)]),
    };
    let written = with_ticks("TASKS.md", text, &BTreeMap::from([(&TaskId::new("T1"), boxes)]));
    assert_eq!(written.unwrap(), "- [x] T1: a\n  - [x] one\n  - [ ] two\n  - [x] three\n");
    let own = Boxes { own: Tick::Set, steps: BTreeMap::new() };
    let written = with_ticks("TASKS.md", text, &BTreeMap::from([(&TaskId::new("T1"), own)])).unwrap();
    assert_eq!(written, "- [x] T1: a\n  - [ ] one\n  - [x] two\n  - [x] three\n", "no step is named");
    let task = &checklist(&written).tasks[0];
    assert_eq!((task.is_closed, task.is_ticked), (true, false), "its own box, and all of them");
    assert_eq!(task.ticked_steps, ["two", "three"]);
}

#[test]
fn a_list_sealed_under_the_ids_of_another_version_is_still_ticked() {
    let text = "- [ ] A: login (depends: B)\n- [ ] B: form\n";
    let boxes = || Boxes { own: Tick::Set, steps: BTreeMap::new() };
    let written = with_ticks("TASKS.md", text, &BTreeMap::from([(&TaskId::new("b-form"), boxes())]));
    assert_eq!(written.unwrap(), "- [ ] A: login (depends: B)\n- [x] B: form\n");
}

#[test]
fn a_tick_in_json_is_one_value() {
    let text = "{ \"userStories\": [\n\t{ \"id\": \"A\", \"title\": \"a\", \"passes\" : false } , {\"title\":\"b c\", \"status\": \"open\"},\n\t{\n\t\t\"id\": \"C\",\n\t\t\"title\": \"c\"\n\t}, {\"title\": \"d\",\"passes\":null}]}\n";
    let mut written = text.to_owned();
    for id in ["A", "b-c", "C", "d"] {
        written = ticked("prd.json", &written, &TaskId::new(id)).unwrap();
    }
    insta::assert_snapshot!(written, @r#"
        { "userStories": [
        	{ "id": "A", "title": "a", "passes" : true } , {"title":"b c", "status": "completed"},
        	{
        		"id": "C",
        		"title": "c",
        		"passes": true
        	}, {"title": "d","passes":true}]}
        "#);
    assert!(parse(&Source::new("prd.json", &written)).tasks.iter().all(|task| task.is_ticked));
}

#[test]
fn a_blocker_is_a_task_before_the_one_it_blocks() {
    let text = "* [ ] T1: a\n  * [ ] T1.1: b\n\n### [ ] T2: c\n";
    let blocker = |text: &str, blocked: &str, id: &str| {
        with_blocker("TASKS.md", text, &TaskId::new(blocked), &TaskId::new(id), "set\nSTRIPE_KEY in .env")
            .unwrap()
    };
    let written = blocker(&blocker(text, "T1.1", "T1.1-B1"), "T2", "T2-B1");
    insta::assert_snapshot!(written, @r#"
        * [ ] T1: a
          * [ ] T1.1-B1: set STRIPE_KEY in .env (blocks T1.1)
          * [ ] T1.1: b

        ### [ ] T2-B1: set STRIPE_KEY in .env (blocks T2)
        ### [ ] T2: c
        "#);
    let list = checklist(&written);
    assert_eq!(list.task("t2").unwrap().depends_on, [TaskId::new("T2-B1")]);
    let taken = with_blocker("TASKS.md", text, &TaskId::new("T1.1"), &TaskId::new("T2"), "x");
    assert_eq!(taken, None, "two tasks would be called the same");
}

#[test]
fn a_blocker_in_json_is_an_object_before_the_one_it_blocks() {
    let text = "[\n  {\"id\": \"US-001\", \"title\": \"a\"},\n  {\"id\": \"US-002\", \"title\": \"b\"}\n]\n";
    let (blocked, id) = (TaskId::new("US-002"), TaskId::new("US-002-B1"));
    let written = with_blocker("prd.json", text, &blocked, &id, "say \"which\" key").unwrap();
    insta::assert_snapshot!(written, @r#"
        [
          {"id": "US-001", "title": "a"},
          { "id": "US-002-B1", "title": "say \"which\" key", "blocks": ["US-002"], "passes": false },
          {"id": "US-002", "title": "b"}
        ]
        "#);
}

/// Lines that say much about lists, in any order.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ \t]{0,4}[-*+] \\[[ xX~]\\] [A-Za-z0-9.: ()]{0,20}",
        "#{1,4} \\[[ x]\\] (T[0-9]: )?[a-z ]{0,8}",
        "(```|~~~|<!--|-->|## High Priority|  deps: T1, T2)",
        "[ \t]{0,3}\\PC{0,20}",
    ]
}

proptest! {
    #[test]
    fn a_tick_disturbs_no_other_byte_and_no_other_task(
        lines in prop::collection::vec(line(), 0..16), ending in "(\r)?\n", mark in any::<bool>(),
    ) {
        let text = format!("{}{}", if mark { "\u{feff}" } else { "" }, lines.join(&ending));
        let before = checklist(&text);
        let all = before.tasks.iter().map(|task| (&task.id, Boxes::all(task, Tick::Set))).collect();
        let one_by_one = before.tasks.iter().fold(text.clone(), |text, task| {
            ticked("TASKS.md", &text, &task.id).unwrap_or(text)
        });
        prop_assert_eq!(with_ticks("TASKS.md", &text, &all).unwrap_or(text.clone()), one_by_one);
        for (at, task) in before.tasks.iter().enumerate() {
            let Some(written) = ticked("TASKS.md", &text, &task.id) else {
                prop_assert!(task.is_ticked || before.errors().next().is_some());
                continue;
            };
            prop_assert_eq!(written.chars().count(), text.chars().count());
            let differ = written.chars().zip(text.chars()).filter(|(now, before)| now != before);
            prop_assert!(differ.clone().count() >= 1);
            for (now, _) in differ {
                prop_assert_eq!(now, 'x');
            }
            let after = checklist(&written);
            prop_assert!(after.tasks[at].is_ticked);
            for (one, other) in before.tasks.iter().zip(&after.tasks) {
                prop_assert_eq!((&one.id, &one.title, &one.details), (&other.id, &other.title, &other.details));
                prop_assert!(one.id == task.id || one.is_ticked == other.is_ticked);
            }
        }
    }

    #[test]
    fn any_text_is_read_and_any_span_lies_in_it(text in "\\PC{0,200}", name in "(TASKS.md|prd.json)") {
        let source = Source::new(name.as_str(), &text);
        let list = parse(&source);
        for task in &list.tasks {
            prop_assert!(source.text().get(task.span.start..task.span.end).is_some());
            prop_assert!(!task.title.is_empty());
        }
    }
}

#[test]
fn a_tick_that_nobody_earned_is_taken_back_and_nothing_else() {
    let text = "\u{feff}# 할 일\r\n- [x] T1: a\r\n  - [x] a step\r\n- [ ] T2: b\r\n";
    let written = unticked("TASKS.md", text, &TaskId::new("T1")).unwrap();
    assert_eq!(written, text.replacen("- [x] T1", "- [ ] T1", 1));
    assert_eq!(unticked("TASKS.md", &written, &TaskId::new("T1")), None);
    assert_eq!(unticked("TASKS.md", text, &TaskId::new("T2")), None);
    let stories = r#"[{"id": 1, "title": "a", "passes": true}, {"id": 2, "title": "b", "status": "done"}, {"id": 3, "title": "c"}]"#;
    let written = unticked("prd.json", stories, &TaskId::new("1")).unwrap();
    let written = unticked("prd.json", &written, &TaskId::new("2")).unwrap();
    assert_eq!(written, stories.replace("true", "false").replace("\"done\"", "\"pending\""));
    assert_eq!(unticked("prd.json", stories, &TaskId::new("3")), None);
}
