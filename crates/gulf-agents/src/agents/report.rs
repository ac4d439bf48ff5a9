//! What happened in a turn, in words that are the same for every agent.
//!
//! Every decoder fills it and the runner reads nothing else: no field of a tool's own protocol gets past this file.

use serde_json::Value;

/// Denials that are named in a report; more are only events.
pub const DENIALS_MAX: usize = 256;
/// Commands that were cut off and are named in a report.
pub const CUT_OFF_MAX: usize = 64;

/// Something that was told while the turn went on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentEvent {
    /// The agent runs.
    Started,
    /// The agent said something to the person; not its thoughts, and not a sub-agent's words.
    Said { text: String },
    /// A tool was called.
    Called(ToolCall),
    /// A tool was not run, because nobody allowed it.
    Denied(ToolCall),
    /// The agent asks the model again by itself.
    Retrying { attempt: u32, status: Option<u16> },
    /// How much of the context is filled.
    Measured(ContextUse),
    /// The agent does not take what gulf told it may be done: what it would do now nobody allowed.
    RulesRefused { complaint: String },
    /// The agent said its last word; a second one may follow.
    Finished,
}

/// How the process ended, as its host saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessEnd {
    /// It exited by itself with this code.
    Exited(i32),
    /// A signal ended it.
    Signalled,
    /// It was stopped because its time was over, when it had printed so much.
    TimedOut { stdout_bytes: u64 },
}

/// Everything that is known of a turn when its process is gone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnReport {
    pub outcome: Outcome,
    /// The agent's last words; empty if it had none.
    pub final_message: String,
    /// What to continue this session by.
    pub session: Option<String>,
    pub model: Option<String>,
    /// Calls of tools, those of sub-agents included if the tool tells them.
    pub tool_calls: u32,
    /// Those that nobody allowed, at most [`DENIALS_MAX`].
    pub denials: Vec<ToolCall>,
    /// Commands that still ran when the turn was over, and that the agent has killed, at most [`CUT_OFF_MAX`].
    pub cut_off: Vec<String>,
    /// Nothing if the tool did not come to tell it: then it is not known what the turn cost.
    pub spent: Option<TurnUsage>,
    pub context: Option<ContextUse>,
    /// Nothing if the tool tells too little of its context.
    pub orientation: Option<ContextBeforeEdit>,
    /// The answer in the form of the schema that was asked for; that it is there does not say that it is valid.
    pub structured: Option<Value>,
}

/// What became of the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The agent came to its end. That says nothing about the work.
    Completed,
    Failed(TurnFailure),
}

/// Why there is no end of the agent's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnFailure {
    pub kind: FailureKind,
    /// The tool's own words, for people; nothing may be decided on them. Empty if it had none.
    pub detail: String,
}

/// What can be done about it is another thing for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// A limit of the account: wait.
    RateLimited { reset: Reset },
    /// The model's servers have too much to do, or take no more of this key for now, and name no time: wait.
    Overloaded,
    /// The model's servers failed, or could not be reached: try again after a while.
    Unreachable,
    /// Only a person can change it.
    NeedsPerson { need: Need },
    /// The session no longer fits into the model: begin a fresh one.
    ContextFull,
    /// The turns that the agent was given are used up.
    TurnsUsedUp,
    /// The money that the agent was given is used up.
    BudgetUsedUp,
    /// The answer never had the form that was asked for.
    SchemaNotMet,
    /// Somebody stopped it.
    Interrupted,
    /// The model, or a policy before it, refused.
    Refused,
    /// The program ended before the agent began: arguments it does not know, a session that is gone or in use.
    /// Why stands on its stderr.
    NotStarted,
    /// What it said does not tell how it ended.
    Unreadable,
    /// None of these.
    Other,
}

/// When a limit is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// Seconds since 1970.
    At { unix_s: u64 },
    /// From the turn's end on.
    In { seconds: u64 },
    /// The next time that the machine's clock shows this; the tool told no date.
    TimeOfDay { hour: u8, minute: u8 },
    /// No time was told.
    Unknown,
}

/// What a person has to see to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Sign in, or put a key that is valid.
    SignIn,
    /// Pay, or raise the plan.
    Billing,
    /// Choose a model that there is for this account.
    Model,
    /// Change how the tool is installed or set up, or a policy of the organisation.
    Setup,
    /// Take a version of the tool that knows the rules that gulf gives it.
    Rules,
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    pub tool: String,
    /// One line, for example the command or the path.
    pub what: String,
}

/// What was used, sub-agents included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnUsage {
    pub usage: Usage,
    /// By the tool's own estimate at list prices; nothing where it tells none.
    pub microdollars: Option<u64>,
    /// Of what this is the sum.
    pub span: SumSpan,
}

impl TurnUsage {
    /// Of this turn, without a price.
    pub fn unpriced(usage: Usage) -> Self {
        Self { usage, microdollars: None, span: SumSpan::Turn }
    }

    /// Both together; what is unknown in part is unknown.
    pub(super) fn plus(self, more: Self) -> Self {
        let both = self.microdollars.zip(more.microdollars);
        let microdollars = both.map(|(one, other)| one.saturating_add(other));
        Self { usage: self.usage.plus(more.usage), microdollars, ..self }
    }
}

/// Of what a sum was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumSpan {
    /// Of this turn alone.
    Turn,
    /// Of the session from its first turn on: what was known before must be subtracted.
    Session,
}

/// Tokens. The four are disjoint: what was read from a cache or written into one is not input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub input_tokens: u64,
    /// Thinking included.
    pub output_tokens: u64,
    pub cache_read_tokens: u64,
    pub cache_write_tokens: u64,
}

impl Usage {
    /// Of a tool that counts what came from a cache or went into one as input, too.
    pub(crate) fn from_sum(told: &Value, keys: [&str; 4]) -> Option<Self> {
        told[keys[0]].as_u64()?;
        let usage = Self::of_keys(told, keys);
        let cached = usage.cache_read_tokens.saturating_add(usage.cache_write_tokens);
        Some(Self { input_tokens: usage.input_tokens.saturating_sub(cached), ..usage })
    }

    /// Of a tool that has a key for each; what it does not tell is none.
    pub(crate) fn of_keys(told: &Value, keys: [&str; 4]) -> Self {
        let [input_tokens, output_tokens, cache_read_tokens, cache_write_tokens] =
            keys.map(|key| told[key].as_u64().unwrap_or(0));
        Self { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.with_each(other, u64::saturating_add)
    }

    /// What came on top of a sum that was known before.
    #[must_use]
    pub fn since(self, before: Self) -> Self {
        self.with_each(before, u64::saturating_sub)
    }

    fn with_each(self, other: Self, of: fn(u64, u64) -> u64) -> Self {
        Self {
            input_tokens: of(self.input_tokens, other.input_tokens),
            output_tokens: of(self.output_tokens, other.output_tokens),
            cache_read_tokens: of(self.cache_read_tokens, other.cache_read_tokens),
            cache_write_tokens: of(self.cache_write_tokens, other.cache_write_tokens),
        }
    }

    /// All of them.
    pub fn tokens(self) -> u64 {
        let input = self.input_tokens.saturating_add(self.cache_read_tokens);
        input.saturating_add(self.cache_write_tokens).saturating_add(self.output_tokens)
    }
}

/// How full the context was at the last call of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextUse {
    /// What the model was sent.
    pub tokens: u64,
    /// What it can be sent at most.
    pub window: Option<u64>,
}

/// How much of the context was filled before the turn's first edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextBeforeEdit {
    /// Beyond what the model was sent first.
    pub tokens: u64,
    /// What it can be sent at most.
    pub window: u64,
    pub until: ReadingEnd,
}

/// Where reading was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadingEnd {
    /// A tool that edits was called.
    Edit,
    /// None was; commands may have changed files.
    Turn,
}

impl Default for Outcome {
    /// Of a last word that does not say which of the two it is.
    fn default() -> Self {
        Self::Failed(TurnFailure::new(FailureKind::Unreadable, "its result does not say how it ended"))
    }
}

impl TurnFailure {
    pub(super) fn new(kind: FailureKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into() }
    }
}

// What an HTTP status of the model's servers means, whichever agent passes it on.

/// Nothing where the status says no more than that it failed.
pub(super) fn of_status(status: u16) -> Option<FailureKind> {
    match status {
        401 | 403 => Some(FailureKind::NeedsPerson { need: Need::SignIn }),
        402 => Some(FailureKind::NeedsPerson { need: Need::Billing }),
        404 => Some(FailureKind::NeedsPerson { need: Need::Model }),
        413 => Some(FailureKind::ContextFull),
        status if asks_for_patience(status) => Some(FailureKind::Overloaded),
        408 | 500.. => Some(FailureKind::Unreachable),
        _ => None,
    }
}

/// Too many requests, too much to do: nothing is broken.
pub(super) fn asks_for_patience(status: u16) -> bool {
    [429, 503, 529].contains(&status)
}
