//! A loop on a terminal, in a pipe or as JSON lines; and its projections on disk, which are views as well.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use anstream::eprint;
use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{Event, Fact, State};
use gulf_host::files::{self, Durability};
use gulf_runner::folder::Folder;
use gulf_runner::observer::Observer;
use gulf_runner::place::PlaceOfWork;
use gulf_views::{
    Driver, Facts, History, Look, Palette, event_json, line, redraw, state_json, status_json, status_line,
};
use serde_json::Value;

use crate::failure::Failure;

use crate::excerpts::with_words;

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
    /// What the agent was last seen to do in the turn that runs.
    doing: String,
    folder: Folder,
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
        folder: Folder,
        place: &PlaceOfWork,
    ) -> Self {
        let live = telling == Telling::Lines && is_live();
        let status_file = projections(&place.project).map(|folder| folder.join("status.json"));
        Self {
            telling,
            facts,
            history,
            live,
            look: look(std::io::stderr().is_terminal()),
            doing: String::new(),
            folder,
            status_file,
        }
    }

    /// What happened, as far as it was seen here.
    pub fn history(&self) -> &History {
        &self.history
    }

    pub fn telling(&self) -> Telling {
        self.telling
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
                Telling::Json => outln!("{}", event_json(event)),
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
            eprint!(
                "{}",
                redraw(text, &status_line(state, &self.history, &self.doing, active_ms, self.look))
            );
            let _ = std::io::stderr().flush();
        } else if let Some(text) = text {
            anstream::eprintln!("{text}");
        }
    }

    /// The seed's state file and the project's status, written anew (SPEC L8).
    fn project(&self, state: &State) {
        write(&self.folder.state(), &state_json(&self.facts, &self.history, state));
        if let Some(path) = &self.status_file {
            write(path, &status_json(&self.facts, &self.history, state, Driver::Present));
        }
    }
}

impl Observer for Screen {
    fn event(&mut self, event: &Event, state: &State) {
        self.history.apply(event);
        if let Fact::Ended { .. } = event.fact {
            self.doing.clear();
        }
        match self.telling {
            Telling::Json => outln!("{}", event_json(event)),
            Telling::Lines => {
                let text = line(event, state, self.look)
                    .map(|line| with_words(line, event, state, &self.folder, self.look));
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

    fn doing(&mut self, what: &str) {
        what.clone_into(&mut self.doing);
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

/// Prints a whole text; a reader that has seen enough (`gulf doctor | head -1`) is no failure.
pub fn say(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::world(&error, None)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// `3 B`, `1.5 KiB`, `2.0 GiB`.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut tenths = u128::from(bytes) * 10 / 1024;
    let mut unit = 0;
    while tenths >= 10_240 && unit + 1 < UNITS.len() {
        tenths /= 1024;
        unit += 1;
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
}

/// The folder of gulf's projections in a project, unless it is a link: that would lead gulf's pen to wherever a worker
/// wants it.
pub fn projections(project: &Utf8Path) -> Option<Utf8PathBuf> {
    let folder = project.join(".gulf");
    let is_own = !folder.is_symlink() && std::fs::create_dir_all(&folder).is_ok();
    is_own.then_some(folder)
}

/// Writes a projection: nothing is decided on it, so nothing depends on its success.
pub fn write(path: &Utf8Path, document: &Value) {
    let mut bytes = document.to_string().into_bytes();
    bytes.push(b'\n');
    let _ = files::replace(path, &bytes, Durability::Buffered);
}

/// Can a line on standard error be drawn again?
pub fn is_live() -> bool {
    let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    std::io::stderr().is_terminal() && !dumb
}
