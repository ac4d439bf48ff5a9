//! Hooks of sessions that people work in: samples are the real bytes of the hosts, against a scripted model.

mod answers;
mod events;
mod hearing;
mod shown;

use std::path::{Path, PathBuf};

/// Compares with the golden file of this name, which a person reviews when it changes.
macro_rules! golden {
    ($name:expr, $text:expr) => {
        insta::with_settings!({ snapshot_path => "golden", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        })
    };
}
pub(crate) use golden;

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions/samples")
}

/// `claude/stop_first.json`
fn sample(path: &str) -> Vec<u8> {
    #[expect(clippy::disallowed_methods, reason = "a test reads its samples")]
    std::fs::read(samples().join(path)).expect("the sample is there")
}

/// The paths of all recorded events.
fn recorded() -> Vec<String> {
    let list = |folder: &str| {
        #[expect(clippy::disallowed_methods, reason = "a test lists its samples")]
        let entries = std::fs::read_dir(samples().join(folder)).expect("the folder is there");
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
        let names = entries.map(|entry| name(entry).expect("a name in UTF-8"));
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".json")).collect();
        names.sort();
        names.into_iter().map(move |name| format!("{folder}/{name}")).collect::<Vec<_>>()
    };
    ["claude", "codex", "copilot", "gemini"].into_iter().flat_map(list).collect()
}

/// An environment without a variable.
fn nothing(_: &str) -> Option<String> {
    None
}
