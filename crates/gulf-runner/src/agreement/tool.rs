//! Who works or judges, and what it is called.

#[cfg(test)]
mod tests;

use gulf_agents::agents;

use super::Tool;

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
