//! `gulf log`: a loop's journal as lines, and the files of an iteration.

use std::io::Write;
use std::time::Duration;

use gulf_engine::{Event, Stage};
use gulf_host::files;
use gulf_host::watch::Wake;
use gulf_runner::book::{self, Fold};
use gulf_runner::folder::LoopPaths;
use gulf_runner::judge::spoken;
use gulf_runner::start::KnownLoop;
use gulf_views::{DriverPresence, Look, LoopStatus, event_json, line};

use crate::cli::LogArguments;
use crate::drive::notify;
use crate::excerpts::{last_attempt, with_words};
use crate::failure::{Failure, Result};
use crate::out::say_note;
use crate::place::driver_of;
use crate::screen::TellingStyle;
use crate::{place, screen, verdicts};

/// How much of a prompt is shown.
const PROMPT_BYTES_MAX: u64 = 16 << 20;
/// A driver that is killed changes no file: whether it is there is looked at this often.
pub const LOOK_EVERY: Duration = Duration::from_secs(1);

pub fn log(arguments: &LogArguments) -> Result<u8> {
    let place = place::here()?;
    let known = place::meant(&place, arguments.id.as_deref())?;
    if let Some(iteration) = arguments.iteration {
        return show_iteration(&known, iteration, arguments);
    }
    let (telling, look) = (TellingStyle::from_json_flag(arguments.json), screen::stdout_look());
    let mut printer = Printer { telling, look, folder: known.home.clone(), fold: Fold::default() };
    if arguments.follow {
        follow(&known, &mut printer)
    } else {
        printer.print(&book::read(known.home.root())?)
    }
}

/// Prints what has not been printed yet.
struct Printer {
    telling: TellingStyle,
    look: Look,
    folder: LoopPaths,
    fold: Fold,
}

impl Printer {
    fn print(&mut self, events: &[Event]) -> Result<u8> {
        let printed = self.fold.state.sequence;
        for event in events.iter().filter(|event| event.sequence > printed) {
            self.fold.apply(event);
            match self.telling {
                TellingStyle::Json => outln!("{}", event_json(event)),
                TellingStyle::Lines => {
                    let state = &self.fold.state;
                    if let Some(line) = line(event, state, self.look) {
                        outln!("{}", with_words(line, event, state, &self.folder, self.look));
                    }
                }
            }
        }
        let _ = std::io::stdout().flush();
        Ok(0)
    }
}

/// Goes on as long as somebody drives the loop.
fn follow(known: &KnownLoop, printer: &mut Printer) -> Result<u8> {
    let watch = notify::watch(&known.home)?;
    loop {
        let driver = driver_of(known)?;
        printer.print(&book::read(known.home.root())?)?;
        let state = &printer.fold.state;
        if driver == DriverPresence::Absent || matches!(&state.stage, Stage::Ended(_)) {
            if LoopStatus::new(state, driver) == LoopStatus::Interrupted {
                say_note(format!("nobody drives it any more; `gulf resume {}` continues it", known.handle()));
            }
            return Ok(0);
        }
        while watch.wait_at_most(LOOK_EVERY) == Wake::TimedOut && driver_of(known)? == driver {}
    }
}

fn show_iteration(known: &KnownLoop, iteration: u32, arguments: &LogArguments) -> Result<u8> {
    let folder = known.home.iteration(iteration);
    if !folder.is_dir() {
        let what = format!("the loop {} has no iteration {iteration}", known.handle());
        return Err(Failure::usage(what, "`gulf log` shows its iterations"));
    }
    if arguments.verdict {
        return show_verdict(known, iteration);
    }
    if arguments.prompt {
        let path = last_attempt(&folder, "prompt", "md").unwrap_or_else(|| folder.join("prompt.md"));
        out!("{}", files::read_text(&path, PROMPT_BYTES_MAX)?.content);
        return Ok(0);
    }
    let entries = folder.read_dir_utf8().map_err(Failure::broken)?;
    let mut names: Vec<String> = entries.flatten().map(|entry| entry.file_name().to_owned()).collect();
    names.sort();
    names.iter().for_each(|name| outln!("{}", folder.join(name)));
    Ok(0)
}

fn show_verdict(known: &KnownLoop, iteration: u32) -> Result<u8> {
    let said = spoken(&known.home, iteration);
    if said.is_empty() {
        let what = format!("no judge ran in iteration {iteration} of {}", known.handle());
        return Err(Failure::usage(what, "`gulf log` shows who did what in which iteration"));
    }
    for (who, record) in &said {
        if said.len() > 1 {
            outln!("# {who}");
        }
        for line in verdicts::describe(record) {
            outln!("{line}");
        }
    }
    Ok(0)
}
