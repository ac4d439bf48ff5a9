//! Lays out under `target/dist` what would be published: npm packages with a binary, the plugin that brings them, and the
//! files of a release.
//!
//! Nothing is published here. The plugin in the repository itself names no packages: as long as those are not there, a
//! host would wait a minute for what cannot come.

mod archive;
mod attempt;
mod binstall;
mod debian;
mod formula;
mod gather;
mod glibc;
mod manifest;
mod order;
mod platform;
mod release;
mod sbom;
#[cfg(test)]
mod tests;
mod twice;

use crate::failure::Failure;
use crate::program;
use manifest::{Packed, SCOPE};
pub(crate) use order::Order;
use order::{Build, Extent};
use release::Product;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// In Cargo.toml: how what is published is built, and measured.
pub(crate) const PROFILE: &str = "packed";
const LICENSES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];
const PLUGIN: &str = "plugins/gulf-loop";
const LAUNCHER: &str = include_str!("dist/launcher.js");
/// Below the output: what a release has to offer, and nothing else.
const FILES: &str = "files";

pub(crate) fn run(order: &Order) -> Result<(), Failure> {
    match order {
        Order::Pack(build) => pack_all(build),
        Order::Twice(build) => twice::run(build),
        Order::Try { output } => attempt::run(&output.join(FILES)),
        Order::Gather { parts, from, output } => {
            gather::run(parts, from, &output.join("release"), &binstall::manifest()?)
        }
    }
}

/// Builds, lays out, packs, and says what is where.
fn pack_all(order: &Build) -> Result<(), Failure> {
    let version = version()?;
    let binary = match &order.binary {
        Some(binary) => binary.clone(),
        None => {
            let root = &order.sources;
            let target =
                std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
            build(order, root, &target)?
        }
    };
    let npm = order.output.join("npm");
    let package = lay_out_platform(order, &version, &binary, &npm)?;
    let launcher = lay_out_cli(order, &version, &npm)?;
    let digest = pack(&package, &npm)?;
    if digest.is_none() || pack(&launcher, &npm)?.is_none() {
        println!("SKIPPED: packing, because there is no npm here");
    }
    let packed = digest.as_deref().map(|digest| Packed { platform: order.platform, digest });
    let plugin = lay_out_plugin(order, &version, packed.as_ref())?;
    for folder in [package, launcher, plugin] {
        println!("laid out: {}", folder.display());
    }
    if order.extent == Extent::Everything {
        let (platform, sources) = (order.platform, order.sources.as_path());
        let product = Product { platform, version: &version, binary: &binary, npm: &npm, sources };
        for file in release::pack(&product, &order.output.join(FILES))? {
            println!("packed: {}", file.display());
        }
    }
    Ok(())
}

/// The version of the workspace, which every package and the plugin have.
pub(crate) fn version() -> Result<String, Failure> {
    let path = program::root().join("Cargo.toml");
    let text = fs::read_to_string(&path).map_err(Failure::file(&path))?;
    let manifest: toml::Table = text.parse().unwrap_or_default();
    let version = manifest.get("workspace").and_then(|workspace| workspace.get("package"));
    let version = version.and_then(|package| package.get("version")).and_then(toml::Value::as_str);
    version.map(str::to_owned).ok_or(Failure::Found {
        what: format!("{} says no version", path.display()),
        hint: "`[workspace.package]` `version`",
    })
}

/// Builds the sources in `root`, and says where the binary is below `target`.
fn build(order: &Build, root: &Path, target: &Path) -> Result<PathBuf, Failure> {
    let chore = if order.glibc.is_some() { "zigbuild" } else { "build" };
    let mut arguments = vec![chore, "--profile", PROFILE, "--locked", "--package", "gulf-loop"];
    let triple = order.target();
    if let Some(triple) = &triple {
        arguments.extend(["--target", triple]);
    }
    let mut cargo = program::cargo(&arguments);
    cargo.current_dir(root).env("CARGO_TARGET_DIR", target);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", remapped(root)?).env("CARGO_INCREMENTAL", "0");
    let finished = program::run(cargo, program::Echo::Live)?;
    if finished.exit == program::Exit::Failure {
        return Err(Failure::Found {
            what: "gulf was not built".to_owned(),
            hint: "`rustup target add` gets the library of another target; its linker is yours to install, and `--glibc` wants cargo-zigbuild and zig",
        });
    }
    // zigbuild names the folder without the version of glibc.
    let folder = if triple.is_some() { target.join(order.platform.triple) } else { target.to_owned() };
    Ok(folder.join(PROFILE).join("gulf"))
}

/// Flags by which the binary has the same bytes in whatever folder, and names no folder of whoever built it. The sources of
/// the standard library are below the toolchain where `rust-src` is installed.
fn remapped(root: &Path) -> Result<String, Failure> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "sysroot"]).current_dir(root);
    let sysroot = program::stdout(rustc)?;
    let home =
        std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    let root = root.display().to_string();
    let folders = [Some((root, "gulf")), home.ok().map(|home| (home, "cargo"))];
    let folders = folders.into_iter().flatten().chain([(sysroot.trim().to_owned(), "rust")]);
    let flags: Vec<String> =
        folders.map(|(path, name)| format!("--remap-path-prefix={path}={name}")).collect();
    Ok(flags.join("\u{1f}"))
}

fn lay_out_platform(order: &Build, version: &str, binary: &Path, npm: &Path) -> Result<PathBuf, Failure> {
    let platform = &order.platform;
    let package = fresh(order, npm, &platform.package())?;
    write(&package.join("package.json"), &manifest::of_platform(platform, version))?;
    let about = format!(
        "# {SCOPE}/{}\n\nThe gulf binary for {}. `{}` takes it.\n",
        platform.package(),
        platform.triple,
        manifest::LAUNCHER,
    );
    write(&package.join("README.md"), &about)?;
    let to = package.join("bin").join("gulf");
    copy(binary, &to)?;
    make_executable(&to)?;
    Ok(package)
}

fn lay_out_cli(order: &Build, version: &str, npm: &Path) -> Result<PathBuf, Failure> {
    let package = fresh(order, npm, manifest::LAUNCHER)?;
    write(&package.join("package.json"), &manifest::of_cli(version))?;
    copy(&order.sources.join("README.md"), &package.join("README.md"))?;
    let launcher = package.join("bin/gulf.js");
    write(&launcher, LAUNCHER)?;
    make_executable(&launcher)?;
    Ok(package)
}

/// The plugin of the repository, and what makes its host fetch the binary: one name of the lock file is for plugins that
/// come from git, the other for those that come from npm.
fn lay_out_plugin(order: &Build, version: &str, packed: Option<&Packed<'_>>) -> Result<PathBuf, Failure> {
    let plugin = fresh(order, &order.output, "plugin")?;
    copy_folder(&order.sources.join(PLUGIN), &plugin)?;
    write(&plugin.join("package.json"), &manifest::of_plugin(version))?;
    for name in ["package-lock.json", "npm-shrinkwrap.json"] {
        write(&plugin.join(name), &manifest::lock_of_plugin(version, packed))?;
    }
    Ok(plugin)
}

/// An empty folder with the licenses in it.
fn fresh(order: &Build, parent: &Path, name: &str) -> Result<PathBuf, Failure> {
    let folder = parent.join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(Failure::file(&folder))?;
    }
    for license in LICENSES {
        copy(&order.sources.join(license), &folder.join(license))?;
    }
    Ok(folder)
}

/// Makes the tarball that would be published, and gives its digest as lock files write it. `None` without npm.
fn pack(package: &Path, to: &Path) -> Result<Option<String>, Failure> {
    let mut npm = Command::new("npm");
    npm.args(["pack", "--json", "--ignore-scripts", "--pack-destination"]).arg(to).current_dir(package);
    match program::stdout(npm) {
        Ok(said) => {
            let after = said.split_once("\"integrity\": \"").map(|(_, rest)| rest);
            let digest = after.and_then(|rest| rest.split_once('"')).map(|(digest, _)| digest.to_owned());
            digest.map(Some).ok_or_else(|| Failure::Found {
                what: format!("npm says no digest of {}", package.display()),
                hint: "is this npm older than 7?",
            })
        }
        Err(Failure::Start { .. }) => Ok(None),
        Err(failure) => Err(failure),
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    make_parent(path)?;
    fs::write(path, text).map_err(Failure::file(path))
}

/// With its permissions.
fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    make_parent(to)?;
    fs::copy(from, to).map(drop).map_err(Failure::file(from))
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), Failure> {
    for entry in fs::read_dir(from).map_err(Failure::file(from))? {
        let entry = entry.map_err(Failure::file(from))?;
        let (path, copied) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_folder(&path, &copied)?;
        } else {
            copy(&path, &copied)?;
        }
    }
    Ok(())
}

fn make_parent(path: &Path) -> Result<(), Failure> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).map_err(Failure::file(parent))
}

fn make_executable(path: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(Failure::file(path))
}
