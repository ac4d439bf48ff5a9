//! Looking back at an iteration and going back to it: `show`, `diff`, `restore`, `replay` and `fork`, as a person asks for them.

use std::fs;

use camino::Utf8PathBuf;
use gulf_testkit::{Disk, FakeAgent, Finished, LoopFolder, Meeting, Sample, Sandbox, Standing, Step};
use serde_json::Value;

use crate::{exit, mend, run_right};

/// Three iterations: one that goes astray, one that changes nothing, one that is right.
fn three(sandbox: &Sandbox) {
    let agent = FakeAgent::new(sandbox)
        .turn(
            1,
            [
                Step::write("한국어 파일.txt", "첫째\n"),
                Step::run("printf '\\000\\377\\001' > image.bin"),
                Step::print("I looked at the wrong file"),
                Step::claim(),
            ],
        )
        .turn(2, [Step::claim()])
        .turn(3, mend());
    run_right(sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
}

fn shown(sandbox: &Sandbox, point: &str) -> Value {
    let finished = sandbox.gulf(["show", point, "--json"]).run().expect_exit(0);
    finished.json_lines().remove(0)
}

fn refused(sandbox: &Sandbox, arguments: &[&str]) -> Finished {
    sandbox.gulf(arguments.iter().copied()).run().does_not_panic().expect_exit(exit::REFUSED_START)
}

#[test]
fn an_iteration_is_shown_with_what_it_was_asked_did_and_claimed_and_what_the_gates_said() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    three(&sandbox);
    let id = sandbox.only_loop().id().to_owned();
    let first = sandbox.gulf(["show", &format!("{id}@1")]).run().expect_exit(0);
    let first = first.says("claims done").says("FAILED exit 1").says("value.txt says wrong");
    first.says("한국어 파일.txt").says("image.bin  binary").says("refused by the checks");
    let second = sandbox.gulf(["show", "@2"]).run().expect_exit(0);
    second.says("iteration 1 ended: refused by the checks").says("since iteration 1: nothing changed");
    sandbox.gulf(["show"]).run().expect_exit(0).says("iteration 3 of").says("the end: verified");
    sandbox.gulf(["show", "@0"]).run().expect_exit(0).says("the start of").says("fails, exit 1");
}

#[test]
fn an_iteration_as_json_has_every_part_and_the_files_it_names_are_there() {
    let sandbox = Sandbox::with(&Sample::shell());
    three(&sandbox);
    let first = shown(&sandbox, "@1");
    assert_eq!((&first["version"], &first["iteration"]), (&1.into(), &1.into()), "{first:#}");
    assert_eq!(first["last_iteration"], 3, "{first:#}");
    assert_eq!(first["gates"]["checks"][0]["run"]["verdict"]["kind"], "red", "{first:#}");
    assert_eq!(first["settlement"]["kind"], "refused", "{first:#}");
    let prompt = fs::read_to_string(first["asked"]["prompt"].as_str().unwrap()).unwrap();
    assert!(prompt.contains(crate::GOAL), "{prompt}");
    assert_eq!(shown(&sandbox, "@2")["changed_since_last"]["files"], Value::Array(vec![]));
    let third = shown(&sandbox, "@3");
    assert_eq!(third["end"]["kind"], "verified", "{third:#}");
    assert_eq!(third["candidate"]["commit"], sandbox.only_loop().candidate().0, "{third:#}");
    let start = shown(&sandbox, "@0");
    assert!(start["candidate"]["tree"].is_string() && start["turn"].is_null(), "{start:#}");
}

#[test]
fn a_difference_is_the_text_that_git_prints_and_git_applies_in_both_directions() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    three(&sandbox);
    let of_third = sandbox.gulf(["diff", "@3"]).run().expect_exit(0);
    let of_third = of_third.says("-wrong\n+right\n").does_not_say("한국어");
    let all = sandbox.gulf(["diff"]).run().expect_exit(0).says("b/한국어 파일.txt").says("+right");
    all.says("Binary files /dev/null and b/image.bin differ");
    assert_eq!(sandbox.gulf(["diff", "@2"]).run().expect_exit(0).stdout, "", "an empty difference");
    let stat = sandbox.gulf(["diff", "@0..3", "--stat"]).run().expect_exit(0);
    stat.says("한국어 파일.txt").says("image.bin").says("3 files changed");
    let back = sandbox.gulf(["diff", "@3..2"]).run().expect_exit(0).says("-right\n+wrong\n");
    let mut apply = sandbox.program("git", ["apply"]).stdin(back.stdout);
    apply = apply.directory(sandbox.repository());
    apply.run().expect_exit(0);
    assert_eq!(sandbox.read("value.txt"), "wrong\n");
    let mut forth = sandbox.program("git", ["apply"]).stdin(of_third.stdout);
    forth = forth.directory(sandbox.repository());
    forth.run().expect_exit(0);
    assert_eq!(sandbox.read("value.txt"), "right\n");
}

// proves: B9
#[test]
fn an_iteration_is_written_into_a_folder_of_its_own_and_nothing_else_is_touched() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    three(&sandbox);
    let before = Standing::of(&sandbox);
    let to = sandbox.path("되살린 폴더");
    sandbox.gulf(["restore", "@1", "--to", to.as_str()]).run().expect_exit(0).says(to.as_str());
    assert_eq!(fs::read_to_string(to.join("value.txt")).unwrap(), "wrong\n");
    assert_eq!(fs::read(to.join("image.bin")).unwrap(), [0, 255, 1]);
    assert_eq!(fs::read_to_string(to.join("한국어 파일.txt")).unwrap(), "첫째\n");
    assert!(!to.join(".git").exists());
    let start = sandbox.path("start");
    fs::create_dir(&start).unwrap();
    sandbox.gulf(["restore", "@0", "--to", start.as_str()]).run().expect_exit(0);
    assert!(!start.join("image.bin").exists());
    assert_eq!(Standing::of(&sandbox), before);
}

#[test]
fn a_folder_that_holds_something_or_belongs_to_the_project_or_to_gulf_is_refused() {
    let sandbox = Sandbox::with(&Sample::shell());
    three(&sandbox);
    let full = sandbox.path("full");
    fs::create_dir(&full).unwrap();
    fs::write(full.join("mine"), "mine").unwrap();
    let inside = sandbox.repository().join("inside");
    let home = sandbox.state().join("there");
    for (to, why) in [
        (&full, "is not empty"),
        (&inside, "is inside the project"),
        (&sandbox.repository().join(".git/there"), "is inside the project"),
        (&home, "gulf's own folder"),
        (&sandbox.path("no/such/parent"), "must be there"),
    ] {
        refused(&sandbox, &["restore", "@1", "--to", to.as_str()]).says(why);
    }
    assert_eq!(fs::read_to_string(full.join("mine")).unwrap(), "mine");
    assert!(!inside.exists() && !home.exists());
}

#[test]
fn what_is_not_there_is_named_together_with_what_is() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.gulf(["show"]).run().expect_exit(0).says("there is no loop here");
    three(&sandbox);
    refused(&sandbox, &["show", "3"])
        .says("there is no loop called 3")
        .says("iteration 3 of the last one is `@3`");
    let id = crate::handle(&sandbox);
    for command in ["show", "diff"] {
        refused(&sandbox, &[command, "@12"]).says("its last one is 3").says(&id);
        refused(&sandbox, &[command, "no-such-loop@1"]).says("no-such-loop").says("gulf list");
        refused(&sandbox, &[command, "@x"]).says("LOOP@7 is iteration 7");
    }
    refused(&sandbox, &["diff", "@0"]).says("LOOP@1");
    refused(&sandbox, &["show", "@1..2"]).says("gulf diff");
    let to = sandbox.path("there");
    refused(&sandbox, &["restore", "@12", "--to", to.as_str()]).says("its last one is 3");
    assert!(!to.exists());
}

#[test]
fn a_loop_without_git_is_looked_at_like_any_other() {
    let sandbox = Sandbox::without_git();
    sandbox.write("value.txt", "wrong\n");
    sandbox.write("check.sh", "grep -qx right value.txt\n");
    three(&sandbox);
    sandbox.gulf(["show", "@1"]).run().expect_exit(0).says("한국어 파일.txt");
    sandbox.gulf(["diff", "@3"]).run().expect_exit(0).says("-wrong\n+right\n");
    let to = sandbox.path("restored");
    sandbox.gulf(["restore", "@2", "--to", to.as_str()]).run().expect_exit(0);
    assert_eq!(fs::read_to_string(to.join("value.txt")).unwrap(), "wrong\n");
}

#[test]
fn a_loop_that_another_process_drives_can_be_looked_at_meanwhile() {
    let sandbox = Sandbox::with(&Sample::shell());
    let meeting = Meeting::new(&sandbox, "turn");
    let second = [meeting.reached(), meeting.held(), Step::write("value.txt", "right\n"), Step::claim()];
    let agent =
        FakeAgent::new(&sandbox).turn(1, [Step::write("first", "1\n"), Step::claim()]).turn(2, second);
    let running = run_right(&sandbox, &agent, &[]).start();
    meeting.wait();
    let show =
        sandbox.gulf(["show"]).run().expect_exit(0).says("iteration 2 of").says("its turn is not over");
    show.says("left no tree yet");
    sandbox.gulf(["diff"]).run().expect_exit(0).says("b/first");
    refused(&sandbox, &["diff", "@2"]).says("has left no tree yet").says("@1 is the last one before it");
    let to = sandbox.path("restored");
    sandbox.gulf(["restore", "--to", to.as_str()]).run().expect_exit(0).says("@1 is in");
    assert!(to.join("first").is_file());
    meeting.release();
    running.finish().expect_exit(exit::VERIFIED);
}

/// The journal with each line that holds a decision changed.
fn rewrite(sandbox: &Sandbox, change: impl Fn(&str) -> String) {
    let path = sandbox.only_loop().journal_path();
    let text = fs::read_to_string(&path).unwrap();
    let line = |line: &str| if line.contains("\"decided\"") { change(line) } else { line.to_owned() };
    let text: Vec<String> = text.lines().map(line).collect();
    fs::write(&path, text.join("\n") + "\n").unwrap();
}

// proves: B9
#[test]
fn a_replay_decides_as_the_driver_did_and_shows_what_each_decision_rests_on() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    three(&sandbox);
    let before = fs::read(sandbox.only_loop().journal_path()).unwrap();
    let replayed = sandbox.gulf(["replay"]).run().expect_exit(0);
    let replayed = replayed.says("every decision matches the journal").says("complete: verified");
    replayed.says("check sh check.sh: FAILED exit 1").says("settle: refused by the checks");
    let document = sandbox.gulf(["replay", "--json"]).run().expect_exit(0).json_lines().remove(0);
    assert_eq!((&document["differences"], &document["stopped"]), (&0.into(), &Value::Null), "{document:#}");
    assert_eq!(document["events"], sandbox.only_loop().events().len(), "{document:#}");
    assert_eq!(fs::read(sandbox.only_loop().journal_path()).unwrap(), before, "a replay only reads");
}

#[test]
fn a_decision_that_these_rules_would_not_take_is_a_bug_and_that_of_other_rules_a_report() {
    let sandbox = Sandbox::with(&Sample::shell());
    three(&sandbox);
    rewrite(&sandbox, |line| line.replace("\"complete\"", "\"abort\""));
    let replayed = sandbox.gulf(["replay"]).run().expect_exit(exit::ERROR);
    replayed.says("1 decision comes out otherwise").says("now: complete: verified");
    rewrite(&sandbox, |line| line.replace("\"engine_version\":", "\"engine_version\":9000"));
    let replayed = sandbox.gulf(["replay"]).run().expect_exit(0);
    replayed.says("1 decision comes out otherwise").says("the rules have changed");
}

#[test]
fn a_damaged_journal_is_replayed_as_far_as_it_goes() {
    let sandbox = Sandbox::with(&Sample::shell());
    three(&sandbox);
    let folder = sandbox.only_loop();
    let whole = fs::read_to_string(folder.journal_path()).unwrap();
    let events = folder.events().len();
    let torn = &whole[..whole.len() - 10];
    fs::write(folder.journal_path(), torn).unwrap();
    let replayed = sandbox.gulf(["replay"]).run().expect_exit(0).says("is unfinished");
    replayed.says(&format!("stopped after event {}", events - 1));
    let mut lines: Vec<&str> = whole.lines().collect();
    lines[10] = "{\"v\":1,\"event\":{";
    fs::write(folder.journal_path(), lines.join("\n") + "\n").unwrap();
    for id in [&[][..], &[folder.id()][..]] {
        let replay = sandbox.gulf(["replay"]).arguments(id.iter().copied()).run().does_not_panic();
        replay.expect_exit(exit::ERROR).says("line 11");
    }
    sandbox.gulf(["replay", folder.id()]).run().says("stopped after event 10").says("iteration 1");
}

fn contract(kept: &LoopFolder) -> Value {
    serde_json::from_str(&fs::read_to_string(kept.path("sealed/contract.json")).unwrap()).unwrap()
}

// proves: B9
#[test]
fn a_fork_goes_on_from_an_iteration_on_a_branch_of_its_own_and_the_checkout_stays_as_it_is() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    sandbox.write("RUBRIC.md", "## Checks\n\n- sh check.sh\n");
    three(&sandbox);
    let origin = sandbox.only_loop();
    let before = (sandbox.git(["rev-parse", "HEAD"]), sandbox.git(["status", "--porcelain"]));
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    let fork = ["fork", "@1", "--agent", &agent.flag(), "-n", "4"];
    let forked = sandbox.gulf(fork).run().expect_exit(exit::VERIFIED);
    let forked =
        forked.says(&format!("forked {}@1: branch gulf/fork-", crate::handle_of(&sandbox, origin.id())));
    forked.says("\nbranch: gulf/fork-").says("\nworktree: ");
    let new = sandbox.loops().into_iter().find(|one| one.id() != origin.id()).unwrap();
    sandbox.gulf(["status", new.id()]).run().says("\nbranch: gulf/fork-").says("\nworktree: ");
    let (old, sealed) = (contract(&origin), contract(&new));
    assert_eq!(sealed["forked_from"]["loop"], origin.id(), "{sealed:#}");
    assert_eq!((&sealed["forked_from"]["iteration"], &sealed["base"]), (&1.into(), &old["base"]));
    assert_eq!((&sealed["goal"], &sealed["checks"]), (&old["goal"], &old["checks"]));
    assert_eq!(sealed["policy"]["limits"]["iterations_max"], 4, "{sealed:#}");
    assert_eq!(new.turns(), [(1, 1)]);
    let worktree = Utf8PathBuf::from(sealed["project"].as_str().unwrap());
    assert_eq!(fs::read_to_string(worktree.join("한국어 파일.txt")).unwrap(), "첫째\n");
    assert_eq!(fs::read_to_string(worktree.join("value.txt")).unwrap(), "right\n");
    assert!(worktree.join("RUBRIC.md").is_file(), "what was sealed of the person's is there, too");
    let after = (sandbox.git(["rev-parse", "HEAD"]), sandbox.git(["status", "--porcelain"]));
    assert_eq!(after, before);
    let at = shown(&sandbox, &format!("{}@1", origin.id()))["candidate"]["commit"].clone();
    assert_eq!(
        sandbox.git(["for-each-ref", "--format=%(objectname)", "refs/heads/gulf"]),
        at.as_str().unwrap()
    );
    sandbox
        .gulf(["clean", "--yes"])
        .run()
        .expect_exit(0)
        .says("no other branch contains")
        .says("its branch gulf/fork-");
    assert!(worktree.is_dir());
}

#[test]
fn how_the_work_of_a_fork_lands_or_goes_is_said_whatever_its_worker_committed() {
    let sandbox = Sandbox::with(&Sample::shell());
    three(&sandbox);
    sandbox.gulf(["land"]).run().expect_exit(0);
    let third = format!("{}@3", sandbox.only_loop().id());
    for script in ["true", "echo more > more.txt", "echo more > more.txt; git add -A; git commit -qm more"] {
        let agent = FakeAgent::new(&sandbox).otherwise([Step::run(script), Step::claim()]);
        let forked =
            sandbox.gulf(["fork", &third, "--agent", &agent.flag()]).run().expect_exit(exit::VERIFIED);
        forked.says("lands it on the branch you are on").says("deletes its worktree and branch");
    }
}

#[test]
fn the_worktree_of_a_fork_lies_where_the_person_wants_worktrees() {
    let sandbox = Sandbox::with(&Sample::shell());
    three(&sandbox);
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    let (fork, there) = (["fork", "@1", "--agent", &agent.flag()], sandbox.path("there"));
    let fork = |place: &str| sandbox.gulf(fork).variable("GULF_ENVIRONMENT_WORKTREES", place).run();
    fork("here").expect_exit(exit::REFUSED_START).says("is inside the repository");
    fork(there.as_str()).expect_exit(exit::VERIFIED);
    assert_eq!(there.read_dir_utf8().unwrap().count(), 1);
    let beside = sandbox.root().read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path());
    assert_eq!(beside.filter(|path| path.as_str().contains("-gulf-fork-")).count(), 0);
}

#[test]
fn a_fork_that_finds_no_room_leaves_nothing_half() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.write("large.txt", "long\n".repeat(40_000));
    three(&sandbox);
    let Some(disk) = Disk::of_kibibytes(&sandbox, "disk", 128) else { return };
    let fork = sandbox.gulf(["fork", "@1"]).variable("GULF_ENVIRONMENT_WORKTREES", disk.path().as_str());
    fork.run()
        .does_not_panic()
        .expect_exit(exit::REFUSED_START)
        .says("not enough space for commit")
        .says("hint: free");
    assert_eq!(disk.path().read_dir_utf8().unwrap().count(), 0);
    assert_eq!(sandbox.git(["for-each-ref", "refs/heads/gulf"]), "");
    assert_eq!(sandbox.git(["worktree", "list"]).lines().count(), 1);
}

#[test]
fn a_fork_needs_git_an_iteration_and_an_agent_that_is_there() {
    let sandbox = Sandbox::with(&Sample::shell());
    three(&sandbox);
    refused(&sandbox, &["fork", "@9"]).says("its last one is 3");
    assert_eq!(sandbox.git(["for-each-ref", "refs/heads/gulf"]), "");
    let sandbox = Sandbox::without_git();
    sandbox.write("value.txt", "wrong\n");
    sandbox.write("check.sh", "grep -qx right value.txt\n");
    three(&sandbox);
    refused(&sandbox, &["fork", "@1"]).says("gulf restore");
}
