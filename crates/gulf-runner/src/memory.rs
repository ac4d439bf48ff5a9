//! The worker's own texts as the loop keeps them: decisions survive, a changed goal is told (SPEC G11).
//!
//! Nothing here decides anything: what cannot be read or written is left.

use std::collections::BTreeSet;

use camino::Utf8Path;
use gulf_agents::judge::{self, JudgeRecord, Outcome, Rejection, Unmet};
use gulf_engine::{Event, Fact};
use gulf_host::clock::local_second;
use gulf_host::files::{self, Durability, ReadError};
use gulf_spec::progress;

use crate::book;
use crate::error::RunError;
use crate::judge::refusals;
use crate::project_folder::put_own;
use crate::resources::Resources;
use crate::texts::{TEXT_BYTES_MAX, text};

/// The end of a text of gulf's own that only grows, however long it is by now; nothing where there is none.
pub(crate) fn end_of(path: &Utf8Path) -> Result<String, ReadError> {
    let end = files::if_there(files::read_end(path, TEXT_BYTES_MAX))?;
    Ok(end.map(|(bytes, _)| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default())
}

/// What everybody found unmet who said no, with one count of criteria for all.
fn joined(refusals: &[(&str, JudgeRecord)]) -> (Vec<String>, Vec<Unmet>) {
    let (mut criteria, mut unmet) = (Vec::new(), Vec::new());
    for (_, record) in refusals {
        let before = u32::try_from(criteria.len()).unwrap_or(u32::MAX);
        if let Outcome::Rejected { unmet: said, .. } = &record.outcome {
            unmet.extend(said.iter().map(|one| Unmet {
                criterion: one.criterion.map(|number| number.saturating_add(before)),
                reason: one.reason.clone(),
            }));
        }
        criteria.extend(record.criteria.iter().cloned());
    }
    (criteria, unmet)
}

/// Appends the decisions that the worker wrote down, which survive whatever becomes of progress.txt.
pub(crate) fn keep_decisions(resources: &Resources, iteration: u32) -> Result<Vec<String>, RunError> {
    let Some(text) = resources.project_text("progress.txt") else { return Ok(Vec::new()) };
    let parsed = progress::parse(&text);
    let kept = resources.project_text("decisions.md").unwrap_or_default();
    let more = progress::decisions_to_append(&parsed, &kept, iteration);
    append_once(resources, "decisions.md", &more, &more);
    goal_note(resources, &parsed)
}

/// Writes a rejection down, for the worker and, where it cannot reach, for later judgements (SPEC G8).
pub(crate) fn keep_rejection(
    resources: &Resources,
    iteration: u32,
    consecutive: u32,
    wall_ms: u64,
) -> Result<(), RunError> {
    let (criteria, unmet) = joined(&refusals(&resources.folder, iteration));
    if unmet.is_empty() {
        return Ok(());
    }
    let at = &local_second(wall_ms);
    let entry = judge::entry(&Rejection { iteration, consecutive, at, criteria: &criteria, unmet: &unmet });
    let heading = format!("\n## Iteration {iteration} — REJECTED ");
    let own = resources.folder.rejections();
    let kept = end_of(&own)?;
    // After a crash the iteration is settled again.
    if !kept.contains(&heading) {
        files::append(&own, entry.as_bytes())?;
    }
    // Its time tells it from the same iteration's of an earlier loop.
    let written = if kept.contains(&heading) { kept } else { entry };
    let entry = written.rfind(&format!("\n---{heading}")).map_or("", |at| &written[at..]);
    let mark = entry.lines().find(|line| line.starts_with("## ")).unwrap_or_default();
    append_once(resources, "JUDGE_FEEDBACK.md", entry, mark);
    Ok(())
}

/// Appends to a text of the loop in the project, unless the mark stands there. A text that is there and cannot be
/// read is never written over, and one that cannot be written is no reason to stop: the journal knows it all.
pub(crate) fn append_once(resources: &Resources, name: &str, addition: &str, mark: &str) {
    let kept = match files::read_text(&resources.project().join(name), TEXT_BYTES_MAX) {
        Ok(text) => text.content,
        Err(ReadError::Missing { .. }) => String::new(),
        Err(_) => return,
    };
    if !mark.is_empty() && !kept.contains(mark) {
        let _ = put_own(resources.project(), name, &format!("{kept}{addition}"));
    }
}

fn goal_note(resources: &Resources, parsed: &progress::Progress<'_>) -> Result<Vec<String>, RunError> {
    let recorded = resources.folder.root().join("original-goal.txt");
    let Some(goal) = parsed.original_goal() else { return Ok(Vec::new()) };
    let Some(original) = text(&recorded)? else {
        files::replace(&recorded, goal.as_bytes(), Durability::Buffered)?;
        return Ok(Vec::new());
    };
    let note = "the worker changed ORIGINAL_GOAL in progress.txt; the sealed goal stands";
    Ok(parsed.goal_change(&original).map(|_| note.to_owned()).into_iter().collect())
}

/// The names of the requests that earlier drivers took in.
pub(crate) fn taken_requests(folder: &Utf8Path) -> Result<BTreeSet<String>, RunError> {
    let taken = |event: Event| if let Fact::Taken { request } = event.fact { Some(request) } else { None };
    Ok(book::read(folder)?.into_iter().filter_map(taken).collect())
}
