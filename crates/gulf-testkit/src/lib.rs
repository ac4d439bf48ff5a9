//! gulf-testkit.
