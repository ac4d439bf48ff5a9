//! The numbers that bound and steer a loop, of the settings and of what is to be checked.

use std::num::NonZeroU32;

use gulf_agents::agents::Budget;
use gulf_engine::{
    Cause, ContextPolicy, CoverageNeed, Expectation, FeedbackPolicy, FindingsPolicy, FollowUp, ForceMax,
    Gate, JudgeWhen, Landing, Limits, Policy, RejectionPolicy, Rejections, Research, Reserve, RetryPolicy,
    StuckPolicy, TaskLimit,
};
use gulf_spec::config::{self, Config, Key, Preset};

use super::{CheckNeed, PlanError, Working, milliseconds};
use crate::agreement::{SealedCheck, Tool};

/// The wait after the first failure; each after it is twice as long, up to a minute.
const BACKOFF_MS: u64 = 1_000;
/// Repetitions of the research iteration.
const RESEARCH_MAX: u32 = 5;
/// Basis points in a percent.
const PERCENT_BP: u32 = 100;

/// Whose word the loop ends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judged {
    /// Nobody judges: so many criteria stay unproven.
    ByNobody {
        criteria: usize,
    },
    ByJudge,
}

/// What the settings and the work amount to.
#[derive(Debug)]
pub(crate) struct PolicyTerms<'plan> {
    pub config: &'plan Config,
    pub checks: &'plan [SealedCheck],
    pub judged: Judged,
    /// None where nobody works.
    pub agent: Option<&'plan Tool>,
    /// RUBRIC.md's own, where no setting says more.
    pub hitl_threshold: Option<u32>,
    pub evidence: CheckNeed,
    pub worker: Working,
}

/// Turns without a trace before a session rests, where nobody said another number: its person may be talking to it.
const SESSION_IDLE_MAX: u32 = 8;

/// Failures in a row where a person sits by and nobody said another number: no network is waited for there.
const SESSION_FAILURES_MAX: u32 = 5;

/// The numbers that bound and steer a loop.
pub(crate) fn policy(terms: &PolicyTerms<'_>) -> Result<Policy, PlanError> {
    let policy = usual(terms)?;
    let is_said = |key| super::is_said(terms.config, key);
    Ok(match terms.worker {
        Working::Processes => policy,
        Working::Session { .. } => Policy {
            research: if is_said(Key::Research) || terms.config.preset.has_levels() {
                policy.research
            } else {
                Research::Gate
            },
            stuck: if is_said(Key::StuckIdleIterations) {
                policy.stuck
            } else {
                StuckPolicy { idle_max: count("stuck.idle_iterations", SESSION_IDLE_MAX)?, ..policy.stuck }
            },
            follow_up: FollowUp::Off,
            ..policy
        },
        Working::Adopted { then, .. } => Policy {
            research: Research::Brief,
            judge: if terms.config.preset == Preset::Judge { JudgeWhen::Every } else { JudgeWhen::OnClaim },
            rejections: RejectionPolicy { then, ..policy.rejections },
            // Nothing but its limit ends the seed's loop.
            stuck: StuckPolicy {
                same_candidate_max: NonZeroU32::MAX,
                oscillations_max: NonZeroU32::MAX,
                same_failure_max: NonZeroU32::MAX,
                idle_max: NonZeroU32::MAX,
                ..policy.stuck
            },
            follow_up: FollowUp::Off,
            ..policy
        },
    })
}

fn failures_max(terms: &PolicyTerms<'_>) -> u32 {
    match terms.worker {
        Working::Processes => terms.config.failures_max,
        Working::Session { .. } | Working::Adopted { .. } => {
            let is_said = super::is_said(terms.config, Key::LimitsMaxFailures);
            if is_said { terms.config.failures_max } else { SESSION_FAILURES_MAX }
        }
    }
}

fn usual(terms: &PolicyTerms<'_>) -> Result<Policy, PlanError> {
    let config = terms.config;
    let threshold = terms.hitl_threshold.unwrap_or(config.hitl_threshold);
    Ok(Policy {
        landing: landing(terms),
        reviewers: if terms.judged == Judged::ByJudge { config.judge.reviewers.clone() } else { Vec::new() },
        steps: config.steps.iter().map(|step| step.terms).collect(),
        feedback: feedback(terms),
        limits: limits(terms)?,
        milestone_every: NonZeroU32::new(config.milestone_every),
        force_max: if config.force_max { ForceMax::On } else { ForceMax::Off },
        research: match config.research {
            config::Research::Gate => Research::Gate,
            config::Research::Inline => Research::Inline,
            config::Research::Off => Research::Off,
        },
        gates: gates(terms),
        judge: match config.judge.when {
            config::JudgeWhen::Every if terms.judged == Judged::ByJudge => JudgeWhen::Every,
            config::JudgeWhen::Every | config::JudgeWhen::OnClaim => JudgeWhen::OnClaim,
        },
        rejections: RejectionPolicy {
            threshold: count("hitl_threshold", threshold)?,
            then: if config.preset.lands() && !config.preset.has_levels() {
                Rejections::ResetStrategy
            } else {
                Rejections::Pause
            },
        },
        findings: findings(config),
        expectation: match config.expect {
            config::Expect::Auto => Expectation::Auto,
            config::Expect::StayGreen => Expectation::StayGreen,
        },
        stuck: StuckPolicy {
            same_candidate_max: count("stuck.same_candidate", config.stuck.same_candidate)?,
            oscillations_max: count("stuck.oscillations", config.stuck.oscillations)?,
            same_failure_max: count("stuck.same_failure", config.stuck.same_failure)?,
            idle_max: count("stuck.idle_iterations", config.stuck.idle_iterations)?,
            recurrences_max: NonZeroU32::new(config.stuck.recurrences),
            orientation_bp_max: match config.stuck.orientation_percent {
                0 => None,
                percent => Some(percent.saturating_mul(PERCENT_BP)),
            },
            then: config.stuck.then,
        },
        retries: RetryPolicy {
            failures_max: count("limits.max_failures", failures_max(terms))?,
            backoff_ms: BACKOFF_MS,
            research_max: count("research", RESEARCH_MAX)?,
        },
        caps: caps(terms),
        context: match config.context {
            config::Context::Fresh => ContextPolicy::Fresh,
            config::Context::Continue => ContextPolicy::Continue,
            config::Context::Auto { percent_max } => {
                ContextPolicy::Auto { used_bp_max: percent_max.saturating_mul(PERCENT_BP) }
            }
        },
        follow_up: if config.follow_up { FollowUp::Once } else { FollowUp::Off },
        task_limit: match config.tasks.on_limit {
            config::OnTaskLimit::Ask => TaskLimit::Ask,
            config::OnTaskLimit::Skip => TaskLimit::Skip,
            config::OnTaskLimit::Stop => TaskLimit::Stop,
        },
    })
}

fn findings(config: &Config) -> FindingsPolicy {
    match config.verify.on_test_change {
        config::OnTestChange::Refuse => FindingsPolicy::Attest,
        config::OnTestChange::Ask => FindingsPolicy::Ask,
        config::OnTestChange::Stop => FindingsPolicy::Stop,
    }
}

/// Whoever waives all evidence has said that unproven work may land.
fn landing(terms: &PolicyTerms<'_>) -> Option<Landing> {
    let accepts_attested =
        terms.evidence == CheckNeed::Waived || terms.config.landing.accept == config::Accept::Attested;
    let landing = if accepts_attested { Landing::OrAttested } else { Landing::Verified };
    terms.config.preset.lands().then_some(landing)
}

/// Numbers steer a loop only where somebody asked for that, and where there is something to measure.
fn feedback(terms: &PolicyTerms<'_>) -> Option<FeedbackPolicy> {
    let settings = terms.config.feedback;
    let policy = FeedbackPolicy {
        auto_converge: settings.auto_converge,
        human_review: settings.human_review,
        coverage_bp_min: settings.coverage_percent_min.saturating_mul(PERCENT_BP),
        coverage: match settings.coverage {
            config::CoverageNeed::Shown => CoverageNeed::Shown,
            config::CoverageNeed::Required => CoverageNeed::Required,
        },
    };
    (terms.config.preset == Preset::Feedback && !terms.checks.is_empty()).then_some(policy)
}

fn count(what: &'static str, value: u32) -> Result<NonZeroU32, PlanError> {
    NonZeroU32::new(value).ok_or(PlanError::OutOfRange { what, value: u64::from(value) })
}

fn limits(terms: &PolicyTerms<'_>) -> Result<Limits, PlanError> {
    let config = terms.config;
    Ok(Limits {
        iterations_max: count("limits.max_iterations", config.iterations_max)?,
        active_ms_max: config.duration_max.map(milliseconds),
        microdollars_max: config.budget.microdollars_max,
        tokens_max: config.budget.tokens_max,
        reserve: reserve(terms.agent, config.budget.tokens_max),
        turns_per_hour: NonZeroU32::new(config.turns_per_hour),
    })
}

/// What must be left before another turn begins.
pub(crate) fn reserve(agent: Option<&Tool>, tokens_max: Option<u64>) -> Reserve {
    // Some hold a turn to what is left of the money; nothing holds one to a number of tokens.
    match agent.and_then(Tool::descriptor).map(|agent| agent.budget) {
        Some(Budget::HeldTo) if tokens_max.is_none() => Reserve::Nothing,
        Some(Budget::HeldTo | Budget::NotHeldTo) | None => Reserve::DearestIteration,
    }
}

fn gates(terms: &PolicyTerms<'_>) -> Vec<Gate> {
    let mut gates = Vec::new();
    if !terms.checks.is_empty() {
        gates.push(Gate::Checks);
        if terms.config.preset == Preset::Feedback {
            gates.push(Gate::Feedback);
        }
    }
    gates.push(Gate::Integrity);
    if terms.judged == Judged::ByJudge {
        gates.push(Gate::Judge);
    }
    gates
}

fn caps(terms: &PolicyTerms<'_>) -> Vec<Cause> {
    match terms.judged {
        // Criteria are evidence too.
        Judged::ByJudge => Vec::new(),
        Judged::ByNobody { criteria } => {
            let no_check = terms.checks.is_empty().then_some(Cause::NoCheck);
            let count = u32::try_from(criteria).unwrap_or(u32::MAX);
            let unproven = (criteria > 0).then_some(Cause::CriteriaNotProven { count });
            no_check.into_iter().chain(unproven).collect()
        }
    }
}
