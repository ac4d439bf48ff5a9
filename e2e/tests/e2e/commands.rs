//! The commands around the loop: what they print, for people and as JSON, and how they exit.

use std::fs;

use gulf_testkit::{FakeAgent, Finished, Meeting, Sample, Sandbox, Step};
use serde_json::Value;

use crate::{RIGHT, exit, mend, run_right};

fn verified() -> Sandbox {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::append("other", "x"), Step::claim()]).turn(2, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    sandbox
}

#[track_caller]
fn one_object(finished: &Finished) -> Value {
    let mut lines = finished.json_lines();
    assert_eq!(lines.len(), 1, "{finished:#?}");
    lines.remove(0)
}

// proves: B15
#[test]
fn run_with_json_prints_the_journals_events_as_lines_and_then_the_end() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    let finished = run_right(&sandbox, &agent, &["--json"]).run().expect_exit(exit::VERIFIED);
    let mut lines = finished.json_lines();
    let last = lines.pop().unwrap();
    let kept = sandbox.only_loop();
    let printed: Vec<Value> = lines.iter().map(|line| line["event"].clone()).collect();
    assert_eq!(printed, kept.events(), "what is printed is not what is written");
    assert!(lines.iter().all(|line| line["v"] == 1), "{lines:?}");
    let (commit, tree) = kept.candidate();
    let text = last.to_string();
    assert!(text.contains("verified") && text.contains(&commit) && text.contains(&tree), "{last:#}");
    assert!(last["version"].is_u64(), "{last:#}");
}

#[test]
fn resume_with_json_prints_the_whole_journal_so_that_it_can_be_folded() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run_right(&sandbox, &agent, &["--json", "-m", "1"]).run().expect_exit(exit::PAUSED).json_lines();
    let mut lines = sandbox.gulf(["resume", "--json"]).run().expect_exit(exit::VERIFIED).json_lines();
    assert!(lines.pop().unwrap()["version"].is_u64());
    let events: Vec<Value> = lines.iter().map(|line| line["event"].clone()).collect();
    assert_eq!(events, sandbox.only_loop().events());
}

#[test]
fn a_list_of_tasks_in_a_session_is_refused_by_its_reason_with_and_without_a_prompt() {
    let sandbox = Sandbox::with(&Sample::shell());
    for prompt in [&["make it right"][..], &[]] {
        let start = sandbox.gulf(["start", "--preset", "tasks"].iter().chain(prompt).copied());
        start.run().expect_exit(exit::REFUSED_START).says("not worked off in a session").says("gulf run");
    }
}

#[test]
fn an_error_with_json_is_still_told_on_stderr_and_stdout_stays_data() {
    let sandbox = Sandbox::with(&Sample::shell());
    let refused =
        sandbox.gulf(["run", "x", "--json", "--check", RIGHT]).run().expect_exit(exit::REFUSED_START);
    assert!(refused.stderr.contains("error:") && refused.stderr.contains("--agent"), "{refused:#?}");
    refused.json_lines();
}

#[test]
fn status_list_and_log_tell_the_same_story() {
    let sandbox = verified();
    let id = sandbox.only_loop().id().to_owned();
    sandbox.gulf(["status"]).run().expect_exit(0).says("verified").says(&sandbox.only_loop().candidate().0);
    sandbox.gulf(["list"]).run().expect_exit(0).says("verified").says(&crate::handle(&sandbox));
    sandbox.gulf(["log"]).run().expect_exit(0).says("verified").says("iteration 2");
    let status = one_object(&sandbox.gulf(["status", "--json"]).run().expect_exit(0));
    assert!(status.to_string().contains("verified") && status.to_string().contains(&id), "{status:#}");
    let list = sandbox.gulf(["list", "--json"]).run().expect_exit(0).json_lines();
    assert!(format!("{list:?}").contains(&id), "{list:?}");
    let log = sandbox.gulf(["log", "--json"]).run().expect_exit(0).json_lines();
    let events: Vec<Value> = log.iter().map(|line| line["event"].clone()).collect();
    assert_eq!(events, sandbox.only_loop().events());
    let by_beginning = &id[..id.len() - 3];
    sandbox.gulf(["status", by_beginning]).run().expect_exit(0).says(&id);
    sandbox.gulf(["status", "no-such-loop"]).run().expect_exit(exit::REFUSED_START).says("no-such-loop");
}

/// The second began in the same minute, with a goal that sorts before the first's.
fn two_in_a_minute(sandbox: &Sandbox) {
    for goal in ["zeal", "aim"] {
        let agent = FakeAgent::new(sandbox).otherwise([Step::append("other", goal), Step::claim()]);
        let flag = agent.flag();
        sandbox.gulf(["run", goal, "--agent", &flag, "--research", "off", "--check", "true"]).run();
    }
}

#[test]
fn whoever_names_no_loop_means_the_one_that_ended_last_also_of_two_in_one_minute() {
    let sandbox = Sandbox::with(&Sample::shell());
    two_in_a_minute(&sandbox);
    sandbox.gulf(["status"]).run().expect_exit(0).says("goal: aim");
    sandbox.gulf(["report"]).run().expect_exit(0).says("aim").does_not_say("zeal");
    sandbox.gulf(["show"]).run().expect_exit(0).says("goal: aim");
    let aim = sandbox.loops().into_iter().find(|kept| kept.id().ends_with("aim")).unwrap();
    let log = sandbox.gulf(["log", "--json"]).run().expect_exit(0).json_lines();
    let events: Vec<Value> = log.iter().map(|line| line["event"].clone()).collect();
    assert_eq!(events, aim.events());
}

#[test]
fn whoever_names_no_loop_means_the_one_that_runs_before_one_that_ended_since() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (here, go_on) = (Meeting::new(&sandbox, "here"), Meeting::new(&sandbox, "go on"));
    let slow = FakeAgent::new(&sandbox).turn(1, [here.reached(), go_on.held()].into_iter().chain(mend()));
    let apart = ["--preset", "autonomous", "--research", "off", "--check", RIGHT];
    let flag = slow.flag();
    let started = sandbox.gulf(["run", "slow work", "--agent", &flag]).arguments(apart).start();
    here.wait();
    two_in_a_minute(&sandbox);
    sandbox.gulf(["status"]).run().expect_exit(0).says("goal: slow work").says("running");
    go_on.release();
    started.finish().expect_exit(exit::VERIFIED);
    sandbox.gulf(["status"]).run().expect_exit(0).says("goal: slow work");
}

#[test]
fn a_loop_is_called_by_four_characters_and_by_none_where_it_is_the_only_one() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::append("other", "x")]).otherwise(mend());
    let paused = run_right(&sandbox, &agent, &["-m", "1"]).run().expect_exit(exit::PAUSED);
    let (first, handle) = (sandbox.only_loop(), crate::handle(&sandbox));
    assert_eq!(handle.len(), 4, "{handle}");
    paused
        .says(&format!("loop {handle}"))
        .says("gulf resume  ")
        .does_not_say(&format!("gulf resume {handle}"));
    two_in_a_minute(&Sandbox::with(&Sample::shell()));
    for arguments in [["status", &handle], ["log", &handle[..3]], ["show", &format!("{handle}@1")]] {
        sandbox.gulf(arguments).run().expect_exit(0);
    }
    let apart = ["--preset", "autonomous", "--research", "off", "--check", RIGHT, "-m", "1"];
    let other = FakeAgent::new(&sandbox).turn(1, [Step::append("other", "x")]);
    let other = sandbox.gulf(["run", "another goal", "--agent", &other.flag()]).arguments(apart).run();
    let second = sandbox.loops().into_iter().find(|kept| kept.id() != first.id()).unwrap();
    other.expect_exit(exit::PAUSED).says(&format!("gulf resume {}", crate::handle_of(&sandbox, second.id())));
    let both = sandbox.gulf(["pause"]).run().expect_exit(exit::REFUSED_START);
    both.says(&handle).says(&crate::handle_of(&sandbox, second.id())).does_not_say(first.id());
    sandbox.gulf(["cancel", &handle]).run().expect_exit(0).says(&handle);
    assert_eq!(first.end().unwrap()["kind"], "cancelled");
}

#[test]
fn a_loop_that_gets_nowhere_says_first_why_in_the_checks_own_words_and_last_what_to_type() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("other", "x"), Step::claim()]);
    let told = run_right(&sandbox, &agent, &["-n", "1"]).run().expect_exit(exit::EXHAUSTED);
    let (head, rest) = told.stdout.split_once("checked: commit").unwrap();
    assert!(head.contains("refused in iteration 1\n  check sh check.sh: FAILED exit 1"), "{head}");
    assert!(head.contains("│ value.txt says wrong"), "{head}");
    assert!(!rest.contains("not isolated"), "{rest}");
    let again = rest.lines().find(|line| line.starts_with("gulf run ")).unwrap();
    let again = again.split("  starts a new loop").next().unwrap();
    assert!(
        again.contains("'make value.txt say right'") && again.contains("--check 'sh check.sh'"),
        "{again}"
    );
    let gulf = gulf_testkit::quote(gulf_testkit::gulf().as_str());
    let typed = again.replacen("gulf", &gulf, 1);
    sandbox.program("sh", ["-c", &typed]).run().expect_exit(exit::EXHAUSTED);
}

#[test]
fn a_report_quotes_the_check_and_a_stalled_loop_says_first_what_the_check_said() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("other", "x"), Step::claim()]);
    run_right(&sandbox, &agent, &["-n", "1"]).run().expect_exit(exit::EXHAUSTED);
    let report = sandbox.gulf(["report"]).run().expect_exit(0);
    assert!(!report.stdout.contains("failed:\n"), "{report:#?}");
    report.says("**Look first:** check sh check.sh failed: value.txt says wrong");
    let idle = FakeAgent::new(&sandbox).otherwise([Step::print("I am thinking.")]);
    let told = run_right(&sandbox, &idle, &["-n", "9"]).run().expect_exit(exit::STALLED);
    let (head, _) = told.stdout.split_once("checked: ").unwrap();
    assert!(head.contains("│ value.txt says wrong"), "{head}");
    told.says("never claimed to be done: that takes `gulf claim done`, or `<promise>COMPLETE</promise>` alone on a line");
}

#[test]
fn a_limit_below_what_is_used_is_refused_with_the_least_that_works() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("other", "x")]);
    run_right(&sandbox, &agent, &["-n", "9", "-m", "3"]).run().expect_exit(exit::PAUSED);
    let refused = sandbox.gulf(["resume", "--max-iterations", "2"]).run().expect_exit(exit::REFUSED_START);
    refused.says("3 iterations are used already").says("gulf resume --max-iterations 3");
    sandbox.gulf(["status"]).run().expect_exit(0).says("iteration 3 of 9");
}

#[test]
fn with_older_finished_loops_the_last_one_needs_no_name() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("other", "x"), Step::claim()]);
    run_right(&sandbox, &agent, &["-n", "1"]).run().expect_exit(exit::EXHAUSTED);
    let second = run_right(&sandbox, &agent, &["-n", "1"]).run().expect_exit(exit::EXHAUSTED);
    let second = second.says("gulf report ").says("gulf discard ");
    let names = sandbox.loops().iter().map(|one| crate::handle_of(&sandbox, one.id())).collect::<Vec<_>>();
    let named = names.iter().find(|name| second.stdout.contains(&format!("gulf discard {name}")));
    assert_eq!(named, None, "{second:#?}");
}

#[test]
fn without_a_loop_every_command_that_means_one_says_the_same_and_exits_the_same() {
    let sandbox = Sandbox::with(&Sample::shell());
    let looking =
        [&["status"][..], &["log"], &["report"], &["show"], &["diff"], &["replay"], &["feedback", "show"]];
    let acting = [&["pause"][..], &["cancel"], &["resume"], &["land"], &["steer", "x"], &["skip"]];
    for arguments in looking.into_iter().chain(acting) {
        let told = sandbox.gulf(arguments.iter().copied()).run().expect_exit(0);
        assert!(told.stderr.starts_with("note: there is no loop here\nhint: "), "{arguments:?}: {told:#?}");
        assert!(told.stdout.is_empty(), "{told:#?}");
    }
    let status = sandbox.gulf(["status", "--json"]).run().expect_exit(0).json_lines();
    assert_eq!(status[0]["loop"], Value::Null);
    sandbox.gulf(["list"]).run().expect_exit(0);
}

#[test]
fn the_prompt_of_an_iteration_can_be_read_again() {
    let sandbox = verified();
    let told = sandbox.gulf(["log", "--iteration", "2", "--prompt"]).run().expect_exit(0);
    told.says("value.txt says wrong");
    sandbox.gulf(["log", "--iteration", "1"]).run().expect_exit(0).says("agent.log");
    sandbox.gulf(["log", "--iteration", "9"]).run().does_not_panic().expect_exit(exit::REFUSED_START);
}

#[test]
fn a_dry_run_shows_the_contract_and_the_first_prompt_and_runs_nothing() {
    let sandbox = Sandbox::with(&Sample::shell());
    let before = gulf_testkit::Standing::of(&sandbox);
    let agent = FakeAgent::new(&sandbox);
    let finished = run_right(&sandbox, &agent, &["--dry-run"]).run().expect_exit(0);
    finished.says(crate::GOAL).says(RIGHT).says("gulf claim done");
    assert!(agent.tally().turns().is_empty() && sandbox.loops().is_empty());
    assert_eq!(gulf_testkit::Standing::of(&sandbox), before);
}

#[test]
fn the_prompt_of_a_dry_run_is_the_one_that_the_worker_gets() {
    let list = "- [ ] A: login\n  - [ ] an empty name is refused\n";
    let rubric = "## Checks\n- true\n\n## Judge criteria\n- it is said that the work is done\n";
    for flags in [&["make it right", "--research", "inline"][..], &["--preset", "tasks", "-m", "1"]] {
        let sandbox = Sandbox::with(&Sample::shell().file("TASKS.md", list).file("RUBRIC.md", rubric));
        let agent = FakeAgent::new(&sandbox).otherwise(mend());
        let flag = agent.flag();
        let judge = ["--judge", "command:cat", "-n", "1", "--agent", &flag];
        let run = || sandbox.gulf(["run"]).arguments(flags.iter().copied()).arguments(judge);
        let shown = run().arguments(["--dry-run"]).run().expect_exit(0).stdout;
        run().run().does_not_panic();
        let prompt = agent.tally().prompt(1);
        let missing: Vec<&str> = prompt.lines().filter(|line| !shown.contains(line.trim())).collect();
        assert!(missing.is_empty(), "{missing:#?}\n{shown}");
    }
}

#[test]
fn output_that_is_piped_or_shown_without_colour_has_no_escapes() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    let finished =
        run_right(&sandbox, &agent, &[]).variable("NO_COLOR", "1").run().expect_exit(exit::VERIFIED);
    assert!(!finished.stdout.contains('\u{1b}') && !finished.stderr.contains('\u{1b}'), "{finished:#?}");
    assert!(!finished.stdout.contains('\r') && !finished.stderr.contains('\r'), "{finished:#?}");
    let cut_pipe = sandbox.program(
        "sh",
        ["-c", &format!("{} list | true", gulf_testkit::quote(gulf_testkit::gulf().as_str()))],
    );
    cut_pipe.run().expect_exit(0).does_not_panic();
}

#[test]
fn verify_says_yes_or_no_about_what_lies_in_the_worktree() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.gulf(["verify", "--check", RIGHT]).run().expect_exit(1).says("value.txt says wrong");
    sandbox.write("value.txt", "right\n");
    sandbox.gulf(["verify", "--check", RIGHT]).run().expect_exit(0);
    one_object(&sandbox.gulf(["verify", "--check", RIGHT, "--json"]).run().expect_exit(0));
    sandbox.gulf(["verify"]).run().expect_exit(exit::REFUSED_START).says("--check");
    assert!(sandbox.loops().is_empty(), "a verification is no loop");
}

#[test]
fn verify_against_a_base_lists_what_was_done_to_its_tests() {
    let sandbox = Sandbox::with(&Sample::node());
    sandbox.write("calc.test.mjs", "");
    let refused = sandbox.gulf(["verify", "--check", "true", "--base", "HEAD"]).run().does_not_panic();
    refused.says("calc.test.mjs");
}

#[test]
fn init_writes_three_texts_that_a_run_reads_and_never_overwrites_one() {
    let sandbox = Sandbox::with(&Sample::node());
    sandbox.gulf(["init"]).run().expect_exit(0).says("npm test").says("gulf.toml");
    for name in ["gulf.toml", "RUBRIC.md", "PROMPT.md"] {
        assert!(sandbox.file(name).is_file(), "{name} was not written");
    }
    assert!(sandbox.read("gulf.toml").contains("npm test"));
    sandbox.write("PROMPT.md", "mine\n");
    let before = sandbox.read("gulf.toml");
    sandbox.gulf(["init"]).run().does_not_panic();
    assert_eq!((sandbox.read("PROMPT.md").as_str(), sandbox.read("gulf.toml")), ("mine\n", before));
    sandbox.gulf(["config", "explain"]).run().expect_exit(0).says("gulf.toml");
    sandbox.gulf(["config"]).run().expect_exit(0).says("gulf.toml");
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("other", "x"), Step::claim()]);
    let flag = agent.flag();
    let finished =
        sandbox.gulf(["run", "-f", "PROMPT.md", "--agent", &flag, "--expect", "stay-green", "-n", "1"]).run();
    finished.expect_exit(exit::ATTESTED);
}

#[test]
fn init_keeps_a_check_that_is_red_out_and_says_so() {
    let red = "import { test } from 'node:test';\ntest('red', () => { throw new Error('red'); });\n";
    let sandbox = Sandbox::with(&Sample::node().file("red.test.mjs", red));
    sandbox.gulf(["init"]).run().does_not_panic().says("npm test");
}

#[test]
fn an_untouched_prompt_skeleton_is_no_goal() {
    let sandbox = Sandbox::with(&Sample::node());
    sandbox.gulf(["init", "--no-run"]).run().expect_exit(0);
    let refused = sandbox.gulf(["run", "-f", "PROMPT.md", "--agent", "command:true"]).run();
    refused.expect_exit(exit::REFUSED_START).says("PROMPT.md");
}

#[test]
fn doctor_looks_at_everything_and_says_what_is_missing() {
    let sandbox = Sandbox::with(&Sample::shell());
    let doctor = sandbox.gulf(["doctor"]).run().does_not_panic();
    doctor.says("git");
    sandbox.gulf(["doctor", "--json"]).run().json_lines();
}

#[test]
fn config_explain_names_each_value_and_who_said_it() {
    let sandbox = Sandbox::with(&Sample::shell().file("gulf.toml", "research = \"off\"\n"));
    let explained =
        sandbox.gulf(["config", "explain"]).variable("GULF_MAX_ITERATIONS", "7").run().expect_exit(0);
    explained.says("gulf.toml:1").says("GULF_MAX_ITERATIONS").says("default");
    sandbox.gulf(["config", "explain", "--json"]).run().expect_exit(0).json_lines();
}

#[test]
fn completions_exist_for_every_shell_and_bash_accepts_its_own() {
    let sandbox = Sandbox::with(&Sample::shell());
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        sandbox.gulf(["completions", shell]).run().expect_exit(0).says("gulf");
    }
    let script = sandbox.gulf(["completions", "bash"]).run().stdout;
    sandbox.program("bash", ["-n"]).stdin(script).run().expect_exit(0);
    sandbox.gulf(["completions", "tcsh"]).run().expect_exit(exit::REFUSED_START);
}

// proves: A9
#[test]
fn clean_removes_finished_loops_and_nothing_else() {
    let sandbox = verified();
    let agent = FakeAgent::new(&sandbox);
    let flag = agent.flag();
    sandbox.write("value.txt", "wrong\n");
    let paused = ["run", "another", "--agent", &flag, "--check", RIGHT, "-m", "1", "--research", "off"];
    sandbox.gulf(paused).variable("GULF_LOOP_FOLDER", "true").run().expect_exit(exit::PAUSED);
    let ids: Vec<String> = sandbox.loops().iter().map(|kept| kept.id().to_owned()).collect();
    sandbox.gulf(["clean", "--dry-run"]).run().expect_exit(0);
    assert_eq!(sandbox.loops().len(), 2);
    let before = gulf_testkit::Standing::of(&sandbox);
    sandbox.gulf(["clean", "--yes", "--unlanded"]).run().expect_exit(0);
    assert_eq!(gulf_testkit::Standing::of(&sandbox), before);
    let left = sandbox.only_loop();
    assert!(ids.contains(&left.id().to_owned()) && left.end().is_none());
    let state = sandbox.read(&format!(".gulf/loops/{}/ralph-state.md", left.id()));
    assert!(state.contains("- phase: waiting-user\n"), "{state}");
    assert!(
        !sandbox.git(["for-each-ref", "refs/gulf"]).contains("make-value"),
        "refs of a removed loop stay"
    );
}

#[test]
fn the_demo_ends_verified_and_without_the_fix_exhausted() {
    let sandbox = Sandbox::without_git();
    let demo = sandbox.gulf(["demo"]).run().expect_exit(exit::VERIFIED);
    demo.says("script").says("verified");
    sandbox.gulf(["demo", "--without-fix"]).run().expect_exit(exit::EXHAUSTED);
    sandbox.assert_nothing_left();
    assert!(
        sandbox.file("").read_dir_utf8().unwrap().next().is_none(),
        "the demo wrote into the current folder"
    );
    assert_eq!(fs::read_dir(sandbox.path("tmp")).unwrap().count(), 0, "the demo left a folder behind");
}

#[test]
fn the_demo_keeps_its_folder_when_asked_and_says_where() {
    let sandbox = Sandbox::without_git();
    sandbox.gulf(["demo", "--keep"]).run().expect_exit(exit::VERIFIED).says(sandbox.root().as_str());
    assert_ne!(fs::read_dir(sandbox.path("tmp")).unwrap().count(), 0);
}

#[test]
fn a_wrong_command_or_flag_is_a_usage_error_that_suggests() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.gulf(["statsu"]).run().expect_exit(exit::REFUSED_START).says("status");
    sandbox.gulf(["run", "x", "--chekc", "y"]).run().expect_exit(exit::REFUSED_START).says("--check");
    sandbox.gulf([]).run().expect_exit(exit::REFUSED_START);
    sandbox.gulf(["--version"]).run().expect_exit(0).says("gulf");
    sandbox.gulf(["help"]).run().expect_exit(0).says("run");
    for command in
        ["run", "resume", "status", "list", "log", "pause", "cancel", "steer", "verify", "claim", "demo"]
    {
        sandbox.gulf([command, "--help"]).run().expect_exit(0);
    }
}
