//! gulf-host.
pub mod clock;
pub mod crash;
pub mod digest;
pub mod files;
pub mod home;
pub mod journal;
pub mod lock;
pub mod platform;
pub mod watch;

#[cfg(test)]
mod places;
