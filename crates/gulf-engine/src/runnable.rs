//! A check that can run nowhere rests the loop before anything more is paid for.
//!
//! No worker can help it: what the check needs is missing on the person's machine, and a turn that is told so would
//! only be told so again.

use crate::contract::{CheckTerms, Gate, Runnable};
use crate::decision::{Decision, Evaluation};
use crate::effect::{Candidate, CheckRun, CheckVerdict, EffectKind, Hindrance};
use crate::event::PauseReason;

impl CheckRun {
    /// Did it say yes?
    pub fn is_green(&self) -> bool {
        matches!(self.verdict, CheckVerdict::Green { .. })
    }

    /// Was there nothing that could have run?
    pub fn never_began(&self) -> bool {
        matches!(self.verdict, CheckVerdict::Unrunnable { hindrance: Hindrance::NeverBegan, .. })
    }
}

impl<'a> Evaluation<'a> {
    /// A check that never began on the candidate, nor on the base, which is asked first where it has not spoken.
    pub(crate) fn unrunnable(self, candidate: &Candidate) -> Option<Decision> {
        let never_began =
            |terms: &&CheckTerms| self.run_of(terms, candidate).is_some_and(CheckRun::never_began);
        self.required_checks().filter(never_began).find_map(|terms| self.unless_on_base(terms))
    }

    /// Before a further turn each check was seen to begin, on the base or on what the last turn left. A session is not
    /// kept waiting for that.
    pub(crate) fn unrunnable_so_far(self) -> Option<Decision> {
        let (_, candidate) = self.state.unit.last.as_ref()?;
        let is_unseen = |terms: &&CheckTerms| match self.run_of(terms, candidate) {
            Some(run) => run.never_began(),
            None => !self.is_session() || self.state.probes.contains_key(&terms.name),
        };
        // One that is held out is first heard on a claim.
        let open = self.required_checks().filter(|terms| !terms.is_held_out());
        open.filter(is_unseen).find_map(|terms| self.unless_on_base(terms))
    }

    fn unless_on_base(self, terms: &CheckTerms) -> Option<Decision> {
        let Some(run) = self.state.probes.get(&terms.name) else {
            let probe = || self.key(EffectKind::Probe { name: terms.name.clone() });
            return Some(self.only(self.running_probe().unwrap_or_else(probe)));
        };
        run.never_began().then_some(Decision::Pause(PauseReason::CheckCannotRun))
    }

    fn run_of(self, terms: &CheckTerms, candidate: &Candidate) -> Option<&'a CheckRun> {
        self.state.unit.words.get(&candidate.tree)?.checks.get(&terms.name)
    }

    pub(crate) fn is_green(self, terms: &CheckTerms, candidate: &Candidate) -> bool {
        self.run_of(terms, candidate).is_some_and(CheckRun::is_green)
    }

    fn required_checks(self) -> impl Iterator<Item = &'a CheckTerms> {
        let is_gate = self.contract.policy.gates.contains(&Gate::Checks);
        self.contract.checks.iter().filter(move |terms| is_gate && terms.runnable == Runnable::Required)
    }
}
