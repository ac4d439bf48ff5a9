//! A release as `cargo xtask dist` packs it for this machine: each package is installed without a network, and the demo runs
//! from it. A script that calls the built gulf stands for the binary, since packing a real one takes half a minute.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use gulf_testkit::{Invocation, Sandbox, gulf, quote, skip};

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
