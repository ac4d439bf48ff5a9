//! `gulf demo`.

use crate::cli::DemoArguments;
use crate::failure::Failure;

pub fn demo(_arguments: &DemoArguments) -> Result<u8, Failure> {
    Err(Failure::usage("not built yet", ""))
}
