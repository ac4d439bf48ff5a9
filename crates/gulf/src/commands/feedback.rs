//! `gulf feedback`: what was measured, iteration by iteration, once now, and by others (SPEC L1, L3).
//!
//! It decides nothing: what steers a loop is measured by whoever drives it.

use std::collections::BTreeMap;

use gulf_engine::{Act, COVERAGE_BP_MAX, CheckName, CheckRun, Feedback, Phase, RecordedFeedback};
use gulf_host::clock;
use gulf_runner::book;
use gulf_runner::claims::Caller;
use gulf_runner::verify::{CandidateVerification, ComparisonBase};
use gulf_spec::quantity;
use gulf_views::{History, collected, collected_json, feedback_json, feedback_rows, feedback_table};

use super::{tell, verify};
use crate::cli::{CollectArguments, FeedbackCommand, LoopArguments, RecordArguments};
use crate::failure::{Failure, INTERRUPTED, Result};
use crate::in_session::adopt::{self, AdoptedFor};
use crate::place::driver_of;
use crate::screen::TellingStyle;
use crate::{place, requests, screen};

pub fn feedback(command: &FeedbackCommand) -> Result<u8> {
    match command {
        FeedbackCommand::Collect(arguments) => collect(arguments),
        FeedbackCommand::Show(arguments) => show(arguments),
        FeedbackCommand::Record(arguments) => record(arguments),
    }
}

/// The checks run as for `gulf verify`; the numbers count as in a loop of the preset.
fn collect(arguments: &CollectArguments) -> Result<u8> {
    let CollectArguments { checks, json } = arguments;
    let (telling, asked) = (TellingStyle::from_json_flag(*json), (ComparisonBase::Nothing, None));
    let Some(verified) = verify::verified(checks, Some("feedback"), asked, telling)? else {
        return Ok(INTERRUPTED);
    };
    let (runs, contract) = (runs(&verified), verified.fold.state.contract());
    // It belongs to no iteration.
    let unmeasured = || Feedback { phase: Phase::Test, ..Feedback::default() };
    let feedback = contract.map_or_else(unmeasured, |contract| Feedback::from_runs(contract, 0, &runs));
    let policy = contract.and_then(|contract| contract.policy.feedback);
    let is_success = policy.is_some_and(|policy| feedback.is_success(&policy));
    let checks = serde_json::to_value(runs).map_err(Failure::broken)?;
    let document = || collected_json(&feedback, is_success, checks);
    tell(*json, document, || collected(&feedback, is_success, screen::stdout_look()))?;
    Ok(u8::from(!is_success))
}

fn runs(verified: &CandidateVerification) -> BTreeMap<CheckName, CheckRun> {
    let state = &verified.fold.state;
    let last = state.unit.last.as_ref().map(|(_, candidate)| candidate);
    let candidate = state.candidate().or(last);
    let words = candidate.and_then(|candidate| state.unit.words.get(&candidate.tree));
    words.map(|words| words.checks.clone()).unwrap_or_default()
}

fn show(arguments: &LoopArguments) -> Result<u8> {
    let place = place::here()?;
    let known = place::meant(&place, arguments.id.as_deref())?;
    let (facts, _) = place::facts_of(&known)?;
    let history = History::fold(&book::read(known.home.root())?);
    let state = &known.fold.state;
    if arguments.json {
        outln!("{}", feedback_json(&facts, &history, state, driver_of(&known)?));
        return Ok(0);
    }
    let rows = feedback_rows(&history, state);
    if rows.is_empty() {
        outln!("Nothing was measured yet in {}.", known.handle());
    } else {
        out!("{}", feedback_table(&rows, screen::stdout_look()));
    }
    Ok(0)
}

fn record(arguments: &RecordArguments) -> Result<u8> {
    let place = place::here()?;
    adopt::in_project(&place, AdoptedFor::Acting)?;
    let known = place::unfinished(&place, arguments.id.as_deref())?;
    if says_nothing(arguments) {
        let hint = "say what was counted, such as `--tests-failed 0`, or leave a note: `--notes \"…\"`";
        return Err(Failure::usage("nothing was said to have been measured", hint));
    }
    let state = &known.fold.state;
    let phase = arguments.phase.unwrap_or_else(|| Phase::from_state(state));
    let feedback = Feedback {
        phase,
        iteration: arguments.iteration.unwrap_or_else(|| Phase::iteration(state)),
        tests_passed: arguments.tests_passed,
        tests_failed: arguments.tests_failed,
        lint_errors: arguments.lint_errors,
        build_success: arguments.build_success,
        coverage_bp: arguments.coverage.as_deref().map(basis_points).transpose()?,
        duration_ms: arguments.duration.as_deref().map(milliseconds).transpose()?.unwrap_or(0),
    };
    let by = arguments.by.clone().filter(|by| !by.trim().is_empty()).unwrap_or_else(requests::person);
    let asked = Act::Tell { told: RecordedFeedback { by, feedback, notes: arguments.notes.clone() } };
    if Caller::of_this_process() != Caller::Person {
        return requests::ask_as_worker(arguments.id.as_deref(), &asked);
    }
    requests::put(&place, &known, &asked)
}

fn says_nothing(arguments: &RecordArguments) -> bool {
    let RecordArguments { tests_passed, tests_failed, lint_errors, build_success, coverage, .. } = arguments;
    let counts = [tests_passed, tests_failed, lint_errors];
    counts.iter().all(|count| count.is_none())
        && build_success.is_none()
        && coverage.is_none()
        && arguments.duration.is_none()
        && arguments.notes.trim().is_empty()
}

/// `85`, `91.5`, `91.25 %`: exactly, and never more than was said.
fn basis_points(text: &str) -> Result<u32> {
    let number = text.trim().trim_end_matches('%').trim_end();
    let (whole, rest) = number.split_once('.').unwrap_or((number, "0"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    // With two digits of the rest, the digits are those of the basis points.
    let basis_points = format!("{whole}{rest:0<2.2}").parse().ok();
    let share = basis_points.filter(|share| is_number(whole) && is_number(rest) && *share <= COVERAGE_BP_MAX);
    share.ok_or_else(|| {
        let hint = "write a number from 0 to 100, such as 85 or 91.25";
        Failure::usage(format!("`{text}` is no share in percent"), hint)
    })
}

fn milliseconds(text: &str) -> Result<u64> {
    let duration = quantity::duration(text).map_err(|reason| {
        Failure::usage(format!("`{text}` is no length of time: {reason}"), "write it as 90s, 5m or 2h")
    })?;
    Ok(clock::milliseconds(duration))
}

#[cfg(test)]
mod tests {
    //! Shares in percent.

    use super::basis_points;

    // proves: L1, L3
    #[test]
    fn a_share_is_read_exactly() {
        let read = |text| basis_points(text).ok();
        for (text, expected) in [
            ("85", Some(8_500)),
            ("91.5", Some(9_150)),
            ("91.25 %", Some(9_125)),
            ("84.999", Some(8_499)),
            ("0", Some(0)),
            ("100", Some(10_000)),
            ("100.01", None),
            ("999999999999", None),
            ("4000000000", None),
            ("-1", None),
            ("1e2", None),
            ("", None),
            (".5", None),
            ("85.", None),
            ("85,5", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
