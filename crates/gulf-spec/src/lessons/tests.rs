//! What is read of a message, and what of it is written where.

use super::{
    LogEntry, NamedLessons, read_lessons, with_entry, with_lessons, without_attempts, without_signals,
};

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn only_lines_of_their_own_outside_of_code_are_lessons() {
    let message = "Done.\n- LEARNT: expire_on_commit=False\n**LESSON:** keep the cookie HttpOnly\n\
                   ```\nLESSON: not this\n```\nthe LESSON: neither\nLESSON:\nLEARNT: expire_on_commit=False\nTASK_DONE\n";
    let lessons = texts(&["keep the cookie HttpOnly"]);
    assert_eq!(read_lessons(message), NamedLessons { learnt: texts(&["expire_on_commit=False"]), lessons });
}

// proves: R4
#[test]
fn an_entry_of_the_log_has_the_date_and_the_task_and_stands_there_once() {
    let entry = LogEntry::Completed { pattern: texts(&["the session needs expire_on_commit=False"]) };
    let log = with_entry("", "2026-01-18 10:30", "T0.1", &entry).unwrap();
    assert_eq!(
        log,
        "# RALPH Progress Log\n\n## 2026-01-18 10:30 - T0.1 completed\n- the session needs expire_on_commit=False\n"
    );
    assert_eq!(with_entry(&log, "2026-01-18 10:30", "T0.1", &entry), None);
    let failed = LogEntry::Failed {
        attempts: 3,
        cause: "no key for Stripe".to_owned(),
        needed: "STRIPE_SECRET_KEY".to_owned(),
        left: (1..=9).map(|number| format!("{number}.py")).collect(),
        kept: None,
    };
    let log = with_entry(&log, "2026-01-18 12:00", "T1.2", &failed).unwrap();
    assert!(log.ends_with(
        "\n\n## 2026-01-18 12:00 - T1.2 failed (3 attempts)\n- Cause: no key for Stripe\n- Needed: STRIPE_SECRET_KEY\n\
         - Left uncommitted: 1.py, 2.py, 3.py, 4.py, 5.py, 6.py, 7.py, 8.py, +1\n"
    ));
}

// proves: R4
#[test]
fn a_log_that_is_kept_in_korean_stays_korean() {
    let log = "# RALPH Progress Log\n\n## 2026-01-18 10:30 - T0.1 완료\n- 세션 설정 필수";
    let failed = LogEntry::Failed {
        attempts: 3,
        cause: "키 미설정".to_owned(),
        needed: ".env에 추가".to_owned(),
        left: Vec::new(),
        kept: None,
    };
    let written = with_entry(log, "2026-01-18 12:00", "T1.2", &failed).unwrap();
    let added =
        "\n\n## 2026-01-18 12:00 - T1.2 실패 (3회 시도)\n- 원인: 키 미설정\n- 해결 필요: .env에 추가\n";
    assert_eq!(written, format!("{log}{added}"));
}

// proves: R4
#[test]
fn lessons_join_their_section_and_no_other_byte_changes() {
    let text = "# Project\r\n\r\n## lessons learned\r\n- old\r\n\r\n### deeper\r\nx\r\n\r\n## Next\r\n";
    let written = with_lessons(text, &texts(&["old", "new"])).unwrap();
    assert_eq!(written, text.replace("x\r\n", "x\r\n- new\r\n"));
    assert_eq!(with_lessons(&written, &texts(&["old", "new"])), None);
    assert_eq!(with_lessons("", &texts(&["a"])).unwrap(), "## Lessons Learned\n\n- a\n");
    assert_eq!(with_lessons("# P", &texts(&["a"])).unwrap(), "# P\n\n## Lessons Learned\n\n- a\n");
}

// proves: R4/error
#[test]
fn an_attempt_is_logged_with_its_error_and_the_next_worker_reads_what_was_learnt_instead() {
    for (before, added) in [
        (
            "# Log\n\n## T - T1 completed\n- the port is 8080\n",
            "\n## T - T2 attempt 3\n- Error: exit code 1\n",
        ),
        ("# 로그\n\n## T - T1 완료\n- 포트는 8080\n", "\n## T - T2 시도 3\n- 오류: exit code 1\n"),
    ] {
        let entry = LogEntry::Attempt { number: 3, error: "exit code 1\n".to_owned() };
        let log = with_entry(before, "T", "T2", &entry).unwrap();
        assert_eq!(log, format!("{before}{added}"));
        assert_eq!(without_attempts(&log).trim_end(), before.trim_end());
        let after = "\n## T - T3 completed\n- x\n";
        assert_eq!(
            without_attempts(&format!("{log}{after}")).replace("\n\n\n", "\n\n"),
            format!("{before}{after}")
        );
    }
}

#[test]
fn a_reason_is_a_message_without_the_lines_that_are_for_gulf() {
    let message =
        "The parser took it twice.\n\nLEARNT: look first\nNow once.\n<promise>DONE</promise>\nTASK_DONE\n";
    assert_eq!(without_signals(message, "TASK_DONE"), "The parser took it twice.\n\nNow once.");
    assert_eq!(without_signals("TASK_DONE", "TASK_DONE"), "");
}
