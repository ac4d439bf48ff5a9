//! The commands, one file for each family.

pub mod act;
pub mod align;
pub mod claim;
pub mod clean;
pub mod config;
pub mod demo;
pub mod discard;
pub mod doctor;
pub mod feedback;
pub mod glance;
pub mod hook;
pub mod import;
pub mod init;
pub mod install;
pub mod land;
pub mod lint;
pub mod log;
pub mod mcp;
pub mod reference;
pub mod report;
pub mod run;
pub mod status;
pub mod travel;
pub mod trust;
pub mod ui;
pub mod verify;
pub mod web;

use serde_json::Value;

use crate::failure::Result;
use crate::screen::say;

/// Prints what a command found: for a person, or as the document that a program asks for by `--json`.
fn tell(json: bool, document: impl FnOnce() -> Value, text: impl FnOnce() -> String) -> Result<u8> {
    say(&if json { format!("{}\n", document()) } else { text() })?;
    Ok(0)
}
