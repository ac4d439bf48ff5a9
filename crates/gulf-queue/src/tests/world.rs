//! A leader and its world, as a model: all that could happen next, given a state; and what must be true of it.
//!
//! The leader follows `decide` to the letter, as gulf's own must. The world keeps the base itself, so that what the queue
//! believes can be held against what is there; and it knows nature, so that a serial queue's endings are known.

use std::collections::BTreeSet;

use super::given::*;
use super::tale::word;
use crate::*;
use gulf_engine::{CommitId, Digest, TreeId};

pub(super) type Kept = Result<(), &'static str>;

/// How often something may still come from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Luck {
    pub(super) deaths: u8,
    /// Commits of somebody else's on the base.
    pub(super) strangers: u8,
    pub(super) leaves: u8,
    /// How often somebody joins again who was settled.
    pub(super) agains: u8,
    /// Green trees that are called red once.
    pub(super) flakes: u8,
    pub(super) not_ready: u8,
    /// Things that the host cannot do.
    pub(super) failures: u8,
}

/// A possible next step: a fact, or something that nobody sees.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) fact: Option<QueueFact>,
    base: Tip,
    luck: Luck,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct World {
    pub(super) state: QueueState,
    /// Where the base is.
    pub(super) base: Tip,
    pub(super) luck: Luck,
    /// Who will come, in this order.
    coming: Vec<&'static str>,
    terms: Terms,
    /// Who landed, in order.
    pub(super) landed: Vec<(Ticket, String)>,
    pub(super) endings: Vec<(Ticket, &'static str)>,
    /// With these checks.
    green: BTreeSet<(TreeId, BTreeSet<Digest>)>,
    /// A tree is flaky once.
    flaked: BTreeSet<TreeId>,
}

fn is_test(key: &QueueKey) -> bool {
    matches!(key.work, QueueWork::Test { .. })
}

/// Does the one commit hold the other?
fn holds(commit: &CommitId, other: &CommitId) -> bool {
    let rest = commit.as_str().strip_prefix(other.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('+'))
}

/// Is only one of the two to land?
fn is_rival(one: &str, other: &str) -> bool {
    one != other && entry(one).one_of.is_some() && entry(one).one_of == entry(other).one_of
}

impl World {
    /// A queue with a leader; the first ones wait already.
    pub(super) fn new(terms: Terms, waiting: &[&'static str], coming: &[&'static str], luck: Luck) -> Self {
        let mut world = Self {
            state: QueueState::default(),
            base: tip("base"),
            luck,
            coming: coming.iter().rev().copied().collect(),
            terms,
            landed: Vec::new(),
            endings: Vec::new(),
            green: BTreeSet::new(),
            flaked: BTreeSet::new(),
        };
        world.fold(world.attached("me"));
        for name in waiting {
            world.fold(QueueFact::Joined { entry: entry(name) });
        }
        world
    }

    fn attached(&self, leader: &str) -> QueueFact {
        let environment = Digest::new("here");
        QueueFact::Attached { leader: String::from(leader), terms: self.terms, environment }
    }

    fn fold(&mut self, fact: QueueFact) -> Event {
        let event = Event { sequence: self.state.sequence() + 1, at_ms: 0, fact };
        self.state.apply(&event);
        event
    }

    /// Lets it happen, and holds it against the laws.
    pub(super) fn step(&mut self, nature: &Nature, step: &Step) -> Result<Option<Event>, &'static str> {
        self.luck = step.luck;
        self.base = step.base.clone();
        let Some(fact) = step.fact.clone() else { return Ok(None) };
        self.observe(nature, &fact)?;
        let event = self.fold(fact);
        self.stands(nature, &event)?;
        Ok(Some(event))
    }

    fn observe(&mut self, nature: &Nature, fact: &QueueFact) -> Kept {
        match fact {
            QueueFact::Began { key } => self.observe_begin(nature, key),
            QueueFact::Ended { key: QueueKey { work: QueueWork::Test { tip, checks, .. }, .. }, result } => {
                if *result == QueueResult::Green {
                    self.green.insert((tip.tree.clone(), checks.clone()));
                } else if matches!(result, QueueResult::Red(_)) && !nature.is_red(tip.commit.as_str()) {
                    self.flaked.insert(tip.tree.clone());
                }
                Ok(())
            }
            QueueFact::Settled { ticket, entry, ending } => {
                self.observe_end(nature, *ticket, entry.candidate.as_str(), ending)
            }
            QueueFact::Attached { .. }
            | QueueFact::Joined { .. }
            | QueueFact::Left { .. }
            | QueueFact::BaseSeen { .. } => Ok(()),
            QueueFact::Ended { .. } | QueueFact::Flaked { .. } | QueueFact::TailDropped { .. } => Ok(()),
        }
    }

    fn observe_begin(&self, nature: &Nature, key: &QueueKey) -> Kept {
        let lanes = self.terms.lanes.get() as usize;
        let tests = self.state.running().iter().filter(|key| is_test(key)).count();
        match &key.work {
            QueueWork::Test { .. } if tests >= lanes => Err("there are not more tests than lanes"),
            QueueWork::Test { tip, checks, .. } if self.is_green(tip, checks) => {
                Err("a tree that was green is not tested again")
            }
            QueueWork::Move { to, .. } if nature.is_red(to.commit.as_str()) => Err("nothing red lands"),
            QueueWork::Move { to, landing, .. } if !self.is_green(to, &self.checks_of(landing)) => {
                Err("nothing lands that was not tested with all checks of all that land")
            }
            QueueWork::Move { from, to, .. } if !holds(&to.commit, from) => {
                Err("the base only moves forward")
            }
            QueueWork::Test { .. } | QueueWork::Merge { .. } | QueueWork::Move { .. } => Ok(()),
        }
    }

    fn is_green(&self, tip: &Tip, checks: &BTreeSet<Digest>) -> bool {
        self.green.iter().any(|(tree, tested)| *tree == tip.tree && tested.is_superset(checks))
    }

    /// Of those that are no part of what is there already.
    fn checks_of(&self, landing: &[EntryLanding]) -> BTreeSet<Digest> {
        let mut checks = BTreeSet::new();
        let mut names = parts(self.base.commit.as_str());
        for place in landing.iter().filter_map(|one| self.state.place(one.ticket)) {
            if names.insert(place.entry.id.candidate.as_str()) {
                checks.extend(place.entry.checks.iter().cloned());
            }
        }
        checks
    }

    /// A serial queue would have ended it like this.
    fn observe_end(&mut self, nature: &Nature, ticket: Ticket, name: &str, ending: &EntryEnding) -> Kept {
        if self.endings.iter().any(|(settled, _)| *settled == ticket) {
            return Err("each place in the line sees one ending");
        }
        self.endings.push((ticket, word(ending)));
        let before: Vec<&str> = self.landed.iter().map(|(_, name)| name.as_str()).collect();
        let alone = format!("{}+{name}", before.join("+"));
        let serial = if nature.is_conflict(&alone, name) {
            "in conflict"
        } else if nature.is_red(&alone) {
            "red"
        } else {
            "landed"
        };
        let first = self.landed.iter().find(|(_, other)| is_rival(name, other));
        match ending {
            EntryEnding::Outrun { .. } if first.is_none() => {
                return Err("nobody is outrun by one who has not landed");
            }
            EntryEnding::Outrun { .. } => return Ok(()),
            EntryEnding::Landed { .. } if first.is_some() => return Err("of rivals one lands"),
            EntryEnding::NotReady { .. } | EntryEnding::Failed { .. } | EntryEnding::Left => return Ok(()),
            EntryEnding::Landed { .. } | EntryEnding::Evicted { .. } if word(ending) != serial => {
                return Err("who lands, and who is evicted and why, is as if one landed after the other");
            }
            EntryEnding::Landed { commit, to, .. } => {
                let is_there = holds(&self.base.commit, to) && holds(to, commit);
                if !is_there || !parts(self.base.commit.as_str()).contains(name) {
                    return Err("what landed is on the base");
                }
                self.landed.push((ticket, String::from(name)));
            }
            EntryEnding::Evicted { .. } => {}
        }
        if self.state.line().first().is_some_and(|place| place.ticket != ticket) {
            return Err("nobody lands or is evicted before those who came first have ended");
        }
        Ok(())
    }

    fn stands(&self, nature: &Nature, event: &Event) -> Kept {
        if self.state.anomaly().is_some() {
            return Err("no leader's path is out of order");
        }
        let mut twice = self.state.clone();
        twice.apply(event);
        if twice != self.state {
            return Err("a duplicated event changes nothing");
        }
        if self.state.window == 0 || self.state.window > self.terms.window_max.get() {
            return Err("the window has at least one entry, and at most as many as the leader allows");
        }
        let names: Vec<&str> = self.base.commit.as_str().split('+').collect();
        if names.len() != parts(self.base.commit.as_str()).len() {
            return Err("nothing lands twice");
        }
        if nature.is_red(self.base.commit.as_str()) { Err("the base is green") } else { Ok(()) }
    }

    fn quiet(&self, fact: QueueFact) -> Step {
        Step { fact: Some(fact), base: self.base.clone(), luck: self.luck }
    }

    /// All that the leader may write next, and all that may come from outside.
    pub(super) fn steps(&self, nature: &Nature) -> Result<Vec<Step>, &'static str> {
        let mut steps = self.leader_steps(nature)?;
        self.outside_steps(&mut steps);
        Ok(steps)
    }

    fn leader_steps(&self, nature: &Nature) -> Result<Vec<Step>, &'static str> {
        match decide(&self.state) {
            QueueDecision::Record(fact) => Ok(vec![self.quiet(fact)]),
            QueueDecision::Run { effects } => self.run_steps(nature, &effects),
            QueueDecision::Recover(key) => Ok(self.recoveries(&key)),
            QueueDecision::Look => Ok(vec![self.quiet(QueueFact::BaseSeen { tip: self.base.clone() })]),
            QueueDecision::Rest if !self.state.line().is_empty() => Err("nobody waits for ever"),
            QueueDecision::Rest => Ok(Vec::new()),
        }
    }

    fn run_steps(&self, nature: &Nature, effects: &[QueueKey]) -> Result<Vec<Step>, &'static str> {
        let running = self.state.running();
        if effects.is_empty() && running.is_empty() {
            return Err("nobody waits for nothing");
        }
        let unwanted: Vec<_> = running.iter().filter(|key| !effects.contains(key)).collect();
        if unwanted.iter().any(|key| !key.work.is_repeatable()) {
            return Err("a move that was announced is carried out");
        }
        let begun = effects.iter().find(|key| !running.contains(key));
        if let (true, Some(key)) = (unwanted.is_empty(), begun) {
            return Ok(vec![self.quiet(QueueFact::Began { key: key.clone() })]);
        }
        let stop = |key: &QueueKey| {
            self.quiet(QueueFact::Ended { key: key.clone(), result: QueueResult::Interrupted })
        };
        let mut steps: Vec<Step> = unwanted.into_iter().map(stop).collect();
        for key in running {
            steps.extend(self.results(nature, key));
        }
        Ok(steps)
    }

    /// All that may come of it.
    fn results(&self, nature: &Nature, key: &QueueKey) -> Vec<Step> {
        let ended = |result| self.quiet(QueueFact::Ended { key: key.clone(), result });
        let reason = String::from("no");
        let mut steps = match &key.work {
            QueueWork::Merge { ticket, onto } => {
                let place = self.state.place(*ticket);
                let name = place.map_or("gone", |place| place.entry.id.candidate.as_str());
                vec![ended(nature.merge(onto, name))]
            }
            QueueWork::Test { tip, .. } => vec![ended(nature.test(tip))],
            QueueWork::Move { from, to, .. } if self.base.commit == *from => {
                vec![Step { base: to.clone(), ..ended(QueueResult::Moved) }]
            }
            QueueWork::Move { .. } => {
                vec![ended(QueueResult::BaseMoved { tip: self.base.clone() })]
            }
        };
        if let QueueWork::Test { tip, .. } = &key.work
            && self.luck.flakes > 0
            && !nature.is_red(tip.commit.as_str())
            && !self.flaked.contains(&tip.tree)
        {
            let luck = Luck { flakes: self.luck.flakes - 1, ..self.luck };
            steps.push(Step { luck, ..ended(QueueResult::Red(evidence())) });
        }
        if matches!(key.work, QueueWork::Move { .. }) && self.luck.not_ready > 0 {
            let luck = Luck { not_ready: self.luck.not_ready - 1, ..self.luck };
            steps.push(Step { luck, ..ended(QueueResult::NotReady { reason: reason.clone() }) });
        }
        if self.luck.failures > 0 {
            let luck = Luck { failures: self.luck.failures - 1, ..self.luck };
            steps.push(Step { luck, ..ended(QueueResult::Failed { reason }) });
        }
        steps
    }

    /// A new leader looks at what an earlier one began: a move is finished or taken back, or was done.
    fn recoveries(&self, key: &QueueKey) -> Vec<Step> {
        let ended = |result| self.quiet(QueueFact::Ended { key: key.clone(), result });
        match &key.work {
            QueueWork::Merge { .. } | QueueWork::Test { .. } => {
                vec![ended(QueueResult::Interrupted)]
            }
            QueueWork::Move { to, .. } if holds(&self.base.commit, &to.commit) => {
                vec![ended(QueueResult::Moved)]
            }
            QueueWork::Move { from, to, .. } if self.base.commit == *from => {
                vec![ended(QueueResult::Interrupted), Step { base: to.clone(), ..ended(QueueResult::Moved) }]
            }
            QueueWork::Move { .. } => {
                vec![ended(QueueResult::BaseMoved { tip: self.base.clone() })]
            }
        }
    }

    fn outside_steps(&self, steps: &mut Vec<Step>) {
        let luck = self.luck;
        if let Some(name) = self.coming.last() {
            steps.push(self.quiet(QueueFact::Joined { entry: entry(name) }));
        }
        for place in self.state.line().iter().filter(|_| luck.leaves > 0) {
            if let Ok(fact) = admit(&self.state, QueueRequest::Leave(place.entry.id.clone())) {
                steps.push(Step { luck: Luck { leaves: luck.leaves - 1, ..luck }, ..self.quiet(fact) });
            }
        }
        for settled in self.state.settled().iter().filter(|_| luck.agains > 0) {
            if let Ok(fact) =
                admit(&self.state, QueueRequest::Join(again(settled.entry.id.candidate.as_str())))
            {
                steps.push(Step { luck: Luck { agains: luck.agains - 1, ..luck }, ..self.quiet(fact) });
            }
        }
        if luck.deaths > 0 {
            let step =
                Step { luck: Luck { deaths: luck.deaths - 1, ..luck }, ..self.quiet(self.attached("you")) };
            // The leader may have died after it moved the base and before it said so.
            for key in self.state.running() {
                if let QueueWork::Move { from, to, .. } = &key.work
                    && self.base.commit == *from
                {
                    steps.push(Step { base: to.clone(), ..step.clone() });
                }
            }
            steps.push(step);
        }
        if luck.strangers > 0 {
            let base = tip(&format!("{}+x{}", self.base.commit, luck.strangers));
            let luck = Luck { strangers: luck.strangers - 1, ..luck };
            steps.push(Step { fact: None, base, luck });
        }
        let is_news = self.state.base().is_some_and(|base| *base != self.base);
        let is_moving = self.state.running().iter().any(|key| !key.work.is_repeatable());
        if is_news && !is_moving {
            steps.push(self.quiet(QueueFact::BaseSeen { tip: self.base.clone() }));
        }
    }

    /// Whoever was to come has come.
    pub(super) fn joined(&mut self, step: &Step) {
        if let Some(QueueFact::Joined { entry }) = &step.fact
            && self.coming.last().is_some_and(|name| *name == entry.id.candidate.as_str())
        {
            self.coming.pop();
        }
    }
}
