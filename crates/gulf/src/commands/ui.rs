//! `gulf ui`: the live screen. Here is the terminal; what its keys do is in `gulf-faces`, what it shows in the views.

mod acts;
mod behind;

use std::io::{IsTerminal, Write as _, stdin, stdout};
use std::time::{Duration, Instant};

use gulf_faces::{Action, LiveScreen, Mouse};
use gulf_views::Palette;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{
    DisableBracketedPaste, EnableBracketedPaste, Event, KeyEventKind, poll, read,
};
use ratatui::crossterm::execute;

use crate::cli::UiArguments;
use crate::failure::Failure;
use crate::language::language;
use crate::place;
use crate::watched::Watched;
use behind::RunBehind;

/// So long a key is waited for before the journals are looked at again.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// So long journals are read before what is known of them is shown: nobody waits for a thousand.
const LOOK_FOR: Duration = Duration::from_millis(40);

/// Clicks and the wheel, as numbers of any size (xterm's modes 1000 and 1006). The library's own command asks for every
/// movement, too, which a slow line would have to bring.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1000l";

/// The screen, and what it shows.
struct Showing {
    screen: LiveScreen,
    watched: Watched,
    /// Of `gulf run --ui`.
    behind: Option<RunBehind>,
}

pub fn ui(arguments: &UiArguments) -> Result<u8, Failure> {
    needs_terminal("`gulf status` and `gulf list` print the same in a pipe")?;
    let watched = Watched::new(place::here()?, arguments.all);
    let mut showing =
        Showing { screen: LiveScreen::new(inks()).in_language(language()), watched, behind: None };
    showing.until_left()?;
    Ok(0)
}

/// `gulf run --ui`: what was typed, in a process of its own, and the screen in front of it.
pub fn run() -> Result<u8, Failure> {
    needs_terminal("drop `--ui`: `gulf run` prints what happens, line by line")?;
    let mut showing = Showing {
        screen: LiveScreen::new(inks()).in_language(language()),
        watched: Watched::new(place::here()?, false),
        behind: Some(RunBehind::start()?),
    };
    showing.screen.say("starting: the loop opens here as soon as it exists");
    showing.until_left()?;
    let Showing { watched, behind, .. } = showing;
    behind.map_or(Ok(0), |behind| behind.leave(&watched))
}

fn needs_terminal(hint: &str) -> Result<(), Failure> {
    if stdin().is_terminal() && stdout().is_terminal() {
        return Ok(());
    }
    Err(Failure::usage("the live screen needs a terminal", hint))
}

fn inks() -> Palette {
    let is_off = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if is_off || is_dumb() { Palette::Plain } else { Palette::Colour }
}

fn is_dumb() -> bool {
    std::env::var("TERM").is_ok_and(|term| term == "dumb")
}

fn give(mouse: Mouse) {
    let sequence = match mouse {
        Mouse::Screen if is_dumb() => return,
        Mouse::Screen => MOUSE_ON,
        Mouse::Terminal => MOUSE_OFF,
    };
    let mut out = stdout();
    // A terminal without a mouse does not know it.
    let _ = out.write_all(sequence.as_bytes()).and_then(|()| out.flush());
}

fn enter(mouse: Mouse) -> Result<DefaultTerminal, Failure> {
    let terminal = ratatui::try_init().map_err(|error| failed(&error))?;
    // A terminal that does not know it brings what is pasted as keys.
    let _ = execute!(stdout(), EnableBracketedPaste);
    give(mouse);
    Ok(terminal)
}

fn leave() {
    give(Mouse::Terminal);
    let _ = execute!(stdout(), DisableBracketedPaste);
    ratatui::restore();
}

fn failed(error: &std::io::Error) -> Failure {
    Failure::world(error, Some("`gulf status` needs no screen of its own".to_owned()))
}

impl Showing {
    fn until_left(&mut self) -> Result<(), Failure> {
        if self.look()? == Action::Leave {
            return Ok(());
        }
        let mut terminal = enter(self.screen.mouse())?;
        let left = self.show(&mut terminal);
        leave();
        left
    }

    fn look(&mut self) -> Result<Action, Failure> {
        let Showing { screen, watched, behind } = self;
        let is_alone = behind.is_none() && screen.opened().is_none();
        if is_alone && watched.is_at_rest() && !watched.has_grown() {
            return Ok(Action::Draw);
        }
        watched.look_for(LOOK_FOR)?;
        screen.show(watched.rows(), watched.unread());
        let wish = behind.as_mut().map_or(Action::Draw, |behind| behind.look(watched, screen));
        if let Some(address) = screen.opened().cloned()
            && let Some(known) = watched.in_full(&address)?
        {
            screen.show_loop(known);
        }
        Ok(wish)
    }

    /// Draws what has changed, and nothing where nothing has.
    fn show(&mut self, terminal: &mut DefaultTerminal) -> Result<(), Failure> {
        let mut drawn: Option<LiveScreen> = None;
        let mut looked = Instant::now();
        loop {
            if drawn.as_ref() != Some(&self.screen) {
                terminal.draw(|frame| self.screen.draw(frame)).map_err(|error| failed(&error))?;
                drawn = Some(self.screen.clone());
            }
            let mouse = self.screen.mouse();
            let pause = if self.watched.unread() > 0 { Duration::ZERO } else { LOOK_EVERY };
            let wish = if poll(pause.saturating_sub(looked.elapsed())).map_err(|error| failed(&error))? {
                match read().map_err(|error| failed(&error))? {
                    Event::Key(key) if key.kind != KeyEventKind::Release => self.screen.press(key),
                    Event::Paste(text) => self.screen.paste(&text),
                    // The library clears and lays out anew.
                    Event::Resize(..) => {
                        drawn = None;
                        Action::Nothing
                    }
                    Event::Mouse(event) => {
                        let size = terminal.size().map_err(|error| failed(&error))?;
                        self.screen.point(event, size)
                    }
                    Event::Key(_) | Event::FocusGained | Event::FocusLost => Action::Nothing,
                }
            } else {
                Action::Draw
            };
            if self.screen.mouse() != mouse {
                give(self.screen.mouse());
            }
            // A wheel turns faster than a thousand journals are looked at.
            let is_due = looked.elapsed() >= pause || self.screen.waits_for_loop();
            let wish = if matches!(wish, Action::Nothing | Action::Draw) && is_due {
                looked = Instant::now();
                self.look()?
            } else {
                wish
            };
            match wish {
                Action::Leave => return Ok(()),
                Action::Nothing | Action::Draw => {}
                Action::Act { act, to, text } => {
                    leave();
                    let told = self.watched.in_its_project(&to.address, || acts::done(act, &to, &text));
                    *terminal = enter(self.screen.mouse())?;
                    drawn = None;
                    self.watched.forget(&to.address);
                    self.screen.say(told);
                    self.look()?;
                }
            }
        }
    }
}
