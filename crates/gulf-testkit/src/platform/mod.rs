//! What only the operating system can tell a test: which processes are there, and how to stop one.
//!
//! The one place with platform code. Elsewhere than on Linux other processes' environments cannot be read, so a test
//! that asks for leftovers fails there instead of passing without having looked.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
pub use elsewhere::assert_dies;
#[cfg(not(target_os = "linux"))]
pub(crate) use elsewhere::{interrupt, kill, leftovers, wait_until_gone};
#[cfg(target_os = "linux")]
pub use linux::assert_dies;
#[cfg(target_os = "linux")]
pub(crate) use linux::{interrupt, kill, leftovers, wait_until_gone};

/// A process that should be gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    pub process: u32,
    /// As it was started, its arguments with spaces between.
    pub command: String,
    /// gulf's mark in its environment, if it has one.
    pub mark: Option<String>,
}

impl Leftover {
    /// As nothing survives.
    pub fn kill(&self) {
        kill(self.process);
    }
}
