//! What the hook says when it fails itself: never silence while a loop is under way, and never for ever.
//!
//! It must work where nothing else does: without a home, in the middle of a panic, at the end of the time that the
//! host allows.

use std::fs::OpenOptions;
use std::io::Write;
use std::sync::mpsc;
use std::time::Duration;
use std::{panic, thread};

use gulf_agents::sessions::{Answer, HookKind, Host, answer};
use gulf_engine::Fact;
use gulf_host::clock::Clock;
use gulf_host::home::Name;
use gulf_runner::book::Book;
use gulf_runner::session::Armed;

use super::{Call, is_trusted, print};
use crate::failure::Failure;
use crate::in_session::SessionMessage;
use crate::language;
use crate::whereabouts::Whereabouts;

/// So often in a row a session is kept from stopping because gulf fails.
const FAILURES_MAX: u32 = 3;
/// What was stopped gets so long to be gone.
const GRACE: Duration = Duration::from_secs(20);

/// Something in the hook went wrong.
pub fn failed(call: &Call, failure: &Failure) -> SessionMessage {
    let why = failure.with_hint_in_one_line();
    match &call.event.kind {
        HookKind::Stop { continuing, .. } => keep_going(&call.place, &why, *continuing),
        HookKind::Prompt { text } if gulf_spec::slash_commands::is_command(text) => {
            SessionMessage::only(Answer::RefusePrompt { reason: format!("gulf: {why}") })
        }
        HookKind::Prompt { .. } | HookKind::Tool { .. } | HookKind::Start { .. } | HookKind::Other { .. } => {
            SessionMessage { answer: Answer::Nothing, talk: why }
        }
    }
}

/// What came on stdin is no event: whose it was is not known.
pub fn unreadable(place: &Whereabouts, why: &str) -> SessionMessage {
    if place.may_have_loop() {
        keep_going(place, why, false)
    } else {
        SessionMessage { answer: Answer::Nothing, talk: why.to_owned() }
    }
}

/// A session that has a loop goes on and hears why; after some failures in a row it stops, and hears that as well.
/// Where a stranger's state file is all there is, the session is not touched.
fn keep_going(place: &Whereabouts, why: &str, continuing: bool) -> SessionMessage {
    if !place.is_armed() && !place.home.as_ref().is_some_and(|home| is_trusted(place, home)) {
        return SessionMessage { answer: Answer::Nothing, talk: why.to_owned() };
    }
    note(place, why);
    let failures = count(place);
    let goes_on = failures.map_or(!continuing, |failures| failures <= FAILURES_MAX);
    if !goes_on {
        return SessionMessage::let_stop(format!(
            "gulf cannot check this stop: {why}\nThe loop is NOT over and nothing was verified. `gulf status` shows its state, `gulf doctor` what is wrong; then `/gulf-loop:resume`, or say \"go on\"."
        ));
    }
    let brief = format!(
        "gulf could not check your work: {why}\nThis is neither an approval nor a rejection, and the loop is not over. If you can fix that, do; then finish your turn again."
    );
    SessionMessage::go_on(brief, language::translated(format!("Gulf Loop | not checked: {why}")), why)
}

/// How many failures in a row this is, where that can be kept.
fn count(place: &Whereabouts) -> Option<u32> {
    let home = place.home.as_ref()?;
    let mut armed = Armed::read(home, &place.project).ok().flatten()?;
    armed.failures = armed.failures.saturating_add(1);
    armed.keep(home).ok()?;
    Some(armed.failures)
}

/// Writes the failure down: into the loop's journal where that can be had, else beside it.
fn note(place: &Whereabouts, why: &str) {
    let Some(home) = &place.home else { return };
    let at_ms = Clock::new().wall_ms();
    let journalled = || -> Option<()> {
        let armed = Armed::read(home, &place.project).ok().flatten()?;
        let name = Name::parse(&armed.loop_id).ok()?;
        let loop_home = armed.place(home).ok()?.loop_home(&name);
        // One that cannot be read is left as it is: to open it for writing would set its end aside.
        if gulf_runner::book::read(loop_home.root()).ok()?.is_empty() {
            return None;
        }
        let (mut book, _) = Book::open(loop_home.root()).ok()?;
        let fact = Fact::Refused { request: "stop of the session".to_owned(), reason: why.to_owned() };
        book.add(vec![fact], at_ms).ok()
    };
    if journalled().is_none() {
        let path = home.sessions().join("failures.log");
        let line = format!("{at_ms} {} {}\n", place.project, why.replace('\n', " "));
        if let Ok(mut file) = OpenOptions::new().create(true).append(true).open(path) {
            let _ = file.write_all(line.as_bytes());
        }
    }
}

/// A fault of gulf's own is said in the form the host understands, and not as a crash: after one, some deny every tool.
pub fn on_panic(host: Host, call: &Call) {
    let (place, kind) = (call.place.clone(), call.event.kind.clone());
    panic::set_hook(Box::new(move |fault| {
        let why = format!("gulf itself failed, please report it: {fault}");
        errln!("[gulf] {why}");
        answer_and_exit(host, &place, &kind, &why.replace('\n', " "));
    }));
}

/// Before the host gives up on the hook, the hook gives up on what it waits for, and says so.
pub fn on_deadline(call: &Call, deadline: Duration) {
    let (leave, host) = (call.leave.clone(), call.event.host);
    let (place, kind) = (call.place.clone(), call.event.kind.clone());
    // It ends with the process.
    drop(thread::spawn(move || {
        let (nobody, never) = mpsc::channel::<()>();
        let _ = never.recv_timeout(deadline);
        leave.ask();
        let _ = never.recv_timeout(GRACE);
        drop(nobody);
        let why = "another gulf held the loop for the whole time that the host allows";
        answer_and_exit(host, &place, &kind, why);
    }));
}

/// Answers for a hook that cannot, and ends this process.
fn answer_and_exit(host: Host, place: &Whereabouts, kind: &HookKind, why: &str) -> ! {
    if let HookKind::Stop { continuing, .. } = kind
        && let Some(text) = answer(host, &keep_going(place, why, *continuing).answer)
    {
        print(&text);
    }
    std::process::exit(0);
}
