//! Loops whose worker is a session that a person opened (SPEC G3, B7): what a hook does at its start, prompts and stops.
//!
//! Here gulf is called and does not wait: between two calls no process of its own runs. The rules, the gates and the
//! journal are the same; what is kept besides says only where to find them.

mod armed;
mod ingest;
mod marker;
mod start;
mod stop;
mod turn;

pub use armed::{Answered, Armed, BRIEF, Seat};
pub use marker::{Found, MARKER, RALPH_MARKER, STATE_FILES, find, iteration, set_aside};
pub use start::{
    Bound, adopt, begin, hand_on, is_known, let_go, move_here, show, tell, terms_of, wake, was_told,
};
pub use stop::{DrivenSession, Means, Occasion, Outcome, Stopped, stop};
