//! Whom gulf's tools can be given.

use gulf_agents::agents;

use super::in_the_way;
use crate::agreement::Tool;
use crate::environment::Environment;

fn of(variables: &[(&str, &str)]) -> Environment {
    let owned = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Environment::from_variables(owned)
}

// proves: B6
#[test]
fn what_a_person_set_where_tools_would_be_named_comes_first() {
    let taken = of(&[("OPENCODE_CONFIG_CONTENT", "{}")]);
    let opencode = Tool::for_agent(agents::Tool::OpenCode, None);
    assert_eq!(in_the_way(&opencode, &taken).as_deref(), Some("OPENCODE_CONFIG_CONTENT is set already"));
    assert_eq!(in_the_way(&opencode, &of(&[("OPENCODE_CONFIG_CONTENT", "")])), None);
    for by_flag in [
        Tool::for_agent(agents::Tool::Claude, None),
        Tool::for_agent(agents::Tool::Codex, None),
        Tool::for_agent(agents::Tool::Copilot, None),
    ] {
        assert_eq!(in_the_way(&by_flag, &taken), None);
    }
    let gemini = in_the_way(&Tool::for_agent(agents::Tool::Gemini, None), &of(&[]));
    assert!(gemini.is_some_and(|why| why.contains("settings files alone")));
}
