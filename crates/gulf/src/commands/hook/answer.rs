//! The hook at an answer: what a person types while a question is open is its answer (SPEC B5).
//!
//! Here an ordinary prompt is a person's act: it must be theirs, of the loop's own session, and no echo of what gulf
//! said itself.

use gulf_agents::sessions::Answer;
use gulf_engine::{Act, Author, PauseReason, Request, Stage, State, admit};
use gulf_host::ancestry::agent_shell_above;
use gulf_host::home::{Home, Name};
use gulf_host::lock::Lock;
use gulf_runner::book::Book;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::session::{self, Armed, Seat};
use gulf_runner::start::KnownLoop;
use gulf_spec::slash_commands::{AnswerWords, SlashCommand};
use gulf_views::{DriverPresence, QuestionReport, one_line, question_line};
use serde_json::Value;

use super::Call;
use super::prompt::{begun, bound, commanded_before, kept, means, meant, no_loop, refuse};
use super::stop::repeat;
use crate::failure::{Failure, Result};
use crate::in_session::adopt::{self, AdoptedFor};
use crate::in_session::{SessionMessage, conclude};
use crate::input::chosen;
use crate::place::driver_of;
use crate::{hints, language, requests};

/// An ordinary prompt, where a question of this session's loop is open; none where it answers nothing.
pub fn typed(call: &Call, home: &Home, text: &str) -> Result<Option<SessionMessage>> {
    // A host's own commands begin so.
    if text.trim().is_empty() || text.trim_start().starts_with(['/', '!', '#']) {
        return Ok(None);
    }
    if !is_asked(call, home, text)? || agent_shell_above() {
        return Ok(None);
    }
    let closed = Seat::close(home, &call.place.project)?;
    if let Some(last) = commanded_before(call, home)? {
        repeat(&last);
        return Ok(Some(SessionMessage::nothing()));
    }
    let Some(armed) = Armed::read(home, &call.place.project)? else { return Ok(None) };
    let place = armed.place(home)?;
    let known = known(&armed, &place)?;
    let words = AnswerWords { question: None, answer: text.to_owned() };
    // Who is asked is not answered by the model: a mistake is told to them.
    let said = given(call, &place, &known, &words, closed);
    let mistaken = |failure: Failure| refuse(format!("gulf: {}", failure.with_hint_in_one_line()));
    Ok(Some(said.unwrap_or_else(mistaken)))
}

/// `/gulf-loop:answer`; without an answer it shows what is open.
pub fn command(call: &Call, place: &PlaceOfWork, words: &AnswerWords, lock: Lock) -> Result<SessionMessage> {
    match meant(call, place, AdoptedFor::Acting)? {
        Ok(known) => given(call, place, &known, words, lock),
        Err(notes) => Ok(no_loop(&notes)),
    }
}

/// What is open, and how it is answered here.
pub fn open(state: &State) -> Option<String> {
    let open = QuestionReport::open(state);
    let first = open.first()?;
    let asked = question_line(first, language::language());
    let more = match open.len() - 1 {
        0 => String::new(),
        more => language::translated(format!(" ({more} more after it)")),
    };
    let how = format!("Your next prompt is the answer, or /gulf-loop:answer {} TEXT.", first.number);
    Some(format!("gulf: {asked}{more}. {}", language::translated(how)))
}

/// Does this session's loop wait for an answer, and is this prompt no echo of what gulf said last?
fn is_asked(call: &Call, home: &Home, text: &str) -> Result<bool> {
    let Some(armed) = Armed::read(home, &call.place.project)? else { return Ok(false) };
    if armed.session != call.event.session || is_echo(&armed, text) {
        return Ok(false);
    }
    let known = known(&armed, &armed.place(home)?)?;
    Ok(matches!(&known.fold.state.stage, Stage::Paused(PauseReason::Question, _)))
}

/// Some hosts hand what a hook said to the model as a prompt, and tell the hooks of that.
fn is_echo(armed: &Armed, text: &str) -> bool {
    let said = armed.last.as_ref().and_then(|last| last.stdout.as_deref());
    let said = said.and_then(|said| serde_json::from_str::<Value>(said).ok());
    let reason = said.as_ref().and_then(|said| said["reason"].as_str());
    reason.is_some_and(|reason| text.contains(reason.trim()))
}

pub(super) fn known(armed: &Armed, place: &PlaceOfWork) -> Result<KnownLoop> {
    let name = Name::parse(&armed.loop_id).map_err(Failure::broken)?;
    let home = place.loop_home(&name);
    Ok(KnownLoop::read(name, home)?)
}

/// Writes the answer down; the last one lets the loop go on in this session.
fn given(
    call: &Call,
    place: &PlaceOfWork,
    known: &KnownLoop,
    words: &AnswerWords,
    closed: Lock,
) -> Result<SessionMessage> {
    let state = &known.fold.state;
    let mut asked = state.open_questions();
    let asked = match words.question {
        None => asked.next(),
        Some(number) => asked.find(|one| one.number == number),
    };
    let Some(asked) = asked.filter(|_| !words.answer.trim().is_empty()) else {
        return Ok(refuse(open(state).unwrap_or_else(|| "gulf: no question is open.".to_owned())));
    };
    let options = asked.claim.question().map_or(&[][..], |question| &question.options);
    let answer = chosen(options, &words.answer)?;
    let told = format!("gulf: question {} is answered: {}", asked.number, one_line(&answer));
    let act = Act::Answer { question: Some(asked.number), answer };
    let (mut book, _) = Book::open(known.home.root())?;
    let fact = admit(book.state(), Request { author: Author::Person, act }).map_err(Failure::broken)?;
    book.add(vec![fact], call.clock.wall_ms())?;
    let known = KnownLoop { fold: book.fold().clone(), ..known.clone() };
    drop(book);
    if let Some(next) = open(&known.fold.state) {
        return kept(call, &place.home, refuse(format!("{told}\n{next}")));
    }
    let (seat, outcome) = session::hand_on(place, &known, &bound(call), closed, means(call))?;
    begun(call, seat, outcome, &told)
}

// What a person may type while gulf looks at the session's stop.

/// Whoever looks at a stop holds the checkout for as long as a check may run: they are asked, and not waited for.
pub(super) fn while_looked_at(
    call: &Call,
    command: &SlashCommand,
    home: &Home,
) -> Result<Option<SessionMessage>> {
    if !matches!(command, SlashCommand::Cancel | SlashCommand::Status) || !call.place.is_armed() {
        return Ok(None);
    }
    let place = PlaceOfWork::find(&call.place.named, home.clone())?;
    let Some(known) = adopt::unfinished_here(&place)?.pop() else { return Ok(None) };
    if driver_of(&known)? == DriverPresence::Absent {
        return Ok(None);
    }
    if *command == SlashCommand::Status {
        return Ok(Some(refuse(conclude::status(&known)?)));
    }
    requests::leave_for_driver(&known, Act::Cancel)?;
    let told = "gulf: the loop is ending; its processes are being stopped. The work stays as it is.";
    Ok(Some(refuse(told.to_owned())))
}

// What a person is told beside a prompt that is none of gulf's commands; the prompt goes on as it is.

/// Not a command, and no loop is here: a preset may be what the person means. The prompt goes on as it is.
pub(super) fn offered(call: &Call, text: &str) -> SessionMessage {
    let told = hints::of_command(text).unwrap_or_else(|| hints::in_session(&call.place.project, text));
    if told.is_empty() || is_hosts(text) {
        return SessionMessage::nothing();
    }
    SessionMessage::only(Answer::Tell { told })
}

/// While a loop is under way, what is typed is as little a command of gulf's, and the person hears so beside the brief.
pub(super) fn beside(mut said: SessionMessage, text: &str) -> SessionMessage {
    let Some(foreign) = hints::of_command(text) else { return said };
    if said.answer == Answer::Nothing {
        said.answer = Answer::Tell { told: foreign };
    } else if let Answer::AddToPrompt { told, .. } = &mut said.answer {
        *told = Some(told.take().map_or(foreign.clone(), |told| format!("{told}\n{foreign}")));
    }
    said
}

/// What a host says by itself is no person's word.
pub(super) fn is_hosts(text: &str) -> bool {
    text.trim_start().starts_with("<task-notification>")
}
