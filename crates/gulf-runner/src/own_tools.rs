//! The tools of `gulf mcp` as an agent's program is given them, and where it cannot be (SPEC B6).
//!
//! Not every program takes them for a turn: where it does not, or where a person says something in their place, the
//! worker has its commands.

use gulf_agents::agents::{ToolServer, ToolsBy};

use crate::agreement::{OwnTools, Tool};
use crate::environment::{Environment, WorkerVariables};
use crate::resources::Resources;

/// The agent's program starts the server with variables of its own choice: these tell it which turn it is in.
pub(crate) fn own_tools(
    resources: &Resources,
    tool: &Tool,
    turn: &WorkerVariables<'_>,
) -> Option<ToolServer> {
    match resources.agreement.agent.own_tools {
        OwnTools::None => None,
        OwnTools::Mcp if in_the_way(tool, &resources.environment).is_some() => None,
        OwnTools::Mcp => Some(ToolServer {
            name: "gulf".to_owned(),
            program: turn.programs.join("gulf").to_string(),
            arguments: vec!["mcp".to_owned()],
            environment: turn.own().into_iter().collect(),
        }),
    }
}

/// Why an agent is given no tools.
pub(crate) fn in_the_way(tool: &Tool, environment: &Environment) -> Option<String> {
    let (agent, _) = tool.known()?;
    match agent.descriptor().tools {
        ToolsBy::Arguments => None,
        ToolsBy::Variable(name) => {
            let is_set = environment.value(name).is_some_and(|value| !value.is_empty());
            is_set.then(|| format!("{name} is set already"))
        }
        ToolsBy::Nothing => Some("it takes servers from its settings files alone".to_owned()),
    }
}

#[cfg(test)]
mod tests;
