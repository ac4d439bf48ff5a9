//! `gulf skip`: a person gives the task in hand up, and the loop goes on with the next one.
//!
//! It stands apart from the other acts because it is written down for the tasks that follow.

use gulf_engine::End;
use gulf_runner::claims::{Asked, Caller};
use gulf_runner::start;

use super::act;
use crate::cli::SkipArguments;
use crate::failure::Failure;
use crate::place;

pub fn skip(arguments: &SkipArguments) -> Result<u8, Failure> {
    let id = arguments.id.as_deref();
    if Caller::of_this_process() != Caller::Person {
        return act::ask_as_worker(id, &Asked::Skip);
    }
    let place = place::here()?;
    let known = place::unfinished(&place, id)?;
    let code = act::put(&place, &known, &Asked::Skip)?;
    let place = place::of_loop(&place, &known)?;
    let checkout = start::take_checkout(&place, known.name.as_str())?;
    let held = start::hold(&place, &known.name, checkout)?;
    held.workshop.log_given_up(&known.fold, &End::Cancelled, arguments.because.as_deref());
    Ok(code)
}
