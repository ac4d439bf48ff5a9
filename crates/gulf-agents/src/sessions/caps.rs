//! How often a host lets a hook keep its session from ending.
//!
//! It stands apart because it is the one thing a host does against a hook: whoever asks more often is overruled
//! without a word, so the loop must rest before.

use super::Host;

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
