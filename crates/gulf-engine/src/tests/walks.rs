//! Random walks: long loops with everything in them, and journals that no driver wrote. For a long search, such as after
//! a change of a rule: `PROPTEST_CASES=20000 cargo test --release -p gulf-engine walks`.

use super::contracts::{amended, any_contract};
use super::given::*;
use super::world::{Answers, Luck, Move, World, persons_acts};
use crate::*;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

fn all_thoughts() -> Vec<StepEnd> {
    vec![
        thought(StepWord::Said),
        thought(StepWord::Said),
        thought(StepWord::Incomplete { missing: Vec::new() }),
        objected(),
        thoughtless(TurnOutcome::TimedOut),
        thoughtless(TurnOutcome::RateLimited { wait_ms: 40 }),
        thought(StepWord::Said),
        thought(StepWord::Said),
        thoughtless(TurnOutcome::NeedsPerson { why: String::from("not logged in") }),
        thoughtless(TurnOutcome::Declined { why: String::from("I will not") }),
        StepEnd { denials: denied("network", 2).denials, ..thought(StepWord::Said) },
    ]
}

fn all_answers() -> Answers {
    Answers {
        steps: all_thoughts(),
        turns: all_turns(),
        turn_ms: 11,
        follow_ups: vec![
            turn(),
            claiming(),
            asking(),
            failing(),
            limited(40),
            needing_a_person(),
            declining(),
            ending_as(TurnOutcome::OutOfBudget),
            denied("network", 2),
            in_session(),
        ],
        costs: vec![cost(0, 0), cost(1, 2), cost(2, 3)],
        trees: ["base", "a", "b", "c"].map(String::from).to_vec(),
        checks: any_runs(),
        probes: vec![green(), red(), unrunnable(), never_begun(), measured(0, 0, Some(9_000))],
        integrity: vec![intact(), intact(), tampered(), contradicted()],
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
        closings: vec![
            written_down(),
            not_written_down(),
            written_down_with("lesson"),
            written_down_with("c"),
        ],
        marks: vec![(None, None), (None, None), (None, resembling(1)), (Some(base("c")), resembling(2))],
        mishaps: vec![failed(), EffectResult::Interrupted, beyond_the_host()],
        environments: vec!["here", "there"],
        acts: all_acts(),
        amended: Vec::new(),
        workers: vec![Worker::Processes, in_host(None), in_host(Some("one")), in_host(Some("two"))],
        adopted: vec![(0, 0), (3, 1), (60, 0)],
    }
}

fn all_turns() -> Vec<Turn> {
    let claiming_in_vain = Turn { claim: Some(done_without_test()), ..failing() };
    let timed_out = Turn { outcome: TurnOutcome::TimedOut, ..turn() };
    vec![
        turn(),
        turn(),
        turn(),
        claiming(),
        claiming(),
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
        declining(),
        declining(),
        ending_as(TurnOutcome::ContextFull),
        Turn { outcome: TurnOutcome::OutOfBudget, ..claiming() },
        Turn { claim: Some(done()), ..limited(40) },
        Turn { claim: Some(done()), ..needing_a_person() },
        Turn { remainder: Remainder::Named, ..in_session() },
        reading(),
        denied("network", 2),
        with_blocks_left(turn(), 0),
        with_blocks_left(claiming(), 1),
    ]
}

fn all_acts() -> Vec<Act> {
    vec![
        Act::Pause,
        Act::Claim { claim: done() },
        Act::Claim { claim: Claim::Conflict(question("which of the two?")) },
        Act::Steer { note: String::from("look") },
        answer("so"),
        approval(),
        rejection(),
        Act::Claim { claim: Claim::Blocked { task: String::from("first this") } },
        Act::Skip,
        Act::Claim { claim: concerned(Concern::Destructive, "drop the table?") },
        landing_on_main(),
        Act::Discard { by: String::from("person") },
        Act::Cancel,
    ]
}

fn any_runs() -> Vec<CheckRun> {
    vec![
        green(),
        green(),
        red(),
        red_like("crash"),
        repaired(),
        unrunnable(),
        never_begun(),
        measured(1, 2, None),
        measured(0, 0, Some(8_000)),
        measured(0, 0, Some(9_000)),
    ]
}

/// Much was read before the first edit, in a session that can go on.
fn reading() -> Turn {
    let orientation = Some(Orientation { used_bp: 3_000, until: OrientationEnd::Edit });
    Turn { orientation, session: session(Some(4_000)), ..turn() }
}

fn landing_on_main() -> Act {
    let [by, base] = ["person", "refs/heads/main"].map(String::from);
    Act::Land { by, base, push: None }
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
        Ok(event) => {
            look_at(&world.state);
            journal.push(event);
        }
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

fn walk(contract: &Contract, other: &Contract, choices: &[u16]) -> (World, Vec<Event>) {
    let mut world =
        World::sealed(contract, Luck { acts: 9, deaths: 9, resumes: 250, waits: 9, binds: 9, reopenings: 9 });
    let fact = Fact::Sealed { contract: Box::new(contract.clone()) };
    let mut journal = vec![Event { sequence: 1, at_ms: 0, active_ms: 0, fact }];
    let answers = Answers { amended: vec![amended(contract, other), contract.clone()], ..all_answers() };
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
    fn the_laws_hold_on_long_walks(contract in any_contract(), other in any_contract(), choices in vec(any::<u16>(), 0..400)) {
        let (world, journal) = walk(&contract, &other, &choices);
        let printed: Vec<String> = journal.iter().map(|event| serde_json::to_string(event).unwrap()).collect();
        let parsed: Vec<Event> = printed.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        prop_assert_eq!(&fold(&parsed), &world.state);
        let twice = journal.iter().enumerate().flat_map(|(place, event)| [event, &journal[place / 2], event]);
        prop_assert_eq!(fold(twice), world.state);
    }

    #[test]
    fn some_good_events_finish_the_loop(contract in any_contract(), other in any_contract(), choices in vec(any::<u16>(), 0..150)) {
        let (mut world, mut journal) = walk(&contract, &other, &choices);
        // A person looks at every iteration of every unit, twice where it is a milestone.
        world.luck = Luck { resumes: 1_000, ..Luck::default() };
        for number in 0..20_000 {
            let unit = &world.state.unit;
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
        other in any_contract(),
        choices in vec(any::<u16>(), 0..60),
        soup in vec((any_fact(), 0..4_u8, select(vec![0, 7, u64::MAX])), 1..30),
    ) {
        let (world, _) = walk(&contract, &other, &choices);
        let mut state = world.state;
        for (fact, ahead, active_ms) in soup {
            let before = state.clone();
            // Mostly the next one; sometimes one that was seen, or one too far.
            let sequence = state.sequence + [1, 1, 0, 2][usize::from(ahead)];
            let event = Event { sequence, at_ms: 0, active_ms, fact };
            state.apply(&event);
            if ahead == 2 {
                prop_assert_eq!(&state, &before);
            }
            if ahead == 3 {
                prop_assert!(state.anomaly().is_some());
            }
            look_at(&state);
            if state.anomaly().is_some() {
                prop_assert_eq!(decide(&state), Decision::Rest);
                let noticed = state.clone();
                state.apply(&Event { sequence: sequence + 1, ..event });
                prop_assert_eq!(&state, &noticed);
                // As if it had not been written: further facts are out of place in other ways.
                state = before;
            }
        }
    }
}

/// Whatever is asked of a state has an answer.
fn look_at(state: &State) {
    let _ = decide(state).explanation(state);
    let _ = (state.turn_in_hand(), state.iterations_max(), state.session(), state.end_of_task());
    let _ =
        (state.steps_before_turn().count(), state.feedback_policy(), state.stall(), state.finished_work());
    for act in persons_acts().into_iter().chain([landing_on_main()]) {
        let _ = admit(state, by_person(act));
    }
    let _ = admit(state, by_worker(state.turn_in_hand().0, Act::Claim { claim: need_decision("x") }));
    let Ok(fact) = admit(state, by_person(Act::Tell { told: told(state) })) else {
        assert!(
            matches!(&state.stage, Stage::Ended(_) | Stage::Unsealed),
            "what is of the present can be told"
        );
        return;
    };
    assert!(matches!(fact, Fact::FeedbackTold { .. }));
}

/// Somebody else measured something, just now.
fn told(state: &State) -> RecordedFeedback {
    let feedback = Feedback {
        phase: Phase::from_state(state),
        iteration: Phase::iteration(state),
        tests_passed: Some(3),
        tests_failed: None,
        lint_errors: None,
        build_success: None,
        coverage_bp: None,
        duration_ms: 0,
    };
    RecordedFeedback { by: String::from("ci"), feedback, notes: String::new() }
}

fn any_fact() -> impl Strategy<Value = Fact> {
    let work = prop_oneof![
        Just(EffectKind::Turn),
        Just(EffectKind::FollowUp),
        Just(EffectKind::Snapshot),
        Just(EffectKind::Check { name: check_name("test") }),
        Just(EffectKind::Probe { name: check_name("test") }),
        Just(EffectKind::Integrity),
        Just(EffectKind::Overlay),
        Just(EffectKind::Judge),
        Just(EffectKind::Review { by: Reviewer::Qa }),
        Just(EffectKind::Land),
        Just(EffectKind::Close),
        Just(EffectKind::Step { step: Step::Plan }),
    ];
    let key = (0..2_u32, 0..4_u32, 1..4_u32, work).prop_map(|(unit, iteration, attempt, work)| EffectKey {
        unit: UnitId(unit),
        iteration,
        attempt,
        work,
    });
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
        Just(Settlement::Declined),
        Just(Settlement::NeedsPerson),
        Just(Settlement::Unjudged),
        Just(Settlement::Blocked),
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
        any_word_from_elsewhere(),
        key.clone().prop_map(|key| Fact::Began { key }),
        (key, any_result()).prop_map(|(key, result)| Fact::Ended { key, result }),
        settlement.prop_map(|settlement| Fact::Settled { settlement }),
        end().prop_map(|end| Fact::UnitFinished { end }),
        end().prop_map(|why| Fact::UnitSkipped { why, set_aside: None }),
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

fn any_result() -> impl Strategy<Value = EffectResult> {
    prop_oneof![
        Just(EffectResult::Turn(claiming())),
        Just(EffectResult::Turn(asking())),
        Just(EffectResult::Turn(limited(u64::MAX))),
        Just(EffectResult::Turn(denied("x", u32::MAX))),
        Just(EffectResult::Snapshot(snapshot("a"))),
        Just(EffectResult::Check(green())),
        Just(EffectResult::Integrity(tampered())),
        Just(EffectResult::Integrity(contradicted())),
        Just(EffectResult::Overlay(not_shown())),
        Just(EffectResult::Judge(unreachable())),
        Just(EffectResult::Judge(rejected())),
        Just(EffectResult::Landing(landed())),
        Just(EffectResult::Landing(not_ready())),
        Just(EffectResult::Closed { closing: written_down() }),
        Just(EffectResult::Step(StepEnd { denials: denied("x", u32::MAX).denials, ..objected() })),
        Just(EffectResult::Interrupted),
        Just(failed()),
    ]
}

fn any_fact_of_a_session() -> impl Strategy<Value = Fact> {
    prop_oneof![
        Just(Fact::Bound { worker: in_host(None) }),
        Just(Fact::Bound { worker: Worker::Processes }),
        (0..4_u32).prop_map(|iteration| Fact::Adopted { iteration, rejections: 1 }),
        Just(Fact::Adopted { iteration: u32::MAX, rejections: u32::MAX }),
        Just(Fact::Reopened { turn: claiming() }),
    ]
}

fn any_word_from_elsewhere() -> impl Strategy<Value = Fact> {
    let text = || String::from("x");
    let part = Part { id: text(), title: text() };
    prop_oneof![
        Just(Fact::LandingAsked { by: text(), base: text(), push: None }),
        prop_oneof![Just(landed()), Just(not_ready())].prop_map(|word| Fact::LandingTold { word }),
        Just(Fact::FeedbackTold { told: told(&State::default()) }),
        Just(Fact::Divided { parts: vec![part], why: text() }),
        Just(Fact::PartTold { id: text(), word: PartWord::Joined }),
        Just(Fact::Edited { paths: vec![text()], more: 0 }),
        Just(Fact::Researched { changed: vec![text()], more: 0 }),
        Just(Fact::Decided { word: Word::Continue, reason: text(), engine_version: 1 }),
        Just(Fact::Taken { request: text() }),
        Just(Fact::Refused { request: text(), reason: text() }),
    ]
}
