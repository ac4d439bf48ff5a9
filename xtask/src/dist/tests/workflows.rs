//! The workflow of a release: started by tags alone, for the platforms that are shipped, by chores that there are.

use super::super::Order;
use super::super::platform::PLATFORMS;
use super::read;
use serde_json::{Value, json};

fn yaml(path: &str) -> Value {
    serde_saphyr::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What the steps of all jobs run.
fn commands(workflow: &Value) -> Vec<String> {
    let jobs = workflow["jobs"].as_object().unwrap().values();
    let steps = jobs.flat_map(|job| job["steps"].as_array().unwrap());
    steps.filter_map(|step| step["run"].as_str()).map(str::to_owned).collect()
}

#[test]
fn a_release_begins_with_a_tag_and_with_nothing_else() {
    let workflow = yaml(".github/workflows/release.yml");
    assert_eq!(workflow["on"], json!({"push": {"tags": ["v*"]}}));
    assert_eq!(workflow["permissions"], json!({"contents": "read"}));
    let draft = commands(&workflow).into_iter().find(|run| run.contains("gh release")).unwrap();
    assert!(draft.contains("--draft"), "a person publishes: {draft}");
}

#[test]
fn it_builds_what_is_shipped_and_attests_it() {
    let build = &yaml(".github/workflows/release.yml")["jobs"]["build"];
    let matrix = build["strategy"]["matrix"]["include"].as_array().unwrap();
    let targets: Vec<_> = matrix.iter().map(|entry| entry["target"].as_str().unwrap()).collect();
    assert_eq!(targets, PLATFORMS.map(|platform| platform.triple));
    let steps = build["steps"].as_array().unwrap();
    let uses: Vec<_> = steps.iter().filter_map(|step| step["uses"].as_str()).collect();
    let attests = uses.iter().any(|one| one.starts_with("actions/attest-build-provenance@"));
    assert!(attests && build["permissions"]["attestations"] == "write", "{uses:?}");
    assert!(steps.iter().any(|step| step["run"] == ".ci/run"), "nothing is shipped that was not tested");
}

#[test]
fn every_chore_of_the_workflow_can_be_read() {
    let mut read = 0;
    for run in commands(&yaml(".github/workflows/release.yml")) {
        let Some((_, words)) = run.trim().split_once("cargo xtask dist ") else { continue };
        // What the host puts in: a target, and the flag that Linux has.
        let words = words.replace("${{ matrix.target }}", "aarch64-apple-darwin");
        let words = words.split("${{").next().unwrap().replace('"', "");
        let words: Vec<&str> = words.split_whitespace().collect();
        assert!(Order::read(&words).is_some_and(|order| order.is_ok()), "{run}");
        read += 1;
    }
    assert_eq!(read, 3);
}

#[test]
fn the_action_is_a_composite_one_whose_steps_name_their_shell() {
    let action = yaml("action.yml");
    assert_eq!(action["runs"]["using"], "composite");
    let steps = action["runs"]["steps"].as_array().unwrap();
    assert!(!steps.is_empty() && steps.iter().all(|step| step["shell"] == "bash"), "{steps:?}");
    for run in steps.iter().filter_map(|step| step["run"].as_str()) {
        assert!(!run.contains("${{"), "an input in a script is code: {run}");
    }
}
