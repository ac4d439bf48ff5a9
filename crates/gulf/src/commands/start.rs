//! `gulf start`: arms a loop in an agent's session, from a terminal or from within the session.
//!
//! It stands apart from `run` because nothing is driven here: the session works, and gulf is called when it stops.

use std::io::IsTerminal;
use std::sync::Arc;

use gulf_agents::sessions::{Host, spelled_for};
use gulf_host::clock::Clock;
use gulf_runner::agreement::WorkerTerms;
use gulf_runner::claims::Caller;
use gulf_runner::drive::Leave;
use gulf_runner::observer::Unobserved;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::session::{self, Bound, Means, Outcome, Seat};
use gulf_runner::specs;
use gulf_runner::trust::GivenOn;
use gulf_spec::alignment::ALIGNMENT_PATH;
use gulf_spec::config::{Key, Preset};

use crate::cli::StartArguments;
use crate::ending::{self, Replacing};
use crate::failure::Failure;
use crate::in_session::conclude::concluded;
use crate::in_session::parallel;
use crate::in_session::seal::{SealedSession, refuse_if_busy, seal};
use crate::out::say_note;
use crate::starting::{RunRequest, free_spec, goal};
use crate::trusting::{TypedPlace, Word};
use crate::{input, place, settings};

pub fn start(arguments: &StartArguments) -> Result<u8, Failure> {
    let place = place::here()?;
    place::is_project(&place)?;
    let bound = session_here();
    let flags = settings::of_session(&place, settings::flags(&arguments.terms))?;
    let goal = match &arguments.terms.spec {
        Some(id) => specs::find(&place.project, id).map(|(spec, text)| (Some(spec), text))?,
        None => (None, prompt(arguments, &place, &flags)?),
    };
    let worker = WorkerTerms::Session { host: bound.host.name().to_owned() };
    let request = RunRequest::of(&arguments.terms, goal, flags, worker);
    if request.replacing != Replacing::Refused && Caller::of_this_process() != Caller::Person {
        return Err(Failure::usage(
            "only a person may replace a loop, and this comes from an agent's process",
            spelled_for(bound.host, "type it into the session: `/gulf-loop:start --replace …`"),
        ));
    }
    if Caller::of_this_process() != Caller::Person && place.trust().is_none() {
        return Err(Failure::usage(
            "this repository is not trusted, and only a person may begin a loop in it: this comes from an agent's process",
            spelled_for(
                bound.host,
                "type it into the session: `/gulf-loop:start …`; or `gulf trust` in a terminal of your own",
            ),
        ));
    }
    let clock = Arc::new(Clock::new());
    if parallel::is_meant(&place, &request)? {
        outln!("{}", parallel::prepare(&place, &request, (bound.host, START), &clock)?);
        return Ok(0);
    }
    if request.replacing != Replacing::Refused {
        place::open_here(&place)?.iter().try_for_each(|one| ending::may_end(one, request.replacing))?;
    }
    let _spec = free_spec(&place, &request)?;
    refuse_if_busy(&place, request.replacing)?;
    let SealedSession { held, agreed, notes } = seal(&place, &request, START, &clock)?;
    if !place.project.join(ALIGNMENT_PATH).is_file() {
        anstream::eprintln!("TIP: `gulf align` writes down what the work means, before a loop begins");
    }
    for told in &notes {
        say_note(told);
    }
    let mut unobserved = Unobserved;
    let means = Means { clock, leave: Leave::default(), observer: &mut unobserved };
    let closed = Seat::close(&place.home, &place.project)?;
    let (mut seat, outcome) = session::begin(&place, held, &bound, closed, means)?;
    outln!("[gulf] Loop initialized.\n{agreed}");
    if let Outcome::Driven(driven) = outcome {
        concluded(&mut seat, &driven)?;
        if bound.id.is_none() {
            outln!(
                "  Next       : open your agent in this folder and say \"continue\": that session is the worker"
            );
        } else if let Some(handed) = &driven.handed {
            outln!("\n{}", handed.news);
        }
    }
    Ok(0)
}

/// A person begins something in this repository.
const START: Word<'static> =
    Word { by: "gulf start", typed: TypedPlace::Terminal, occasion: GivenOn::Beginning };

/// The session that this command was typed or run in, if any.
fn session_here() -> Bound {
    let value = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let known = [("CLAUDE_CODE_SESSION_ID", Host::Claude), ("CODEX_THREAD_ID", Host::Codex)];
    let found = known.into_iter().find_map(|(name, host)| Some((value(name)?, host)));
    match found {
        Some((id, host)) => Bound { host, id: Some(id), file_bytes: 0 },
        None => Bound { host: Host::Other, id: None, file_bytes: 0 },
    }
}

/// In words, from a file, from a pipe, or from PROMPT.md.
fn prompt(
    arguments: &StartArguments,
    place: &PlaceOfWork,
    flags: &[(Key, String)],
) -> Result<String, Failure> {
    if let Some(file) = &arguments.terms.file {
        return goal::in_file(file);
    }
    let words = arguments.prompt.join(" ");
    if !words.trim().is_empty() && words != "-" {
        return Ok(words);
    }
    if !std::io::stdin().is_terminal() {
        let text = input::from_stdin("the prompt")?;
        if !text.trim().is_empty() {
            return Ok(text);
        }
    }
    if settings::load(place, flags.to_vec())?.preset == Preset::Tasks {
        return Err(goal::no_list_in_session());
    }
    let own = if words == "-" { None } else { goal::of_project(place)? };
    own.ok_or_else(|| goal::missing("start"))
}
