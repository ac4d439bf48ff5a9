//! How gulf comes to a host of sessions: the plugin's shim, the hosts' own commands, `gulf install`, and npm packages.
//!
//! Here no loop runs: what is shown is that gulf is called at all, with every byte that it must be called with.

mod hosts;
mod installed;
mod packages;
mod registry;
mod shim;
mod trust;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_testkit::{Sandbox, quote, repository_root};
use serde_json::Value;

/// The plugin in this repository.
fn plugin() -> Utf8PathBuf {
    repository_root().join("plugins/gulf-loop")
}

/// A program of ours in the place of gulf.
fn script(path: &Utf8Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A gulf that only writes down which events it was called with, one after the other.
#[derive(Debug)]
struct Recorder {
    program: Utf8PathBuf,
    events: Utf8PathBuf,
}

impl Recorder {
    fn new(sandbox: &Sandbox) -> Recorder {
        let (program, events) = (sandbox.path("recorder/gulf"), sandbox.path("recorder/events"));
        // A line is written in one go, because hooks run at the same time.
        let text = format!("event=$(cat)\nprintf '%s\\n' \"$event\" >> {}", quote(events.as_str()));
        script(&program, &text);
        Recorder { program, events }
    }

    /// The events of one name, the oldest first.
    #[track_caller]
    fn events(&self, name: &str) -> Vec<Value> {
        let text = fs::read_to_string(&self.events).unwrap_or_default();
        let events = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        events.filter(|event| event["hook_event_name"] == name).collect()
    }
}
