//! Locks, journals and files between real processes, some of which are killed.
#![expect(clippy::unwrap_used, reason = "a test that cannot start its processes has failed")]

mod crash;
mod lock;
mod ports;
