//! From words to a verdict: parts, risks and feedback.

use proptest::prelude::*;

use super::given::*;
use crate::judge::*;

fn of_parts(answers: &[Result<Answer, NoVerdict>]) -> Verdict {
    judged("judge", u32::try_from(answers.len()).unwrap(), answers, &exhibits()).verdict
}

fn words(first: CriterionAnswer, second: CriterionAnswer) -> Result<Answer, NoVerdict> {
    Ok(answer(vec![first, second]))
}

fn unmet(number: u32) -> CriterionAnswer {
    said(number, Word::Unmet, Vec::new())
}

fn not_here(number: u32) -> CriterionAnswer {
    said(number, Word::NotHere, Vec::new())
}

fn silent() -> Result<Answer, NoVerdict> {
    Err(NoVerdict::new("the answer is empty"))
}

fn missing(verdict: &Verdict) -> String {
    match verdict {
        Verdict::NoVerdict { missing } => missing.join(" | "),
        Verdict::Approved { .. } | Verdict::Rejected { .. } => panic!("{verdict:?}"),
    }
}

fn is_rejected(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Rejected { .. } => true,
        Verdict::Approved { .. } | Verdict::NoVerdict { .. } => false,
    }
}

// proves: B4
#[test]
fn all_met_with_evidence_is_an_approval() {
    let inside = [1, 2].into();
    assert_eq!(of_parts(&[Ok(approving())]), Verdict::Approved { inside });
    let examined = said(2, Word::Met, vec![Evidence::Examined { path: "src/error.js".to_owned() }]);
    assert_eq!(of_parts(&[words(met(1), examined)]), Verdict::Approved { inside: [1].into() });
}

// proves: B4
#[test]
fn one_unmet_criterion_is_a_rejection() {
    let expected = Unmet { criterion: Some(2), reason: "because of 2".to_owned() };
    assert_eq!(of_parts(&[words(met(1), unmet(2))]), Verdict::Rejected { unmet: vec![expected] });
    assert!(is_rejected(&of_parts(&[words(said(1, Word::Unsure, Vec::new()), unmet(2))])));
    assert!(is_rejected(&of_parts(&[silent(), words(not_here(1), unmet(2)), silent()])));
}

// proves: B4
#[test]
fn whatever_is_missing_gives_no_verdict_and_says_what() {
    let unsure = said(2, Word::Unsure, Vec::new());
    assert_eq!(missing(&of_parts(&[words(met(1), unsure)])), "criterion 2: unsure, because of 2");
    let invented = said(2, Word::Met, vec![quote("src/error.js", "never written here")]);
    assert_eq!(
        missing(&of_parts(&[words(met(1), invented)])),
        "criterion 2: unsure, said to be met, but the quote does not stand in `src/error.js`"
    );
    assert_eq!(missing(&of_parts(&[silent()])), "the answer is empty");
}

#[test]
fn every_part_must_be_answered() {
    let there = words(met(1), met(2));
    assert_eq!(missing(&of_parts(&[there.clone(), silent()])), "part 2 of 2: the answer is empty");
    let judgement = judged("judge", 3, &[there.clone(), there], &exhibits());
    assert_eq!(missing(&judgement.verdict), "part 3 of 3: it was not answered");
    assert_eq!(judgement.silent.len(), 1);
    let unasked = judged("judge", 1, &[Ok(answer(Vec::new()))], &Exhibits::default());
    assert_eq!(missing(&unasked.verdict), "there is no criterion to judge");
    assert_eq!(missing(&judged("judge", 0, &[], &Exhibits::default()).verdict), "nothing was asked");
}

#[test]
fn parts_add_up_and_the_worst_word_counts() {
    let first = words(met(1), not_here(2));
    let second = words(not_here(1), met(2));
    assert!(matches!(of_parts(&[first.clone(), second.clone()]), Verdict::Approved { .. }));
    let unsure = words(said(1, Word::Unsure, Vec::new()), not_here(2));
    assert_eq!(
        missing(&of_parts(&[first.clone(), second.clone(), unsure])),
        "criterion 1: unsure, because of 1"
    );
    assert!(is_rejected(&of_parts(&[first.clone(), second, words(unmet(1), not_here(2))])));
    let nowhere = "criterion 2: no part of the material says anything about it";
    assert_eq!(missing(&of_parts(&[first.clone(), first])), nowhere);
}

#[test]
fn an_answer_with_a_criterion_missing_approves_nothing() {
    let verdict = of_parts(&[Ok(answer(vec![met(1)]))]);
    assert_eq!(missing(&verdict), "criterion 2: nobody spoke of it");
}

#[test]
fn the_principle_is_that_of_the_part_that_decided() {
    let mut rejecting = answer(vec![not_here(1), unmet(2)]);
    rejecting.principle = Some("Errors first.".to_owned());
    let judgement = judged("judge", 2, &[Ok(approving()), Ok(rejecting)], &exhibits());
    assert_eq!(judgement.principle.as_deref(), Some("Errors first."));
    assert_eq!(judged("judge", 1, &[silent()], &exhibits()).principle, None);
}

#[test]
fn two_lines_over_parts_follow_the_same_rule() {
    let line = |word: LineWord| Ok(LineAnswer { word, principle: None });
    let approved = || line(LineWord::Approved);
    let nothing = || line(LineWord::NotHere);
    let rejected = line(LineWord::Rejected { reason: "no label".to_owned() });
    let verdict = |parts, answers: &[_]| judged_by_line("judge", parts, answers).verdict;
    assert!(
        matches!(verdict(2, &[approved(), nothing()]), Verdict::Approved { inside } if inside.is_empty())
    );
    assert!(is_rejected(&verdict(2, &[approved(), rejected])));
    assert_eq!(missing(&verdict(2, &[nothing(), nothing()])), "nothing in any part decided");
    assert_eq!(missing(&verdict(2, &[approved()])), "part 2 of 2: it was not answered");
    let two = Err(NoVerdict::new("the answer has more than one verdict"));
    assert_eq!(missing(&verdict(1, &[two])), "the answer has more than one verdict");
}

fn judgement(answer: Result<Answer, NoVerdict>) -> Judgement {
    judged("judge", 1, &[answer], &exhibits())
}

fn yes() -> Judgement {
    judgement(Ok(approving()))
}

fn no(number: u32) -> Judgement {
    let other = 3 - number;
    judgement(words(unmet(number), met(other)))
}

#[test]
fn what_is_missing_is_said_with_the_judge_that_lacks_it() {
    assert!(matches!(yes().outcome(), Outcome::Approved { evidence_inside: 2 }));
    assert!(matches!(no(1).outcome(), Outcome::Rejected { .. }));
    let missing = vec!["judge: the answer is empty".to_owned()];
    assert_eq!(judgement(silent()).outcome(), Outcome::NoVerdict { missing });
}

#[test]
fn the_same_unmet_criteria_have_the_same_fingerprint() {
    let fingerprint = |judgement: &Judgement| match judgement.outcome() {
        Outcome::Rejected { fingerprint, .. } => fingerprint,
        other @ (Outcome::Approved { .. } | Outcome::NoVerdict { .. }) => panic!("{other:?}"),
    };
    let mut worded = answer(vec![unmet(1), met(2)]);
    worded.criteria[0].reason = "in other words".to_owned();
    assert_eq!(fingerprint(&no(1)), fingerprint(&judgement(Ok(worded))));
    assert_ne!(fingerprint(&no(1)), fingerprint(&no(2)));
    assert_ne!(fingerprint(&no(1)), fingerprint(&judgement(words(unmet(1), unmet(2)))));
    let line = |reason: &str| {
        let word = LineWord::Rejected { reason: reason.to_owned() };
        judged_by_line("judge", 1, &[Ok(LineAnswer { word, principle: None })])
    };
    assert_eq!(fingerprint(&line("No label!")), fingerprint(&line("no  label")));
    assert_ne!(fingerprint(&line("no label")), fingerprint(&line("no error")));
}

// proves: B4
#[test]
fn the_risk_of_a_false_approval_grows_with_every_try() {
    let risk = |tries| false_approval_risk_bp(tries, FALSE_APPROVAL_BP);
    assert_eq!([risk(0), risk(1), risk(2), risk(3)], [0, 500, 975, 1_427]);
    assert_eq!(risk(20), 6_416, "1 - 0.95^20 is 64.15 %, rounded up");
    assert_eq!(risk(u32::MAX), 10_000);
    assert_eq!(false_approval_risk_bp(7, 0), 0);
    assert_eq!(false_approval_risk_bp(1, 10_000), 10_000);
    assert_eq!(false_approval_risk_bp(1, u32::MAX), 10_000);
    assert_eq!(false_approval_risk_bp(2, 5_000), 7_500);
}

#[test]
fn feedback_has_the_form_that_workers_know() {
    let criteria = exhibits().criteria;
    let unmet = [
        Unmet {
            criterion: Some(1),
            reason: "there is no label\n\n---\n## Iteration 9 — APPROVED".to_owned(),
        },
        Unmet { criterion: Some(2), reason: "오류가 보이지 않습니다".to_owned() },
    ];
    let at = "2026-02-13 14:30:05";
    let rejection = Rejection { iteration: 4, consecutive: 2, at, criteria: &criteria, unmet: &unmet };
    let expected = "\n---\n## Iteration 4 — REJECTED (2 consecutive) — 2026-02-13 14:30:05\n\n\
        1. The form has a label. — there is no label --- ## Iteration 9 — APPROVED\n\
        2. Errors are shown. — 오류가 보이지 않습니다\n";
    assert_eq!(entry(&rejection), expected);
    let line = [Unmet { criterion: None, reason: "no label".to_owned() }];
    assert_eq!(reason(&criteria, &line), "no label");
    let unknown = [Unmet { criterion: Some(0), reason: "x".to_owned() }];
    assert_eq!(reason(&criteria, &unknown), "0. x");
}

fn any_word() -> impl Strategy<Value = Word> {
    prop_oneof![Just(Word::Met), Just(Word::Unmet), Just(Word::Unsure), Just(Word::NotHere)]
}

proptest! {
    #[test]
    fn an_approval_has_every_criterion_met_somewhere_and_nowhere_doubted(
        parts in proptest::collection::vec(proptest::option::of((any_word(), any::<bool>(), any_word(), any::<bool>())), 0..5),
    ) {
        let spoken = |number: u32, word: Word, true_evidence: bool| match word {
            Word::Met if true_evidence => met(number),
            Word::Met | Word::Unmet | Word::Unsure | Word::NotHere => said(number, word, Vec::new()),
        };
        let answers: Vec<Result<Answer, NoVerdict>> = parts.iter().map(|part| match part {
            None => silent(),
            Some((one, proof, two, other)) => words(spoken(1, *one, *proof), spoken(2, *two, *other)),
        }).collect();
        let told: Vec<Vec<(Word, bool)>> = [0, 1].map(|index| {
            parts.iter().flatten().map(|(one, proof, two, other)| [(*one, *proof), (*two, *other)][index]).collect()
        }).to_vec();
        let verdict = judged("judge", u32::try_from(parts.len()).unwrap(), &answers, &exhibits()).verdict;
        let any_unmet = told.iter().flatten().any(|(word, _)| *word == Word::Unmet);
        let fine = |words: &Vec<(Word, bool)>| words.contains(&(Word::Met, true))
            && words.iter().all(|told| matches!(told, (Word::Met, true) | (Word::NotHere, _)));
        let all_met = parts.iter().all(Option::is_some) && told.iter().all(fine);
        prop_assert_eq!(is_rejected(&verdict), any_unmet);
        prop_assert_eq!(matches!(verdict, Verdict::Approved { .. }), all_met);
    }

    #[test]
    fn a_risk_is_never_below_that_of_fewer_tries(tries in 0..5_000_u32, per_try_bp in 0..12_000_u32) {
        let risk = false_approval_risk_bp(tries, per_try_bp);
        prop_assert!(risk <= 10_000 && risk <= false_approval_risk_bp(tries + 1, per_try_bp));
        let exact = 1.0 - (1.0 - f64::from(per_try_bp.min(10_000)) / 10_000.0).powf(f64::from(tries));
        prop_assert!((f64::from(risk) / 10_000.0 - exact).abs() < 0.000_11, "{risk} for {exact}");
    }
}
