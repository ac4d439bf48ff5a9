//! What has landed is pushed, where the person asked for it: to the address that was sealed, and to nothing else.
//!
//! It stands apart because a push can fail and what has landed stays landed: then the loop says so, and tries again.

use gulf_engine::CommitId;
use gulf_host::git::{self, BranchName, PushOutcome};

use super::base::is_remote;
use crate::agreement::PushTerms;
use crate::error::Failure;
use crate::workshop::Workshop;

/// How often a remote may move between a look and the push.
const TRIES_MAX: u32 = 3;

impl Workshop {
    /// Brings the remote's branch to the commit that landed.
    pub(super) fn push_landed(&self, landed: &CommitId) -> Result<(), Failure> {
        let landing = self.landing_terms()?;
        // A remote's branch moved by nothing but a push.
        let Some(terms) = landing.push.as_ref().filter(|_| !is_remote(&landing.base)) else { return Ok(()) };
        let commit = git::CommitId::parse(landed.as_str())?;
        let branch = BranchName::parse(&terms.branch)?;
        let failed = |why: &str| not_pushed(landed, terms, &branch, why);
        for _ in 0..TRIES_MAX {
            let now = match self.repository.look_at_remote(&terms.url, &branch)? {
                Ok(now) => now,
                Err(words) => return Err(failed(&words.brief())),
            };
            if let Some(now) = &now {
                // One that is not known here is somebody else's.
                if self.repository.descends(now, &commit).unwrap_or(false) {
                    return Ok(());
                }
                if !self.repository.descends(&commit, now).unwrap_or(false) {
                    return Err(failed("it has commits that the base branch lacks"));
                }
            }
            match self.repository.push(&terms.url, &commit, &branch, now.as_ref())? {
                PushOutcome::Pushed => return Ok(()),
                PushOutcome::Moved { .. } => {}
                PushOutcome::Declined { words } | PushOutcome::Unreachable { words } => {
                    return Err(failed(&words.brief()));
                }
            }
        }
        Err(failed("it moves all the time"))
    }
}

fn not_pushed(landed: &CommitId, terms: &PushTerms, branch: &BranchName, why: &str) -> Failure {
    let short: String = landed.as_str().chars().take(10).collect();
    Failure::Refused(format!(
        "landed as {short}, but could not be pushed to {branch} of {}: {why}",
        terms.remote
    ))
}
