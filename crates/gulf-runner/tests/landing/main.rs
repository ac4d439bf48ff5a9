//! Loops land on a base branch that others move, too: real processes, real git, scripted workers.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

mod crashes;
mod lanes;
mod own_base;
mod parts;
mod remote;
mod stories;
mod withdrawal;
