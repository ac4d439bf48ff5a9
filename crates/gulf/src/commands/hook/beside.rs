//! What a person is told beside a prompt that is none of gulf's commands; the prompt goes on as it is.
//!
//! It stands apart because nothing is begun or changed by it.

use gulf_agents::sessions::Answer;

use super::Call;
use crate::hints;
use crate::in_session::Said;

/// Not a command, and no loop is here: a preset may be what the person means. The prompt goes on as it is.
pub(super) fn offered(call: &Call, text: &str) -> Said {
    let told = match hints::of_command(text) {
        Some(told) => told,
        None => hints::in_session(&call.place.project, text),
    };
    if told.is_empty() || is_hosts(text) {
        return Said::nothing();
    }
    Said { answer: Answer::Tell { told }, talk: String::new() }
}

/// While a loop is under way, what is typed is as little a command of gulf's, and the person hears so beside the brief.
pub(super) fn beside(said: Said, text: &str) -> Said {
    let Some(foreign) = hints::of_command(text) else { return said };
    let answer = match said.answer {
        Answer::Nothing => Answer::Tell { told: foreign },
        Answer::AddToPrompt { context, told } => {
            let told = told.map_or(foreign.clone(), |told| format!("{told}\n{foreign}"));
            Answer::AddToPrompt { context, told: Some(told) }
        }
        other @ (Answer::Continue { .. } | Answer::LetStop { .. } | Answer::RefusePrompt { .. }) => other,
        other @ (Answer::Tell { .. } | Answer::DenyTool { .. }) => other,
    };
    Said { answer, ..said }
}

/// What a host says by itself is no person's word.
pub(super) fn is_hosts(text: &str) -> bool {
    text.trim_start().starts_with("<task-notification>")
}
