//! The runner: decisions become host calls, and what came of them becomes events.
//!
//! It stands between the engine, which decides and cannot act, and the host, which acts and knows no loops. No rule
//! stands here: a driver asks `decide`, does what is wanted, and writes down what happened.

pub mod agreement;
pub mod amend;
mod approach;
pub mod book;
pub mod branching;
mod builds;
mod calls;
mod candidate;
pub mod channels;
pub mod checks;
pub mod claims;
pub mod cleanup;
mod comparison;
pub mod context;
pub mod drive;
mod edits;
pub mod effects;
pub mod environment;
pub mod error;
pub mod evidence;
pub mod folder;
pub mod fork;
pub mod group;
mod handing_on;
mod held_out;
pub mod isolation;
pub mod judge;
pub mod keeping;
pub mod known;
pub mod landing;
pub mod masking;
pub mod measuring;
mod memory;
pub mod notes;
pub mod observer;
mod orientation;
mod own_text;
mod own_tools;
pub mod parts;
pub mod place;
pub mod plan;
mod program;
pub mod project_folder;
pub mod prompt;
mod pushes;
pub mod ralph;
pub mod readiness;
pub mod receipt;
mod records;
mod recovery;
mod references;
pub mod resources;
pub mod room;
pub mod session;
mod snapshot;
pub mod specs;
pub mod spending;
pub mod start;
pub mod steps;
pub mod stop;
pub mod tasks;
mod texts;
mod thoughts;
pub mod trial;
pub mod trust;
pub mod turn;
pub mod uncommitted;
mod unread;
pub mod verify;
mod why;
mod worker;

/// The journal's and every sealed text's version.
pub const FORMAT_VERSION: u32 = 1;
