//! The commands around a loop, as a stranger types them: the real binary with a home and a state of its own.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on fails; clippy only knows the test functions themselves"
)]

mod align;
mod asking;
mod branches;
mod clean;
mod config;
mod contract;
mod doctor;
#[cfg(unix)]
mod glance;
mod init;
mod lint;
mod man;
mod mcp;
mod public_forms;
mod questions;
mod ralph;
mod reference;
mod report;
mod schema;
#[cfg(unix)]
mod terminal;

use gulf_testkit::{Invocation, Sandbox};

/// The binary of this build in the sandbox's repository.
fn gulf<'a>(sandbox: &Sandbox, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
    sandbox.program(env!("CARGO_BIN_EXE_gulf"), arguments)
}

/// What a folder holds, sorted.
fn names(directory: &camino::Utf8Path) -> Vec<String> {
    let mut names: Vec<String> =
        directory.read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect();
    names.sort();
    names
}

/// One JSON document on stdout.
fn document(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}
