//! `gulf pause`, `gulf cancel` and `gulf steer`: what a person asks of a loop at any time.

use gulf_engine::Act;
use gulf_host::clock::Clock;
use gulf_runner::group;

use crate::cli::{ActArguments, SteerArguments};
use crate::failure::Failure;
use crate::in_session::adopt::{self, AdoptedFor};
use crate::out::say_note;
use crate::requests::put;
use crate::{input, place};

pub fn pause(arguments: &ActArguments) -> Result<u8, Failure> {
    ask(arguments.id.as_deref(), &Act::Pause)
}

pub fn cancel(arguments: &ActArguments) -> Result<u8, Failure> {
    ask(arguments.id.as_deref(), &Act::Cancel)
}

pub fn steer(arguments: &SteerArguments) -> Result<u8, Failure> {
    ask(arguments.id.as_deref(), &Act::Steer { note: input::given(&arguments.note, "the note")? })
}

/// Asks the loop that is meant.
fn ask(id: Option<&str>, asked: &Act) -> Result<u8, Failure> {
    let place = place::here()?;
    // Whoever looks at a session's stop holds the checkout for as long as that takes: a loop that is known is asked at once.
    if place::open_here(&place)?.is_empty() {
        for told in adopt::in_project(&place, AdoptedFor::Acting, &Clock::new())? {
            say_note(told);
        }
    }
    if id.is_some() {
        return put(&place, &place::unfinished(&place, id)?, asked);
    }
    // Who names none of several that work together means all of them.
    let one = place::unfinished_group(&place)?;
    let mut code = 0;
    for known in group::together(&one, &place::known(&place, None)?) {
        code = code.max(put(&place, &known, asked)?);
    }
    Ok(code)
}
