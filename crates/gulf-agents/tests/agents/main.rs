//! Agents with a protocol: their lines, their recorded streams, and what they cost; streams are samples of the real
//! programs against a scripted model.

mod claude;
mod codex;
mod copilot;
mod flags;
mod gemini;
mod invocation;
mod opencode;
mod orientation;
mod prices;
mod splits;

use std::path::Path;

use gulf_agents::agents::{AgentEvent, Decoder, FailureKind, Outcome, ProcessEnd, Tool, TurnReport};

/// Compares with the golden file of this name, which a person reviews when it changes.
macro_rules! golden {
    ($name:expr, $text:expr) => {
        insta::with_settings!({ snapshot_path => "golden", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        })
    };
}
pub(crate) use golden;

fn sample(tool: Tool, file: &str) -> Vec<u8> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    #[expect(clippy::disallowed_methods, reason = "a test reads its samples")]
    std::fs::read(samples.join(tool.name()).join(file)).expect("the sample is there")
}

/// The names of all recorded streams of a tool.
fn streams(tool: Tool) -> Vec<String> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    #[expect(clippy::disallowed_methods, reason = "a test lists its samples")]
    let entries = std::fs::read_dir(samples.join(tool.name())).expect("the folder is there");
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
    let names = entries.map(|entry| name(entry).expect("a name in UTF-8"));
    let mut names: Vec<String> =
        names.filter(|name| name.ends_with(".jsonl") && !name.ends_with(".rollout.jsonl")).collect();
    names.sort();
    names
}

fn decode(tool: Tool, bytes: &[u8], end: ProcessEnd) -> (Vec<AgentEvent>, TurnReport) {
    let mut decoder = Decoder::new(tool);
    let events = decoder.push(bytes);
    (events, decoder.finish(end))
}

fn report(tool: Tool, name: &str, end: ProcessEnd) -> TurnReport {
    decode(tool, &sample(tool, &format!("{name}.jsonl")), end).1
}

/// Events and report as a golden file shows them.
fn shown(tool: Tool, name: &str, end: ProcessEnd) -> String {
    let (events, report) = decode(tool, &sample(tool, &format!("{name}.jsonl")), end);
    let events: Vec<String> = events.iter().map(|event| format!("{event:?}\n")).collect();
    format!("{}\n{report:#?}", events.concat())
}

fn kind(report: &TurnReport) -> &FailureKind {
    match &report.outcome {
        Outcome::Completed => panic!("it is not a failure"),
        Outcome::Failed(failure) => &failure.kind,
    }
}
