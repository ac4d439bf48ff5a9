//! What a person does from a page: the commands themselves, each a process of its own, with the same rules and refusals.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, stdin, stdout};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{SendError, channel};
use std::time::Duration;

use axum::Form;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use camino::Utf8PathBuf;
use gulf_views::{ActKind, BoardRow, LoopAddress, tame_text};
use serde::Deserialize;

use super::{WebServer, aside, pages};
use crate::cli::typed_act;
use crate::language;
use crate::out::masked;

/// A page waits so long for what comes of an act; what takes longer goes on, and is told when it is over.
const PATIENCE: Duration = Duration::from_secs(5);
/// So much of what a command said is told.
const TOLD_LINES_MAX: usize = 12;
const TOLD_BYTES_MAX: u64 = 16 << 10;

/// A form, as it is sent.
#[derive(Debug, Deserialize)]
pub(super) struct Sent {
    csrf: String,
    act: String,
    #[serde(default)]
    text: String,
    question: Option<u32>,
    /// One of those that the worker offers, counted from 1.
    option: Option<usize>,
    confirmed: Option<String>,
}

pub(super) async fn act(
    State(server): State<Arc<WebServer>>,
    Path(id): Path<String>,
    Form(sent): Form<Sent>,
) -> Response {
    if !server.guard.is_csrf(&sent.csrf) {
        return refused(StatusCode::FORBIDDEN, "This page is from an earlier `gulf web`: reload it.");
    }
    if server.is_read_only {
        return refused(StatusCode::FORBIDDEN, "This page is read-only (`gulf web --read-only`).");
    }
    let Some(kind) = ActKind::ALL.iter().copied().find(|kind| kind.word() == sent.act) else {
        return refused(StatusCode::BAD_REQUEST, "There is no such action.");
    };
    let asked = server.clone();
    let found = aside(move || ready(&asked, &LoopAddress::received(id))).await;
    let Some((row, project)) = found else { return pages::nowhere(State(server)).await };
    let text = text_of(&sent, &row);
    if kind.takes_words() && text.is_empty() {
        return refused(StatusCode::BAD_REQUEST, "Write something, or choose one of the options.");
    }
    if kind.is_final() && sent.confirmed.is_none() {
        let question = sent.question;
        return pages::page(server, Some(row.address.clone()), move |_, frame| {
            Ok(Some(frame.confirm(&row, kind, &text, question)))
        })
        .await;
    }
    let to = format!("/loops/{}", row.address.in_url());
    let name = format!("{} {}", kind.word(), row.handle);
    let oldest = row.questions.first().map(|question| question.number);
    let words = typed_act(kind, &row.handle, text, sent.question.or(oldest));
    aside(move || run(&server, (row.address, name), kind, words, project)).await;
    Redirect::to(&to).into_response()
}

fn refused(status: StatusCode, why: &str) -> Response {
    (status, language::translated(why)).into_response()
}

/// What was typed, or the option that was chosen: as the worker wrote it, whatever a page makes of it.
fn text_of(sent: &Sent, row: &BoardRow) -> String {
    let Some(option) = sent.option else {
        // Browsers send lines of a text field with both characters.
        return sent.text.replace("\r\n", "\n").trim().to_owned();
    };
    let question = row.questions.iter().find(|question| Some(question.number) == sent.question);
    let offered = question.and_then(|question| question.options.get(option.checked_sub(1)?));
    offered.cloned().unwrap_or_default()
}

/// The loop as it stands now, and where a person would stand.
fn ready(server: &WebServer, address: &LoopAddress) -> Option<(BoardRow, Option<Utf8PathBuf>)> {
    let watched = server.refreshed().ok()?;
    let row = watched.written(address)?;
    Some((row, watched.project(address)))
}

/// Says what came of it, or that it goes on.
fn run(
    server: &Arc<WebServer>,
    (address, name): (LoopAddress, String),
    kind: ActKind,
    words: Vec<String>,
    project: Option<Utf8PathBuf>,
) {
    let failed = |error: &io::Error| {
        server.say(address.clone(), language::translated(format!("{name}: could not be started: {error}")));
    };
    let Ok((mut child, mut said)) = start(kind, words, project).inspect_err(failed) else { return };
    let (sender, done) = channel();
    let (later, at, act) = (server.clone(), address.clone(), name.clone());
    std::thread::spawn(move || {
        let code = child.wait().ok().and_then(|status| status.code());
        // Whoever waited for it may have gone on.
        if let Err(SendError(word)) = sender.send(describe(&act, code, &mut said)) {
            later.say(at, word);
        }
    });
    let word = done.recv_timeout(PATIENCE);
    let word = word.unwrap_or_else(|_| language::translated(format!("{name}: still running")));
    server.say(address.clone(), word);
    if let Ok(word) = done.try_recv() {
        server.say(address, word);
    }
}

/// A process of its own, in a group of its own: it goes on when the server ends.
fn start(kind: ActKind, words: Vec<String>, project: Option<Utf8PathBuf>) -> io::Result<(Child, File)> {
    let said = tempfile::tempfile()?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(words).env("NO_COLOR", "1").process_group(0);
    command.stdin(stdin_of(kind)).stdout(said.try_clone()?).stderr(said.try_clone()?);
    if let Some(project) = project {
        command.current_dir(project);
    }
    Ok((command.spawn()?, said))
}

/// A person's own word needs a terminal (DESIGN invariant 8): the one where the address was printed, and nowhere else.
fn stdin_of(kind: ActKind) -> Stdio {
    let is_own_word = matches!(kind, ActKind::Approve | ActKind::Reject);
    if is_own_word && stdin().is_terminal() && stdout().is_terminal() {
        Stdio::inherit()
    } else {
        Stdio::null()
    }
}

fn describe(name: &str, code: Option<i32>, said: &mut File) -> String {
    // A loop that was resumed may have said a lot: its end tells what came of it.
    let end = said.seek(SeekFrom::End(0)).unwrap_or(0);
    let start = SeekFrom::Start(end.saturating_sub(TOLD_BYTES_MAX));
    let mut bytes = Vec::new();
    let read = said.seek(start).and_then(|_| said.take(TOLD_BYTES_MAX).read_to_end(&mut bytes));
    let text = read.map_or_else(|_| String::new(), |_| String::from_utf8_lossy(&bytes).into_owned());
    let text = anstream::adapter::strip_str(&text).to_string();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = lines[lines.len().saturating_sub(TOLD_LINES_MAX)..].join("\n");
    let head = match code {
        Some(0) => format!("{name}: done"),
        Some(code) => format!("{name}: exit code {code}"),
        None => format!("{name}: ended by a signal"),
    };
    let head = language::translated(head);
    masked(&format!("{head}\n{}", tame_text(&last))).into_owned()
}
