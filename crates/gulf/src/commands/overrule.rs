//! `gulf approve` and `gulf reject`: a person's own word about the last candidate.
//!
//! It stands apart from the other acts because a waiver must be a person's beyond doubt (DESIGN invariant 8): besides
//! the descent of the process, standard input must be a terminal.

use std::io::IsTerminal;

use gulf_engine::{Act, End, Stage};
use gulf_runner::claims::{self, Caller};
use gulf_runner::place::PlaceOfWork;

use crate::cli::OverruleArguments;
use crate::failure::Failure;
use crate::{input, place, requests};

pub fn approve(arguments: &OverruleArguments) -> Result<u8, Failure> {
    overrule(
        arguments.id.as_deref(),
        &Act::Approve { reason: input::given(&arguments.reason, "the reason")? },
    )
}

pub fn reject(arguments: &OverruleArguments) -> Result<u8, Failure> {
    overrule(arguments.id.as_deref(), &Act::Reject { reason: input::given(&arguments.reason, "the reason")? })
}

fn overrule(id: Option<&str>, asked: &Act) -> Result<u8, Failure> {
    if Caller::of_this_process() != Caller::Person {
        return requests::ask_as_worker(id, asked);
    }
    if !std::io::stdin().is_terminal() {
        return Err(Failure::usage(
            format!(
                "only a person at a terminal may {} a candidate, and standard input is none",
                claims::word(asked)
            ),
            "type it in a terminal of your own",
        ));
    }
    let place = place::here()?;
    let known = place::unfinished(&place, id)
        .map_err(|nothing| attested_here(&place, asked, id).unwrap_or(nothing))?;
    requests::put(&place, &known, asked)
}

/// Who approves of attested work that is over means that it is to land.
fn attested_here(place: &PlaceOfWork, asked: &Act, id: Option<&str>) -> Option<Failure> {
    let over = place::foremost(place::known(place, id).ok()?).ok()??;
    let is_attested = matches!(over.fold.state.stage(), Stage::Ended(End::Attested { .. }));
    (is_attested && matches!(asked, Act::Approve { .. })).then(|| {
        Failure::usage(
            format!("the loop {} has ended as attested, so no decision is open", over.handle()),
            "`gulf land` brings its work in on your word; with `--on-test-change ask` a loop rests for it first",
        )
    })
}
