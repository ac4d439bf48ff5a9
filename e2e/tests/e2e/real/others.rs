//! Copilot CLI, OpenCode and Gemini CLI, each once for real: as the worker and as the judge of one loop, until it is
//! verified, in a home that is clean and with a key that nobody issued.

use gulf_testkit::model::{ModelServer, Reply, Request, Script};
use gulf_testkit::{OtherAgent, RealAgents, Sample, Sandbox};
use serde_json::{Value, json};

use super::{SECOND_ATTEMPT, TO_JUDGE, assert_says, iteration, met, rubric};
use crate::{GOAL, RIGHT, exit};

const NOTE: &str = "notes/why.txt";
const WHY: &str = "It was wrong since <first@import.example>.";
const READ: &str = "I have read value.txt";
const CRITERION: &str = "A file in notes/ says why value.txt was wrong";

/// A file that is made by the agent's own tool for that.
fn write(agent: OtherAgent, sandbox: &Sandbox, path: &str, text: &str) -> Reply {
    let file = sandbox.file(path);
    match agent {
        OtherAgent::Copilot => Reply::tool("create", json!({"path": file, "file_text": text})),
        OtherAgent::OpenCode => Reply::tool("write", json!({"filePath": file, "content": text})),
        OtherAgent::Gemini => Reply::tool("write_file", json!({"file_path": file, "content": text})),
    }
}

pub(super) fn shell(agent: OtherAgent, command: &str) -> Reply {
    let input = json!({"command": command, "description": "as the model says"});
    Reply::tool(if agent == OtherAgent::Gemini { "run_shell_command" } else { "bash" }, input)
}

/// Gulf's own tool, as the agent's model calls it, where the agent takes servers for a turn.
fn progress(agent: OtherAgent) -> Option<Reply> {
    let name = match agent {
        OtherAgent::Copilot => "gulf-report_progress",
        OtherAgent::OpenCode => "gulf_report_progress",
        OtherAgent::Gemini => return None,
    };
    Some(Reply::tool(name, json!({"note": READ})))
}

/// Gemini CLI looks into `sh -c` and asks for what it finds; the others do not write over a file they have not read.
pub(super) fn mend(agent: OtherAgent, sandbox: &Sandbox) -> Reply {
    match agent {
        OtherAgent::Copilot | OtherAgent::OpenCode => shell(agent, "sh -c 'echo right > value.txt'"),
        OtherAgent::Gemini => write(agent, sandbox, "value.txt", "right\n"),
    }
}

/// The worker does all of it and tries to push; the judge tries to write.
fn script(agent: OtherAgent, sandbox: &Sandbox) -> Script {
    let works = [
        write(agent, sandbox, NOTE, &format!("{WHY}\n")),
        mend(agent, sandbox),
        shell(agent, "gulf claim done"),
        Reply::text("It is done."),
    ];
    let tries = [shell(agent, "git push origin main")];
    let worker: Vec<Reply> = tries.into_iter().chain(progress(agent)).chain(works).collect();
    let judge = [
        write(agent, sandbox, "pwned.txt", "wrong\n"),
        shell(agent, "echo wrong > pwned.txt"),
        met(NOTE, WHY),
    ];
    Script::new().conversation(TO_JUDGE, judge).conversation(&iteration(1), worker)
}

/// The model is shown the prompt, which came by stdin, and only tools that read where it judges.
fn check_calls(agent: OtherAgent, calls: &[Request]) {
    let (judge, worker): (Vec<&Request>, Vec<&Request>) =
        calls.iter().partition(|call| call.contains(TO_JUDGE));
    assert_says(&worker[0].text(), &[GOAL, "gulf claim"]);
    assert!(
        worker.len() == worker_calls(agent) && judge.len() == 3,
        "{agent:?}: {} and {}",
        worker.len(),
        judge.len()
    );
    let writing = ["bash", "create", "edit", "write", "task", "run_shell_command", "write_file", "replace"];
    for call in judge {
        let offered: Vec<&str> = writing.into_iter().filter(|tool| call.offers(tool)).collect();
        assert!(offered.is_empty(), "{agent:?} is offered {offered:?} as a judge");
    }
}

fn worker_calls(agent: OtherAgent) -> usize {
    5 + usize::from(progress(agent).is_some())
}

fn check_loop(agent: OtherAgent, basis: &str) {
    let sandbox = Sandbox::for_agents(&Sample::shell().file("RUBRIC.md", &rubric(CRITERION)));
    let server = ModelServer::start(script(agent, &sandbox));
    let Some(agents) = RealAgents::only(agent, &sandbox, &server) else { return };
    let named = agent.with_model();
    let line = ["run", GOAL, "--research", "off", "--check", RIGHT, "--agent", &named, "--allow", "sh -c"];
    let gulf = |arguments: &[&str]| {
        let gulf = sandbox.gulf(arguments.iter().copied()).variables(agents.variables());
        gulf.variable("GULF_AGENT_MCP", "true")
    };
    let run = gulf(&line).run().expect_exit(exit::VERIFIED).says("verified").does_not_say("nobody judged");
    match progress(agent) {
        Some(_) => drop(run.does_not_say("agent.mcp")),
        None => drop(run.says("gets no tools of gulf's, it has the commands")),
    }

    let kept = sandbox.only_loop();
    let proofs = json!([{"kind": "base-red", "check": "sh check.sh"}, {"kind": "criterion"}]);
    assert_eq!(kept.end().unwrap(), json!({"kind": "verified", "proofs": proofs}));
    assert_eq!(kept.turns(), [(1, 1)]);
    let (_, turn) = kept.results("turn").remove(0);
    assert_eq!(turn["tool_calls"], worker_calls(agent) - 1, "{turn:#}");
    assert_eq!(turn["denials"], json!([{"what": "git push", "times": 1}]), "{turn:#}");
    assert!(turn["session"]["id"].as_str().is_some_and(|id| !id.is_empty()), "{turn:#}");
    assert!(!sandbox.repository().join("pwned.txt").exists());

    let calls = server.model_calls();
    check_calls(agent, &calls);
    let finished = gulf(&["status", "--json"]).run().expect_exit(0);
    let status: Value = serde_json::from_str(&finished.stdout).unwrap();
    let told = if progress(agent).is_some() { READ.into() } else { Value::Null };
    assert_eq!(status["note"]["text"], told, "by a tool of gulf's own: {status:#}");
    let cost = &status["cost"];
    assert_eq!(cost["tokens"], calls.len() * 120, "worker and judge, each call once: {cost}");
    assert!(cost["microdollars"].as_u64().unwrap() > 0 && cost["basis"] == basis, "{cost}");
    sandbox.assert_nothing_left();
    agents.assert_no_other_traffic();
}

/// It ends a turn that is stopped as if it had come to its end.
#[test]
fn a_copilot_whose_model_is_silent_has_timed_out_and_not_completed() {
    let sandbox = Sandbox::for_agents(&Sample::shell());
    let agent = OtherAgent::Copilot;
    let works = [mend(agent, &sandbox), shell(agent, "gulf claim done"), Reply::text("It is done.")];
    let script = Script::new().conversation(SECOND_ATTEMPT, works);
    let server = ModelServer::start(script.conversation(&iteration(1), [Reply::hang()]));
    let Some(agents) = RealAgents::only(agent, &sandbox, &server) else { return };
    let line = ["run", GOAL, "--research", "off", "--check", RIGHT, "--agent", "copilot", "--allow", "sh -c"];
    let run = sandbox.gulf(line).variables(agents.variables()).variable("GULF_AGENT_IDLE_TIMEOUT", "8s");
    run.run().expect_exit(exit::VERIFIED).says("TIMED OUT").says("iteration 1 of 50");
    let (_, turn) = sandbox.only_loop().results("turn").remove(0);
    assert_eq!(turn["outcome"], json!({"kind": "timed-out"}), "{turn:#}");
}

// proves: B7, B6
#[test]
fn copilot_works_and_a_copilot_judges_until_it_is_verified() {
    check_loop(OtherAgent::Copilot, "priced");
}

// proves: B7, B6
#[test]
fn opencode_works_and_an_opencode_judges_until_it_is_verified() {
    check_loop(OtherAgent::OpenCode, "told");
}

// proves: B7, B6
#[test]
fn gemini_works_and_a_gemini_judges_until_it_is_verified() {
    check_loop(OtherAgent::Gemini, "priced");
}
