//! What a person is told outside of gulf's own screens, and what their answer means (SPEC A6).
//!
//! A question must read the same wherever it is shown, and what somebody types into a chat must become a decision
//! only where it cannot mean anything else.

pub mod answer;
mod notice;
pub mod slack;

pub use notice::{Answers, Notice, NoticeKind, Takes};

#[cfg(test)]
mod tests;
