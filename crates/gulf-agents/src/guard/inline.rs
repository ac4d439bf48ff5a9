//! Code in another language: whether it names something protected and writes.
//!
//! It stands apart because no language is understood here. A protected path as a whole string, and anywhere a word
//! that writes, is enough; a string that is plainly handed to something that reads is not counted.

use super::Verdict;
use super::ground::{Entry, Folder, Ground};
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

/// Words that run a command, which may stand in a string with its arguments.
const RUNNING: [&str; 7] = ["system(", "subprocess", "popen", "exec(", "execsync", "spawn", "`"];

/// Words before a bracket that read what stands in it.
const READING: [&str; 15] = [
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
    "stat",
    "statsync",
    "getsize",
    "print",
    "log",
];

/// Modes in which files are opened to be written.
const MODES: [&str; 3] = ["w", "a", "x"];

/// Objects to code that writes something it names.
pub(super) fn judge(ground: &Ground, folder: Option<&Folder>, program: &str, code: &str) -> Verdict {
    if !mentions_any(ground, code) {
        return Ok(());
    }
    let lower = code.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let writes = has(&WRITING) || opens_to_write(&lower) || (program.ends_with("awk") && lower.contains('>'));
    if !writes {
        return Ok(());
    }
    let (takes, runs) = (has(&TAKING), has(&RUNNING));
    let mentions: Vec<Mention<'_>> = mentions(&lower).collect();
    let counted = mentions.iter().filter(|mention| runs || (mention.is_string() && !mention.is_read()));
    for mention in counted {
        let path = Value::literal(mention.text);
        let folder_itself = ground.is_protected_folder(&path, folder);
        let found = ground.written(&path, folder).filter(|_| takes || !folder_itself);
        let above = || ground.taken(&path, folder).filter(|_| takes && mention.text.len() > 2);
        if let Some(entry) = found.or_else(above).or_else(|| joined(ground, mention, &mentions)) {
            return Err(entry.offence(format!("this `{program}` code names it and writes")));
        }
    }
    Ok(())
}

/// A cheap look before a dear one.
fn mentions_any(ground: &Ground, code: &str) -> bool {
    let lower = code.to_lowercase();
    ground.entries().iter().any(|entry| {
        let own = ground.project().map_or(0, |project| project.len().min(entry.names.len()));
        // A folder above it will do, within the project or at its top.
        entry.names[own.saturating_sub(1)..].iter().any(|name| lower.contains(name.as_str()))
    })
}

/// `join(".claude", "autochecks.sh")`: the last name here, and each name above it somewhere.
fn joined<'ground>(
    ground: &'ground Ground,
    mention: &Mention<'_>,
    all: &[Mention<'_>],
) -> Option<&'ground Entry> {
    let project = ground.project()?;
    ground.entries().iter().find(|entry| {
        let own = entry.names.strip_prefix(&**project).unwrap_or_default();
        let Some((last, above @ [_, ..])) = own.split_last() else { return false };
        let is_there = |name: &String| all.iter().any(|mention| mention.is_string() && mention.text == name);
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
        Some(Mention { text: &code[start..at], before: &code[..start], after: &code[at..] })
    })
}

impl Mention<'_> {
    /// A whole string, or what Perl opens with the mode before it.
    fn is_string(&self) -> bool {
        const QUOTES: [char; 3] = ['"', '\'', '`'];
        let opens = self.before.ends_with(QUOTES) || self.before.trim_end().ends_with('>');
        opens && self.after.starts_with(QUOTES)
    }

    /// Handed to something that reads it.
    fn is_read(&self) -> bool {
        let before = self.before.trim_end_matches(['"', '\'', '`', 'r', 'f', 'b', 'u']);
        let after = self.after.trim_start_matches(['"', '\'', '`']).trim_start();
        let Some(call) = before.trim_end().strip_suffix('(') else { return false };
        let start = call.rfind(|character: char| !character.is_alphanumeric() && character != '_');
        let callee = &call[start.map_or(0, |at| at + 1)..];
        let is_mode_to_read = || {
            let mode = after.trim_start_matches([',', ' ', '"', '\'']);
            after.starts_with(')')
                || mode.starts_with("encoding")
                || mode.starts_with(['r', 'b', 't'])
                    && !mode.split(['"', '\'']).next().unwrap_or("").contains('+')
        };
        match callee {
            "open" => is_mode_to_read(),
            "path" => [").read", ").exists", ").stat", ").is_", ").open()"]
                .iter()
                .any(|call| after.starts_with(call)),
            _ => READING.contains(&callee),
        }
    }
}
