//! From *every gate passed* to an end: would one of them have failed without the change (SPEC B3)?
//!
//! This is where other loops take silence for proof.

use crate::claim::Claim;
use crate::contract::{Baseline, CheckTerms, Expectation, FindingsPolicy, ForceMax, Gate, JudgeWhen};
use crate::decision::{Decision, Evaluation};
use crate::effect::{Candidate, CheckVerdict, EffectKind, JudgeWord, OnFindings, Overlay};
use crate::end::{Cause, End, Proof};
use crate::event::{PauseReason, Settlement};
use crate::integrity::Integrity;
use alloc::{string::String, vec::Vec};

impl Evaluation<'_> {
    /// Every gate said yes. Could one of them have said no?
    pub(crate) fn conclude(self, candidate: &Candidate) -> Decision {
        if self.lacks_signal() {
            return self.without_signal();
        }
        let proofs = self.proofs(candidate);
        if proofs.is_empty()
            && let Some(decision) = self.seek_proof(candidate)
        {
            return decision;
        }
        let causes = self.causes(candidate, &proofs);
        let claimed = self.is_claimed(candidate);
        let waived = self.is_waived(candidate);
        let can_go_on = claimed && !waived && !self.is_at_limit();
        if can_go_on && !self.state.unit.is_asked && causes.iter().any(is_askable) {
            return Decision::Settle(Settlement::Asked);
        }
        let only_tests = !proofs.is_empty() && causes.iter().all(is_of_tests);
        let end = as_end(proofs, causes);
        if matches!(end, End::Attested { .. }) && !claimed && self.contract.policy.judge == JudgeWhen::OnClaim
        {
            // Where nothing follows, unasked: silence is no claim, so only proof counts.
            return self.without_signal();
        }
        if self.contract.policy.force_max == ForceMax::On && !waived && !self.is_at_limit() {
            return Decision::Settle(Settlement::Approved);
        }
        if matches!(end, End::Attested { .. }) && only_tests && self.may_ask_about_tests(candidate) {
            return Decision::Pause(PauseReason::TestsChanged);
        }
        if let Some(decision) = self.next_of_list(&end) {
            return decision;
        }
        // Whoever says something while the work is looked at is heard before it is done.
        if can_go_on && !self.state.unread_notes().is_empty() {
            return Decision::Settle(Settlement::Steered);
        }
        let end = self.with_earlier_units(&end);
        self.land(&end).unwrap_or(Decision::End(end))
    }

    /// The end that the candidate in hand has earned, every gate having said yes.
    pub(crate) fn earned(self, candidate: &Candidate) -> End {
        self.with_earlier_units(&self.of_its_own(candidate))
    }

    /// The same of the unit in hand alone.
    pub(crate) fn of_its_own(self, candidate: &Candidate) -> End {
        let proofs = self.proofs(candidate);
        let causes = self.causes(candidate, &proofs);
        as_end(proofs, causes)
    }

    fn with_earlier_units(self, end: &End) -> End {
        let ends = || self.state.finished.iter().chain([end]);
        let proofs = ends().flat_map(End::proofs).cloned().collect();
        as_end(proofs, ends().flat_map(End::causes).cloned().collect())
    }

    /// What was seen to fail without the change (SPEC B3).
    fn proofs(self, candidate: &Candidate) -> Vec<Proof> {
        let Some(words) = self.gate_words(&candidate.tree) else { return Vec::new() };
        let mut proofs = Vec::new();
        for CheckTerms { name, baseline, .. } in &self.contract.checks {
            let verdict = words.checks.get(name).map(|run| &run.verdict);
            let Some(CheckVerdict::Green { repaired }) = verdict else { continue };
            let probe = self.state.probes.get(name).map(|probe| &probe.verdict);
            if *repaired > 0 {
                proofs.push(Proof::Repaired { check: name.clone() });
            } else if matches!(probe, Some(CheckVerdict::Red { .. })) && *baseline == Baseline::Refused {
                // Where failures of the base are accepted, they may well go on: red there, green here, nothing done.
                proofs.push(Proof::BaseRed { check: name.clone() });
            }
        }
        match &words.overlay {
            Some(Overlay::Red { by }) => proofs.push(Proof::NewTest { tests: by.clone() }),
            Some(Overlay::Noticed { errors }) => proofs.push(Proof::Mutants { errors: *errors }),
            Some(Overlay::Unnoticed { .. } | Overlay::NotShown { .. }) | None => {}
        }
        if matches!(words.judge, Some(JudgeWord::Approved { evidence_inside, .. }) if evidence_inside > 0) {
            proofs.push(Proof::Criterion);
        }
        proofs
    }

    /// The runs that could still show it: first the checks on the base, then the candidate's tests on its code.
    fn seek_proof(self, candidate: &Candidate) -> Option<Decision> {
        if !self.is_compared(candidate) {
            return None;
        }
        if let Some(probe) = self.probe() {
            return Some(self.only(probe));
        }
        let overlay_open = self.gate_words(&candidate.tree).is_none_or(|words| words.overlay.is_none());
        overlay_open.then(|| self.only(self.key(EffectKind::Overlay)))
    }

    fn causes(self, candidate: &Candidate, proofs: &[Proof]) -> Vec<Cause> {
        let mut causes = self.contract.policy.caps.clone();
        causes.extend(self.task_not_judged());
        let words = self.gate_words(&candidate.tree);
        if let Some(integrity) = words.and_then(|words| words.integrity.as_ref())
            && !integrity.findings.is_empty()
            && !self.findings_follow(candidate)
        {
            causes
                .push(Cause::Findings { count: u32::try_from(integrity.findings.len()).unwrap_or(u32::MAX) });
        }
        let misses_judge = self.contract.policy.gates.contains(&Gate::Judge) && !self.is_approved(candidate);
        if self.is_waived(candidate) && (misses_judge || self.misses_numbers(candidate)) {
            causes.push(Cause::Waived);
        }
        causes.extend(self.state.flaky_causes(self.contract));
        if !self.is_changed(candidate) {
            causes.push(Cause::NothingChanged);
        }
        if let Some(Overlay::Unnoticed { places, .. }) = words.and_then(|words| words.overlay.as_ref())
            && proofs.is_empty()
        {
            causes.push(Cause::Unnoticed { places: places.clone() });
        } else if proofs.is_empty() && self.contract.policy.gates.contains(&Gate::Checks) {
            let reason = match (self.contract.policy.expectation, &self.state.unit.claim) {
                (Expectation::StayGreen, _) => {
                    Some(String::from("the person expects everything to stay green"))
                }
                (Expectation::Auto, Some(Claim::Done { no_test })) => no_test.clone(),
                (Expectation::Auto, _) => None,
            };
            causes.push(Cause::NothingCouldFail { reason });
        }
        if proofs.is_empty() && causes.is_empty() {
            causes.push(Cause::NothingCouldFail { reason: None });
        }
        causes
    }

    fn may_ask_about_tests(self, candidate: &Candidate) -> bool {
        self.contract.policy.findings == FindingsPolicy::Ask
            && self.gate_words(&candidate.tree).is_some_and(|words| !words.tests_shown)
    }

    /// The one yes of SPEC B3: the judge's, or else a person's. Of some findings only a person can say it.
    fn findings_follow(self, candidate: &Candidate) -> bool {
        let words = self.gate_words(&candidate.tree);
        let judge = words.and_then(|words| words.judge.as_ref());
        let integrity = words.and_then(|words| words.integrity.as_ref());
        let needs_person = integrity.is_some_and(Integrity::needs_person);
        let follows = matches!(judge, Some(JudgeWord::Approved { findings: OnFindings::Follow, .. }));
        self.is_waived(candidate) || (follows && !needs_person)
    }
}

fn as_end(proofs: Vec<Proof>, causes: Vec<Cause>) -> End {
    if causes.is_empty() { End::Verified { proofs } } else { End::Attested { causes } }
}

fn is_of_tests(cause: &Cause) -> bool {
    matches!(cause, Cause::Findings { .. })
}

/// Can the worker do something about it?
fn is_askable(cause: &Cause) -> bool {
    match cause {
        Cause::NothingCouldFail { reason } => reason.is_none(),
        Cause::Findings { .. } | Cause::Unnoticed { .. } => true,
        Cause::NoCheck | Cause::CriteriaNotProven { .. } | Cause::TaskNotJudged { .. } => false,
        Cause::NothingChanged | Cause::Waived | Cause::Flaky { .. } => false,
    }
}
