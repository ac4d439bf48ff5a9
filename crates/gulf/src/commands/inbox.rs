//! `gulf inbox`: what workers ask, of all loops of this repository, and the command that answers it.

use gulf_engine::LoopId;
use gulf_runner::book;
use gulf_runner::start::Known;
use gulf_views::{History, InboxEntry, UnreadFacts, inbox as shown, inbox_json, one_line};

use crate::cli::InboxArguments;
use crate::drive::reach;
use crate::failure::Failure;
use crate::{place, screen};

pub fn inbox(arguments: &InboxArguments) -> Result<u8, Failure> {
    let place = place::here()?;
    let known = match arguments.id.as_deref() {
        Some(id) => vec![place::meant(&place, Some(id))?],
        None => place::known(&place, None)?,
    };
    let is_meant = |one: &&Known| arguments.all || arguments.id.is_some() || one.is_unfinished();
    let mut entries = Vec::new();
    for one in known.iter().filter(is_meant) {
        // Who answered stands in the journal alone, and only what was answered is signed.
        let history =
            if arguments.all { History::of(&book::read(one.home.root())?) } else { History::default() };
        entries.extend(InboxEntry::of(
            &LoopId::new(one.name.as_str()),
            &one.handle(),
            &one.fold.state,
            &history,
        ));
    }
    // What a loop that is over asked is not open: nobody waits for it.
    let waits = |entry: &InboxEntry| {
        known.iter().any(|one| one.name.as_str() == entry.loop_id.as_str() && one.is_unfinished())
    };
    entries.retain(|entry| if entry.question.answer.is_some() { arguments.all } else { waits(entry) });
    if arguments.json {
        outln!("{}", inbox_json(&entries));
    } else {
        out!("{}", shown(&entries, screen::look(&std::io::stdout())));
        for one in known.iter().filter(|one| one.is_unfinished()) {
            tell_of_unread(one)?;
        }
    }
    Ok(0)
}

/// What was answered by a channel and nobody has taken in.
fn tell_of_unread(known: &Known) -> Result<(), Failure> {
    let Ok(agreement) = known.agreement() else { return Ok(()) };
    for (channel, UnreadFacts { key, who, text }) in reach::unread(known, &agreement)? {
        let (who, text) = (one_line(&who), one_line(&text));
        outln!("{}: {who} answers {key} by {channel}: {text}; `gulf resume` accepts it", known.handle());
    }
    Ok(())
}
