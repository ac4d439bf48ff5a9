//! A hook's command as a shell reads it: how gulf writes its own, and how it knows it again.
//!
//! It stands apart because a path may hold blanks, quotes and any other character a home directory may have.

use camino::Utf8Path;

/// What a shell still looks at between double quotes.
const ALIVE_IN_QUOTES: [char; 5] = ['"', '$', '`', '\\', '!'];

/// The command of a hook that calls this program.
pub(super) fn hook_command(program: &Utf8Path) -> String {
    format!("{} hook", quoted(program.as_str()))
}

/// Does this command call some gulf as a hook, and nothing besides?
pub(super) fn calls_gulf(command: &str) -> bool {
    let Some(words) = split(command) else { return false };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [program, "hook"] | [program, "hook", "stop"] => {
            matches!(Utf8Path::new(program).file_name(), Some("gulf" | "gulf.exe"))
        }
        _ => false,
    }
}

/// The words of a command without anything that a shell would expand or act on; `None` where there is such a thing.
pub(super) fn split(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let inside = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        other => inside.push(other),
                    }
                }
            }
            '"' => double_quoted(&mut characters, word.get_or_insert_default())?,
            '\\' => word.get_or_insert_default().push(characters.next()?),
            '$' | '`' | ';' | '&' | '|' | '<' | '>' | '(' | ')' | '\n' | '#' | '*' | '?' | '~' => {
                return None;
            }
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

/// The rest of what stands in double quotes.
fn double_quoted(characters: &mut impl Iterator<Item = char>, inside: &mut String) -> Option<()> {
    loop {
        match characters.next()? {
            '"' => return Some(()),
            '$' | '`' => return None,
            '\\' => {
                let escaped = characters.next()?;
                if !ALIVE_IN_QUOTES.contains(&escaped) {
                    inside.push('\\');
                }
                inside.push(escaped);
            }
            other => inside.push(other),
        }
    }
}

fn quoted(word: &str) -> String {
    if word.contains(ALIVE_IN_QUOTES) {
        format!("'{}'", word.replace('\'', r"'\''"))
    } else {
        format!("\"{word}\"")
    }
}
