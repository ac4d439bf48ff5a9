//! Checklists: TASKS.md with ids, fix_plan.md with sections, and what is nearly one.

use super::{checklist, told};

#[test]
fn a_list_with_ids_dependencies_and_specialists_is_read_whole() {
    let list = checklist(
        "# TASKS\n\n\
         ## Phase 0\n\n\
         - [x] T0.1: Set up the project\n\
         - [ ] T0.2: Schema\n\
         \x20 - deps: [T0.1]\n\
         \x20 - owner: backend-specialist\n\
         \x20 - Use migrations.\n\
         \x20   And test them.\n\n\
         ## T1 - Users\n\n\
         - [ ] **T1.1**: Endpoint (depends on T0.2)\n\
         \x20 - [x] route\n\
         \x20 - [ ] validation\n\
         - [ ] [T1.2] 로그인 화면\n\
         \x20 - **담당**: frontend-specialist\n\
         \x20 - **의존성**: T1.1, T0.2\n\
         - [ ] T001 [P] [US1] Create the model in src/models/user.py\n",
    );
    insta::assert_snapshot!(told(&list), @r#"
        x T0.1 p2 | Set up the project
        - T0.2 p2 <T0.1 @backend-specialist | Schema "- deps: [T0.1]\n- owner: backend-specialist\n- Use migrations.\n  And test them."
        - T1.1 p2 <T0.2 | Endpoint (depends on T0.2) + route + validation
        - T1.2 p2 <T0.2 <T1.1 @frontend-specialist | 로그인 화면 "- **담당**: frontend-specialist\n- **의존성**: T1.1, T0.2"
        - T001 p2 | [P] [US1] Create the model in src/models/user.py
        "#);
}

#[test]
fn a_heading_with_a_box_is_a_task_and_what_stands_below_belongs_to_it() {
    let list = checklist(
        "### [ ] Phase 1, T1: not an id at the head\n\n### [ ] T2: Login\n\nText.\n\n- [ ] form\n- [x] T2.1: session\n  more\n\n## Notes\n\n- a note\n",
    );
    insta::assert_snapshot!(told(&list), @r#"
        - phase-1-t1-not-an-id-at-the-head p2 | Phase 1, T1: not an id at the head
        - T2 p2 <T2.1 | Login + form "Text."
        x T2.1 p2 | session "more"
        "#);
}

#[test]
fn sections_say_how_urgent_their_tasks_are() {
    let list = checklist(
        "# Fix plan\n\n## 🔴 High Priority (MANDATORY)\n- [ ] Set up the build\n- [ ] Set up the build\n\n## Medium Priority\n* [ ] Handle errors\n\n\
         ## Low Priority\n1. [ ] Make it fast\n\n## High availability\n- [ ] Two nodes [P0]\n\n## Completed\n- [x] Start\n\n## Notes\n- Focus\n",
    );
    insta::assert_snapshot!(told(&list), @r#"
        - set-up-the-build p1 | Set up the build
        - set-up-the-build-2 p1 | Set up the build
        - handle-errors p2 | Handle errors
        - make-it-fast p3 | Make it fast
        - two-nodes-p0 p0 | Two nodes [P0]
        x start p2 | Start
        "#);
}

#[test]
fn other_forms_of_urgency_are_understood() {
    let list = checklist(
        "## Phase 3: Story (Priority: P1)\n- [ ] T1 a\n## Priority 2: Core\n- [ ] T2 b\n## P3: later\n- [ ] T3 c\n- [ ] T4 d\n  priority: critical\n- [ ] T5 e (우선순위: 낮음)\n- [ ] T6 f (2)\n",
    );
    insta::assert_snapshot!(told(&list), @r#"
        - T1 p1 | a
        - T2 p2 | b
        - T3 p3 | c
        - T4 p0 | d "priority: critical"
        - T5 p3 | e (우선순위: 낮음)
        - T6 p3 | f (2)
        "#);
}

#[test]
fn what_is_no_id_stays_in_the_title() {
    let list = checklist(
        "- [ ] 3 files are to be deleted\n- [ ] 2nd try\n- [ ] 1. Begin\n- [ ] 1.1 Go on\n- [ ] HTTP2 support\n- [ ] Use UTF-8\n- [ ] US-001 - A story\n- [ ] !!!\n- [ ] **Bold words**\n",
    );
    insta::assert_snapshot!(told(&list), @r#"
        - 3-files-are-to-be-deleted p2 | 3 files are to be deleted
        - 2nd-try p2 | 2nd try
        - 1 p2 | Begin
        - 1.1 p2 | Go on
        - HTTP2 p2 | support
        - use-utf-8 p2 | Use UTF-8
        - US-001 p2 | A story
        - task p2 | !!!
        - bold-words p2 | Bold words
        "#);
}

#[test]
fn what_stands_in_code_or_in_a_comment_is_no_task() {
    let list = checklist(
        "<!-- - [ ] no -->\n<!--\n- [ ] no\n-->\n- [ ] yes\n  ```\n  - [ ] no\n  ```\n~~~\n- [ ] no\n~~~\n- [x](a-link)\n- [1] a footnote\n- [x][reference]\n",
    );
    insta::assert_snapshot!(told(&list), @r#"
        - yes p2 | yes "```\n- [ ] no\n```"
        "#);
}

#[test]
fn what_is_nearly_a_task_is_named_with_its_place() {
    let list = checklist(
        "- [] a\n- [ x] b\n-[ ] c\n[ ] d\n- [x ] e\n- [~] f\n- [ ]\n- [ ] T1: g\n- [ ] t1: h (needs T8) (needs a database)\n  - deps: T9, T1, express\n<!-- open\n- [ ] i\n",
    );
    insta::assert_snapshot!(told(&list), @r#"
        - f p2 | f
        - T1 p2 | g
        - t1 p2 <T1 | h (needs T8) (needs a database) "- deps: T9, T1, express"
        ! TASKS.md:1:3: `[]` is not a checkbox, so this line is not a task (write `- [ ] what to do`, or `- [x] …` where it is done)
        ! TASKS.md:2:3: `[ x]` is not a checkbox, so this line is not a task (write `- [ ] what to do`, or `- [x] …` where it is done)
        ! TASKS.md:3:1: `-[ ] c` is not a checkbox, so this line is not a task (write `- [ ] what to do`, or `- [x] …` where it is done)
        ! TASKS.md:4:1: `[ ] d` is not a checkbox, so this line is not a task (write `- [ ] what to do`, or `- [x] …` where it is done)
        ! TASKS.md:5:3: `[x ]` is not a checkbox, so this line is not a task (write `- [ ] what to do`, or `- [x] …` where it is done)
        ! TASKS.md:6:4: `[~]` is neither open nor done; the task counts as open (write `[ ]` or `[x]`)
        ! TASKS.md:7:1: a checkbox without text is not a task (remove it, or write what is to be done)
        ! TASKS.md:9:1: two tasks are called `t1` (give one of them another id)
        ! TASKS.md:9:20: `t1` depends on `T8`, which is not in the list (did you mean `T1`?)
        ! TASKS.md:10:11: `t1` depends on `T9`, which is not in the list (did you mean `T1`?)
        ! TASKS.md:10:19: `t1` depends on `express`, which is not in the list (name tasks by their ids, separated by commas; what is no task has no place here)
        ! TASKS.md:11:1: the comment is not closed, so nothing after it counts (close it with `-->`)
        "#);
    insta::assert_snapshot!(told(&checklist("nothing to do\n")), @r#"
        ! TASKS.md:1:1: it contains no task (write each task as a line `- [ ] what to do`)
        "#);
    insta::assert_snapshot!(told(&checklist("")), @r#"
        ! TASKS.md:1:1: it contains no task (write each task as a line `- [ ] what to do`)
        "#);
}

#[test]
fn a_circle_is_named_from_its_first_task_on() {
    let list = checklist(
        "- [ ] T0: free\n- [ ] T1: a\n  deps: T3\n- [ ] T2: b (depends on T1)\n- [ ] T3: c (depends on T2)\n- [ ] T4: d (depends on T4)\n",
    );
    insta::assert_snapshot!(told(&list), @r#"
        - T0 p2 | free
        - T1 p2 <T3 | a "deps: T3"
        - T2 p2 <T1 | b (depends on T1)
        - T3 p2 <T2 | c (depends on T2)
        - T4 p2 <T4 | d (depends on T4)
        ! TASKS.md:2:1: these tasks depend on each other: T1 → T3 → T2 → T1 (remove one of these dependencies)
        "#);
}

#[test]
fn a_paragraph_at_the_margin_ends_a_task() {
    let list = checklist("- [ ] a\n\n  below\n\nafter\n\n  not below\n- [ ] b\r\n  windows\r\n");
    insta::assert_snapshot!(told(&list), @r#"
        - a p2 | a "below"
        - b p2 | b "windows"
        "#);
}

#[test]
fn a_subject_is_the_title_without_what_is_said_at_its_end() {
    for (title, subject) in [
        ("a form [P0] (depends on T0.1)", "a form"),
        ("a form (owner: backend) [high]", "a form"),
        ("a form (depends on T0.1) that opens", "a form (depends on T0.1) that opens"),
        ("a form (needs a database)", "a form (needs a database)"),
        ("a form [3]", "a form [3]"),
        ("로그인 화면 (의존성: T0.1)", "로그인 화면"),
        ("a form )", "a form )"),
        ("[P0]", "[P0]"),
        ("(a) [P1", "(a) [P1"),
    ] {
        let list = checklist(&format!("- [ ] T7: {title}\n"));
        assert_eq!(list.tasks[0].subject(), subject, "{title}");
    }
}

#[test]
fn a_word_before_a_title_is_its_id_where_a_task_is_called_by_it() {
    let list =
        checklist("- [ ] A: a (depends: B)\n- [ ] B: b\n- [ ] **form**: c (after a)\n  - [ ] Note: d\n");
    insta::assert_snapshot!(told(&list), @r#"
        - A p2 <B | a (depends: B)
        - B p2 | b
        - form p2 <A | c (after a) + Note: d
        "#);
    let list = checklist("- [ ] Fix: a\n- [ ] Fix: b\n- [ ] Docs: c (after lunch)\n");
    insta::assert_snapshot!(told(&list), @r#"
        - fix-a p2 | Fix: a
        - fix-b p2 | Fix: b
        - docs-c-after-lunch p2 | Docs: c (after lunch)
        "#);
    assert_eq!(list.task("docs").map(|task| task.line), Some(3), "a person may call it so");
    assert_eq!(list.task("fix"), None, "which of the two?");
}

#[test]
fn a_circle_of_tasks_that_are_called_by_a_word_is_named() {
    let list = checklist("- [ ] A: a (depends: B)\n- [ ] B: b (depends: A)\n");
    insta::assert_snapshot!(told(&list), @r#"
        - A p2 <B | a (depends: B)
        - B p2 <A | b (depends: A)
        ! TASKS.md:1:1: these tasks depend on each other: A → B → A (remove one of these dependencies)
        "#);
    assert!(list.errors().next().is_some());
}

#[test]
fn what_a_task_is_said_to_wait_for_must_be_a_task() {
    let list = checklist(
        "- [ ] A: a (depends: C)\n- [ ] B: b (depends on the login)\n- [ ] c (needs the login)\n  - depends on: Fix\n- [ ] Fix: d\n- [ ] Fix: e\n- [ ] f\n  - deps: none\n",
    );
    insta::assert_snapshot!(told(&list), @r#"
        - A p2 | a (depends: C)
        - B p2 | b (depends on the login)
        - c-needs-the-login p2 | c (needs the login) "- depends on: Fix"
        - fix-d p2 | Fix: d
        - fix-e p2 | Fix: e
        - f p2 | f "- deps: none"
        ! TASKS.md:1:22: `A` depends on `C`, which is not in the list (did you mean `B`?)
        ! TASKS.md:2:24: `B` depends on `the login`, which is not in the list (name tasks by their ids, separated by commas; what is no task has no place here)
        ! TASKS.md:4:17: `c-needs-the-login` depends on `Fix`, which is not in the list (name tasks by their ids, separated by commas; what is no task has no place here)
        ! TASKS.md:6:1: two tasks are called `Fix` (give one of them another id)
        "#);
}
