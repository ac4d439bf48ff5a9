//! Which words of a check's command decide what the check does.
//!
//! It stands apart because a shell's language is read here by its surface only: enough to find what is plainly named.

/// Programs that run the file named after them.
const INTERPRETERS: [&str; 16] = [
    "sh", "bash", "zsh", "dash", "ksh", "source", ".", "python", "python3", "node", "deno", "bun", "ruby",
    "perl", "php", "exec",
];
/// Words before the program that is really run.
const PREFIXES: [&str; 7] = ["!", "time", "env", "exec", "command", "nice", "timeout"];
/// Endings of files that set something.
const SETTINGS: [&str; 8] = [".toml", ".ini", ".cfg", ".conf", ".json", ".yml", ".yaml", ".mk"];
/// Package managers that run scripts by name.
const MANAGERS: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];

/// The programs that a command runs, and the files of settings that it names.
pub(super) fn deciding_words(command: &str) -> Vec<&str> {
    let mut deciding = Vec::new();
    for part in command.split([';', '|', '&', '(', ')', '\n', '`', '{', '}']) {
        let words: Vec<&str> = words(part).collect();
        let mut rest = words.iter().skip_while(|word| is_before_program(word));
        if let Some(program) = rest.next() {
            deciding.push(*program);
            if INTERPRETERS.contains(program) {
                deciding.extend(rest.find(|word| !word.starts_with('-') && **word != "run"));
            }
        }
        deciding.extend(words.iter().filter(|word| SETTINGS.iter().any(|ending| word.ends_with(ending))));
        // `sh -c './check.sh'` has its program within quotes.
        deciding.extend(words.iter().filter(|word| word.starts_with("./")));
    }
    deciding
}

/// The scripts of package.json that a command runs.
pub(super) fn script_names(command: &str) -> Vec<&str> {
    let words: Vec<&str> = words(command).collect();
    let mut names = Vec::new();
    for (place, word) in words.iter().enumerate() {
        if MANAGERS.contains(word) {
            let rest = words[place + 1..].iter().filter(|word| !word.starts_with('-') && **word != "run");
            names.extend(rest.take(1).copied());
        }
    }
    names
}

/// A word that stands before the program: an assignment, a prefix, or a prefix's number.
fn is_before_program(word: &str) -> bool {
    PREFIXES.contains(&word)
        || word.starts_with('-')
        || word.contains('=')
        || word.chars().all(|character| character.is_ascii_digit())
}

/// The words of a command that could be paths or names, without their quotes.
fn words(command: &str) -> impl Iterator<Item = &str> {
    let separators = |character: char| character.is_whitespace() || ";&|()<>'\"`".contains(character);
    command.split(separators).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests;
