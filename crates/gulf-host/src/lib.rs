//! The only crate that touches the operating system: processes, git, the journal, locks, files, time.
//!
//! It knows no loops: nothing here decides, and everything here can be called twice.

#[cfg(not(unix))]
compile_error!("gulf needs Unix processes and files; on Windows, build and run it in WSL2");

pub mod ancestry;
pub mod birthmark;
pub mod clock;
pub mod crash;
pub mod digest;
pub mod files;
pub mod git;
pub mod hint;
pub mod home;
pub mod http;
pub mod isolation;
pub mod journal;
pub mod leftovers;
pub mod lock;
#[cfg(test)]
#[path = "tests/places.rs"]
mod places;
pub mod platform;
pub mod ports;
pub mod process;
pub mod programs;
pub mod provision;
pub mod random;
pub mod secret;
pub mod signals;
pub mod signature;
pub mod watch;
