//! What the loops of these tests were agreed on to be.

use crate::scene::number;
use gulf_engine::*;

pub(crate) fn contract() -> Contract {
    let terms = |name: &str| CheckTerms {
        name: CheckName::new(name),
        digest: Digest::new(format!("{name}-terms")),
        baseline: Baseline::Refused,
        runnable: Runnable::Required,
        disclosure: Disclosure::Open,
    };
    Contract {
        digest: Digest::new("c0c0c0c0c0c0"),
        goal: Digest::new("60a160a160a1"),
        base: Base { commit: CommitId::new("ba5eba5eba5e"), tree: TreeId::new("000000000000") },
        checks: vec![terms("test"), terms("lint")],
        tasks: Vec::new(),
        policy: Policy {
            limits: limits(),
            milestone_every: None,
            force_max: ForceMax::Off,
            research: Research::Off,
            gates: vec![Gate::Checks, Gate::Integrity],
            judge: JudgeWhen::OnClaim,
            rejections: RejectionPolicy { threshold: number(5), then: Rejections::Pause },
            findings: FindingsPolicy::Attest,
            expectation: Expectation::Auto,
            stuck: StuckPolicy {
                same_candidate_max: number(3),
                oscillations_max: number(3),
                same_failure_max: number(5),
                idle_max: number(3),
                recurrences_max: None,
                orientation_bp_max: Some(2_000),
                then: Standstill::End,
            },
            retries: RetryPolicy { failures_max: number(5), backoff_ms: 1000, research_max: number(5) },
            caps: Vec::new(),
            context: ContextPolicy::Fresh,
            follow_up: FollowUp::Off,
            landing: None,
            steps: Vec::new(),
            feedback: None,
            reviewers: Vec::new(),
            task_limit: TaskLimit::Ask,
        },
    }
}

/// A person is asked after three failures of a kind, and after this many iterations.
pub(crate) fn asking_contract(iterations_max: u32) -> Contract {
    let mut contract = contract();
    contract.policy.limits.iterations_max = number(iterations_max);
    contract.policy.stuck.same_failure_max = number(3);
    contract.policy.stuck.then = Standstill::Ask;
    contract
}

/// Numbers steer it, and a person reviews every iteration.
pub(crate) fn measured_contract() -> Contract {
    let mut contract = contract();
    contract.policy.gates = vec![Gate::Checks, Gate::Feedback, Gate::Integrity];
    contract.policy.feedback = Some(FeedbackPolicy {
        auto_converge: true,
        human_review: true,
        coverage_bp_min: 8_500,
        coverage: CoverageNeed::Shown,
    });
    contract
}

/// A list of so many tasks, T1 first; each may begin at once.
pub(crate) fn listed(count: u32) -> Contract {
    let task = |number: u32| ContractTask {
        name: format!("T{number}"),
        title: format!("the page {number}"),
        after: Vec::new(),
        criteria: 0,
    };
    Contract { tasks: (1..=count).map(task).collect(), ..contract() }
}

pub(crate) fn judged_contract() -> Contract {
    let mut contract = contract();
    contract.policy.gates = vec![Gate::Checks, Gate::Integrity, Gate::Judge];
    contract
}

/// A plan and its critic before the first turn, and no second plan.
pub(crate) fn planned_contract() -> Contract {
    let mut contract = contract();
    let first = |step| StepTerms { step, when: StepWhen::First };
    contract.policy.steps = vec![first(Step::Plan), first(Step::Criticize)];
    contract
}

pub(crate) fn limits() -> Limits {
    Limits {
        iterations_max: number(50),
        active_ms_max: None,
        microdollars_max: None,
        tokens_max: None,
        turns_per_hour: None,
        reserve: Reserve::Nothing,
    }
}
