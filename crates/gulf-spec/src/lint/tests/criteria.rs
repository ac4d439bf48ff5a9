//! Which criteria are vague, and which a command could tell.

use super::{Material, Rule, config, line, lint, page, rubric, rules};

#[track_caller]
fn check(criterion: &str, expected: &[Rule]) {
    assert_eq!(rules(&format!("## Judge criteria\n- {criterion}\n")), expected, "{criterion}");
}

#[test]
fn vague_words_are_told_with_what_to_write_instead() {
    let source = rubric(
        "## Judge criteria\n- The code is clean and well-structured.\n- It is fast.\n- 오류를 적절히 처리한다.\n\
         - Supports PNG, JPEG etc.\n",
    );
    insta::assert_snapshot!(page(&Material { rubric: Some(&source), further_checks: 1, ..Material::default() }), @r"
        warning vague-criterion: RUBRIC.md:2:3: `clean`, `well-structured` is a matter of taste: The code is clean and well-structured. · say what a reader could point at: a rule, a limit, an example of what is refused
        warning vague-criterion: RUBRIC.md:3:3: `fast` has no measure: It is fast. · name the number and what is measured: `p95 below 200 ms`
        warning vague-criterion: RUBRIC.md:4:3: `적절` refers to what is written nowhere: 오류를 적절히 처리한다. · write the expectation itself: what goes in, what comes out
        warning vague-criterion: RUBRIC.md:5:3: `etc` leaves the list open: Supports PNG, JPEG etc. · list all that belongs to it
        ");
}

#[test]
fn each_of_these_is_vague() {
    for criterion in [
        "Error handling is good",
        "The API works as expected",
        "Edge cases are handled properly",
        "User-friendly output",
        "Follows best practices",
        "Nice UI",
        "응답이 빠르다",
        "코드가 깔끔하다",
        "기능이 잘 동작한다",
        "Good, where possible",
    ] {
        check(criterion, &[Rule::VagueCriterion]);
    }
}

#[test]
fn a_measure_a_quotation_or_a_fixed_phrase_makes_a_word_mean_something() {
    for criterion in [
        "Starts fast: below 50 ms",
        "The button says \"good\"",
        "The field `clean` is kept",
        "A clean build leaves no warning",
        "It fails fast on a wrong key",
        "Falls back to the last good value",
        "goodness is the class of the ranking",
        "The parser refuses an empty list",
        "응답이 빠르다: 200ms 이하",
        "The label is “Nice to meet you”",
    ] {
        check(criterion, &[]);
    }
}

#[test]
fn what_a_command_can_tell_needs_no_judge() {
    for criterion in [
        "All tests pass",
        "The build succeeds without errors.",
        "No lint errors",
        "모든 테스트가 통과한다",
        "빌드 성공",
    ] {
        check(criterion, &[Rule::CriterionRepeatsCheck]);
    }
    for criterion in [
        "New tests cover the parser",
        "Tests",
        "The test names say what is tested",
        "테스트 이름이 사실을 말한다",
    ] {
        check(criterion, &[]);
    }
}

#[test]
fn a_criterion_that_only_names_a_check_is_told() {
    let source = rubric(
        "## Checks\n- npm test\n\n## Judge criteria\n- `npm test` passes\n- cargo clippy 통과\n- npm test covers the parser\n",
    );
    let config = config("[[check]]\ncommand = \"cargo clippy\"\n");
    let material = Material { rubric: Some(&source), config: Some(&config), ..Material::default() };
    insta::assert_snapshot!(page(&material), @r"
        warning criterion-repeats-check: RUBRIC.md:5:3: the check `npm test` says this already · take it out: a judge is for what no command can tell
        warning criterion-repeats-check: RUBRIC.md:6:3: the check `cargo clippy` says this already · take it out: a judge is for what no command can tell
        ");
}

#[test]
fn a_criterion_that_stands_there_twice_is_told_once() {
    let source = rubric("## Judge criteria\n- The door is good.\n- the  door is good.\n");
    let found: Vec<String> =
        lint(&Material { rubric: Some(&source), further_checks: 1, ..Material::default() })
            .iter()
            .map(line)
            .collect();
    assert_eq!(
        found[1..],
        [
            "warning criterion-twice: RUBRIC.md:3:3: the criterion of line 2 stands here again · keep one of them"
        ]
    );
}
