//! Commands of the designs that gulf came from, and of plugins beside it: which command of gulf's does what they say.
//!
//! Another plugin may have one of that name: nothing is begun by them.

/// The names without a sign, and what does it.
const COMMANDS: [(&[&str], &str); 5] = [
    (&["ralph"], "`/gulf-loop:ralph PROMPT` works until it is complete"),
    (&["autopilot"], "`/gulf-loop:autopilot PROMPT` does it in a hurry"),
    (
        &["auto-orchestrate"],
        "`gulf run --preset tasks`, in a terminal, works off TASKS.md; `/gulf-loop:start-parallel -w N PROMPT` \
         divides one goal",
    ),
    (
        &["ralph-loop", "ralph-loop:ralph-loop", "ralph-wiggum:ralph-loop"],
        "`/gulf-loop:start PROMPT` keeps this session at it until the checks pass",
    ),
    (
        &["cancel-ralph", "ralph-loop:cancel-ralph", "ralph-wiggum:cancel-ralph"],
        "`/gulf-loop:cancel` ends gulf's loop",
    ),
];

/// A command that is not gulf's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreign<'prompt> {
    /// As it was typed, with its sign.
    pub typed: &'prompt str,
    /// The command of gulf's, and what it does.
    pub instead: &'static str,
}

/// For a prompt that is such a command; none for any other.
pub fn foreign(prompt: &str) -> Option<Foreign<'_>> {
    let typed = prompt.split_whitespace().next()?;
    let instead = instead_of(typed.strip_prefix(['/', '$'])?)?;
    Some(Foreign { typed, instead })
}

/// What does it instead of the command of this name.
pub(super) fn instead_of(name: &str) -> Option<&'static str> {
    COMMANDS.iter().find(|(names, _)| names.contains(&name)).map(|(_, instead)| *instead)
}
