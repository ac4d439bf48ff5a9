//! `gulf init`: find the project's checks, try them, and write down what was found.
//!
//! Everything is tried before anything is written, and each file is written whole, so that leaving in the middle
//! leaves nothing behind.

use std::fmt::Write as _;

use camino::Utf8Path;
use gulf_host::clock::milliseconds;
use gulf_host::files::{self, Durability, WriteError};
use gulf_host::process::ShimProgram;
use gulf_runner::plan::{CheckNeed, PlanError, RUBRIC, detected, stated};
use gulf_runner::trial::{FailureNaming, TrialResult, TrialWord, attempt};
use gulf_spec::config::check_timeout_default;
use gulf_spec::detect::Detected;
use gulf_spec::texts::{Extent, ProposedCheck, ProposedStanding, gulf_toml, prompt_md, rubric_md};
use gulf_views::{Palette, Tone, columns, counted, duration, one_line, padded};

use super::glance::count_uncommitted;
use crate::cli::InitArguments;
use crate::failure::{Failure, INTERRUPTED, Result};
use crate::screen::say;
use crate::settings::{self, PROJECT_FILE};
use crate::{input, interruption, place};

/// The prompt's file.
const PROMPT: &str = "PROMPT.md";

pub fn init(arguments: &InitArguments) -> Result<u8> {
    let found_project = place::project()?;
    let project = found_project.directory.clone();
    if [PROJECT_FILE, RUBRIC, PROMPT].iter().any(|name| project.join(name).symlink_metadata().is_err()) {
        // Nobody should wait for the commands only to hear this.
        files::try_writing_in(&project)?;
    }
    let mut detected = detected(&project);
    say(&found(&project, &detected))?;
    let left = left_out(&mut detected, arguments)?;
    let before = count_uncommitted(&found_project);
    let Some((proposed, failing)) = tried(&project, &detected, arguments)? else {
        say("\nInterrupted: nothing was written.\n")?;
        return Ok(INTERRUPTED);
    };
    if let (Some(before), Some(after)) = (before, count_uncommitted(&found_project))
        && after > before
    {
        let what = counted(after - before, "file", "files");
        say(&format!(
            "\nnote: {what} changed by that: `git status` shows them; what a build makes, .gitignore keeps out\n"
        ))?;
    }
    let proposed: Vec<ProposedCheck> = proposed.into_iter().chain(left).collect();
    let width = columns(PROJECT_FILE);
    say("\n")?;
    let extent = if arguments.full { Extent::Full } else { Extent::InForce };
    for (name, text) in
        [(PROJECT_FILE, gulf_toml(&proposed, extent)), (RUBRIC, rubric_md()), (PROMPT, prompt_md())]
    {
        let word = write(&project.join(name), &text)?;
        say(&format!("  {}  {word}\n", padded(name, width)))?;
    }
    say(&next(&detected, (&proposed, failing), has_no_check(&project)))?;
    if place::is_git_missing()? {
        say("\nnote: there is no `git` on your PATH, and `gulf run` needs it: install it first\n")?;
    }
    Ok(0)
}

/// Would a loop be refused for want of a check, as the files are now?
fn has_no_check(project: &Utf8Path) -> bool {
    let config = settings::readable(project);
    let stated = |config| stated(project, &config, None, CheckNeed::OrCriteria);
    matches!(config.map(stated), Some(Err(PlanError::NoCheck { .. } | PlanError::OnlyProposed { .. })))
}

/// What became of a file.
fn write(path: &Utf8Path, text: &str) -> Result<&'static str> {
    match files::create_new(path, text.as_bytes(), Durability::Synced) {
        Ok(()) => Ok("written"),
        Err(WriteError::Exists { .. }) => Ok("is there already, and left as it is"),
        Err(error) => Err(error.into()),
    }
}

fn found(project: &Utf8Path, detected: &Detected) -> String {
    let languages: Vec<String> = detected.languages.iter().map(ToString::to_string).collect();
    let none = "no language was recognised.".to_owned();
    let languages = if languages.is_empty() { none } else { languages.join(", ") };
    let notes = detected.notes.iter().map(|note| format!("note: {}\n", one_line(note)));
    format!("{project}: {languages}\n{}", notes.collect::<String>())
}

/// What the project's CI and task files run is tried like the rest on a person's word only; else it is written down, and
/// is not in force.
fn left_out(detected: &mut Detected, arguments: &InitArguments) -> Result<Vec<ProposedCheck>> {
    let found = std::mem::take(&mut detected.proposed);
    if found.is_empty() {
        return Ok(Vec::new());
    }
    say("\nFound in the project's own files:\n")?;
    for check in &found {
        say(&format!("  {}  ({})\n", one_line(&check.command), one_line(&check.why)))?;
    }
    if arguments.detected || input::agrees("Try that too?")? {
        detected.checks.extend(found);
        return Ok(Vec::new());
    }
    say("Not tried, and not in force: `gulf init --detected` tries that.\n")?;
    let reason = || "nobody has tried it (`gulf init --detected`)".to_owned();
    let standing = || ProposedStanding::CommentedOut { reason: reason() };
    Ok(found.into_iter().map(|check| ProposedCheck { check, standing: standing() }).collect())
}

/// Runs each command once, if that is wanted, telling as it goes; and does any name tests that fail? None when the person
/// left.
fn tried(
    project: &Utf8Path,
    detected: &Detected,
    arguments: &InitArguments,
) -> Result<Option<(Vec<ProposedCheck>, FailureNaming)>> {
    let mut failing = FailureNaming::Unnamed;
    if arguments.no_run || detected.checks.is_empty() {
        let checks = detected.checks.iter().cloned();
        let in_force = checks.map(|check| ProposedCheck { check, standing: ProposedStanding::InForce });
        return Ok(Some((in_force.collect(), failing)));
    }
    let shim = ShimProgram::this_program().map_err(Failure::broken)?;
    let (stop, _listening) = interruption::stop()?;
    say("\nEach command runs once, here in the project (Ctrl-C leaves, with nothing written):\n")?;
    let width = detected.checks.iter().map(|check| columns(&one_line(&check.command))).max().unwrap_or(0);
    let mut proposed = Vec::new();
    for check in &detected.checks {
        say(&format!("  {}  ", padded(&one_line(&check.command), width)))?;
        let folder = project.join(&check.folder);
        let trial = attempt(&shim, &check.command, &folder, check_timeout_default(), &stop);
        let trial = trial.map_err(Failure::broken)?;
        say(&describe(&trial))?;
        if stop.is_asked() {
            return Ok(None);
        }
        if matches!(trial.word, TrialWord::Red { failing: FailureNaming::Named, .. }) {
            failing = FailureNaming::Named;
        }
        proposed.push(ProposedCheck { check: check.clone(), standing: standing(trial.word) });
    }
    Ok(Some((proposed, failing)))
}

fn standing(word: TrialWord) -> ProposedStanding {
    match word {
        TrialWord::Green | TrialWord::GreenWithoutTests => ProposedStanding::InForce,
        TrialWord::Red { why, .. } => ProposedStanding::Red { reason: why },
        TrialWord::CannotRun { why } => ProposedStanding::CommentedOut { reason: why },
        TrialWord::Stopped => ProposedStanding::CommentedOut { reason: "it was stopped".to_owned() },
    }
}

fn describe(trial: &TrialResult) -> String {
    let took = duration(milliseconds(trial.duration));
    let green = Tone::Verified.paint("green", Palette::Colour);
    match &trial.word {
        TrialWord::Green => format!("{green}, {took}\n"),
        TrialWord::GreenWithoutTests => format!("{green}, {took}: no test ran\n"),
        TrialWord::Stopped => "stopped\n".to_owned(),
        TrialWord::Red { why, .. } | TrialWord::CannotRun { why } => {
            let is_red = matches!(trial.word, TrialWord::Red { .. });
            let word = if is_red { "red" } else { "could not run" };
            let mut text =
                format!("{}, {took}: {}\n", Tone::Failed.paint(word, Palette::Colour), one_line(why));
            for line in trial.telling.iter().filter(|line| one_line(line) != one_line(why)) {
                let _ = writeln!(text, "      {}", Tone::Secondary.paint(&one_line(line), Palette::Colour));
            }
            text
        }
    }
}

/// A check that says no before anything was done holds every goal up, or is the goal.
fn red(proposed: &[ProposedCheck], failing: FailureNaming) -> String {
    let red = proposed.iter().filter(|one| matches!(one.standing, ProposedStanding::Red { .. }));
    let red: Vec<String> = red.map(|one| format!("`{}`", one_line(&one.check.command))).collect();
    if red.is_empty() {
        return String::new();
    }
    let baseline = match failing {
        FailureNaming::Named => " `--baseline` accepts the\ntests that fail at the start;",
        FailureNaming::Unnamed => "\nFix it first, or:",
    };
    format!(
        "Red as things stand, and in force: {}. A loop has to make that pass as well.{baseline} what is not to \
         count is taken out of gulf.toml.\n\n",
        red.join(", ")
    )
}

/// What is left to do.
fn next(
    detected: &Detected,
    (proposed, failing): (&[ProposedCheck], FailureNaming),
    has_no_check: bool,
) -> String {
    let mut text = String::from("\n");
    let is_out = |one: &&ProposedCheck| matches!(one.standing, ProposedStanding::CommentedOut { .. });
    let in_force = proposed.len() - proposed.iter().filter(is_out).count();
    text.push_str(&red(proposed, failing));
    if in_force < proposed.len()
        && let Some(setup) = &detected.setup_command
    {
        let _ = writeln!(
            text,
            "If dependencies were missing, set them up and put the check in force: `{}`.\n",
            one_line(setup)
        );
    }
    if has_no_check {
        text.push_str(
            "To fill in: how the work is checked, as `[[check]]` in gulf.toml. Any command that\n\
             exits with 0 only when all is well will do.\n\n",
        );
    }
    let command = Tone::Literal.paint("gulf run", Palette::Colour);
    let _ = writeln!(text, "Next: say in {PROMPT} what is to be done, then\n\n  {command}\n");
    text.push_str(
        "which takes Claude Code or Codex, whichever is installed; `--agent 'command:my-agent'` names another.\n\
         `gulf doctor` checks what is installed.\n",
    );
    text
}
