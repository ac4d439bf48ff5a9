//! The walls of the checks' rooms: what a check sees of the machine, and whether it runs behind walls at all.
//!
//! A check may need what no room has: a database, Docker, the network. Where nobody said so, the base tells: a check that
//! fails there within walls, and has more to show without them, runs without them from then on, and the receipt says why.

mod home;
mod put_back;
pub(crate) mod room;
#[cfg(test)]
mod tests;
mod tools;
mod worker;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::reports::{Completeness, TestOutcome, last_lines};
use gulf_host::files::{self, Durability};
use gulf_host::git::CommitId;
use gulf_host::hint::Hint as _;
use gulf_host::isolation::{self, Bubblewrap, Unavailable};
use gulf_host::process::{Ending, ProcessOutcome};
use serde::{Deserialize, Serialize};

use crate::agreement::{Agreement, CheckIsolation, SealedCheck};
use crate::checks::{AskedRun, Checks, Ran, RunPurpose};
use crate::error::{Failure, Result};
use crate::folder::{LoopPaths, file_name};
use crate::records;

/// What was settled, or bwrap says, is a few words.
const SETTLED_BYTES_MAX: u64 = 64 << 10;
/// Of what a check says that fails behind walls only.
const SAID_CHARS_MAX: usize = 100;

/// How a check of this loop runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "level")]
pub enum Level {
    Isolated,
    /// With the machine's home, network and processes.
    Open {
        why: String,
    },
}

impl Level {
    /// What the base told of a check; none: nothing spoke against walls so far.
    pub fn settled(folder: &LoopPaths, check: &str) -> Option<Self> {
        records::find(&settled_at(folder, check))
    }
}

impl Agreement {
    /// Which checks were to run isolated and do not, and why.
    pub fn opened(&self, folder: &LoopPaths) -> Vec<(String, String)> {
        let asked = self.checks.iter().filter(|check| check.isolation == CheckIsolation::WherePossible);
        asked
            .filter_map(|check| match Level::settled(folder, check.name.as_str())? {
                Level::Isolated => None,
                Level::Open { why } => Some((check.name.to_string(), why)),
            })
            .collect()
    }
}

impl Checks<'_> {
    /// Runs one command at one commit, behind walls where that was agreed on and the base allows it.
    pub(crate) fn run(&self, check: &SealedCheck, purpose: RunPurpose, commit: &CommitId) -> Result<Ran> {
        let asked = AskedRun { check, purpose, commit };
        let settled = Level::settled(&self.resources.folder, check.name.as_str());
        let is_opened = matches!(settled, Some(Level::Open { .. }));
        let is_open = check.isolation == CheckIsolation::WherePossible && is_opened;
        if is_open || check.isolation == CheckIsolation::Off {
            return self.run_within(asked, None);
        }
        let ran = self.run_within(asked, Some(&or_refused(Bubblewrap::installed())?))?;
        let is_clear = settled.is_some() || check.isolation == CheckIsolation::Required;
        if is_clear || ran.record.is_green() {
            return Ok(ran);
        }
        match self.settle(asked, &ran)? {
            (Level::Isolated, _) => Ok(ran),
            (Level::Open { .. }, Some(without)) => Ok(without),
            (Level::Open { .. }, None) => self.run_within(asked, None),
        }
    }

    /// Asks the base whether a check can say behind walls what it says without them; with its word without them, where
    /// that was what is asked for.
    fn settle(&self, asked: AskedRun<'_>, within: &Ran) -> Result<(Level, Option<Ran>)> {
        let walls = &or_refused(Bubblewrap::installed())?;
        let base = &self.resources.agreement.base.commit;
        let is_base = asked.purpose == RunPurpose::Base;
        let on_base =
            if is_base { asked } else { AskedRun { purpose: RunPurpose::BaseAgain, commit: base, ..asked } };
        let within = if is_base { within } else { &self.run_within(on_base, Some(walls))? };
        let mut without = None;
        let level = if within.record.is_green() {
            Level::Isolated
        } else {
            let ran = &*without.insert(self.run_within(on_base, None)?);
            let again = || self.run_within(on_base, Some(walls));
            let mut level = compared(within, ran);
            if level != Level::Isolated {
                // The first run may have built what the second found.
                let second = again()?;
                level = compared(&second, ran);
                let is_noise = || Ok::<_, Failure>(second.fingerprint != again()?.fingerprint);
                if level == other_result() && is_noise()? {
                    level = Level::Isolated;
                }
            }
            level
        };
        let path = settled_at(&self.resources.folder, asked.check.name.as_str());
        records::keep(&path, "how a check runs", &level, Durability::Buffered)?;
        Ok((level, without.filter(|_| is_base)))
    }
}

/// Walls that could not be made say nothing about what was to run behind them, least of all that it fails. Whether this
/// machine can make any is tried where nothing shows that it did: it takes as long as a short check.
pub(crate) fn unless_not_begun(outcome: ProcessOutcome, log: &Utf8Path) -> Result<ProcessOutcome> {
    let (output, before) = files::read_end(log, SETTLED_BYTES_MAX)?;
    match outcome.ending {
        // With 127 ends a program that lacks a library.
        Ending::Exited(code) if code == 0 || code != 127 && !output.starts_with(b"bwrap: ") => {}
        Ending::TimedOut(_) | Ending::TooMuchOutput | Ending::Cancelled | Ending::Lost => {}
        Ending::Exited(_) | Ending::Signalled(_) | Ending::NotStarted(_) => {
            or_refused(Bubblewrap::find())?;
        }
    }
    let is_last = before == 0 && outcome.ending == Ending::Exited(1);
    let said = isolation::instead_of_running(&output).filter(|_| is_last);
    let ending = said.map(|said| Ending::NotStarted(format!("not isolated: {said}")));
    Ok(ProcessOutcome { ending: ending.unwrap_or(outcome.ending), ..outcome })
}

/// Why there are none is told in one line, with what helps.
pub(crate) fn or_refused(found: Result<Bubblewrap, Unavailable>) -> Result<Bubblewrap> {
    found.map_err(|error| {
        Failure::Refused(format!("checks cannot be isolated: {error}; {}", error.hint().unwrap_or_default()))
    })
}

fn settled_at(folder: &LoopPaths, check: &str) -> Utf8PathBuf {
    folder.root().join("sealed").join("levels").join(file_name(check))
}

fn open(why: &str) -> Level {
    Level::Open { why: format!("on the base, {why}") }
}

/// Says nothing of a check that says something else in each run.
fn other_result() -> Level {
    open("it has another result in isolation")
}

/// Is there anything that the walls took away? A test that passes without them, or what only a run without them says.
fn compared(within: &Ran, without: &Ran) -> Level {
    if without.record.is_green() {
        let said = last_lines(&within.output, 1, SAID_CHARS_MAX).pop();
        return open(&match said {
            Some(said) => format!("it fails in isolation and passes without: {said}"),
            None => "it fails in isolation and passes without".to_owned(),
        });
    }
    let tests = &within.record.tests;
    let is_lost = |(name, word): &(&String, &TestOutcome)| {
        **word == TestOutcome::Passed && tests.get(*name) != Some(*word)
    };
    let lost: Vec<&str> =
        without.record.tests.iter().filter(is_lost).map(|(name, _)| name.as_str()).collect();
    let is_named = within.record.readable == Completeness::Every;
    match lost.as_slice() {
        [first] => open(&format!("{first} passes only without walls")),
        [first, more @ ..] => open(&format!("{first} and {} more pass only without walls", more.len())),
        [] if is_named || within.fingerprint == without.fingerprint => Level::Isolated,
        [] => other_result(),
    }
}
