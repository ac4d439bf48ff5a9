//! Where a loop stands, in one word and one sentence that every view uses.

use gulf_engine::{
    Anomaly, Cause, End, EndNature, Exhaustion, PAUSED_EXIT_CODE, Party, PauseReason, Stage, Stall, State,
    UNDER_WAY_EXIT_CODE, Worker,
};
use serde::{Serialize, Serializer};

use crate::facts::DriverPresence;
use crate::look::Tone;

/// Of a loop that need not go on.
const OUTRUN: &str = "another worker of the group finished first";

/// Where a loop stands; for programs, in its word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoopStatus {
    /// Somebody drives it.
    Running,
    /// A session that a person opened works; gulf comes when it stops.
    InSession {
        host: String,
        /// None until it stops for the first time.
        id: Option<String>,
    },
    /// Nobody drives it, and it is not over.
    Interrupted,
    /// A person must decide.
    Paused(PauseReason),
    /// A person said how it goes on, and nobody drives it since.
    LedOn,
    /// It is over.
    Ended(End),
    /// It is over, as cancelled: another worker of its group was first.
    Outrun,
    /// Its journal holds something that no driver writes; nothing is decided any more.
    Broken(Anomaly),
}

impl LoopStatus {
    pub fn new(state: &State, driver: DriverPresence) -> LoopStatus {
        if let Some(anomaly) = state.anomaly() {
            return Self::Broken(anomaly.clone());
        }
        match &state.stage {
            Stage::Ended(End::Cancelled) if state.is_outrun() => return Self::Outrun,
            Stage::Ended(end) => return Self::Ended(end.clone()),
            Stage::Paused(reason, _) => return Self::Paused(*reason),
            Stage::Unsealed | Stage::Between(_) | Stage::Turn => {}
            Stage::Settling(_) | Stage::Gates(..) | Stage::FollowUp(..) => {}
        }
        let waiting = || if state.led_on.is_some() { Self::LedOn } else { Self::Interrupted };
        match driver {
            DriverPresence::Present => Self::Running,
            DriverPresence::Absent => in_session(state).unwrap_or_else(waiting),
        }
    }

    /// The word of DESIGN "How a command ends".
    pub fn word(&self) -> &'static str {
        match self {
            Self::Running | Self::InSession { .. } => "running",
            Self::Interrupted => "interrupted",
            Self::LedOn => "ready to continue",
            Self::Outrun => End::Cancelled.word(),
            Self::Paused(_) => "paused",
            Self::Ended(end) => end.word(),
            Self::Broken(_) => "error",
        }
    }

    /// How it ended, where it did.
    pub fn end(&self) -> Option<&End> {
        match self {
            Self::Ended(end) => Some(end),
            Self::Outrun => Some(&End::Cancelled),
            Self::Running | Self::InSession { .. } | Self::Interrupted | Self::LedOn => None,
            Self::Paused(_) | Self::Broken(_) => None,
        }
    }

    /// Why it rests, where it does.
    pub(crate) fn pause(&self) -> Option<PauseReason> {
        if let Self::Paused(reason) = self { Some(*reason) } else { None }
    }

    /// What is wrong with the journal, if anything is.
    pub(crate) fn anomaly(&self) -> Option<String> {
        matches!(self, Self::Broken(_)).then(|| self.meaning())
    }

    pub fn is_running(&self) -> bool {
        matches!(self, Self::Running | Self::InSession { .. })
    }

    /// Did every gate say yes?
    pub fn is_success(&self) -> bool {
        self.end().is_some_and(End::has_passed)
    }

    /// The seed's word for a loop that waits for a person (SPEC A6).
    pub fn waiting(&self) -> Option<&'static str> {
        matches!(self, Self::Paused(_)).then_some("waiting-user")
    }

    /// Of a command that leaves a loop like this behind; a running one is not left behind.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Running | Self::InSession { .. } => 0,
            Self::Interrupted | Self::LedOn => 130,
            Self::Outrun => End::Cancelled.exit_code(),
            Self::Paused(_) => PAUSED_EXIT_CODE,
            Self::Ended(end) => end.exit_code(),
            Self::Broken(_) => 1,
        }
    }

    /// For a script that asks where a loop stands: success is *verified* and nothing else.
    pub fn asked_exit_code(&self) -> u8 {
        if self.is_running() { UNDER_WAY_EXIT_CODE } else { self.exit_code() }
    }

    pub fn tone(&self) -> Tone {
        match self {
            Self::Running | Self::InSession { .. } => Tone::Plain,
            Self::Interrupted | Self::LedOn | Self::Paused(_) => Tone::Attention,
            Self::Outrun => Tone::Attention,
            Self::Broken(_) => Tone::Failed,
            Self::Ended(end) => match end.nature() {
                EndNature::Verified => Tone::Verified,
                EndNature::Attested | EndNature::Cancelled => Tone::Attention,
                EndNature::Failed => Tone::Failed,
            },
        }
    }

    /// What the word means here, in one sentence.
    pub fn meaning(&self) -> String {
        match self {
            Self::Running => "the loop is running".to_owned(),
            Self::InSession { host, id: Some(id) } => {
                format!("in the session {}; gulf checks whenever it stops", name(host, Some(id)))
            }
            Self::InSession { host: _, id: None } => {
                "waiting for a session to stop in its checkout".to_owned()
            }
            Self::Interrupted => "not running; no iteration was lost".to_owned(),
            Self::LedOn => "you have decided; `gulf resume` continues".to_owned(),
            Self::Outrun => OUTRUN.to_owned(),
            Self::Paused(reason) => pause_meaning(*reason).to_owned(),
            Self::Ended(end) => end_meaning(end),
            Self::Broken(anomaly) => {
                format!("the journal is inconsistent at event {}: {}", anomaly.sequence, anomaly.what)
            }
        }
    }
}

impl Serialize for LoopStatus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// Between a session's stops nobody drives its loop, and it is under way all the same: while it has a turn in hand, or
/// is waited for.
fn in_session(state: &State) -> Option<LoopStatus> {
    let Worker::Session { host, id } = &state.worker else { return None };
    let is_its_turn = match &state.stage {
        Stage::Turn => true,
        Stage::Between(_) => id.is_none(),
        Stage::Unsealed | Stage::Settling(_) | Stage::Gates(..) | Stage::FollowUp(..) => false,
        Stage::Paused(..) | Stage::Ended(_) => false,
    };
    is_its_turn.then(|| LoopStatus::InSession { host: host.clone(), id: id.clone() })
}

pub(crate) fn pause_meaning(reason: PauseReason) -> &'static str {
    match reason {
        PauseReason::Asked => "a pause was requested",
        PauseReason::Milestone => "review is due",
        PauseReason::Research => "the research brief of iteration 1 was not written",
        PauseReason::HumanGate => "too many rejections in a row: the direction is wrong, or the rubric is",
        PauseReason::NoVerdict => "a required verdict is missing",
        PauseReason::Question => "the worker has a question",
        PauseReason::Denied => "the agent was denied the same thing repeatedly",
        PauseReason::NeedsPerson => "something has to be fixed by hand first",
        PauseReason::HostLimit => "the agent's host would have ended the turn at the next stop",
        PauseReason::Idle => "several turns in a row without a change, a claim or a tool call",
        PauseReason::Step => "a step before the iteration did not finish",
        PauseReason::Review => "an iteration was measured and is ready for your review",
        PauseReason::Stuck => "no progress; you decide how to continue",
        PauseReason::Limit => "the iteration limit is reached; you decide how to continue",
        PauseReason::TaskLimit => "a task came to no end: give it more iterations, skip it or cancel",
        PauseReason::Declined => "the model declined the work twice",
        PauseReason::TestsChanged => "all checks pass, but existing tests were changed: is that right?",
        PauseReason::ReadyToClose => "a task is done but cannot be committed",
        PauseReason::CheckCannotRun => "a check can run neither on the base nor on the candidate",
        PauseReason::ReadyToLand => "the work is ready to land, but something is in the way",
    }
}

pub(crate) fn stall_meaning(stall: Stall) -> &'static str {
    match stall {
        Stall::SameCandidate => "the same refused candidate was claimed repeatedly",
        Stall::Oscillation => "the work oscillated between two trees",
        Stall::SameFailure => "the same failure every time",
        Stall::Idle => "several turns in a row without a change, a claim or a tool call",
        Stall::Plateau => {
            "a plateau: two iterations in a row without fewer failures, fewer lint errors or more coverage"
        }
        Stall::Recurrence => "the same failure kept coming back, whatever was tried",
    }
}

/// Was nothing seen to fail? Other causes only keep what was seen from being the whole proof.
fn is_unseen(cause: &Cause) -> bool {
    matches!(cause, Cause::NoCheck | Cause::NothingCouldFail { .. } | Cause::Unnoticed { .. })
}

/// The end of a loop, in one sentence.
pub(crate) fn how_it_ended(end: &End, state: &State) -> String {
    let last = state.end_of_task();
    let proven = state.finished.iter().chain(&last).filter(|end| end.nature() == EndNature::Verified).count();
    if *end == End::Cancelled && state.is_outrun() {
        return OUTRUN.to_owned();
    }
    if proven > 0 && end.nature() == EndNature::Attested {
        return format!("every gate passed, with proof for {proven} of {} tasks", state.plan.len());
    }
    end_meaning(end)
}

pub(crate) fn end_meaning(end: &End) -> String {
    let meaning = match end {
        End::Verified { .. } => "every gate passed, with proof that the change made the difference",
        End::Attested { causes } if causes.contains(&Cause::Waived) => {
            "a person overruled the judge; every other gate passed"
        }
        End::Attested { causes } if causes.contains(&Cause::NothingChanged) => {
            "every gate passed, but nothing was changed"
        }
        End::Attested { causes } if causes.iter().any(|cause| matches!(cause, Cause::Findings { .. })) => {
            "every gate passed, but something was found in tests, runner settings or code"
        }
        End::Attested { causes } if causes.iter().any(is_unseen) => {
            "every gate passed, but nothing proves that the change made the difference"
        }
        End::Attested { .. } => "every gate passed, but something keeps it from being proof",
        End::Stalled { by } => stall_meaning(*by),
        End::Exhausted { limit: Exhaustion::Iterations } => {
            "the iteration limit is reached, and nothing is verified"
        }
        End::Exhausted { limit: Exhaustion::Tasks } => "no remaining task can start, and not all are done",
        End::Exhausted { limit: Exhaustion::Time } => "the time limit is reached, and nothing is verified",
        End::Exhausted { limit: Exhaustion::Money } => {
            "the --max-cost budget is spent, and nothing is verified"
        }
        End::Exhausted { limit: Exhaustion::Tokens } => {
            "the --max-tokens budget is spent, and nothing is verified"
        }
        End::Unavailable { party, reason } => {
            return match party {
                Party::Agent => format!("the agent was unreachable: {reason}"),
                Party::Judge => format!("the judge was unreachable: {reason}"),
                Party::Host => format!("the machine could not continue: {reason}"),
            };
        }
        End::Violated => "tests or runner configuration were changed, and the policy is to stop",
        End::Cancelled => "a person ended the loop",
    };
    meaning.to_owned()
}

// A loop whose worker is a session that a person opened: what it is called, and how it is told to go on.

/// The host of the session that works; none where gulf's own processes do.
pub(crate) fn host(state: &State) -> Option<&str> {
    match &state.worker {
        Worker::Session { host, id: _ } => Some(host),
        Worker::Processes => None,
    }
}

/// `claude 0199a213`, as the host itself calls it; less where less is known.
pub(crate) fn name(host: &str, id: Option<&str>) -> String {
    match (host, id) {
        ("other", Some(id)) => id.to_owned(),
        (host, Some(id)) => format!("{host} {id}"),
        (_, None) => "the next one that stops in this checkout".to_owned(),
    }
}

/// What a person types into it. Codex has no slash commands of plugins, and every other host lets `/` pass as text.
pub fn resume_command(host: &str) -> &'static str {
    if host == "codex" { "$gulf-loop:resume" } else { "/gulf-loop:resume" }
}
