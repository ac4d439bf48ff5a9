//! What is done with the bytes of a fuzzer: every parser of gulf, and what must hold whatever it was given.
//!
//! A crate of its own because a fuzzer needs a nightly's flags and the tests do not: `fuzz/` hands random bytes to
//! these functions, `tests/seeds.rs` hands them the seeds at every run of the tests, so that no target rots.

#![forbid(unsafe_code)]

mod judges;
mod lists;
mod records;
mod sessions;
mod texts;
mod tools;
mod typed;

pub use judges::{judge_record, verdict};
pub use lists::tasks;
pub use records::{contract, journal_file, journal_line, receipt, request_file};
pub use sessions::{hook_event, session_file};
pub use texts::{config, detect, progress, prompt_template, quantities, rubric};
pub use tools::{agent_stream, measurements, promise, reports, sources};
pub use typed::{spoken, state_file};

/// What became of the bytes; both are fine, but a target all of whose seeds are refused looks at nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// They were understood.
    Read,
    /// They were not, and it was said why.
    Refused,
}

/// The body of a target.
pub type Body = fn(&[u8]) -> Outcome;

/// Every target of `fuzz/targets/`, by name.
pub const TARGETS: [(&str, Body); 23] = [
    ("agent_stream", agent_stream),
    ("config", config),
    ("contract", contract),
    ("detect", detect),
    ("hook_event", hook_event),
    ("journal_file", journal_file),
    ("journal_line", journal_line),
    ("judge_record", judge_record),
    ("measurements", measurements),
    ("progress", progress),
    ("promise", promise),
    ("prompt_template", prompt_template),
    ("quantities", quantities),
    ("receipt", receipt),
    ("reports", reports),
    ("request_file", request_file),
    ("rubric", rubric),
    ("session_file", session_file),
    ("sources", sources),
    ("spoken", spoken),
    ("state_file", state_file),
    ("tasks", tasks),
    ("verdict", verdict),
];

/// The line between two parts of one input.
const SEPARATOR: &[u8] = b"\n-----\n";

/// The parts of an input that is several files.
fn parts(bytes: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(SEPARATOR.len()).position(|window| window == SEPARATOR) {
        parts.push(&rest[..at]);
        rest = &rest[at + SEPARATOR.len()..];
    }
    parts.push(rest);
    parts
}

/// Understood, if so.
fn read_if(understood: bool) -> Outcome {
    if understood { Outcome::Read } else { Outcome::Refused }
}
