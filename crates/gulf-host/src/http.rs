//! HTTP requests with a time-out and a bounded answer; nothing follows a redirect, and nothing that is secret is in an error.
//!
//! It stands apart so that one place decides how gulf talks to the network: encrypted with the system's own roots of
//! trust, through the proxy that the environment names, and never for longer than it was given.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use ureq::tls::{RootCerts, TlsConfig, TlsProvider};

use crate::secret::Secret;

#[cfg(test)]
mod tests;

/// An answer larger than this is refused, whoever sends it.
const ANSWER_BYTES_MAX: u64 = 4 << 20;
/// Nobody is asked to wait longer than this.
const RETRY_AFTER_SECONDS_MAX: u64 = 3_600;

/// Sends requests.
#[derive(Debug)]
pub struct Http {
    agent: ureq::Agent,
}

/// A request with a body.
#[derive(Debug)]
pub struct Post<'post> {
    /// An address may be a secret itself.
    pub url: &'post Secret,
    pub bearer: Option<&'post Secret>,
    pub content: &'static str,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

/// What came back, whatever its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    /// As far as it is a number of seconds.
    pub retry_after: Option<Duration>,
    pub body: Vec<u8>,
}

/// Why nothing came back.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    #[error("no answer in time")]
    TimedOut,
    /// Nothing arrived.
    #[error("{0}")]
    NotSent(String),
    #[error("the address is invalid")]
    NoAddress,
    #[error("the answer is larger than {ANSWER_BYTES_MAX} bytes")]
    TooLarge,
    #[error("{0}")]
    Failed(String),
}

impl HttpError {
    /// May it have arrived all the same?
    pub fn is_unknown(&self) -> bool {
        !matches!(self, Self::NotSent(_) | Self::NoAddress)
    }
}

impl Http {
    /// Each request, all of it, takes so long at most.
    pub fn new(timeout: Duration) -> Self {
        let tls = TlsConfig::builder()
            .provider(TlsProvider::Rustls)
            .root_certs(RootCerts::PlatformVerifier)
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .build();
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(timeout))
            .http_status_as_error(false)
            // A token must not follow to wherever somebody points.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .tls_config(tls)
            .user_agent(concat!("gulf/", env!("CARGO_PKG_VERSION")))
            .build();
        Self { agent: config.into() }
    }

    pub fn post(&self, post: &Post<'_>) -> Result<Answer, HttpError> {
        let mut request = self.agent.post(post.url.reveal()).header("content-type", post.content);
        for (name, value) in &post.headers {
            request = request.header(*name, value);
        }
        if let Some(bearer) = post.bearer {
            request = request.header("authorization", format!("Bearer {}", bearer.reveal()));
        }
        let mut response = request.send(&post.body[..]).map_err(failure)?;
        let body =
            response.body_mut().with_config().limit(ANSWER_BYTES_MAX).read_to_vec().map_err(failure)?;
        let seconds =
            response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.trim().parse().ok());
        Ok(Answer {
            status: response.status().as_u16(),
            retry_after: seconds
                .map(|seconds: u64| Duration::from_secs(seconds.min(RETRY_AFTER_SECONDS_MAX))),
            body,
        })
    }
}

/// In gulf's words: the library's may hold the address.
#[expect(clippy::wildcard_enum_match_arm, reason = "the library's list is not closed")]
fn failure(error: ureq::Error) -> HttpError {
    match error {
        ureq::Error::Timeout(_) => HttpError::TimedOut,
        ureq::Error::HostNotFound => HttpError::NotSent("unknown host".to_owned()),
        ureq::Error::Io(error) if error.kind() == io::ErrorKind::TimedOut => HttpError::TimedOut,
        ureq::Error::Io(error) => HttpError::Failed(format!("connection failed: {}", error.kind())),
        ureq::Error::ConnectionFailed => {
            HttpError::Failed("connection failed: nobody answers there".to_owned())
        }
        ureq::Error::Tls(why) => HttpError::NotSent(format!("TLS connection failed: {why}")),
        ureq::Error::Rustls(error) => HttpError::NotSent(format!("TLS connection failed: {error}")),
        ureq::Error::BodyExceedsLimit(_) => HttpError::TooLarge,
        ureq::Error::BadUri(_) | ureq::Error::Http(_) | ureq::Error::InvalidProxyUrl => HttpError::NoAddress,
        _ => HttpError::Failed("the answer is not HTTP".to_owned()),
    }
}
