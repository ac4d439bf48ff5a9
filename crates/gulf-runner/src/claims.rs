//! What other processes ask of a loop: their file's form, and who they are taken to be.

use camino::Utf8Path;
use gulf_engine::{Act, Author, Claim, Request, Told};
use gulf_host::ancestry::agent_above;
use gulf_host::home::Requests;
use gulf_host::journal::Durability;
use serde::{Deserialize, Serialize};

use crate::FORMAT_VERSION;
use crate::error::RunError;
use crate::records;

/// Where a session's worker leaves its claims, relative to the project.
pub const CLAIMS: &str = ".gulf/claims";

/// A request as it lies in the dropbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestFile {
    pub v: u32,
    pub author: Caller,
    pub act: Asked,
}

/// Who left it, as far as can be told from the process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Caller {
    Person,
    Worker { iteration: u32, attempt: u32 },
}

/// What it asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Asked {
    Pause,
    Cancel,
    #[strum(serialize = "end, another worker being first")]
    Outrun,
    Resume,
    Steer {
        note: String,
    },
    Claim {
        claim: Claim,
    },
    Answer {
        question: Option<u32>,
        answer: String,
    },
    Approve {
        reason: String,
    },
    Reject {
        reason: String,
    },
    Land {
        by: String,
        base: String,
        push: Option<String>,
    },
    Discard {
        by: String,
    },
    #[strum(serialize = "record feedback")]
    Tell {
        told: Told,
    },
    Skip,
}

impl Caller {
    /// Whoever descends from an agent's process, or carries its environment, is a worker (DESIGN invariant 8).
    pub fn of_this_process() -> Self {
        if agent_above().is_none() {
            return Self::Person;
        }
        let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(0);
        Self::Worker { iteration: number("GULF_ITERATION"), attempt: number("GULF_ATTEMPT") }
    }

    fn author(&self) -> Author {
        match self {
            Self::Person => Author::Person,
            Self::Worker { iteration, .. } => Author::Worker { iteration: *iteration },
        }
    }
}

impl Asked {
    /// In one word, for refusals.
    pub fn word(&self) -> &'static str {
        self.into()
    }

    /// Codex kills what still runs when its turn is over, and a busy disk takes seconds: a claim is there at once. A power
    /// cut that loses it interrupts the turn that it belongs to as well.
    fn durability(&self) -> Durability {
        match self {
            Self::Claim { .. } => Durability::Buffered,
            Self::Pause | Self::Cancel | Self::Outrun | Self::Resume | Self::Steer { .. } => {
                Durability::Synced
            }
            Self::Answer { .. } | Self::Approve { .. } | Self::Reject { .. } => Durability::Synced,
            Self::Land { .. } | Self::Discard { .. } | Self::Tell { .. } | Self::Skip => Durability::Synced,
        }
    }

    fn act(&self) -> Act {
        match self {
            Self::Pause => Act::Pause,
            Self::Cancel => Act::Cancel,
            Self::Outrun => Act::Outrun,
            Self::Resume => Act::Resume,
            Self::Tell { told } => Act::Tell(told.clone()),
            Self::Steer { note } => Act::Steer(note.clone()),
            Self::Claim { claim } => Act::Claim(claim.clone()),
            Self::Answer { question, answer } => Act::Answer { question: *question, answer: answer.clone() },
            Self::Approve { reason } => Act::Approve { reason: reason.clone() },
            Self::Reject { reason } => Act::Reject { reason: reason.clone() },
            Self::Skip => Act::Skip,
            Self::Discard { by } => Act::Discard { by: by.clone() },
            Self::Land { by, base, push } => {
                Act::Land { by: by.clone(), base: base.clone(), push: push.clone() }
            }
        }
    }
}

impl RequestFile {
    /// A request by this process.
    pub fn by_this_process(act: Asked) -> Self {
        Self { v: FORMAT_VERSION, author: Caller::of_this_process(), act }
    }

    /// Makes a worker's of it, whoever it names; what is no request stays what it is.
    pub(crate) fn by_worker(bytes: &mut Vec<u8>) {
        let Ok(file) = serde_json::from_slice::<Self>(bytes) else { return };
        if file.author == Caller::Person {
            let author = Caller::Worker { iteration: 0, attempt: 0 };
            *bytes = serde_json::to_vec(&Self { author, ..file }).unwrap_or_default();
        }
    }

    /// For the engine to admit or refuse.
    pub fn request(&self) -> Request {
        Request { author: self.author.author(), act: self.act.act() }
    }

    /// Puts it where the driver finds it.
    pub fn leave(&self, requests: &Requests, wall_ms: u64) -> Result<String, RunError> {
        Ok(requests.leave(wall_ms, &records::encode("a request", self)?, self.act.durability())?)
    }

    /// Reads one; what is wrong with it is said to whoever drives.
    pub fn read(bytes: &[u8], name: &str) -> Result<Self, RunError> {
        serde_json::from_slice(bytes).map_err(|source| RunError::Decode {
            path: Utf8Path::new("requests").join(name),
            what: "a request",
            source,
        })
    }
}
