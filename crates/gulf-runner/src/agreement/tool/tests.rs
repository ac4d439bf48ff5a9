//! The form of an agent on disk, and that both lists of agents are one.

use gulf_agents::agents;
use gulf_spec::config::AGENTS;

use crate::agreement::Tool;

#[test]
fn a_contract_keeps_the_form_that_it_has_had() {
    let model = |model: &str| Some(model.to_owned());
    for (tool, form) in [
        (Tool::for_agent(agents::Tool::Claude, None), r#"{"kind":"claude","model":null}"#),
        (Tool::for_agent(agents::Tool::OpenCode, model("a/b")), r#"{"kind":"opencode","model":"a/b"}"#),
        (Tool::Command { command: "./a b".to_owned() }, r#"{"kind":"command","command":"./a b"}"#),
    ] {
        assert_eq!(serde_json::to_string(&tool).unwrap(), form);
        assert_eq!(serde_json::from_str::<Tool>(form).unwrap(), tool);
    }
    assert_eq!(
        serde_json::from_str::<Tool>(r#"{"kind":"codex"}"#).unwrap(),
        Tool::for_agent(agents::Tool::Codex, None)
    );
    for wrong in [
        r#"{"kind":"somebody","model":null}"#,
        r#"{"kind":"claude","command":"./a"}"#,
        r#"{"kind":"command","model":null}"#,
        r#"{"kind":"command"}"#,
        r#"{"kind":"claude","model":null,"more":1}"#,
        r#"{"model":null}"#,
    ] {
        serde_json::from_str::<Tool>(wrong).expect_err(wrong);
    }
}

#[test]
fn the_agents_that_can_be_named_are_those_whose_protocol_is_known() {
    assert_eq!(AGENTS, agents::Tool::ALL.map(agents::Tool::name));
}
