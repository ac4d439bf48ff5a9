//! gulf-agents.
