//! The numbers that bound and steer a loop, of the settings and of what is to be checked.

use std::num::NonZeroU32;

use camino::Utf8Path;
use gulf_engine::{
    Cause, FollowUp, ForceMax, Gate, JudgeWhen, Landing, Limits, Policy, RejectionPolicy, Rejections,
    Research, Reserve, RetryPolicy, StuckPolicy,
};
use gulf_spec::config::{Config, Key, Preset, PresetJudge};

use super::{CheckNeed, PlanError, PlannedVerification, tools};
use crate::agreement::{JudgeTerms, SealedCheck, Tool, WorkerTerms};
use crate::place::PlaceOfWork;

/// The wait after the first failure; each after it is twice as long, up to a minute.
const BACKOFF_MS: u64 = 1_000;
/// Repetitions of the research iteration.
const RESEARCH_MAX: NonZeroU32 = NonZeroU32::new(5).unwrap();

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
    pub hitl_threshold: Option<NonZeroU32>,
    pub evidence: CheckNeed,
    pub worker: &'plan WorkerTerms,
}

/// Turns without a trace before a session rests, where nobody said another number: its person may be talking to it.
const SESSION_IDLE_MAX: NonZeroU32 = NonZeroU32::new(8).unwrap();

/// Failures in a row where a person sits by and nobody said another number: no network is waited for there.
const SESSION_FAILURES_MAX: NonZeroU32 = NonZeroU32::new(5).unwrap();

/// The numbers that bound and steer a loop.
pub(crate) fn policy(terms: &PolicyTerms<'_>) -> Policy {
    let policy = usual(terms);
    let is_said = |key| super::is_said(terms.config, key);
    match terms.worker {
        WorkerTerms::Processes => policy,
        WorkerTerms::Session { .. } => {
            let is_own = is_said(Key::Research) || terms.config.preset.has_levels();
            let research = if is_own { policy.research } else { Research::Gate };
            let is_said = is_said(Key::StuckIdleIterations);
            let idle_max = if is_said { policy.stuck.idle_max } else { SESSION_IDLE_MAX };
            let stuck = StuckPolicy { idle_max, ..policy.stuck };
            Policy { research, stuck, follow_up: FollowUp::Off, ..policy }
        }
        WorkerTerms::Adopted { then, .. } => Policy {
            research: Research::Brief,
            judge: if terms.config.preset == Preset::Judge { JudgeWhen::Every } else { JudgeWhen::OnClaim },
            rejections: RejectionPolicy { then: *then, ..policy.rejections },
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
    }
}

fn failures_max(terms: &PolicyTerms<'_>) -> NonZeroU32 {
    let is_said = super::is_said(terms.config, Key::LimitsMaxFailures);
    if is_said || *terms.worker == WorkerTerms::Processes {
        terms.config.positive(Key::LimitsMaxFailures)
    } else {
        SESSION_FAILURES_MAX
    }
}

fn usual(terms: &PolicyTerms<'_>) -> Policy {
    let (config, is_judged) = (terms.config, terms.judged == Judged::ByJudge);
    let resets = config.preset.lands() && !config.preset.has_levels();
    Policy {
        landing: landing(terms),
        reviewers: if is_judged { config.reviewers.clone() } else { Vec::new() },
        steps: config.steps.iter().map(|step| step.terms).collect(),
        // Numbers steer a loop only where somebody asked for that, and where there is something to measure.
        feedback: (config.preset == Preset::Feedback && !terms.checks.is_empty()).then(|| config.feedback()),
        limits: limits(config, terms.agent),
        milestone_every: config.unless_off(Key::MilestoneEvery),
        force_max: config.switched(Key::ForceMax, ForceMax::On, ForceMax::Off),
        research: config.choice(Key::Research),
        gates: gates(terms),
        judge: if is_judged { config.choice(Key::JudgeWhen) } else { JudgeWhen::OnClaim },
        rejections: RejectionPolicy {
            threshold: terms.hitl_threshold.unwrap_or(config.positive(Key::HitlThreshold)),
            then: if resets { Rejections::ResetStrategy } else { Rejections::Pause },
        },
        findings: config.findings(),
        expectation: config.choice(Key::Expect),
        stuck: config.stuck(),
        retries: RetryPolicy {
            failures_max: failures_max(terms),
            backoff_ms: BACKOFF_MS,
            research_max: RESEARCH_MAX,
        },
        caps: caps(terms),
        context: config.context(),
        follow_up: config.switched(Key::AgentFollowUp, FollowUp::Once, FollowUp::Off),
        task_limit: config.choice(Key::TasksOnLimit),
    }
}

/// Whoever waives all evidence has said that unproven work may land.
fn landing(terms: &PolicyTerms<'_>) -> Option<Landing> {
    let may_be_attested =
        terms.evidence == CheckNeed::Waived || terms.config.text(Key::LandingAccept) == "attested";
    let landing = if may_be_attested { Landing::OrAttested } else { Landing::Verified };
    terms.config.preset.lands().then_some(landing)
}

pub(crate) fn limits(config: &Config, agent: Option<&Tool>) -> Limits {
    Limits {
        iterations_max: config.positive(Key::LimitsMaxIterations),
        active_ms_max: config.milliseconds(Key::LimitsMaxDuration),
        microdollars_max: config.money(Key::LimitsMaxCost),
        tokens_max: config.tokens(Key::LimitsMaxTokens),
        reserve: reserve(agent, config.tokens(Key::LimitsMaxTokens)),
        turns_per_hour: config.unless_off(Key::LimitsTurnsPerHour),
    }
}

/// What must be left before another turn begins.
pub(crate) fn reserve(agent: Option<&Tool>, tokens_max: Option<u64>) -> Reserve {
    // Some hold a turn to what is left of the money; nothing holds one to a number of tokens.
    let holds = agent.and_then(Tool::descriptor).is_some_and(|agent| agent.budget_flag.is_some());
    if holds && tokens_max.is_none() { Reserve::Nothing } else { Reserve::DearestIteration }
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

// Whether a judge is asked, and what that means for a start without checks.

/// When a judge is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judging {
    Never,
    /// Where there are criteria.
    Where,
    /// Without criteria there is no start.
    Always,
    /// Where nobody wrote criteria, by gulf's own.
    OrOwn,
}

/// What a judge looks at where nobody wrote criteria down, and one is to be asked all the same (SPEC A4).
const OWN_CRITERION: &str =
    "Everything that the goal asks for is done: nothing is stubbed, left out or put off.";

/// Gulf's own criterion, where one is needed and nobody wrote any.
pub(super) fn or_own(config: &Config, criteria: &mut Vec<String>, notes: &mut Vec<String>) {
    // Tasks of a list bring criteria of their own; where one has none, gulf's is asked about.
    let is_asked = judging(config) == Judging::Always || config.judge.is_some();
    let is_list = is_asked && config.preset == Preset::Tasks;
    if (judging(config) == Judging::OrOwn || is_list) && criteria.is_empty() {
        notes
            .push(format!("no criteria are written down: the judge is asked by gulf's own: {OWN_CRITERION}"));
        criteria.push(OWN_CRITERION.to_owned());
    }
}

/// From this level of verification on a judge is asked.
const LEVEL_WITH_JUDGE: u32 = 2;

pub(super) fn judging(config: &Config) -> Judging {
    match config.preset.judge() {
        PresetJudge::Never => Judging::Never,
        PresetJudge::Always => Judging::Always,
        PresetJudge::ByLevel if config.count(Key::VerifyLevel) < LEVEL_WITH_JUDGE => Judging::Never,
        PresetJudge::ByLevel => Judging::OrOwn,
        PresetJudge::WhereCriteria if config.switch(Key::JudgeRequired) => Judging::Always,
        PresetJudge::WhereCriteria => Judging::Where,
    }
}

/// Who judges what is stated in `rubric`, if anybody does.
pub(super) fn judge(
    place: &PlaceOfWork,
    config: &Config,
    worker: &WorkerTerms,
    agent: &Tool,
    rubric: &Utf8Path,
    stated: &mut PlannedVerification,
) -> Result<Option<JudgeTerms>, PlanError> {
    let has_checks = !stated.checks.is_empty();
    let mut named = || tools::judge(place, config, agent, stated.model.as_deref(), worker, &mut stated.notes);
    match (judging(config), stated.criteria.is_empty()) {
        (Judging::Never, _) | (Judging::Where, true) => Ok(None),
        // The seed's judge has nothing to say there, and its checks decide.
        (Judging::Always, true) if worker.is_adopted() && has_checks => Ok(None),
        (Judging::Always, true) => Err(PlanError::NoCriteria { path: rubric.to_owned() }),
        (Judging::Always, false) | (Judging::OrOwn, _) => named().map(Some),
        (Judging::Where, false) => match named() {
            Err(PlanError::NoJudge) if has_checks => {
                let note = "no judge is installed: the criteria stay unproven (`--judge` names one)";
                stated.notes.push(note.to_owned());
                Ok(None)
            }
            judge => judge.map(Some),
        },
    }
}

/// Where a judge is asked, criteria are evidence too.
pub(super) fn evidence(asked: CheckNeed, judging: Judging) -> CheckNeed {
    let is_asked = asked == CheckNeed::Required && judging != Judging::Never;
    if is_asked { CheckNeed::OrCriteria } else { asked }
}
