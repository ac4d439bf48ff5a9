//! A stop takes over the loop of a state file: a start without a command. What cannot be sealed is said, and the file stays.

use camino::Utf8Path;
use gulf_engine::Stage;
use gulf_host::clock::Clock;
use gulf_host::hint::Hint as _;
use gulf_host::home::Home;
use gulf_runner::place::{PlaceOfWork, Project};
use gulf_runner::session::{self, Bound, Found, MARKER, STATE_FILES, Seat};
use gulf_runner::start;
use gulf_runner::trust::{Trust, TrustStore};
use gulf_spec::marker::{Marker, MarkerActivity, MarkerPause, Reading};
use gulf_views::one_line;

use super::Call;
use super::prompt::bound;
use crate::failure::Result;
use crate::in_session::SessionMessage;
use crate::in_session::adopt::{adopt, changed, lying, prepared};

/// What became of the state files in a project: a loop was taken over, with these notes; or the session stops, as it
/// would have done where none concerns it, and may be told why.
pub type TakenFiles = Result<Vec<String>, SessionMessage>;

/// Looks for a state file, and takes its loop over: in a repository that its person trusts, and where they put it.
pub fn from_markers(call: &Call) -> Result<TakenFiles> {
    let Some(home) = &call.place.home else { return Ok(Err(homeless(call))) };
    for path in STATE_FILES {
        for folder in [&call.place.project, &call.place.named] {
            if folder.join(path).is_file() {
                let project = Project::find(folder)?;
                let trust = match lying(home, &project, folder, path)? {
                    Ok(trust) => trust,
                    Err(why) => return said_once(home, folder, &why),
                };
                // Several sessions may stop at once: the first one takes the loop over.
                let _closed = Seat::close(home, &call.place.project)?;
                let place = PlaceOfWork::of_project(project, home.clone())?;
                if call.place.is_armed() {
                    return Ok(Ok(Vec::new()));
                }
                return take(&place, folder, path, (&bound(call), &trust), &call.clock);
            }
        }
    }
    Ok(Err(SessionMessage::nothing()))
}

/// Nobody knows what is trusted.
fn homeless(call: &Call) -> SessionMessage {
    if !call.place.has_marker() {
        return SessionMessage::nothing();
    }
    let home = Home::from_environment();
    let Err(why) = home.and_then(|home| home.refuse_inside(&call.place.project)) else {
        return SessionMessage::nothing();
    };
    let hint = why.hint().unwrap_or_default();
    SessionMessage::let_stop(format!(
        "gulf: a loop's state file lies here and begins nothing: {why} ({hint})"
    ))
}

/// The session stops as it pleases. Its person hears why gulf does nothing, once.
fn said_once(home: &Home, folder: &Utf8Path, why: &str) -> Result<TakenFiles> {
    let mark = Project::find(folder)?.mark()?;
    if !TrustStore::open(home).says_first(&mark, why) {
        return Ok(Err(SessionMessage::nothing()));
    }
    Ok(Err(SessionMessage::let_stop(format!("gulf: {why}"))))
}

fn take(
    place: &PlaceOfWork,
    folder: &Utf8Path,
    path: &str,
    (bound, trust): (&Bound, &Trust),
    clock: &Clock,
) -> Result<TakenFiles> {
    let Reading { marker, warnings } = match session::find(folder, path)? {
        Found::Nothing => return Ok(Err(SessionMessage::nothing())),
        Found::Corrupt { problem } => {
            return Ok(Err(SessionMessage::let_stop(format!(
                "{path} looks like a loop's state file and cannot be read: {problem}. It is left as it is; no loop \
                 runs, and nothing was verified. Fix it, or remove it."
            ))));
        }
        Found::Marker(reading) => *reading,
    };
    if marker.session.is_some() && bound.id.is_some() && marker.session != bound.id {
        return Ok(Err(SessionMessage::nothing()));
    }
    if session::is_known(place, &marker) {
        return known(place, &marker);
    }
    if marker.standing == MarkerActivity::Paused {
        return Ok(Err(SessionMessage::let_stop(paused(&marker))));
    }
    let mut notes: Vec<String> = warnings.iter().map(|warning| format!("{path}: {warning}")).collect();
    let begin = || -> Result<Result<Vec<String>, String>> {
        let (plan, commands) = prepared(place, &marker, bound)?;
        let unknown = trust.unknown(&commands);
        if !unknown.is_empty() {
            return Ok(Err(changed(path, &unknown)));
        }
        adopt(place, plan, (&marker, path), bound, clock).map(Ok)
    };
    match begin() {
        Ok(Ok(told)) => notes.extend(told),
        Ok(Err(why)) => return said_once(&place.home, folder, &why),
        // A start that is refused has left nothing behind, and nothing is under way that a stop could cut short: the
        // session stops, and its person hears once what has to be put right.
        Err(failure) if failure.is_refusal() => {
            let why = format!("{path} begins nothing: {}", failure.with_hint_in_one_line());
            return said_once(&place.home, folder, &one_line(&why));
        }
        // What broke under way is told by the hook's own rule.
        Err(failure) => return Err(failure),
    }
    if folder != place.project {
        // Its loop's marker lies at the top by now, with the same prompt.
        let _ = std::fs::remove_file(folder.join(path));
    }
    Ok(Ok(notes))
}

/// A marker of gulf's own of which no session is kept any more. Only what is left of a loop that is over is no loop:
/// one that lives, or cannot be read, does not stop in silence.
fn known(place: &PlaceOfWork, marker: &Marker) -> Result<TakenFiles> {
    let id = marker.loop_id.as_deref().unwrap_or_default();
    let known = start::loops(place)?.known;
    let mut same = known.iter().filter(|one| one.name.as_str() == id);
    let is_over = same.any(|one| matches!(&one.fold.state.stage, Stage::Ended(_)));
    if is_over {
        let _ = std::fs::remove_file(place.project.join(MARKER));
        return Ok(Err(SessionMessage::nothing()));
    }
    Ok(Err(SessionMessage::let_stop(format!(
        "The loop {id} of {MARKER} is NOT over, and nothing was verified; but its session is no longer known. \
         `/gulf-loop:resume` continues it here, `gulf status {id}` shows its state."
    ))))
}

fn paused(marker: &Marker) -> String {
    let what = match &marker.pause_reason {
        Some(MarkerPause::Milestone) => "Loop is paused at milestone checkpoint.",
        Some(MarkerPause::Hitl) => "Loop is paused (HITL gate). Check JUDGE_FEEDBACK.md.",
        Some(MarkerPause::None | MarkerPause::Other(_)) | None => "Loop is paused.",
    };
    format!("{what} Go on: /gulf-loop:resume or `gulf resume`; end it: /gulf-loop:cancel or `gulf cancel`.")
}
