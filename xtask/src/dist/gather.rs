//! One release of what each platform's machine has packed: all files together, one list of digests, the Homebrew formula.

use super::platform::PLATFORMS;
use super::release::{SUMS, archive_name, digest, listed, write_sums};
use super::{archive, binstall, formula};
use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};

/// `parts` holds a folder for each platform, or the files themselves; `from` is where the release will be found, and
/// `manifest` the text that tells cargo-binstall where to look.
pub(super) fn run(parts: &Path, from: &str, release: &Path, manifest: &str) -> Result<(), Failure> {
    if release.exists() {
        fs::remove_dir_all(release).map_err(Failure::file(release))?;
    }
    for file in below(parts)? {
        let name = file.file_name().unwrap_or_default();
        if name != SUMS {
            super::copy(&file, &release.join(name))?;
        }
    }
    let version = super::version()?;
    let mut archives = Vec::new();
    for platform in PLATFORMS {
        let name = format!("{}.tar.gz", archive_name(&version, platform.triple));
        if release.join(&name).is_file() {
            archives.push((platform, name.clone(), digest(&release.join(name))?));
        }
    }
    if archives.is_empty() {
        let what = format!("{} has no archive of gulf {version}", parts.display());
        return Err(Failure::Found { what, hint: "`cargo xtask dist` writes it into target/dist/files" });
    }
    for (_, name, _) in &archives {
        binstall::check(manifest, &version, &format!("{}/{name}", from.trim_end_matches('/')))?;
    }
    let text = formula::text(&version, from.trim_end_matches('/'), &archives);
    archive::write(&release.join("gulf-loop.rb"), text.as_bytes())?;
    write_sums(release)?;
    println!("gathered: {}", release.display());
    Ok(())
}

fn below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = listed(folder)?;
    for entry in fs::read_dir(folder).map_err(Failure::file(folder))? {
        let path = entry.map_err(Failure::file(folder))?.path();
        if path.is_dir() {
            found.extend(below(&path)?);
        }
    }
    Ok(found)
}
