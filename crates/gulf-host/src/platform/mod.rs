//! What differs between operating systems, one file each with the same functions.
//!
//! It stands apart so that no other file of this crate asks which system it runs on.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub use linux::*;

#[cfg(all(unix, not(target_os = "linux")))]
mod other_unix;
#[cfg(all(unix, not(target_os = "linux")))]
pub use other_unix::*;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::*;

#[cfg(unix)]
mod storage_unix;
#[cfg(unix)]
pub(crate) use storage_unix::*;

#[cfg(windows)]
mod storage_windows;
#[cfg(windows)]
pub(crate) use storage_windows::*;

#[cfg(target_os = "linux")]
mod changes_linux;
#[cfg(target_os = "linux")]
pub(crate) use changes_linux::*;

#[cfg(not(target_os = "linux"))]
mod changes_elsewhere;
#[cfg(not(target_os = "linux"))]
pub(crate) use changes_elsewhere::*;
