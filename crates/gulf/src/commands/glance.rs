//! `gulf` alone: what a loop would find here, in at most ten lines, and the one command to type next.
//!
//! Nothing is written and no check runs. At a terminal a person is asked what is to be done, and `gulf run` begins with
//! their words.

use std::io::IsTerminal;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use clap::FromArgMatches;
use gulf_host::git::Repository;
use gulf_host::hint::Hint as _;
use gulf_host::home::Home;
use gulf_runner::error::in_full;
use gulf_runner::place::{PlaceOfWork, Project};
use gulf_runner::plan::{CheckNeed, PlanError, PlannedVerification, missing, stated, to_install};
use gulf_runner::start::KnownLoop;
use gulf_spec::config::{Config, Key};
use gulf_spec::goal::goal_title;
use gulf_spec::text::listed;
use gulf_views::{LoopStatus, NextStep, columns, labelled};

use super::doctor::{self, FindingWord};
use crate::cli::{self, Cli};
use crate::failure::{Failure, Result, USAGE};
use crate::screen::{self, say};
use crate::{help, input, place, report};

/// So many checks are named.
const CHECKS_NAMED_MAX: usize = 3;
const MISTAKES: &str = "lists every mistake and its fix";
const RUN: &str = "gulf run \"what should be done\"";
const TRY: &str = "shows a loop without one; then install Claude Code or Codex, or name another: `--agent 'command:my-agent'`";

/// What something is about, in one word, and how it is.
type Line = (&'static str, String);

/// What is to be typed.
struct Suggestion {
    situation: Situation,
    next: NextStep,
    /// Where the command installs what the checks need; on a person's word gulf runs it.
    installs_in: Option<Utf8PathBuf>,
}

/// What can be done here now.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Situation {
    /// A loop can begin.
    Ready,
    /// There is a loop that is not over.
    Begun,
    /// Something has to be put right first.
    Lacking,
}

pub fn glance() -> Result<u8> {
    let directory = place::current_directory()?;
    let can_ask = input::can_ask() && std::io::stdout().is_terminal();
    let (lines, mut suggested) = inspect(&directory);
    say(&render(&lines, &suggested.next))?;
    if let Some(project) = suggested.installs_in.take().filter(|_| can_ask)
        && input::agrees("Run that now?")?
    {
        install(&suggested.next.command, &project)?;
        let (lines, now) = inspect(&directory);
        say(&format!("\n{}", render(&lines, &now.next)))?;
        suggested = now;
    }
    match suggested.situation {
        Situation::Ready if can_ask => begin(),
        Situation::Ready | Situation::Begun => Ok(0),
        Situation::Lacking => Ok(USAGE),
    }
}

/// As the person would in their shell, who reads what it says.
fn install(command: &str, project: &Utf8Path) -> Result<()> {
    let ran = Command::new("sh").args(["-c", command]).current_dir(project).status();
    let ran = ran.map_err(Failure::broken)?;
    if ran.success() {
        return Ok(());
    }
    let hint = "what it says stands above; then type `gulf` again";
    Err(Failure::usage(format!("`{command}` failed: {ran}"), hint))
}

/// By the very command that the person could have typed.
fn begin() -> Result<u8> {
    let Some(goal) = input::asked("What should be done?")? else { return Ok(0) };
    let typed = help::command().try_get_matches_from(["gulf", "run", "--", &goal]);
    match typed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(Cli { command: Some(cli::Command::Run(arguments)) }) => super::run::run(&arguments),
        Ok(_) | Err(_) => {
            Err(Failure::usage("this goal cannot be read", "put it into a file: `gulf run -f FILE`"))
        }
    }
}

fn inspect(directory: &Utf8Path) -> (Vec<Line>, Suggestion) {
    let project = match Project::find(directory) {
        Ok(project) => project,
        Err(error) => {
            let mut lines = vec![("project", directory.to_string()), ("problem", in_full(&error))];
            lines.extend(error.hint().map(|hint| ("hint", hint)));
            return (lines, Suggestion::lacking("gulf doctor", MISTAKES));
        }
    };
    let mut lines = vec![("project", folder(&project))];
    if let Some(what) = place::taken_whole(&project) {
        lines.push(("problem", what));
        let command = "mkdir work && cd work && git init";
        return (lines, Suggestion::lacking(command, "makes a folder of its own for the work"));
    }
    let next = match doctor::standard(&project.directory) {
        Ok((config, [agent, judge, limits])) => {
            let is_agent_there = agent.word == FindingWord::Ok;
            lines.push((agent.about, agent.message));
            let next = checks(&project.directory, &config, &mut lines);
            lines.extend([judge, limits].map(|found| (found.about, found.message)));
            // The first thing that is missing decides what is to be done.
            if is_agent_there { next } else { Suggestion::lacking("gulf demo", TRY) }
        }
        Err(problem) => {
            lines.push(("settings", problem));
            Suggestion::lacking("gulf doctor", MISTAKES)
        }
    };
    let next = loops(directory, &mut lines).unwrap_or(next);
    (lines, next)
}

/// How many files no commit holds as they are; none where nobody can tell.
pub fn count_uncommitted(project: &Project) -> Option<usize> {
    let private = tempfile::tempdir().ok()?;
    let git = Utf8Path::from_path(private.path())?.join("git");
    Repository::open(project.layout.clone()?, &git).ok()?.count_uncommitted().ok()
}

/// The folder, how it is kept, and what of it no commit holds.
fn folder(project: &Project) -> String {
    let directory = &project.directory;
    if project.layout.is_none() {
        return format!(
            "{directory}: no git, so a loop keeps a history of its own; `git init` lets it end with a commit of yours"
        );
    }
    match count_uncommitted(project) {
        Some(0) => format!("{directory}: nothing is uncommitted"),
        Some(1) => format!("{directory}: 1 uncommitted file, part of what a loop starts from"),
        Some(files) => format!("{directory}: {files} uncommitted files, part of what a loop starts from"),
        None => directory.to_string(),
    }
}

/// How the work would be checked, and what to type then.
fn checks(project: &Utf8Path, config: &Config, lines: &mut Vec<Line>) -> Suggestion {
    const ABOUT: &str = "checks";
    let shortened = |all: &[String]| listed(all, CHECKS_NAMED_MAX);
    let run = |command: &str, purpose: &str| Suggestion::new(Situation::Ready, command, purpose);
    let install = |situation, command: String, purpose: &str| {
        let installs_in = Some(project.to_owned());
        Suggestion { installs_in, ..Suggestion::new(situation, command, purpose) }
    };
    match stated(project, config, None, CheckNeed::OrCriteria) {
        Ok(PlannedVerification { checks, .. }) if checks.is_empty() => {
            lines.push((ABOUT, "none: the judge decides".to_owned()));
            run(RUN, "starts a loop")
        }
        Ok(PlannedVerification { checks, detected, .. }) => {
            let broken = checks.iter().find_map(|check| Some((check, missing(project, config, check)?)));
            let named = checks.iter().map(|check| format!("{} ({})", check.command, check.origin));
            lines.push((ABOUT, shortened(&named.collect::<Vec<_>>())));
            match broken {
                Some((check, why)) if !check.is_new => {
                    lines.push(("problem", format!("{}: {why}", check.command)));
                    lines.push(("hint", why.hint(Some(&check.command))));
                    Suggestion::lacking("gulf doctor", MISTAKES)
                }
                Some(_) | None => {
                    let is_set_up = !config.text(Key::EnvironmentSetup).is_empty();
                    let command = if is_set_up { None } else { to_install(project, &detected) };
                    let purpose = "installs what agent and checks need here: nothing is installed yet";
                    let run = || run(RUN, "starts a loop");
                    command.map_or_else(run, |command| install(Situation::Ready, command, purpose))
                }
            }
        }
        Err(PlanError::OnlyProposed { found, .. }) => {
            lines.push((ABOUT, format!("none is named; the project runs {}", shortened(&found))));
            run(&format!("{RUN} --detected"), "starts a loop with these checks")
        }
        Err(PlanError::NoCheck { missing, install: Some(command), .. }) => {
            lines.push((ABOUT, format!("found, but not installed: {}", shortened(&missing))));
            install(Situation::Lacking, command, "installs what they need")
        }
        Err(error @ PlanError::NoCheck { .. }) => {
            lines.push((ABOUT, error.to_string()));
            let purpose =
                "names the command that exits with 0 when the work is right; `gulf init` helps to find it";
            Suggestion::lacking(&format!("{RUN} --check COMMAND"), purpose)
        }
        Err(error) => {
            lines.push((ABOUT, in_full(&error)));
            Suggestion::lacking("gulf doctor", MISTAKES)
        }
    }
}

/// The loop that comes first here; what it needs comes before a new one. Where gulf was never used nothing is made to
/// find out.
fn loops(directory: &Utf8Path, lines: &mut Vec<Line>) -> Option<Suggestion> {
    const ABOUT: &str = "loop";
    let home = Home::from_environment().ok().filter(|home| home.root().is_dir());
    let place = home.and_then(|home| PlaceOfWork::find(directory, home).ok());
    let known = place.as_ref().and_then(|place| {
        let here = place::known_here(place, None).ok()?;
        let open: Vec<KnownLoop> = here.iter().filter(|one| one.is_unfinished()).cloned().collect();
        let first = place::foremost(if open.is_empty() { here.clone() } else { open }).ok()??;
        Some(report::unlanded_behind(&first, &here).unwrap_or(first))
    });
    let Some(known) = known else {
        let left = place.as_ref().and_then(|place| place::left_behind(place).pop());
        let (told, next) = left.map_or(("none yet".to_owned(), None), |(id, told)| {
            let shows = Suggestion::new(Situation::Begun, format!("gulf status {id}"), "shows its state");
            (format!("{id} {told}"), Some(shows))
        });
        lines.push((ABOUT, told));
        return next;
    };
    let driver = place::driver_of(&known).ok()?;
    let standing = LoopStatus::new(&known.fold.state, driver);
    let goal = known.agreement().map(|agreement| goal_title(&agreement.goal).to_owned());
    let goal = goal.unwrap_or_else(|_| place::UNREADABLE.to_owned());
    let handle = known.handle();
    lines.push((ABOUT, format!("{handle} {}: {goal}", standing.word())));
    let (command, purpose) = match standing {
        LoopStatus::Running => ("gulf ui".to_owned(), "shows it live"),
        LoopStatus::InSession { .. } => (format!("gulf status {handle}"), "shows its state"),
        LoopStatus::Paused(_) => {
            (format!("gulf status {handle}"), "shows what it waits for and the command that answers it")
        }
        LoopStatus::Interrupted | LoopStatus::LedOn => (format!("gulf resume {handle}"), "continues it"),
        LoopStatus::Broken(_) => (format!("gulf status {handle}"), "shows what is wrong with its journal"),
        LoopStatus::Ended(_) if report::waits_to_land(&known) => {
            let purpose = match known.agreement().is_ok_and(|agreement| agreement.landing.is_some()) {
                true => "lands it on its base branch".to_owned(),
                false => format!("commits exactly its change; `gulf discard {handle}` reverts it"),
            };
            return Some(Suggestion::new(Situation::Begun, format!("gulf land {handle}"), purpose));
        }
        LoopStatus::Ended(_) | LoopStatus::Outrun => return None,
    };
    Some(Suggestion::new(Situation::Begun, command, purpose))
}

impl Suggestion {
    fn new(situation: Situation, command: impl Into<String>, purpose: impl Into<String>) -> Self {
        let next = NextStep { command: command.into(), purpose: purpose.into() };
        Self { situation, next, installs_in: None }
    }

    fn lacking(command: &str, purpose: impl Into<String>) -> Self {
        Self::new(Situation::Lacking, command, purpose)
    }
}

fn render(lines: &[Line], next: &NextStep) -> String {
    let look = screen::stdout_look();
    let width = |about: &str| columns(&look.language.tell(about));
    let widest = lines.iter().map(|(about, _)| width(about)).max().unwrap_or(0);
    let lines: String = lines.iter().map(|(about, how)| labelled(about, how, widest, look)).collect();
    format!("{lines}\n{}", next.lines(look))
}
