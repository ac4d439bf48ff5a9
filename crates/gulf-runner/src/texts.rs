//! What a loop reads in a project: names of texts, and how much of them.

use camino::Utf8Path;
use gulf_host::files::{self, ReadError};
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
