//! A notice as a signed POST to a URL: sent at least once, and known again by its key.
//!
//! It stands apart because a receiver answers nothing: what counts is whether it took the notice.

use gulf_agents::address::{UNRESERVED, percent_encoded};
use gulf_agents::channels::Notice;
use gulf_host::http::{Answer, Http, HttpError, Post};
use gulf_host::secret::{Secret, SecretError};
use gulf_spec::config::is_safe_address;

use crate::agreement::{WebhookTerms, read_secret};

/// Why a notice was not taken.
#[derive(Debug, thiserror::Error)]
pub(super) enum WebhookError {
    #[error(transparent)]
    Secret(#[from] SecretError),
    #[error("its address is neither https nor on this machine, or names a user")]
    Unsafe,
    #[error(transparent)]
    Http(#[from] HttpError),
    #[error("it answers with status {0}")]
    Status(u16),
}

impl WebhookError {
    /// Is another try of any use?
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Secret(_) | Self::Unsafe | Self::Http(HttpError::NoAddress) => false,
            Self::Http(_) => true,
            Self::Status(status) => matches!(status, 408 | 425 | 429 | 500..=599),
        }
    }

    /// Will it never take this notice, as it is called now?
    pub(super) fn is_final(&self) -> bool {
        matches!(self, Self::Status(_)) && !self.is_passing()
    }

    /// Did nobody answer at all?
    pub(super) fn is_silence(&self) -> bool {
        matches!(self, Self::Http(_))
    }

    pub(super) fn hint(&self) -> Option<String> {
        match self {
            Self::Secret(error) => error.hint(),
            Self::Unsafe => {
                Some("an address begins with https://, and has no user and password in it".to_owned())
            }
            Self::Status(_) if self.is_final() => Some(
                "fix its address or its secret where they are kept; then it is notified after all".to_owned(),
            ),
            Self::Http(_) | Self::Status(_) => None,
        }
    }
}

/// By what a changed address or secret is known, without saying either; none where they cannot be read.
pub(super) fn setting(terms: &WebhookTerms) -> Option<String> {
    let url = read_secret(&terms.url).ok()?;
    let secret = terms.secret.as_ref().map(read_secret).transpose().ok()?;
    Some(secret.as_ref().unwrap_or(&url).sign(url.reveal().as_bytes()))
}

/// What is sent, and with which secrets.
pub(super) fn send(http: &Http, terms: &WebhookTerms, notice: &Notice) -> Result<(), WebhookError> {
    let url = read_secret(&terms.url)?;
    if !is_safe_address(url.reveal()) {
        return Err(WebhookError::Unsafe);
    }
    let secret = terms.secret.as_ref().map(read_secret).transpose()?;
    let body = notice.json();
    let mut headers = vec![
        ("idempotency-key", percent_encoded(&format!("{}/{}", notice.loop_id, notice.key), UNRESERVED)),
        ("x-gulf-event", <&str>::from(notice.kind).to_owned()),
    ];
    headers.extend(signature(secret.as_ref(), &body));
    let Answer { status, .. } =
        http.post(&Post { url: &url, bearer: None, content: "application/json", headers, body })?;
    if (200..300).contains(&status) { Ok(()) } else { Err(WebhookError::Status(status)) }
}

/// Over the body as it is sent.
fn signature(secret: Option<&Secret>, body: &[u8]) -> Option<(&'static str, String)> {
    secret.map(|secret| ("x-gulf-signature-256", format!("sha256={}", secret.sign(body))))
}
