//! `gulf ui`: the live screen. Here is the terminal; what its keys do is in `gulf-faces`, what it shows in the views.

mod acts;

use std::io::{IsTerminal, stdin, stdout};
use std::time::Duration;

use gulf_faces::{Inks, LiveScreen, Wish};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{
    DisableBracketedPaste, EnableBracketedPaste, Event, KeyEventKind, poll, read,
};
use ratatui::crossterm::execute;

use crate::cli::UiArguments;
use crate::failure::Failure;
use crate::place;
use crate::watched::Watched;

/// So long a key is waited for before the journals are looked at again.
const LOOK_EVERY: Duration = Duration::from_millis(500);

pub fn ui(arguments: &UiArguments) -> Result<u8, Failure> {
    if !stdin().is_terminal() || !stdout().is_terminal() {
        return Err(Failure::usage(
            "the live screen needs a terminal, and this is none",
            "`gulf status` and `gulf list` say the same in a pipe",
        ));
    }
    let mut watched = Watched::new(place::here()?, arguments.all);
    let mut screen = LiveScreen::new(inks());
    bring_up_to_date(&mut watched, &mut screen)?;
    let mut terminal = enter()?;
    let left = show(&mut terminal, &mut screen, &mut watched);
    leave();
    left
}

fn bring_up_to_date(watched: &mut Watched, screen: &mut LiveScreen) -> Result<(), Failure> {
    watched.look()?;
    screen.show(watched.rows());
    if let Some(loop_id) = screen.opened().cloned()
        && let Some(known) = watched.in_full(&loop_id)?
    {
        screen.show_loop(known);
    }
    Ok(())
}

fn inks() -> Inks {
    let is_off = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    if is_off || is_dumb { Inks::Plain } else { Inks::Colour }
}

fn enter() -> Result<DefaultTerminal, Failure> {
    let terminal = ratatui::try_init().map_err(|error| failed(&error))?;
    // A terminal that does not know it brings what is pasted as keys.
    let _ = execute!(stdout(), EnableBracketedPaste);
    Ok(terminal)
}

fn leave() {
    let _ = execute!(stdout(), DisableBracketedPaste);
    ratatui::restore();
}

fn failed(error: &std::io::Error) -> Failure {
    Failure::world(error, Some("`gulf status` needs no screen of its own".to_owned()))
}

/// Draws what has changed, and nothing where nothing has.
fn show(
    terminal: &mut DefaultTerminal,
    screen: &mut LiveScreen,
    watched: &mut Watched,
) -> Result<u8, Failure> {
    let mut drawn: Option<LiveScreen> = None;
    loop {
        if drawn.as_ref() != Some(screen) {
            terminal.draw(|frame| screen.draw(frame)).map_err(|error| failed(&error))?;
            drawn = Some(screen.clone());
        }
        let wish = if poll(LOOK_EVERY).map_err(|error| failed(&error))? {
            match read().map_err(|error| failed(&error))? {
                Event::Key(key) if key.kind != KeyEventKind::Release => screen.press(key),
                Event::Paste(text) => screen.paste(&text),
                // The library clears and lays out anew.
                Event::Resize(..) => {
                    drawn = None;
                    Wish::Nothing
                }
                Event::Key(_) | Event::Mouse(_) | Event::FocusGained | Event::FocusLost => Wish::Nothing,
            }
        } else {
            Wish::Draw
        };
        match wish {
            Wish::Leave => return Ok(0),
            Wish::Nothing => {}
            Wish::Draw => bring_up_to_date(watched, screen)?,
            Wish::Act { loop_id, handle, act, text, question } => {
                leave();
                let asked = acts::ScreenAct { handle: &handle, act, text: &text, question };
                let told = watched.in_its_project(&loop_id, || acts::done(&asked));
                *terminal = enter()?;
                drawn = None;
                screen.say(told);
                bring_up_to_date(watched, screen)?;
            }
        }
    }
}
