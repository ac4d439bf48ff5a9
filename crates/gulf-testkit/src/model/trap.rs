//! A proxy that refuses everything and remembers who was asked for: what an agent sends anywhere else, it sends here.

use std::net::TcpStream;
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::http;
use super::listener::Listener;

const REQUESTS_MAX: usize = 1_000;

/// To be named as `HTTP_PROXY` and `HTTPS_PROXY`.
#[derive(Debug)]
pub struct TrapProxy {
    requests: Arc<Mutex<Vec<String>>>,
    listener: Listener,
}

impl TrapProxy {
    /// On a port of its own, until it is dropped.
    pub fn start() -> TrapProxy {
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        TrapProxy { requests, listener: Listener::start(move |stream| refuse(stream, &seen)) }
    }

    /// `http://127.0.0.1:PORT`
    pub fn url(&self) -> String {
        self.listener.url()
    }

    /// What was asked for, as `CONNECT example.com:443`.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Fails with the list when anything was asked for.
    #[track_caller]
    pub fn assert_unused(&self) {
        let requests = self.requests();
        assert!(requests.is_empty(), "traffic to elsewhere: {requests:#?}");
    }
}

fn refuse(stream: &TcpStream, seen: &Mutex<Vec<String>>) {
    let Ok(Some(received)) = http::read(stream) else { return };
    let mut seen = seen.lock().unwrap();
    if seen.len() < REQUESTS_MAX {
        seen.push(format!("{} {}", received.method, received.path));
    }
    drop(seen);
    // Whoever does not stay for the answer was noted all the same.
    drop(http::send_json(stream, &received.method, 403, &[], &json!({"error": "nothing is let through"})));
}
