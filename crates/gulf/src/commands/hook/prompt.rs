//! The hook at a person's prompt: their commands, and the brief of a turn that begins without one (CONTRACT §1.3).
//!
//! In a session the raw prompt is the person's word: start, resume and cancel are admitted from here, and from
//! nothing that the session's agent runs itself (DESIGN invariant 8).

use gulf_agents::sessions::{Answer, HookKind};
use gulf_engine::{Act, Author, Request, Stage, Worker, admit};
use gulf_host::ancestry::agent_shell_above;
use gulf_host::digest::Digest;
use gulf_host::home::Home;
use gulf_host::lock::Lock;
use gulf_runner::book::Book;
use gulf_runner::drive::DriveOutcome;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::session::{self, Answered, Armed, Bound, Means, Occasion, Outcome, Seat};
use gulf_runner::start::{self, KnownLoop};
use gulf_runner::trust::GivenOn;
use gulf_runner::{group, specs};
use gulf_spec::problem::{Mistake, Problem};
use gulf_spec::slash_commands::{CommandWords, SlashCommand, no_prompt, spoken};

use super::answer::{self, beside, is_hosts, offered, while_looked_at};
use super::stop::repeat;
use super::{Call, is_trusted, typed};
use crate::cli::{ResumeArguments, StartArguments};
use crate::commands::{align, clean};
use crate::drive::terms;
use crate::failure::{Failure, Result};
use crate::in_session::SessionMessage;
use crate::in_session::adopt::{self, AdoptedFor};
use crate::in_session::conclude::{self, conclude};
use crate::in_session::seal::{self, SealedSession, refuse_if_busy_here, seal};
use crate::starting::{self, RunRequest, free_spec};
use crate::trusting::{self, TypedPlace, Word};
use crate::{ending, language, settings};

const HELP: &str = include_str!("help.txt");

pub fn prompt(call: &Call, text: &str) -> Result<SessionMessage> {
    match spoken(text, &typed::flags) {
        None if call.place.is_armed() => Ok(beside(ordinary(call, text)?, text)),
        None => Ok(offered(call, text)),
        Some(Err(error)) => Ok(misspoken(&error)),
        Some(Ok(command)) => obey(call, command),
    }
}

fn misspoken(error: &Mistake) -> SessionMessage {
    let hint = error.hint().map(|hint| format!("\n{hint}")).unwrap_or_default();
    refuse(format!("gulf: {error}{hint}"))
}

fn obey(call: &Call, command: SlashCommand) -> Result<SessionMessage> {
    if command == SlashCommand::Help {
        return Ok(refuse(HELP.trim_end().to_owned()));
    }
    let home = Home::from_environment()?;
    // Would it begin a loop in a repository that no person trusts yet? Then only a person may.
    let is_untrusted = || matches!(command, SlashCommand::Start(_)) && !is_trusted(&call.place, &home);
    if agent_shell_above() && (is_persons(&command) || is_untrusted()) {
        return Ok(refuse(PERSON_ONLY.to_owned()));
    }
    if let Some(said) = while_looked_at(call, &command, &home)? {
        return Ok(said);
    }
    // A hook that is registered twice is called twice, side by side: one of them acts.
    let closed = Seat::close(&home, &call.place.project)?;
    if let Some(last) = commanded_before(call, &home)? {
        repeat(&last);
        return Ok(SessionMessage::nothing());
    }
    let place = PlaceOfWork::find(&call.place.named, home)?;
    match command {
        SlashCommand::Start(words) => start(call, &place, words, closed),
        SlashCommand::Align(_) => align(&place),
        SlashCommand::Status => status(&place),
        SlashCommand::Cancel => cancel(call, &place),
        SlashCommand::Clean(words) => Ok(refuse(clean::in_session(&place, &typed::arguments(&words)?)?)),
        SlashCommand::Resume(words) => resume(call, &place, &words, closed),
        SlashCommand::Answer(words) => answer::command(call, &place, &words, closed),
        SlashCommand::Help => Ok(SessionMessage::nothing()),
    }
}

/// A person goes on with what lies in this repository.
const RESUME: Word<'static> =
    Word { by: "/gulf-loop:resume", typed: TypedPlace::Session, occasion: GivenOn::GoingOn };
/// A person begins something in this repository.
const START: Word<'static> =
    Word { by: "/gulf-loop:start", typed: TypedPlace::Session, occasion: GivenOn::Beginning };

const PERSON_ONLY: &str = "gulf: only a person may do this, and the prompt comes from an agent's shell. Type it into \
                           the session yourself.";

/// What no agent may do to its own loop, whatever it makes its host believe (DESIGN invariant 8).
fn is_persons(command: &SlashCommand) -> bool {
    match command {
        SlashCommand::Cancel | SlashCommand::Resume(_) | SlashCommand::Answer(_) => true,
        SlashCommand::Start(words) => words.says("--replace"),
        SlashCommand::Clean(words) => words.says("--yes"),
        SlashCommand::Align(_) | SlashCommand::Status | SlashCommand::Help => false,
    }
}

/// Was this very command answered by another call?
pub(super) fn commanded_before(call: &Call, home: &Home) -> Result<Option<Answered>> {
    let Some(occasion) = occasion(call) else { return Ok(None) };
    let project = &call.place.project;
    let armed = Armed::read(home, project)?.and_then(|armed| armed.commanded);
    let last = [armed, Answered::read(home, project)].into_iter().flatten();
    Ok(last.into_iter().find(|last| last.occasion == occasion.occasion && last.message == occasion.message))
}

fn occasion(call: &Call) -> Option<Occasion> {
    let HookKind::Prompt { text } = &call.event.kind else { return None };
    let session = call.event.session.as_ref()?;
    let message = Digest::of_bytes(format!("{session}\n{text}").as_bytes()).to_string();
    Some(Occasion { occasion: call.event.occasion.clone()?, message })
}

/// The prompt does not reach the model: the person reads this instead.
pub(super) fn refuse(reason: String) -> SessionMessage {
    SessionMessage::only(Answer::RefusePrompt { reason: language::translated(reason) })
}

pub(super) fn bound(call: &Call) -> Bound {
    let length = |path: &String| std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    let file_bytes = call.event.transcript.as_ref().map_or(0, length);
    Bound { host: call.event.host, id: call.event.session.clone(), file_bytes }
}

/// What a loop is driven with from within this call.
pub(super) fn means(call: &Call) -> Means {
    Means { clock: call.clock.clone(), leave: call.leave.clone() }
}

/// The original's README gives a file as `"$(cat PROMPT.md)"`, which its shell command read. Nothing else is expanded.
fn named_as_before(text: &str) -> Option<&str> {
    let path = text.trim().strip_prefix("$(cat ")?.strip_suffix(')')?.trim();
    let is_plain = !path.is_empty() && !path.contains(['$', '`', '(', ')', ';', '|', '&', '<', '>', '\n']);
    is_plain.then(|| path.trim_matches(['"', '\'']))
}

fn start(call: &Call, place: &PlaceOfWork, words: CommandWords, closed: Lock) -> Result<SessionMessage> {
    // Nobody can be asked here, as a terminal asks.
    if let Some(what) = crate::place::taken_whole(&place.as_project()) {
        return Ok(refuse(format!(
            "gulf: {what}.\n{}; to begin here all the same: `gulf start \"…\"` in a terminal, which asks",
            crate::place::OWN_FOLDER
        )));
    }
    let StartArguments { prompt, mut terms } = typed::arguments(&words)?;
    // What a person types into a session needs no second yes.
    terms.yes = terms.replace;
    let text = prompt.join(" ");
    let file = terms.file.as_ref().map(|file| file.as_str()).or_else(|| named_as_before(&text));
    let goal = match (&terms.spec, file) {
        (Some(id), _) => specs::find(&place.project, id).map(|(spec, text)| (Some(spec), text))?,
        (None, Some(path)) => (None, starting::in_file(&call.place.cwd.join(path))?),
        (None, None) if !text.is_empty() => (None, text),
        (None, None) => match starting::of_project(place)? {
            Some(text) => (None, text),
            None => return Ok(misspoken(&no_prompt())),
        },
    };
    let flags = settings::of_session(place, settings::flags(&terms))?;
    let worker = gulf_runner::agreement::WorkerTerms::Session { host: call.event.host.name().to_owned() };
    let request = RunRequest::from_flags(&terms, goal, flags, worker);
    let taken =
        words.taken_from_end.map(|taken| format!("\ntaken as flags, not as part of the prompt: {taken}"));
    let taken = taken.unwrap_or_default();
    let _spec = free_spec(place, &request)?;
    if seal::is_meant(place, &request)? {
        let told = seal::prepare(place, &request, (call.event.host, START), &call.clock)?;
        return kept(call, &place.home, refuse(told + &taken));
    }
    refuse_if_busy_here(place, request.replacing)?;
    let SealedSession { held, agreed, notes } = seal(place, &request, START, &call.clock)?;
    let (seat, outcome) = session::begin(place, held, &bound(call), closed, means(call))?;
    let told = format!("gulf: loop initialized.\n{agreed}{}{taken}", noted(&notes));
    begun(call, seat, outcome, &told)
}

/// No turn is begun by this: the person reads it, and it is done once.
pub(super) fn kept(call: &Call, home: &Home, said: SessionMessage) -> Result<SessionMessage> {
    if let Some(occasion) = occasion(call) {
        said.kept(call, occasion, 0).keep(home, &call.place.project)?;
    }
    Ok(said)
}

/// The session has the turn, or the loop came to rest at once.
pub(super) fn begun(call: &Call, mut seat: Seat, outcome: Outcome, before: &str) -> Result<SessionMessage> {
    let Outcome::Driven(driven) = outcome else { return Ok(SessionMessage::nothing()) };
    let mut said = conclude(&mut seat, &driven)?;
    if let Answer::Continue { brief: context, told } = said.answer {
        let told = if before.is_empty() { told } else { language::translated(before) };
        said.answer = Answer::AddToPrompt { context, told: Some(told) };
    } else if let Answer::LetStop { told } = said.answer {
        said.answer = Answer::RefusePrompt { reason: told };
    }
    if matches!(driven.left, DriveOutcome::Ended(_)) {
        seat.clear()?;
    } else {
        seat.armed.commanded = occasion(call).map(|occasion| said.kept(call, occasion, 0));
        seat.save()?;
    }
    Ok(said)
}

fn align(place: &PlaceOfWork) -> Result<SessionMessage> {
    let context = align::for_session(place)?;
    Ok(SessionMessage::only(Answer::AddToPrompt { context, told: None }))
}

/// The loop that a command means: the unfinished one here, after a state file was taken over.
pub(super) fn meant(
    call: &Call,
    place: &PlaceOfWork,
    asking: AdoptedFor<'_>,
) -> Result<Result<KnownLoop, Vec<String>>> {
    let notes = adopt::in_closed(place, asking, &call.clock)?;
    Ok(adopt::unfinished_here(place)?.pop().ok_or(notes))
}

pub(super) fn no_loop(notes: &[String]) -> SessionMessage {
    let told = "gulf: there is no loop here. Start one with /gulf-loop:start PROMPT.";
    refuse(format!("{told}{}", noted(notes)))
}

fn noted(notes: &[String]) -> String {
    notes.iter().map(|note| format!("\nnote: {note}")).collect()
}

fn status(place: &PlaceOfWork) -> Result<SessionMessage> {
    if let Some(known) = adopt::unfinished_here(place)?.pop() {
        return Ok(refuse(conclude::status(&known)?));
    }
    let workers = elsewhere(place)?;
    if !workers.is_empty() {
        return Ok(refuse(crate::commands::status::of_group(&workers)?));
    }
    if let Some(lying) = adopt::lying_here(place)? {
        return Ok(refuse(lying.trim_end().to_owned()));
    }
    let all = crate::place::known(place, None)?.into_iter();
    Ok(match crate::place::foremost(all.filter(|one| one.works_in(&place.project)).collect())? {
        Some(known) => refuse(conclude::status(&known)?),
        None => no_loop(&[]),
    })
}

fn cancel(call: &Call, place: &PlaceOfWork) -> Result<SessionMessage> {
    let notes = match meant(call, place, AdoptedFor::Acting)? {
        Ok(known) => return Ok(refuse(end(call, place, &known)?)),
        Err(notes) => notes,
    };
    let workers = elsewhere(place)?;
    if workers.is_empty() {
        return Ok(no_loop(&notes));
    }
    let told = workers.iter().map(|one| end(call, &place.of_loop(&one.agreement()?), one));
    Ok(refuse(told.collect::<Result<Vec<_>>>()?.join("\n")))
}

/// The unfinished loops that were started together from here, and wait for sessions in worktrees of their own.
fn elsewhere(place: &PlaceOfWork) -> Result<Vec<KnownLoop>> {
    let known = crate::place::known(place, None)?;
    // What processes of gulf's own drive is a terminal's.
    let is_in_session = |one: &KnownLoop| matches!(&one.fold.state.worker, Worker::Session { .. });
    let is_own = |one: &&KnownLoop| one.is_unfinished() && one.is_of(&place.project) && is_in_session(one);
    let newest = known.iter().rfind(is_own);
    Ok(newest.map(|one| group::together(one, &known)).unwrap_or_default())
}

/// Ends this loop, and says so.
fn end(call: &Call, place: &PlaceOfWork, known: &KnownLoop) -> Result<String> {
    let (mut book, _) = Book::open(known.home.root())?;
    let request = Request { author: Author::Person, act: Act::Cancel };
    let fact = admit(book.state(), request).map_err(Failure::broken)?;
    book.add(vec![fact], call.clock.wall_ms())?;
    gulf_runner::drive::carry_out(&mut book, &known.home, call.clock.wall_ms())?;
    let iterations = gulf_views::iterations(book.state().unit.iteration);
    drop(book);
    session::let_go(place)?;
    ending::write(place, known)?;
    let told = format!("gulf: loop cancelled after {iterations}. The work stays as it is.");
    let branch = crate::place::branch(&known.agreement()?).filter(|branch| branch.worktree.is_none());
    Ok(match branch {
        Some(branch) => {
            format!("{told} This checkout stays on {}; `git switch {}` leaves it.", branch.name, branch.base)
        }
        None => told,
    })
}

fn resume(call: &Call, place: &PlaceOfWork, words: &CommandWords, closed: Lock) -> Result<SessionMessage> {
    let words: ResumeArguments = typed::arguments(words)?;
    let known = match &words.id {
        Some(id) => crate::place::unfinished(place, Some(id))?,
        None => match meant(call, place, AdoptedFor::GoingOn(RESUME))? {
            Ok(known) => known,
            Err(notes) => {
                let workers = elsewhere(place)?;
                return if workers.is_empty() { Ok(no_loop(&notes)) } else { resume_elsewhere(&workers) };
            }
        },
    };
    if !known.works_in(&place.project) && known.is_of(&place.project) {
        return resume_elsewhere(&[known]);
    }
    let state = &known.fold.state;
    let is_here = matches!(&state.worker, Worker::Session { id, .. } if *id == call.event.session);
    if is_here && matches!(&state.stage, Stage::Turn) {
        let told = "gulf: loop is already active (not paused): it continues at the next stop.";
        return Ok(refuse(told.to_owned()));
    }
    if let Some(open) = answer::open(state) {
        return Ok(refuse(open));
    }
    amended(call, place, &known, words)?;
    trusting::give_at(place, RESUME, &[])?;
    let (seat, outcome) = session::hand_on(place, &known, &bound(call), closed, means(call))?;
    let iteration = session::iteration(state);
    begun(call, seat, outcome, &format!("gulf: loop resumed from iteration {iteration}."))
}

/// A session works where it was opened.
fn resume_elsewhere(workers: &[KnownLoop]) -> Result<SessionMessage> {
    let mut text =
        "gulf: what was started here works elsewhere; type it in a session there, or `gulf resume --here` in a terminal:"
            .to_owned();
    for one in workers {
        text.push_str(&format!("\n  {}", one.agreement()?.project));
    }
    Ok(refuse(text))
}

/// New limits, and the checks and criteria as they are now, where the person says so.
fn amended(call: &Call, place: &PlaceOfWork, known: &KnownLoop, words: ResumeArguments) -> Result<()> {
    if words.limits.said.is_empty() && !words.accept_contract {
        return Ok(());
    }
    let checkout = start::take_checkout(place, known.name.as_str())?;
    let mut held = start::hold(place, &known.name, checkout)?;
    // Nobody can be asked here: what is not accepted stays as it was sealed.
    let words = ResumeArguments { keep_contract: !words.accept_contract, ..words };
    terms::settle(place, &mut held, &words, &call.clock)
}

/// Not a command. Where the loop's session begins a turn that nobody told it of, it is told now.
fn ordinary(call: &Call, text: &str) -> Result<SessionMessage> {
    let home = Home::from_environment()?;
    if is_hosts(text) {
        return Ok(SessionMessage::nothing());
    }
    if let Some(said) = answer::typed(call, &home, text)? {
        return Ok(said);
    }
    let Some(seat) = Seat::take(&home, &call.place.project)? else { return Ok(SessionMessage::nothing()) };
    let is_bound = seat.armed.session.is_some();
    if is_bound && seat.armed.session != call.event.session {
        return Ok(SessionMessage::nothing());
    }
    let known = answer::known(&seat.armed, &seat.place()?)?;
    let state = &known.fold.state;
    let is_told = || is_bound && session::was_told(&seat.armed, state);
    let wants_turn =
        matches!(&state.stage, Stage::Between(_)) || (matches!(&state.stage, Stage::Turn) && !is_told());
    if !wants_turn || !matches!(&state.worker, Worker::Session { .. }) {
        return Ok(SessionMessage::nothing());
    }
    let (seat, outcome) = session::tell(seat, &bound(call), means(call))?;
    begun(call, seat, outcome, "")
}
