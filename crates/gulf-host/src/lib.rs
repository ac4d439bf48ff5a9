//! gulf-host.
