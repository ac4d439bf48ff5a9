//! Writes `docs/reference/` from what the built binary prints about itself: documentation that cannot be stale.

#[cfg(test)]
mod tests;

use crate::failure::Failure;
use crate::program;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `gulf __reference <name>` prints, and the file below `docs/reference` in which that stands.
const PAGES: [(&str, &str); 4] =
    [("cli", "cli.md"), ("config", "config.md"), ("glossary", "glossary.md"), ("schema", "gulf.schema.json")];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Write,
    Check,
}

pub(crate) fn run(mode: Mode, gulf: &Path) -> Result<(), Failure> {
    let folder = program::root().join("docs/reference");
    let mut stale = Vec::new();
    for (page, file) in PAGES {
        let path = folder.join(file);
        let fresh = print_page(gulf, page)?;
        match mode {
            Mode::Write => write(&folder, &path, &fresh)?,
            Mode::Check => stale.extend(staleness(&path, &fresh)),
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    Err(Failure::Found { what: stale.join("\n"), hint: "run `cargo xtask gen` and commit what it writes" })
}

/// The binary whose words are written, as quickly as it can be built alone.
pub(crate) fn gulf() -> Result<PathBuf, Failure> {
    // The features of the whole workspace: those of one package build every library anew.
    let arguments = ["build", "--locked", "--workspace", "--bin", "gulf"];
    program::named(&program::built(program::cargo(&arguments))?, "gulf")
}

/// Stdout only, in a fixed width and language: the page must be the same on every machine.
fn print_page(gulf: &Path, page: &str) -> Result<String, Failure> {
    let home = tempfile::tempdir().map_err(Failure::file(std::env::temp_dir()))?;
    let mut command = Command::new(gulf);
    command.args(["__reference", page]);
    command.env("GULF_HOME", home.path()).env("COLUMNS", "100").env("NO_COLOR", "1").env("LC_ALL", "C");
    let text = program::stdout(command)?;
    if text.trim().is_empty() {
        let what = format!("`gulf __reference {page}` printed nothing");
        return Err(Failure::Found { what, hint: "each page must be printed by crates/gulf" });
    }
    Ok(text)
}

fn write(folder: &Path, path: &PathBuf, fresh: &str) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(Failure::file(folder))?;
    if std::fs::read_to_string(path).is_ok_and(|text| text == fresh) {
        println!("fresh: {}", path.display());
        return Ok(());
    }
    std::fs::write(path, fresh).map_err(Failure::file(path))?;
    println!("wrote: {}", path.display());
    Ok(())
}

fn staleness(path: &Path, fresh: &str) -> Option<String> {
    let found = std::fs::read_to_string(path).unwrap_or_default();
    let difference = first_difference(&found, fresh)?;
    Some(format!("{}:{difference}", path.display()))
}

/// The first line at which two texts part, or nothing when they are the same byte for byte.
fn first_difference(found: &str, fresh: &str) -> Option<String> {
    if found == fresh {
        return None;
    }
    let same = found.lines().zip(fresh.lines()).take_while(|(old, new)| old == new).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("(end of file)").to_owned();
    Some(format!("{}: is stale: has `{}`, the binary says `{}`", same + 1, line(found), line(fresh)))
}
