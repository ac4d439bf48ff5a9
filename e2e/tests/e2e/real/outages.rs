//! What comes between a turn and its end: limits, errors, silence, death. None of it costs an iteration.

use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Finished, Sample, one_in_turn};

use super::{SECOND_ATTEMPT, Scene, Tool, in_seconds, iteration};
use crate::exit;

/// The model answers this way in the first attempt, whatever is asked, and as it should in the second.
fn scene(tool: Tool, outage: Reply) -> Option<Scene> {
    Scene::with(&Sample::shell(), |sandbox| {
        let script = Script::new().conversation(SECOND_ATTEMPT, tool.mend(sandbox));
        script.conversation(&iteration(1), [outage])
    })
}

/// The iteration was tried twice and counted once.
#[track_caller]
fn expect_second_attempt(scene: Scene, finished: Finished) {
    finished.expect_exit(exit::VERIFIED).says("iteration 1 of 50");
    let kept = scene.sandbox.only_loop();
    assert_eq!(kept.turns(), [(1, 1), (1, 2)]);
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    scene.close();
}

#[test]
fn a_used_up_subscription_of_claude_is_waited_out() {
    let Some(mut scene) = scene(Tool::Claude, Reply::five_hour_limit(in_seconds(2))) else { return };
    scene.agents = scene.agents.with_subscription();
    let finished = scene.run(Tool::Claude, &[]).run().says("waiting").says("for the provider");
    expect_second_attempt(scene, finished);
}

#[test]
fn errors_of_the_model_are_tried_again() {
    let words = [(Tool::Claude, "API Error: 500"), (Tool::Codex, "experiencing high demand")];
    for (tool, words) in one_in_turn(words) {
        let Some(scene) = scene(tool, Reply::status(500)) else { return };
        let finished = scene.run(tool, &[]).run().says(words);
        expect_second_attempt(scene, finished);
    }
}

#[test]
fn a_key_that_is_refused_pauses_the_loop_until_a_person_resumes_it() {
    for tool in one_in_turn([Tool::Claude, Tool::Codex]) {
        let Some(scene) = scene(tool, Reply::status(401)) else { return };
        let finished = scene.run(tool, &[]).run();
        finished.expect_exit(exit::PAUSED).says("sign in").says("gulf resume");
        let finished = scene.gulf(["resume"]).run();
        expect_second_attempt(scene, finished);
    }
}

#[test]
fn an_agent_whose_model_is_silent_is_stopped_and_tried_again() {
    for tool in one_in_turn([Tool::Claude, Tool::Codex]) {
        let Some(scene) = scene(tool, Reply::hang()) else { return };
        let finished = scene.run(tool, &[]).variable("GULF_AGENT_IDLE_TIMEOUT", "3s").run();
        let finished = finished.says("it printed nothing for 3s (agent.idle_timeout)");
        expect_second_attempt(scene, finished);
    }
}

#[test]
fn after_a_kill_in_the_middle_of_a_turn_the_same_command_goes_on_and_counts_what_was_spent() {
    for tool in one_in_turn([Tool::Claude, Tool::Codex]) {
        let Some(scene) = scene(tool, Reply::hang()) else { return };
        let gulf = scene.run(tool, &["--max-cost", "20"]).start();
        scene.server.wait_for(|request| request.contains(&iteration(1)));
        gulf.kill();
        drop(gulf.finish());
        scene.sandbox.assert_nothing_left();
        let finished = scene.run(tool, &["--max-cost", "20"]).run().says("$5.00 assumed");
        let cost = &scene.status()["cost"];
        assert!(cost["basis"] == "assumed" && cost["microdollars"].as_u64().unwrap() > 5_000_000, "{cost}");
        expect_second_attempt(scene, finished);
    }
}

#[test]
fn ctrl_c_in_the_middle_of_a_turn_leaves_a_loop_that_the_same_command_goes_on_with() {
    for tool in one_in_turn([Tool::Claude, Tool::Codex]) {
        let Some(scene) = scene(tool, Reply::hang()) else { return };
        let gulf = scene.run(tool, &[]).start();
        scene.server.wait_for(|request| request.contains(&iteration(1)));
        gulf.interrupt();
        gulf.finish().expect_exit(exit::INTERRUPTED).says("gulf resume");
        scene.sandbox.assert_nothing_left();
        let finished = scene.run(tool, &[]).run();
        expect_second_attempt(scene, finished);
    }
}
