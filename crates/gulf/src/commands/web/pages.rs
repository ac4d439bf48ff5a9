//! The pages: a model is looked up, and drawn by `gulf-faces`.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use gulf_faces::{Tab, WEB_SCRIPT, WEB_STYLE, WebFrame};
use gulf_views::{Look, LoopAddress, ReportPage, iteration as iteration_text};

use super::{WebServer, aside};
use crate::commands::{report, travel};
use crate::failure::Result;
use crate::iterations::RecordedLoop;
use crate::language::{language, translated};
use crate::out::masked;
use crate::report::ReportDepth;

type Shared = State<Arc<WebServer>>;

/// A page, or none where the loop is not there.
type PageText = Result<Option<String>>;

pub(super) async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], WEB_STYLE).into_response()
}

pub(super) async fn script() -> Response {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], WEB_SCRIPT).into_response()
}

pub(super) async fn nowhere(State(server): Shared) -> Response {
    not_found(&server)
}

pub(super) async fn loops(State(server): Shared) -> Response {
    page(server, None, |server, frame| Ok(Some(frame.loops(&server.refreshed()?.rows())))).await
}

pub(super) async fn inbox(State(server): Shared) -> Response {
    page(server, None, |server, frame| Ok(Some(frame.inbox(&server.refreshed()?.rows())))).await
}

pub(super) async fn overview(State(server): Shared, Path(id): Path<String>) -> Response {
    one_loop(server, id, Tab::Overview).await
}

pub(super) async fn tab(State(server): Shared, Path((id, tab)): Path<(String, String)>) -> Response {
    match Tab::ALL.into_iter().find(|one| one.title() == tab) {
        Some(tab) => one_loop(server, id, tab).await,
        None => not_found(&server),
    }
}

async fn one_loop(server: Arc<WebServer>, id: String, tab: Tab) -> Response {
    let address = LoopAddress::received(id);
    page(server, Some(address.clone()), move |server, frame| {
        Ok(server.refreshed()?.in_full(&address)?.map(|known| frame.one_loop(&known, tab)))
    })
    .await
}

pub(super) async fn iteration(State(server): Shared, Path((id, number)): Path<(String, u32)>) -> Response {
    let address = LoopAddress::received(id);
    page(server, Some(address.clone()), move |server, frame| {
        let Some((place, known)) = server.refreshed()?.known(&address) else { return Ok(None) };
        let recorded = RecordedLoop::open(place, known)?;
        let report = travel::report_of(&recorded, Some(number))?;
        let text = iteration_text(&report, Look::piped().in_language(language()));
        let title =
            [translated(format!("iteration {number}")), translated("of"), recorded.known.handle()].join(" ");
        let text = anstream::adapter::strip_str(&text).to_string();
        Ok(Some(frame.text(&title, &format!("/loops/{address}"), &text)))
    })
    .await
}

pub(super) async fn report(State(server): Shared, Path(id): Path<String>) -> Response {
    let address = LoopAddress::received(id);
    page(server, Some(address.clone()), move |server, frame| {
        let Some((place, known)) = server.refreshed()?.known(&address) else { return Ok(None) };
        let report = report::of_loop(&place, &known, ReportDepth::Full)?.in_language(language());
        Ok(Some(frame.report(&ReportPage::new(&report))))
    })
    .await
}

/// Draws it where nobody waits, and says what went wrong. What came of an act stands on its loop's pages and on those of
/// no loop.
pub(super) async fn page(
    server: Arc<WebServer>,
    address: Option<LoopAddress>,
    draw: impl FnOnce(&WebServer, WebFrame<'_>) -> PageText + Send + 'static,
) -> Response {
    aside(move || {
        let said = server.last_word().filter(|said| address.is_none_or(|address| address == said.address));
        match draw(&server, server.frame(said.as_ref().map(|said| said.word.as_str()))) {
            Ok(Some(page)) => (StatusCode::OK, Html(page)).into_response(),
            Ok(None) => not_found(&server),
            Err(failure) => {
                let hint = failure.hint().map(|hint| format!("\n{hint}")).unwrap_or_default();
                let text = format!("{}{hint}", failure.in_one_line());
                let page = server.frame(None).text("That cannot be shown", "/", &text);
                (StatusCode::INTERNAL_SERVER_ERROR, Html(page)).into_response()
            }
        }
    })
    .await
}

fn not_found(server: &WebServer) -> Response {
    let page = server.frame(None).text("Not here", "/", &translated("No such page, or the loop is gone."));
    (StatusCode::NOT_FOUND, Html(page)).into_response()
}

/// Pages are shown to others: without what is secret, and without who one is on this machine.
pub(super) fn for_others(text: &str) -> Cow<'_, str> {
    static HOME: LazyLock<String> = LazyLock::new(|| {
        let home = std::env::var("HOME").unwrap_or_default();
        home.trim_end_matches('/').to_owned()
    });
    let text = masked(text);
    if HOME.is_empty() || !text.contains(HOME.as_str()) {
        return text;
    }
    let mut parts = text.split(HOME.as_str());
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // `/home/ann` is no part of `/home/anna`.
        let is_other = part.starts_with(|next: char| next.is_alphanumeric() || "_-".contains(next));
        shown.push_str(if is_other { &HOME } else { "~" });
        shown.push_str(part);
    }
    Cow::Owned(shown)
}
