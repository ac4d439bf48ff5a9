//! A discrete-event simulation of a queue: the real rules, a clock that jumps, and checks that take a fixed time.
//!
//! It stands apart from the table that is made of it, so that a test and whoever measures real processes can ask for a
//! single case. Merges and moves take no time here: they are milliseconds beside checks that take minutes.

use gulf_engine::{CommitId, Digest, LoopId, TreeId};
use gulf_queue::{
    Entry, EntryEnding, EntryId, Event, FailureEvidence, QueueDecision, QueueFact, QueueKey, QueueResult,
    QueueState, QueueWork, Terms, Ticket, Tip, decide,
};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

/// What is simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Case {
    /// So many wait from the start, in one line.
    pub(crate) entries: u32,
    /// Those among them that are red wherever they land, counted from 1.
    pub(crate) failing: BTreeSet<u32>,
    pub(crate) lanes: u32,
    pub(crate) window_max: u32,
    /// How long one test of one trial takes.
    pub(crate) check_ms: u64,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Until the last entry landed or was evicted.
    pub(crate) makespan_ms: u64,
    /// Begun, the cancelled ones too.
    pub(crate) tests: u32,
    pub(crate) landed: u32,
    pub(crate) evicted: u32,
}

/// Plays the case to its end.
pub(crate) fn simulate(case: &Case) -> Outcome {
    let mut simulation = Simulation::new(case);
    while simulation.goes_on() {}
    let endings = || simulation.state.settled().iter().map(|settled| &settled.ending);
    let count = |is: fn(&EntryEnding) -> bool| endings().filter(|ending| is(ending)).count() as u32;
    Outcome {
        makespan_ms: simulation.now_ms,
        tests: simulation.tests,
        landed: count(|ending| matches!(ending, EntryEnding::Landed { .. })),
        evicted: count(|ending| matches!(ending, EntryEnding::Evicted { .. })),
    }
}

struct Simulation<'a> {
    case: &'a Case,
    state: QueueState,
    now_ms: u64,
    tests: u32,
    /// When what runs is over.
    ends_ms: BTreeMap<QueueKey, u64>,
}

impl<'a> Simulation<'a> {
    fn new(case: &'a Case) -> Self {
        let state = QueueState::default();
        let mut simulation = Self { case, state, now_ms: 0, tests: 0, ends_ms: BTreeMap::new() };
        let times = |count: u32| NonZeroU32::MIN.saturating_add(count.saturating_sub(1));
        let terms = Terms {
            lanes: times(case.lanes),
            window_max: times(case.window_max),
            tries_max: NonZeroU32::MIN,
        };
        let environment = Digest::new("simulation");
        simulation.happens(QueueFact::Attached { leader: String::from("simulation"), terms, environment });
        for number in 1..=case.entries {
            let id = EntryId {
                loop_id: LoopId::new(number.to_string()),
                candidate: CommitId::new(number.to_string()),
            };
            let checks = BTreeSet::from([Digest::new("check")]);
            let entry = Entry { id, request: Digest::new(number.to_string()), checks, one_of: None };
            simulation.happens(QueueFact::Joined { entry });
        }
        simulation
    }

    fn happens(&mut self, fact: QueueFact) {
        self.state.apply(&Event { sequence: self.state.sequence() + 1, at_ms: self.now_ms, fact });
        assert_eq!(self.state.anomaly(), None, "the simulation follows the rules");
    }

    fn ends(&mut self, key: QueueKey, result: QueueResult) {
        self.ends_ms.remove(&key);
        self.happens(QueueFact::Ended { key, result });
    }

    /// One step; time passes only when nothing else is to be done.
    fn goes_on(&mut self) -> bool {
        match decide(&self.state) {
            QueueDecision::Record(fact) => self.happens(fact),
            QueueDecision::Run { effects } => self.runs(&effects),
            QueueDecision::Look => self.happens(QueueFact::BaseSeen { tip: tip("base") }),
            QueueDecision::Rest | QueueDecision::Recover(_) => return false,
        }
        true
    }

    fn runs(&mut self, effects: &[QueueKey]) {
        let running = self.state.running();
        let unwanted = running.iter().find(|key| !effects.contains(key)).cloned();
        let begun = effects.iter().find(|key| !running.contains(key)).cloned();
        if let Some(key) = unwanted {
            self.ends(key, QueueResult::Interrupted);
        } else if let Some(key) = begun {
            self.begins(key);
        } else if let Some(next_ms) = self.ends_ms.values().copied().min() {
            // All that is over at this moment is, before anything is decided.
            self.now_ms = next_ms;
            let over = self.ends_ms.iter().filter(|(_, ends_ms)| **ends_ms == next_ms);
            let over: Vec<QueueKey> = over.map(|(key, _)| key.clone()).collect();
            for key in over {
                let result = self.result(&key.work);
                self.ends(key, result);
            }
        }
    }

    fn begins(&mut self, key: QueueKey) {
        let takes_ms = match &key.work {
            QueueWork::Test { .. } => self.case.check_ms,
            QueueWork::Merge { .. } | QueueWork::Move { .. } => 0,
        };
        self.tests += u32::from(matches!(key.work, QueueWork::Test { .. }));
        self.ends_ms.insert(key.clone(), self.now_ms + takes_ms);
        self.happens(QueueFact::Began { key });
    }

    fn result(&self, work: &QueueWork) -> QueueResult {
        match work {
            QueueWork::Merge { ticket: Ticket(number), onto } => {
                QueueResult::Merged(tip(&format!("{onto}+{number}")))
            }
            QueueWork::Test { tip, .. } if self.is_red(tip) => QueueResult::Red(FailureEvidence::default()),
            QueueWork::Test { .. } => QueueResult::Green,
            QueueWork::Move { .. } => QueueResult::Moved,
        }
    }

    fn is_red(&self, tip: &Tip) -> bool {
        let mut numbers = tip.commit.as_str().split('+').filter_map(|name| name.parse().ok());
        numbers.any(|number: u32| self.case.failing.contains(&number))
    }
}

/// A commit is named after all that was merged into it.
fn tip(commit: &str) -> Tip {
    Tip { commit: CommitId::new(commit), tree: TreeId::new(commit) }
}
