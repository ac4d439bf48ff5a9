//! Taking over the loop of a state file that a person wrote, or another plugin (CONTRACT "adopted").
//!
//! It stands apart because it is a start without a command: what cannot be sealed is said, and the file stays.

use gulf_agents::sessions::Host;
use gulf_engine::Stage;
use gulf_host::clock::Clock;
use gulf_host::home::Home;
use gulf_runner::branching;
use gulf_runner::error::RunError;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::{Evidence, Questions};
use gulf_runner::session::{self, AdoptedFrom, Bound, Found, MARKER, Seat};
use gulf_runner::start;
use gulf_spec::config::Key;
use gulf_spec::marker::{Marker, PauseReason, Reading, Standing};

use super::{Call, Said};
use crate::commands::reach::Patience;
use crate::commands::resume::Parting;
use crate::commands::run::{Replacing, RunRequest, composed};
use crate::failure::Failure;
use crate::screen::Telling;
use crate::settings::Heard;

/// What became of the state files in a project.
#[derive(Debug)]
pub enum Taken {
    /// There is none that concerns this session.
    Nothing,
    Adopted {
        notes: Vec<String>,
    },
    /// The session stops, and is told this.
    Said(Said),
}

/// Looks for a state file, and takes its loop over.
pub fn from_markers(call: &Call) -> Result<Taken, Failure> {
    let file_bytes = call
        .event
        .transcript
        .as_ref()
        .map_or(0, |path| std::fs::metadata(path).map_or(0, |metadata| metadata.len()));
    let bound = Bound { host: call.event.host, id: call.event.session.clone(), file_bytes };
    let home = Home::from_environment().map_err(RunError::from)?;
    for from in [AdoptedFrom::Marker, AdoptedFrom::Ralph] {
        for folder in [&call.place.project, &call.place.named] {
            if folder.join(from.path()).is_file() {
                // Several sessions may stop at once: the first one takes the loop over.
                let _closed = Seat::close(&home, &call.place.project)?;
                let place = PlaceOfWork::find(folder, home)?;
                if call.place.is_armed() {
                    return Ok(Taken::Adopted { notes: Vec::new() });
                }
                return take(&place, folder, from, &bound, &*call.clock);
            }
        }
    }
    Ok(Taken::Nothing)
}

fn take(
    place: &PlaceOfWork,
    folder: &camino::Utf8Path,
    from: AdoptedFrom,
    bound: &Bound,
    clock: &dyn Clock,
) -> Result<Taken, Failure> {
    let path = from.path();
    let Reading { marker, warnings } = match session::find(folder, path)? {
        Found::Nothing => return Ok(Taken::Nothing),
        Found::Corrupt { problem } => {
            return Ok(Taken::Said(Said::let_stop(format!(
                "{path} looks like a loop's state file and cannot be read: {problem}. It is left as it is; no loop \
                 runs, and nothing was verified. Mend it, or remove it."
            ))));
        }
        Found::Marker(reading) => *reading,
    };
    if marker.session.is_some() && bound.id.is_some() && marker.session != bound.id {
        return Ok(Taken::Nothing);
    }
    if session::is_known(place, &marker) {
        return known(place, &marker);
    }
    if marker.standing == Standing::Paused {
        return Ok(Taken::Said(Said::let_stop(paused(&marker))));
    }
    let mut notes: Vec<String> = warnings.iter().map(|warning| format!("{path}: {warning}")).collect();
    notes.extend(adopt(place, &marker, from, bound, clock)?);
    if folder != place.project {
        // Its loop's marker lies at the top by now, with the same prompt.
        let _ = std::fs::remove_file(folder.join(path));
    }
    Ok(Taken::Adopted { notes })
}

/// A marker of gulf's own of which no session is kept any more. Only what is left of a loop that is over is no loop:
/// one that lives, or cannot be read, does not stop in silence.
fn known(place: &PlaceOfWork, marker: &Marker) -> Result<Taken, Failure> {
    let id = marker.loop_id.as_deref().unwrap_or_default();
    let is_over = start::loops(place)?
        .known
        .iter()
        .any(|one| one.name.as_str() == id && matches!(one.fold.state.stage(), Stage::Ended(_)));
    if is_over {
        let _ = std::fs::remove_file(place.project.join(MARKER));
        return Ok(Taken::Nothing);
    }
    Ok(Taken::Said(Said::let_stop(format!(
        "The loop {id} of {MARKER} is NOT over, and nothing was verified; but no session is known for it any more. \
         `/gulf-loop:resume` goes on with it here, `gulf status {id}` says where it stands."
    ))))
}

fn paused(marker: &Marker) -> String {
    let what = match &marker.pause_reason {
        Some(PauseReason::Milestone) => "Loop is paused at milestone checkpoint.",
        Some(PauseReason::Hitl) => "Loop is paused (HITL gate). Check JUDGE_FEEDBACK.md.",
        Some(PauseReason::None | PauseReason::Other(_)) | None => "Loop is paused.",
    };
    format!("{what} Go on: /gulf-loop:resume or `gulf resume`; end it: /gulf-loop:cancel or `gulf cancel`.")
}

/// Seals what the state file says, as a loop that this session works on.
pub fn adopt(
    place: &PlaceOfWork,
    marker: &Marker,
    from: AdoptedFrom,
    bound: &Bound,
    clock: &dyn Clock,
) -> Result<Vec<String>, Failure> {
    let request = RunRequest {
        spec: None,
        goal: marker.prompt.clone(),
        flags: flags(marker),
        rubric: None,
        evidence: if marker.judge_enabled { Evidence::Required } else { Evidence::Waived },
        questions: Questions::Ignored,
        replacing: Replacing::Refused,
        worker: session::terms_of(marker, bound.host),
        telling: Telling::Lines,
        heard: Heard::Everyone,
        parting: Parting::Usual,
        patience: Patience::AsSealed,
    };
    let plan = branching::as_the_marker_says(place, marker, composed(place, &request)?)?;
    let mut notes = plan.notes.clone();
    session::adopt(place, plan, marker, bound, clock)?;
    if from == AdoptedFrom::Ralph {
        let kept = session::set_aside(place, from, clock.wall_ms())?;
        notes.push(format!("the loop of {} is gulf's now; the file is kept as {kept}", from.path()));
    }
    Ok(notes)
}

/// The settings that a state file amounts to.
fn flags(marker: &Marker) -> Vec<(Key, String)> {
    let preset = if marker.judge_enabled { "judge" } else { "basic" };
    let mut flags = vec![
        (Key::Preset, preset.to_owned()),
        (Key::CompletionPromise, marker.completion_promise.clone()),
        (Key::MilestoneEvery, marker.milestone_every.to_string()),
        (Key::LimitsMaxIterations, marker.iterations_max.max(1).to_string()),
        (Key::HitlThreshold, marker.hitl_threshold.max(1).to_string()),
        (Key::ForceMax, marker.force_max.to_string()),
        (Key::StructuredMemory, marker.structured_memory.to_string()),
    ];
    if marker.judge_enabled {
        flags.push((Key::JudgeProtocol, "line".to_owned()));
    }
    flags
}

/// Adopts a state file that lies in a project, for commands that mean a loop: any session may go on with it.
pub fn in_project(place: &PlaceOfWork, clock: &dyn Clock) -> Result<Vec<String>, Failure> {
    let _closed = Seat::close(&place.home, &place.project)?;
    in_closed(place, clock)
}

/// The same, where this process has closed the project's sessions already.
pub fn in_closed(place: &PlaceOfWork, clock: &dyn Clock) -> Result<Vec<String>, Failure> {
    for from in [AdoptedFrom::Marker, AdoptedFrom::Ralph] {
        let reading = match session::find(&place.project, from.path())? {
            Found::Nothing => continue,
            Found::Marker(reading) => reading,
            Found::Corrupt { problem } => {
                let path = from.path();
                return Ok(vec![format!(
                    "{path} looks like a loop's state file and cannot be read: {problem}"
                )]);
            }
        };
        if session::is_known(place, &reading.marker) {
            continue;
        }
        let bound = Bound { host: Host::Other, id: reading.marker.session.clone(), file_bytes: 0 };
        return adopt(place, &reading.marker, from, &bound, clock);
    }
    Ok(Vec::new())
}

/// The loops of a checkout that are not over.
pub fn unfinished_here(place: &PlaceOfWork) -> Result<Vec<start::Known>, Failure> {
    let known = crate::place::known(place, None)?.into_iter();
    Ok(known.filter(|one| one.is_unfinished() && one.works_in(&place.project)).collect())
}
