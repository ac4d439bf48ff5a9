//! Names of things, each a type of its own, so that one can never be passed where another is meant.

use alloc::string::String;
use core::fmt;
pub use gulf_names::{CommitId, TreeId};
use serde::{Deserialize, Serialize};

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Wraps the text as it is; whoever reads it from outside has checked its form.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
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

text_id! {
    /// One run towards one goal, across pauses and restarts: `2026-02-13T1430_login-feature`.
    LoopId
}
text_id! {
    /// A SHA-256, in lower-case hexadecimal.
    Digest
}
text_id! {
    /// A check's name, unique within a contract.
    CheckName
}

/// A unit of work: a task, or the whole goal where there is no task list. Counted from zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitId(pub u32);
