//! `gulf claim`: the worker's word, from within its turn.
//!
//! It stands apart from the acts of a person: only a worker may claim, it finds its loop by a variable, wherever it
//! stands, and what is wrong with its words is said at once, while it can still say them better.

use gulf_engine::{Claim, NOTE_BYTES_MAX, OPTIONS_MAX, Question};
use gulf_host::clock::{Clock, SystemClock};
use gulf_host::home::{Home, LoopHome, Name, Requests};
use gulf_runner::claims::{Asked, CLAIMS, Caller, RequestFile};
use gulf_runner::error::RunError;
use gulf_runner::session::Armed;
use gulf_runner::{FORMAT_VERSION, book};

use super::hook::Whereabouts;
use crate::cli::{ClaimArguments, ClaimKind, QuestionArguments};
use crate::failure::Failure;
use crate::input;

/// The worker finds its loop by GULF_LOOP.
pub fn claim(arguments: &ClaimArguments) -> Result<u8, Failure> {
    let claim = claimed(&arguments.claim)?;
    let home = Home::from_environment().map_err(RunError::from)?;
    let told = if claim.question().is_some() {
        "asked: the loop rests when this turn ends, until a person answers; finish what does not depend on it, then \
         end your turn"
    } else {
        "claimed: the gates are asked when this turn ends"
    };
    let asked = Asked::Claim { claim };
    let wall_ms = SystemClock::new().wall_ms();
    match std::env::var("GULF_LOOP") {
        Ok(id) => {
            let requests = loop_by_id(&home, &id)?.requests();
            RequestFile::by_this_process(asked).leave(&requests, wall_ms)?;
        }
        Err(_) => in_session(&home, asked, wall_ms)?,
    }
    outln!("{told}");
    Ok(0)
}

/// A session's claim lies in the project: its shell may be kept out of gulf's home.
fn in_session(home: &Home, act: Asked, wall_ms: u64) -> Result<(), Failure> {
    let nowhere = || {
        Failure::usage(
            "there is no turn to claim in: GULF_LOOP is not set, and no session works on a loop here",
            "only the worker can claim, from within its turn",
        )
    };
    let place = Whereabouts::of(None);
    let armed = Armed::read(home, &place.project)?.ok_or_else(nowhere)?;
    let name = Name::parse(&armed.loop_id).map_err(|_| nowhere())?;
    let events = book::read(armed.place(home)?.loop_home(&name).root())?;
    let (iteration, attempt) = book::fold(&events).state.turn_in_hand();
    let folder = place.project.join(CLAIMS);
    std::fs::create_dir_all(&folder).map_err(|error| Failure::world(&error, None))?;
    let request = RequestFile { v: FORMAT_VERSION, author: Caller::Worker { iteration, attempt }, act };
    request.leave(&Requests::in_directory(folder), wall_ms)?;
    Ok(())
}

fn claimed(kind: &ClaimKind) -> Result<Claim, Failure> {
    Ok(match kind {
        ClaimKind::Done { no_test } => {
            if let Some(reason) = no_test {
                fit("the reason", reason)?;
            }
            Claim::Done { no_test: no_test.clone() }
        }
        ClaimKind::Cannot(asked) => Claim::Cannot(question(asked)?),
        ClaimKind::Conflict(asked) => Claim::Conflict(question(asked)?),
        ClaimKind::NeedDecision(asked) => Claim::NeedDecision(question(asked)?),
    })
}

fn question(asked: &QuestionArguments) -> Result<Question, Failure> {
    let text = input::given(&asked.text, "the question")?;
    fit("the question", &text)?;
    if let Some(evidence) = &asked.evidence {
        fit("the evidence", evidence)?;
    }
    for option in &asked.options {
        fit("an option", option)?;
    }
    if asked.options.len() > OPTIONS_MAX {
        return Err(Failure::usage(
            format!("{} options are too many: {OPTIONS_MAX} is the limit", asked.options.len()),
            "name the ones that differ most; a person may answer something else",
        ));
    }
    Ok(Question { text, evidence: asked.evidence.clone(), options: asked.options.clone() })
}

/// The engine refuses the same later, when nobody listens any more.
fn fit(what: &str, text: &str) -> Result<(), Failure> {
    if text.trim().is_empty() {
        return Err(Failure::usage(format!("{what} is blank"), "say it in a sentence"));
    }
    if text.len() > NOTE_BYTES_MAX {
        return Err(Failure::usage(
            format!("{what} has {} bytes, and {NOTE_BYTES_MAX} is the limit", text.len()),
            "put the details into a file of the project and name it",
        ));
    }
    Ok(())
}

fn loop_by_id(home: &Home, id: &str) -> Result<LoopHome, Failure> {
    let unknown = || {
        Failure::usage(format!("there is no loop called {id}"), "GULF_LOOP and GULF_HOME are gulf's to set")
    };
    let name = Name::parse(id).map_err(|_| unknown())?;
    for repository in home.repositories().map_err(RunError::from)? {
        let candidate = repository.loop_home(&name);
        if candidate.journal().is_file() {
            return Ok(candidate);
        }
    }
    Err(unknown())
}
