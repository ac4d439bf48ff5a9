//! The project's own texts for a prompt: found, read and chosen (SPEC K4).
//!
//! It looks into folders of the project, and what was left out is kept beside the prompt.

use std::fmt::Write as _;

use camino::Utf8Path;
use gulf_engine::{EffectKey, TaskFate};
use gulf_host::{files, programs};
use gulf_spec::layers::{self, Building, ContextLayer, Layers, Material, Moment};
use gulf_spec::prompts::{ContextBlock, Fix, ListBrief};
use gulf_spec::tasks::{self, Task, TaskList};
use gulf_spec::text::Source;

use crate::agreement::{Agreement, ContextTerms};
use crate::error::Result;
use crate::folder::LoopPaths;
use crate::ralph::{list_brief, task_list};
use crate::resources::AgentEffect;

/// So many specifications are looked at, so deep in their folder.
const SPECS_MAX: usize = 200;
const SPECS_DEPTH_MAX: usize = 4;
/// A larger text is named, not read.
const SPEC_BYTES_MAX: u64 = 512 << 10;

/// The texts of the first prompt of a loop that has not started.
pub(crate) fn first(project: &Utf8Path, sealed: &Agreement) -> ContextBlock {
    let (Some(terms), goal) = (&sealed.context, &sealed.goal) else { return ContextBlock::default() };
    let list = sealed.ralph.as_ref().and_then(|ralph| ralph.list.as_ref());
    let text = list.and_then(|list| files::read_text(&project.join(&list.path), SPEC_BYTES_MAX).ok());
    let source = list.zip(text).map(|(list, text)| Source::new(list.path.as_str(), &text.content));
    let tasks = source.map(|source| tasks::parse(&source));
    let work = work_in_hand(tasks.as_ref()).unwrap_or_else(|| goal.clone());
    let moment = Moment { goal, work: &work, building: Building::First, tokens_max: terms.tokens_max };
    let list = list.map(|list| ListBrief { path: list.path.clone(), ..ListBrief::default() });
    ContextBlock { layers: layers::choose(&materials(project, terms), &moment), list }
}

fn describe(layers: &Layers) -> String {
    let mut text = format!(
        "{} of at most {} tokens, the goal among them; four bytes count as one token\n",
        layers.tokens, layers.tokens_max
    );
    for one in &layers.shown {
        let _ = writeln!(text, "shown     {}  {} tokens  {}", one.path, one.tokens, one.why);
    }
    for one in &layers.left_out {
        let tokens = one.tokens.map_or_else(String::new, |tokens| format!("{tokens} tokens  "));
        let _ = writeln!(text, "left out  {}  {tokens}{}", one.path, one.why);
    }
    text
}

/// The words of the task that comes next in the list, whichever the worker takes.
fn work_in_hand(list: Option<&TaskList>) -> Option<String> {
    let standing = |task: &Task| if task.is_ticked { TaskFate::Finished } else { TaskFate::Pending };
    let task = *list?.order(standing).first()?;
    let parts = [task.title.as_str(), task.details.as_str()].into_iter();
    Some(parts.chain(task.criteria.iter().map(String::as_str)).collect::<Vec<_>>().join("\n"))
}

fn materials(project: &Utf8Path, terms: &ContextTerms) -> Vec<Material> {
    let named = [(ContextLayer::Plan, &terms.list), (ContextLayer::Build, &terms.agent)];
    let named = named.into_iter().filter_map(|(layer, path)| Some((layer, path.clone()?)));
    let folder = terms.specs.as_deref();
    let specs = folder.into_iter().flat_map(|folder| {
        let names = programs::list(&project.join(folder), SPECS_DEPTH_MAX, SPECS_MAX);
        names.into_iter().map(move |name| (ContextLayer::Specs, format!("{folder}/{name}")))
    });
    named.chain(specs).map(|(layer, path)| material(project, layer, path)).collect()
}

fn material(project: &Utf8Path, layer: ContextLayer, path: String) -> Material {
    let text = files::read_text(&project.join(&path), SPEC_BYTES_MAX);
    Material { layer, text: text.map(|text| text.content).map_err(|error| error.to_string()), path }
}

/// The project's own texts for this iteration.
pub(crate) fn choose(effect: AgentEffect<'_>, fixes: &[Fix], next: Option<&str>) -> ContextBlock {
    let AgentEffect { resources, fold, key, .. } = effect;
    let list = list_brief(resources);
    let Some(terms) = &resources.agreement.context else {
        return ContextBlock { list, ..ContextBlock::default() };
    };
    let is_red = fixes.iter().any(|fix| matches!(fix, Fix::CheckFailed { .. }));
    let building = match (key.iteration, is_red) {
        (_, true) => Building::AfterRed,
        (0 | 1, false) => Building::First,
        (_, false) => Building::AsTheWorkSays,
    };
    let own = work_in_hand(task_list(resources).as_ref()).or_else(|| next.map(str::to_owned));
    let own = own.unwrap_or_else(|| resources.agreement.goal.clone());
    let work = std::iter::once(own).chain(fold.state.notes.iter().cloned()).collect::<Vec<_>>().join("\n");
    let moment =
        Moment { goal: &resources.agreement.goal, work: &work, building, tokens_max: terms.tokens_max };
    ContextBlock { layers: layers::choose(&materials(resources.project(), terms), &moment), list }
}

/// Which texts the prompt shows, and which not, beside the prompt.
pub(crate) fn keep(folder: &LoopPaths, key: &EffectKey, layers: &Layers) -> Result<()> {
    if layers.is_empty() {
        return Ok(());
    }
    Ok(folder.write_log(key, "context.txt", &describe(layers))?)
}
