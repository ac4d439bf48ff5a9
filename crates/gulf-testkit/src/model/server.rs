//! The server itself: notes each request, asks the script, and says the answer in the asker's protocol.

use std::io;
use std::net::TcpStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use super::anthropic::{self, Rendered};
use super::gemini;
use super::http;
use super::listener::Listener;
use super::reply::{Kind, Message, Reply, Usage};
use super::request::{Endpoint, Request};
use super::responses;
use super::script::Script;

/// A loop that never ends is stopped here rather than by the machine's memory.
const REQUESTS_MAX: usize = 1_000;

/// Only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(180);

/// Answers on 127.0.0.1 until it is dropped.
#[derive(Debug)]
pub struct ModelServer {
    state: Arc<State>,
    listener: Listener,
}

#[derive(Debug)]
struct State {
    script: Mutex<Script>,
    log: Mutex<Log>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Log {
    requests: Vec<Request>,
    held: usize,
    released: usize,
    is_over: bool,
}

impl ModelServer {
    /// On a port of its own.
    pub fn start(script: Script) -> ModelServer {
        let state =
            Arc::new(State { script: Mutex::new(script), log: Mutex::default(), changed: Condvar::new() });
        let serving = Arc::clone(&state);
        // A client that goes away in the midst of its answer was stopped: that is what tests do.
        ModelServer { state, listener: Listener::start(move |stream| drop(serving.serve(stream))) }
    }

    /// `http://127.0.0.1:PORT`: `ANTHROPIC_BASE_URL`, and with `/v1` the `base_url` of a provider of Codex.
    pub fn url(&self) -> String {
        self.listener.url()
    }

    /// All requests so far, the oldest first.
    pub fn requests(&self) -> Vec<Request> {
        self.state.log().requests.clone()
    }

    /// Those that asked the model for something, titles, a loop's last words and the like left out.
    pub fn model_calls(&self) -> Vec<Request> {
        let asks = |request: &Request| request.last_words().is_none();
        self.all_model_calls().filter(asks).collect()
    }

    /// Those that ask for nothing but a loop's last words.
    pub fn last_words_calls(&self) -> Vec<Request> {
        self.all_model_calls().filter(|request| request.last_words().is_some()).collect()
    }

    fn all_model_calls(&self) -> impl Iterator<Item = Request> {
        let asks = |request: &Request| request.is_model_call() && !request.is_aside();
        self.requests().into_iter().filter(asks)
    }

    /// Waits for a request of this kind, or takes the first that was there already.
    #[track_caller]
    pub fn wait_for(&self, fits: impl Fn(&Request) -> bool) -> Request {
        let found = |log: &Log| log.requests.iter().find(|request| fits(request)).cloned();
        let log = self.state.log();
        let waited = self.state.changed.wait_timeout_while(log, PATIENCE, |log| found(log).is_none());
        let (log, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let paths = || log.requests.iter().map(|request| request.path.as_str()).collect::<Vec<_>>();
        found(&log).unwrap_or_else(|| panic!("no such request within {PATIENCE:?}, only {:?}", paths()))
    }

    /// Lets one held answer go, also one that is not asked for yet.
    pub fn release(&self) {
        self.state.log().released += 1;
        self.state.changed.notify_all();
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.state.log().is_over = true;
        self.state.changed.notify_all();
        // The listener is dropped next, and joins the threads.
    }
}

impl State {
    fn serve(&self, stream: &TcpStream) -> io::Result<()> {
        let Some(received) = http::read(stream)? else { return Ok(()) };
        let Some(request) = self.note(received) else {
            return http::send_json(stream, "", 500, &[], &json!({"error": "too many requests for a test"}));
        };
        let json = |status, body| http::send_json(stream, &request.method, status, &[], &body);
        match request.endpoint {
            _ if request.is_model_call() && !request.body.is_object() => {
                json(400, error_body(&request, "invalid_request_error", "the body is no JSON object", &[]))
            }
            Endpoint::Messages | Endpoint::Responses | Endpoint::GenerateContent => {
                self.answer(stream, &request)
            }
            Endpoint::CountTokens => json(200, json!({"input_tokens": request.text().len() / 4 + 1})),
            Endpoint::Models => json(200, json!({"object": "list", "data": [], "models": []})),
            Endpoint::Greeting => json(200, json!({"message": "hello"})),
            Endpoint::Unknown => json(404, error_body(&request, "not_found_error", &request.path, &[])),
        }
    }

    /// `None` when there were too many.
    fn note(&self, received: http::Received) -> Option<Request> {
        let mut log = self.log();
        if log.requests.len() == REQUESTS_MAX {
            return None;
        }
        let request = Request::new(log.requests.len() + 1, received);
        log.requests.push(request.clone());
        self.changed.notify_all();
        Some(request)
    }

    fn answer(&self, stream: &TcpStream, request: &Request) -> io::Result<()> {
        // Only one at a time: a function of the test may count.
        let reply = self.script.lock().unwrap().reply_to(request);
        if reply.is_held {
            self.wait_for_release();
        }
        let usage = reply.usage.unwrap_or_default();
        let Reply { kind, headers, .. } = reply;
        match kind {
            Kind::Message(message) => send_message(stream, request, &headers, message, usage),
            Kind::Refusal { status, error, message, fields } => {
                let body = error_body(request, &error, &message, &fields);
                http::send_json(stream, &request.method, status, &headers, &body)
            }
            Kind::Hang => hang(stream, request, &headers, usage),
            Kind::Drop => Ok(()),
        }
    }

    fn wait_for_release(&self) {
        let mut log = self.log();
        log.held += 1;
        let own = log.held;
        let waits = |log: &mut Log| log.released < own && !log.is_over;
        drop(self.changed.wait_while(log, waits).unwrap_or_else(PoisonError::into_inner));
    }

    /// What a failed assertion left behind is still true.
    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn send_message(
    stream: &TcpStream,
    request: &Request,
    headers: &[(String, String)],
    message: Message,
    usage: Usage,
) -> io::Result<()> {
    if let (Some((kind, words)), false) = (&message.error, request.wants_events()) {
        let body = error_body(request, kind, words, &[]);
        return http::send_json(stream, &request.method, 500, headers, &body);
    }
    let Rendered { opening, rest, whole } = render(request, message, usage);
    if !request.wants_events() {
        return http::send_json(stream, &request.method, 200, headers, &whole);
    }
    http::begin_events(stream, headers)?;
    opening.iter().chain(&rest).try_for_each(|event| http::send_event(stream, event))
}

fn hang(stream: &TcpStream, request: &Request, headers: &[(String, String)], usage: Usage) -> io::Result<()> {
    if request.wants_events() {
        http::begin_events(stream, headers)?;
        let opening = render(request, Message::default(), usage).opening;
        opening.iter().try_for_each(|event| http::send_event(stream, event))?;
    }
    http::wait_until_closed(stream);
    Ok(())
}

fn render(request: &Request, message: Message, usage: Usage) -> Rendered {
    let message = message.settled(request);
    match request.endpoint {
        Endpoint::Responses => responses::render(request, &message, usage),
        Endpoint::GenerateContent => gemini::render(request, &message, usage),
        Endpoint::Messages
        | Endpoint::CountTokens
        | Endpoint::Models
        | Endpoint::Greeting
        | Endpoint::Unknown => anthropic::render(request, &message, usage),
    }
}

fn error_body(request: &Request, kind: &str, message: &str, fields: &[(String, Value)]) -> Value {
    match request.endpoint {
        Endpoint::Responses => responses::error(kind, message, fields),
        Endpoint::GenerateContent => gemini::error(kind, message, fields),
        Endpoint::Messages
        | Endpoint::CountTokens
        | Endpoint::Models
        | Endpoint::Greeting
        | Endpoint::Unknown => anthropic::error(kind, message, fields),
    }
}
