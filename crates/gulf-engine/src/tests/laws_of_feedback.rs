//! The exhaustive search where measured numbers steer the loop (SPEC L4, L6); each test is one kind of contract.

use super::given::*;
use super::search::{Search, iterations, strings};
use crate::*;

/// The check fails, names lint errors in a green run, covers too little, or says that all is well.
fn runs(coverage: CoverageNeed) -> Vec<CheckRun> {
    let unlinted = CheckRun { lint_errors: Some(1), ..green() };
    match coverage {
        CoverageNeed::Shown => {
            let covered = [8_499, 8_500].map(|covered| measured(0, 0, Some(covered)));
            [measured(1, 0, None), measured(0, 0, None), unlinted].into_iter().chain(covered).collect()
        }
        CoverageNeed::Required => {
            vec![measured(1, 0, None), measured(0, 0, None), measured(0, 0, Some(9_000))]
        }
    }
}

// proves: L4, L7, REQ-CONV-001, REQ-CONV-002, REQ-CONV-003, REQ-UW-001
#[test]
fn the_laws_hold_when_numbers_steer_the_loop() {
    for (coverage, states_min) in [(CoverageNeed::Shown, 3_600), (CoverageNeed::Required, 1_600)] {
        let mut contract = measured_contract(|policy| policy.coverage = coverage);
        iterations(&mut contract, 4);
        Search::new(contract)
            .with_luck(0, 0, 0)
            .answering(|answers| {
                answers.trees = strings(&["a", "b"]);
                answers.checks = runs(coverage);
                answers.probes = vec![red()];
            })
            .check(&["attested", "exhausted", "stalled", "verified"], states_min);
    }
}

// proves: L4, L6, REQ-HIL-001
#[test]
fn the_laws_hold_when_a_person_reviews_every_iteration() {
    let mut contract = measured_contract(|policy| policy.human_review = true);
    iterations(&mut contract, 3);
    contract.policy.gates.push(Gate::Judge);
    Search::new(contract)
        .with_luck(2, 0, 4)
        .answering(|answers| {
            answers.trees = strings(&["base", "a"]);
            answers.checks = runs(CoverageNeed::Shown);
            answers.probes = vec![red()];
            answers.acts = vec![approval(), rejection(), Act::Cancel];
        })
        .check(&["attested", "cancelled", "exhausted", "verified"], 26_000);
}
