//! What a judge answers and what it is shown, through `gulf-agents`; apart because here a panic would not be the worst:
//! whatever the bytes, no verdict may come of them that they do not spell out.

use gulf_agents::judge::{
    Asked, Change, CheckExhibit, Content, Evidence, ExhibitRef, Exhibits, FALSE_APPROVAL_BP, Fate, Fence,
    FileExhibit, Finding, JudgeRecord, JudgedScope, Judgement, LineWord, NoVerdict, PART_BYTES_MIN, Protocol,
    Trial, Verdict, Word, judged, judged_by_line, parts as split, read_evidence, read_line,
};
use gulf_agents::sources::LineRange;

use crate::{Outcome, parts, read_if};

const NONCE: &str = "k3x9v0q7m2d8s5f1";
const CRITERIA: usize = 2;

/// A judge's answer, a check's output, then changed files: path, content, path, content …
pub fn verdict(bytes: &[u8]) -> Outcome {
    let texts: Vec<String> =
        parts(bytes).into_iter().map(|part| String::from_utf8_lossy(part).into_owned()).collect();
    let exhibits = exhibits(&texts);
    let answer = &texts[0];
    let shown = look_at_parts(&exhibits);
    let asked = Asked { criteria: CRITERIA, scope: JudgedScope::Whole };
    let by_evidence = read_evidence(answer, asked);
    let by_line = read_line(answer, JudgedScope::Whole);
    let read = by_evidence.is_ok() || by_line.is_ok();
    assert!(by_evidence.is_err() || by_line.is_err(), "no answer is one of both protocols");
    if let Ok(line) = &by_line {
        let first = answer.trim_start_matches('\u{feff}').trim_start();
        let spelt = match line.word {
            LineWord::Approved => first.starts_with("APPROVED"),
            LineWord::Rejected { .. } => first.starts_with("REJECTED"),
            LineWord::NotHere => false,
        };
        assert!(spelt, "a verdict stands at the head of the answer");
    }
    let _ = read_line(answer, JudgedScope::Part);
    let part = read_evidence(answer, Asked { scope: JudgedScope::Part, ..asked });
    let judgements = vec![
        judged("evidence", 1, &[by_evidence], &exhibits),
        judged("parts", 2, &[part.clone(), part], &exhibits),
        judged("half", 2, &[Err(NoVerdict::new("nothing came"))], &exhibits),
        judged_by_line("line", 1, &[by_line]),
    ];
    for judgement in judgements {
        look_at(&judgement, &exhibits);
        look_at_record(&exhibits, &shown, judgement);
    }
    read_if(read)
}

fn exhibits(texts: &[String]) -> Exhibits {
    let tail = texts.get(1).cloned().unwrap_or_default();
    let file = |pair: &[String]| {
        let content = Content::Text { text: pair[1].clone(), inside: vec![LineRange { first: 2, last: 3 }] };
        FileExhibit { path: pair[0].clone(), fate: Fate::Written { change: Change::Changed, content } }
    };
    let check = CheckExhibit { name: "test".to_owned(), command: "test".to_owned(), passed: true, tail };
    Exhibits {
        goal: "Do it.".to_owned(),
        criteria: vec!["It is done.".to_owned(); CRITERIA],
        checks: vec![check],
        files: texts.get(2..).unwrap_or_default().chunks_exact(2).map(file).collect(),
        claim: texts[0].clone(),
        commits: texts.to_vec(),
        ..Exhibits::default()
    }
}

/// Every byte of every file is shown, in order, and nothing closes a fence but gulf.
fn look_at_parts(exhibits: &Exhibits) -> Vec<gulf_agents::judge::Part> {
    let Some(fence) = Fence::new(NONCE, exhibits) else { return Vec::new() };
    let shown = split(exhibits, &fence, PART_BYTES_MIN);
    let mut lengths = vec![0; exhibits.files.len()];
    for part in &shown {
        assert!(part.material.len() <= PART_BYTES_MIN, "a part has a limit");
        let overview = usize::from(part.of > 1);
        let fences = part.material.matches(NONCE).count();
        assert_eq!(fences, 2 * (part.pieces.len() + overview), "a fence before and after each piece");
        for piece in &part.pieces {
            if let ExhibitRef::File(index) = piece.of {
                assert_eq!(piece.bytes.start, lengths[index], "in order and without a gap");
                lengths[index] = piece.bytes.end;
            }
        }
    }
    let whole = exhibits.files.iter().map(|file| match &file.fate {
        Fate::Written { content: Content::Text { text, .. }, .. } => text.len(),
        Fate::Written { content: Content::Binary { .. } | Content::TooLarge { .. }, .. } | Fate::Deleted => 0,
    });
    assert_eq!(lengths, whole.collect::<Vec<_>>(), "to its end");
    shown
}

/// What counts as met has evidence, and what is approved is met.
fn look_at(judgement: &Judgement, exhibits: &Exhibits) {
    for criterion in judgement.criteria.iter().filter(|criterion| criterion.word == Word::Met) {
        let mut counting = 0;
        for weighed in &criterion.evidence {
            match weighed.finding {
                Finding::Inside | Finding::Counts => counting += 1,
                Finding::Weak { .. } => {}
                Finding::Absent { .. } => panic!("met, with evidence that is not there"),
            }
            let named = match &weighed.evidence {
                Evidence::Check { name } => name.trim() == "test",
                Evidence::Quote { .. } | Evidence::Examined { .. } => {
                    !exhibits.files.is_empty() || counting > 0
                }
            };
            assert!(named || matches!(weighed.finding, Finding::Weak { .. }), "evidence is of something");
        }
        assert!(counting > 0, "met, without evidence");
    }
    match &judgement.verdict {
        Verdict::Approved { .. } => {
            let met = judgement.criteria.iter().filter(|criterion| criterion.word == Word::Met).count();
            assert!(judgement.judge == "line" || met == CRITERIA, "approved, and not all met");
            assert!(judgement.judge != "half" && judgement.silent.is_empty(), "approved, and not all heard");
        }
        Verdict::Rejected { unmet } => {
            assert!(unmet.iter().all(|unmet| !unmet.reason.is_empty()), "rejected without a reason");
        }
        Verdict::NoVerdict { missing } => assert!(!missing.is_empty(), "no verdict, and nobody knows why"),
    }
}

fn look_at_record(exhibits: &Exhibits, shown: &[gulf_agents::judge::Part], judgement: Judgement) {
    let trial = Trial::new(3, FALSE_APPROVAL_BP);
    let record = JudgeRecord::new(Protocol::Evidence, exhibits, shown, judgement, trial);
    let read = record.print().map(|json| JudgeRecord::read(&json));
    assert!(read.is_ok_and(|read| read.as_ref() == Ok(&record)), "a record is read back");
}

/// A record that processes left.
pub fn judge_record(bytes: &[u8]) -> Outcome {
    read_if(JudgeRecord::read(&String::from_utf8_lossy(bytes)).is_ok())
}
