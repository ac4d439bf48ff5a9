//! The shim: the process between gulf and a program, whose only purpose is that nothing below it survives it.
//!
//! It runs in another process than the rest of gulf. One loop takes all events and holds all decisions; the threads
//! around it only block on one thing each (the driver's words, signals, dead children, each stream) and report it.

mod output;
mod start;

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::frame::{self, StopMode};
use super::{Ending, ProcessOutcome, ProcessRequest, TimeOut};
use crate::crash;
use crate::platform::{self, Reaped, Signal};
use output::{OutputActivity, Reporter};

/// What a program and its tree get to clean up after SIGTERM.
const GRACE: Duration = Duration::from_secs(2);
/// What a program left behind after it ended by itself gets: less, nobody waits for its result.
const LEFTOVERS_GRACE: Duration = Duration::from_millis(500);
/// SIGKILL is given again and again while new processes appear; with the pause below this is some ten seconds.
const KILL_ROUNDS_MAX: u32 = 500;
const KILL_ROUND_PAUSE: Duration = Duration::from_millis(20);
/// With the tree gone its pipes are at their end, unless a stranger holds one; then what has come so far must do.
const DRAIN_MAX: Duration = Duration::from_secs(1);

/// What the shim's loop is told.
#[derive(Debug)]
enum Event {
    Reaped(Reaped),
    /// From gulf, from a signal, or because gulf is gone.
    Stop(StopMode),
    OutputLimit,
    StreamEnded,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing was asked of it.
    Running,
    /// SIGTERM is out; SIGKILL follows.
    Asked { until: Instant },
    /// SIGKILL is out, this often.
    Killing { round: u32, next: Instant },
    /// Nothing is left but what cannot be killed.
    Gone { survivors: u32 },
}

#[derive(Debug)]
struct ShimWatch {
    events: Receiver<Event>,
    activity: Arc<OutputActivity>,
    request: ProcessRequest,
    program: u32,
    streams_open: u32,
    stage: Stage,
    ending: Option<Ending>,
    ended: Option<Instant>,
    /// Everything that got a signal, the program among them.
    signalled: BTreeSet<u32>,
}

/// The whole life of `gulf __shim`: one request from stdin, one program, reports to stdout.
pub fn shim_main() -> ! {
    // Not within the match: the lock on stdin would last as long, and the driver's later words would never be heard.
    let request = frame::read_request(&mut io::stdin().lock());
    let code = match request {
        Ok(request) => {
            let reporter = Reporter::start();
            let not_started =
                |why| ProcessOutcome { ending: Ending::NotStarted(why), ..ProcessOutcome::default() };
            let end = serve(request, &reporter).unwrap_or_else(not_started);
            crash::point("shim.report");
            reporter.finish(end);
            0
        }
        // gulf is gone, and so is whoever could be told: it died between starting this process and saying what to run.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => 2,
        Err(error) => {
            let _ = writeln!(
                io::stderr(),
                "error: `gulf __shim` was not asked to run a program: {error}\nhint: gulf starts it by itself; where it \
                 does, install gulf anew: two versions of it are mixed"
            );
            2
        }
    };
    std::process::exit(code)
}

/// Runs the program to its end and its tree's; the error says why it did not start.
fn serve(mut request: ProcessRequest, reporter: &Reporter) -> Result<ProcessOutcome, String> {
    platform::enter_shim().map_err(|error| format!("cannot shield the process tree: {error}"))?;
    let (sender, events) = mpsc::channel();
    let stop = sender.clone();
    platform::on_stop_signal(move || tell(&stop, Event::Stop(StopMode::Gracefully)))
        .map_err(|error| format!("cannot take signals: {error}"))?;

    crash::point("shim.spawn");
    let started = start::start(&mut request)?;
    crash::point("shim.spawned");
    reporter.activity.begin();
    let program = started.child.id();
    let streams_open = output::pump(started.streams, request.output_bytes_max, &reporter.activity, &sender);
    start::feed(started.stdin);
    listen_to_driver(sender.clone());
    std::thread::spawn(move || {
        platform::reap(&started.child, &mut |reaped| tell(&sender, Event::Reaped(reaped)));
    });

    let mut watch = ShimWatch {
        events,
        activity: Arc::clone(&reporter.activity),
        request,
        program,
        streams_open,
        stage: Stage::Running,
        ending: None,
        ended: None,
        signalled: BTreeSet::new(),
    };
    Ok(watch.run())
}

/// Each byte is a stop; so is the end, for then gulf is dead.
fn listen_to_driver(events: Sender<Event>) {
    std::thread::spawn(move || {
        let mut driver = io::stdin().lock();
        let mut byte = [0];
        while driver.read_exact(&mut byte).is_ok() {
            tell(&events, Event::Stop(StopMode::from_byte(byte[0])));
        }
        tell(&events, Event::Stop(StopMode::Gracefully));
    });
}

fn tell(events: &Sender<Event>, event: Event) {
    // The loop ends before the threads that talk to it; what comes after its end concerns nobody.
    let _ = events.send(event);
}

impl ShimWatch {
    fn run(&mut self) -> ProcessOutcome {
        let survivors = loop {
            if let Stage::Gone { survivors } = self.stage {
                break survivors;
            }
            match self.next_event() {
                Ok(event) => self.take(event),
                Err(_) => self.deadline_reached(),
            }
        };
        self.drain();
        let ended = self.ended.unwrap_or_else(Instant::now);
        self.signalled.remove(&self.program);
        let counted = self.activity.counted();
        ProcessOutcome {
            // Gone without a word about the program: only a program that cannot be killed ends like this.
            ending: self.ending.take().unwrap_or(Ending::Lost),
            duration: ended.saturating_duration_since(counted.started),
            leftovers_killed: u32::try_from(self.signalled.len()).unwrap_or(u32::MAX),
            survivors,
            ..counted.outcome.clone()
        }
    }

    fn next_event(&self) -> Result<Event, RecvTimeoutError> {
        match self.deadline() {
            Some(deadline) => self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())),
            None => self.events.recv().map_err(RecvTimeoutError::from),
        }
    }

    fn deadline(&self) -> Option<Instant> {
        match self.stage {
            Stage::Running => self.wall_deadline().into_iter().chain(self.idle_deadline()).min(),
            Stage::Asked { until } => Some(until),
            Stage::Killing { next, .. } => Some(next),
            Stage::Gone { .. } => Some(Instant::now()),
        }
    }

    /// `None` for a limit beyond what the clock can count: no limit.
    fn wall_deadline(&self) -> Option<Instant> {
        self.activity.counted().started.checked_add(self.request.wall_max)
    }

    fn idle_deadline(&self) -> Option<Instant> {
        self.activity.counted().last_output.checked_add(self.request.idle_max?)
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Reaped(Reaped::Program { ending, is_alone }) => {
                self.ended = Some(Instant::now());
                self.ending.get_or_insert(ending);
                if is_alone {
                    self.stage = Stage::Gone { survivors: 0 };
                } else if self.stage == Stage::Running {
                    self.ask(LEFTOVERS_GRACE);
                }
            }
            Event::Reaped(Reaped::Everything) => self.stage = Stage::Gone { survivors: 0 },
            Event::Stop(StopMode::Gracefully) => {
                if self.stage == Stage::Running {
                    self.stop(Ending::Cancelled);
                }
            }
            Event::Stop(StopMode::Now) => {
                self.ending.get_or_insert(Ending::Cancelled);
                self.start_killing();
            }
            Event::OutputLimit => {
                self.ending.get_or_insert(Ending::TooMuchOutput);
                self.start_killing();
            }
            Event::StreamEnded => self.streams_open = self.streams_open.saturating_sub(1),
        }
    }

    fn deadline_reached(&mut self) {
        let now = Instant::now();
        match self.stage {
            Stage::Running if self.wall_deadline().is_some_and(|deadline| deadline <= now) => {
                self.stop(Ending::TimedOut(TimeOut::Wall));
            }
            // Output may have come since the deadline was computed.
            Stage::Running if self.idle_deadline().is_some_and(|deadline| deadline <= now) => {
                self.stop(Ending::TimedOut(TimeOut::Idle));
            }
            Stage::Running | Stage::Gone { .. } => {}
            Stage::Asked { .. } => self.start_killing(),
            Stage::Killing { round, .. } => self.kill(round),
        }
    }

    fn stop(&mut self, ending: Ending) {
        // Before the signal: what it says from now on it was made to say.
        self.activity.mark_stop();
        self.ending.get_or_insert(ending);
        self.ask(GRACE);
    }

    fn ask(&mut self, grace: Duration) {
        self.stage = Stage::Asked { until: Instant::now() + grace };
        let asked = platform::signal_tree(self.program, Signal::TERM);
        self.note_signalled(&asked);
    }

    fn start_killing(&mut self) {
        match self.stage {
            Stage::Running | Stage::Asked { .. } => self.kill(0),
            Stage::Killing { .. } | Stage::Gone { .. } => {}
        }
    }

    /// One round. Processes that fork faster than they die get the next round at once.
    fn kill(&mut self, round: u32) {
        let killed = platform::signal_tree(self.program, Signal::KILL);
        let new = self.note_signalled(&killed);
        if self.stage != (Stage::Gone { survivors: 0 }) {
            let survivors = u32::try_from(killed.len()).unwrap_or(u32::MAX);
            let pause = if new { Duration::ZERO } else { KILL_ROUND_PAUSE };
            self.stage = match round {
                KILL_ROUNDS_MAX.. => Stage::Gone { survivors },
                _ => Stage::Killing { round: round + 1, next: Instant::now() + pause },
            };
        }
    }

    /// Says whether any of them is new.
    fn note_signalled(&mut self, signalled: &[u32]) -> bool {
        if signalled.is_empty() && !platform::TELLS_WHEN_ALL_ARE_GONE {
            self.stage = Stage::Gone { survivors: 0 };
        }
        let before = self.signalled.len();
        self.signalled.extend(signalled);
        self.signalled.len() > before
    }

    /// Lets the streams' threads read what the dead have left in the pipes.
    fn drain(&mut self) {
        let until = Instant::now() + DRAIN_MAX;
        while self.streams_open > 0 {
            let Ok(event) = self.events.recv_timeout(until.saturating_duration_since(Instant::now())) else {
                return;
            };
            match event {
                Event::StreamEnded => self.streams_open -= 1,
                Event::Reaped(_) | Event::Stop(_) | Event::OutputLimit => {}
            }
        }
    }
}
