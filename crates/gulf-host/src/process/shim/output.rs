//! Takes the program's output to its log, counts it, and lets gulf know.
//!
//! It must never wait for anyone but the program and the disk: gulf may be slow, or stopped with Ctrl-Z, and the
//! program must notice nothing of it. So gulf is told the latest counts, not every one.

use std::fs::File;
use std::io::{self, PipeReader, Read, Write};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use super::start::OutputStream;
use super::{Event, tell};
use crate::process::ProcessOutcome;
use crate::process::Stream;
use crate::process::frame::ShimReport;

const CHUNK_BYTES: usize = 64 * 1024;

/// How much came, and when last: whoever writes it down, waits for it or tells of it looks here.
#[derive(Debug)]
pub(super) struct OutputActivity {
    counted: Mutex<OutputCounts>,
    changed: Condvar,
}

#[derive(Debug)]
pub(super) struct OutputCounts {
    pub(super) started: Instant,
    /// The start counts as output: silence begins there.
    pub(super) last_output: Instant,
    /// What is known of it by now.
    pub(super) outcome: ProcessOutcome,
    /// Output came of which gulf was not told.
    has_news: bool,
    end: Option<ProcessOutcome>,
}

/// Tells gulf, from a thread of its own.
#[derive(Debug)]
pub(super) struct Reporter {
    pub(super) activity: Arc<OutputActivity>,
    thread: JoinHandle<()>,
}

/// Starts one thread a stream; each tells the loop when its stream has ended. Says how many there are.
pub(super) fn pump(
    streams: Vec<OutputStream>,
    output_bytes_max: u64,
    activity: &Arc<OutputActivity>,
    events: &Sender<Event>,
) -> u32 {
    let mut count = 0;
    for OutputStream { stream, mut pipe, mut log } in streams {
        let activity = Arc::clone(activity);
        let events = events.clone();
        count += 1;
        std::thread::spawn(move || {
            let mut chunk = vec![0; CHUNK_BYTES];
            while let Some(read) = read(&mut pipe, &mut chunk) {
                if activity.take(stream, &chunk[..read], &mut log) > output_bytes_max {
                    tell(&events, Event::OutputLimit);
                    break;
                }
            }
            tell(&events, Event::StreamEnded);
        });
    }
    count
}

/// `None` at the end of the stream; a pipe has no other way to fail.
fn read(pipe: &mut PipeReader, chunk: &mut [u8]) -> Option<usize> {
    loop {
        match pipe.read(chunk) {
            Ok(0) => return None,
            Ok(read) => return Some(read),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

impl OutputActivity {
    fn new() -> Self {
        let now = Instant::now();
        let outcome = ProcessOutcome::default();
        let counted = OutputCounts { started: now, last_output: now, outcome, has_news: false, end: None };
        Self { counted: Mutex::new(counted), changed: Condvar::new() }
    }

    /// What came by now; nobody goes on counting while it is held.
    pub(super) fn counted(&self) -> MutexGuard<'_, OutputCounts> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From here on the program's time counts.
    pub(super) fn begin(&self) {
        let now = Instant::now();
        let mut counted = self.counted();
        (counted.started, counted.last_output) = (now, now);
    }

    /// What comes from here on comes after the first word that it shall stop.
    pub(super) fn mark_stop(&self) {
        let mut counted = self.counted();
        let outcome = &mut counted.outcome;
        outcome.stdout_bytes_at_stop.get_or_insert(outcome.stdout_bytes);
    }

    /// Writes it down, and says how much has come on both streams.
    fn take(&self, stream: Stream, bytes: &[u8], log: &mut File) -> u64 {
        // After a failure nothing more is written: a log with a hole would lie.
        let has_failed = self.counted().outcome.log_failure.is_some();
        let failure = if has_failed { None } else { log.write_all(bytes).err() };
        let mut counted = self.counted();
        (counted.last_output, counted.has_news) = (Instant::now(), true);
        self.changed.notify_one();
        let outcome = &mut counted.outcome;
        if let Some(error) = failure {
            outcome.log_failure.get_or_insert(error.to_string());
        }
        match stream {
            Stream::Stdout => outcome.stdout_bytes += bytes.len() as u64,
            Stream::Stderr => outcome.stderr_bytes += bytes.len() as u64,
        }
        outcome.stdout_bytes.saturating_add(outcome.stderr_bytes)
    }

    /// Says whether more may come.
    fn report_next(&self) -> bool {
        let waiting = |counted: &mut OutputCounts| counted.end.is_none() && !counted.has_news;
        let counted = self.changed.wait_while(self.counted(), waiting);
        let mut counted = counted.unwrap_or_else(PoisonError::into_inner);
        counted.has_news = false;
        let end = counted.end.take();
        let (stdout_bytes, stderr_bytes) = (counted.outcome.stdout_bytes, counted.outcome.stderr_bytes);
        drop(counted);
        let more_may_come = end.is_none();
        let report = end.map_or(ShimReport::Output { stdout_bytes, stderr_bytes }, ShimReport::Ended);
        // A gulf that cannot be told is dead or will be told by the end of the pipe.
        if let Ok(mut line) = serde_json::to_vec(&report) {
            line.push(b'\n');
            let mut driver = io::stdout().lock();
            let _ = driver.write_all(&line).and_then(|()| driver.flush());
        }
        more_may_come
    }
}

impl Reporter {
    pub(super) fn start() -> Self {
        let activity = Arc::new(OutputActivity::new());
        let thread = std::thread::spawn({
            let activity = Arc::clone(&activity);
            move || while activity.report_next() {}
        });
        Self { activity, thread }
    }

    /// Returns when gulf has the last word, or is gone.
    pub(super) fn finish(self, end: ProcessOutcome) {
        self.activity.counted().end = Some(end);
        self.activity.changed.notify_one();
        // A thread that panicked has said so on stderr; gulf sees the missing end.
        let _ = self.thread.join();
    }
}
