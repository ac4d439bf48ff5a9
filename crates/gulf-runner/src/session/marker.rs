//! The marker in the project, `.claude/gulf-loop.local.md`: written as a projection, read for what tightens (SPEC G21).
//!
//! A worker can write it: whatever it says, no loop ends by it, and none is loosened.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{PauseReason, Rejections, Stage, State, Worker};
use gulf_host::files::{self, ReadError};
use gulf_spec::marker::{self, Autonomy, Marker, MarkerActivity, MarkerProblem, Reading};

use crate::agreement::{Agreement, LandingPlace, MemoryForm, WorkerTerms, short};
use crate::error::RunError;
use crate::project_folder::put_own;
use crate::texts::TEXT_BYTES_MAX;

/// Relative to the project.
pub const MARKER: &str = ".claude/gulf-loop.local.md";
/// The official ralph-loop plugin's.
pub const RALPH_MARKER: &str = ".claude/ralph-loop.local.md";
/// The state files of which a loop is adopted, the first one that lies in the project.
pub const STATE_FILES: [&str; 2] = [MARKER, RALPH_MARKER];
/// Where state files go that gulf has taken over or cannot read.
const KEPT: &str = ".gulf/adopted";

/// What lies where a marker would.
#[derive(Clone, Debug)]
pub enum Found {
    Nothing,
    Marker(Box<Reading>),
    /// Named and kept.
    Corrupt {
        problem: MarkerProblem,
    },
}

/// Reads a marker of this form.
pub fn find(project: &Utf8Path, path: &str) -> Result<Found, RunError> {
    let text = match files::read_text(&project.join(path), TEXT_BYTES_MAX) {
        Ok(text) => text.content,
        Err(ReadError::Missing { .. }) => return Ok(Found::Nothing),
        Err(ReadError::NotUtf8 { .. }) => return Ok(Found::Corrupt { problem: MarkerProblem::NotText }),
        Err(error) => return Err(error.into()),
    };
    let read = if path == RALPH_MARKER { marker::read_ralph(&text) } else { marker::read(&text) };
    Ok(match read {
        Ok(reading) => Found::Marker(Box::new(reading)),
        Err(problem) => Found::Corrupt { problem },
    })
}

/// What the marker of this loop says.
pub(super) fn compose(agreement: &Agreement, state: &State, rested: bool) -> Marker {
    let policy = state.contract().map_or(&agreement.policy, |contract| &contract.policy);
    let paused = if let Stage::Paused(reason, _) = &state.stage { Some(*reason) } else { None };
    let mut marker = Marker::new(agreement.goal.clone());
    marker.standing = if paused.is_some() { MarkerActivity::Paused } else { MarkerActivity::Active };
    marker.iteration = iteration(state);
    marker.iterations_max = policy.limits.iterations_max.get();
    marker.completion_promise.clone_from(&agreement.completion_promise);
    marker.judge_enabled = agreement.judge.is_some() || policy.judge == gulf_engine::JudgeWhen::Every;
    marker.consecutive_rejections = state.unit.streaks.rejections;
    if marker.judge_enabled {
        marker.hitl_threshold = policy.rejections.threshold.get();
    }
    marker.milestone_every = policy.milestone_every.map_or(0, std::num::NonZeroU32::get);
    marker.structured_memory = agreement.memory == MemoryForm::Structured;
    marker.force_max = policy.force_max == gulf_engine::ForceMax::On;
    marker.pause_reason = paused.map(pause_reason).or(rested.then_some(marker::MarkerPause::None));
    marker.loop_id = Some(agreement.loop_id.to_string());
    if let Worker::Session { id, .. } = &state.worker {
        marker.session.clone_from(id);
    }
    if policy.rejections.then == Rejections::ResetStrategy {
        marker.autonomy = Autonomy::Autonomous;
    }
    if let Some(landing) = &agreement.landing {
        short(&landing.branch).clone_into(&mut marker.branch);
        short(&landing.base).clone_into(&mut marker.base_branch);
        if landing.place == LandingPlace::Worktree {
            agreement.project.as_str().clone_into(&mut marker.worktree_path);
        }
    }
    if let WorkerTerms::Adopted { branch, base_branch, worktree_path, .. } = &agreement.worker {
        marker.branch.clone_from(branch);
        marker.base_branch.clone_from(base_branch);
        marker.worktree_path.clone_from(worktree_path);
    }
    marker
}

/// The iteration whose end the session's next stop is.
pub fn iteration(state: &State) -> u32 {
    let (iteration, _) = state.turn_in_hand();
    // A review is due after the turn: what follows is the next one.
    let is_over = matches!(&state.stage, Stage::Paused(..))
        && matches!(state.innermost_stage(), Stage::Gates(..) | Stage::Settling(_));
    if is_over { iteration + 1 } else { iteration }
}

fn pause_reason(reason: PauseReason) -> marker::MarkerPause {
    // These two have names of their own there.
    if reason == PauseReason::Milestone {
        marker::MarkerPause::Milestone
    } else if reason == PauseReason::HumanGate {
        marker::MarkerPause::Hitl
    } else {
        marker::MarkerPause::Other(<&str>::from(reason).to_owned())
    }
}

/// Writes the marker; a folder that leads elsewhere is left alone.
pub(super) fn write(project: &Utf8Path, marker: &Marker) -> Result<(), RunError> {
    put_own(project, MARKER, &marker::print(marker))?;
    Ok(())
}

/// Takes the marker away, where it is gulf's.
pub(super) fn remove(project: &Utf8Path) {
    // One that cannot be removed names a loop that is over, and is passed by.
    let _ = fs::remove_file(project.join(MARKER));
}

/// Sets a state file aside, so that nothing of it is lost and nobody takes it for a loop; gives its new place.
pub fn set_aside(project: &Utf8Path, path: &str, at_ms: u64) -> Result<Utf8PathBuf, RunError> {
    let folder = project.join(KEPT);
    fs::create_dir_all(&folder).map_err(|source| RunError::Directory { path: folder.clone(), source })?;
    let name = Utf8Path::new(path).file_name().unwrap_or("marker");
    let kept = folder.join(format!("{at_ms}-{name}"));
    let from = project.join(path);
    fs::rename(&from, &kept).map_err(|source| RunError::Directory { path: from, source })?;
    Ok(kept)
}
