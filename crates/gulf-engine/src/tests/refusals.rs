//! What may be asked of a loop, by whom, and what the engine's own words for people are.

use super::given::*;
use super::tale::Tale;
use super::world::persons_acts;
use crate::*;

fn person(state: &State, act: Act) -> Result<Fact, Refusal> {
    admit(state, by_person(act))
}

fn worker(state: &State, act: Act) -> Result<Fact, Refusal> {
    admit(state, by_worker(1, act))
}

fn paused() -> Tale {
    let mut tale = Tale::of(contract());
    tale.asks(Act::Pause).pauses(PauseReason::Asked);
    tale
}

#[test]
fn nothing_can_be_asked_before_the_start_or_after_the_end() {
    assert_eq!(person(&State::default(), Act::Cancel), Err(Refusal::NotStarted));
    let mut tale = Tale::of(contract());
    tale.happens(Fact::Finished { end: End::Violated });
    assert_eq!(person(&tale.state, Act::Cancel), Err(Refusal::Ended));
}

#[test]
fn a_person_may_stop_and_go_on() {
    let running = Tale::of(contract()).state;
    assert_eq!(person(&running, Act::Pause), Ok(Fact::PauseAsked));
    assert_eq!(person(&running, Act::Cancel), Ok(Fact::CancelAsked));
    assert_eq!(person(&running, Act::Resume), Err(Refusal::NotPaused));
    let paused = paused().state;
    assert_eq!(person(&paused, Act::Pause), Err(Refusal::AlreadyPaused));
    assert_eq!(person(&paused, Act::Cancel), Ok(Fact::CancelAsked));
    assert_eq!(person(&paused, Act::Resume), Ok(Fact::Resumed));
}

#[test]
fn only_a_person_may_stop_go_on_steer_answer_approve_or_reject() {
    let mut asking_now = Tale::of(contract());
    asking_now.works_out(asking(), "a").settles(Settlement::Questioned).pauses(PauseReason::Question);
    for state in [Tale::of(contract()).state, paused().state, asking_now.state] {
        for act in persons_acts() {
            assert_eq!(worker(&state, act), Err(Refusal::PersonOnly));
        }
    }
}

// proves: A6
#[test]
fn by_a_channel_a_person_answers_and_judges_and_changes_nothing_else() {
    let mut tale = Tale::of(contract());
    tale.begins(&EffectKind::Turn);
    let asked = worker(&tale.state, Act::Claim { claim: need_decision("left or right?") }).unwrap();
    tale.happens(asked);
    let answered = Fact::Answered { question: 1, answer: String::from("left"), by: Some(by()) };
    assert_eq!(admit_from(&tale.state, answer("left"), by()), Ok(answered));
    assert_eq!(admit_from(&tale.state, approval(), by()), Err(Refusal::NotPaused));
    let steer = Act::Steer { note: String::from("faster") };
    for act in [Act::Pause, Act::Cancel, steer, Act::Claim { claim: need_decision("x") }] {
        assert_eq!(admit_from(&tale.state, act, by()), Err(Refusal::NotByChannel));
    }
}

#[test]
fn what_is_asked_is_answered_before_anything_else_leads_on() {
    let mut tale = Tale::of(contract());
    let answered = |question| Ok(Fact::Answered { question, answer: String::from("left"), by: None });
    assert_eq!(person(&tale.state, answer("left")), Err(Refusal::NoSuchQuestion));
    tale.begins(&EffectKind::Turn);
    for text in ["left or right?", "now or later?"] {
        let fact = worker(&tale.state, Act::Claim { claim: need_decision(text) }).unwrap();
        tale.happens(fact);
    }
    assert_eq!(person(&tale.state, answer("left")), Err(Refusal::WhichQuestion { count: 2 }));
    assert_eq!(person(&tale.state, answer(" ")), Err(Refusal::Blank));
    let named = |number| Act::Answer { question: Some(number), answer: String::from("left") };
    assert_eq!(person(&tale.state, named(3)), Err(Refusal::NoSuchQuestion));
    assert_eq!(person(&tale.state, named(1)), answered(1));
    tale.asks(named(1));
    assert_eq!(person(&tale.state, named(1)), Err(Refusal::NoSuchQuestion));
    assert_eq!(person(&tale.state, answer("left")), answered(2));
    tale.works_out(turn(), "a").settles(Settlement::Questioned).pauses(PauseReason::Question);
    for act in [Act::Resume, approval(), rejection()] {
        assert_eq!(person(&tale.state, act), Err(Refusal::QuestionOpen { number: 2 }));
    }
    tale.asks(answer("now"));
    assert_eq!(person(&tale.state, Act::Resume), Err(Refusal::NotPaused));
}

#[test]
fn a_worker_asks_so_much_at_once_and_no_more() {
    let mut tale = Tale::of(contract());
    tale.begins(&EffectKind::Turn);
    let asks = |number: usize| Act::Claim { claim: need_decision(&format!("question {number}")) };
    for number in 1..=QUESTIONS_OPEN_MAX {
        let fact = worker(&tale.state, asks(number)).unwrap();
        tale.happens(fact);
    }
    assert_eq!(worker(&tale.state, asks(17)), Err(Refusal::TooManyQuestions));
    assert!(worker(&tale.state, asks(3)).is_ok(), "it waits already, and is no further question");
    tale.asks(Act::Answer { question: Some(5), answer: String::from("so") });
    assert!(worker(&tale.state, asks(17)).is_ok());
}

#[test]
fn a_question_says_something_and_has_limits() {
    let mut tale = Tale::of(contract());
    tale.begins(&EffectKind::Turn);
    let asks = |question: Question| worker(&tale.state, Act::Claim { claim: Claim::Conflict(question) });
    let options = |count: usize| vec![String::from("this one"); count];
    assert!(asks(Question { options: options(16), ..question("which?") }).is_ok());
    let too_many = asks(Question { options: options(17), ..question("which?") });
    assert_eq!(too_many, Err(Refusal::TooManyOptions { count: 17 }));
    assert_eq!(asks(question("\n")), Err(Refusal::Blank));
    assert_eq!(asks(Question { evidence: Some(String::new()), ..question("which?") }), Err(Refusal::Blank));
    assert_eq!(asks(Question { options: vec![String::new()], ..question("which?") }), Err(Refusal::Blank));
}

#[test]
fn a_person_overrules_a_judge_and_never_a_check() {
    let approve = |tale: &Tale| person(&tale.state, approval());
    assert_eq!(approve(&Tale::of(contract())), Err(Refusal::NotPaused));
    assert_eq!(approve(&paused()), Err(Refusal::NoCandidate));
    let blank = Act::Reject { reason: String::from(" ") };
    assert_eq!(person(&paused().state, blank), Err(Refusal::Blank));
    let mut tale = Tale::of(contract());
    tale.is_refused("a", "x").asks(Act::Pause).pauses(PauseReason::Asked);
    assert_eq!(approve(&tale), Err(Refusal::ChecksSayNo));
    let mut tale = Tale::of(contract());
    tale.works_out(claiming(), "a").checked(green()).asks(Act::Pause).pauses(PauseReason::Asked);
    assert!(approve(&tale).is_ok());
    let elsewhere = attached("there");
    tale.happens(attached("here"));
    tale.happens(elsewhere);
    assert!(approve(&tale).is_ok(), "a check that has not spoken here will be asked");
    assert_eq!(tale.asks(approval()).works(), [EffectKind::Check { name: check_name("test") }]);
}

#[test]
fn only_the_worker_claims_and_only_in_its_own_turn() {
    let mut tale = Tale::of(contract());
    let claim = || Act::Claim { claim: done() };
    assert_eq!(worker(&tale.state, claim()), Err(Refusal::NoTurn));
    tale.begins(&EffectKind::Turn);
    assert_eq!(person(&tale.state, claim()), Err(Refusal::WorkerOnly));
    assert_eq!(worker(&tale.state, claim()), Ok(Fact::Claimed { claim: done() }));
    let stale = admit(&tale.state, by_worker(2, claim()));
    assert_eq!(stale, Err(Refusal::Stale { made_in: 2, now: 1 }));
    tale.ends(&EffectKind::Turn, EffectResult::Turn(turn()));
    assert_eq!(worker(&tale.state, claim()), Ok(Fact::Claimed { claim: done() }));
    tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(snapshot("a")));
    assert_eq!(worker(&tale.state, claim()), Err(Refusal::NoTurn));
    assert_eq!(worker(&paused().state, claim()), Err(Refusal::NoTurn));
}

#[test]
fn a_text_says_something_and_has_a_limit() {
    let mut tale = Tale::of(contract());
    tale.begins(&EffectKind::Turn);
    let longest = "x".repeat(16 * 1024);
    let too_long = || format!("{longest}x");
    let steer = |text: &str| person(&tale.state, Act::Steer { note: String::from(text) });
    assert_eq!(steer(&longest), Ok(Fact::Steered { note: longest.clone() }));
    assert_eq!(steer(&too_long()), Err(Refusal::TooLong { bytes: 16 * 1024 + 1 }));
    assert_eq!(steer(" \n"), Err(Refusal::Blank));
    let claim = |text: &str| {
        let no_test = Some(String::from(text));
        worker(&tale.state, Act::Claim { claim: Claim::Done { no_test } })
    };
    assert!(claim("docs only").is_ok());
    assert_eq!(claim(&too_long()), Err(Refusal::TooLong { bytes: 16 * 1024 + 1 }));
    assert_eq!(claim(""), Err(Refusal::Blank));
}

#[test]
fn a_refusal_says_why() {
    for (refusal, text) in [
        (Refusal::NotStarted, "the loop has not started"),
        (
            Refusal::Stale { made_in: 1, now: 2 },
            "this belongs to iteration 1, and iteration 2 is the current one",
        ),
        (Refusal::TooLong { bytes: 20000 }, "the text has 20000 bytes, and 16384 is the limit"),
    ] {
        assert_eq!(refusal.to_string(), text);
    }
}

#[test]
fn a_turn_is_told_when_it_is_about_to_begin_and_only_then() {
    let mut tale = Tale::of(contract());
    assert_eq!(
        tale.wants().explanation(&tale.state),
        Some((Word::Continue, String::from("iteration 1, attempt 1")))
    );
    tale.begins(&EffectKind::Turn);
    assert_eq!(tale.wants().explanation(&tale.state), None);
    tale.works_out(turn(), "base");
    assert_eq!(tale.wants().explanation(&tale.state), None);
    assert_eq!(Decision::Rest.explanation(&tale.state), None);
}

#[test]
fn a_decision_is_told_in_one_word_of_the_glossary() {
    let state = State::default();
    let told = |decision: Decision| decision.explanation(&state);
    let says = |word, reason: &str| Some((word, String::from(reason)));
    let verified = || End::Verified { proofs: Vec::new() };
    assert_eq!(told(Decision::Pause(PauseReason::Milestone)), says(Word::Pause, "Milestone"));
    assert_eq!(told(Decision::ResetStrategy), says(Word::ResetStrategy, "too many rejections in a row"));
    assert_eq!(told(Decision::FinishUnit(verified())), says(Word::NextTask, "verified"));
    assert_eq!(told(Decision::End(verified())), says(Word::Complete, "verified"));
    assert_eq!(told(Decision::End(End::Attested { causes: Vec::new() })), says(Word::Complete, "attested"));
    assert_eq!(told(Decision::End(End::Violated)), says(Word::Abort, "violated"));
}

#[test]
fn a_state_shows_where_the_loop_stands() {
    let mut tale = Tale::of(contract());
    assert_eq!(tale.state.contract(), Some(&contract()));
    assert_eq!((tale.state.candidate(), tale.state.deadline_ms()), (None, None));
    tale.active_ms = 5;
    tale.works_out(claiming(), "a").asks(Act::Pause).pauses(PauseReason::Asked);
    assert_eq!(tale.state.active_ms, 5);
    assert_eq!(tale.state.sequence, 7);
    assert_eq!(tale.state.candidate(), Some(&candidate("a")));
    let inner = Stage::Gates(claiming(), candidate("a"));
    assert_eq!(tale.state.innermost_stage(), &inner);
    assert_eq!(&tale.state.stage, &Stage::Paused(PauseReason::Asked, Box::new(inner)));
}

#[test]
fn what_cannot_be_undone_is_announced_first() {
    let name = || check_name("test");
    for work in [EffectKind::Turn, EffectKind::FollowUp, EffectKind::Judge] {
        assert!(!work.is_repeatable());
    }
    for work in [EffectKind::Snapshot, EffectKind::Check { name: name() }, EffectKind::Probe { name: name() }]
    {
        assert!(work.is_repeatable());
    }
    assert!(EffectKind::Integrity.is_repeatable() && EffectKind::Overlay.is_repeatable());
}

#[test]
fn a_name_shows_as_it_is() {
    assert_eq!(LoopId::new("2026-02-13T1430_login").to_string(), "2026-02-13T1430_login");
    assert_eq!(tree("base").as_str(), "base");
}
