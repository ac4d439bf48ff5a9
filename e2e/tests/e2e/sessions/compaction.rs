//! The host makes its conversation shorter in the midst of a loop: agents of its own come and go, and the loop goes on.

use gulf_testkit::Sample;
use gulf_testkit::model::{Reply, Script, Usage};
use serde_json::json;

use super::{Host, Scene, promise};
use crate::{GOAL, RIGHT};

/// When the host makes room, and in which words it asks for a summary.
struct Compaction {
    full_tokens: u64,
    asks: &'static str,
}

/// After a tool's result, or before a turn.
fn check_compaction(host: Host, compaction: &Compaction) {
    let scene = Scene::with(host, &Sample::shell(), |_| {
        let full = Usage::of(compaction.full_tokens, 20);
        let first =
            [Reply::shell("echo 1 > first.txt").usage(full), Reply::text("A step further.").usage(full)];
        let second = [Reply::shell("echo right > value.txt"), promise()];
        let summary = Reply::text("<summary>The value is wrong; .gulf/brief.md says more.</summary>");
        let script = Script::new().when_request_contains(compaction.asks, summary);
        first.into_iter().chain(second).fold(script, Script::step)
    });
    let Some(scene) = scene else { return };
    let said = scene.say(&format!("/gulf-loop:start --no-research --check '{RIGHT}' {GOAL}"));
    let session = said.session();
    said.finished.expect_exit(0);
    assert!(scene.server.model_calls().iter().any(|call| call.contains(compaction.asks)), "no room was made");
    let kept = scene.sandbox.only_loop();
    assert_eq!(kept.turns(), [(1, 1), (2, 1)]);
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    let worker = json!({"kind": "session", "host": host.name(), "id": session});
    assert_eq!(kept.facts_of("bound"), [json!({"type": "bound", "worker": worker})]);
    scene.close();
}

#[test]
fn a_loop_of_claude_goes_on_through_its_compaction() {
    let asks = "Your task is to create a detailed summary";
    check_compaction(Host::Claude, &Compaction { full_tokens: 985_000, asks });
}

#[test]
fn a_loop_of_codex_goes_on_through_its_compaction() {
    let asks = "You are performing a CONTEXT CHECKPOINT COMPACTION";
    check_compaction(Host::Codex, &Compaction { full_tokens: 390_000, asks });
}
