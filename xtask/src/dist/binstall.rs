//! Checks that cargo-binstall will find each archive of a release where it is published.

use crate::failure::Failure;
use crate::program;
use std::fs;

const MANIFEST: &str = "crates/gulf/Cargo.toml";

/// The manifest of the package that cargo-binstall installs.
pub(super) fn manifest() -> Result<String, Failure> {
    let path = program::root().join(MANIFEST);
    fs::read_to_string(&path).map_err(Failure::file(&path))
}

/// Refuses a release whose manifest names no repository, or leads cargo-binstall to another address than `published`.
pub(super) fn check(manifest: &str, version: &str, published: &str) -> Result<(), Failure> {
    let manifest: toml::Table = manifest.parse().unwrap_or_default();
    let package = manifest.get("package");
    let Some(repository) = package.and_then(|package| package.get("repository")?.as_str()) else {
        return Err(Failure::Found {
            what: format!("{MANIFEST} names no repository, so cargo-binstall finds no release"),
            hint: "add `repository = \"https://…\"` to its `[package]`: the address under which this release is published",
        });
    };
    let template =
        package.and_then(|package| package.get("metadata")?.get("binstall")?.get("pkg-url")?.as_str());
    let address = template.unwrap_or_default().replace("{ repo }", repository.trim_end_matches('/'));
    let address = address.replace("{ version }", version);
    // What is left of the template is the target, which the archive's name ends with.
    let (before, after) = address.split_once("{ target }").unwrap_or((&address, ""));
    if published.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).is_some() {
        return Ok(());
    }
    Err(Failure::Found {
        what: format!("cargo-binstall looks for {address}, and the release has {published}"),
        hint: "`repository` and `pkg-url` in crates/gulf/Cargo.toml, or `--from`, name another place",
    })
}
