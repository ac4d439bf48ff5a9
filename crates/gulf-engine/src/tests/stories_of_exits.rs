//! Single stories of a loop with a list of tasks, and the whole table of its two conditions.

use super::given::*;
use super::tale::Tale;
use crate::*;

fn probed(change: impl FnOnce(&mut Contract)) -> Tale {
    let mut tale = Tale::of(contract_with(|contract| {
        with_exit(contract);
        change(contract);
    }));
    tale.probed(red());
    tale
}

fn leaves(tale: &mut Tale, turn: Turn, tasks: Option<TaskTally>) {
    tale.ends(&EffectKind::Turn, EffectResult::Turn(turn));
    tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(Snapshot { tasks, ..snapshot("a") }));
}

/// One line of the table: what is true of the candidate, and of the turn that left it.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "a row of a truth table")]
struct Row {
    all_tasks_checked: bool,
    tests_passing: bool,
    build_successful: bool,
    no_errors: bool,
    no_pending_issues: bool,
    signal: bool,
}

impl Row {
    fn of(bits: u32) -> Self {
        let bit = |place: u32| bits & (1 << place) != 0;
        Self {
            all_tasks_checked: bit(0),
            tests_passing: bit(1),
            build_successful: bit(2),
            no_errors: bit(3),
            no_pending_issues: bit(4),
            signal: bit(5),
        }
    }

    fn turn(self) -> Turn {
        let turn = if self.no_errors { turn() } else { failing() };
        Turn { claim: self.signal.then(done), ..turn }
    }

    fn is_all(self) -> bool {
        let indicators = self.tests_passing && self.build_successful && self.no_errors;
        self.all_tasks_checked && indicators && self.no_pending_issues && self.signal
    }
}

/// Goes on until the iteration is settled, or the loop is over.
fn comes_to(tale: &mut Tale, row: Row) -> Decision {
    loop {
        let Decision::Run { effects, .. } = tale.wants() else { return tale.wants() };
        let key = effects[0].clone();
        let verdict = |is_green| EffectResult::Check(if is_green { green() } else { red() });
        let result = match &key.work {
            EffectKind::Check { name } if name.as_str() == "build" => verdict(row.build_successful),
            EffectKind::Check { .. } => verdict(row.tests_passing),
            EffectKind::Probe { .. } => verdict(false),
            EffectKind::Integrity => EffectResult::Integrity(intact()),
            EffectKind::Judge => {
                EffectResult::Judge(if row.no_pending_issues { approved() } else { rejected() })
            }
            EffectKind::Review { .. } | EffectKind::Step { .. } | EffectKind::Close => {
                panic!("{key:?} is not wanted here: {row:?}")
            }
            EffectKind::Turn
            | EffectKind::FollowUp
            | EffectKind::Snapshot
            | EffectKind::Overlay
            | EffectKind::Land => {
                panic!("{key:?} is not wanted here: {row:?}")
            }
        };
        tale.ends(&key.work, result);
    }
}

// proves: K2, K2/both, K2/tasks-alone, K2/signal-alone
#[test]
fn a_loop_with_a_list_ends_in_one_of_sixty_four_cases_and_in_no_other() {
    for row in (0..64).map(Row::of) {
        let mut tale = probed(|contract| {
            contract.checks.push(terms("build"));
            contract.policy.gates.push(Gate::Judge);
        });
        tale.ends(&EffectKind::Probe { name: check_name("build") }, EffectResult::Check(red()));
        leaves(&mut tale, row.turn(), tally(u32::from(!row.all_tasks_checked), 0));
        let decision = comes_to(&mut tale, row);
        let refused = |gate| Decision::Settle(Settlement::Refused { gate });
        let is_green = row.tests_passing && row.build_successful;
        let expected = match row {
            _ if row.is_all() => {
                assert!(matches!(decision, Decision::End(End::Verified { .. })), "{row:?}: {decision:?}");
                continue;
            }
            Row { signal: false, .. } => Decision::Settle(Settlement::Unclaimed),
            Row { all_tasks_checked: false, .. } | Row { no_errors: false, .. } => refused(Gate::Tasks),
            _ if !is_green => refused(Gate::Checks),
            _ => refused(Gate::Judge),
        };
        assert_eq!(decision, expected, "{row:?}");
    }
}

// proves: K2
#[test]
fn an_open_question_is_a_pending_issue_whatever_else_is_true() {
    let mut tale = probed(|_| {});
    leaves(&mut tale, asking(), tally(0, 0));
    tale.settles(Settlement::Questioned).pauses(PauseReason::Question);
}

// proves: K2
#[test]
fn a_task_that_is_gone_is_open_and_one_that_nobody_counted_is_too() {
    for tasks in [tally(0, 1), None] {
        let mut tale = probed(|_| {});
        leaves(&mut tale, claiming(), tasks);
        // It hears from the checks all the same.
        tale.checked(green()).settles(Settlement::Refused { gate: Gate::Tasks });
    }
}

// proves: K2
#[test]
fn where_only_the_signal_is_missing_the_session_is_asked_once() {
    let mut tale = probed(|contract| contract.policy.follow_up = FollowUp::Once);
    // What remains was written down, and nothing remains: it is asked all the same.
    leaves(&mut tale, Turn { remainder: Remainder::Named, ..in_session() }, tally(0, 0));
    tale.checked(green());
    assert_eq!(tale.works(), [EffectKind::FollowUp]);
    tale.ends(&EffectKind::FollowUp, EffectResult::Turn(claiming()));
    tale.ends(
        &EffectKind::Snapshot,
        EffectResult::Snapshot(Snapshot { tasks: tally(0, 0), ..snapshot("a") }),
    );
    tale.compared(intact());
    assert!(matches!(tale.wants(), Decision::End(End::Verified { .. })));
}

// proves: K2
#[test]
fn what_is_not_asked_for_is_no_signal_also_at_the_last_iteration() {
    let mut tale = probed(|contract| contract.policy.limits.iterations_max = times(1));
    leaves(&mut tale, turn(), tally(0, 0));
    tale.checked(green()).settles(Settlement::Unclaimed);
    assert_eq!(tale.wants(), Decision::End(End::Exhausted { limit: Exhaustion::Iterations }));
}

// proves: K2
#[test]
fn who_claims_too_early_but_gets_on_is_not_stuck_and_who_does_not_is() {
    let mut tale = probed(|contract| contract.policy.limits.iterations_max = times(9));
    for open in (1..=5).rev() {
        tale.ends(&EffectKind::Turn, EffectResult::Turn(claiming()));
        let left = Snapshot { tasks: tally(open, 0), ..snapshot(&format!("tree {open}")) };
        tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(left));
        tale.checked(green()).settles(Settlement::Refused { gate: Gate::Tasks });
    }
    for number in 1..=2 {
        tale.ends(&EffectKind::Turn, EffectResult::Turn(claiming()));
        let left = Snapshot { tasks: tally(1, 0), ..snapshot(&format!("other {number}")) };
        tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(left));
        tale.checked(green()).settles(Settlement::Refused { gate: Gate::Tasks });
    }
    assert_eq!(tale.wants(), Decision::End(End::Stalled { by: Stall::SameFailure }));
}
