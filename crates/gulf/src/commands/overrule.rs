//! `gulf approve` and `gulf reject`: a person's own word about the last candidate.
//!
//! It stands apart from the other acts because a waiver must be a person's beyond doubt (DESIGN invariant 8): besides
//! the descent of the process, standard input must be a terminal.

use std::io::IsTerminal;

use gulf_runner::claims::{Asked, Caller};

use crate::cli::OverruleArguments;
use crate::failure::Failure;
use crate::{input, place, requests};

pub fn approve(arguments: &OverruleArguments) -> Result<u8, Failure> {
    overrule(
        arguments.id.as_deref(),
        &Asked::Approve { reason: input::given(&arguments.reason, "the reason")? },
    )
}

pub fn reject(arguments: &OverruleArguments) -> Result<u8, Failure> {
    overrule(
        arguments.id.as_deref(),
        &Asked::Reject { reason: input::given(&arguments.reason, "the reason")? },
    )
}

fn overrule(id: Option<&str>, asked: &Asked) -> Result<u8, Failure> {
    if Caller::of_this_process() != Caller::Person {
        return requests::ask_as_worker(id, asked);
    }
    if !std::io::stdin().is_terminal() {
        return Err(Failure::usage(
            format!(
                "only a person at a terminal may {} a candidate, and standard input is none",
                asked.word()
            ),
            "type it in a terminal of your own",
        ));
    }
    let place = place::here()?;
    requests::put(&place, &place::unfinished(&place, id)?, asked)
}
