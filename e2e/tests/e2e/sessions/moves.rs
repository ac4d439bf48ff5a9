//! A loop that moves: from the session to processes of gulf's own, and back (DESIGN: a move is journalled).

use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Sample, Sandbox, one_in_turn};
use serde_json::json;

use super::{HOSTS, Host, Scene, promise};
use crate::real::iteration;
use crate::{GOAL, RIGHT, exit};

/// Asked in the session while its loop is elsewhere.
const ASIDE: &str = "What time is it?";

/// A step in each iteration; the last one is done.
fn script(_: &Sandbox) -> Script {
    // Only a worker of gulf's own is told that in its very prompt.
    let own = [Reply::shell("echo 2 > second.txt"), Reply::text("A step further.")];
    let script = Script::new().conversation(&iteration(2), own);
    let first = [Reply::shell("echo 1 > first.txt"), Reply::text("A step further.")];
    let third = [Reply::shell("echo right > value.txt"), promise()];
    let aside = [Reply::text("It is late.")];
    first.into_iter().chain(aside).chain(third).fold(script, Script::step)
}

fn check_moves(host: Host) {
    let Some(scene) = Scene::with(host, &Sample::shell(), script) else { return };
    let said = scene.say(&format!("/gulf-loop:start --no-research -m 1 --check '{RIGHT}' {GOAL}"));
    let session = said.session();
    said.finished.expect_exit(0);
    let kept = scene.sandbox.only_loop();
    assert_eq!(kept.turns(), [(1, 1)]);

    let own = scene.sandbox.gulf(["resume", "--here"]).variables(scene.agents.variables());
    own.run().expect_exit(exit::PAUSED).says("iteration 2 of 50");
    assert_eq!(kept.turns(), [(1, 1), (2, 1)]);
    assert!(scene.sandbox.file("second.txt").exists());

    // The session that it came from stops as it likes.
    let before = scene.server.model_calls().len();
    scene.say_again(&session, ASIDE).finished.expect_exit(0).does_not_say("Gulf Loop");
    assert_eq!(scene.server.model_calls().len(), before + 1);
    assert_eq!(kept.turns(), [(1, 1), (2, 1)]);

    scene.say_again(&session, "/gulf-loop:resume").finished.expect_exit(0);
    assert_eq!(kept.turns(), [(1, 1), (2, 1), (3, 1)]);
    assert_eq!(kept.end(), None, "the third iteration's review is due");
    let worker = |worker| json!({"type": "bound", "worker": worker});
    let at_session = worker(json!({"kind": "session", "host": host.name(), "id": session}));
    let here = worker(json!({"kind": "processes"}));
    assert_eq!(kept.facts_of("bound"), [at_session.clone(), here, at_session]);
    let before = scene.server.model_calls().len();
    drop(scene.say_again(&session, "/gulf-loop:resume"));
    assert_eq!(kept.end().unwrap()["kind"], "verified", "what was claimed is not forgotten");
    assert_eq!(scene.server.model_calls().len(), before);
    scene.close();
}

// proves: B7
#[test]
fn a_loop_moves_from_a_session_to_the_terminal_and_back() {
    for host in one_in_turn(HOSTS) {
        check_moves(host);
    }
}
