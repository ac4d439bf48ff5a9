//! The lines for each turn; they were tried on the tools, so a change here is to be tried there, too.

use gulf_agents::agents::{
    AgentRole, Confinement, Invocation, Schema, Tool, ToolServer, ToolsBy, TurnRequest, TurnSession,
    invocation,
};

use crate::golden;

const PROMPT: &str = "Do the work; \"quoted\" $HOME\n-p\n";

fn request(purpose: AgentRole) -> TurnRequest {
    TurnRequest {
        prompt: PROMPT.into(),
        purpose,
        folder: "/home/dev/the \"project\"".into(),
        folders: vec!["/home/dev/state".into()],
        model: Some("a-model".into()),
        cost_microdollars_max: Some(1_250_000),
        extra: vec!["--one".into(), "two".into()],
        beside: "/home/dev/state/agent".into(),
    }
}

fn worker(session: TurnSession, allow: &[&str], confinement: Confinement) -> TurnRequest {
    let allow = allow.iter().map(|command| (*command).to_owned()).collect();
    let readable = vec!["/home/dev/kept".into()];
    request(AgentRole::Worker { session, allow, readable, confinement, tools: None })
}

fn fresh() -> TurnSession {
    TurnSession::Fresh { id: "0e5d3c5e-0000-4000-8000-000000000001".into() }
}

fn shown(invocation: &Invocation) -> String {
    let line = |(name, value): &(String, String)| format!("{name}={value}\n");
    let environment: Vec<String> = invocation.environment.iter().map(line).collect();
    let file = |(path, text): &(String, String)| format!("\n{path}:\n{text}");
    let files: Vec<String> = invocation.files.iter().map(file).collect();
    let arguments = invocation.arguments.join("\n");
    format!("{}{}\n{arguments}\n{}", environment.concat(), invocation.program, files.concat())
}

#[test]
fn each_turn_has_its_line() {
    let continued = TurnSession::Continue { id: "0e5d3c5e-0000-4000-8000-000000000001".into() };
    let schema = Schema { text: r#"{"type":"object"}"#.into(), file: "/home/dev/state/schema.json".into() };
    for tool in Tool::ALL {
        let name = tool.name();
        let by_tool = worker(fresh(), &["cargo test", "npm run lint && npm test"], Confinement::ByTool);
        let around = worker(continued.clone(), &[], Confinement::AroundProcess);
        let judge = request(AgentRole::Judge { schema: Some(schema.clone()) });
        golden!(format!("line_{name}_worker"), shown(&invocation(tool, &by_tool)));
        golden!(format!("line_{name}_worker_continued_in_sandbox"), shown(&invocation(tool, &around)));
        golden!(format!("line_{name}_judge"), shown(&invocation(tool, &judge)));
    }
}

// proves: B6
#[test]
fn a_worker_is_given_tools_with_their_variables_and_may_use_them() {
    for tool in Tool::ALL.into_iter().filter(|tool| tool.descriptor().tools != ToolsBy::Nothing) {
        let name = tool.name();
        let mut request = worker(fresh(), &[], Confinement::ByTool);
        let AgentRole::Worker { tools, .. } = &mut request.purpose else { unreachable!("it is a worker") };
        *tools = Some(ToolServer {
            name: "gulf".into(),
            program: "/home/dev/a \"b\" 폴더/bin/gulf".into(),
            arguments: vec!["mcp".into()],
            environment: [("GULF_LOOP".into(), "x".into()), ("GULF_ATTEMPT".into(), "1".into())].into(),
        });
        golden!(format!("line_{name}_worker_with_tools"), shown(&invocation(tool, &request)));
    }
}

#[test]
fn the_prompt_goes_in_by_stdin_and_never_by_an_argument() {
    for tool in Tool::ALL {
        for request in [worker(fresh(), &[], Confinement::ByTool), request(AgentRole::Judge { schema: None })]
        {
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
        let mut request = request(AgentRole::Judge { schema: None });
        request.cost_microdollars_max = Some(microdollars);
        let line = invocation(Tool::Claude, &request);
        let after = line.arguments.iter().skip_while(|argument| *argument != "--max-budget-usd").nth(1);
        assert_eq!(after.map(String::as_str), Some(dollars));
    }
}

#[test]
fn gemini_reads_no_file_that_a_prompt_names_and_obeys_no_command_in_it() {
    let line = |prompt: &str| {
        let request = TurnRequest { prompt: prompt.into(), ..request(AgentRole::Judge { schema: None }) };
        invocation(Tool::Gemini, &request).stdin
    };
    assert_eq!(line("no sign of it"), "no sign of it");
    let literal = line("@notes.md a@b.c \\@x");
    assert!(literal.ends_with("\\@notes.md a\\@b.c \\\\@x"), "{literal}");
    assert!(!line("/quit").starts_with('/'));
}

#[test]
fn the_rules_of_gemini_are_toml_whatever_a_command_holds() {
    let odd = ["echo 'a\nb'", "sh -c \"x\"", "a\u{7f}b", "run \\ now"];
    let line = invocation(Tool::Gemini, &worker(fresh(), &odd, Confinement::ByTool));
    let [(path, rules)] = line.files.as_slice() else { panic!("{line:?}") };
    assert_eq!(path, "/home/dev/state/agent-rules.toml");
    let rules = toml::from_str::<toml::Value>(rules).expect("it is TOML");
    assert_eq!(rules["rule"].as_array().map(Vec::len), Some(5));
}

#[test]
fn opencode_denies_a_push_after_everything_that_is_allowed() {
    let line =
        invocation(Tool::OpenCode, &worker(fresh(), &["git", "git push", "zsh x"], Confinement::ByTool));
    let permission = line.environment.iter().find(|(name, _)| name == "OPENCODE_PERMISSION").expect("told");
    let permission: serde_json::Value = serde_json::from_str(&permission.1).expect("it is JSON");
    let shell = permission["bash"].as_object().expect("rules");
    assert_eq!(shell["git push"], "deny");
    let rules: Vec<&String> = shell.keys().collect();
    let place = |rule: &str| rules.iter().position(|one| *one == rule);
    assert!(place("*") == Some(0) && place("git *") < place("git push *"), "{rules:?}");
}

/// Of the tool's own, by which it rejects what may take for ever: a bracket with a repetition in it that is repeated.
fn is_safe(pattern: &str) -> bool {
    let bytes = pattern.as_bytes();
    let repeats = |byte: &u8| b"*+?{".contains(byte);
    !bytes.iter().enumerate().any(|(at, byte)| {
        let closes = *byte == b')' && bytes.get(at + 1).is_some_and(repeats);
        closes
            && bytes[..at]
                .iter()
                .position(|byte| *byte == b'(')
                .is_some_and(|open| bytes[open..at].iter().any(repeats))
    })
}

#[test]
fn gemini_is_given_no_rule_that_it_rejects() {
    assert!(!is_safe(r"git (-[^;&|]* )?push\b"), "it reached a remote by this one");
    let line = invocation(Tool::Gemini, &worker(fresh(), &["git"], Confinement::ByTool));
    let [(_, rules)] = &line.files[..] else { panic!("{line:?}") };
    let patterns: Vec<&str> =
        rules.lines().filter_map(|line| line.split_once("Regex = ")).map(|(_, it)| it).collect();
    assert_eq!(patterns.len(), 2, "{rules}");
    assert!(patterns.iter().all(|pattern| is_safe(pattern)), "{patterns:?}");
}
