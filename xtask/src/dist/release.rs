//! The files of a release for one platform: an archive, a Debian package, the npm packages, what the binary is made of, and
//! the digest of each.

use super::archive::{self, Tree};
use super::glibc::Floor;
use super::platform::Platform;
use super::{LICENSES, debian, sbom};
use crate::failure::Failure;
use crate::{program, reference};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where each shell looks for its script, below a prefix.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/gulf"),
    ("zsh", "share/zsh/site-functions/_gulf"),
    ("fish", "share/fish/vendor_completions.d/gulf.fish"),
];
pub(super) const SUMS: &str = "SHA256SUMS";
const EPOCH_VARIABLE: &str = "SOURCE_DATE_EPOCH";

/// What is packed.
pub(super) struct Product<'a> {
    pub(super) platform: Platform,
    pub(super) version: &'a str,
    pub(super) binary: &'a Path,
    pub(super) npm: &'a Path,
    /// Where its texts are, and the time of its last commit.
    pub(super) sources: &'a Path,
}

/// The name of the archive, without its ending; its files lie in a folder of this name.
pub(super) fn archive_name(version: &str, triple: &str) -> String {
    format!("gulf-loop-{version}-{triple}")
}

/// Writes them into an empty folder, and says which.
pub(super) fn pack(product: &Product<'_>, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let Product { platform, version, binary, npm, sources } = *product;
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(Failure::file(folder))?;
    }
    let seconds = seconds(sources);
    let program = fs::read(binary).map_err(Failure::file(binary))?;
    let floor = Floor::of_binary(&program);
    let files = tree(product, program)?;
    let name = archive_name(version, platform.triple);
    let mut below = Tree::default();
    below.add(&format!("{name}/"), &files);
    archive::write(&folder.join(format!("{name}.tar.gz")), &archive::gzip(below.tar(seconds)?)?)?;
    if let Some(architecture) = debian::architecture(&platform) {
        let package = debian::package(version, architecture, floor, &files, seconds)?;
        archive::write(&folder.join(debian::file_name(version, architecture)), &package)?;
    }
    let parts = sbom::document(platform.triple)?;
    archive::write(&folder.join(format!("{name}.cdx.json")), parts.as_bytes())?;
    for package in listed(npm)?.iter().filter(|path| path.extension().is_some_and(|end| end == "tgz")) {
        let to = folder.join(package.file_name().unwrap_or_default());
        super::copy(package, &to)?;
    }
    write_sums(folder)?;
    if let Some(floor) = floor {
        println!("runs with glibc {floor} and newer");
    }
    listed(folder)
}

/// Everything below a prefix such as `/usr`.
fn tree(product: &Product<'_>, program: Vec<u8>) -> Result<Tree, Failure> {
    let Product { platform, binary, sources, .. } = *product;
    // One for another machine cannot be asked; the texts are the same.
    let here = Platform::here().is_ok_and(|here| here == platform);
    let gulf = if here { binary.to_owned() } else { reference::gulf()? };
    let mut files = Tree::default();
    files.program("bin/gulf", program);
    for (shell, path) in COMPLETIONS {
        files.text(path, asked(&gulf, &["completions", shell])?);
    }
    let pages = tempfile::tempdir().map_err(Failure::file(std::env::temp_dir()))?;
    let folder = pages.path().to_string_lossy().into_owned();
    asked(&gulf, &["__man", &folder])?;
    for page in listed(pages.path())? {
        let name = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.text(&format!("share/man/man1/{name}"), fs::read(&page).map_err(Failure::file(&page))?);
    }
    for name in LICENSES.into_iter().chain(["README.md", "README.ko.md", "CHANGELOG.md"]) {
        let path = sources.join(name);
        files.text(&format!("share/doc/gulf-loop/{name}"), fs::read(&path).map_err(Failure::file(&path))?);
    }
    Ok(files)
}

/// In a fixed width and language, and without a home of its own.
fn asked(gulf: &Path, arguments: &[&str]) -> Result<String, Failure> {
    let home = tempfile::tempdir().map_err(Failure::file(std::env::temp_dir()))?;
    let mut command = Command::new(gulf);
    command.args(arguments).env("GULF_HOME", home.path());
    command.env("COLUMNS", "100").env("NO_COLOR", "1").env("LC_ALL", "C");
    program::stdout(command)
}

/// The time that all files have: that of the last commit, or what whoever builds again says.
fn seconds(sources: &Path) -> u64 {
    let said = std::env::var(EPOCH_VARIABLE).ok();
    let committed = || {
        let mut git = Command::new("git");
        git.args(["log", "-1", "--format=%ct"]).current_dir(sources);
        program::stdout(git).ok()
    };
    said.or_else(committed).and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

/// As `sha256sum --check` reads it.
pub(super) fn write_sums(folder: &Path) -> Result<(), Failure> {
    let mut text = String::new();
    for path in listed(folder)?.iter().filter(|path| path.file_name().is_some_and(|name| name != SUMS)) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let _ = writeln!(text, "{}  {name}", digest(path)?);
    }
    archive::write(&folder.join(SUMS), text.as_bytes())
}

/// In hexadecimal digits.
pub(super) fn digest(path: &Path) -> Result<String, Failure> {
    let bytes = fs::read(path).map_err(Failure::file(path))?;
    Ok(Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The files in a folder, in the order of their names.
pub(super) fn listed(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(Failure::file(folder))? {
        let path = entry.map_err(Failure::file(folder))?.path();
        if path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
