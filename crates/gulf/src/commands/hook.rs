//! `gulf hook`: what an agent's program calls at a stop, at a prompt and before a tool (CONTRACT §1.4).
//!
//! It prints nothing or one JSON object. It stands apart from all other commands because its own failure must not look
//! like a loop that is over: hosts take an error, silence and a crash for "stop".

mod adopt;
mod answer;
mod beside;
mod ground;
mod guard;
mod last_words;
mod looked_at;
mod prompt;
mod rescue;
mod stop;
mod typed;

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

use gulf_agents::sessions::{self, HookEvent, HookKind, Host};
use gulf_host::clock::Clock;
use gulf_runner::drive::Leave;
use gulf_spec::quantity;

use crate::cli::HookArguments;
use crate::failure::Failure;
use crate::in_session::Said;
use crate::out::masked;
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
    pub leave: Leave,
}

pub fn hook(arguments: &HookArguments) -> Result<u8, Failure> {
    let clock = Arc::new(Clock::new());
    let came_at_ms = clock.wall_ms();
    // Agents and judges that gulf itself has started stop as they please.
    if std::env::var_os("GULF_LOOP").is_some() {
        return Ok(0);
    }
    let mut stdin = Vec::new();
    let read = std::io::stdin().lock().take(STDIN_BYTES_MAX).read_to_end(&mut stdin);
    let event = match read {
        Ok(_) => {
            sessions::read(&stdin, arguments.event.as_deref(), &variable).map_err(|error| error.to_string())
        }
        Err(error) => Err(format!("standard input cannot be read: {error}")),
    };
    let event = match event {
        Ok(event) => event,
        Err(why) => {
            let place = Whereabouts::of(None);
            say(Host::Other, &rescue::unreadable(&place, &why));
            return Ok(0);
        }
    };
    // What works within a session stops as it pleases, and writes no more than the session may.
    if event.is_subagent && !matches!(event.kind, HookKind::Tool { .. }) {
        return Ok(0);
    }
    let place = Whereabouts::of(event.cwd.as_deref());
    let host = event.host;
    let call = Call { event, place, came_at_ms, clock, leave: Leave::default() };
    if !call.place.may_have_loop() && !matches!(call.event.kind, HookKind::Prompt { .. }) {
        return Ok(0);
    }
    if let Some(why) = ground::strange(&call.place) {
        match &call.event.kind {
            // A person may go on all the same, with what lies here now.
            HookKind::Prompt { text } if gulf_spec::spoken::is_command(text) => {}
            HookKind::Stop { .. } if ground::says_first(&call.place, &why) => {
                say(host, &Said::let_stop(format!("gulf: {why}")));
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

fn answered(call: &Call) -> Result<Said, Failure> {
    match &call.event.kind {
        HookKind::Stop { message, continuing, background_tasks } => {
            stop::stop(call, &stop::Heard { message, continuing: *continuing, background: background_tasks })
        }
        HookKind::Prompt { text } => prompt::prompt(call, text),
        HookKind::Tool { name, input } => guard::guard(call, name, input),
        HookKind::Start { .. } | HookKind::Other { .. } => Ok(Said::nothing()),
    }
}

/// Prints what the host is to do.
fn say(host: Host, said: &Said) {
    if !said.talk.is_empty() {
        for line in said.talk.lines() {
            anstream::eprintln!("[gulf] {}", masked(&sessions::spelled_for(host, line)));
        }
    }
    if let Some(text) = sessions::answer(host, &said.answer) {
        print(&text);
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
