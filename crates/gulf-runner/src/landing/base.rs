//! Where a base branch lies and how it is moved: here by compare-and-swap, with the checkouts that stand on it; at a
//! remote by a push of exactly one commit, with a lease.
//!
//! Nothing else in a landing may differ between the two. Of a remote's branch only what the remote itself said
//! counts, at the address that was sealed: remote-tracking branches are a person's (their `--force-with-lease` goes
//! by them) and a worker can write them, so they are neither moved nor believed.

use gulf_host::git::{
    Advance, BranchName, CommitId, FastForward, Fetch, GitError, InTheWay, PushOutcome, RecoveredMove,
    RefName, Repository,
};
use gulf_queue::{QueueResult, Tip};

use super::{LandingEffect, place, seen};
use crate::agreement::{Agreement, LandingTerms, PushTerms, REMOTES, short};
use crate::error::{Failure, Result, RunResult};
use crate::place::PlaceOfWork;
use crate::resources::Resources;

/// The branch on which work lands.
#[derive(Clone, Debug)]
pub(crate) enum BaseBranch {
    Local(BranchName),
    Remote(RemoteBase),
}

/// A branch that lies elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct RemoteBase {
    /// As people call it: `origin/main`.
    name: String,
    remote: String,
    url: String,
    /// Its name there.
    branch: BranchName,
    /// Gulf's own, at what the remote was last seen to hold.
    seen: RefName,
}

/// Does work get onto this branch only by a push?
pub(crate) fn is_remote(base: &str) -> bool {
    base.starts_with(REMOTES)
}

impl RemoteBase {
    pub(crate) fn new(base: &str, push: &PushTerms) -> Result<Self, GitError> {
        Ok(Self {
            name: short(base).to_owned(),
            remote: push.remote.clone(),
            url: push.url.clone(),
            branch: BranchName::parse(&push.branch)?,
            seen: RefName::base(&place::base_digits(base, Some(push)))?,
        })
    }

    /// Asks the remote, and brings what it has.
    pub(crate) fn fetch(&self, repository: &Repository) -> Result<Fetch, GitError> {
        repository.fetch(&self.url, &self.branch, &self.seen)
    }

    fn advance(&self, git: &Repository, [from, to]: [&CommitId; 2]) -> Result<QueueResult, GitError> {
        Ok(match git.push(&self.url, to, &self.branch, Some(from))? {
            PushOutcome::Pushed => {
                gulf_host::crash::point("landing.pushed");
                git.update_ref(&self.seen, to, &gulf_host::git::Expected::Anything)?;
                QueueResult::Moved
            }
            PushOutcome::Moved { .. } => self.ask(git, [from, to])?,
            PushOutcome::Declined { words } => {
                let reason = format!("{} declines what would be pushed: {}", self.name, words);
                QueueResult::NotReady { reason }
            }
            PushOutcome::Unreachable { words } => QueueResult::NotReady { reason: self.away(&words) },
        })
    }

    /// Where it is now, only the remote can tell.
    fn ask(&self, git: &Repository, [from, to]: [&CommitId; 2]) -> Result<QueueResult, GitError> {
        Ok(match self.fetch(git)? {
            // Somebody may have gone on from it already.
            Fetch::Fetched { commit } if git.descends(&commit, to)? => QueueResult::Moved,
            Fetch::Fetched { commit } if commit == *from => QueueResult::Interrupted,
            Fetch::Fetched { commit } => QueueResult::BaseMoved { tip: tip_of(git, commit)? },
            Fetch::Absent => QueueResult::NotReady { reason: self.gone() },
            Fetch::Unreachable { words } => QueueResult::NotReady { reason: self.away(&words) },
        })
    }

    fn gone(&self) -> String {
        format!("{} no longer has a branch {}", self.remote, self.branch)
    }

    fn away(&self, words: &str) -> String {
        format!("{} cannot be reached: {words}", self.remote)
    }
}

impl BaseBranch {
    pub(crate) fn from_terms(terms: &LandingTerms) -> RunResult<Self> {
        match &terms.push {
            Some(push) if is_remote(&terms.base) => Ok(Self::Remote(RemoteBase::new(&terms.base, push)?)),
            Some(_) | None => Ok(Self::Local(BranchName::parse(&terms.base)?)),
        }
    }

    /// As people call it: `main`, `origin/main`.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Local(branch) => branch.short(),
            Self::Remote(remote) => &remote.name,
        }
    }

    /// Where it was last seen: a local one now, a remote's when it was asked last.
    pub(crate) fn tip(&self, repository: &Repository) -> Result<Option<CommitId>, GitError> {
        match self {
            Self::Local(branch) => repository.read_branch(branch),
            Self::Remote(remote) => repository.read_ref(&remote.seen),
        }
    }

    /// Asks a remote where its branch is; what keeps it from being asked.
    pub(super) fn fetch_tip(&self, repository: &Repository) -> Result<Option<String>, GitError> {
        let Self::Remote(remote) = self else { return Ok(None) };
        Ok(match remote.fetch(repository)? {
            Fetch::Fetched { .. } => None,
            Fetch::Absent => Some(remote.gone()),
            Fetch::Unreachable { words } => Some(remote.away(&words)),
        })
    }

    /// Moves it; where nothing was moved and nothing is in the way any more, that counts as interrupted.
    pub(super) fn advance(&self, git: &Repository, steps: [&CommitId; 2]) -> Result<QueueResult, GitError> {
        let branch = match self {
            Self::Local(branch) => branch,
            Self::Remote(remote) => return remote.advance(git, steps),
        };
        let [from, to] = steps;
        match git.fast_forward(&FastForward { branch, from: Some(from), to })? {
            Advance::Moved { .. } => Ok(QueueResult::Moved),
            Advance::BaseMoved { now } => moved_by_others(git, branch, now),
            Advance::NotReady { reasons } => Ok(QueueResult::NotReady { reason: InTheWay::all(&reasons) }),
        }
    }

    /// What became of a move that was cut off.
    pub(super) fn recover(&self, git: &Repository, steps: [&CommitId; 2]) -> Result<QueueResult, GitError> {
        let branch = match self {
            Self::Local(branch) => branch,
            Self::Remote(remote) => return remote.ask(git, steps),
        };
        let [from, to] = steps;
        match git.recover_fast_forward(&FastForward { branch, from: Some(from), to })? {
            RecoveredMove::Moved => Ok(QueueResult::Moved),
            RecoveredMove::Undone => Ok(QueueResult::Interrupted),
            // Somebody may have gone on from it already.
            RecoveredMove::BaseMoved { now: Some(now) } if git.descends(&now, to)? => Ok(QueueResult::Moved),
            RecoveredMove::BaseMoved { now } => moved_by_others(git, branch, now),
        }
    }
}

fn moved_by_others(
    git: &Repository,
    branch: &BranchName,
    now: Option<CommitId>,
) -> Result<QueueResult, GitError> {
    Ok(match now {
        Some(now) => QueueResult::BaseMoved { tip: tip_of(git, now)? },
        None => QueueResult::NotReady { reason: format!("the branch {branch} no longer exists") },
    })
}

pub(super) fn tip_of(git: &Repository, commit: CommitId) -> Result<Tip, GitError> {
    Ok(Tip { tree: git.tree_of(&commit)?, commit })
}

// What has landed is pushed, where the person asked for it: to the address that was sealed, and to nothing else.

/// How often a remote may move between a look and the push.
const TRIES_MAX: u32 = 3;

impl LandingEffect<'_> {
    /// Brings the remote's branch to the commit that landed.
    pub(super) fn push_landed(&self, landed: &CommitId) -> Result<()> {
        let landing = self.landing_terms()?;
        // A remote's branch moved by nothing but a push.
        let Some(terms) = landing.push.as_ref().filter(|_| !is_remote(&landing.base)) else { return Ok(()) };
        let branch = BranchName::parse(&terms.branch)?;
        let failed = |why: &str| not_pushed(landed, terms, &branch, why);
        for _ in 0..TRIES_MAX {
            let now = self.resources.repository.look_at_remote(&terms.url, &branch)?;
            let now = now.map_err(|words| failed(&from_the_seal(terms, &words)))?;
            if let Some(now) = &now {
                // One that is not known here is somebody else's.
                if self.resources.repository.descends(now, landed).unwrap_or(false) {
                    return Ok(());
                }
                if !self.resources.repository.descends(landed, now).unwrap_or(false) {
                    return Err(failed("it has commits that the base branch lacks"));
                }
            }
            match self.resources.repository.push(&terms.url, landed, &branch, now.as_ref())? {
                PushOutcome::Pushed => return Ok(()),
                PushOutcome::Moved { .. } => {}
                PushOutcome::Declined { words } => return Err(failed(&words)),
                PushOutcome::Unreachable { words } => return Err(failed(&from_the_seal(terms, &words))),
            }
        }
        Err(failed("it moves all the time"))
    }
}

/// A person lands once more what could not be pushed: the address that the remote has by now counts, if it is another one
/// than was sealed, and is given. While anything else is in the way, a worker may have written it.
pub fn with_present_address(place: &PlaceOfWork, resources: &mut Resources) -> RunResult<Option<String>> {
    let Agreement { landing, branching, project, .. } = &resources.agreement;
    let Some(LandingTerms { base, push: Some(sealed), .. }) = landing else { return Ok(None) };
    let folder = &resources.folder;
    if !is_remote(base) && seen(&resources.agreement, folder).moved_to.is_none() {
        return Ok(None);
    }
    let checkout = branching.as_ref().map_or(project, |branching| &branching.checkout);
    let there = PlaceOfWork::find(checkout, place.home.clone())?;
    let remote = there.open(&folder.git())?.remote(&sealed.remote)?;
    let Some(url) = remote.map(|now| now.push_url).filter(|url| *url != sealed.url) else { return Ok(None) };
    let landing = resources.agreement.landing.as_mut();
    if let Some(push) = landing.and_then(|landing| landing.push.as_mut()) {
        push.url.clone_from(&url);
    }
    Ok(Some(url))
}

/// What a remote says at an address that a person may have put right since.
fn from_the_seal(terms: &PushTerms, words: &str) -> String {
    let remote = &terms.remote;
    format!(
        "{words} (the address of {remote} was sealed at the start; after `git remote set-url {remote} URL`, `gulf land \
         --push` pushes to the new one)"
    )
}

fn not_pushed(landed: &CommitId, terms: &PushTerms, branch: &BranchName, why: &str) -> Failure {
    let (remote, landed) = (&terms.remote, landed.as_str());
    Failure::Refused(format!(
        "could not be pushed to {branch} of {remote} (here it has landed as {landed:.10}): {why}"
    ))
}
