//! What other processes ask of a loop: their file's form, and who they are taken to be.

use camino::Utf8Path;
use gulf_engine::{Act, Author, Request};
use gulf_host::ancestry::agent_above;
use gulf_host::home::Requests;
use gulf_host::journal::Durability;
use serde::{Deserialize, Serialize};

use crate::error::RunError;
use crate::{FORMAT_VERSION, records};

/// Where a session's worker leaves its claims, relative to the project.
pub const CLAIMS: &str = ".gulf/claims";

/// A request as it lies in the dropbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestFile {
    pub v: u32,
    pub author: Caller,
    pub act: Act,
}

/// Who left it, as far as can be told from the process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Caller {
    Person,
    Worker { iteration: u32, attempt: u32 },
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
}

/// What is asked for, in one word: for refusals.
pub fn word(act: &Act) -> &'static str {
    if *act == Act::Outrun {
        "end, another worker being first"
    } else if matches!(act, Act::Tell { .. }) {
        "record feedback"
    } else {
        act.into()
    }
}

impl RequestFile {
    /// A request by this process.
    pub fn by_this_process(act: Act) -> Self {
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
        let author = match self.author {
            Caller::Person => Author::Person,
            Caller::Worker { iteration, .. } => Author::Worker { iteration },
        };
        Request { author, act: self.act.clone() }
    }

    /// Puts it where the driver finds it.
    pub fn leave(&self, requests: &Requests, wall_ms: u64) -> Result<String, RunError> {
        // Codex kills what still runs when its turn is over, and a busy disk takes seconds: a claim is there at once. A
        // power cut that loses it interrupts the turn that it belongs to as well.
        let is_claim = matches!(self.act, Act::Claim { .. });
        let durability = if is_claim { Durability::Buffered } else { Durability::Synced };
        Ok(requests.leave(wall_ms, &records::encode("a request", self)?, durability)?)
    }

    /// Reads one; what is wrong with it is said to whoever drives.
    pub fn read(bytes: &[u8], name: &str) -> Result<Self, RunError> {
        let path = Utf8Path::new("requests").join(name);
        serde_json::from_slice(bytes).map_err(|source| records::undecoded(&path, "a request", source))
    }
}
