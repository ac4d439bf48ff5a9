//! What came of talking with a remote.
//!
//! It stands apart because it is written down and shown: so its words hold no password.

use std::fmt;

use crate::git::names::CommitId;

/// How many lines of a remote's words are kept.
const LINES_MAX: usize = 40;

/// What came of fetching.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetch {
    Fetched {
        commit: CommitId,
    },
    /// The remote has no such branch.
    Absent,
    Unreachable {
        words: RemoteWords,
    },
}

/// What came of pushing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Push {
    /// The branch of the remote is at the commit.
    Pushed,
    /// It is not where it was expected; nothing was changed.
    Moved {
        now: Option<CommitId>,
    },
    /// The remote did not want it: a hook, a protected branch, no right to.
    Declined {
        words: RemoteWords,
    },
    Unreachable {
        words: RemoteWords,
    },
}

/// What git and the remote said, without what stands before `@` in an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteWords(String);

impl RemoteWords {
    pub(super) fn of(said: &str, url: &str) -> Self {
        let lines: Vec<&str> = said.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        let text = lines.into_iter().take(LINES_MAX).collect::<Vec<_>>().join("\n");
        Self(match secret_of(url) {
            Some(secret) => text.replace(&format!("{secret}@"), "").replace(secret, "***"),
            None => text,
        })
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RemoteWords {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// `user:password` of `https://user:password@host/…`; the name alone in front of a host is no secret of ssh's.
fn secret_of(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split('/').next().unwrap_or_default();
    let (secret, _) = host.rsplit_once('@')?;
    (scheme != "ssh" || secret.contains(':')).then_some(secret)
}

#[cfg(test)]
mod tests {
    use super::RemoteWords;

    #[test]
    fn words_hold_no_password() {
        let url = "https://me:s3cret@host.example/x.git";
        let words = RemoteWords::of(&format!("fatal: unable to access '{url}': no\n\n"), url);
        assert_eq!(words.as_str(), "fatal: unable to access 'https://host.example/x.git': no");
        let words = RemoteWords::of("ssh://git@host: no", "ssh://git@host/x");
        assert_eq!(words.as_str(), "ssh://git@host: no");
    }
}
