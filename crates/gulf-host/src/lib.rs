//! gulf-host.
pub mod crash;
pub mod platform;
