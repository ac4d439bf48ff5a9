//! Code in another language: whether it names something protected and writes.
//!
//! It stands apart because no language is understood here. A protected path as a whole string, and anywhere a word
//! that writes, is enough; a string that is plainly handed to something that reads or compares is not counted.

use super::Verdict;
use super::ground::{Entry, Ground};
use super::shell::Shell;
use super::value::Value;

/// Words that write, in lower case.
const WRITING: [&str; 35] = [
    "write",
    "unlink",
    "remove",
    "rmtree",
    "rename",
    "os.replace",
    "shutil.",
    "copyfile",
    "copyto",
    "chmod",
    "truncate",
    "rmsync",
    "rmdir",
    ".rm(",
    "fs.rm",
    "fs.cp",
    "symlink",
    "touch",
    "put_contents",
    "fileutils",
    "file.delete",
    "appendfile",
    "\"rm",
    "'rm",
    "\"mv",
    "'mv",
    "sed -i",
    "tee ",
    "'>",
    "\">",
    "r+\"",
    "r+'",
    "outputstream",
    "dump(",
    "print >",
];

/// Words that take a folder with all that is in it.
const TAKING: [&str; 9] =
    ["rmtree", "rmsync", "fs.rm", "rm_r", "rm -", "rename", "move(", "shutil.move", "file.delete"];

/// Words that run a command, which stands in a string with its arguments.
const RUNNING: [&str; 7] =
    ["system", "subprocess", "popen", "child_process", "execsync", "spawn", "shell_exec"];

/// Words before a bracket that read or compare what stands in it.
const READING: [&str; 28] = [
    "read",
    "readfile",
    "readfilesync",
    "readlines",
    "read_text",
    "file_get_contents",
    "load",
    "exists",
    "existssync",
    "isfile",
    "is_file",
    "stat",
    "statsync",
    "getsize",
    "print",
    "log",
    "replace",
    "replaceall",
    "sub",
    "gsub",
    "split",
    "startswith",
    "endswith",
    "includes",
    "index",
    "find",
    "count",
    "error",
];

/// Modes in which files are opened to be written.
const MODES: [&str; 3] = ["w", "a", "x"];

/// Strings that are compared with what is protected.
const STRINGS_MAX: usize = 1000;

/// Strings that are followed as commands, and how long they may be.
const COMMANDS_MAX: usize = 64;
const COMMAND_BYTES_MAX: usize = 4096;

/// Objects to code that writes something it names.
pub(super) fn judge(shell: &mut Shell<'_>, program: &str, code: &str) -> Verdict {
    let lower = code.to_lowercase();
    if !names_any(shell.ground(), &lower) {
        return Ok(());
    }
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if has(&RUNNING) {
        let is_within =
            |mention: &Mention<'_>| !mention.is_string() && names_any(shell.ground(), mention.text);
        let named: Vec<Mention<'_>> = mentions(&lower).filter(is_within).take(COMMANDS_MAX).collect();
        for command in named.iter().filter_map(Mention::string) {
            shell.run_below(command)?;
        }
    }
    let is_awk_that_writes = program.ends_with("awk") && lower.contains('>');
    if !has(&WRITING) && !opens_to_write(&lower) && !is_awk_that_writes {
        return Ok(());
    }
    let is_named = |mention: &Mention<'_>| mention.is_string() && names_any(shell.ground(), mention.text);
    let strings: Vec<Mention<'_>> = mentions(&lower).filter(is_named).take(STRINGS_MAX).collect();
    let takes = has(&TAKING);
    let counted = strings.iter().filter(|mention| !mention.is_read());
    for mention in counted {
        if let Some(entry) =
            meant(shell, mention, takes).or_else(|| joined(shell.ground(), mention, &strings))
        {
            return Err(entry.offence(format!("this `{program}` code names it and writes")));
        }
    }
    Ok(())
}

/// The protected thing that the string is the path of; a folder only if folders are taken.
fn meant<'ground>(shell: &mut Shell<'ground>, mention: &Mention<'_>, takes: bool) -> Option<&'ground Entry> {
    let path = Value::literal(mention.text);
    let is_folder = shell.ground().is_protected_folder(&path, shell.folder());
    let written = shell.written(&path).filter(|_| takes || !is_folder);
    // A dot or two are more often punctuation than a path.
    let is_path = takes && mention.text.len() > 2;
    written.or_else(|| if is_path { shell.taken(&path) } else { None })
}

/// A cheap look before a dear one. A folder above will do, within the project or at its top.
fn names_any(ground: &Ground, lower: &str) -> bool {
    let top = ground.project().map_or(0, |project| project.len());
    ground.entries().iter().any(|entry| {
        let first = top.min(entry.names.len()).saturating_sub(1);
        entry.names[first..].iter().any(|name| lower.contains(name.as_str()))
    })
}

/// `join(".claude", "autochecks.sh")`: the last name here, and each name above it somewhere.
fn joined<'ground>(
    ground: &'ground Ground,
    mention: &Mention<'_>,
    strings: &[Mention<'_>],
) -> Option<&'ground Entry> {
    let project = ground.project()?;
    ground.entries().iter().find(|entry| {
        let own = entry.names.strip_prefix(&**project).unwrap_or_default();
        let Some((last, above @ [_, ..])) = own.split_last() else { return false };
        let is_there = |name: &String| strings.iter().any(|string| string.text == name);
        !entry.is_folder && mention.text == last && above.iter().all(is_there)
    })
}

/// `"w"`, `'ab'`, `"x+"` as a whole string.
fn opens_to_write(lower: &str) -> bool {
    ['"', '\''].iter().any(|quote| {
        lower.split(*quote).any(|piece| {
            let mode = piece.trim_end_matches(['b', 't', '+']);
            piece.len() <= 3 && MODES.contains(&mode)
        })
    })
}

/// Something in code that could be a path.
#[derive(Clone, Copy, Debug)]
struct Mention<'code> {
    code: &'code str,
    text: &'code str,
    before: &'code str,
    after: &'code str,
}

fn mentions(code: &str) -> impl Iterator<Item = Mention<'_>> {
    let is_of_path = |character: char| character.is_alphanumeric() || "._-/\\~:".contains(character);
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &code[at..];
        let start = at + rest.find(is_of_path)?;
        let length = code[start..].find(|character| !is_of_path(character)).unwrap_or(code.len() - start);
        at = start + length;
        Some(Mention { code, text: &code[start..at], before: &code[..start], after: &code[at..] })
    })
}

impl<'code> Mention<'code> {
    /// A whole string, or what Perl opens with the mode before it.
    fn is_string(&self) -> bool {
        const QUOTES: [char; 3] = ['"', '\'', '`'];
        let opened = self.before.trim_end_matches([' ', '>']);
        let opens =
            self.before.ends_with(QUOTES) || (self.before.ends_with(['>', ' ']) && opened.ends_with(QUOTES));
        opens && self.after.starts_with(QUOTES)
    }

    /// The string that this is a part of, if it begins and ends on this line.
    fn string(&self) -> Option<&'code str> {
        let line = self.before.rfind('\n').map_or(0, |at| at + 1);
        let mut open = None;
        for (at, character) in self.before[line..].char_indices() {
            match open {
                None if matches!(character, '"' | '\'') => open = Some((line + at + 1, character)),
                Some((_, quote)) if character == quote => open = None,
                None | Some(_) => {}
            }
        }
        let (start, quote) = open?;
        let end = self.before.len() + self.text.len() + self.after.find([quote, '\n'])?;
        (end - start <= COMMAND_BYTES_MAX).then(|| &self.code[start..end])
    }

    /// Handed to something that reads or compares it.
    fn is_read(&self) -> bool {
        let before = self.before.trim_end_matches(['"', '\'', '`', 'r', 'f', 'b', 'u']).trim_end();
        let after = self.after.trim_start_matches(['"', '\'', '`']).trim_start();
        let is_compared = ["==", "!="].iter().any(|sign| before.ends_with(sign) || after.starts_with(sign));
        if is_compared || after.starts_with("in ") {
            return true;
        }
        let Some(call) = before.strip_suffix('(') else { return false };
        let start = call.rfind(|character: char| !character.is_alphanumeric() && character != '_');
        let (object, callee) = call.split_at(start.map_or(0, |at| at + 1));
        match callee {
            "open" => is_mode_to_read(after),
            "path" => [").read", ").exists", ").stat", ").is_", ").open()"]
                .iter()
                .any(|call| after.starts_with(call)),
            "replace" => !object.ends_with("os."),
            _ => READING.contains(&callee),
        }
    }
}

/// What stands behind the path in `open(…)`.
fn is_mode_to_read(after: &str) -> bool {
    let mode = after.trim_start_matches([',', ' ', '"', '\'']);
    let letters = mode.split(['"', '\'']).next().unwrap_or_default();
    after.starts_with(')')
        || mode.starts_with("encoding")
        || (mode.starts_with(['r', 'b', 't']) && !letters.contains('+'))
}
