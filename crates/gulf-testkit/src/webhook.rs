//! A receiver of webhooks on loopback: keeps what was delivered, and answers as a test says.
//!
//! A receiver only listens: what it was sent, how often, and signed with what.

use std::collections::VecDeque;
use std::io;
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;

use crate::model::http;
use crate::model::listener::Listener;

/// Takes everything until it is dropped.
#[derive(Debug)]
pub struct WebhookServer {
    state: Arc<Mutex<Inner>>,
    listener: Listener,
}

/// What was delivered once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

#[derive(Debug, Default)]
struct Inner {
    delivered: Vec<Delivered>,
    statuses: VecDeque<u16>,
}

impl WebhookServer {
    /// Answers with these statuses, one after another, and then with 200.
    pub fn start(statuses: impl IntoIterator<Item = u16>) -> WebhookServer {
        let inner = Inner { statuses: statuses.into_iter().collect(), ..Inner::default() };
        let state = Arc::new(Mutex::new(inner));
        let serving = Arc::clone(&state);
        WebhookServer { state, listener: Listener::start(move |stream| drop(serve(&serving, stream))) }
    }

    /// With a secret in it, as such addresses have.
    pub fn url(&self) -> String {
        format!("{}/hooks/T0KEN-IN-A-PATH", self.listener.url())
    }

    pub fn delivered(&self) -> Vec<Delivered> {
        lock(&self.state).delivered.clone()
    }
}

impl Delivered {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// What a failed assertion left behind is still true.
fn lock(state: &Mutex<Inner>) -> MutexGuard<'_, Inner> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(state: &Mutex<Inner>, stream: &TcpStream) -> io::Result<()> {
    let Some(received) = http::read(stream)? else { return Ok(()) };
    let status = {
        let mut inner = lock(state);
        let body = String::from_utf8_lossy(&received.body).into_owned();
        inner.delivered.push(Delivered { headers: received.headers, body });
        inner.statuses.pop_front().unwrap_or(200)
    };
    http::send_json(stream, "POST", status, &[], &json!({}))
}
