//! One name that is safe as a folder and as a part of a git ref.
//!
//! Such names come from people and from other programs, and a name with a `..` in it would lead out of gulf's home.

use std::fmt;

/// How long a name may be: file systems allow 255 bytes, and lock files and refs add to it.
const NAME_BYTES_MAX: usize = 200;
/// What git refuses in refs, and Windows in file names.
const FORBIDDEN: &[char] = &['/', '\\', ':', '~', '^', '?', '*', '[', '<', '>', '"', '|'];

/// A repository's key or a loop's id, as the name of a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

/// Why a text cannot be a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NameError(String);

impl Name {
    pub fn parse(name: &str) -> Result<Name, NameError> {
        let is_forbidden = |character: &char| {
            character.is_control() || character.is_whitespace() || FORBIDDEN.contains(character)
        };
        let why = if name.is_empty() {
            "a name cannot be empty".to_owned()
        } else if name.len() > NAME_BYTES_MAX {
            let bytes = name.len();
            format!("the name is too long: {bytes} bytes, where {NAME_BYTES_MAX} are allowed")
        } else if let Some(character) = name.chars().find(is_forbidden) {
            format!("the name {name:?} cannot contain {character:?}")
        } else if let Some(part) = ["..", "@{"].into_iter().find(|part| name.contains(part)) {
            format!("the name {name:?} cannot contain {part:?}")
        } else if let Some(part) = ['.', '-'].into_iter().find(|part| name.starts_with(*part)) {
            // A leading hyphen would be an option to the programs that the name is handed to.
            format!("the name {name:?} cannot begin with {part:?}")
        } else if let Some(part) = [".", ".lock"].into_iter().find(|part| name.ends_with(part)) {
            format!("the name {name:?} cannot end with {part:?}")
        } else {
            return Ok(Name(name.to_owned()));
        };
        Err(NameError(why))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
