//! Fills the templates of the prompt.
//!
//! Apart from the types because it alone speaks to the template engine; nothing outside sees its values.

mod context;

use std::collections::BTreeMap;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{Environment, ErrorKind, UndefinedBehavior};

use super::{
    Advice, BranchCheckout, BranchTold, CheckEnd, Fix, FollowUpBrief, IterationBrief, LandingBrief, Portion,
    ResearchBlock, StepBrief, TAIL_CHARACTERS_MAX, THOUGHT_CHARACTERS_MAX, Template, TemplateError,
    TemplateProblem, Thought, VersionControl, notepad, own_steps, task,
};
use crate::problem::Located;
use crate::progress::{BriefGap, CONFIDENCE_MIN, LINES_MAX};
use crate::quantity::print_duration;
use crate::text::{Source, Span, floor_boundary, lines};
use crate::thoughts::TriedBefore;
use gulf_engine::Step;

const ITERATION: &str = include_str!("../../templates/iteration.md");
const RESEARCH: &str = include_str!("../../templates/research.md");
const FRAMEWORK: &str = include_str!("../../templates/framework.md");
const BRANCH: &str = include_str!("../../templates/branch.md");
const SESSION: &str = include_str!("../../templates/session.md");
const LANDING: &str = include_str!("../../templates/landing.md");
const STEP: &str = include_str!("../../templates/step.md");
const FEEDBACK: &str = include_str!("../../templates/feedback.md");
const ORIENTATION: &str = include_str!("../../templates/orientation.md");
const FOLLOW_UP: &str = include_str!("../../templates/follow-up.md");

/// Steps of the template engine: far more than any prompt needs, far less than a person would wait for.
const STEPS_MAX: u64 = 1_000_000;

/// Bytes of one tag, and tags of one template. The engine reads a chain of operators, and one of `elif`, by a
/// recursion without a limit: a longer one overflows the stack, which nothing can catch.
const TAG_BYTES_MAX: usize = 1_000;
const TAGS_MAX: usize = 500;

/// Paths of the person's unfinished work that are named one by one.
const DIRTY_PATHS_MAX: usize = 20;

/// Paths that were changed so far and are named one by one.
const CHANGED_PATHS_MAX: usize = 20;

/// Of what was to change before an earlier iteration: enough to know it again.
const CHANGE_CHARACTERS_MAX: usize = 400;

type Values = BTreeMap<&'static str, Value>;

pub(super) fn iteration(brief: &IterationBrief, template: Template<'_>) -> Result<String, TemplateError> {
    let mut values = values(brief);
    let research = research(brief, &values)?;
    values.insert("research", Value::from(research));
    values.insert("orientation", Value::from(orientation(brief)?));
    values.insert("branch", Value::from(branch(brief)?));
    values.insert("context", Value::from(context::block(&brief.context)?));
    values.insert("notepad", Value::from(notepad::block(brief.notepad.as_ref())?));
    values.insert("own_steps", Value::from(own_steps::block(brief.own_steps.as_ref())?));
    let task = task::text(brief)?;
    values.insert("task", Value::from(task.clone()));
    values.insert("framework", Value::from(framework(brief)?));
    let built_in;
    let source = match template {
        Template::BuiltIn => {
            built_in = Source::new("iteration.md", ITERATION);
            &built_in
        }
        Template::Project(source) => source,
    };
    let mut prompt = fill(source, values)?;
    // A template of one's own may know nothing of lists.
    if let Some(task) = task.filter(|task| !prompt.contains(task.as_str())) {
        prompt.push_str(&format!("\n\n{task}\n"));
    }
    if prompt.contains(brief.goal.as_str()) {
        return Ok(prompt);
    }
    Err(Located { problem: TemplateProblem::GoalMissing, source: source.clone(), span: (0..0).into() })
}

pub(super) fn framework(brief: &IterationBrief) -> Result<String, TemplateError> {
    let mut values = values(brief);
    values.insert("planned", Value::from(brief.portion == Portion::Plan));
    fill(&Source::new("framework.md", FRAMEWORK), values)
}

pub(super) fn session(brief: &IterationBrief, brief_path: &str) -> Result<String, TemplateError> {
    let mut values = values(brief);
    values.insert("brief_path", Value::from(brief_path));
    values.insert("news", Value::from(news(brief)));
    fill(&Source::new("session.md", SESSION), values)
}

/// What is new since the last stop, in a few words: hosts show them to the person, some of them twice to the model.
fn news(brief: &IterationBrief) -> String {
    let mut news = Vec::new();
    if !brief.notes.is_empty() {
        news.push("the person has said something".to_owned());
    }
    if let ResearchBlock::Gate { gaps, attempt, .. } = &brief.research
        && *attempt > 1
        && !gaps.is_empty()
    {
        news.push("the research brief in progress.txt is not complete".to_owned());
    }
    news.extend(brief.fixes.first().map(title));
    if brief.fixes.len() > 1 {
        news.push(format!("{} more to fix", brief.fixes.len() - 1));
    }
    if !brief.advice.is_empty() {
        news.push("change the approach".to_owned());
    }
    news.join("; ")
}

fn title(fix: &Fix) -> String {
    match fix {
        Fix::CheckFailed { name, end, .. } => format!("check `{name}` {}", check_end(end)),
        Fix::Refused { gate, .. } => format!("refused by {gate}"),
        Fix::LeftOut { step, .. } => format!("step {step} of the plan stays out"),
    }
}

pub(super) fn follow_up(brief: &FollowUpBrief) -> Result<String, TemplateError> {
    let values = BTreeMap::from([
        ("completion_promise", Value::from(brief.completion_promise.as_str())),
        ("checks", Value::from(brief.checks)),
        ("list", Value::from(brief.list.clone())),
        ("fixes", fixes(&brief.fixes)),
    ]);
    fill(&Source::new("follow-up.md", FOLLOW_UP), values)
}

pub(super) fn step(brief: &StepBrief) -> Result<String, TemplateError> {
    let values = BTreeMap::from([
        ("goal", Value::from(brief.goal.as_str())),
        ("step", Value::from(brief.step.word())),
        ("iteration", Value::from(brief.iteration)),
        ("side_by_side", Value::from(brief.side_by_side)),
        ("own", Value::from(brief.own.clone())),
        ("gaps", list(brief.gaps.iter().cloned())),
        ("tried", list(brief.tried.iter().map(tried_line))),
        ("notes", list(brief.notes.iter().cloned())),
        ("fixes", fixes(&brief.fixes)),
        ("thoughts", thoughts(&brief.thoughts)),
        ("notepad", Value::from(notepad::block(brief.notepad.as_ref())?)),
    ]);
    fill(&Source::new("step.md", STEP), values)
}

pub(super) fn feedback(all: &[Fix], advice: &[Advice]) -> Result<String, TemplateError> {
    let advice = list(advice.iter().map(|advice| advice_line(*advice)));
    fill(&Source::new("feedback.md", FEEDBACK), BTreeMap::from([("fixes", fixes(all)), ("advice", advice)]))
}

pub(super) fn landing(brief: &LandingBrief) -> Result<String, TemplateError> {
    let values = BTreeMap::from([
        ("base", Value::from(brief.base.as_str())),
        ("tip", Value::from(brief.tip.as_str())),
        ("goal", Value::from(brief.goal.as_str())),
        ("others", list(brief.others.iter().cloned())),
        ("others_more", Value::from(brief.others_more)),
        ("what", Value::from(brief.what.as_str())),
        ("paths", list(brief.paths.iter().cloned())),
        ("folder", Value::from(brief.folder.clone())),
        ("has_files", Value::from(brief.has_files)),
    ]);
    fill(&Source::new("landing.md", LANDING), values)
}

fn research(brief: &IterationBrief, values: &Values) -> Result<Option<String>, TemplateError> {
    let (gate, gaps, attempt, attempts_max) = match &brief.research {
        ResearchBlock::Nothing => return Ok(None),
        ResearchBlock::Inline { gaps } => (false, gaps, 0, 0),
        ResearchBlock::Gate { gaps, attempt, attempts_max } => (true, gaps, *attempt, *attempts_max),
    };
    let mut values = values.clone();
    values.insert("gate", Value::from(gate));
    values.insert("gaps", list(gaps.iter().map(BriefGap::to_string)));
    values.insert("attempt", Value::from(attempt));
    values.insert("attempts_max", Value::from(attempts_max));
    fill(&Source::new("research.md", RESEARCH), values).map(Some)
}

fn branch(brief: &IterationBrief) -> Result<Option<String>, TemplateError> {
    let Some(BranchTold { name, base, checkout, worker }) = &brief.branch else { return Ok(None) };
    let values = BTreeMap::from([
        ("own", Value::from(name.as_str())),
        ("base", Value::from(base.as_str())),
        ("apart", Value::from(*checkout == BranchCheckout::Own)),
        ("worker", Value::from(worker.as_ref().map(|worker| worker.number))),
        ("workers", Value::from(worker.as_ref().map(|worker| worker.of))),
        ("strategy", Value::from(worker.as_ref().map(|worker| worker.strategy.trim()))),
    ]);
    fill(&Source::new("branch.md", BRANCH), values).map(Some)
}

/// Everything but the texts that are made from it.
fn values(brief: &IterationBrief) -> Values {
    let (git, dirty_paths) = match &brief.repository {
        VersionControl::Git { dirty_paths } => (true, dirty_paths.as_slice()),
        VersionControl::ReadOnly => (true, &[][..]),
        VersionControl::Without => (false, &[][..]),
    };
    let milestone_at = match brief.milestone_every {
        0 => 0,
        every => u64::from(brief.iteration.div_ceil(every)) * u64::from(every),
    };
    BTreeMap::from([
        ("goal", Value::from(brief.goal.as_str())),
        ("iteration", Value::from(brief.iteration)),
        ("iterations_max", Value::from(brief.iterations_max)),
        ("attempt", Value::from(brief.attempt)),
        ("completion_promise", Value::from(brief.completion_promise.as_str())),
        ("checks", list(brief.checks.iter().cloned())),
        ("criteria", list(brief.criteria.iter().cloned())),
        ("git", Value::from(git)),
        ("git_is_read_only", Value::from(brief.repository == VersionControl::ReadOnly)),
        ("list", Value::from(brief.task.is_some())),
        ("dirty_paths", list(dirty_paths.iter().take(DIRTY_PATHS_MAX).cloned())),
        ("dirty_paths_more", Value::from(dirty_paths.len().saturating_sub(DIRTY_PATHS_MAX))),
        ("milestone_every", Value::from(brief.milestone_every)),
        ("milestone_at", Value::from(milestone_at)),
        ("notes", list(brief.notes.iter().cloned())),
        ("thoughts", thoughts(&brief.thoughts)),
        ("fixes", fixes(&brief.fixes)),
        ("tests_may_change", list(brief.tests_may_change.iter().cloned())),
        ("failed_before", list(brief.failed_before.iter().cloned())),
        ("advice", list(brief.advice.iter().map(|advice| advice_line(*advice)))),
        ("next_task", Value::from(brief.next_task.clone())),
        ("progress_lines", Value::from(brief.progress_lines_over.unwrap_or(0))),
        ("progress_lines_max", Value::from(LINES_MAX)),
        ("confidence_min", Value::from(CONFIDENCE_MIN)),
    ])
}

/// What is known already, where turns keep looking for it anew.
fn orientation(brief: &IterationBrief) -> Result<Option<String>, TemplateError> {
    let Some(starts) = &brief.cold_starts else { return Ok(None) };
    let values = BTreeMap::from([
        ("turns", Value::from(starts.turns)),
        ("percent", Value::from(starts.percent)),
        ("changed", list(starts.changed.iter().take(CHANGED_PATHS_MAX).cloned())),
        ("changed_more", Value::from(starts.changed.len().saturating_sub(CHANGED_PATHS_MAX))),
    ]);
    fill(&Source::new("orientation.md", ORIENTATION), values).map(Some)
}

fn fixes(fixes: &[Fix]) -> Value {
    let failing =
        fixes.iter().filter(|fix| matches!(fix, Fix::CheckFailed { .. } | Fix::LeftOut { .. })).count();
    let characters_max = TAIL_CHARACTERS_MAX / failing.max(1);
    let values = fixes.iter().map(|fix| {
        let (title, text, tail) = match fix {
            Fix::CheckFailed { name, command, end, tail } => {
                let title = format!("Check `{name}` {}", check_end(end));
                let text = if name == command { String::new() } else { format!("Command: `{command}`") };
                (title, text, shortened(tail, characters_max))
            }
            Fix::Refused { gate, reason } => (format!("Refused by {gate}"), reason.clone(), String::new()),
            Fix::LeftOut { step, reason, diff } => {
                let title = format!("Step {step} of the plan stays out");
                (title, reason.clone(), shortened(diff, characters_max))
            }
        };
        let fence = fence(&tail);
        Value::from(BTreeMap::from([
            ("title", Value::from(title)),
            ("text", Value::from(text)),
            ("fence", Value::from(fence)),
            ("tail", Value::from(tail)),
        ]))
    });
    Value::from(values.collect::<Vec<_>>())
}

pub(super) fn thoughts(thoughts: &[Thought]) -> Value {
    let values = thoughts.iter().map(|Thought { step, text }| {
        let title = match step {
            Step::Analyze => "Analysis",
            Step::Plan => "Plan",
            Step::Criticize => "What a critic said about the plan",
            Step::Cause => "Why the last attempt was not accepted",
        };
        let text = text.trim();
        let kept: String = text.chars().take(THOUGHT_CHARACTERS_MAX).collect();
        let text =
            if kept.len() == text.len() { kept } else { format!("{kept}\n… (the rest is left out)") };
        Value::from(BTreeMap::from([("title", Value::from(title)), ("text", Value::from(text))]))
    });
    Value::from(values.collect::<Vec<_>>())
}

fn check_end(end: &CheckEnd) -> String {
    match end {
        CheckEnd::Exit(code) => format!("failed with exit code {code}"),
        CheckEnd::Signal(signal) => format!("was ended by signal {signal}"),
        CheckEnd::TimedOut(after) => format!("did not end within {}", print_duration(*after)),
        CheckEnd::NotStarted(reason) => format!("could not be run: {reason}"),
    }
}

fn tried_line(tried: &TriedBefore) -> String {
    let change: String = tried.change.chars().take(CHANGE_CHARACTERS_MAX).collect();
    format!("before iteration {}: {change}", tried.iteration)
}

fn advice_line(advice: Advice) -> String {
    match advice {
        Advice::SameFailure { times } => {
            format!("The same failure {times} times: take a fundamentally different approach.")
        }
        Advice::SameCandidate { times } => {
            format!(
                "Claimed {times} times without a change: what failed was asked once more on the same files, and is not asked again, so claiming again cannot help. Where it failed for a reason outside of the project (a network, a flaky test), say so: `gulf claim need-decision \"…\"`."
            )
        }
        Advice::Oscillation { times } => {
            format!(
                "The work went back to an earlier state {times} times: stop undoing, decide between the two."
            )
        }
        Advice::Idle { turns } => {
            format!(
                "{turns} turns without a change or a claim: take one small step, or say what is in the way."
            )
        }
        Advice::Rejections { times } => format!(
            "{times} rejections in a row: the approach is wrong, not its details. Read JUDGE_FEEDBACK.md for their common root."
        ),
        Advice::Resembles { iteration, percent } => format!(
            "{percent} % of what you changed is what was rejected in iteration {iteration}: look whether what was wrong with that is still in it. After a reset of the strategy it is refused unseen."
        ),
    }
}

/// The last characters of a check's output, from the beginning of a line where there is one.
pub(super) fn shortened(tail: &str, characters_max: usize) -> String {
    let tail = tail.trim_end();
    let left_out = tail.chars().count().saturating_sub(characters_max);
    if left_out == 0 {
        return tail.to_owned();
    }
    let cut = tail.char_indices().nth(left_out).map_or(0, |(byte, _)| byte);
    let kept = &tail[floor_boundary(tail, cut)..];
    let kept = kept.split_once('\n').map_or(kept, |(_, from_line)| from_line);
    format!("… (earlier output is left out)\n{kept}")
}

/// A fence longer than any that the text could close it with.
pub(super) fn fence(text: &str) -> String {
    let longest = lines(text)
        .map(|line| line.text.trim_start().chars().take_while(|character| *character == '`').count())
        .max()
        .unwrap_or(0);
    "`".repeat(3.max(longest + 1))
}

pub(super) fn list(texts: impl Iterator<Item = String>) -> Value {
    Value::from(texts.map(Value::from).collect::<Vec<_>>())
}

pub(super) fn fill(source: &Source, values: Values) -> Result<String, TemplateError> {
    if let Some(excess) = excess(source.text()) {
        return Err(Located { problem: TemplateProblem::TooIntricate, source: source.clone(), span: excess });
    }
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    // A line that holds only a tag leaves no line behind, so templates can be laid out for reading.
    let layout = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(layout.unwrap_or_default());
    environment.set_fuel(Some(STEPS_MAX));
    environment.render_named_str(source.name(), source.text(), values).map_err(|error| {
        let line = error.line().and_then(|number| lines(source.text()).nth(number.saturating_sub(1)));
        let problem = if error.kind() == ErrorKind::OutOfFuel {
            TemplateProblem::Endless
        } else if error.kind() == ErrorKind::UndefinedError {
            TemplateProblem::UnknownVariable
        } else {
            let kind = error.kind();
            TemplateProblem::Broken(
                error.detail().map_or(kind.to_string(), |detail| format!("{kind}: {detail}")),
            )
        };
        let span = line.map_or((0..0).into(), |line| line.span_of(line.text.trim()));
        Located { problem, source: source.clone(), span }
    })
}

/// The first tag beyond the limits. A tag ends at the first end of one, wherever it stands.
fn excess(text: &str) -> Option<Span> {
    let mut start = 0;
    let mut tags = 0;
    while let Some(found) = text[start..].find("{{").into_iter().chain(text[start..].find("{%")).min() {
        start += found;
        let rest = &text[start..];
        let end = rest.find("}}").into_iter().chain(rest.find("%}")).min().map_or(rest.len(), |end| end + 2);
        tags += 1;
        if end > TAG_BYTES_MAX || tags > TAGS_MAX {
            return Some((start..start + 2).into());
        }
        start += end;
    }
    None
}
