//! Lists of tasks, through `gulf-spec`; apart because a list is also done, in its order, and written back.

use std::collections::{BTreeMap, BTreeSet};

use gulf_engine::TaskFate;
use gulf_spec::tasks::{self, Boxes, TaskId, TaskList, Tick};
use gulf_spec::text::Source;

use crate::texts::look_at;
use crate::{Outcome, parts, read_if};

/// A list's name, and its text.
pub fn tasks(bytes: &[u8]) -> Outcome {
    let texts: Vec<_> = parts(bytes).into_iter().map(String::from_utf8_lossy).collect();
    let (name, text) = (texts[0].trim(), texts.get(1).map_or("", |text| text));
    let list = tasks::parse(&Source::new(name, text));
    list.problems.iter().for_each(look_at);
    do_all(&list);
    tick_all(name, text, &list);
    read_if(list.errors().next().is_none())
}

/// Each task comes once, and never before what it waits for; a list without an error is done to its end.
fn do_all(list: &TaskList) {
    let order = list.order(|_| TaskFate::Pending);
    if list.errors().next().is_some() {
        return;
    }
    assert_eq!(order.len(), list.tasks.len(), "every task can be done");
    let mut done: BTreeSet<&TaskId> = BTreeSet::new();
    for task in order {
        assert!(task.depends_on.iter().all(|id| done.contains(id)), "its turn has come");
        assert!(done.insert(&task.id), "no task comes twice");
    }
}

fn tick_all(name: &str, text: &str, list: &TaskList) {
    let mut written = text.to_owned();
    for task in &list.tasks {
        if let Some(now) =
            tasks::with_ticks(name, &written, &BTreeMap::from([(&task.id, Boxes::all(task, Tick::Set))]))
        {
            written = now;
        }
    }
    if list.errors().next().is_none() {
        let now = tasks::parse(&Source::new(name, &written));
        assert!(now.tasks.iter().all(|task| task.is_ticked), "every task can be ticked");
        assert_eq!(now.tasks.len(), list.tasks.len(), "and no other comes or goes");
    }
}
