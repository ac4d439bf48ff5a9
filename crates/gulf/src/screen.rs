//! A loop on a terminal, in a pipe or as JSON lines; and its projections on disk, which are views as well.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use anstream::{eprint, println};
use camino::Utf8PathBuf;
use gulf_engine::{Event, Fact, State};
use gulf_host::files::{self, Durability};
use gulf_runner::observer::Observer;
use gulf_runner::place::PlaceOfWork;
use gulf_views::{
    Driver, Facts, History, Look, Palette, event_json, line, redraw, state_json, status_json, status_line,
};
use serde_json::Value;

/// How often the status line shows that time passes.
const TICK: Duration = Duration::from_millis(250);
/// Where nothing says how wide a terminal is.
const COLUMNS_DEFAULT: u16 = 80;

/// How a loop is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// Lines for a person.
    Lines,
    /// Events for a program.
    Json,
}

/// Shows a loop that this process drives.
#[derive(Debug)]
pub struct Screen {
    telling: Telling,
    facts: Facts,
    history: History,
    /// Where standard error is a terminal: the live line below the log.
    live: bool,
    look: Look,
    state_file: Utf8PathBuf,
    status_file: Option<Utf8PathBuf>,
}

impl Telling {
    pub fn of(json: bool) -> Self {
        if json { Self::Json } else { Self::Lines }
    }
}

impl Screen {
    /// A screen for a loop; `history` is what happened before.
    pub fn new(
        telling: Telling,
        facts: Facts,
        history: History,
        state_file: Utf8PathBuf,
        place: &PlaceOfWork,
    ) -> Self {
        let live = telling == Telling::Lines && std::io::stderr().is_terminal() && !is_dumb();
        let folder = place.project.join(".gulf");
        // A link there would lead gulf's pen to wherever a worker wants it.
        let is_own = !folder.is_symlink() && std::fs::create_dir_all(&folder).is_ok();
        let status_file = is_own.then(|| folder.join("status.json"));
        Self {
            telling,
            facts,
            history,
            live,
            look: look(std::io::stderr().is_terminal()),
            state_file,
            status_file,
        }
    }

    /// What happened, as far as it was seen here.
    pub fn history(&self) -> &History {
        &self.history
    }

    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Shows the loop as it stands before it is driven, and its contract if it is new.
    pub fn begin(&mut self, events: &[Event]) {
        let mut state = State::default();
        for event in events {
            state.apply(event);
            let is_new = events.len() == 1;
            match self.telling {
                Telling::Json => println!("{}", event_json(event)),
                Telling::Lines if is_new => self.print(line(event, &state, self.look).as_deref(), &state, 0),
                Telling::Lines => {}
            }
        }
        self.project(&state);
    }

    /// Takes the live line away for good.
    pub fn close(&self) {
        if self.live {
            eprint!("{}", gulf_views::erase());
        }
    }

    fn print(&self, text: Option<&str>, state: &State, active_ms: u64) {
        if self.live {
            eprint!("{}", redraw(text, &status_line(state, active_ms, self.look)));
            let _ = std::io::stderr().flush();
        } else if let Some(text) = text {
            anstream::eprintln!("{text}");
        }
    }

    /// The seed's state file and the project's status, written anew (SPEC L8).
    fn project(&self, state: &State) {
        write(&self.state_file, &state_json(&self.facts, &self.history, state));
        if let Some(path) = &self.status_file {
            write(path, &status_json(&self.facts, &self.history, state, Driver::Present));
        }
    }
}

impl Observer for Screen {
    fn event(&mut self, event: &Event, state: &State) {
        self.history.apply(event);
        match self.telling {
            Telling::Json => println!("{}", event_json(event)),
            Telling::Lines => {
                let text = line(event, state, self.look);
                self.print(text.as_deref(), state, event.active_ms);
            }
        }
        if !matches!(event.fact, Fact::Woke | Fact::Decided { .. } | Fact::Taken { .. }) {
            self.project(state);
        }
    }

    fn note(&mut self, text: &str) {
        if self.live {
            eprint!("{}", gulf_views::erase());
        }
        anstream::eprintln!("{}", gulf_views::Tone::Attention.paint(text, Palette::Colour));
    }

    fn waiting(&mut self, state: &State, active_ms: u64) {
        if self.live {
            self.print(None, state, active_ms);
        }
    }

    fn tick(&self) -> Option<Duration> {
        self.live.then_some(TICK)
    }
}

/// How something is shown on standard output or standard error.
pub fn look(terminal: bool) -> Look {
    if !terminal {
        return Look::piped();
    }
    let columns = terminal_size::terminal_size().map_or(COLUMNS_DEFAULT, |(width, _)| width.0);
    // Colours are taken out again by whoever prints, where nobody wants them.
    Look::terminal(Palette::Colour, columns)
}

/// Writes a projection: nothing is decided on it, so nothing depends on its success.
pub fn write(path: &camino::Utf8Path, document: &Value) {
    let mut bytes = document.to_string().into_bytes();
    bytes.push(b'\n');
    let _ = files::replace(path, &bytes, Durability::Buffered);
}

fn is_dumb() -> bool {
    std::env::var("TERM").is_ok_and(|term| term == "dumb")
}
