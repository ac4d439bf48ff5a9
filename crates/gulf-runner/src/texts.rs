//! What a loop reads in a project: names of texts, and how much of them.

use std::{fs, io};

use camino::Utf8Path;
use gulf_host::crash;
use gulf_host::files::{self, ReadError, WriteError};
use gulf_spec::own_texts::{OWN_TEXTS, Writer};
use gulf_spec::text::Source;

/// How much is read of a text that a person or the worker wrote.
pub const TEXT_BYTES_MAX: u64 = 1 << 20;
/// A file larger than this is named, not stored in a candidate.
pub(crate) const FILE_BYTES_MAX: u64 = 100 << 20;
/// Where criteria and checks stand, if no other file is named.
pub const RUBRIC: &str = "RUBRIC.md";
/// The path of the project's own script of checks (SPEC G16).
pub const AUTOCHECKS: &str = ".claude/autochecks.sh";

/// A text that something is decided on; none where there is no such file.
pub(crate) fn text(path: &Utf8Path) -> Result<Option<String>, ReadError> {
    let text = files::if_there(files::read_text(path, TEXT_BYTES_MAX))?;
    Ok(text.map(|text| text.content))
}

/// A text of the project's, under the name by which its places are told; none where there is no such file.
pub fn source(path: &Utf8Path, name: &str) -> Result<Option<Source>, ReadError> {
    Ok(text(path)?.map(|text| Source::new(name, &text)))
}

/// Brings the texts that the person wrote for gulf and did not commit from one checkout to another: a worker reads them.
/// Gives those that were brought.
pub(crate) fn bring_texts(from: &Utf8Path, to: &Utf8Path) -> Result<Vec<&'static str>, WriteError> {
    let mut brought = Vec::new();
    for text in OWN_TEXTS.iter().filter(|text| text.writer == Writer::Person) {
        let Ok(bytes) = files::read_bytes(&from.join(text.path), TEXT_BYTES_MAX) else { continue };
        let to = to.join(text.path);
        if to.is_symlink() || fs::read(&to).is_ok_and(|there| there == bytes) {
            continue;
        }
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder).map_err(not_written(folder))?;
        }
        fs::write(&to, &bytes).map_err(not_written(&to))?;
        crash::point("branching.text");
        brought.push(text.path);
    }
    Ok(brought)
}

pub(crate) fn not_written(path: &Utf8Path) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_owned();
    move |source| WriteError::Failed { path, action: "write", source }
}

/// The first of these lines, and how many more there are.
pub(crate) fn first_of(lines: &[String], most: usize) -> Vec<String> {
    let more = lines.len().saturating_sub(most);
    let more = (more > 0).then(|| format!("and {more} more"));
    lines.iter().take(most).cloned().chain(more).collect()
}
