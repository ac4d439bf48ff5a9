//! `gulf pause`, `gulf cancel`, `gulf steer` and `gulf resume`: what a person asks of a loop at any time.

use std::io::IsTerminal;
use std::sync::Arc;

use gulf_engine::{Act, End, Fact, LoopId, OpenQuestion, Stage, State, Worker, admit};
use gulf_host::clock::Clock;
use gulf_runner::claims::{self, Caller, RequestFile};
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::{self, KnownLoop, StartError};
use gulf_runner::tasks::TaskBooks;
use gulf_runner::trust::GivenOn;
use gulf_runner::{book, branching, group, session};
use gulf_views::{
    DriverPresence, History, InboxEntry, UnreadFacts, inbox as shown, inbox_json, one_line, set_aside_words,
};

use super::land::did_not_land;
use crate::cli::{
    ActArguments, AnswerArguments, InboxArguments, OverruleArguments, ResumeArguments, SkipArguments,
    SteerArguments,
};
use crate::drive::{DriveStyle, go_on, go_on_with, notify, terms, together};
use crate::failure::{Failure, Result};
use crate::in_session::adopt::{self, AdoptedFor};
use crate::out::say_note;
use crate::place::{self, driver_of};
use crate::requests::{self, put};
use crate::screen::{self, TellingStyle};
use crate::trusting::{self, Word};
use crate::{in_session, input};

pub fn pause(arguments: &ActArguments) -> Result<u8> {
    ask(arguments.id.as_deref(), &Act::Pause)
}

pub fn cancel(arguments: &ActArguments) -> Result<u8> {
    ask(arguments.id.as_deref(), &Act::Cancel)
}

pub fn steer(arguments: &SteerArguments) -> Result<u8> {
    ask(arguments.id.as_deref(), &Act::Steer { note: input::given(&arguments.note, "the note")? })
}

/// Asks the loop that is meant.
fn ask(id: Option<&str>, asked: &Act) -> Result<u8> {
    let place = place::here()?;
    // Whoever looks at a session's stop holds the checkout for as long as that takes: a loop that is known is asked at once.
    if place::open_here(&place)?.is_empty() {
        adopt::in_project(&place, AdoptedFor::Acting)?;
    }
    if id.is_some() {
        return put(&place, &place::unfinished(&place, id)?, asked);
    }
    // Who names none of several that work together means all of them.
    let one = place::unfinished_group(&place)?;
    let mut code = 0;
    for known in group::together(&one, &place::known(&place, None)?) {
        code = code.max(put(&place, &known, asked)?);
    }
    Ok(code)
}

// `gulf skip`: a person gives the task in hand up, and the loop goes on with the next one.

pub fn skip(arguments: &SkipArguments) -> Result<u8> {
    let id = arguments.id.as_deref();
    if Caller::of_this_process() != Caller::Person {
        return requests::ask_as_worker(id, &Act::Skip);
    }
    let here = place::here()?;
    let known = place::unfinished(&here, id)?;
    let request = RequestFile::by_this_process(Act::Skip);
    // Whoever drives it takes the request; and what is refused is refused and written down like any other.
    if driver_of(&known)? == DriverPresence::Present || admit(&known.fold.state, request.request()).is_err() {
        return requests::put(&here, &known, &Act::Skip);
    }
    let place = place::of_loop(&here, &known)?;
    let checkout = start::take_checkout(&place, known.name.as_str())?;
    let mut held = start::hold(&place, &known.name, checkout)?;
    let Fact::UnitSkipped { why, .. } = admit(held.book.state(), request.request())? else {
        // It went on in this very moment.
        return requests::put(&here, &known, &Act::Skip);
    };
    let (set_aside, note) = TaskBooks { resources: &held.resources, fold: held.book.fold() }
        .give_task_up(&why, arguments.because.as_deref());
    note.iter().for_each(say_note);
    let fact = Fact::UnitSkipped { why, set_aside: set_aside.clone() };
    held.book.add(vec![fact], Clock::new().wall_ms())?;
    outln!("{}: skipped; continue with `gulf resume`", known.handle());
    for words in set_aside.iter().flat_map(set_aside_words) {
        outln!("  {words}");
    }
    session::show(&place, &KnownLoop { fold: held.book.fold().clone(), ..known })?;
    Ok(0)
}

// `gulf approve` and `gulf reject`: a person's own word about the last candidate.

pub fn approve(arguments: &OverruleArguments) -> Result<u8> {
    overrule(arguments, |reason| Act::Approve { reason })
}

pub fn reject(arguments: &OverruleArguments) -> Result<u8> {
    overrule(arguments, |reason| Act::Reject { reason })
}

fn overrule(arguments: &OverruleArguments, act: fn(String) -> Act) -> Result<u8> {
    let (id, asked) = (arguments.id.as_deref(), &act(input::given(&arguments.reason, "the reason")?));
    if Caller::of_this_process() != Caller::Person {
        return requests::ask_as_worker(id, asked);
    }
    if !std::io::stdin().is_terminal() {
        let what = claims::word(asked);
        let what = format!("only a person at a terminal may {what} a candidate, and standard input is none");
        return Err(Failure::usage(what, "type it in a terminal of your own"));
    }
    let place = place::here()?;
    let known = place::unfinished(&place, id)
        .map_err(|nothing| attested_here(&place, asked, id).unwrap_or(nothing))?;
    requests::put(&place, &known, asked)
}

/// Who approves of attested work that is over means that it is to land.
fn attested_here(place: &PlaceOfWork, asked: &Act, id: Option<&str>) -> Option<Failure> {
    let over = place::foremost(place::known(place, id).ok()?).ok()??;
    let is_attested = matches!(&over.fold.state.stage, Stage::Ended(End::Attested { .. }));
    (is_attested && matches!(asked, Act::Approve { .. })).then(|| {
        Failure::usage(
            format!("the loop {} has ended as attested, so no decision is open", over.handle()),
            "`gulf land` brings its work in on your word; with `--on-test-change ask` a loop rests for it first",
        )
    })
}

// `gulf answer`: a person answers what a worker asked (SPEC B5).

/// So much of a question names it in a hint.
const NAMED_CHARS_MAX: usize = 60;

pub fn answer(arguments: &AnswerArguments) -> Result<u8> {
    let id = arguments.id.as_deref();
    let (number, said) = question_and_answer(&arguments.words)?;
    let said = input::given(said, "the answer")?;
    if Caller::of_this_process() != Caller::Person {
        return requests::ask_as_worker(id, &Act::Answer { question: number, answer: said });
    }
    let place = place::here()?;
    let known = asking(&place, id)?;
    let question = open(&known.fold.state, number)?;
    let options = question.claim.question().map_or(&[][..], |question| &question.options);
    let answer = input::chosen(options, &said)?;
    requests::put(&place, &known, &Act::Answer { question: Some(question.number), answer })
}

/// The question's number, if one is given, and the answer.
fn question_and_answer(words: &[String]) -> Result<(Option<u32>, &str)> {
    match words {
        [said] => Ok((None, said)),
        [number, said] if number.parse::<u32>().is_ok() => Ok((number.parse().ok(), said)),
        several => Err(Failure::usage(
            "an answer is one text, and before it at most the question's number",
            format!("put it in quotes: `gulf answer \"{}\"`", several.join(" ")),
        )),
    }
}

/// The loop that asks: in this checkout, else the only one of the repository.
fn asking(place: &PlaceOfWork, id: Option<&str>) -> Result<KnownLoop> {
    if id.is_some() {
        return place::unfinished(place, id);
    }
    let known = place::known(place, None)?.into_iter();
    let all: Vec<KnownLoop> =
        known.filter(|one| one.is_unfinished() && one.fold.state.open_questions().next().is_some()).collect();
    let (here, elsewhere): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| one.is_of(&place.project));
    let mut asking = if here.is_empty() { elsewhere } else { here };
    if let [one, _, ..] = asking.as_slice() {
        let hint = format!("name one: `gulf answer --loop {} …`; `gulf inbox` shows all", one.handle());
        return Err(Failure::usage("several loops have open questions", hint));
    }
    asking.pop().ok_or_else(nothing_open)
}

/// The question that is meant: by its number, or the only one that is open.
fn open(state: &State, number: Option<u32>) -> Result<&OpenQuestion> {
    let open: Vec<&OpenQuestion> = state.open_questions().collect();
    let first = open.first().ok_or_else(nothing_open)?.number;
    let told = || format!("open: {}", list_numbers(&open));
    if number.is_none() && open.len() > 1 {
        let hint = format!("say which, as in `gulf answer {first} \"…\"`; {}", told());
        return Err(Failure::usage(format!("{} questions are open", open.len()), hint));
    }
    let number = number.unwrap_or(first);
    let found = open.iter().copied().find(|one| one.number == number);
    found.ok_or_else(|| Failure::usage(format!("question {number} is not open"), told()))
}

fn nothing_open() -> Failure {
    Failure::usage("no question is open", "`gulf inbox --all` shows the answered ones")
}

fn list_numbers(questions: &[&OpenQuestion]) -> String {
    let one = |asked: &&OpenQuestion| {
        let text = one_line(asked.claim.question().map_or("", |question| question.text.as_str()));
        let short: String = text.chars().take(NAMED_CHARS_MAX).collect();
        let rest = if short.len() < text.len() { "…" } else { "" };
        format!("{} ({short}{rest})", asked.number)
    };
    questions.iter().map(one).collect::<Vec<_>>().join(", ")
}

// `gulf inbox`: what workers ask, of all loops of this repository, and the command that answers it.

pub fn inbox(arguments: &InboxArguments) -> Result<u8> {
    let place = place::here()?;
    let known = match arguments.id.as_deref() {
        Some(id) => vec![place::meant(&place, Some(id))?],
        None => place::known(&place, None)?,
    };
    let is_meant = |one: &&KnownLoop| arguments.all || arguments.id.is_some() || one.is_unfinished();
    let mut entries = Vec::new();
    for one in known.iter().filter(is_meant) {
        // Who answered stands in the journal alone, and only what was answered is signed.
        let history =
            if arguments.all { History::fold(&book::read(one.home.root())?) } else { History::default() };
        let loop_id = LoopId::new(one.name.as_str());
        let mut its = InboxEntry::all(&loop_id, &one.handle(), &one.fold.state, &history);
        // What a loop that is over asked is not open: nobody waits for it.
        its.retain(|entry| if entry.question.answer.is_some() { arguments.all } else { one.is_unfinished() });
        entries.extend(its);
    }
    if arguments.json {
        outln!("{}", inbox_json(&entries));
    } else {
        out!("{}", shown(&entries, screen::stdout_look()));
        for one in known.iter().filter(|one| one.is_unfinished()) {
            tell_of_unread(one)?;
        }
    }
    Ok(0)
}

/// What was answered by a channel and nobody has taken in.
fn tell_of_unread(known: &KnownLoop) -> Result<()> {
    let Ok(agreement) = known.agreement() else { return Ok(()) };
    for (channel, UnreadFacts { key, who, text }) in notify::unread(known, &agreement)? {
        let (who, text) = (one_line(&who), one_line(&text));
        outln!("{}: {who} answers {key} by {channel}: {text}; `gulf resume` accepts it", known.handle());
    }
    Ok(())
}

// `gulf resume`: an unfinished loop goes on, here or in its session.

pub fn resume(arguments: &ResumeArguments) -> Result<u8> {
    if Caller::of_this_process() != Caller::Person {
        // Act like any other act, so that the refusal is written down.
        return requests::ask_as_worker(arguments.id.as_deref(), &Act::Resume);
    }
    let place = place::here()?;
    let word = Word::terminal("gulf resume", GivenOn::GoingOn);
    adopt::in_project(&place, AdoptedFor::GoingOn(word))?;
    let told = branching::clear_away(&place)?;
    let is_any = !place::open_here(&place)?.is_empty();
    if !told.is_empty() && !is_any {
        return Err(Failure::usage(told.join("; "), "start it again: `gulf run …`"));
    }
    told.into_iter().for_each(say_note);
    let known = unfinished(&place, arguments.id.as_deref())?;
    if matches!(&known.fold.state.stage, Stage::Paused(..)) && notify::is_waited_for(&known.home) {
        return lead_on(&place, &known, arguments);
    }
    trusting::give_at(&place, word, &[])?;
    let clock = Arc::new(Clock::new());
    let all = place::known(&place, None)?;
    let (members, beside) = (group::together(&known, &all), together::over(&known, &all));
    if !arguments.here && matches!(&known.fold.state.worker, Worker::Session { .. }) {
        for one in &members {
            in_session::wake(&place::of_loop(&place, one)?, one, arguments)?;
        }
        return Ok(0);
    }
    let patience = notify::patience(arguments.wait.as_deref())?;
    let manner = DriveStyle { patience, ..DriveStyle::usual(TellingStyle::from_json_flag(arguments.json)) };
    go_on_with(&place, (&members, &beside), &manner, &clock, |held| {
        terms::settle(&place, held, arguments, &clock)?;
        go_on(held, &clock)
    })
}

/// Another process waits for this word and goes on by itself; what changes the terms, only who holds the loop can do.
fn lead_on(place: &PlaceOfWork, known: &KnownLoop, arguments: &ResumeArguments) -> Result<u8> {
    let ResumeArguments { accept_contract, iterations, limits, .. } = arguments;
    if *accept_contract || iterations.is_some() || !limits.said.is_empty() {
        let what =
            "another gulf waits for a person in this checkout, and continues with the terms as they are";
        return Err(Failure::usage(what, "end it with Ctrl-C, then type this again"));
    }
    requests::put(place, known, &Act::Resume)
}

/// The loop to go on with; where there is none, the one that a person may mean is said to be over.
fn unfinished(place: &PlaceOfWork, id: Option<&str>) -> Result<KnownLoop> {
    let known = match id {
        Some(_) => place::unfinished(place, id)?,
        None if !place::open_here(place)?.is_empty() => place::unfinished_group(place)?,
        None => place::meant(place, None)?,
    };
    if let Stage::Ended(end) = &known.fold.state.stage {
        let over = || StartError::Over { id: known.handle(), end: end.clone() }.into();
        return Err(did_not_land(&known).unwrap_or_else(over));
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    //! Which of the words is the answer.

    use super::question_and_answer;

    #[test]
    fn a_number_before_the_answer_is_the_questions() {
        let given = |text: &[&str]| text.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(question_and_answer(&given(&["2", "yes"])).unwrap(), (Some(2), "yes"));
        assert_eq!(question_and_answer(&given(&["2"])).unwrap(), (None, "2"));
        let refused = question_and_answer(&given(&["use", "the", "old", "name"])).unwrap_err();
        assert_eq!(refused.hint(), Some("put it in quotes: `gulf answer \"use the old name\"`"));
        assert!(question_and_answer(&given(&["yes", "2"])).is_err());
    }
}
