//! What can be said to a pause.

use super::*;

// proves: A6
#[test]
fn only_a_pause_that_waits_for_somebodys_word_is_told_and_only_the_judges_is_judged() {
    assert_eq!(takes(PauseReason::Asked), Takes::Nothing);
    assert_eq!(takes(PauseReason::Question), Takes::Answer);
    for judged in [PauseReason::HumanGate, PauseReason::NoVerdict, PauseReason::TestsChanged] {
        assert_eq!(takes(judged), Takes::Verdict, "{judged:?}");
    }
    for at_rest in [PauseReason::Milestone, PauseReason::Stuck, PauseReason::Limit, PauseReason::Denied] {
        assert_eq!(takes(at_rest), Takes::GoOn, "{at_rest:?}");
    }
}
