//! A release as `cargo xtask dist` packs it for this machine: each package is installed without a network, and the demo runs
//! from it. A script that calls the built gulf stands for the binary, since packing a real one takes half a minute.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use gulf_testkit::{FakeAgent, Invocation, Sample, Sandbox, gulf, quote, repository_root, skip};

use crate::{exit, mend, run_right};

/// Cargo finds its registry by these, wherever the sandbox's home is.
const HOMES: [(&str, &str); 2] = [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")];

fn xtask<'a>(sandbox: &Sandbox, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
    let xtask = gulf().with_file_name("xtask");
    assert!(xtask.is_file(), "xtask is not built beside {}\nhint: cargo build -p xtask", gulf());
    let home = std::env::var("HOME").unwrap();
    let said =
        |(name, folder): (&str, &str)| std::env::var(name).unwrap_or_else(|_| format!("{home}/{folder}"));
    HOMES
        .into_iter()
        .fold(sandbox.program(xtask.as_str(), arguments), |call, one| call.variable(one.0, said(one)))
        .variable("CARGO_NET_OFFLINE", "true")
        .variable("npm_config_offline", "true")
        .variable("npm_config_cache", sandbox.path("npm cache"))
        .variable("npm_config_update_notifier", "false")
}

fn packed(sandbox: &Sandbox, output: &str) -> bool {
    if !Command::new("npm").arg("--version").output().is_ok_and(|output| output.status.success()) {
        skip("npm is not here, so no package is installed");
        return false;
    }
    let binary = sandbox.path("binary");
    fs::write(&binary, format!("#!/bin/sh\nexec {} \"$@\"\n", quote(gulf().as_str()))).unwrap();
    fs::set_permissions(&binary, fs::Permissions::from_mode(0o755)).unwrap();
    let arguments = ["dist", "--binary", binary.as_str(), "--output", output];
    xtask(sandbox, arguments).run().expect_exit(0).says("packed: ").does_not_panic();
    true
}

#[test]
fn every_package_of_a_release_is_installed_and_runs_the_demo() {
    let sandbox = Sandbox::without_git();
    let output = sandbox.path("dist");
    if !packed(&sandbox, output.as_str()) {
        return;
    }
    let tried = xtask(&sandbox, ["dist", "try", "--output", output.as_str()]).run().expect_exit(0);
    drop(tried.says("installed and run: the archive").says("installed and run: the npm packages"));
    let version = env!("CARGO_PKG_VERSION");
    let archives: Vec<String> = output
        .join("files")
        .read_dir_utf8()
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_owned())
        .filter(|name| name.starts_with(&format!("gulf-loop-{version}-")) && name.ends_with(".tar.gz"))
        .collect();
    let [archive] = archives.as_slice() else { panic!("{archives:?}") };
    let path = output.join("files").join(archive);
    let mut bytes = fs::read(&path).unwrap();
    bytes.push(0);
    fs::write(&path, bytes).unwrap();
    let refused = xtask(&sandbox, ["dist", "try", "--output", output.as_str()]).run().expect_exit(1);
    drop(refused.says(archive).says("another digest"));
}

#[test]
fn a_release_that_is_packed_again_is_the_same_bytes() {
    let sandbox = Sandbox::without_git();
    let (first, second) = (sandbox.path("first"), sandbox.path("second"));
    if !packed(&sandbox, first.as_str()) {
        return;
    }
    assert!(packed(&sandbox, second.as_str()));
    let sums = |output: &camino::Utf8Path| fs::read_to_string(output.join("files/SHA256SUMS")).unwrap();
    assert!(sums(&first).lines().count() >= 4, "{}", sums(&first));
    assert_eq!(sums(&first), sums(&second));
}

/// The words of docs/install.md, in the order in which they stand there.
fn removal() -> String {
    let page = fs::read_to_string(repository_root().join("docs/install.md")).unwrap();
    let (_, after) = page.split_once("## Removing gulf").unwrap();
    let script = after.split("```").nth(1).unwrap().strip_prefix("sh\n").unwrap();
    let own = "~/.local/state/gulf";
    assert!(after.contains("gulf install claude --uninstall") && after.contains(own), "{after}");
    script.to_owned()
}

/// Everything that gulf may have touched: the repository's references and settings, and the home with its texts.
fn traces(sandbox: &Sandbox) -> Vec<String> {
    let repository = sandbox.git(["for-each-ref", "--format=%(refname)"]);
    let files = ["config", "info/exclude"].map(|name| sandbox.read(&format!(".git/{name}")));
    let status = sandbox.git(["status", "--porcelain", "--ignored"]);
    let home = sandbox.program("find", [sandbox.home().as_str(), "-type", "f"]).run().stdout;
    let mut home: Vec<&str> = home.lines().collect();
    home.sort_unstable();
    [repository, status].into_iter().chain(files).chain(home.into_iter().map(str::to_owned)).collect()
}

#[test]
fn whoever_removes_gulf_as_the_guide_says_keeps_their_work_and_no_trace_of_it() {
    let sandbox = Sandbox::with(&Sample::shell());
    fs::create_dir_all(sandbox.home().join(".claude")).unwrap();
    fs::write(sandbox.home().join(".claude/settings.json"), "{\"model\": \"opus\"}\n").unwrap();
    let before = traces(&sandbox);
    sandbox.gulf(["install", "claude"]).run().expect_exit(0);
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    sandbox.gulf(["land"]).run().expect_exit(0);
    assert_ne!(traces(&sandbox), before, "nothing was there to remove");
    let folder = gulf().parent().unwrap().to_owned();
    let script = format!("set -e; export PATH={}:\"$PATH\"\n{}", quote(folder.as_str()), removal());
    sandbox.program("sh", ["-c", &script]).run().expect_exit(0);
    sandbox.gulf(["install", "claude", "--uninstall"]).run().expect_exit(0);
    fs::remove_dir_all(sandbox.state()).unwrap();
    assert_eq!(traces(&sandbox), before);
    assert_eq!(sandbox.read("value.txt"), "right\n");
    sandbox.assert_nothing_left();
}
