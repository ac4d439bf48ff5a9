//! What tools say, in gulf's words: outputs of test runners, test sources, and the words of a worker.
//!
//! It is pure, bytes in and values out: the same output is read the same way on every machine and at every replay.
//! Nothing here knows a clock, a disk, an environment or a process (`clippy.toml` forbids them), so every reading can
//! be tested with a recorded output, whole or cut anywhere.

pub mod address;
pub mod agents;
pub mod approach;
pub mod channels;
pub mod command;
pub mod coverage;
pub mod differing;
pub mod findings;
pub mod guard;
pub mod judge;
pub mod masking;
pub mod measure;
mod patterns;
pub mod reports;
pub mod selection;
pub mod sessions;
mod shortening;
pub mod sources;
pub mod status_block;
