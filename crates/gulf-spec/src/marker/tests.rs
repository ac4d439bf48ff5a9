//! State files of gulf, of the original, of ralph-loop and of people.

use proptest::option;
use proptest::prelude::*;

use super::{
    Autonomy, Marker, MarkerActivity, MarkerEdit, MarkerPause, MarkerProblem, Reading, edits, print, read,
    read_ralph,
};
use crate::problem::Problem;

/// As the original's setup writes it.
const BASIC: &str = "---
active: true
iteration: 1
max_iterations: 50
completion_promise: \"COMPLETE\"
---
Add a login.
";

fn reading(text: &str) -> Reading {
    read(text).unwrap_or_else(|problem| panic!("{problem}: {text}"))
}

/// A state file with these keys besides what every one has.
fn with(lines: &str) -> Reading {
    reading(&format!("---\niteration: 3\nmax_iterations: 9\n{lines}\n---\nDo it.\n"))
}

fn warnings(reading: &Reading) -> String {
    reading.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// What would be said of a file that is changed so.
fn changed(ours: &Marker, change: impl FnOnce(String) -> String) -> Vec<MarkerEdit> {
    edits(ours, &reading(&change(print(ours))))
}

fn loosened(what: &str) -> Vec<MarkerEdit> {
    vec![MarkerEdit::Loosened { what: what.to_owned() }]
}

fn autonomous() -> Marker {
    Marker {
        iteration: 7,
        iterations_max: 200,
        autonomy: Autonomy::Autonomous,
        judge_enabled: true,
        consecutive_rejections: 2,
        hitl_threshold: 10,
        branch: "gulf/auto-20260227-143201".to_owned(),
        base_branch: "trunk".to_owned(),
        worktree_path: "/tmp/x y".to_owned(),
        milestone_every: 3,
        structured_memory: true,
        force_max: true,
        pause_reason: Some(MarkerPause::Milestone),
        standing: MarkerActivity::Paused,
        loop_id: Some("2026-02-13T1430_login".to_owned()),
        session: Some("8c1f".to_owned()),
        ..Marker::new("Add a login.")
    }
}

#[test]
fn what_the_original_writes_is_read_without_a_warning() {
    let reading = reading(BASIC);
    assert_eq!(reading.marker, Marker::new("Add a login."));
    assert_eq!(reading.warnings, []);
    assert_eq!(print(&reading.marker), BASIC);
}

#[test]
fn every_key_is_written_in_the_order_of_the_original() {
    insta::assert_snapshot!(print(&autonomous()), @r#"
        ---
        active: false
        iteration: 7
        max_iterations: 200
        autonomous: true
        judge_enabled: true
        consecutive_rejections: 2
        hitl_threshold: 10
        branch: gulf/auto-20260227-143201
        base_branch: trunk
        merge_status: pending
        worktree_path: /tmp/x y
        milestone_every: 3
        structured_memory: true
        force_max: true
        pause_reason: milestone
        session_id: 8c1f
        loop: 2026-02-13T1430_login
        ---
        Add a login.
        "#);
}

#[test]
fn a_judged_loop_is_written_with_its_counter_and_without_the_usual_promise() {
    let judged = Marker { judge_enabled: true, loop_id: Some("a".to_owned()), ..Marker::new("Do it.") };
    insta::assert_snapshot!(print(&judged), @r#"
        ---
        active: true
        iteration: 1
        max_iterations: 50
        judge_enabled: true
        consecutive_rejections: 0
        hitl_threshold: 5
        loop: a
        ---
        Do it.
        "#);
    let own_promise = Marker { completion_promise: "SHIPPED".to_owned(), ..judged };
    assert!(print(&own_promise).contains("completion_promise: \"SHIPPED\"\n"));
}

#[test]
fn an_absent_key_has_its_default_and_only_the_two_numbers_that_every_file_has_are_missed() {
    let reading = reading("---\n---\nDo it.");
    assert_eq!(reading.marker, Marker::new("Do it."));
    insta::assert_snapshot!(warnings(&reading), @r#"
        `iteration` is missing; taken as `1`
        `max_iterations` is missing; taken as `50`
        "#);
}

#[test]
fn an_invalid_value_is_named_with_what_counts_instead() {
    let reading = reading(
        "---
active: False
iteration: three
max_iterations: 10  # cap
autonomous: yes
judge_enabled:
consecutive_rejections: -1
hitl_threshold: 4294967296
milestone_every: +2
completion_promise: ''
base_branch:
---
Do it.
",
    );
    assert_eq!(reading.marker, Marker::new("Do it."));
    insta::assert_snapshot!(warnings(&reading), @r#"
        `active` is `False` and not `true` or `false`; taken as `true`
        `iteration` is `three` and not a whole number; taken as `1`
        `max_iterations` is `10  # cap` and not a whole number; taken as `50`
        `completion_promise` is empty and not a text; taken as `COMPLETE`
        `autonomous` is `yes` and not `true` or `false`; taken as `false`
        `judge_enabled` is empty and not `true` or `false`; taken as `false`
        `consecutive_rejections` is `-1` and not a whole number; taken as `0`
        `hitl_threshold` is `4294967296` and not a whole number; taken as `5`
        `base_branch` is empty and not a text; taken as `main`
        `milestone_every` is `+2` and not a whole number; taken as `0`
        "#);
}

#[test]
fn a_repeated_key_counts_as_none() {
    let reading = reading(
        "---\nactive: false\nactive: false\niteration: 4\nmax_iterations: 9\nmax_iterations: 9\nbranch: a\nbranch: a\n---\nDo it.\n",
    );
    assert_eq!(reading.marker, Marker { iteration: 4, ..Marker::new("Do it.") });
    insta::assert_snapshot!(warnings(&reading), @r#"
        `active` appears more than once; taken as `true`
        `max_iterations` appears more than once; taken as `50`
        `branch` appears more than once; taken as empty
        "#);
}

#[test]
fn a_key_counts_only_as_it_is_written_and_at_the_left_margin() {
    let reading =
        with("  branch: a\nbase_branch : b\nhitl_treshold: 2\nnote: mine\n# judge_enabled: true\nprose");
    assert_eq!(reading.marker, Marker { iteration: 3, iterations_max: 9, ..Marker::new("Do it.") });
    insta::assert_snapshot!(warnings(&reading), @r#"
        `  branch` does not count; did you mean `branch` at the left margin?
        `base_branch ` does not count; did you mean `base_branch` at the left margin?
        `hitl_treshold` does not count; did you mean `hitl_threshold` at the left margin?
        "#);
}

#[test]
fn only_the_literal_false_pauses() {
    for (value, standing) in [
        ("false", MarkerActivity::Paused),
        ("\"false\"", MarkerActivity::Paused),
        ("'false' ", MarkerActivity::Paused),
        ("true", MarkerActivity::Active),
        ("False", MarkerActivity::Active),
        ("false # for now", MarkerActivity::Active),
        ("0", MarkerActivity::Active),
        ("", MarkerActivity::Active),
    ] {
        assert_eq!(with(&format!("active: {value}")).marker.standing, standing, "{value}");
    }
}

#[test]
fn zero_iterations_are_kept_because_they_end_a_loop_at_once() {
    let reading = reading("---\niteration: 1\nmax_iterations: 0\n---\nDo it.\n");
    assert_eq!((reading.marker.iterations_max, reading.warnings.len()), (0, 0));
}

#[test]
fn one_pair_of_quotes_is_taken_off_and_what_is_inside_stays() {
    for (value, promise) in [
        ("\"I'm done\"", "I'm done"),
        ("'say \"done\"'", "say \"done\""),
        ("I'm done", "I'm done"),
        ("\"\"quoted\"\"", "\"quoted\""),
        ("  \" 완료 \"  ", "완료"),
        ("a: b", "a: b"),
        ("\"half", "\"half"),
        ("\"", "\""),
    ] {
        let reading = with(&format!("completion_promise: {value}"));
        assert_eq!(
            (reading.marker.completion_promise.as_str(), reading.warnings.len()),
            (promise, 0),
            "{value}"
        );
    }
}

#[test]
fn every_reason_of_a_pause_is_kept() {
    for (word, reason) in [
        ("milestone", Some(MarkerPause::Milestone)),
        ("hitl", Some(MarkerPause::Hitl)),
        ("none", Some(MarkerPause::None)),
        ("lunch", Some(MarkerPause::Other("lunch".to_owned()))),
        ("", None),
    ] {
        assert_eq!(with(&format!("pause_reason: {word}")).marker.pause_reason, reason, "{word}");
    }
}

#[test]
fn the_prompt_is_kept_byte_for_byte() {
    let prompt = "\n  Add a login.\n---\niteration: 99\nactive: false\n---\n\t한국어 `$(x)` 'y' \"z\"\r\n\n";
    let text = format!("---\niteration: 2\nmax_iterations: 5\n---\n{prompt}\n");
    let reading = reading(&text);
    assert_eq!(reading.marker.prompt, prompt);
    assert_eq!((reading.marker.iteration, reading.marker.standing), (2, MarkerActivity::Active));
    assert_eq!(
        read("---\n---\nno line ending").map(|reading| reading.marker.prompt),
        Ok("no line ending".to_owned())
    );
}

#[test]
fn a_file_of_another_editor_is_read_the_same() {
    let reading = reading(&format!("\u{feff}\r\n{}", BASIC.replace('\n', "\r\n")));
    assert_eq!(reading, Reading { marker: Marker::new("Add a login."), warnings: Vec::new() });
    let fences = BASIC.replace("---\n", "--- \n");
    assert_eq!(self::reading(&fences).marker, Marker::new("Add a login."));
}

#[test]
fn a_corrupt_file_is_named_with_what_to_do() {
    let check = |text: &str, problem: MarkerProblem| {
        assert_eq!(read(text), Err(problem), "{text:?}");
        assert_eq!(read_ralph(text), Err(problem), "{text:?}");
        assert!(problem.hint().is_some_and(|hint| hint.ends_with("or delete it")));
    };
    for text in ["", "\n\n", "Do it.\n", "active: true\n---\nDo it.\n", " ---\n---\nDo it.\n", "----\n---\nx"]
    {
        check(text, MarkerProblem::NoFrontMatter);
    }
    for text in ["---", "---\n", "---\nactive: true\n", "---\nactive: true\n --- \nDo it.\n"] {
        check(text, MarkerProblem::Unterminated);
    }
    for text in ["---\n---", "---\n---\n", "---\n---\n \r\n\t\u{3000}\n"] {
        check(text, MarkerProblem::BlankPrompt);
    }
}

#[test]
fn what_ralph_loop_writes_is_read() {
    let reading = read_ralph(
        "---
active: true
iteration: 4
session_id: 8c1f
max_iterations: 20
completion_promise: \"TASK \"really\" COMPLETE\"
started_at: \"2026-02-13T14:30:00Z\"
judge_enabled: true
---

Build a to-do list.

---
With tests.
",
    );
    let marker = Marker {
        iteration: 4,
        iterations_max: 20,
        completion_promise: "TASK \"really\" COMPLETE".to_owned(),
        session: Some("8c1f".to_owned()),
        ..Marker::new("Build a to-do list.\n\n---\nWith tests.")
    };
    assert_eq!(reading, Ok(Reading { marker, warnings: Vec::new() }));
}

#[test]
fn an_endless_ralph_loop_is_bounded_and_that_is_said() {
    let text = "---\nactive: true\niteration: 1\nsession_id:\nmax_iterations: 0\ncompletion_promise: null\n---\n\nGo.\n";
    let reading = read_ralph(text).unwrap();
    assert_eq!(reading.marker, Marker::new("Go."));
    insta::assert_snapshot!(warnings(&reading), @r#"
        `max_iterations` is 0, which is no limit for ralph-loop; taken as `50`
        `completion_promise` is not set; taken as `COMPLETE`
        "#);
}

#[test]
fn nothing_is_said_of_a_file_that_nobody_changed() {
    for ours in [Marker::new("Do it."), autonomous()] {
        assert_eq!(changed(&ours, |text| text), []);
        assert_eq!(changed(&ours, |text| text.replace('\n', "\r\n")), []);
        assert_eq!(changed(&ours, |text| format!("{text}\n\n")), []);
    }
}

#[test]
fn a_pause_and_a_lower_limit_count() {
    let ours = Marker { iterations_max: 20, ..Marker::new("Do it.") };
    assert_eq!(changed(&ours, |text| text.replace("active: true", "active: false")), [MarkerEdit::Paused]);
    assert_eq!(changed(&ours, |text| text.replace(": 20", ": 8")), [MarkerEdit::LowerIterationsMax(8)]);
    assert_eq!(changed(&ours, |text| text.replace(": 20", ": 0")), [MarkerEdit::LowerIterationsMax(0)]);
    let both = |text: String| text.replace(": 20", ": 8").replace("true", "false");
    assert_eq!(changed(&ours, both), [MarkerEdit::Paused, MarkerEdit::LowerIterationsMax(8)]);
}

#[test]
fn whatever_else_is_changed_is_named_and_does_not_count() {
    let ours = Marker { loop_id: Some("a".to_owned()), ..autonomous() };
    let check = |from: &str, to: &str, what: &str| {
        assert!(print(&ours).contains(from), "{from}");
        assert_eq!(changed(&ours, |text| text.replacen(from, to, 1)), loosened(what), "{from}");
    };
    check("active: false", "active: true", "`active` was set to `true`; it was `false`");
    check("iteration: 7", "iteration: 1", "`iteration` was set to `1`; it was `7`");
    check("max_iterations: 200", "max_iterations: 201", "`max_iterations` was set to `201`; it was `200`");
    check("judge_enabled: true\n", "", "`judge_enabled` was set to `false`; it was `true`");
    check("autonomous: true\n", "", "`autonomous` was set to `false`; it was `true`");
    check("rejections: 2", "rejections: 0", "`consecutive_rejections` was set to `0`; it was `2`");
    check(
        "branch: gulf/auto",
        "branch: x",
        "`branch` was set to `x-20260227-143201`; it was `gulf/auto-20260227-143201`",
    );
    assert_eq!(changed(&ours, |text| text.replace("merge_status: pending\n", "")), []);
}

#[test]
fn a_value_that_cannot_be_read_tightens_nothing() {
    let ours = Marker { iterations_max: 200, ..Marker::new("Do it.") };
    let what = "`max_iterations` is missing or cannot be read";
    for change in ["max_iterations: few", "max_iterations: 3\nmax_iterations: 4", "x: 1"] {
        assert_eq!(
            changed(&ours, |text| text.replace("max_iterations: 200", change)),
            loosened(what),
            "{change}"
        );
    }
}

#[test]
fn a_changed_prompt_is_named() {
    let ours = Marker::new("Do it.\n\nWell.");
    assert_eq!(changed(&ours, |text| text.replace("Well", "Fast")), loosened("the prompt was changed"));
    assert_eq!(changed(&ours, |text| text.replace("\n\nWell", "\nWell")), loosened("the prompt was changed"));
}

#[test]
fn a_long_value_is_shown_by_its_beginning_and_moves_no_cursor() {
    let reading = with(&format!("milestone_every: \u{1b}[2J{}", "가".repeat(10_000)));
    let shown = warnings(&reading);
    assert!(shown.starts_with("`milestone_every` is ` [2J가"), "{shown}");
    assert!(shown.contains("가…`") && shown.chars().count() < 150, "{shown}");
}

#[test]
fn a_megabyte_of_keys_is_read_in_no_time() {
    let text = format!("---\n{}---\nDo it.\n", "activ: true\n".repeat(90_000));
    assert_eq!(reading(&text).warnings.len(), 52);
}

/// A text of one line without blanks at its ends, as every value but the prompt is.
fn value() -> impl Strategy<Value = String> {
    "[^\\n]{1,20}".prop_map(|text| text.trim().to_owned()).prop_filter("blank", |text| !text.is_empty())
}

prop_compose! {
    fn any_texts()(
        completion_promise in value(),
        base_branch in value(),
        branch in value(),
        worktree_path in option::of(value()),
        word in value(),
        loop_id in option::of(value()),
        session in option::of(value()),
        prompt in "\\PC*(\\n|\\r|-|---\\n|active: false|\\PC){0,30}",
    ) -> Marker {
        let pause_reason = word.parse().ok().filter(|_| word.len() > 3);
        let worktree_path = worktree_path.unwrap_or_default();
        Marker {
            completion_promise, base_branch, branch, worktree_path, pause_reason, loop_id, session,
            ..Marker::new(prompt)
        }
    }
}

prop_compose! {
    fn any_marker()(
        marker in any_texts(),
        counts in any::<[u32; 5]>(),
        [paused, autonomous, judge_enabled, structured_memory, force_max, branch] in any::<[bool; 6]>(),
    ) -> Marker {
        let [iteration, iterations_max, consecutive_rejections, hitl_threshold, milestone_every] = counts;
        let standing = if paused { MarkerActivity::Paused } else { MarkerActivity::Active };
        let autonomy = if autonomous { Autonomy::Autonomous } else { Autonomy::Attended };
        let branch = if branch { marker.branch.clone() } else { String::new() };
        Marker {
            iteration, iterations_max, consecutive_rejections, hitl_threshold, milestone_every,
            standing, autonomy, judge_enabled, structured_memory, force_max, branch, ..marker
        }
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_the_same(marker in any_marker()) {
        prop_assume!(!marker.prompt.trim().is_empty());
        let found = reading(&print(&marker));
        prop_assert_eq!(edits(&marker, &found), []);
        prop_assert_eq!(found, Reading { marker, warnings: Vec::new() });
    }

    #[test]
    fn every_change_of_a_marker_is_named(ours in any_marker(), other in any_marker()) {
        prop_assume!(!other.prompt.trim().is_empty());
        let found = Reading { marker: other.clone(), warnings: Vec::new() };
        let tells = !edits(&ours, &found).is_empty();
        prop_assert!(tells || ours == other || ours.prompt.trim_end() == other.prompt.trim_end());
        let raised = edits(&ours, &found).contains(&MarkerEdit::LowerIterationsMax(other.iterations_max));
        prop_assert_eq!(raised, other.iterations_max < ours.iterations_max);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(---\\n|\\n|iteration: 1|active: false|\\PC){0,40}") {
        if let Ok(found) = read(&text) {
            prop_assert!(text.contains(&found.marker.prompt));
            let written = Marker { completion_promise: "X".to_owned(), ..found.marker };
            prop_assert_eq!(read(&print(&written)).map(|reading| reading.marker), Ok(written));
        }
        let _ = read_ralph(&text);
    }
}
