//! When a judge is asked in a session, what counts as its word, and what is written down of it (CONTRACT §1.10, §1.11).
//!
//! Apart from what a judge is shown (`material`) and from its silence (`silence`).

use gulf_testkit::FakeJudge;

use super::harness::{BRIEF, Host, JUDGED, PROMISE, PROMPT, Session};

/// An adopted loop in judge mode with the work done, so that only the judge is left.
fn mended() -> (Session, FakeJudge) {
    let (session, judge) = Session::judged(Host::Plain);
    session.marker(JUDGED, PROMPT);
    session.mend();
    (session, judge)
}

// proves: G7
#[test]
fn an_adopted_loop_is_judged_at_every_stop_promise_or_not() {
    let (session, judge) = mended();
    let judge = judge.says("REJECTED: not yet");
    for (calls, message) in [(1, "I go on."), (2, PROMISE), (3, "")] {
        session.work_and_stop(message).continues();
        assert_eq!(judge.prompts().len(), calls);
    }
}

#[test]
fn an_adopted_loop_understands_the_two_lines() {
    let (session, judge) = mended();
    let judge = judge.says("APPROVED\nMETA: Look at the notes.");
    session.work_and_stop("").lets_stop();
    assert!(judge.prompts()[0].contains("META:"), "the judge is told the two lines: {}", judge.prompts()[0]);
    session.expect_completed();
}

#[test]
fn blanks_around_the_two_lines_do_no_harm() {
    let (session, judge) = mended();
    judge.says("\n  APPROVED  \n\n  META: Look at the notes.\n\n");
    session.work_and_stop("").lets_stop();
    session.expect_completed();
}

#[test]
fn only_a_whole_word_is_a_verdict_and_exactly_one() {
    let answers = [
        "APPROVED_WITH_RESERVATIONS",
        "APPROVEDNESS is not given",
        "APPROVED if the notes are written",
        "REJECTED: not yet\nAPPROVED",
        "APPROVED\nREJECTED: not yet",
        "I think it is APPROVED",
    ];
    for answer in answers {
        let (session, judge) = mended();
        judge.says(answer);
        session.work_and_stop("").continues();
        session.expect_fields(&[("consecutive_rejections", "0"), ("active", "true"), ("iteration", "3")]);
        assert!(!session.exists("JUDGE_FEEDBACK.md"), "{answer:?} is no rejection");
        assert_eq!(session.end(), None, "{answer:?} is no approval");
    }
}

// proves: G8
#[test]
fn a_rejection_is_written_down_to_the_letter() {
    let (session, judge) = mended();
    judge.call(1, "REJECTED: notes/ does not say why\nMETA: Look at the notes.").says("REJECTED: still not");
    session.work_and_stop("").continues();
    session.work_and_stop("").continues();
    let feedback = session.read("JUDGE_FEEDBACK.md");
    let lines: Vec<&str> = feedback.lines().collect();
    assert_eq!(lines.len(), 10, "{feedback}");
    for (entry, (head, reason)) in lines.chunks(5).zip([
        ("## Iteration 2 — REJECTED (1 consecutive) — ", "notes/ does not say why"),
        ("## Iteration 3 — REJECTED (2 consecutive) — ", "still not"),
    ]) {
        assert_eq!((entry[0], entry[1], entry[3], entry[4]), ("", "---", "", reason), "{feedback}");
        let time = entry[2].strip_prefix(head).unwrap_or_else(|| panic!("{feedback}"));
        let shape: String = time.chars().map(|one| if one.is_ascii_digit() { '0' } else { one }).collect();
        assert_eq!(shape, "0000-00-00 00:00:00", "{feedback}");
    }
}

#[test]
fn feedback_of_earlier_loops_is_kept_above() {
    let (session, judge) = mended();
    judge.says("REJECTED: not yet");
    session.write(
        "JUDGE_FEEDBACK.md",
        "\n---\n## Iteration 2 — REJECTED (1 consecutive) — 2026-01-01 00:00:00\n\nold\n",
    );
    session.work_and_stop("").continues();
    let feedback = session.read("JUDGE_FEEDBACK.md");
    assert!(
        feedback.starts_with("\n---\n## Iteration 2 — REJECTED (1 consecutive) — 2026-01-01"),
        "{feedback}"
    );
    assert_eq!(feedback.matches("REJECTED").count(), 2, "{feedback}");
}

#[test]
fn a_rejection_without_a_reason_says_so() {
    let (session, judge) = mended();
    judge.says("REJECTED:");
    let outcome = session.work_and_stop("");
    assert!(outcome.continues().contains("No specific reason provided."), "{outcome:#?}");
    assert!(session.read("JUDGE_FEEDBACK.md").contains("No specific reason provided."));
}

// proves: G23
#[test]
fn what_a_judge_learnt_is_written_down_with_its_verdict() {
    let (session, judge) = mended();
    judge
        .call(1, "REJECTED: not yet\nMETA: Look at the notes.")
        .call(2, "REJECTED: not yet either")
        .says("APPROVED\nMETA: Notes are enough.");
    session.work_and_stop("").continues();
    session.work_and_stop("").continues();
    session.work_and_stop("").lets_stop();
    assert_eq!(
        session.read("JUDGE_EVOLUTION.md"),
        "[iter 2] REJECTED — Look at the notes.\n[iter 4] APPROVED — Notes are enough.\n"
    );
}

// proves: G6
#[test]
fn a_failing_check_asks_no_judge_and_counts_nothing() {
    let (session, judge) = Session::judged(Host::Plain);
    session.marker(&JUDGED.replace("consecutive_rejections: 0", "consecutive_rejections: 3"), PROMPT);
    session.work_and_stop(PROMISE).continues();
    assert!(judge.prompts().is_empty());
    session.expect_fields(&[("consecutive_rejections", "3"), ("iteration", "3")]);
}

// proves: G7
#[test]
fn preset_judge_judges_on_a_claim_and_at_the_limit_only() {
    let (session, judge) = Session::judged(Host::Plain);
    let judge = judge.says("REJECTED: not yet");
    session.write("gulf.toml", format!("{}protocol = \"line\"\n", session.read("gulf.toml")));
    session.sandbox.commit("protocol");
    session.gulf(&["start", "--preset", "judge", "-n", "4", PROMPT]).run().expect_exit(0);
    session.write("progress.txt", BRIEF);
    session.stop("The brief is written.").continues();
    session.mend();
    session.work_and_stop("I go on.").continues();
    assert!(judge.prompts().is_empty(), "nobody claimed anything");
    session.work_and_stop(PROMISE).continues();
    assert_eq!(judge.prompts().len(), 1);
    session.work_and_stop("I go on.").lets_stop();
    assert_eq!(judge.prompts().len(), 2, "at the limit it is asked without a claim");
    assert_eq!(session.end().as_deref(), Some("exhausted"));
}

#[test]
fn preset_judge_asks_for_evidence_where_nothing_else_is_said() {
    let (session, judge) = Session::judged(Host::Plain);
    let judge = judge.says("APPROVED\nMETA: two lines are not in the requested form");
    session.gulf(&["start", "--preset", "judge", PROMPT]).run().expect_exit(0);
    session.write("progress.txt", BRIEF);
    session.stop("The brief is written.").continues();
    session.mend();
    session.work_and_stop(PROMISE);
    assert!(judge.prompts()[0].contains("JSON"), "{}", judge.prompts()[0]);
    session.expect_no_success();
}

#[test]
fn the_judges_own_process_fires_no_loop_and_is_answered_nothing() {
    let (session, judge) = mended();
    let said = session.sandbox.path("what the hook said to the judge");
    let gulf = gulf_testkit::quote(gulf_testkit::gulf().as_str());
    let project = gulf_testkit::quote(session.file("").as_str());
    let place = gulf_testkit::quote(said.as_str());
    let judge = judge.does(&format!(
        "for folder in . {project}; do (cd \"$folder\" && echo '{{\"hook_event_name\":\"Stop\",\"session_id\":\"judge\",\
         \"last_assistant_message\":\"<promise>COMPLETE</promise>\"}}' | CLAUDE_PROJECT_DIR=\"$folder\" {gulf} hook stop \
         >> {place} 2>&1); done\necho 'REJECTED: not yet'"
    ));
    session.work_and_stop("").continues();
    assert_eq!(std::fs::read_to_string(&said).unwrap(), "", "the judge's own stop is nobody's");
    assert_eq!(judge.prompts().len(), 1);
    session.expect_fields(&[("iteration", "3"), ("consecutive_rejections", "1")]);
    assert_eq!(session.sandbox.loops().len(), 1);
}

#[test]
fn the_judge_works_in_a_checkout_of_its_own() {
    let (session, judge) = mended();
    judge.does(
        "echo scribbled > value.txt; echo scribbled > RUBRIC.md; pwd > \"$folder/where\"; echo APPROVED",
    );
    session.work_and_stop("").lets_stop();
    assert_eq!(session.read("value.txt"), "right\n");
    assert_ne!(session.read("RUBRIC.md"), "scribbled\n");
    let stood = std::fs::read_to_string(session.sandbox.path("judge/where")).unwrap();
    assert!(!stood.starts_with(session.file("").as_str()), "{stood}");
}

// proves: G6
#[test]
fn the_model_of_the_rubric_judges_by_default_with_claude_code() {
    let rubric =
        "---\nmodel: \"claude-opus-4-6\" # the careful one\n---\n## Judge criteria\n- value.txt says right\n";
    let sandbox = gulf_testkit::Sandbox::with(&gulf_testkit::Sample::shell().file("RUBRIC.md", rubric));
    let session = Session::on(Host::Plain, sandbox);
    let said = session.sandbox.path("arguments");
    let result = r#"{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed","result":"APPROVED\nMETA: fine","session_id":"1","total_cost_usd":0.01,"usage":{"input_tokens":1,"output_tokens":1},"permission_denials":[]}"#;
    let program = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '2.1.330 (Claude Code)'; exit; fi\n\
         printf '%s\\n' \"$@\" > {}\ncat > /dev/null\nprintf '%s\\n' '{result}'\n",
        gulf_testkit::quote(said.as_str())
    );
    let folder = session.sandbox.path("programs");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("claude"), program).unwrap();
    session.sandbox.program("chmod", ["+x", folder.join("claude").as_str()]).run().expect_exit(0);
    let path = session.sandbox.program("sh", ["-c", "echo $PATH"]).run().stdout;
    let session = session.variable("PATH", &format!("{folder}:{}", path.trim()));
    session.marker(JUDGED, PROMPT);
    session.mend();
    session.work_and_stop("").lets_stop();
    let arguments = std::fs::read_to_string(&said).unwrap();
    assert!(arguments.contains("--model\nclaude-opus-4-6\n"), "{arguments}");
    session.expect_completed();
}
