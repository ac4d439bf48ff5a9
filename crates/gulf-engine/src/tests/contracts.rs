//! Any contract that somebody could agree on, and any that a person could make of it, for the random walks.
//!
//! A contract has many dials: each is a byte, and all of them at zero are the plainest one.

use super::given::*;
use crate::*;
use core::num::NonZeroU32;
use proptest::collection::vec;
use proptest::prelude::*;

const DIALS: usize = 52;

/// Bytes that are turned into choices, one after the other.
struct Dials(std::vec::IntoIter<u8>);

impl Dials {
    fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        let dial = self.0.next().expect("there are as many dials as choices");
        choices[usize::from(dial) % choices.len()].clone()
    }

    fn flip(&mut self) -> bool {
        self.pick(&[false, true])
    }

    fn times(&mut self, choices: &[u32]) -> NonZeroU32 {
        times(self.pick(choices))
    }
}

pub(super) fn any_contract() -> impl Strategy<Value = Contract> {
    vec(any::<u8>(), DIALS).prop_map(|dials| {
        let mut dials = Dials(dials.into_iter());
        contract_with(|contract| {
            give_checks(contract, &mut dials);
            give_a_list(contract, &mut dials);
            give_limits(&mut contract.policy, &mut dials);
            give_numbers(&mut contract.policy, &mut dials);
            if contract.policy.feedback.is_some() {
                show_one(&mut contract.checks);
            }
            give_gates(contract, &mut dials);
            give_patience(&mut contract.policy, &mut dials);
            give_thoughts(&mut contract.policy, &mut dials);
        })
    })
}

/// What a person may make of the first while its loop rests: other checks and gates, other limits.
pub(super) fn amended(sealed: &Contract, other: &Contract) -> Contract {
    let policy = &sealed.policy;
    let stays = |gate: &Gate| *gate != Gate::Tasks && (*gate != Gate::Feedback || policy.feedback.is_some());
    let list = policy.gates.iter().filter(|gate| **gate == Gate::Tasks);
    let policy = Policy {
        gates: list.chain(other.policy.gates.iter().filter(|gate| stays(gate))).copied().collect(),
        caps: other.policy.caps.clone(),
        judge: other.policy.judge,
        rejections: other.policy.rejections,
        limits: other.policy.limits,
        task_limit: other.policy.task_limit,
        ..policy.clone()
    };
    let mut checks = other.checks.clone();
    for terms in checks.iter_mut().skip(1) {
        terms.digest = Digest::new("amended");
    }
    if policy.feedback.is_some() {
        show_one(&mut checks);
    }
    Contract { digest: Digest::new("amended"), checks, policy, ..sealed.clone() }
}

fn give_checks(contract: &mut Contract, dials: &mut Dials) {
    contract.checks = match dials.pick(&[2, 2, 1, 0]) {
        0 => Vec::new(),
        1 => vec![terms("test")],
        _ => vec![terms("test"), terms("lint")],
    };
    for terms in &mut contract.checks {
        terms.baseline = dials.pick(&[Baseline::Refused, Baseline::Accepted]);
        terms.runnable = dials.pick(&[Runnable::Required, Runnable::Spared]);
        terms.disclosure = dials.pick(&[Disclosure::Open, Disclosure::Open, Disclosure::HeldOut]);
    }
}

/// Numbers that steer a loop come from a check that its worker knows.
fn show_one(checks: &mut [CheckTerms]) {
    if let Some(first) = checks.first_mut() {
        first.disclosure = Disclosure::Open;
    }
}

/// None, two tasks, or four of which some wait for others.
fn give_a_list(contract: &mut Contract, dials: &mut Dials) {
    let lists: [&[&[u32]]; 4] = [&[], &[&[], &[]], &[&[], &[], &[0], &[1, 2]], &[&[1], &[]]];
    contract.tasks = listed(dials.pick(&lists));
    if let Some(first) = contract.tasks.first_mut() {
        first.criteria = dials.pick(&[0, 0, 1]);
    }
    contract.policy.task_limit = dials.pick(&[TaskLimit::Ask, TaskLimit::Skip, TaskLimit::Stop]);
}

fn give_limits(policy: &mut Policy, dials: &mut Dials) {
    policy.limits.iterations_max = dials.times(&[5, 1, 2, 3, 8, 13, 25, 35, 49, 49]);
    policy.limits.active_ms_max = dials.pick(&[None, None, None, None, Some(1_000), Some(400)]);
    policy.limits.microdollars_max = dials.pick(&[None, None, None, None, None, Some(40), Some(400)]);
    policy.limits.tokens_max = dials.pick(&[None, None, None, None, None, Some(90), Some(900)]);
    policy.limits.reserve = dials.pick(&[Reserve::Nothing, Reserve::DearestIteration]);
    policy.landing = dials.pick(&[None, None, Some(Landing::Verified), Some(Landing::OrAttested)]);
    policy.milestone_every = NonZeroU32::new(dials.pick(&[0, 0, 1, 2, 3]));
    policy.force_max = dials.pick(&[ForceMax::Off, ForceMax::On]);
    policy.research = dials.pick(&[Research::Off, Research::Gate, Research::Brief, Research::Inline]);
    policy.follow_up = dials.pick(&[FollowUp::Off, FollowUp::Once]);
    let auto = ContextPolicy::Auto { used_bp_max: 5_000 };
    policy.context = dials.pick(&[ContextPolicy::Fresh, ContextPolicy::Continue, auto]);
}

fn give_numbers(policy: &mut Policy, dials: &mut Dials) {
    let is_measured = dials.flip();
    // Twice an iteration, the person would be asked more often than luck allows.
    let is_shown = policy.milestone_every == NonZeroU32::new(1);
    let feedback = FeedbackPolicy {
        auto_converge: dials.flip(),
        human_review: dials.flip() && !is_shown,
        coverage_bp_min: dials.pick(&[8_500, 0, 9_000]),
        coverage: dials.pick(&[CoverageNeed::Shown, CoverageNeed::Required]),
    };
    policy.feedback = is_measured.then_some(feedback);
}

/// In the order in which they are always asked.
fn give_gates(contract: &mut Contract, dials: &mut Dials) {
    let Contract { checks, policy, .. } = contract;
    let wanted = [dials.flip(), !dials.flip(), dials.flip(), !dials.flip(), dials.flip()];
    let gates = [Gate::Tasks, Gate::Checks, Gate::Feedback, Gate::Integrity, Gate::Judge];
    let is_possible = |gate: Gate| match gate {
        Gate::Checks => !checks.is_empty(),
        Gate::Feedback => !checks.is_empty() && wanted[1] && policy.feedback.is_some(),
        Gate::Tasks | Gate::Integrity | Gate::Judge | Gate::Approach | Gate::Landing => true,
    };
    policy.gates = gates
        .into_iter()
        .zip(wanted)
        .filter_map(|(gate, is_wanted)| (is_wanted && is_possible(gate)).then_some(gate))
        .collect();
    let panels: [&[Reviewer]; 4] = [
        &[],
        &[Reviewer::Qa, Reviewer::Security],
        &[Reviewer::Documents],
        &[Reviewer::Security, Reviewer::Qa, Reviewer::Documents],
    ];
    policy.reviewers = dials.pick(&panels).to_vec();
    policy.judge = dials.pick(&[JudgeWhen::OnClaim, JudgeWhen::Every]);
    policy.rejections = RejectionPolicy {
        threshold: dials.times(&[2, 1, 3]),
        then: dials.pick(&[Rejections::Pause, Rejections::ResetStrategy]),
    };
    policy.findings = dials.pick(&[FindingsPolicy::Attest, FindingsPolicy::Ask, FindingsPolicy::Stop]);
    policy.expectation = dials.pick(&[Expectation::Auto, Expectation::StayGreen]);
    policy.caps = dials.pick(&[Vec::new(), Vec::new(), vec![Cause::CriteriaNotProven { count: 1 }]]);
    if checks.is_empty() {
        policy.caps.push(Cause::NoCheck);
    }
}

fn give_patience(policy: &mut Policy, dials: &mut Dials) {
    policy.retries = RetryPolicy {
        failures_max: dials.times(&[4, 4, 4, 1, 2]),
        backoff_ms: dials.pick(&[0, 30]),
        research_max: dials.times(&[1, 2]),
    };
    policy.stuck = StuckPolicy {
        same_candidate_max: dials.times(&[6, 6, 2, 1]),
        oscillations_max: dials.times(&[3, 3, 1, 2]),
        same_failure_max: dials.times(&[6, 6, 3, 1]),
        idle_max: dials.times(&[3, 3, 1, 2]),
        recurrences_max: NonZeroU32::new(dials.pick(&[0, 4, 2])),
        orientation_bp_max: dials.pick(&[None, Some(2_000)]),
        then: dials.pick(&[Standstill::End, Standstill::Ask]),
    };
}

fn give_thoughts(policy: &mut Policy, dials: &mut Dials) {
    let each = |when| {
        [(Step::Analyze, StepWhen::Every), (Step::Plan, StepWhen::First), (Step::Criticize, StepWhen::First)]
            .into_iter()
            .chain([(Step::Cause, when)])
            .collect()
    };
    let thoughts: [Vec<(Step, StepWhen)>; 5] = [
        Vec::new(),
        each(StepWhen::AfterRefusal),
        each(StepWhen::AfterRepeatedFailure),
        vec![(Step::Cause, StepWhen::AfterRepeatedFailure)],
        vec![(Step::Plan, StepWhen::Every), (Step::Criticize, StepWhen::AfterRefusal)],
    ];
    policy.steps = steps(&dials.pick(&thoughts));
}
