//! What people look at: pages and a live screen of the views' models, and nothing that is not in them.
//!
//! A crate of its own because a face must not decide anything: it gets a model as plain data, cannot read a journal or a
//! file (`clippy.toml`), and so cannot say something else than another face.

#![forbid(unsafe_code)]

mod change;
mod live;
mod markup;
mod page;
mod plot;
mod syntax;
mod web;

pub use live::{Action, LiveScreen, Mouse, Tab, Wish};
pub use markup::{PageTerms, TextMask};
pub use page::{night, report, stats};
pub use web::{WEB_SCRIPT, WEB_STYLE, WebFrame};
