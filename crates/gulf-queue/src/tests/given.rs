//! Words that tests are written in, and a model of what git and checks would say.
//!
//! A commit is named after all that was merged into it, in order: `base+1+2`. Its tree is the set of those names, so
//! that the same content has the same tree whatever way it came about.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use crate::*;
use gulf_engine::{CheckName, CommitId, Digest, LoopId, TreeId};

pub(super) fn times(count: u32) -> NonZeroU32 {
    NonZeroU32::new(count).unwrap()
}

pub(super) fn terms(lanes: u32, window_max: u32) -> Terms {
    Terms { lanes: times(lanes), window_max: times(window_max), tries_max: times(2) }
}

pub(super) fn id(name: &str) -> EntryId {
    EntryId { loop_id: LoopId::new(format!("loop-{name}")), candidate: CommitId::new(name) }
}

/// The later names have a check of their own.
pub(super) fn entry(name: &str) -> Entry {
    let own = (name > "4").then(|| Digest::new(name));
    let checks = [Digest::new("test")].into_iter().chain(own).collect();
    // Of those that begin with an a, only one is to land.
    let one_of = name.starts_with('a').then(|| Digest::new("a"));
    Entry { id: id(name), request: Digest::new(name), checks, one_of }
}

/// The same candidate, asked for again.
pub(super) fn again(name: &str) -> Entry {
    Entry { request: Digest::new(format!("{name} again")), ..entry(name) }
}

pub(super) fn parts(commit: &str) -> BTreeSet<&str> {
    commit.split('+').collect()
}

pub(super) fn tip(commit: &str) -> Tip {
    let tree: Vec<&str> = parts(commit).into_iter().collect();
    Tip { commit: CommitId::new(commit), tree: TreeId::new(tree.join(" ")) }
}

pub(super) fn evidence() -> FailureEvidence {
    let checks = vec![CheckName::new("test")];
    let summary = String::from("1 failed");
    FailureEvidence { checks, failed: BTreeSet::new(), tests_lost: Vec::new(), summary, log: None }
}

/// What git and the checks would say.
#[derive(Clone, Debug)]
pub(super) struct Nature {
    /// Pairs that cannot be merged together.
    pub(super) conflicts: Vec<(&'static str, &'static str)>,
    /// What is red together; one name is red alone.
    pub(super) red: Vec<Vec<&'static str>>,
}

pub(super) const PEACE: Nature = Nature { conflicts: Vec::new(), red: Vec::new() };

impl Nature {
    pub(super) fn is_red(&self, commit: &str) -> bool {
        let parts = parts(commit);
        self.red.iter().any(|together| together.iter().all(|name| parts.contains(name)))
    }

    pub(super) fn is_conflict(&self, onto: &str, name: &str) -> bool {
        let parts = parts(onto);
        let both = |one: &str, other: &str| one == name && parts.contains(other);
        self.conflicts.iter().any(|(one, other)| both(one, other) || both(other, one))
    }

    pub(super) fn merge(&self, onto: &CommitId, name: &str) -> QueueResult {
        if self.is_conflict(onto.as_str(), name) {
            return QueueResult::Conflict { paths: vec![format!("{name}.txt")] };
        }
        QueueResult::Merged(tip(&format!("{onto}+{name}")))
    }

    pub(super) fn test(&self, tip: &Tip) -> QueueResult {
        if self.is_red(tip.commit.as_str()) { QueueResult::Red(evidence()) } else { QueueResult::Green }
    }
}
