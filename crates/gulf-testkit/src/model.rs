//! A model that says what a test wrote down, so that real agents can be run without an account and without a network.
//!
//! Here the agent is real: only the far end of its line is ours. One server speaks the Messages API (Claude Code,
//! Copilot CLI, OpenCode), the Responses API (Codex) and Gemini's, told apart by the path.

mod anthropic;
mod gemini;
pub(crate) mod http;
pub(crate) mod listener;
mod reply;
mod request;
mod responses;
mod script;
mod server;
mod trap;

pub use reply::{Reply, Usage};
pub use request::{Endpoint, Request};
pub use script::Script;
pub use server::ModelServer;
pub use trap::TrapProxy;
