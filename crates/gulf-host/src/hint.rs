//! What a person can do about an error: its help, where it has one.
//!
//! An error tells its help by the derive that tells its text, and callers want it or nothing.

use miette::Diagnostic;

/// An error that may know what helps.
pub trait Hint: Diagnostic {
    /// What the person can do about it; a blank help is none.
    fn hint(&self) -> Option<String> {
        self.help().map(|help| help.to_string()).filter(|help| !help.is_empty())
    }
}

impl<E: Diagnostic> Hint for E {}
