//! How an agent and a judge are named, and what is said of a name that nobody has.

use super::*;

#[test]
fn the_agent_may_be_said_in_one_line() {
    let config = read("agent = \"command:true\"\n");
    assert_eq!(config.agent, Some(AgentTool::Command("true".to_owned())));
    assert_eq!(config.origin(Key::AgentTool).unwrap().to_string(), "gulf.toml:1:9");
}

#[test]
fn an_agent_and_a_judge_are_named_with_their_model() {
    let named = |name, model: &str| AgentTool::Named { name, model: Some(model.to_owned()) };
    let claude = |model: &str| named("claude", model);
    let config = read("agent = \"codex\"\njudge = \"claude:opus\"\n");
    assert_eq!(config.agent, Some(AgentTool::Named { name: "codex", model: None }));
    assert_eq!(config.judge, Some(claude("opus")));
    let config = read("agent = \"opencode:anthropic/claude-opus-5\"\njudge = \"gemini:gemini-2.5-pro\"\n");
    assert_eq!(config.agent, Some(named("opencode", "anthropic/claude-opus-5")));
    assert_eq!(config.judge, Some(named("gemini", "gemini-2.5-pro")));
    assert_eq!(read("agent = \"copilot\"\n").agent, Some(AgentTool::Named { name: "copilot", model: None }));
    let config = read("[judge]\ntool = \"command:./judge --strict: yes\"\n");
    assert_eq!(config.judge, Some(AgentTool::Command("./judge --strict: yes".to_owned())));
    for wrong in ["claude:", "opus", "command:", "command: ", "codex :"] {
        let layers =
            SettingLayers { flags: vec![(Key::JudgeTool, wrong.to_owned())], ..SettingLayers::default() };
        assert!(load(&layers).is_err(), "{wrong}");
    }
}

#[test]
fn an_agent_that_is_a_script_or_nearly_a_name_is_told_what_was_meant() {
    let hint = |value: &str| page(&format!("agent = \"{value}\"\n"));
    assert!(hint("./my.sh").contains("did you mean `command:./my.sh`?"), "{}", hint("./my.sh"));
    assert!(hint("cluade").contains("did you mean `claude`?"), "{}", hint("cluade"));
}
