//! State files that a person wrote, or another plugin, and whose loop is taken over for a session (CONTRACT "adopted").

use camino::Utf8Path;
use gulf_agents::sessions::Host;
use gulf_host::clock::Clock;
use gulf_host::home::Home;
use gulf_runner::place::{PlaceOfWork, Project};
use gulf_runner::plan::{CheckNeed, Plan, Questions};
use gulf_runner::session::{self, Bound, Found, RALPH_MARKER, STATE_FILES, Seat};
use gulf_runner::trust::{Trust, TrustStore, came_along};
use gulf_runner::{branching, start};
use gulf_spec::config::Key;
use gulf_spec::marker::Marker;
use gulf_views::{one_line, tame_text};

use crate::failure::Result;
use crate::out::say_note;
use crate::place;
use crate::starting::{RunRequest, composed_of};
use crate::trusting::{self, Word};

/// So many commands are shown at once.
const COMMANDS_SHOWN_MAX: usize = 20;

/// For whom a state file is taken over that lies in a project.
#[derive(Clone, Copy, Debug)]
pub enum AdoptedFor<'asking> {
    /// A person goes on with what lies here: they trust it by that.
    GoingOn(Word<'asking>),
    /// An act that means a loop, where one lies that is the person's already.
    Acting,
}

/// Adopts a state file that lies in a project, for commands that mean a loop: any session may go on with it. A person is
/// told.
pub fn in_project(place: &PlaceOfWork, asking: AdoptedFor<'_>) -> Result<()> {
    let _closed = Seat::close(&place.home, &place.project)?;
    in_closed(place, asking, &Clock::new())?.into_iter().for_each(say_note);
    Ok(())
}

/// The same, where this process has closed the project's sessions already; what a person is to be told.
pub fn in_closed(place: &PlaceOfWork, asking: AdoptedFor<'_>, clock: &Clock) -> Result<Vec<String>> {
    let (path, marker) = match unadopted(place)? {
        None => return Ok(Vec::new()),
        Some(Err(why)) => return Ok(vec![why]),
        Some(Ok(found)) => found,
    };
    if let AdoptedFor::GoingOn(word) = asking {
        trusting::give_at(place, word, &[])?;
    }
    let trust = match lying(&place.home, &place.as_project(), &place.project, path)? {
        Ok(trust) => trust,
        Err(why) => return Ok(vec![why]),
    };
    let bound = Bound { host: Host::Other, id: marker.session.clone(), file_bytes: 0 };
    let (plan, commands) = prepared(place, &marker, &bound)?;
    match asking {
        AdoptedFor::GoingOn(word) => trusting::give_at(place, word, &commands)?,
        AdoptedFor::Acting => {
            let unknown = trust.unknown(&commands);
            if !unknown.is_empty() {
                return Ok(vec![changed(path, &unknown)]);
            }
        }
    }
    adopt(place, plan, (&marker, path), &bound, clock)
}

/// A state file, and where it lies, or why it cannot be read.
type StateFile = Result<(&'static str, Marker), String>;

/// The first state file that is not of a loop of gulf's.
fn unadopted(place: &PlaceOfWork) -> Result<Option<StateFile>> {
    for path in STATE_FILES {
        match session::find(&place.project, path)? {
            Found::Nothing => {}
            Found::Marker(reading) if session::is_known(place, &reading.marker) => {}
            Found::Marker(reading) => return Ok(Some(Ok((path, reading.marker)))),
            Found::Corrupt { problem } => {
                let why = format!("{path} looks like a loop's state file and cannot be read: {problem}");
                return Ok(Some(Err(why)));
            }
        }
    }
    Ok(None)
}

/// Looks whose the state file is that lies in this folder of a project; nothing is written. In a repository that its person
/// trusts, and where git does not track it, it is theirs; else nothing is begun by it, and why.
pub fn lying(home: &Home, project: &Project, folder: &Utf8Path, path: &str) -> Result<Result<Trust, String>> {
    let Some(trust) = TrustStore::open(home).find(&project.mark()?) else {
        return Ok(Err(format!(
            "{path} lies here and begins nothing, since this repository is not trusted: `gulf trust` trusts it."
        )));
    };
    if came_along(project, folder, path)? {
        return Ok(Err(format!(
            "{path} begins nothing, since it came with the repository: `git rm --cached {path}` makes it yours."
        )));
    }
    if trust.passes_over(&folder.join(path)) {
        return Ok(Err(format!(
            "{path} begins nothing, since it lay here before you trusted this repository: `gulf trust` takes it as yours."
        )));
    }
    Ok(Ok(trust))
}

/// What a state file would seal, and what that would run.
pub fn prepared(place: &PlaceOfWork, marker: &Marker, bound: &Bound) -> Result<(Plan, Vec<String>)> {
    let worker = session::terms_of(marker, bound.host);
    let mut request = RunRequest::new(marker.prompt.clone(), flags(marker), worker);
    request.plan.questions = Questions::Ignored;
    if !marker.judge_enabled {
        request.plan.evidence = CheckNeed::Waived;
    }
    let (config, plan) = composed_of(place, &request)?;
    let commands = trusting::commands(&place.project, &config, &plan.terms.checks);
    Ok((branching::as_the_marker_says(place, marker, plan)?, commands))
}

/// Seals what the state file says, as a loop that this session works on.
pub fn adopt(
    place: &PlaceOfWork,
    plan: Plan,
    (marker, path): (&Marker, &str),
    bound: &Bound,
    clock: &Clock,
) -> Result<Vec<String>> {
    let mut notes = plan.notes.clone();
    session::adopt(place, plan, marker, bound, clock)?;
    if path == RALPH_MARKER {
        let kept = session::set_aside(&place.project, path, clock.wall_ms())?;
        notes.push(format!("the loop of {path} is gulf's now; the file is kept as {kept}"));
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

/// Nobody has trusted these commands: a person sees them before anything runs them.
pub fn changed(path: &str, unknown: &[&str]) -> String {
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

/// What a state file says that begins nothing by being looked at, for whoever asks where things stand.
pub fn lying_here(place: &PlaceOfWork) -> Result<Option<String>> {
    let (path, marker) = match unadopted(place)? {
        None => return Ok(None),
        Some(Err(why)) => return Ok(Some(why + "\n")),
        Some(Ok(found)) => found,
    };
    let mut text = format!("Iteration   : {} / {}\n", marker.iteration, marker.iterations_max);
    text.push_str(&format!("Completion  : <promise>{}</promise>\n", marker.completion_promise));
    text.push_str(&format!("Prompt      : {}\n", one_line(&marker.prompt)));
    text.push_str(&match lying(&place.home, &place.as_project(), &place.project, path)? {
        Ok(_) => format!("No loop has begun by {path} yet: the next stop of a session here begins it.\n"),
        Err(why) => format!("{why}\n"),
    });
    Ok(Some(tame_text(&text)))
}

/// The loops of a checkout that are not over.
pub fn unfinished_here(place: &PlaceOfWork) -> Result<Vec<start::KnownLoop>> {
    let known = place::known(place, None)?.into_iter();
    Ok(known.filter(|one| one.is_unfinished() && one.works_in(&place.project)).collect())
}
