//! Sessions that people work in, and the hooks their hosts call: what an event says, what an answer must look like,
//! and what the session's file tells of the time since (CONTRACT §1.4).
//!
//! It stands apart from `agents` because there gulf starts the program and reads its stream; here a host starts gulf,
//! and may be none that is known. Contracts were taken from Claude Code 2.1.330, Codex CLI 0.169.0 and Copilot CLI
//! 1.0.102, whose own bytes are the samples of the tests.

mod answers;
mod caps;
mod events;
mod hearing;
mod json;
mod shown;

pub use answers::{Answer, answer, spelled_for};
pub use caps::{BlockCap, CLAUDE_CAP_VARIABLE, ResetBy, block_cap};
pub use events::{HookError, HookEvent, HookKind, read};
pub use hearing::{Heard, SpentOn, folder_of_subagents, hear};
pub use shown::{Notices, TRIGGER_BYTES_MAX, last_trigger, notices};

/// Who calls the hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Host {
    Claude,
    Codex,
    Copilot,
    /// Any program that speaks the portable form, or a person at a prompt.
    Other,
}

impl Host {
    /// Its name in a journal and in what a person reads.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The host of a name that [`Host::name`] gave.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Claude, Self::Codex, Self::Copilot, Self::Other].into_iter().find(|host| host.name() == name)
    }
}
