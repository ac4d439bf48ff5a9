//! Fresh contexts that read too much before the first edit: counted, told, and never decided on.

use super::given::*;
use super::tale::Tale;
use crate::*;

const WANTED_BP: u32 = 2_000;

fn begins() -> Tale {
    let mut tale = Tale::of(contract_with(|contract| {
        contract.policy.limits.iterations_max = times(20);
        contract.policy.stuck.idle_max = times(20);
        contract.policy.stuck.orientation_bp_max = Some(WANTED_BP);
    }));
    tale.probed(red());
    tale
}

fn reading(used_bp: u32, until: OrientationEnd) -> Turn {
    Turn { orientation: Some(Orientation { used_bp, until }), ..turn() }
}

fn counted(tale: &Tale) -> u32 {
    tale.state.unit.streaks.cold_starts
}

/// A turn that changed something and claimed nothing.
fn works(tale: &mut Tale, turn: Turn, tree: &str) {
    tale.works_out(turn, tree).checked(red()).settles(Settlement::Unclaimed);
}

fn rests(tale: &mut Tale, turn: Turn) {
    tale.works_out(turn, "base").settles(Settlement::Unclaimed);
}

// proves: G24, G24/cold-start-bloat
#[test]
fn more_than_was_wanted_counts_in_a_row_and_no_more_than_that_ends_it() {
    let mut tale = begins();
    works(&mut tale, reading(WANTED_BP + 1, OrientationEnd::Edit), "a");
    works(&mut tale, reading(9_999, OrientationEnd::Edit), "b");
    assert_eq!(counted(&tale), 2);
    works(&mut tale, reading(WANTED_BP, OrientationEnd::Edit), "c");
    assert_eq!(counted(&tale), 0);
}

// proves: G24, G24/cold-start-bloat
#[test]
fn what_nobody_measured_neither_counts_nor_ends_the_row() {
    let mut tale = begins();
    works(&mut tale, reading(5_000, OrientationEnd::Edit), "a");
    works(&mut tale, turn(), "b");
    // A command changed something, and nothing tells when.
    works(&mut tale, reading(9_000, OrientationEnd::Turn), "c");
    assert_eq!(counted(&tale), 1);
    works(&mut tale, reading(5_000, OrientationEnd::Edit), "d");
    assert_eq!(counted(&tale), 2);
}

// proves: G24/cold-start-bloat
#[test]
fn reading_that_nothing_came_of_counts_and_reading_before_a_claim_does_not() {
    let mut tale = begins();
    rests(&mut tale, reading(5_000, OrientationEnd::Turn));
    assert_eq!(counted(&tale), 1);
    let claim = Turn { claim: Some(done()), ..reading(5_000, OrientationEnd::Turn) };
    tale.works_out(claim, "base").checked(red()).settles(Settlement::Refused { gate: Gate::Checks });
    assert_eq!(counted(&tale), 1);
}

// proves: G24/cold-start-bloat
#[test]
fn where_a_brief_is_asked_for_reading_is_the_work() {
    let mut tale = Tale::of(contract_with(|contract| {
        contract.policy.research = Research::Gate;
        contract.policy.stuck.orientation_bp_max = Some(WANTED_BP);
    }));
    let unread = Turn { brief: unbriefed().brief, ..reading(9_000, OrientationEnd::Turn) };
    tale.works_out(unread, "base").settles(Settlement::Research);
    assert_eq!(counted(&tale), 0);
}

// proves: G24/cold-start-bloat
#[test]
fn however_often_it_happens_nothing_else_is_decided() {
    let told = |orientation: Option<Orientation>| {
        let mut tale = begins();
        let mut decided = Vec::new();
        for tree in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            works(&mut tale, Turn { orientation, ..turn() }, tree);
            decided.push(tale.wants());
        }
        (decided, counted(&tale))
    };
    let (decided, times) = told(Some(Orientation { used_bp: 9_999, until: OrientationEnd::Edit }));
    assert_eq!((decided, times), (told(None).0, 8));
}

#[test]
fn a_follow_up_belongs_to_the_turn_that_read() {
    let mut tale = Tale::of(contract_with(|contract| {
        contract.policy.follow_up = FollowUp::Once;
        contract.policy.stuck.orientation_bp_max = Some(WANTED_BP);
    }));
    tale.probed(red());
    let read = Turn { session: session(None), ..reading(5_000, OrientationEnd::Edit) };
    tale.works_out(read, "a").checked(red());
    tale.ends(&EffectKind::FollowUp, EffectResult::Turn(in_session()));
    tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(snapshot("a"))).settles(Settlement::Unclaimed);
    assert_eq!(counted(&tale), 1);
}
