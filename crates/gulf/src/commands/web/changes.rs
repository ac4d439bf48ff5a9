//! Tells a page that there is something new to see: server-sent events, made from how long the journals are.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use gulf_runner::book;
use hyper::body::Frame;
use serde::Deserialize;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::{WebServer, aside};
use crate::failure::Failure;
use crate::watched::turn_log_of;

/// So long the journals are not looked at.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// After so many quiet looks a word is sent: proxies close what is silent.
const QUIET_LOOKS_MAX: u32 = 30;
/// Whoever does not read has to wait.
const UNREAD_MAX: usize = 16;

#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    #[serde(rename = "loop")]
    loop_id: Option<String>,
}

/// A stream of changes: its ids are the sequence numbers of a loop's journal, or how many events all journals have.
pub(super) async fn events(
    State(server): State<Arc<WebServer>>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let (to, unread) = channel(UNREAD_MAX);
    tokio::spawn(tell(server, asked.loop_id, last, to));
    ([(header::CONTENT_TYPE, "text/event-stream")], Body::new(EventStream(unread))).into_response()
}

/// Until nobody listens any more.
async fn tell(server: Arc<WebServer>, loop_id: Option<String>, last: Option<u64>, to: Sender<Bytes>) {
    let (mut last, mut seen, mut quiet) = (last, None, 0);
    loop {
        let (server, loop_id, before) = (server.clone(), loop_id.clone(), seen.clone());
        let Ok(looked) = aside(move || look(&server, loop_id.as_deref(), before.as_ref())).await;
        let message = match looked {
            Ok(None) => None,
            Ok(Some((mark, id))) => {
                let is_first = seen.replace(mark).is_none();
                // Whoever comes back says how far it saw; whoever comes may show what was so a moment ago.
                // A live turn grows without an event, and so without another id.
                let is_news = !(is_first && last == Some(id));
                last = Some(id);
                Some(if is_news { format!("id: {id}\ndata: {id}\n\n") } else { format!("id: {id}\n\n") })
            }
            Err(_) => return,
        };
        quiet = if message.is_some() { 0 } else { quiet + 1 };
        let beat = (quiet >= QUIET_LOOKS_MAX).then(|| ": still here\n\n".to_owned());
        if let Some(message) = message.or(beat) {
            quiet = 0;
            if to.send(Bytes::from(message)).await.is_err() {
                return;
            }
        }
        tokio::time::sleep(LOOK_EVERY).await;
        if to.is_closed() {
            return;
        }
    }
}

/// How long files are and how loops stand; with how many events there are, where that has changed.
type LoopMark = Vec<String>;

fn look(
    server: &WebServer,
    loop_id: Option<&str>,
    before: Option<&LoopMark>,
) -> Result<Option<(LoopMark, u64)>, Failure> {
    let mut watched = server.watched();
    watched.look()?;
    let rows = watched.rows();
    let mut mark = vec![server.said().unwrap_or_default()];
    let mut events = Vec::new();
    for row in rows.iter().filter(|row| loop_id.is_none_or(|id| row.loop_id.as_str() == id)) {
        let Some((_, known)) = watched.known(&row.loop_id) else { continue };
        let length = |path| std::fs::metadata(path).map_or(0, |file| file.len());
        let turn = loop_id.map(|_| length(turn_log_of(&known)));
        let journal = length(known.home.journal());
        mark.push(format!("{} {} {journal} {turn:?}", row.loop_id, row.standing.word()));
        events.push(known);
    }
    drop(watched);
    if before == Some(&mark) {
        return Ok(None);
    }
    let count = |known: &gulf_runner::start::Known| {
        book::read(known.home.root()).map_or(0, |events| events.last().map_or(0, |event| event.sequence))
    };
    Ok(Some((mark, events.iter().map(count).sum())))
}

/// What is sent, as a body.
struct EventStream(Receiver<Bytes>);

impl HttpBody for EventStream {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.0.poll_recv(context).map(|sent| sent.map(|bytes| Ok(Frame::data(bytes))))
    }
}
