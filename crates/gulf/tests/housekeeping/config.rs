//! `gulf config explain`: each value and its origin, wherever it is asked.

use gulf_testkit::{Finished, Sample, Sandbox};

use crate::{document, gulf};

/// The row of one key, its blanks joined.
#[track_caller]
fn row(finished: &Finished, key: &str) -> String {
    let line = finished.stdout.lines().find(|line| line.split_whitespace().next() == Some(key));
    line.unwrap_or_else(|| panic!("no {key} in {}", finished.stdout))
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn a_later_layer_outranks_an_earlier_one_and_each_value_names_its_origin() {
    let sandbox =
        Sandbox::with(&Sample::green().file("gulf.toml", "research = \"off\"\nhitl_threshold = 7\n"));
    std::fs::create_dir_all(sandbox.home().join(".config/gulf")).unwrap();
    let user = sandbox.home().join(".config/gulf/gulf.toml");
    std::fs::write(&user, "hitl_threshold = 6\nmilestone_every = 2\n").unwrap();
    let explained =
        gulf(&sandbox, ["config", "explain"]).variable("GULF_RESEARCH", "gate").run().expect_exit(0);
    assert_eq!(row(&explained, "research"), "research gate GULF_RESEARCH");
    assert_eq!(row(&explained, "hitl_threshold"), "hitl_threshold 7 gulf.toml:2:18");
    assert_eq!(row(&explained, "milestone_every"), format!("milestone_every 2 {user}:2:19"));
    assert_eq!(row(&explained, "preset"), "preset auto default, GULF_PRESET");
}

#[test]
fn the_columns_stand_below_each_other_also_beside_wide_letters() {
    let toml = "completion_promise = \"완료\"\n[[check]]\nname = \"시험\"\ncommand = \"true\"\n";
    let sandbox = Sandbox::with(&Sample::green().file("gulf.toml", toml));
    let explained = gulf(&sandbox, ["config", "explain"]).run().expect_exit(0);
    let column = |line: &str, word: &str| {
        let before = &line[..line.rfind(word).unwrap()];
        before.chars().map(|letter| if ('가'..='힣').contains(&letter) { 2 } else { 1 }).sum::<usize>()
    };
    let line = |start: &str| explained.stdout.lines().find(|line| line.starts_with(start)).unwrap();
    assert_eq!(column(line("completion_promise"), "gulf.toml"), column(line("preset"), "default"));
    assert_eq!(column(line("check \"시험\""), "gulf.toml"), column(line("preset"), "default"));
}

#[test]
fn a_program_gets_the_same_as_json() {
    let sandbox = Sandbox::with(&Sample::green().file("gulf.toml", "force_max = true\n"));
    let explained = gulf(&sandbox, ["config", "explain", "--json"]).run().expect_exit(0);
    let document = document(&explained.stdout);
    assert_eq!(document["version"], 1);
    let settings = document["settings"].as_array().unwrap();
    let row = settings.iter().find(|row| row["key"] == "force_max").unwrap();
    assert_eq!(row["value"], "true");
    assert_eq!(row["layer"], "project");
    assert_eq!(row["origin"], "gulf.toml:1:13");
}

#[test]
fn it_works_where_no_loop_could() {
    let sandbox = Sandbox::without_git();
    sandbox.git(["init", "--quiet", "--bare", "."]);
    gulf(&sandbox, ["config", "explain"]).variable("GULF_HOME", "").run().expect_exit(0).says("preset");
}

#[test]
fn a_mistake_is_shown_at_its_place_with_a_suggestion() {
    let sandbox = Sandbox::with(&Sample::green().file("gulf.toml", "reserch = \"off\"\n"));
    gulf(&sandbox, ["config", "explain"])
        .run()
        .expect_exit(2)
        .says("gulf.toml:1:1")
        .says("did you mean `research`?");
}

#[test]
fn one_setting_is_asked_for_by_a_part_of_its_name() {
    let sandbox = Sandbox::with(&Sample::green());
    let explain = |key| gulf(&sandbox, ["config", "explain", key]).run();
    explain("agent.reach").expect_exit(0).says("agent.reach").does_not_say("preset");
    explain("agent.raech").expect_exit(2).says("no setting has `agent.raech` in its name");
}
