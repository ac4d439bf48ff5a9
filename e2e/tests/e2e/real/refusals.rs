//! A model that declines: told as what it is, tried once more afresh, then a pause that quotes it. Read from fields of the
//! agents' protocols, never from prose.

use gulf_testkit::model::{ModelServer, Reply, Script};
use gulf_testkit::{OtherAgent, RealAgents, Sample, Sandbox, one_in_turn};

use super::{SECOND_ATTEMPT, Scene, Tool, iteration};
use crate::{GOAL, RIGHT, exit};

/// What each agent's protocol says where its model declines.
fn declined(tool: Tool) -> Reply {
    let said = Reply::text("I cannot help with that.");
    match tool {
        Tool::Claude => said.stop_reason("refusal"),
        Tool::Codex => said.stop_reason("content_filter"),
    }
}

#[test]
fn what_a_model_declines_twice_rests_the_loop_which_quotes_it() {
    for (tool, quote) in [(Tool::Claude, "safeguards"), (Tool::Codex, "content_filter")] {
        let script = Script::new().conversation(&iteration(1), [declined(tool)]);
        let Some(scene) = Scene::with(&Sample::shell(), |_| script) else { return };
        let finished = scene.run(tool, &[]).run().expect_exit(exit::PAUSED);
        let finished = finished.says("THE MODEL DECLINED").says("trying again in a fresh session");
        finished.says("It said: ").says(quote).says("gulf steer").does_not_say("the agent failed");
        let kept = scene.sandbox.only_loop();
        assert_eq!(kept.turns(), [(1, 1), (1, 2)], "{tool:?}");
        let sessions: Vec<_> =
            kept.results("turn").iter().map(|(_, turn)| turn["session"]["id"].to_string()).collect();
        assert_ne!(sessions[0], sessions[1], "afresh");
        let pause = kept.facts_of("paused").pop().unwrap();
        assert_eq!(pause["reason"], "declined");
        scene.close();
    }
}

#[test]
fn what_a_model_declines_once_costs_no_iteration() {
    for tool in one_in_turn([Tool::Claude, Tool::Codex]) {
        let scene = Scene::with(&Sample::shell(), |sandbox| {
            let script = Script::new().conversation(SECOND_ATTEMPT, tool.mend(sandbox));
            script.conversation(&iteration(1), [declined(tool)])
        });
        let Some(scene) = scene else { return };
        scene.run(tool, &["--max-iterations", "1"]).run().expect_exit(exit::VERIFIED);
        assert_eq!(scene.sandbox.only_loop().turns(), [(1, 1), (1, 2)]);
        scene.close();
    }
}

#[test]
fn opencode_and_gemini_tell_that_their_model_declined() {
    for agent in one_in_turn([OtherAgent::OpenCode, OtherAgent::Gemini]) {
        let reply = match agent {
            OtherAgent::Gemini => Reply::text("").stop_reason("SAFETY"),
            OtherAgent::OpenCode | OtherAgent::Copilot => Reply::text("I cannot.").stop_reason("refusal"),
        };
        let sandbox = Sandbox::for_agents(&Sample::shell());
        let server = ModelServer::start(Script::new().conversation(&iteration(1), [reply]));
        let Some(agents) = RealAgents::only(agent, &sandbox, &server) else { return };
        let named = agent.with_model();
        let line = ["run", GOAL, "--research", "off", "--check", RIGHT, "--agent", &named];
        let finished = sandbox.gulf(line).variables(agents.variables()).run();
        finished.expect_exit(exit::PAUSED).says("THE MODEL DECLINED").says("It said: ");
        assert_eq!(sandbox.only_loop().turns(), [(1, 1), (1, 2)], "{agent:?}");
    }
}
