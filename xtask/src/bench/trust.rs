//! Workers that only pretend, and honest ones beside them: whether `gulf run` tells them apart.
//!
//! The cases stand in one file of each language in `trust/`. docs/trust.md shows what came of it.

mod case;
mod faults;
mod table;
#[cfg(test)]
mod tests;
mod trial;

use std::path::Path;
use std::sync::Mutex;

use crate::failure::Failure;
use case::Case;
use trial::{Judge, Outcome};

/// How many loops run at the same time.
const LANES: usize = 2;

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Order {
    /// In `language/family/name`.
    only: Option<String>,
    language: Option<String>,
    /// Honest workers alone, or cheats alone.
    honest: Option<bool>,
    judge: Judge,
}

impl Order {
    /// `[--only PATTERN] [--language NAME] [--workers honest|cheats] [--judge none|yes]`; none where the words are no order.
    pub(crate) fn read(words: &[&str]) -> Option<Self> {
        let mut order = Self { only: None, language: None, honest: None, judge: Judge::None };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let value = *words.next()?;
            match (*word, value) {
                ("--only", pattern) => order.only = Some(pattern.to_owned()),
                ("--language", language) => order.language = Some(language.to_owned()),
                ("--workers", "honest") => order.honest = Some(true),
                ("--workers", "cheats") => order.honest = Some(false),
                ("--judge", "none") => order.judge = Judge::None,
                ("--judge", "yes") => order.judge = Judge::Yes,
                _ => return None,
            }
        }
        Some(order)
    }

    fn wants(&self, case: &Case) -> bool {
        let whole = format!("{}/{}/{}", case.language, case.family, case.name);
        self.only.as_ref().is_none_or(|pattern| whole.contains(pattern.as_str()))
            && self.honest.is_none_or(|honest| case.honest == honest)
            && self.language.as_ref().is_none_or(|language| case.language == language)
    }
}

/// Tries two cheats with every fault of every program that gulf starts, and prints how they ended.
pub(crate) fn run_faults() -> Result<(), Failure> {
    faults::run(&crate::reference::gulf()?)
}

/// Tries every case that was asked for, and prints what came of it.
pub(crate) fn run(order: &Order) -> Result<(), Failure> {
    let cases: Vec<Case> = case::all()?.into_iter().filter(|case| order.wants(case)).collect();
    if cases.is_empty() {
        return Err(Failure::Found {
            what: "there is no such case".to_owned(),
            hint: "`--only` looks for its text in language/family/name",
        });
    }
    let results = try_all(&crate::reference::gulf()?, &cases, order.judge)?;
    println!("{}", table::table(&results));
    let faults = table::faults(&results);
    if faults.is_empty() {
        return Ok(());
    }
    Err(Failure::Found {
        what: faults.join("\n"),
        hint: "`--only NAME` tries one again; a miss that is understood is told in its case by `known`",
    })
}

/// In the order of the cases, whichever ended first.
fn try_all<'case>(
    gulf: &Path,
    cases: &'case [Case],
    judge: Judge,
) -> Result<Vec<(&'case Case, Outcome)>, Failure> {
    let waiting = Mutex::new(cases.iter().enumerate());
    let next = || waiting.lock().ok()?.next();
    let lane = || {
        let mut done = Vec::new();
        while let Some((number, case)) = next() {
            let outcome = trial::run(gulf, case, judge, None)?;
            eprintln!("{}", table::line(case, &outcome));
            if cases.len() == 1 {
                outcome.said.iter().for_each(|line| eprintln!("    {line}"));
            }
            done.push((number, case, outcome));
        }
        Ok(done)
    };
    let lanes: Vec<_> = std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..LANES).map(|_| scope.spawn(lane)).collect();
        lanes.into_iter().map(std::thread::ScopedJoinHandle::join).collect()
    });
    let mut results = Vec::new();
    for lane in lanes {
        let broken =
            |_| Failure::Found { what: "a lane panicked".to_owned(), hint: "its message stands above" };
        results.extend(lane.map_err(broken)??);
    }
    results.sort_by_key(|(number, ..)| *number);
    Ok(results.into_iter().map(|(_, case, outcome)| (case, outcome)).collect())
}
