//! What people and agents write into gulf-align.md, in English and in Korean, right and wrong.

mod checks;
mod handoffs;
mod questions;

use proptest::prelude::*;

use super::{Alignment, Section, parse, skeleton};
use crate::problem::Problem;
use crate::text::Source;

const FULL: &str = "\
# Alignment: login

## Specification Alignment
*What I understand the goal to be.*

- **Goal**: a login form whose sessions survive a restart
- **Deliverables**: form, session store, tests
- **Out of scope**: password reset

## Process Alignment
- **Approach**: the store first, because the form needs it
- **Sequence**: store → form → tests
- **Stack assumptions**: node 22, vitest

## Evaluation Alignment
- **Machine checks**: [`npm test`, `tsc --noEmit`, `npm run lint`]
- **Behavioral checks**: logging in twice keeps one session
- **Edge cases**: empty password

## Gulf of Envisioning — Gap Check
- **Capability gaps**: none
- **Instruction gaps**: \"survive\" is not measured anywhere
- **Intentionality gaps**: layout of the form
- **Blocking questions**: none

## Loop completed — 2026-02-28 14:22:11 | iteration 23

ORIGINAL_GOAL: a login form
DECISIONS:
- chose: argon2id, rejected: bcrypt
CONFIDENCE: 80
";

const KOREAN: &str = "\
## 명세 정렬
- **목표**: 로그인 폼
- **산출물**: 폼, 세션 저장소

## 프로세스 정렬
- **접근법**: 저장소부터

## 평가 정렬
- **기계 검사**: `npm test`, `npm run lint`

## 예지 차 — 갭 점검
- **능력 갭**: 없음
- **지시 갭**: 없음
- **블로킹 질문**: 없음
";

fn read(text: &str) -> Alignment {
    parse(&Source::new("gulf-align.md", text))
}

/// Open questions, checks and problems of a text.
fn page(text: &str) -> String {
    let alignment = read(text);
    let mut lines: Vec<String> = alignment
        .open_questions
        .iter()
        .map(|question| format!("{}: open: {}", question.line, question.text))
        .chain(alignment.checks.iter().map(|check| format!("{}: check: {}", check.line, check.text)))
        .collect();
    for located in &alignment.problems {
        let hint = located.problem.hint().unwrap_or_default();
        lines.push(format!("{}: {located} · {hint}", located.place()));
    }
    lines.join("\n")
}

/// The first three sections, then the gap check that a test is about.
fn with_gaps(gaps: &str) -> String {
    let (before, _) = FULL.split_once("- **Capability gaps**").unwrap();
    format!("{before}{gaps}")
}

// proves: G12
#[test]
fn a_full_alignment_is_aligned_in_both_languages() {
    for text in [FULL, KOREAN] {
        for text in [text.to_owned(), format!("\u{feff}{}", text.replace('\n', "\r\n"))] {
            let alignment = read(&text);
            assert_eq!(alignment.problems, []);
            assert_eq!(alignment.sections, Section::ALL);
            assert!(alignment.is_aligned() && alignment.open_questions.is_empty(), "{text}");
        }
    }
}

#[test]
fn every_section_that_is_missing_or_empty_is_named() {
    insta::assert_snapshot!(page("## Process alignment\nfast\n## Gap check\n"), @r"
        gulf-align.md:1:1: the section `## Specification alignment` is missing · write `## Specification alignment` and what you agreed on
        gulf-align.md:1:1: the section `## Evaluation alignment` is missing · write `## Evaluation alignment` and what you agreed on
        gulf-align.md:3:1: the section `## Gap check` is empty · fill it in; what stands in a comment does not count
        ");
}

#[test]
fn the_skeleton_says_nothing_yet() {
    insta::assert_snapshot!(page(&skeleton()), @r"
        gulf-align.md:6:1: the section `## Specification alignment` is empty · fill it in; what stands in a comment does not count
        gulf-align.md:13:1: the section `## Process alignment` is empty · fill it in; what stands in a comment does not count
        gulf-align.md:20:1: the section `## Evaluation alignment` is empty · fill it in; what stands in a comment does not count
        gulf-align.md:27:1: the section `## Gap check` is empty · fill it in; what stands in a comment does not count
        ");
    assert!(!read(&skeleton()).is_aligned());
}

#[test]
fn the_skeleton_filled_in_is_aligned() {
    let filled = skeleton()
        .replace("- **Goal**:\n", "- **Goal**: a login form\n")
        .replace("- **Approach**:\n", "- **Approach**: the store first\n")
        .replace("- **Machine checks**:\n", "- **Machine checks**:\n  - `npm test`\n")
        .replace("- **Blocking questions**:\n", "- **Blocking questions**: none\n");
    assert_eq!(page(&filled), "24: check: npm test");
    assert!(read(&filled).is_aligned());
}

#[test]
fn a_near_miss_is_told_and_prose_headings_are_not() {
    insta::assert_snapshot!(page(&FULL.replace("## Process Alignment", "## Proces Aligment")), @r"
        16: check: npm test
        16: check: tsc --noEmit
        16: check: npm run lint
        gulf-align.md:10:1: the heading `## Proces Aligment` is not `## Process alignment`, so its section does not count · write `## Process alignment`
        ");
    assert_eq!(page(&format!("# Login\n## Background\n{KOREAN}")), page(KOREAN).replace("9:", "11:"));
}

#[test]
fn what_is_not_closed_is_told() {
    insta::assert_snapshot!(page(&FULL.replace("- **Edge cases**", "<!-- - **Edge cases**")), @r"
        16: check: npm test
        16: check: tsc --noEmit
        16: check: npm run lint
        gulf-align.md:1:1: the section `## Gap check` is missing · write `## Gap check` and what you agreed on
        gulf-align.md:18:1: the comment is not closed, so nothing after it counts · close it with `-->`
        ");
    insta::assert_snapshot!(page(&with_gaps("```\n- **Blocking questions**: which hash?\n")), @r"
        16: check: npm test
        16: check: tsc --noEmit
        16: check: npm run lint
        gulf-align.md:20:1: it does not say whether questions are open · write `- **Blocking questions**: none`, or one question a line below it
        gulf-align.md:21:1: the code block is not closed, so nothing after it counts · close it with the same fence
        ");
}

#[test]
fn the_template_left_as_it_is_is_told() {
    insta::assert_snapshot!(
        page(&FULL.replace("a login form whose sessions survive a restart", "[one sentence — the core deliverable]")),
        @r"
            16: check: npm test
            16: check: tsc --noEmit
            16: check: npm run lint
            gulf-align.md:6:1: `Goal` still says what the template says · replace it by what you agreed on
            ");
}

proptest! {
    #[test]
    fn whatever_stands_there_is_read(text in any::<String>()) {
        for located in &read(&text).problems {
            prop_assert!(!located.place().is_empty());
        }
    }

    #[test]
    fn whatever_is_mixed_is_read_and_every_place_lies_in_the_text(
        parts in proptest::collection::vec(prop_oneof![
            Just("## Gap check\n"), Just("### Blocking questions\n"), Just("- **Blocking questions**:"),
            Just("- [ ] 무엇? "), Just("  - Answer: "), Just("Answer:"), Just("`a`, ``b`` "), Just("```\n"),
            Just("<!--"), Just("-->"), Just("\n"), Just("| a | b |\n"), Just("~~"), Just("**"), Just(":"),
            Just("## Loop completed — | iteration 7\n"), Just("## Evaluation\n"), Just("- Machine checks - "),
            Just("İ"), Just("？"), Just("\t"), Just("[x] "), Just("없음"),
        ], 0..24)
    ) {
        let text = parts.concat();
        let alignment = read(&text);
        for question in &alignment.open_questions {
            prop_assert!(text.get(question.span.start..question.span.end).is_some());
            prop_assert!(!question.text.trim().is_empty());
        }
        for check in &alignment.checks {
            prop_assert!(text.get(check.span.start..check.span.end).is_some() && !check.text.is_empty());
        }
    }
}
