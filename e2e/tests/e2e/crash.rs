//! The crash laws (SPEC B8): killed at every crash point, and again while recovering, the same command goes on; the
//! worker's own tally proves that no iteration was lost or repeated, and end and tree are those of a run without crash.
//!
//! The points are numbered at run time, over gulf and its shims; a plan without a number counts them. Each run tries a
//! sixth of them.

use std::collections::BTreeSet;
use std::fs;

use gulf_testkit::{FakeAgent, Finished, Invocation, Sample, Sandbox, Step, in_turn};

use crate::{exit, run_right};

/// Points of one group are tried one after the other, groups beside each other.
const GROUPS: usize = 4;

/// One point of so many is tried in a run.
const EVERY: usize = 6;

/// While recovering, one point of so many is tried.
const RECOVERY_SAMPLE: usize = 17;

/// With a judge, one point of so many is tried.
const JUDGED_SAMPLE: usize = 10;

/// It looks at its own checkout of the candidate.
const JUDGE: &str =
    "command:cat > /dev/null; test -f done.txt && echo APPROVED || echo 'REJECTED: done.txt is missing'";

struct Case {
    sandbox: Sandbox,
    agent: FakeAgent,
    gates: Gates,
}

/// Who can refuse iteration 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gates {
    Check,
    Judge,
}

/// Where a plan tells a process to die.
#[derive(Clone, Copy)]
enum Plan {
    Count,
    DieAt(usize),
}

impl Case {
    /// Two iterations: refused, told why, verified. Every step may be done twice.
    fn new() -> Case {
        let sandbox = Sandbox::in_memory(&Sample::shell());
        let agent = FakeAgent::new(&sandbox)
            .turn(1, [Step::write("value.txt", "almost\n"), Step::claim()])
            .turn(2, [Step::write("value.txt", "right\n"), Step::Linger, Step::claim()]);
        Case { sandbox, agent, gates: Gates::Check }
    }

    /// The same, but it is the judge who refuses.
    fn judged() -> Case {
        let rubric = "## Judge criteria\n\n- it is said that the work is done\n";
        let sandbox = Sandbox::in_memory(&Sample::shell().file("RUBRIC.md", rubric));
        let agent = FakeAgent::new(&sandbox)
            .turn(1, [Step::write("value.txt", "right\n"), Step::claim()])
            .turn(2, [Step::write("done.txt", "yes\n"), Step::claim()]);
        Case { sandbox, agent, gates: Gates::Judge }
    }

    fn command(&self) -> Invocation {
        let command = run_right(&self.sandbox, &self.agent, &["-n", "5"]);
        match self.gates {
            Gates::Check => command,
            Gates::Judge => command.arguments(["--judge", JUDGE]).variable("GULF_JUDGE_PROTOCOL", "line"),
        }
    }

    /// Runs the command under a plan; the points it came by, by name.
    fn run_with(&self, plan: Plan, name: &str) -> (Finished, Vec<String>) {
        let count = self.sandbox.path(name);
        let mut command = self.command().variable("GULF_CRASH_COUNT", count.as_str());
        if let Plan::DieAt(at) = plan {
            command = command.variable("GULF_CRASH_AT", at.to_string());
        }
        let finished = command.run().does_not_panic();
        let points = fs::read_to_string(&count).unwrap_or_default();
        (finished, points.lines().map(str::to_owned).collect())
    }

    fn is_over(&self) -> bool {
        self.sandbox.loops().iter().any(|kept| kept.journal_path().is_file() && kept.end().is_some())
    }

    /// The same command again; it must bring the loop to its end.
    #[track_caller]
    fn go_on(&self, told: &str) {
        if !self.is_over() {
            let finished = self.command().run().does_not_panic();
            assert_eq!(finished.exit, Some(exit::VERIFIED), "{told}: {finished:#?}");
        }
    }

    /// What a crash left in the project, but for the folder that no snapshot looks into.
    fn half_written(&self) -> Vec<String> {
        let folders = [self.sandbox.file("."), self.sandbox.file(".claude")];
        let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
        let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        names.filter(|name| name.starts_with(".gulf-new-")).collect()
    }

    /// What must hold however often it was killed.
    #[track_caller]
    fn holds(&self, told: &str, tree: &str) {
        self.sandbox.assert_nothing_left();
        assert_eq!(self.half_written(), [""; 0], "{told}: a file that is not whole");
        let kept: Vec<_> =
            self.sandbox.loops().into_iter().filter(|kept| kept.journal_path().is_file()).collect();
        let begun: Vec<_> = kept.iter().filter(|kept| !kept.facts_of("sealed").is_empty()).collect();
        assert_eq!(begun.len(), 1, "{told}: {begun:?}");
        let kept = begun[0];
        assert_eq!(kept.end().unwrap()["kind"], "verified", "{told}");
        assert_eq!(kept.candidate().1, tree, "{told}: another tree");
        let (ran, announced) = (self.agent.tally().turns(), kept.turns());
        let distinct: BTreeSet<_> = ran.iter().collect();
        assert_eq!(distinct.len(), ran.len(), "{told}: an attempt ran twice: {ran:?}");
        assert!(
            ran.iter().all(|turn| announced.contains(turn)),
            "{told}: {ran:?} ran, {announced:?} was announced"
        );
        let iterations: BTreeSet<u32> = announced.iter().map(|(iteration, _)| *iteration).collect();
        assert_eq!(iterations, BTreeSet::from([1, 2]), "{told}: {announced:?}");
        for iteration in iterations {
            let attempts: Vec<u32> =
                announced.iter().filter(|turn| turn.0 == iteration).map(|turn| turn.1).collect();
            let expected: Vec<u32> = (1..).take(attempts.len()).collect();
            assert_eq!(attempts, expected, "{told}: attempts of iteration {iteration}");
        }
        let sequences: Vec<u64> =
            kept.events().iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
        assert_eq!(sequences, (1..).take(sequences.len()).collect::<Vec<u64>>(), "{told}");
    }
}

/// The tree of a run that nothing disturbed, and the points it came by.
fn undisturbed(case: &Case) -> (String, Vec<String>) {
    let (finished, points) = case.run_with(Plan::Count, "count");
    finished.expect_exit(exit::VERIFIED);
    let (_, tree) = case.sandbox.only_loop().candidate();
    case.holds("without a crash", &tree);
    assert!(points.len() > 20, "crash points are not compiled in: {points:?}");
    (tree, points)
}

/// Every point of this group, each in a sandbox of its own.
fn killed_at_each_of_group(group: usize) {
    let (tree, points) = undisturbed(&Case::new());
    let (mut tried, mut drivers) = (0, 0);
    // Which process comes first differs from run to run, and so does the number of points: some more are tried.
    let all = in_turn(EVERY, 1..=points.len() + GROUPS);
    for at in all.into_iter().skip(group).step_by(GROUPS) {
        let case = Case::new();
        let (finished, passed) = case.run_with(Plan::DieAt(at), "count");
        drivers += usize::from(finished.exit.is_none());
        let told = format!(
            "killed at point {at} of {} ({})",
            points.len(),
            passed.get(at - 1).map_or("-", |name| name)
        );
        case.go_on(&told);
        case.holds(&told, &tree);
        tried += 1;
    }
    println!(
        "{tried} of {} crash points, each in a run of its own; the driver died in {drivers}",
        points.len()
    );
    // Elsewhere it was a shim that died, and the driver that noticed.
    assert!(drivers * 2 > tried, "only {drivers} of {tried} runs were killed");
}

/// One test for each group, so that they run beside each other and none is long.
macro_rules! killed_at_every_point {
    ($($name:ident: $group:literal),+ $(,)?) => {
        $(
            #[test]
            fn $name() {
                killed_at_each_of_group($group);
            }
        )+
    };
}

killed_at_every_point! {
    killed_at_every_point_the_same_command_goes_on_first_part: 0,
    killed_at_every_point_the_same_command_goes_on_second_part: 1,
    killed_at_every_point_the_same_command_goes_on_third_part: 2,
    killed_at_every_point_the_same_command_goes_on_fourth_part: 3,
}

// proves: B8
#[test]
fn killed_again_while_recovering_the_same_command_still_goes_on() {
    let (tree, points) = undisturbed(&Case::new());
    let mut tried = 0;
    for first in in_turn(EVERY, (1..=points.len()).step_by(RECOVERY_SAMPLE)) {
        // A different place in the recovery each time.
        let second = 1 + (first * 7) % points.len();
        let case = Case::new();
        case.run_with(Plan::DieAt(first), "first");
        let told = format!("killed at point {first} of {}, and at {second} while recovering", points.len());
        if !case.is_over() {
            case.run_with(Plan::DieAt(second), "second");
        }
        case.go_on(&told);
        case.holds(&told, &tree);
        tried += 1;
    }
    println!("{tried} pairs of {} crash points", points.len());
}

#[test]
fn killed_under_a_judge_its_word_is_heard_and_a_rejection_counts_once() {
    let (tree, points) = undisturbed(&Case::judged());
    for at in in_turn(EVERY, (1..=points.len()).step_by(JUDGED_SAMPLE)) {
        let case = Case::judged();
        case.run_with(Plan::DieAt(at), "count");
        let told = format!("killed at point {at} of {}", points.len());
        case.go_on(&told);
        case.holds(&told, &tree);
        let feedback = fs::read_to_string(case.sandbox.file("JUDGE_FEEDBACK.md")).unwrap();
        let entries: Vec<&str> = feedback.lines().filter(|line| line.starts_with("## Iteration")).collect();
        assert_eq!(entries.len(), 1, "{told}: a rejection is written down once: {entries:?}");
        assert!(entries[0].starts_with("## Iteration 1 — REJECTED (1 consecutive)"), "{told}: {entries:?}");
    }
}

/// It would go into the candidate as the worker's work.
#[test]
fn killed_while_a_text_of_the_loop_is_replaced_no_half_of_it_lies_in_the_project() {
    let (_, points) = undisturbed(&Case::judged());
    let mut halves = 0;
    let renames = points.iter().enumerate().filter(|(_, name)| *name == "files.replace.rename");
    for (before, _) in in_turn(3, renames) {
        let case = Case::judged();
        case.run_with(Plan::DieAt(before + 1), "count");
        assert_eq!(case.half_written(), [""; 0], "killed at point {} of {}", before + 1, points.len());
        let own = fs::read_dir(case.sandbox.file(".gulf")).into_iter().flatten();
        halves += own
            .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with(".gulf-new-"))
            .count();
    }
    println!("{halves} files in the loop's own folder were not whole");
    assert!(halves > 0, "no text of the project is replaced");
}

#[test]
fn every_kind_of_crash_point_of_the_host_is_reached() {
    let (_, points) = undisturbed(&Case::new());
    let kinds: BTreeSet<&str> = points.iter().map(|name| name.split('.').next().unwrap()).collect();
    println!("{} crash points of {} kinds: {:?}", points.len(), kinds.len(), kinds);
    for kind in ["journal", "files", "git"] {
        assert!(kinds.contains(kind), "no point of {kind} in {kinds:?}");
    }
}
