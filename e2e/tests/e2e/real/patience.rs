//! What a provider asks for: a wait, however often, that costs neither an iteration nor a failure, and that a person can end.

use gulf_testkit::model::{ModelServer, Reply, Script};
#[cfg(unix)]
use gulf_testkit::{Key, Size};
use gulf_testkit::{OtherAgent, RealAgents, Sample, Sandbox, one_in_turn};
use serde_json::json;

use super::others::{mend, shell};
use super::{SECOND_ATTEMPT, Scene, Tool, iteration};
use crate::{GOAL, RIGHT, exit};

/// The clock leaps over waits in which nothing runs: gulf's own seam for tests, not in release builds.
const LEAPS: (&str, &str) = ("GULF_TEST_CLOCK", "leaps");

const HOUR_MS: u64 = 3_600_000;

/// Comes in no loop of these tests.
const NO_ATTEMPT: &str = "begins again (attempt 999)";

#[cfg(unix)]
const WIDE: Size = Size { columns: 160, rows: 50 };

/// What a provider says to a key whose minute is used up.
fn limited() -> Reply {
    Reply::status(429).header("retry-after", "600")
}

/// The provider takes nothing until this attempt.
fn scene(tool: Tool, until: &str, refusal: Reply) -> Option<Scene> {
    Scene::with(&Sample::shell(), |sandbox| {
        let script = Script::new().conversation(until, tool.mend(sandbox));
        script.conversation(&iteration(1), [refusal])
    })
}

// proves: B12
#[test]
fn an_hour_of_429_is_waited_out_and_costs_neither_an_iteration_nor_a_failure() {
    let Some(scene) = scene(Tool::Claude, "begins again (attempt 7)", limited()) else { return };
    let run = scene.run(Tool::Claude, &["--max-iterations", "1"]).variable(LEAPS.0, LEAPS.1);
    let finished = run.run().expect_exit(exit::VERIFIED);
    let finished = finished.says(" for the provider, then the same iteration again · until ");
    // Each minute at first, then every ten: an hour of one line in ten minutes would be six.
    let told = finished.stderr.matches(" still waiting for the provider: ").count();
    assert!((10..40).contains(&told), "told {told} times");
    finished.says("iteration 1 of 1").does_not_say("the agent failed");
    let kept = scene.sandbox.only_loop();
    assert_eq!(kept.turns(), (1..=7).map(|attempt| (1, attempt)).collect::<Vec<_>>());
    let status = scene.status();
    assert!(status["active_ms"].as_u64().unwrap() > HOUR_MS, "{status:#}");
    scene.close();
}

#[test]
fn an_overload_is_waited_out_like_a_limit() {
    for (tool, status) in [(Tool::Claude, 529), (Tool::Codex, 503)] {
        let Some(scene) = scene(tool, SECOND_ATTEMPT, Reply::status(status)) else { return };
        let run = scene.run(tool, &["--max-iterations", "1"]).variable(LEAPS.0, LEAPS.1);
        run.run()
            .expect_exit(exit::VERIFIED)
            .says(" for the provider, then the same iteration again · until ");
        assert_eq!(scene.sandbox.only_loop().turns(), [(1, 1), (1, 2)]);
        scene.close();
    }
}

/// As its provider says it. Gemini CLI reads the wait from the error alone, and gives up at once where it is over five
/// minutes; Copilot CLI gives up at once, too. OpenCode asks five times more, each after as long as it is told and without a
/// word (ten minutes would be fifty), so it is told a second here.
fn limit_of(agent: OtherAgent) -> Reply {
    match agent {
        OtherAgent::Copilot => limited(),
        OtherAgent::OpenCode => Reply::status(429).header("retry-after", "1"),
        OtherAgent::Gemini => {
            let wait = json!([{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "600s"}]);
            let error = limited().error("RESOURCE_EXHAUSTED", "You exceeded your current quota.");
            error.error_field("code", json!(429)).error_field("details", wait)
        }
    }
}

/// More refusals in a row than failures are allowed, and then the work. A provider that names ten minutes has them.
#[track_caller]
fn check_patience(agent: OtherAgent, wait_ms: u64) {
    let sandbox = Sandbox::for_agents(&Sample::shell());
    let works = [mend(agent, &sandbox), shell(agent, "gulf claim done"), Reply::text("It is done.")];
    let script = Script::new().conversation("begins again (attempt 5)", works);
    let server = ModelServer::start(script.conversation(&iteration(1), [limit_of(agent)]));
    let Some(agents) = RealAgents::only(agent, &sandbox, &server) else { return };
    let named = agent.with_model();
    let line = ["run", GOAL, "--research", "off", "--check", RIGHT, "--agent", &named, "--allow", "sh -c"];
    let run = sandbox.gulf(line).arguments(["--max-iterations", "1"]).variables(agents.variables());
    let finished = run.variable(LEAPS.0, LEAPS.1).run().expect_exit(exit::VERIFIED);
    let finished = finished.says(" for the provider, then the same iteration again");
    finished.says("iteration 1 of 1").does_not_say("the agent failed");
    let kept = sandbox.only_loop();
    assert_eq!(kept.turns(), (1..=5).map(|attempt| (1, attempt)).collect::<Vec<_>>());
    for (_, turn) in kept.results("turn").iter().take(4) {
        assert_eq!(turn["outcome"]["kind"], "rate-limited", "{turn:#}");
    }
    let status = sandbox.gulf(["status", "--json"]).run().expect_exit(0);
    let status: serde_json::Value = serde_json::from_str(&status.stdout).unwrap();
    assert!(status["active_ms"].as_u64().unwrap() > 4 * wait_ms, "{status:#}");
    sandbox.assert_nothing_left();
    agents.assert_no_other_traffic();
}

// proves: B12, B7
#[test]
fn a_429_of_another_agent_is_waited_out_and_costs_neither_an_iteration_nor_a_failure() {
    let cases = [(OtherAgent::Copilot, 60_000), (OtherAgent::OpenCode, 1_000), (OtherAgent::Gemini, 600_000)];
    for (agent, wait_ms) in one_in_turn(cases) {
        check_patience(agent, wait_ms);
    }
}

#[test]
fn a_loop_that_waits_keeps_to_its_time() {
    let Some(scene) = scene(Tool::Claude, NO_ATTEMPT, limited()) else { return };
    let run = scene.run(Tool::Claude, &["--max-duration", "10m"]).variable(LEAPS.0, LEAPS.1);
    run.run().expect_exit(exit::EXHAUSTED).says("the time limit is reached");
    scene.close();
}

#[cfg(unix)]
#[test]
fn a_wait_is_told_with_its_end_and_is_over_when_a_person_says_so() {
    for act in ["cancel", "pause"] {
        let Some(scene) = scene(Tool::Claude, NO_ATTEMPT, limited()) else { return };
        let gulf = scene.run(Tool::Claude, &[]).on_terminal(WIDE);
        gulf.wait_for("for the provider");
        scene.gulf(["status"]).run().says("It waits for the provider").says("more, until ");
        let wait = &scene.status()["wait"];
        assert!(wait["for"] == "provider" && wait["until"].as_str().is_some(), "{wait}");
        scene.gulf([act]).run().expect_exit(0);
        if act == "pause" {
            gulf.wait_for("Continue now?");
            gulf.enter("n");
        }
        let code = if act == "cancel" { exit::CANCELLED } else { exit::PAUSED };
        assert_eq!(gulf.finish(), u32::try_from(code).unwrap());
        scene.close();
    }
}

#[cfg(unix)]
#[test]
fn whoever_ends_gulf_in_a_wait_and_resumes_sits_out_none_of_it() {
    for kills in [true, false] {
        let Some(scene) = scene(Tool::Claude, SECOND_ATTEMPT, limited()) else { return };
        let gulf = scene.run(Tool::Claude, &[]).on_terminal(WIDE);
        gulf.wait_for("for the provider");
        if kills {
            drop(gulf);
        } else {
            gulf.press(Key::Control('c'));
            assert_eq!(gulf.finish(), u32::try_from(exit::INTERRUPTED).unwrap());
        }
        let finished = scene.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
        finished.does_not_say("for the provider").says("iteration 1 of 50");
        let active_ms = scene.status()["active_ms"].as_u64().unwrap();
        assert!(active_ms < 60_000, "the minute was not sat out: {active_ms}");
        assert_eq!(scene.sandbox.only_loop().turns(), [(1, 1), (1, 2)]);
        scene.close();
    }
}
