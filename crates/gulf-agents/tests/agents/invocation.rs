//! The lines for each turn; they were tried on the tools, so a change here is to be tried there, too.

use gulf_agents::agents::{
    Confinement, Invocation, Purpose, Schema, Session, Tool, ToolServer, TurnRequest, invocation,
};

use crate::golden;

const PROMPT: &str = "Do the work; \"quoted\" $HOME\n-p\n";

fn request(purpose: Purpose) -> TurnRequest {
    TurnRequest {
        prompt: PROMPT.into(),
        purpose,
        folder: "/home/dev/the \"project\"".into(),
        folders: vec!["/home/dev/state".into()],
        model: Some("a-model".into()),
        cost_microdollars_max: Some(1_250_000),
        extra: vec!["--one".into(), "two".into()],
    }
}

fn worker(session: Session, allow: &[&str], confinement: Confinement) -> TurnRequest {
    let allow = allow.iter().map(|command| (*command).to_owned()).collect();
    let readable = vec!["/home/dev/kept".into()];
    request(Purpose::Worker { session, allow, readable, confinement, tools: None })
}

fn fresh() -> Session {
    Session::Fresh { id: "0e5d3c5e-0000-4000-8000-000000000001".into() }
}

fn shown(invocation: &Invocation) -> String {
    let line = |(name, value): &(String, String)| format!("{name}={value}\n");
    let environment: Vec<String> = invocation.environment.iter().map(line).collect();
    format!("{}{}\n{}\n", environment.concat(), invocation.program, invocation.arguments.join("\n"))
}

#[test]
fn each_turn_has_its_line() {
    let continued = Session::Continue { id: "0e5d3c5e-0000-4000-8000-000000000001".into() };
    let schema = Schema { text: r#"{"type":"object"}"#.into(), file: "/home/dev/state/schema.json".into() };
    for (name, tool) in [("claude", Tool::Claude), ("codex", Tool::Codex)] {
        let by_tool = worker(fresh(), &["cargo test", "npm run lint && npm test"], Confinement::ByTool);
        let around = worker(continued.clone(), &[], Confinement::AroundProcess);
        let judge = request(Purpose::Judge { schema: Some(schema.clone()) });
        golden!(format!("line_{name}_worker"), shown(&invocation(tool, &by_tool)));
        golden!(format!("line_{name}_worker_continued_in_sandbox"), shown(&invocation(tool, &around)));
        golden!(format!("line_{name}_judge"), shown(&invocation(tool, &judge)));
    }
}

// proves: B6
#[test]
fn a_worker_is_given_tools_with_their_variables_and_may_use_them() {
    for (name, tool) in [("claude", Tool::Claude), ("codex", Tool::Codex)] {
        let mut request = worker(fresh(), &[], Confinement::ByTool);
        let Purpose::Worker { tools, .. } = &mut request.purpose else { unreachable!("it is a worker") };
        *tools = Some(ToolServer {
            name: "gulf".into(),
            program: "/home/dev/a \"b\" 폴더/bin/gulf".into(),
            arguments: vec!["mcp".into()],
            environment: vec![("GULF_LOOP".into(), "x".into()), ("GULF_ATTEMPT".into(), "1".into())],
        });
        golden!(format!("line_{name}_worker_with_tools"), shown(&invocation(tool, &request)));
    }
}

#[test]
fn the_prompt_goes_in_by_stdin_and_never_by_an_argument() {
    for tool in [Tool::Claude, Tool::Codex] {
        for request in [worker(fresh(), &[], Confinement::ByTool), request(Purpose::Judge { schema: None })] {
            let line = invocation(tool, &request);
            assert_eq!(line.stdin, PROMPT);
            assert!(line.arguments.iter().all(|argument| !argument.contains("Do the work")));
            assert!(line.environment.iter().all(|(_, value)| !value.contains("Do the work")));
        }
    }
}

fn patterns(allow: &[&str]) -> Vec<String> {
    let line = invocation(Tool::Claude, &worker(fresh(), allow, Confinement::ByTool));
    let after = line.arguments.iter().skip_while(|argument| *argument != "--allowedTools").skip(1);
    after.take_while(|argument| !argument.starts_with("--")).cloned().collect()
}

#[test]
fn a_check_of_several_commands_allows_each_of_them() {
    let patterns = patterns(&["npm run lint && npm test | tee log", "sh -c 'a && b'"]);
    for wanted in ["Bash(npm run lint)", "Bash(npm test *)", "Bash(tee log)", "Bash(sh -c 'a && b')"] {
        assert!(patterns.iter().any(|pattern| pattern == wanted), "{wanted}");
    }
}

#[test]
fn a_command_can_allow_no_more_than_commands() {
    let odd = ["x) Bash(*", "(cd a", "", " ; ", "a)\nBash(b"];
    let with_odd = patterns(&odd);
    let commands = with_odd.iter().filter(|pattern| !pattern.starts_with("Read(//home/dev/kept/"));
    assert!(commands.clone().all(|pattern| pattern.starts_with("Bash(") && pattern.ends_with(')')));
    assert_eq!(with_odd, patterns(&[]));
    assert!(with_odd.iter().all(|pattern| !pattern.contains("push")));
}

#[test]
fn money_is_told_in_dollars_and_is_never_nothing() {
    for (microdollars, dollars) in [(0, "0.000001"), (1, "0.000001"), (1_250_000, "1.250000")] {
        let mut request = request(Purpose::Judge { schema: None });
        request.cost_microdollars_max = Some(microdollars);
        let line = invocation(Tool::Claude, &request);
        let after = line.arguments.iter().skip_while(|argument| *argument != "--max-budget-usd").nth(1);
        assert_eq!(after.map(String::as_str), Some(dollars));
    }
}
