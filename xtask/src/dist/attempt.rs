//! Installs what was packed for this machine into folders of their own, with an empty home and without a network, and runs
//! the demo from each.

use super::platform::Platform;
use super::release::{SUMS, digest, listed};
use super::{debian, release};
use crate::failure::Failure;
use crate::program;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a stranger's machine has at least.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Every package that can be installed here; what cannot is named.
pub(super) fn run(files: &Path) -> Result<(), Failure> {
    compare_sums(files)?;
    let scratch = tempfile::tempdir().map_err(Failure::file(std::env::temp_dir()))?;
    let (platform, version) = (Platform::here()?, super::version()?);
    let archive = files.join(format!("{}.tar.gz", release::archive_name(&version, platform.triple)));
    let folder = made(scratch.path(), "archive")?;
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(&archive).arg("-C").arg(&folder);
    program::stdout(tar)?;
    try_prefix(&folder.join(release::archive_name(&version, platform.triple)), "the archive")?;
    if let Some(architecture) = debian::architecture(&platform) {
        try_debian(&files.join(debian::file_name(&version, architecture)), scratch.path())?;
    }
    try_npm(files, scratch.path())
}

fn try_debian(package: &Path, scratch: &Path) -> Result<(), Failure> {
    let folder = made(scratch, "debian")?;
    let mut unpack = Command::new("dpkg-deb");
    unpack.arg("--extract").arg(package).arg(&folder);
    match program::stdout(unpack) {
        Err(Failure::Start { .. }) => {
            println!("SKIPPED: the Debian package, because there is no dpkg-deb here");
            Ok(())
        }
        Err(failure) => Err(failure),
        Ok(_) => try_prefix(&folder.join("usr"), "the Debian package"),
    }
}

fn try_npm(files: &Path, scratch: &Path) -> Result<(), Failure> {
    let folder = made(scratch, "npm")?;
    let packages: Vec<PathBuf> = listed(files)?
        .into_iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "tgz"))
        .collect();
    let mut install = Command::new("npm");
    install.args(["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix"]);
    install.arg(&folder).args(&packages).env("npm_config_cache", scratch.join("npm cache"));
    match program::stdout(install) {
        Err(Failure::Start { .. }) => {
            println!("SKIPPED: the npm packages, because there is no npm here");
            return Ok(());
        }
        other => other?,
    };
    try_program(&folder.join("node_modules/.bin/gulf"), "the npm packages")
}

/// With its man pages and completions in place.
fn try_prefix(prefix: &Path, what: &str) -> Result<(), Failure> {
    for path in
        ["share/man/man1/gulf.1", "share/man/man1/gulf-run.1", "share/bash-completion/completions/gulf"]
    {
        let path = prefix.join(path);
        fs::metadata(&path).map_err(Failure::file(&path))?;
    }
    try_program(&prefix.join("bin/gulf"), what)
}

fn try_program(gulf: &Path, what: &str) -> Result<(), Failure> {
    let home = tempfile::tempdir().map_err(Failure::file(std::env::temp_dir()))?;
    for arguments in [["--version"], ["demo"]] {
        let mut command = Command::new(gulf);
        command.args(arguments).env_clear().env("PATH", PATH).env("HOME", home.path());
        command.current_dir(home.path());
        let said = program::stdout(command)?;
        if arguments == ["demo"] && !said.trim_start().starts_with("verified") {
            let what = format!("the demo from {what} did not end verified:\n{said}");
            return Err(Failure::Found {
                what,
                hint: "`gulf demo` from the built binary says whether it is the package",
            });
        }
    }
    println!("installed and run: {what}");
    Ok(())
}

fn compare_sums(files: &Path) -> Result<(), Failure> {
    let sums = files.join(SUMS);
    let text = fs::read_to_string(&sums).map_err(Failure::file(&sums))?;
    for line in text.lines() {
        let (wanted, name) = line.split_once("  ").unwrap_or((line, ""));
        if digest(&files.join(name))? != wanted {
            let what = format!("{name} has another digest than {} says", sums.display());
            return Err(Failure::Found { what, hint: "pack again: `cargo xtask dist`" });
        }
    }
    Ok(())
}

fn made(parent: &Path, name: &str) -> Result<PathBuf, Failure> {
    let folder = parent.join(name);
    fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
    Ok(folder)
}
