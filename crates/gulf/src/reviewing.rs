//! What a person reviews at a milestone, looked up: the change since they last did, and the worker's last entry.
//!
//! The last screen, `gulf status` and a session's line ask for the same.

use camino::Utf8Path;
use gulf_engine::{Candidate, PauseReason, Stage, State};
use gulf_host::files;
use gulf_runner::agreement::Agreement;
use gulf_runner::folder::LoopPaths;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::TEXT_BYTES_MAX;
use gulf_views::{History, ReviewFacts};

use crate::place;
use crate::report::change;

/// Where a worker writes down what it did.
const PROGRESS: [&str; 2] = [".claude/progress.txt", "progress.txt"];

/// None where the loop does not rest for a review, and where the change cannot be told.
pub fn review_facts(
    agreement: &Agreement,
    folder: &Utf8Path,
    history: &History,
    state: &State,
) -> Option<ReviewFacts> {
    let Stage::Paused(PauseReason::Milestone | PauseReason::Review, _) = state.stage() else { return None };
    let (now, before) = history.reviews();
    let base = state.base().unwrap_or(&agreement.base);
    let base = Candidate { commit: base.commit.clone(), tree: base.tree.clone() };
    let from = before.map_or(&base, |before| &before.candidate);
    let home = place::here().ok()?.home;
    let there = PlaceOfWork::find(&agreement.project, home).ok()?;
    let files = change::between(&there, &LoopPaths::new(folder), from, &now?.candidate)?;
    let read = |path: &&str| files::read_text(&agreement.project.join(path), TEXT_BYTES_MAX).ok();
    let progress = PROGRESS.iter().find_map(read).map(|text| text.content).unwrap_or_default();
    Some(ReviewFacts::new(before.map(|before| before.iteration), files, &progress))
}
