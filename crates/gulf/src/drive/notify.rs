//! A loop that rests reaches its person: told by every channel, heard from those who may answer, and gone on with.
//!
//! Nothing is driven here: the journal is free while a person is waited for, so that an answer typed in another
//! terminal counts as well, and leaving loses nothing (SPEC A6).

mod in_thread;
mod notices;

use gulf_runner::folder::LoopPaths;
use std::sync::Arc;
use std::time::Duration;

use gulf_agents::channels::Notice;
use gulf_engine::{Event, Stage, State};
use gulf_host::clock::Clock;
use gulf_host::journal::JournalError;
use gulf_host::lock::{Holder, Lock};
use gulf_host::watch::Watch;
use gulf_runner::agreement::Agreement;
use gulf_runner::book::{self, Book};
use gulf_runner::channels::admission::{TakenIn, take_in, unheard as not_taken};
use gulf_runner::channels::{AnswerWindow, ChannelAnswer, Channels, DeliveryProgress as Told};
use gulf_runner::drive::DriveOutcome;
use gulf_runner::error::{RunError, in_full};
use gulf_runner::observer::Observer;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::{self, Held, KnownLoop};
use gulf_runner::stop::Stop;

use in_thread::Meanwhile;
pub use notices::{look_at_unread, takes, unread};
use notices::{notices, pause};

use super::{DriveOptions, DrivenLoop};
use crate::failure::{Failure, Result};

/// A channel is tried so often before a command ends.
pub const ATTEMPTS_MAX: u32 = 3;
/// Between the first two of them; twice as long between the next.
const FIRST_WAIT: Duration = Duration::from_millis(200);
/// Whoever wrote the last event has the journal for a moment longer.
const LOCK_LOOK_EVERY: Duration = Duration::from_millis(20);
const LOCK_LOOKS_MAX: u32 = 500;
/// Where nothing says how often to look, and nothing but the journal is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// A program may answer for so long where a person is waited for without end.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(30 * 24 * 3_600);

/// How long a person is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// As sealed, where somebody can answer by a channel.
    AsSealed,
    /// `--wait`
    ForEver,
    /// `--wait=2h`
    For(Duration),
}

/// Held by the process that waits for a person, in the loop's folder.
const WAITING_FILE: &str = "waiting.lock";

/// Does a process wait for a person there, that goes on as soon as one leads on?
pub fn is_waited_for(home: &LoopPaths) -> bool {
    matches!(Lock::holder(&home.root().join(WAITING_FILE)), Ok(Holder::Process { .. }))
}

/// Does this process drive the loop, or wait for a person there?
pub fn is_with(known: &KnownLoop, process: u32) -> bool {
    let locks = [known.home.lock(), known.home.root().join(WAITING_FILE)];
    known.is_unfinished() && locks.iter().any(|lock| Lock::holding_process(lock) == Some(process))
}

/// What `--wait` says.
pub fn patience(flag: Option<&str>) -> Result<Patience> {
    match flag {
        None => Ok(Patience::AsSealed),
        Some("") => Ok(Patience::ForEver),
        Some(text) => gulf_spec::quantity::duration(text).map(Patience::For).map_err(|error| {
            Failure::usage(format!("cannot read `--wait={text}`: {error}"), "write a duration: `--wait=2h`")
        }),
    }
}

/// The journal of a loop that nobody drives, and how it stands.
struct UndrivenLoop {
    events: Vec<Event>,
    state: State,
    notices: Vec<Notice>,
}

impl UndrivenLoop {
    fn read(agreement: &Agreement, home: &LoopPaths) -> Result<Self> {
        let events = book::read(home.root())?;
        let state = book::fold(&events).state;
        let notices = notices(agreement, home, &events, &state);
        Ok(Self { events, state, notices })
    }
}

/// Tells how a loop was left, where nobody waits for an answer. What goes wrong is said, and changes nothing.
pub fn tell(driven: &mut DrivenLoop, driving: &DriveOptions<'_>) {
    let after = (driving.leave, driving.clock);
    let told = tell_of(&driven.agreement, &driven.home, after, ATTEMPTS_MAX, None);
    let notes = told.unwrap_or_else(|failure| vec![failure.in_one_line()]);
    notes.iter().for_each(|note| driven.screen.note(note));
}

/// The same for a loop that this process does not show; what a person should know of the channels. Where gulf itself could
/// not go on, only why it `stopped` is told, and nothing about it is written down: a full disk may be the reason.
pub fn tell_of(
    agreement: &Agreement,
    home: &LoopPaths,
    (leave, clock): (&Stop, &Arc<Clock>),
    attempts_max: u32,
    stopped: Option<&Failure>,
) -> Result<Vec<String>> {
    let Some(channels) = Channels::from_agreement(agreement, home.root(), clock.clone())? else {
        return Ok(Vec::new());
    };
    let UndrivenLoop { events, state, notices } = UndrivenLoop::read(agreement, home)?;
    let (channels, notices) = match stopped {
        Some(why) => (channels.only_looking(), vec![notices::stopped(agreement, home, &events, &state, why)]),
        None => (channels, notices),
    };
    let watch = watch(home)?;
    leave.wakes(watch.waker());
    try_to_tell(channels, &notices, Meanwhile { watch: &watch, leave }, clock, attempts_max)
}

/// Tells, and tries again what did not pass, for as long as a command may take to end; what a person should know of it.
fn try_to_tell(
    mut channels: Channels,
    notices: &[Notice],
    meanwhile: Meanwhile<'_>,
    clock: &Clock,
    attempts_max: u32,
) -> Result<Vec<String>> {
    let mut wait = FIRST_WAIT;
    let late = clock.monotonic().saturating_add(channels.terms.timeout());
    for attempt in 1..=attempts_max {
        let all = notices.to_vec();
        let tell = move |channels: &mut Channels| channels.tell(&all, AnswerWindow::Nobody);
        let Some((same, told)) = meanwhile.work(channels, tell)? else { return Ok(Vec::new()) };
        channels = same;
        // Who let its whole time pass is not waited for once more.
        if told == Told::Done || attempt == attempts_max || clock.monotonic() >= late {
            break;
        }
        let asked = channels.retry_after().unwrap_or(wait);
        meanwhile.pass(clock, asked.min(channels.terms.timeout()));
        wait *= 2;
    }
    Ok(channels.notes())
}

/// Waits for a person who leads on from a pause, by a channel or in another terminal: then the loop is held again.
pub fn wait(
    place: &PlaceOfWork,
    driven: &mut DrivenLoop,
    driving: &DriveOptions<'_>,
    patience: Patience,
) -> Result<Option<Held>> {
    let DriveOutcome::Paused(_) = driven.left else { return Ok(None) };
    let channels = Channels::from_agreement(&driven.agreement, driven.home.root(), driving.clock.clone());
    let mut channels = channels.unwrap_or_else(|error| {
        driven.screen.note(&in_full(&error));
        None
    });
    if channels.is_none() && patience == Patience::AsSealed {
        return Ok(None);
    }
    let watch = watch(&driven.home)?;
    driving.leave.wakes(watch.waker());
    if let Some(channels) = &mut channels {
        channels.wakes(watch.waker());
    }
    let now = UndrivenLoop::read(&driven.agreement, &driven.home)?;
    let at_most = match patience {
        Patience::ForEver => None,
        Patience::For(time) => Some(time),
        Patience::AsSealed => Some(sealed_wait(channels.as_ref(), &now, driving.clock.wall_ms())),
    };
    let _lock = Lock::try_acquire(&driven.home.root().join(WAITING_FILE), b"").ok();
    let next = driving.clock.monotonic();
    let until = at_most.map(|time| next.saturating_add(time));
    let (told, said) = (Told::Done, Vec::new());
    let mut waiting =
        PersonWait { driven: &mut *driven, driving, channels, watch, until, next, told, said, _lock };
    if at_most != Some(Duration::ZERO) {
        waiting.say_that_it_waits(&now, at_most);
    }
    let led_on = waiting.until_led_on()?;
    // What a program was asked is nobody's question any more when this is over.
    drop(waiting);
    driven.screen.close();
    if !led_on {
        return Ok(None);
    }
    free(&driven.home)?;
    let Some(checkout) = driven.checkout.take() else { return Ok(None) };
    let name = super::name_of(&driven.agreement)?;
    Ok(Some(start::hold(place, &name, checkout)?))
}

/// What lies in the channels of a paused loop that this process holds becomes part of it; what came of it, for people.
pub fn take_answers(held: &mut Held, clock: &Arc<Clock>) -> Result<Vec<String>> {
    let agreement = &held.resources.agreement;
    let root = held.resources.folder.root();
    if !matches!(&held.book.state().stage, Stage::Paused(..)) {
        return Ok(Vec::new());
    }
    let Some(mut channels) = Channels::from_agreement(agreement, root, clock.clone())? else {
        return Ok(Vec::new());
    };
    let events = book::read(root)?;
    let asked = notices(agreement, &held.resources.folder, &events, held.book.state());
    let heard = channels.hear(&asked)?;
    let taken = take_in(&mut held.book, root, &asked, heard, clock.wall_ms())?;
    say_back(&mut channels, &taken)?;
    let notes = taken.into_iter().map(|taken| taken.note);
    Ok(notes.chain(channels.notes()).collect())
}

/// A person is waited for.
struct PersonWait<'waiting, 'driving> {
    driven: &'waiting mut DrivenLoop,
    driving: &'waiting DriveOptions<'driving>,
    channels: Option<Channels>,
    watch: Watch,
    /// On the clock that never jumps; none for ever.
    until: Option<Duration>,
    /// When the channels are asked next.
    next: Duration,
    /// Whether they were told everything.
    told: Told,
    /// What could not be written down yet.
    said: Vec<ChannelAnswer>,
    /// By which others know that somebody waits; none where that cannot be said.
    _lock: Option<Lock>,
}

impl PersonWait<'_, '_> {
    /// True where the loop goes on; false where it stays as it is, or is over.
    fn until_led_on(&mut self) -> Result<bool> {
        loop {
            let now = self.see()?;
            if self.driving.leave.is_asked() {
                self.driven.left = DriveOutcome::Interrupted;
                return Ok(false);
            }
            if let Stage::Ended(end) = &now.state.stage {
                self.driven.left = DriveOutcome::Ended(end.clone());
                return Ok(false);
            }
            if !matches!(&now.state.stage, Stage::Paused(..)) {
                return Ok(true);
            }
            let is_due = self.monotonic() >= self.next;
            let has_grown = if is_due { self.ask(&now)? } else { self.ask_programs(&now)? };
            if has_grown {
                continue;
            }
            let left = self.until.map(|until| until.saturating_sub(self.monotonic()));
            if left == Some(Duration::ZERO) {
                self.tell_at_last(&now)?;
                return Ok(false);
            }
            let pause = self.next.saturating_sub(self.monotonic());
            self.watch.wait_at_most(left.map_or(pause, |left| left.min(pause)));
        }
    }

    /// How the loop stands now; what is new is shown.
    fn see(&mut self) -> Result<UndrivenLoop> {
        let now = UndrivenLoop::read(&self.driven.agreement, &self.driven.home)?;
        let mut state = State::default();
        for event in &now.events {
            state.apply(event);
            if event.sequence > self.driven.seen {
                self.driven.screen.event(event, &state);
                self.driven.seen = event.sequence;
            }
        }
        self.driven.screen.rests(&state);
        self.driven.state = state;
        Ok(now)
    }

    /// Tells what was not told, and takes in what was said. True where the journal has grown.
    fn ask(&mut self, now: &UndrivenLoop) -> Result<bool> {
        let monotonic = self.monotonic();
        let hearing =
            AnswerWindow::For(self.until.map_or(ANSWER_TIME_MAX, |until| until.saturating_sub(monotonic)));
        let Some(channels) = self.channels.take() else {
            self.next = monotonic.saturating_add(LOOK_EVERY);
            return Ok(false);
        };
        let all = now.notices.clone();
        let ask = move |channels: &mut Channels| Ok((channels.tell(&all, hearing)?, channels.hear(&all)?));
        let meanwhile = Meanwhile { watch: &self.watch, leave: self.driving.leave };
        let Some((channels, (told, heard))) = meanwhile.work(channels, ask)? else { return Ok(true) };
        // As in `try_to_tell`: what is untold is left to the next command.
        let is_late = self.monotonic().saturating_sub(monotonic) >= channels.terms.timeout();
        self.told = if is_late { Told::Done } else { told };
        let channels = self.channels.insert(channels);
        let pause = channels.look_again_in();
        self.next = self.monotonic().saturating_add(pause);
        self.take(now, heard)
    }

    /// The same of programs only, which wake this wait when they have ended.
    fn ask_programs(&mut self, now: &UndrivenLoop) -> Result<bool> {
        let Some(channels) = &mut self.channels else { return Ok(false) };
        let heard = channels.hear_programs()?;
        self.take(now, heard)
    }

    fn take(&mut self, now: &UndrivenLoop, heard: Vec<ChannelAnswer>) -> Result<bool> {
        let mut all = std::mem::take(&mut self.said);
        all.extend(heard);
        let (root, clock) = (self.driven.home.root(), self.driving.clock);
        let record = || -> Result<Vec<TakenIn>, RunError> {
            let heard = not_taken(root, all.clone())?;
            if heard.is_empty() {
                return Ok(Vec::new());
            }
            let (mut book, _) = Book::open(root)?;
            take_in(&mut book, root, &now.notices, heard, clock.wall_ms())
        };
        let taken = match record() {
            Ok(taken) => taken,
            // Somebody answers in another terminal, in this very moment.
            Err(RunError::Journal(JournalError::Locked(_))) => {
                self.said = all;
                self.next = self.monotonic().saturating_add(LOCK_LOOK_EVERY);
                return Ok(false);
            }
            Err(error) => return Err(error.into()),
        };
        if let Some(channels) = &mut self.channels {
            say_back(channels, &taken)?;
            for note in channels.notes() {
                self.driven.screen.note(&note);
            }
        }
        Ok(!taken.is_empty())
    }

    /// What did not pass is tried again before the person is left alone with it.
    fn tell_at_last(&mut self, now: &UndrivenLoop) -> Result<()> {
        let Some(channels) = self.channels.take_if(|_| self.told == Told::Again) else {
            return Ok(());
        };
        let meanwhile = Meanwhile { watch: &self.watch, leave: self.driving.leave };
        let clock = self.driving.clock;
        let notes = try_to_tell(channels, &now.notices, meanwhile, clock, ATTEMPTS_MAX - 1)?;
        notes.iter().for_each(|note| self.driven.screen.note(note));
        Ok(())
    }

    fn say_that_it_waits(&mut self, now: &UndrivenLoop, at_most: Option<Duration>) {
        let keys: Vec<&str> = now.notices.iter().map(|notice| notice.key.as_str()).collect();
        let about =
            if keys.is_empty() { "to lead on".to_owned() } else { format!("about {}", keys.join(", ")) };
        let names = self.channels.as_ref().map(|channels| channels.terms.names().join(", "));
        let by = names.map_or_else(String::new, |names| format!(" by {names}, or"));
        // A part of it is over already, which nobody wants to read.
        let seconds = |time: Duration| time.saturating_add(Duration::from_millis(999));
        let long = at_most.map_or_else(String::new, |time| {
            format!(" for {}", gulf_spec::quantity::print_duration(seconds(time)))
        });
        let told = format!("waiting for a person {about}{long}:{by} in a terminal, see `gulf inbox`");
        self.driven.screen.note(&told);
    }

    fn monotonic(&self) -> Duration {
        self.driving.clock.monotonic()
    }
}

/// What is left of the time that was agreed on, since the loop came to rest.
fn sealed_wait(channels: Option<&Channels>, now: &UndrivenLoop, wall_ms: u64) -> Duration {
    let Some(terms) = channels.map(|channels| &channels.terms).filter(|terms| terms.hears()) else {
        return Duration::ZERO;
    };
    let wait = terms.wait().unwrap_or(Duration::ZERO);
    let since_ms = pause(&now.events).map_or(wall_ms, |event| event.at_ms);
    // A clock that was set back makes nobody wait longer than that.
    wait.saturating_sub(Duration::from_millis(wall_ms.saturating_sub(since_ms)))
}

fn say_back(channels: &mut Channels, taken: &[TakenIn]) -> Result<()> {
    for TakenIn { heard, back, .. } in taken {
        if let Some(back) = back {
            channels.say_back(heard, back)?;
        }
    }
    Ok(())
}

pub fn watch(home: &LoopPaths) -> Result<Watch> {
    let root = home.root();
    Ok(Watch::start(root).map_err(|source| RunError::Watch { path: root.to_owned(), source })?)
}

/// Waits until whoever answered in another terminal has let go of the journal.
fn free(home: &LoopPaths) -> Result<()> {
    let watch = watch(home)?;
    let path = home.lock();
    for _ in 0..LOCK_LOOKS_MAX {
        match Lock::holder(&path)? {
            Holder::Nobody => return Ok(()),
            Holder::Process { .. } => {
                watch.wait_at_most(LOCK_LOOK_EVERY);
            }
        }
    }
    Ok(())
}
