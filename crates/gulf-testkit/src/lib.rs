//! What tests of the whole product need: a sandbox, a scripted worker with an outside tally, real agents with a scripted
//! model, and eyes for what is left.
//!
//! A crate of its own because it knows gulf only from outside, as a person and a worker know it: it may import none of
//! our crates, so nothing it checks can be true only inside the code that is checked.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails, and says where")]

mod agent;
#[cfg(unix)]
mod browser;
mod disk;
mod gulf;
mod journal;
mod judge;
mod meeting;
pub mod model;
mod platform;
mod programs;
#[cfg(unix)]
mod real_agents;
mod samples;
mod sandbox;
mod script;
mod slack;
mod standing;
mod tally;
#[cfg(unix)]
mod terminal;
mod turn;
mod webhook;

pub use agent::FakeAgent;
#[cfg(unix)]
pub use browser::{Browser, Window};
pub use disk::Disk;
pub use gulf::{Finished, Invocation, Started};
pub use journal::{LoopFolder, parse_lines};
pub use judge::FakeJudge;
pub use meeting::{Bell, Meeting};
pub use platform::{Leftover, assert_dies};
pub use programs::{
    axe, bubblewrap, chromium, claude, codex, copilot, fake_agent, gemini, gulf, opencode, pytest, quote,
    repository_root, skip,
};
#[cfg(unix)]
pub use real_agents::{OtherAgent, RealAgents};
pub use samples::Sample;
pub use sandbox::Sandbox;
pub use script::{Script, Step, Turn};
pub use slack::{Fault, SlackCall, SlackServer};
pub use standing::Standing;
pub use tally::{Tally, TallyLine};
#[cfg(unix)]
pub use terminal::{Key, Size, Terminal};
pub use turn::{has_turn, in_turn, one_in_turn};
pub use webhook::{Delivered, WebhookServer};
