//! What is packed: the same bytes from the same files, read by the programs that install them.

use super::super::archive::{ar, gzip};
use super::super::glibc::Floor;
use super::super::platform::PLATFORMS;
use super::super::{archive::Tree, binstall, debian, formula, gather, release, sbom, twice};
use crate::program;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

const SECONDS: u64 = 1_771_000_000;

fn tree() -> Tree {
    let mut tree = Tree::default();
    tree.program("bin/gulf", "#!/bin/sh\necho 'gulf 1.2.3'\n");
    tree.text("share/man/man1/gulf.1", ".TH gulf 1\n");
    tree.text("share/doc/gulf-loop/README.md", "# gulf\n");
    tree
}

fn said(program: &str, arguments: &[&str], file: &Path) -> String {
    let mut command = Command::new(program);
    command.args(arguments).arg(file).env("TZ", "UTC").env("LC_ALL", "C");
    program::stdout(command).unwrap()
}

#[test]
fn tar_reads_what_was_packed_with_its_permissions_and_one_time() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("a.tar.gz");
    fs::write(&path, gzip(tree().tar(SECONDS).unwrap()).unwrap()).unwrap();
    let listed = said("tar", &["--numeric-owner", "-tvzf"], &path);
    let lines: Vec<Vec<&str>> = listed.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0][..2], ["drwxr-xr-x", "0/0"], "{listed}");
    assert!(lines.iter().any(|line| line[0] == "-rwxr-xr-x" && line[5] == "bin/gulf"), "{listed}");
    assert!(
        lines.iter().any(|line| line[0] == "-rw-r--r--" && line[5] == "share/man/man1/gulf.1"),
        "{listed}"
    );
    assert!(lines.iter().all(|line| line[3] == "2026-02-13" && line[4] == "16:26"), "{listed}");
}

#[test]
fn two_packs_of_the_same_files_are_the_same_bytes_whatever_came_first() {
    let mut other = Tree::default();
    other.text("share/doc/gulf-loop/README.md", "# gulf\n");
    other.text("share/man/man1/gulf.1", ".TH gulf 1\n");
    other.program("bin/gulf", "#!/bin/sh\necho 'gulf 1.2.3'\n");
    let packed = |tree: &Tree| {
        let archive = gzip(tree.tar(SECONDS).unwrap()).unwrap();
        (archive, debian::package("1.2.3", "amd64", Floor::parse("2.17"), tree, SECONDS).unwrap())
    };
    let (first, second) = (packed(&tree()), packed(&other));
    assert!(first == second, "two packs differ");
    assert!(packed(&tree()).1 != debian::package("1.2.4", "amd64", None, &tree(), SECONDS).unwrap());
}

#[test]
fn dpkg_reads_the_package_and_unpacks_a_program_that_runs() {
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        return println!("SKIPPED: there is no dpkg-deb here");
    }
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("gulf-loop_1.2.3_amd64.deb");
    fs::write(&path, debian::package("1.2.3", "amd64", Floor::parse("2.17"), &tree(), SECONDS).unwrap())
        .unwrap();
    let about = said("dpkg-deb", &["--info"], &path);
    for line in [
        "Package: gulf-loop",
        "Version: 1.2.3",
        "Architecture: amd64",
        "Depends: libc6 (>= 2.17), git (>= 1:2.38)",
    ] {
        assert!(about.contains(line), "{line} is not in {about}");
    }
    let mut unpack = Command::new("dpkg-deb");
    unpack.arg("--extract").arg(&path).arg(scratch.path());
    program::stdout(unpack).unwrap();
    assert_eq!(program::stdout(Command::new(scratch.path().join("usr/bin/gulf"))).unwrap(), "gulf 1.2.3\n");
}

#[test]
fn members_of_an_odd_length_are_filled_up() {
    let archive = ar(&[("a", b"x"), ("b", b"yy")], 0);
    assert_eq!(archive.len(), 8 + 60 + 2 + 60 + 2);
    assert_eq!(&archive[68..70], b"x\n");
}

#[test]
fn the_newest_glibc_that_a_binary_names_is_the_oldest_it_runs_with() {
    let floor = |text: &str| Floor::of_binary(text.as_bytes()).map(|floor| floor.to_string());
    assert_eq!(floor("x GLIBC_2.2.5\0GLIBC_2.17\0 GLIBC_2.9\0"), Some("2.17".to_owned()));
    assert_eq!(floor("GLIBC_PRIVATE\0"), None);
    assert_eq!(floor("GLIBC_2.17 in a sentence that goes on"), None, "no name ends so");
    let here = std::env::current_exe().unwrap();
    assert!(Floor::of_binary(&fs::read(here).unwrap()).is_some(), "this test itself is linked against one");
}

#[test]
fn only_what_is_linked_in_is_in_the_bill_of_materials() {
    let dependency = |name: &str, kind: Value| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
    let package =
        |name: &str| json!({"id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0"});
    let metadata = json!({
        "packages": [package("gulf-loop"), package("linked"), package("deep"), package("tests"), package("builds")],
        "resolve": {"nodes": [
            {"id": "gulf-loop", "deps": [dependency("linked", Value::Null), dependency("tests", json!("dev"))]},
            {"id": "linked", "deps": [dependency("deep", Value::Null), dependency("builds", json!("build"))]},
            {"id": "deep", "deps": []},
        ]},
    });
    let digests = BTreeMap::from([(("deep".to_owned(), "1.0.0".to_owned()), "ab12".to_owned())]);
    let document = sbom::composed(&metadata, &digests).unwrap();
    let names: Vec<_> = document["components"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["deep", "linked"]);
    assert_eq!(document["components"][0]["hashes"][0]["content"], "ab12");
    assert_eq!(document["components"][1]["licenses"][0]["expression"], "MIT OR Apache-2.0");
    assert_eq!(document["metadata"]["component"]["purl"], "pkg:cargo/gulf-loop@1.0.0");
    assert_eq!(document["dependencies"].as_array().unwrap().len(), 3);
}

#[test]
fn the_bill_of_materials_of_gulf_names_the_crates_of_the_lock_file_with_their_digests() {
    let document: Value = serde_json::from_str(&sbom::document("x86_64-unknown-linux-gnu").unwrap()).unwrap();
    let components = document["components"].as_array().unwrap();
    let named = |name: &str| components.iter().find(|one| one["name"] == name);
    assert_eq!(named("serde").unwrap()["hashes"][0]["content"].as_str().unwrap().len(), 64);
    assert!(named("gulf-engine").is_some() && named("proptest").is_none());
    assert!(components.iter().all(|one| one["licenses"][0]["expression"] != ""), "a crate without a license");
}

#[test]
fn a_release_is_gathered_from_parts_with_sums_that_sha256sum_reads_and_a_formula() {
    let scratch = tempfile::tempdir().unwrap();
    let (parts, release) = (scratch.path().join("parts"), scratch.path().join("release"));
    let version = super::super::version().unwrap();
    for platform in PLATFORMS {
        let folder = parts.join(platform.triple);
        fs::create_dir_all(&folder).unwrap();
        fs::write(
            folder.join(format!("{}.tar.gz", release::archive_name(&version, platform.triple))),
            platform.triple,
        )
        .unwrap();
        release::write_sums(&folder).unwrap();
    }
    let from = format!("https://example.org/gulf/releases/download/v{version}");
    let manifest = binstall::manifest().unwrap();
    let named = manifest.replacen("[package]", "[package]\nrepository = \"https://example.org/gulf\"", 1);
    gather::run(&parts, &from, &release, &named).unwrap();
    let mut sums = Command::new("sha256sum");
    sums.args(["--check", "--strict", release::SUMS]).current_dir(&release);
    assert_eq!(program::stdout(sums).unwrap().matches(": OK").count(), PLATFORMS.len() + 1);
    let formula = fs::read_to_string(release.join("gulf-loop.rb")).unwrap();
    assert_eq!(formula.matches("sha256 \"").count(), PLATFORMS.len(), "{formula}");
    assert!(formula.contains("url \"https://example.org/gulf/releases/download/v"), "{formula}");
    assert!(gather::run(&scratch.path().join("release/nothing"), &from, &release, &named).is_err());
}

#[test]
fn the_formula_has_a_block_for_each_machine_and_as_many_ends_as_beginnings() {
    let archives = PLATFORMS.map(|platform| (platform, "a.tar.gz".to_owned(), "00".repeat(32)));
    let text = formula::text("1.2.3", "https://example.org", &archives);
    let words = |word: &str| text.split_whitespace().filter(|one| *one == word).count();
    assert_eq!(words("do") + words("class") + words("def"), words("end"), "{text}");
    assert_eq!(
        (words("on_macos"), words("on_linux"), words("on_arm"), words("on_intel")),
        (1, 1, 2, 1),
        "{text}"
    );
}

#[test]
fn a_release_that_cargo_binstall_would_not_find_is_refused() {
    let manifest = binstall::manifest().unwrap();
    let named = |repository: &str| {
        manifest.replacen("[package]", &format!("[package]\nrepository = \"{repository}\""), 1)
    };
    let published =
        "https://example.org/gulf/releases/download/v1.2.3/gulf-loop-1.2.3-aarch64-apple-darwin.tar.gz";
    binstall::check(&named("https://example.org/gulf"), "1.2.3", published).unwrap();
    let refused = |manifest: &str, version: &str| {
        binstall::check(manifest, version, published).unwrap_err().to_string()
    };
    let nameless = manifest.lines().filter(|line| !line.starts_with("repository"));
    assert!(refused(&nameless.collect::<Vec<_>>().join("\n"), "1.2.3").contains("names no repository"));
    assert!(refused(&named("https://example.org/other"), "1.2.3").contains("example.org/other/releases"));
    assert!(refused(&named("https://example.org/gulf"), "1.2.4").contains("gulf-loop-1.2.4"));
}

#[test]
fn files_of_two_builds_differ_by_bytes_and_by_being_there_and_the_list_of_digests_is_not_asked() {
    let scratch = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| scratch.path().join(name));
    for (folder, files) in [
        (&first, [("same", "1"), ("other", "1"), ("one", "1"), (release::SUMS, "1")]),
        (&second, [("same", "1"), ("other", "2"), ("two", "1"), (release::SUMS, "2")]),
    ] {
        fs::create_dir_all(folder).unwrap();
        for (name, text) in files {
            fs::write(folder.join(name), text).unwrap();
        }
    }
    assert_eq!(twice::different(&first, &second).unwrap(), ["one", "other", "two"]);
    assert!(twice::different(&first, &first).unwrap().is_empty());
}
