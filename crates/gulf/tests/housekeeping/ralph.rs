//! A Ralph project as it is: two conditions and five indicators, layers of context, logs and `status.json` (SPEC K1–K7).

use gulf_testkit::{FakeAgent, Invocation, Meeting, Sample, Sandbox, Size, Step};
use serde_json::{Value, json};

use crate::{document, gulf, names};

const RIGHT: &str = "grep -qx right value.txt";
const RALPHRC: &str = "PROJECT_TYPE=shell\nCLAUDE_TIMEOUT_MINUTES=15\nCB_SAME_ERROR_THRESHOLD=6\nALLOWED_TOOLS=\"Write,Bash(npm *),Bash(git push *)\"\n";
const PLAN: &str =
    "# 고칠 것\n\n- [ ] make the value right\n  - no newline games\n- [ ] say so in 설명.md\n- [x] set up\n";

/// As `ralph enable` leaves a project, in the older layout.
fn project() -> Sandbox {
    let sandbox = Sandbox::awkward(&Sample::shell());
    sandbox.write(".ralphrc", RALPHRC);
    sandbox.write("PROMPT.md", "Make the value right.\n");
    sandbox.write("fix_plan.md", PLAN);
    sandbox.write("AGENT.md", "Run: grep -qx right value.txt\n");
    sandbox.write("specs/values.md", "# The value\n\nIt is right, or it is wrong.\n");
    sandbox.write("specs/로그인.md", "# 로그인\n");
    sandbox.write("logs/.gitkeep", "");
    sandbox.commit("a Ralph project");
    sandbox
}

fn ticked() -> String {
    PLAN.replace("[ ]", "[x]")
}

fn status_block(signal: bool) -> Vec<Step> {
    let signal = format!("EXIT_SIGNAL: {signal}");
    ["---RALPH_STATUS---", "STATUS: IN_PROGRESS", &signal, "---END_RALPH_STATUS---"].map(Step::print).to_vec()
}

fn run(sandbox: &Sandbox, agent: &FakeAgent) -> Invocation {
    let flag = agent.flag();
    gulf(sandbox, ["run", "--check", RIGHT]).arguments(["--agent", flag.as_str()])
}

fn turn(work: impl IntoIterator<Item = Step>, signal: bool) -> Vec<Step> {
    work.into_iter().chain(status_block(signal)).collect()
}

/// The five indicators, and the signal.
fn status(sandbox: &Sandbox, path: &str) -> (Value, Value) {
    let status = document(&sandbox.read(path));
    (status["completion_indicators"].clone(), status["EXIT_SIGNAL"].clone())
}

// proves: K3/session, K3/loop, K3/iteration
// proves: K1, K2, K3, K4, K6, K7, K1/init, K1/read, K1/execute, K1/update, K1/check, K4/prompt
#[test]
fn a_ralph_project_runs_as_it_is_and_ends_when_everything_is_true_at_once() {
    let sandbox = project();
    let seen = ".gulf/ralph-status.json";
    let keep = |number: u32| Step::run(&format!("cp {seen} .gulf/seen-{number}.json"));
    let agent = FakeAgent::new(&sandbox)
        // The signal comes too early; then ticks without work; then all of it.
        .turn(1, turn([Step::append("value.txt", "")], true))
        .turn(2, turn([keep(2), Step::write("fix_plan.md", &ticked())], true))
        .turn(
            3,
            turn([keep(3), Step::write("value.txt", "right\n"), Step::write("설명.md", "right\n")], true),
        );
    let finished = run(&sandbox, &agent).run().expect_exit(0);
    finished
        .says(
            "agent.timeout = 15m (CLAUDE_TIMEOUT_MINUTES), stuck.same_failure = 6 (CB_SAME_ERROR_THRESHOLD)",
        )
        .says("agent.allow = npm (ALLOWED_TOOLS)")
        .says("left out PROJECT_TYPE: gulf looks at the project itself")
        .says("left out Bash(git push *): it moves branches, or takes work away")
        .says("fix_plan.md: 2 of 3 tasks are open")
        .says("refused: open in the list of tasks: 2")
        .says("refused: check grep -qx right value.txt failed")
        .says("verified");

    let prompt = agent.tally().prompt(1);
    assert!(prompt.starts_with("Make the value right.\n"), "{prompt}");
    for shown in [
        "## The list of tasks: `fix_plan.md`",
        "`specs/values.md` · in its name: values",
        "`AGENT.md` · the first iteration",
    ] {
        assert!(prompt.contains(shown), "{shown}: {prompt}");
    }
    assert!(prompt.contains("- `specs/로그인.md` (3 tokens): nothing in the work in hand"), "{prompt}");
    let prompt = agent.tally().prompt(2);
    assert!(prompt.contains("Open:\n- make the value right\n- say so in 설명.md"), "{prompt}");
    assert!(agent.tally().prompt(3).contains("`AGENT.md` · a check says no"), "{}", agent.tally().prompt(3));

    let all = |tasks: bool, green: bool| {
        json!({"all_tasks_checked": tasks, "tests_passing": green, "build_successful": green,
               "no_errors": true, "no_pending_issues": true})
    };
    assert_eq!(status(&sandbox, seen), (all(true, true), json!(true)));
    // While the next turn runs, what was measured last stands there, and no signal.
    assert_eq!(status(&sandbox, ".gulf/seen-3.json"), (all(true, false), json!(false)));
    assert_eq!(status(&sandbox, ".gulf/seen-2.json").0["all_tasks_checked"], json!(false));
    let document = document(&sandbox.read(seen));
    assert_eq!(
        (&document["loop_count"], &document["session_id"]),
        (&json!(3), &json!(sandbox.only_loop().id()))
    );
    assert_eq!(sandbox.only_loop().turns(), [(1, 1), (2, 1), (3, 1)], "one call of the agent each");

    let links = names(&sandbox.file("logs"));
    assert_eq!(links.len(), 4, "{links:?}");
    let context = sandbox.read(&format!("logs/{}/context.txt", links[2]));
    assert!(context.contains("left out  specs/로그인.md  3 tokens"), "{context}");
    gulf(&sandbox, ["log", "--iteration", "1"]).run().expect_exit(0).says("context.txt");
    let changed = sandbox.git(["status", "--porcelain", "-z"]);
    assert!(!changed.contains("logs") && !changed.contains(".gulf"), "{changed}");
}

// proves: K2, K5
#[test]
fn a_task_that_was_deleted_is_asked_for_and_silence_is_no_signal() {
    let sandbox = project();
    let shorter = ticked().replace("- [x] say so in 설명.md\n", "");
    let found = format!("{}- [x] 빈 줄도 고친다\n", ticked());
    let work = [Step::write("value.txt", "right\n"), Step::write("fix_plan.md", &shorter)];
    let agent = FakeAgent::new(&sandbox)
        .turn(1, turn(work, true))
        .turn(2, turn([Step::write("fix_plan.md", &found)], false))
        .turn(3, turn([], true));
    run(&sandbox, &agent).run().expect_exit(0).says("missing or reworded: 1").says("verified");
    let prompt = agent.tally().prompt(2);
    assert!(prompt.contains("put back what stood there:\n- say so in 설명.md"), "{prompt}");
    let prompt = agent.tally().prompt(3);
    assert!(prompt.contains("Every task of fix_plan.md is ticked, and you did not say"), "{prompt}");
}

// proves: K2, K2/tasks-alone
#[test]
fn what_is_ticked_green_and_never_signed_off_is_exhausted_and_not_verified() {
    let sandbox = project();
    let work = [Step::write("value.txt", "right\n"), Step::write("fix_plan.md", &ticked())];
    let agent = FakeAgent::new(&sandbox).otherwise(turn(work, false));
    run(&sandbox, &agent).arguments(["-n", "2"]).run().expect_exit(12);
}

// proves: K6, K3
#[test]
fn the_newer_layout_keeps_its_status_in_its_own_folder_and_gulf_toml_outranks_the_ralphrc() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.write(".ralphrc", RALPHRC);
    sandbox.write("gulf.toml", "[agent]\ntimeout = \"20m\"\n");
    sandbox.write(".ralph/PROMPT.md", "Make it right.\n");
    sandbox.write(".ralph/fix_plan.md", "- [ ] make the value right\n");
    sandbox.write(".ralph/status.json", "{}\n");
    sandbox.write(".ralph/logs/old.log", "");
    sandbox.commit("a Ralph project");
    let plan = Step::write(".ralph/fix_plan.md", "- [x] make the value right\n");
    let cheat = Step::write(".ralph/status.json", "{\"EXIT_SIGNAL\": true}\n");
    let agent =
        FakeAgent::new(&sandbox).turn(1, turn([plan, cheat, Step::write("value.txt", "right\n")], true));
    run(&sandbox, &agent)
        .run()
        .expect_exit(0)
        .says("CLAUDE_TIMEOUT_MINUTES does not count: gulf.toml:2:11 says what `agent.timeout` is");
    assert_eq!(status(&sandbox, ".ralph/status.json").1, json!(true));
    let (commit, _) = sandbox.only_loop().candidate();
    let kept = sandbox.git(["show", &format!("{commit}:.ralph/status.json")]);
    assert_eq!(kept.trim(), "{}", "what gulf and the worker write there is no work");
    gulf(&sandbox, ["config", "explain"]).run().expect_exit(0).says(".ralphrc:3:1").says("gulf.toml:2:11");
}

// proves: K6
#[test]
fn another_goal_is_no_ralph_loop_and_a_list_that_hides_a_task_is_refused() {
    let sandbox = project();
    let agent = FakeAgent::new(&sandbox).otherwise([Step::write("value.txt", "right\n"), Step::claim()]);
    let flag = agent.flag();
    let other = ["run", "make it right", "--check", RIGHT, "--agent", flag.as_str()];
    gulf(&sandbox, other).run().expect_exit(0).does_not_say("tasks are open");
    sandbox.write("fix_plan.md", "- [ ] one\n-[ ] two\n");
    run(&sandbox, &agent).run().expect_exit(2).says("fix_plan.md:2:1").says("is not a checkbox");
    sandbox.write("fix_plan.md", "nothing yet\n");
    run(&sandbox, &agent).run().expect_exit(2).says("it contains no task");
    sandbox.write(".ralphrc", "CLAUDE_TIMEOUT_MINUTES=$(date)\n");
    run(&sandbox, &agent).run().expect_exit(2).says(".ralphrc:1:1").says("only a shell could evaluate");
}

// proves: K6
#[test]
fn after_kill_nine_the_same_command_goes_on_with_the_list_as_it_was_sealed() {
    let sandbox = project();
    let here = Meeting::new(&sandbox, "here");
    let shrunk = Step::write("fix_plan.md", "- [x] set up\n");
    let agent = FakeAgent::new(&sandbox)
        .attempt(1, 1, [shrunk, here.reached(), Step::Hang])
        .attempt(1, 2, turn([Step::write("value.txt", "right\n")], true))
        .otherwise(turn([Step::write("fix_plan.md", &ticked())], true));
    let started = run(&sandbox, &agent).start();
    here.wait();
    started.kill();
    started.finish();
    run(&sandbox, &agent).run().expect_exit(0).says("missing or reworded: 2").says("verified");
    assert_eq!(sandbox.only_loop().turns(), [(1, 1), (1, 2), (2, 1)]);
}

// proves: K6
#[test]
fn import_shows_the_difference_and_writes_when_it_is_told_to() {
    let sandbox = project();
    let shown = gulf(&sandbox, ["import"]).run().expect_exit(0);
    assert!(shown.stdout.starts_with("--- /dev/null\n+++ b/gulf.toml\n@@ "), "{}", shown.stdout);
    shown
        .says("+timeout = \"15m\"  # .ralphrc:2:1 CLAUDE_TIMEOUT_MINUTES")
        .says("note: Bash(git push *) is left out: it moves branches, or takes work away")
        .says("nothing was written");
    assert!(!sandbox.file("gulf.toml").exists());
    gulf(&sandbox, ["import", "--write"]).run().expect_exit(0).says("gulf.toml is written");
    gulf(&sandbox, ["config", "explain"]).run().expect_exit(0).says("gulf.toml:5:11");
    gulf(&sandbox, ["import", "--write"]).run().expect_exit(0).says("gulf.toml stays as it is");

    let mine = "# mine\n[agent]\ntimeout = \"1h\"\n";
    sandbox.write("gulf.toml", mine);
    let dry = gulf(&sandbox, ["import", "--dry-run"]).run().expect_exit(0);
    dry.says(" # mine").says("+allow = [\"npm\"]").says("CLAUDE_TIMEOUT_MINUTES stays out");
    assert_eq!(sandbox.read("gulf.toml"), mine);
}

// proves: K6
#[test]
fn import_runs_nothing_and_breaks_nothing() {
    let sandbox = project();
    sandbox.write("gulf.toml", "agent = \"claude\"\n");
    gulf(&sandbox, ["import", "--write"]).run().expect_exit(2).says("gulf.toml has no place for");
    assert_eq!(sandbox.read("gulf.toml"), "agent = \"claude\"\n");
    gulf(&sandbox, ["import", "--write", "--dry-run"]).run().expect_exit(2);
    gulf(&sandbox, ["import", "--from", "none"]).run().expect_exit(2).says("gulf import --from FILE");
    sandbox.write("hostile", "CLAUDE_MODEL=\"$(touch pwned)\"\n");
    gulf(&sandbox, ["import", "--from", "hostile"]).run().expect_exit(2).says("hostile:1:1");
    assert!(!sandbox.file("pwned").exists());
}

fn blocked() -> [Step; 1] {
    let block = "---RALPH_STATUS---\nSTATUS: BLOCKED\nEXIT_SIGNAL: false\nRECOMMENDATION: the value's meaning\n---END_RALPH_STATUS---";
    [Step::print(&format!("Nobody says what right is.\n\n{block}"))]
}

// proves: B5, K5, K6
#[test]
fn a_worker_that_is_blocked_rests_the_loop_with_its_own_words_as_a_question() {
    let sandbox = project();
    let quoted = "> ---RALPH_STATUS---\n> STATUS: BLOCKED\n> ---END_RALPH_STATUS---\n";
    let agent = FakeAgent::new(&sandbox)
        .turn(1, blocked())
        .turn(2, [Step::append("value.txt", ""), Step::print(quoted)])
        .otherwise(turn([Step::write("value.txt", "right\n"), Step::write("fix_plan.md", &ticked())], true));
    run(&sandbox, &agent)
        .run()
        .expect_exit(10)
        .says("question 1: in iteration 1 the worker needs a decision")
        .says("The worker is blocked. It says: the value's meaning")
        .says("it saw: Nobody says what right is.");
    assert_eq!(status(&sandbox, ".gulf/ralph-status.json").0["no_pending_issues"], json!(false));
    // The same command asks the same thing, and no turn is lost on it.
    run(&sandbox, &agent).run().expect_exit(10).says("question 1: in iteration 1");
    gulf(&sandbox, ["answer", "'right' is the word"]).run().expect_exit(0);
    gulf(&sandbox, ["resume"]).run().expect_exit(0).says("verified");
    assert!(agent.tally().prompt(2).contains("A person answered: 'right' is the word"));
    assert_eq!(sandbox.only_loop().turns(), [(1, 1), (2, 1), (3, 1)]);
}

#[test]
fn with_a_goal_of_ones_own_nobody_speaks_by_status_blocks() {
    let sandbox = project();
    let agent = FakeAgent::new(&sandbox).otherwise(blocked());
    let flag = agent.flag();
    let other = ["run", "make it right", "--check", RIGHT, "--agent", flag.as_str(), "-n", "1"];
    gulf(&sandbox, other).run().expect_exit(12).does_not_say("question");
}

// proves: K6, G17
#[test]
fn a_list_that_is_not_committed_as_it_lies_starts_no_loop_elsewhere() {
    let sandbox = project();
    let agent = FakeAgent::new(&sandbox).otherwise(turn([], true));
    let elsewhere = || run(&sandbox, &agent).arguments(["--preset", "autonomous", "-n", "1"]).run();
    for lies in [format!("{PLAN}- [ ] one more\n"), PLAN.replacen("[ ]", "[x]", 1)] {
        sandbox.write("fix_plan.md", &lies);
        elsewhere().expect_exit(2).says("the list fix_plan.md is not committed to main as it lies here");
    }
    assert!(sandbox.loops().is_empty() && sandbox.git(["branch", "--list", "gulf/*"]).is_empty());
    // Line ends are git's to choose.
    sandbox.write("fix_plan.md", PLAN.replace('\n', "\r\n"));
    elsewhere().says("2 of 3 tasks are open");
}

// proves: K6
#[test]
fn nothing_that_gulf_writes_for_a_ralph_project_keeps_a_worktree_of_its_own() {
    let sandbox = project();
    let work = [
        Step::write("value.txt", "right\n"),
        Step::write("fix_plan.md", &ticked()),
        Step::run("git add -A && git commit -qm right"),
    ];
    let agent = FakeAgent::new(&sandbox).otherwise(turn(work, true));
    run(&sandbox, &agent)
        .arguments(["--preset", "autonomous"])
        .run()
        .expect_exit(0)
        .says("landed")
        .does_not_say("kept:");
    assert_eq!(names(&sandbox.file("logs")), [".gitkeep"]);
}

// proves: K6
#[test]
fn a_list_with_a_circle_or_a_task_that_nobody_knows_is_refused_with_its_line() {
    for (list, line, words) in [
        (
            "- [ ] A: a (depends: B)\n- [ ] B: b (depends: A)\n",
            "fix_plan.md:1:",
            "these tasks depend on each other",
        ),
        (
            "# Plan\n\n- [ ] A: a (depends: Z)\n",
            "fix_plan.md:3:",
            "`A` depends on `Z`, which is not in the list",
        ),
    ] {
        let sandbox = project();
        sandbox.write("fix_plan.md", list);
        let agent = FakeAgent::new(&sandbox);
        run(&sandbox, &agent).run().expect_exit(2).says(line).says(words);
        assert!(sandbox.loops().is_empty() && agent.tally().turns().is_empty());
    }
}

// proves: K6
#[test]
fn a_list_in_json_that_cannot_be_read_is_refused_with_its_place() {
    for (list, place, words) in [
        ("{\"tasks\": [\n  {\"title\": \"a\",}\n]}\n", "plan.json:2:", "this is not JSON"),
        ("[{\"title\": \"a\", \"passes\": \"no\"}]\n", "plan.json:1:", "`passes` must be true or false"),
    ] {
        let sandbox = project();
        sandbox.write(".ralphrc", format!("{RALPHRC}FIX_PLAN_FILE=plan.json\n"));
        sandbox.write("plan.json", list);
        let agent = FakeAgent::new(&sandbox);
        run(&sandbox, &agent).run().expect_exit(2).says(place).says(words);
        assert!(sandbox.loops().is_empty() && agent.tally().turns().is_empty());
    }
}

// proves: K2, K6
#[test]
fn a_list_in_json_that_breaks_in_the_loop_is_to_be_mended_and_no_task_of_it_is_gone() {
    let list = |open: bool| format!("{{\"tasks\": [\n  {{\"title\": \"a\", \"passes\": {}}}\n]}}\n", !open);
    let sandbox = project();
    sandbox.write(".ralphrc", format!("{RALPHRC}FIX_PLAN_FILE=plan.json\n"));
    sandbox.write("plan.json", list(true));
    let broken = list(false).replace("true}", "true,}");
    let right = [Step::write("value.txt", "right\n"), Step::write("plan.json", &broken)];
    let agent = FakeAgent::new(&sandbox)
        .turn(1, turn(right, true))
        .turn(2, turn([Step::write("plan.json", &list(false))], true));
    run(&sandbox, &agent)
        .run()
        .expect_exit(0)
        .says("refused: the list of tasks is gone or cannot be read")
        .does_not_say("missing or reworded");
    let prompt = agent.tally().prompt(2);
    let mend = "It cannot be read now, so every task of it counts as open; mend it first: plan.json:2:";
    assert!(prompt.contains(mend), "{prompt}");
    assert!(
        prompt.contains("You said that nothing is left, and plan.json cannot be read: plan.json:2:"),
        "{prompt}"
    );
    assert!(!prompt.contains("put back"), "{prompt}");
}

// proves: K2, K6
#[test]
fn a_list_that_a_worker_deleted_is_brought_back_before_its_goal_is_tried_again() {
    for is_tracked in [true, false] {
        let sandbox = project();
        if !is_tracked {
            sandbox.git(["rm", "-q", "--cached", "fix_plan.md"]);
            sandbox.git(["commit", "-qm", "the list is mine"]);
        }
        let deletes = [Step::write("value.txt", "right\n"), Step::run("rm -f fix_plan.md")];
        let agent = FakeAgent::new(&sandbox).otherwise(turn(deletes, true));
        let again = || run(&sandbox, &agent).arguments(["-n", "1"]).run();
        again().expect_exit(12).says("refused: the list of tasks is gone or cannot be read");
        let refused = again().expect_exit(2).says("the list fix_plan.md is gone").says("@0 --to DIR` writes");
        let said = refused.stderr;
        assert_eq!(said.contains("`git restore 'fix_plan.md'`; or"), is_tracked, "{said}");
        assert_eq!(sandbox.loops().len(), 1);
        if is_tracked {
            sandbox.git(["restore", "fix_plan.md"]);
            let ticks = turn([Step::write("fix_plan.md", &ticked())], true);
            run(&sandbox, &FakeAgent::new(&sandbox).otherwise(ticks))
                .run()
                .expect_exit(0)
                .says("goes on with");
        }
    }
}

// proves: K2, K6
#[test]
fn a_list_that_a_worker_shortened_counts_in_the_next_loop_as_it_stood_before() {
    let sandbox = project();
    let shortens = [Step::write("value.txt", "right\n"), Step::write("fix_plan.md", "- [x] set up\n")];
    let agent = FakeAgent::new(&sandbox).otherwise(turn(shortens, true));
    run(&sandbox, &agent).arguments(["-n", "1"]).run().expect_exit(12).says("missing or reworded: 2");
    let agent = FakeAgent::new(&sandbox)
        .turn(1, turn([], true))
        .turn(2, turn([Step::write("fix_plan.md", &ticked())], true));
    run(&sandbox, &agent).run().expect_exit(0).says("goes on with").says("missing or reworded: 2");
    // What a person takes out of it is out.
    sandbox.commit("done");
    sandbox.write("fix_plan.md", "- [x] set up\n");
    let agent = FakeAgent::new(&sandbox).otherwise(turn([], true));
    run(&sandbox, &agent).run().expect_exit(3).does_not_say("missing or reworded");
}

// proves: K6
#[test]
fn the_calls_per_hour_of_a_ralph_project_are_kept_to_and_a_cancel_is_obeyed_meanwhile() {
    let sandbox = project();
    sandbox.write(".ralphrc", format!("{RALPHRC}MAX_CALLS_PER_HOUR=1\n"));
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("value.txt", "x\n")]);
    let running = run(&sandbox, &agent).on_terminal(Size { columns: 200, rows: 50 });
    let told = running.wait_for("for limits.turns_per_hour · until ");
    assert!(told.contains("limits.turns_per_hour = 1 (MAX_CALLS_PER_HOUR)"), "{told}");
    gulf(&sandbox, ["status"]).run().expect_exit(0).says("It waits for limits.turns_per_hour, ");
    let status = gulf(&sandbox, ["status", "--json"]).run().expect_exit(0);
    assert_eq!(document(&status.stdout)["wait"]["for"], "turns-per-hour");
    gulf(&sandbox, ["cancel"]).run().expect_exit(0);
    assert_eq!(running.finish(), 15);
    assert_eq!(agent.tally().turns(), [(1, 1)]);
}
