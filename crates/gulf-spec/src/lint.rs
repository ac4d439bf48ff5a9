//! What is weak in the texts that say when the work is done, before anybody starts: RUBRIC.md, gulf.toml's checks,
//! gulf-align.md and the goal.
//!
//! Apart from the parsers because nothing here is wrong in form: a check that cannot fail is read well.

mod checks;
mod signal;

use crate::alignment::{self, Alignment, AlignmentProblem};
use crate::config::Config;
use crate::markdown::{MarkdownBlock, heading, item, without_comments};
use crate::problem::{Located, Problem, Weight};
use crate::progress::even;
use crate::rubric::{self, Rubric, Section};
use crate::text::{Line, Source, Span, lines};
use crate::texts::{is_prompt_skeleton, rubric_md};

pub use signal::{
    CRITERIA_SPLIT_MIN, ITERATIONS_SPLIT_MIN, LOOP_CRITERIA_MAX, SplitSignal, split, split_signals,
};

/// More findings help nobody; errors are kept first.
pub const FINDINGS_MAX: usize = 200;

/// How much of a criterion or command a message repeats.
const QUOTED_CHARS_MAX: usize = 70;

/// What is looked at; what is not there is none.
#[derive(Debug, Clone, Copy, Default)]
pub struct LintMaterial<'m> {
    /// PROMPT.md, or what was given.
    pub goal: Option<&'m Source>,
    pub rubric: Option<&'m Source>,
    /// None where the settings cannot be read, which is told by whoever read them.
    pub config: Option<&'m Config>,
    pub alignment: Option<&'m Source>,
    /// Checks that stand in none of these texts, such as `.claude/autochecks.sh`.
    pub further_checks: usize,
    /// Commands that a start would seal where no check is named.
    pub detected: &'m [String],
    /// What stands in the project's CI and task files, and a start takes only on a person's word.
    pub proposed: &'m [String],
}

/// One thing that is weak.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub rule: Rule,
    /// An error lets work pass that should not, or stops a start.
    pub weight: Weight,
    /// `RUBRIC.md:3:1`; none where something is missing.
    pub place: Option<String>,
    pub message: String,
    pub hint: Option<String>,
}

/// What a finding is about. Its name is stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Rule {
    Settings,
    /// A start would be refused.
    Start,
    Rubric,
    NoCheck,
    CommentedCheck,
    CheckCannotFail,
    CheckHidesFailure,
    Split,
    Goal,
    Alignment,
    OpenQuestion,
    AgreedCheckMissing,
}

/// Looks at everything.
pub fn lint(material: &LintMaterial<'_>) -> Vec<Finding> {
    let rubric = material.rubric.map(rubric::parse).unwrap_or_default();
    let mut findings: Vec<Finding> =
        rubric.problems.iter().map(|located| Finding::from_problem(Rule::Rubric, located)).collect();
    findings.extend(material.rubric.map(commented_findings).unwrap_or_default());
    findings.extend(checks::findings(material, &rubric));
    findings.extend(split_findings(&rubric, material.config));
    findings.extend(material.goal.and_then(goal_finding));
    if let Some(source) = material.alignment {
        findings.extend(alignment_findings(source, &alignment::parse(source), material, &rubric));
    }
    // Errors first: whoever has many findings begins with them.
    findings.sort_by_key(|finding| finding.weight != Weight::Error);
    findings.truncate(FINDINGS_MAX);
    findings
}

/// A goal that is still to be written.
fn goal_finding(source: &Source) -> Option<Finding> {
    let (visible, _) = without_comments(source.text());
    let is_said = visible.contains(char::is_alphanumeric) && !is_prompt_skeleton(source.text());
    let message = "the goal is not written yet".to_owned();
    let hint = "say what should be true when the work is done";
    (!is_said).then(|| Finding::warning(Rule::Goal, Some(source.place(Span::default())), message, hint))
}

fn split_findings(rubric: &Rubric, config: Option<&Config>) -> Vec<Finding> {
    let hint = if rubric.criteria.len() > LOOP_CRITERIA_MAX {
        "one loop after another: `gulf lint --split DIR` writes a RUBRIC.md for each"
    } else {
        "one loop after another, each with a goal of its own; the next inherits what the last decided"
    };
    let finding = |signal: SplitSignal| Finding::warning(Rule::Split, signal.place, signal.message, hint);
    split_signals(rubric.criteria.len(), config).into_iter().map(finding).collect()
}

fn alignment_findings(
    source: &Source,
    alignment: &Alignment,
    material: &LintMaterial<'_>,
    rubric: &Rubric,
) -> Vec<Finding> {
    let problems =
        alignment.problems.iter().filter(|located| located.problem != AlignmentProblem::OnlyHandoffs);
    let mut findings: Vec<Finding> =
        problems.map(|located| Finding::from_problem(Rule::Alignment, located)).collect();
    findings.extend(alignment.open_questions.iter().map(|question| {
        let message = format!("a blocking question is open: {}", quoted(&question.text));
        let hint = "write `Answer: …` below it, tick it, or remove it";
        Finding::error(Rule::OpenQuestion, Some(source.place(question.span)), message, hint)
    }));
    let named = checks::commands(material.config, rubric);
    let known = |command: &str| {
        let detected = material.detected.iter().map(String::as_str).filter(|_| named.is_empty());
        named.iter().copied().chain(detected).any(|known| even(known) == even(command))
    };
    findings.extend(alignment.checks.iter().filter(|check| !known(&check.text)).map(|check| {
        let message = format!("`{}` was agreed on but is not among the checks", quoted(&check.text));
        let hint = "put it below `## Checks` in RUBRIC.md, or into gulf.toml";
        Finding::warning(Rule::AgreedCheckMissing, Some(source.place(check.span)), message, hint)
    }));
    findings
}

impl Rule {
    /// As `--json` has it.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl Finding {
    /// What a parser said of a text.
    pub fn from_problem<P: Problem>(rule: Rule, located: &Located<P>) -> Self {
        let (problem, place) = (&located.problem, Some(located.place()));
        Self { rule, weight: problem.weight(), place, message: problem.to_string(), hint: problem.hint() }
    }

    fn error(rule: Rule, place: Option<String>, message: String, hint: &str) -> Self {
        Self { rule, weight: Weight::Error, place, message, hint: Some(hint.to_owned()) }
    }

    fn warning(rule: Rule, place: Option<String>, message: String, hint: &str) -> Self {
        Self { weight: Weight::Warning, ..Self::error(rule, place, message, hint) }
    }
}

/// One line of what a person wrote, cut where it is long.
fn quoted(text: &str) -> String {
    let line = even(text);
    if line.chars().count() <= QUOTED_CHARS_MAX {
        return line;
    }
    let kept: String = line.chars().take(QUOTED_CHARS_MAX - 1).collect();
    format!("{}…", kept.trim_end())
}

// Commands in a comment of `## Checks`: the original ran them, here they do not run.

/// Bullets in comments below `## Checks`, except those of the skeleton.
fn commented_findings(source: &Source) -> Vec<Finding> {
    let skeleton = rubric_md();
    let title = Section::Checks.heading().trim_start_matches(['#', ' ']);
    let mut findings = Vec::new();
    let mut in_checks = false;
    let mut block = MarkdownBlock::Plain;
    for line in lines(source.text()) {
        let (commented, next) = match block {
            MarkdownBlock::Comment { .. } => {
                let is_known = skeleton.lines().any(|known| known == line.text);
                (Some(line.text).filter(|_| !is_known), block.after(line.text))
            }
            MarkdownBlock::Code { .. } => (None, block.after(line.text)),
            MarkdownBlock::Plain => {
                if let Some(heading) = heading(line.text).filter(|heading| heading.level == 2) {
                    in_checks = heading.title.eq_ignore_ascii_case(title);
                }
                let opened = MarkdownBlock::opened_by(line);
                (line.text.trim().strip_prefix("<!--"), opened.unwrap_or(block))
            }
        };
        let command = commented.filter(|_| in_checks).and_then(command_of);
        findings.extend(command.map(|command| finding(source, line, command)));
        block = next;
    }
    findings
}

fn command_of(text: &str) -> Option<&str> {
    let text = text.split_once("-->").map_or(text, |(before, _)| before);
    item(text)
}

fn finding(source: &Source, line: Line<'_>, command: &str) -> Finding {
    Finding::warning(
        Rule::CommentedCheck,
        Some(source.place(line.span_of(line.text.trim()))),
        format!("`{}` is in a comment and is not run", quoted(command)),
        "move it out of the comment, or remove it",
    )
}

#[cfg(test)]
mod tests;
