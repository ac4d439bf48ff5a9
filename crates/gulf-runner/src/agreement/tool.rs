//! Who works or judges: its form in a contract, which is on disk for years, and what it is called.

#[cfg(test)]
mod tests;

use gulf_agents::agents;
use serde::{Deserialize, Serialize};

use super::Tool;

/// `{"kind":"command","command":"…"}`, or an agent by its name: `{"kind":"claude","model":null}`.
#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(super) enum Form {
    Command { kind: String, command: String },
    Agent { kind: String, model: Option<String> },
}

const COMMAND: &str = "command";

impl From<Tool> for Form {
    fn from(tool: Tool) -> Self {
        match tool {
            Tool::Command { command } => Self::Command { kind: COMMAND.to_owned(), command },
            Tool::Agent { agent, model } => Self::Agent { kind: agent.name().to_owned(), model },
        }
    }
}

impl TryFrom<Form> for Tool {
    type Error = String;

    fn try_from(form: Form) -> Result<Self, String> {
        match form {
            Form::Command { kind, command } if kind == COMMAND => Ok(Self::Command { command }),
            Form::Command { kind, .. } => Err(format!("`{kind}` takes no command")),
            Form::Agent { kind, model } => match agents::Tool::from_name(&kind) {
                Some(agent) => Ok(Self::Agent { agent, model }),
                None => Err(format!("no agent is called `{kind}`")),
            },
        }
    }
}

impl Tool {
    /// The agent whose protocol is known, with this model.
    pub fn for_agent(agent: agents::Tool, model: Option<String>) -> Self {
        Self::Agent { agent, model }
    }

    /// Which agent it is and the model it was given, where its protocol is known.
    pub fn known(&self) -> Option<(agents::Tool, Option<&String>)> {
        match self {
            Self::Command { .. } => None,
            Self::Agent { agent, model } => Some((*agent, model.as_ref())),
        }
    }

    /// What is known of it.
    pub fn descriptor(&self) -> Option<&'static agents::Descriptor> {
        self.known().map(|(agent, _)| agent.descriptor())
    }

    /// The program that is started, where that is known; a command is the shell's.
    pub fn program(&self) -> Option<&'static str> {
        self.known().map(|(agent, _)| agent.name())
    }
}

impl std::fmt::Display for Tool {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Agent { agent, model: Some(model) } => write!(formatter, "{}:{model}", agent.name()),
            Self::Agent { agent, model: None } => formatter.write_str(agent.name()),
            Self::Command { command } => formatter.write_str(command),
        }
    }
}
