//! Work of a session comes onto its base branch (CONTRACT §1.12, R8, R9, R10): merged, tested as it lands, and the
//! checkout stands on the base branch again.
//!
//! Apart from completion because others have brought something meanwhile, and it is their branch as well.

use std::fs;

use gulf_testkit::{FakeAgent, Meeting, Sandbox, Step, in_turn, one_in_turn, quote};

use super::harness::{AUTOCHECKS, BRIEF, HOSTS, Host, PROMISE, PROMPT, SECOND, Session};

const START: &str = "/gulf-loop:start-autonomous --no-research";

/// On a branch of its own, in a turn.
fn started(host: Host) -> Session {
    let session = Session::checked(host);
    session.prompt(&format!("{START} {PROMPT}")).adds_to_prompt();
    session
}

fn git(session: &Session, words: &str) -> String {
    session.sandbox.git(words.split(' '))
}

/// Others commit this on the base branch.
fn others_bring(sandbox: &Sandbox, message: &str, files: &[(&str, &str)]) {
    let elsewhere = sandbox.path("others");
    sandbox.git(["worktree", "add", "--quiet", elsewhere.as_str(), "main"]);
    for (path, text) in files {
        fs::write(elsewhere.join(path), text).unwrap();
    }
    sandbox.git(["-C", elsewhere.as_str(), "add", "--all"]);
    sandbox.git(["-C", elsewhere.as_str(), "commit", "--quiet", "-m", message]);
    sandbox.git(["worktree", "remove", elsewhere.as_str()]);
}

/// The loop is over, and the person's checkout is as after a merge of their own.
#[track_caller]
fn is_landed(session: &Session) {
    session.expect_completed();
    assert_eq!(git(session, "branch --show-current"), "main");
    assert_eq!(git(session, "status --porcelain"), "");
    assert_eq!(git(session, "branch --list gulf/*"), "");
    assert_eq!(session.read("value.txt"), "right\n");
    session.sandbox.assert_nothing_left();
}

// proves: G17, G18
#[test]
fn what_is_verified_lands_and_the_checkout_is_back_on_the_base_branch() {
    for host in one_in_turn(HOSTS) {
        let session = started(host);
        let branch = git(&session, "branch --show-current");
        session.write("progress.txt", BRIEF);
        session.work_and_stop("Not yet.").continues();
        session.mend();
        let outcome = session.stop(PROMISE);
        outcome.lets_stop().says("landed");
        is_landed(&session);
        let message = git(&session, "log -1 --format=%B main");
        assert!(
            message.starts_with(&format!("merge(gulf-loop): {branch} → main [autonomous]\n")),
            "{message}"
        );
        for trailer in ["Gulf-Goal: Make value.txt say right.", "Gulf-Loop: ", "Gulf-Receipt: sha256:"] {
            assert!(message.contains(trailer), "{message}");
        }
        assert!(session.read(".gulf/handoff.md").contains("## Loop completed"));
        assert_eq!(git(&session, "log --format=%s main~1 -1"), "autochecks");
    }
}

#[test]
fn what_others_brought_meanwhile_and_what_git_ignores_is_there_afterwards() {
    let session = Session::checked(Host::Plain);
    session.write("cache/mine.txt", "ignored\n");
    session.prompt(&format!("{START} {PROMPT}")).adds_to_prompt();
    others_bring(&session.sandbox, "theirs", &[("theirs.txt", "theirs\n")]);
    session.mend();
    session.sandbox.commit("begun");
    session.work();
    session.stop(PROMISE).lets_stop();
    is_landed(&session);
    assert_eq!(session.read("theirs.txt"), "theirs\n");
    assert_eq!(session.read("cache/mine.txt"), "ignored\n");
    assert_eq!(git(&session, "log --format=%s --first-parent main~1 -1"), "theirs");
}

// proves: G18
#[test]
fn a_conflict_is_a_task_with_both_intents_and_the_files_stay_as_they_are() {
    for host in one_in_turn(HOSTS) {
        let session = started(host);
        session.mend();
        others_bring(&session.sandbox, "say what is wrong", &[("value.txt", "otherwise\n")]);
        let theirs = git(&session, "rev-parse main");
        let outcome = session.stop(PROMISE);
        let reason = outcome.continues();
        for part in ["value.txt", "say what is wrong", "Keep both intents", &format!("git merge {theirs}")] {
            assert!(reason.contains(part), "no {part}: {reason}");
        }
        assert!(reason.contains("Make value.txt say right."), "{reason}");
        outcome.says("Merge CONFLICT").counts(2, 200);
        session.expect_fields(&[("iteration", "2"), ("active", "true")]);
        assert_eq!(session.read("value.txt"), "right\n");
        assert_eq!(git(&session, "status --porcelain"), " M value.txt");
        assert!(git(&session, "branch --show-current").starts_with("gulf/auto-"));
        // The worker does as it was told.
        session.sandbox.commit("right");
        session.sandbox.program("git", ["merge", "--quiet", &theirs]).run().expect_exit(1);
        session.mend();
        session.write("both.txt", "right, and no longer otherwise\n");
        session.sandbox.commit("both");
        session.stop(PROMISE).lets_stop();
        is_landed(&session);
        git(&session, &format!("merge-base --is-ancestor {theirs} main"));
    }
}

// proves: G18, B10
#[test]
fn a_check_that_is_red_once_both_are_merged_is_a_task_with_its_output() {
    for host in one_in_turn(HOSTS) {
        let session = Session::bare(host);
        let check = "#!/bin/sh\nif [ -e theirs.txt ] && ! [ -e both.txt ]; then echo 'theirs.txt needs both.txt'; exit 3; fi\nexec sh check.sh\n";
        session.autochecks(check);
        session.prompt(&format!("{START} {PROMPT}")).adds_to_prompt();
        session.mend();
        others_bring(&session.sandbox, "bring theirs", &[("theirs.txt", "theirs\n")]);
        let outcome = session.stop(PROMISE);
        let reason = outcome.continues();
        for part in ["theirs.txt needs both.txt", "autochecks", "exit", "bring theirs", "git merge "] {
            assert!(reason.contains(part), "no {part}: {reason}");
        }
        outcome.says("Merge OK — tests FAILED").counts(2, 200);
        session.expect_fields(&[("iteration", "2")]);
        assert_eq!(git(&session, "status --porcelain"), " M value.txt");
        session.sandbox.commit("right");
        session.sandbox.git(["merge", "--quiet", "main"]);
        session.write("both.txt", "mine\n");
        session.stop(PROMISE).lets_stop();
        is_landed(&session);
    }
}

// proves: G18
#[test]
fn while_others_land_it_waits_so_long_and_then_says_that_it_is_queued() {
    let session = Session::bare(Host::Claude).variable("GULF_HOOK_DEADLINE", "3s");
    let [reached, held] = ["reached", "held"].map(|name| Meeting::new(&session.sandbox, name));
    let once = session.sandbox.path("once");
    session.autochecks(&format!(
        "#!/bin/sh\ncase \"$PWD\" in */queues/*) mkdir {} 2> /dev/null && {{ {}; {}; }};; esac\nexec sh check.sh\n",
        quote(once.as_str()),
        reached.reached_by_shell(),
        held.held_by_shell(),
    ));
    session.prompt(&format!("{START} {PROMPT}")).adds_to_prompt();
    let agent = FakeAgent::new(&session.sandbox).otherwise([
        Step::write("value.txt", "right\n"),
        Step::write("notes/other.txt", "other\n"),
        Step::claim(),
    ]);
    let other = session
        .gulf(&[
            "run",
            "--preset",
            "autonomous",
            "-b",
            "main",
            "--no-research",
            "--agent",
            &agent.flag(),
            "other",
        ])
        .start();
    reached.wait();
    session.mend();
    session.work();
    for _ in 0..2 {
        let outcome = session.stop(PROMISE);
        assert!(outcome.reason().contains("Merge Queued"), "{outcome:#?}");
        outcome.says("Merge queued — waiting for its turn");
        session.expect_fields(&[("iteration", "1"), ("active", "true")]);
        session.expect_no_success();
    }
    held.release();
    other.finish().expect_exit(0);
    session.stop(PROMISE).lets_stop();
    session.expect_completed();
    assert_eq!(git(&session, "branch --show-current"), "main");
    assert_eq!(session.read("notes/other.txt"), "other\n");
    assert_eq!(git(&session, "log --format=%s --first-parent main").matches("merge(gulf-loop)").count(), 2);
}

#[test]
fn while_its_merge_is_tested_the_status_says_at_which_place_it_waits() {
    let session = Session::bare(Host::Claude);
    let [reached, held] = ["reached", "held"].map(|name| Meeting::new(&session.sandbox, name));
    let once = session.sandbox.path("once");
    session.autochecks(&format!(
        "#!/bin/sh\ncase \"$PWD\" in */lanes/*) mkdir {} 2> /dev/null && {{ {}; {}; }};; esac\nexec sh check.sh\n",
        quote(once.as_str()),
        reached.reached_by_shell(),
        held.held_by_shell(),
    ));
    session.prompt(&format!("{START} {PROMPT}")).adds_to_prompt();
    session.mend();
    let stop = session.begin(&session.event(PROMISE));
    reached.wait();
    let outcome = session.prompt("/gulf-loop:status");
    let status = outcome.refuses_prompt();
    assert!(status.contains("waiting to land on main, number 1 of 1: being tested"), "{status}");
    held.release();
    session.outcome(stop.finish()).lets_stop().says("landed");
    is_landed(&session);
}

#[test]
fn a_base_branch_that_cannot_move_is_waited_for_and_resume_lands() {
    let session = started(Host::Claude);
    let elsewhere = session.sandbox.path("elsewhere");
    session.sandbox.git(["worktree", "add", "--quiet", elsewhere.as_str(), "main"]);
    fs::write(elsewhere.join("value.txt"), "the person's\n").unwrap();
    session.mend();
    let outcome = session.stop(PROMISE);
    outcome.lets_stop().says("ready to land").says("value.txt").says("/gulf-loop:resume");
    session.expect_fields(&[("active", "false"), ("pause_reason", "ready-to-land")]);
    session.expect_no_success();
    session.sandbox.git(["-C", elsewhere.as_str(), "checkout", "--quiet", "--", "value.txt"]);
    session.prompt("/gulf-loop:resume").refuses_prompt();
    session.expect_completed();
    // No branch is in two places, so this checkout stays where it is, and that is said.
    assert!(git(&session, "branch --show-current").starts_with("gulf/auto-"));
    assert_eq!(fs::read_to_string(elsewhere.join("value.txt")).unwrap(), "right\n");
}

#[test]
fn what_is_only_attested_does_not_land_unless_that_was_said() {
    let session = Session::checked(Host::Plain);
    session.mend();
    session.sandbox.commit("right already");
    session.prompt(&format!("{START} {PROMPT}")).adds_to_prompt();
    session.work_and_stop(PROMISE).continues();
    session.work_and_stop(PROMISE).lets_stop().does_not_say("landed");
    assert_eq!(session.end().as_deref(), Some("attested"));
    assert!(git(&session, "branch --show-current").starts_with("gulf/auto-"));
    let session = Session::bare(Host::Plain);
    session.prompt(&format!("{START} --unverified {PROMPT}")).adds_to_prompt();
    session.mend();
    session.stop(PROMISE).lets_stop().says("landed");
    is_landed(&session);
}

/// A person, or the original, made the branch and the state file.
fn adopted(session: &Session, base: &str) {
    session.sandbox.git(["checkout", "--quiet", "-b", "gulf/auto-20260101-000000"]);
    let fields =
        format!("{SECOND}\nautonomous: true\nbranch: gulf/auto-20260101-000000\nbase_branch: {base}");
    session.marker(&fields, PROMPT);
}

#[test]
fn the_work_of_a_state_file_that_names_a_branch_lands_likewise() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        adopted(&session, "main");
        others_bring(&session.sandbox, "theirs", &[("theirs.txt", "theirs\n")]);
        session.work_and_stop("Not yet.").continues();
        session.mend();
        session.stop(PROMISE).lets_stop().says("landed");
        is_landed(&session);
        assert_eq!(session.read("theirs.txt"), "theirs\n");
        let title = git(&session, "log -1 --format=%s main");
        assert_eq!(title, "merge(gulf-loop): gulf/auto-20260101-000000 → main [autonomous]");
    }
}

#[test]
fn without_any_check_a_state_file_s_work_lands_on_the_promise() {
    let session = Session::bare(Host::Plain);
    adopted(&session, "main");
    session.mend();
    session.sandbox.git(["commit", "--quiet", "--message", "right", "value.txt"]);
    session.stop(PROMISE).lets_stop().says("landed");
    is_landed(&session);
    assert_eq!(session.end().as_deref(), Some("attested"));
}

// proves: G16
#[test]
fn autochecks_that_nobody_committed_check_what_lands_as_well() {
    let session = Session::bare(Host::Plain);
    adopted(&session, "main");
    session.write(".claude/autochecks.sh", AUTOCHECKS);
    session.sandbox.program("chmod", ["+x", ".claude/autochecks.sh"]).run().expect_exit(0);
    session.trust();
    session.stop(PROMISE).continues();
    session.mend();
    session.stop(PROMISE).lets_stop().says("landed");
    session.expect_completed();
    assert_eq!(git(&session, "branch --show-current"), "main");
    assert_eq!(git(&session, "status --porcelain"), "?? .claude/");
}

#[test]
fn a_state_file_that_names_what_is_not_so_lands_nothing_and_that_is_said() {
    let cases =
        [("nowhere", "there is no branch nowhere"), ("gulf/auto-20260101-000000", "that is worked on")];
    for (base, why) in cases {
        let session = Session::checked(Host::Plain);
        adopted(&session, base);
        let outcome = session.work_and_stop("");
        outcome.continues();
        outcome.says("nothing will land").says(why);
        session.completes();
        assert!(git(&session, "branch --show-current").starts_with("gulf/auto-"));
    }
    let session = Session::checked(Host::Plain);
    adopted(&session, "main");
    git(&session, "checkout --quiet main");
    let outcome = session.work_and_stop("");
    outcome.says("gulf/auto-20260101-000000 is not checked out here");
    session.completes();
}

#[test]
fn killed_at_any_step_of_landing_and_of_the_way_back_the_next_stop_goes_on() {
    let run = |at: Option<usize>| {
        let sandbox = Sandbox::in_memory(&gulf_testkit::Sample::shell());
        let session = Session::on(Host::Claude, sandbox);
        session.autochecks(AUTOCHECKS);
        session.prompt(&format!("{START} {PROMPT}")).adds_to_prompt();
        session.mend();
        let count = session.sandbox.path("count");
        let mut hook = session.hook(session.event(PROMISE).to_string().into_bytes());
        hook = hook.variable("GULF_CRASH_COUNT", count.as_str());
        if let Some(at) = at {
            hook = hook.variable("GULF_CRASH_AT", at.to_string());
        }
        hook.run();
        (session, fs::read_to_string(&count).unwrap_or_default())
    };
    let (session, points) = run(None);
    is_landed(&session);
    let points: Vec<&str> = points.lines().collect();
    let first = points.iter().position(|point| *point == "landing.join").unwrap();
    assert!(points.contains(&"git.back.head") && points.contains(&"landing.branch-gone"), "{points:?}");
    for at in in_turn(21, first..points.len()) {
        let (session, _) = run(Some(at + 1));
        let told = format!("killed at point {} ({})", at + 1, points[at]);
        if session.end().is_none() {
            session.stop(PROMISE).lets_stop();
        }
        assert_eq!(session.end().as_deref(), Some("verified"), "{told}");
        assert_eq!(git(&session, "branch --show-current"), "main", "{told}");
        assert_eq!(git(&session, "status --porcelain"), "", "{told}");
        assert_eq!(git(&session, "branch --list gulf/*"), "", "{told}");
        assert_eq!(git(&session, "rev-list --count --first-parent main"), "3", "{told}");
    }
}
