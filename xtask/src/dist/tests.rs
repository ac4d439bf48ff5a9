//! What is shipped says the same everywhere: version, platforms, no package in the repository's own plugin.

mod packages;
mod workflows;

use super::manifest::{self, Packed};
use super::platform::{PLATFORMS, Platform};
use super::{Order, PLUGIN, version};
use crate::program;

fn read(path: &str) -> String {
    let path = program::root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_plugin_has_the_version_of_the_workspace() {
    let line = format!("\n  \"version\": \"{}\",\n", version().unwrap());
    assert!(read("plugins/gulf-loop/.claude-plugin/plugin.json").contains(&line), "not {line}");
}

#[test]
fn what_is_shipped_is_what_the_dependencies_were_looked_through_for() {
    let deny: toml::Table = read("deny.toml").parse().unwrap();
    let targets = deny["graph"]["targets"].as_array().unwrap().iter().map(|target| target.as_str().unwrap());
    assert_eq!(targets.collect::<Vec<_>>(), PLATFORMS.map(|platform| platform.triple));
}

#[test]
fn the_plugin_of_the_repository_waits_for_no_package() {
    for name in ["package.json", "package-lock.json", "npm-shrinkwrap.json", "node_modules"] {
        assert!(!program::root().join(PLUGIN).join(name).exists(), "{name}");
    }
}

#[test]
fn every_platform_is_an_optional_dependency_of_its_own_version() {
    for text in
        [manifest::of_cli("1.2.3"), manifest::of_plugin("1.2.3"), manifest::lock_of_plugin("1.2.3", None)]
    {
        for platform in PLATFORMS {
            assert!(text.contains(&format!("\"@gulf-loop/{}\": \"1.2.3\"", platform.package())), "{text}");
        }
        assert!(!text.contains("scripts"), "{text}");
    }
}

#[test]
fn a_lock_names_the_digest_of_what_was_packed_here_only() {
    let packed = Packed { platform: PLATFORMS[1], digest: "sha512-x" };
    let lock = manifest::lock_of_plugin("1.2.3", Some(&packed));
    assert_eq!(lock.matches("\"integrity\": \"sha512-x\"").count(), 1, "{lock}");
    let entry = lock.split("node_modules/@gulf-loop/cli-linux-arm64").nth(1).unwrap();
    assert!(entry.split('}').next().unwrap().contains("integrity"), "{lock}");
}

fn build_of(words: &[&str]) -> super::Build {
    let Some(Ok(Order::Pack(build))) = Order::read(words) else { panic!("{words:?} packs nothing") };
    build
}

#[test]
fn an_order_names_target_binary_and_place_or_is_none() {
    let build = build_of(&["--target", "aarch64-apple-darwin", "--binary", "b", "--output", "o"]);
    assert_eq!((build.platform.os, build.platform.cpu), ("darwin", "arm64"));
    assert_eq!(build.target().as_deref(), Some("aarch64-apple-darwin"));
    assert_eq!((build.binary, build.output), (Some("b".into()), "o".into()));
    assert!(Order::read(&["--target"]).is_none());
    assert!(Order::read(&["--publish", "yes"]).is_none());
    assert!(Order::read(&["--glibc", "old"]).is_none());
    assert!(Order::read(&["gather", "parts"]).is_none(), "nobody said where the release will be");
    assert!(Order::read(&["--target", "sparc-sun-solaris"]).unwrap().is_err());
    assert!(Platform::here().is_ok(), "the tests run where gulf is shipped for");
    assert!(
        matches!(Order::read(&["twice", "--glibc", "2.17"]), Some(Ok(Order::Twice(build))) if build.glibc.is_some())
    );
    assert_eq!(build_of(&["npm"]).extent, super::Extent::Npm);
    assert_eq!(build_of(&[]).target(), None);
}

#[test]
fn an_old_glibc_is_named_behind_the_target() {
    let build = build_of(&["--target", "x86_64-unknown-linux-gnu", "--glibc", "2.17"]);
    assert_eq!(build.target().as_deref(), Some("x86_64-unknown-linux-gnu.2.17"));
}

#[test]
fn a_binary_names_neither_the_folder_of_its_sources_nor_cargos_nor_the_toolchains() {
    let flags = super::remapped(&program::root()).unwrap();
    let named: Vec<&str> = flags.split('\u{1f}').filter_map(|flag| flag.rsplit('=').next()).collect();
    assert_eq!(named, ["gulf", "cargo", "rust"], "{flags}");
}
