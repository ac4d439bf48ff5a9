//! `gulf answer`: a person answers what a worker asked (SPEC B5).
//!
//! It stands apart from the other acts because a person types it from memory: which loop, which question and which
//! option are found out here, and what cannot be found out is refused by naming what is open.

use gulf_engine::{Act, OpenQuestion, State};
use gulf_runner::claims::Caller;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::Known;
use gulf_views::one_line;

use crate::cli::AnswerArguments;
use crate::failure::Failure;
use crate::{input, place, requests};

/// So much of a question names it in a hint.
const NAMED_CHARS_MAX: usize = 60;

pub fn answer(arguments: &AnswerArguments) -> Result<u8, Failure> {
    let id = arguments.id.as_deref();
    let (number, said) = words(&arguments.words)?;
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
fn words(words: &[String]) -> Result<(Option<u32>, &str), Failure> {
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
fn asking(place: &PlaceOfWork, id: Option<&str>) -> Result<Known, Failure> {
    if id.is_some() {
        return place::unfinished(place, id);
    }
    let known = place::known(place, None)?.into_iter();
    let all: Vec<Known> =
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
fn open(state: &State, number: Option<u32>) -> Result<&OpenQuestion, Failure> {
    let open: Vec<&OpenQuestion> = state.open_questions().collect();
    match (number, open.as_slice()) {
        (_, []) => Err(nothing_open()),
        (None, [one]) => Ok(one),
        (None, several) => Err(Failure::usage(
            format!("{} questions are open", several.len()),
            format!("say which, as in `gulf answer {} \"…\"`; open: {}", several[0].number, named(several)),
        )),
        (Some(number), several) => {
            several.iter().copied().find(|one| one.number == number).ok_or_else(|| {
                Failure::usage(format!("question {number} is not open"), format!("open: {}", named(several)))
            })
        }
    }
}

fn nothing_open() -> Failure {
    Failure::usage("no question is open", "`gulf inbox --all` shows the answered ones")
}

fn named(questions: &[&OpenQuestion]) -> String {
    let one = |asked: &&OpenQuestion| {
        let text = one_line(asked.claim.question().map_or("", |question| question.text.as_str()));
        let short: String = text.chars().take(NAMED_CHARS_MAX).collect();
        let rest = if short.len() < text.len() { "…" } else { "" };
        format!("{} ({short}{rest})", asked.number)
    };
    questions.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    //! Which of the words is the answer.

    use super::words;

    #[test]
    fn a_number_before_the_answer_is_the_questions() {
        let given = |text: &[&str]| text.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(words(&given(&["2", "yes"])).unwrap(), (Some(2), "yes"));
        assert_eq!(words(&given(&["2"])).unwrap(), (None, "2"));
        let refused = words(&given(&["use", "the", "old", "name"])).unwrap_err();
        assert_eq!(refused.hint(), Some("put it in quotes: `gulf answer \"use the old name\"`"));
        assert!(words(&given(&["yes", "2"])).is_err());
    }
}
