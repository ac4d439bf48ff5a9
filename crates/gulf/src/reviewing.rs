//! What a person reviews at a milestone, looked up: the change since they last did, and the worker's last entry.
//!
//! The last screen, `gulf status` and a session's line ask for the same.

use camino::Utf8Path;
use gulf_engine::{PauseReason, Stage, State};
use gulf_host::files;
use gulf_host::git::TreePath;
use gulf_runner::agreement::Agreement;
use gulf_runner::folder::LoopPaths;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::TEXT_BYTES_MAX;
use gulf_spec::starting::first_program;
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
    let Stage::Paused(PauseReason::Milestone | PauseReason::Review, _) = &state.stage else { return None };
    let (now, before) = history.reviews();
    let base = state.base().unwrap_or(&agreement.base).into();
    let from = before.map_or(&base, |before| &before.candidate);
    let home = place::here().ok()?.home;
    let there = PlaceOfWork::find(&agreement.project, home).ok()?;
    let files = change::between(&there, &LoopPaths::new(folder), from, &now?.candidate)?;
    let read = |path: &&str| files::read_text(&agreement.project.join(path), TEXT_BYTES_MAX).ok();
    let progress = PROGRESS.iter().find_map(read).map(|text| text.content).unwrap_or_default();
    Some(ReviewFacts::new(before.map(|before| before.iteration), files, &progress))
}

/// Files that a check runs and that are not what the candidate has of them, where a check that cannot run is in the way:
/// whoever mended one waits for nothing.
pub fn changed_checks(
    place: &PlaceOfWork,
    (agreement, folder): (&Agreement, &Utf8Path),
    history: &History,
    state: &State,
) -> Vec<String> {
    let Stage::Paused(PauseReason::CheckCannotRun, _) = &state.stage else { return Vec::new() };
    let candidate = history.last_evaluated().and_then(|iteration| iteration.candidate());
    let repository = place.open(&LoopPaths::new(folder).git());
    let (Some(candidate), Ok(repository)) = (candidate, repository) else { return Vec::new() };
    let is_changed = |path: &String| {
        let known = TreePath::parse(path.as_bytes())
            .ok()
            .and_then(|path| repository.read_file(&candidate.tree, &path, TEXT_BYTES_MAX).ok()?);
        let now = files::read_bytes(&agreement.project.join(path), TEXT_BYTES_MAX).ok();
        known.zip(now).is_some_and(|(known, now)| known != now)
    };
    let named = agreement.checks.iter().filter_map(|check| first_program(&check.command));
    let files = named.flat_map(|first| [Some(first.program), first.script]).flatten();
    files.map(|path| path.trim_start_matches("./").to_owned()).filter(is_changed).collect()
}
