//! What a command says when it cannot do what was asked: what failed, why, and what to do about it.

use std::error::Error;
use std::fmt::Write as _;
use std::process::ExitCode;

use camino::Utf8Path;
use gulf_engine::Refusal;
use gulf_host::files::{ReadError, WriteError};
use gulf_host::git::GitError;
use gulf_host::hint::Hint as _;
use gulf_host::home::{Home, HomeError};
use gulf_host::lock::LockError;
use gulf_runner::branching::BranchingError;
use gulf_runner::error::RunError;
use gulf_runner::keeping::KeepingError;
use gulf_runner::plan::PlanError;
use gulf_runner::start::StartError;
use gulf_spec::config::ConfigError;
use gulf_spec::problem::{Located, Problem};
use gulf_views::{Palette, Tone, tame_text};
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};

use crate::out::masked;

/// The exit code of an error of the world.
pub const ERROR: u8 = 1;
/// The exit code of a mistake in the asking, and of a start that is refused.
pub const USAGE: u8 = 2;
/// A command was told to stop, or a driver to leave.
pub const INTERRUPTED: u8 = 130;
/// There is no loop that could be meant: that is an answer, whoever asks.
const NOTHING: u8 = 0;

/// A text with a longer line is not drawn.
const DRAWN_LINE_BYTES_MAX: usize = 1_000;

/// So many places are named where there is one line for all of them.
const PLACES_NAMED_MAX: usize = 3;

/// What a command gives: where no other error is named, it is a [`Failure`].
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// Why a command did not do what was asked.
#[derive(Debug, Default)]
pub struct Failure {
    code: u8,
    message: String,
    causes: Vec<String>,
    places: Vec<Place>,
    hint: Option<String>,
}

/// A mistake in a text.
#[derive(Debug)]
struct Place {
    drawn: String,
    in_one_line: String,
}

impl Failure {
    /// Somebody asked for what cannot be.
    pub fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code: USAGE, message: message.into(), hint: Some(hint.into()), ..Self::default() }
    }

    /// The world did not let it be done.
    pub fn world(error: &dyn Error, hint: Option<String>) -> Self {
        let causes = std::iter::successors(error.source(), |&cause| cause.source()).map(ToString::to_string);
        Self { code: ERROR, message: error.to_string(), causes: causes.collect(), hint, ..Self::default() }
    }

    /// The same, where the error itself says what helps.
    pub fn from_diagnostic<E: Diagnostic>(error: &E) -> Self {
        Self { hint: error.hint(), ..Self::broken(error) }
    }

    /// The same, where nothing is known that helps.
    pub fn broken(error: impl Error) -> Self {
        Self::world(&error, None)
    }

    /// What failed and why, in one line.
    pub fn in_one_line(&self) -> String {
        let places = self.places.iter().take(PLACES_NAMED_MAX).map(|place| place.in_one_line.clone());
        let more = self.places.len().saturating_sub(PLACES_NAMED_MAX);
        let more = (more > 0).then(|| format!("and {more} more"));
        let places: Vec<String> = places.chain(more).collect();
        let places = Some(places.join("; ")).filter(|places| !places.is_empty());
        let parts = std::iter::once(&self.message).chain(&places).chain(&self.causes);
        parts.map(String::as_str).collect::<Vec<_>>().join(": ")
    }

    /// With its hint in brackets.
    pub fn with_hint_in_one_line(&self) -> String {
        let hint = self.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
        self.in_one_line() + &hint
    }

    /// Was nothing begun, since it cannot be as it was asked for?
    pub fn is_refusal(&self) -> bool {
        self.code == USAGE
    }

    /// With one thing more to do about it.
    pub fn with_hint(self, more: &str) -> Self {
        let hint = self.hint.map_or(more.to_owned(), |hint| format!("{hint}; {more}"));
        Self { hint: Some(hint), ..self }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The world is not as it must be before anything is begun.
    pub fn refused<E: Diagnostic>(error: &E) -> Self {
        Self { code: USAGE, ..Self::from_diagnostic(error) }
    }

    /// The same, of what was begun already: no start is refused any more.
    pub fn under_way(self) -> Self {
        Self { code: ERROR, ..self }
    }

    /// Mistakes in a text, each drawn at its place.
    pub fn places<'p, P: Problem>(message: &str, problems: impl Iterator<Item = &'p Located<P>>) -> Self {
        let place = |located: &Located<P>| Place { drawn: draw(located), in_one_line: located.in_one_line() };
        let places = problems.map(place).collect();
        Self { code: USAGE, message: message.to_owned(), places, ..Self::default() }
    }

    /// Prints it and gives the exit code.
    pub fn report(&self) -> ExitCode {
        errln!("{}", masked(&self.shown()));
        ExitCode::from(self.code)
    }

    fn shown(&self) -> String {
        let paint = |tone: Tone, text: &str| tone.paint(text, Palette::Colour);
        // What is quoted of a project or a worker moves no cursor.
        let head = if self.code == NOTHING { "note:".to_owned() } else { paint(Tone::Failed, "error:") };
        let mut text = format!("{head} {}", tame_text(&self.message));
        for place in &self.places {
            let _ = write!(text, "\n{}", tame_text(place.drawn.trim_end()));
        }
        for cause in &self.causes {
            let _ = write!(text, "\ncaused by: {}", tame_text(cause));
        }
        if let Some(hint) = &self.hint {
            let _ = write!(text, "\n{} {}", paint(Tone::Literal, "hint:"), tame_text(hint));
        }
        text
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        if let RunError::Prompt { source } = &error {
            return Self {
                hint: error.hint(),
                ..Self::places(&error.to_string(), std::iter::once(&**source))
            };
        }
        // What a project or a machine lacks is a refused start; what breaks under way is an error.
        let failure = if error.is_refusal() { Self::refused(&error) } else { Self::from_diagnostic(&error) };
        if let RunError::Write(WriteError::Failed { path, .. }) = &error
            && is_of_state(path)
        {
            return failure.with_hint("or keep gulf's state in another folder: `GULF_HOME=FOLDER`");
        }
        failure
    }
}

/// Is this where gulf keeps its state, or a folder above?
fn is_of_state(path: &Utf8Path) -> bool {
    let home = Home::from_environment();
    home.is_ok_and(|home| path.starts_with(home.root()) || home.root().starts_with(path))
}

/// Lets `?` take what the world refuses, as everything that keeps a loop from being driven.
macro_rules! of_the_world {
    ($($source:ty),+) => {
        $(impl From<$source> for Failure {
            fn from(error: $source) -> Self {
                RunError::from(error).into()
            }
        })+
    };
}

of_the_world!(GitError, HomeError, LockError, ReadError, WriteError);

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        let is_nothing = matches!(error, StartError::NoLoop | StartError::NothingToResume);
        if let StartError::Run(error) | StartError::Branching(BranchingError::Run(error)) = error {
            error.into()
        } else if let StartError::Branching(refused) = &error {
            Self::refused(refused)
        } else {
            Self { code: if is_nothing { NOTHING } else { USAGE }, ..Self::from_diagnostic(&error) }
        }
    }
}

/// What a loop as it stands does not admit.
impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let hint = match refusal {
            Refusal::NotPaused => "`gulf pause` pauses it; `gulf status` shows its state",
            Refusal::QuestionOpen { number } => {
                let hint = format!("`gulf answer {number} \"…\"`; `gulf inbox` shows what is asked");
                return Self::usage(refusal.to_string(), hint);
            }
            Refusal::NoSuchQuestion | Refusal::WhichQuestion { .. } => "`gulf inbox` shows what is open",
            Refusal::ChecksSayNo => {
                "if the check is wrong, fix RUBRIC.md or gulf.toml, then `gulf resume --accept-contract`"
            }
            Refusal::NoCandidate => "`gulf resume` lets the worker continue",
            Refusal::Transition { .. } => {
                "`gulf feedback show` says which phase it is; without `--phase` it is that one"
            }
            Refusal::OutOfRange { .. } => "say what was counted",
            Refusal::TooLong { .. } => "say it in fewer words",
            Refusal::Blank => "say it in a sentence",
            Refusal::PersonOnly | Refusal::NotByChannel => "run it in a terminal of your own",
            Refusal::NoTasks => "`gulf run --preset tasks` works through a list",
            Refusal::NotBetween => "`gulf resume` lets the gates finish; `gulf reject` rejects it",
            Refusal::TooManyBlockers => "ask a person: `gulf claim need-decision \"…\"`",
            Refusal::NothingToLand => {
                "`gulf status` shows its state; `gulf resume` continues, `gulf fork` starts again from an iteration"
            }
            Refusal::NotOver => "`gulf cancel` ends it; what was done stays where it is until then",
            Refusal::HasLanded => "`git revert COMMIT` undoes it; `gulf status` names the commit",
            Refusal::NotStarted
            | Refusal::Ended
            | Refusal::AlreadyPaused
            | Refusal::WorkerOnly
            | Refusal::NoTurn
            | Refusal::Stale { .. }
            | Refusal::TooManyOptions { .. }
            | Refusal::TooManyQuestions => "`gulf status` shows the loop's state",
        };
        Self::usage(refusal.to_string(), hint)
    }
}

impl From<KeepingError> for Failure {
    fn from(error: KeepingError) -> Self {
        match error {
            KeepingError::Refused(refusal) => refusal.into(),
            KeepingError::InTheWay { what, hint } => Self::usage(what, hint),
            KeepingError::World(error) => error.into(),
        }
    }
}

impl From<BranchingError> for Failure {
    fn from(error: BranchingError) -> Self {
        StartError::from(error).into()
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        let (message, hint) = (error.to_string(), error.hint());
        let told = if let PlanError::Run(error) = error {
            return error.into();
        } else if let PlanError::Rubric { problems, .. } = &error {
            Self::places(&message, problems.iter())
        } else if let PlanError::Alignment { problems, .. } = &error {
            Self::places(&message, problems.iter())
        } else if let PlanError::TaskList { problems, .. } = &error {
            Self::places(&message, problems.iter())
        } else {
            Self::refused(&error)
        };
        Self { hint, ..told }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::places("the settings cannot be used", error.iter())
    }
}

fn draw<P: Problem>(located: &Located<P>) -> String {
    let mut drawn = String::new();
    // A line that no terminal shows helps nobody; the place does.
    let longest = located.source.text().lines().map(str::len).max().unwrap_or(0);
    if longest > DRAWN_LINE_BYTES_MAX {
        let hint = located.problem.hint().map(|hint| format!("\n  {hint}")).unwrap_or_default();
        return format!("  {}: {}{hint}", located.place(), located.problem);
    }
    let theme = GraphicalTheme::unicode_nocolor();
    match GraphicalReportHandler::new_themed(theme).with_width(100).render_report(&mut drawn, located) {
        Ok(()) => drawn,
        Err(_) => format!("{}: {}", located.place(), located.problem),
    }
}

#[cfg(test)]
mod tests;
