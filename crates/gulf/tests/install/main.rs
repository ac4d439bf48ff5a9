//! `gulf install` on settings as people have them: files in, bytes out, with the real binary and a home of its own.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on fails; clippy only knows the test functions themselves"
)]

mod bytes;
mod doctor;
#[cfg(unix)]
mod links;
mod plugin;
mod refusals;
mod rivals;
#[cfg(unix)]
mod terminal;

use std::fs;

use camino::Utf8PathBuf;
use gulf_testkit::{Invocation, Sandbox};
use serde_json::Value;

/// The binary of this build.
const GULF: &str = env!("CARGO_BIN_EXE_gulf");

const CLAUDE: &str = ".claude/settings.json";
const CODEX: &str = ".codex/hooks.json";
const COPILOT: &str = ".copilot/hooks/gulf-loop.json";

/// A home with a folder of each host's.
fn home() -> Sandbox {
    let sandbox = Sandbox::without_git();
    for folder in [".claude", ".codex", ".copilot"] {
        fs::create_dir(sandbox.home().join(folder)).unwrap();
    }
    sandbox
}

fn gulf<'a>(sandbox: &Sandbox, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
    sandbox.program(GULF, arguments)
}

/// A path below the home.
fn at(sandbox: &Sandbox, path: &str) -> Utf8PathBuf {
    sandbox.home().join(path)
}

fn put(sandbox: &Sandbox, path: &str, text: impl AsRef<[u8]>) {
    let path = at(sandbox, path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[track_caller]
fn get(sandbox: &Sandbox, path: &str) -> String {
    let path = at(sandbox, path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A file without comments, as a host reads it.
#[track_caller]
fn json(sandbox: &Sandbox, path: &str) -> Value {
    let text = get(sandbox, path);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// What stands in `commands/`, sorted.
fn commands(sandbox: &Sandbox) -> Vec<String> {
    let entries = at(sandbox, ".claude/commands").read_dir_utf8().into_iter().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().to_owned()).collect();
    names.sort();
    names
}
