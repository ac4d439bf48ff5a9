//! What a shell command starts first, as far as its text alone can tell.
//!
//! A start must be able to refuse what plainly cannot run, and must believe whatever only a shell can judge: behind a
//! variable, a condition or another command anything may become true.

use std::path::Path;

use crate::environment::is_name;

/// The program that a command starts first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FirstProgram {
    /// Where `cd` leads before it, one after the other.
    pub folders: Vec<String>,
    pub program: String,
    /// A file that the program is to execute, such as `check.sh` of `sh check.sh`.
    pub script: Option<String>,
    /// What npm is to run out of package.json, such as `lint` of `npm run lint`.
    pub package_script: Option<String>,
}

/// What ends a simple command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    /// Nothing, or a redirection, or the next command of a pipe: the program has to be there.
    End,
    /// What follows needs a success.
    And,
    /// What it comes to may not matter.
    Other,
}

/// A word, if nothing in it has to be replaced.
type Word = Option<String>;

/// Programs that run the file they are given.
const INTERPRETERS: [&str; 12] =
    ["sh", "bash", "dash", "zsh", "ksh", "python", "python3", "node", "ruby", "perl", "php", "pwsh"];

/// Commands after which the next one begins under the same conditions.
const NEUTRAL: [&str; 6] = [":", "true", "set", "umask", "ulimit", "unset"];

/// Commands of a shell, and words behind which anything may follow.
const SHELL_WORDS: [&str; 26] = [
    ".", "[", "[[", "alias", "case", "declare", "echo", "eval", "exit", "for", "function", "if", "local",
    "printf", "pushd", "read", "select", "source", "test", "trap", "type", "until", "wait", "while", "{",
    "}",
];

/// The program that the command starts first; none where only a shell can tell.
pub fn first_program(command: &str) -> Option<FirstProgram> {
    let mut folders = Vec::new();
    let mut rest = command;
    loop {
        let (words, operator, after) = simple_command(rest);
        let words = without_prefixes(&words)?;
        let name = words.first()?.as_deref()?;
        if name == "cd" {
            folders.push(words.get(1)?.clone().filter(|_| words.len() == 2)?);
        } else if name == "export" {
            let is_path = |word: &Word| word.as_deref().is_none_or(|word| word.starts_with("PATH"));
            if words[1..].iter().any(is_path) {
                return None;
            }
        } else if !NEUTRAL.contains(&name) {
            let is_judged = operator != Operator::Other && !SHELL_WORDS.contains(&name);
            return is_judged.then(|| found(folders, name, &words[1..]));
        }
        rest = after?;
    }
}

fn found(folders: Vec<String>, program: &str, arguments: &[Word]) -> FirstProgram {
    let file_name = Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or(program);
    let script = INTERPRETERS.contains(&file_name).then(|| script(file_name, arguments)).flatten();
    let package_script = (file_name == "npm").then(|| package_script(arguments)).flatten();
    FirstProgram { folders, program: program.to_owned(), script, package_script }
}

/// The first argument that is no option; an option that is not known may want a value, or hold the code itself.
fn script(interpreter: &str, arguments: &[Word]) -> Option<String> {
    let harmless = match interpreter {
        "python" | "python3" => "uBEIsSOvqb",
        "node" | "php" | "pwsh" => "",
        _ => "euxvw",
    };
    for word in arguments {
        let word = word.as_deref()?;
        match word.strip_prefix('-') {
            None => return Some(word.to_owned()),
            Some(flags) if !flags.is_empty() && flags.chars().all(|flag| harmless.contains(flag)) => {}
            Some(_) => return None,
        }
    }
    None
}

/// Options may lead to another package.
fn package_script(arguments: &[Word]) -> Option<String> {
    let words: Vec<&str> = arguments.iter().map(Option::as_deref).collect::<Option<_>>()?;
    let own = words.split(|word| *word == "--").next().unwrap_or_default();
    if own.iter().any(|word| word.starts_with('-') && *word != "-s" && *word != "--silent") {
        return None;
    }
    let mut own = own.iter().filter(|word| !word.starts_with('-'));
    match *own.next()? {
        "test" | "t" => Some("test".to_owned()),
        "run" | "run-script" => own.next().map(|name| (*name).to_owned()),
        _ => None,
    }
}

/// Without variables of its own and programs that only start another one.
fn without_prefixes(mut words: &[Word]) -> Option<&[Word]> {
    loop {
        let first = words.first()?.as_deref()?;
        if let Some((name, _)) = first.split_once('=').filter(|(name, _)| is_name(name)) {
            if name == "PATH" {
                return None;
            }
            words = &words[1..];
            continue;
        }
        let options = match first {
            "env" | "nohup" | "time" | "exec" | "command" | "nice" => 1,
            "timeout" => 2,
            _ => return Some(words),
        };
        words = words.get(options..)?;
        if words.first()?.as_deref()?.starts_with('-') {
            return None;
        }
    }
}

/// The words up to the next operator, that operator, and what follows it.
fn simple_command(text: &str) -> (Vec<Word>, Operator, Option<&str>) {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            ' ' | '\t' => words.extend(word.take()),
            '\'' | '"' => {
                let from = at + 1;
                let Some(length) = text[from..].find(character) else {
                    return (Vec::new(), Operator::Other, None);
                };
                let quoted = &text[from..from + length];
                let is_plain = character == '\'' || !quoted.contains(['$', '`', '\\']);
                append(&mut word, is_plain.then_some(quoted));
                while characters.next_if(|(place, _)| *place <= from + length).is_some() {}
            }
            '&' | '|' | ';' | '\n' | '<' | '>' | '(' | ')' => {
                words.extend(word.take());
                let rest = &text[at..];
                let (operator, skipped) = match character {
                    '&' if rest.starts_with("&&") => (Operator::And, 2),
                    '|' if !rest.starts_with("||") => (Operator::End, 1),
                    '<' | '>' => (Operator::End, 1),
                    // After what is neutral it only stands between two commands.
                    ';' | '\n' => (Operator::Other, 1),
                    _ => (Operator::Other, rest.len()),
                };
                let after = Some(rest.get(skipped..).unwrap_or_default());
                return (words, operator, after.filter(|_| operator != Operator::End));
            }
            '$' | '`' | '\\' | '*' | '?' | '[' | '{' | '}' | '~' | '#' | '!' => append(&mut word, None),
            other => append(&mut word, Some(other.encode_utf8(&mut [0; 4]))),
        }
    }
    words.extend(word);
    (words, Operator::End, None)
}

fn append(word: &mut Option<Word>, piece: Option<&str>) {
    let sofar = word.get_or_insert_with(|| Some(String::new()));
    match piece {
        Some(piece) => {
            if let Some(text) = sofar {
                text.push_str(piece);
            }
        }
        None => *sofar = None,
    }
}

#[cfg(test)]
mod tests;
