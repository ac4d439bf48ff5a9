//! The preset tasks from outside: a list is worked off in its order, written down task by task, and given up honestly.
//!
//! Most tasks here end attested, by a claim that says why there is no test: what is shown is the list, not the proof. That
//! a list can end verified is shown with real tests in `forms`, and with a real agent in `real::lists`.

mod aside;
mod crashes;
mod criteria;
mod forms;
mod limits;
mod people;
mod texts;

use gulf_testkit::{FakeAgent, Invocation, Sample, Sandbox, Step};
use serde_json::Value;

use crate::RIGHT;

/// `gulf run --preset tasks`
fn tasks(sandbox: &Sandbox, agent: &FakeAgent, arguments: &[&str]) -> Invocation {
    sandbox
        .gulf(["run", "--preset", "tasks", "--agent", &agent.flag(), "--check", RIGHT])
        .arguments(arguments.iter().copied())
}

/// A project in which nothing is wrong, with this list.
fn project(name: &str, list: &str) -> Sample {
    Sample::green().file(name, list)
}

/// A worker that does each task at once; each turn leaves a line in work.txt.
fn quick(sandbox: &Sandbox) -> FakeAgent {
    FakeAgent::new(sandbox).otherwise(does())
}

/// What does a task: some work, and a claim.
fn does() -> [Step; 2] {
    [Step::run("echo $GULF_ITERATION >> work.txt"), done()]
}

/// The claim that nothing needs a test.
fn done() -> Step {
    Step::Claim { no_test: Some("a text".to_owned()) }
}

/// What breaks the check, each time in the same way.
fn fails() -> [Step; 3] {
    [
        Step::write("value.txt", "wrong\n"),
        Step::run("echo $GULF_ITERATION > aside.txt"),
        Step::print("TASK_DONE"),
    ]
}

fn mends() -> [Step; 2] {
    [Step::write("value.txt", "right\n"), done()]
}

/// The task that each turn was about.
fn in_hand(agent: &FakeAgent) -> Vec<String> {
    (1..=agent.tally().turns().len()).map(|turn| task_of(&agent.tally().prompt(turn))).collect()
}

fn task_of(prompt: &str) -> String {
    let heading = prompt.lines().find_map(|line| line.strip_prefix("## Task: ")).unwrap();
    heading.split(' ').next().unwrap().to_owned()
}

/// The subjects of the commits after the base, the oldest first.
fn commits(sandbox: &Sandbox) -> Vec<String> {
    let log = sandbox.git(["log", "--reverse", "--format=%s", "--skip=0"]);
    log.lines().skip(1).map(str::to_owned).collect()
}

/// The paths that a commit changes.
fn changed_in(sandbox: &Sandbox, commit: &str) -> Vec<String> {
    let named = sandbox.git(["-c", "core.quotePath=false", "show", "--format=", "--name-only", commit]);
    named.lines().map(str::to_owned).collect()
}

/// `tasks` of `gulf status --json`.
#[track_caller]
fn reported(sandbox: &Sandbox) -> Vec<Value> {
    let finished = sandbox.gulf(["status", "--json"]).run().expect_exit(0);
    let status: Value = serde_json::from_str(&finished.stdout).unwrap();
    status["tasks"].as_array().unwrap().clone()
}

/// `T0.1 complete`, for each task.
fn states(tasks: &[Value]) -> Vec<String> {
    let word = |task: &Value, name: &str| task[name].as_str().unwrap().to_owned();
    tasks.iter().map(|task| format!("{} {}", word(task, "id"), word(task, "state"))).collect()
}
