//! Loops on which a session works, and nothing of gulf's: sealed and armed for it, taken over, awake again, and what its
//! person hears of how they were left.

pub mod adopt;
pub mod conclude;
pub mod seal;

use gulf_agents::sessions::Answer;

use crate::language;

pub use seal::{go_on, wake};

/// What is said, and to whom.
#[derive(Debug)]
pub struct SessionMessage {
    pub answer: Answer,
    /// On standard error, for people and logs.
    pub talk: String,
}

impl SessionMessage {
    /// The host does what it would have done.
    pub fn nothing() -> Self {
        Self::only(Answer::Nothing)
    }

    /// The host does this, and nobody is told besides.
    pub fn only(answer: Answer) -> Self {
        Self { answer, talk: String::new() }
    }

    /// The session works on.
    pub fn go_on(brief: impl Into<String>, told: String, talk: impl Into<String>) -> Self {
        Self { answer: Answer::Continue { brief: brief.into(), told }, talk: talk.into() }
    }

    /// The session stops, and this is why.
    pub fn let_stop(told: impl Into<String>) -> Self {
        let told = language::translated(told);
        Self { talk: told.clone(), answer: Answer::LetStop { told } }
    }
}
