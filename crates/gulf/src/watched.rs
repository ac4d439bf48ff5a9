//! What the live screen and the pages watch: the loops' journals, read again only where they have grown.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use gulf_engine::{Event, LoopId, State, Work};
use gulf_host::clock::{Clock, SystemClock, local_moment};
use gulf_host::files;
use gulf_host::git::{DiffForm, TreeId};
use gulf_host::home::Name;
use gulf_runner::book;
use gulf_runner::error::RunError;
use gulf_runner::folder::LoopPaths;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::Known;
use gulf_runner::turn_log;
use gulf_spec::handle::handle;
use gulf_views::{
    BoardLoop, BoardRow, BoardTexts, DriverPresence, History, Look, Standing, line, tame_text, under_way,
};

use crate::commands::report::of_loop;
use crate::commands::status;
use crate::drive::reach;
use crate::failure::Failure;
use crate::out::masked;
use crate::place::driver_of;
use crate::report::ReportDepth;
use crate::verdicts;

/// More lines of a change than anyone reads on a screen; `gulf diff` has all.
const DIFF_LINES_MAX: usize = 5_000;

/// How much of what a check prints is shown while it runs.
const CHECK_BYTES_MAX: u64 = 64 << 10;

/// A longer prompt is shown by `gulf log --prompt` alone.
const PROMPT_BYTES_MAX: u64 = 1 << 20;

/// So many loops are watched for changes: those that are not over, and the newest.
const FOLDERS_MAX: usize = 64;

/// By what it is noticed that a loop is not as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopMark {
    pub loop_id: LoopId,
    /// Of the last event.
    pub sequence: u64,
    pub standing: Standing,
    /// How long the log of the turn that runs is.
    pub turn_bytes: u64,
}

/// The loops, as they were last read.
pub struct Watched {
    place: PlaceOfWork,
    is_all: bool,
    loops: BTreeMap<Utf8PathBuf, Watching>,
    /// What is shown of the opened loop, and how long its journal and its turn's log were then.
    opened: Option<(LoopId, [u64; 2], BoardLoop)>,
}

struct Watching {
    place: PlaceOfWork,
    /// Of its journal, in bytes.
    length: u64,
    known: Known,
    /// Of a loop that is not over: what it is at is told of the last ones.
    events: Vec<Event>,
    row: BoardRow,
}

impl Watched {
    pub fn new(place: PlaceOfWork, is_all: bool) -> Watched {
        Watched { place, is_all, loops: BTreeMap::new(), opened: None }
    }

    /// Reads what has changed.
    pub fn look(&mut self) -> Result<(), Failure> {
        let mut present = BTreeMap::new();
        for place in self.places()? {
            let names = place.repository.loop_names().map_err(RunError::from)?;
            for name in &names {
                if let Some(watching) = self.seen(&place, name, &names)? {
                    present.insert(watching.known.home.root().to_owned(), watching);
                }
            }
        }
        self.loops = present;
        Ok(())
    }

    /// Has a journal grown, come or gone? That costs less than a look, which asks of each loop who drives it.
    pub fn has_grown(&self) -> bool {
        let length = |loop_home: &LoopPaths| std::fs::metadata(loop_home.journal()).ok().map(|one| one.len());
        let is_known = |loop_home: LoopPaths| {
            let length = length(&loop_home);
            length.is_none() || length == self.loops.get(loop_home.root()).map(|one| one.length)
        };
        let places = self.places().unwrap_or_default();
        let mut names = places.iter().map(|place| (place, place.repository.loop_names().unwrap_or_default()));
        let are_known = names.all(|(place, names)| names.iter().all(|name| is_known(place.loop_home(name))));
        !are_known || self.loops.values().any(|one| length(&one.known.home).is_none())
    }

    pub fn rows(&self) -> Vec<BoardRow> {
        self.ordered().iter().map(|one| one.row.clone()).collect()
    }

    /// What needs a person or runs stands above what is over; then the newest first.
    fn ordered(&self) -> Vec<&Watching> {
        let mut newest: Vec<&Watching> = self.loops.values().collect();
        newest.sort_by_key(|one| (!one.known.is_unfinished(), std::cmp::Reverse(one.known.updated_at_ms)));
        newest
    }

    pub fn marks(&self) -> Vec<LoopMark> {
        let marks = self.loops.values().map(|one| LoopMark {
            loop_id: one.row.loop_id.clone(),
            sequence: one.known.fold.state.sequence(),
            standing: one.row.standing.clone(),
            turn_bytes: one.live_log().map_or(0, |log| length_of(&log)),
        });
        marks.collect()
    }

    /// The folders in which something changes when a loop does or a new one begins.
    pub fn folders(&self) -> Vec<Utf8PathBuf> {
        let places = self.places().unwrap_or_default();
        let mut folders: Vec<Utf8PathBuf> = places.iter().map(|place| place.repository.loops()).collect();
        for one in self.ordered().into_iter().take(FOLDERS_MAX) {
            folders.push(one.known.home.root().to_owned());
            folders.extend(one.live_log().and_then(|log| Some(log.parent()?.to_owned())));
        }
        folders.retain(|folder| folder.is_dir());
        folders
    }

    /// Is nobody there any more who drove one of them?
    pub fn has_lost_driver(&self) -> bool {
        let mut running = self.loops.values().filter(|one| one.row.standing.is_running());
        running.any(|one| matches!(driver_of(&one.known), Ok(DriverPresence::Absent)))
    }

    /// Where a person would stand to act on the loop: commands mean loops by where they are typed.
    pub fn project(&self, loop_id: &LoopId) -> Option<Utf8PathBuf> {
        self.of_id(loop_id).and_then(|one| Some(one.known.agreement().ok()?.project)).filter(|_| self.is_all)
    }

    /// As if a person stood where the loop works.
    pub fn in_its_project(&self, loop_id: &LoopId, act: impl FnOnce() -> String) -> String {
        let before = std::env::current_dir();
        if let Some(project) = self.project(loop_id)
            && let Err(error) = std::env::set_current_dir(&project)
        {
            return format!("{project}, where it works, cannot be entered: {error}");
        }
        let told = act();
        if let Ok(before) = before {
            let _ = std::env::set_current_dir(before);
        }
        told
    }

    /// As the worker wrote it, for whoever sends its words back.
    pub fn written(&self, loop_id: &LoopId) -> Option<BoardRow> {
        let watching = self.of_id(loop_id)?;
        row(&watching.known, &watching.events, watching.row.handle.clone()).ok()
    }

    /// What this process drives, or waits for a person with.
    pub fn driven_by(&self, process: u32) -> Vec<LoopId> {
        let its = self.loops.values().filter(|one| reach::is_with(&one.known, process));
        its.map(|one| LoopId::new(one.known.name.as_str())).collect()
    }

    fn of_id(&self, loop_id: &LoopId) -> Option<&Watching> {
        self.loops.values().find(|one| one.known.name.as_str() == loop_id.as_str())
    }

    fn places(&self) -> Result<Vec<PlaceOfWork>, Failure> {
        if !self.is_all {
            return Ok(vec![self.place.clone()]);
        }
        let repositories = self.place.home.repositories().map_err(RunError::from)?;
        Ok(repositories
            .into_iter()
            .map(|repository| PlaceOfWork { repository, ..self.place.clone() })
            .collect())
    }

    /// A loop whose journal cannot be read is left out: `gulf list` says why.
    fn seen(&mut self, place: &PlaceOfWork, name: &Name, all: &[Name]) -> Result<Option<Watching>, Failure> {
        let home = place.loop_home(name);
        let Ok(length) = std::fs::metadata(home.journal()).map(|journal| journal.len()) else {
            return Ok(None);
        };
        let (known, events) = match self.loops.remove(home.root()) {
            Some(earlier) if earlier.length == length => {
                if !earlier.known.is_unfinished() {
                    return Ok(Some(earlier));
                }
                (earlier.known, earlier.events)
            }
            Some(_) | None => match read(name, home) {
                Ok(read) => read,
                Err(_) => return Ok(None),
            },
        };
        // Who drives it, and how long it has been at something, no journal tells.
        // Looked up for each loop, the names beside it are read a thousand times for a thousand loops.
        let handle = handle(name.as_str(), all.iter().map(Name::as_str));
        let row = row(&known, &events, handle)?.map(shown);
        Ok(Some(Watching { place: place.clone(), length, known, events, row }))
    }

    /// One loop in full; nothing where it is gone.
    pub fn in_full(&mut self, loop_id: &LoopId) -> Result<Option<BoardLoop>, Failure> {
        let Some(watching) = self.of_id(loop_id) else { return Ok(None) };
        let log = live_log_of(&watching.known);
        let lengths = [watching.length, length_of(&log)];
        if let Some((of, known, shown)) = &self.opened
            && of == loop_id
            && *known == lengths
            // A driver that was killed leaves no word in the journal, and what to do now is another thing then.
            && shown.row.standing == watching.row.standing
        {
            return Ok(Some(BoardLoop { row: watching.row.clone(), ..shown.clone() }));
        }
        let shown = in_full(watching)?;
        self.opened = Some((loop_id.clone(), lengths, shown.clone()));
        Ok(Some(shown))
    }

    /// The loop's own files, and the place it belongs to.
    pub fn known(&self, loop_id: &LoopId) -> Option<(PlaceOfWork, Known)> {
        self.of_id(loop_id).map(|one| (one.place.clone(), one.known.clone()))
    }
}

impl Watching {
    /// Of a loop that is over nothing grows.
    fn live_log(&self) -> Option<Utf8PathBuf> {
        self.known.is_unfinished().then(|| live_log_of(&self.known))
    }
}

/// Of what is not there it is 0.
fn length_of(file: &Utf8PathBuf) -> u64 {
    std::fs::metadata(file).map_or(0, |file| file.len())
}

/// The output of the check that runs now, with its name; what nobody may see of one is kept elsewhere.
fn check_log_of(known: &Known) -> Option<(String, Utf8PathBuf)> {
    known.fold.state.running().iter().find_map(|key| {
        let (Work::Check { name } | Work::Probe { name }) = &key.work else { return None };
        let file = format!("check-{}.log", gulf_runner::folder::file_name(name.as_str()));
        let log = known.home.log(key, &file);
        log.is_file().then(|| (name.to_string(), log))
    })
}

fn live_log_of(known: &Known) -> Utf8PathBuf {
    check_log_of(known).map_or_else(|| turn_log_of(known), |(_, log)| log)
}

/// What the turn says as it happens; while a check runs, what that prints.
fn live_lines(known: &Known) -> Vec<String> {
    if let Some((name, log)) = check_log_of(known) {
        let printed = files::read_end(&log, CHECK_BYTES_MAX).map(|(bytes, _)| bytes).unwrap_or_default();
        let printed = String::from_utf8_lossy(&printed).into_owned();
        return [format!("check {name} prints:")]
            .into_iter()
            .chain(printed.lines().map(str::to_owned))
            .collect();
    }
    let tool = known.agreement().map(|agreement| agreement.agent.tool);
    tool.map(|tool| turn_log::lines(&tool, &turn_log_of(known))).unwrap_or_default()
}

/// What the worker was told last.
fn prompt(known: &Known) -> Vec<String> {
    let logs = known.home.iteration(known.fold.state.unit().iteration);
    let prompt = crate::excerpts::last_attempt(&logs, "prompt", "md");
    let text = prompt.and_then(|prompt| files::read_text(&prompt, PROMPT_BYTES_MAX).ok());
    text.map(|text| text.content.lines().map(str::to_owned).collect()).unwrap_or_default()
}

fn turn_log_of(known: &Known) -> Utf8PathBuf {
    let iteration = known.home.iteration(known.fold.state.unit().iteration);
    crate::excerpts::last_attempt(&iteration, "agent", "log").unwrap_or_else(|| iteration.join("agent.log"))
}

fn read(name: &Name, home: LoopPaths) -> Result<(Known, Vec<Event>), RunError> {
    let events = book::read(home.root())?;
    let updated_at_ms = events.last().map_or(0, |event| event.at_ms);
    let known = Known { name: name.clone(), home, fold: book::fold(&events), updated_at_ms };
    let kept = if known.is_unfinished() { events } else { Vec::new() };
    Ok((known, kept))
}

fn row(known: &Known, events: &[Event], handle: String) -> Result<BoardRow, Failure> {
    let row = status::row(known, handle)?;
    let now_ms = SystemClock::new().wall_ms();
    let under_way = under_way(events, &known.fold.state, now_ms, |at_ms| local_moment(at_ms, now_ms));
    Ok(BoardRow::new(&row, under_way.filter(|_| known.is_unfinished())))
}

fn in_full(watching: &Watching) -> Result<BoardLoop, Failure> {
    let Watching { place, known, row, .. } = watching;
    let report = of_loop(place, known, ReportDepth::Words)?;
    Ok(BoardLoop::new(row.clone(), &report, texts(place, known)?).map(shown))
}

fn texts(place: &PlaceOfWork, known: &Known) -> Result<BoardTexts, Failure> {
    let events = book::read(known.home.root())?;
    let history = History::of(&events);
    let mut state = State::default();
    let mut journal = Vec::new();
    for event in &events {
        state.apply(event);
        journal.extend(line(event, &state, Look::piped()));
    }
    let judged = history.iterations().iter().rev();
    let verdict = judged.map(|iteration| gulf_runner::judge::last_record(&known.home, iteration.number));
    let verdict = verdict.flatten().next().map(|record| verdicts::told(&record)).unwrap_or_default();
    Ok(BoardTexts {
        turn: live_lines(known),
        prompt: prompt(known),
        diff: diff(place, known, &history),
        verdict,
        journal,
    }
    .map(shown))
}

/// Nothing where it cannot be told.
fn diff(place: &PlaceOfWork, known: &Known, history: &History) -> Vec<String> {
    let text = || {
        let to = history.last_evaluated()?.candidate()?;
        let from = TreeId::parse(known.fold.state.base()?.tree.as_str()).ok()?;
        let to = TreeId::parse(to.tree.as_str()).ok()?;
        place.open(&known.home.git()).ok()?.diff_text(&from, &to, DiffForm::Patch).ok()
    };
    let text = text().unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines();
    let mut shown: Vec<String> = lines.by_ref().take(DIFF_LINES_MAX).map(str::to_owned).collect();
    let more = lines.count();
    if more > 0 {
        let name = known.handle();
        shown.push(format!("… {more} more lines are not shown here: `gulf diff {name}` has them all"));
    }
    shown
}

/// What a worker wrote moves no cursor, and what is secret is not shown.
fn shown(line: &str) -> String {
    let plain = anstream::adapter::strip_str(line).to_string();
    masked(&tame_text(&plain.replace('\t', "    "))).into_owned()
}
