//! One iteration as a person looks back at it: while it runs, refused, judged, and at the start.

use crate::golden;
use crate::scene::{self, Scene, contract, done, facts};
use gulf_engine::*;
use gulf_views::{
    CandidateChange, ChangedFile, FileKind, IterationReport, IterationTexts, LineChange, Look, Palette,
    iteration, iteration_json, tame,
};

fn changed(since: u32, files: usize) -> Option<CandidateChange> {
    let file = |number: usize| ChangedFile {
        path: format!("src/파일 {number}.rs"),
        lines: if number == 2 { LineChange::Binary } else { LineChange::Counted { added: 3, removed: 1 } },
        kind: FileKind::Code,
    };
    Some(CandidateChange { since, files: (1..=files).map(file).collect() })
}

fn report(scene: &Scene, number: u32, texts: IterationTexts) -> IterationReport {
    let index = usize::try_from(number).map_or(0, |number| number - 1);
    let of = &scene.history.iterations[index];
    IterationReport::finished(&facts(), &scene.history, &scene.state, of, texts)
}

/// Refused by the judge, with everything that can be known of it.
fn refused() -> IterationReport {
    let texts = IterationTexts {
        prompt: Some("/home/person/.local/state/gulf/loops/x/iterations/001/prompt.md".into()),
        message: "I rewrote the form.\n\u{1b}[31mAll is done.".into(),
        reasons: vec!["criterion 2: the form has no label".into()],
        changed_since_start: changed(0, 25),
        ..IterationTexts::default()
    };
    report(&Scene::judged(), 1, texts)
}

/// After a no of the checks, a note and an answer.
fn told() -> IterationReport {
    let question = Claim::NeedDecision(scene::question());
    let scene = Scene::sealed()
        .turn(Some(question), "aaaaaaaaaaaa")
        .then(Fact::Settled { settlement: Settlement::Questioned })
        .then(Fact::Paused { reason: PauseReason::Question })
        .then(Fact::Answered { question: 1, answer: "keep it".into(), by: None })
        .then(Fact::Steered { note: "and name it in the docs".into() })
        .turn(Some(done()), "bbbbbbbbbbbb")
        .check("test", scene::red("tests::adds"));
    let texts = IterationTexts {
        outputs: vec![(CheckName::new("test"), "assertion failed\nleft: 1".into())],
        changed_since_last: changed(1, 2),
        changed_since_start: changed(0, 0),
        ..IterationTexts::default()
    };
    report(&scene, 2, texts)
}

fn under_way() -> IterationReport {
    let (scene, _) =
        Scene::honest().then(Fact::Settled { settlement: Settlement::Asked }).begun(EffectKind::Turn);
    report(&scene, 3, IterationTexts::default())
}

fn start() -> IterationReport {
    let Base { commit, tree } = contract().base;
    let scene = Scene::honest();
    IterationReport::of_start(&facts(), &scene.history, &scene.state, &Candidate { commit, tree })
}

fn reports() -> [(&'static str, IterationReport); 4] {
    [("refused", refused()), ("told", told()), ("under_way", under_way()), ("start", start())]
}

#[test]
fn an_iteration_reads_in_the_order_in_which_it_happened() {
    for (name, report) in reports() {
        golden!(format!("iteration_{name}"), iteration(&report, Look::piped()));
        golden!(format!("iteration_{name}_narrow"), iteration(&report, Look::terminal(Palette::Plain, 40)));
    }
}

#[test]
fn a_program_finds_every_field_whatever_happened() {
    let fields = |report: &IterationReport| {
        let document = iteration_json(report);
        let keys = document.as_object().into_iter().flat_map(|object| object.keys().cloned());
        keys.collect::<Vec<_>>()
    };
    for (name, report) in reports() {
        assert_eq!(fields(&report), fields(&refused()), "{name}");
    }
    golden!("iteration_json", format!("{:#}", iteration_json(&told())));
}

#[test]
fn what_a_worker_wrote_does_not_move_the_cursor() {
    for (name, report) in reports() {
        assert!(!iteration(&report, Look::piped()).contains('\u{1b}'), "{name}");
    }
    let hostile = b"+\x1b[31m\tred\r\n\xff\xe2\x80\xae\x00\xc2\x9b";
    assert_eq!(String::from_utf8(tame(hostile)).unwrap(), "+^[[31m\tred^M\n<FF><U+202E>^@<9B>");
    assert_eq!(tame("한국어 — ok\n".as_bytes()), "한국어 — ok\n".as_bytes());
}

// proves: G24/cold-start-bloat
#[test]
fn what_an_iteration_read_before_its_first_edit_is_told_or_said_to_be_unknown() {
    let told = |orientation| {
        let over = EffectResult::Turn(Turn { orientation, ..scene::turn(None) });
        iteration(
            &report(&Scene::sealed().done(EffectKind::Turn, over), 1, IterationTexts::default()),
            Look::piped(),
        )
    };
    let read = told(Some(Orientation { used_bp: 1_250, until: OrientationEnd::Edit }));
    assert!(read.contains("12 % of a fresh context read before the first edit"), "{read}");
    let unknown = told(None);
    assert!(unknown.contains("what it read before its first edit is not measurable"), "{unknown}");
}
