//! Which words of a check's command decide what the check does.
//!
//! A shell's language is read here by its surface only: enough to find what is plainly named.

use gulf_agents::sources::file_of;

/// Programs that run the file named after them.
pub(super) const INTERPRETERS: [&str; 16] = [
    "sh", "bash", "zsh", "dash", "ksh", "source", ".", "python", "python3", "node", "deno", "bun", "ruby",
    "perl", "php", "exec",
];
/// Words before the program that is really run.
const PREFIXES: [&str; 7] = ["!", "time", "env", "exec", "command", "nice", "timeout"];
/// Endings of files that set something.
const SETTINGS: [&str; 8] = [".toml", ".ini", ".cfg", ".conf", ".json", ".yml", ".yaml", ".mk"];
/// Programs that only look at the files they are given.
const LOOKING: [&str; 8] = ["grep", "egrep", "fgrep", "test", "[", "[[", "jq", "wc"];
/// Programs that compare files: each of them, and not one alone, is what is right.
pub(super) const COMPARING: [&str; 3] = ["diff", "cmp", "comm"];
/// Package managers that run scripts by name.
const MANAGERS: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];

/// What a command runs on its own.
struct ShellPart<'text> {
    words: Vec<&'text str>,
    /// Another one looks at its output: as a word (`$(…)`), or as a file that it compares (`<(…)`, `… | diff - expected.txt`,
    /// `… > out.txt && diff expected.txt out.txt`).
    is_quoted: bool,
}

impl<'text> ShellPart<'text> {
    fn new(text: &'text str, is_quoted: bool) -> Self {
        Self { words: command_words(text).collect(), is_quoted }
    }

    /// The program, and what stands behind it.
    fn called(&self) -> Option<(&'text str, &[&'text str])> {
        let at = self.words.iter().position(|word| !is_before_program(word))?;
        Some((self.words[at], &self.words[at + 1..]))
    }

    fn calls(&self, programs: &[&str]) -> bool {
        self.called().is_some_and(|(program, _)| programs.contains(&program))
    }

    /// Its program, the files of settings that it names, and those that it compares.
    fn deciding(&self) -> Vec<&'text str> {
        let mut deciding = Vec::new();
        if let Some((program, rest)) = self.called() {
            deciding.push(program);
            let mut files = rest.iter().filter(|word| !word.starts_with('-'));
            if COMPARING.contains(&program) {
                deciding.extend(files);
            } else if INTERPRETERS.contains(&program) {
                let runs_module = self.words.contains(&"-m");
                deciding.extend(files.find(|word| **word != "run"));
                // `python -m doctest README.md`
                deciding.extend(files.filter(|word| runs_module && word.contains('.')));
            }
        }
        // What it looks at is the work; what it looks for may lie in a file, too.
        let may_be_set = !self.calls(&LOOKING) || self.words.contains(&"-f");
        // `sh -c './check.sh'` has its program within quotes.
        let is_named = |word: &&&str| {
            word.starts_with("./") || (may_be_set && SETTINGS.iter().any(|ending| word.ends_with(ending)))
        };
        deciding.extend(self.words.iter().filter(is_named));
        deciding
    }

    fn decides(&self, path: &str) -> bool {
        self.deciding().into_iter().any(|word| is_end_of(word, path))
    }

    /// A program that is asked something, and whose answer another one looks at (`test "$(python3 add.py 1 2)" = 3`), is what
    /// is checked, and no check. A shell's script may be one all the same.
    fn is_question(&self) -> bool {
        let Some((program, rest)) = self.called() else { return false };
        let mut rest = rest.iter().skip_while(|word| word.starts_with('-'));
        let is_script = self.words.iter().any(|word| word.ends_with("sh"));
        INTERPRETERS.contains(&program) && !is_script && rest.next().is_some() && rest.next().is_some()
    }
}

/// The programs that a command runs, the files of settings that it names, and those that it compares.
pub(super) fn deciding_words(command: &str) -> Vec<&str> {
    let parts = parts(command).into_iter().filter(|part| !(part.is_quoted && part.is_question()));
    parts.flat_map(|part| part.deciding()).collect()
}

/// Does it compare files?
pub(super) fn compares(command: &str) -> bool {
    command_words(command).any(|word| COMPARING.contains(&word))
}

/// Is each part of the commands for which the file at this path decides of such a kind?
fn all_deciding(command: &str, path: &str, is_of_kind: impl Fn(&ShellPart<'_>) -> bool) -> bool {
    parts(command).iter().filter(|part| part.decides(path)).all(is_of_kind)
}

/// Does this file decide only as one that is compared?
pub(super) fn is_only_compared(command: &str, path: &str) -> bool {
    all_deciding(command, path, |part| part.calls(&COMPARING))
}

/// Do these commands only run the examples in this file's docstrings (`python3 -m doctest a.py`)?
pub(super) fn are_examining(commands: &[String], path: &str) -> bool {
    let runs_examples = |part: &ShellPart<'_>| part.words.windows(2).any(|pair| pair == ["-m", "doctest"]);
    commands.iter().all(|command| all_deciding(command, path, runs_examples))
}

/// Is this file only what a program of the project is given to look at (`python3 validate.py people.json`)? Then it may be the
/// work. Behind an option it sets something.
pub(super) fn is_only_given(command: &str, path: &str) -> bool {
    all_deciding(command, path, |part| {
        let Some((first, rest)) = part.called() else { return false };
        let program = if INTERPRETERS.contains(&first) { rest.first().copied() } else { Some(first) };
        let is_it = |word: &str| file_of(word) == file_of(path);
        let place = part.words.iter().position(|word| is_it(word)).unwrap_or_default();
        let is_own = program
            .is_some_and(|program| !program.starts_with('-') && (program.contains('.') && !is_it(program)));
        is_own && place > 0 && !part.words[place - 1].starts_with('-')
    })
}

/// Do these scripts and commands take their functions from this file, and nothing else of it?
pub(super) fn are_sourcing(scripts: &[String], path: &str) -> bool {
    let mut deciding = scripts.iter().filter(|text| decides(text, path)).peekable();
    deciding.peek().is_some() && deciding.all(|text| is_sourced(text, path))
}

/// Does this file decide only as one that a shell takes its functions from?
fn is_sourced(command: &str, path: &str) -> bool {
    // `bash -c 'source lib.sh'`
    let is_run = command.contains("sh -c ");
    let plain = command.replace("bash -c ", "").replace("sh -c ", "");
    let plain = if is_run { plain.replace(['\'', '"'], " ") } else { plain };
    all_deciding(&plain, path, |part| part.calls(&["source", "."]))
}

/// What a command runs one after the other.
fn parts(command: &str) -> Vec<ShellPart<'_>> {
    let plain = plain_parts(command);
    let each = plain.iter().enumerate().map(|(at, (part, is_quoted, _))| {
        let own = if is_into_compared(&plain, part) { part.split('>').next().unwrap_or(part) } else { part };
        ShellPart::new(own, *is_quoted || is_compared(&plain, at))
    });
    each.collect()
}

type PlainParts<'text> = [(&'text str, bool, char)];

/// Is the output of this part compared with a file?
fn is_compared(plain: &PlainParts<'_>, at: usize) -> bool {
    let (part, _, sign) = plain[at];
    let is_piped = sign == '|' && plain.get(at + 1).is_some_and(|(next, ..)| is_comparing(next));
    is_piped || is_into_compared(plain, part)
}

fn is_comparing(part: &str) -> bool {
    ShellPart::new(part, false).calls(&COMPARING)
}

fn is_into_compared(plain: &PlainParts<'_>, part: &str) -> bool {
    let target = part.split_once('>').and_then(|(_, target)| command_words(target).next());
    let mut comparing = plain.iter().filter(|(part, ..)| is_comparing(part));
    target.is_some_and(|target| comparing.any(|(part, ..)| command_words(part).any(|word| word == target)))
}

/// Does the file at this path run for nothing but output that is compared with a file? Then it is what is checked, be it one of a
/// shell.
pub(super) fn is_only_compared_output(command: &str, path: &str) -> bool {
    let plain = plain_parts(command);
    let mut deciding = (0..plain.len()).filter(|at| decides(plain[*at].0, path)).peekable();
    deciding.peek().is_some() && deciding.all(|at| is_compared(&plain, at))
}

/// Each with the sign that ends it.
pub(super) fn plain_parts(command: &str) -> Vec<(&str, bool, char)> {
    let (mut found, mut start, mut within, mut is_quoted) = (Vec::new(), 0, 0_usize, false);
    let literal = literal_places(command);
    for (at, sign) in command.char_indices() {
        if !";|&()\n`{}".contains(sign) || literal[at] {
            continue;
        }
        found.push((&command[start..at], within > 0 || is_quoted, sign));
        start = at + 1;
        match sign {
            '(' if command[..at].ends_with(['$', '<']) || within > 0 => within += 1,
            ')' => within = within.saturating_sub(1),
            '`' => is_quoted = !is_quoted,
            _ => {}
        }
    }
    found.push((&command[start..], false, '\n'));
    found
}

/// Which bytes a shell takes as they are (`grep 'print(' a.py`): those within quotes that end in their line, but for what runs
/// there (`"$(…)"`, `sh -c '…'`).
fn literal_places(command: &str) -> Vec<bool> {
    let mut literal = vec![false; command.len()];
    let mut open: Vec<(char, bool)> = Vec::new();
    let mut is_escaped = false;
    for (at, sign) in command.char_indices() {
        let (around, is_literal) = open.last().copied().unwrap_or_default();
        let is_plain = around == '\'' && is_literal;
        let runs = sign == '`' || (sign == '(' && command[..at].ends_with('$'));
        literal[at] = is_literal && (is_plain || !runs);
        let closes = sign == around || (sign == ')' && around == '(');
        if sign == '\n' {
            open.clear();
            is_escaped = false;
        } else if is_escaped || (sign == '\\' && !is_plain) {
            is_escaped = !is_escaped;
        } else if closes {
            open.pop();
        } else if !is_plain && (runs || (sign == '(' && around == '(')) {
            open.push((sign, false));
        } else if !is_literal && "'\"".contains(sign) {
            let line = command[at + 1..].lines().next().unwrap_or_default();
            if line.contains(sign) {
                open.push((sign, !is_program(&command[..at])));
            }
        }
    }
    literal
}

/// Does a shell or an interpreter run what is quoted behind these words?
fn is_program(before: &str) -> bool {
    let part = before.rsplit([';', '|', '&', '\n']).next().unwrap_or(before);
    let is_run =
        |word: &str| ["eval", "trap"].contains(&word) || (word.starts_with('-') && word.ends_with('c'));
    let words: Vec<&str> = command_words(part).collect();
    let is_known = words.iter().any(|word| INTERPRETERS.contains(word) || ["eval", "trap"].contains(word));
    is_known && words.last().is_some_and(|word| is_run(word))
}

/// Is the program at this path asked something? `Words` where it is never asked for a number or a variable: `verify.py all`.
pub(super) fn question(command: &str, path: &str) -> Option<AskedFor> {
    let is_value = |word: &&str| word.starts_with('$') || word.chars().all(|letter| letter.is_ascii_digit());
    let is_asked = |part: &ShellPart<'_>| part.is_quoted && part.is_question() && part.decides(path);
    let asked = parts(command).into_iter().filter(is_asked);
    asked.map(|part| if part.words.iter().any(is_value) { AskedFor::Values } else { AskedFor::Words }).max()
}

/// What a program is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AskedFor {
    Words,
    Values,
}

/// Does the file at this path decide what the command does? The end of the path counts, since a command can change its
/// directory before it comes to the word.
pub(super) fn decides(command: &str, path: &str) -> bool {
    deciding_words(command).into_iter().any(|word| is_end_of(word, path))
}

fn is_end_of(word: &str, path: &str) -> bool {
    let (path, end): (Vec<&str>, Vec<&str>) = (path.split('/').collect(), components(word));
    let from = path.len().checked_sub(end.len()).filter(|_| end.iter().any(|part| !part.contains('$')));
    from.is_some_and(|from| path[from..].iter().zip(&end).all(|(part, named)| is_named_by(part, named)))
}

/// A file of a loop has a variable for its name: `expected/$name.txt`.
fn is_named_by(part: &str, named: &str) -> bool {
    let Some((before, after)) = named.split_once('$') else { return part == named };
    let is_of_variable = |letter: char| letter.is_alphanumeric() || "_${}".contains(letter);
    let after = after.trim_start_matches(is_of_variable);
    part.len() >= before.len() + after.len() && part.starts_with(before) && part.ends_with(after)
}

/// Does a file at this path take the place of a module that the command runs (`python -m pytest`: pytest.py)?
pub(super) fn takes_place_of_module(command: &str, path: &str) -> bool {
    let is_python = |word: &&str| word.rsplit('/').next().is_some_and(|name| name.starts_with("py"));
    let behind: Vec<&str> = command_words(command).skip_while(|word| !is_python(word)).skip(1).collect();
    behind.windows(2).filter(|pair| pair[0] == "-m").any(|pair| {
        let name = pair[1].replace('.', "/");
        let mut files = [".py", "/__init__.py", "/__main__.py"].into_iter().map(|end| format!("{name}{end}"));
        files.any(|file| path.strip_suffix(&file).is_some_and(|rest| rest.is_empty() || rest.ends_with('/')))
    })
}

/// Is this a file that make includes, or a shell's script, be it there or not (`-include local.mk`, `. ./.env`)?
pub(super) fn includes(command: &str, path: &str) -> bool {
    command.strip_prefix(INCLUDED).is_some_and(|named| named.trim_start_matches("./") == path)
}

/// How a file that a makefile includes stands among the commands.
pub(super) const INCLUDED: &str = "make -f ./";

/// Does something at this path make a target of make up to date, so that nothing is run for it?
pub(super) fn stands_for_target(command: &str, path: &str) -> Option<String> {
    let target = command.strip_prefix(TARGET)?;
    let rest = path.strip_prefix(target)?;
    (rest.is_empty() || rest.starts_with('/')).then(|| target.to_owned())
}

/// How a target of make that is no name alone stands among the commands.
pub(super) const TARGET: &str = "make-target:";

/// The scripts of package.json that a command may run: only those that are there count, so options do no harm.
pub(super) fn script_names(command: &str) -> Vec<&str> {
    command_words(command).skip_while(|word| !MANAGERS.contains(word)).skip(1).collect()
}

/// A path's parts without what only walks about: `.`, `..`, folders in variables.
fn components(word: &str) -> Vec<&str> {
    let mut components = Vec::new();
    let counts =
        |part: &&str| !part.is_empty() && *part != "." && (!part.starts_with('$') || part.contains('.'));
    for part in word.split('/').filter(counts) {
        if part == ".." {
            components.pop();
        } else {
            components.push(part);
        }
    }
    components
}

/// A word that stands before the program: an assignment, a prefix, or a prefix's number.
fn is_before_program(word: &str) -> bool {
    PREFIXES.contains(&word)
        || word.starts_with('-')
        || word.contains('=')
        || word.chars().all(|character| character.is_ascii_digit())
}

/// The words of a command that could be paths or names, without their quotes.
pub(super) fn command_words(command: &str) -> impl Iterator<Item = &str> {
    let separators = |character: char| character.is_whitespace() || ";&|()<>'\"`".contains(character);
    command.split(separators).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests;
