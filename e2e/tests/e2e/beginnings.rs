//! Loops with branches of their own, killed at every point of their beginning, and again at every point at which the next
//! start recovers: branch and worktree are there once, and nothing of the person's was touched.
//!
//! Here a start that was cut off must leave no trace at all.

use std::collections::BTreeSet;
use std::fs;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

use camino::Utf8Path;
use gulf_testkit::{FakeAgent, Invocation, Sample, Sandbox, Standing, Step, in_turn};

use crate::{RIGHT, exit, run};

/// Points of one group are tried one after the other, groups beside each other.
const GROUPS: usize = 3;

/// One point of so many is tried in a run.
const EVERY: usize = 6;

/// And one of so many points of what recovers from it.
const EVERY_AGAIN: usize = 3;

/// How the points of a beginning itself are called.
const OWN: [&str; 3] = ["branching.", "git.worktree.", "git.update-ref"];

/// Where the loop's branch is checked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    Beside,
    InPlace,
    /// Two workers: one may be whole and the other not.
    Parallel,
}

struct Case {
    sandbox: Sandbox,
    agent: FakeAgent,
    place: Where,
    before: Standing,
}

impl Case {
    /// Uncommitted work lies there, and a text for gulf that the loop gets along.
    fn new(place: Where) -> Case {
        let sandbox = Sandbox::in_memory(&Sample::shell());
        sandbox.write("mine.txt", "mine\n");
        sandbox.write("RUBRIC.md", format!("## Checks\n\n- `{RIGHT}`\n"));
        let agent = FakeAgent::new(&sandbox).otherwise([Step::run("true")]);
        let before = standing(&sandbox, place);
        Case { sandbox, agent, place, before }
    }

    fn command(&self) -> Invocation {
        let flags: &[&str] = match self.place {
            Where::Beside => &["--preset", "autonomous", "-n", "1"],
            Where::InPlace => &["--preset", "autonomous", "-n", "1", "--in-place"],
            Where::Parallel => &["--preset", "parallel", "--workers", "2", "-n", "1"],
        };
        run(&self.sandbox, &self.agent, flags)
    }

    fn workers(&self) -> usize {
        match self.place {
            Where::Beside | Where::InPlace => 1,
            Where::Parallel => 2,
        }
    }

    /// Killed where it is told to be; the points that it came by, by name.
    fn killed(&self, at: Option<usize>, name: &str) -> Vec<String> {
        let count = self.sandbox.path(name);
        let mut command = self.command().variable("GULF_CRASH_COUNT", count.as_str());
        if let Some(at) = at {
            command = command.variable("GULF_CRASH_AT", at.to_string());
        }
        command.run().does_not_panic();
        names(&count)
    }

    /// The same command once more, to its end; the points that it came by.
    #[track_caller]
    fn holds(&self, told: &str) -> Vec<String> {
        let count = self.sandbox.path("at last");
        let again = self.command().variable("GULF_CRASH_COUNT", count.as_str()).run().does_not_panic();
        assert_eq!(again.exit, Some(exit::EXHAUSTED), "{told}: {again:#?}");
        let worktrees = self.sandbox.git(["worktree", "list"]).lines().count();
        let branches = self.sandbox.git(["branch", "--list", "gulf/*"]).lines().count();
        let sealed = self.sandbox.loops().into_iter().filter(|kept| kept.journal_path().is_file());
        let sealed = sealed.filter(|kept| !kept.facts_of("sealed").is_empty()).count();
        let beside = if self.place == Where::InPlace { 0 } else { self.workers() };
        let wanted = (beside + 1, self.workers(), self.workers());
        assert_eq!((worktrees, branches, sealed), wanted, "{told}: {again:#?}");
        let folders = self.sandbox.root().read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path());
        assert_eq!(
            folders.filter(|path| path.as_str().contains("repository-gulf-")).count(),
            beside,
            "{told}"
        );
        assert_eq!(standing(&self.sandbox, self.place), self.before, "{told}");
        names(&count)
    }
}

fn names(count: &Utf8Path) -> Vec<String> {
    fs::read_to_string(count).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// What is the person's: in place, HEAD is lent.
fn standing(sandbox: &Sandbox, place: Where) -> Standing {
    let mut standing = Standing::of(sandbox).without(&[".gulf", "progress.txt"]);
    let theirs = |line: &&str| !line.contains("refs/heads/gulf/");
    standing.refs = standing.refs.lines().filter(theirs).collect::<Vec<_>>().join("\n");
    if place == Where::InPlace {
        standing.head.0.clear();
    }
    standing
}

/// The points of a beginning, counted from 1: from the first thing that is on disk to the last.
fn points_of(place: Where) -> Vec<(usize, String)> {
    let points = Case::new(place).killed(None, "count");
    let at = |name: &str| points.iter().position(|point| point == name).unwrap();
    let (first, last) = (at("branching.recorded"), at("branching.begun") + 2);
    assert!(last > first + 10, "{points:?}");
    // Of several workers, those of the beginning itself: the others are the same as for one.
    let counts = |name: &str| place != Where::Parallel || OWN.iter().any(|own| name.starts_with(own));
    (1..).zip(points).skip(first).take(last + 1 - first).filter(|(_, name)| counts(name)).collect()
}

/// The points at which a start took back, or ended, what another one had left; none where nothing was left.
fn recovery(points: &[String]) -> &[String] {
    let ended = points.iter().rposition(|point| point == "branching.taken-back");
    ended.map_or(&[], |last| &points[..=last])
}

/// All recoveries that were tried, of all groups: what was recovered from in one way need not be tried in it again.
type Seen = Mutex<BTreeSet<Vec<String>>>;

/// Has nobody recovered like this yet?
fn is_new(seen: &Seen, recovery: &[String]) -> bool {
    seen.lock().unwrap_or_else(PoisonError::into_inner).insert(recovery.to_vec())
}

/// The groups are threads of one test: tests of their own would each try the same recoveries once more.
fn killed_everywhere(place: Where) {
    let points = &in_turn(EVERY, points_of(place));
    let seen = &Seen::default();
    let recoveries: usize = thread::scope(|scope| {
        let groups = (0..GROUPS).map(|group| scope.spawn(move || group_killed(place, points, group, seen)));
        let groups: Vec<_> = groups.collect();
        groups.into_iter().map(|group| group.join().unwrap_or_else(|panic| resume_unwind(panic))).sum()
    });
    assert!(recoveries > 0, "nothing was left to recover");
}

/// Killed at each point of this group, and again at each of what recovers from it; how often something was recovered.
fn group_killed(place: Where, points: &[(usize, String)], group: usize, seen: &Seen) -> usize {
    let mut recoveries = 0;
    for (at, name) in points.iter().skip(group).step_by(GROUPS) {
        let case = Case::new(place);
        case.killed(Some(*at), "count");
        let told = format!("{place:?}: killed at {at} ({name})");
        let points = case.holds(&told);
        let recovery = recovery(&points);
        recoveries += usize::from(recovery.len() > 3);
        if !is_new(seen, recovery) {
            continue;
        }
        for (again, name) in in_turn(EVERY_AGAIN, (1..).zip(recovery)) {
            let case = Case::new(place);
            case.killed(Some(*at), "count");
            case.killed(Some(again), "again");
            case.holds(&format!("{told}, and again at {again} ({name}) of {recovery:?}"));
        }
    }
    recoveries
}

#[test]
fn a_beginning_beside_the_repository_that_is_killed_anywhere_and_again_leaves_nothing_half() {
    killed_everywhere(Where::Beside);
}

#[test]
fn a_beginning_in_place_that_is_killed_anywhere_and_again_leaves_nothing_half() {
    killed_everywhere(Where::InPlace);
}

#[test]
fn a_beginning_of_several_workers_that_is_killed_anywhere_and_again_leaves_nothing_half() {
    killed_everywhere(Where::Parallel);
}
