//! The real Claude Code and Codex against the scripted model, without gulf: what every test with them relies on.
//!
//! `cargo xtask setup` installs both, pinned; where there is no npm that is said aloud.

use gulf_testkit::model::{ModelServer, Reply, Script, Usage};
use gulf_testkit::{Finished, RealAgents, Sample, Sandbox};
use serde_json::{Value, json};

const CLAUDE: [&str; 6] =
    ["-p", "Mend value.txt", "--output-format", "stream-json", "--verbose", "--permission-mode=acceptEdits"];

const CODEX: [&str; 5] = ["exec", "--json", "--sandbox", "danger-full-access", "Mend value.txt"];

/// The line of this type; each agent writes one at its end.
#[track_caller]
fn line(finished: &Finished, kind: &str) -> Value {
    let line = finished.json_lines().into_iter().rev().find(|line| line["type"] == kind);
    line.unwrap_or_else(|| panic!("no {kind}: {finished:#?}"))
}

#[test]
fn claude_edits_a_file_with_its_own_tools_as_the_model_says() {
    let sandbox = Sandbox::for_agents(&Sample::shell());
    let path = sandbox.file("value.txt");
    let edit = json!({"file_path": path, "old_string": "wrong", "new_string": "right"});
    let server = ModelServer::start(
        Script::new()
            .step(Reply::tool("Read", json!({"file_path": path})))
            .step(Reply::tool("Edit", edit).usage(Usage::of(700, 40)))
            .step(Reply::text("It says right now.")),
    );
    let Some(agents) = RealAgents::ready(&sandbox, &server) else { return };
    let finished = agents.claude(&sandbox, CLAUDE).run().expect_exit(0);

    assert_eq!(sandbox.read("value.txt"), "right\n");
    let result = line(&finished, "result");
    assert_eq!((&result["result"], &result["is_error"]), (&json!("It says right now."), &json!(false)));
    assert_eq!(result["usage"]["input_tokens"], 900);
    let calls = server.model_calls();
    assert_eq!(calls.iter().map(|call| call.answers_before()).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(calls[0].contains("Mend value.txt") && calls[0].offers("Edit"));
    assert!(calls[2].tool_results()[0].contains("wrong"), "{:?}", calls[2].tool_results());
    agents.assert_no_other_traffic();
    sandbox.assert_nothing_left();
}

#[test]
fn codex_edits_a_file_with_its_own_tools_as_the_model_says() {
    let sandbox = Sandbox::for_agents(&Sample::shell());
    let patch = "*** Begin Patch\n*** Update File: value.txt\n@@\n-wrong\n+right\n*** End Patch\n";
    let server = ModelServer::start(
        Script::new()
            .step(Reply::shell("cat value.txt"))
            .step(Reply::freeform_tool("apply_patch", patch).usage(Usage::of(700, 40)))
            .step(Reply::text("It says right now.")),
    );
    let Some(agents) = RealAgents::ready(&sandbox, &server) else { return };
    let finished = agents.codex(&sandbox, CODEX).run().expect_exit(0);

    assert_eq!(sandbox.read("value.txt"), "right\n");
    finished.clone().says("It says right now.");
    assert_eq!(line(&finished, "turn.completed")["usage"]["input_tokens"], 900);
    let calls = server.model_calls();
    assert_eq!(calls.iter().map(|call| call.answers_before()).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(calls[0].contains("Mend value.txt") && calls[0].offers("apply_patch"));
    assert!(calls[2].tool_results()[0].contains("wrong"), "{:?}", calls[2].tool_results());
    agents.assert_no_other_traffic();
    sandbox.assert_nothing_left();
}

#[test]
fn one_server_answers_worker_and_judge_by_what_they_are_asked() {
    let sandbox = Sandbox::for_agents(&Sample::shell());
    let server = ModelServer::start(
        Script::new()
            .conversation("You are the judge", [Reply::structured(json!({"met": true}))])
            .conversation("Mend value.txt", [Reply::shell("echo right > value.txt"), Reply::text("Done.")]),
    );
    let Some(agents) = RealAgents::ready(&sandbox, &server) else { return };
    let schema = json!({
        "type": "object", "properties": {"met": {"type": "boolean"}},
        "required": ["met"], "additionalProperties": false,
    });
    agents.claude(&sandbox, CLAUDE).arguments(["--allowedTools", "Bash"]).run().expect_exit(0);
    assert_eq!(sandbox.read("value.txt"), "right\n");

    let question = ["-p", "You are the judge of: Mend value.txt", "--output-format", "json", "--json-schema"];
    let judged = agents.claude(&sandbox, question).arguments([schema.to_string().as_str()]).run();
    let said: Value = serde_json::from_str(&judged.expect_exit(0).stdout).unwrap();
    assert_eq!(said["structured_output"], json!({"met": true}));

    std::fs::write(sandbox.path("schema.json"), schema.to_string()).unwrap();
    let path = sandbox.path("schema.json");
    let question = ["exec", "--json", "You are the judge", "--output-schema", path.as_str()];
    let judged = agents.codex(&sandbox, question).run().expect_exit(0);
    assert_eq!(line(&judged, "item.completed")["item"]["text"], json!({"met": true}).to_string());
    agents.assert_no_other_traffic();
}

#[test]
fn a_used_up_subscription_is_told_with_the_second_at_which_it_ends() {
    let sandbox = Sandbox::for_agents(&Sample::shell());
    let server = ModelServer::start(Script::new().otherwise(Reply::five_hour_limit(4_000_000_000)));
    let Some(agents) = RealAgents::ready(&sandbox, &server) else { return };
    let agents = agents.with_subscription();
    let finished = agents.claude(&sandbox, CLAUDE).run().expect_exit(1);

    let limit = &line(&finished, "rate_limit_event")["rate_limit_info"];
    assert_eq!((&limit["status"], &limit["resetsAt"]), (&json!("rejected"), &json!(4_000_000_000_u64)));
    let result = line(&finished, "result");
    assert_eq!((&result["is_error"], &result["api_error_status"]), (&json!(true), &json!(429)));
    assert_eq!(server.model_calls().len(), 1, "a limit of hours is not tried again");
    agents.assert_no_other_traffic();
}

#[test]
fn errors_of_the_model_end_both_agents_with_exit_code_1() {
    for reply in
        [Reply::status(401), Reply::drop_connection(), Reply::stream_error("overloaded_error", "full")]
    {
        let sandbox = Sandbox::for_agents(&Sample::shell());
        let server = ModelServer::start(Script::new().otherwise(reply.clone()));
        let Some(agents) = RealAgents::ready(&sandbox, &server) else { return };
        let claude = agents.claude(&sandbox, CLAUDE).run().expect_exit(1);
        assert_eq!(line(&claude, "result")["terminal_reason"], "api_error", "{reply:?}");
        let codex = agents.codex(&sandbox, CODEX).run().expect_exit(1);
        assert!(line(&codex, "turn.failed")["error"]["message"].is_string(), "{reply:?}");
        agents.assert_no_other_traffic();
    }
}

#[test]
fn an_agent_whose_model_hangs_is_there_until_it_is_interrupted() {
    for command in [&CLAUDE[..], &CODEX[..]] {
        let sandbox = Sandbox::for_agents(&Sample::shell());
        let server = ModelServer::start(Script::new().otherwise(Reply::hang()));
        let Some(agents) = RealAgents::ready(&sandbox, &server) else { return };
        let arguments = command.iter().copied();
        let agent = if command == CODEX {
            agents.codex(&sandbox, arguments)
        } else {
            agents.claude(&sandbox, arguments)
        };
        let agent = agent.start();
        server.wait_for(|request| request.contains("Mend value.txt"));
        agent.interrupt();
        agent.finish().does_not_panic();
        sandbox.assert_nothing_left();
        agents.assert_no_other_traffic();
    }
}

#[test]
fn a_held_answer_comes_when_the_test_lets_it_go() {
    let sandbox = Sandbox::for_agents(&Sample::shell());
    let server = ModelServer::start(Script::new().step(Reply::text("At last.").held()));
    let Some(agents) = RealAgents::ready(&sandbox, &server) else { return };
    let agent = agents.claude(&sandbox, CLAUDE).start();
    server.wait_for(|request| request.contains("Mend value.txt"));
    server.release();
    assert_eq!(line(&agent.finish().expect_exit(0), "result")["result"], "At last.");
}

#[test]
fn what_an_agent_asks_for_elsewhere_goes_into_the_trap() {
    let sandbox = Sandbox::for_agents(&Sample::shell());
    let server = ModelServer::start(Script::new());
    let Some(agents) = RealAgents::ready(&sandbox, &server) else { return };
    let talkative = agents.claude(&sandbox, CLAUDE).variable("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "");
    talkative.run().expect_exit(0);
    let traffic = agents.other_traffic();
    assert!(traffic.contains(&"CONNECT api.anthropic.com:443".to_owned()), "{traffic:?}");
}
