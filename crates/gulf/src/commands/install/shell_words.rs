//! A hook's command as a shell reads it: how gulf writes its own, and how it knows it again.
//!
//! A path may hold blanks, quotes and any other character a home directory may have.

use camino::Utf8Path;

/// What a shell expands or acts on.
const ALIVE: [char; 14] = ['$', '`', ';', '&', '|', '<', '>', '(', ')', '\n', '#', '*', '?', '~'];
/// What it still looks at between double quotes.
const ALIVE_IN_QUOTES: [char; 5] = ['"', '$', '`', '\\', '!'];

/// The command of a hook that calls this program.
pub fn hook_command(program: &Utf8Path) -> String {
    format!("{} hook", quoted(program.as_str()))
}

/// Does this command call some gulf as a hook, and nothing besides?
pub fn calls_gulf(command: &str) -> bool {
    let Some(words) = split(command) else { return false };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [program, "hook"] | [program, "hook", "stop"] => {
            matches!(Utf8Path::new(program).file_name(), Some("gulf" | "gulf.exe"))
        }
        _ => false,
    }
}

/// The words of a command as gulf writes it, or without anything that a shell would expand or act on; `None` of any other.
pub fn split(command: &str) -> Option<Vec<String>> {
    let words = ::shell_words::split(command).ok()?;
    let is_own = words.first().is_some_and(|program| hook_command(Utf8Path::new(program)) == command);
    (is_own || !command.contains(ALIVE)).then_some(words)
}

fn quoted(word: &str) -> String {
    if word.contains(ALIVE_IN_QUOTES) {
        format!("'{}'", word.replace('\'', r"'\''"))
    } else {
        format!("\"{word}\"")
    }
}
