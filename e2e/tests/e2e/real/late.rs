//! A claim that is still on its way when the worker's turn is over.
//!
//! Codex leaves a command running that takes longer than its tool waits, and kills it when it has no more to say. On a
//! loaded machine `gulf claim done` itself was such a command.

use gulf_testkit::Sample;
use gulf_testkit::model::{Reply, Script};
use serde_json::json;

use super::{Scene, Tool, iteration};
use crate::exit;

/// The tool gives up waiting after a quarter of a second.
fn slow_claim() -> Reply {
    Reply::tool("exec_command", json!({"cmd": "sleep 30; gulf claim done", "yield_time_ms": 250}))
}

#[test]
fn a_claim_that_codex_killed_with_its_turn_counts_in_that_turn() {
    let scene = Scene::with(&Sample::shell(), |sandbox| {
        let mut steps = Tool::Codex.edit(sandbox, "value.txt", "wrong", "right");
        steps.extend([slow_claim(), Reply::text("It is done.")]);
        Script::new().conversation(&iteration(1), steps)
    });
    let Some(scene) = scene else { return };
    scene.run(Tool::Codex, &["-n", "3"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(scene.sandbox.only_loop().turns(), [(1, 1)]);
    assert_eq!(scene.sandbox.only_loop().results("follow-up").len(), 0, "nobody has to ask again");
    scene.close();
}
