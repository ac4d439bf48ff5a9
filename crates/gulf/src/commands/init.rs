//! `gulf init`.

use crate::cli::InitArguments;
use crate::failure::Failure;

pub fn init(_arguments: &InitArguments) -> Result<u8, Failure> {
    Err(Failure::usage("not built yet", ""))
}
