//! Rows of `cargo xtask bench`: how long it takes to save, load, fold and decide, measured within one process.
//!
//! The argument is a journal that gulf wrote; the rows are medians, each with its spread.

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use camino::Utf8PathBuf;
use gulf_engine::{Event, State, decide};
use gulf_host::files::{self, Durability};
use gulf_host::journal::{Durability as Sync, Journal, LocalJournal};
use gulf_runner::book::{self, Line};

/// How often each thing is measured.
const ROUNDS: usize = 21;
/// So many folded states, so that a page more or less does not count.
const STATES: usize = 64;
/// As many events as a loop of a thousand iterations writes.
const EVENTS: usize = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    let journal = Utf8PathBuf::from(std::env::args().nth(1).ok_or("usage: engine_rows JOURNAL")?);
    let text = std::fs::read_to_string(&journal)?;
    let events: Vec<Event> = text
        .lines()
        .map(|line| serde_json::from_str::<Line>(line).map(|line| line.event))
        .collect::<Result<_, _>>()?;
    let events = &events[..events.len().min(EVENTS)];
    let folder = tempfile::tempdir()?;
    let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).map_err(|_| "a path in UTF-8")?;

    row(&format!("fold of {} events", events.len()), || {
        black_box(fold(events));
    });
    let state = fold(events);
    row("decide on that state", || {
        black_box(decide(&state));
    });
    let last = events.last().ok_or("the journal is empty")?;
    row("transition (SPEC L9: < 5 ms): apply and decide", || {
        let mut next = fold(&events[..events.len().saturating_sub(1).min(16)]);
        next.apply(last);
        black_box(decide(&next));
    });
    let bytes = serde_json::to_vec(&events.iter().take(1000).collect::<Vec<_>>())?;
    row("save (SPEC L9: < 10 ms): replace a state file", || {
        black_box(files::replace(&path.join("state.json"), &bytes, Durability::Buffered).is_ok());
    });
    row("save: append one event, not synced", appending(&path.join("buffered"), last, Sync::Buffered)?);
    row("save: append one event, synced", appending(&path.join("synced"), last, Sync::Synced)?);
    let loaded = path.join("loaded");
    std::fs::create_dir_all(&loaded)?;
    std::fs::write(loaded.join(gulf_host::journal::JOURNAL_FILE), text)?;
    row("load (SPEC L9: < 10 ms): read, fold the journal", || {
        black_box(book::read(&loaded).map(|events| fold(&events)).is_ok());
    });
    memory(events);
    Ok(())
}

/// What an active loop keeps in memory is its folded state: the difference that many of them make, shared among them.
fn memory(events: &[Event]) {
    let before = resident_kib();
    let states: Vec<State> = (0..STATES).map(|_| fold(events)).collect();
    let after = resident_kib();
    black_box(&states);
    let shown = before.zip(after).map(|(before, after)| {
        format!("{:.3} MB", after.saturating_sub(before) as f64 / 1e3 / STATES as f64)
    });
    let name = "memory of an active loop (SPEC L9: < 5 MB)";
    println!("  {name:<44} {:>12}   (of {STATES} alike)", shown.unwrap_or_else(|| "not measured".to_owned()));
}

/// Where the system tells it as Linux does.
fn resident_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn fold(events: &[Event]) -> State {
    let mut state = State::default();
    for event in events {
        state.apply(event);
    }
    state
}

fn appending(
    folder: &camino::Utf8Path,
    event: &Event,
    durability: Sync,
) -> Result<impl FnMut() + use<>, Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let (mut journal, _) = LocalJournal::open(folder, b"bench")?;
    let line = book::print(event)?;
    let mut next = 1;
    Ok(move || {
        black_box(journal.append(next, std::slice::from_ref(&line), durability).is_ok());
        next += 1;
    })
}

fn row(name: &str, mut measured: impl FnMut()) {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            measured();
            start.elapsed()
        })
        .collect();
    times.sort();
    let shown = |time: Duration| format!("{:.3} ms", time.as_secs_f64() * 1e3);
    let (median, least, most) = (times[ROUNDS / 2], times[0], times[ROUNDS - 1]);
    println!("  {name:<44} {:>12}   ({} to {})", shown(median), shown(least), shown(most));
}
