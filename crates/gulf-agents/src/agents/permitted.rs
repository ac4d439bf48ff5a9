//! The shell commands that a worker may run, for every tool that has a list of them.
//!
//! It stands apart because what is allowed is one thing, and how a tool writes it down another.

/// What git does for a worker. Anything that reaches another repository, or the person's branches, is missing.
const GIT: [&str; 13] = [
    "add", "blame", "commit", "diff", "grep", "log", "ls-files", "mv", "restore", "rev-parse", "rm", "show",
    "status",
];

/// How a worker tells what it found out, and asks (SPEC B6, A5).
const WORDS_TO_GULF: [&str; 2] = ["gulf claim", "gulf ask"];

/// Git's, gulf's, and what was asked for, each once; every one also with arguments after it.
pub(super) fn commands(allow: &[String]) -> Vec<String> {
    let git = GIT.iter().map(|verb| format!("git {verb}"));
    let asked = allow.iter().flat_map(|command| parts(command));
    let mut commands = Vec::new();
    for command in git.chain(WORDS_TO_GULF.map(str::to_owned)).chain(asked) {
        if !commands.contains(&command) {
            commands.push(command);
        }
    }
    commands
}

/// Tools take a line of a shell apart and ask for each command, so each is named.
///
/// Within quotes an operator is text: such a line is named as a whole.
fn parts(command: &str) -> Vec<String> {
    let is_quoted = command.contains(['"', '\'', '\\', '`']);
    let parts = if is_quoted { vec![command] } else { command.split(['&', '|', ';', '\n']).collect() };
    parts.into_iter().map(str::trim).filter(|part| can_be_named(part)).map(str::to_owned).collect()
}

/// A bracket that is not closed would end a pattern early, and what follows would be read as a tool's name.
pub(super) fn can_be_named(command: &str) -> bool {
    let mut open = 0_usize;
    for character in command.chars() {
        match character {
            '(' => open += 1,
            ')' if open == 0 => return false,
            ')' => open -= 1,
            _ => {}
        }
    }
    open == 0 && !command.is_empty() && !command.contains('\n')
}

/// Arguments from words.
pub(super) fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
