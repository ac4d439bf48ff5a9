//! `/gulf-loop:…` as the person types it into the session: the raw prompt comes through the hook (SPEC G20).
//!
//! Apart from the commands in a terminal, because here the session is known, and a command can be answered without a
//! request to a model.

use serde_json::json;

use gulf_testkit::one_in_turn;

use super::harness::{BRIEF, HOSTS, Host, MARKER, PROMISE, PROMPT, SECOND, Session};

const ALIGNED: &str = "## Specification Alignment\n- **Goal**: one word\n\n## Gulf of Envisioning — Gap Check\n- **Blocking questions**: none\n";

#[test]
fn a_prompt_that_is_no_command_passes_untouched() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        for prompt in [
            PROMPT,
            "",
            "what does /gulf-loop:cancel do?",
            "/gulf-loops:start x",
            "/help",
            "gulf-loop is nice",
            "$PATH",
        ] {
            session.prompt(prompt).is_untouched();
        }
        session.marker(SECOND, PROMPT);
        session.work_and_stop("").continues();
        session.prompt("please look at /gulf-loop:cancel").is_untouched();
        session.prompt("cancel").is_untouched();
        session.expect_fields(&[("iteration", "3"), ("active", "true")]);
    }
}

// proves: G20
#[test]
fn start_arms_a_loop_and_the_model_is_given_the_brief() {
    for (host, form) in [
        (Host::Plain, "/gulf-loop:start"),
        (Host::Claude, "/gulf-loop:start"),
        (Host::Codex, "$gulf-loop:start"),
        (Host::Codex, "gulf-loop:start"),
        (Host::Plain, "gulf-loop:start"),
    ] {
        let session = Session::checked(host);
        let outcome = session.prompt(&format!("{form} {PROMPT}"));
        let text = outcome.adds_to_prompt();
        for part in [PROMPT, "Phase 0", "APPROACH", ".gulf/brief.md"] {
            assert!(text.contains(part), "no {part}: {text}");
        }
        session.expect_fields(&[
            ("active", "true"),
            ("iteration", "1"),
            ("max_iterations", "50"),
            ("completion_promise", "COMPLETE"),
        ]);
        session.write("progress.txt", BRIEF);
        session.stop("The brief is written.").continues();
        session.expect_fields(&[("iteration", "2")]);
    }
}

#[test]
fn start_knows_the_originals_flags_after_the_prompt() {
    let session = Session::checked(Host::Claude);
    session
        .prompt(&format!(
            "/gulf-loop:start {PROMPT} --max-iterations 30 --completion-promise ENDE --milestone-every 5"
        ))
        .adds_to_prompt();
    session.expect_fields(&[
        ("max_iterations", "30"),
        ("completion_promise", "ENDE"),
        ("milestone_every", "5"),
    ]);
    let body = session.look().unwrap().body().to_owned();
    assert!(body.contains(PROMPT) && !body.contains("--max-iterations"), "{body}");
}

#[test]
fn start_knows_the_originals_flags_before_the_prompt() {
    let session = Session::checked(Host::Claude);
    session.prompt(&format!("/gulf-loop:start -n 30 --force-max -p \"ALL DONE\" {PROMPT}")).adds_to_prompt();
    session.expect_fields(&[
        ("max_iterations", "30"),
        ("completion_promise", "ALL DONE"),
        ("force_max", "true"),
    ]);
    let body = session.look().unwrap().body().to_owned();
    assert!(body.contains(PROMPT) && !body.contains("-n 30"), "{body}");
}

#[test]
fn a_prompt_in_quotes_is_what_stands_between_them() {
    let session = Session::checked(Host::Claude);
    session.prompt("/gulf-loop:start \"Make value.txt say right.\" --max-iterations 30").adds_to_prompt();
    session.expect_fields(&[("max_iterations", "30")]);
    assert!(session.look().unwrap().body().contains("Make value.txt say right."));
}

#[test]
fn the_originals_own_way_to_name_a_file_reads_the_file() {
    // So its README teaches it: there a shell read the file, here nobody wants these ten characters as a goal.
    for prompt in
        ["\"$(cat PROMPT.md)\" --max-iterations 30", "\"$(cat PROMPT.md)\"", "$(cat PROMPT.md) -n 30"]
    {
        let session = Session::checked(Host::Claude);
        session.write("PROMPT.md", "Make value.txt say right, as the file says.\n");
        let text = session.prompt(&format!("/gulf-loop:start {prompt}")).adds_to_prompt();
        assert!(text.contains("as the file says.") && !text.contains("$(cat"), "{text}");
        assert!(session.look().unwrap().body().contains("as the file says."));
    }
}

#[test]
fn a_start_without_a_prompt_with_a_flag_that_is_unknown_or_without_a_rubric_is_refused_without_a_model() {
    let cases = [
        ("/gulf-loop:start", "gulf-loop:start"),
        ("/gulf-loop:start   ", "gulf-loop:start"),
        ("/gulf-loop:start --max-iteration 3 Make it right.", "--max-iteration"),
        ("/gulf-loop:start --max-iterations ten Make it right.", "max"),
        ("/gulf-loop:start-with-judge Make it right.", "RUBRIC.md"),
        ("/gulf-loop:stat", "stat"),
    ];
    for (prompt, named) in cases {
        let session = Session::checked(Host::Claude);
        let outcome = session.prompt(prompt);
        let reason = outcome.refuses_prompt();
        assert!(reason.contains(named), "{prompt}: {reason}");
        assert!(!session.exists(MARKER) && session.sandbox.loops().is_empty(), "{prompt}");
    }
}

// proves: G20
#[test]
fn start_with_judge_arms_a_judged_loop() {
    for host in one_in_turn(HOSTS) {
        let (session, _) = Session::judged(host);
        let text = session
            .prompt(&format!("/gulf-loop:start-with-judge {PROMPT} --hitl-threshold 3"))
            .adds_to_prompt();
        assert!(
            text.contains(PROMPT) && text.contains("value.txt says right, and notes/ says why"),
            "{text}"
        );
        session.expect_fields(&[
            ("judge_enabled", "true"),
            ("hitl_threshold", "3"),
            ("max_iterations", "50"),
        ]);
    }
}

#[test]
fn a_start_over_an_active_loop_is_refused_with_its_id_and_replace_says_so() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        session.prompt(&format!("/gulf-loop:start {PROMPT}")).adds_to_prompt();
        let id = session.field("loop").unwrap();
        let outcome = session.prompt("/gulf-loop:start Do something else.");
        let reason = outcome.refuses_prompt();
        assert!(
            reason.contains("is unfinished in this checkout") && reason.contains("--replace"),
            "{reason}"
        );
        assert!(session.look().unwrap().body().contains(PROMPT));
        let text = session.prompt("/gulf-loop:start --replace Do something else.").adds_to_prompt();
        assert!(text.contains("Do something else."), "{text}");
        assert_ne!(session.field("loop").unwrap(), id);
    }
}

// proves: G12
#[test]
fn open_questions_of_the_alignment_stop_a_start_unless_they_are_ignored() {
    let session = Session::checked(Host::Claude);
    session.write(".claude/gulf-align.md", ALIGNED.replace("**: none", "**:\n  - Which word?"));
    let outcome = session.prompt(&format!("/gulf-loop:start {PROMPT}"));
    assert!(outcome.refuses_prompt().contains("Which word?"));
    assert!(!session.exists(MARKER));
    session.prompt(&format!("/gulf-loop:start --ignore-questions {PROMPT}")).adds_to_prompt();
    session.expect_fields(&[("active", "true")]);
}

// proves: G20
#[test]
fn status_and_help_are_answered_without_a_model_and_change_nothing() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        let outcome = session.prompt("/gulf-loop:status");
        assert!(!outcome.refuses_prompt().trim().is_empty());
        session.marker(SECOND, PROMPT);
        session.work_and_stop("").continues();
        let before = session.text(MARKER);
        let outcome = session.prompt("/gulf-loop:status");
        let status = outcome.refuses_prompt();
        for part in ["3", "50", PROMPT] {
            assert!(status.contains(part), "no {part}: {status}");
        }
        assert!(!status.contains('\u{1b}'), "no colours where nobody shows them: {status:?}");
        let outcome = session.prompt("/gulf-loop:help");
        for command in ["align", "start", "start-with-judge", "status", "cancel", "resume", "help"] {
            assert!(
                outcome.refuses_prompt().contains(&format!("gulf-loop:{command}")),
                "{command} is not in the help"
            );
        }
        assert_eq!(session.text(MARKER), before);
        session.work_and_stop("").continues();
        session.expect_fields(&[("iteration", "4")]);
    }
}

// proves: A1/trigger
#[test]
fn words_for_which_there_is_a_preset_are_answered_with_an_offer_and_the_prompt_goes_on_as_it_is() {
    let session = Session::checked(Host::Claude);
    let outcome = session.prompt("로그인 기능을 끝까지 만들어 줘");
    assert!(outcome.note().contains("/gulf-loop:ralph"), "{outcome:#?}");
    assert!(outcome.lets_stop().note().contains("Nothing was started"));
    assert!(session.newest().is_none() && !session.exists(MARKER));
    session.prompt("translate \"끝까지\"").is_untouched();
    let began = session.prompt("/gulf-loop:start 끝까지 해줘");
    assert!(began.note().contains("`--preset ralph`"), "{began:#?}");
    session.prompt("/gulf-loop:cancel").refuses_prompt();
    session.write("gulf.toml", "preset_hints = false\n");
    session.prompt("끝까지").is_untouched();
    Session::checked(Host::Plain).prompt("끝까지").is_untouched();
}

// proves: A9
#[test]
fn a_command_of_the_designs_it_came_from_names_the_one_that_does_it_and_starts_nothing() {
    let known = [
        ("/ralph", "/gulf-loop:ralph PROMPT"),
        ("/autopilot", "/gulf-loop:autopilot PROMPT"),
        ("/auto-orchestrate", "gulf run --preset tasks"),
        ("/ralph-loop", "/gulf-loop:start PROMPT"),
        ("/ralph-loop:ralph-loop", "/gulf-loop:start PROMPT"),
        ("/ralph-loop:cancel-ralph", "/gulf-loop:cancel"),
    ];
    for host in one_in_turn([Host::Claude, Host::Codex]) {
        let named = |session: &Session| {
            for (typed, instead) in known {
                let sign = if host == Host::Codex { "$" } else { "/" };
                let own = instead.replace("/gulf-loop:", &format!("{sign}gulf-loop:"));
                session
                    .prompt(&format!("{typed} {PROMPT}"))
                    .says(&format!("`{typed}` starts nothing"))
                    .says(&own);
            }
        };
        let session = Session::checked(host);
        named(&session);
        assert!(session.sandbox.loops().is_empty());
        let running = Session::running(host);
        named(&running);
        running.expect_fields(&[("iteration", "3"), ("active", "true")]);
        assert_eq!(running.sandbox.loops().len(), 1);
    }
}

#[test]
fn one_of_their_commands_with_gulfs_prefix_names_the_one_that_does_it() {
    let session = Session::checked(Host::Claude);
    let told = session.prompt(&format!("/gulf-loop:auto-orchestrate {PROMPT}")).refuses_prompt().to_owned();
    assert!(told.contains("there is no command `auto-orchestrate`"), "{told}");
    assert!(told.contains("gulf run --preset tasks") && !told.contains("available:"), "{told}");
    let told = session.prompt("/gulf-loop:cancel-ralph").refuses_prompt().to_owned();
    assert!(told.contains("/gulf-loop:cancel"), "{told}");
}

#[test]
fn clean_shows_what_finished_loops_left_and_removes_it_once_that_is_said() {
    let session = Session::checked(Host::Claude).variable("GULF_LOOP_FOLDER", "true");
    session.prompt(&format!("/gulf-loop:start {PROMPT}")).adds_to_prompt();
    let folder = format!(".gulf/loops/{}", session.newest().unwrap().id());
    let running = session.prompt("/gulf-loop:clean --yes");
    assert!(running.refuses_prompt().contains("Nothing to remove"), "{running:#?}");
    assert!(session.exists(&format!("{folder}/ralph-state.md")));
    let notepad = json!({"command": format!("echo '- x' >> {folder}/notepad.md")});
    session.tool("Bash", &notepad).allows();
    session.tool("Bash", &json!({"command": format!("echo x >> {folder}/ralph-state.md")})).denies();
    session.prompt("/gulf-loop:cancel").refuses_prompt();
    let shown = session.prompt("/gulf-loop:clean");
    for part in [&folder, "Would remove 1 folder", "/gulf-loop:clean --yes"] {
        assert!(shown.refuses_prompt().contains(part), "{part}: {shown:#?}");
    }
    assert!(session.exists(&folder));
    let refused = session.prompt("/gulf-loop:clean everything");
    assert!(refused.refuses_prompt().contains("`clean` does not know what to do with `everything`"));
    let removed = session.prompt("/gulf-loop:clean --yes");
    assert!(removed.refuses_prompt().contains("Removed 1 folder"), "{removed:#?}");
    assert!(!session.exists(&folder) && session.newest().is_none());
}

#[test]
fn cancel_ends_the_loop_without_a_model() {
    for host in one_in_turn(HOSTS) {
        let session = Session::running(host);
        let outcome = session.prompt("/gulf-loop:cancel");
        assert!(outcome.refuses_prompt().to_lowercase().contains("cancel"));
        assert!(!session.exists(MARKER));
        assert_eq!(session.end().as_deref(), Some("cancelled"));
        session.stop(PROMISE).is_untouched();
        assert!(
            !session.prompt("/gulf-loop:cancel").refuses_prompt().is_empty(),
            "without a loop it says so"
        );
    }
}

#[test]
fn resume_gives_the_brief_to_the_model_and_begins_to_count_anew() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        session.marker(&format!("{SECOND}\nmilestone_every: 2"), PROMPT);
        session.work_and_stop("").lets_stop();
        let text = session.prompt("/gulf-loop:resume").adds_to_prompt();
        assert!(text.contains(PROMPT), "{text}");
        session.expect_fields(&[("active", "true"), ("pause_reason", "none"), ("iteration", "3")]);
        session.work_and_stop("").continues();
        session.expect_fields(&[("iteration", "4")]);
    }
}

#[test]
fn resume_of_an_active_loop_and_without_a_loop_is_answered_without_a_model() {
    let session = Session::checked(Host::Claude);
    assert!(!session.prompt("/gulf-loop:resume").refuses_prompt().is_empty());
    session.marker(SECOND, PROMPT);
    session.work_and_stop("").continues();
    assert!(session.prompt("/gulf-loop:resume").refuses_prompt().contains("active"));
    session.expect_fields(&[("iteration", "3")]);
}

// proves: G20
#[test]
fn align_gives_the_material_to_the_model() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        session.write("README.md", "# The sample\n\nIt keeps one word.\n");
        let text = session.prompt("/gulf-loop:align").adds_to_prompt();
        for part in ["It keeps one word.", ".claude/gulf-align.md", "Blocking questions"] {
            assert!(text.contains(part), "no {part}: {text}");
        }
        assert!(!session.exists(MARKER));
    }
}

#[test]
fn a_person_who_says_something_else_in_between_does_not_end_or_count_anything() {
    let session = Session::running(Host::Claude);
    session.prompt("What are you doing?").is_untouched();
    session.expect_fields(&[("iteration", "3")]);
    session.work_and_stop("I mend the value.").continues();
    session.expect_fields(&[("iteration", "4")]);
}

// proves: G20
#[test]
fn a_start_that_settings_prevent_names_the_place_and_the_mistake() {
    let session = Session::checked(Host::Claude);
    session.write("gulf.toml", "[verify]\nchekcs = []\n");
    let reason = session.prompt(&format!("/gulf-loop:ralph {PROMPT}")).refuses_prompt().to_owned();
    assert!(reason.contains("gulf.toml:2:1: unknown key `verify.chekcs`"), "{reason}");
}

#[test]
fn align_shows_the_file_that_is_there_and_does_not_say_that_there_is_none() {
    let session = Session::checked(Host::Claude);
    let text = session.prompt("/gulf-loop:align").adds_to_prompt();
    assert!(text.contains("There is no .claude/gulf-align.md yet"), "{text}");
    session.write(".claude/gulf-align.md", ALIGNED);
    let text = session.prompt("/gulf-loop:align ").adds_to_prompt();
    assert!(text.contains("one word"), "{text}");
    assert!(!text.contains("There is no"), "{text}");
}

#[test]
fn codex_is_asked_for_no_commit_and_can_call_gulf_by_its_path() {
    let claude = Session::checked(Host::Claude);
    claude.prompt(&format!("/gulf-loop:start {PROMPT}")).adds_to_prompt();
    assert!(claude.read(".gulf/brief.md").contains("git commit"));
    let codex = Session::checked(Host::Codex);
    codex.prompt(&format!("$gulf-loop:start {PROMPT}")).adds_to_prompt();
    let brief = codex.read(".gulf/brief.md");
    assert!(brief.contains("Do not commit") && !brief.contains("git commit"), "{brief}");
    let claim = brief.split('`').find_map(|part| part.strip_suffix(" claim done")).unwrap();
    assert!(claim.starts_with('/') && std::fs::metadata(claim).unwrap().is_file(), "{claim}");
}

#[test]
fn whoever_works_in_codex_reads_every_command_as_codex_takes_it() {
    let session = Session::running(Host::Codex);
    session.gulf(&["pause"]).run().expect_exit(0);
    let stderr = session.work_and_stop("A step.").lets_stop().finished.stderr.clone();
    let status = session.gulf(&["status"]).run().expect_exit(0).stdout;
    for (told, typed) in [(&stderr, "$gulf-loop:cancel"), (&status, "$gulf-loop:resume")] {
        assert!(told.contains(typed) && !told.contains("/gulf-loop:"), "{told}");
    }
    let resumed = session.gulf(&["resume"]).run().expect_exit(0).stdout;
    assert!(resumed.contains("$gulf-loop:resume") && !resumed.contains("/gulf-loop:"), "{resumed}");
    let cancelled = session.gulf(&["cancel"]).run().expect_exit(0);
    cancelled.says("Loop cancelled after 3 iterations");
}

#[test]
fn a_whole_home_without_git_is_not_taken_for_a_project_unasked() {
    let sandbox = gulf_testkit::Sandbox::with(&gulf_testkit::Sample::shell());
    let home = sandbox.path("somebodys home");
    std::fs::create_dir_all(&home).unwrap();
    let session = Session::on(Host::Claude, sandbox).in_project(&home).variable("HOME", home.as_str());
    let start = format!("/gulf-loop:start --check true {PROMPT}");
    let told = session.prompt(&start).refuses_prompt().to_owned();
    for part in ["is no repository, and all of it would be the loop's project", "git init", "`gulf start"] {
        assert!(told.contains(part), "no {part}: {told}");
    }
    assert!(session.sandbox.loops().is_empty() && !session.exists(MARKER));
    std::fs::create_dir_all(home.join("work")).unwrap();
    let inside = session.in_project(home.join("work"));
    inside.prompt(&start).adds_to_prompt();
}

#[test]
fn status_tells_a_script_by_its_exit_code_where_the_loop_stands() {
    let session = Session::checked(Host::Claude);
    let ask = |expected| drop(session.gulf(&["status", "--exit-code"]).run().expect_exit(expected));
    ask(2);
    session.prompt(&format!("/gulf-loop:start --no-research -m 1 {PROMPT}")).adds_to_prompt();
    ask(16);
    session.work_and_stop("A step.");
    ask(10);
    session.prompt("/gulf-loop:cancel");
    ask(15);
    session.gulf(&["status"]).run().expect_exit(0);
}
