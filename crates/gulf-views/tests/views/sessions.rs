//! Loops whose worker is a session that a person opened: what is said of them while no process of gulf's runs.

use crate::golden;
use crate::lines::{check, gates};
use crate::scene::{self, Scene, bound, contract, done, facts, turn};
use gulf_engine::*;
use gulf_views::{CheckoutChange, DriverPresence, Look, LoopStatus, Palette, Summary, result, status_json};

const ID: &str = "0199a213-81c0-7800-8aa1-bbab2a035a53";
const WIDE: Look = Look::terminal(Palette::Plain, 80);

/// Sealed, and in the hands of this session.
fn sealed(id: Option<&str>) -> Scene {
    Scene::sealed().then(bound(id))
}

fn attached() -> Fact {
    Fact::Attached { driver: "hook".into(), environment: Digest::new("e0e0e0e0") }
}

fn absent(scene: &Scene) -> LoopStatus {
    LoopStatus::new(&scene.state, DriverPresence::Absent)
}

fn screen(scene: &Scene) -> String {
    result(&scene.summary(), WIDE)
}

/// Refused three times by a judge, in a session of this host.
fn at_the_human_gate(host: &str) -> Scene {
    let worker = Worker::Session { host: host.into(), id: Some(ID.into()) };
    Scene::resting(PauseReason::HumanGate).then(Fact::Bound { worker })
}

#[test]
fn a_session_with_a_turn_in_hand_is_not_interrupted() {
    let working = sealed(Some(ID)).begun(EffectKind::Turn).0;
    assert_eq!(absent(&working), LoopStatus::InSession { host: "claude".into(), id: Some(ID.into()) });
    assert_eq!((absent(&working).word(), absent(&working).exit_code()), ("running", 0));
    assert_eq!(
        LoopStatus::new(&working.state, DriverPresence::Present),
        LoopStatus::Running,
        "gulf looks at what it left"
    );
    golden!("session_working", screen(&working));
}

#[test]
fn a_loop_that_waits_for_its_session_is_not_interrupted_either() {
    let waiting = sealed(None);
    assert_eq!(absent(&waiting), LoopStatus::InSession { host: "claude".into(), id: None });
    golden!("session_waited_for", screen(&waiting));
    let processes = sealed(None).then(Fact::Bound { worker: Worker::Processes });
    assert_eq!(absent(&processes), LoopStatus::Interrupted);
}

#[test]
fn a_look_that_was_cut_off_is_an_interruption_and_the_session_leads_on() {
    let cut_off = sealed(Some(ID)).turn(Some(done()), "aaaaaaaaaaaa");
    assert_eq!(absent(&cut_off), LoopStatus::Interrupted);
    golden!("session_interrupted", screen(&cut_off));
    let between = cut_off.then(Fact::Settled { settlement: Settlement::Unclaimed });
    assert_eq!(absent(&between), LoopStatus::Interrupted);
}

#[test]
fn a_paused_session_is_resumed_where_its_person_types() {
    let commands = |scene: &Scene| -> Vec<String> {
        scene.summary().next.into_iter().map(|step| step.command).collect()
    };
    for reason in scene::PAUSES {
        let paused = Scene::resting(reason).then(bound(Some(ID)));
        let first = commands(&paused).swap_remove(0);
        let expected =
            if reason == PauseReason::Question { "gulf answer 1 \"…\"" } else { "/gulf-loop:resume" };
        assert_eq!(first, expected, "{reason:?}");
    }
    let gate = commands(&at_the_human_gate("codex"));
    assert_eq!(gate[..2], ["$gulf-loop:resume", "gulf resume --here k3v9"]);
    golden!("session_human_gate", screen(&at_the_human_gate("claude")));
}

#[test]
fn a_status_says_who_works() {
    let worker = |scene: &Scene, driver| {
        let status = status_json(&facts(), &scene.history, &scene.state, driver);
        format!("{} {}", status["worker"], status["running"])
    };
    assert_eq!(worker(&Scene::sealed(), DriverPresence::Present), r#"{"kind":"processes"} true"#);
    let session = sealed(Some(ID)).begun(EffectKind::Turn).0;
    let expected = format!(r#"{{"host":"claude","id":"{ID}","kind":"session"}} true"#);
    assert_eq!(worker(&session, DriverPresence::Absent), expected);
    let nobody = sealed(None);
    assert_eq!(
        worker(&nobody, DriverPresence::Absent),
        r#"{"host":"claude","id":null,"kind":"session"} true"#
    );
    let paused = nobody.then(Fact::Paused { reason: PauseReason::Asked });
    assert_eq!(
        worker(&paused, DriverPresence::Absent),
        r#"{"host":"claude","id":null,"kind":"session"} false"#
    );
}

#[test]
fn who_works_from_here_on_is_told() {
    let here = "continues outside of the session";
    check(sealed(Some(ID)), Fact::Bound { worker: Worker::Processes }, here);
    check(Scene::sealed(), bound(Some("0199")), "goes on in a session: claude 0199");
    check(Scene::sealed(), bound(None), "goes on in a session: the next one that stops in this checkout");
    let other = Worker::Session { host: "other".into(), id: Some("s1".into()) };
    check(Scene::sealed(), Fact::Bound { worker: other }, "goes on in a session: s1");
    let adopted = Fact::Adopted { iteration: 7, rejections: 2 };
    check(Scene::sealed(), adopted, "adopted after iteration 7 of a state file");
}

#[test]
fn that_a_session_stopped_is_told_by_what_its_turn_came_to() {
    let working = sealed(Some(ID)).begun(EffectKind::Turn).0;
    check(working, attached(), "(no line)");
    check(gates().then(bound(Some(ID))), attached(), "(no line)");
    let judging = sealed(Some(ID)).turn(Some(done()), "aaaaaaaaaaaa").begun(EffectKind::Judge).0;
    let told = "resumed after an interruption: the judge of iteration 1 was running";
    check(judging, attached(), told);
}

#[test]
fn a_turn_that_went_on_is_told_and_counted_as_one() {
    let stopped = sealed(Some(ID)).turn(None, "aaaaaaaaaaaa");
    let reopened = Fact::Reopened { turn: turn(Some(done())) };
    let told = "the session went on, and its turn is over after 12s: claims done";
    check(stopped.clone(), reopened.clone(), told);
    let denial = Denial { what: "network".into(), times: 1 };
    let denied = Fact::Reopened { turn: Turn { denials: vec![denial], ..turn(None) } };
    let history = stopped.then(reopened).then(denied).history;
    let [iteration] = history.iterations.as_slice() else { panic!("one iteration: {history:?}") };
    assert_eq!((iteration.duration_ms, history.claims()), (3 * 12_300, 1));
    assert_eq!(history.denials.get("network"), Some(&1));
}

#[test]
fn a_stop_without_a_verdict_is_neither_a_yes_nor_a_no() {
    let told = "not judged: the judge gave no verdict; the session continues";
    check(gates(), Fact::Settled { settlement: Settlement::Unjudged }, told);
    let state = gulf_views::state_json(
        &facts(),
        &gates().then(Fact::Settled { settlement: Settlement::Unjudged }).history,
        &gates().state,
    );
    assert_eq!(state["feedback"][0]["notes"], "claimed done; no verdict; continues");
}

#[test]
fn a_brief_that_is_asked_for_again_says_how_often_and_what_it_lacks() {
    let researching = |research| {
        let mut contract = contract();
        contract.policy.research = research;
        Scene::sealed_as(contract)
    };
    let settled = Fact::Settled { settlement: Settlement::Research };
    let lacking = |names: &[&str]| Brief::Incomplete {
        missing: names.iter().map(|name| format!("`{name}:` is missing or empty")).collect(),
    };
    let ended = |brief| EffectResult::Turn(Turn { brief, ..turn(None) });
    for research in [Research::Brief, Research::Gate] {
        assert_eq!(
            gulf_engine::Phase::from_state(&researching(research).begun(EffectKind::Turn).0.state),
            Phase::Analyze
        );
        let first = researching(research).done(EffectKind::Turn, ended(lacking(&["RISKS", "GAPS"])));
        let first = first.done(EffectKind::Snapshot, EffectResult::Snapshot(scene::snapshot("aaaaaaaaaaaa")));
        check(first.clone(), settled.clone(), "iteration 1 repeats, 1 of 5: the brief lacks RISKS, GAPS");
        let second = first.then(settled.clone()).done(EffectKind::Turn, ended(lacking(&["CONFIDENCE"])));
        let second =
            second.done(EffectKind::Snapshot, EffectResult::Snapshot(scene::snapshot("bbbbbbbbbbbb")));
        check(second, settled.clone(), "iteration 1 repeats, 2 of 5: the brief lacks CONFIDENCE");
    }
}

#[test]
fn a_clean_worktree_changes_nothing_about_a_session() {
    let working = sealed(Some(ID)).begun(EffectKind::Turn).0;
    let of = |worktree| {
        Summary::new(&facts(), &working.history, &working.state, DriverPresence::Absent, &worktree).next
    };
    assert_eq!(of(CheckoutChange::Clean), of(scene::dirty()));
}
