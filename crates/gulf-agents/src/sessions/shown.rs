//! Whether a person reads what a hook says beside its answer to the model.
//!
//! It stands apart because no event says so: Claude Code tells it in the hook's environment, Codex in its file of the
//! session, and Copilot CLI never shows anything. Where it is not known, the person is taken to read it: to ask a model for
//! a line that its person sees anyway would cost a request for nothing.

use super::Host;

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
