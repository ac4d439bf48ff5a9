//! `gulf lint`: what is weak in a project's texts.

use gulf_testkit::{Sample, Sandbox};

use crate::{document, gulf, names};

const RUBRIC: &str = "## Checks\n- sh check.sh\n\n## Judge criteria\n- A wrong password answers with 401.\n";

fn project(rubric: &str) -> Sandbox {
    Sandbox::with(&Sample::shell().file("RUBRIC.md", rubric))
}

/// A rubric with so many criteria.
fn criteria(count: usize) -> String {
    let items: String = (1..=count).map(|number| format!("- Door {number} is blue.\n")).collect();
    format!("## Checks\n- sh check.sh\n\n## Judge criteria\n{items}")
}

#[test]
fn a_project_whose_texts_say_when_it_is_done_has_no_finding() {
    let sandbox = project(RUBRIC);
    let finished = gulf(&sandbox, ["lint"]).run().expect_exit(0);
    assert_eq!(finished.stdout, "Nothing found.\n");
}

#[test]
fn errors_come_first_each_with_its_place_and_a_hint() {
    let sandbox = project("## Checks\n- sh check.sh | tee log\n- sh check.sh || true\n");
    let finished = gulf(&sandbox, ["lint"]).run().expect_exit(1);
    let lines: Vec<&str> = finished.stdout.lines().collect();
    assert_eq!(lines[0], "error: RUBRIC.md:3:3: `sh check.sh || true` cannot fail, so it checks nothing");
    assert_eq!(lines[1], "  hint: let the exit code tell success from failure");
    assert!(lines[2].starts_with("warning: RUBRIC.md:2:3: `sh check.sh | tee log` exits as"), "{lines:?}");
    finished.says("1 error, 1 warning.\n");
}

#[test]
fn a_program_gets_every_finding_with_its_rule() {
    let sandbox = project("## Checks\n- sh check.sh | tee log\n");
    let finished = gulf(&sandbox, ["lint", "--json"]).run().expect_exit(0);
    let document = document(&finished.stdout);
    assert_eq!(document["version"], 1);
    assert_eq!(document["ok"], true);
    let finding = &document["findings"][0];
    assert_eq!(finding["rule"], "check-hides-failure");
    assert_eq!(
        (finding["weight"].as_str(), finding["place"].as_str()),
        (Some("warning"), Some("RUBRIC.md:2:3"))
    );
    assert_eq!(document["written"].as_array().unwrap().len(), 0);
}

#[test]
fn mistakes_in_the_settings_and_what_refuses_a_start_are_findings() {
    let sandbox = Sandbox::with(&Sample::shell().file("gulf.toml", "reserch = \"off\"\n"));
    gulf(&sandbox, ["lint"])
        .run()
        .expect_exit(1)
        .says("error: gulf.toml:1:1: unknown key `reserch`")
        .says("did you mean `research`?");
    sandbox.write("gulf.toml", "");
    sandbox.write(".claude/autochecks.sh", "#!/bin/sh\n");
    gulf(&sandbox, ["lint"])
        .run()
        .expect_exit(1)
        .says("error: .claude/autochecks.sh exists but is not executable");
}

#[test]
fn an_open_blocking_question_is_an_error() {
    let sandbox = project(RUBRIC);
    sandbox.write(".claude/gulf-align.md", "## 갭 점검\n- **블로킹 질문**: 어느 해시를 쓰나?\n");
    gulf(&sandbox, ["lint"])
        .run()
        .expect_exit(1)
        .says("error: .claude/gulf-align.md:2:1: a blocking question is open: 어느 해시를 쓰나?");
}

#[test]
fn nothing_to_check_with_is_an_error_and_a_folder_without_git_and_home_is_looked_at_too() {
    let sandbox = Sandbox::without_git();
    gulf(&sandbox, ["lint"])
        .variable("HOME", "")
        .variable("GULF_HOME", "")
        .run()
        .expect_exit(1)
        .says("error: no check: nothing can tell whether the work is done")
        .says("gulf init");
    assert_eq!(names(&sandbox.repository()), Vec::<String>::new());
}

#[test]
fn other_files_can_be_named_and_one_that_is_not_there_is_a_mistake() {
    let sandbox = project(RUBRIC);
    sandbox.write("loops/RUBRIC-2.md", "## Checks\n- true\n");
    gulf(&sandbox, ["lint", "--rubric", "loops/RUBRIC-2.md"])
        .run()
        .expect_exit(1)
        .says("loops/RUBRIC-2.md:2:3: `true` cannot fail");
    sandbox.write("GOAL.md", "# \n");
    gulf(&sandbox, ["lint", "-f", "GOAL.md"])
        .run()
        .expect_exit(0)
        .says("GOAL.md:1:1: the goal is not written");
    gulf(&sandbox, ["lint", "--rubric", "none.md"]).run().expect_exit(2).says("none.md");
    gulf(&sandbox, ["lint", "--no-such-flag"]).run().expect_exit(2);
}

// proves: G25
#[test]
fn many_criteria_are_split_into_rubrics_that_a_loop_accepts() {
    let sandbox = project(&criteria(8));
    gulf(&sandbox, ["lint"]).run().expect_exit(0).says("warning: 8 criteria are a lot for one loop");
    gulf(&sandbox, ["lint", "--split", "loops"])
        .run()
        .expect_exit(0)
        .says("gulf run --rubric loops/RUBRIC-1.md");
    assert_eq!(names(&sandbox.file("loops")), ["RUBRIC-1.md", "RUBRIC-2.md"]);
    for (number, doors) in [(1, 1..=4), (2, 5..=8)] {
        let text = sandbox.read(&format!("loops/RUBRIC-{number}.md"));
        assert!(doors.clone().all(|door| text.contains(&format!("- Door {door} is blue.\n"))), "{text}");
        let rubric = format!("loops/RUBRIC-{number}.md");
        gulf(&sandbox, ["lint", "--rubric", &rubric]).run().expect_exit(0).says("Nothing found.");
    }
}

#[test]
fn from_a_folder_below_the_written_files_are_named_as_a_loop_finds_them() {
    let sandbox = project(&criteria(8));
    gulf(&sandbox, ["lint", "--split", "loops"])
        .directory(sandbox.file("notes"))
        .run()
        .expect_exit(0)
        .says("gulf run --rubric notes/loops/RUBRIC-2.md\n");
    assert_eq!(names(&sandbox.file("notes/loops")), ["RUBRIC-1.md", "RUBRIC-2.md"]);
    let elsewhere = sandbox.path("elsewhere").join("loops");
    gulf(&sandbox, ["lint", "--split", elsewhere.as_str()])
        .run()
        .expect_exit(0)
        .says(&format!("gulf run --rubric {elsewhere}/RUBRIC-1.md\n"));
}

#[test]
fn splitting_overwrites_nothing_and_loses_nothing() {
    let sandbox = project(&criteria(11));
    sandbox.write("loops/RUBRIC-2.md", "mine\n");
    gulf(&sandbox, ["lint", "--split", "loops"])
        .run()
        .expect_exit(2)
        .says("loops/RUBRIC-2.md is there already; nothing was written");
    assert_eq!(names(&sandbox.file("loops")), ["RUBRIC-2.md"]);
    assert_eq!(sandbox.read("loops/RUBRIC-2.md"), "mine\n");
    sandbox.write("RUBRIC.md", criteria(11).replace("- Door 3", "* Door 3"));
    gulf(&sandbox, ["lint", "--split", "other"])
        .run()
        .expect_exit(1)
        .says("Nothing was written: fix the errors in RUBRIC.md first.");
    assert!(!sandbox.file("other").exists());
    sandbox.write("RUBRIC.md", criteria(3));
    gulf(&sandbox, ["lint", "--split", "other"])
        .run()
        .expect_exit(0)
        .says("One loop is enough for 3 criteria");
    assert!(!sandbox.file("other").exists());
}
