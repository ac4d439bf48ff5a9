//! What the live screen and the pages watch: the loops' journals, read again only where they have grown.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use camino::Utf8PathBuf;
use gulf_engine::{EffectKind, Event, State};
use gulf_host::clock::{Clock, local_moment};
use gulf_host::files;
use gulf_host::git::{Layout, ObjectFormat};
use gulf_host::home::Name;
use gulf_runner::agreement::Agreement;
use gulf_runner::error::RunError;
use gulf_runner::folder::LoopPaths;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::KnownLoop;
use gulf_runner::{book, notes};
use gulf_spec::handle::handles;
use gulf_views::{
    BoardLoop, BoardQuestion, BoardRow, BoardTexts, DriverPresence, History, Look, LoopAddress, LoopStatus,
    QuestionReport, Row, in_order, line, tame_text, under_way,
};

use crate::commands::report::of_loop;
use crate::commands::status;
use crate::drive::notify;
use crate::failure::Result;
use crate::language::{language, translated};
use crate::out::masked;
use crate::place::driver_of;
use crate::report::change::patch_from;
use crate::report::{ReportDepth, record};
use crate::verdicts;

/// More lines of a change than anyone reads on a screen; `gulf diff` has all.
const DIFF_LINES_MAX: usize = 5_000;

/// How much of what a check prints is shown while it runs.
const CHECK_BYTES_MAX: u64 = 64 << 10;

/// A longer prompt is shown by `gulf log --prompt` alone.
const PROMPT_BYTES_MAX: u64 = 1 << 20;

/// So many loops are watched for changes: those that are not over, and the newest.
const FOLDERS_MAX: usize = 64;

/// What became of the change of a loop that is over, its checkout tells and no journal: that is looked at so often.
const CHECKOUT_EVERY: Duration = Duration::from_secs(10);

/// So many loops are kept in full, for pages that are looked at again and again.
const OPENED_MAX: usize = 16;

/// By what it is noticed that a loop is not as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopMark {
    pub address: LoopAddress,
    /// Of the last event.
    pub sequence: u64,
    pub standing: LoopStatus,
    /// How long the log of the turn that runs is.
    pub turn_bytes: u64,
}

/// The loops, as they were last read.
pub struct Watched {
    place: PlaceOfWork,
    is_all: bool,
    loops: BTreeMap<Utf8PathBuf, Watching>,
    /// How many loops a look had no time for.
    pub unread: usize,
    /// Where git finds what loops of other repositories made, by the folder of each.
    elsewhere: BTreeMap<Utf8PathBuf, PlaceOfWork>,
    /// Those that were looked at last, the newest at the end.
    opened: Vec<OpenedLoop>,
}

struct Watching {
    place: PlaceOfWork,
    /// Of its journal, in bytes.
    length: u64,
    known: KnownLoop,
    /// Of a loop that is not over, like its events: what it is at is told of the last ones.
    agreement: Option<Agreement>,
    events: Vec<Event>,
    row: BoardRow,
}

/// A loop in full, and how long its journal and the log of its turn were then.
struct OpenedLoop {
    length: u64,
    turn_bytes: u64,
    read: Instant,
    shown: BoardLoop,
}

impl Watched {
    pub fn new(place: PlaceOfWork, is_all: bool) -> Watched {
        let (loops, elsewhere) = (BTreeMap::new(), BTreeMap::new());
        Watched { place, is_all, loops, unread: 0, elsewhere, opened: Vec::new() }
    }

    /// Reads what has changed.
    pub fn refresh(&mut self) -> Result<()> {
        self.look_for(Duration::MAX)
    }

    /// The same, but after so long no journal is read for the first time: the newest are read first, and the next look
    /// goes on.
    pub fn look_for(&mut self, at_most: Duration) -> Result<()> {
        let began = Instant::now();
        let mut present = BTreeMap::new();
        self.unread = 0;
        for place in self.places()? {
            let names = place.repository.loop_names()?;
            let mut all_handles = None;
            for (index, name) in names.iter().enumerate().rev() {
                if began.elapsed() >= at_most && !self.loops.contains_key(place.loop_home(name).root()) {
                    self.unread += 1;
                    continue;
                }
                let handle = || {
                    let names = || names.iter().map(Name::as_str).collect::<Vec<_>>();
                    all_handles.get_or_insert_with(|| handles(&names()))[index].clone()
                };
                if let Some(watching) = self.seen(&place, name, handle) {
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

    /// Is all of it over, and read? Then only a journal that grows, comes or goes is anything new.
    pub fn is_at_rest(&self) -> bool {
        self.unread == 0
            && !self.loops.is_empty()
            && self.loops.values().all(|one| !one.known.is_unfinished())
    }

    pub fn rows(&self) -> Vec<BoardRow> {
        in_order(self.loops.values().map(|one| one.row.clone()).collect())
    }

    /// What is not over, and then the newest.
    fn newest(&self) -> Vec<&Watching> {
        let mut newest: Vec<&Watching> = self.loops.values().collect();
        newest.sort_by_key(|one| (!one.known.is_unfinished(), std::cmp::Reverse(one.known.fold.last_at_ms)));
        newest
    }

    pub fn marks(&self) -> Vec<LoopMark> {
        let marks = self.loops.values().map(|one| LoopMark {
            address: one.row.address.clone(),
            sequence: one.known.fold.state.sequence,
            standing: one.row.standing.clone(),
            turn_bytes: one.live_log().map_or(0, |log| length_of(&log)),
        });
        marks.collect()
    }

    /// The folders in which something changes when a loop does or a new one begins.
    pub fn folders(&self) -> Vec<Utf8PathBuf> {
        let places = self.places().unwrap_or_default();
        let mut folders: Vec<Utf8PathBuf> = places.iter().map(|place| place.repository.loops()).collect();
        for one in self.newest().into_iter().take(FOLDERS_MAX) {
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
    pub fn project(&self, address: &LoopAddress) -> Option<Utf8PathBuf> {
        self.at(address).and_then(|one| Some(one.known.agreement().ok()?.project)).filter(|_| self.is_all)
    }

    /// As if a person stood where the loop works.
    pub fn in_its_project(&self, address: &LoopAddress, act: impl FnOnce() -> String) -> String {
        let before = std::env::current_dir();
        if let Some(project) = self.project(address)
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

    /// With its questions as the worker wrote them, for whoever sends their words back.
    pub fn written(&self, address: &LoopAddress) -> Option<BoardRow> {
        let Watching { known, row, .. } = self.at(address)?;
        let asked = QuestionReport::open(&known.fold.state).into_iter();
        let asked =
            asked.map(|QuestionReport { number, text, options, .. }| BoardQuestion { number, text, options });
        Some(BoardRow { questions: asked.collect(), ..row.clone() })
    }

    /// What this process drives, or waits for a person with.
    pub fn driven_by(&self, process: u32) -> Vec<LoopAddress> {
        let its = self.loops.values().filter(|one| notify::is_with(&one.known, process));
        its.map(|one| one.row.address.clone()).collect()
    }

    fn at(&self, address: &LoopAddress) -> Option<&Watching> {
        // Messages name the repository, too: they do not know which server a person opens.
        let full =
            |one: &Watching| LoopAddress::new(one.known.home.repository_key(), one.known.name.as_str());
        self.loops.values().find(|one| one.row.address == *address || full(one) == *address)
    }

    fn places(&self) -> Result<Vec<PlaceOfWork>> {
        if !self.is_all {
            return Ok(vec![self.place.clone()]);
        }
        let there = |repository| PlaceOfWork { repository, ..self.place.clone() };
        Ok(self.place.home.repositories()?.into_iter().map(there).collect())
    }

    /// A loop that cannot be read is left out, whatever it is that cannot: `gulf list` says why.
    fn seen(
        &mut self,
        place: &PlaceOfWork,
        name: &Name,
        handle: impl FnOnce() -> String,
    ) -> Option<Watching> {
        let home = place.loop_home(name);
        let length = std::fs::metadata(home.journal()).ok()?.len();
        let earlier = self.loops.remove(home.root()).filter(|earlier| earlier.length == length);
        let (known, agreement, events, trend, handle) = match earlier {
            Some(earlier) if !earlier.known.is_unfinished() => return Some(earlier),
            Some(Watching { known, agreement, events, row, .. }) => {
                (known, agreement, events, row.trend, row.handle)
            }
            None => {
                let (known, events) = read(name, home).ok()?;
                let (agreement, trend) = (known.agreement().ok(), status::trend(&known, &events));
                (known, agreement, events, trend, handle())
            }
        };
        // Who drives it, and how long it has been at something, no journal tells.
        let row = Row { trend, ..status::row(&known, agreement.as_ref(), handle).ok()? };
        let now_ms = Clock::new().wall_ms();
        let under_way = under_way(&events, &known.fold.state, now_ms, |at_ms| local_moment(at_ms, now_ms));
        let under_way = under_way.filter(|_| known.is_unfinished());
        let key = known.home.repository_key().filter(|_| self.is_all);
        let address = LoopAddress::new(key, known.name.as_str());
        let project = agreement.as_ref().and_then(|agreement| agreement.stated_in().file_name());
        let row = BoardRow::new(&row, address, project.filter(|_| self.is_all), under_way).map(shown);
        let agreement = agreement.filter(|_| known.is_unfinished());
        Some(Watching { place: place.clone(), length, known, agreement, events, row })
    }

    /// One loop in full; nothing where it is gone.
    pub fn in_full(&mut self, address: &LoopAddress) -> Result<Option<BoardLoop>> {
        let Some((place, known)) = self.known(address) else { return Ok(None) };
        let Some(Watching { length, row, .. }) = self.at(address) else { return Ok(None) };
        let (length, row) = (*length, row.clone());
        let address = &row.address.clone();
        let turn_bytes = length_of(&live_log_of(&known));
        let earlier = self.opened.iter().position(|one| one.shown.row.address == *address);
        let earlier = earlier.map(|place| self.opened.remove(place));
        // A driver that was killed leaves no word in the journal, and what to do now is another thing then.
        let earlier = earlier.filter(|one| one.length == length && one.shown.row.standing == row.standing);
        let is_over = row.standing.end().is_some();
        let earlier = earlier.filter(|one| !is_over || one.read.elapsed() < CHECKOUT_EVERY);
        let (shown, read) = match earlier {
            Some(OpenedLoop { turn_bytes: before, mut shown, read, .. }) => {
                if before != turn_bytes {
                    shown.texts.turn = live_lines(&known).iter().map(|line| self::shown(line)).collect();
                }
                (BoardLoop { row, ..shown }, read)
            }
            None => (in_full(&place, &known, row)?, Instant::now()),
        };
        self.opened.drain(..(self.opened.len() + 1).saturating_sub(OPENED_MAX));
        self.opened.push(OpenedLoop { length, turn_bytes, read, shown: shown.clone() });
        Ok(Some(shown))
    }

    /// A person did something to it, which its journal may not tell.
    pub fn forget(&mut self, address: &LoopAddress) {
        self.opened.retain(|one| one.shown.row.address != *address);
    }

    /// The loop's own files, and the place it belongs to.
    pub fn known(&mut self, address: &LoopAddress) -> Option<(PlaceOfWork, KnownLoop)> {
        let Watching { place, known, .. } = self.at(address)?;
        let (place, known) = (place.clone(), known.clone());
        Some((self.located(place, &known), known))
    }

    /// Git looks for what a loop made in the loop's own repository, wherever it is watched from.
    fn located(&mut self, place: PlaceOfWork, known: &KnownLoop) -> PlaceOfWork {
        if place.repository == self.place.repository {
            return self.place.clone();
        }
        let key = place.repository.root().to_owned();
        if let Some(found) = self.elsewhere.get(&key) {
            return found.clone();
        }
        let project = known.agreement().map(|agreement| agreement.stated_in().to_owned());
        let found = project.ok().and_then(|project| PlaceOfWork::find(&project, place.home.clone()).ok());
        if let Some(found) = found.filter(|found| found.repository == place.repository) {
            self.elsewhere.insert(key, found.clone());
            return found;
        }
        // Nothing is found there, and above all nothing of another repository's.
        let gone = place.repository.root().join("gone");
        let object_format = ObjectFormat::Sha1;
        let layout =
            Layout { work_tree: gone.clone(), git_dir: gone.clone(), common_dir: gone, object_format };
        PlaceOfWork { layout: Some(layout), ..place }
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
fn check_log_of(known: &KnownLoop) -> Option<(String, Utf8PathBuf)> {
    known.fold.state.running.iter().find_map(|key| {
        let (EffectKind::Check { name } | EffectKind::Probe { name }) = &key.work else { return None };
        let file = format!("check-{}.log", gulf_runner::folder::file_name(name.as_str()));
        let log = known.home.log(key, &file);
        log.is_file().then(|| (name.to_string(), log))
    })
}

fn live_log_of(known: &KnownLoop) -> Utf8PathBuf {
    check_log_of(known).map_or_else(|| turn_log_of(known), |(_, log)| log)
}

/// What the turn says as it happens; while a check runs, what that prints.
fn live_lines(known: &KnownLoop) -> Vec<String> {
    if let Some((name, log)) = check_log_of(known) {
        let printed = files::read_end(&log, CHECK_BYTES_MAX).map(|(bytes, _)| bytes).unwrap_or_default();
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let head = translated(format!("check {name} prints:"));
        return std::iter::once(head).chain(printed.lines().map(str::to_owned)).collect();
    }
    let tool = known.agreement().map(|agreement| agreement.agent.tool);
    tool.map(|tool| notes::lines(&tool, &turn_log_of(known))).unwrap_or_default()
}

/// What the worker was told last.
fn prompt(known: &KnownLoop) -> Vec<String> {
    let logs = known.home.iteration(known.fold.state.unit.iteration);
    let prompt = crate::excerpts::last_attempt(&logs, "prompt", "md");
    let text = prompt.and_then(|prompt| files::read_text(&prompt, PROMPT_BYTES_MAX).ok());
    text.map(|text| text.content.lines().map(str::to_owned).collect()).unwrap_or_default()
}

fn turn_log_of(known: &KnownLoop) -> Utf8PathBuf {
    let iteration = known.home.iteration(known.fold.state.unit.iteration);
    crate::excerpts::last_attempt(&iteration, "agent", "log").unwrap_or_else(|| iteration.join("agent.log"))
}

fn read(name: &Name, home: LoopPaths) -> Result<(KnownLoop, Vec<Event>), RunError> {
    let events = book::read(home.root())?;
    let known = KnownLoop { name: name.clone(), home, fold: book::fold(&events) };
    let kept = if known.is_unfinished() { events } else { Vec::new() };
    Ok((known, kept))
}

fn in_full(place: &PlaceOfWork, known: &KnownLoop, row: BoardRow) -> Result<BoardLoop> {
    let report = of_loop(place, known, ReportDepth::Strips)?;
    Ok(BoardLoop::new(row, &report, texts(place, known)?).map(shown))
}

fn texts(place: &PlaceOfWork, known: &KnownLoop) -> Result<BoardTexts> {
    let events = book::read(known.home.root())?;
    let history = History::fold(&events);
    let mut state = State::default();
    let mut journal = Vec::new();
    for event in &events {
        state.apply(event);
        journal.extend(line(event, &state, Look::piped().in_language(language())));
    }
    let verdict = record(&known.home, &history).as_ref().map(verdicts::describe).unwrap_or_default();
    let (turn, prompt, diff) = (live_lines(known), prompt(known), diff(place, known, &history));
    Ok(BoardTexts { turn, prompt, diff, verdict, journal }.map(shown))
}

/// Nothing where it cannot be told.
fn diff(place: &PlaceOfWork, known: &KnownLoop, history: &History) -> Vec<String> {
    let base = known.fold.state.base();
    let text = base.map(|base| patch_from(base, place, &known.home, history)).unwrap_or_default();
    let mut lines = text.lines();
    let mut shown: Vec<String> = lines.by_ref().take(DIFF_LINES_MAX).map(str::to_owned).collect();
    let more = lines.count();
    if more > 0 {
        let name = known.handle();
        let told = format!("… {more} more lines are not shown here: `gulf diff {name}` has them all");
        shown.push(translated(told));
    }
    shown
}

/// What a worker wrote moves no cursor, and what is secret is not shown.
fn shown(line: &str) -> String {
    let plain = anstream::adapter::strip_str(line).to_string();
    masked(&tame_text(&plain.replace('\t', "    "))).into_owned()
}
