//! What is found in texts as people write them.

mod checks;
mod splits;

use proptest::prelude::*;

use super::{Finding, LintMaterial, Rule, lint};
use crate::config::{self, Config, SettingLayers};
use crate::problem::Weight;
use crate::text::Source;
use crate::texts::{prompt_md, rubric_md};

/// Settings that a project's gulf.toml gives.
fn config(toml: &str) -> Config {
    config::load(&SettingLayers { project: Some(Source::new("gulf.toml", toml)), ..SettingLayers::default() })
        .unwrap()
}

fn rubric(text: &str) -> Source {
    Source::new("RUBRIC.md", text)
}

/// A finding as a person reads it.
fn line(finding: &Finding) -> String {
    let weight = match finding.weight {
        Weight::Error => "error",
        Weight::Warning => "warning",
    };
    let place = finding.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
    let hint = finding.hint.as_deref().unwrap_or("no hint");
    format!("{weight} {}: {place}{} · {hint}", finding.rule.name(), finding.message)
}

fn page(material: &LintMaterial<'_>) -> String {
    lint(material).iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The rules that a rubric breaks, beside a check.
fn rules(text: &str) -> Vec<Rule> {
    let source = rubric(text);
    lint(&LintMaterial { rubric: Some(&source), further_checks: 1, ..LintMaterial::default() })
        .into_iter()
        .map(|finding| finding.rule)
        .collect()
}

#[test]
fn nothing_at_all_has_no_check() {
    insta::assert_snapshot!(page(&LintMaterial::default()), @r"
        error no-check: no check: nothing can tell whether the work is done · `gulf init` looks for checks and writes them down
        ");
}

#[test]
fn what_init_writes_lacks_only_what_a_person_must_say() {
    let (rubric, goal) = (rubric(&rubric_md()), Source::new("PROMPT.md", &prompt_md()));
    let detected = ["cargo test".to_owned()];
    let material = LintMaterial {
        rubric: Some(&rubric),
        goal: Some(&goal),
        detected: &detected,
        ..LintMaterial::default()
    };
    insta::assert_snapshot!(page(&material), @r"
        warning no-check: no check is named; a start would take what it finds: cargo test · `gulf init` looks for checks and writes them down
        warning goal: PROMPT.md:1:1: the goal is not written yet · say what should be true when the work is done
        ");
}

#[test]
fn a_good_rubric_has_no_finding() {
    let source = rubric(
        "## Checks\n- npm test\n- grep -q 'a|tee' log && ! grep -r TODO src\n\n## Judge criteria\n\
         - Every function has one clear responsibility.\n- Errors are explicit: no empty catch block.\n\
         - The page loads fast: below 200 ms at p95.\n- The working tree is clean after `make`.\n\
         - 모든 함수는 단일하고 명확한 책임을 갖는다.\n- 로그인 실패 시 401을 돌려준다.\n",
    );
    let config = config("[[check]]\ncommand = \"npm run lint\"\n");
    let goal = Source::new("PROMPT.md", "Make the login better and cleaner");
    let material = LintMaterial {
        rubric: Some(&source),
        goal: Some(&goal),
        config: Some(&config),
        ..LintMaterial::default()
    };
    assert_eq!(page(&material), "");
}

#[test]
fn what_the_parser_of_the_rubric_says_is_told_once() {
    let source =
        rubric("## Check\n- npm test\n\n## Checks\n* npm test\n- The tests all pass, as they should do.\n");
    let material = LintMaterial { rubric: Some(&source), further_checks: 1, ..LintMaterial::default() };
    insta::assert_snapshot!(page(&material), @r"
        error rubric: RUBRIC.md:1:1: the heading `## Check` is not `## Checks`, so its section does not count · write `## Checks`
        error rubric: RUBRIC.md:5:1: this does not count: a check begins with `- ` at the left margin · begin the line with `- `
        warning rubric: RUBRIC.md:6:3: this looks like a sentence, and will be run as a command · move it to `## Judge criteria`, or write the command alone
        ");
}

#[test]
fn a_command_in_a_comment_is_told_and_the_skeletons_example_is_not() {
    let source = rubric(
        "## Checks\n- make\n<!-- - npm test -->\n<!--\n- npm run e2e\n- npm run lint -->\n```\n<!--\n```\n\
         ## Judge criteria\n<!--\n- The door is blue.\n-->\n",
    );
    let material = LintMaterial { rubric: Some(&source), ..LintMaterial::default() };
    insta::assert_snapshot!(page(&material), @r"
        error rubric: RUBRIC.md:7:1: a code block in `## Checks` does not count · write each command as a line `- command`
        warning commented-check: RUBRIC.md:3:1: `npm test` is in a comment and is not run · move it out of the comment, or remove it
        warning commented-check: RUBRIC.md:6:1: `npm run lint` is in a comment and is not run · move it out of the comment, or remove it
        ");
}

// proves: G12
#[test]
fn open_questions_and_agreed_checks_are_told() {
    let alignment = Source::new(
        ".claude/gulf-align.md",
        "## Specification\na form\n## Process\nstore first\n## Evaluation\n- **Machine checks**: `npm test`, `tsc`\n\
         ## Gap check\n- **Blocking questions**:\n  - Which hash?\n  - [x] Which port?\n",
    );
    let source = rubric("## Checks\n- npm  test\n");
    let material =
        LintMaterial { rubric: Some(&source), alignment: Some(&alignment), ..LintMaterial::default() };
    insta::assert_snapshot!(page(&material), @r"
        error open-question: .claude/gulf-align.md:9:1: a blocking question is open: Which hash? · write `Answer: …` below it, tick it, or remove it
        warning agreed-check-missing: .claude/gulf-align.md:6:36: `tsc` was agreed on but is not among the checks · put it below `## Checks` in RUBRIC.md, or into gulf.toml
        ");
    let handoff = Source::new("gulf-align.md", &crate::alignment::handoff("", "t", 1));
    let material =
        LintMaterial { rubric: Some(&source), alignment: Some(&handoff), ..LintMaterial::default() };
    assert_eq!(page(&material), "");
}

#[test]
fn a_goal_that_says_nothing_yet_is_told() {
    for text in ["<!-- -->\n\n", "# \n<!-- soon", &prompt_md()] {
        let goal = Source::new("PROMPT.md", text);
        let told = page(&LintMaterial { goal: Some(&goal), further_checks: 1, ..LintMaterial::default() });
        assert!(told.starts_with("warning goal: PROMPT.md:1:1: the goal is not written yet · "), "{told}");
    }
}

proptest! {
    #[test]
    fn whatever_stands_in_the_texts_is_looked_at(
        rubric_text in any::<String>(), goal in any::<String>(), alignment in any::<String>()
    ) {
        let (source, goal) = (rubric(&rubric_text), Source::new("PROMPT.md", &goal));
        let alignment = Source::new("gulf-align.md", &alignment);
        lint(&LintMaterial { rubric: Some(&source), goal: Some(&goal), alignment: Some(&alignment), ..LintMaterial::default() });
    }

    #[test]
    fn whatever_is_mixed_is_looked_at_and_every_finding_says_something(
        parts in proptest::collection::vec(prop_oneof![
            Just("## Checks\n"), Just("## Judge criteria\n"), Just("- "), Just("a | tee b"), Just("|| true"),
            Just("<!--"), Just("-->"), Just("`"), Just("\n"), Just("good "), Just("İ"), Just("적절히 "), Just("'"),
            Just("tests pass"), Just("clean"), Just("clean up "), Just("“"), Just("\\"), Just("("), Just("&"),
        ], 0..24)
    ) {
        let source = rubric(&parts.concat());
        for finding in lint(&LintMaterial { rubric: Some(&source), ..LintMaterial::default() }) {
            prop_assert!(!finding.message.is_empty() && finding.hint.is_some());
        }
    }
}
