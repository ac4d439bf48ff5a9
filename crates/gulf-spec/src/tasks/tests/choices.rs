//! What comes next, whatever has become of the others.

use super::{by_ticks, checklist};
use crate::tasks::{Next, Standing, Task, TaskList};

/// The order in which the tasks are done where each succeeds, and what is left.
fn order(list: &TaskList, standing: impl Fn(&Task) -> Standing) -> String {
    let mut done: Vec<String> = Vec::new();
    loop {
        let now = |task: &Task| {
            if done.iter().any(|id| id == task.id.as_str()) { Standing::Complete } else { standing(task) }
        };
        match list.next(now) {
            Next::Task(task) => done.push(task.id.to_string()),
            Next::Finished => return done.join(" "),
            Next::Stuck(waiting) => {
                let left = waiting.iter().map(|one| {
                    let others: Vec<_> = one.waits_for.iter().map(|id| id.as_str()).collect();
                    format!("{}({})", one.task.id, others.join(","))
                });
                return format!("{} stuck: {}", done.join(" "), left.collect::<Vec<_>>().join(" "));
            }
        }
    }
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
        move |task: &Task| if task.id.as_str() == id { Standing::SetAside } else { by_ticks(task) }
    };
    assert_eq!(order(&checklist(LIST), aside("T2")), "T4 T6 T1 stuck: T2() T3(T2)");
    assert_eq!(order(&checklist(LIST), aside("T5")), "T2 T3 T4 T6 T1 stuck: T5()");
}

#[test]
fn a_circle_never_comes_next_and_what_is_outside_of_it_does() {
    let list = checklist("- [ ] T1: a (depends on T2)\n- [ ] T2: b (depends on T1)\n- [ ] T3: c\n");
    assert_eq!(order(&list, by_ticks), "T3 stuck: T1(T2) T2(T1)");
}

#[test]
fn an_empty_list_is_finished() {
    assert_eq!(checklist("").next(by_ticks), Next::Finished);
}
