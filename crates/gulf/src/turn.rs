//! The turn that a worker's program belongs to, and the worker's word in it.
//!
//! It stands apart because `claim`, `ask` and the tools of `gulf mcp` say the same things by other means: which turn is
//! theirs and what may be said in it is found out once, here.

use camino::Utf8PathBuf;
use gulf_agents::command::own_words;
use gulf_engine::{Act, Claim, Concern, NOTE_BYTES_MAX, OPTIONS_MAX, Question, Stage, State};
use gulf_host::clock::Clock;
use gulf_host::home::{Home, Name, Requests};
use gulf_runner::claims::{CLAIMS, Caller, RequestFile};
use gulf_runner::folder::LoopPaths;
use gulf_runner::session::Armed;
use gulf_runner::start::KnownLoop;
use gulf_runner::{FORMAT_VERSION, book};

use crate::failure::{Failure, Result};
use crate::whereabouts::Whereabouts;

/// A turn of a loop, as seen from within it.
#[derive(Debug)]
pub struct OwnTurn {
    name: Name,
    home: LoopPaths,
    /// The checkout of the session that works on the loop; none where gulf runs the agent.
    session: Option<Utf8PathBuf>,
}

impl OwnTurn {
    /// By GULF_LOOP, which gulf gives its agents, else by the session that works on a loop in this checkout.
    pub fn find() -> Result<Self> {
        let home = Home::from_environment()?;
        if let Ok(id) = std::env::var("GULF_LOOP") {
            let (name, home) = loop_by_id(&home, &id)?;
            return Ok(Self { name, home, session: None });
        }
        let nowhere = || {
            Failure::usage(
                "this is no worker's turn: GULF_LOOP is not set, and no session works on a loop here",
                "only a worker claims and asks, from within its turn; a person has `gulf steer`, `gulf inbox` and `gulf answer`",
            )
        };
        let place = Whereabouts::from_cwd(None);
        let armed = Armed::read(&home, &place.project)?.ok_or_else(nowhere)?;
        let name = Name::parse(&armed.loop_id).map_err(|_| nowhere())?;
        let home = armed.place(&home)?.loop_home(&name);
        Ok(Self { name, home, session: Some(place.project) })
    }

    /// The loop as its journal has it by now.
    pub fn known(self) -> Result<KnownLoop> {
        Ok(KnownLoop::read(self.name, self.home)?)
    }

    /// Leaves the worker's word where the driver finds it, and says what becomes of it.
    pub fn say(&self, claim: Claim) -> Result<&'static str> {
        let told = reply_to(&claim);
        let act = Act::Claim { claim };
        let wall_ms = Clock::new().wall_ms();
        let Some(project) = &self.session else {
            // First of all: an agent's program that ends its turn kills what still runs, and reading takes its time.
            let requests = self.home.requests();
            let name = RequestFile::by_this_process(act).leave(&requests, wall_ms)?;
            if is_over(&self.state()?) {
                requests.remove(&name)?;
                return Err(nobody_waits());
            }
            return Ok(told);
        };
        let state = self.state()?;
        if is_over(&state) {
            return Err(nobody_waits());
        }
        // A session's process does not know its turn; the journal does.
        let (iteration, attempt) = state.turn_in_hand();
        let author = Caller::Worker { iteration, attempt };
        // Its claims lie in the project: its shell may be kept out of gulf's home.
        let folder = project.join(CLAIMS);
        std::fs::create_dir_all(&folder).map_err(Failure::broken)?;
        RequestFile { v: FORMAT_VERSION, author, act }.leave(&Requests::in_directory(folder), wall_ms)?;
        Ok(told)
    }

    fn state(&self) -> Result<State> {
        Ok(book::fold(&book::read(self.home.root())?).state)
    }
}

fn is_over(state: &State) -> bool {
    matches!(&state.stage, Stage::Ended(_))
}

fn nobody_waits() -> Failure {
    Failure::usage("the loop has ended", "nobody waits for your word any more: end your turn")
}

fn reply_to(claim: &Claim) -> &'static str {
    match claim.question().map(|question| question.concern) {
        None => own_words::CLAIMED,
        Some(None | Some(Concern::Unclear)) => own_words::ASKED,
        Some(Some(Concern::Destructive | Concern::Architecture | Concern::Security)) => {
            own_words::ASKED_FIRST
        }
    }
}

/// The claim to be done.
pub fn done(no_test: Option<String>) -> Result<Claim> {
    no_test.iter().try_for_each(|reason| fit("the reason", reason))?;
    Ok(Claim::Done { no_test })
}

/// What can be asked; the engine refuses the rest later, when nobody listens any more.
pub fn askable(question: Question) -> Result<Question> {
    fit("the question", &question.text)?;
    question.evidence.iter().try_for_each(|evidence| fit("the evidence", evidence))?;
    question.options.iter().try_for_each(|option| fit("an option", option))?;
    if question.options.len() > OPTIONS_MAX {
        let what = format!("{} options are too many: {OPTIONS_MAX} is the limit", question.options.len());
        let hint = "name the ones that differ most; a person may answer something else";
        return Err(Failure::usage(what, hint));
    }
    Ok(question)
}

pub fn fit(what: &str, text: &str) -> Result<()> {
    if text.trim().is_empty() {
        return Err(Failure::usage(format!("{what} is blank"), "say it in a sentence"));
    }
    if text.len() > NOTE_BYTES_MAX {
        let what = format!("{what} has {} bytes, and {NOTE_BYTES_MAX} is the limit", text.len());
        return Err(Failure::usage(what, "put the details into a file of the project and name it"));
    }
    Ok(())
}

fn loop_by_id(home: &Home, id: &str) -> Result<(Name, LoopPaths)> {
    let unknown = || {
        Failure::usage(format!("there is no loop called {id}"), "GULF_LOOP and GULF_HOME are gulf's to set")
    };
    let name = Name::parse(id).map_err(|_| unknown())?;
    let repositories = home.repositories()?;
    let named = repositories.iter().map(|repository| LoopPaths::new(repository.loop_root(&name)));
    let mut named: Vec<LoopPaths> = named.filter(|candidate| candidate.journal().is_file()).collect();
    // Two projects may have loops of one name.
    let own = std::env::var("GULF_LOOP_HOME").unwrap_or_default();
    let at = named.iter().position(|candidate| candidate.root() == own.as_str()).unwrap_or(0);
    if named.is_empty() { Err(unknown()) } else { Ok((name, named.swap_remove(at))) }
}
