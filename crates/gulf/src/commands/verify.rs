//! `gulf verify`: the gates once, now, on what lies in the worktree; for CI, and before a commit.

mod receipt;

use std::io::Write;
use std::time::Duration;

use gulf_engine::{CommitId, EffectResult, Event, Fact, State};
use gulf_host::clock::Clock;
use gulf_host::home::Home;
use gulf_runner::folder::LoopPaths;
use gulf_runner::observer::Observer;
use gulf_runner::place::Project;
use gulf_runner::plan::{CheckNeed, PlanError, stated};
use gulf_runner::resources::Resources;
use gulf_runner::trust::GivenOn;
use gulf_runner::verify::{CandidateVerification, ComparisonBase, VerifyError, VerifyRequest};
use gulf_spec::config::{self, Key};
use gulf_views::{
    ERASE, History, Look, Palette, Tone, checking_line, is_looked_at, line, redraw, tame_text, verification,
    verification_json,
};

use super::tell;
use crate::cli::{ChecksArguments, VerifyArguments};
use crate::excerpts::with_words;
use crate::failure::{Failure, INTERRUPTED, Result};
use crate::language::translated;
use crate::out::say_note;
use crate::screen::{self, TellingStyle};
use crate::trusting::{self, Word};
use crate::{interruption, place, settings};

/// How often the live line shows that time passes.
const TICK: Duration = Duration::from_millis(250);

pub fn verify(arguments: &VerifyArguments) -> Result<u8> {
    let VerifyArguments { checks, base, json, receipt, sign: _ } = arguments;
    if let Some(name) = receipt {
        return receipt::verify_receipt(arguments, name);
    }
    let against = base.clone().map_or(ComparisonBase::Nothing, ComparisonBase::Commit);
    let telling = TellingStyle::from_json_flag(*json);
    let Some(verified) = verified(checks, None, (against, None), telling)? else { return Ok(INTERRUPTED) };
    let found = found(base.is_some(), &verified);
    let text = || format!("\n{}", verification(&found, screen::stdout_look()));
    tell(*json, || verification_json(&found), text)?;
    Ok(found.exit_code())
}

/// Asks the gates, of a commit where one is named in place of what lies in the worktree; none where somebody told it to
/// stop.
pub(super) fn verified(
    checks: &ChecksArguments,
    preset: Option<&str>,
    (against, commit): (ComparisonBase, Option<CommitId>),
    telling: TellingStyle,
) -> Result<Option<CandidateVerification>> {
    let preset = preset.map(|preset| (Key::Preset, preset.to_owned()));
    let (flags, rubric) = (settings::checks(checks).chain(preset).collect(), checks.rubric.as_deref());
    let project = Project::find(&place::current_directory()?)?;
    let home = Home::from_environment()?;
    let config = config::load(&settings::layers(&project.directory, flags)?)?;
    let stated = stated(&project.directory, &config, rubric, CheckNeed::Required).map_err(refusal)?;
    let word = Word::terminal("gulf verify", GivenOn::Beginning);
    trusting::give(&project, &home, word, &trusting::commands(&project.directory, &config, &stated.checks))?;
    let clock = Clock::new();
    // Where the second Ctrl-C comes, the next `gulf verify` removes the folder.
    let (stop, _listening) = interruption::stop()?;
    let request = VerifyRequest { project: &project, home: &home, config: &config, stated, against, commit };
    let mut prepared = CandidateVerification::prepare(request, &clock)?;
    let mut watcher = Watcher::new(telling, prepared.resources.folder.clone());
    prepared.notes.iter().for_each(|note| say_note(translated(note)));
    let is_over = prepared.run(&clock, &mut watcher, &stop);
    watcher.close();
    if !is_over? {
        errln!("{}", translated("interrupted: no result"));
        return Ok(None);
    }
    Ok(Some(prepared))
}

/// There is no `--unverified` here.
fn refusal(error: PlanError) -> Failure {
    let hint = if let PlanError::NoCheck { .. } = error {
        "say how the work is checked: `--check COMMAND`, or `gulf init`".to_owned()
    } else if let PlanError::OnlyProposed { example, .. } = &error {
        format!("`--detected` uses that; or name a check: `--check {example}`")
    } else {
        return error.into();
    };
    Failure::usage(error.to_string(), hint)
}

impl From<VerifyError> for Failure {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Plan(PlanError::CheckCannotRun { ref why, .. }) => {
                Self::usage(error.to_string(), why.hint(None))
            }
            VerifyError::Plan(error) => error.into(),
            VerifyError::Run(error) => error.into(),
            VerifyError::UnknownBase { .. } | VerifyError::NoCommits => Self::refused(&error),
        }
    }
}

/// What the gates amount to.
fn found(is_compared: bool, prepared: &CandidateVerification) -> gulf_views::Verification {
    let Resources { agreement, folder, .. } = &prepared.resources;
    let mut facts = place::facts(agreement, folder.root());
    facts.logs.clear();
    let comparison = is_compared.then(|| agreement.base.commit.clone());
    let history = History::fold(&prepared.events);
    let CandidateVerification { fold, is_uncommitted, .. } = prepared;
    gulf_views::Verification::new(&facts, &history, &fold.state, comparison, *is_uncommitted)
}

/// Shows each gate's word as it comes.
#[derive(Debug)]
struct Watcher {
    telling: TellingStyle,
    folder: LoopPaths,
    /// Where standard error is a terminal: the live line below.
    live: bool,
    look: Look,
}

impl Watcher {
    fn new(telling: TellingStyle, folder: LoopPaths) -> Self {
        let live = telling == TellingStyle::Lines && screen::is_live();
        Self { telling, folder, live, look: screen::look_of(&std::io::stderr()) }
    }

    fn close(&self) {
        if self.live {
            err!("{ERASE}");
        }
    }

    fn print(&self, text: Option<&str>, state: &State, active_ms: u64) {
        if self.live {
            err!("{}", redraw(text, &checking_line(state, active_ms, self.look)));
            let _ = std::io::stderr().flush();
        } else if let Some(text) = text {
            errln!("{text}");
        }
    }
}

impl Observer for Watcher {
    fn event(&mut self, event: &Event, state: &State) {
        let Fact::Ended { key, result } = &event.fact else { return };
        if self.telling == TellingStyle::Json || !is_looked_at(key) || *result == EffectResult::Interrupted {
            return;
        }
        let text =
            line(event, state, self.look).map(|line| with_words(line, event, state, &self.folder, self.look));
        self.print(text.as_deref(), state, event.active_ms);
    }

    fn note(&mut self, text: &str) {
        self.close();
        errln!("{}", Tone::Attention.paint(&tame_text(&translated(text)), Palette::Colour));
    }

    fn waiting(&mut self, state: &State, active_ms: u64) {
        if self.live {
            self.print(None, state, active_ms);
        }
    }

    fn tick(&self) -> Option<Duration> {
        self.live.then_some(TICK)
    }
}
