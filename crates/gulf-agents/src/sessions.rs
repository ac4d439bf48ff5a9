//! Sessions that people work in, and the hooks their hosts call: what an event says, what an answer must look like,
//! and what the session's file tells of the time since (CONTRACT §1.4).
//!
//! There gulf starts the program and reads its stream; here a host starts gulf, and may be none that is known.
//! Contracts were taken from Claude Code 2.1.332, Codex CLI 0.171.0 and Copilot CLI 1.0.102, whose own bytes are the
//! samples of the tests.

mod answers;
mod events;
mod hearing;
mod json;

pub use answers::{Answer, answer, spelled_for};
pub use events::{HookError, HookEvent, HookKind, read};
pub use hearing::{TranscriptChange, folder_of_subagents, hear};

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
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Claude, Self::Codex, Self::Copilot, Self::Other].into_iter().find(|host| host.name() == name)
    }
}

// How often a host lets a hook keep its session from ending.

/// Where a person sets Claude Code's cap; also as `env` in its settings.
pub const CLAUDE_CAP_VARIABLE: &str = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";

/// Claude Code and Copilot CLI chose the same number.
const DEFAULT_BLOCKS: u32 = 8;

/// The host overrules the block after this many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockCap {
    pub blocks: u32,
    pub reset_by: ResetBy,
}

/// What makes the host count from zero again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResetBy {
    /// Any call of a tool, and a person's prompt.
    ToolUse,
    /// A person's prompt alone.
    Prompt,
}

/// The host's cap, by what the hook's environment says; nothing where there is none.
pub fn block_cap(host: Host, variable: &dyn Fn(&str) -> Option<String>) -> Option<BlockCap> {
    match host {
        Host::Claude => {
            let set = variable(CLAUDE_CAP_VARIABLE).and_then(|text| text.trim().parse().ok());
            let blocks = set.unwrap_or(DEFAULT_BLOCKS);
            (blocks > 0).then_some(BlockCap { blocks, reset_by: ResetBy::ToolUse })
        }
        Host::Copilot => Some(BlockCap { blocks: DEFAULT_BLOCKS, reset_by: ResetBy::Prompt }),
        Host::Codex | Host::Other => None,
    }
}

// Whether a person reads what a hook says beside its answer to the model.

/// Longer than the key and any word that stands there: so much of one piece of a file is read with the next.
pub const TRIGGER_BYTES_MAX: usize = 64;

/// In Codex's file of a session, at the beginning of each turn. Within a text the quotes would be escaped.
const TRIGGER: &[u8] = b"\"turn_trigger\":\"";
/// Claude Code's own word, from 2.1.3; earlier ones only name what they were started as.
const ATTENDED: &str = "CLAUDE_CODE_SESSION_ATTENDED";
const ENTRYPOINT: &str = "CLAUDE_CODE_ENTRYPOINT";

/// What becomes of a `systemMessage`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notices {
    /// The person reads it, as far as is known.
    Shown,
    /// Nobody does: the model's words are all that reaches the person.
    Unseen,
}

/// For a session of this host: `variable` looks into the hook's environment, `trigger` is what began the turn, where the
/// session's file says so ([`last_trigger`]).
pub fn notices(host: Host, variable: &dyn Fn(&str) -> Option<String>, trigger: Option<&str>) -> Notices {
    let is_unseen = match host {
        Host::Copilot => true,
        Host::Claude => match variable(ATTENDED).filter(|value| !value.is_empty()) {
            Some(attended) => attended == "0",
            None => variable(ENTRYPOINT).is_some_and(|entrypoint| entrypoint == "sdk-cli"),
        },
        Host::Codex => trigger == Some("exec"),
        // Whoever plays a host reads its standard error.
        Host::Other => false,
    };
    if is_unseen { Notices::Unseen } else { Notices::Shown }
}

/// What began the last turn that begins in these bytes of Codex's file.
pub fn last_trigger(bytes: &[u8]) -> Option<&str> {
    let at = bytes.windows(TRIGGER.len()).rposition(|window| window == TRIGGER)? + TRIGGER.len();
    let length = bytes[at..].iter().position(|byte| *byte == b'"')?;
    str::from_utf8(&bytes[at..at + length]).ok()
}
