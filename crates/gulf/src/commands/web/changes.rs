//! Tells pages that there is something new to see: server-sent events, made from what one thread sees for all of them.
//!
//! The thread is woken when a file of a loop changes, and looks at no file where nobody listens.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use axum::response::sse::{Event, Sse};
use camino::{Utf8Path, Utf8PathBuf};
use futures_util::stream::unfold;
use gulf_host::watch::{Wake, Waker, Watch};
use gulf_views::LoopAddress;
use serde::Deserialize;
use tokio::sync::watch;
use tokio::time::timeout;

use super::{ActWord, WebServer};
use crate::watched::{LoopMark, Watched};

/// An agent that talks without a pause is shown so often.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// A driver that was killed changes no file: whether each still lives is asked so often.
const DRIVERS_EVERY: Duration = Duration::from_secs(1);
/// After so many quiet rounds all is looked at, for what no watch tells: on network file systems, or of old loops.
const QUIET_ROUNDS_MAX: u32 = 10;
/// After so long a word is sent: proxies close what is silent.
const QUIET_MAX: Duration = Duration::from_secs(15);

/// What the one thread saw last, and how to wake it.
#[derive(Default)]
pub(super) struct Changes {
    seen: watch::Sender<Arc<SeenLoops>>,
    waker: Mutex<Option<Waker>>,
}

/// The loops as they stood, and what came of the last act.
#[derive(Debug, Default)]
struct SeenLoops {
    marks: Vec<LoopMark>,
    said: Option<ActWord>,
}

impl Changes {
    /// Something is to be seen that no file tells of, or somebody new listens.
    pub(super) fn wake(&self) {
        if let Some(waker) = &*self.waker.lock().unwrap_or_else(PoisonError::into_inner) {
            waker.wake();
        }
    }
}

/// For as long as the server runs.
pub(super) fn keep_looking(server: &WebServer) {
    let mut watching: Option<(Vec<Utf8PathBuf>, Watch)> = None;
    let mut looked = Instant::now();
    notify_all(server);
    loop {
        if looked.elapsed() >= DRIVERS_EVERY || server.watched().has_grown() {
            looked = Instant::now();
            notify_all(server);
        } else {
            tell(server, &server.watched());
        }
        let folders = server.watched().folders();
        let Some((_, watch)) = watching.as_ref().filter(|(known, _)| *known == folders) else {
            watching = begin(server, folders);
            if watching.is_none() {
                std::thread::sleep(LOOK_EVERY);
            }
            // What happened before the watch began is seen by another look.
            continue;
        };
        std::thread::sleep(LOOK_EVERY);
        wait(server, watch);
    }
}

/// Nothing where a folder has just gone, or the system has no more threads to give.
fn begin(server: &WebServer, folders: Vec<Utf8PathBuf>) -> Option<(Vec<Utf8PathBuf>, Watch)> {
    let all: Vec<&Utf8Path> = folders.iter().map(Utf8PathBuf::as_path).collect();
    let watch = Watch::all_of(&all).ok()?;
    *server.changes.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(watch.waker());
    Some((folders, watch))
}

fn wait(server: &WebServer, watch: &Watch) {
    for quiet in 1.. {
        let is_woken = watch.wait_at_most(DRIVERS_EVERY) == Wake::Notified;
        // Whoever begins to listen wakes it.
        let is_heard = server.changes.seen.receiver_count() > 0;
        if is_heard && (is_woken || quiet >= QUIET_ROUNDS_MAX || server.watched().has_lost_driver()) {
            return;
        }
    }
}

/// Tells everybody who listens, also where nothing has changed: the new ones wait for it.
fn notify_all(server: &WebServer) {
    let mut watched = server.watched();
    // What cannot be read now is looked at again.
    if watched.refresh().is_ok() {
        tell(server, &watched);
    }
}

fn tell(server: &WebServer, watched: &Watched) {
    let seen = SeenLoops { marks: watched.marks(), said: server.last_word() };
    server.changes.seen.send_replace(Arc::new(seen));
}

#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    #[serde(rename = "loop")]
    address: Option<String>,
}

/// A stream of changes: its ids are the sequence numbers of a loop's journal, or how many events all journals have.
pub(super) async fn events(
    State(server): State<Arc<WebServer>>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> impl IntoResponse {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    // What was seen before it listened may be old: a look that comes after is waited for.
    let seen = server.changes.seen.subscribe();
    server.changes.wake();
    let address = asked.address.map(LoopAddress::received);
    Sse::new(unfold(Listener { address, last, mark: None, seen }, Listener::next))
}

/// A page that is open.
struct Listener {
    /// Of the loop that it shows, if it does not show all of them.
    address: Option<LoopAddress>,
    last: Option<u64>,
    mark: Option<(Vec<LoopMark>, Option<ActWord>)>,
    seen: watch::Receiver<Arc<SeenLoops>>,
}

impl Listener {
    /// What is told next; nothing more where nobody looks any more.
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        loop {
            let event = match timeout(QUIET_MAX, self.seen.changed()).await {
                Ok(Ok(())) => self.news(),
                Ok(Err(_)) => return None,
                Err(_) => Some(Event::default().comment("still here")),
            };
            if let Some(event) = event {
                return Some((Ok(event), self));
            }
        }
    }

    /// Whoever comes back says how far it saw; whoever comes may show what was so a moment ago. A live turn grows without
    /// an event, and so without another id.
    fn news(&mut self) -> Option<Event> {
        let seen = self.seen.borrow_and_update().clone();
        let is_own = |said: &ActWord| self.address.as_ref().is_none_or(|address| *address == said.address);
        let mark = (self.own(&seen.marks), seen.said.clone().filter(is_own));
        if self.mark.as_ref() == Some(&mark) {
            return None;
        }
        let id: u64 = mark.0.iter().map(|one| one.sequence).sum();
        let is_first = self.mark.replace(mark).is_none();
        let is_news = !(is_first && self.last == Some(id));
        self.last = Some(id);
        let event = Event::default().id(id.to_string());
        Some(if is_news { event.data(id.to_string()) } else { event })
    }

    /// What its page shows: one loop with its turn, or all of them without.
    fn own(&self, marks: &[LoopMark]) -> Vec<LoopMark> {
        match &self.address {
            Some(address) => marks.iter().filter(|mark| mark.address == *address).cloned().collect(),
            None => marks.iter().map(|mark| LoopMark { turn_bytes: 0, ..mark.clone() }).collect(),
        }
    }
}
