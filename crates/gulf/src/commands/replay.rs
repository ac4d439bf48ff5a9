//! `gulf replay`: a loop's decisions, made once more from its journal.

use gulf_engine::{Event, LoopId};
use gulf_host::home::Name;
use gulf_runner::book::{self, BookRest};
use gulf_runner::handles;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::loops;
use gulf_runner::workshop::in_full;
use gulf_spec::handle;
use gulf_views::{Damage, Replay, ReplayStop, ScreenLanguage, replay as screen_of, replay_json};

use crate::cli::LoopArguments;
use crate::failure::Failure;
use crate::{place, screen};

pub fn replay(arguments: &LoopArguments) -> Result<u8, Failure> {
    let place = place::here()?;
    let name = name(&place, arguments.id.as_deref())?;
    let (events, rest) = book::read_readable(place.loop_home(&name).root())?;
    let replay = Replay::of(&events, stop(&events, rest));
    let folder = place.loop_home(&name);
    let loop_id = LoopId::new(name.as_str());
    if arguments.json {
        outln!("{}", replay_json(&loop_id, &replay));
    } else {
        // In the words of the rules that it is about.
        let look = screen::look(&std::io::stdout()).in_language(ScreenLanguage::English);
        screen::say(&screen_of(&handles::of(folder.root()), &replay, look))?;
    }
    Ok(replay.exit_code())
}

/// A damaged loop can be named, too: this is the command to look at it with.
fn name(place: &PlaceOfWork, id: Option<&str>) -> Result<Name, Failure> {
    if let Some(id) = id {
        let mut damaged = loops(place)?.damaged.into_iter().map(|one| one.name);
        if let Some(name) = damaged.find(|name| handle::begins(name.as_str(), id)) {
            return Ok(name);
        }
    }
    Ok(place::meant(place, id)?.name)
}

fn stop(events: &[Event], rest: BookRest) -> Option<ReplayStop> {
    let after = events.last().map_or(0, |event| event.sequence);
    match rest {
        BookRest::Nothing => None,
        BookRest::Unfinished { bytes } => {
            let why = format!("the last line is unfinished ({bytes} bytes) and is ignored");
            Some(ReplayStop { after, why, damage: Damage::UnfinishedLine })
        }
        BookRest::Damaged(error) => Some(ReplayStop { after, why: in_full(&error), damage: Damage::Corrupt }),
    }
}
