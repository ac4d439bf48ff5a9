//! Random walks: long loops with everything in them, and journals that no driver wrote. For a long search, such as after
//! a change of a rule: `PROPTEST_CASES=20000 cargo test --release -p gulf-engine walks`.

use super::given::*;
use super::world::{Answers, Luck, Move, World};
use crate::*;
use proptest::collection::vec;
use proptest::prelude::*;

fn any_contract() -> impl Strategy<Value = Contract> {
    let policy = (1..50_u32, 0..4_u32, any::<[bool; 16]>(), 0..16_u8, 0..4_u8, 1..4_u32, 0..3_u64, 0..4_u64);
    policy.prop_map(|(limit, milestone, switches, gates, research, units, time, budget)| {
        contract_with(|contract| {
            let [
                forced,
                every,
                reset,
                stop,
                green,
                baselined,
                slow,
                followed,
                reserved,
                lands,
                attested,
                thoughtful,
                measured,
                reviewed,
                required,
                paneled,
            ] = switches;
            let policy = &mut contract.policy;
            policy.limits.iterations_max = times(limit);
            policy.limits.active_ms_max = (time > 1).then_some(time * 500);
            policy.limits.microdollars_max = (budget & 1 > 0).then_some(40);
            policy.limits.tokens_max = (budget & 2 > 0).then_some(90);
            policy.limits.reserve = if reserved { Reserve::DearestIteration } else { Reserve::Nothing };
            let landing = if attested { Landing::OrAttested } else { Landing::Verified };
            policy.landing = lands.then_some(landing);
            policy.feedback = measured.then_some(FeedbackPolicy {
                auto_converge: reset,
                // Twice an iteration, the person would be asked more often than luck allows.
                human_review: reviewed && milestone != 1,
                coverage: if required { CoverageNeed::Required } else { CoverageNeed::Shown },
                ..feedback_policy()
            });
            policy.follow_up = if followed { FollowUp::Once } else { FollowUp::Off };
            let all_steps = [
                (Step::Analyze, StepWhen::Every),
                (Step::Plan, StepWhen::First),
                (Step::Criticize, StepWhen::First),
                (Step::Cause, if every { StepWhen::AfterRepeatedFailure } else { StepWhen::AfterRefusal }),
            ];
            policy.steps = steps(if thoughtful { &all_steps } else { &[] });
            policy.reviewers = if paneled { vec![Reviewer::Qa, Reviewer::Security] } else { Vec::new() };
            policy.milestone_every = core::num::NonZeroU32::new(milestone);
            policy.force_max = if forced { ForceMax::On } else { ForceMax::Off };
            policy.judge = if every { JudgeWhen::Every } else { JudgeWhen::OnClaim };
            policy.rejections.then = if reset { Rejections::ResetStrategy } else { Rejections::Pause };
            policy.findings = if stop { FindingsPolicy::Stop } else { FindingsPolicy::Attest };
            policy.expectation = if green { Expectation::StayGreen } else { Expectation::Auto };
            policy.retries.backoff_ms = if slow { 30 } else { 0 };
            let all = [Research::Gate, Research::Brief, Research::Inline, Research::Off];
            policy.research = all[usize::from(research)];
            policy.gates = [Gate::Tasks, Gate::Checks, Gate::Integrity, Gate::Judge]
                .into_iter()
                .zip([8, 1, 2, 4])
                .filter_map(|(gate, bit)| (gates & bit > 0).then_some(gate))
                .chain((measured && gates & 1 > 0).then_some(Gate::Feedback))
                .collect();
            policy.retries.failures_max = times(4);
            policy.stuck.same_failure_max = times(6);
            policy.stuck.same_candidate_max = times(6);
            policy.stuck.then = if thoughtful == stop { Standstill::Ask } else { Standstill::End };
            policy.stuck.recurrences_max = green.then_some(times(4));
            give_a_list(contract, units, limit);
            contract.checks.push(terms("lint"));
            contract.checks[0].baseline = if baselined { Baseline::Accepted } else { Baseline::Refused };
        })
    })
}

/// None, two tasks, or four of which some wait for others.
fn give_a_list(contract: &mut Contract, units: u32, limit: u32) {
    let lists: [&[&[u32]]; 3] = [&[], &[&[], &[]], &[&[], &[], &[0], &[1, 2]]];
    contract.tasks = listed(lists[usize::try_from(units - 1).unwrap()]);
    contract.policy.task_limit = [TaskLimit::Ask, TaskLimit::Skip, TaskLimit::Stop][limit as usize % 3];
}

fn all_thoughts() -> Vec<StepEnd> {
    vec![
        thought(StepWord::Said),
        thought(StepWord::Said),
        thought(StepWord::Incomplete { missing: Vec::new() }),
        objected(),
        thoughtless(TurnOutcome::TimedOut),
        thoughtless(TurnOutcome::RateLimited { wait_ms: 40 }),
    ]
}

fn all_answers() -> Answers {
    let claiming_in_vain = Turn { claim: Some(done_without_test()), ..failing() };
    let timed_out = Turn { outcome: TurnOutcome::TimedOut, ..turn() };
    Answers {
        steps: all_thoughts(),
        turns: vec![
            turn(),
            claiming(),
            failing(),
            idling(),
            briefed(),
            unbriefed(),
            claiming_in_vain,
            timed_out,
            in_session(),
            in_session(),
            asking(),
            limited(40),
            needing_a_person(),
            ending_as(TurnOutcome::ContextFull),
            denied("network", 2),
            with_blocks_left(turn(), 0),
            with_blocks_left(claiming(), 1),
        ],
        turn_ms: 11,
        follow_ups: vec![turn(), claiming(), asking(), failing(), limited(40)],
        costs: vec![cost(0, 0), cost(1, 2), cost(2, 3)],
        trees: ["base", "a", "b", "c"].map(String::from).to_vec(),
        checks: any_runs(),
        probes: vec![green(), red(), unrunnable(), measured(0, 0, Some(9_000))],
        integrity: vec![intact(), intact(), tampered()],
        overlays: vec![new_test_red(), not_shown()],
        judge: vec![
            approved(),
            approved_without_evidence(),
            rejected(),
            JudgeWord::NoVerdict,
            unreachable(),
            JudgeWord::RateLimited { wait_ms: 40 },
            JudgeWord::NeedsPerson { why: String::from("not signed in") },
            JudgeWord::Approved { evidence_inside: 0, findings: OnFindings::Follow },
        ],
        landings: vec![landed(), clashing(Clash::Conflict), clashing(Clash::Red), not_ready()],
        tallies: vec![tally(0, 0), tally(0, 0), tally(1, 0), tally(0, 1), None],
        closings: vec![written_down(), not_written_down()],
        marks: vec![(None, None), (None, None), (None, resembling(1)), (Some(base("c")), None)],
        mishaps: vec![failed(), EffectResult::Interrupted],
        environments: vec!["here", "there"],
        acts: vec![
            Act::Pause,
            Act::Claim(done()),
            Act::Claim(Claim::Conflict(question("which of the two?"))),
            Act::Steer(String::from("look")),
            answer("so"),
            approval(),
            rejection(),
            Act::Claim(Claim::Blocked { task: String::from("first this") }),
            Act::Skip,
            Act::Cancel,
        ],
        amended: vec![contract_with(|contract| {
            contract.digest = Digest::new("amended");
            contract.checks.push(terms("lint"));
            contract.checks[1].digest = Digest::new("lint, amended");
        })],
        workers: vec![Worker::Processes, in_host(None), in_host(Some("one")), in_host(Some("two"))],
        adopted: vec![(0, 0), (3, 1), (60, 0)],
    }
}

fn any_runs() -> Vec<CheckRun> {
    vec![
        green(),
        green(),
        red(),
        red_like("crash"),
        repaired(),
        unrunnable(),
        measured(1, 2, None),
        measured(0, 0, Some(8_000)),
        measured(0, 0, Some(9_000)),
    ]
}

/// A worker that does it right, on a tree that nobody has seen.
fn good_answers(tree: String, brief: bool) -> Answers {
    Answers {
        steps: vec![thought(StepWord::Said)],
        turns: vec![if brief { briefed() } else { claiming() }],
        turn_ms: 0,
        follow_ups: vec![claiming()],
        costs: Vec::new(),
        trees: vec![tree],
        checks: vec![measured(0, 0, Some(9_000))],
        probes: vec![red()],
        integrity: vec![intact()],
        overlays: vec![new_test_red()],
        judge: vec![approved()],
        landings: vec![landed()],
        tallies: vec![tally(0, 0)],
        closings: Vec::new(),
        marks: vec![(None, None)],
        mishaps: Vec::new(),
        environments: Vec::new(),
        acts: Vec::new(),
        amended: Vec::new(),
        workers: Vec::new(),
        adopted: Vec::new(),
    }
}

fn take(world: &mut World, step: &Move, journal: &mut Vec<Event>) {
    match world.step(step) {
        Ok(event) => journal.push(event),
        Err(law) => {
            let facts: Vec<String> = journal.iter().map(|event| format!("{:?}", event.fact)).collect();
            // The law last: the end of a long output is what people see.
            panic!("in {world:?}\nafter\n  {}\nby {:?}\nbroken: {law}", facts.join("\n  "), step.fact)
        }
    }
}

fn fold<'a>(journal: impl IntoIterator<Item = &'a Event>) -> State {
    let mut state = State::default();
    journal.into_iter().for_each(|event| state.apply(event));
    state
}

fn walk(contract: &Contract, choices: &[u16]) -> (World, Vec<Event>) {
    let mut world =
        World::sealed(contract, Luck { acts: 9, deaths: 9, resumes: 250, waits: 9, binds: 9, reopenings: 9 });
    let fact = Fact::Sealed { contract: Box::new(contract.clone()) };
    let mut journal = vec![Event { sequence: 1, at_ms: 0, active_ms: 0, fact }];
    let mut answers = all_answers();
    for amended in &mut answers.amended {
        amended.tasks.clone_from(&contract.tasks);
    }
    for choice in choices {
        let moves = world.moves(&answers).unwrap_or_else(|law| panic!("{law}: {world:#?}"));
        if moves.is_empty() {
            break;
        }
        // Mostly nothing goes wrong: a loop that fails at every step is a short one.
        let good: Vec<&Move> = moves.iter().filter(|step| step.is_good).collect();
        let pool = if choice >> 8 < 240 && !good.is_empty() { good } else { moves.iter().collect() };
        take(&mut world, pool[usize::from(choice & 0xff) % pool.len()], &mut journal);
    }
    (world, journal)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_laws_hold_on_long_walks(contract in any_contract(), choices in vec(any::<u16>(), 0..400)) {
        let (world, journal) = walk(&contract, &choices);
        let printed: Vec<String> = journal.iter().map(|event| serde_json::to_string(event).unwrap()).collect();
        let parsed: Vec<Event> = printed.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        prop_assert_eq!(&fold(&parsed), &world.state);
        let twice = journal.iter().enumerate().flat_map(|(place, event)| [event, &journal[place / 2], event]);
        prop_assert_eq!(fold(twice), world.state);
    }

    #[test]
    fn some_good_events_finish_the_loop(contract in any_contract(), choices in vec(any::<u16>(), 0..150)) {
        let (mut world, mut journal) = walk(&contract, &choices);
        // A person looks at every iteration of every unit, twice where it is a milestone.
        world.luck = Luck { resumes: 1_000, ..Luck::default() };
        for number in 0..20_000 {
            let unit = world.state.unit();
            let gated = matches!(contract.policy.research, Research::Gate | Research::Brief);
            let brief = gated && unit.id.0 == 0 && unit.iteration <= 1;
            let tree = if brief { world.state.base().map_or_else(String::new, |base| base.tree.to_string()) } else { format!("fresh-{number}") };
            let moves = world.moves(&good_answers(tree, brief)).unwrap();
            let Some(step) = moves.iter().find(|step| step.is_good) else { break };
            take(&mut world, step, &mut journal);
        }
        prop_assert!(world.ledger.ended, "still {:?}", decide(&world.state));
    }

    #[test]
    fn events_out_of_place_are_noticed_and_hurt_nobody(
        contract in any_contract(),
        choices in vec(any::<u16>(), 0..60),
        soup in vec((any_fact(), 0..4_u64), 1..30),
    ) {
        let (world, _) = walk(&contract, &choices);
        let mut state = world.state;
        for (fact, ahead) in soup {
            let before = state.clone();
            // Mostly the next one; sometimes one that was seen, or one too far.
            let sequence = state.sequence() + [1, 1, 0, 2][usize::try_from(ahead).unwrap()];
            state.apply(&Event { sequence, at_ms: 0, active_ms: 0, fact });
            if ahead == 2 || before.anomaly().is_some() {
                prop_assert_eq!(&state, &before);
            }
            if ahead == 3 {
                prop_assert!(state.anomaly().is_some());
            }
            if state.anomaly().is_some() {
                prop_assert_eq!(decide(&state), Decision::Rest);
            }
        }
    }
}

fn any_fact() -> impl Strategy<Value = Fact> {
    let work = prop_oneof![
        Just(Work::Turn),
        Just(Work::FollowUp),
        Just(Work::Snapshot),
        Just(Work::Check { name: check_name("test") }),
        Just(Work::Probe { name: check_name("test") }),
        Just(Work::Integrity),
        Just(Work::Overlay),
        Just(Work::Judge),
    ];
    let key = (0..2_u32, 0..4_u32, 1..4_u32, work).prop_map(|(unit, iteration, attempt, work)| EffectKey {
        unit: UnitId(unit),
        iteration,
        attempt,
        work,
    });
    let result = prop_oneof![
        Just(EffectResult::Turn(claiming())),
        Just(EffectResult::Turn(asking())),
        Just(EffectResult::Turn(limited(3))),
        Just(EffectResult::Snapshot(snapshot("a"))),
        Just(EffectResult::Check(green())),
        Just(EffectResult::Integrity(tampered())),
        Just(EffectResult::Overlay(not_shown())),
        Just(EffectResult::Judge(unreachable())),
        Just(EffectResult::Judge(rejected())),
        Just(EffectResult::Interrupted),
        Just(failed()),
    ];
    let end = || prop_oneof![Just(End::Verified { proofs: Vec::new() }), Just(End::Cancelled)];
    let settlement = prop_oneof![
        Just(Settlement::Research),
        Just(Settlement::AgentFailed),
        Just(Settlement::Unclaimed),
        Just(Settlement::Refused { gate: Gate::Judge }),
        Just(Settlement::Asked),
        Just(Settlement::Approved),
        Just(Settlement::Questioned),
        Just(Settlement::Rejected),
        Just(Settlement::RateLimited),
        Just(Settlement::NeedsPerson),
        Just(Settlement::Unjudged),
    ];
    let reason = || String::from("x");
    prop_oneof![
        key.clone().prop_map(|key| Fact::Spent { key, spent: cost(u64::MAX, 1) }),
        (0..3_u32).prop_map(move |question| Fact::Answered { question, answer: reason(), by: None }),
        prop_oneof![
            Just(Fact::Approved { reason: reason(), by: None }),
            Just(Fact::Rejected { reason: reason(), by: None }),
            Just(Fact::Amended { contract: Box::new(contract()) }),
            Just(Fact::Claimed { claim: need_decision("x") }),
        ],
        any_fact_of_a_session(),
        key.clone().prop_map(|key| Fact::Began { key }),
        (key, result).prop_map(|(key, result)| Fact::Ended { key, result }),
        settlement.prop_map(|settlement| Fact::Settled { settlement }),
        end().prop_map(|end| Fact::UnitFinished { end }),
        end().prop_map(|end| Fact::Finished { end }),
        Just(Fact::Sealed { contract: Box::new(contract()) }),
        Just(Fact::Attached { driver: String::from("x"), environment: Digest::new("there") }),
        Just(Fact::Claimed { claim: done() }),
        Just(Fact::Steered { note: String::from("x") }),
        Just(Fact::Paused { reason: PauseReason::Milestone }),
        prop_oneof![Just(Fact::PauseAsked), Just(Fact::CancelAsked), Just(Fact::Resumed)],
        prop_oneof![Just(Fact::StrategyReset), Just(Fact::Woke), Just(Fact::TailDropped { bytes: 1 })],
    ]
}

fn any_fact_of_a_session() -> impl Strategy<Value = Fact> {
    prop_oneof![
        Just(Fact::Bound { worker: in_host(None) }),
        Just(Fact::Bound { worker: Worker::Processes }),
        (0..4_u32).prop_map(|iteration| Fact::Adopted { iteration, rejections: 1 }),
        Just(Fact::Reopened { turn: claiming() }),
    ]
}
