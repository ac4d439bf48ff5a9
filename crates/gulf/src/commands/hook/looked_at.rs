//! What a person may type while gulf looks at the session's stop.
//!
//! It stands apart because then another process holds the checkout: it is asked, and not waited for.

use gulf_engine::Act;
use gulf_host::home::Home;
use gulf_runner::place::PlaceOfWork;
use gulf_spec::spoken::SlashCommand;
use gulf_views::DriverPresence;

use super::Call;
use super::prompt::refuse;
use crate::failure::Failure;
use crate::in_session::{Said, adopt, told};
use crate::place::driver_of;
use crate::requests;

/// Whoever looks at a stop holds the checkout for as long as a check may run: they are asked, and not waited for.
pub(super) fn while_looked_at(
    call: &Call,
    command: &SlashCommand,
    home: &Home,
) -> Result<Option<Said>, Failure> {
    if !matches!(command, SlashCommand::Cancel | SlashCommand::Status) || !call.place.is_armed() {
        return Ok(None);
    }
    let place = PlaceOfWork::find(&call.place.named, home.clone())?;
    let Some(known) = adopt::unfinished_here(&place)?.pop() else { return Ok(None) };
    if driver_of(&known)? == DriverPresence::Absent {
        return Ok(None);
    }
    if *command == SlashCommand::Status {
        return Ok(Some(refuse(told::status(&known)?)));
    }
    requests::leave_for_driver(&known, Act::Cancel)?;
    Ok(Some(refuse(
        "gulf: the loop is ending; its processes are being stopped. The work stays as it is.".to_owned(),
    )))
}
