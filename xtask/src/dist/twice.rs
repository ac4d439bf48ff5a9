//! Builds the last commit in two folders and compares every file that is packed, byte for byte.

use super::release::{SUMS, listed};
use super::{Build, FILES, build, pack_all};
use crate::failure::Failure;
use crate::program;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Of different lengths, so that a path in the binary moves what follows it.
const FOLDERS: [&str; 2] = ["one", "another-folder"];

pub(super) fn run(order: &Build) -> Result<(), Failure> {
    let mut packed = Vec::new();
    for name in FOLDERS {
        let folder = order.output.join("twice").join(name);
        let sources = folder.join("sources");
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(Failure::file(&folder))?;
        }
        clone(&sources)?;
        let binary = build(order, &sources, &folder.join("target"))?;
        let output = folder.join("dist");
        pack_all(&Build { binary: Some(binary), output: output.clone(), sources, ..order.clone() })?;
        packed.push(output.join(FILES));
    }
    let [first, second] = packed.as_slice() else { return Ok(()) };
    let different = different(first, second)?;
    if different.is_empty() {
        println!("same bytes: {} files of two builds", listed(first)?.len());
        return Ok(());
    }
    Err(Failure::Found {
        what: format!("two builds of one commit differ in {}", different.join(", ")),
        hint: "`diffoscope` shows what differs; the files are below target/dist/twice",
    })
}

/// The last commit: what is not committed, nobody else could build. Its texts are packed as well, since the tree here may
/// change in the half hour that two builds take.
fn clone(to: &Path) -> Result<(), Failure> {
    let mut git = Command::new("git");
    git.args(["clone", "--quiet", "--local"]).arg(program::root()).arg(to);
    program::stdout(git).map(drop)
}

/// The names of files that only one folder has, or that have other bytes in the other one. The list of digests differs
/// whenever another file does.
pub(super) fn different(first: &Path, second: &Path) -> Result<Vec<String>, Failure> {
    let names = |folder: &Path| -> Result<BTreeSet<OsString>, Failure> {
        Ok(listed(folder)?.iter().filter_map(|path| path.file_name().map(Into::into)).collect())
    };
    let all: BTreeSet<OsString> = names(first)?.union(&names(second)?).cloned().collect();
    let bytes = |folder: &Path, name: &OsString| fs::read(folder.join(name)).ok();
    let differ = all.iter().filter(|name| *name != SUMS && bytes(first, name) != bytes(second, name));
    Ok(differ.map(|name| name.to_string_lossy().into_owned()).collect())
}
