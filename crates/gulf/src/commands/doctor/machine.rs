//! What a loop needs of the machine: git, a home, locks, processes.

use std::time::Duration;

use camino::Utf8Path;
use gulf_host::git::{GitError, GitVersion};
use gulf_host::hint::Hint as _;
use gulf_host::home::{HOME_VARIABLE, Home, HomeError};
use gulf_host::isolation::Bubblewrap;
use gulf_host::lock::Lock;
use gulf_host::process::ShimProgram;
use gulf_host::{files, platform};
use gulf_runner::error::in_full;
use gulf_runner::stop::Stop;
use gulf_runner::trial::{TrialWord, attempt};

use super::Finding;
use crate::screen::size;

/// Logs and build output of one loop easily take so much.
const FREE_BYTES_MIN: u64 = 1 << 30;
/// `true` takes a thousandth of it, and `--version` a second at most.
const TIME_MAX: Duration = Duration::from_secs(30);

pub(super) fn git() -> Finding {
    match GitVersion::of_program() {
        Ok(version) if version.is_enough() => Finding::ok("git", format!("git {version}")),
        Ok(version) => {
            let error = GitError::TooOld { version: version.to_string() };
            Finding::problem("git", error.to_string(), error.hint())
        }
        Err(error) => Finding::problem("git", in_full(&error), error.hint()),
    }
}

/// What checks and agents can be kept from.
pub(super) fn walls() -> Finding {
    match Bubblewrap::find() {
        Ok(_) => Finding::ok("walls", "checks and agents can be isolated (bubblewrap)"),
        Err(error) => {
            let message = format!("checks and agents run as you, with your network and your home: {error}");
            Finding::warning("walls", message, error.hint().unwrap_or_default())
        }
    }
}

/// The home, if loops can be kept there. It is not made.
pub(super) fn home(project: Option<&Utf8Path>, findings: &mut Vec<Finding>) -> Option<Home> {
    let looked = Home::from_environment()
        .and_then(|home| project.map_or(Ok(()), |project| home.refuse_inside(project)).map(|()| home));
    let refused = |error: &HomeError| {
        findings.push(Finding::problem("home", in_full(error), error.hint()));
    };
    let home = looked.inspect_err(refused).ok()?;
    let root = home.root();
    let Some(there) = root.ancestors().find(|folder| folder.exists()) else { return Some(home) };
    if let Err(error) = files::try_writing_in(there) {
        let own = format!("set {HOME_VARIABLE} to a folder of your own");
        let hint = error.hint().map_or_else(|| own.clone(), |hint| format!("{hint}; or {own}"));
        findings.push(Finding::problem("home", in_full(&error), Some(hint)));
        return None;
    }
    findings.push(match files::free_bytes(there) {
        Some(free) if free < FREE_BYTES_MIN => Finding::warning(
            "home",
            format!("{root}: only {} free", size(free)),
            format!(
                "free some space, or set {HOME_VARIABLE} to another disk; `gulf clean` removes finished loops"
            ),
        ),
        Some(free) => Finding::ok("home", format!("{root}, {} free", size(free))),
        None => Finding::ok("home", root.as_str()),
    });
    if files::is_open_to_others(root) {
        let message = format!("{root} can be read by others; what checks print lies below it");
        let hint = format!("`chmod 700 '{root}'`; the next `gulf run` does it, where the folder is yours");
        findings.push(Finding::warning("home", message, hint));
    }
    findings.push(match Lock::try_out_in(there) {
        Ok(()) => Finding::ok("locks", "a file that is locked stays locked"),
        Err(error) => Finding::problem("locks", in_full(&error), error.hint()),
    });
    Some(home)
}

/// Can a program be run so that nothing of it stays?
pub(super) fn shim(project: &Utf8Path) -> Finding {
    match run("true", project) {
        Ok(_) => Finding::ok("processes", "a program ran under the shim"),
        Err(why) => {
            let hint = "agents and checks run under this program as `gulf __shim`; is it executable here?";
            Finding::problem("processes", format!("`true` did not pass: {why}"), Some(hint.to_owned()))
        }
    }
}

/// The end of what a command writes that passes; else why it does not.
pub(super) fn run(command: &str, directory: &Utf8Path) -> Result<String, String> {
    let shim = ShimProgram::this_program().map_err(|error| error.to_string())?;
    let trial = attempt(&shim, command, directory, TIME_MAX, &Stop::default());
    let trial = trial.map_err(|error| error.to_string())?;
    match trial.word {
        TrialWord::Green | TrialWord::GreenWithoutTests => Ok(trial.tail),
        TrialWord::Red { why, .. } | TrialWord::CannotRun { why } => Err(why),
        TrialWord::Stopped => Err("it was stopped".to_owned()),
    }
}

/// What this system cannot do.
pub(super) fn limits() -> Vec<Finding> {
    let limits = platform::limits();
    if limits.is_empty() {
        return vec![Finding::ok("system", "supports every guarantee about processes")];
    }
    limits.iter().map(|limit| Finding::warning("system", *limit, "Linux has no such limit")).collect()
}
