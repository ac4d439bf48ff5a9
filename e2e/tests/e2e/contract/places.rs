//! Which project a stop belongs to, and in what kinds of folders a loop works (CONTRACT "project = …").
//!
//! Apart from whose stop it is: here one session stands in many places.

use gulf_testkit::{Sample, Sandbox, one_in_turn};
use serde_json::json;

use super::harness::{BRIEF, HOSTS, Host, MARKER, PROMISE, PROMPT, SECOND, Session};

/// A loop from its adoption to its end.
#[track_caller]
fn goes_through(session: &Session) {
    session.marker(SECOND, PROMPT);
    assert!(session.work_and_stop("I go on.").continues().contains(PROMPT));
    session.expect_fields(&[("iteration", "3")]);
    session.work_and_stop(PROMISE).continues();
    session.completes();
}

#[test]
fn a_path_with_blanks_korean_and_a_quote_is_a_path_like_any_other() {
    for host in one_in_turn(HOSTS) {
        let session = Session::on(host, Sandbox::awkward(&Sample::shell()));
        session.autochecks(super::harness::AUTOCHECKS);
        goes_through(&session);
    }
}

#[test]
fn a_session_that_has_gone_into_a_sub_folder_is_still_in_its_project() {
    for host in one_in_turn(HOSTS) {
        let session = Session::running(host);
        let folder = session.file("notes/deep/er");
        std::fs::create_dir_all(&folder).unwrap();
        let session = session.standing_in(folder);
        session.work_and_stop("").continues();
        session.expect_fields(&[("iteration", "4")]);
        assert!(!session.exists("notes/deep/er/.gulf") && !session.exists("notes/deep/er/.claude"));
        session.completes();
    }
}

#[test]
fn a_marker_is_adopted_from_a_sub_folder_too() {
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, PROMPT);
    let folder = session.file("notes");
    let session = session.standing_in(folder);
    session.work_and_stop("").continues();
    session.expect_fields(&[("iteration", "3")]);
}

#[test]
fn the_event_says_where_the_session_is_and_not_the_hooks_own_folder() {
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, PROMPT);
    session.work();
    let event = session.event("I go on.");
    let finished = session.hook(event.to_string().into_bytes()).directory(session.sandbox.home()).run();
    session.outcome(finished).continues();
    session.expect_fields(&[("iteration", "3")]);
}

#[test]
fn the_project_that_the_host_names_wins_over_the_sessions_folder() {
    let session = Session::checked(Host::Claude);
    session.marker(SECOND, PROMPT);
    let elsewhere = session.sandbox.home();
    let session = session.standing_in(elsewhere);
    session.work_and_stop("").continues();
    session.expect_fields(&[("iteration", "3")]);
}

#[test]
fn a_loop_of_a_project_is_none_of_the_project_next_to_it() {
    let session = Session::running(Host::Plain);
    let next = session.sandbox.path("next");
    std::fs::create_dir_all(&next).unwrap();
    session.sandbox.program("git", ["init", "--quiet"]).directory(&next).run().expect_exit(0);
    let other = session.another("5ea53bba-0000-4000-8000-000000000003").in_project(next);
    other.stop(PROMISE).is_untouched();
    session.expect_fields(&[("iteration", "3")]);
}

#[test]
fn a_worktree_has_a_loop_of_its_own() {
    let session = Session::checked(Host::Plain);
    let tree = session.sandbox.path("a worktree 작업");
    session.sandbox.git(["worktree", "add", "--quiet", "-b", "beside", tree.as_str()]);
    session.marker(SECOND, PROMPT);
    session.work_and_stop("").continues();
    let beside = session.another("5ea53bba-0000-4000-8000-000000000003").in_project(&tree);
    beside.marker(SECOND, "Another prompt in the worktree.");
    assert!(beside.work_and_stop("").continues().contains("Another prompt in the worktree."));
    assert!(session.work_and_stop("").continues().contains(PROMPT));
    session.expect_fields(&[("iteration", "4")]);
    beside.expect_fields(&[("iteration", "3")]);
    beside.mend();
    beside.stop(PROMISE).lets_stop();
    assert!(!beside.exists(MARKER));
    session.expect_fields(&[("iteration", "4"), ("active", "true")]);
}

#[test]
fn a_repository_without_a_commit_has_loops_too() {
    for host in one_in_turn(HOSTS) {
        let sandbox = Sandbox::without_git();
        sandbox.git(["init", "--quiet"]);
        let session = Session::on(host, sandbox);
        session.write("value.txt", "wrong\n");
        session.marker(SECOND, PROMPT);
        assert!(session.work_and_stop("I go on.").continues().contains(PROMPT));
        session.expect_fields(&[("iteration", "3")]);
        session.completes();
    }
}

#[test]
fn a_folder_without_git_has_loops_too() {
    for host in one_in_turn(HOSTS) {
        let session = Session::on(host, Sandbox::without_git());
        session.write("value.txt", "wrong\n");
        session.write("check.sh", "grep -qx right value.txt\n");
        session.marker(SECOND, PROMPT);
        assert!(session.work_and_stop("I go on.").continues().contains(PROMPT));
        session.expect_fields(&[("iteration", "3")]);
        session.completes();
        assert!(!session.exists(".git"), "nobody asked for a repository");
    }
}

#[test]
fn without_git_the_project_is_the_folder_of_the_event() {
    let session = Session::on(Host::Plain, Sandbox::without_git());
    session.marker(SECOND, PROMPT);
    let below = session.file("below");
    std::fs::create_dir_all(&below).unwrap();
    let mut event = session.event("");
    event["cwd"] = json!(below);
    session.stop_with(&event).is_untouched();
    session.work_and_stop("").continues();
}

#[test]
fn a_detached_head_is_no_obstacle() {
    let session = Session::checked(Host::Plain);
    session.sandbox.git(["checkout", "--quiet", "--detach"]);
    goes_through(&session);
}

// proves: G2
#[test]
fn the_persons_branch_index_and_commits_stay_as_they_were() {
    let session = Session::checked(Host::Claude);
    session.write("staged.txt", "staged\n");
    session.sandbox.git(["add", "staged.txt"]);
    let before = gulf_testkit::Standing::of(&session.sandbox);
    session.write("progress.txt", BRIEF);
    goes_through(&session);
    let after = gulf_testkit::Standing::of(&session.sandbox);
    assert_eq!((after.head, after.refs, after.index), (before.head, before.refs, before.index));
}
