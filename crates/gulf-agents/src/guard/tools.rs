//! Which inputs of which tools name a path or a command.

use super::ground::Ground;
use super::{Offence, ToolUse};

pub(super) fn offence(_: &Ground, _: &ToolUse<'_>) -> Option<Offence> {
    None
}
