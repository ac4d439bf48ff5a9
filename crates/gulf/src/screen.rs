//! A loop on a terminal, in a pipe or as JSON lines; and its projections on disk, which are views as well.

mod silence;

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use gulf_engine::{Event, Fact, State};
use gulf_host::clock::{local_moment, milliseconds};
use gulf_runner::observer::Observer;
use gulf_views::{
    DriverPresence, Facts, History, Look, Palette, QuestionReport, Summary, end_json, event_json, line,
    paced, redraw, result, status_line, still_at, tame_text, waiting_on, waits_until,
};

use crate::excerpts::with_words;
use crate::failure::{Failure, Result};
use crate::language::{language, translated};
use crate::out::masked;
use crate::projections::Projections;
use silence::LogSilence;

/// How often the status line shows that time passes.
const TICK: Duration = Duration::from_millis(250);
/// How often a log is looked at, whether it has been silent for too long.
const LOG_TICK: Duration = Duration::from_secs(5);
/// How often a wait is told of again where nobody sees the status line: in its first minutes, and later.
const SOON: Duration = Duration::from_secs(60);
const RARELY: Duration = Duration::from_secs(10 * 60);
/// So long a wait is a new one.
const NEW_WAIT_MS_MAX: u64 = 5 * 60_000;
/// Nobody needs to know when a shorter wait is over.
const WAIT_TOLD_MIN_MS: u64 = 30_000;
/// Where nothing says how wide a terminal is.
const COLUMNS_DEFAULT: u16 = 80;

/// Between two workers in the live line.
const BETWEEN_WORKERS: &str = " | ";

/// How a loop is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TellingStyle {
    /// Lines for a person.
    Lines,
    /// Events for a program.
    Json,
}

/// Shows a loop that this process drives.
#[derive(Debug)]
pub struct Screen {
    pub telling: TellingStyle,
    /// What is known of it besides its journal; more of it once it is left.
    pub facts: Facts,
    /// What happened, as far as it was seen here.
    pub history: History,
    /// Where standard error is a terminal: the live line below the log.
    live: bool,
    look: Look,
    /// What the agent was last seen to do in the turn that runs.
    doing: String,
    projections: Projections,
    worker: ScreenWorker,
    /// The wait that was told of last.
    wait: Option<ToldWait>,
    silence: LogSilence,
    /// Something happened that the projections do not show yet: several events in a row cost them once.
    is_stale: bool,
}

/// A wait, as it was told to a person.
#[derive(Clone, Copy, Debug)]
struct ToldWait {
    until_ms: u64,
    /// The wall clock when it began.
    from_ms: u64,
    /// The loop's active time when it began.
    began_at_ms: u64,
    /// The loop's active time when something was last said of it.
    told_at_ms: u64,
}

/// The worker whose loop is shown: the only one, or one of several whose loops this process drives.
#[derive(Clone, Debug)]
pub struct ScreenWorker {
    /// Of one of several, from 1; it stands before each of its lines.
    pub number: Option<u32>,
    /// Its place in the live line.
    pub seat: usize,
    pub board: Arc<Board>,
}

/// The live line, which several workers share.
#[derive(Debug)]
pub struct Board {
    statuses: Mutex<Vec<String>>,
}

impl Board {
    pub fn new(workers: usize) -> Self {
        Self { statuses: Mutex::new(vec![String::new(); workers]) }
    }

    /// A line for a person, above the live line.
    pub fn say(&self, text: &str) {
        let _all = self.statuses.lock().unwrap_or_else(PoisonError::into_inner);
        errln!("{}", masked(text));
    }

    /// The look of one worker's part.
    fn member_look(&self, look: Look) -> Look {
        let workers = self.statuses.lock().unwrap_or_else(PoisonError::into_inner).len().max(1);
        let between = if workers > 1 { BETWEEN_WORKERS.len() } else { 0 };
        let columns = (usize::from(look.columns_max) / workers).saturating_sub(between);
        Look { columns_max: u16::try_from(columns).unwrap_or(u16::MAX), ..look }
    }

    /// Draws a line of the log, if there is one, and all workers' statuses below it.
    fn draw(&self, seat: usize, text: Option<&str>, status: String) {
        let mut statuses = self.statuses.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = statuses.get_mut(seat) {
            *own = status;
        }
        let all: Vec<&str> = statuses.iter().map(String::as_str).filter(|one| !one.is_empty()).collect();
        err!("{}", redraw(text, &all.join(BETWEEN_WORKERS)));
        let _ = std::io::stderr().flush();
    }
}

impl TellingStyle {
    pub fn from_json_flag(json: bool) -> Self {
        if json { Self::Json } else { Self::Lines }
    }
}

impl Screen {
    /// A screen for a loop, or for one of several workers; `history` is what happened before.
    pub fn new(
        telling: TellingStyle,
        facts: Facts,
        history: History,
        projections: Projections,
        worker: Option<ScreenWorker>,
    ) -> Self {
        let live = telling == TellingStyle::Lines && is_live();
        let alone = || ScreenWorker { number: None, seat: 0, board: Arc::new(Board::new(1)) };
        Self {
            telling,
            facts,
            history,
            live,
            look: look_of(&std::io::stderr()),
            doing: String::new(),
            projections,
            worker: worker.unwrap_or_else(alone),
            wait: None,
            silence: LogSilence::after(0),
            is_stale: false,
        }
    }

    /// A note before anything happens.
    pub fn say_before(&self, note: &str) {
        let text = gulf_views::note(note, self.look);
        errln!("{}", self.labelled(text.trim_end()));
    }

    /// Several workers' lines must be told apart.
    fn labelled(&self, text: &str) -> String {
        let text = masked(text);
        let Some(number) = self.worker.number else { return text.into_owned() };
        let lines: Vec<String> = text.lines().map(|line| format!("worker {number}  {line}")).collect();
        lines.join("\n")
    }

    /// Several workers may ask at once, each its question 1.
    fn answer_to(&self, event: &Event, state: &State) -> Option<String> {
        let is_asked = self.worker.number.is_some() && matches!(event.fact, Fact::Paused { .. });
        let open = QuestionReport::open(state).into_iter().next().filter(|_| is_asked)?;
        Some(format!(" · {} --loop {}", open.command(), self.facts.handle))
    }

    fn print_json(&self, event: &Event) {
        let mut line = event_json(event);
        if let (Some(number), Some(line)) = (self.worker.number, line.as_object_mut()) {
            line.insert("loop".to_owned(), self.facts.loop_id.as_str().into());
            line.insert("worker".to_owned(), number.into());
        }
        outln!("{line}");
    }

    /// Shows the loop as it stands before it is driven, and its contract if it is new; a program that was shown events
    /// up to `seen` is not shown them again.
    pub fn begin(&mut self, events: &[Event], seen: u64) {
        let mut state = State::default();
        for event in events {
            state.apply(event);
            match self.telling {
                TellingStyle::Json if event.sequence > seen => self.print_json(event),
                TellingStyle::Lines if events.len() == 1 => {
                    self.print(line(event, &state, self.look).as_deref(), &state, 0);
                }
                TellingStyle::Json | TellingStyle::Lines => {}
            }
        }
        self.project(&state);
    }

    /// Takes the live line away for good.
    pub fn close(&self) {
        if self.live {
            self.worker.board.draw(self.worker.seat, None, String::new());
        }
    }

    fn print(&mut self, text: Option<&str>, state: &State, active_ms: u64) {
        let text = text.map(|text| self.labelled(text));
        if self.live {
            let ScreenWorker { seat, board, .. } = &self.worker;
            let look = board.member_look(self.look);
            let status = status_line(state, &self.history, &self.doing, active_ms, look);
            board.draw(*seat, text.as_deref(), status);
        } else if let Some(text) = text {
            errln!("{text}");
            self.silence = LogSilence::after(active_ms);
        }
    }

    /// Writes every projection anew.
    fn project(&self, state: &State) {
        self.projections.write(&self.facts, &self.history, state, DriverPresence::Present);
    }

    /// Until when, where a wait begins with this event that is long enough for somebody to care.
    fn new_wait(&mut self, event: &Event, state: &State) -> Option<String> {
        let until_ms = waits_until(state, event.at_ms)?;
        let is_known = self.wait.is_some_and(|told| told.until_ms.abs_diff(until_ms) < WAIT_TOLD_MIN_MS);
        if is_known || until_ms.saturating_sub(event.at_ms) < WAIT_TOLD_MIN_MS {
            return None;
        }
        let (from_ms, began_at_ms, told_at_ms) = (event.at_ms, event.active_ms, event.active_ms);
        self.wait = Some(ToldWait { until_ms, from_ms, began_at_ms, told_at_ms });
        Some(format!(" · {}", translated(format!("until {}", local_moment(until_ms, event.at_ms)))))
    }

    /// What takes so long, where a log has been silent.
    fn still_at(&mut self, state: &State, active_ms: u64) {
        if !self.silence.is_too_long(active_ms) || waiting_on(state, active_ms).is_some() {
            return;
        }
        let Some(at) = still_at(state, &self.doing, active_ms) else { return };
        errln!("{}", self.labelled(&translated(at)));
        self.silence = self.silence.broken(active_ms);
    }

    fn still_waiting(&mut self, state: &State, active_ms: u64) {
        let Some(last) = &mut self.wait else { return };
        let is_new = active_ms.saturating_sub(last.began_at_ms) <= NEW_WAIT_MS_MAX;
        let silence = milliseconds(if is_new { SOON } else { RARELY });
        let is_due = active_ms.saturating_sub(last.told_at_ms) >= silence;
        let Some(waiting) = waiting_on(state, active_ms).filter(|_| is_due) else { return };
        last.told_at_ms = active_ms;
        let until = translated(format!("until {}", local_moment(last.until_ms, last.from_ms)));
        errln!("{}", self.labelled(&format!("{}, {until}", translated(waiting))));
    }
}

impl Observer for Screen {
    fn event(&mut self, event: &Event, state: &State) {
        self.history.apply(event);
        if let Fact::Ended { .. } = event.fact {
            self.doing.clear();
        }
        match self.telling {
            TellingStyle::Json => self.print_json(event),
            TellingStyle::Lines => {
                let until = self.new_wait(event, state).or_else(|| self.answer_to(event, state));
                let until = until.unwrap_or_default();
                let paced = paced(state).filter(|_| !until.is_empty()).map(|line| translated(line) + &until);
                let of_event = if paced.is_none() { until.as_str() } else { "" };
                let text = line(event, state, self.look)
                    .map(|line| line + of_event)
                    .map(|line| with_words(line, event, state, &self.projections.home, self.look));
                self.print(text.as_deref(), state, event.active_ms);
                if paced.is_some() {
                    self.print(paced.as_deref(), state, event.active_ms);
                }
            }
        }
        self.is_stale |= !matches!(event.fact, Fact::Woke | Fact::Decided { .. } | Fact::Taken { .. });
    }

    fn rests(&mut self, state: &State) {
        if std::mem::take(&mut self.is_stale) {
            self.project(state);
        }
    }

    fn note(&mut self, text: &str) {
        if self.live {
            err!("{}", gulf_views::ERASE);
        }
        let text = gulf_views::Tone::Attention.paint(&tame_text(&translated(text)), Palette::Colour);
        errln!("{}", self.labelled(&text));
    }

    fn doing(&mut self, what: &str) {
        what.clone_into(&mut self.doing);
    }

    fn waiting(&mut self, state: &State, active_ms: u64) {
        if self.live {
            self.print(None, state, active_ms);
        } else if self.telling == TellingStyle::Lines {
            self.still_waiting(state, active_ms);
            self.still_at(state, active_ms);
        }
    }

    fn tick(&self) -> Option<Duration> {
        Some(if self.live { TICK } else { LOG_TICK })
    }
}

/// How something is shown on standard output.
pub fn stdout_look() -> Look {
    look_of(&std::io::stdout())
}

/// The same on standard output or standard error.
pub fn look_of(stream: &impl IsTerminal) -> Look {
    if !stream.is_terminal() {
        return Look::piped().in_language(language());
    }
    let columns = terminal_size::terminal_size().map_or(COLUMNS_DEFAULT, |(width, _)| width.0);
    // Colours are taken out again by whoever prints, where nobody wants them.
    Look { mask: masked, ..Look::terminal(Palette::Colour, columns).in_language(language()) }
}

/// Prints a whole text; a reader that has seen enough (`gulf doctor | head -1`) is no failure.
pub fn say(text: &str) -> Result<()> {
    let mut out = anstream::stdout().lock();
    match out.write_all(masked(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::broken(error)),
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

/// The last screen, or its document.
pub fn show_result(summary: &Summary, telling: TellingStyle, before: &str) {
    match telling {
        TellingStyle::Json => outln!("{}", end_json(summary)),
        TellingStyle::Lines => out!("{before}{}", result(summary, stdout_look())),
    }
}

/// Can a line on standard error be drawn again?
pub fn is_live() -> bool {
    let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    std::io::stderr().is_terminal() && !dumb
}
