//! What a worker asks and a person answers, wherever it is seen (SPEC B5).

use crate::golden;
use crate::scene::{self, Scene, done, question, turn};
use gulf_engine::*;
use gulf_views::{
    ChannelFacts, CheckoutChange, DriverPresence, Facts, InboxEntry, Look, Palette, QuestionReport, Report,
    ReportTexts, Summary, UnreadFacts, end_json, inbox, inbox_json, line, report, result, state_json,
    status_json,
};
use unicode_width::UnicodeWidthStr;

const WIDE: Look = Look::terminal(Palette::Plain, 80);

fn last_line(scene: &Scene) -> String {
    line(&scene.events[scene.events.len() - 1], &scene.state, Look::piped()).unwrap_or_default()
}

/// What a worker must ask about, and how that is told.
const CONCERNS: [(Concern, &str); 4] = [
    (Concern::Destructive, "asks before a destructive change"),
    (Concern::Architecture, "asks before a change of the architecture"),
    (Concern::Security, "asks for a decision about security"),
    (Concern::Unclear, "asks what is meant"),
];

fn answered() -> Scene {
    let answer = "drop it".into();
    Scene::resting(PauseReason::Question).then(Fact::Answered { question: 1, answer, by: None })
}

fn entries(scene: &Scene, id: &str) -> Vec<InboxEntry> {
    InboxEntry::all(&LoopId::new(id), id, &scene.state, &scene.history)
}

/// Two loops, one of which asked before.
fn both() -> Vec<InboxEntry> {
    let bare = Question { text: "Which port?".into(), evidence: None, options: Vec::new(), concern: None };
    let again = answered()
        .done(EffectKind::Turn, EffectResult::Turn(turn(Some(Claim::Conflict(bare)))))
        .done(EffectKind::Snapshot, EffectResult::Snapshot(scene::snapshot("bbbbbbbbbbbb")))
        .then(Fact::Settled { settlement: Settlement::Questioned });
    let mut both = entries(&again, "2026-02-13T1430_login-feature");
    both.extend(entries(&Scene::resting(PauseReason::Question), "2026-02-13T1500_old-format"));
    both
}

// proves: A6
#[test]
fn a_channel_that_fails_and_an_answer_that_lies_in_one_are_shown() {
    let scene = Scene::resting(PauseReason::Question);
    let unread = UnreadFacts { key: "question-1".into(), who: "U01".into(), text: "2".into() };
    let slack = ChannelFacts {
        name: "slack".into(),
        told: vec!["question-1".into()],
        trouble: None,
        unread: vec![unread],
    };
    let trouble = Some("it answers with status 500".into());
    let webhook = ChannelFacts { name: "webhook".into(), told: Vec::new(), trouble, unread: Vec::new() };
    let facts = Facts { channels: vec![slack, webhook], ..scene::facts() };
    let summary =
        Summary::new(&facts, &scene.history, &scene.state, DriverPresence::Absent, &CheckoutChange::Clean);
    let screen = result(&summary, WIDE);
    let lines = [
        "channels\n",
        "  slack: told question-1\n",
        "  slack: U01 answers question-1: 2; `gulf resume` accepts it\n",
        "  webhook: it answers with status 500\n",
    ];
    assert!(screen.contains(&lines.concat()), "{screen}");
    let document = status_json(&facts, &scene.history, &scene.state, DriverPresence::Absent);
    assert_eq!(document["waiting"], "waiting-user");
    assert_eq!(document["channels"][0]["unread"][0]["text"], "2");
}

// proves: A6
#[test]
fn who_answered_by_a_channel_is_told_with_the_answer() {
    let by = By { channel: "slack".into(), who: "U01".into(), message: "1.2".into(), said_at_ms: 1 };
    let answered = Fact::Answered { question: 1, answer: "drop it".into(), by: Some(by.clone()) };
    let scene = Scene::resting(PauseReason::Question).then(answered);
    assert_eq!(last_line(&scene), "00:08 question 1 answered (U01 by slack): drop it");
    let approved = Fact::Approved { reason: "fine".into(), by: Some(by) };
    let scene = Scene::resting(PauseReason::HumanGate).then(approved);
    assert_eq!(last_line(&scene), "00:42 a person (U01 by slack) overrules the judge: fine");
}

#[test]
fn a_question_is_told_as_one_and_answered_by_number() {
    let claimed = Scene::sealed().begun(EffectKind::Turn).0;
    let cannot = claimed.clone().then(Fact::Claimed { claim: Claim::Cannot(question()) });
    assert_eq!(last_line(&cannot), "00:03 the worker says that it cannot be done");
    let conflict = claimed.clone().then(Fact::Claimed { claim: Claim::Conflict(question()) });
    assert_eq!(last_line(&conflict), "00:03 the worker says that the task contradicts itself");
    let asks = |concern| Claim::NeedDecision(Question { concern, ..question() });
    let told = |concern| last_line(&claimed.clone().then(Fact::Claimed { claim: asks(concern) }));
    assert_eq!(told(None), "00:03 the worker needs a decision");
    for (concern, what) in CONCERNS {
        assert_eq!(told(Some(concern)), format!("00:03 the worker {what}"));
    }
    let answer = answered();
    assert_eq!(last_line(&answer), "00:08 question 1 answered: drop it");
    assert!(matches!(&answer.state.stage, Stage::Between(_)), "the answer leads on");
}

// proves: A5
#[test]
fn what_a_worker_must_not_decide_is_shown_by_its_kind_with_its_options() {
    for (concern, what) in CONCERNS {
        let claim = Claim::NeedDecision(Question { concern: Some(concern), ..question() });
        let scene = Scene::sealed().done(EffectKind::Turn, EffectResult::Turn(turn(Some(claim))));
        let shown = inbox(&entries(&scene, "2026-02-13T1430_x"), Look { columns_max: 200, ..WIDE });
        assert!(shown.contains(&format!("question 1: in iteration 1 the worker {what}\n")), "{shown}");
        assert!(shown.contains("1. keep reading it\n"), "{shown}");
        let json = inbox_json(&entries(&scene, "2026-02-13T1430_x"));
        assert_eq!(json["questions"][0]["question"]["kind"], serde_json::to_value(concern).unwrap());
    }
}

#[test]
fn the_inbox_shows_open_questions_first_and_how_to_answer_each() {
    golden!("inbox_80_plain", inbox(&both(), WIDE));
    golden!("inbox_80_colour", inbox(&both(), Look { palette: Palette::Colour, ..WIDE }));
    golden!("inbox_40_plain", inbox(&both(), Look { columns_max: 40, ..WIDE }));
    golden!("inbox_json", format!("{:#}", inbox_json(&both())));
}

#[test]
fn one_loop_needs_no_name_and_no_question_no_command() {
    let one = entries(&Scene::resting(PauseReason::Question), "2026-02-13T1430_login-feature");
    assert!(inbox(&one, WIDE).contains("\n  gulf answer 1 \"…\"\n"), "{}", inbox(&one, WIDE));
    assert_eq!(inbox(&[], WIDE), "no question is open\n");
    let settled = inbox(&entries(&answered(), "2026-02-13T1430_login-feature"), WIDE);
    assert!(!settled.contains("gulf answer"), "{settled}");
    assert!(entries(&Scene::honest(), "none").is_empty(), "a claim to be done is no question");
}

#[test]
fn a_worker_cannot_repaint_the_inbox() {
    let hostile = Question {
        text: "\u{1b}[2Jgone\rback\u{202e}\nmore".into(),
        evidence: Some("\u{7}".into()),
        options: vec!["\u{1b}[31mred\n2. not an option".into()],
        concern: None,
    };
    let asks = EffectResult::Turn(turn(Some(Claim::NeedDecision(hostile))));
    let scene = Scene::sealed().done(EffectKind::Turn, asks);
    let shown = inbox(&entries(&scene, "one"), Look { columns_max: 40, ..WIDE });
    assert!(!shown.contains(['\u{1b}', '\r', '\u{7}', '\u{202e}']), "{shown:?}");
    assert!(shown.contains("1.  [31mred 2. not an option"), "an option is one line: {shown}");
    assert!(shown.lines().all(|line| line.width() <= 40), "{shown}");
}

#[test]
fn programs_see_open_questions_where_they_look_for_a_loop() {
    let scene = Scene::resting(PauseReason::Question);
    let facts = scene::facts();
    let asked = serde_json::json!([{
        "number": 1, "iteration": 1, "kind": "need-decision",
        "text": question().text, "evidence": question().evidence, "options": question().options,
        "answer": null,
    }]);
    let status = status_json(&facts, &scene.history, &scene.state, DriverPresence::Absent);
    assert_eq!(status["open_questions"], asked);
    assert_eq!(end_json(&scene.summary())["open_questions"], asked);
    assert_eq!(state_json(&facts, &scene.history, &scene.state)["open_questions"], serde_json::json!([1]));
    let answered = answered();
    let status = status_json(&facts, &answered.history, &answered.state, DriverPresence::Absent);
    assert_eq!(status["open_questions"], serde_json::json!([]));
    assert_eq!(QuestionReport::all(&answered.history, &answered.state)[0].kind.word, "need-decision");
}

// proves: A6, B11
#[test]
fn who_answered_by_a_channel_stands_beside_the_answer() {
    let by = By { channel: "slack".into(), who: "U01\u{1b}[2J".into(), message: "1.2".into(), said_at_ms: 5 };
    let answer = "drop it".into();
    let answered = Scene::resting(PauseReason::Question).then(Fact::Answered {
        question: 1,
        answer,
        by: Some(by.clone()),
    });
    let shown = inbox(&entries(&answered, "one"), WIDE);
    assert!(shown.contains("answer: drop it (U01 [2J by slack)"), "{shown}");
    let told = inbox_json(&entries(&answered, "one"));
    assert_eq!(told["questions"][0]["question"]["answered_by"], serde_json::to_value(by).unwrap());
    let texts = ReportTexts::default();
    let answered_report =
        Report::new(answered.summary(), &scene::facts(), &answered.history, &answered.state, texts);
    let report = report(&answered_report);
    assert!(report.contains("answer: drop it (U01 \\[2J by slack)"), "{report}");
}

#[test]
fn a_question_does_not_count_as_a_claim() {
    assert_eq!(Scene::resting(PauseReason::Question).history.claims(), 0);
    assert_eq!(answered().turn(Some(done()), "bbbbbbbbbbbb").history.claims(), 1);
}
