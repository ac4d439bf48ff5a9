//! The files by which Claude Code knows `/gulf-loop:start` and the others without a plugin.
//!
//! These are whole files of gulf's beside files of other people: what is not gulf's is never written over.

use camino::{Utf8DirEntry, Utf8Path, Utf8PathBuf};

macro_rules! texts {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../../../../plugins/gulf-loop/skills/", $name, "/SKILL.md")))),*]
    };
}

/// The texts of the plugin's own skills: the model reads the same words either way.
const TEXTS: [(&str, &str); 13] = texts![
    "align", "answer", "autopilot", "cancel", "clean", "help", "ralph", "resume", "start",
    "start-autonomous", "start-parallel", "start-with-judge", "status"
];

/// How every command of ours, and of the original, is named.
const PREFIX: &str = "gulf-loop:";

/// A comment in the front matter, by which gulf knows its own files again.
const MARK: &str = "# Written by `gulf install`, which rewrites and removes it.";

/// A command's file that is there.
#[derive(Debug)]
pub(super) struct CommandFile {
    pub(super) path: Utf8PathBuf,
    pub(super) text: String,
}

impl CommandFile {
    /// Did gulf write it, in this version or another?
    pub(super) fn is_ours(&self) -> bool {
        self.text.lines().nth(1) == Some(MARK)
    }
}

/// The files of ours in Claude Code's folder, with what stands in them.
pub(super) fn wanted(folder: &Utf8Path) -> impl Iterator<Item = (Utf8PathBuf, String)> {
    let folder = folder.join("commands");
    TEXTS.iter().map(move |(name, text)| {
        let rest = text.strip_prefix("---\n").unwrap_or(text);
        (folder.join(format!("{PREFIX}{name}.md")), format!("---\n{MARK}\n{rest}"))
    })
}

/// Every file that is named like a command of ours or of the original, sorted; one that cannot be read has no text, and
/// so is not ours.
pub(super) fn present(folder: &Utf8Path) -> Vec<CommandFile> {
    let entries = folder.join("commands").read_dir_utf8().into_iter().flatten().flatten();
    let is_named = |path: &Utf8PathBuf| {
        path.extension() == Some("md") && path.file_name().is_some_and(|name| name.starts_with(PREFIX))
    };
    let paths = entries.map(Utf8DirEntry::into_path).filter(is_named);
    let read = |path: &Utf8PathBuf| std::fs::read_to_string(path).unwrap_or_default();
    let mut files: Vec<CommandFile> = paths.map(|path| CommandFile { text: read(&path), path }).collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}
