//! What measured numbers look like in a journal, and that a journal from before them is read as it was.

use super::given::*;
use crate::*;

// proves: L3, REQ-FB-001
#[test]
fn what_a_check_measured_stands_beside_its_tests() {
    let run = measured(2, 3, Some(8_125));
    let json = concat!(
        r#"{"verdict":{"kind":"red","fingerprint":"boom"},"exit":null,"duration_ms":0,"#,
        r#""tests":{"passed":5,"failed":2,"skipped":0},"lint_errors":3,"coverage_bp":8125,"#,
        r#""summary":"","log":null}"#,
    );
    assert_eq!(serde_json::to_string(&run).unwrap(), json);
    assert_eq!(serde_json::from_str::<CheckRun>(json).unwrap(), run);
    let earlier = json.replace(r#""lint_errors":3,"coverage_bp":8125,"#, "");
    let run = CheckRun { lint_errors: None, coverage_bp: None, ..run };
    assert_eq!(serde_json::from_str::<CheckRun>(&earlier).unwrap(), run);
    assert_eq!(serde_json::to_string(&run).unwrap(), earlier);
}

#[test]
fn what_numbers_steer_a_loop_by() {
    let json = r#"{"auto_converge":true,"human_review":false,"coverage_bp_min":8500,"coverage":"shown"}"#;
    assert_eq!(serde_json::to_string(&feedback_policy()).unwrap(), json);
    assert_eq!(serde_json::from_str::<FeedbackPolicy>(json).unwrap(), feedback_policy());
    let required = FeedbackPolicy { coverage: CoverageNeed::Required, ..feedback_policy() };
    assert_eq!(serde_json::to_string(&required).unwrap(), json.replace("shown", "required"));
}

// proves: L1, REQ-FB-002
#[test]
fn what_somebody_else_measured() {
    let feedback = Feedback {
        phase: Phase::Review,
        iteration: 2,
        tests_passed: Some(9),
        tests_failed: Some(0),
        lint_errors: None,
        build_success: Some(true),
        coverage_bp: Some(9_150),
        duration_ms: 1_500,
    };
    let told = RecordedFeedback { by: String::from("ci"), feedback, notes: String::from("nightly") };
    let fact = Fact::FeedbackTold { told };
    let json = concat!(
        r#"{"type":"feedback-told","told":{"by":"ci","feedback":{"phase":"review","iteration":2,"#,
        r#""tests_passed":9,"tests_failed":0,"lint_errors":null,"build_success":true,"coverage_bp":9150,"#,
        r#""duration_ms":1500},"notes":"nightly"}}"#,
    );
    assert_eq!(serde_json::to_string(&fact).unwrap(), json);
    assert_eq!(serde_json::from_str::<Fact>(json).unwrap(), fact);
}
