//! `gulf web`: what `gulf ui` shows and does, for a browser. Here is the server; what a page says is in `gulf-faces`, what
//! it shows in the views, and what an act does is the command of its name.
//!
//! Asynchronous like `gulf mcp`, because its protocol's library is.

mod acts;
mod changes;
mod guard;
mod pages;

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Write as _};
use std::net::SocketAddr;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use anstyle::{AnsiColor, Color, Style};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::Request;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use changes::Changes;
use guard::Guard;
use gulf_faces::{PageTerms, WebFrame};
use gulf_views::LoopAddress;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use qrcode::render::unicode::Dense1x2;
use qrcode::types::QrResult;
use qrcode::{EcLevel, QrCode};
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;

use crate::cli::WebArguments;
use crate::failure::{Failure, Result};
use crate::language::{language, translated};
use crate::out::say_note;
use crate::place;
use crate::watched::Watched;

/// Whoever says nothing for so long has no place here.
const HEAD_PATIENCE: Duration = Duration::from_secs(10);
/// The longest text that a person may send, several times.
const BODY_BYTES_MAX: usize = 64 << 10;

/// What every answer is made from.
struct WebServer {
    guard: Guard,
    watched: Mutex<Watched>,
    said: Mutex<Option<ActWord>>,
    changes: Changes,
    is_read_only: bool,
}

/// What came of the last act, and of which loop it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ActWord {
    address: LoopAddress,
    word: String,
}

impl WebServer {
    fn watched(&self) -> MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// As the journals tell by now.
    fn refreshed(&self) -> Result<MutexGuard<'_, Watched>> {
        let mut watched = self.watched();
        watched.refresh()?;
        Ok(watched)
    }

    fn last_word(&self) -> Option<ActWord> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn say(&self, address: LoopAddress, word: String) {
        self.watched().forget(&address);
        *self.said.lock().unwrap_or_else(PoisonError::into_inner) = Some(ActWord { address, word });
        self.changes.wake();
    }

    fn frame<'server>(&'server self, said: Option<&'server str>) -> WebFrame<'server> {
        let terms = PageTerms { mask: pages::for_others, language: language() };
        WebFrame { csrf: &self.guard.csrf, is_read_only: self.is_read_only, said, terms }
    }
}

pub fn web(arguments: &WebArguments) -> Result<u8> {
    let WebArguments { all, listen, behind_proxy, read_only, .. } = arguments;
    let proxy = behind_proxy.as_deref().map(guard::authority).transpose()?;
    if !listen.ip().is_loopback() && proxy.is_none() {
        return Err(Failure::usage(
            format!("{listen} is reachable by others, and the traffic is not encrypted"),
            "leave `--listen` out and come by `ssh -L`, or put a proxy with HTTPS in front and name it with `--behind-proxy`",
        ));
    }
    let mut watched = Watched::new(place::here()?, *all);
    watched.refresh()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Failure::broken)?;
    runtime.block_on(async {
        let listener = TcpListener::bind(listen).await.map_err(|error| not_bound(*listen, &error))?;
        let address = listener.local_addr().map_err(Failure::broken)?;
        let guard = Guard::new(address, proxy).map_err(Failure::broken)?;
        // The one secret that is printed, since it is for whoever reads it: masked, nobody would get in.
        let _ = writeln!(std::io::stdout(), "{}", guard.first_address());
        let may = if *read_only {
            "whoever opens it sees these loops; Ctrl-C stops it"
        } else {
            "whoever opens it sees these loops and may act; Ctrl-C stops it"
        };
        outln!("{}", translated(may));
        invite(arguments, &guard);
        let (watched, said) = (Mutex::new(watched), Mutex::new(None));
        let changes = Changes::default();
        let server = Arc::new(WebServer { guard, watched, said, changes, is_read_only: *read_only });
        let looking = server.clone();
        // Ends with this process.
        std::thread::spawn(move || changes::keep_looking(&looking));
        serve(listener, server).await
    })
}

fn invite(arguments: &WebArguments, guard: &Guard) {
    if arguments.qr {
        print_code(&guard.first_address());
        if guard.proxy.is_none() {
            say_note(
                "a phone comes to this machine by an ssh tunnel of the same port, or by `--behind-proxy`",
            );
        }
    }
    if arguments.open {
        open(&guard.address_for_once());
    }
}

fn not_bound(listen: SocketAddr, error: &std::io::Error) -> Failure {
    let hint = format!("{listen} may be in use: name another one with `--listen`, or leave it out");
    Failure::world(error, Some(hint))
}

async fn serve(listener: TcpListener, server: Arc<WebServer>) -> Result<u8> {
    let routes = Router::new()
        .route("/", get(pages::loops))
        .route("/inbox", get(pages::inbox))
        .route("/loops/{id}", get(pages::overview))
        .route("/loops/{id}/report", get(pages::report))
        .route("/loops/{id}/{tab}", get(pages::tab))
        .route("/loops/{id}/iterations/{number}", get(pages::iteration))
        .route("/loops/{id}/act", post(acts::act))
        .route("/events", get(changes::events))
        .route("/style.css", get(pages::style))
        .route("/script.js", get(pages::script))
        .fallback(pages::nowhere)
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(from_fn_with_state(server.clone(), guard::guarded))
        .with_state(server);
    let places = Arc::new(Semaphore::new(PLACES));
    let visitors = Arc::new(Visitors { places, knocking: Mutex::default() });
    for number in 0.. {
        // Whoever was accepted is heard before the next one is.
        tokio::task::yield_now().await;
        let Ok((stream, _)) = listener.accept().await else {
            // Out of file descriptors, mostly: those that are open will end.
            tokio::time::sleep(HEAD_PATIENCE / 10).await;
            continue;
        };
        let routes = TowerToHyperService::new(routes.clone());
        let visitor = Arc::new(Visitor { number, visitors: visitors.clone(), place: OnceLock::new() });
        let answer = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(visitor.clone());
            routes.call(request)
        });
        let connection = tokio::spawn(async move {
            let mut protocol = http1::Builder::new();
            protocol.timer(TokioTimer::new()).header_read_timeout(HEAD_PATIENCE);
            // Whoever breaks off wants no answer.
            let _ = protocol.serve_connection(TokioIo::new(stream), answer).await;
        });
        visitors.knocks(number, connection.abort_handle());
    }
    Ok(0)
}

/// Reads files, which may wait for a disk, where nobody waits for it.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

// How a person comes in: the address as a code for a phone's camera, or opened in the browser of this machine.

/// What a desktop opens addresses with.
const OPENER: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };

/// Blocks are what is light: without colours that is right on a dark terminal, with them on every one.
const CODE: Style = AnsiColor::BrightWhite.on_default().bg_color(Some(Color::Ansi(AnsiColor::Black)));

/// Not masked, like the address itself.
fn print_code(address: &str) {
    match code(address) {
        Ok(lines) => {
            let mut out = anstream::stdout();
            for line in lines.lines() {
                // Whoever closed the pipe does not want it.
                let _ = writeln!(out, "{CODE}{line}{CODE:#}");
            }
        }
        Err(error) => say_note(format_args!("the address is not shown as a QR code: {error}")),
    }
}

/// The least correction makes the smallest code, and a screen has no stains.
fn code(address: &str) -> QrResult<String> {
    let code = QrCode::with_error_correction_level(address, EcLevel::L)?;
    let mut drawn = code.render::<Dense1x2>();
    Ok(drawn.dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build())
}

/// The server goes on whatever comes of it, and so does the browser when the server ends.
fn open(address: &str) {
    let mut opener = Command::new(OPENER);
    opener.arg(address).process_group(0);
    opener.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match opener.spawn() {
        // It may be the browser itself, and last as long.
        Ok(mut opener) => drop(std::thread::spawn(move || say_what_came_of(&opener.wait()))),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            say_not_opened(&format!("there is no `{OPENER}` here"));
        }
        Err(error) => say_not_opened(&format!("`{OPENER}` cannot be started: {error}")),
    }
}

fn say_what_came_of(ended: &io::Result<ExitStatus>) {
    match ended {
        Ok(status) if status.success() => {}
        Ok(status) => say_not_opened(&match status.code() {
            Some(code) => format!("`{OPENER}` ended with exit code {code}"),
            None => format!("`{OPENER}` was ended by a signal"),
        }),
        Err(error) => say_not_opened(&format!("the result of `{OPENER}` is unknown: {error}")),
    }
}

fn say_not_opened(why: &str) {
    say_note(format_args!("{why}: open the address yourself where no browser shows it"));
}

// Who is connected. Whoever has been let in keeps a place; of the others the oldest gives way to the next, so that no
// crowd of strangers keeps anybody waiting.

/// More than a person's browsers open, each with a stream for every page.
const PLACES: usize = 64;
/// So many may knock at once.
const KNOCKING_MAX: usize = 64;

struct Visitors {
    places: Arc<Semaphore>,
    /// Those that nobody has let in, by their numbers: the oldest is first.
    knocking: Mutex<BTreeMap<u64, AbortHandle>>,
}

/// One connection.
struct Visitor {
    number: u64,
    visitors: Arc<Visitors>,
    place: OnceLock<OwnedSemaphorePermit>,
}

impl Visitors {
    fn knocking(&self) -> MutexGuard<'_, BTreeMap<u64, AbortHandle>> {
        self.knocking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its task is not polled before it stands here: it is spawned on this very thread.
    fn knocks(&self, number: u64, connection: AbortHandle) {
        let mut knocking = self.knocking();
        knocking.insert(number, connection);
        let oldest = if knocking.len() > KNOCKING_MAX { knocking.pop_first() } else { None };
        drop(knocking);
        if let Some((_, connection)) = oldest {
            connection.abort();
        }
    }
}

impl Visitor {
    /// Has it a place, or does one come free in time?
    async fn takes_place(&self, patience: Duration) -> bool {
        if self.place.get().is_some() {
            return true;
        }
        let place = self.visitors.places.clone().acquire_owned();
        let Ok(Ok(place)) = tokio::time::timeout(patience, place).await else { return false };
        // Another request of the same connection cannot be under way.
        let _ = self.place.set(place);
        self.visitors.knocking().remove(&self.number);
        true
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        self.visitors.knocking().remove(&self.number);
    }
}
