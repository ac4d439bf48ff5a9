//! The worker's word, and what it asks a person.

use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// The worker's word: a request for evaluation, nothing more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Claim {
    /// The goal is reached.
    Done {
        /// Why no test can show it, if the worker says so.
        no_test: Option<String>,
    },
    /// It cannot be reached (SPEC B5).
    Cannot(Question),
    /// What is asked for contradicts itself.
    Conflict(Question),
    /// A person must choose.
    NeedDecision(Question),
    /// Something else has to be done first: a task of its own (SPEC K5).
    Blocked {
        /// In one line.
        task: String,
    },
}

impl Claim {
    /// Does it count where it comes with a turn's last message, beside what was claimed before?
    pub fn adds_to(&self, earlier: Option<&Claim>) -> bool {
        match (self, earlier) {
            // What was claimed by the tool was said on purpose; a promise adds nothing to it. Whether there is a list, and
            // how often a task was put back, is asked where a claim is admitted.
            (Self::Done { no_test: None }, Some(_)) | (Self::Blocked { .. }, _) => false,
            // Who asked by the tool, and says at the end that it is stuck, asks once.
            (_, said) => self.question().is_none() || said.and_then(Claim::question).is_none(),
        }
    }

    /// What a person is asked by it, if it is no claim to be done.
    pub fn question(&self) -> Option<&Question> {
        match self {
            Self::Done { .. } | Self::Blocked { .. } => None,
            Self::Cannot(question) | Self::Conflict(question) | Self::NeedDecision(question) => {
                Some(question)
            }
        }
    }

    /// The word by which it is claimed.
    pub fn word(&self) -> &'static str {
        self.into()
    }
}

/// What the worker asks a person: never a claim to be done, and never held against it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Question {
    pub text: String,
    /// What it saw that makes it ask.
    pub evidence: Option<String>,
    /// Answers to choose from; another one is allowed.
    pub options: Vec<String>,
    /// Why it is not the worker's to decide, where `gulf ask` says so (SPEC A5).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concern: Option<Concern>,
}

/// What a worker does not decide by itself (SPEC A5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Concern {
    /// Something would be lost that cannot be brought back: a person approves of it first.
    Destructive,
    /// How the whole is built would change: a person approves of it first.
    Architecture,
    /// What is safe enough is the person's to say.
    Security,
    /// What is asked for can be understood in more than one way.
    Unclear,
}
