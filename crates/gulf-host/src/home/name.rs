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
pub enum NameError {
    #[error("a name cannot be empty")]
    Empty,
    #[error("the name is too long: {bytes} bytes, where {NAME_BYTES_MAX} are allowed")]
    TooLong { bytes: usize },
    #[error("the name {name:?} cannot contain {character:?}")]
    Character { name: String, character: char },
    #[error("the name {name:?} cannot contain {part:?}")]
    Part { name: String, part: &'static str },
    #[error("the name {name:?} cannot begin with {part:?}")]
    Beginning { name: String, part: char },
    #[error("the name {name:?} cannot end with {part:?}")]
    End { name: String, part: &'static str },
}

impl Name {
    pub fn parse(text: &str) -> Result<Name, NameError> {
        let name = || text.to_owned();
        if text.is_empty() {
            return Err(NameError::Empty);
        }
        if text.len() > NAME_BYTES_MAX {
            return Err(NameError::TooLong { bytes: text.len() });
        }
        let is_forbidden = |character: &char| {
            character.is_control() || character.is_whitespace() || FORBIDDEN.contains(character)
        };
        if let Some(character) = text.chars().find(is_forbidden) {
            return Err(NameError::Character { name: name(), character });
        }
        if let Some(part) = ["..", "@{"].into_iter().find(|part| text.contains(part)) {
            return Err(NameError::Part { name: name(), part });
        }
        // A leading hyphen would be an option to the programs that the name is handed to.
        if let Some(part) = ['.', '-'].into_iter().find(|part| text.starts_with(*part)) {
            return Err(NameError::Beginning { name: name(), part });
        }
        if let Some(part) = [".", ".lock"].into_iter().find(|part| text.ends_with(part)) {
            return Err(NameError::End { name: name(), part });
        }
        Ok(Name(name()))
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
