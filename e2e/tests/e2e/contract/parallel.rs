//! `/gulf-loop:start-parallel` (CONTRACT §1.3): worktrees beside the repository, each with a loop that waits for a session.
//!
//! Apart from other starts because the session in which it is typed works on none of the loops.

use std::fs;

use camino::Utf8PathBuf;
use gulf_testkit::{FakeAgent, Sandbox, Standing, Step, in_turn, one_in_turn};

use super::harness::{HOSTS, Host, PROMISE, PROMPT, RUBRIC, Session};

/// Without the research brief, which other tests are about.
const START: &str = "/gulf-loop:start-parallel --no-research";

fn worktrees(sandbox: &Sandbox) -> Vec<Utf8PathBuf> {
    let entries = sandbox.root().read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path());
    let is_worktree = |path: &Utf8PathBuf| path.file_name().unwrap().starts_with("repository-gulf-2");
    let mut all: Vec<Utf8PathBuf> = entries.filter(is_worktree).collect();
    all.sort();
    all
}

fn branches(sandbox: &Sandbox) -> String {
    sandbox.git(["branch", "--list", "--format=%(refname:short)", "gulf/*"])
}

/// Sessions in the worktrees of two workers; the command was typed in the first one given.
fn started(session: &Session, flags: &str) -> [Session; 2] {
    session.prompt(&format!("{START} {flags} {PROMPT}")).refuses_prompt();
    let all = worktrees(&session.sandbox);
    assert_eq!(all.len(), 2, "{all:?}");
    let open = |number: usize| {
        let id = format!("5ea53bba-0000-4000-8000-00000000010{number}");
        session.another(&id).in_project(&all[number - 1])
    };
    [open(1), open(2)]
}

// proves: G19, G20
#[test]
fn each_worker_gets_a_worktree_a_branch_and_a_marker_and_the_answer_says_where_and_what_to_type() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        let before = Standing::of(&session.sandbox).files;
        let outcome = session.prompt(&format!("/gulf-loop:start-parallel -w 3 {PROMPT}"));
        outcome.refuses_prompt();
        outcome.says("3 loops are ready").says("1 / 200 max");
        let all = worktrees(&session.sandbox);
        assert_eq!((all.len(), branches(&session.sandbox).lines().count()), (3, 3));
        for (number, worktree) in (1..).zip(&all) {
            let branch = branches(&session.sandbox).lines().nth(number - 1).unwrap().to_owned();
            assert!(branch.starts_with("gulf/parallel-20") && branch.ends_with(&format!("-worker-{number}")));
            outcome.says(worktree.as_str()).says(&format!("worker {number}: {branch} → main"));
            let worker = session.another("another").in_project(worktree);
            worker.expect_fields(&[
                ("active", "true"),
                ("iteration", "1"),
                ("max_iterations", "200"),
                ("completion_promise", "COMPLETE"),
                ("autonomous", "true"),
                ("branch", &branch),
                ("base_branch", "main"),
                ("merge_status", "pending"),
                ("worktree_path", worktree.as_str()),
            ]);
            assert!(worker.read(".gulf/brief.md").contains(&format!("You are worker {number} of 3")));
        }
        outcome.says(if host == Host::Codex { "$gulf-loop:resume" } else { "/gulf-loop:resume" });
        assert!(session.look().is_none(), "the session itself works on none of them");
        assert_eq!(Standing::of(&session.sandbox).files, before);
        session.stop("Well.").is_untouched();
    }
}

#[test]
fn two_are_the_default_and_the_flags_are_the_originals() {
    let session = Session::checked(Host::Plain);
    let [one, _] = started(&session, "-n 30 -p \"ALL DONE\" -b main -m 5 --structured-memory --force-max");
    one.expect_fields(&[
        ("max_iterations", "30"),
        ("completion_promise", "ALL DONE"),
        ("milestone_every", "5"),
        ("structured_memory", "true"),
        ("force_max", "true"),
    ]);
}

#[test]
fn with_a_judge_the_rubric_is_there_and_private_files_come_along() {
    let (session, _judge) = Session::judged(Host::Claude);
    session.write("RUBRIC.md", format!("{RUBRIC}- and it is short\n"));
    session.write(".gitignore", ".env\n");
    session.sandbox.commit("ignore");
    session.write(".env", "KEY=1\n");
    session.write(".worktreeinclude", ".env\n");
    let [one, two] = started(&session, "--with-judge -t 3");
    for worker in [one, two] {
        worker.expect_fields(&[("judge_enabled", "true"), ("hitl_threshold", "3")]);
        assert!(worker.read("RUBRIC.md").contains("and it is short"), "as it lies in the person's checkout");
        assert_eq!(worker.read(".env"), "KEY=1\n");
    }
    let session = Session::checked(Host::Claude);
    session.prompt(&format!("{START} --with-judge {PROMPT}")).refuses_prompt();
    assert!(worktrees(&session.sandbox).is_empty());
}

#[test]
fn strategies_are_given_out_in_turn() {
    let session = Session::checked(Host::Plain);
    session.write("table.md", "Use a table.\n");
    let [one, two] = started(&session, "--strategy table.md");
    assert!(one.read(".gulf/brief.md").contains("Use a table."));
    assert!(two.read(".gulf/brief.md").contains("Use a table."));
}

// proves: G19
#[test]
fn resume_or_the_next_stop_there_drives_the_loop_and_each_lands_on_its_own() {
    let session = Session::checked(Host::Claude);
    let [one, two] = started(&session, "");
    one.prompt("/gulf-loop:resume").adds_to_prompt();
    one.work_and_stop("Not yet.").continues();
    one.mend();
    one.work_and_stop(PROMISE).lets_stop();
    assert_eq!(session.sandbox.git(["show", "main:value.txt"]), "right");
    assert!(one.look().is_none());
    // Nothing was typed here.
    two.mend();
    two.write("second.txt", "two\n");
    two.stop(PROMISE).lets_stop();
    let log = session.sandbox.git(["log", "--format=%s", "--first-parent", "main"]);
    assert_eq!(log.matches("merge(gulf-loop): gulf/parallel-").count(), 2, "{log}");
    assert_eq!(session.sandbox.git(["show", "main:second.txt"]), "two");
    session.gulf(&["status"]).run().expect_exit(0).says("2 of 2 landed");
    // Their sessions may stand there still; who cleans up takes what nobody needs.
    assert_eq!(worktrees(&session.sandbox).len(), 2);
    session.gulf(&["clean", "--yes"]).run().expect_exit(0);
    assert_eq!((worktrees(&session.sandbox).len(), branches(&session.sandbox)), (0, String::new()));
}

#[test]
fn a_session_that_is_still_open_keeps_its_worktree_and_the_next_start_takes_the_other() {
    let session = Session::checked(Host::Plain);
    let [one, two] = started(&session, "");
    for (worker, text) in [(&one, "1"), (&two, "2")] {
        worker.mend();
        worker.write(&format!("{text}.txt"), text);
        worker.stop(PROMISE).says("this session stands in it");
    }
    let open = worktrees(&session.sandbox)[0].clone();
    let mut host = std::process::Command::new("cat")
        .current_dir(&open)
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    session.prompt(&format!("/gulf-loop:start --replace {PROMPT}"));
    let left = worktrees(&session.sandbox);
    if cfg!(target_os = "linux") {
        assert_eq!(left, [open]);
        session.gulf(&["clean", "--dry-run"]).run().says("in use by cat");
    }
    host.kill().unwrap();
    host.wait().unwrap();
}

#[test]
fn it_works_from_a_subfolder_and_is_refused_in_a_linked_worktree_and_where_nothing_can_land() {
    let session = Session::checked(Host::Plain);
    fs::create_dir_all(session.file("deep/down")).unwrap();
    let deep = session.another("deep").standing_in(session.file("deep/down"));
    deep.prompt(&format!("{START} {PROMPT}")).says("2 loops are ready");
    assert_eq!(worktrees(&session.sandbox).len(), 2);

    let linked = session.sandbox.path("linked");
    session.sandbox.git(["worktree", "add", "--quiet", "--detach", linked.as_str()]);
    let there = session.another("there").in_project(&linked);
    there.prompt(&format!("{START} another goal")).refuses_prompt();
    there.prompt(&format!("{START} another goal")).says("already inside a worktree");
    let cases: [(&str, &[&str], &str, &str); 4] = [
        ("", &["checkout --quiet --detach"], "HEAD is detached", "--base-branch NAME"),
        ("", &["checkout --quiet --orphan new"], "no commit yet", "--allow-empty"),
        ("-b nowhere", &[], "no branch nowhere", "git branch --all"),
        ("-w 0", &[], "`-w` must be", "from 1 to 64"),
    ];
    for (flags, before, why, hint) in cases {
        let session = Session::checked(Host::Plain);
        for words in before {
            session.sandbox.git(words.split(' '));
        }
        let outcome = session.prompt(&format!("{START} {flags} {PROMPT}"));
        outcome.refuses_prompt();
        outcome.says(why).says(hint);
        assert!(worktrees(&session.sandbox).is_empty() && session.sandbox.loops().is_empty(), "{flags}");
    }
}

#[test]
fn the_same_goal_is_not_begun_twice_and_a_hook_that_is_registered_twice_begins_it_once() {
    let session = Session::checked(Host::Claude);
    let words = format!("{START} {PROMPT}");
    session.prompt(&words).says("2 loops are ready");
    session.prompt(&words).says("2 loops are ready");
    assert_eq!(worktrees(&session.sandbox).len(), 2, "one prompt, heard twice");
    let other = session.another("5ea53bba-0000-4000-8000-000000000009");
    other.prompt(&words).says("unfinished").says("--replace");
    assert_eq!(session.sandbox.loops().len(), 2);
    other.prompt(&format!("{START} --replace {PROMPT}")).says("2 loops are ready");
    assert_eq!(session.sandbox.loops().len(), 4);
}

#[test]
fn where_they_were_started_a_session_sees_and_ends_all_of_them_and_goes_on_with_none() {
    let session = Session::checked(Host::Claude);
    let [one, two] = started(&session, "");
    session.prompt("/gulf-loop:status").says("0 of 2 landed").says("worker 2: running");
    session.prompt("/gulf-loop:resume").says("works elsewhere").says(worktrees(&session.sandbox)[1].as_str());
    let cancelled = session.prompt("/gulf-loop:cancel");
    cancelled.refuses_prompt();
    for worker in [one, two] {
        assert!(worker.look().is_none());
        worker.stop("Well.").is_untouched();
    }
    session.gulf(&["status"]).run().expect_exit(0).says("worker 1: cancelled").says("worker 2: cancelled");
    session.gulf(&["clean", "--yes"]).run().expect_exit(0);
    assert!(worktrees(&session.sandbox).is_empty(), "nothing was done there");
}

#[test]
fn with_select_first_the_others_end_at_their_next_stop_and_are_kept() {
    let session = Session::checked(Host::Plain);
    let [one, two] = started(&session, "--select first");
    two.work_and_stop("Not yet.").continues();
    one.mend();
    one.work_and_stop(PROMISE).lets_stop();
    two.mend();
    two.work_and_stop(PROMISE).says("cancelled");
    let log = session.sandbox.git(["log", "--format=%s", "--first-parent", "main"]);
    assert_eq!(log.matches("merge(gulf-loop)").count(), 1, "{log}");
    session.gulf(&["clean", "--yes"]).run().expect_exit(0);
    let left = worktrees(&session.sandbox);
    assert!(left.len() == 1 && left[0].as_str().ends_with("worker-2"), "{left:?}");
}

#[test]
fn a_terminal_prepares_the_same_loops() {
    let session = Session::checked(Host::Plain);
    let arguments = ["start", "--preset", "parallel", "--workers", "2", "--no-research", PROMPT];
    session.gulf(&arguments).run().expect_exit(0).says("2 loops are ready").says("worker 2: gulf/parallel-");
    assert_eq!(worktrees(&session.sandbox).len(), 2);
}

#[test]
fn resume_here_gives_all_of_them_to_agents_that_gulf_starts() {
    let session = Session::checked(Host::Plain);
    let agent =
        FakeAgent::new(&session.sandbox).otherwise([Step::write("value.txt", "right\n"), Step::claim()]);
    let flag = agent.flag();
    let arguments = ["start", "--preset", "parallel", "--no-research", "--agent", &flag, PROMPT];
    session.gulf(&arguments).run().expect_exit(0);
    session.gulf(&["resume", "--here"]).run().expect_exit(0).says("2 of 2 landed");
    assert_eq!((worktrees(&session.sandbox).len(), branches(&session.sandbox)), (0, String::new()));
}

#[test]
fn a_start_that_is_killed_leaves_nothing_half_made() {
    let begin = |at: Option<usize>| {
        let session = Session::checked(Host::Plain);
        let count = session.sandbox.path("count");
        let arguments = ["start", "--preset", "parallel", "--workers", "2", "--no-research", PROMPT];
        let mut start = session.gulf(&arguments).variable("GULF_CRASH_COUNT", count.as_str());
        if let Some(at) = at {
            start = start.variable("GULF_CRASH_AT", at.to_string());
        }
        start.run().does_not_panic();
        (session, fs::read_to_string(&count).unwrap_or_default())
    };
    let (_, points) = begin(None);
    let points: Vec<&str> = points.lines().collect();
    let first = points.iter().position(|point| *point == "branching.recorded").unwrap();
    for (at, point) in in_turn(39, points.iter().enumerate().skip(first)) {
        let (session, _) = begin(Some(at + 1));
        let told = format!("killed at point {} ({point})", at + 1);
        // Whatever the next command is: both are there, or none.
        session.prompt(&format!("{START} {PROMPT}"));
        let all = worktrees(&session.sandbox);
        assert_eq!((all.len(), branches(&session.sandbox).lines().count()), (2, 2), "{told}");
        for worktree in &all {
            let worker = session.another("another").in_project(worktree);
            worker.prompt("/gulf-loop:resume").adds_to_prompt();
        }
    }
}
