//! Measurements of `cargo xtask bench` within one process: save, load and transition of a loop, and its memory (SPEC L9).
//!
//! Arguments are journals that gulf wrote. For each there are lines of `name<TAB>nanoseconds …`, one number per round, and
//! of `name<TAB>bytes N`; what is compared with what is the caller's business.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use allocation_counter::measure;
use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{Event, State, decide};
use gulf_host::files::{self, Durability};
use gulf_host::journal::{JOURNAL_FILE, Journal, LocalJournal};
use gulf_runner::book::{self, Book, Line};
use gulf_views::{Facts, History, state_json};

/// How often each thing is measured.
const ROUNDS: usize = 21;

fn main() -> Result<(), Box<dyn Error>> {
    let journals: Vec<Utf8PathBuf> = std::env::args().skip(1).map(Utf8PathBuf::from).collect();
    for journal in &journals {
        rows(journal)?;
    }
    if journals.is_empty() { Err("usage: engine_rows JOURNAL…".into()) } else { Ok(()) }
}

fn rows(journal: &Utf8Path) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(journal)?;
    let events: Vec<Event> = text
        .lines()
        .map(|line| serde_json::from_str::<Line<Event>>(line).map(|line| line.event))
        .collect::<Result<_, _>>()?;
    let (last, before) = events.split_last().ok_or("the journal is empty")?;
    let folder = tempfile::tempdir()?;
    let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).map_err(|_| "a path in UTF-8")?;
    let (history, state) = (History::fold(&events), fold(&events));
    // Nobody's loop, as far as the state file wants to know it.
    let named = || "bench".to_owned();
    let facts = Facts { spec_id: named(), goal: named(), title: named(), is_alone: true, ..Facts::default() };

    timed("save: print the state, replace its file", || (), |()| save(&path, &facts, &history, &state));
    let appended = path.join("appended");
    std::fs::create_dir_all(&appended)?;
    let (mut journal, ..) = LocalJournal::open_and_read(&appended, b"bench")?;
    let line = [book::print(last)?];
    let mut sequences = 1..;
    timed(
        "save: append one event, not synced",
        || sequences.next().unwrap_or_default(),
        |next| journal.append(next, &line, Durability::Buffered).is_ok(),
    );
    let loaded = path.join("loaded");
    std::fs::create_dir_all(&loaded)?;
    std::fs::write(loaded.join(JOURNAL_FILE), &text)?;
    timed("load: read the journal, fold it", || (), |()| book::read(&loaded).map(|events| fold(&events)));
    let one_before = (fold(before), History::fold(before));
    timed(
        "transition: fold one event in, decide",
        || one_before.clone(),
        |(mut state, mut history)| {
            state.apply(last);
            history.apply(last);
            black_box(decide(&state));
            (state, history)
        },
    );
    memory(&loaded)?;
    println!("the state file\tbytes {}", format!("{:#}", state_json(&facts, &history, &state)).len());
    Ok(())
}

/// As gulf writes the state file after every event.
fn save(folder: &Utf8Path, facts: &Facts, history: &History, state: &State) -> bool {
    let mut document = state_json(facts, history, state).to_string().into_bytes();
    document.push(b'\n');
    files::replace(&folder.join("state.json"), &document, Durability::Buffered).is_ok()
}

/// What a driver keeps of its loop while it waits: the journal's events, their fold, and the history that screens are made
/// of. Counted by the allocator, so that neither the program's own pages nor another loop's are in it.
fn memory(folder: &Utf8Path) -> Result<(), Box<dyn Error>> {
    let mut kept = None;
    let counted = measure(|| {
        kept = Some(Book::open(folder).map(|(book, _)| {
            let history = book::read(folder).map(|events| History::fold(&events));
            (book, history)
        }));
    });
    kept.ok_or("nothing was measured")??.1?;
    println!("an active loop in memory\tbytes {}", counted.bytes_current);
    Ok(())
}

fn fold(events: &[Event]) -> State {
    let mut state = State::default();
    for event in events {
        state.apply(event);
    }
    state
}

/// What is made ready before each round, and what is dropped after it, is not measured.
fn timed<Ready, Done>(name: &str, mut ready: impl FnMut() -> Ready, mut measured: impl FnMut(Ready) -> Done) {
    let mut round = || {
        let ready = ready();
        let started = Instant::now();
        let done = black_box(measured(ready));
        let elapsed = started.elapsed();
        drop(done);
        elapsed.as_nanos().to_string()
    };
    let times: Vec<String> = (0..ROUNDS).map(|_| round()).collect();
    println!("{name}\t{}", times.join(" "));
}
