//! `gulf import`: a Ralph project's settings as gulf.toml has them (SPEC K6).
//!
//! Nothing is written unasked, and what is there is never overwritten: lines are added, and the difference is shown first.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, Durability, ReadError};
use gulf_runner::plan::{TEXT_BYTES_MAX, source};
use gulf_spec::import::{Import, ImportError, import as imported};
use gulf_spec::problem::{Problem, Weight};
use gulf_spec::ralph::RALPHRC;
use gulf_spec::ralphrc::{self, Ralphrc};
use gulf_spec::text::Source;
use similar::TextDiff;

use crate::cli::ImportArguments;
use crate::failure::{Failure, Result};
use crate::place;
use crate::screen::say;
use crate::settings::PROJECT_FILE;

pub fn import(arguments: &ImportArguments) -> Result<u8> {
    let project = place::project()?.directory;
    let from = settings(&project, &arguments.from)?;
    let read = ralphrc::parse(&from);
    let mut errors = read.problems.iter().filter(|one| one.problem.weight() == Weight::Error).peekable();
    if errors.peek().is_some() {
        return Err(Failure::places(&format!("{} cannot be taken over", arguments.from), errors));
    }
    let path = project.join(PROJECT_FILE);
    let existing = source(&path, PROJECT_FILE)?;
    let import = imported(&read, &from, existing.as_ref())?;
    tell(&read, &import);
    if import.added.is_empty() {
        errln!("nothing to write: {PROJECT_FILE} stays as it is");
        return Ok(0);
    }
    let before = existing.as_ref().map_or("", Source::text);
    let old = if existing.is_some() { format!("a/{PROJECT_FILE}") } else { "/dev/null".to_owned() };
    let difference = TextDiff::from_lines(before, &import.text);
    say(&difference.unified_diff().header(&old, &format!("b/{PROJECT_FILE}")).to_string())?;
    if !arguments.write {
        errln!("\nnothing was written: `gulf import --write` writes {PROJECT_FILE}");
        return Ok(0);
    }
    write(&path, existing.is_some(), &import.text)?;
    errln!("\n{PROJECT_FILE} is written; it outranks {}", from.name());
    Ok(0)
}

fn settings(project: &Utf8Path, from: &Utf8Path) -> Result<Source> {
    let path: Utf8PathBuf = if from == RALPHRC { project.join(from) } else { from.to_owned() };
    match files::read_text(&path, TEXT_BYTES_MAX) {
        Ok(text) => Ok(Source::new(from.as_str(), &text.content)),
        Err(error @ ReadError::Missing { .. }) => {
            Err(Failure::usage(error.to_string(), "name the file: `gulf import --from FILE`"))
        }
        Err(error) => Err(error.into()),
    }
}

/// What is not in the difference: values are no business of anybody who looks over a shoulder, so only names are told.
fn tell(read: &Ralphrc, import: &Import) {
    for one in &import.kept {
        let path = one.key.row().path;
        errln!("note: {} stays out: {PROJECT_FILE} says what `{path}` is", one.from);
    }
    for one in &read.left_out {
        let name = if one.name.contains("TOOLS") { &one.value } else { &one.name };
        errln!("note: {name} is left out: {}", one.why);
    }
    for located in &read.problems {
        errln!("note: {}: {}", located.place(), located.problem);
    }
    let files = &read.files;
    if [&files.prompt, &files.plan, &files.agent].iter().any(|file| file.is_some()) {
        errln!("note: the names of the project's texts stay in {RALPHRC}");
    }
}

/// A link is somebody's way to another file: that one is not replaced behind their back.
fn write(path: &Utf8Path, is_there: bool, text: &str) -> Result<()> {
    if path.is_symlink() {
        let hint = "write the lines above into the file that it leads to";
        return Err(Failure::usage(format!("{PROJECT_FILE} is a link"), hint));
    }
    if is_there {
        return Ok(files::replace(path, text.as_bytes(), Durability::Buffered)?);
    }
    Ok(files::create_new(path, text.as_bytes(), Durability::Synced)?)
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Settings(error) => error.into(),
            ImportError::NoPlace { .. } => Self::usage(
                error.to_string(),
                "add them yourself, or write its settings in tables: `[agent]`, `[stuck]`",
            ),
        }
    }
}
