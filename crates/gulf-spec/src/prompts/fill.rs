//! Fills the templates of the prompt.
//!
//! Apart from the types because it alone speaks to the template engine; nothing outside sees its values.

mod context;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{Environment, ErrorKind, UndefinedBehavior};
use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use super::{
    Advice, BranchTold, Fix, FollowUpBrief, IterationBrief, LandingBrief, ResearchBlock, StepBrief,
    TAIL_CHARACTERS_MAX, THOUGHT_CHARACTERS_MAX, TemplateError, Thought, VARIABLES, VersionControl, notepad,
    own_steps, task,
};
use crate::config::LandingPlace;
use crate::problem::{Located, Mistake};
use crate::progress::{BriefGap, CONFIDENCE_MIN, LINES_MAX};
use crate::text::{Source, Span, lines};
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

/// The prompt of an iteration, in the words of the project's own template where it has one: that may use
/// [`VARIABLES`] and must print `goal`.
///
/// An error is always a project's template's: it names the line.
pub fn iteration(brief: &IterationBrief, template: Option<&Source>) -> Result<String, TemplateError> {
    let mut values = values(brief);
    let research = research(brief, &values)?;
    values["research"] = json!(research);
    values["orientation"] = json!(orientation(brief)?);
    values["branch"] = json!(branch(brief)?);
    values["context"] = json!(context::block(&brief.context)?);
    values["notepad"] = json!(notepad::block(brief.notepad.as_ref())?);
    values["own_steps"] = json!(own_steps::block(brief.own_steps.as_ref())?);
    let task = task::text(brief)?;
    values["task"] = json!(task);
    values["framework"] = json!(framework(brief)?);
    let source = template.cloned().unwrap_or_else(|| Source::new("iteration.md", ITERATION));
    let mut prompt = fill(&source, &values)?;
    // A template of one's own may know nothing of lists.
    if let Some(task) = task.filter(|task| !prompt.contains(task.as_str())) {
        prompt.push_str(&format!("\n\n{task}\n"));
    }
    if prompt.contains(brief.goal.as_str()) {
        return Ok(prompt);
    }
    let what = "the prompt template does not print the goal unchanged";
    let problem = Mistake::error(what, "add `{{ goal }}` without a filter");
    Err(Located { problem, source, span: (0..0).into() })
}

/// The framework alone (SPEC G4), as it stands in the built-in prompt.
pub fn framework(brief: &IterationBrief) -> Result<String, TemplateError> {
    let mut values = values(brief);
    values["planned"] = json!(brief.is_planned);
    fill(&Source::new("framework.md", FRAMEWORK), &values)
}

/// What a session is told when it is sent on: the news, and the file with all else.
pub fn session(brief: &IterationBrief, brief_path: &str) -> Result<String, TemplateError> {
    let mut values = values(brief);
    values["brief_path"] = json!(brief_path);
    values["news"] = json!(news(brief));
    fill(&Source::new("session.md", SESSION), &values)
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
        Fix::CheckFailed { name, end, .. } => format!("check `{name}` {end}"),
        Fix::Refused { gate, .. } => format!("refused by {gate}"),
        Fix::LeftOut { step, .. } => format!("step {step} of the plan stays out"),
        Fix::Unseen { .. } => "part of the work is in no commit, so no check saw it".to_owned(),
    }
}

/// The prompt of a follow-up.
pub fn follow_up(brief: &FollowUpBrief) -> Result<String, TemplateError> {
    let mut values = json!(brief);
    values["fixes"] = json!(fixes(&brief.fixes));
    fill(&Source::new("follow-up.md", FOLLOW_UP), &values)
}

/// The prompt of a step.
pub fn step(brief: &StepBrief) -> Result<String, TemplateError> {
    let mut values = json!(brief);
    values["tried"] = json!(brief.tried.iter().map(tried_line).collect::<Vec<_>>());
    values["fixes"] = json!(fixes(&brief.fixes));
    values["notepad"] = json!(notepad::block(brief.notepad.as_ref())?);
    fill(&Source::new("step.md", STEP), &values)
}

/// What is to be fixed, without anything else of a prompt; empty where nothing is.
pub fn feedback(all: &[Fix], advice: &[Advice]) -> Result<String, TemplateError> {
    let advice: Vec<String> = advice.iter().map(Advice::to_string).collect();
    fill(&Source::new("feedback.md", FEEDBACK), &json!({ "fixes": fixes(all), "advice": advice }))
}

/// The worker's task when its work was not landed.
pub fn landing(brief: &LandingBrief) -> Result<String, TemplateError> {
    fill(&Source::new("landing.md", LANDING), brief)
}

fn research(brief: &IterationBrief, values: &Json) -> Result<Option<String>, TemplateError> {
    let (gate, gaps, attempt, attempts_max) = match &brief.research {
        ResearchBlock::Nothing => return Ok(None),
        ResearchBlock::Inline { gaps } => (false, gaps, 0, 0),
        ResearchBlock::Gate { gaps, attempt, attempts_max } => (true, gaps, *attempt, *attempts_max),
    };
    let mut values = values.clone();
    values["gate"] = json!(gate);
    values["gaps"] = json!(gaps.iter().map(BriefGap::to_string).collect::<Vec<_>>());
    values["attempt"] = json!(attempt);
    values["attempts_max"] = json!(attempts_max);
    fill(&Source::new("research.md", RESEARCH), &values).map(Some)
}

fn branch(brief: &IterationBrief) -> Result<Option<String>, TemplateError> {
    let Some(BranchTold { name, base, place, worker }) = &brief.branch else { return Ok(None) };
    let values = json!({
        "own": name,
        "base": base,
        "apart": *place == LandingPlace::Worktree,
        "worker": worker.as_ref().map(|worker| worker.number),
        "workers": worker.as_ref().map(|worker| worker.of),
        "strategy": worker.as_ref().map(|worker| worker.strategy.trim()),
    });
    fill(&Source::new("branch.md", BRANCH), &values).map(Some)
}

/// Everything but the texts that are made from it.
fn values(brief: &IterationBrief) -> Json {
    let (git, dirty_paths) = match &brief.repository {
        VersionControl::Git { dirty_paths } => (true, dirty_paths.as_slice()),
        VersionControl::ReadOnly => (true, &[][..]),
        VersionControl::Without => (false, &[][..]),
    };
    let milestone_at = match brief.milestone_every {
        0 => 0,
        every => u64::from(brief.iteration.div_ceil(every)) * u64::from(every),
    };
    json!({
        "goal": brief.goal,
        "iteration": brief.iteration,
        "iterations_max": brief.iterations_max,
        "attempt": brief.attempt,
        "completion_promise": brief.completion_promise,
        "checks": brief.checks,
        "criteria": brief.criteria,
        "git": git,
        "git_is_read_only": brief.repository == VersionControl::ReadOnly,
        "list": brief.task.is_some(),
        "dirty_paths": dirty_paths.iter().take(DIRTY_PATHS_MAX).cloned().collect::<Vec<_>>(),
        "dirty_paths_more": dirty_paths.len().saturating_sub(DIRTY_PATHS_MAX),
        "milestone_every": brief.milestone_every,
        "milestone_at": milestone_at,
        "notes": brief.notes,
        "thoughts": brief.thoughts,
        "fixes": fixes(&brief.fixes),
        "tests_may_change": brief.tests_may_change,
        "failed_before": brief.failed_before,
        "advice": brief.advice.iter().map(Advice::to_string).collect::<Vec<_>>(),
        "next_task": brief.next_task,
        "progress_lines": brief.progress_lines_over.unwrap_or(0),
        "progress_lines_max": LINES_MAX,
        "confidence_min": CONFIDENCE_MIN,
    })
}

/// What is known already, where turns keep looking for it anew.
fn orientation(brief: &IterationBrief) -> Result<Option<String>, TemplateError> {
    let Some(starts) = &brief.cold_starts else { return Ok(None) };
    let values = json!({
        "turns": starts.turns,
        "percent": starts.percent,
        "changed": starts.changed.iter().take(CHANGED_PATHS_MAX).cloned().collect::<Vec<_>>(),
        "changed_more": starts.changed.len().saturating_sub(CHANGED_PATHS_MAX),
    });
    fill(&Source::new("orientation.md", ORIENTATION), &values).map(Some)
}

fn fixes(fixes: &[Fix]) -> Vec<Json> {
    let failing =
        fixes.iter().filter(|fix| matches!(fix, Fix::CheckFailed { .. } | Fix::LeftOut { .. })).count();
    let characters_max = TAIL_CHARACTERS_MAX / failing.max(1);
    let values = fixes.iter().map(|fix| {
        let (text, tail) = match fix {
            Fix::CheckFailed { name, command, tail, .. } => {
                let text = if name == command { String::new() } else { format!("Command: `{command}`") };
                (text, tail.as_str())
            }
            Fix::Refused { reason, .. } | Fix::Unseen { reason } => (reason.clone(), ""),
            Fix::LeftOut { reason, diff, .. } => (reason.clone(), diff.as_str()),
        };
        let (title, tail) = (title(fix), shortened(tail, characters_max));
        let title = title[..1].to_uppercase() + &title[1..];
        json!({ "title": title, "text": text, "fence": fence(&tail), "tail": tail })
    });
    values.collect()
}

impl Serialize for Thought {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let title = match self.step {
            Step::Analyze => "Analysis",
            Step::Plan => "Plan",
            Step::Criticize => "What a critic said about the plan",
            Step::Cause => "Why the last attempt was not accepted",
        };
        let text = self.text.trim();
        let kept: String = text.chars().take(THOUGHT_CHARACTERS_MAX).collect();
        let text =
            if kept.len() == text.len() { kept } else { format!("{kept}\n… (the rest is left out)") };
        json!({ "title": title, "text": text }).serialize(serializer)
    }
}

fn tried_line(tried: &TriedBefore) -> String {
    let change: String = tried.change.chars().take(CHANGE_CHARACTERS_MAX).collect();
    format!("before iteration {}: {change}", tried.iteration)
}

/// The last characters of a check's output, from the beginning of a line where there is one.
pub(super) fn shortened(tail: &str, characters_max: usize) -> String {
    let tail = tail.trim_end();
    let left_out = tail.chars().count().saturating_sub(characters_max);
    if left_out == 0 {
        return tail.to_owned();
    }
    let cut = tail.char_indices().nth(left_out).map_or(0, |(byte, _)| byte);
    let kept = &tail[tail.floor_char_boundary(cut)..];
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

pub(super) fn fill(source: &Source, values: &impl Serialize) -> Result<String, TemplateError> {
    if let Some(excess) = excess(source.text()) {
        let what =
            "the prompt template is too complex: a tag has over 1000 bytes, or there are over 500 tags";
        let problem = Mistake::error(what, "shorten the template: it only says how a prompt looks");
        return Err(Located { problem, source: source.clone(), span: excess });
    }
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    // A line that holds only a tag leaves no line behind, so templates can be laid out for reading.
    let layout = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(layout.unwrap_or_default());
    environment.set_fuel(Some(STEPS_MAX));
    let values = Value::from(Serde(values));
    environment.render_named_str(source.name(), source.text(), values).map_err(|error| {
        let line = error.line().and_then(|number| lines(source.text()).nth(number.saturating_sub(1)));
        let span = line.map_or((0..0).into(), |line| line.span_of(line.text.trim()));
        Located { problem: unfilled(&error), source: source.clone(), span }
    })
}

fn unfilled(error: &minijinja::Error) -> Mistake {
    match (error.kind(), error.detail()) {
        (ErrorKind::OutOfFuel, _) => Mistake::error(
            "the prompt template takes too long: one of its loops does not end",
            "shorten the loops of the template",
        ),
        (ErrorKind::UndefinedError, _) => {
            let known = VARIABLES.map(|(name, _)| name).join(", ");
            Mistake::error("the prompt template uses a name that is not known", format!("known are: {known}"))
        }
        (kind, detail) => {
            let detail = detail.map_or(String::new(), |detail| format!(": {detail}"));
            let what = format!("cannot use this prompt template: {kind}{detail}");
            Mistake::error(what, "remove `prompt.template` to use the built-in prompt")
        }
    }
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
