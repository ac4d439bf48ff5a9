//! `gulf report`: what is kept in the project when a loop ends, at any time.

use gulf_runner::book;
use gulf_views::{History, report_json};

use crate::cli::LoopArguments;
use crate::failure::Failure;
use crate::place::driver_of;
use crate::report::{Told, gathered, worktree};
use crate::{place, screen};

pub fn report(arguments: &LoopArguments) -> Result<u8, Failure> {
    let place = place::here()?;
    let known = place::meant(&place, arguments.id.as_deref())?;
    let agreement = known.agreement()?;
    let (folder, state) = (&known.home, &known.fold.state);
    let mut facts = place::facts(&agreement, known.home.root());
    let history = History::of(&book::read(known.home.root())?);
    facts.last_words = place::last_words(folder, &history, state);
    let lies = &worktree(&agreement, folder, &history, state);
    let told = Told { lies, agreement: &agreement, folder, facts: &facts, history: &history, state };
    let report = gathered(&place, &told, driver_of(&known)?);
    if arguments.json {
        outln!("{}", report_json(&report));
    } else {
        screen::say(&gulf_views::report(&report))?;
    }
    Ok(0)
}
