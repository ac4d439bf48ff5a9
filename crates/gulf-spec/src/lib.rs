//! Reads what people wrote: text in, typed values with their places out.
//!
//! A crate of its own because it must not be able to look at anything but the text it was handed: no clock, no
//! disk, no environment, no processes (`clippy.toml` lists them with reasons). The same text gives the same
//! value on every machine, so a sealed contract can be read again years later.

#![forbid(unsafe_code)]

pub mod alignment;
pub mod config;
pub mod detect;
pub mod environment;
pub mod goal;
pub mod handle;
pub mod import;
pub mod layers;
pub mod lessons;
pub mod lint;
mod markdown;
pub mod marker;
pub mod memory;
pub mod own_texts;
pub mod parts;
pub mod point;
pub mod prd;
pub mod problem;
pub mod progress;
pub mod prompts;
pub mod quantity;
pub mod ralph;
pub mod ralphrc;
pub mod reviews;
pub mod rubric;
pub mod slash_commands;
pub mod starting;
pub mod tasks;
pub mod text;
pub mod texts;
pub mod thoughts;
pub mod triggers;
