//! One queue whose story is told fact by fact, or left to go on by itself.

use super::given::*;
use crate::*;
use gulf_engine::Digest;

#[derive(Clone, Debug)]
pub(super) struct Tale {
    pub(super) state: QueueState,
    pub(super) nature: Nature,
    /// Where the base really is.
    pub(super) base: Tip,
    /// Every test that began, by commit.
    pub(super) tested: Vec<String>,
    pub(super) moves: Vec<(String, String)>,
    pub(super) flakes: usize,
}

impl Tale {
    /// A queue with a leader, in which these wait.
    pub(super) fn of(nature: Nature, terms: Terms, names: &[&str]) -> Self {
        let (tested, moves) = (Vec::new(), Vec::new());
        let mut tale =
            Self { state: QueueState::default(), nature, base: tip("base"), tested, moves, flakes: 0 };
        tale.attaches(terms);
        for name in names {
            tale.happens(QueueFact::Joined { entry: entry(name) });
        }
        tale
    }

    pub(super) fn attaches(&mut self, terms: Terms) -> &mut Self {
        let environment = Digest::new("here");
        self.happens(QueueFact::Attached { leader: String::from("me"), terms, environment })
    }

    pub(super) fn happens(&mut self, fact: QueueFact) -> &mut Self {
        if let QueueFact::Began { key: QueueKey { work: QueueWork::Test { tip, .. }, .. } } = &fact {
            self.tested.push(tip.commit.to_string());
        }
        self.flakes += usize::from(matches!(fact, QueueFact::Flaked { .. }));
        self.state.apply(&Event { sequence: self.state.sequence() + 1, at_ms: 0, fact });
        assert_eq!(self.state.anomaly(), None);
        self
    }

    pub(super) fn asks(&mut self, request: QueueRequest) -> &mut Self {
        let fact = admit(&self.state, request).unwrap();
        self.happens(fact)
    }

    pub(super) fn wants(&self) -> QueueDecision {
        decide(&self.state)
    }

    pub(super) fn effects(&self) -> Vec<QueueKey> {
        let QueueDecision::Run { effects } = self.wants() else {
            panic!("nothing is to run: {:?}", self.wants())
        };
        effects
    }

    /// Tests that are wanted, by commit.
    pub(super) fn tests(&self) -> Vec<String> {
        let name = |key: QueueKey| match key.work {
            QueueWork::Test { tip, .. } => Some(tip.commit.to_string()),
            QueueWork::Merge { .. } | QueueWork::Move { .. } => None,
        };
        self.effects().into_iter().filter_map(name).collect()
    }

    fn is_running(&self, key: &QueueKey) -> bool {
        self.state.running().contains(key)
    }

    pub(super) fn begins(&mut self, key: &QueueKey) -> &mut Self {
        self.happens(QueueFact::Began { key: key.clone() })
    }

    pub(super) fn ends(&mut self, key: &QueueKey, result: QueueResult) -> &mut Self {
        if !self.is_running(key) {
            self.begins(key);
        }
        if let (QueueWork::Move { from, to, .. }, QueueResult::Moved) = (&key.work, &result) {
            assert_eq!(self.base.commit, *from);
            self.base = to.clone();
            self.moves.push((from.to_string(), to.commit.to_string()));
        }
        self.happens(QueueFact::Ended { key: key.clone(), result })
    }

    /// The test of this commit is wanted, and ends like this.
    pub(super) fn tested(&mut self, commit: &str, result: QueueResult) -> &mut Self {
        let is_it = |key: &QueueKey| matches!(&key.work, QueueWork::Test { tip, .. } if tip.commit.as_str() == commit);
        let wanted = self.effects();
        let key =
            wanted.iter().find(|key| is_it(key)).unwrap_or_else(|| panic!("{commit} is not in {wanted:?}"));
        self.ends(key, result)
    }

    /// What nature says of it.
    pub(super) fn answer(&self, key: &QueueKey) -> QueueResult {
        match &key.work {
            QueueWork::Merge { ticket, onto } => {
                let name = self.state.place(*ticket).unwrap().entry.id.candidate.as_str();
                self.nature.merge(onto, name)
            }
            QueueWork::Test { tip, .. } => self.nature.test(tip),
            QueueWork::Move { from, .. } if self.base.commit == *from => QueueResult::Moved,
            QueueWork::Move { .. } => QueueResult::BaseMoved { tip: self.base.clone() },
        }
    }

    /// All that needs no test and moves nothing.
    pub(super) fn settles(&mut self) -> &mut Self {
        while self.goes_on(false) {}
        self
    }

    /// Until nothing is wanted; tests end in the order in which they are wanted.
    pub(super) fn finishes(&mut self) -> &mut Self {
        while self.goes_on(true) {}
        assert_eq!(self.wants(), QueueDecision::Rest);
        self
    }

    fn goes_on(&mut self, is_whole: bool) -> bool {
        match self.wants() {
            QueueDecision::Record(fact) => {
                self.happens(fact);
            }
            QueueDecision::Run { effects } => {
                let unwanted = self.state.running().iter().find(|key| !effects.contains(key)).cloned();
                let is_merge = |key: &QueueKey| matches!(key.work, QueueWork::Merge { .. });
                let next = effects.iter().find(|key| is_whole || is_merge(key));
                let begun = effects.iter().find(|key| is_whole && !self.is_running(key));
                if let Some(key) = unwanted {
                    self.ends(&key, QueueResult::Interrupted);
                } else if let Some(key) = begun {
                    self.begins(key);
                } else if let Some(key) = next {
                    let answer = self.answer(key);
                    self.ends(key, answer);
                } else {
                    return false;
                }
            }
            QueueDecision::Recover(key) => {
                self.ends(&key, QueueResult::Interrupted);
            }
            QueueDecision::Look => {
                let tip = self.base.clone();
                self.happens(QueueFact::BaseSeen { tip });
            }
            QueueDecision::Rest => return false,
        }
        true
    }

    /// Who ended how, in order: `1 landed`, `2 evicted`.
    pub(super) fn endings(&self) -> Vec<String> {
        self.state
            .settled()
            .iter()
            .map(|one| format!("{} {}", one.entry.id.candidate, word(&one.ending)))
            .collect()
    }
}

pub(super) fn word(ending: &EntryEnding) -> &'static str {
    match ending {
        EntryEnding::Landed { .. } => "landed",
        EntryEnding::Evicted { why: Eviction::Conflict { .. } } => "in conflict",
        EntryEnding::Evicted { why: Eviction::Red { .. } } => "red",
        EntryEnding::NotReady { .. } => "not ready",
        EntryEnding::Failed { .. } => "failed",
        EntryEnding::Left => "left",
        EntryEnding::Outrun { .. } => "outrun",
    }
}
