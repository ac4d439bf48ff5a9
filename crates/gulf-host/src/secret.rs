//! Secrets: read where they are used, kept nowhere, and never printed.
//!
//! Whoever holds one must not be able to log it by accident: a [`Secret`] shows nothing of itself, and what is said
//! around it can be cleared of it.

use std::fmt;

use camino::{Utf8Path, Utf8PathBuf};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::digest::hexadecimal;
use crate::files::{self, ReadError};
use crate::hint::Hint as _;

#[cfg(test)]
mod tests;

/// Far more than any token.
const SECRET_BYTES_MAX: u64 = 64 * 1024;
/// Shorter ones would be found everywhere, and taking them out would tell them.
const REDACTED_BYTES_MIN: usize = 4;
/// What stands where a secret stood.
const REDACTED: &str = "***";

/// A token, a key, or an address that nobody else should know.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// Why there is no secret. Nothing of it is in the message.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum SecretError {
    #[error("the variable {name} is not set")]
    #[diagnostic(help("set {name} where gulf is started"))]
    Unset { name: String },
    #[error("{place} {what}")]
    #[diagnostic(help("put the secret alone on the first line of {place}"))]
    NotOneLine { place: String, what: &'static str },
    #[error("cannot read {path}")]
    #[diagnostic(help("{}", help_with(source, path)))]
    Unreadable { path: Utf8PathBuf, source: ReadError },
}

fn help_with(error: &ReadError, path: &Utf8Path) -> String {
    error.hint().unwrap_or_else(|| format!("put the secret into {path}, alone on its first line"))
}

impl Secret {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Reads a variable of this process.
    pub fn from_variable(name: &str) -> Result<Self, SecretError> {
        let value = std::env::var_os(name).ok_or_else(|| SecretError::Unset { name: name.to_owned() })?;
        Self::from_text(&value.into_string().unwrap_or_default(), format!("the variable {name}"))
    }

    /// Reads a file; `~/` is the home.
    pub fn from_file(path: &Utf8Path) -> Result<Self, SecretError> {
        let path = at_home(path);
        match files::read_text(&path, SECRET_BYTES_MAX) {
            Ok(text) => Self::from_text(&text.content, path.into_string()),
            Err(source) => Err(SecretError::Unreadable { path, source }),
        }
    }

    fn from_text(text: &str, place: String) -> Result<Self, SecretError> {
        let unfit = |what| Err(SecretError::NotOneLine { place, what });
        match text.trim() {
            "" => unfit("is blank"),
            line if line.contains(char::is_control) => unfit("holds more than one line, or no text"),
            line => Ok(Self(line.to_owned())),
        }
    }

    /// For the one place where it is handed over.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The text with stars wherever the secret stood.
    pub fn redact(&self, text: &str) -> String {
        if self.0.len() < REDACTED_BYTES_MIN { text.to_owned() } else { text.replace(&self.0, REDACTED) }
    }

    /// HMAC-SHA256 (RFC 2104) of a message with this key, in hexadecimal digits.
    pub fn sign(&self, message: &[u8]) -> String {
        // A key of any length is one.
        let Ok(mut signing) = Hmac::<Sha256>::new_from_slice(self.0.as_bytes()) else { return String::new() };
        signing.update(message);
        hexadecimal(&signing.finalize().into_bytes())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(***)")
    }
}

/// A path below the home, where it says so; where there is none, it stays as it is and is not found.
pub fn at_home(path: &Utf8Path) -> Utf8PathBuf {
    let home = std::env::var("HOME").ok();
    match (path.as_str().strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => Utf8Path::new(&home).join(rest),
        (Some(_), None) | (None, _) => path.to_owned(),
    }
}
