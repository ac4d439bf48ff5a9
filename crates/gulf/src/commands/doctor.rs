//! `gulf doctor`.

use crate::cli::ReportArguments;
use crate::failure::Failure;

pub fn doctor(_arguments: &ReportArguments) -> Result<u8, Failure> {
    Err(Failure::usage("not built yet", ""))
}
