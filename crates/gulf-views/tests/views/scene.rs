//! Journals as drivers write them, in a few words each; apart, because every view is shown the same loops.

pub(crate) use crate::scene_contracts::*;
use gulf_engine::*;
use gulf_views::{CheckoutChange, DriverPresence, Facts, History, LoopStatus, Summary};
use std::collections::BTreeMap;
use std::num::NonZeroU32;

/// 2026-02-13T14:30:00Z.
pub(crate) const START_MS: u64 = 1_770_993_000_000;

/// A journal that grows by one event at a time.
#[derive(Clone, Default)]
pub(crate) struct Scene {
    pub(crate) events: Vec<Event>,
    pub(crate) state: State,
    pub(crate) history: History,
    attempts: BTreeMap<EffectKind, u32>,
}

impl Scene {
    /// Sealed, attached, nothing else.
    pub(crate) fn sealed() -> Scene {
        Scene::sealed_as(contract())
    }

    pub(crate) fn sealed_as(contract: Contract) -> Scene {
        let contract = Box::new(contract);
        Scene::default()
            .then(Fact::Sealed { contract })
            .then(Fact::Attached { driver: "run".into(), environment: Digest::new("e0e0e0e0") })
    }

    /// One second later.
    pub(crate) fn then(mut self, fact: Fact) -> Scene {
        let sequence = self.events.len() as u64 + 1;
        let active_ms = (sequence - 1) * 1000;
        let event = Event { sequence, at_ms: START_MS + active_ms, active_ms, fact };
        self.state.apply(&event);
        self.history.apply(&event);
        assert_eq!(self.state.anomaly(), None, "no driver would write {event:?}");
        self.events.push(event);
        self
    }

    /// An effect of the current iteration, from start to end.
    pub(crate) fn done(self, work: EffectKind, result: EffectResult) -> Scene {
        let (scene, key) = self.begun(work);
        scene.then(Fact::Ended { key, result })
    }

    /// The same, and what it cost.
    pub(crate) fn paid(self, work: EffectKind, result: EffectResult, spent: Spent) -> Scene {
        let (scene, key) = self.begun(work);
        scene.then(Fact::Spent { key: key.clone(), spent }).then(Fact::Ended { key, result })
    }

    /// An effect that begins.
    pub(crate) fn begun(mut self, work: EffectKind) -> (Scene, EffectKey) {
        let unit = &self.state.unit;
        let key = match &work {
            EffectKind::Turn => match self.last_but_attached() {
                Some(Fact::Settled {
                    settlement:
                        Settlement::Research
                        | Settlement::AgentFailed
                        | Settlement::RateLimited
                        | Settlement::NeedsPerson,
                }) => key(unit.id, unit.iteration, unit.attempt + 1, work),
                _ => {
                    self.attempts.retain(|work, _| matches!(work, EffectKind::Probe { .. }));
                    key(unit.id, unit.iteration + 1, 1, work)
                }
            },
            EffectKind::Step { .. }
            | EffectKind::FollowUp
            | EffectKind::Snapshot
            | EffectKind::Check { .. }
            | EffectKind::Probe { .. }
            | EffectKind::Integrity
            | EffectKind::Overlay
            | EffectKind::Judge
            | EffectKind::Review { .. }
            | EffectKind::Land
            | EffectKind::Close => {
                let attempt = self.attempts.entry(work.clone()).or_default();
                *attempt += 1;
                let is_probe = matches!(work, EffectKind::Probe { .. });
                let coming = u32::from(matches!(work, EffectKind::Step { .. }));
                let (unit, iteration) =
                    if is_probe { (UnitId(0), 0) } else { (unit.id, unit.iteration + coming) };
                key(unit, iteration, *attempt, work)
            }
        };
        (self.then(Fact::Began { key: key.clone() }), key)
    }

    /// A driver that takes a loop over does not change which turn is next.
    fn last_but_attached(&self) -> Option<&Fact> {
        let facts = self.events.iter().map(|event| &event.fact);
        facts.rev().find(|fact| !matches!(fact, Fact::Attached { .. }))
    }

    /// A turn with its claim, and the candidate that came of it.
    pub(crate) fn turn(self, claim: Option<Claim>, tree: &str) -> Scene {
        self.done(EffectKind::Turn, EffectResult::Turn(turn(claim)))
            .done(EffectKind::Snapshot, EffectResult::Snapshot(snapshot(tree)))
    }

    pub(crate) fn check(self, name: &str, run: CheckRun) -> Scene {
        self.done(EffectKind::Check { name: CheckName::new(name) }, EffectResult::Check(run))
    }

    pub(crate) fn probe(self, name: &str, run: CheckRun) -> Scene {
        self.done(EffectKind::Probe { name: CheckName::new(name) }, EffectResult::Check(run))
    }

    /// Claims too early, is refused, does it right; the gates have spoken, the end has not.
    pub(crate) fn honest() -> Scene {
        Scene::sealed()
            .probe("test", red("tests::adds"))
            .probe("lint", green(None))
            .turn(Some(done()), "aaaaaaaaaaaa")
            .check("test", red("tests::adds"))
            .check("lint", green(None))
            .then(Fact::Settled { settlement: Settlement::Refused { gate: Gate::Checks } })
            .turn(Some(done()), "bbbbbbbbbbbb")
            .check("test", green(Some(13)))
            .check("lint", green(None))
            .done(EffectKind::Integrity, EffectResult::Integrity(Integrity::default()))
    }

    /// With a judge: its no, then its yes, and what each of it cost.
    pub(crate) fn judged() -> Scene {
        let turn = |claim| EffectResult::Turn(turn(claim));
        Scene::sealed_as(judged_contract())
            .probe("test", red("tests::adds"))
            .probe("lint", green(None))
            .paid(EffectKind::Turn, turn(Some(done())), spent(41, 60, Basis::Told))
            .done(EffectKind::Snapshot, EffectResult::Snapshot(snapshot("aaaaaaaaaaaa")))
            .passed()
            .paid(EffectKind::Judge, EffectResult::Judge(rejected("f3f3")), spent(9, 15, Basis::Told))
            .then(Fact::Settled { settlement: Settlement::Refused { gate: Gate::Judge } })
            .paid(EffectKind::Turn, turn(Some(done())), spent(62, 80, Basis::Priced))
            .done(EffectKind::Snapshot, EffectResult::Snapshot(snapshot("bbbbbbbbbbbb")))
            .passed()
            .paid(EffectKind::Judge, EffectResult::Judge(approved()), spent(12, 18, Basis::Told))
    }

    /// One iteration that nobody claimed: tests that fail, two lint errors, and how much was covered.
    pub(crate) fn measured(failed: u32, coverage_bp: u32) -> Scene {
        let tests = Some(TestCounts { passed: 11, failed, skipped: 0 });
        let unlinted = CheckRun { lint_errors: Some(2), tests: None, ..red("") };
        Scene::sealed_as(measured_contract())
            .probe("test", red("tests::adds"))
            .probe("lint", green(None))
            .turn(None, "aaaaaaaaaaaa")
            .check("test", CheckRun { tests, coverage_bp: Some(coverage_bp), ..red("tests::adds") })
            .check("lint", unlinted)
    }

    /// Both checks and the comparison say yes.
    pub(crate) fn passed(self) -> Scene {
        self.check("test", green(Some(13)))
            .check("lint", green(None))
            .done(EffectKind::Integrity, EffectResult::Integrity(Integrity::default()))
    }

    pub(crate) fn finished(self, end: End) -> Scene {
        self.then(Fact::Finished { end })
    }

    pub(crate) fn summary(&self) -> Summary {
        self.summary_of(&facts(), &dirty())
    }

    pub(crate) fn summary_of(&self, facts: &Facts, worktree: &CheckoutChange) -> Summary {
        Summary::new(facts, &self.history, &self.state, DriverPresence::Absent, worktree)
    }
}

fn key(unit: UnitId, iteration: u32, attempt: u32, work: EffectKind) -> EffectKey {
    EffectKey { unit, iteration, attempt, work }
}

pub(crate) fn number(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("a test's number is not zero")
}

pub(crate) fn committed() -> Closing {
    Closing::Done { commit: Some(CommitId::new("c0ffee00c0ffee")), base: None, left: Vec::new() }
}

/// A step that came to this.
pub(crate) fn thought(word: StepWord) -> StepEnd {
    let outcome = TurnOutcome::Completed;
    StepEnd { outcome, word, duration_ms: 41_000, message: None, denials: Vec::new() }
}

pub(crate) fn rejected(fingerprint: &str) -> JudgeWord {
    JudgeWord::Rejected { fingerprint: Digest::new(fingerprint) }
}

pub(crate) fn approved() -> JudgeWord {
    JudgeWord::Approved { evidence_inside: 2, findings: OnFindings::Silent }
}

/// In cents and thousands of tokens.
pub(crate) fn spent(cents: u64, kilotokens: u64, basis: Basis) -> Spent {
    Spent { microdollars: cents * 10_000, tokens: kilotokens * 1_000, basis }
}

pub(crate) fn question() -> Question {
    Question {
        text: "May the old format be dropped?\nTwo callers still write it.".into(),
        evidence: Some("tests/old.rs reads it, the goal does not name it".into()),
        options: vec!["keep reading it".into(), "drop it, and say so in CHANGELOG.md".into()],
        concern: None,
    }
}

/// A session works from here on, known by this id or not yet.
pub(crate) fn bound(id: Option<&str>) -> Fact {
    Fact::Bound { worker: Worker::Session { host: "claude".into(), id: id.map(str::to_owned) } }
}

pub(crate) fn done() -> Claim {
    Claim::Done { no_test: None }
}

pub(crate) fn turn(claim: Option<Claim>) -> Turn {
    Turn {
        outcome: TurnOutcome::Completed,
        claim,
        tool_calls: Some(4),
        brief: Brief::NotAsked,
        duration_ms: 12_300,
        message: None,
        session: None,
        denials: Vec::new(),
        remainder: Remainder::Unnamed,
        blocks_left: None,
        orientation: None,
    }
}

pub(crate) fn snapshot(tree: &str) -> Snapshot {
    let commit = CommitId::new(format!("c{}", &tree[1..]));
    Snapshot {
        candidate: Candidate { commit, tree: TreeId::new(tree) },
        drifted: Vec::new(),
        left_out: Vec::new(),
        base: None,
        resembles: None,
        tasks: None,
    }
}

pub(crate) fn green(passed: Option<u32>) -> CheckRun {
    CheckRun {
        verdict: CheckVerdict::Green { repaired: 0 },
        exit: Some(0),
        duration_ms: 3_149,
        tests: passed.map(|passed| TestCounts { passed, failed: 0, skipped: 0 }),
        lint_errors: None,
        coverage_bp: None,
        summary: String::new(),
        failed: Vec::new(),
        log: Some(Digest::new("10610610")),
    }
}

pub(crate) fn red(summary: &str) -> CheckRun {
    CheckRun {
        verdict: CheckVerdict::Red { fingerprint: Digest::new("f1f1") },
        exit: Some(101),
        tests: Some(TestCounts { passed: 12, failed: 1, skipped: 0 }),
        summary: summary.into(),
        ..green(None)
    }
}

pub(crate) fn unrunnable() -> CheckRun {
    CheckRun {
        verdict: CheckVerdict::Unrunnable {
            fingerprint: Digest::new("f2f2"),
            hindrance: Hindrance::NeverBegan,
        },
        exit: Some(127),
        tests: None,
        summary: "sh: cargo: not found".into(),
        ..green(None)
    }
}

pub(crate) fn findings() -> Integrity {
    let finding = |path: &str, what: &str| Finding { path: path.into(), what: what.into() };
    Integrity {
        findings: vec![
            finding("tests/login.rs", "the test `rejects_a_blank_password` is gone"),
            finding("package.json", "scripts.test is `true`"),
        ],
        ..Integrity::default()
    }
}

pub(crate) fn facts() -> Facts {
    let check = |name: &str, command: &str| (CheckName::new(name), command.to_owned());
    Facts {
        loop_id: LoopId::new("2026-02-13T1430_login-feature"),
        handle: "k3v9".into(),
        is_alone: false,
        spec_id: "60a160a160a1".into(),
        passed_over: Vec::new(),
        unrun_checks: Vec::new(),
        goal: "로그인 기능을 추가하고 add a test for it\n\nMore words.".into(),
        title: "로그인 기능을 추가하고 add a test for it".into(),
        promise: "COMPLETE".to_owned(),
        checks: BTreeMap::from([
            check("test", "cargo test --workspace"),
            check("lint", "cargo clippy --workspace --all-targets -- --deny warnings"),
        ]),
        criteria: Vec::new(),
        isolation: Vec::new(),
        surroundings: vec!["in a checkout of its own, not isolated".into()],
        logs: "/home/kim/.local/state/gulf/loops/login-feature/iterations".into(),
        logs_shown: "/home/kim/.local/state/gulf/loops/login-feature/iterations".into(),
        branch: None,
        fork: None,
        landing: None,
        channels: Vec::new(),
        again_command: "gulf run -f PROMPT.md".into(),
        again_limits: BTreeMap::new(),
        changed_checks: Vec::new(),
        note: None,
        last_words: Vec::new(),
        undone: Vec::new(),
        review: None,
        preset: Some("judge".to_owned()),
        prd: None,
        list: None,
        task_criteria: BTreeMap::from([("T1".into(), vec!["an empty name is refused".into()])]),
    }
}

pub(crate) fn dirty() -> CheckoutChange {
    CheckoutChange::Uncommitted {
        deleted: Vec::new(),
        entangled: Vec::new(),
        before_landing: None,
        before_discarding: None,
    }
}

/// Every end, one of each kind at least.
pub(crate) fn ends() -> Vec<(&'static str, End)> {
    let test = || CheckName::new("test");
    let tests = || (1..=5).map(|index| format!("tests::new_{index}")).collect();
    let proofs = vec![
        Proof::BaseRed { check: test() },
        Proof::Repaired { check: test() },
        Proof::NewTest { tests: tests() },
        Proof::Criterion,
    ];
    let causes = vec![
        Cause::NoCheck,
        Cause::CriteriaNotProven { count: 2 },
        Cause::TaskNotJudged { task: "T1".into(), count: 1 },
        Cause::NothingChanged,
        Cause::NothingCouldFail { reason: None },
        Cause::NothingCouldFail { reason: Some("only a comment changed".into()) },
        Cause::Findings { count: 2 },
        Cause::Waived,
        Cause::Flaky { check: CheckName::new("test"), no_in: 1, yes_in: 2 },
    ];
    let unavailable =
        |party| End::Unavailable { party, reason: "connection refused, 5 times in a row".into() };
    vec![
        ("verified", End::Verified { proofs }),
        ("attested", End::Attested { causes }),
        ("stalled-same-candidate", End::Stalled { by: Stall::SameCandidate }),
        ("stalled-oscillation", End::Stalled { by: Stall::Oscillation }),
        ("stalled-same-failure", End::Stalled { by: Stall::SameFailure }),
        ("stalled-idle", End::Stalled { by: Stall::Idle }),
        ("stalled-plateau", End::Stalled { by: Stall::Plateau }),
        ("stalled-recurrence", End::Stalled { by: Stall::Recurrence }),
        ("exhausted-iterations", End::Exhausted { limit: Exhaustion::Iterations }),
        ("exhausted-time", End::Exhausted { limit: Exhaustion::Time }),
        ("exhausted-money", End::Exhausted { limit: Exhaustion::Money }),
        ("exhausted-tokens", End::Exhausted { limit: Exhaustion::Tokens }),
        ("unavailable-agent", unavailable(Party::Agent)),
        ("unavailable-judge", unavailable(Party::Judge)),
        ("unavailable-host", unavailable(Party::Host)),
        ("violated", End::Violated),
        ("cancelled", End::Cancelled),
    ]
}

pub(crate) const PAUSES: [PauseReason; 17] = [
    PauseReason::Asked,
    PauseReason::Milestone,
    PauseReason::Research,
    PauseReason::HumanGate,
    PauseReason::NoVerdict,
    PauseReason::Question,
    PauseReason::Denied,
    PauseReason::NeedsPerson,
    PauseReason::HostLimit,
    PauseReason::Idle,
    PauseReason::ReadyToLand,
    PauseReason::Step,
    PauseReason::Review,
    PauseReason::Stuck,
    PauseReason::Limit,
    PauseReason::Declined,
    PauseReason::TestsChanged,
];

/// Everything a list can show.
pub(crate) fn standings() -> Vec<LoopStatus> {
    let ends = ends().into_iter().map(|(_, end)| LoopStatus::Ended(end));
    let in_session = LoopStatus::InSession { host: "claude".into(), id: None };
    let others = [LoopStatus::Running, LoopStatus::Interrupted, LoopStatus::Paused(PauseReason::Milestone)];
    others.into_iter().chain(ends).chain([in_session]).collect()
}
