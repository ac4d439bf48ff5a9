//! `gulf clean`.

use crate::cli::CleanArguments;
use crate::failure::Failure;

pub fn clean(_arguments: &CleanArguments) -> Result<u8, Failure> {
    Err(Failure::usage("not built yet", ""))
}
