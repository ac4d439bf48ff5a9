//! A single loop, told step by step: the driver's bookkeeping is done, the world's answers are given.

use super::given::*;
use crate::*;

#[derive(Clone)]
pub(crate) struct Tale {
    pub state: State,
    pub active_ms: u64,
}

impl Tale {
    pub(crate) fn of(contract: Contract) -> Self {
        let mut tale = Self { state: State::default(), active_ms: 0 };
        tale.happens(Fact::Sealed { contract: Box::new(contract) });
        tale
    }

    pub(crate) fn happens(&mut self, fact: Fact) -> &mut Self {
        let (sequence, active_ms) = (self.state.sequence + 1, self.active_ms);
        self.state.apply(&Event { sequence, at_ms: 0, active_ms, fact });
        self
    }

    pub(crate) fn asks(&mut self, act: Act) -> &mut Self {
        let fact = admit(&self.state, by_person(act)).unwrap();
        self.happens(fact)
    }

    pub(crate) fn wants(&self) -> Decision {
        decide(&self.state)
    }

    /// The kinds of effect that are wanted.
    pub(crate) fn works(&self) -> Vec<EffectKind> {
        let Decision::Run { effects, .. } = self.wants() else {
            panic!("nothing is to run: {:?}", self.wants())
        };
        effects.into_iter().map(|key| key.work).collect()
    }

    pub(crate) fn key(&self, work: &EffectKind) -> EffectKey {
        let Decision::Run { effects, .. } = self.wants() else {
            panic!("nothing is to run: {:?}", self.wants())
        };
        let wanted = effects.iter().find(|key| key.work == *work);
        wanted.unwrap_or_else(|| panic!("{work:?} is not wanted, but {effects:?}")).clone()
    }

    pub(crate) fn begins(&mut self, work: &EffectKind) -> EffectKey {
        let key = self.key(work);
        self.happens(Fact::Began { key: key.clone() });
        key
    }

    /// This effect is wanted; it begins, unless it runs, and ends like this.
    pub(crate) fn ends(&mut self, work: &EffectKind, result: EffectResult) -> &mut Self {
        let key = self.key(work);
        if !self.state.running.contains(&key) {
            self.happens(Fact::Began { key: key.clone() });
        }
        self.happens(Fact::Ended { key, result });
        assert_eq!(self.state.anomaly(), None);
        self
    }

    /// A turn, and the candidate of what it left.
    pub(crate) fn works_out(&mut self, turn: Turn, tree: &str) -> &mut Self {
        self.ends(&EffectKind::Turn, EffectResult::Turn(turn));
        self.ends(&EffectKind::Snapshot, EffectResult::Snapshot(snapshot(tree)))
    }

    pub(crate) fn checked(&mut self, run: CheckRun) -> &mut Self {
        self.ends(&EffectKind::Check { name: check_name("test") }, EffectResult::Check(run))
    }

    pub(crate) fn probed(&mut self, run: CheckRun) -> &mut Self {
        self.ends(&EffectKind::Probe { name: check_name("test") }, EffectResult::Check(run))
    }

    pub(crate) fn compared(&mut self, integrity: Integrity) -> &mut Self {
        self.ends(&EffectKind::Integrity, EffectResult::Integrity(integrity))
    }

    pub(crate) fn overlaid(&mut self, overlay: Overlay) -> &mut Self {
        self.ends(&EffectKind::Overlay, EffectResult::Overlay(overlay))
    }

    pub(crate) fn judged(&mut self, word: JudgeWord) -> &mut Self {
        self.ends(&EffectKind::Judge, EffectResult::Judge(word))
    }

    pub(crate) fn lands(&mut self, word: LandingWord) -> &mut Self {
        self.ends(&EffectKind::Land, EffectResult::Landing(word))
    }

    /// A finished task is written down.
    pub(crate) fn closed(&mut self) -> &mut Self {
        self.ends(&EffectKind::Close, EffectResult::Closed { closing: written_down() })
    }

    /// The iteration is settled, and so.
    pub(crate) fn settles(&mut self, settlement: Settlement) -> &mut Self {
        assert_eq!(self.wants(), Decision::Settle(settlement));
        self.happens(Fact::Settled { settlement })
    }

    pub(crate) fn pauses(&mut self, reason: PauseReason) -> &mut Self {
        assert_eq!(self.wants(), Decision::Pause(reason));
        self.happens(Fact::Paused { reason })
    }

    /// A claim that the check refuses.
    pub(crate) fn is_refused(&mut self, tree: &str, fingerprint: &str) -> &mut Self {
        self.works_out(claiming(), tree);
        if matches!(self.wants(), Decision::Run { .. }) {
            self.checked(red_like(fingerprint));
        }
        self.settles(Settlement::Refused { gate: Gate::Checks })
    }

    pub(crate) fn works_to_check(&self) -> bool {
        matches!(self.wants(), Decision::Run { .. })
    }
}
