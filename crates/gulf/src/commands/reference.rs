//! Pages made of the program itself: shell completions, and the reference that `cargo xtask gen` writes.

use crate::cli::{CompletionsArguments, ReferenceArguments};
use crate::failure::Failure;

pub fn completions(_arguments: &CompletionsArguments) -> Result<u8, Failure> {
    Err(Failure::usage("not built yet", ""))
}

pub fn reference(_arguments: &ReferenceArguments) -> Result<u8, Failure> {
    Err(Failure::usage("not built yet", ""))
}
