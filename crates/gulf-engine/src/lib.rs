//! gulf-engine.
