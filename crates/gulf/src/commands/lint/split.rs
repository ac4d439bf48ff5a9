//! `gulf lint --split`: writes the rubrics of loops that follow each other.
//!
//! It stands apart because it is the one thing by which `gulf lint` changes something: all files or none, and never
//! over one that is there.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, Durability};
use gulf_runner::error::RunError;
use gulf_runner::plan::RUBRIC;
use gulf_spec::lint::split;
use gulf_spec::rubric;
use gulf_spec::text::Source;
use gulf_views::{Palette, Tone, one_line};

use crate::failure::Failure;

/// What became of the request.
#[derive(Debug)]
pub(super) enum Written {
    NotAsked,
    /// One loop is enough for so many criteria.
    NotNeeded {
        criteria: usize,
    },
    /// What does not count would be lost.
    Refused {
        name: String,
    },
    /// From the project's top, or whole where they lie outside.
    Files(Vec<Utf8PathBuf>),
}

/// Writes into a folder, which is relative to where the person stands.
pub(super) fn write(
    project: &Utf8Path,
    source: Option<&Source>,
    folder: &Utf8Path,
) -> Result<Written, Failure> {
    let Some(source) = source else {
        return Err(Failure::usage(
            format!("there is no {RUBRIC} to split"),
            "write its criteria first, or name another file with `--rubric`",
        ));
    };
    let rubric = rubric::parse(source);
    if rubric.errors().next().is_some() {
        return Ok(Written::Refused { name: source.name().to_owned() });
    }
    let texts = split(&rubric);
    if texts.len() < 2 {
        return Ok(Written::NotNeeded { criteria: rubric.criteria.len() });
    }
    let path = |number: usize| folder.join(format!("RUBRIC-{number}.md"));
    if let Some(there) = (1..=texts.len()).map(path).find(|path| path.symlink_metadata().is_ok()) {
        return Err(Failure::usage(
            format!("{there} is there already; nothing was written"),
            "name another folder, or move it away",
        ));
    }
    let failed = |error: std::io::Error| Failure::world(&error, None);
    std::fs::create_dir_all(folder).map_err(failed)?;
    // `gulf run --rubric` understands paths from the project's top, and whole ones.
    let whole = folder.canonicalize_utf8().map_err(failed)?;
    let shown = whole.strip_prefix(project).unwrap_or(&whole);
    let mut written = Vec::new();
    for (text, number) in texts.iter().zip(1..) {
        let path = path(number);
        files::create_new(&path, text.as_bytes(), Durability::Synced).map_err(RunError::from)?;
        written.extend(path.file_name().map(|name| shown.join(name)));
    }
    Ok(Written::Files(written))
}

impl Written {
    pub(super) fn is_refused(&self) -> bool {
        matches!(self, Self::Refused { .. })
    }

    pub(super) fn paths(&self) -> Vec<&str> {
        match self {
            Self::Files(paths) => paths.iter().map(|path| path.as_str()).collect(),
            Self::NotAsked | Self::NotNeeded { .. } | Self::Refused { .. } => Vec::new(),
        }
    }

    pub(super) fn told(&self) -> String {
        match self {
            Self::NotAsked => String::new(),
            Self::NotNeeded { criteria } => {
                format!("\nOne loop is enough for {criteria} criteria: nothing was written.\n")
            }
            Self::Refused { name } => {
                format!("\nNothing was written: fix the errors in {} first.\n", one_line(name))
            }
            Self::Files(paths) => {
                let mut text = String::from("\nWritten, one loop after another:\n");
                for path in paths {
                    let command = format!("gulf run --rubric {path}");
                    text.push_str(&format!(
                        "  {}\n",
                        Tone::Literal.paint(&one_line(&command), Palette::Colour)
                    ));
                }
                text
            }
        }
    }
}
