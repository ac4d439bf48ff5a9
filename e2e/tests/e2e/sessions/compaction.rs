//! The host makes its conversation shorter in the midst of a loop: agents of its own come and go, and the loop goes on.

use gulf_testkit::Sample;
use gulf_testkit::model::{Reply, Script, Usage};
use serde_json::json;

use super::{Host, Scene, promise};
use crate::{GOAL, RIGHT};

/// So much of Claude Code's context is used that it must make room.
const FULL_TOKENS: u64 = 985_000;

/// Said by Claude Code when it asks for a summary.
const SUMMARY_WANTED: &str = "Your task is to create a detailed summary";

#[test]
fn a_loop_of_claude_goes_on_through_its_compaction() {
    let scene = Scene::with(Host::Claude, &Sample::shell(), |_| {
        let full = Reply::text("A step further.").usage(Usage::of(FULL_TOKENS, 20));
        let steps =
            [Reply::shell("echo 1 > first.txt"), full, Reply::shell("echo right > value.txt"), promise()];
        let summary = Reply::text("<summary>The value is wrong; .gulf/brief.md says more.</summary>");
        let script = Script::new().when_request_contains(SUMMARY_WANTED, summary);
        steps.into_iter().fold(script, Script::step)
    });
    let Some(scene) = scene else { return };
    let said = scene.say(&format!("/gulf-loop:start --no-research --check '{RIGHT}' {GOAL}"));
    let session = said.session();
    said.finished.expect_exit(0).says("compact_boundary");
    let kept = scene.sandbox.only_loop();
    assert_eq!(kept.turns(), [(1, 1), (2, 1)]);
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    let worker = json!({"kind": "session", "host": "claude", "id": session});
    assert_eq!(kept.facts_of("bound"), [json!({"type": "bound", "worker": worker})]);
    scene.close();
}
