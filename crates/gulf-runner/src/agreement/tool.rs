//! Who works or judges, between its form in a contract and the agents whose protocols are known.
//!
//! It stands apart because the form is on disk for years, and which agents there are changes.

use gulf_agents::agents;

use super::Tool;

impl Tool {
    /// The agent whose protocol is known, with this model.
    pub fn of(agent: agents::Tool, model: Option<String>) -> Self {
        match agent {
            agents::Tool::Claude => Self::Claude { model },
            agents::Tool::Codex => Self::Codex { model },
            agents::Tool::Copilot => Self::Copilot { model },
            agents::Tool::OpenCode => Self::OpenCode { model },
            agents::Tool::Gemini => Self::Gemini { model },
        }
    }

    /// Which agent it is and the model it was given, where its protocol is known.
    pub fn known(&self) -> Option<(agents::Tool, Option<&String>)> {
        match self {
            Self::Command { .. } => None,
            Self::Claude { model } => Some((agents::Tool::Claude, model.as_ref())),
            Self::Codex { model } => Some((agents::Tool::Codex, model.as_ref())),
            Self::Copilot { model } => Some((agents::Tool::Copilot, model.as_ref())),
            Self::OpenCode { model } => Some((agents::Tool::OpenCode, model.as_ref())),
            Self::Gemini { model } => Some((agents::Tool::Gemini, model.as_ref())),
        }
    }

    /// The program that is started, where that is known; a command is the shell's.
    pub fn program(&self) -> Option<&'static str> {
        self.known().map(|(agent, _)| agent.name())
    }
}

impl std::fmt::Display for Tool {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self, self.known()) {
            (_, Some((agent, Some(model)))) => write!(formatter, "{}:{model}", agent.name()),
            (_, Some((agent, None))) => formatter.write_str(agent.name()),
            (Self::Command { command }, None) => formatter.write_str(command),
            (_, None) => Ok(()),
        }
    }
}
