//! What came of talking with a remote.
//!
//! It is written down and shown: so its words hold no password.

use crate::git::names::CommitId;

/// How many lines of what was said are looked at.
const LINES_MAX: usize = 40;

/// So many lines of the remote's own stand in one.
const OWN_LINES_MAX: usize = 6;

/// What came of fetching.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetch {
    /// The reference here is at the remote's commit.
    Fetched { commit: CommitId },
    /// The remote has no such branch.
    Absent,
    /// Nothing came back but these words.
    Unreachable { words: String },
}

/// What came of pushing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PushOutcome {
    /// The branch of the remote is at the commit.
    Pushed,
    /// It is not where it was expected; nothing was changed.
    Moved { now: Option<CommitId> },
    /// The remote did not want it: a hook, a protected branch, no right to.
    Declined { words: String },
    /// Nothing came back but these words.
    Unreachable { words: String },
}

/// What git and the remote said, in one line: the remote's own words, else why git says that it did not go, else git's first
/// line; without what stands before `@` in an address.
pub(super) fn brief_words(said: &str, url: &str) -> String {
    let said = match secret_of(url) {
        Some(secret) => said.replace(&format!("{secret}@"), "").replace(secret, "***"),
        None => said.to_owned(),
    };
    let lines = said.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.take(LINES_MAX).collect();
    let own = lines.iter().filter_map(|line| line.strip_prefix("remote:")).map(str::trim);
    let own: Vec<&str> = own.filter(|line| !line.is_empty()).take(OWN_LINES_MAX).collect();
    if !own.is_empty() {
        return own.join(" ");
    }
    let refused = lines.iter().find(|line| line.trim_start().starts_with("! ["));
    let why = refused.and_then(|line| line.rsplit_once('(')).map(|(_, why)| why.trim_end_matches(')'));
    why.or_else(|| lines.first().copied()).unwrap_or_default().to_owned()
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
    use super::brief_words;

    #[test]
    fn words_hold_no_password() {
        let url = "https://me:s3cret@host.example/x.git";
        let said = brief_words(&format!("fatal: unable to access '{url}': no\n\n"), url);
        assert_eq!(said, "fatal: unable to access 'https://host.example/x.git': no");
        assert_eq!(brief_words("ssh://git@host: no", "ssh://git@host/x"), "ssh://git@host: no");
    }

    #[test]
    fn in_one_line_stands_what_the_remote_said_or_else_why_it_did_not_go() {
        let brief = |said: &str| brief_words(said, "https://host.example/x.git");
        let protected = "remote: error: GH006: Protected branch update failed for refs/heads/main.        \n\
                         remote: \nremote: - Changes must be made through a pull request.\n\
                         To https://host.example/x.git\n ! [remote rejected] 1a2b -> main (protected branch hook declined)";
        assert_eq!(
            brief(protected),
            "error: GH006: Protected branch update failed for refs/heads/main. \
             - Changes must be made through a pull request."
        );
        let silent =
            "To file:///x\n ! [remote rejected] 1a2b -> main (pre-receive hook declined)\nerror: failed";
        assert_eq!(brief(silent), "pre-receive hook declined");
        assert_eq!(
            brief("ssh: Could not resolve hostname x\nfatal: no"),
            "ssh: Could not resolve hostname x"
        );
        assert_eq!(brief(""), "");
    }
}
