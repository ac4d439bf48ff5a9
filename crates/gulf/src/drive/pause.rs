//! A paused loop on a terminal: the person is asked at once what an unattended command would leave for later.
//!
//! It stands apart from the driving because here nothing runs: what is typed becomes the same requests that `gulf
//! answer`, `approve`, `reject` and `resume` make.

use std::io::{BufRead, IsTerminal, Write};
use std::num::NonZeroU32;

use anstream::{eprint, eprintln};
use gulf_agents::channels::Takes;
use gulf_engine::{Act, PauseReason, Question, State};
use gulf_views::one_line;

use super::reach::takes;
use crate::failure::Failure;
use crate::input;
use crate::language::told;

/// What the person typed at a pause.
#[derive(Debug)]
pub enum Typed {
    /// The loop goes on after these.
    Acts(Vec<Act>),
    /// So many more iterations for the task in hand.
    More(NonZeroU32),
    /// The loop ends with this task.
    Stop,
}

/// What the person wants done before the loop goes on; none where it is left as it is.
pub fn ask(reason: PauseReason, state: &State) -> Result<Option<Typed>, Failure> {
    if !input::can_ask() {
        return Ok(None);
    }
    if reason == PauseReason::TaskLimit {
        return at_limit();
    }
    let acts = match takes(reason) {
        Takes::Answer => answers(state),
        Takes::Verdict => verdict(),
        Takes::GoOn | Takes::Nothing => {
            let answer = line("Continue now? [y/N] ")?;
            Ok(matches!(answer.to_lowercase().as_str(), "y" | "yes").then(Vec::new))
        }
    };
    Ok(acts?.map(Typed::Acts))
}

/// A task came to no end (SPEC R5).
fn at_limit() -> Result<Option<Typed>, Failure> {
    loop {
        let choice = line("How many more iterations, skip the task, stop, or leave it? [N/s/x/L] ")?;
        return Ok(match choice.to_lowercase().as_str() {
            "s" | "skip" => Some(Typed::Acts(vec![Act::Skip])),
            "x" | "stop" => Some(Typed::Stop),
            "" | "l" | "leave" => None,
            number => match number.parse() {
                Ok(more) => Some(Typed::More(more)),
                Err(_) => continue,
            },
        });
    }
}

/// One answer for each open question; a blank one leaves the rest for later, and keeps what was answered.
fn answers(state: &State) -> Result<Option<Vec<Act>>, Failure> {
    let mut answers = Vec::new();
    for asked in state.open_questions() {
        let Some(question) = asked.claim.question() else { continue };
        repeat(question);
        let Some(answer) = typed_answer(asked.number, &question.options)? else { break };
        answers.push(Act::Answer { question: Some(asked.number), answer });
    }
    Ok((!answers.is_empty()).then_some(answers))
}

/// None for later.
fn typed_answer(number: u32, options: &[String]) -> Result<Option<String>, Failure> {
    let prompt = if options.is_empty() {
        format!("Your answer to question {number} (blank: later): ")
    } else {
        format!("Your answer to question {number}, or the number of an option (blank: later): ")
    };
    loop {
        let said = line(&prompt)?;
        if said.is_empty() {
            return Ok(None);
        }
        match input::chosen(options, &said) {
            Ok(answer) => return Ok(Some(answer)),
            Err(failure) => eprintln!("{}", failure.in_one_line()),
        }
    }
}

/// The last screen shows the question; where it went into a file, it is shown here.
fn repeat(question: &Question) {
    if std::io::stdout().is_terminal() {
        return;
    }
    eprintln!("\n{}", one_line(&question.text));
    for (number, option) in (1..).zip(&question.options) {
        eprintln!("  {number}. {}", one_line(option));
    }
}

/// The judge said no too often, or nothing.
fn verdict() -> Result<Option<Vec<Act>>, Failure> {
    loop {
        let choice = line("Go on, approve, reject, or leave it? [g/a/r/L] ")?;
        return Ok(match choice.to_lowercase().as_str() {
            "g" | "go on" | "go" => Some(Vec::new()),
            "a" | "approve" => reason("Why is it good enough?")?.map(|reason| vec![Act::Approve { reason }]),
            "r" | "reject" => reason("What should be different?")?.map(|reason| vec![Act::Reject { reason }]),
            "" | "l" | "leave" => None,
            _ => continue,
        });
    }
}

fn reason(question: &str) -> Result<Option<String>, Failure> {
    let reason = line(&format!("{question} (blank: leave it) "))?;
    Ok((!reason.is_empty()).then_some(reason))
}

/// A line of what is typed, without blanks around it; empty at the end of the input.
fn line(prompt: &str) -> Result<String, Failure> {
    eprint!("{}", told(prompt));
    let world = |error: std::io::Error| Failure::world(&error, None);
    std::io::stderr().flush().map_err(world)?;
    let mut typed = String::new();
    std::io::stdin().lock().read_line(&mut typed).map_err(world)?;
    Ok(typed.trim().to_owned())
}
