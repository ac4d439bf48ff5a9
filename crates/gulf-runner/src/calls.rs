//! One process of an agent, as worker or judge: started, followed, understood, paid for.
//!
//! Worker and judge are called the same way; what a turn or a verdict is made of its words is decided elsewhere.

mod last_words;

use std::ops::ControlFlow;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::agents::{
    self, AgentEvent, AgentRole, ContextUse, Decoder, FailureKind, Invocation, Need, Outcome, ProcessEnd,
    Reset, TurnFailure as AgentFailure, TurnReport, TurnRequest,
};
use gulf_agents::command;
use gulf_agents::masking::Mask;
use gulf_agents::reports::last_lines;
use gulf_engine::{Denial, Session, Turn, TurnOutcome};
use gulf_host::clock::{Clock, milliseconds, until_time_of_day};
use gulf_host::files::{self, Durability};
use gulf_host::isolation;
use gulf_host::process::{Ending, ProcessOutcome, ProcessRequest, Program, Stdin, Stream, TimeOut};
use gulf_spec::quantity::print_duration;

use crate::agreement::{Tool, WorkerWalls};
use crate::environment::Variables;
use crate::error::{Failure, Result};
use crate::resources::AgentEffect;
use crate::spending::{self, Account, Allowance, SessionSeen};
use crate::{orientation, program};

/// How much of the final message is looked at.
const MESSAGE_BYTES_MAX: usize = 256 * 1024;
/// After the moment that a provider names: clocks differ.
const LIMIT_MARGIN: Duration = Duration::from_secs(5);
/// Basis points of a whole.
const WHOLE_BP: u64 = 10_000;
/// What agents call the tool that runs commands.
const SHELLS: [&str; 3] = ["Bash", "bash", "run_shell_command"];
/// A longer id of a session is no part of a file's name.
const SESSION_CHARS_MAX: usize = 100;
/// Words of an agent about its failure that are kept.
const DETAIL_CHARS_MAX: usize = 500;

/// What is said to the worker, in which session, under which name, and which program it is.
pub(crate) struct CallWords<'words> {
    pub prompt: String,
    pub session: Option<&'words Session>,
    pub name: &'words str,
    pub tool: &'words Tool,
    pub allowance: Allowance,
}

/// What is asked of which agent, and where.
#[derive(Debug)]
pub(crate) struct Call<'call> {
    pub tool: &'call Tool,
    pub prompt: String,
    pub purpose: AgentRole,
    pub directory: Utf8PathBuf,
    /// Folders outside of it that the agent needs.
    pub folders: Vec<String>,
    pub environment: Variables,
    pub extra: Vec<String>,
    pub wall: Duration,
    pub idle: Option<Duration>,
    pub microdollars_max: Option<u64>,
    /// The logs' name.
    pub name: &'call str,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    /// As far as the agent's program tells of it.
    pub turn: Turn,
    pub message: String,
    /// For people: the agent's or the system's own words about a failure, in one line.
    pub detail: String,
    /// The same with the last lines of its output; empty where it did not fail.
    pub last_words: Vec<String>,
    /// Commands that the agent killed when it had nothing more to say.
    pub cut_off: Vec<String>,
    pub structured: Option<serde_json::Value>,
}

impl AgentEffect<'_> {
    /// Calls an agent and waits for its end. What it cost is paid, whatever it came to.
    pub(crate) fn call(&self, call: &Call<'_>) -> Result<Reply> {
        if !matches!(call.purpose, AgentRole::Worker { .. }) {
            return self.start(call);
        }
        let mark = self.resources.mark(self.key, call.name);
        self.resources.putting_back(&mark, || self.start(call))
    }

    /// Keeps what was said, and where that was no end of its own, the last words.
    pub(crate) fn keep_words(&self, reply: &Reply, said: &str, failure: &str) -> Result<()> {
        let folder = &self.resources.folder;
        folder.write_log(self.key, said, &reply.message)?;
        if !reply.last_words.is_empty() {
            folder.write_log(self.key, failure, &reply.last_words.join("\n"))?;
        }
        Ok(())
    }

    fn start(&self, call: &Call<'_>) -> Result<Reply> {
        if let Some((tool, model)) = call.tool.known() {
            return self.speak(tool, model, call);
        }
        let (program, mask) = (Program::Shell(call.tool.to_string()), &self.resources.mask);
        let stdin = mask.text(&call.prompt).into_owned().into_bytes();
        let request = self.process(call, program, call.environment.clone(), stdin);
        let request = self.behind_walls(call, request)?;
        let outcome = self.begun(call, program::run(&self.resources.shim, request, self.stop));
        self.meter.pay(spending::assumed(&self.resources.agreement));
        let outcome = outcome?;
        let printed = [outcome.stderr_tail.as_slice(), &outcome.stdout_tail];
        let mut reply = call.reply(report_without_protocol(&outcome), &printed, &outcome, mask);
        reply.turn.tool_calls = None;
        Ok(reply)
    }

    fn speak(&self, tool: agents::Tool, model: Option<&String>, call: &Call<'_>) -> Result<Reply> {
        let request = TurnRequest {
            prompt: self.resources.mask.text(&call.prompt).into_owned(),
            purpose: call.purpose.clone(),
            folder: call.directory.to_string(),
            folders: call.folders.clone(),
            model: model.cloned(),
            cost_microdollars_max: call.microdollars_max,
            extra: call.extra.clone(),
            beside: self.beside(call)?.into_string(),
        };
        let line = agents::invocation(tool, &request);
        let Invocation { program, arguments, environment, stdin, files } = line;
        for (path, text) in files {
            files::replace(Utf8Path::new(&path), text.as_bytes(), Durability::Buffered)?;
        }
        let account = Account::open(tool, &request.beside)?;
        let own = call.environment.clone().into_iter().chain(environment).collect();
        let process = self.process(call, Program::Exec { program, arguments }, own, stdin.into_bytes());
        let process = self.behind_walls(call, process)?;
        let mut decoder = Decoder::new(tool);
        let mut started = false;
        let beginning = format!("{}/", process.directory);
        let outcome = program::follow(&self.resources.shim, process, self.stop, &mut |stream, bytes| {
            let events = match stream {
                Stream::Stdout => decoder.push(bytes),
                Stream::Stderr => decoder.push_stderr(bytes),
            };
            started |= events.iter().any(|event| matches!(event, AgentEvent::Started));
            if let Some(what) = events.iter().rev().find_map(|event| seen(tool, event)) {
                // Where it works is known: what changes on the line is the rest of the path.
                self.resources.activity.set(self.resources.mask.owned(what.replace(&beginning, "")));
            }
            // What it would do without its rules nobody allowed.
            let is_ruled = !events.iter().any(|event| matches!(event, AgentEvent::RulesRefused { .. }));
            if is_ruled { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let end = outcome.as_ref().map_or(ProcessEnd::Signalled, ended);
        let report = account.close(decoder.finish(end), codex_home(&call.environment).as_deref());
        let agreement = &self.resources.agreement;
        let seen = seen_of(&call.purpose);
        self.meter.pay(spending::of_report(agreement, &report, model, seen, started));
        let outcome = self.begun(call, outcome)?;
        // Its standard output is its protocol, which its typed error was read from.
        Ok(call.reply(report, &[&outcome.stderr_tail], &outcome, &self.resources.mask))
    }

    /// A worker's program is confined, a judge's is without tools that write.
    fn behind_walls(&self, call: &Call<'_>, request: ProcessRequest) -> Result<ProcessRequest> {
        if !matches!(call.purpose, AgentRole::Worker { .. }) {
            return Ok(request);
        }
        let signed_in_by = call.tool.descriptor().map_or(&[][..], |agent| agent.signed_in_by);
        self.resources.worker_begins()?;
        let program = self.resources.confined(request.program, &call.directory, signed_in_by)?;
        Ok(ProcessRequest { program, ..request })
    }

    /// Walls that could not be put up are nobody's failure, and the next try would end like this one.
    fn begun(&self, call: &Call<'_>, outcome: Result<ProcessOutcome>) -> Result<ProcessOutcome> {
        let outcome = outcome?;
        if let Ending::NotStarted(why) = outcome.ending {
            return Err(Failure::Refused(why));
        }
        let is_behind_walls = matches!(call.purpose, AgentRole::Worker { .. })
            && self.resources.agreement.agent.sandbox == WorkerWalls::On;
        let is_silent = outcome.ending == Ending::Exited(1) && outcome.stdout_bytes == 0;
        match isolation::instead_of_running(&outcome.stderr_tail).filter(|_| is_behind_walls && is_silent) {
            Some(said) => Err(Failure::Refused(format!(
                "the worker cannot be isolated: {said}; a new loop with `--sandbox off` works without walls"
            ))),
            None => Ok(outcome),
        }
    }

    fn process(&self, call: &Call<'_>, program: Program, own: Variables, stdin: Vec<u8>) -> ProcessRequest {
        let log = |ending: &str| self.resources.folder.log(self.key, &format!("{}{ending}.log", call.name));
        let mark = self.resources.mark(self.key, call.name);
        ProcessRequest {
            stdin: Stdin::Bytes(stdin),
            idle_max: call.idle,
            stderr_log: Some(log("-stderr")),
            tail_bytes_max: MESSAGE_BYTES_MAX,
            ..program::request(program, &call.directory, own, (log(""), mark), call.wall)
        }
    }

    /// Where files beside a call lie: those of a session in one place, since its turns add up.
    fn beside(&self, call: &Call<'_>) -> Result<Utf8PathBuf> {
        let Some(session) = session_of(&call.purpose) else {
            return Ok(self.resources.folder.log(self.key, call.name).with_extension(""));
        };
        let path = self.resources.folder.agent_session(session);
        if let Some(folder) = path.parent() {
            files::create_private_directories(folder, Durability::Buffered)?;
        }
        Ok(path)
    }
}

fn ended(outcome: &ProcessOutcome) -> ProcessEnd {
    match outcome.ending {
        Ending::Exited(code) => ProcessEnd::Exited(code),
        Ending::TimedOut(_) => ProcessEnd::TimedOut {
            stdout_bytes: outcome.stdout_bytes_at_stop.unwrap_or(outcome.stdout_bytes),
        },
        Ending::Signalled(_) | Ending::TooMuchOutput | Ending::Cancelled => ProcessEnd::Signalled,
        Ending::NotStarted(_) | Ending::Lost => ProcessEnd::Signalled,
    }
}

impl Reply {
    /// What it says is kept, told, quoted and handed on: nothing of it is secret any more.
    fn masked(mut self, mask: &Mask) -> Self {
        let own = |text: &mut String| *text = mask.owned(std::mem::take(text));
        own(&mut self.message);
        own(&mut self.detail);
        self.last_words.iter_mut().for_each(own);
        self.structured.iter_mut().for_each(|value| mask.value(value));
        if let TurnOutcome::NeedsPerson { why } | TurnOutcome::Declined { why } = &mut self.turn.outcome {
            own(why);
        }
        self
    }
}

/// What a person wants to see of it while it goes on.
pub(crate) fn seen(tool: agents::Tool, event: &AgentEvent) -> Option<String> {
    match event {
        AgentEvent::Called(call) => Some(format!("{} {}", call.tool, call.what)),
        AgentEvent::Denied(call) => Some(format!("not allowed: {} {}", call.tool, call.what)),
        // Whatever it waits for it waits for in silence.
        AgentEvent::Retrying { attempt, status } => {
            let status = status.map(|status| format!(" (status {status})")).unwrap_or_default();
            Some(format!("{} retries by itself{status}, try {attempt}", tool.name()))
        }
        AgentEvent::RulesRefused { complaint } => Some(complaint.clone()),
        AgentEvent::Started | AgentEvent::Said { .. } => None,
        AgentEvent::Measured(_) | AgentEvent::Finished => None,
    }
}

/// How much of the session gulf has seen in which this turn was.
fn seen_of(purpose: &AgentRole) -> SessionSeen {
    let goes_on = matches!(purpose, AgentRole::Worker { session: agents::TurnSession::Continue { .. }, .. });
    if goes_on { SessionSeen::FromLaterOn } else { SessionSeen::FromItsBeginning }
}

/// The id of a worker's session, where it may be part of a file's name.
fn session_of(purpose: &AgentRole) -> Option<&str> {
    let AgentRole::Worker { session, .. } = purpose else { return None };
    let (agents::TurnSession::Fresh { id } | agents::TurnSession::Continue { id }) = session;
    let is_plain = |character: char| character.is_ascii_alphanumeric() || ['-', '_'].contains(&character);
    Some(id.as_str()).filter(|id| !id.is_empty() && id.len() <= SESSION_CHARS_MAX && id.chars().all(is_plain))
}

/// Where Codex keeps its sessions.
fn codex_home(variables: &Variables) -> Option<Utf8PathBuf> {
    let own = variables.get("CODEX_HOME").map(Utf8PathBuf::from);
    own.or_else(|| Some(Utf8Path::new(variables.get("HOME")?).join(".codex")))
}

/// A program without a protocol: its exit code, and what it printed.
fn report_without_protocol(outcome: &ProcessOutcome) -> TurnReport {
    let is_well = outcome.ending == Ending::Exited(0);
    let failed = || Outcome::Failed(AgentFailure { kind: FailureKind::Other, detail: String::new() });
    TurnReport {
        outcome: if is_well { Outcome::Completed } else { failed() },
        final_message: command::without_own_words(&command::final_message(&outcome.stdout_tail)),
        ..TurnReport::default()
    }
}

impl Call<'_> {
    /// The last words of a failure are looked for in what was `printed`.
    fn reply(&self, report: TurnReport, printed: &[&[u8]], process: &ProcessOutcome, mask: &Mask) -> Reply {
        let (outcome, detail, last_words) = match &report.outcome {
            Outcome::Completed => (TurnOutcome::Completed, String::new(), Vec::new()),
            Outcome::Failed(failure) => {
                let detail = detail_of(&failure.detail, process, self, mask);
                let last_words = last_words::describe_failure(&detail, printed, mask);
                (outcome_of(failure, &process.ending), detail, last_words)
            }
        };
        let turn = Turn {
            outcome,
            session: report.session.map(|id| Session { id, used_bp: report.context.and_then(used_bp) }),
            orientation: orientation::from_context(report.orientation, &self.purpose),
            tool_calls: Some(report.tool_calls),
            denials: denials(&report.denials),
            duration_ms: milliseconds(process.duration),
            ..Turn::default()
        };
        let TurnReport { final_message: message, cut_off, structured, .. } = report;
        Reply { turn, message, detail, last_words, cut_off, structured }.masked(mask)
    }
}

/// From the agent's protocol to what the rules know.
fn outcome_of(failure: &AgentFailure, ending: &Ending) -> TurnOutcome {
    let waits = matches!(failure.kind, FailureKind::Overloaded | FailureKind::RateLimited { .. });
    if matches!(ending, Ending::TimedOut(_)) && !waits {
        return TurnOutcome::TimedOut;
    }
    let exit = if let Ending::Exited(code) = ending { Some(*code) } else { None };
    match &failure.kind {
        FailureKind::RateLimited { reset } => TurnOutcome::RateLimited { wait_ms: wait_ms(*reset) },
        FailureKind::NeedsPerson { need } => {
            TurnOutcome::NeedsPerson { why: in_words(*need, &failure.detail) }
        }
        FailureKind::ContextFull => TurnOutcome::ContextFull,
        FailureKind::BudgetUsedUp => TurnOutcome::OutOfBudget,
        // It worked as long as it was let; what it left is looked at.
        FailureKind::TurnsUsedUp => TurnOutcome::Completed,
        FailureKind::Overloaded => TurnOutcome::RateLimited { wait_ms: 0 },
        FailureKind::Refused => TurnOutcome::Declined { why: shortened(&failure.detail) },
        FailureKind::Unreachable | FailureKind::SchemaNotMet => TurnOutcome::Failed { exit },
        FailureKind::Interrupted | FailureKind::NotStarted => TurnOutcome::Failed { exit },
        FailureKind::Unreadable | FailureKind::Other => TurnOutcome::Failed { exit },
    }
}

/// 0 where no time is told: then the rules say how long.
fn wait_ms(reset: Reset) -> u64 {
    let now_ms = Clock::new().wall_ms();
    let wait = match reset {
        Reset::At { unix_s } => {
            Duration::from_millis(unix_s.saturating_mul(1000).saturating_sub(now_ms)) + LIMIT_MARGIN
        }
        Reset::In { seconds } => Duration::from_secs(seconds) + LIMIT_MARGIN,
        Reset::TimeOfDay { hour, minute } => {
            until_time_of_day(now_ms, hour, minute).map_or(Duration::ZERO, |wait| wait + LIMIT_MARGIN)
        }
        Reset::Unknown => Duration::ZERO,
    };
    milliseconds(wait)
}

fn in_words(need: Need, detail: &str) -> String {
    let what = match need {
        Need::SignIn => "sign in, or set a key that is valid",
        Need::Billing => "credit or a plan is missing",
        Need::Model => "there is no such model for this account",
        Need::Setup => "its installation or settings keep it from working",
        Need::Rules => {
            "it does not accept the flags or rules that gulf passes; use a version that `gulf doctor` knows"
        }
    };
    if detail.is_empty() { what.to_owned() } else { format!("{what} ({})", shortened(detail)) }
}

/// The time that was over, else the agent's own words about its failure, else the last ones on its stderr.
fn detail_of(said: &str, process: &ProcessOutcome, call: &Call<'_>, mask: &Mask) -> String {
    if let Ending::TimedOut(which) = process.ending {
        let idle = call.idle.filter(|_| which == TimeOut::Idle);
        let running = || format!("it was still running after {}", print_duration(call.wall));
        let silent = |idle| format!("it printed nothing for {} (agent.idle_timeout)", print_duration(idle));
        return idle.map_or_else(running, silent);
    }
    if !said.is_empty() {
        return shortened(&mask.text(said));
    }
    // That somebody else stopped it, such as a system out of memory, says more than what it printed until then.
    if let Ending::Signalled(signal) = &process.ending {
        return format!("signal {signal} ended it");
    }
    let said = String::from_utf8_lossy(&process.stderr_tail);
    last_lines(mask.text(&said).as_bytes(), 1, DETAIL_CHARS_MAX).pop().unwrap_or_default()
}

fn shortened(text: &str) -> String {
    text.trim().chars().take(DETAIL_CHARS_MAX).collect()
}

fn used_bp(context: ContextUse) -> Option<u32> {
    let window = context.window.filter(|window| *window > 0)?;
    u32::try_from(context.tokens.saturating_mul(WHOLE_BP) / window).ok()
}

/// Denials by what would allow them.
fn denials(all: &[agents::ToolCall]) -> Vec<Denial> {
    let mut counted: Vec<Denial> = Vec::new();
    all.iter().for_each(|call| count_denial(&mut counted, Denial { what: kind_of(call), times: 1 }));
    counted
}

/// Adds one to those of its kind.
pub(crate) fn count_denial(counted: &mut Vec<Denial>, denial: Denial) {
    match counted.iter_mut().find(|one| one.what == denial.what) {
        Some(one) => one.times = one.times.saturating_add(denial.times),
        None => counted.push(denial),
    }
}

/// A command's program, as `[agent] allow` names it; of git its verb too, or one word would allow them all. Any other
/// tool is `tool NAME`: that setting does not reach it.
fn kind_of(denial: &agents::ToolCall) -> String {
    let mut words = denial.what.split_whitespace();
    match (denial.tool.as_str(), words.next()) {
        (tool, Some("git")) if SHELLS.contains(&tool) => {
            verb(words).map_or("git".to_owned(), |verb| format!("git {verb}"))
        }
        (tool, Some(program)) if SHELLS.contains(&tool) => program.to_owned(),
        (tool, _) => format!("tool {tool}"),
    }
}

/// The first word of git's that is no option, nor the value of one.
fn verb<'words>(mut words: impl Iterator<Item = &'words str>) -> Option<&'words str> {
    while let Some(word) = words.next() {
        match word {
            "-C" | "-c" => drop(words.next()),
            option if option.starts_with('-') => {}
            verb => return Some(verb),
        }
    }
    None
}

#[cfg(test)]
mod tests;
