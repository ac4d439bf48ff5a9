//! The report of every way in which a loop can stand, as a person finds it (SPEC B11).

use crate::golden;
use crate::scene::{self, Scene, contract, done, facts, findings, snapshot, spent, turn};
use gulf_engine::*;
use gulf_views::{
    ChangedFile, CriterionLine, CriterionVerdict, FileKind, LineChange, Report, ReportPage, ReportTexts,
    Risk, report, report_json,
};
use unicode_width::UnicodeWidthStr;

pub(crate) fn file(path: &str, added: u32, removed: u32, kind: FileKind) -> ChangedFile {
    ChangedFile { path: path.into(), lines: LineChange::Counted { added, removed }, kind }
}

fn criterion(number: u32, word: CriterionVerdict, reason: Option<&str>) -> CriterionLine {
    let text = ["한국어 오류 메시지가 분명하다", "the API stays as it is"][number as usize - 1];
    let evidence = match word {
        CriterionVerdict::Met => vec![format!("src/login.rs: return Err(\"criterion {number}\")")],
        CriterionVerdict::Unmet | CriterionVerdict::Unsure | CriterionVerdict::NotJudged => Vec::new(),
    };
    CriterionLine { number, text: text.into(), word, evidence, reason: reason.map(str::to_owned) }
}

pub(crate) fn texts() -> ReportTexts {
    ReportTexts {
        criteria: vec![
            criterion(1, CriterionVerdict::Met, None),
            criterion(2, CriterionVerdict::Met, Some("no public item was removed or changed its type")),
        ],
        decisions: vec![
            "chose a constant-time comparison; rejected ==; reason: timing; revisit_if: a library does it"
                .into(),
        ],
        doubts: vec!["whether 3 tries before the lock are enough".into()],
        changed_files: vec![
            file("tests/login.rs", 31, 0, FileKind::Test),
            file("src/login.rs", 64, 4, FileKind::Code),
            file("src/session/store.rs", 22, 9, FileKind::Code),
            file("README.md", 90, 1, FileKind::Other),
            ChangedFile { path: "assets/logo.png".into(), lines: LineChange::Binary, kind: FileKind::Other },
        ],
        reproduce: vec![
            "git switch --detach cbbbbbbbbbbb && gulf verify --base ba5eba5eba5e".into(),
            "cargo test --workspace".into(),
        ],
        risk: Some(Risk { tries: 2, per_try_bp: 500, false_approval_bp: 976 }),
        ..ReportTexts::default()
    }
}

pub(crate) fn report_of(scene: &Scene, texts: ReportTexts) -> Report {
    Report::new(scene.summary(), &facts(), &scene.history, &scene.state, texts)
}

pub(crate) fn verified() -> Scene {
    let test = CheckName::new("test");
    Scene::judged().finished(End::Verified { proofs: vec![Proof::BaseRed { check: test }, Proof::Criterion] })
}

/// Overruled by a person, with changed tests and a file that nobody looked at.
pub(crate) fn attested() -> Scene {
    let snapshot = Snapshot { left_out: vec!["app.sock: a socket".into()], ..snapshot("bbbbbbbbbbbb") };
    let compared = |scene: Scene| scene.done(EffectKind::Integrity, EffectResult::Integrity(findings()));
    let judged = Scene::sealed_as(scene::judged_contract())
        .done(EffectKind::Turn, EffectResult::Turn(turn(Some(done()))))
        .done(EffectKind::Snapshot, EffectResult::Snapshot(snapshot))
        .check("test", scene::green(Some(12)))
        .check("lint", scene::green(None));
    let judged = compared(judged)
        .done(EffectKind::Judge, EffectResult::Judge(scene::rejected("f3f3")))
        .then(Fact::Settled { settlement: Settlement::Refused { gate: Gate::Judge } })
        .then(Fact::Steered { note: "keep the old route as well".into() })
        .then(Fact::Paused { reason: PauseReason::HumanGate })
        .then(Fact::Approved { reason: "criterion 2 is about another page".into(), by: None });
    judged.finished(End::Attested {
        causes: vec![
            Cause::Findings { count: 2 },
            Cause::Waived,
            Cause::NothingCouldFail { reason: Some("only words changed".into()) },
        ],
    })
}

pub(crate) fn attested_texts() -> ReportTexts {
    let criteria = vec![
        criterion(1, CriterionVerdict::Met, None),
        criterion(2, CriterionVerdict::Unmet, Some("`fn login` takes a *second* argument now")),
    ];
    ReportTexts { criteria, ..texts() }
}

fn at_the_gate() -> Report {
    let scene = Scene::resting(PauseReason::HumanGate);
    let mut summary = scene.summary();
    for iteration in 1..=3 {
        let reason = format!("criterion 2: the form has no label (attempt {iteration})");
        summary.explain(iteration, vec![reason]);
    }
    summary.explain(9, vec!["of no iteration".into()]);
    let criteria = vec![
        criterion(1, CriterionVerdict::Unsure, Some("the message is not shown")),
        criterion(2, CriterionVerdict::Unmet, Some("the form has no label")),
    ];
    let texts = ReportTexts { criteria, decisions: Vec::new(), doubts: Vec::new(), risk: None, ..texts() };
    Report::new(summary, &facts(), &scene.history, &scene.state, texts)
}

fn out_of_money() -> Report {
    let mut contract = contract();
    contract.policy.limits.microdollars_max = Some(1_500_000);
    contract.policy.limits.reserve = Reserve::DearestIteration;
    let denials = vec![Denial { what: "git push".into(), times: 2 }];
    let claims = EffectResult::Turn(Turn { denials, ..turn(Some(done())) });
    let scene = Scene::sealed_as(contract)
        .paid(EffectKind::Turn, claims, spent(81, 120, Basis::Told))
        .done(EffectKind::Snapshot, EffectResult::Snapshot(snapshot("aaaaaaaaaaaa")))
        .check("test", scene::red("tests::adds"))
        .check("lint", scene::unrunnable())
        .then(Fact::Settled { settlement: Settlement::Refused { gate: Gate::Checks } })
        .finished(End::Exhausted { limit: Exhaustion::Money });
    report_of(&scene, ReportTexts { criteria: Vec::new(), risk: None, ..texts() })
}

fn asking() -> Report {
    let answered = Fact::Answered { question: 1, answer: "drop it\nand say so".into(), by: None };
    let again = Claim::Cannot(Question {
        text: "The API has no endpoint for this.".into(),
        evidence: Some("GET /users answers 404".into()),
        options: Vec::new(),
        concern: None,
    });
    let scene = Scene::resting(PauseReason::Question)
        .then(answered)
        .paid(EffectKind::Turn, EffectResult::Turn(turn(Some(again))), spent(7, 3, Basis::Assumed))
        .done(EffectKind::Snapshot, EffectResult::Snapshot(snapshot("bbbbbbbbbbbb")))
        .then(Fact::Settled { settlement: Settlement::Questioned })
        .then(Fact::Paused { reason: PauseReason::Question });
    let texts = ReportTexts { changed_files: texts().changed_files, ..ReportTexts::default() };
    report_of(&scene, texts)
}

pub(crate) fn reports() -> Vec<(&'static str, Report)> {
    vec![
        ("verified", report_of(&verified(), texts())),
        ("attested", report_of(&attested(), attested_texts())),
        ("human_gate", at_the_gate()),
        ("out_of_money", out_of_money()),
        ("questions", asking()),
        ("nothing_yet", report_of(&Scene::sealed(), ReportTexts::default())),
    ]
}

#[test]
fn every_standing_has_a_report_that_a_person_can_read() {
    for (name, report_of_it) in reports() {
        golden!(format!("report_{name}"), report(&report_of_it));
    }
}

// proves: B11
#[test]
fn the_decisive_fact_stands_in_the_first_ten_lines() {
    for (name, report_of_it) in reports() {
        let text = report(&report_of_it);
        let first: Vec<&str> = text.lines().take(10).collect();
        let first = first.join(" ");
        let standing = &report_of_it.summary.standing;
        assert!(first.starts_with(&format!("# {}: ", standing.word())), "{name}: {first}");
        let meaning = standing.meaning();
        assert!(first.to_lowercase().contains(&meaning.to_lowercase()), "{name}: {first}");
        assert!(first.contains("**Not proven:**"), "{name}: {first}");
    }
}

#[test]
fn a_report_reads_at_80_columns_and_has_no_colours() {
    for (name, report_of_it) in reports() {
        let text = report(&report_of_it);
        assert!(!text.contains('\u{1b}') && !text.contains('\u{1}'), "{name}");
        let mut is_command = false;
        for line in text.lines() {
            is_command = is_command != line.starts_with("```");
            let has_room = line.width() <= 80 || line.trim_start_matches(['-', ' ']).starts_with('`');
            assert!(has_room || is_command, "{name}: {line:?}");
        }
    }
}

#[test]
fn what_a_worker_or_a_judge_wrote_becomes_no_markup() {
    let hostile = "\u{1b}[31m</details>\n# verified: really\n![x](http://e/?q=1) `code`";
    let texts = ReportTexts {
        criteria: vec![CriterionLine {
            number: 1,
            text: hostile.into(),
            word: CriterionVerdict::Unmet,
            evidence: vec![hostile.into()],
            reason: Some(hostile.into()),
        }],
        decisions: vec![hostile.into()],
        doubts: vec![hostile.into()],
        changed_files: vec![file("a`b\n# c.rs", 1, 1, FileKind::Code)],
        ..ReportTexts::default()
    };
    let claim = Claim::Conflict(Question {
        text: hostile.into(),
        evidence: Some(hostile.into()),
        options: vec![hostile.into()],
        concern: None,
    });
    let scene = Scene::sealed()
        .done(EffectKind::Turn, EffectResult::Turn(turn(Some(claim))))
        .done(EffectKind::Snapshot, EffectResult::Snapshot(snapshot("aaaaaaaaaaaa")))
        .check("test", scene::red(hostile))
        .then(Fact::Steered { note: hostile.into() });
    let text = report(&report_of(&scene, texts));
    assert_eq!(text.lines().filter(|line| line.starts_with("# ")).count(), 1, "{text}");
    let is_bare = |what: &str| text.replace(&format!("\\{what}"), "").contains(what);
    assert!(!is_bare("</details>") && !is_bare("[x") && !text.contains('\u{1b}'), "{text}");
    assert!(text.contains("``a`b # c.rs``"), "{text}");
}

#[test]
fn the_largest_change_of_code_is_named() {
    let first = |files: Vec<ChangedFile>| {
        let texts = ReportTexts { changed_files: files, ..ReportTexts::default() };
        report_of(&Scene::honest(), texts).look_first.into_iter().find_map(|one| one.path)
    };
    let code = |path, lines| file(path, lines, 0, FileKind::Code);
    let test = |path| file(path, 500, 0, FileKind::Test);
    assert_eq!(first(vec![code("src/a.rs", 5), code("src/b.rs", 9)]).as_deref(), Some("src/b.rs"));
    let tested = vec![code("src/parser.rs", 90), test("tests/test_parser.rs")];
    assert_eq!(first(tested).as_deref(), Some("src/parser.rs"));
    assert_eq!(first(vec![file("README.md", 500, 0, FileKind::Other), test("tests/a.rs")]), None);
}

#[test]
fn changed_lines_that_no_check_ran_are_named_and_what_was_measured_is_not_guessed() {
    let measured = |lines: &[(&str, &[(u32, u32)])]| ReportTexts {
        changed_files: vec![file("src/b.rs", 90, 0, FileKind::Code), file("src/a.rs", 5, 0, FileKind::Code)],
        untested: lines.iter().map(|(path, lines)| ((*path).to_owned(), lines.to_vec())).collect(),
        ..ReportTexts::default()
    };
    let first = |texts: ReportTexts| {
        let first = report_of(&Scene::honest(), texts).look_first;
        first.into_iter().filter_map(|one| Some((one.path?, one.why))).collect::<Vec<_>>()
    };
    let run = "5 changed lines that no check ran: 2–5, 9".to_owned();
    let texts = measured(&[("src/b.rs", &[]), ("src/a.rs", &[(2, 5), (9, 9)])]);
    assert_eq!(first(texts.clone()), [("src/a.rs".to_owned(), run.clone())]);
    let page = ReportPage::new(&report_of(&Scene::honest(), texts));
    let risk: Vec<_> = page.files.iter().map(|file| (file.path.as_str(), file.why.clone())).collect();
    assert_eq!(risk, [("src/a.rs", vec![run]), ("src/b.rs", Vec::new())]);
    assert_eq!(first(measured(&[("src/b.rs", &[]), ("src/a.rs", &[])])), []);
    let many: Vec<(u32, u32)> = (1..8).map(|number| (number * 2, number * 2)).collect();
    let said = &first(measured(&[("src/a.rs", &many)]))[0].1;
    assert_eq!(said, "7 changed lines that no check ran: 2, 4, 6, 8, 10 …");
}

#[test]
fn many_files_are_counted_and_a_long_goal_is_cut() {
    let changed_files = (0..25).map(|index| file(&format!("src/{index}.rs"), index, 1, FileKind::Code));
    let texts = ReportTexts { changed_files: changed_files.collect(), ..ReportTexts::default() };
    let text = report(&report_of(&Scene::honest(), texts));
    assert!(text.contains("\n- `src/24.rs`: +24 −1\n"), "{text}");
    assert!(text.contains("\n- 5 smaller changes: +10 −5\n"), "{text}");
    let facts = gulf_views::Facts { goal: "step\n".repeat(60), title: "step".to_owned(), ..facts() };
    let scene = Scene::honest();
    let long = Report::new(scene.summary(), &facts, &scene.history, &scene.state, ReportTexts::default());
    assert!(report(&long).contains("\n> step\n> … 20 more lines\n"));
}

// proves: R6, B11
#[test]
fn every_task_of_a_list_is_told_with_what_became_of_it() {
    let aside = SetAside {
        commit: Some(CommitId::new("5e7a51de00000000")),
        paths: vec!["src/[a].rs".into()],
        left: vec!["mine.txt: yours".into()],
    };
    let limit = End::Exhausted { limit: Exhaustion::Iterations };
    let scene = Scene::sealed_as(scene::listed(3))
        .turn(Some(done()), "aaaaaaaaaaaa")
        .done(EffectKind::Close, EffectResult::Closed { closing: scene::committed() })
        .then(Fact::UnitFinished { end: End::Verified { proofs: vec![Proof::Criterion] } })
        .turn(Some(done()), "bbbbbbbbbbbb")
        .then(Fact::Settled { settlement: Settlement::Refused { gate: Gate::Checks } })
        .then(Fact::UnitSkipped { why: limit, set_aside: Some(aside) });
    let told = report_of(&scene, ReportTexts::default());
    let text = report(&told);
    let (_, section) = text.split_once("## What became of each task\n\n").unwrap();
    insta::assert_snapshot!(section.split("\n## ").next().unwrap(), @r"
    - complete T1: the page 1 · c0ffee0
    - skipped T2: the page 2 · used its 1 iteration
      - set aside: 1 file (src/\[a\].rs); \`git cherry-pick -n 5e7a51d\` brings it
        back
      - not set aside: mine.txt: yours
    - active T3: the page 3
    ");
    assert_eq!(report_json(&told)["tasks"].as_array().map(Vec::len), Some(3));
}

#[test]
fn programs_get_the_same_report() {
    golden!("report_json", format!("{:#}", report_json(&report_of(&attested(), attested_texts()))));
    for (name, report_of_it) in reports() {
        let document = report_json(&report_of_it);
        assert_eq!(document["version"], 1, "{name}");
        assert_eq!(document["standing"], report_of_it.summary.standing.word(), "{name}");
        assert_eq!(document["questions"].as_array().map(Vec::len), Some(report_of_it.questions.len()));
    }
}

#[test]
fn a_receipt_names_what_a_person_overruled_and_what_it_cost() {
    let scene = attested();
    let journal = gulf_views::JournalHead { sequence: scene.history.sequence, digest: Digest::new("4e") };
    let receipt = |scene: &Scene| {
        gulf_views::Receipt::new(&facts(), "0.1.0", journal.clone(), &scene.history, &scene.state).unwrap()
    };
    let waived = receipt(&scene).waivers;
    assert_eq!(
        (waived[0].gate, waived[0].reason.as_str()),
        (Gate::Judge, "criterion 2 is about another page")
    );
    assert_eq!(receipt(&verified()).waivers, []);
    assert_eq!(receipt(&verified()).cost.map(|cost| cost.microdollars), Some(1_240_000));
    let mut earlier = serde_json::to_value(receipt(&scene)).unwrap();
    earlier.as_object_mut().unwrap().remove("cost");
    serde_json::from_value::<gulf_views::Receipt>(earlier).expect("a receipt of an earlier gulf is read");
}

#[test]
fn a_yes_of_a_persons_holds_for_its_tree_and_its_terms_only() {
    let waived = |scene: &Scene| scene.history.last_evaluated().is_some_and(|one| one.waived.is_some());
    let approved =
        Scene::resting(PauseReason::HumanGate).then(Fact::Approved { reason: "fine".into(), by: None });
    assert!(waived(&approved));
    let settled = Fact::Settled { settlement: Settlement::Approved };
    let next = approved.clone().then(settled);
    assert!(waived(&next.clone().turn(Some(done()), "dddddddddddd")), "the same tree");
    assert!(!waived(&next.turn(Some(done()), "eeeeeeeeeeee")), "another tree");
    let amended = Fact::Amended { contract: Box::new(scene::judged_contract()) };
    assert!(!waived(&approved.then(amended)), "other terms");
}

#[test]
fn a_check_without_a_report_of_its_tests_is_quoted_where_it_is_named() {
    let scene = Scene::sealed().turn(Some(scene::done()), "aaaaaaaaaaaa").check("test", scene::red(""));
    let tree = snapshot("aaaaaaaaaaaa").candidate.tree;
    let printed = "expected 3 but got 4".to_owned();
    let check_words = [((tree, gulf_engine::CheckName::new("test")), printed)].into_iter().collect();
    let told = report(&report_of(&scene, ReportTexts { check_words, ..ReportTexts::default() }));
    assert_eq!(told.matches("check test failed: expected 3 but got 4").count(), 3, "{told}");
    let told = report(&report_of(&scene, ReportTexts::default()));
    assert!(told.contains("check test failed with exit code 101"), "{told}");
    assert!(!told.contains("failed: \n") && !told.contains("failed:\n"), "{told}");
}
