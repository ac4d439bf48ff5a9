//! What is kept of a landing that was refused: both sides to look at, and the task that it is for the worker.
//!
//! Nothing here decides anything: the worktree stays clean, and what cannot be kept is missing.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{CheckName, Clash};
use gulf_host::files::{self, Durability};
use gulf_host::git::{CommitId, DiffForm, Merged, Step};
use gulf_queue::{Eviction, FailureEvidence};
use gulf_spec::goal::goal_title;
use gulf_spec::prompts::{self, Fix, LandingBrief};

use super::place::QueuePlace;
use super::request::{LandingRequest, TRAILER_GOAL, TRAILER_LOOP};
use crate::agreement::short;
use crate::book::Fold;
use crate::checks::RunRecord;
use crate::error::Result;
use crate::held_out::failed_check;
use crate::landing::LandingEffect;
use crate::records;
use crate::resources::Resources;
use crate::texts::{first_of, text};

/// So many commits of the base branch are named to the worker.
const OTHERS_MAX: usize = 20;
const STEPS_MAX: usize = 1_000;
/// So many paths are named to the worker.
const PATHS_MAX: usize = 50;
/// A larger file is not kept with its markers.
const CONFLICTED_BYTES_MAX: u64 = 8 << 20;
const SIDES: &str = "landing";
const TASK: &str = "landing-task";
const FAILED: &str = "landing-check";

/// The failing check of a merged commit, kept for the worker.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct FailedCheck {
    name: String,
    command: String,
    record: RunRecord,
}

impl LandingEffect<'_> {
    /// Keeps what the next turn needs, in the folder of the iteration that was refused.
    pub(super) fn keep_clash(
        &self,
        place: &QueuePlace,
        order: &LandingRequest,
        why: &Eviction,
    ) -> Result<()> {
        let (Eviction::Conflict { tip, .. } | Eviction::Red { tip, .. }) = why;
        let own = &order.candidate.commit;
        let common = self.resources.repository.common_ancestor(own, tip)?;
        let common = common.unwrap_or_else(|| order.base.commit.clone());
        let folder = self.resources.folder.logs(self.key).join(SIDES);
        let has_files = self.keep_sides(&common, [tip, own], &folder)?;
        let base = short(&self.landing_terms()?.base).to_owned();
        let steps = self.resources.repository.steps(Some(&common), tip, STEPS_MAX)?;
        let (what, paths) = in_words(why, &base);
        let text = prompts::landing(&LandingBrief {
            base,
            tip: tip.to_string(),
            goal: goal_title(&self.resources.agreement.goal).to_string(),
            others: steps.iter().take(OTHERS_MAX).map(describe).collect(),
            others_more: steps.len().saturating_sub(OTHERS_MAX),
            what,
            paths,
            folder: Some(folder.to_string()),
            has_files,
        })?;
        self.resources.folder.write_log(self.key, &format!("{TASK}.md"), &text)?;
        if let Eviction::Red { merged, evidence, .. } = why {
            self.keep_check(place, merged.as_str(), evidence)?;
        }
        Ok(())
    }

    /// Both diffs, and the files with their markers; says whether there are such files.
    fn keep_sides(&self, common: &CommitId, [tip, own]: [&CommitId; 2], folder: &Utf8Path) -> Result<bool> {
        let common_tree = self.resources.repository.tree_of(common)?;
        for (name, side) in [("yours.diff", own), ("theirs.diff", tip)] {
            let tree = self.resources.repository.tree_of(side)?;
            let text = self.resources.repository.diff_text(&common_tree, &tree, DiffForm::Patch)?;
            files::keep(&folder.join(name), &text, Durability::Buffered)?;
        }
        let Merged::Conflict(conflict) = self.resources.repository.merge(tip, own)? else { return Ok(false) };
        let mut has_files = false;
        for path in &conflict.paths {
            let Some(name) = path.as_utf8() else { continue };
            let read = self.resources.repository.read_file(&conflict.tree, path, CONFLICTED_BYTES_MAX);
            let Ok(Some(bytes)) = read else { continue };
            files::keep(&folder.join("conflicted").join(name), &bytes, Durability::Buffered)?;
            has_files = true;
        }
        Ok(has_files)
    }

    fn keep_check(&self, place: &QueuePlace, merged: &str, evidence: &FailureEvidence) -> Result<()> {
        let Some(name) = evidence.checks.first() else { return Ok(()) };
        // It is this loop's, or one of a loop that landed in the same trial.
        let Some(record) = RunRecord::find(&place.record(merged, name.as_str())) else { return Ok(()) };
        let command =
            self.resources.agreement.check(name).map(|check| check.command.clone()).unwrap_or_default();
        let failed = FailedCheck { name: name.to_string(), command, record };
        let path = self.resources.folder.log(self.key, &format!("{FAILED}.json"));
        Ok(records::keep(&path, "a check's record", &failed, Durability::Buffered)?)
    }
}

/// What does not go together, and the paths or tests that this is about.
fn in_words(why: &Eviction, base: &str) -> (String, Vec<String>) {
    let (by, summary, parts) = super::clash(why);
    let what = match by {
        Clash::Conflict => {
            "Both sides changed the same places, and only you can say what should stand there:".to_owned()
        }
        Clash::Tests => format!("Merged, tests that {base} has are changed or gone:"),
        Clash::Untested => format!(
            "Git can merge it, but nothing can test the merge before it lands: {summary}. Once you have merged, gulf \
             asks your own work again, and what it says then is about what lands."
        ),
        Clash::Red => format!("Git can merge it, but the merged commit fails what both pass: {summary}"),
    };
    let has_paths = matches!(by, Clash::Conflict | Clash::Tests);
    (what, if has_paths { first_of(&parts, PATHS_MAX) } else { Vec::new() })
}

/// A commit of the base branch: what a loop was for, or what a person wrote.
fn describe(step: &Step) -> String {
    let trailer = |name: &str| step.trailers.iter().find(|one| one.name == name).map(|one| &one.value);
    let short = format!("{:.10}", step.commit.as_str());
    match (trailer(TRAILER_GOAL), trailer(TRAILER_LOOP)) {
        (Some(goal), Some(name)) => format!("{goal} ({short}, loop {name})"),
        (Some(_) | None, _) => format!("{} ({short})", step.title),
    }
}

/// The last attempt's file of this name.
pub(crate) fn newest(folder: &Utf8Path, stem: &str) -> Option<Utf8PathBuf> {
    let entries = folder.read_dir_utf8().ok()?.flatten().map(|entry| entry.into_path());
    let is_it = |path: &Utf8PathBuf| path.file_name().is_some_and(|name| name.starts_with(stem));
    entries.filter(is_it).max_by_key(|path| (path.as_str().len(), path.clone()))
}

/// Both sides of a landing that was refused in the last iteration, to look at.
pub(crate) fn clash_folder(resources: &Resources, fold: &Fold) -> Utf8PathBuf {
    last_iteration(resources, fold).join(SIDES)
}

pub(crate) fn last_iteration(resources: &Resources, fold: &Fold) -> Utf8PathBuf {
    resources.folder.iteration(fold.state.unit.iteration.saturating_sub(1))
}

/// What the worker is told of a landing that was refused in the last iteration.
pub(crate) fn landing_fixes(resources: &Resources, fold: &Fold) -> Vec<Fix> {
    let folder = last_iteration(resources, fold);
    let mut fixes = Vec::new();
    if let Some(task) = newest(&folder, TASK).and_then(|path| text(&path).ok()?) {
        fixes.push(Fix::Refused { gate: "the base branch".to_owned(), reason: task.trim().to_owned() });
    }
    let failed = newest(&folder, FAILED).and_then(|path| records::find(&path));
    if let Some(FailedCheck { name, command, record }) = failed {
        fixes.push(match resources.agreement.check(&CheckName::new(&name)) {
            Some(check) => failed_check(&name, check, &record.end, record.tail),
            None => Fix::CheckFailed { name, command, end: record.end.to_string(), tail: record.tail },
        });
    }
    fixes
}
