//! Folding facts into the state: total, and the only place where a state changes.
//!
//! A fact that was seen is skipped; one that no leader could have written sets an anomaly and changes nothing else.

use crate::event::{
    Entry, EntryEnding, EntryId, EntryLanding, Event, Eviction, Flake, QueueFact, QueueKey, QueueResult,
    QueueWork, Terms, Ticket, Tip,
};
use crate::plan::MergeStatus;
use crate::state::{Merge, Place, QueueState, SETTLED_MAX, Settled, WINDOW_START};
use alloc::{collections::BTreeSet, string::String};
use gulf_engine::{Anomaly, CommitId, Digest};

type QueueApplied = Result<(), &'static str>;

impl QueueState {
    /// Folds one event in.
    pub fn apply(&mut self, event: &Event) {
        if event.sequence <= self.sequence || self.anomaly.is_some() {
            return;
        }
        let applied = if event.sequence == self.sequence + 1 {
            self.fold(&event.fact)
        } else {
            Err("events are missing before it")
        };
        self.sequence = event.sequence;
        if let Err(what) = applied {
            self.anomaly = Some(Anomaly { sequence: event.sequence, what });
        }
    }

    fn fold(&mut self, fact: &QueueFact) -> QueueApplied {
        match fact {
            QueueFact::Attached { terms, environment, .. } => self.attach(*terms, environment),
            QueueFact::Joined { entry } => self.join(entry),
            QueueFact::Left { entry } => self.leave(entry)?,
            QueueFact::BaseSeen { tip } => self.see(tip),
            QueueFact::Began { key } => self.begin(key)?,
            QueueFact::Ended { key, result } => self.end(key, result)?,
            QueueFact::Flaked { flake } => self.flakes.retain(|untold| untold != flake),
            QueueFact::Settled { ticket, entry, ending } => self.settle(*ticket, entry, ending)?,
            QueueFact::TailDropped { .. } => {}
        }
        Ok(())
    }

    /// What an earlier leader began is an orphan; where the base is by now, nobody knows.
    fn attach(&mut self, terms: Terms, environment: &Digest) {
        self.orphans = self.running.clone();
        self.environment = Some(environment.clone());
        self.base = None;
        let window = if self.window == 0 { terms.lanes.get().max(WINDOW_START) } else { self.window };
        self.window = window.min(terms.window_max.get());
        self.terms = Some(terms);
    }

    fn join(&mut self, entry: &Entry) {
        if self.is_known(entry) {
            return;
        }
        // A base that nobody waited for went on without being watched.
        self.base = self.base.take().filter(|_| !self.line.is_empty());
        self.ticket = Ticket(self.ticket.0 + 1);
        // Somebody may have landed in its place before it came.
        let is_rival = |settled: &&Settled| {
            matches!(settled.ending, EntryEnding::Landed { .. }) && entry.is_rival_of(&settled.entry)
        };
        let rival = self.settled.iter().find(is_rival);
        let ending = rival.map(|settled| EntryEnding::Outrun { by: settled.entry.id.clone() });
        self.line.push(Place { ticket: self.ticket, entry: entry.clone(), ending });
    }

    fn leave(&mut self, id: &EntryId) -> QueueApplied {
        let Some(ticket) = self.place_of(id).map(|place| place.ticket) else { return Ok(()) };
        if self.is_landing(ticket) {
            return Err("a move that was announced holds this entry");
        }
        self.mark(ticket, EntryEnding::Left);
        Ok(())
    }

    /// The first ending is the only one.
    fn mark(&mut self, ticket: Ticket, ending: EntryEnding) {
        if let Some(place) = self.line.iter_mut().find(|place| place.ticket == ticket) {
            place.ending.get_or_insert(ending);
        }
    }

    /// While the base is being moved, only the move's own end tells where it is.
    fn see(&mut self, tip: &Tip) {
        if self.moving().is_none() {
            self.base = Some(tip.clone());
        }
    }

    fn begin(&mut self, key: &QueueKey) -> QueueApplied {
        if self.terms.is_none() {
            return Err("nobody leads the queue");
        }
        if self.running.iter().any(|running| running.work == key.work) {
            return Err("this effect runs already");
        }
        if key.attempt != self.attempts.get(&key.work).copied().unwrap_or(0) + 1 {
            return Err("this attempt is not the next one");
        }
        match &key.work {
            QueueWork::Merge { ticket, .. } | QueueWork::Test { ticket, .. } => {
                self.place(*ticket).ok_or("this entry does not wait")?;
            }
            QueueWork::Move { from, to, landing } => self.announce(from, to, landing)?,
        }
        self.attempts.insert(key.work.clone(), key.attempt);
        self.running.insert(key.clone());
        Ok(())
    }

    /// The one thing that cannot be taken back: it is held against all that is known.
    fn announce(&self, from: &CommitId, to: &Tip, landing: &[EntryLanding]) -> QueueApplied {
        if self.moving().is_some() {
            return Err("the base is being moved already");
        }
        let base = self.base.as_ref().filter(|base| base.commit == *from).ok_or("the base is not there")?;
        let (mut tip, mut checks) = (base.clone(), BTreeSet::new());
        let mut waiting = self.candidates();
        for EntryLanding { ticket, commit } in landing {
            let place = waiting.next().filter(|place| place.ticket == *ticket);
            let place = place.ok_or("another entry came first")?;
            let merge = self.merges.get(&(*ticket, tip.commit.clone()));
            let Some(Merge::Made(merged)) = merge else { return Err("this entry was not merged") };
            if merged.tree != tip.tree {
                tip = merged.clone();
                checks.extend(place.entry.checks.iter().cloned());
            }
            if tip.commit != *commit {
                return Err("this is not what was merged");
            }
        }
        let is_green = self.standing(&tip, &checks, Ticket::default()) == MergeStatus::Green;
        let is_whole = tip == *to && tip.tree != base.tree;
        if is_whole && is_green { Ok(()) } else { Err("what was not tested cannot land") }
    }

    fn end(&mut self, key: &QueueKey, result: &QueueResult) -> QueueApplied {
        if !self.running.remove(key) {
            return Ok(());
        }
        let is_orphan = self.orphans.remove(key);
        let subject = key.work.subject();
        match (&key.work, result) {
            (_, QueueResult::Interrupted) => return Ok(()),
            (work, QueueResult::Failed { reason }) => {
                self.fail(work, reason);
                return Ok(());
            }
            (QueueWork::Merge { .. }, QueueResult::Merged(tip)) => {
                self.merged(&subject, Merge::Made(tip.clone()));
            }
            (QueueWork::Merge { .. }, QueueResult::Conflict { paths }) => {
                self.merged(&subject, Merge::Conflict(paths.clone()));
            }
            // Nobody knows in which surroundings it was said.
            (QueueWork::Test { .. }, QueueResult::Green | QueueResult::Red(_)) if is_orphan => {}
            (QueueWork::Test { ticket, tip, checks }, QueueResult::Green) => {
                let red = self.subject(tip, checks).and_then(|subject| self.verdicts.green(subject));
                let flake = red.map(|evidence| Flake { ticket: *ticket, tip: tip.clone(), evidence });
                self.flakes.extend(flake);
            }
            (QueueWork::Test { tip, checks, .. }, QueueResult::Red(evidence)) => {
                let subject = self.subject(tip, checks);
                subject.into_iter().for_each(|subject| self.verdicts.red(subject, evidence));
            }
            (QueueWork::Move { from, to, landing }, QueueResult::Moved) => {
                self.base = Some(to.clone());
                for EntryLanding { ticket, commit } in landing {
                    let (commit, from, to) = (commit.clone(), from.clone(), to.commit.clone());
                    self.mark(*ticket, EntryEnding::Landed { commit, from, to });
                }
            }
            (QueueWork::Move { .. }, QueueResult::BaseMoved { tip }) => self.base = Some(tip.clone()),
            (QueueWork::Move { landing, .. }, QueueResult::NotReady { reason }) => {
                for EntryLanding { ticket, .. } in landing {
                    self.mark(*ticket, EntryEnding::NotReady { reason: reason.clone() });
                }
            }
            (_, QueueResult::Merged(_) | QueueResult::Conflict { .. } | QueueResult::Green)
            | (_, QueueResult::Red(_) | QueueResult::Moved)
            | (_, QueueResult::BaseMoved { .. } | QueueResult::NotReady { .. }) => {
                return Err("this result is not of that effect");
            }
        }
        self.failures.remove(&subject);
        Ok(())
    }

    fn merged(&mut self, subject: &(Ticket, CommitId), merge: Merge) {
        if self.place(subject.0).is_some() {
            self.merges.insert(subject.clone(), merge);
        }
    }

    fn fail(&mut self, work: &QueueWork, reason: &str) {
        let subject = work.subject();
        let count = self.failures.get(&subject).map_or(0, |(count, _)| *count) + 1;
        self.failures.insert(subject.clone(), (count, String::from(reason)));
        if let QueueWork::Move { landing, .. } = work
            && self.given_up(&subject).is_some()
        {
            for EntryLanding { ticket, .. } in landing {
                self.mark(*ticket, EntryEnding::Failed { reason: String::from(reason) });
            }
        }
    }

    fn settle(&mut self, ticket: Ticket, id: &EntryId, ending: &EntryEnding) -> QueueApplied {
        let at = self.line.iter().position(|place| place.ticket == ticket && place.entry.id == *id);
        let at = at.ok_or("this entry does not wait")?;
        if self.is_landing(ticket) {
            return Err("a move that was announced holds this entry");
        }
        let is_known = self.line.get(at).is_some_and(|place| place.ending.as_ref() == Some(ending));
        let is_held = |tip: &Tip| matches!(ending, EntryEnding::Landed { to, .. } if tip.commit == *to);
        match ending {
            EntryEnding::Landed { .. } if !is_known && !self.base.as_ref().is_some_and(is_held) => {
                return Err("the base does not hold this entry");
            }
            EntryEnding::Landed { .. } => self.window = self.window.saturating_add(1).min(self.window_max()),
            EntryEnding::Evicted { why: Eviction::Red { merged, .. } } => {
                self.window = (self.window / 2).max(1);
                self.forgive(ticket, merged);
            }
            EntryEnding::Evicted { why: Eviction::Conflict { .. } } | EntryEnding::NotReady { .. } => {}
            EntryEnding::Failed { .. } | EntryEnding::Left | EntryEnding::Outrun { .. } => {}
        }
        let Place { entry, .. } = self.line.remove(at);
        self.forget(ticket);
        if let EntryEnding::Landed { .. } = ending {
            // Whoever was to land instead of it waits no longer.
            for place in self.line.iter_mut().filter(|place| place.entry.is_rival_of(&entry)) {
                place.ending.get_or_insert(EntryEnding::Outrun { by: entry.id.clone() });
            }
        }
        if self.settled.len() >= SETTLED_MAX {
            self.settled.remove(0);
        }
        self.settled.push(Settled { ticket, entry, ending: ending.clone() });
        Ok(())
    }

    fn window_max(&self) -> u32 {
        self.terms.map_or(1, |terms| terms.window_max.get())
    }

    fn forgive(&mut self, ticket: Ticket, merged: &CommitId) {
        let trees = self.merges.iter().filter_map(|((of, _), merge)| match merge {
            Merge::Made(tip) if *of == ticket && tip.commit == *merged => Some(&tip.tree),
            Merge::Made(_) | Merge::Conflict(_) => None,
        });
        trees.for_each(|tree| self.verdicts.forgive(tree));
    }

    /// Nobody asks about it again.
    fn forget(&mut self, ticket: Ticket) {
        self.merges.retain(|(of, _), _| *of != ticket);
        self.failures.retain(|(of, _), _| *of != ticket);
        self.attempts.retain(|work, _| work.subject().0 != ticket);
    }
}
