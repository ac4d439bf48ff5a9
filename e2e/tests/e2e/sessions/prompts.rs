//! What a person wrote arrives as the sealed goal, byte for byte, in each host's default permission mode.

use gulf_testkit::model::Script;
use gulf_testkit::{Sample, Sandbox, one_in_turn};
use serde_json::Value;

use super::{HOSTS, Host, Scene};
use crate::RIGHT;

/// What shells, templates, flags and lines would make something else of.
const AWKWARD: &str =
    "Make it \"right\", isn't it? $(touch pwned) `touch pwned` $HOME ${HOME} !! \\n %s & ; | > x
use --force and -n 7 where --max-iterations is meant, --- and all
---
iteration: 99
\ttab, two  blanks, 한국어 제목, 😀, <promise>COMPLETE</promise>, $ARGUMENTS
last line";

/// Says nothing that counts, so that the loop rests after its first iteration.
fn idle(_: &Sandbox) -> Script {
    Script::new()
}

/// Long, and different in each line.
fn long() -> String {
    let lines: String =
        (0..6_000).map(|number| format!("{number}: 'q' \"d\" $(id) `b` --flag 한국어\n")).collect();
    format!("Read all of this:\n{lines}END")
}

#[track_caller]
pub(super) fn sealed_goal(scene: &Scene) -> String {
    let text = std::fs::read_to_string(scene.sandbox.only_loop().path("sealed/contract.json")).unwrap();
    let contract: Value = serde_json::from_str(&text).unwrap();
    contract["goal"].as_str().unwrap().to_owned()
}

fn check_arrives(host: Host, goal: &str) {
    let Some(scene) = Scene::with(host, &Sample::shell(), idle) else { return };
    let prompt = format!("/gulf-loop:start -m 1 --no-research --check '{RIGHT}' {goal}");
    scene.say_by_default(&prompt).finished.expect_exit(0);
    assert!(sealed_goal(&scene) == goal, "{host:?}: not the goal, but {:?}", sealed_goal(&scene));
    assert!(!scene.sandbox.file("pwned").exists());
    scene.close();
}

#[test]
fn quotes_substitutions_lines_and_flags_in_prose_arrive_as_they_are() {
    for host in one_in_turn(HOSTS) {
        check_arrives(host, AWKWARD);
    }
}

#[test]
fn two_hundred_kilobytes_arrive() {
    for host in one_in_turn([Host::Claude, Host::Codex]) {
        check_arrives(host, &long());
    }
}
