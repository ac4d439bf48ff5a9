//! `gulf verify`.

use crate::cli::VerifyArguments;
use crate::failure::Failure;

pub fn verify(_arguments: &VerifyArguments) -> Result<u8, Failure> {
    Err(Failure::usage("not built yet", ""))
}
