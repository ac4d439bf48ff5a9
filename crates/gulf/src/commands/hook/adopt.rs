//! Taking over the loop of a state file that a person wrote, or another plugin (CONTRACT "adopted").
//!
//! It stands apart because it is a start without a command: what cannot be sealed is said, and the file stays.

use camino::Utf8Path;
use gulf_agents::sessions::Host;
use gulf_engine::Stage;
use gulf_host::clock::Clock;
use gulf_host::home::{Home, HomeError};
use gulf_runner::branching;
use gulf_runner::place::{PlaceOfWork, Project};
use gulf_runner::plan::{Evidence, Plan, Questions};
use gulf_runner::session::{self, AdoptedFrom, Bound, Found, MARKER, Seat};
use gulf_runner::start;
use gulf_runner::trust::{Trust, TrustStore, came_along};
use gulf_spec::config::Key;
use gulf_spec::marker::{Marker, PauseReason, Reading, Standing};
use gulf_views::{one_line, tame_text};

use super::{Call, Said};
use crate::commands::run::{RunRequest, composed_of};
use crate::failure::Failure;
use crate::settings::{self};
use crate::trusting::{self, Word};

/// So many commands are shown at once.
const COMMANDS_SHOWN_MAX: usize = 20;

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

/// Looks for a state file, and takes its loop over: in a repository that its person trusts, and where they put it.
pub fn from_markers(call: &Call) -> Result<Taken, Failure> {
    let Some(home) = &call.place.home else { return Ok(homeless(call)) };
    let file_bytes = call
        .event
        .transcript
        .as_ref()
        .map_or(0, |path| std::fs::metadata(path).map_or(0, |metadata| metadata.len()));
    let bound = Bound { host: call.event.host, id: call.event.session.clone(), file_bytes };
    for from in [AdoptedFrom::Marker, AdoptedFrom::Ralph] {
        for folder in [&call.place.project, &call.place.named] {
            if folder.join(from.path()).is_file() {
                let trust = match lying(home, &Project::find(folder)?, folder, from.path())? {
                    Lying::Persons(trust) => trust,
                    Lying::Strange(why) => return said_once(home, folder, &why),
                };
                // Several sessions may stop at once: the first one takes the loop over.
                let _closed = Seat::close(home, &call.place.project)?;
                let place = PlaceOfWork::find(folder, home.clone())?;
                if call.place.is_armed() {
                    return Ok(Taken::Adopted { notes: Vec::new() });
                }
                return take(&place, folder, from, (&bound, &trust), &*call.clock);
            }
        }
    }
    Ok(Taken::Nothing)
}

/// Nobody knows what is trusted.
fn homeless(call: &Call) -> Taken {
    if !call.place.has_marker() {
        return Taken::Nothing;
    }
    let why = match Home::from_environment() {
        Ok(home) => home.refuse_inside(&call.place.project).err(),
        Err(error) => Some(error),
    };
    let hint = why.as_ref().and_then(HomeError::hint).unwrap_or_default();
    let why = why.map(|error| error.to_string()).unwrap_or_default();
    Taken::Said(Said::let_stop(format!(
        "gulf: a loop's state file lies here and begins nothing: {why} ({hint})"
    )))
}

/// Whose is a state file?
#[derive(Debug)]
pub enum Lying {
    /// It lies in a repository that its person trusts, and git does not track it.
    Persons(Trust),
    /// Nothing is begun by it, and this is why.
    Strange(String),
}

/// Looks whose the state file is that lies in this folder of a project; nothing is written.
pub fn lying(home: &Home, project: &Project, folder: &Utf8Path, path: &str) -> Result<Lying, Failure> {
    let Some(trust) = TrustStore::of(home).look(&project.mark()?) else {
        return Ok(Lying::Strange(format!(
            "{path} lies here and begins nothing, since this repository is not trusted: `gulf trust` trusts it."
        )));
    };
    if came_along(project, folder, path)? {
        return Ok(Lying::Strange(format!(
            "{path} begins nothing, since it came with the repository: `git rm --cached {path}` makes it yours."
        )));
    }
    Ok(if trust.passes_over(&folder.join(path)) {
        Lying::Strange(format!(
            "{path} begins nothing, since it lay here before you trusted this repository: `gulf trust` takes it as yours."
        ))
    } else {
        Lying::Persons(trust)
    })
}

/// The session stops as it pleases. Its person hears why gulf does nothing, once.
fn said_once(home: &Home, folder: &Utf8Path, why: &str) -> Result<Taken, Failure> {
    let mark = Project::find(folder)?.mark()?;
    Ok(if TrustStore::of(home).says_first(&mark, why) {
        Taken::Said(Said::let_stop(format!("gulf: {why}")))
    } else {
        Taken::Nothing
    })
}

/// Nothing is under way that a stop could cut short, so the session stops; its person hears once what has to be put right.
fn refused(home: &Home, folder: &Utf8Path, path: &str, failure: &Failure) -> Result<Taken, Failure> {
    let hint = failure.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
    let why = format!("{path} begins nothing: {}{hint}", failure.in_one_line());
    said_once(home, folder, &one_line(&why))
}

fn take(
    place: &PlaceOfWork,
    folder: &Utf8Path,
    from: AdoptedFrom,
    (bound, trust): (&Bound, &Trust),
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
    let prepared = match prepared(place, &marker, bound) {
        Ok(prepared) => prepared,
        // What broke under way is told by the hook's own rule; a start that is refused has left nothing behind.
        Err(failure) if failure.is_refusal() => return refused(&place.home, folder, path, &failure),
        Err(failure) => return Err(failure),
    };
    let unknown = trust.unknown(&prepared.commands);
    if !unknown.is_empty() {
        return said_once(&place.home, folder, &changed(path, &unknown));
    }
    match adopt(place, prepared.plan, (&marker, from), bound, clock) {
        Ok(told) => notes.extend(told),
        Err(failure) if failure.is_refusal() => return refused(&place.home, folder, path, &failure),
        Err(failure) => return Err(failure),
    }
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

/// Nobody has trusted these commands: a person sees them before anything runs them.
fn changed(path: &str, unknown: &[&str]) -> String {
    let mut text = format!(
        "{path} begins nothing yet: these commands are new, or changed since you trusted this repository.\n"
    );
    for command in unknown.iter().take(COMMANDS_SHOWN_MAX) {
        text.push_str(&format!("  {}\n", one_line(command)));
    }
    if unknown.len() > COMMANDS_SHOWN_MAX {
        text.push_str(&format!("  and {} more\n", unknown.len() - COMMANDS_SHOWN_MAX));
    }
    text.push_str("`gulf trust` trusts them as they are; /gulf-loop:resume does that and goes on.");
    text
}

/// What a state file would seal, and what that would run.
struct Prepared {
    plan: Plan,
    commands: Vec<String>,
}

fn prepared(place: &PlaceOfWork, marker: &Marker, bound: &Bound) -> Result<Prepared, Failure> {
    let worker = session::terms_of(marker, bound.host);
    let request = RunRequest {
        evidence: if marker.judge_enabled { Evidence::Required } else { Evidence::Waived },
        questions: Questions::Ignored,
        ..RunRequest::new(marker.prompt.clone(), flags(marker), worker)
    };
    let config = settings::heard(place, request.heard, request.flags.clone())?;
    let plan = composed_of(place, &request, config.clone())?;
    let commands = trusting::commands(&place.project, &config, &plan.checks);
    Ok(Prepared { plan: branching::as_the_marker_says(place, marker, plan)?, commands })
}

/// Seals what the state file says, as a loop that this session works on.
fn adopt(
    place: &PlaceOfWork,
    plan: Plan,
    (marker, from): (&Marker, AdoptedFrom),
    bound: &Bound,
    clock: &dyn Clock,
) -> Result<Vec<String>, Failure> {
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

/// For whom a state file is taken over that lies in a project.
#[derive(Clone, Copy, Debug)]
pub enum Asking<'asking> {
    /// A person goes on with what lies here: they trust it by that.
    GoingOn(Word<'asking>),
    /// An act that means a loop, where one lies that is the person's already.
    Acting,
}

/// Adopts a state file that lies in a project, for commands that mean a loop: any session may go on with it.
pub fn in_project(
    place: &PlaceOfWork,
    asking: Asking<'_>,
    clock: &dyn Clock,
) -> Result<Vec<String>, Failure> {
    let _closed = Seat::close(&place.home, &place.project)?;
    in_closed(place, asking, clock)
}

/// The same, where this process has closed the project's sessions already.
pub fn in_closed(place: &PlaceOfWork, asking: Asking<'_>, clock: &dyn Clock) -> Result<Vec<String>, Failure> {
    for from in [AdoptedFrom::Marker, AdoptedFrom::Ralph] {
        let path = from.path();
        let reading = match session::find(&place.project, path)? {
            Found::Nothing => continue,
            Found::Marker(reading) => reading,
            Found::Corrupt { problem } => {
                return Ok(vec![format!(
                    "{path} looks like a loop's state file and cannot be read: {problem}"
                )]);
            }
        };
        let marker = &reading.marker;
        if session::is_known(place, marker) {
            continue;
        }
        if let Asking::GoingOn(word) = asking {
            trusting::give_at(place, word, &[])?;
        }
        let trust = match lying(&place.home, &place.as_project(), &place.project, path)? {
            Lying::Persons(trust) => trust,
            Lying::Strange(why) => return Ok(vec![why]),
        };
        let bound = Bound { host: Host::Other, id: marker.session.clone(), file_bytes: 0 };
        let Prepared { plan, commands } = prepared(place, marker, &bound)?;
        match asking {
            Asking::GoingOn(word) => trusting::give_at(place, word, &commands)?,
            Asking::Acting => {
                let unknown = trust.unknown(&commands);
                if !unknown.is_empty() {
                    return Ok(vec![changed(path, &unknown)]);
                }
            }
        }
        return adopt(place, plan, (marker, from), &bound, clock);
    }
    Ok(Vec::new())
}

/// What a state file says that begins nothing by being looked at, for whoever asks where things stand.
pub fn shown(place: &PlaceOfWork) -> Result<Option<String>, Failure> {
    for from in [AdoptedFrom::Marker, AdoptedFrom::Ralph] {
        let path = from.path();
        let marker = match session::find(&place.project, path)? {
            Found::Nothing => continue,
            Found::Marker(reading) => reading.marker,
            Found::Corrupt { problem } => {
                return Ok(Some(format!(
                    "{path} looks like a loop's state file and cannot be read: {problem}\n"
                )));
            }
        };
        if session::is_known(place, &marker) {
            continue;
        }
        let mut text = format!("Iteration   : {} / {}\n", marker.iteration, marker.iterations_max);
        text.push_str(&format!("Completion  : <promise>{}</promise>\n", marker.completion_promise));
        text.push_str(&format!("Prompt      : {}\n", one_line(&marker.prompt)));
        text.push_str(&match lying(&place.home, &place.as_project(), &place.project, path)? {
            Lying::Persons(_) => {
                format!("No loop has begun by {path} yet: the next stop of a session here begins it.\n")
            }
            Lying::Strange(why) => format!("{why}\n"),
        });
        return Ok(Some(tame_text(&text)));
    }
    Ok(None)
}

/// The loops of a checkout that are not over.
pub fn unfinished_here(place: &PlaceOfWork) -> Result<Vec<start::Known>, Failure> {
    let known = crate::place::known(place, None)?.into_iter();
    Ok(known.filter(|one| one.is_unfinished() && one.works_in(&place.project)).collect())
}
