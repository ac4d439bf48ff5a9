//! crash.
