//! What somebody said by a channel becomes a fact, or a refusal that is written down.
//!
//! It stands apart because here a message becomes an act of a person's: who may, what is meant, and that it counts once.

use std::collections::BTreeSet;

use camino::Utf8Path;
use gulf_agents::channels::Notice;
use gulf_agents::channels::answer::{Understood, understand};
use gulf_engine::{Act, Fact, Refusal, State, admit_from};

use super::{Heard, HeardStanding};
use crate::book::{self, Book};
use crate::error::RunError;

/// What became of something that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenIn {
    pub heard: Heard,
    /// For whoever watches here.
    pub note: String,
    /// For whoever said it; strangers are answered with nothing.
    pub back: Option<String>,
}

/// What was said and is not in the journal yet.
pub fn unheard(folder: &Utf8Path, heard: Vec<Heard>) -> Result<Vec<Heard>, RunError> {
    if heard.is_empty() {
        return Ok(heard);
    }
    let events = book::read(folder)?;
    let mut taken: BTreeSet<String> = events
        .into_iter()
        .filter_map(|event| if let Fact::Taken { request } = event.fact { Some(request) } else { None })
        .collect();
    // The same message may be delivered twice.
    Ok(heard.into_iter().filter(|one| taken.insert(one.name.clone())).collect())
}

/// Writes down what was said, each once, and what it comes to.
pub fn take_in(
    book: &mut Book,
    folder: &Utf8Path,
    notices: &[Notice],
    heard: Vec<Heard>,
    at_ms: u64,
) -> Result<Vec<TakenIn>, RunError> {
    let mut all = Vec::new();
    for heard in unheard(folder, heard)? {
        let Some(notice) = notices.iter().find(|notice| notice.key == heard.key) else { continue };
        let (fact, note, back) = weighed(book.state(), notice, &heard);
        let taken = Fact::Taken { request: heard.name.clone() };
        book.add(vec![taken, fact], at_ms)?;
        all.push(TakenIn { heard, note, back });
    }
    Ok(all)
}

/// What it would mean, without anything being done: for those who only look.
pub fn would_mean(notice: &Notice, heard: &Heard) -> Option<Understood> {
    match heard.standing {
        HeardStanding::Allowed => {
            Some(understand(notice, &heard.text)).filter(|meant| !matches!(meant, Understood::Unclear(_)))
        }
        HeardStanding::Stranger | HeardStanding::Edited => None,
    }
}

fn weighed(state: &State, notice: &Notice, heard: &Heard) -> (Fact, String, Option<String>) {
    let who = format!("{} by {}", heard.by.who, heard.by.channel);
    let refused = |reason: String| Fact::Refused { request: format!("{} of {who}", notice.key), reason };
    let unclear = |why: &str| {
        let note = format!("what {who} said to {} does not count: {why}", notice.key);
        (refused(why.to_owned()), note, Some(notice.reminder(why)))
    };
    match heard.standing {
        HeardStanding::Stranger => {
            let why = "not one of those who may answer (notify.slack_allow)";
            return (refused(why.to_owned()), format!("{who} answered {}, and is {why}", notice.key), None);
        }
        HeardStanding::Edited => return unclear("an edited message does not count: say it again"),
        HeardStanding::Allowed => {}
    }
    let (act, told) = match understand(notice, &heard.text) {
        Understood::Unclear(why) => return unclear(&why),
        Understood::Answer(answer) => {
            (Act::Answer { question: question(notice), answer: answer.clone() }, answer)
        }
        Understood::GoOn => (Act::Resume, "go on".to_owned()),
        Understood::Approve(reason) => {
            (Act::Approve { reason: reason.clone() }, format!("approved: {reason}"))
        }
        Understood::Reject(reason) => (Act::Reject { reason: reason.clone() }, format!("rejected: {reason}")),
    };
    match admit_from(state, act, heard.by.clone()) {
        Ok(fact) => (fact, format!("{who}: {told}"), Some(format!("taken: {told}"))),
        // What cannot be granted is not said better by another choice.
        Err(refusal) => {
            let is_answered = refusal == Refusal::NoSuchQuestion;
            let why =
                if is_answered { "it has already been answered".to_owned() } else { refusal.to_string() };
            let (fact, note, _) = unclear(&why);
            (fact, note, Some(format!("not taken: {why}")))
        }
    }
}

/// `question-2` is about question 2.
fn question(notice: &Notice) -> Option<u32> {
    notice.key.strip_prefix("question-")?.parse().ok()
}
