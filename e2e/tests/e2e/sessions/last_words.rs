//! What a person reads at the end of a session without a terminal: the model's last message, and in it gulf's line.

use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Sample, Sandbox, one_in_turn};
use serde_json::Value;

use super::{HOSTS, Host, Said, Scene, promise};
use crate::{GOAL, RIGHT};

/// As each host prints it at the end.
fn last_message(host: Host, said: &Said) -> String {
    let message = |line: &Value| match host {
        Host::Claude => line["result"].as_str().map(str::to_owned),
        Host::Codex => line["item"]["text"].as_str().map(str::to_owned),
        Host::Copilot => line["data"]["content"].as_str().map(str::to_owned),
    };
    let is_last = |line: &Value| match host {
        Host::Claude => line["type"] == "result",
        Host::Codex => line["item"]["type"] == "agent_message",
        Host::Copilot => line["type"] == "assistant.message",
    };
    let lines = said.finished.json_lines();
    lines.iter().filter(|line| is_last(line)).filter_map(message).next_back().unwrap_or_default()
}

fn asked(scene: &Scene) -> usize {
    scene.server.last_words_calls().len()
}

fn right(_: &Sandbox) -> Script {
    [Reply::shell("echo right > value.txt"), promise()].into_iter().fold(Script::new(), Script::step)
}

#[test]
fn the_end_of_a_loop_is_the_models_last_word_where_the_host_shows_nothing() {
    for host in one_in_turn(HOSTS) {
        let Some(scene) = Scene::with(host, &Sample::shell(), right) else { return };
        let said = scene.say(&format!("/gulf-loop:start --no-research --check '{RIGHT}' {GOAL}"));
        let last = last_message(host, &said);
        said.finished.expect_exit(0);
        assert!(last.starts_with("Gulf Loop | Iter 1/50: VERIFIED"), "{host:?}: {last}");
        let kept = scene.sandbox.only_loop();
        assert_eq!(kept.turns(), [(1, 1)]);
        assert_eq!(asked(&scene), 1, "{host:?}");
        scene.close();
    }
}

#[test]
fn a_pause_is_the_models_last_word_and_counts_nothing() {
    for host in one_in_turn(HOSTS) {
        let Some(scene) = Scene::with(host, &Sample::shell(), right) else { return };
        let start = format!("/gulf-loop:start --no-research -m 1 --check '{RIGHT}' {GOAL}");
        let said = scene.say(&start);
        let last = last_message(host, &said);
        said.finished.expect_exit(0);
        assert!(last.starts_with("Gulf Loop | Iter 1/50") && last.contains("gulf-loop:resume"), "{last}");
        let kept = scene.sandbox.only_loop();
        assert_eq!((kept.turns(), kept.facts_of("paused").len()), (vec![(1, 1)], 1));
        assert_eq!(asked(&scene), 1, "{host:?}");
        scene.close();
    }
}
