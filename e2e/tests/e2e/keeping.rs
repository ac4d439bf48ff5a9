//! What lies in the checkout once a loop is over: `gulf land` commits it and nothing else, `gulf discard` takes it out again.
#![cfg(unix)]

use std::fs;

use gulf_testkit::{FakeAgent, Finished, Invocation, Meeting, Sample, Sandbox, Step, in_turn};

use crate::{RIGHT, exit, mend, run, run_right};

mod crashes;
mod discarded;
mod landed;
mod left_to_git;
mod undone;

const LINES: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";

fn keeping(sandbox: &Sandbox, arguments: &[&str]) -> Invocation {
    sandbox.gulf(arguments.iter().copied())
}

fn status(sandbox: &Sandbox) -> String {
    sandbox.git(["-c", "core.quotePath=false", "status", "--porcelain", "--untracked-files=all"])
}

fn show(sandbox: &Sandbox, what: &str) -> String {
    sandbox.git(["-c", "core.quotePath=false", "show", "--no-renames", "--format=", what, "HEAD"])
}

/// A person's work lies in it in every form: a staged file, a changed one, an untracked one, and a part of a file.
fn dirty() -> Sandbox {
    let sample = Sample::shell().file("메모 노트.txt", "note\n").file("staged.txt", "staged\n");
    let sandbox = Sandbox::awkward(&sample.file("shared.txt", LINES));
    sandbox.git(["config", "user.name", "김 에이다"]);
    sandbox.git(["config", "user.email", "ada@example.org"]);
    sandbox.write("메모 노트.txt", "my note\n");
    sandbox.write("staged.txt", "my staging\n");
    sandbox.git(["add", "staged.txt"]);
    sandbox.write("secret.txt", "token\n");
    sandbox.write("shared.txt", LINES.replace("one", "my one"));
    sandbox
}

/// Does the work, and adds to the end of the file in which the person is at the beginning.
fn worker(sandbox: &Sandbox) -> FakeAgent {
    let [write, claim] = mend();
    let script = "echo ten >> shared.txt; mkdir -p '새 폴더'; echo 새 > '새 폴더/파일.txt'";
    FakeAgent::new(sandbox).otherwise([write, Step::run(script), claim])
}

fn worked(sandbox: &Sandbox) -> Finished {
    run_right(sandbox, &worker(sandbox), &[]).run().expect_exit(exit::VERIFIED)
}

// proves: B19
#[test]
fn dirty_start_land() {
    let sandbox = dirty();
    let before = status(&sandbox);
    let finished = worked(&sandbox);
    finished.clone().says("uncommitted here").says("secret.txt").says("gulf land ").says("gulf discard ");
    finished.does_not_say("git add");
    sandbox.write("later.txt", "after the end\n");
    let landed = keeping(&sandbox, &["land"]).run().expect_exit(0).says("landed: main holds it as ");
    landed.says("the checks ran with your uncommitted change of secret.txt");
    assert_eq!(show(&sandbox, "--name-only"), "shared.txt\nvalue.txt\n새 폴더/파일.txt");
    assert_eq!(sandbox.git(["show", "HEAD:shared.txt"]), format!("{LINES}ten"));
    assert_eq!(status(&sandbox), before.replace("?? secret.txt", "?? later.txt\n?? secret.txt"));
    assert_eq!(sandbox.read("shared.txt"), LINES.replace("one", "my one") + "ten\n");
    let message = sandbox.git(["log", "-1", "--format=%an <%ae>%n%B"]);
    assert!(message.starts_with("김 에이다 <ada@example.org>\nmake value.txt say right\n"), "{message}");
    assert!(message.contains("Gulf-Loop: ") && message.contains("Gulf-Candidate: "), "{message}");
    keeping(&sandbox, &["land"]).run().expect_exit(0).says("has landed already");
    assert_eq!(sandbox.git(["rev-list", "--count", "HEAD"]), "2");
    let nothing = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
    nothing.says("nothing to discard here: ").says("git revert ");
    let one = sandbox.only_loop();
    let landed = keeping(&sandbox, &["discard", "--yes", one.id()]).run().expect_exit(exit::REFUSED_START);
    landed.says("has landed, as ").says("git revert ");
}

// proves: B19, G4
#[test]
fn the_commit_says_why_in_the_workers_words_and_in_none_of_gulfs() {
    let sandbox = Sandbox::with(&Sample::shell());
    let [write, claim] = mend();
    let agent = FakeAgent::new(&sandbox).otherwise([Step::print("It was a typo."), write, claim]);
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    keeping(&sandbox, &["land"]).run().expect_exit(0);
    let message = sandbox.git(["log", "-1", "--format=%b"]);
    assert!(message.starts_with("It was a typo.\n\nGulf-Loop: "), "{message}");
    let sandbox = Sandbox::with(&Sample::shell());
    let [write, _] = mend();
    let decided = Step::write("progress.txt", "DECISIONS:\n- right is what the check asks for\n");
    let script = "gulf claim done";
    let agent = FakeAgent::new(&sandbox).otherwise([write, decided, Step::run(script)]);
    let landed = run_right(&sandbox, &agent, &["--preset", "autonomous"]).run().expect_exit(exit::VERIFIED);
    landed.says("landed");
    let message = sandbox.git(["log", "-1", "--format=%b", "main"]);
    assert!(
        message.contains("right is what the check asks for") && !message.contains("the gates are"),
        "{message}"
    );
}

// proves: B19, G2
#[test]
fn a_new_loop_on_the_same_goal_goes_on_with_what_the_last_one_left_and_lands_all_of_it() {
    let sandbox = Sandbox::with(&Sample::shell().file("notes.txt", "note\n"));
    sandbox.write("notes.txt", "my note\n");
    let first = FakeAgent::new(&sandbox).otherwise([Step::run("echo half > half.txt")]);
    run_right(&sandbox, &first, &["--max-iterations", "1"]).run().expect_exit(exit::EXHAUSTED);
    let first = sandbox.only_loop().id().to_owned();
    sandbox.write("later.txt", "mine\n");
    let [write, claim] = mend();
    let second = FakeAgent::new(&sandbox).otherwise([write, claim]);
    run_right(&sandbox, &second, &[]).run().expect_exit(exit::VERIFIED).says("goes on with the change of ");
    keeping(&sandbox, &["land"]).run().expect_exit(0).says("landed: main holds it as ");
    assert_eq!(show(&sandbox, "--name-only"), "half.txt\nvalue.txt");
    assert_eq!(status(&sandbox), " M notes.txt\n?? later.txt");
    keeping(&sandbox, &["discard", "--yes", &first]).run().expect_exit(exit::REFUSED_START);
    assert_eq!(sandbox.read("half.txt"), "half\n");
}

// proves: B19
#[test]
fn dirty_start_discard_and_land_after_all() {
    let sandbox = dirty();
    let before = (status(&sandbox), sandbox.read("shared.txt"), sandbox.git(["rev-parse", "HEAD"]));
    worked(&sandbox);
    keeping(&sandbox, &["discard"]).run().expect_exit(exit::REFUSED_START).says("no terminal to confirm on");
    assert_eq!(sandbox.read("value.txt"), "right\n");
    let discarded = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
    discarded.says("files that are reverted: shared.txt, value.txt, 새 폴더/파일.txt").says("brings it back");
    let after = (status(&sandbox), sandbox.read("shared.txt"), sandbox.git(["rev-parse", "HEAD"]));
    assert_eq!(after, before);
    assert!(!sandbox.file("새 폴더").exists());
    keeping(&sandbox, &["status"]).run().expect_exit(0).says("brings it back");
    keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0).says("nothing to discard");
    keeping(&sandbox, &["land"]).run().expect_exit(0).says("landed: main holds it as ");
    assert_eq!(show(&sandbox, "--name-only"), "shared.txt\nvalue.txt\n새 폴더/파일.txt");
    assert_eq!((status(&sandbox), sandbox.read("value.txt")), (before.0, "right\n".into()));
}

#[test]
fn what_cannot_be_told_apart_is_named_nothing_is_touched_and_a_commit_by_hand_leads_on() {
    let sandbox = dirty();
    let entangle = || {
        let [write, claim] = mend();
        [write, Step::run("sed -i s/my/its/ shared.txt"), claim]
    };
    let agent = FakeAgent::new(&sandbox).otherwise(entangle());
    let finished = run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    finished.says("git add -- 'shared.txt' && git commit -- 'shared.txt'").says("cannot be told apart");
    let before = (status(&sandbox), sandbox.git(["rev-parse", "HEAD"]), sandbox.git(["diff", "--cached"]));
    let refused = keeping(&sandbox, &["land"]).run().expect_exit(exit::REFUSED_START);
    refused
        .says("cannot be told apart from what was uncommitted before it: shared.txt")
        .says("git add -- 'shared.txt'");
    let below = sandbox.file("below");
    fs::create_dir(&below).unwrap();
    for command in ["land", "status"] {
        keeping(&sandbox, &[command]).directory(&below).run().says("git commit -- '../shared.txt'");
    }
    let merging = sandbox.file(".git/MERGE_HEAD");
    fs::write(&merging, sandbox.git(["rev-parse", "HEAD"]) + "\n").unwrap();
    let status_now = keeping(&sandbox, &["status"]).run().expect_exit(0);
    status_now.says("once this is resolved: a merge in progress").does_not_say("git commit --");
    fs::remove_file(&merging).unwrap();
    assert_eq!(
        (status(&sandbox), sandbox.git(["rev-parse", "HEAD"]), sandbox.git(["diff", "--cached"])),
        before
    );
    sandbox.git(["commit", "--quiet", "--message", "mine", "--", "shared.txt"]);
    keeping(&sandbox, &["land"]).run().expect_exit(0);
    assert_eq!(show(&sandbox, "--name-only"), "value.txt");
    let sandbox = dirty();
    run_right(&sandbox, &FakeAgent::new(&sandbox).otherwise(entangle()), &[])
        .run()
        .expect_exit(exit::VERIFIED);
    let discarded = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
    discarded.does_not_say("brings it back").says("gulf restore ");
    keeping(&sandbox, &["status"]).run().expect_exit(0).does_not_say("gulf land");
    let sandbox = dirty();
    run_right(&sandbox, &FakeAgent::new(&sandbox).otherwise(entangle()), &[])
        .run()
        .expect_exit(exit::VERIFIED);
    sandbox.git(["stash", "--quiet"]);
    keeping(&sandbox, &["land"]).run().expect_exit(exit::REFUSED_START).says("gulf restore ");
    let discarded = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
    discarded.says("its change is no longer in the checkout");
}

#[test]
fn what_the_worker_committed_itself_is_not_committed_twice_and_goes_off_the_branch_again() {
    let scene = |script: &str| {
        let sandbox = dirty();
        let [write, claim] = mend();
        let agent = FakeAgent::new(&sandbox).otherwise([write, Step::run(script), claim]);
        run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
        sandbox
    };
    let all = scene("git commit -q -m own -- value.txt");
    keeping(&all, &["land"]).run().expect_exit(0).says("landed: main holds it as ");
    assert_eq!(all.git(["rev-list", "--count", "HEAD"]), "2");
    let part = scene("git commit -q -m own -- value.txt; echo ten >> shared.txt");
    keeping(&part, &["land"]).run().expect_exit(0);
    assert_eq!(show(&part, "--name-only"), "shared.txt");
    let gone = scene("git commit -q -m own -- value.txt; echo ten >> shared.txt");
    let discarded = keeping(&gone, &["discard", "--yes"]).run().expect_exit(0);
    discarded.says("commits that are removed from main:").says(" own");
    assert_eq!(gone.git(["rev-list", "--count", "HEAD"]), "1");
    assert_eq!((status(&gone), gone.read("value.txt")), (status(&dirty()), "wrong\n".into()));
}

#[test]
fn modes_links_renames_and_deletions_are_committed_and_taken_out_as_they_are() {
    let sample =
        Sample::shell().file("old name.txt", LINES).file("gone.txt", "gone\n").file("tool.sh", "true\n");
    let work = "git mv 'old name.txt' 'new name.txt'; rm gone.txt; chmod +x tool.sh; ln -s value.txt link; mkdir -p a/b; echo x > a/b/c";
    let scene = || {
        let sandbox = Sandbox::with(&sample);
        let [write, claim] = mend();
        let agent = FakeAgent::new(&sandbox).otherwise([write, Step::run(work), claim]);
        let finished = run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
        finished.says("@0 --to DIR").says("restores what it deleted or renamed: gone.txt and 1 more");
        sandbox
    };
    let landed = scene();
    keeping(&landed, &["land"]).run().expect_exit(0);
    assert_eq!(status(&landed), "");
    let tree = landed.git(["ls-tree", "-r", "HEAD"]);
    assert!(tree.contains("120000") && tree.contains("100755") && !tree.contains("gone.txt"), "{tree}");
    let discarded = scene();
    keeping(&discarded, &["discard", "--yes"]).run().expect_exit(0);
    assert_eq!(status(&discarded), "");
    assert!(discarded.file("gone.txt").exists() && !discarded.file("a").exists());
}

#[test]
fn an_unborn_branch_gets_its_first_commit_and_no_branch_gets_none() {
    let sandbox = Sandbox::without_git();
    let sample = sandbox.program("sh", ["-c", "git init -q -b main; echo mine > mine.txt"]);
    sample.run().expect_exit(0);
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    run(&sandbox, &agent, &["--check", "grep -q right value.txt"]).run().expect_exit(exit::VERIFIED);
    keeping(&sandbox, &["land"]).run().expect_exit(0);
    assert_eq!(sandbox.git(["ls-tree", "-r", "--name-only", "HEAD"]), "value.txt");
    assert!(status(&sandbox).contains("?? mine.txt"), "{}", status(&sandbox));

    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.git(["switch", "--quiet", "--detach"]);
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let refused = keeping(&sandbox, &["land"]).run().expect_exit(exit::REFUSED_START);
    refused.says("HEAD is detached").says("`git switch NAME`, or make one").does_not_say("main");
    sandbox.git(["switch", "--quiet", "--create", "kept"]);
    keeping(&sandbox, &["land"]).run().expect_exit(0).says("landed: kept holds it as ");
    assert_eq!(status(&sandbox), "");
}

#[test]
fn without_git_the_last_screen_names_what_keeps_the_work_and_what_takes_it_out() {
    let sandbox = Sandbox::without_git();
    sandbox.write("mine.txt", "mine\n");
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    let finished =
        run(&sandbox, &agent, &["--check", "grep -q right value.txt"]).run().expect_exit(exit::VERIFIED);
    finished.says("gulf restore ").says("gulf discard ");
    keeping(&sandbox, &["land"]).run().expect_exit(exit::REFUSED_START).says("worked without git");
    keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
    assert!(!sandbox.file("value.txt").exists());
    assert_eq!(sandbox.read("mine.txt"), "mine\n");
}

#[test]
fn what_was_done_since_the_end_stays_and_where_it_cannot_be_told_apart_nothing_is_touched() {
    let sandbox = dirty();
    worked(&sandbox);
    sandbox.write("shared.txt", sandbox.read("shared.txt").replace("five", "my five"));
    sandbox.write("later.txt", "later\n");
    keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0).says("left as they are: later.txt");
    assert_eq!(sandbox.read("shared.txt"), LINES.replace("one", "my one").replace("five", "my five"));
    let sandbox = dirty();
    worked(&sandbox);
    sandbox.write("shared.txt", sandbox.read("shared.txt").replace("ten", "my ten"));
    let refused = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(exit::REFUSED_START);
    refused.says("changed since the loop's end").says("git restore --source=HEAD -- 'shared.txt'");
    assert_eq!(sandbox.read("value.txt"), "right\n");
    sandbox.git(["restore", "--", "shared.txt"]);
    keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
    assert_eq!((sandbox.read("value.txt"), sandbox.read("shared.txt")), ("wrong\n".into(), LINES.into()));
}

/// What discarding advises works: of a file that the loop made, and of one that was committed since.
#[test]
fn what_stands_in_the_way_of_discarding_goes_by_the_command_that_is_named() {
    let back = "`git restore --source=HEAD -- 'value.txt'`";
    for (since, advised, left) in [
        ("echo mine > value.txt", back, ""),
        ("echo mine > new.txt", "`rm -- 'new.txt'`", ""),
        ("echo mine | tee new.txt value.txt", &format!("{back} and `rm -- 'new.txt'`"), ""),
        ("echo mine > value.txt; git commit -qam mine", "`git restore --source=", " M value.txt"),
    ] {
        let sandbox = Sandbox::with(&Sample::shell());
        let [write, claim] = mend();
        let agent = FakeAgent::new(&sandbox).otherwise([write, Step::run("echo new > new.txt"), claim]);
        run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
        sandbox.program("sh", ["-c", since]).run().expect_exit(0);
        let refused = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(exit::REFUSED_START);
        let refused = refused.says(&format!("what is yours, then {advised}"));
        let hint = refused.stderr.split("yours, then ").nth(1).unwrap().split(", and run").next().unwrap();
        let typed = hint.replace('`', "").replace(" and ", " && ");
        sandbox.program("sh", ["-c", &typed]).run().expect_exit(0);
        keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
        assert_eq!(status(&sandbox), left, "{since}");
    }
}

#[test]
fn commits_of_the_loop_on_another_branch_are_named_and_it_is_not_discarded_while_they_are_all_that_is_left() {
    let scene = || {
        let sandbox = Sandbox::with(&Sample::shell());
        let [write, claim] = mend();
        let agent = FakeAgent::new(&sandbox).otherwise([
            write,
            Step::run("git commit -q -m own -- value.txt"),
            claim,
        ]);
        run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
        sandbox
    };
    let elsewhere = scene();
    let offered = "gulf discard  takes the worker's commits off the branch";
    keeping(&elsewhere, &["status"]).run().expect_exit(0).says(offered).does_not_say("gulf land");
    elsewhere.git(["switch", "--quiet", "--create", "other", "HEAD~1"]);
    let refused = keeping(&elsewhere, &["discard", "--yes"]).run().expect_exit(exit::REFUSED_START);
    refused
        .says("the loop's commits are on another branch: main")
        .says("`git switch main`, then `gulf discard ");
    elsewhere.git(["switch", "--quiet", "main"]);
    let discarded = keeping(&elsewhere, &["discard", "--yes"]).run().expect_exit(0);
    discarded.says("commits that are removed from main:").does_not_say("stay on");
    let both = scene();
    both.git(["switch", "--quiet", "--create", "other"]);
    let discarded = keeping(&both, &["discard", "--yes"]).run().expect_exit(0);
    discarded.says("commits that are removed from other:").says("commits of the loop stay on: main");
    assert_eq!(both.git(["rev-list", "--count", "main"]), "2");
    keeping(&both, &["status"]).run().expect_exit(0).says("Its work was discarded");
}

#[test]
fn what_was_taken_out_comes_back_beside_what_was_done_in_the_same_file_since() {
    for away in ["discard", "stash"] {
        let sandbox = Sandbox::with(&Sample::shell().file("shared.txt", LINES));
        let [write, claim] = mend();
        let agent = FakeAgent::new(&sandbox).otherwise([write, Step::run("echo ten >> shared.txt"), claim]);
        run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
        if away == "stash" {
            sandbox.git(["stash", "--quiet"]);
        } else {
            keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
        }
        sandbox.write("shared.txt", LINES.replace("one", "my one"));
        keeping(&sandbox, &["land"]).run().expect_exit(0).says("landed: main holds it as ");
        assert_eq!(sandbox.git(["show", "HEAD:shared.txt"]), format!("{LINES}ten"));
        assert_eq!(sandbox.read("shared.txt"), LINES.replace("one", "my one") + "ten\n", "{away}");
        assert_eq!(sandbox.read("value.txt"), "right\n", "{away}");
    }
}

#[test]
fn work_that_was_committed_with_more_in_its_file_is_not_taken_out_of_the_files() {
    let sandbox = Sandbox::with(&Sample::shell().file("shared.txt", LINES));
    let [write, claim] = mend();
    let agent = FakeAgent::new(&sandbox).otherwise([write, Step::run("echo ten >> shared.txt"), claim]);
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    sandbox.write("shared.txt", LINES.replace("one", "my one") + "ten\n");
    sandbox.git(["commit", "--quiet", "--all", "--message", "by hand"]);
    let refused = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(exit::REFUSED_START);
    refused.says("the loop's change is committed on this branch: shared.txt");
    assert_eq!(status(&sandbox), "");
    let again = Sandbox::with(&Sample::shell().file("shared.txt", LINES));
    let [write, claim] = mend();
    let agent = FakeAgent::new(&again).otherwise([write, Step::run("echo ten >> shared.txt"), claim]);
    run_right(&again, &agent, &[]).run().expect_exit(exit::VERIFIED);
    // In the very lines of the loop, and committed: nobody can say that it is gone.
    again.write("shared.txt", format!("{LINES}my ten\n"));
    again.git(["commit", "--quiet", "--message", "mine", "--", "shared.txt"]);
    let refused = keeping(&again, &["discard", "--yes"]).run().expect_exit(exit::REFUSED_START);
    refused.says("changed since the loop's end, where it had changed them, too: shared.txt");
    assert_eq!(again.read("value.txt"), "right\n");
}

#[test]
fn a_branch_that_the_worker_rewrote_is_put_back_by_the_command_that_is_named() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.write("mine.txt", "mine\n");
    sandbox.commit("mine");
    let start = sandbox.git(["rev-parse", "HEAD"]);
    let [write, claim] = mend();
    let agent =
        FakeAgent::new(&sandbox).otherwise([write, Step::run("git commit -qa --amend -m own"), claim]);
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let refused = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(exit::REFUSED_START);
    refused.says("this branch was rewritten").says(&format!("git reset --keep {start}"));
    sandbox.git(["reset", "--quiet", "--keep", &start]);
    assert_eq!((sandbox.read("mine.txt"), sandbox.read("value.txt")), ("mine\n".into(), "wrong\n".into()));
}

#[test]
fn on_no_branch_a_change_does_not_land_and_making_one_is_offered() {
    let sandbox = dirty();
    sandbox.git(["switch", "--quiet", "--detach"]);
    worked(&sandbox);
    let refused = keeping(&sandbox, &["land"]).run().expect_exit(exit::REFUSED_START);
    refused
        .says("has no branch to land on: no branch is checked out")
        .says("git switch -c NAME`; then `gulf land ");
    sandbox.git(["switch", "--quiet", "--create", "mine"]);
    keeping(&sandbox, &["land"]).run().expect_exit(0).says("landed: mine holds it as ");
}

#[test]
fn only_a_person_discards_and_only_what_is_over() {
    let sandbox = Sandbox::with(&Sample::shell());
    keeping(&sandbox, &["discard"]).run().expect_exit(0).says("nothing to discard");
    let agent =
        FakeAgent::new(&sandbox).otherwise([Step::run("gulf discard --yes $GULF_LOOP; gulf discard --yes")]);
    run_right(&sandbox, &agent, &["-n", "1"]).run().expect_exit(exit::EXHAUSTED);
    let said: String = agent.tally().commands().into_iter().map(|(_, _, said)| said).collect();
    assert!(said.contains("only a person may do this"), "{said}");
}

#[test]
fn the_losers_of_a_group_are_thrown_away_in_one_go_and_clean_leaves_nothing() {
    let sandbox = Sandbox::with(&Sample::shell());
    let held = sandbox.path("held");
    assert!(std::process::Command::new("mkfifo").arg(&held).status().unwrap().success());
    let work = format!(
        "case \"$PWD\" in *worker-1) echo right > value.txt; gulf claim done;; *) echo x > kept.txt; cat {held};; esac"
    );
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run(&work)]);
    let flags = ["--preset", "parallel", "--workers", "3", "--check", RIGHT, "--select", "first"];
    let finished = run(&sandbox, &agent, &flags).run().does_not_panic().expect_exit(exit::VERIFIED);
    finished.says("another worker").does_not_say("a person ended the loop");
    let clean = keeping(&sandbox, &["clean", "--yes"]).run().expect_exit(0);
    clean.says("gulf discard ");
    let discarded = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
    discarded.says("worktree that is removed: ").says("branch that is deleted: gulf/parallel-");
    assert_eq!(sandbox.git(["worktree", "list"]).lines().count(), 1);
    assert_eq!(sandbox.git(["branch", "--list", "gulf/*"]), "");
    let kept = sandbox.git(["for-each-ref", "--format=%(refname)", "refs/gulf/*/discarded"]);
    let first = kept.lines().next().unwrap();
    assert_eq!(sandbox.git(["show", &format!("{first}:kept.txt")]), "x");
    keeping(&sandbox, &["clean", "--yes"]).run().expect_exit(0);
    assert_eq!(sandbox.loops().len(), 0);
    assert_eq!(sandbox.git(["for-each-ref", "refs/gulf"]), "");
}

/// What is offered works, or says what comes first: as it does when it is typed all the same.
#[test]
fn what_is_in_the_way_of_landing_stands_beside_the_offer() {
    let elsewhere = "git stash -qu && git switch -qc other && echo x > value.txt && git commit -qam x && ";
    let merging = format!(
        "{elsewhere} git switch -q - && echo y > value.txt && git commit -qam y; git merge -q other; :"
    );
    for (since, first, also_of_discarding) in [
        ("git checkout -q --detach", "no branch is checked out", false),
        (&merging, "a merge in progress", true),
        (&format!("{elsewhere} :"), "it conflicts with what is committed on this branch: value.txt", false),
    ] {
        let sandbox = Sandbox::with(&Sample::shell());
        let [write, claim] = mend();
        let agent = FakeAgent::new(&sandbox).otherwise([write, claim]);
        run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
        sandbox.program("sh", ["-c", since]).run().expect_exit(0);
        let offered = keeping(&sandbox, &["status"]).run().expect_exit(0);
        offered.clone().says(&format!("commits exactly this change, once this is resolved: {first}"));
        let also = format!("reverts exactly this change, once this is resolved: {first}");
        assert_eq!(offered.stdout.contains(&also), also_of_discarding, "{}", offered.stdout);
        keeping(&sandbox, &["land"]).run().expect_exit(exit::REFUSED_START);
    }
}

/// Where the filter's program is missing, no command of git's that adds the file works either.
#[test]
fn a_file_behind_a_filter_is_left_to_the_person_with_what_that_takes() {
    let sandbox = Sandbox::with(&Sample::shell().file(".gitattributes", "*.bin filter=lfs\n"));
    let [write, claim] = mend();
    let agent = FakeAgent::new(&sandbox).otherwise([write, Step::write("new.bin", "new\n"), claim]);
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let refused = keeping(&sandbox, &["land"]).run().expect_exit(exit::REFUSED_START);
    refused.says("new.bin needs a filter").says("(of lfs, `git-lfs`)");
    let refused = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(exit::REFUSED_START);
    refused.says("change or remove these files yourself").says("(of lfs, `git-lfs`)");
    fs::remove_file(sandbox.file("new.bin")).unwrap();
    keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
    assert_eq!(status(&sandbox), "");
}
