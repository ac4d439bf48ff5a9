//! One commit of exactly the loop's change, on top of where a remote's branch stands, pushed as a branch of its own: what a
//! pull request is made of.
//!
//! Nothing of the person's moves, and the loop stays as it is: whoever merges the request decides.

use gulf_engine::{PauseReason, Refusal, Stage};
use gulf_host::clock::Clock;
use gulf_host::crash;
use gulf_host::git::{BranchName, CommitId, Committer, Expected, Fetch, PushOutcome, RefName, TreePath};
use gulf_spec::own_texts::own_text;

use super::change::Change;
use super::{KeepingError, in_the_way, named};
use crate::agreement::{LandingTerms, PushTerms};
use crate::known::Known;
use crate::landing::RemoteBase;
use crate::place::PlaceOfWork;
use crate::snapshot::stamp;

/// A branch at a remote that asks to be merged.
#[derive(Debug)]
pub struct Proposal {
    pub url: String,
    /// As people call it: `main`.
    pub base: String,
    pub branch: String,
    pub title: String,
}

/// Pushes it, once: what was pushed before is others' to go on with.
pub fn propose(
    place: &PlaceOfWork,
    known: &Known,
    terms: &LandingTerms,
    clock: &Clock,
) -> Result<Proposal, KeepingError> {
    is_finished(known)?;
    let push = terms.push.as_ref().ok_or(Refusal::NothingToLand)?;
    let change = Change::open(place, known)?;
    let branch = branch_of(&change, terms)?;
    let proposal = Proposal {
        url: push.url.clone(),
        base: BranchName::parse(&push.branch)?.short().to_owned(),
        branch: branch.short().to_owned(),
        title: change.title(),
    };
    let pushed = RefName::parse(&format!("refs/gulf/{}/proposed", change.agreement.loop_id))?;
    if change.repository.read_ref(&pushed)?.is_some() {
        return Ok(proposal);
    }
    let commit = change.on_top_of(push, terms, clock)?;
    crash::point("proposing.made");
    change.push(push, &branch, &commit)?;
    change.repository.update_ref(&pushed, &commit, &Expected::Anything)?;
    Ok(proposal)
}

/// Every gate has said yes, or a person may.
fn is_finished(known: &Known) -> Result<(), KeepingError> {
    let stage = known.fold.state.stage();
    let is_finished = matches!(stage, Stage::Ended(end) if end.has_passed())
        || matches!(stage, Stage::Paused(PauseReason::ReadyToLand, _));
    if is_finished { Ok(()) } else { Err(Refusal::NothingToLand.into()) }
}

/// The loop's own, or one of its name.
fn branch_of(change: &Change, terms: &LandingTerms) -> Result<BranchName, KeepingError> {
    Ok(match &change.agreement.landing {
        Some(_) => BranchName::parse(&terms.branch)?,
        None => BranchName::named(&format!("gulf/{}", change.agreement.loop_id))?,
    })
}

impl Change {
    fn on_top_of(
        &self,
        push: &PushTerms,
        terms: &LandingTerms,
        clock: &Clock,
    ) -> Result<CommitId, KeepingError> {
        let Some((_, candidate)) = &self.candidate else { return Err(Refusal::NothingToLand.into()) };
        let name = push.name();
        let tip = match RemoteBase::new(&terms.base, push)?.fetch(&self.repository)? {
            Fetch::Fetched { commit } => commit,
            Fetch::Absent => {
                let hint = "name another branch with `--base-branch`, or push that one first";
                return Err(in_the_way(format!("{} has no branch {}", push.remote, push.branch), hint));
            }
            Fetch::Unreachable { words } => return Err(away(push, &words.brief())),
        };
        let there = self.repository.tree_of(&tip)?;
        let (merged, conflicts) = self.merged(&self.base, &there, candidate)?;
        if !conflicts.is_empty() {
            return Err(in_the_way(
                format!("the loop's change conflicts with {name}: {}", named(&conflicts)),
                "fetch that branch, and continue from this loop: `gulf fork`",
            ));
        }
        // What gulf and its worker tell each other is nobody's to review.
        let is_own = |path: &&TreePath| path.as_utf8().is_some_and(|path| own_text(path.as_str()).is_some());
        let changed: Vec<TreePath> = self.paths(&there, &merged)?.into_iter().collect();
        let tree = self.with(&merged, changed.iter().filter(is_own), &there)?;
        let filtered = self.repository.filtered_paths(&changed)?;
        if !filtered.is_empty() {
            return Err(in_the_way(
                format!("{} needs a filter, and gulf runs none", named(&filtered)),
                "commit and push the work yourself: `gulf land`, then `git push`",
            ));
        }
        if tree == there {
            return Err(in_the_way(format!("{name} already contains the loop's change"), "`gulf status`"));
        }
        let gulf = || Committer { name: "gulf".to_owned(), email: "gulf@localhost".to_owned() };
        let by = self.repository.committer()?.unwrap_or_else(gulf);
        let when = stamp(clock.wall_ms());
        Ok(self.repository.commit_as(&by, &tree, &[&tip], &self.message(), when)?)
    }

    fn push(&self, push: &PushTerms, branch: &BranchName, commit: &CommitId) -> Result<(), KeepingError> {
        let remote = &push.remote;
        match self.repository.push(&push.url, commit, branch, None)? {
            PushOutcome::Pushed => Ok(()),
            PushOutcome::Moved { .. } => Err(in_the_way(
                format!("{remote} already has a branch {}, which this loop did not push", branch.short()),
                format!("if nobody needs it: `git push {remote} --delete {}`", branch.short()),
            )),
            PushOutcome::Declined { words } => Err(in_the_way(
                format!("{remote} declines the branch {}: {}", branch.short(), words.brief()),
                "do what it asks for, then run the same command again",
            )),
            PushOutcome::Unreachable { words } => Err(away(push, &words.brief())),
        }
    }
}

fn away(push: &PushTerms, words: &str) -> KeepingError {
    in_the_way(
        format!("{} cannot be reached: {words}", push.remote),
        format!("`git fetch {}` shows whether it answers", push.remote),
    )
}
