//! `/gulf-loop:start-autonomous` (CONTRACT §1.3): a branch of its own, in the checkout that the session works in.
//!
//! Apart from other starts because here the checkout's HEAD moves, and nothing else of the person's may.

use super::harness::{HOSTS, Host, PROMPT, Session};

fn head(session: &Session) -> String {
    session.sandbox.git(["branch", "--show-current"])
}

#[test]
fn a_branch_is_made_and_checked_out_and_the_answer_names_both() {
    for host in HOSTS {
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
