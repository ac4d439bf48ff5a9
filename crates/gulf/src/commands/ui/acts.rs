//! What a person does from the live screen: the commands themselves, as if they had been typed.
//!
//! They speak on the terminal as ever, which the screen has left for so long; what is refused is refused by the loop.

use std::io::stdin;

use gulf_faces::ActTarget;
use gulf_views::ActKind;

use crate::cli::{
    ActArguments, AnswerArguments, DiscardArguments, LandArguments, OverruleArguments, ResumeArguments,
    SkipArguments, SteerArguments,
};
use crate::commands::{act, answer, discard, land, overrule, resume, skip};
use crate::failure::Failure;

/// In one line, what came of it.
pub(super) fn done(act: ActKind, to: &ActTarget, text: &str) -> String {
    let handle = &to.handle;
    outln!("gulf {} {handle}", act.word());
    let said = match run(act, to, text) {
        Ok(0) => format!("{} {handle}: done", act.word()),
        Ok(code) => format!("{} {handle}: exit code {code}", act.word()),
        Err(failure) => {
            let hint = failure.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
            format!("{} {handle}: {}{hint}", act.word(), failure.in_one_line())
        }
    };
    if is_worth_reading(act) {
        outln!("{said}\nEnter returns to the screen.");
        // Whoever ended the input goes back, too.
        let _ = stdin().read_line(&mut String::new());
    }
    said
}

fn run(act: ActKind, to: &ActTarget, text: &str) -> Result<u8, Failure> {
    let (id, text) = (Some(to.handle.clone()), text.to_owned());
    match act {
        ActKind::Answer => {
            let number = to.question.map(|number| number.to_string());
            answer::answer(&AnswerArguments { id, words: number.into_iter().chain([text]).collect() })
        }
        ActKind::Steer => act::steer(&SteerArguments { id, note: text }),
        ActKind::Approve => overrule::approve(&OverruleArguments { id, reason: text }),
        ActKind::Reject => overrule::reject(&OverruleArguments { id, reason: text }),
        ActKind::Pause => act::pause(&ActArguments { id }),
        ActKind::Cancel => act::cancel(&ActArguments { id }),
        ActKind::Resume => resume::resume(&ResumeArguments { id, ..ResumeArguments::default() }),
        ActKind::Skip => skip::skip(&SkipArguments { id, because: None }),
        ActKind::Land => {
            land::land(&LandArguments { id, base_branch: None, push: false, pull_request: None, json: false })
        }
        // It was asked about on the screen.
        ActKind::Discard => discard::discard(&DiscardArguments { id, yes: true }),
    }
}

/// Does it say more than one line?
fn is_worth_reading(act: ActKind) -> bool {
    match act {
        ActKind::Resume | ActKind::Skip | ActKind::Land | ActKind::Discard => true,
        ActKind::Answer | ActKind::Steer | ActKind::Approve | ActKind::Reject => false,
        ActKind::Pause | ActKind::Cancel => false,
    }
}
