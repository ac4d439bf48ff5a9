//! Ids of git's objects, each a type of its own, so that a tree can never be passed where a commit is meant.
//!
//! The engine decides about the objects that the host hands it: of one type for both nothing has to be read again on
//! the way, and neither has to know the other.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

use alloc::{borrow::ToOwned, string::String};
use core::fmt;
use serde::{Deserialize, Serialize};

/// A text that is no id of git's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {wanted}")]
pub struct NotAnId {
    pub wanted: &'static str,
    pub text: String,
}

macro_rules! object_id {
    ($(#[$doc:meta])* $name:ident, $wanted:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(String);

        impl TryFrom<String> for $name {
            type Error = NotAnId;

            /// What a record holds is taken as it is, unless git would take it for an option.
            fn try_from(text: String) -> Result<Self, NotAnId> {
                if text.starts_with('-') {
                    Err(NotAnId { wanted: $wanted, text })
                } else {
                    Ok(Self(text))
                }
            }
        }

        impl $name {
            /// Takes the text as it is: whoever has it from outside of gulf's own records parses it.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// Takes 40 (SHA-1) or 64 (SHA-256) lower-case hexadecimal digits.
            pub fn parse(text: &str) -> Result<Self, NotAnId> {
                if is_object_id(text) {
                    Ok(Self::new(text))
                } else {
                    Err(NotAnId { wanted: $wanted, text: text.to_owned() })
                }
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    };
}

object_id!(
    /// The content of a whole directory: what every verdict is about (SPEC B2).
    TreeId,
    "the id of a tree"
);
object_id!(
    /// A tree with parents and a message.
    CommitId,
    "the id of a commit"
);
object_id!(
    /// The content of one file, the target of one link, or the commit of one submodule.
    BlobId,
    "the id of a blob"
);

fn is_object_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
