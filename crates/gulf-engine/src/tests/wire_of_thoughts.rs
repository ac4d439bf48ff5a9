//! What steps before a turn and reviewers beside the judge look like in a journal.

use super::given::*;
use super::wire::check_end;
use crate::*;

#[test]
fn what_a_reviewer_said() {
    for (by, name) in
        [(Reviewer::Qa, "qa"), (Reviewer::Security, "security"), (Reviewer::Documents, "documents")]
    {
        check_end(
            EffectKind::Review { by },
            EffectResult::Judge(JudgeWord::NoVerdict),
            &format!(r#"{{"kind":"review","by":"{name}"}}"#),
            r#"{"kind":"judge","word":"no-verdict"}"#,
        );
    }
    let json = r#"["qa","documents"]"#;
    assert_eq!(serde_json::to_string(&[Reviewer::Qa, Reviewer::Documents]).unwrap(), json);
}

#[test]
fn what_was_thought_about() {
    for (step, name) in [
        (Step::Analyze, "analyze"),
        (Step::Plan, "plan"),
        (Step::Criticize, "criticize"),
        (Step::Cause, "cause"),
    ] {
        check_end(
            EffectKind::Step { step },
            EffectResult::Step(thought(StepWord::Said)),
            &format!(r#"{{"kind":"step","step":"{name}"}}"#),
            concat!(
                r#"{"kind":"step","outcome":{"kind":"completed"},"word":{"word":"said"},"duration_ms":0,"#,
                r#""message":null}"#,
            ),
        );
    }
    for (word, json) in [
        (
            StepWord::Incomplete { missing: vec![String::from("CAUSE")] },
            r#"{"word":"incomplete","missing":["CAUSE"]}"#,
        ),
        (StepWord::Objected { objections: 2 }, r#"{"word":"objected","objections":2}"#),
    ] {
        assert_eq!(serde_json::to_string(&word).unwrap(), json);
        assert_eq!(serde_json::from_str::<StepWord>(json).unwrap(), word);
    }
    let list = steps(&[
        (Step::Analyze, StepWhen::Every),
        (Step::Plan, StepWhen::First),
        (Step::Cause, StepWhen::AfterRefusal),
        (Step::Cause, StepWhen::AfterRepeatedFailure),
    ]);
    let json = concat!(
        r#"[{"step":"analyze","when":"every"},{"step":"plan","when":"first"},"#,
        r#"{"step":"cause","when":"after-refusal"},{"step":"cause","when":"after-repeated-failure"}]"#,
    );
    assert_eq!(serde_json::to_string(&list).unwrap(), json);
    assert_eq!(serde_json::from_str::<Vec<StepTerms>>(json).unwrap(), list);
}

#[test]
fn what_follows_a_standstill() {
    let policy = contract_with(|contract| {
        contract.policy.stuck.then = Standstill::Ask;
        contract.policy.stuck.recurrences_max = Some(times(6));
        contract.policy.stuck.orientation_bp_max = Some(2_000);
    });
    let json = concat!(
        r#"{"same_candidate_max":3,"oscillations_max":3,"same_failure_max":3,"idle_max":3,"#,
        r#""recurrences_max":6,"orientation_bp_max":2000,"then":"ask"}"#,
    );
    assert_eq!(serde_json::to_string(&policy.policy.stuck).unwrap(), json);
    assert_eq!(serde_json::from_str::<StuckPolicy>(json).unwrap(), policy.policy.stuck);
    assert_eq!(serde_json::to_string(&Stall::Recurrence).unwrap(), r#""recurrence""#);
}

#[test]
fn what_a_fresh_context_read_before_the_first_edit() {
    for (until, word) in [(OrientationEnd::Edit, "edit"), (OrientationEnd::Turn, "turn")] {
        let orientation = Some(Orientation { used_bp: 3_400, until });
        let json = serde_json::to_value(Turn { orientation, ..turn() }).unwrap();
        assert_eq!(json["orientation"], serde_json::json!({"used_bp": 3_400, "until": word}));
        assert_eq!(serde_json::from_value::<Turn>(json).unwrap().orientation, orientation);
    }
    assert!(serde_json::to_value(turn()).unwrap().get("orientation").is_none());
}
