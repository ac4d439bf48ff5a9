//! `gulf config`.

use crate::cli::ConfigArguments;
use crate::failure::Failure;

pub fn config(_arguments: &ConfigArguments) -> Result<u8, Failure> {
    Err(Failure::usage("not built yet", ""))
}
