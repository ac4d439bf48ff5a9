//! What tests said, by tree: the same tree is not tested twice in the same surroundings.
//!
//! Checks are a set, so a yes of more checks holds for fewer of them, and a no of fewer for more. A no of more checks
//! holds for fewer where the one that said it is among them: the others in a trial may have landed meanwhile.

use crate::event::FailureEvidence;
use alloc::{collections::BTreeSet, vec::Vec};
use gulf_engine::{Digest, TreeId};

/// So many trees are remembered, the newest.
const VERDICTS_MAX: usize = 512;
/// So many red runs, and it was no flake.
pub(crate) const RED_RUNS_MAX: u32 = 2;

/// Which question a verdict answers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct VerdictSubject {
    pub(crate) tree: TreeId,
    pub(crate) checks: BTreeSet<Digest>,
    pub(crate) environment: Digest,
}

impl VerdictSubject {
    fn is_alike(&self, other: &Self) -> bool {
        self.tree == other.tree && self.environment == other.environment
    }
}

/// What was said so far.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum KnownVerdict {
    Green,
    /// So many times, the last one with this evidence.
    Red(u32, FailureEvidence),
}

/// The memory of tests.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Verdicts(Vec<(VerdictSubject, KnownVerdict)>);

impl Verdicts {
    /// What is known about it; a yes stands against any no.
    pub(crate) fn known(&self, subject: &VerdictSubject) -> Option<&KnownVerdict> {
        let alike = || self.0.iter().filter(|(known, _)| known.is_alike(subject));
        let green = |(known, said): &&(VerdictSubject, KnownVerdict)| {
            *said == KnownVerdict::Green && known.checks.is_superset(&subject.checks)
        };
        let red = |(known, said): &&(VerdictSubject, KnownVerdict)| match said {
            KnownVerdict::Green => false,
            KnownVerdict::Red(_, evidence) => {
                known.checks.is_subset(&subject.checks) || !evidence.failed.is_disjoint(&subject.checks)
            }
        };
        let said = alike().find(green).or_else(|| alike().filter(red).max_by_key(|(_, said)| said))?;
        Some(&said.1)
    }

    /// Remembers a yes; returns the evidence of a no before it.
    pub(crate) fn green(&mut self, subject: VerdictSubject) -> Option<FailureEvidence> {
        let before = self.red_before(&subject).map(|(_, evidence)| evidence.clone());
        self.remember(subject, KnownVerdict::Green);
        before
    }

    /// Remembers a no.
    pub(crate) fn red(&mut self, subject: VerdictSubject, evidence: &FailureEvidence) {
        let runs = self.red_before(&subject).map_or(0, |(runs, _)| runs);
        self.remember(subject, KnownVerdict::Red(runs + 1, evidence.clone()));
    }

    fn red_before(&self, subject: &VerdictSubject) -> Option<(u32, &FailureEvidence)> {
        match self.known(subject)? {
            KnownVerdict::Red(runs, evidence) => Some((*runs, evidence)),
            KnownVerdict::Green => None,
        }
    }

    /// Whoever was evicted and comes again is tested again: it may have been the surroundings.
    pub(crate) fn forgive(&mut self, tree: &TreeId) {
        self.0.retain(|(subject, said)| subject.tree != *tree || *said == KnownVerdict::Green);
    }

    /// As the newest, in place of what was said of the same before.
    fn remember(&mut self, subject: VerdictSubject, said: KnownVerdict) {
        self.0.retain(|(known, _)| *known != subject);
        if self.0.len() >= VERDICTS_MAX {
            self.0.remove(0);
        }
        self.0.push((subject, said));
    }
}
