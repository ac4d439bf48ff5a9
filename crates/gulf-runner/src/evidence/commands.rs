//! Which words of a check's command decide what the check does.
//!
//! A shell's language is read here by its surface only: enough to find what is plainly named.

/// Programs that run the file named after them.
pub(super) const INTERPRETERS: [&str; 16] = [
    "sh", "bash", "zsh", "dash", "ksh", "source", ".", "python", "python3", "node", "deno", "bun", "ruby",
    "perl", "php", "exec",
];
/// Words before the program that is really run.
const PREFIXES: [&str; 7] = ["!", "time", "env", "exec", "command", "nice", "timeout"];
/// Endings of files that set something.
const SETTINGS: [&str; 8] = [".toml", ".ini", ".cfg", ".conf", ".json", ".yml", ".yaml", ".mk"];
/// Programs that compare files: each of them, and not one alone, is what is right.
pub(super) const COMPARING: [&str; 3] = ["diff", "cmp", "comm"];
/// Package managers that run scripts by name.
const MANAGERS: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];

/// The programs that a command runs, the files of settings that it names, and those that it compares.
pub(super) fn deciding_words(command: &str) -> Vec<&str> {
    let mut deciding = Vec::new();
    for (part, is_quoted) in parts(command) {
        let words: Vec<&str> = command_words(part).collect();
        if is_quoted && is_question(&words) {
            continue;
        }
        let mut rest = words.iter().skip_while(|word| is_before_program(word));
        if let Some(program) = rest.next() {
            deciding.push(*program);
            if INTERPRETERS.contains(program) {
                let runs_module = words.contains(&"-m");
                let mut files = rest.filter(|word| !word.starts_with('-') && **word != "run");
                deciding.extend(files.next());
                // `python -m doctest README.md`
                deciding.extend(files.filter(|word| runs_module && word.contains('.')));
            } else if COMPARING.contains(program) {
                deciding.extend(rest.filter(|word| !word.starts_with('-')));
            }
        }
        deciding.extend(words.iter().filter(|word| SETTINGS.iter().any(|ending| word.ends_with(ending))));
        // `sh -c './check.sh'` has its program within quotes.
        deciding.extend(words.iter().filter(|word| word.starts_with("./")));
    }
    deciding
}

/// Does it compare files?
pub(super) fn compares(command: &str) -> bool {
    command_words(command).any(|word| COMPARING.contains(&word))
}

/// Does this file decide only as one that is compared?
pub(super) fn is_only_compared(command: &str, path: &str) -> bool {
    let program = |part| command_words(part).find(|word| !is_before_program(word));
    let mut deciding = parts(command).into_iter().filter(|(part, _)| decides(part, path));
    deciding.all(|(part, _)| program(part).is_some_and(|program| COMPARING.contains(&program)))
}

/// Do these commands only run the examples in this file's docstrings (`python3 -m doctest a.py`)?
pub(super) fn are_examining(commands: &[String], path: &str) -> bool {
    let runs_examples = |part: &str| {
        let words: Vec<&str> = command_words(part).collect();
        words.windows(2).any(|pair| pair == ["-m", "doctest"])
    };
    let parts = commands.iter().flat_map(|command| parts(command));
    parts.filter(|(part, _)| decides(part, path)).all(|(part, _)| runs_examples(part))
}

/// Is this file only what a program of the project is given to look at (`python3 validate.py people.json`)? Then it may be the
/// work. Behind an option it sets something.
pub(super) fn is_only_given(command: &str, path: &str) -> bool {
    let is_given = |part| {
        let words: Vec<&str> = command_words(part).collect();
        let mut rest = words.iter().skip_while(|word| is_before_program(word));
        let Some(first) = rest.next() else { return false };
        let program = if INTERPRETERS.contains(first) { rest.next() } else { Some(first) };
        let place = words.iter().position(|word| file_end(word) == file_end(path)).unwrap_or_default();
        let is_own = program.is_some_and(|program| {
            !program.starts_with('-') && (program.contains('.') && file_end(program) != file_end(path))
        });
        is_own && place > 0 && !words[place - 1].starts_with('-')
    };
    parts(command).into_iter().filter(|(part, _)| decides(part, path)).all(|(part, _)| is_given(part))
}

fn file_end(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Do these scripts and commands take their functions from this file, and nothing else of it?
pub(super) fn are_sourcing(scripts: &[String], path: &str) -> bool {
    let mut deciding = scripts.iter().filter(|text| decides(text, path)).peekable();
    deciding.peek().is_some() && deciding.all(|text| is_sourced(text, path))
}

/// Does this file decide only as one that a shell takes its functions from?
fn is_sourced(command: &str, path: &str) -> bool {
    let program = |part| command_words(part).find(|word| !is_before_program(word));
    let takes = |part| program(part).is_some_and(|program| ["source", "."].contains(&program));
    // `bash -c 'source lib.sh'`
    let is_run = command.contains("sh -c ");
    let plain = command.replace("bash -c ", "").replace("sh -c ", "");
    let plain = if is_run { plain.replace(['\'', '"'], " ") } else { plain };
    parts(&plain).into_iter().filter(|(part, _)| decides(part, path)).all(|(part, _)| takes(part))
}

/// The program of a part, behind a shell's own words.
pub(super) fn called_program(part: &str) -> Option<&str> {
    const KEYWORDS: [&str; 7] = ["if", "then", "elif", "else", "while", "until", "do"];
    command_words(part).find(|word| !is_before_program(word) && !KEYWORDS.contains(word))
}

/// What a command runs one after the other, and whether another one looks at its output: as a word (`$(…)`), or as a file that
/// it compares (`<(…)`, `… | diff - expected.txt`, `… > out.txt && diff expected.txt out.txt`).
fn parts(command: &str) -> Vec<(&str, bool)> {
    let plain = plain_parts(command);
    let each = plain.iter().enumerate().map(|(at, (part, is_quoted, _))| {
        let own = if is_into_compared(&plain, part) { part.split('>').next().unwrap_or(part) } else { part };
        (own, *is_quoted || is_compared(&plain, at))
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
    command_words(part)
        .find(|word| !is_before_program(word))
        .is_some_and(|program| COMPARING.contains(&program))
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

/// A program that is asked something, and whose answer another one looks at (`test "$(python3 add.py 1 2)" = 3`), is what is
/// checked, and no check. A shell's script may be one all the same.
fn is_question(words: &[&str]) -> bool {
    let mut rest = words.iter().skip_while(|word| is_before_program(word));
    let program = rest.next().filter(|program| INTERPRETERS.contains(program));
    let file = if program.is_some() { rest.find(|word| !word.starts_with('-')) } else { program };
    let is_script = words.iter().any(|word| word.ends_with("sh"));
    file.is_some() && !is_script && rest.next().is_some()
}

/// Is the program at this path asked something? `Words` where it is never asked for a number or a variable: `verify.py all`.
pub(super) fn question(command: &str, path: &str) -> Option<AskedFor> {
    let is_value = |word: &str| word.starts_with('$') || word.chars().all(|letter| letter.is_ascii_digit());
    let asks = |(part, is_quoted): (&str, bool)| {
        let words: Vec<&str> = command_words(part).collect();
        let is_asked = is_quoted && is_question(&words) && decides(part, path);
        let of_values = words.iter().any(|word| is_value(word));
        is_asked.then_some(if of_values { AskedFor::Values } else { AskedFor::Words })
    };
    parts(command).into_iter().filter_map(asks).max()
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
    let path: Vec<&str> = path.split('/').collect();
    let is_end = |end: Vec<&str>| {
        let from = path.len().checked_sub(end.len()).filter(|_| end.iter().any(|part| !part.contains('$')));
        from.is_some_and(|from| path[from..].iter().zip(&end).all(|(part, named)| is_named_by(part, named)))
    };
    deciding_words(command).into_iter().map(components).any(is_end)
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
    let words: Vec<&str> = command_words(command).collect();
    let is_python = |word: &&str| word.rsplit('/').next().is_some_and(|name| name.starts_with("py"));
    let modules = words.windows(2).enumerate().filter(|(place, pair)| {
        let runs_module = pair[0] == "-m";
        runs_module && words[..*place].iter().any(is_python)
    });
    let mut names = modules.map(|(_, pair)| pair[1].replace('.', "/"));
    names.any(|name| {
        let files = [format!("{name}.py"), format!("{name}/__init__.py"), format!("{name}/__main__.py")];
        files.iter().any(|file| {
            path.strip_suffix(file.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        })
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
    let words: Vec<&str> = command_words(command).collect();
    let first = words.iter().position(|word| MANAGERS.contains(word));
    first.map(|first| words[first + 1..].to_vec()).unwrap_or_default()
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
