//! What a person reads in Korean, and what programs read nevertheless: the words, JSON, the journal and prompts.

use std::fs;

use gulf_testkit::{FakeAgent, Sample, Sandbox, Step};

use crate::web::Site;
use crate::{GOAL, exit, mend, run_right};

const KOREAN: &str = "모든 게이트를 통과했고, 이 변경 덕분이라는 증명이 있어요";
const ENGLISH: &str = "every gate passed, with proof that the change made the difference";

fn has_korean(text: &str) -> bool {
    text.contains(|character: char| ('가'..='힣').contains(&character))
}

#[test]
fn the_last_screen_follows_the_locale_and_what_programs_read_does_not() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::append("other", "x"), Step::claim()]).turn(2, mend());
    let run =
        run_right(&sandbox, &agent, &[]).variable("LANG", "ko_KR.UTF-8").run().expect_exit(exit::VERIFIED);
    assert!(run.stdout.starts_with(&format!("\nverified: {KOREAN}\n")), "{run:#?}");
    let run = run.says("변경 없이는 실패하는 것을 본 것\n").says("이 변경만 커밋").says("gulf land");
    assert!(!run.stdout.contains("the difference") && run.stderr.contains("거절: 체크 "), "{run:#?}");
    let prompt = agent.tally().prompt(2);
    assert!(!has_korean(&prompt), "the worker is asked in another language: {prompt}");
    let status = |arguments: &[&str]| {
        sandbox.gulf(["status"]).arguments(arguments.iter().copied()).variable("LANG", "ko_KR.UTF-8")
    };
    status(&[]).run().expect_exit(0).says(KOREAN).says("목표: make value.txt say right");
    let json = status(&["--json"]).run().expect_exit(0);
    assert!(!has_korean(&json.stdout) && json.json_lines()[0]["standing"] == "verified", "{json:#?}");
    status(&[]).variable("LC_ALL", "C").run().expect_exit(0).says(ENGLISH);
    status(&[]).variable("LC_MESSAGES", "en_US.UTF-8").run().expect_exit(0).says(ENGLISH);
    status(&[]).variable("LC_ALL", "").run().expect_exit(0).says(KOREAN);
}

#[test]
fn a_setting_outranks_the_locale_and_the_project_the_person() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED).says(ENGLISH);
    let status = || sandbox.gulf(["status"]);
    fs::create_dir_all(sandbox.home().join(".config/gulf")).unwrap();
    fs::write(sandbox.home().join(".config/gulf/gulf.toml"), "[ui]\nlanguage = \"ko\"\n").unwrap();
    status().run().expect_exit(0).says(KOREAN);
    fs::write(sandbox.file("gulf.toml"), "[ui]\nlanguage = \"en\"\n").unwrap();
    status().variable("LANG", "ko_KR.UTF-8").run().expect_exit(0).says(ENGLISH);
    status().variable("GULF_UI_LANGUAGE", "ko").run().expect_exit(0).says(KOREAN);
    fs::write(sandbox.file("gulf.toml"), "[ui]\nlanguage = \"de\"\n").unwrap();
    sandbox
        .gulf(["config", "explain"])
        .run()
        .expect_exit(exit::REFUSED_START)
        .says("must be \"auto\" or \"en\" or \"ko\"");
}

#[test]
fn gulf_alone_and_the_inbox_speak_korean() {
    let settings =
        "[ui]\nlanguage = \"ko\"\n[agent]\ntool = \"command:cat\"\n[[check]]\ncommand = \"sh check.sh\"\n";
    let sandbox = Sandbox::with(&Sample::shell().file("gulf.toml", settings));
    let found = sandbox.gulf([]).run().expect_exit(0);
    let lines: Vec<&str> = found.stdout.lines().collect();
    // Every word of the first column takes as many columns as the widest, 프로젝트.
    assert!(lines[0].starts_with("프로젝트  /"), "{found:#?}");
    assert!(lines[1].starts_with("에이전트  cat"), "{found:#?}");
    assert!(lines[2].starts_with("체크      sh check.sh (gulf.toml:"), "{found:#?}");
    assert!(lines.iter().any(|line| line.starts_with("루프      아직 없음")), "{found:#?}");
    assert!(found.stdout.ends_with("gulf run \"what should be done\"  루프 시작\n"), "{found:#?}");
    let bare = Sandbox::with(&Sample::shell());
    let lacking = bare.gulf([]).variable("LANG", "ko_KR").run().expect_exit(exit::REFUSED_START);
    lacking.says("체크를 찾지 못했어요").does_not_say("no check");
    sandbox.gulf(["inbox"]).run().expect_exit(0).says("답을 기다리는 질문이 없어요");
}

/// Three English words in a row that nobody typed or wrote.
fn english(text: &str) -> Option<&str> {
    let is_word =
        |word: &&str| word.len() > 1 && word.chars().all(|character| character.is_ascii_lowercase());
    text.lines().filter(|line| !line.trim_start().starts_with("git ")).find(|line| {
        let plain: String = line.split(['`', '"']).step_by(2).collect();
        let plain = plain.split("<code>").map(|part| part.rsplit("</code>").next().unwrap_or_default());
        let plain = plain.collect::<String>();
        let plain = plain.replace(GOAL, "");
        let words: Vec<&str> = plain.split([' ', '<', '>']).filter(|word| !word.is_empty()).collect();
        words.windows(3).any(|three| three.iter().all(is_word))
    })
}

#[test]
fn a_run_the_list_and_the_log_speak_korean_and_the_journal_does_not() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::append("other", "x"), Step::claim()]).turn(2, mend());
    let korean = |command: gulf_testkit::Invocation| command.variable("LANG", "ko_KR.UTF-8");
    let run = korean(run_right(&sandbox, &agent, &[])).run().expect_exit(exit::VERIFIED);
    let lines: Vec<&str> = run.stderr.lines().collect();
    let says = |text: &str| assert!(lines.iter().any(|line| line.contains(text)), "{text}: {run:#?}");
    says("봉인: 목표 ");
    says("1/50회차 시작");
    says("완료했다고 선언");
    says("시작, 체크 실패를 알려 줌");
    says("기존 테스트와 실행 설정은 그대로예요");
    let list = korean(sandbox.gulf(["list"])).run().expect_exit(0);
    drop(list.says("목표").says("마지막 일").says("방금").says("verified"));
    let log = korean(sandbox.gulf(["log"])).run().expect_exit(0);
    assert_eq!(log.stdout.lines().count(), lines.len(), "{log:#?}");
    assert!(log.stdout.contains("1/50회차 시작") && english(&log.stdout).is_none(), "{log:#?}");
    let events = korean(sandbox.gulf(["log", "--json"])).run().expect_exit(0);
    assert!(!has_korean(&events.stdout), "{events:#?}");
}

#[test]
fn what_is_looked_at_afterwards_is_korean_and_what_others_read_is_not() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::append("other", "x"), Step::claim()]).turn(2, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let korean = |arguments: &[&str]| {
        let call = sandbox.gulf(arguments.iter().copied()).variable("LANG", "ko_KR.UTF-8");
        call.run().expect_exit(0).stdout
    };
    for arguments in [&["report"][..], &["show"], &["stats"], &["report", "--since", "today"]] {
        let told = korean(arguments);
        assert!(has_korean(&told) && english(&told).is_none(), "{arguments:?}: {:?}\n{told}", english(&told));
    }
    let page = korean(&["report", "--html", "-"]);
    let (head, body) = page.split_once("</style>").unwrap();
    assert!(head.contains("<html lang=\"ko\">") && body.contains("<h2>증명된 것</h2>"), "{page}");
    for arguments in [&["report", "--json"][..], &["report", "--markdown"], &["stats", "--json"]] {
        let told = korean(arguments);
        assert!(!has_korean(&told), "{arguments:?}: {told}");
    }
    let verify = sandbox.gulf(["verify", "--check", "sh check.sh"]).variable("LANG", "ko_KR.UTF-8");
    let verify = verify.run().expect_exit(0);
    assert!(verify.stdout.contains("passed: worktree에서 모든 체크가 통과했어요"), "{verify:#?}");
    assert_eq!(english(&verify.stdout), None, "{verify:#?}");
}

#[test]
fn the_demo_tells_its_story_in_korean() {
    let sandbox = Sandbox::without_git();
    let demo = sandbox.gulf(["demo"]).variable("LANG", "ko_KR.UTF-8").run().expect_exit(0);
    let demo = demo
        .says("이 데모의 작업 에이전트는 모델이 아니라 셸 스크립트예요.")
        .says("끝까지 듣지 않는 작업 에이전트 보기");
    drop(demo.does_not_say("never listens").does_not_say("lines before"));
}

#[test]
fn pages_are_korean_where_the_person_is() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    fs::create_dir_all(sandbox.home().join(".config/gulf")).unwrap();
    fs::write(sandbox.home().join(".config/gulf/gulf.toml"), "[ui]\nlanguage = \"ko\"\n").unwrap();
    let site = Site::start(&sandbox, &[]);
    let id = sandbox.only_loop().id().to_owned();
    for path in ["/".to_owned(), "/inbox".to_owned(), format!("/loops/{id}"), format!("/loops/{id}/journal")]
    {
        let page = site.page(&path);
        let (_, body) = page.split_once("</head>").unwrap();
        assert!(page.contains("<html lang=\"ko\">") && has_korean(body), "{path}: {page}");
        assert_eq!(english(body), None, "{path}: {page}");
    }
}
