//! `gulf mcp` as agents' programs speak with it: lines of JSON on its standard streams.

use gulf_testkit::{FakeAgent, Sample, Sandbox, Step};
use serde_json::{Value, json};

use crate::{document, gulf};

const RIGHT: &str = "grep -qx right value.txt";

/// The beginning of every conversation.
fn greeting() -> Vec<Value> {
    let client = json!({ "name": "a client", "version": "1" });
    let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
    vec![
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
    ]
}

fn call(id: u32, tool: &str, arguments: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

fn ping(id: u32) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "ping" })
}

fn lines(messages: &[Value]) -> String {
    greeting().iter().chain(messages).map(|message| format!("{message}\n")).collect()
}

/// The answer to one request.
#[track_caller]
fn answer(stdout: &str, id: u32) -> Value {
    let mut answers = stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    answers.find(|answer| answer["id"] == id).unwrap_or_else(|| panic!("no answer to {id}: {stdout}"))
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_default()
}

/// An agent's turn in which its program starts the server and sends these.
fn speaks(messages: &[Value]) -> Step {
    Step::run(&format!("gulf mcp <<'END'\n{}END", lines(messages)))
}

// proves: B6, B15
#[test]
fn the_server_says_who_it_is_and_lists_its_tools() {
    let sandbox = Sandbox::with(&Sample::shell());
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let said = gulf(&sandbox, ["mcp"]).stdin(lines(&[list])).run().expect_exit(0).stdout;
    let greeted = &answer(&said, 0)["result"];
    assert_eq!(greeted["serverInfo"]["name"], "gulf");
    assert_eq!(greeted["protocolVersion"], "2025-06-18", "the client's, where it is known");
    let listed = format!("{:#}\n", answer(&said, 1)["result"]["tools"]);
    assert_eq!(listed, include_str!("mcp/tools.json"), "tests/housekeeping/mcp/tools.json, the golden file");
}

#[test]
fn outside_of_a_turn_every_tool_says_so_and_the_server_goes_on() {
    let sandbox = Sandbox::with(&Sample::shell());
    let calls = [
        call(1, "claim", &json!({ "kind": "done" })),
        call(2, "ask", &json!({ "kind": "unclear", "question": "which?" })),
        call(3, "report_progress", &json!({ "note": "half" })),
        call(4, "get_feedback", &json!({})),
        call(5, "status", &json!({})),
        ping(6),
    ];
    let said = gulf(&sandbox, ["mcp"]).stdin(lines(&calls)).run().expect_exit(0).stdout;
    for id in 1..=5 {
        let answer = answer(&said, id);
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert!(text(&answer).starts_with("error: this is no worker's turn"), "{answer}");
        assert!(answer["result"]["structuredContent"]["hint"].is_string(), "{answer}");
    }
    assert_eq!(answer(&said, 6)["result"], json!({}));
}

#[test]
fn what_is_no_message_is_passed_over_and_what_is_too_long_is_not_read() {
    let sandbox = Sandbox::with(&Sample::shell());
    let huge = call(1, "ask", &json!({ "kind": "unclear", "question": "x".repeat(2 << 20) }));
    let calls =
        [huge, call(2, "delete_everything", &json!({})), call(3, "ask", &json!({ "kind": 3 })), ping(4)];
    let input = lines(&calls).replace("{\"id\":4,", "this is not JSON\n{\"id\":4,");
    let said = gulf(&sandbox, ["mcp"]).stdin(input).run().expect_exit(0).stdout;
    assert!(!said.contains("xxx"));
    let unknown = answer(&said, 2);
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert!(
        unknown["error"]["message"].as_str().unwrap().contains("claim, ask, report_progress"),
        "{unknown}"
    );
    assert_eq!(answer(&said, 3)["result"]["isError"], true);
    assert_eq!(answer(&said, 4)["result"], json!({}));
    let unread = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "claim", "arguments": "done" } });
    let said = gulf(&sandbox, ["mcp"]).stdin(lines(&[unread])).run().expect_exit(0).stdout;
    assert_eq!(answer(&said, 1)["error"]["code"], -32602, "a call of another form: {said}");
    let first = format!(
        "{}\n",
        json!({ "jsonrpc": "2.0", "method": "notifications/strange", "params": { "token": "sk-1" } })
    );
    let refused = gulf(&sandbox, ["mcp"]).stdin(first).run().expect_exit(2);
    refused.says("did not begin with a request to `initialize`").does_not_say("sk-1");
    for input in ["", "no JSON\n", "{\"jsonrpc\":\"2.0\"", "\n\n"] {
        gulf(&sandbox, ["mcp"]).stdin(input).run().expect_exit(0);
    }
}

// proves: B6, B15
#[test]
fn a_worker_that_speaks_only_by_tools_is_told_what_to_fix_and_ends_verified() {
    let sandbox = Sandbox::with(&Sample::shell());
    let done = call(9, "claim", &json!({ "kind": "done" }));
    let first = [call(1, "get_feedback", &json!({})), done.clone()];
    let note = "\u{1b}[2J반쯤 됐다\nthe value is next";
    let second = [
        call(1, "get_feedback", &json!({})),
        call(2, "report_progress", &json!({ "note": note })),
        call(3, "status", &json!({})),
        done,
    ];
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::write("value.txt", "almost\n"), speaks(&first)])
        .turn(2, [speaks(&second), Step::run("gulf status"), Step::write("value.txt", "right\n")]);
    let flag = agent.flag();
    let run = gulf(&sandbox, ["run", "make it right", "--research", "off", "--check", RIGHT]);
    let run = run.arguments(["--agent", flag.as_str()]).variable("MY_API_KEY", "sk-very-secret");
    run.run().expect_exit(0).says("verified");
    let commands = agent.tally().commands();
    let (_, exit, said) = &commands[0];
    assert_eq!(*exit, Some(0), "{said}");
    assert!(text(&answer(said, 1)).contains("nothing to fix"), "{said}");
    assert!(text(&answer(said, 9)).starts_with("claimed: the gates are asked"), "{said}");
    let (_, _, said) = &commands[1];
    assert!(text(&answer(said, 1)).contains(&format!("Check `{RIGHT}` failed with exit code 1")), "{said}");
    let status = &answer(said, 3)["result"]["structuredContent"];
    assert_eq!((&status["iteration"], &status["goal"]), (&json!(2), &json!("make it right")), "{status:#}");
    assert!(!said.contains("sk-very-secret"), "no variable of the person's is handed on");
    assert!(commands[2].2.contains("the worker notes: "), "{}", commands[2].2);
    assert!(!commands[2].2.contains('\u{1b}'), "a note is shown, and never obeyed");
    let status = document(&gulf(&sandbox, ["status", "--json"]).run().expect_exit(0).stdout);
    assert_eq!((&status["note"]["iteration"], &status["note"]["text"]), (&json!(2), &json!(note)));
    assert_eq!(sandbox.only_loop().facts_of("claimed").len(), 2);
    sandbox.assert_nothing_left();
    // What is left of a worker is not told that anybody asks the gates.
    let late = gulf(&sandbox, ["claim", "done"]).variable("GULF_LOOP", sandbox.only_loop().id());
    late.run().expect_exit(2).says("the loop has ended");
}

// proves: A5, B5
#[test]
fn what_is_asked_by_a_tool_is_the_question_that_the_command_asks() {
    let sandbox = Sandbox::with(&Sample::shell());
    let asks = json!({ "kind": "architecture", "question": "may polling replace the queue?", "options": ["yes", "no"] });
    let agent = FakeAgent::new(&sandbox)
        .turn(
            1,
            [
                speaks(&[call(1, "ask", &asks), call(2, "ask", &asks)]),
                Step::run(
                    "gulf ask --kind architecture 'may polling replace the queue?' --option yes --option no",
                ),
            ],
        )
        .otherwise([Step::write("value.txt", "right\n"), Step::claim()]);
    let flag = agent.flag();
    let run = gulf(&sandbox, ["run", "make it right", "--research", "off", "--check", RIGHT]);
    run.arguments(["--agent", flag.as_str()])
        .run()
        .expect_exit(10)
        .says("asks before a change of the architecture");
    let inbox = document(&gulf(&sandbox, ["inbox", "--json"]).run().expect_exit(0).stdout);
    assert_eq!(inbox["questions"].as_array().unwrap().len(), 1, "{inbox:#}");
    assert_eq!(inbox["questions"][0]["question"]["kind"], "architecture");
    gulf(&sandbox, ["answer", "b"]).run().expect_exit(0).says("answered question 1: no");
    gulf(&sandbox, ["resume"]).run().expect_exit(0);
}
