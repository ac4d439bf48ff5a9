//! Lists as a worker leaves them, counted against what stood there at the start.

use crate::tasks::{SealedTask, Task, parse};
use crate::text::Source;

const PLAN: &str = "# Plan\n\n- [ ] add a login\n  - with a password\n- [x] set up\n- [ ] write docs\n";

fn counted(now: &str) -> String {
    let list = |text: &str| parse(&Source::new("fix_plan.md", text));
    let sealed: Vec<SealedTask> = list(PLAN).tasks.iter().map(Task::sealed).collect();
    let Some(tally) = list(now).tally(&sealed) else { return "no task".to_owned() };
    format!("open {:?}, ticked {}, missing {:?}", tally.open, tally.ticked, tally.missing)
}

// proves: K2, K5, K5/done
#[test]
fn ticks_are_counted_and_further_tasks_and_notes_are_welcome() {
    assert_eq!(counted(PLAN), r#"open ["add a login", "write docs"], ticked 1, missing []"#);
    let ticked = PLAN.replace("[ ]", "[x]");
    assert_eq!(counted(&ticked), "open [], ticked 3, missing []");
    let noted = ticked.replace("password\n", "password\n  - done with argon2\n");
    assert_eq!(counted(&noted), "open [], ticked 3, missing []");
    assert_eq!(
        counted(&format!("{ticked}- [ ] rate limits\n")),
        r#"open ["rate limits"], ticked 3, missing []"#
    );
    let remarked =
        ticked.replace("login\n", "login ✅ (in a1b2c3)\n").replace("docs\n", "docs — all of them\n");
    assert_eq!(counted(&remarked), "open [], ticked 3, missing []");
    let moved = "## Done\n- [x] write docs\n- [x] set up\n- [x] add a login\n  - with a password\n";
    assert_eq!(counted(moved), "open [], ticked 3, missing []");
}

// proves: K2, K5
#[test]
fn a_task_that_is_gone_or_says_something_else_is_as_open_as_before() {
    for (now, missing) in [
        ("- [x] set up\n", r#"open [], ticked 1, missing ["add a login", "write docs"]"#),
        (
            "- [x] add a login page\n- [x] set up\n- [x] write docs\n",
            r#"open [], ticked 3, missing ["add a login"]"#,
        ),
        (
            "- [x] add a login\n- [x] set up\n- [x] write docs\n",
            r#"open [], ticked 3, missing ["add a login"]"#,
        ),
        ("", "no task"),
        ("all done!\n", "no task"),
        (
            "<!-- - [ ] add a login\n- [x] set up\n",
            r#"open ["the comment is not closed, so nothing after it counts"], ticked 0, missing ["add a login", "set up", "write docs"]"#,
        ),
    ] {
        assert_eq!(counted(now), missing, "{now}");
    }
    // One whose title begins with another's does not stand for it.
    let both = "- [ ] login\n- [ ] login (admin)\n";
    let list = |text: &str| parse(&Source::new("fix_plan.md", text));
    let sealed: Vec<SealedTask> = list(both).tasks.iter().map(Task::sealed).collect();
    for (now, missing) in
        [("- [x] login (admin)\n- [x] login\n", vec![]), ("- [x] login (admin)\n", vec!["login"])]
    {
        assert_eq!(list(now).tally(&sealed).unwrap().missing, missing);
    }
    let twice = format!("{PLAN}- [ ] write docs\n");
    assert_eq!(counted(&twice), r#"open ["add a login", "write docs", "write docs"], ticked 1, missing []"#);
}

// proves: K5
#[test]
fn a_complete_task_that_is_opened_again_is_open_and_a_line_that_may_be_a_task_is_too() {
    let reopened = PLAN.replace("[x]", "[ ]");
    assert_eq!(counted(&reopened), r#"open ["add a login", "set up", "write docs"], ticked 0, missing []"#);
    let near = PLAN.replace("[ ]", "[x]") + "-[ ] more\n";
    assert_eq!(
        counted(&near),
        r#"open ["`-[ ] more` is not a checkbox, so this line is not a task"], ticked 3, missing []"#
    );
}
