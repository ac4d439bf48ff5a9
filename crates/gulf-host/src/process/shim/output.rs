//! Takes the program's output to its log, counts it, and lets gulf know.
//!
//! It must never wait for anyone but the program and the disk: gulf may be slow, or stopped with Ctrl-Z, and the
//! program must notice nothing of it. So gulf is told the latest counts, not every one.

use std::fs::File;
use std::io::{self, PipeReader, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::start::OutputStream;
use super::{Event, tell};
use crate::process::ProcessOutcome;
use crate::process::Stream;
use crate::process::frame::ShimReport;

const CHUNK_BYTES: usize = 64 * 1024;

/// How much came, and when last.
#[derive(Debug)]
pub(super) struct OutputActivity {
    started: Instant,
    stdout_bytes: AtomicU64,
    stderr_bytes: AtomicU64,
    last_output_nanoseconds: AtomicU64,
    log_failure: Mutex<Option<String>>,
}

/// Tells gulf, from a thread of its own.
#[derive(Debug)]
pub(super) struct Reporter {
    desk: Arc<Desk>,
    thread: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Desk {
    papers: Mutex<Papers>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Papers {
    activity: Option<Arc<OutputActivity>>,
    /// Output came of which gulf was not told.
    has_news: bool,
    end: Option<ProcessOutcome>,
}

/// Starts one thread a stream; each tells the loop when its stream has ended. Says how many there are.
pub(super) fn pump(
    streams: Vec<OutputStream>,
    output_bytes_max: u64,
    activity: &Arc<OutputActivity>,
    reporter: &Reporter,
    events: &Sender<Event>,
) -> u32 {
    let mut count = 0;
    for OutputStream { stream, mut pipe, mut log } in streams {
        let activity = Arc::clone(activity);
        let desk = Arc::clone(&reporter.desk);
        let events = events.clone();
        count += 1;
        std::thread::spawn(move || {
            let mut chunk = vec![0; CHUNK_BYTES];
            while let Some(read) = read(&mut pipe, &mut chunk) {
                activity.take(stream, &chunk[..read], &mut log);
                let (stdout_bytes, stderr_bytes) = activity.bytes();
                if stdout_bytes.saturating_add(stderr_bytes) > output_bytes_max {
                    tell(&events, Event::OutputLimit);
                    break;
                }
                desk.papers().has_news = true;
                desk.changed.notify_one();
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
    pub(super) fn new() -> Self {
        Self {
            started: Instant::now(),
            stdout_bytes: AtomicU64::new(0),
            stderr_bytes: AtomicU64::new(0),
            last_output_nanoseconds: AtomicU64::new(0),
            log_failure: Mutex::new(None),
        }
    }

    pub(super) fn started(&self) -> Instant {
        self.started
    }

    /// The start counts as output: silence begins there.
    pub(super) fn last_output(&self) -> Instant {
        self.started + Duration::from_nanos(self.last_output_nanoseconds.load(Ordering::Acquire))
    }

    pub(super) fn bytes(&self) -> (u64, u64) {
        (self.stdout_bytes.load(Ordering::Acquire), self.stderr_bytes.load(Ordering::Acquire))
    }

    pub(super) fn log_failure(&self) -> Option<String> {
        self.log_failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn take(&self, stream: Stream, bytes: &[u8], log: &mut File) {
        // After a failure nothing more is written: a log with a hole would lie.
        let mut failure = self.log_failure.lock().unwrap_or_else(PoisonError::into_inner);
        if failure.is_none()
            && let Err(error) = log.write_all(bytes)
        {
            *failure = Some(error.to_string());
        }
        drop(failure);
        let counter = match stream {
            Stream::Stdout => &self.stdout_bytes,
            Stream::Stderr => &self.stderr_bytes,
        };
        counter.fetch_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX), Ordering::AcqRel);
        let now = u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.last_output_nanoseconds.fetch_max(now, Ordering::AcqRel);
    }
}

impl Reporter {
    pub(super) fn start() -> Self {
        let desk = Arc::new(Desk::default());
        let thread = std::thread::spawn({
            let desk = Arc::clone(&desk);
            move || while desk.report_next() {}
        });
        Self { desk, thread }
    }

    pub(super) fn follow(&self, activity: Arc<OutputActivity>) {
        self.desk.papers().activity = Some(activity);
    }

    /// Returns when gulf has the last word, or is gone.
    pub(super) fn finish(self, end: ProcessOutcome) {
        self.desk.papers().end = Some(end);
        self.desk.changed.notify_one();
        // A thread that panicked has said so on stderr; gulf sees the missing end.
        let _ = self.thread.join();
    }
}

impl Desk {
    fn papers(&self) -> MutexGuard<'_, Papers> {
        self.papers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says whether more may come.
    fn report_next(&self) -> bool {
        let papers = self.papers();
        let waiting = |papers: &mut Papers| papers.end.is_none() && !papers.has_news;
        let mut papers = self.changed.wait_while(papers, waiting).unwrap_or_else(PoisonError::into_inner);
        papers.has_news = false;
        let end = papers.end.take();
        let (stdout_bytes, stderr_bytes) =
            papers.activity.as_ref().map_or((0, 0), |activity| activity.bytes());
        drop(papers);
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
