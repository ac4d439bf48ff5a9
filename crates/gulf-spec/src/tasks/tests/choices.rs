//! In which order tasks are done, whatever has become of the others.

use gulf_engine::TaskFate;

use super::{by_ticks, checklist};
use crate::tasks::{Task, TaskList};

/// The order in which the tasks are done where each succeeds.
fn order(list: &TaskList, standing: impl Fn(&Task) -> TaskFate) -> String {
    list.order(standing).iter().map(|task| task.id.as_str()).collect::<Vec<_>>().join(" ")
}

const LIST: &str = "\
## Low Priority
- [ ] T1: a
- [ ] T2: b
## High Priority
- [ ] T3: c (depends on T2)
- [ ] T4: d
- [x] T5: e
## Medium Priority
- [ ] T6: f (depends on T4)
";

#[test]
fn the_most_urgent_comes_first_and_what_it_waits_for_before_it() {
    assert_eq!(order(&checklist(LIST), by_ticks), "T2 T3 T4 T6 T1");
}

#[test]
fn the_order_of_the_file_decides_a_tie() {
    let list = checklist("- [ ] b\n- [ ] a\n- [ ] c\n");
    assert_eq!(order(&list, by_ticks), "b a c");
}

#[test]
fn what_is_set_aside_holds_up_only_what_waits_for_it() {
    let aside = |id: &'static str| {
        move |task: &Task| if task.id.as_str() == id { TaskFate::Skipped } else { by_ticks(task) }
    };
    assert_eq!(order(&checklist(LIST), aside("T2")), "T4 T6 T1");
    assert_eq!(order(&checklist(LIST), aside("T5")), "T2 T3 T4 T6 T1");
}

#[test]
fn a_circle_never_comes_next_and_what_is_outside_of_it_does() {
    let list = checklist("- [ ] T1: a (depends on T2)\n- [ ] T2: b (depends on T1)\n- [ ] T3: c\n");
    assert_eq!(order(&list, by_ticks), "T3");
}

#[test]
fn in_an_empty_list_and_in_a_finished_one_nothing_is_to_be_done() {
    assert_eq!(order(&checklist(""), by_ticks), "");
    assert_eq!(order(&checklist("- [x] a\n- [x] b\n"), by_ticks), "");
}

#[test]
fn of_what_a_task_waits_for_the_most_urgent_comes_first_and_nothing_twice() {
    let list = checklist(
        "- [ ] T1: a [P0] (depends on T2, T3)\n- [ ] T2: b [P3] (depends on T4)\n- [ ] T3: c [P1] (depends on T4)\n\
         - [ ] T4: d [P3]\n- [ ] T5: e [P2]\n",
    );
    assert_eq!(order(&list, by_ticks), "T4 T3 T2 T1 T5");
}

// proves: R1, R7
#[test]
fn a_long_chain_and_many_ways_to_one_task_are_put_in_order_at_once() {
    const LENGTH: usize = 20_000;
    let chain: String = (0..LENGTH).map(|at| format!("- [ ] T{at}: a (depends on T{})\n", at + 1)).collect();
    let list = checklist(&format!("{chain}- [ ] T{LENGTH}: the first\n"));
    let done = list.order(by_ticks);
    assert_eq!(done.len(), LENGTH + 1);
    assert_eq!((done[0].id.as_str(), done[LENGTH].id.as_str()), ("T20000", "T0"));
}
