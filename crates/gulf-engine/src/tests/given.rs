//! What tests begin with: contracts, results and claims, short to write.

use crate::*;
use core::num::NonZeroU32;

pub(crate) fn times(count: u32) -> NonZeroU32 {
    NonZeroU32::new(count).unwrap()
}

pub(crate) fn tree(name: &str) -> TreeId {
    TreeId::new(name)
}

pub(crate) fn check_name(name: &str) -> CheckName {
    CheckName::new(name)
}

pub(crate) fn candidate(name: &str) -> Candidate {
    Candidate { commit: CommitId::new(format!("commit-{name}")), tree: tree(name) }
}

/// One check and the integrity gate, five iterations, nothing that waits; the base's tree is `base`.
pub(crate) fn contract() -> Contract {
    let policy = Policy {
        limits: Limits {
            iterations_max: times(5),
            active_ms_max: None,
            microdollars_max: None,
            tokens_max: None,
            turns_per_hour: None,
            reserve: Reserve::Nothing,
        },
        milestone_every: None,
        force_max: ForceMax::Off,
        research: Research::Off,
        gates: vec![Gate::Checks, Gate::Integrity],
        judge: JudgeWhen::OnClaim,
        rejections: RejectionPolicy { threshold: times(2), then: Rejections::Pause },
        findings: FindingsPolicy::Attest,
        expectation: Expectation::Auto,
        stuck: StuckPolicy {
            same_candidate_max: times(3),
            oscillations_max: times(3),
            same_failure_max: times(3),
            idle_max: times(3),
            recurrences_max: None,
            orientation_bp_max: None,
            then: Standstill::End,
        },
        retries: RetryPolicy { failures_max: times(2), backoff_ms: 0, research_max: times(1) },
        caps: Vec::new(),
        context: ContextPolicy::Fresh,
        follow_up: FollowUp::Off,
        landing: None,
        steps: Vec::new(),
        feedback: None,
        reviewers: Vec::new(),
        task_limit: TaskLimit::Ask,
    };
    Contract {
        digest: Digest::new("contract"),
        goal: Digest::new("goal"),
        base: Base { commit: CommitId::new("commit-base"), tree: tree("base") },
        checks: vec![terms("test")],
        tasks: Vec::new(),
        policy,
    }
}

/// So many tasks, each of which waits for these before it.
pub(crate) fn listed(waits_for: &[&[u32]]) -> Vec<ContractTask> {
    let task = |(id, after): (usize, &&[u32])| ContractTask {
        name: format!("T{id}"),
        title: String::from("a task"),
        after: after.iter().copied().map(UnitId).collect(),
        criteria: 0,
    };
    waits_for.iter().enumerate().map(task).collect()
}

/// The contract above with something changed.
pub(crate) fn contract_with(change: impl FnOnce(&mut Contract)) -> Contract {
    let mut contract = contract();
    change(&mut contract);
    contract
}

pub(crate) fn terms(name: &str) -> CheckTerms {
    CheckTerms {
        name: check_name(name),
        digest: Digest::new(name),
        baseline: Baseline::Refused,
        runnable: Runnable::Spared,
        disclosure: Disclosure::Open,
    }
}

/// A completed turn with a tool call and no claim.
pub(crate) fn turn() -> Turn {
    Turn {
        outcome: TurnOutcome::Completed,
        claim: None,
        tool_calls: Some(1),
        brief: Brief::NotAsked,
        duration_ms: 0,
        message: None,
        session: None,
        denials: Vec::new(),
        remainder: Remainder::Unnamed,
        blocks_left: None,
        orientation: None,
    }
}

/// A step that came to an end, with this word.
pub(crate) fn thought(word: StepWord) -> StepEnd {
    StepEnd { outcome: TurnOutcome::Completed, word, duration_ms: 0, message: None, denials: Vec::new() }
}

/// A step that came to nothing.
pub(crate) fn thoughtless(outcome: TurnOutcome) -> StepEnd {
    StepEnd { outcome, ..thought(StepWord::Said) }
}

pub(crate) fn objected() -> StepEnd {
    thought(StepWord::Objected { objections: 1 })
}

/// These steps, each before the iterations named with it.
pub(crate) fn steps(steps: &[(Step, StepWhen)]) -> Vec<StepTerms> {
    steps.iter().map(|&(step, when)| StepTerms { step, when }).collect()
}

pub(crate) fn claiming() -> Turn {
    Turn { claim: Some(done()), ..turn() }
}

pub(crate) fn failing() -> Turn {
    Turn { outcome: TurnOutcome::Failed { exit: Some(1) }, ..turn() }
}

pub(crate) fn idling() -> Turn {
    Turn { tool_calls: None, ..turn() }
}

pub(crate) fn briefed() -> Turn {
    Turn { brief: Brief::Complete, ..turn() }
}

pub(crate) fn unbriefed() -> Turn {
    Turn { brief: Brief::Incomplete { missing: vec![String::from("APPROACH")] }, ..turn() }
}

pub(crate) fn ending_as(outcome: TurnOutcome) -> Turn {
    Turn { outcome, ..turn() }
}

pub(crate) fn declining() -> Turn {
    ending_as(TurnOutcome::Declined { why: String::from("I will not") })
}

pub(crate) fn limited(wait_ms: u64) -> Turn {
    ending_as(TurnOutcome::RateLimited { wait_ms })
}

pub(crate) fn needing_a_person() -> Turn {
    ending_as(TurnOutcome::NeedsPerson { why: String::from("not logged in") })
}

pub(crate) fn session(used_bp: Option<u32>) -> Option<Session> {
    Some(Session { id: String::from("session"), used_bp })
}

/// A turn whose session can go on.
pub(crate) fn in_session() -> Turn {
    Turn { session: session(None), ..turn() }
}

/// The session of this id; none is known yet without one.
pub(crate) fn in_host(id: Option<&str>) -> Worker {
    Worker::Session { host: String::from("claude"), id: id.map(String::from) }
}

/// A turn after which its host lets the session be sent on so often.
pub(crate) fn with_blocks_left(turn: Turn, blocks_left: u32) -> Turn {
    Turn { blocks_left: Some(blocks_left), ..turn }
}

pub(crate) fn denied(what: &str, times: u32) -> Turn {
    Turn { denials: vec![Denial { what: String::from(what), times }], ..turn() }
}

pub(crate) fn asking() -> Turn {
    Turn { claim: Some(need_decision("left or right?")), ..turn() }
}

pub(crate) fn question(text: &str) -> Question {
    Question { text: String::from(text), evidence: None, options: Vec::new(), concern: None }
}

pub(crate) fn need_decision(text: &str) -> Claim {
    Claim::NeedDecision(question(text))
}

/// Asked by kind, as `gulf ask` does.
pub(crate) fn concerned(concern: Concern, text: &str) -> Claim {
    Claim::NeedDecision(Question { concern: Some(concern), ..question(text) })
}

pub(crate) fn cost(microdollars: u64, tokens: u64) -> Spent {
    Spent { microdollars, tokens, basis: Basis::Told }
}

pub(crate) fn approval() -> Act {
    Act::Approve { reason: String::from("good enough") }
}

pub(crate) fn rejection() -> Act {
    Act::Reject { reason: String::from("not what I meant") }
}

pub(crate) fn answer(text: &str) -> Act {
    Act::Answer { question: None, answer: String::from(text) }
}

pub(crate) fn done() -> Claim {
    Claim::Done { no_test: None }
}

pub(crate) fn done_without_test() -> Claim {
    Claim::Done { no_test: Some(String::from("only a comment changed")) }
}

pub(crate) fn snapshot(name: &str) -> Snapshot {
    Snapshot {
        candidate: candidate(name),
        drifted: Vec::new(),
        left_out: Vec::new(),
        base: None,
        resembles: None,
        tasks: None,
    }
}

pub(crate) fn tally(open: u32, missing: u32) -> Option<TaskTally> {
    Some(TaskTally { open, ticked: 1, missing })
}

/// The same contract for a list of tasks.
pub(crate) fn with_exit(contract: &mut Contract) {
    contract.policy.gates.insert(0, Gate::Tasks);
}

pub(crate) fn run(verdict: CheckVerdict) -> CheckRun {
    CheckRun {
        verdict,
        exit: None,
        duration_ms: 0,
        tests: None,
        lint_errors: None,
        coverage_bp: None,
        summary: String::new(),
        failed: Vec::new(),
        log: None,
    }
}

pub(crate) fn green() -> CheckRun {
    run(CheckVerdict::Green { repaired: 0 })
}

pub(crate) fn repaired() -> CheckRun {
    run(CheckVerdict::Green { repaired: 1 })
}

pub(crate) fn red() -> CheckRun {
    red_like("boom")
}

pub(crate) fn red_like(fingerprint: &str) -> CheckRun {
    run(CheckVerdict::Red { fingerprint: Digest::new(fingerprint) })
}

pub(crate) fn unrunnable() -> CheckRun {
    run(CheckVerdict::Unrunnable { fingerprint: Digest::new("not found"), hindrance: Hindrance::CutShort })
}

pub(crate) fn never_begun() -> CheckRun {
    run(CheckVerdict::Unrunnable { fingerprint: Digest::new("not there"), hindrance: Hindrance::NeverBegan })
}

pub(crate) fn intact() -> Integrity {
    Integrity::default()
}

pub(crate) fn tampered() -> Integrity {
    let finding = Finding { path: String::from("tests/a.rs"), what: String::from("removed") };
    Integrity { findings: vec![finding], ..Integrity::default() }
}

/// The base's own tests say no.
pub(crate) fn contradicted() -> Integrity {
    Integrity { base_tests_fail: true, ..tampered() }
}

/// The suite cannot fail.
pub(crate) fn unable() -> Integrity {
    Integrity { canary: Some(Canary::Green { runs: 1, duration_ms: 1 }), ..tampered() }
}

/// The answers of its tests are built into the work.
pub(crate) fn answered() -> Integrity {
    Integrity { person_only: true, ..tampered() }
}

/// What was green is not when asked again.
pub(crate) fn unsteady() -> Integrity {
    Integrity { again: Some(Again { runs: 2, duration_ms: 1, failed: true }), ..tampered() }
}

/// The checks see every error in the changed lines.
pub(crate) fn noticed() -> Overlay {
    Overlay::Noticed { errors: 2 }
}

/// They miss one.
pub(crate) fn unnoticed() -> Overlay {
    Overlay::Unnoticed { errors: 2, places: vec![String::from("a.rs:1")] }
}

pub(crate) fn new_test_red() -> Overlay {
    Overlay::Red { by: vec![String::from("new")] }
}

pub(crate) fn written_down() -> Closing {
    Closing::Done { commit: None, base: None, left: Vec::new() }
}

/// With a lesson besides.
pub(crate) fn written_down_with(tree_now: &str) -> Closing {
    let Candidate { commit, tree } = candidate(tree_now);
    Closing::Done { commit: Some(commit.clone()), base: Some(Base { commit, tree }), left: Vec::new() }
}

pub(crate) fn not_written_down() -> Closing {
    Closing::NotReady { why: String::from("a merge is under way") }
}

pub(crate) fn not_shown() -> Overlay {
    Overlay::NotShown { why: String::from("no new test") }
}

pub(crate) fn approved() -> JudgeWord {
    JudgeWord::Approved { evidence_inside: 1, findings: OnFindings::Silent }
}

pub(crate) fn approved_without_evidence() -> JudgeWord {
    JudgeWord::Approved { evidence_inside: 0, findings: OnFindings::Silent }
}

pub(crate) fn unreachable() -> JudgeWord {
    JudgeWord::Unreachable { why: String::from("out of reach") }
}

pub(crate) fn rejected() -> JudgeWord {
    JudgeWord::Rejected { fingerprint: Digest::new("unmet") }
}

pub(crate) fn failed() -> EffectResult {
    EffectResult::Failed { reason: String::from("out of order") }
}

pub(crate) fn beyond_the_host() -> EffectResult {
    EffectResult::NeedsPerson { why: String::from("the repository is gone") }
}

pub(crate) fn by_person(act: Act) -> Request {
    Request { author: Author::Person, act }
}

pub(crate) fn by_worker(iteration: u32, act: Act) -> Request {
    Request { author: Author::Worker { iteration }, act }
}

pub(crate) fn base(name: &str) -> Base {
    Base { commit: CommitId::new(format!("commit-{name}")), tree: tree(name) }
}

/// Close to the candidate that was rejected in this iteration.
pub(crate) fn resembling(iteration: u32) -> Option<Resemblance> {
    Some(Resemblance { iteration, common_bp: 9_000 })
}

pub(crate) fn landed() -> LandingWord {
    LandingWord::Landed { commit: CommitId::new("merged"), onto: CommitId::new("tip") }
}

pub(crate) fn clashing(by: Clash) -> LandingWord {
    let (summary, fingerprint) = (String::from("a.txt"), Digest::new("clash"));
    LandingWord::Refused { by, base: CommitId::new("tip"), summary, fingerprint }
}

pub(crate) fn not_ready() -> LandingWord {
    LandingWord::NotReady { why: String::from("main is checked out with changes") }
}

/// Somebody whom a channel reached.
pub(crate) fn by() -> By {
    By {
        channel: String::from("slack"),
        who: String::from("U1"),
        message: String::from("1.2"),
        said_at_ms: 5,
    }
}

/// A run that counted: failures, lint errors, and how much was covered, in basis points.
pub(crate) fn measured(failed: u32, lint_errors: u32, coverage_bp: Option<u32>) -> CheckRun {
    let tests = Some(TestCounts { passed: 5, failed, skipped: 0 });
    let run = if failed + lint_errors == 0 { green() } else { red() };
    CheckRun { tests, lint_errors: Some(lint_errors), coverage_bp, ..run }
}

/// Numbers steer this one, and nobody reviews it.
pub(crate) fn feedback_policy() -> FeedbackPolicy {
    FeedbackPolicy {
        auto_converge: true,
        human_review: false,
        coverage_bp_min: 8_500,
        coverage: CoverageNeed::Shown,
    }
}

pub(crate) fn measured_contract(change: impl FnOnce(&mut FeedbackPolicy)) -> Contract {
    contract_with(|contract| {
        let mut policy = feedback_policy();
        change(&mut policy);
        contract.policy.feedback = Some(policy);
        contract.policy.gates = vec![Gate::Checks, Gate::Feedback, Gate::Integrity];
    })
}

/// A driver takes over, in surroundings of that name.
pub(crate) fn attached(place: &str) -> Fact {
    Fact::Attached { driver: String::from("next"), environment: Digest::new(place) }
}
