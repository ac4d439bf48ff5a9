//! Who gets in: whoever has the first address, from a browser that came for this very server.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use gulf_host::random;
use subtle::ConstantTimeEq;

use super::{HEAD_PATIENCE, Visitor, WebServer};
use crate::failure::{Failure, Result};

/// Nothing is fetched from elsewhere, nothing stands in another page, and what a worker wrote runs nothing.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// What every answer says.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // Not `no-referrer`: a browser that sends none sends no Origin either.
    (header::REFERRER_POLICY, "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The secrets of one server.
pub(super) struct Guard {
    /// In the first address.
    token: String,
    /// In the address that a browser is started with, until somebody has come by it: others on this machine can read what
    /// a program was started with.
    token_for_once: Mutex<Option<String>>,
    /// In the cookie.
    session: String,
    /// In every form.
    pub(super) csrf: String,
    cookie: String,
    address: SocketAddr,
    /// What a browser's address names behind `https://`, where a proxy stands in front: `box.example.net`.
    pub(super) proxy: Option<String>,
}

/// The name of a proxy that browsers come by.
pub(super) fn authority(origin: &str) -> Result<String> {
    let authority = origin.trim_end_matches('/').strip_prefix("https://").unwrap_or_default();
    let is_plain = |one: char| one.is_ascii_alphanumeric() || ".-:[]".contains(one);
    if !authority.is_empty() && authority.chars().all(is_plain) {
        return Ok(authority.to_ascii_lowercase());
    }
    let hint = "name what a browser's address begins with, such as `https://box.tail1234.ts.net`";
    Err(Failure::usage(format!("`--behind-proxy {origin}` is no address of a proxy that speaks HTTPS"), hint))
}

impl Guard {
    pub(super) fn new(address: SocketAddr, proxy: Option<String>) -> io::Result<Guard> {
        let (token, session, csrf) = (random::nonce()?, random::nonce()?, random::nonce()?);
        let token_for_once = Mutex::new(Some(random::nonce()?));
        // Browsers keep one cookie of a name for all ports.
        let cookie = format!("gulf-web-{}", address.port());
        Ok(Guard { token, token_for_once, session, csrf, cookie, address, proxy })
    }

    pub(super) fn is_csrf(&self, word: &str) -> bool {
        is_same(&self.csrf, word)
    }

    pub(super) fn first_address(&self) -> String {
        self.address_with(&self.token)
    }

    /// Lets in one visitor, who will hold a cookie.
    pub(super) fn address_for_once(&self) -> String {
        let token = self.token_for_once.lock().unwrap_or_else(PoisonError::into_inner);
        self.address_with(token.as_deref().unwrap_or_default())
    }

    fn address_with(&self, token: &str) -> String {
        match &self.proxy {
            Some(authority) => format!("https://{authority}/?token={token}"),
            None => format!("http://{}/?token={token}", self.address),
        }
    }

    fn is_token(&self, said: &str) -> bool {
        let mut once = self.token_for_once.lock().unwrap_or_else(PoisonError::into_inner);
        is_same(&self.token, said) || once.take_if(|token| is_same(token, said)).is_some()
    }

    /// Another name that leads here is another site's (DNS rebinding).
    fn is_own_host(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        match &self.proxy {
            Some(authority) => host == *authority,
            None => host == self.address.to_string() || host == format!("localhost:{}", self.address.port()),
        }
    }

    fn is_own_origin(&self, origin: &str) -> bool {
        let scheme = if self.proxy.is_some() { "https://" } else { "http://" };
        origin.strip_prefix(scheme).is_some_and(|authority| self.is_own_host(authority))
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let all = headers.get_all(header::COOKIE).iter().filter_map(|one| one.to_str().ok());
        let mut pairs = all.flat_map(|one| one.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(name, value)| name == self.cookie && is_same(&self.session, value))
    }

    /// A cookie for whoever has the token, and the first page without it.
    fn let_in(&self, request: &Request) -> Option<Response> {
        let query = request.uri().query()?;
        let token = query.split('&').find_map(|pair| pair.strip_prefix("token="))?;
        if !self.is_token(token) {
            return None;
        }
        let secure = if self.proxy.is_some() { "; Secure" } else { "" };
        let cookie = format!("{}={}; HttpOnly; SameSite=Strict; Path=/{secure}", self.cookie, self.session);
        let headers = [(header::SET_COOKIE, cookie), (header::LOCATION, "/".to_owned())];
        Some((StatusCode::SEE_OTHER, headers).into_response())
    }

    fn refusal(&self, request: &Request) -> Option<Response> {
        let headers = request.headers();
        let told = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let host = told(header::HOST).filter(|_| headers.get_all(header::HOST).iter().count() == 1);
        if !host.is_some_and(|host| self.is_own_host(host)) {
            let why = "This server is not called so. Come by the address that `gulf web` printed; behind a proxy or another port, name it with --behind-proxy.";
            return Some((StatusCode::MISDIRECTED_REQUEST, why).into_response());
        }
        let is_read = [Method::GET, Method::HEAD].contains(request.method());
        if is_read && let Some(entry) = self.let_in(request) {
            return Some(entry);
        }
        if !self.has_cookie(headers) {
            let why = "Open the whole address that `gulf web` printed, with its token.";
            return Some((StatusCode::UNAUTHORIZED, why).into_response());
        }
        if !is_read && !told(header::ORIGIN).is_some_and(|origin| self.is_own_origin(origin)) {
            let why = "The form was not sent from a page of this server.";
            return Some((StatusCode::FORBIDDEN, why).into_response());
        }
        None
    }
}

/// Takes as long for a near miss as for any other.
fn is_same(secret: &str, said: &str) -> bool {
    secret.as_bytes().ct_eq(said.as_bytes()).into()
}

async fn has_place(visitor: Option<Arc<Visitor>>) -> bool {
    match visitor {
        Some(visitor) => visitor.takes_place(HEAD_PATIENCE).await,
        None => false,
    }
}

/// Before and after every answer.
pub(super) async fn guarded(State(server): State<Arc<WebServer>>, request: Request, next: Next) -> Response {
    let visitor = request.extensions().get::<Arc<Visitor>>().cloned();
    let mut response = match server.guard.refusal(&request) {
        Some(refusal) => refusal,
        None if has_place(visitor).await => next.run(request).await,
        None => {
            (StatusCode::SERVICE_UNAVAILABLE, "Too many of your pages are open: close one.").into_response()
        }
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
