//! Sixteen workers of every kind on one repository, each a gulf of its own: the base is green after every landing, every
//! change landed or is accounted for by name, and nothing of the person's moves.

use std::collections::BTreeMap;

use gulf_testkit::{
    Bell, FakeAgent, Finished, Invocation, Meeting, Sample, Sandbox, Standing, Started, Step, quote,
};

use crate::exit;

/// What the project demands of every commit: not more than so much together, and no conflict left in it.
const PROJECT_CHECK: &str = "\
test $(cat cost-* 2>/dev/null | awk '{ sum += $1 } END { print sum + 0 }') -le 5 || { echo too much together; exit 1; }
! grep -q '<<<<' shared.txt
";

/// Merges what stands on the base, whatever that takes.
const MERGE: &str = "git add -A; git commit -qm mine; git merge -q main >merge.log 2>&1";

/// One of the sixteen.
struct Worker {
    name: &'static str,
    agent: FakeAgent,
    check: String,
    iterations: &'static str,
}

impl Worker {
    fn goal(&self) -> String {
        format!("do the work of {}", self.name)
    }

    fn invocation(&self, sandbox: &Sandbox) -> Invocation {
        let goal = self.goal();
        let fixed = ["--preset", "autonomous", "--base-branch", "main", "--research", "off"];
        sandbox
            .gulf(["run", goal.as_str(), "--agent", &self.agent.flag(), "-n", self.iterations])
            .arguments(fixed)
            .arguments(["--check", "sh check.sh", "--check", &self.check])
            .variable("GULF_LANDING_LANES", "2")
            .variable("GULF_AGENT_TIMEOUT", if self.name == "hanging" { "2s" } else { "2h" })
    }
}

/// Where the kinds meet each other and the test.
struct Meetings {
    /// The sibling's trial runs, and waits until its worktree was edited.
    tested: Bell,
    edited: Bell,
    intrude: Meeting,
    /// The stubborn one begins when others have landed what does not go together with its work.
    begin: Meeting,
}

impl Meetings {
    fn in_(sandbox: &Sandbox) -> Meetings {
        let bell = |name: &str| Bell::new(sandbox, name);
        let meeting = |name: &str| Meeting::new(sandbox, name);
        let (intrude, begin) = (meeting("intrude"), meeting("begin"));
        Meetings { tested: bell("tested"), edited: bell("edited"), intrude, begin }
    }
}

fn worker(sandbox: &Sandbox, name: &'static str, check: &str, steps: Vec<Step>) -> Worker {
    let agent = FakeAgent::named(sandbox, name).otherwise(steps);
    Worker { name, agent, check: check.to_owned(), iterations: "4" }
}

/// Adds a file of its own.
fn plain(sandbox: &Sandbox, name: &'static str, before: &str) -> Worker {
    let steps = vec![Step::run(&format!("{before}echo {name} > {name}.txt")), Step::claim()];
    worker(sandbox, name, &format!("test -f {name}.txt"), steps)
}

/// The file is there; in a trial this must go well, too.
fn in_trial(name: &str, what: &str) -> String {
    format!("test -f {name}.txt && case \"$PWD\" in *lanes*) {what};; esac")
}

fn independent(sandbox: &Sandbox, meetings: &Meetings) -> Vec<Worker> {
    let names = ["alone-two", "alone-three", "alone-four", "alone-five", "alone-six"];
    let mut workers: Vec<Worker> = names.into_iter().map(|name| plain(sandbox, name, "")).collect();
    let where_ = quote(sandbox.path("where").as_str());
    let was_edited = quote(sandbox.path("was-edited").as_str());
    let mut sibling = plain(sandbox, "sibling", &format!("pwd > {where_}; "));
    // A trial may be stopped and begun again.
    let waits = format!("{}; {}", meetings.tested.rung_by_shell(1), meetings.edited.heard_by_shell());
    sibling.check = in_trial("sibling", &format!("test -e {was_edited} || {{ {waits}; }}"));
    workers.push(sibling);
    let edit =
        format!("cd \"$(cat {where_})\" && echo intruded > sibling.txt && echo x > intruder-was-here.txt");
    let done = format!("touch {was_edited}; {}", meetings.edited.rung_by_shell(9));
    let mut intruder = plain(sandbox, "intruder", "");
    intruder.agent = FakeAgent::named(sandbox, "intruder").otherwise([
        meetings.intrude.held(),
        Step::run(&format!("{edit}; {done}")),
        Step::write("intruder.txt", "own\n"),
        Step::claim(),
    ]);
    workers.push(intruder);
    workers
}

fn in_textual_conflict(sandbox: &Sandbox) -> Vec<Worker> {
    ["left", "right"]
        .map(|name| {
            let both = format!(
                "{MERGE}; (git show main:shared.txt; echo {name}) | sort -u > shared.txt; {}",
                "rm merge.log"
            );
            let first = format!("echo {name} > shared.txt");
            let mut worker = worker(sandbox, name, &format!("grep -qx {name} shared.txt"), Vec::new());
            worker.agent = FakeAgent::named(sandbox, name)
                .turn(1, [Step::run(&first), Step::claim()])
                .otherwise([Step::run(&both), Step::run("git add -A; git commit -qm merged"), Step::claim()]);
            worker
        })
        .into()
}

fn green_alone_and_red_together(sandbox: &Sandbox, meetings: &Meetings) -> Vec<Worker> {
    let mut workers: Vec<Worker> = ["dear", "costly"]
        .map(|name| {
            let mut worker = worker(sandbox, name, &format!("test -f cost-{name}"), Vec::new());
            let less = format!("{MERGE}; rm merge.log; echo 0 > cost-{name}");
            worker.agent = FakeAgent::named(sandbox, name)
                .turn(1, [Step::write(&format!("cost-{name}"), "4\n"), Step::claim()])
                .otherwise([Step::run(&less), Step::claim()]);
            worker
        })
        .into();
    let steps = vec![Step::write("cost-stubborn", "4\n"), Step::claim()];
    let mut stubborn = worker(sandbox, "stubborn", "test -f cost-stubborn", steps.clone());
    stubborn.agent = FakeAgent::named(sandbox, "stubborn")
        .turn(1, [meetings.begin.held()].into_iter().chain(steps))
        .otherwise([Step::run("echo tried >> cost-stubborn.log"), Step::claim()]);
    stubborn.iterations = "2";
    workers.push(stubborn);
    workers
}

fn out_of_line(sandbox: &Sandbox) -> Vec<Worker> {
    let mut flaky = plain(sandbox, "flaky", "");
    let first = quote(sandbox.path("was-flaky").as_str());
    flaky.check = in_trial("flaky", &format!("! mkdir {first} 2>&-"));
    let mut hanging =
        worker(sandbox, "hanging", "test -f never.txt", vec![Step::run("echo x > begun.txt"), Step::Hang]);
    hanging.iterations = "1";
    let branchless =
        "branch=$(git branch --show-current); git switch -q --detach; git branch -q -D \"$branch\"; ";
    let own_texts = "mkdir -p .gulf .claude; echo x > .gulf/notes; echo done > progress.txt; \
                     echo 'active: false' > .claude/gulf-loop.local.md; \
                     git add -f .gulf .claude progress.txt; git commit -qm 'gulf files'; ";
    vec![flaky, hanging, plain(sandbox, "branchless", branchless), plain(sandbox, "own-texts", own_texts)]
}

fn sixteen(sandbox: &Sandbox, meetings: &Meetings) -> Vec<Worker> {
    let mut workers = independent(sandbox, meetings);
    workers.extend(in_textual_conflict(sandbox));
    workers.extend(green_alone_and_red_together(sandbox, meetings));
    workers.extend(out_of_line(sandbox));
    assert_eq!(workers.len(), 16);
    workers
}

/// The person is in the middle of something, on a branch of theirs.
fn with_a_person_at_work() -> Sandbox {
    let sample =
        Sample::default().file("check.sh", PROJECT_CHECK).file("shared.txt", "").file("README", "hi\n");
    let sandbox = Sandbox::in_memory(&sample);
    sandbox.git(["branch", "other"]);
    sandbox.git(["tag", "v1"]);
    sandbox.git(["switch", "--quiet", "--create", "mine"]);
    sandbox.write("README", "set aside\n");
    sandbox.git(["stash", "push", "--quiet"]);
    sandbox.write("staged.txt", "staged\n");
    sandbox.git(["add", "staged.txt"]);
    sandbox.write("README", "half done\n");
    sandbox.write("untracked.txt", "untracked\n");
    sandbox.write(".git/hooks/post-merge", "#!/bin/sh\ntouch ../hooked\n");
    sandbox
}

/// Everything of the person's: all refs but the base, notes and what is gulf's.
fn standing(sandbox: &Sandbox) -> (Standing, String) {
    let mut standing = Standing::of(sandbox);
    let theirs = |line: &&str| !["refs/heads/gulf/", "refs/heads/main"].iter().any(|own| line.contains(own));
    standing.refs = standing.refs.lines().filter(theirs).collect::<Vec<_>>().join("\n");
    (standing, sandbox.git(["stash", "list", "--format=%H %gs"]))
}

/// Every commit the base was moved to holds what the project and all who have landed by then demand, looked at where
/// nobody has worked.
#[track_caller]
fn every_landing_is_green(sandbox: &Sandbox, workers: &[Worker]) -> BTreeMap<&'static str, usize> {
    let clone = sandbox.path("clean clone");
    sandbox.git(["clone", "--quiet", "--branch", "main", ".", clone.as_str()]);
    let in_clone = |program: &str, arguments: &[&str]| {
        sandbox.program(program, arguments.iter().copied()).directory(&clone).run()
    };
    let mut landed = BTreeMap::new();
    let commits = sandbox.git(["rev-list", "--first-parent", "--reverse", "main"]);
    for commit in commits.lines() {
        let message = sandbox.git(["log", "-1", "--format=%B", commit]);
        let its =
            |worker: &&Worker| message.lines().any(|line| line == format!("Gulf-Goal: {}", worker.goal()));
        workers.iter().filter(its).for_each(|worker| *landed.entry(worker.name).or_insert(0) += 1);
        in_clone("git", &["checkout", "--quiet", "--detach", commit]).expect_exit(0);
        let by_now = workers.iter().filter(|worker| landed.contains_key(worker.name));
        for check in by_now.map(|worker| worker.check.as_str()).chain(["sh check.sh"]) {
            let ran = in_clone("sh", &["-c", check]);
            assert_eq!(ran.exit, Some(0), "{check} in {commit}: {ran:#?}\n{message}");
        }
        let own = in_clone("git", &["ls-tree", "-r", "--name-only", commit]).stdout;
        for text in [".gulf", "progress.txt", ".claude", "intruder-was-here"] {
            assert!(!own.contains(text), "{text} in {commit}: {own}");
        }
    }
    landed
}

/// What a loop that did not land says of itself, by name and with the reason.
#[track_caller]
fn accounts_for_itself(sandbox: &Sandbox, name: &str, word: &str) {
    let slug = format!("do-the-work-of-{name}");
    let kept = sandbox.loops().into_iter().find(|kept| kept.id().contains(&slug)).unwrap();
    sandbox.gulf(["status", kept.id()]).run().expect_exit(0).says(word);
    sandbox.gulf(["list"]).run().expect_exit(0).says(&crate::handle_of(sandbox, kept.id()));
}

// proves: B10
#[test]
fn of_sixteen_workers_of_every_kind_each_lands_or_is_accounted_for_and_the_base_is_always_green() {
    let sandbox = with_a_person_at_work();
    let before = standing(&sandbox);
    let meetings = Meetings::in_(&sandbox);
    let workers = sixteen(&sandbox, &meetings);
    let mut running: BTreeMap<&str, Started> =
        workers.iter().map(|worker| (worker.name, worker.invocation(&sandbox).start())).collect();
    let mut ends = |name: &str| -> Finished { running.remove(name).unwrap().finish().does_not_panic() };

    meetings.tested.wait();
    meetings.intrude.release();
    for dear in ["dear", "costly"] {
        ends(dear).expect_exit(exit::VERIFIED);
    }
    meetings.begin.release();
    for worker in workers.iter().filter(|worker| !["dear", "costly"].contains(&worker.name)) {
        let finished = ends(worker.name);
        match worker.name {
            "stubborn" | "hanging" => finished.expect_exit(exit::EXHAUSTED),
            _ => finished.expect_exit(exit::VERIFIED),
        };
    }

    let landed = every_landing_is_green(&sandbox, &workers);
    for worker in &workers {
        let times = landed.get(worker.name).copied().unwrap_or(0);
        let expected = usize::from(!["stubborn", "hanging"].contains(&worker.name));
        assert_eq!(times, expected, "{} landed {times} times", worker.name);
        assert!(!worker.agent.tally().turns().is_empty(), "{} has worked", worker.name);
    }
    accounts_for_itself(&sandbox, "stubborn", "a check fails: sh check.sh: exit code 1");
    accounts_for_itself(&sandbox, "hanging", "exhausted");
    assert_eq!(sandbox.git(["show", "main:shared.txt"]), "left\nright");
    assert_eq!(sandbox.git(["show", "main:sibling.txt"]), "sibling");
    assert_eq!(standing(&sandbox), before);
    assert!(!sandbox.path("hooked").exists());
    sandbox.assert_nothing_left();
}
