//! What became of finished work on its way onto the base branch, and what it resembles, in words.

mod report;

use gulf_engine::{Clash, CommitId, LandingWord, Resemblance, State};

use crate::facts::{CheckoutChange, Facts};
use crate::look::Tone;
use crate::phrase::{Phrase, attention, failed, verified};
use crate::screen::NextStep;
use crate::text;

pub(crate) use report::queued;
pub use report::{LandingReport, LandingStanding, Refused};

/// The word itself.
pub(crate) fn describe(word: &LandingWord) -> Phrase {
    match word {
        LandingWord::Landed { commit, onto } if commit == onto => {
            verified("landed").say(": the base branch holds the work already")
        }
        LandingWord::Landed { commit, .. } => {
            verified("landed").say(" as commit ").literal(text::short(commit.as_str()))
        }
        LandingWord::Refused { by, summary, .. } => not_landed(*by, summary),
        LandingWord::NotReady { why } => ready_to_land(why),
    }
}

fn not_landed(by: Clash, summary: &str) -> Phrase {
    failed("not landed").say(": ").say(clash(by, summary))
}

fn ready_to_land(why: &str) -> Phrase {
    attention("ready to land").say(": ").quote(Tone::Plain, why)
}

/// The name of a branch as people use it: `main`, `origin/main`.
pub(crate) fn short(base: &str) -> &str {
    let local = base.strip_prefix("refs/heads/");
    local.or_else(|| base.strip_prefix("refs/remotes/")).unwrap_or(base)
}

/// It landed in the checkout where it was made, and no branch holds that commit any more.
pub(crate) fn is_taken_back(facts: &Facts, state: &State, lies: &CheckoutChange) -> bool {
    matches!((&facts.branch, state.landed_as(), lies), (None, Some(_), CheckoutChange::Uncommitted { .. }))
}

/// Does the base branch hold work that could not be pushed?
pub(crate) fn is_unpushed(facts: &Facts, state: &State) -> bool {
    let merge = facts.landing.as_ref().and_then(|landing| landing.merge.as_ref());
    merge.is_some() && matches!(state.landing(), Some(LandingWord::NotReady { .. }))
}

/// What keeps the work that its worker committed itself.
pub(crate) fn committed(commit: &CommitId, branch: Option<&str>) -> NextStep {
    let commit = text::short(commit.as_str());
    match branch {
        Some(branch) => NextStep::new(
            format!("git show {commit}"),
            format!("shows the worker's commit, which {branch} holds"),
        ),
        None => NextStep::new(
            format!("git branch NAME {commit}"),
            "keeps the worker's commits on a branch: none is checked out",
        ),
    }
}

/// What merges work that passed every gate where only the base branch says no; once the loop is over, a person types it.
pub fn merge_by_hand(state: &State) -> Option<NextStep> {
    let is_refused = matches!(state.landing(), Some(LandingWord::Refused { .. })) && !state.is_discarded;
    let (_, candidate) = state.unit.last.as_ref().filter(|_| is_refused)?;
    let purpose = "typed on the base branch, merges the work for you to resolve; then `gulf verify`";
    Some(NextStep::new(format!("git merge {}", text::short(candidate.commit.as_str())), purpose))
}

/// Could `gulf land` commit work that was discarded?
pub fn comes_back(lies: &CheckoutChange) -> bool {
    match lies {
        CheckoutChange::Uncommitted { entangled, .. } => entangled.is_empty(),
        CheckoutChange::WithoutGit { .. } | CheckoutChange::Unfinished { .. } => false,
        CheckoutChange::Clean | CheckoutChange::Committed { .. } => true,
    }
}

/// What stands on the base branch needs no commit any more.
pub(crate) fn after_landing(facts: &Facts, state: &State) -> Vec<NextStep> {
    let show = |commit: &CommitId| format!("git show {}", text::short(commit.as_str()));
    let merge = facts.landing.as_ref().and_then(|landing| landing.merge.as_ref());
    let commit = state.landed_as().map(|commit| merge.unwrap_or(commit));
    let show = commit.map(|commit| NextStep::new(show(commit), "shows what landed"));
    let branch = facts.branch.as_ref().filter(|branch| branch.worktree.is_some());
    let purpose = match branch.map(|branch| &branch.kept) {
        Some(Some(_)) => "removes worktree and branch once nothing unsaved is left there",
        Some(None) | None => "removes finished worktrees and branches",
    };
    let clean = branch.map(|_| NextStep::new("gulf clean", purpose));
    show.into_iter().chain(clean).collect()
}

/// How the work and the base branch do not go together.
pub(crate) fn clash(by: Clash, summary: &str) -> String {
    match by {
        Clash::Conflict => format!("it conflicts with the base branch: {summary}"),
        Clash::Red => format!("merged into the base branch, a check fails: {summary}"),
        Clash::Tests => {
            format!("merged into the base branch, its tests are changed or missing: {summary}")
        }
        Clash::Untested => format!("merged into the base branch, no check can test it: {summary}"),
    }
}

/// Why the loop's last candidate did not land, where it did not.
pub fn refusal(state: &State) -> String {
    let Some(LandingWord::Refused { by, summary, .. }) = state.landing() else {
        return "it does not work together with the base branch".to_owned();
    };
    clash(*by, summary)
}

/// What keeps finished work from landing.
pub(crate) fn in_the_way(state: &State) -> Option<&str> {
    let Some(LandingWord::NotReady { why }) = state.landing() else { return None };
    Some(why)
}

/// A candidate that is close to one that was rejected.
pub(crate) fn resemblance(resembles: &Resemblance) -> String {
    let percent = resembles.common_bp / 100;
    format!("{percent} % in common with what was rejected in iteration {}", resembles.iteration)
}
