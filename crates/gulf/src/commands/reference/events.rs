//! The page of events: each fact with a real value's own JSON line.
//!
//! It stands apart because the values are many; what they mean is matched without a catch-all, so a new fact does not
//! compile until it has its sentence, and a test asks the decoder for the names of all.

use std::fmt::Write as _;
use std::num::NonZeroU32;

use gulf_engine::{
    Again, Base, Baseline, Basis, Brief, By, Canary, Candidate, Cause, ChangedPlace, CheckName, CheckRun,
    CheckTerms, CheckVerdict, Claim, Closing, CommitId, Concern, ContextPolicy, Contract, ContractTask,
    Denial, Digest, Disclosure, ENGINE_VERSION, EffectKey, EffectResult, ElsewhereRuns, End, Event,
    Exhaustion, Expectation, Fact, Feedback, Finding, FindingsPolicy, FollowUp, ForceMax, Gate, Integrity,
    JudgeWhen, JudgeWord, Landing, LandingWord, Limits, OnFindings, Orientation, OrientationEnd, Overlay,
    Part, PartWord, PauseReason, Phase, Policy, Proof, Question, RejectionPolicy, Rejections, Remainder,
    Research, Resemblance, Reserve, RetryPolicy, Reviewer, Runnable, Session, SetAside, Settlement, Snapshot,
    Spent, Standstill, Step, StepEnd, StepTerms, StepWhen, StepWord, StuckPolicy, TaskLimit, TaskTally,
    TestCounts, Told, TreeId, Turn, TurnOutcome, UnitId, Word, Work, Worker,
};
use gulf_runner::book;
use gulf_views::event_json;

/// 2026-02-13T14:30:00Z, when every example happened.
const AT_MS: u64 = 1_770_993_000_000;

/// Every fact with its sentence and an example.
pub(super) fn page() -> String {
    let mut page = String::from(
        "# Events\n\n\
         One line of JSON each: in `journal.jsonl`, on `gulf run --json`, and on `gulf log --json`. Public and\n\
         versioned: `v` is the version of the line, `sequence` counts from 1 without gaps, `at_ms` is the wall clock in\n\
         milliseconds since 1970, `active_ms` is how long the loop has run, pauses and downtime not counted. What is not\n\
         known is null, never zero.\n",
    );
    let mut heading = String::new();
    for (sequence, fact) in (1..).zip(examples()) {
        let event = Event { sequence, at_ms: AT_MS + sequence * 1000, active_ms: sequence * 1000, fact };
        let name = event_json(&event)["event"]["fact"]["type"].as_str().unwrap_or_default().to_owned();
        if name != heading {
            let _ = write!(page, "\n## {name}\n\n{}\n", sentence(&event.fact));
            heading = name;
        }
        if let Fact::Ended { result, .. } = &event.fact {
            let _ = write!(page, "\n{}:\n", result_sentence(result));
        }
        // As the journal has it; an event of ours always has a JSON form, and a test reads each one back.
        let line = book::print(&event).unwrap_or_default();
        let _ = write!(page, "\n```json\n{}\n```\n", String::from_utf8_lossy(&line));
    }
    page
}

fn sentence(fact: &Fact) -> &'static str {
    match fact {
        Fact::Sealed { .. } => {
            "The contract was sealed: the loop exists. `digest` is that of `sealed/contract.json`."
        }
        Fact::Attached { .. } => {
            "A driver took over the loop; whatever an earlier one had started is orphaned."
        }
        Fact::Bound { .. } => {
            "Who works from here on: agent processes that gulf starts, or a session that a person opened. `id` is null \
             until a session of that host stops."
        }
        Fact::Adopted { .. } => {
            "The loop continues from a state file of another loop; this comes right after `sealed`."
        }
        Fact::Reopened { .. } => {
            "A session's turn continued after gulf had started checking it: the result is checked again."
        }
        Fact::Began { .. } => {
            "An effect starts: a turn, a snapshot, a check, a probe of the base, a comparison."
        }
        Fact::Ended { .. } => "An effect is over; `result` says what came of it.",
        Fact::Spent { .. } => {
            "What a turn or a judge's call cost; it stands before its end, also where it was interrupted."
        }
        Fact::Claimed { .. } => {
            "The worker's word, through `gulf claim`: it asks for evaluation, or it asks a person."
        }
        Fact::Answered { .. } => {
            "A person answered a question; questions are counted from 1. `by` says who, where a channel brought it; so it does in \
             `approved` and `rejected`."
        }
        Fact::Approved { .. } => "A person overruled the judge about the last candidate.",
        Fact::Rejected { .. } => "A person rejected the last candidate.",
        Fact::Amended { .. } => {
            "A person changed the contract; what it replaces stays, `digest` is that of `sealed/contract-2.json` or a \
             later one."
        }
        Fact::Steered { .. } => "A person left a note for the next iteration.",
        Fact::FeedbackTold { .. } => {
            "Somebody measured something (`gulf feedback record`); it changes nothing."
        }
        Fact::PauseAsked => "A person asked for a pause.",
        Fact::CancelAsked => "A person asked to cancel.",
        Fact::Outrun => "Another worker of the group finished first: a cancel is requested.",
        Fact::Paused { .. } => "The loop rests until a person resumes it.",
        Fact::Resumed => "A person resumed it.",
        Fact::Settled { .. } => "An iteration is settled; `settlement` says how.",
        Fact::StrategyReset => "A fundamentally different approach is requested.",
        Fact::UnitSkipped { .. } => "A task of a list is skipped; the next one follows, if there is one.",
        Fact::UnitFinished { .. } => "A unit of work is finished, and another one follows.",
        Fact::Woke => "Time passed: a wait or a limit is due.",
        Fact::Decided { .. } => "What was decided and why, for people and for replay; it changes nothing.",
        Fact::Divided { .. } => "The plan's steps are worked on side by side, or by one worker, and why.",
        Fact::Edited { .. } => "Files were changed while no turn ran, so not by the worker.",
        Fact::Researched { .. } => "While only a brief was asked for, files were changed and are kept.",
        Fact::PartTold { .. } => {
            "A step of the plan begins in a worktree of its own, is joined into the loop's branch, or stays out."
        }
        Fact::Taken { .. } => "A request from another process was looked at, and is not looked at again.",
        Fact::Refused { .. } => "A request was refused; it changes nothing.",
        Fact::TailDropped { .. } => "A crash left an unfinished last line; it was set aside.",
        Fact::Finished { .. } => "The loop is over; `end` says how (see exit-codes.md).",
        Fact::LandingAsked { .. } => "A person wants finished work on this branch (`gulf land`).",
        Fact::LandingTold { .. } => "The result of that.",
        Fact::Discarded { .. } => "A person discarded the work of an ended loop (`gulf discard`).",
    }
}

fn result_sentence(result: &EffectResult) -> &'static str {
    match result {
        EffectResult::Step(_) => "A turn beside the work is over: something was thought about, or was not",
        EffectResult::Turn(_) => "The worker's turn is over",
        EffectResult::Snapshot(_) => "The candidate is built: the one commit that every gate checks",
        EffectResult::Check(_) => "A check ran, on the candidate or (as a probe) on the base",
        EffectResult::Integrity(_) => {
            "The candidate's tests and runner configuration were compared with the base's"
        }
        EffectResult::Overlay(_) => "The candidate's new tests ran on the base's code",
        EffectResult::Judge(_) => "The judge gave a verdict",
        EffectResult::Landing(_) => {
            "The base branch has the candidate, or the two do not work together, or a person must resolve something"
        }
        EffectResult::Closed { .. } => {
            "A finished task of a list is committed and ticked, or a person must resolve something"
        }
        EffectResult::Interrupted => "It was stopped, by gulf or by gulf's death, and has no result",
        EffectResult::Failed { .. } => "The host could not do it; this says nothing about the work",
        EffectResult::NeedsPerson { .. } => {
            "The host cannot do it until a person fixes something (the repository is gone); the loop pauses"
        }
    }
}

fn examples() -> Vec<Fact> {
    let mut facts = vec![
        Fact::Sealed { contract: Box::new(contract()) },
        Fact::Attached {
            driver: format!("gulf {} run", env!("CARGO_PKG_VERSION")),
            environment: digest('e'),
        },
        Fact::Bound {
            worker: Worker::Session {
                host: "claude".to_owned(),
                id: Some("0199a213-81c0-7800-8aa1-bbab2a035a53".to_owned()),
            },
        },
        Fact::Adopted { iteration: 7, rejections: 2 },
        Fact::Began { key: key(Work::Turn) },
    ];
    facts.extend(results().map(|(work, result)| Fact::Ended { key: key(work), result }));
    facts.extend([
        Fact::Reopened { turn: Turn { blocks_left: Some(7), ..turn() } },
        Fact::Spent { key: key(Work::Turn), spent: spent() },
        Fact::Claimed { claim: Claim::Done { no_test: None } },
        Fact::Claimed { claim: Claim::NeedDecision(question()) },
        Fact::Answered { question: 1, answer: "remove it".to_owned(), by: None },
        Fact::Answered {
            question: 2,
            answer: "keep it".to_owned(),
            by: Some(By {
                channel: "slack".to_owned(),
                who: "U0123456789".to_owned(),
                message: "1770993020.000200".to_owned(),
                said_at_ms: 1_770_993_020_000,
            }),
        },
        Fact::Approved { reason: "the wording is ours to choose".to_owned(), by: None },
        Fact::Rejected { reason: "the error must name the file".to_owned(), by: None },
        Fact::Amended { contract: Box::new(contract()) },
        Fact::Steered { note: "keep the old flag as an alias".to_owned() },
        Fact::FeedbackTold { told: told() },
        Fact::PauseAsked,
        Fact::CancelAsked,
        Fact::Outrun,
        Fact::Paused { reason: PauseReason::Milestone },
        Fact::Resumed,
        Fact::Settled { settlement: Settlement::Refused { gate: Gate::Checks } },
        Fact::StrategyReset,
        Fact::UnitFinished { end: End::Attested { causes: vec![Cause::NothingCouldFail { reason: None }] } },
        skipped(),
        divided(),
        Fact::PartTold { id: "S1".to_owned(), word: PartWord::Begun },
        left_out(),
        Fact::Edited { paths: vec!["src/main.rs".to_owned()], more: 0 },
        Fact::Researched { changed: vec!["src/main.rs".to_owned()], more: 0 },
        Fact::Woke,
        Fact::Decided {
            word: Word::Continue,
            reason: "the checks said no".to_owned(),
            engine_version: ENGINE_VERSION,
        },
        Fact::Taken { request: "1770993020000-000000.json".to_owned() },
        Fact::Refused { request: "resume".to_owned(), reason: "the loop is not paused".to_owned() },
        Fact::TailDropped { bytes: 112 },
        Fact::Finished { end: End::Verified { proofs: vec![Proof::BaseRed { check: test() }] } },
        Fact::LandingAsked { by: "ada".to_owned(), base: "refs/heads/main".to_owned(), push: None },
        Fact::LandingTold {
            word: LandingWord::NotReady { why: "main is checked out in /work/shop, with changes".to_owned() },
        },
        Fact::Discarded { by: "ada".to_owned() },
    ]);
    facts
}

fn results() -> impl Iterator<Item = (Work, EffectResult)> {
    [
        (Work::Step { step: Step::Cause }, EffectResult::Step(step())),
        (Work::Turn, EffectResult::Turn(turn())),
        (Work::Snapshot, EffectResult::Snapshot(snapshot())),
        (Work::Check { name: test() }, EffectResult::Check(check_run())),
        (
            Work::Integrity,
            EffectResult::Integrity(Integrity {
                findings: vec![Finding {
                    path: "tests/login.rs".to_owned(),
                    what: "the test `rejects_empty` is gone".to_owned(),
                }],
                cleared: vec![Finding {
                    path: "tests/logout.rs".to_owned(),
                    what: "the test ends_the_session was changed".to_owned(),
                }],
                base_tests_fail: true,
                person_only: true,
                again: Some(Again { runs: 3, duration_ms: 1204, failed: false }),
                canary: Some(Canary::Red { test: "tests::adds".to_owned(), runs: 1, duration_ms: 412 }),
                elsewhere: Some(ElsewhereRuns { runs: 2, duration_ms: 730, is_new: true }),
                expectations: vec![ChangedPlace {
                    path: "tests/login.rs".to_owned(),
                    old: vec!["assert_eq!(greeting(), \"hi\");".to_owned()],
                    new: vec!["assert_eq!(greeting(), \"hello\");".to_owned()],
                }],
            }),
        ),
        (
            Work::Overlay,
            EffectResult::Overlay(Overlay::Red { by: vec!["json::prints_an_object".to_owned()] }),
        ),
        (Work::Judge, EffectResult::Judge(judge_word())),
        (Work::Land, EffectResult::Landing(landed())),
        (Work::Close, EffectResult::Closed { closing: closed() }),
        (Work::Probe { name: test() }, EffectResult::Interrupted),
        (Work::Snapshot, EffectResult::Failed { reason: "no space left on device".to_owned() }),
        (Work::Snapshot, EffectResult::NeedsPerson { why: "/home/mo/project/.git is gone".to_owned() }),
    ]
    .into_iter()
}

fn step() -> StepEnd {
    StepEnd {
        outcome: TurnOutcome::Completed,
        word: StepWord::Said,
        duration_ms: 41_000,
        message: Some(digest('6')),
        denials: Vec::new(),
    }
}

fn judge_word() -> JudgeWord {
    JudgeWord::Approved { evidence_inside: 1, findings: OnFindings::Silent }
}

fn divided() -> Fact {
    let part = Part { id: "S1".to_owned(), title: "the parser".to_owned() };
    Fact::Divided { parts: vec![part], why: String::new() }
}

fn left_out() -> Fact {
    let why = "it conflicts: cli.rs".to_owned();
    Fact::PartTold { id: "S1".to_owned(), word: PartWord::LeftOut { why } }
}

fn landed() -> LandingWord {
    LandingWord::Landed { commit: CommitId::new("e".repeat(40)), onto: CommitId::new("a".repeat(40)) }
}

fn closed() -> Closing {
    let left = vec!["notes.txt (it was uncommitted before the loop)".to_owned()];
    Closing::Done { commit: Some(CommitId::new("f".repeat(40))), base: None, left }
}

fn spent() -> Spent {
    Spent { microdollars: 412_500, tokens: 61_200, basis: Basis::Told }
}

fn question() -> Question {
    Question {
        text: "keep the old flag?".to_owned(),
        evidence: Some("docs/cli.md:12 still shows it".to_owned()),
        options: vec!["keep it as an alias".to_owned(), "remove it".to_owned()],
        concern: Some(Concern::Destructive),
    }
}

fn turn() -> Turn {
    Turn {
        outcome: TurnOutcome::Completed,
        claim: Some(Claim::Done { no_test: None }),
        tool_calls: None,
        brief: Brief::NotAsked,
        duration_ms: 61_000,
        message: Some(digest('a')),
        session: Some(Session {
            id: "0199a213-81c0-7800-8aa1-bbab2a035a53".to_owned(),
            used_bp: Some(2_150),
        }),
        denials: vec![Denial { what: "curl".to_owned(), times: 1 }],
        remainder: Remainder::Named,
        blocks_left: None,
        orientation: Some(Orientation { used_bp: 3_400, until: OrientationEnd::Edit }),
    }
}

fn snapshot() -> Snapshot {
    Snapshot {
        candidate: Candidate { commit: CommitId::new("c".repeat(40)), tree: TreeId::new("d".repeat(40)) },
        drifted: vec!["RUBRIC.md".to_owned()],
        left_out: vec!["data/dump.bin: larger than 100 MiB".to_owned()],
        base: None,
        resembles: Some(Resemblance { iteration: 2, common_bp: 8_700 }),
        tasks: Some(TaskTally { open: 2, ticked: 5, missing: 0 }),
    }
}

fn told() -> Told {
    let feedback = Feedback {
        phase: Phase::Review,
        iteration: 2,
        tests_passed: Some(120),
        tests_failed: Some(0),
        lint_errors: None,
        build_success: Some(true),
        coverage_bp: Some(9_150),
        duration_ms: 95_000,
    };
    Told { by: "ada".to_owned(), feedback, notes: "nightly on macOS".to_owned() }
}

fn check_run() -> CheckRun {
    CheckRun {
        verdict: CheckVerdict::Red { fingerprint: digest('f') },
        exit: Some(101),
        duration_ms: 3_200,
        tests: Some(TestCounts { passed: 11, failed: 1, skipped: 0 }),
        lint_errors: None,
        coverage_bp: Some(8_125),
        summary: "11 passed, 1 failed, 0 skipped".to_owned(),
        failed: vec!["test_login".to_owned()],
        log: Some(digest('b')),
    }
}

fn skipped() -> Fact {
    let set_aside = SetAside {
        commit: Some(CommitId::new("c".repeat(40))),
        paths: vec!["src/login.rs".to_owned()],
        left: Vec::new(),
    };
    let why = End::Exhausted { limit: Exhaustion::Iterations };
    Fact::UnitSkipped { why, set_aside: Some(set_aside) }
}

fn contract() -> Contract {
    Contract {
        digest: digest('0'),
        goal: digest('1'),
        base: Base { commit: CommitId::new("a".repeat(40)), tree: TreeId::new("b".repeat(40)) },
        checks: vec![CheckTerms {
            name: test(),
            digest: digest('2'),
            baseline: Baseline::Refused,
            runnable: Runnable::Required,
            disclosure: Disclosure::Open,
        }],
        tasks: vec![ContractTask {
            name: "T0.1".to_owned(),
            title: "the login form".to_owned(),
            after: Vec::new(),
            criteria: 0,
        }],
        policy: policy(),
    }
}

fn policy() -> Policy {
    let count = |number: u32| NonZeroU32::MIN.saturating_add(number - 1);
    Policy {
        limits: Limits {
            iterations_max: count(50),
            active_ms_max: None,
            microdollars_max: Some(5_000_000),
            tokens_max: None,
            turns_per_hour: None,
            reserve: Reserve::Nothing,
        },
        feedback: None,
        milestone_every: None,
        force_max: ForceMax::Off,
        research: Research::Inline,
        gates: vec![Gate::Checks, Gate::Integrity],
        judge: JudgeWhen::OnClaim,
        rejections: RejectionPolicy { threshold: count(5), then: Rejections::Pause },
        findings: FindingsPolicy::Attest,
        expectation: Expectation::Auto,
        stuck: StuckPolicy {
            same_candidate_max: count(3),
            oscillations_max: count(3),
            same_failure_max: count(5),
            idle_max: count(3),
            recurrences_max: Some(count(6)),
            orientation_bp_max: Some(2_000),
            then: Standstill::Ask,
        },
        retries: RetryPolicy { failures_max: count(5), backoff_ms: 1_000, research_max: count(5) },
        caps: Vec::new(),
        context: ContextPolicy::Auto { used_bp_max: 5_000 },
        follow_up: FollowUp::Once,
        landing: Some(Landing::Verified),
        steps: vec![StepTerms { step: Step::Cause, when: StepWhen::AfterRefusal }],
        reviewers: vec![Reviewer::Qa],
        task_limit: TaskLimit::Ask,
    }
}

fn key(work: Work) -> EffectKey {
    EffectKey { unit: UnitId(0), iteration: 1, attempt: 1, work }
}

fn test() -> CheckName {
    CheckName::new("test")
}

/// A digest that nobody mistakes for a real one.
fn digest(digit: char) -> Digest {
    Digest::new(digit.to_string().repeat(64))
}

/// The names of all variants of a tagged enum, as its own decoder lists them.
#[cfg(test)]
pub(super) fn variants<T: serde::de::DeserializeOwned + std::fmt::Debug>(tag: &str) -> Vec<String> {
    let nobody = serde_json::json!({ tag: "?" });
    let complaint = serde_json::from_value::<T>(nobody).unwrap_err().to_string();
    let names: Vec<String> = complaint.split('`').skip(3).step_by(2).map(str::to_owned).collect();
    assert!(names.len() > 2, "no list of names in: {complaint}");
    names
}

#[cfg(test)]
mod tests {
    use super::{page, variants};
    use gulf_engine::{EffectResult, Event, Fact};

    #[test]
    fn every_fact_has_a_section_and_every_result_an_example() {
        let page = page();
        for name in variants::<Fact>("type") {
            assert!(page.contains(&format!("\n## {name}\n")), "{name} is missing");
        }
        for name in variants::<EffectResult>("kind") {
            assert!(
                page.contains(&format!("\"result\":{{\"kind\":\"{name}\"")),
                "{name} is missing:\n{page}"
            );
        }
    }

    #[test]
    fn every_example_is_read_back_as_an_event() {
        #[derive(serde::Deserialize)]
        struct Line {
            event: Event,
        }
        let page = page();
        let examples: Vec<_> = page.lines().filter(|line| line.starts_with('{')).collect();
        assert!(!examples.is_empty());
        for (sequence, line) in (1..).zip(examples) {
            let read: Line = serde_json::from_str(line).unwrap();
            assert_eq!(read.event.sequence, sequence);
        }
    }
}
