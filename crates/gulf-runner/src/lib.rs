//! gulf-runner.
