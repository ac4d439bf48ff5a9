//! `gulf hook`: what an agent's program calls at a stop, at a prompt and before a tool (CONTRACT §1.4).
//!
//! It prints nothing or one JSON object. Its own failure must not look like a loop that is over: hosts take an error,
//! silence and a crash for "stop".

mod adopt;
mod answer;
mod prompt;
mod rescue;
mod stop;
mod typed;

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

use camino::Utf8PathBuf;
use gulf_agents::guard::{Protected, ToolUse, offence};
use gulf_agents::sessions::{self, Answer, HookEvent, HookKind, Host};
use gulf_engine::{Fact, Stage, Worker};
use gulf_host::birthmark::Birthmark;
use gulf_host::clock::Clock;
use gulf_host::home::Home;
use gulf_runner::book::Book;
use gulf_runner::place::Project;
use gulf_runner::project_folder::{LOOPS, NOTEPAD};
use gulf_runner::session::{Answered, Armed, Occasion, Stopped};
use gulf_runner::start::KnownLoop;
use gulf_runner::stop::Stop;
use gulf_runner::trust::TrustStore;
use gulf_spec::own_texts::{OWN_TEXTS, Writer};
use gulf_spec::quantity;
use serde_json::Value;

use crate::failure::Result;
use crate::in_session::SessionMessage;
use crate::out::masked;
use crate::trusting;
use crate::whereabouts::Whereabouts;

/// Far more than any prompt or tool call.
const STDIN_BYTES_MAX: u64 = 64 << 20;
/// Hosts are told to wait an hour for a stop, and ten minutes for a prompt.
const STOP_TIME_MAX: Duration = Duration::from_secs(3_500);
const PROMPT_TIME_MAX: Duration = Duration::from_secs(580);
/// Sets both, for tests and for hosts that wait for less.
const DEADLINE_VARIABLE: &str = "GULF_HOOK_DEADLINE";

/// One call of the hook.
#[derive(Debug)]
pub struct Call {
    pub event: HookEvent,
    pub place: Whereabouts,
    pub came_at_ms: u64,
    pub clock: Arc<Clock>,
    pub leave: Stop,
}

pub fn hook(event: Option<&str>) -> Result<u8> {
    let clock = Arc::new(Clock::new());
    let came_at_ms = clock.wall_ms();
    // Agents and judges that gulf itself has started stop as they please.
    if std::env::var_os("GULF_LOOP").is_some() {
        return Ok(0);
    }
    let mut stdin = Vec::new();
    let read = std::io::stdin().lock().take(STDIN_BYTES_MAX).read_to_end(&mut stdin);
    let read = read.map_err(|error| format!("standard input cannot be read: {error}"));
    let event =
        read.and_then(|_| sessions::read(&stdin, event, &variable).map_err(|error| error.to_string()));
    let unread = |why: &String| say(Host::Other, &rescue::unreadable(&Whereabouts::from_cwd(None), why));
    let Ok(event) = event.inspect_err(unread) else { return Ok(0) };
    // What works within a session stops as it pleases, and writes no more than the session may.
    if event.is_subagent && !matches!(event.kind, HookKind::Tool { .. }) {
        return Ok(0);
    }
    let place = Whereabouts::from_cwd(event.cwd.as_deref());
    let host = event.host;
    let call = Call { event, place, came_at_ms, clock, leave: Stop::default() };
    if !call.place.may_have_loop() && !matches!(call.event.kind, HookKind::Prompt { .. }) {
        return Ok(0);
    }
    if let Some((mark, why)) = strange(&call.place) {
        let says_first = |home| TrustStore::open(home).says_first(&mark, &why);
        match &call.event.kind {
            // A person may go on all the same, with what lies here now.
            HookKind::Prompt { text } if gulf_spec::slash_commands::is_command(text) => {}
            HookKind::Stop { .. } if call.place.home.as_ref().is_none_or(says_first) => {
                say(host, &SessionMessage::let_stop(format!("gulf: {why}")));
                return Ok(0);
            }
            HookKind::Stop { .. } | HookKind::Prompt { .. } | HookKind::Tool { .. } => return Ok(0),
            HookKind::Start { .. } | HookKind::Other { .. } => return Ok(0),
        }
    }
    rescue::on_panic(host, &call);
    rescue::on_deadline(&call, deadline(&call.event.kind));
    let said = answered(&call).unwrap_or_else(|failure| rescue::failed(&call, &failure));
    say(host, &said);
    Ok(0)
}

fn answered(call: &Call) -> Result<SessionMessage> {
    match &call.event.kind {
        HookKind::Stop { message, continuing, background_tasks } => {
            let stopped = Stopped {
                event: call.event.clone(),
                message: message.clone(),
                continuing: *continuing,
                transcript: call.event.transcript.as_ref().map(Utf8PathBuf::from),
                background: background_tasks.clone(),
                cap: sessions::block_cap(call.event.host, &variable),
                came_at_ms: call.came_at_ms,
            };
            stop::stop(call, &stopped)
        }
        HookKind::Prompt { text } => prompt::prompt(call, text),
        HookKind::Tool { name, input } => guard_tool(call, name, input),
        HookKind::Start { .. } | HookKind::Other { .. } => Ok(SessionMessage::nothing()),
    }
}

/// Prints what the host is to do.
fn say(host: Host, said: &SessionMessage) {
    speak(&sessions::spelled_for(host, &said.talk), sessions::answer(host, &said.answer).as_deref());
}

fn speak(talk: &str, answer: Option<&str>) {
    for line in talk.lines() {
        errln!("[gulf] {}", masked(line));
    }
    answer.into_iter().for_each(print);
}

impl SessionMessage {
    /// For the call that comes second.
    fn kept(&self, call: &Call, Occasion { occasion, message }: Occasion, file_bytes: u64) -> Answered {
        Answered {
            occasion,
            message,
            at_ms: call.clock.wall_ms(),
            file_bytes,
            stdout: sessions::answer(call.event.host, &self.answer),
            stderr: sessions::spelled_for(call.event.host, &self.talk),
        }
    }
}

/// Whoever closed the pipe does not want it.
pub(super) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{}", masked(text)).and_then(|()| out.flush());
}

pub(super) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn deadline(kind: &HookKind) -> Duration {
    let said = variable(DEADLINE_VARIABLE).and_then(|text| quantity::duration(&text).ok());
    let usual = if matches!(kind, HookKind::Stop { .. }) { STOP_TIME_MAX } else { PROMPT_TIME_MAX };
    said.unwrap_or(usual)
}

// Whether a hook may act where a session's loop is said to work: the repository is the one that the loop began in, and
// its person still trusts it.

/// Which repository this is and why the hook does nothing here; none where it acts. What cannot be looked at is told by
/// whoever opens it.
fn strange(place: &Whereabouts) -> Option<(Birthmark, String)> {
    let home = place.home.as_ref()?;
    let armed = Armed::read(home, &place.project).ok().flatten()?;
    // Earlier versions did not ask which repository it was.
    let began_in = armed.mark.as_deref()?;
    let mark = armed.place(home).ok()?.mark().ok()?;
    let id = &armed.loop_id;
    let why = if mark.as_str() != began_in {
        format!(
            "nothing was checked: the loop {id} started in a different repository than the one here now. \
             `gulf status {id}` where that one is, or `gulf start` anew."
        )
    } else if TrustStore::open(home).find(&mark).is_none() {
        format!(
            "nothing was checked: this repository is no longer trusted, and the loop {id} has not ended. `gulf trust` trusts it."
        )
    } else {
        return None;
    };
    Some((mark, why))
}

/// Does a person trust what lies here? What cannot be found out is a no.
pub fn is_trusted(place: &Whereabouts, home: &Home) -> bool {
    Project::find(&place.named).is_ok_and(|project| trusting::is_trusted(home, &project))
}

// The hook before a tool: what is sealed for a loop, and what gulf keeps, is not written by its session.

/// What gulf writes in a project itself.
const STATE: [&str; 6] = [
    ".claude/gulf-loop.local.md",
    ".claude/gulf-loop.local.md.tmp",
    ".gulf/",
    "JUDGE_FEEDBACK.md",
    "JUDGE_EVOLUTION.md",
    "decisions.md",
];

pub fn guard_tool(call: &Call, name: &str, input: &Value) -> Result<SessionMessage> {
    let Some(home) = &call.place.home else { return Ok(SessionMessage::nothing()) };
    let Some(armed) = Armed::read(home, &call.place.project)? else { return Ok(SessionMessage::nothing()) };
    if armed.session != call.event.session {
        return Ok(SessionMessage::nothing());
    }
    let cwd = call.place.cwd.as_str();
    let tool = ToolUse { name, input, cwd };
    let protected = protected(call, &armed.loop_id);
    let Some(offence) = offence(&protected, &tool) else { return Ok(SessionMessage::nothing()) };
    let KnownLoop { fold, home, .. } = answer::known(&armed, &armed.place(home)?)?;
    // While it rests, its person may want these texts changed.
    let rests = matches!(&fold.state.stage, Stage::Paused(..) | Stage::Ended(_) | Stage::Unsealed);
    if rests || !matches!(&fold.state.worker, Worker::Session { .. }) {
        return Ok(SessionMessage::nothing());
    }
    let reason = offence.to_string();
    if let Ok((mut book, _)) = Book::open(home.root()) {
        let fact = Fact::Refused { request: format!("tool {name}"), reason: reason.clone() };
        book.add(vec![fact], call.clock.wall_ms())?;
    }
    Ok(SessionMessage { answer: Answer::DenyTool { reason: reason.clone() }, talk: reason })
}

fn protected(call: &Call, loop_id: &str) -> Protected {
    let notepad = format!("{LOOPS}/{loop_id}/{NOTEPAD}");
    let sealed = OWN_TEXTS.iter().filter(|text| text.writer == Writer::Person);
    Protected {
        project: call.place.project.to_string(),
        sealed: sealed.map(|text| text.path.to_owned()).collect(),
        state: STATE.iter().map(|path| (*path).to_owned()).collect(),
        free: [".gulf/notepad.md", &notepad, ".gulf/claims/"].map(str::to_owned).to_vec(),
        outside: call.place.home.iter().map(|home| home.root().to_string()).collect(),
        home: variable("HOME"),
    }
}
