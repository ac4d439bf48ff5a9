//! What a loop needs of the project: a repository, settings, an agent, checks; and what earlier loops left.

use camino::Utf8Path;
use gulf_host::files::{self, ReadError};
use gulf_host::hint::Hint as _;
use gulf_host::home::Home;
use gulf_host::process;
use gulf_host::programs;
use gulf_runner::cleanup::{Remains, RemainsStanding, remains};
use gulf_runner::error::{RunError, in_full};
use gulf_runner::place::{PlaceOfWork, Project};
use gulf_runner::plan::{
    AUTOCHECKS, CheckNeed, PlanError, PlannedVerification, RUBRIC, TEXT_BYTES_MAX, missing, stated,
};
use gulf_runner::resources::mark_prefix;
use gulf_spec::config::{self, Config, ConfigError};
use gulf_spec::problem::{Located, Problem, Weight};
use gulf_spec::rubric;
use gulf_spec::text::Source;

use super::Finding;
use crate::failure::Failure;
use crate::screen::size;
use crate::settings::{PROJECT_FILE, layers};

pub(super) fn repository(directory: &Utf8Path, findings: &mut Vec<Finding>) -> Option<Project> {
    let refused = |error: &RunError| {
        findings.push(Finding::problem("repository", in_full(error), error.hint()));
    };
    let project = Project::find(directory).inspect_err(refused).ok()?;
    findings.push(if let Err(error) = tempfile::tempfile_in(&project.directory) {
        let what = format!("cannot make a file in {}: {error}", project.directory);
        Finding::problem("repository", what, files::system_hint(&error).map(str::to_owned))
    } else if project.layout.is_some() {
        Finding::ok("repository", project.directory.as_str())
    } else {
        let message = format!("{} has no git: loops use a repository of gulf's own", project.directory);
        Finding::warning("repository", message, "`git init` lets a loop end with a commit of yours")
    });
    Some(project)
}

pub(super) fn settings(project: &Utf8Path, findings: &mut Vec<Finding>) -> Option<Config> {
    let unread = |failure: &Failure| {
        let hint = failure.hint().map(str::to_owned);
        findings.push(Finding::problem("settings", failure.in_one_line(), hint));
    };
    let layers = layers(project, Vec::new()).inspect_err(unread).ok()?;
    let mistakes = |error: &ConfigError| findings.extend(error.iter().map(|one| placed("settings", one)));
    let config = config::load(&layers).inspect_err(mistakes).ok()?;
    let files: Vec<&str> = [&layers.user, &layers.project].into_iter().flatten().map(Source::name).collect();
    let message = match files.is_empty() {
        true => format!("no {PROJECT_FILE}: defaults are in force"),
        false => format!("read from {}", files.join(" and ")),
    };
    findings.push(Finding::ok("settings", message));
    Some(config)
}

pub(super) fn rubric(project: &Utf8Path) -> Vec<Finding> {
    let text = match files::read_text(&project.join(RUBRIC), TEXT_BYTES_MAX) {
        Ok(text) => text.content,
        Err(ReadError::Missing { .. }) => return Vec::new(),
        Err(error) => return vec![Finding::problem("rubric", in_full(&error), error.hint())],
    };
    let rubric = rubric::parse(&Source::new(RUBRIC, &text));
    let problems = rubric.problems.iter();
    let mut findings: Vec<Finding> = problems.map(|located| placed("rubric", located)).collect();
    if findings.is_empty() {
        let (checks, criteria) = (rubric.checks.len(), rubric.criteria.len());
        findings.push(Finding::ok("rubric", format!("{RUBRIC}: {checks} checks, {criteria} criteria")));
    }
    findings
}

pub(super) fn autochecks(project: &Utf8Path) -> Option<Finding> {
    let path = project.join(AUTOCHECKS);
    path.is_file().then(|| {
        if programs::is_executable(&path) {
            Finding::ok("autochecks", AUTOCHECKS)
        } else {
            let hint = format!("`chmod +x {AUTOCHECKS}`, or remove it");
            Finding::problem("autochecks", format!("{AUTOCHECKS} exists but is not executable"), Some(hint))
        }
    })
}

pub(super) fn checks(project: &Utf8Path, config: &Config) -> Vec<Finding> {
    match stated(project, config, None, CheckNeed::OrCriteria) {
        Ok(PlannedVerification { checks, .. }) => checks
            .iter()
            .map(|check| {
                let message = format!("{} ({})", check.command, check.origin);
                match missing(project, config, check) {
                    Some(why) if !check.is_new => {
                        let hint = Some(why.hint(Some(&check.command)));
                        Finding::problem("checks", format!("{message}: {why}"), hint)
                    }
                    Some(_) | None => Finding::ok("checks", message),
                }
            })
            .collect(),
        // Said already, each at its place.
        Err(PlanError::Rubric { .. } | PlanError::AutochecksNotExecutable { .. }) => Vec::new(),
        Err(error @ (PlanError::NoCheck { .. } | PlanError::OnlyProposed { .. })) => {
            vec![Finding::warning("checks", error.to_string(), error.hint().unwrap_or_default())]
        }
        Err(error) => vec![Finding::problem("checks", in_full(&error), error.hint())],
    }
}

/// What loops of this repository left behind. Where gulf was never used, nothing is made to find out.
pub(super) fn loops(directory: &Utf8Path, home: Home) -> Vec<Finding> {
    if !home.root().is_dir() {
        return vec![Finding::ok("loops", "none yet")];
    }
    let found = PlaceOfWork::find(directory, home).and_then(|place| remains(&place));
    let found = match found {
        Ok(found) => found,
        Err(error) => return vec![Finding::problem("loops", in_full(&error), error.hint())],
    };
    let mut findings: Vec<Finding> = found.iter().filter_map(one_loop).collect();
    findings.extend(found.iter().flat_map(processes));
    let finished = found.iter().filter(|one| matches!(one.standing, RemainsStanding::Finished(_)));
    let (number, bytes) = finished.fold((0_u32, 0), |(number, bytes), one| (number + 1, bytes + one.bytes()));
    findings.push(match number {
        0 => Finding::ok("loops", "no finished loop is kept"),
        _ => Finding::ok(
            "loops",
            format!("{number} finished, {}: `gulf clean` shows which it removes", size(bytes)),
        ),
    });
    findings
}

fn one_loop(one: &Remains) -> Option<Finding> {
    let name = one.called();
    let warning = |what: &str, hint: &str| Finding::warning("loops", format!("{name} {what}"), hint);
    Some(match &one.standing {
        RemainsStanding::Finished(_) => return None,
        RemainsStanding::Busy => Finding::ok("loops", format!("{name} is running")),
        RemainsStanding::Paused => Finding::ok("loops", format!("{name} is paused: `gulf resume {name}`")),
        RemainsStanding::Interrupted => {
            let hint = format!("go on with it: `gulf resume {name}`; or end it: `gulf cancel {name}`");
            warning("was interrupted", &hint)
        }
        RemainsStanding::Unstarted => warning("was never started", "`gulf clean` removes what is left of it"),
        RemainsStanding::HalfRemoved => warning("was not wholly removed", "`gulf clean` removes the rest"),
        // Commands that look at all loops stumble over it.
        RemainsStanding::Unreadable(error) => Finding::problem(
            "loops",
            format!("{name} cannot be read: {}", in_full(error)),
            Some(format!("move its folder away: {}", one.root)),
        ),
    })
}

/// What still runs although nobody drives the loop.
fn processes(one: &Remains) -> Vec<Finding> {
    if matches!(one.standing, RemainsStanding::Busy | RemainsStanding::HalfRemoved) {
        return Vec::new();
    }
    let told = |left: &process::SweptProcess| {
        let message = format!("{} left something running: {} ({})", one.name, left.command, left.id);
        Finding::warning("loops", message, format!("the next driver stops it; or `kill {}`", left.id))
    };
    process::find(&mark_prefix(&one.root)).iter().map(told).collect()
}

fn placed<P: Problem>(about: &'static str, located: &Located<P>) -> Finding {
    let message = format!("{}: {}", located.place(), located.problem);
    match located.problem.weight() {
        Weight::Error => Finding::problem(about, message, located.problem.hint()),
        Weight::Warning => Finding { hint: located.problem.hint(), ..Finding::warning(about, message, "") },
    }
}
