//! What people write into RUBRIC.md, right and wrong.

use proptest::prelude::*;

use std::num::NonZeroU32;

use super::{Rubric, parse};
use crate::problem::tests::rendered;
use crate::text::Source;

const FULL: &str = "---
# who judges
model: claude-opus-4-6   # the large one
hitl_threshold: 5
---

# Rubric

Some words before.

## Checks
# a remark: commands with output that says something
- npm test
- `npx tsc --noEmit`
- [ -f dist/index.js ]
- grep -c '<!-- built -->' dist/index.html

## Judge criteria
- 모든 함수는 단일하고 명확한 책임을 갖는다.
- Errors are explicit <!-- see ADR 7 -->
  and never swallowed.
<!-- - Commented out. -->
<!--
- Commented out too.
## Checks
- rm -rf /
-->

## Notes
- not a criterion
";

fn read(text: &str) -> Rubric {
    parse(&Source::new("RUBRIC.md", text))
}

fn texts(items: &[super::Item]) -> Vec<&str> {
    items.iter().map(|item| item.text.as_str()).collect()
}

/// Checks, criteria and problems with hints of a text.
fn page(text: &str) -> String {
    let rubric = read(text);
    let mut lines = vec![
        format!("checks: {:?}", texts(&rubric.checks)),
        format!("criteria: {:?}", texts(&rubric.criteria)),
    ];
    for problem in &rubric.problems {
        let weight = if rubric.errors().any(|error| error == problem) { "error" } else { "warning" };
        let hint = miette::Diagnostic::help(problem).map_or(String::new(), |hint| hint.to_string());
        lines.push(format!("{} {weight}: {problem} · {hint}", problem.place()));
    }
    lines.join("\n")
}

// proves: G6
#[test]
fn a_full_rubric_is_read_without_problems() {
    let rubric = read(FULL);
    assert_eq!(rubric.problems, []);
    assert_eq!(rubric.model.map(|model| model.text).as_deref(), Some("claude-opus-4-6"));
    assert_eq!(rubric.hitl_threshold, NonZeroU32::new(5));
    let checks =
        ["npm test", "npx tsc --noEmit", "[ -f dist/index.js ]", "grep -c '<!-- built -->' dist/index.html"];
    assert_eq!(texts(&rubric.checks), checks);
    assert_eq!(rubric.checks[0].line, 13);
    let criteria = ["모든 함수는 단일하고 명확한 책임을 갖는다.", "Errors are explicit and never swallowed."];
    assert_eq!(texts(&rubric.criteria), criteria);
}

#[test]
fn spans_are_the_bytes_of_the_items() {
    let rubric = read(FULL);
    for check in &rubric.checks {
        assert_eq!(&FULL[check.span.start..check.span.end], check.text);
    }
}

#[test]
fn carriage_returns_and_a_byte_order_mark_change_nothing() {
    let windows = read(&format!("\u{feff}{}", FULL.replace('\n', "\r\n")));
    assert_eq!(windows.problems, []);
    assert_eq!(texts(&windows.checks), texts(&read(FULL).checks));
    assert_eq!(texts(&windows.criteria), texts(&read(FULL).criteria));
}

#[test]
fn headings_match_in_any_case_and_sections_may_come_twice() {
    insta::assert_snapshot!(page("## CHECKS\n- a\n## judge Criteria ##\n- c\n## checks\n- b\n"), @r#"
        checks: ["a", "b"]
        criteria: ["c"]
        "#);
}

#[test]
fn a_near_miss_heading_is_a_problem_and_its_section_does_not_count() {
    insta::assert_snapshot!(
        page("## Check\n- a\n### Checks\n- b\n# checks\n- c\n##Checks\n- d\n## Criteria\n- e\n## Judge criterias\n- f\n## Changelog\n- g\n"),
        @r#"
        checks: []
        criteria: []
        RUBRIC.md:1:1 error: the heading `## Check` is not `## Checks`, so its section does not count · write `## Checks`
        RUBRIC.md:3:1 error: the heading `### Checks` is not `## Checks`, so its section does not count · write `## Checks`
        RUBRIC.md:5:1 error: the heading `# checks` is not `## Checks`, so its section does not count · write `## Checks`
        RUBRIC.md:7:1 error: the heading `##Checks` is not `## Checks`, so its section does not count · write `## Checks`
        RUBRIC.md:9:1 error: the heading `## Criteria` is not `## Judge criteria`, so its section does not count · write `## Judge criteria`
        RUBRIC.md:11:1 error: the heading `## Judge criterias` is not `## Judge criteria`, so its section does not count · write `## Judge criteria`
        "#
    );
}

#[test]
fn what_is_no_command_is_not_run_and_not_dropped_in_silence() {
    insta::assert_snapshot!(
        page("## Checks\n```sh\nnpm test\n```\n* star\n1. one\n  - nested\n- [ ] box\n-\n-dash\n- make \\\n  all\n- The tests pass: `npm test`\n- RUST_LOG=debug cargo test --all -- --nocapture x\nprose is a remark\n---\n- <!-- npm run gone -->\n"),
        @r#"
        checks: ["make \\", "The tests pass: `npm test`", "RUST_LOG=debug cargo test --all -- --nocapture x"]
        criteria: []
        RUBRIC.md:2:1 error: a code block in `## Checks` does not count · write each command as a line `- command`
        RUBRIC.md:5:1 error: this does not count: a check begins with `- ` at the left margin · begin the line with `- `
        RUBRIC.md:6:1 error: this does not count: a check begins with `- ` at the left margin · begin the line with `- `
        RUBRIC.md:7:3 error: this does not count: a check begins with `- ` at the left margin · begin the line with `- `
        RUBRIC.md:8:3 error: a checkbox is not a command · write `- command` without the box
        RUBRIC.md:9:1 warning: an empty item · remove it, or write what it should say
        RUBRIC.md:10:1 error: this does not count: a check begins with `- ` at the left margin · begin the line with `- `
        RUBRIC.md:12:3 error: a check is one line, so this line does not count · join the lines with `&&`, or put them into a script
        RUBRIC.md:13:3 warning: this looks like a sentence, and will be run as a command · move it to `## Judge criteria`, or write the command alone
        "#
    );
}

#[test]
fn what_is_wrong_in_the_front_matter_is_pointed_at() {
    insta::assert_snapshot!(
        page("---\nmodl: x\nhitl_threshold: 0\nhitl_threshold: \"7\"\njust words\nmodel:\ntemperature: 1\n---\n## Checks\n- a\n"),
        @r#"
        checks: ["a"]
        criteria: []
        RUBRIC.md:2:1 error: unknown key `modl` in the front matter · did you mean `model`?
        RUBRIC.md:3:17 error: `hitl_threshold` must be a whole number from 1, not `0` · write for example `hitl_threshold: 5`
        RUBRIC.md:4:1 error: the front matter says `hitl_threshold` twice · keep one of them
        RUBRIC.md:5:1 error: not a line `key: value` · write `key: value`, or `# …` for a comment
        RUBRIC.md:7:1 error: unknown key `temperature` in the front matter · known are `model` and `hitl_threshold`
        "#
    );
}

#[test]
fn what_is_not_closed_swallows_nothing_in_silence() {
    insta::assert_snapshot!(page("---\nmodel: x\n## Checks\n- a\n"), @r#"
        checks: ["a"]
        criteria: []
        RUBRIC.md:1:1 error: the front matter is not closed · close it with a line `---`
        "#);
    insta::assert_snapshot!(page("## Checks\n- a\n<!-- gone\n- b\n"), @r#"
        checks: ["a"]
        criteria: []
        RUBRIC.md:3:1 error: the comment is not closed, so nothing after it counts · close it with `-->`
        "#);
    insta::assert_snapshot!(page("## Judge criteria\n- a <!-- gone\n- b\n"), @r#"
        checks: []
        criteria: ["a"]
        RUBRIC.md:2:1 error: the comment is not closed, so nothing after it counts · close it with `-->`
        "#);
    insta::assert_snapshot!(page("~~~\n## Checks\n- a\n"), @r#"
        checks: []
        criteria: []
        RUBRIC.md:1:1 error: the code block is not closed, so nothing after it counts · close it with the same fence
        "#);
}

#[test]
fn a_problem_is_rendered_with_its_line() {
    insta::assert_snapshot!(rendered(&read("## Check\n- npm test\n").problems[0]), @r#"
         x the heading `## Check` is not `## Checks`, so its section does not count
          ,-[RUBRIC.md:1:1]
        1 | ## Check
          : ^^^^^^^^
        2 | - npm test
          `----
         help: write `## Checks`
        "#);
}

#[test]
fn a_code_block_ends_at_a_fence_as_long_as_its_own_and_alone() {
    let ends = |fence: &str| read(&format!("````\n{fence}\n## Checks\n- a\n")).checks.len() == 1;
    assert!(ends("````") && ends("`````  "));
    assert!(!ends("```") && !ends("```` sh") && !ends("~~~~"));
}

#[test]
fn a_code_span_of_three_backticks_opens_no_block() {
    assert_eq!(texts(&read("```npm test``` comes first\n## Checks\n- a\n").checks), ["a"]);
    assert_eq!(texts(&read("~~~ a`b\n~~~\n## Checks\n- a\n").checks), ["a"]);
}

#[test]
fn a_remark_is_no_bullet_and_a_number_with_a_bracket_is() {
    let problems = |line: &str| read(&format!("## Checks\n{line}\n")).problems.len();
    assert_eq!([problems(". dot"), problems(") bracket"), problems("10 things"), problems("1.5 s")], [0; 4]);
    assert_eq!([problems("1) one"), problems("10. ten"), problems("+ plus")], [1; 3]);
}

#[test]
fn a_sentence_among_the_checks_is_told_from_a_command() {
    let prose = |line: &str| read(&format!("## Checks\n- {line}\n")).problems.len() == 1;
    assert!(
        prose("All tests pass.") && prose("Run `npm test` first") && prose("모든 테스트가 통과해야 한다.")
    );
    assert!(prose("Every function has one responsibility"));
    for command in
        ["npm test", "Rscript tests/run.R --all", "CI=1 npm run test -- a b c", "./Build all the things."]
    {
        assert!(!prose(command), "{command}");
    }
}

#[test]
fn any_number_of_warnings_leaves_room_for_an_error() {
    let rubric = read(&format!("## Checks\n{}* star\n", "-\n".repeat(10_000)));
    assert_eq!(rubric.errors().count(), 1);
    assert_eq!(rubric.problems.len(), 51);
}

#[test]
fn a_rubric_cut_at_any_byte_never_runs_more_than_the_whole_one() {
    let whole = read(FULL);
    for cut in (0..FULL.len()).filter(|cut| FULL.is_char_boundary(*cut)) {
        let rubric = read(&FULL[..cut]);
        assert!(rubric.checks.len() <= whole.checks.len(), "{cut}");
        for (check, full) in rubric.checks.iter().zip(&whole.checks) {
            let cut_backtick = format!("`{}", full.text);
            assert!(full.text.starts_with(&check.text) || cut_backtick.starts_with(&check.text), "{cut}");
        }
    }
}

proptest! {
    #[test]
    fn any_text_gives_a_rubric_and_renderable_problems(text in any::<String>()) {
        read(&text).problems.iter().for_each(|problem| { rendered(problem); });
    }

    #[test]
    fn any_mix_of_lines_is_survived(lines in proptest::collection::vec(
        prop_oneof![
            Just("---"), Just("## Checks"), Just("## Judge criteria"), Just("- é `"), Just("-"), Just("```"), Just("<!--"),
            Just("-->"), Just("  more"), Just("- a <!-- b --> c <!--"), Just("#"), Just("model: 'x"), Just("~~~~"), Just("- `` `"),
        ], 0..12)) {
        let rubric = read(&lines.join("\n"));
        for problem in &rubric.problems {
            rendered(problem);
        }
        for item in rubric.checks.iter().chain(&rubric.criteria) {
            prop_assert!(!item.text.is_empty());
        }
    }
}
