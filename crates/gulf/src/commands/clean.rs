//! `gulf clean`: take away what finished loops of this repository left in `$GULF_HOME`.

use std::fmt::Write as _;

use gulf_runner::claims::Caller;
use gulf_runner::remains::{Remains, RemainsStanding, remains};
use gulf_runner::workshop::in_full;
use gulf_views::{Palette, Tone, columns, padded};

use crate::cli::CleanArguments;
use crate::failure::{ERROR, Failure};
use crate::place;
use crate::screen::{say, size};

/// How the removed and those that stay are counted.
#[derive(Default)]
struct Tally {
    removed: u64,
    bytes: u64,
    failures: u64,
}

pub fn clean(arguments: &CleanArguments) -> Result<u8, Failure> {
    if Caller::of_this_process() != Caller::Person {
        return Err(Failure::usage(
            "only a person may remove loops, and this comes from an agent's process",
            "run it in a terminal of your own",
        ));
    }
    let place = place::here()?;
    let found = remains(&place)?;
    let width = found.iter().map(|one| columns(&one.name)).max().unwrap_or(0);
    let mut tally = Tally::default();
    for one in &found {
        let line = |what: &str| format!("{what:<12} {}  {}", padded(&one.name, width), told(&one.standing));
        if !one.is_removable() {
            say(&format!("{}\n", line("left")))?;
            continue;
        }
        let bytes = one.bytes();
        let done = if arguments.dry_run { Ok(()) } else { one.remove(&place) };
        match done {
            Ok(()) => {
                let what = if arguments.dry_run { "would remove" } else { "removed" };
                say(&format!("{}, {}\n", line(what), size(bytes)))?;
                tally.removed += 1;
                tally.bytes += bytes;
            }
            Err(error) => {
                let why = Tone::Failed.paint(&in_full(&error), Palette::Colour);
                say(&format!("{}: {why}\n", line("not removed")))?;
                tally.failures += 1;
            }
        }
    }
    say(&summary(&found, &tally, arguments.dry_run))?;
    Ok(if tally.failures == 0 { 0 } else { ERROR })
}

fn told(standing: &RemainsStanding) -> String {
    match standing {
        RemainsStanding::Busy => "is being driven".to_owned(),
        RemainsStanding::Interrupted => "is unfinished: `gulf resume` or `gulf cancel`".to_owned(),
        RemainsStanding::Paused => "is paused: `gulf resume` or `gulf cancel`".to_owned(),
        RemainsStanding::Finished(end) => end.word().to_owned(),
        RemainsStanding::Unstarted => "a start that came to nothing".to_owned(),
        RemainsStanding::HalfRemoved => "a removal that was not finished".to_owned(),
        RemainsStanding::Unreadable(error) => format!("cannot be read: {}", in_full(error)),
    }
}

fn summary(found: &[Remains], tally: &Tally, dry_run: bool) -> String {
    let mut text = String::new();
    let loops = |number: u64| format!("{number} {}", if number == 1 { "folder" } else { "folders" });
    if tally.removed > 0 {
        let what = if dry_run { "Would remove" } else { "Removed" };
        let _ = writeln!(text, "{what} {}, {}.", loops(tally.removed), size(tally.bytes));
    } else if tally.failures == 0 {
        let _ = writeln!(text, "Nothing to remove: {}.", nothing(found));
    }
    if tally.failures > 0 {
        let _ = writeln!(text, "{} could not be removed; `gulf clean` tries again.", loops(tally.failures));
    }
    text
}

fn nothing(found: &[Remains]) -> &'static str {
    if found.is_empty() { "no loop of this repository left anything" } else { "no loop here is finished" }
}
