//! Work of Claude Code's that goes on when its turn ends: nothing is judged before it is over.

use gulf_testkit::Sample;
use gulf_testkit::model::{Reply, Script};
use serde_json::json;

use super::terminals::{ENDED, open};
use super::{Host, Scene, promise};
use crate::{GOAL, RIGHT};

/// What an agent within the session is asked.
const HELPER: &str = "Write down that the value is right.";

#[test]
fn a_stop_while_an_agent_within_still_works_is_not_judged_and_the_next_one_is() {
    let scene = Scene::with(Host::Claude, &Sample::shell(), |_| {
        let task = json!({"description": "write", "prompt": HELPER, "subagent_type": "general-purpose"});
        let mut own = [Reply::tool("Agent", task), Reply::text("I wait for it."), promise()].into_iter();
        let mut helper = [Reply::shell("echo right > value.txt").held(), Reply::text("Written.")].into_iter();
        Script::answer(move |request| {
            let is_own = request.contains(".gulf/brief.md");
            let answer = if is_own { own.next() } else { helper.next() };
            answer.unwrap_or_else(|| Reply::text("Nothing more."))
        })
    });
    let Some(scene) = scene else { return };
    let terminal = open(&scene);
    terminal.enter(&format!("/gulf-loop:start --no-research --check '{RIGHT}' {GOAL}"));
    terminal.wait_for("something still runs in the background");
    assert_eq!(scene.sandbox.only_loop().end(), None);
    scene.server.release();
    terminal.wait_for(ENDED);
    drop(terminal);
    let kept = scene.sandbox.only_loop();
    assert_eq!(kept.turns(), [(1, 1)]);
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    scene.close();
}
