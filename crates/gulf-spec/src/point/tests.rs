//! What each way of naming an iteration means, and what names none.

use super::{Point, PointSpan, StepRange};
use crate::problem::Problem as _;

#[track_caller]
fn check_point(text: Option<&str>, loop_id: Option<&str>, iteration: Option<u32>) {
    let wanted = Point { loop_id: loop_id.map(str::to_owned), iteration };
    assert_eq!(Point::parse(text), Ok(wanted));
}

#[track_caller]
fn check_span(text: Option<&str>, loop_id: Option<&str>, steps: StepRange) {
    let wanted = PointSpan { loop_id: loop_id.map(str::to_owned), steps };
    assert_eq!(PointSpan::parse(text), Ok(wanted));
}

#[test]
fn a_point_is_a_loop_and_an_iteration_and_both_may_be_left_out() {
    check_point(None, None, None);
    check_point(Some("2026-02-13T1430_fix"), Some("2026-02-13T1430_fix"), None);
    check_point(Some("2026-02@7"), Some("2026-02"), Some(7));
    check_point(Some("@7"), None, Some(7));
    check_point(Some("@0"), None, Some(0));
    check_point(Some("고치기@007"), Some("고치기"), Some(7));
}

#[test]
fn the_last_at_sign_parts_a_name_that_holds_another() {
    check_point(Some("a@b@3"), Some("a@b"), Some(3));
}

#[test]
fn a_span_is_one_step_or_lies_between_two_points_in_either_order() {
    check_span(None, None, StepRange::All);
    check_span(Some("fix"), Some("fix"), StepRange::All);
    check_span(Some("fix@7"), Some("fix"), StepRange::Of(7));
    check_span(Some("fix@7..9"), Some("fix"), StepRange::Between { from: 7, to: 9 });
    check_span(Some("@9..0"), None, StepRange::Between { from: 9, to: 0 });
    check_span(Some("@7..@9"), None, StepRange::Between { from: 7, to: 9 });
    check_span(Some("fix@7..@9"), Some("fix"), StepRange::Between { from: 7, to: 9 });
}

#[test]
fn what_names_no_iteration_is_refused_with_the_form_that_does() {
    let texts = ["@", "fix@", "fix@seven", "fix@-1", "fix@+7", "fix@7.9", "fix@99999999999", "fix@7 "];
    for text in texts {
        let error = Point::parse(Some(text)).expect_err(text);
        let help = error.hint().unwrap_or_default();
        assert!(error.to_string().contains(text) && help.contains("LOOP@7"), "{error}");
    }
    for text in ["fix@7..", "fix@..7", "fix@..", "fix@7...9", "fix@a..b"] {
        let error = PointSpan::parse(Some(text)).expect_err(text).to_string();
        assert!(error.ends_with("` is not a number"), "{error}");
    }
    let error = Point::parse(Some("fix@7..9")).expect_err("two are named").to_string();
    assert_eq!(error, "`fix@7..9` names two iterations, where one is wanted");
}
