//! `gulf ui`: the live screen. Here is the terminal; what its keys do is in `gulf-faces`, what it shows in the views.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, Read as _, Seek as _, Write as _, stdin, stdout};
use std::iter::once;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use clap::Parser as _;
use gulf_engine::PAUSED_EXIT_CODE;
use gulf_faces::{Action, LiveScreen, Mouse, Wish};
use gulf_views::{ActKind, BoardRow, LoopAddress, Palette};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{
    DisableBracketedPaste, EnableBracketedPaste, Event, KeyEventKind, poll, read,
};
use ratatui::crossterm::execute;

use crate::cli::{Cli, UiArguments, typed_act};
use crate::failure::{ERROR, Failure, INTERRUPTED, Result, USAGE};
use crate::language::language;
use crate::place;
use crate::watched::Watched;

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

pub fn ui(arguments: &UiArguments) -> Result<u8> {
    needs_terminal("`gulf status` and `gulf list` print the same in a pipe")?;
    Showing::new(arguments.all, None)?.until_left()?;
    Ok(0)
}

/// `gulf run --ui`: what was typed, in a process of its own, and the screen in front of it.
pub fn run() -> Result<u8> {
    needs_terminal("drop `--ui`: `gulf run` prints what happens, line by line")?;
    let mut showing = Showing::new(false, Some(RunBehind::start().map_err(Failure::broken)?))?;
    showing.screen.say("starting: the loop opens here as soon as it exists");
    showing.until_left()?;
    let Showing { watched, behind, .. } = showing;
    behind.map_or(Ok(0), |behind| behind.leave(&watched))
}

fn needs_terminal(hint: &str) -> Result<()> {
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

fn enter(mouse: Mouse) -> Result<DefaultTerminal> {
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
    fn new(all: bool, behind: Option<RunBehind>) -> Result<Showing> {
        let mut screen = LiveScreen::new(inks());
        screen.language = language();
        Ok(Showing { screen, watched: Watched::new(place::here()?, all), behind })
    }

    fn until_left(&mut self) -> Result<()> {
        if self.refresh()? == Action::Leave {
            return Ok(());
        }
        let mut terminal = enter(self.screen.mouse)?;
        let left = self.show(&mut terminal);
        leave();
        left
    }

    fn refresh(&mut self) -> Result<Action> {
        let Showing { screen, watched, behind } = self;
        let is_alone = behind.is_none() && screen.opened().is_none();
        if is_alone && watched.is_at_rest() && !watched.has_grown() {
            return Ok(Action::Draw);
        }
        watched.look_for(LOOK_FOR)?;
        screen.show(watched.rows(), watched.unread);
        let wish = behind.as_mut().map_or(Action::Draw, |behind| behind.refresh(watched, screen));
        if let Some(address) = screen.opened().cloned()
            && let Some(known) = watched.in_full(&address)?
        {
            screen.show_loop(known);
        }
        Ok(wish)
    }

    /// Draws what has changed, and nothing where nothing has.
    fn show(&mut self, terminal: &mut DefaultTerminal) -> Result<()> {
        let mut drawn: Option<LiveScreen> = None;
        let mut looked = Instant::now();
        loop {
            if drawn.as_ref() != Some(&self.screen) {
                terminal.draw(|frame| self.screen.draw(frame)).map_err(|error| failed(&error))?;
                drawn = Some(self.screen.clone());
            }
            let mouse = self.screen.mouse;
            let pause = if self.watched.unread > 0 { Duration::ZERO } else { LOOK_EVERY };
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
            if self.screen.mouse != mouse {
                give(self.screen.mouse);
            }
            // A wheel turns faster than a thousand journals are looked at.
            let is_due = looked.elapsed() >= pause || self.screen.waits_for_loop();
            let wish = if matches!(wish, Action::Nothing | Action::Draw) && is_due {
                looked = Instant::now();
                self.refresh()?
            } else {
                wish
            };
            match wish {
                Action::Leave => return Ok(()),
                Action::Nothing | Action::Draw => {}
                Action::Act(wish) => {
                    leave();
                    let told = self.watched.in_its_project(&wish.address, || done(&wish));
                    *terminal = enter(self.screen.mouse)?;
                    drawn = None;
                    self.watched.forget(&wish.address);
                    self.screen.say(told);
                    self.refresh()?;
                }
            }
        }
    }
}

// What a person does from the live screen: the commands themselves, as if they had been typed.

/// In one line, what came of it.
fn done(wish: &Wish) -> String {
    let name = format!("{} {}", wish.act.word(), wish.handle);
    outln!("gulf {name}");
    let said = match act_on(wish) {
        Ok(0) => format!("{name}: done"),
        Ok(code) => format!("{name}: exit code {code}"),
        Err(failure) => format!("{name}: {}", failure.with_hint_in_one_line()),
    };
    // These say more than one line.
    if matches!(wish.act, ActKind::Resume | ActKind::Skip | ActKind::Land | ActKind::Discard) {
        outln!("{said}\nEnter returns to the screen.");
        // Whoever ended the input goes back, too.
        let _ = stdin().read_line(&mut String::new());
    }
    said
}

fn act_on(wish: &Wish) -> Result<u8> {
    let words = typed_act(wish.act, &wish.handle, wish.text.clone(), wish.question);
    let typed = Cli::try_parse_from(once("gulf".to_owned()).chain(words)).map_err(Failure::broken)?;
    typed.command.map_or(Ok(0), crate::dispatch)
}

// The process behind the screen of `gulf run --ui`: the same command without a screen, which goes on when that is left.

const SCREEN_FLAG: &str = "--ui";
const WAIT_FLAG: &str = "--wait";

struct RunBehind {
    child: Child,
    said: File,
    told: File,
    /// Of its loop, once there is one.
    address: Option<LoopAddress>,
    ended: Option<ExitStatus>,
}

impl RunBehind {
    /// In a group of its own, so that neither a key nor a closed terminal ends it.
    fn start() -> io::Result<RunBehind> {
        let (said, told) = (tempfile::tempfile()?, tempfile::tempfile()?);
        let mut command = Command::new(std::env::current_exe()?);
        command.args(run_arguments(std::env::args_os().skip(1))).process_group(0).stdin(Stdio::null());
        let child = command.stdout(said.try_clone()?).stderr(told.try_clone()?).spawn()?;
        Ok(RunBehind { child, said, told, address: None, ended: None })
    }

    /// Opens its loop as soon as there is one. What ended without a loop says why on the terminal, not on the screen.
    fn refresh(&mut self, watched: &Watched, screen: &mut LiveScreen) -> Action {
        if self.address.is_none() {
            self.address = watched.driven_by(self.child.id()).into_iter().next();
            if let Some(address) = self.address.clone() {
                screen.look_at(address);
                screen.say("");
            }
        }
        if self.ended.is_none()
            && let Ok(Some(ended)) = self.child.try_wait()
        {
            self.ended = Some(ended);
            screen.say("`gulf run` has ended: q shows its output");
        }
        match (&self.ended, &self.address) {
            (Some(_), None) => Action::Leave,
            (Some(_) | None, _) => Action::Draw,
        }
    }

    /// What it said where it has ended, else that it goes on. Nothing is proven yet then, so that is no success.
    fn leave(mut self, watched: &Watched) -> Result<u8> {
        if let Some(ended) = self.ended {
            return self.repeat(ended).map_err(Failure::broken);
        }
        let its = watched.driven_by(self.child.id());
        let rows: Vec<BoardRow> =
            watched.rows().into_iter().filter(|row| its.contains(&row.address)).collect();
        if rows.is_empty() {
            outln!("`gulf run` keeps running without this screen: `gulf ui` shows it");
        }
        for BoardRow { handle, standing, questions, .. } in &rows {
            if standing.is_running() {
                outln!(
                    "{handle} keeps running without this screen: `gulf ui` shows it again, `gulf pause {handle}` pauses it"
                );
                continue;
            }
            let next = match questions.first() {
                Some(asked) => format!("`gulf answer {} \"…\" --loop {handle}` answers it", asked.number),
                None => format!("`gulf resume {handle}` continues it"),
            };
            let word = standing.word();
            outln!("{handle} is {word} and waits for you: `gulf ui` shows it again, {next}");
        }
        let do_all_rest = !rows.is_empty() && rows.iter().all(|row| !row.standing.is_running());
        Ok(if do_all_rest { PAUSED_EXIT_CODE } else { INTERRUPTED })
    }

    fn repeat(&mut self, ended: ExitStatus) -> io::Result<u8> {
        let code = ended.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(ERROR);
        // Else the screen has shown it.
        if self.address.is_none() || [ERROR, USAGE].contains(&code) {
            err!("{}", whole(&mut self.told)?);
        }
        out!("{}", whole(&mut self.said)?);
        Ok(code)
    }
}

fn whole(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What was typed, without the screen. It waits for the person, who answers on the screen.
fn run_arguments(typed: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = typed.collect();
    if let Some(place) = words.iter().position(|word| word == SCREEN_FLAG) {
        words.remove(place);
    }
    let is_wait = |word: &OsString| word.to_string_lossy().split('=').next() == Some(WAIT_FLAG);
    if !words.iter().take_while(|word| *word != "--").any(is_wait) {
        // Behind the command's name.
        words.insert(1.min(words.len()), WAIT_FLAG.into());
    }
    words
}
