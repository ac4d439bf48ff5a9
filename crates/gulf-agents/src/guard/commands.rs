//! The paths that stand literally in a command and would be written by it.
//!
//! This reads what agents write every day: redirections, and programs that write their operands. It is no shell:
//! variables, patterns, loops over files and scripts in files are let pass.

use super::paths::{Paths, Touch};
use super::{GuardVerdict, tools};
use crate::patterns::form;

/// Bytes of a command that are looked at, and shells within shells.
const COMMAND_BYTES_MAX: usize = 1024 * 1024;
const DEPTH_MAX: usize = 4;

/// Programs that begin another.
const PREFIXES: [&str; 8] = ["sudo", "env", "command", "exec", "nohup", "time", "then", "do"];

const SHELLS: [&str; 4] = ["sh", "bash", "zsh", "dash"];

/// Programs that write, or remove, each operand.
const EACH: [&str; 11] =
    ["tee", "touch", "truncate", "chmod", "chown", "shred", "sponge", "rm", "rmdir", "unlink", "mv"];

/// Programs whose last operand is written.
const LAST: [&str; 4] = ["cp", "install", "ln", "rsync"];

/// What a command is made of.
enum Token {
    Word(String),
    /// The next word is a file that is written.
    Into,
    /// The next word is none of the program's.
    From,
    /// The next command begins.
    End,
}

/// Objects to what a command would write.
pub(super) fn check(paths: &Paths, command: &str) -> GuardVerdict {
    let cut = command.floor_char_boundary(COMMAND_BYTES_MAX);
    Reader { paths, folder: None, depth: 0 }.command(command.get(..cut).unwrap_or_default())
}

/// The same of a program and its arguments.
pub(super) fn check_call(paths: &Paths, words: &[String]) -> GuardVerdict {
    Reader { paths, folder: None, depth: 0 }.call(words)
}

struct Reader<'paths> {
    paths: &'paths Paths,
    /// Where `cd` went, as a prefix of relative paths; one that is not known ends what can be said of them.
    folder: Option<String>,
    depth: usize,
}

impl Reader<'_> {
    fn command(&mut self, text: &str) -> GuardVerdict {
        let mut words = Vec::new();
        let mut tokens = tokens(text).into_iter();
        while let Some(token) = tokens.next() {
            match token {
                Token::Word(word) => words.push(word),
                Token::Into => {
                    if let Some(Token::Word(path)) = tokens.next() {
                        self.path(&path, Touch::Writes, "a redirection")?;
                    }
                }
                Token::From => drop(tokens.next()),
                Token::End => self.call(&std::mem::take(&mut words))?,
            }
        }
        self.call(&words)
    }

    fn call(&mut self, words: &[String]) -> GuardVerdict {
        let begins = |word: &&String| {
            let is_assignment = word.split_once('=').is_some_and(|(name, _)| is_name(name));
            !is_assignment && !PREFIXES.contains(&word.as_str()) && *word != "{"
        };
        let at = words.iter().position(|word| begins(&word)).unwrap_or(words.len());
        let [program, arguments @ ..] = &words[at..] else { return Ok(()) };
        let program = program.rsplit('/').next().unwrap_or(program);
        let operands = || arguments.iter().filter(|word| !word.starts_with('-')).map(String::as_str);
        let has = |flag: &str| arguments.iter().any(|word| word.starts_with(flag));
        match program {
            "cd" | "pushd" => self.enter(operands().next()),
            "apply_patch" => {
                arguments.iter().try_for_each(|text| tools::in_patch(self.paths, text, program))?;
            }
            "dd" => {
                let outputs = arguments.iter().filter_map(|word| word.strip_prefix("of="));
                self.each(outputs, Touch::Writes, program)?;
            }
            "sed" | "perl" if has("-i") || has("--in-place") || has("-pi") => {
                self.each(operands(), Touch::Writes, &format!("{program} -i"))?;
            }
            "git" => self.git(&operands().collect::<Vec<_>>(), arguments)?,
            _ if SHELLS.contains(&program) && arguments.iter().any(|word| word.ends_with('c')) => {
                self.within(operands().next().unwrap_or_default())?;
            }
            _ if EACH.contains(&program) => {
                let takes = matches!(program, "rm" | "mv" | "rmdir");
                self.each(operands(), if takes { Touch::Takes } else { Touch::Writes }, program)?;
            }
            _ if LAST.contains(&program) => {
                self.each(operands().next_back().into_iter(), Touch::Writes, program)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// What it brings back, moves or removes; what concerns the index or a branch only is free.
    fn git(&self, operands: &[&str], arguments: &[String]) -> GuardVerdict {
        let Some((verb, paths)) = operands.split_first() else { return Ok(()) };
        let has = |flag: &str| arguments.iter().any(|word| word == flag);
        let writes = match *verb {
            "checkout" | "switch" => !has("-b") && !has("-c"),
            "restore" => !has("--staged") || has("--worktree"),
            "rm" | "mv" => !has("--cached") && !has("-n"),
            _ => false,
        };
        let touch = if matches!(*verb, "rm" | "mv") { Touch::Takes } else { Touch::Writes };
        if writes { self.each(paths.iter().copied(), touch, &format!("git {verb}")) } else { Ok(()) }
    }

    fn within(&mut self, command: &str) -> GuardVerdict {
        if self.depth == DEPTH_MAX {
            return Ok(());
        }
        Reader { paths: self.paths, folder: self.folder.clone(), depth: self.depth + 1 }.command(command)
    }

    fn enter(&mut self, folder: Option<&str>) {
        let folder = folder.unwrap_or("~");
        let before = self.folder.take().filter(|_| !folder.starts_with(['/', '~', '$']));
        self.folder = Some(before.map_or_else(|| folder.to_owned(), |before| format!("{before}/{folder}")));
    }

    fn each<'words>(
        &self,
        mut paths: impl Iterator<Item = &'words str>,
        touch: Touch,
        program: &str,
    ) -> GuardVerdict {
        paths.try_for_each(|path| self.path(path, touch, program))
    }

    fn path(&self, path: &str, touch: Touch, program: &str) -> GuardVerdict {
        let path = match &self.folder {
            Some(folder) if !path.starts_with(['/', '~']) => &format!("{folder}/{path}"),
            Some(_) | None => path,
        };
        if path.contains('$') {
            return Ok(());
        }
        let does = if touch == Touch::Takes { "move or remove" } else { "write" };
        self.paths.check(path, touch, || format!("`{program}` would {does} it"))
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Words without their quotes, redirections, and where commands end.
fn tokens(text: &str) -> Vec<Token> {
    let (mut found, mut documents, mut at) = (Vec::new(), Vec::new(), 0);
    // What stands at a place. Blanks and comments are passed over, like the end of a line that goes on.
    let form = form!(
        r#"(?xs)
        \\\n | \#[^\n]*
        | (?P<end> [;|()`\n] )
        | <<-?\x20* (?P<document> [^\s;|&<>)]+ )
        | (?P<from> <+ )
        | (?P<into> (?:[0-9]+|&)? >[>|]* ) (?P<no_file> [&(] )?
        | (?P<and> & )
        | (?P<word> (?: \\. | '[^']*'? | "[^"]*"? | [^\s;|&()`<>'"\\] )+ )
        "#
    );
    // What of a word only quotes it; a line that goes on leaves nothing.
    let quoted = form!(r#"(?s)\\(?:\n|(.))|'([^']*)'?|"([^"]*)"?"#);
    while let Some(token) = form.captures_at(text, at) {
        at = token.get(0).map_or(text.len(), |whole| whole.end());
        let is = |name: &str| token.name(name).is_some();
        if let Some(word) = token.name("word") {
            found.push(Token::Word(quoted.replace_all(word.as_str(), "$1$2$3").into_owned()));
        } else if let Some(end) = token.name("document") {
            documents.push(end.as_str().replace(['\'', '"', '\\'], ""));
        } else if is("from") {
            found.push(Token::From);
        } else if is("into") {
            // What `>&1` names is no file.
            found.extend((!is("no_file")).then_some(Token::Into));
        } else if is("end") || is("and") {
            if text[..at].ends_with('\n') {
                for end in documents.drain(..) {
                    found.push(Token::Word(document(text, &mut at, &end)));
                }
            }
            found.push(Token::End);
        }
    }
    found
}

/// The document that begins there, which counts as an argument: patches come in this form.
fn document(text: &str, at: &mut usize, end: &str) -> String {
    let start = *at;
    let mut length = 0;
    for line in text[start..].split_inclusive('\n') {
        *at += line.len();
        if line.trim() == end {
            break;
        }
        length += line.len();
    }
    text[start..start + length].to_owned()
}
