//! `/gulf-loop:start-autonomous` (CONTRACT §1.3): a branch of its own, in the checkout that the session works in.
//!
//! Apart from other starts because here the checkout's HEAD moves, and nothing else of the person's may.

use std::fs;

use gulf_testkit::{Sample, Sandbox, in_turn, one_in_turn};

use super::harness::{HOSTS, Host, PROMISE, PROMPT, Session};

fn head(session: &Session) -> String {
    session.sandbox.git(["branch", "--show-current"])
}

// proves: G17, G20
#[test]
fn a_branch_is_made_and_checked_out_and_the_answer_names_both() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        let outcome = session.prompt(&format!("/gulf-loop:start-autonomous {PROMPT}"));
        outcome.adds_to_prompt();
        let branch = head(&session);
        assert!(branch.starts_with("gulf/auto-20"), "{branch}");
        outcome.says(&format!("Branch     : {branch} → main")).says("1 / 200 max");
        session.expect_fields(&[
            ("active", "true"),
            ("iteration", "1"),
            ("max_iterations", "200"),
            ("completion_promise", "COMPLETE"),
            ("autonomous", "true"),
            ("branch", &branch),
            ("base_branch", "main"),
            ("merge_status", "pending"),
        ]);
        assert_eq!(session.sandbox.git(["status", "--porcelain"]), "");
    }
}

#[test]
fn uncommitted_changes_are_warned_about_and_travel_along() {
    let session = Session::checked(Host::Plain);
    session.write("내 것.txt", "mine\n");
    session.write("value.txt", "half\n");
    let outcome = session.prompt(&format!("/gulf-loop:start-autonomous {PROMPT}"));
    outcome.adds_to_prompt();
    outcome.says("taken along on the loop's branch").says("value.txt").says("내 것.txt");
    assert_eq!((session.read("내 것.txt"), session.read("value.txt")), ("mine\n".into(), "half\n".into()));
    assert!(head(&session).starts_with("gulf/auto-"));
}

#[test]
fn its_flags_are_the_originals() {
    let session = Session::checked(Host::Claude);
    let flags = "-n 30 -p \"ALL DONE\" -b main -m 5 --structured-memory --force-max";
    session.prompt(&format!("/gulf-loop:start-autonomous {flags} {PROMPT}")).adds_to_prompt();
    session.expect_fields(&[
        ("max_iterations", "30"),
        ("completion_promise", "ALL DONE"),
        ("base_branch", "main"),
        ("milestone_every", "5"),
        ("structured_memory", "true"),
        ("force_max", "true"),
    ]);
    let (session, _) = Session::judged(Host::Claude);
    let words = format!("/gulf-loop:start-autonomous --with-judge -t 3 {PROMPT}");
    session.prompt(&words).adds_to_prompt();
    session.expect_fields(&[("autonomous", "true"), ("judge_enabled", "true"), ("hitl_threshold", "3")]);
    let (session, _) = Session::judged(Host::Claude);
    session.prompt(&format!("/gulf-loop:start-autonomous {PROMPT}")).adds_to_prompt();
    session.expect_fields(&[("hitl_threshold", "10"), ("consecutive_rejections", "0")]);
}

#[test]
fn where_nothing_can_land_it_is_refused_with_a_hint_and_nothing_is_made() {
    let cases: [(&str, &[&str], &str, &str); 5] = [
        ("", &["checkout --quiet --detach"], "HEAD is detached", "git switch"),
        ("", &["checkout --quiet --orphan new"], "no commit yet", "--allow-empty"),
        ("-b other", &["branch other"], "not other", "git switch other"),
        ("-b nowhere", &[], "no branch nowhere", "git branch --all"),
        ("--with-judge", &[], "RUBRIC.md has no criteria", "Judge criteria"),
    ];
    for (flags, before, why, hint) in cases {
        let session = Session::checked(Host::Plain);
        for words in before {
            session.sandbox.git(words.split(' '));
        }
        let refs = session.sandbox.git(["for-each-ref", "refs/heads"]);
        let outcome = session.prompt(&format!("/gulf-loop:start-autonomous {flags} {PROMPT}"));
        outcome.refuses_prompt();
        outcome.says(why).says(hint);
        assert_eq!(session.sandbox.git(["for-each-ref", "refs/heads"]), refs, "{flags}");
        assert!(session.look().is_none() && session.sandbox.loops().is_empty(), "{flags}");
    }
}

// proves: G10
#[test]
fn rejections_lead_to_another_strategy_and_never_to_a_person() {
    let (session, judge) = Session::judged(Host::Claude);
    let session = session.variable("GULF_JUDGE_PROTOCOL", "line");
    let judge = judge.says("REJECTED: notes/ does not say why");
    session.prompt(&format!("/gulf-loop:start-autonomous --no-research -t 2 {PROMPT}")).adds_to_prompt();
    session.mend();
    for rejections in ["1", "0", "1", "0"] {
        let lines = (1..=9).map(|line| format!("{rejections} way {line} of {}\n", judge.prompts().len()));
        session.write("notes/way.txt", lines.collect::<String>());
        let outcome = session.stop(PROMISE);
        outcome.continues();
        session.expect_fields(&[("active", "true"), ("consecutive_rejections", rejections)]);
        outcome.says(if rejections == "0" { "STRATEGY RESET" } else { "Judge REJECTED (1/2)" });
    }
}

#[test]
fn a_start_that_was_killed_leaves_nothing_half_made() {
    let run = |at: Option<usize>| {
        let session = Session::on(Host::Claude, Sandbox::in_memory(&Sample::shell()));
        session.autochecks(super::harness::AUTOCHECKS);
        let count = session.sandbox.path("count");
        let mut dying = session.another("5ea53bba-0000-4000-8000-00000000000d");
        dying = dying.variable("GULF_CRASH_COUNT", count.as_str());
        if let Some(at) = at {
            dying = dying.variable("GULF_CRASH_AT", &at.to_string());
        }
        dying.try_prompt(&format!("/gulf-loop:start-autonomous {PROMPT}"));
        (session, fs::read_to_string(&count).unwrap_or_default())
    };
    let (_, points) = run(None);
    let points: Vec<&str> = points.lines().collect();
    let first = points.iter().position(|point| *point == "branching.recorded").unwrap();
    for at in in_turn(6, first..points.len()) {
        let (session, _) = run(Some(at + 1));
        let told = format!("killed at point {} ({})", at + 1, points[at]);
        let again = session.prompt(&format!("/gulf-loop:start-autonomous {PROMPT}"));
        if again.note().is_empty() {
            again.refuses_prompt();
            session.prompt("/gulf-loop:resume").adds_to_prompt();
        }
        assert_eq!(session.sandbox.git(["branch", "--list", "gulf/*"]).lines().count(), 1, "{told}");
        assert!(head(&session).starts_with("gulf/auto-"), "{told}");
        assert_eq!(session.sandbox.git(["status", "--porcelain"]), "", "{told}");
        session.expect_fields(&[("active", "true"), ("base_branch", "main")]);
    }
}

#[test]
fn after_a_cancel_the_branch_stays_and_a_start_on_it_says_where_that_would_land() {
    let session = Session::checked(Host::Claude);
    session.prompt(&format!("/gulf-loop:start-autonomous {PROMPT}")).adds_to_prompt();
    let branch = head(&session);
    let outcome = session.prompt("/gulf-loop:cancel");
    outcome.refuses_prompt();
    outcome.says(&format!("stays on {branch}; `git switch main` leaves it"));
    assert_eq!(head(&session), branch);
    let outcome = session.prompt(&format!("/gulf-loop:start-autonomous {PROMPT}"));
    outcome.says(&format!("→ {branch}")).says("an earlier loop's own branch");
}

#[test]
fn a_terminal_begins_the_same_loop() {
    let session = Session::checked(Host::Plain);
    session
        .gulf(&["start", "--preset", "autonomous", "--no-research", PROMPT])
        .run()
        .expect_exit(0)
        .says("Branch     : gulf/auto-")
        .says(" → main");
    session.expect_fields(&[("autonomous", "true"), ("base_branch", "main"), ("max_iterations", "200")]);
    assert!(head(&session).starts_with("gulf/auto-"));
}

// proves: A1, A3, A7, A1/parallel
#[test]
fn an_autopilot_is_told_what_to_think_about_how_to_divide_it_and_when_to_find_the_cause() {
    let session = Session::checked(Host::Claude);
    session.prompt(&format!("/gulf-loop:autopilot --level 1 {PROMPT}")).adds_to_prompt();
    let brief = session.read(".gulf/brief.md");
    for told in [
        "- **Analyze**",
        "- **Plan**, as a checklist",
        "- **Criticize the plan**",
        "up to 4 of them at the same time, each with its step, its files and how it will be seen to work",
        "### Phases 1–4 · The plan",
    ] {
        assert!(brief.contains(told), "{told}: {brief}");
    }
    session.stop(PROMISE).continues();
    let brief = session.read(".gulf/brief.md");
    assert!(brief.contains("- **Find the cause**") && !brief.contains("- **Plan**"), "{brief}");
}
