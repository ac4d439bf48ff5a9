//! Which trials a queue wants: a walk along the line, from the base's tip on.
//!
//! A chain of merges is built in the order of the line. Whoever stands in its way is left out of the chain, not of the
//! line: those behind are tried without it, and land once it has landed or ended. An entry is judged only when it is the
//! first on the base's tip, so nobody is evicted for what another one did.

use crate::event::{EntryLanding, FailureEvidence, QueueWork, Ticket, Tip};
use crate::state::{Merge, Place, QueueState};
use crate::verdicts::{KnownVerdict, RED_RUNS_MAX};
use alloc::{collections::BTreeSet, vec, vec::Vec};
use gulf_engine::Digest;

/// What is known of a merged commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MergeStatus<'a> {
    Green,
    Unknown,
    /// Red once: it is tested again before anybody is judged by it.
    Suspect,
    Red(&'a FailureEvidence),
    /// It cannot be tested.
    Broken(&'a str),
}

impl QueueState {
    /// What tests said of it, or how often the host could not ask them.
    pub(crate) fn standing(&self, tip: &Tip, checks: &BTreeSet<Digest>, ticket: Ticket) -> MergeStatus<'_> {
        let said = self.subject(tip, checks).and_then(|subject| self.verdicts.known(&subject));
        match said {
            Some(KnownVerdict::Green) => MergeStatus::Green,
            Some(KnownVerdict::Red(runs, evidence)) if *runs >= RED_RUNS_MAX => MergeStatus::Red(evidence),
            Some(KnownVerdict::Red(..)) | None => {
                let unasked = if said.is_some() { MergeStatus::Suspect } else { MergeStatus::Unknown };
                self.given_up(&(ticket, tip.commit.clone())).map_or(unasked, MergeStatus::Broken)
            }
        }
    }

    /// Those that are tried together.
    fn looked_at(&self) -> impl Iterator<Item = &Place> {
        let window = usize::try_from(self.window).unwrap_or(usize::MAX);
        self.candidates().take(window)
    }
}

/// What is wanted, besides what is being moved already.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// At most one: each builds on the one before.
    pub(crate) merge: Option<QueueWork>,
    /// In the order of the line.
    pub(crate) tests: Vec<QueueWork>,
    pub(crate) landing: Option<QueueWork>,
}

/// A prefix of the line, merged onto the base.
#[derive(Clone, Debug)]
struct Chain<'a> {
    state: &'a QueueState,
    tip: Tip,
    checks: BTreeSet<Digest>,
    /// The last one that changed anything.
    ticket: Ticket,
    landing: Vec<EntryLanding>,
}

/// The chain with one entry more.
enum LongerChain<'a> {
    /// Nobody has merged it yet.
    Unmerged(QueueWork),
    /// There is no such merge.
    Apart,
    /// It adds nothing to what is there.
    Same(Chain<'a>),
    Made(Chain<'a>),
}

impl<'a> Chain<'a> {
    fn from(state: &'a QueueState, base: &Tip) -> Self {
        let checks = BTreeSet::new();
        Self { state, tip: base.clone(), checks, ticket: Ticket::default(), landing: Vec::new() }
    }

    fn with(&self, place: &Place) -> LongerChain<'a> {
        let (ticket, onto) = (place.ticket, self.tip.commit.clone());
        let subject = (ticket, onto);
        let tip = match self.state.merges.get(&subject) {
            None if self.state.given_up(&subject).is_some() => return LongerChain::Apart,
            None => return LongerChain::Unmerged(QueueWork::Merge { ticket, onto: subject.1 }),
            Some(Merge::Conflict(_)) => return LongerChain::Apart,
            Some(Merge::Made(tip)) => tip,
        };
        let mut longer = self.clone();
        let is_same = tip.tree == self.tip.tree;
        if !is_same {
            longer.tip = tip.clone();
            longer.checks.extend(place.entry.checks.iter().cloned());
            longer.ticket = ticket;
        }
        longer.landing.push(EntryLanding { ticket, commit: longer.tip.commit.clone() });
        if is_same { LongerChain::Same(longer) } else { LongerChain::Made(longer) }
    }

    fn standing(&self) -> MergeStatus<'a> {
        self.state.standing(&self.tip, &self.checks, self.ticket)
    }

    /// Under the name by which it runs, if it does: what is tested with more checks than are needed by now goes on.
    fn test(&self) -> QueueWork {
        self.running_test().cloned().unwrap_or_else(|| QueueWork::Test {
            ticket: self.ticket,
            tip: self.tip.clone(),
            checks: self.checks.clone(),
        })
    }

    fn running_test(&self) -> Option<&'a QueueWork> {
        let works = self.state.running.iter().map(|key| &key.work);
        works.into_iter().find(|work| match work {
            QueueWork::Test { ticket, tip, checks } => {
                *ticket == self.ticket && *tip == self.tip && checks.is_superset(&self.checks)
            }
            QueueWork::Merge { .. } | QueueWork::Move { .. } => false,
        })
    }

    fn landing(&self, base: &Tip) -> Option<QueueWork> {
        let (from, to, landing) = (base.commit.clone(), self.tip.clone(), self.landing.clone());
        (to.tree != base.tree).then_some(QueueWork::Move { from, to, landing })
    }
}

/// Several lanes: each prefix of the line is a trial.
pub(crate) fn side_by_side(state: &QueueState, base: &Tip) -> Plan {
    let mut plan = Plan::default();
    let mut chain = Chain::from(state, base);
    // Every trial in the chain is green; nobody was left out of it; a red one in it may be another one's fault.
    let (mut is_proven, mut is_whole, mut is_doubtful) = (true, true, false);
    for place in state.looked_at() {
        let longer = match chain.with(place) {
            LongerChain::Unmerged(merge) => {
                plan.merge = (!is_doubtful).then_some(merge);
                break;
            }
            LongerChain::Apart => {
                is_whole = false;
                continue;
            }
            LongerChain::Same(longer) => {
                chain = longer;
                continue;
            }
            LongerChain::Made(longer) => longer,
        };
        match longer.standing() {
            MergeStatus::Green => {}
            MergeStatus::Unknown => {
                // Beyond a doubt nothing new begins, and what runs may still be of use.
                if !is_doubtful || longer.running_test().is_some() {
                    plan.tests.push(longer.test());
                }
                is_proven = false;
            }
            standing @ (MergeStatus::Suspect | MergeStatus::Red(_) | MergeStatus::Broken(_)) if is_proven => {
                if standing == MergeStatus::Suspect {
                    plan.tests.push(longer.test());
                }
                is_whole = false;
                continue;
            }
            MergeStatus::Suspect | MergeStatus::Red(_) | MergeStatus::Broken(_) => is_doubtful = true,
        }
        chain = longer;
        if is_proven && is_whole {
            plan.landing = chain.landing(base);
        }
    }
    plan
}

/// One lane: the whole window is a trial; a red one is halved until the entry is found.
pub(crate) fn batch(state: &QueueState, base: &Tip) -> Plan {
    let mut chains: Vec<Chain<'_>> = vec![Chain::from(state, base)];
    let mut merge = None;
    for place in state.looked_at() {
        let Some(last) = chains.last_mut() else { break };
        match last.with(place) {
            LongerChain::Unmerged(unmerged) => merge = Some(unmerged),
            // Nobody behind it can land before it has ended.
            LongerChain::Apart => {}
            LongerChain::Same(longer) => {
                *last = longer;
                continue;
            }
            LongerChain::Made(longer) => {
                chains.push(longer);
                continue;
            }
        }
        break;
    }
    // Counted in entries: so many are green together, so many are red together.
    let is_red = |chain: &Chain<'_>| !matches!(chain.standing(), MergeStatus::Green | MergeStatus::Unknown);
    let is_green = |chain: &Chain<'_>| chain.standing() == MergeStatus::Green;
    let red = (1..chains.len()).find(|count| chains.get(*count).is_some_and(is_red));
    let beyond = red.unwrap_or(chains.len());
    let green = (1..beyond).rev().find(|count| chains.get(*count).is_some_and(is_green)).unwrap_or(0);
    let asked = match red {
        Some(red) if red == green + 1 => {
            chains.get(red).filter(|chain| chain.standing() == MergeStatus::Suspect)
        }
        Some(red) => chains.get(green.midpoint(red)),
        None => chains.last().filter(|_| green + 1 < beyond && merge.is_none()),
    };
    let open = chains.get(green + 1..beyond).unwrap_or_default();
    let running = open.iter().find(|chain| chain.running_test().is_some());
    let tests = running.or(asked).map(Chain::test).into_iter().collect();
    let landing = chains.get(green).and_then(|chain| chain.landing(base));
    Plan { merge, tests, landing }
}
