//! A loop's journal together with its fold: what is on disk, and what it means.
//!
//! One promise is kept here (DESIGN invariant 2): an event is appended first, then believed.

use std::collections::BTreeMap;

use camino::Utf8Path;
use gulf_engine::{
    EffectKey, EffectKind, EffectResult, Event, Fact, JudgeWord, Settlement, Stage, State, TreeId, UnitId,
};
use gulf_host::files;
use gulf_host::journal::{self, Durability, Journal, LocalJournal, Readable, Record, Torn};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::RunError;
use crate::{FORMAT_VERSION, records};

/// One line of a journal, a loop's or a queue's; of a loop's also one line of `--json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line<Event> {
    /// [`FORMAT_VERSION`] of the gulf that wrote it.
    pub v: u32,
    pub event: Event,
}

/// What every version of a line has.
#[derive(Deserialize)]
struct LineVersion {
    v: u32,
}

/// When facts happened.
#[derive(Clone, Copy, Debug)]
pub struct Stamp {
    pub at_ms: u64,
    pub active_ms: u64,
}

/// The journal of a loop that this process drives.
#[derive(Debug)]
pub struct Book {
    journal: LocalJournal,
    events: Vec<Event>,
    fold: Fold,
}

/// What the events so far amount to.
#[derive(Clone, Debug, Default)]
pub struct Fold {
    pub state: State,
    /// How the last settled iteration came out. An attempt that is made again settles nothing.
    pub last_settlement: Option<Settlement>,
    /// The iteration in which the judge rejected a tree: a claim made on it again has no verdict of its own.
    pub rejected_in: BTreeMap<TreeId, u32>,
    /// Every candidate of the unit in hand that judge or person said no to, the oldest first.
    pub rejected: Vec<RejectedCandidate>,
    /// What the last candidate does not hold of what lay there, each with the reason.
    pub left_out: Vec<String>,
    /// Was a different approach asked for since then?
    pub strategy_reset: bool,
    /// What each unit of work began with, when it first began.
    pub begun: BTreeMap<UnitId, TreeId>,
    /// Iteration and attempt of each unit's last turn that came to an end.
    pub last_turn: BTreeMap<UnitId, (u32, u32)>,
    /// Wall clock of the last event.
    pub last_at_ms: u64,
    /// When the contract was sealed.
    pub started_at_ms: u64,
    /// When it ended; what was written down after that moves no end.
    pub ended_at_ms: Option<u64>,
}

/// What follows the last event that can be read; a last line that was never finished was never believed.
pub type BookRest = journal::Rest<RunError>;

/// A candidate that was said no to, and what it was compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedCandidate {
    pub iteration: u32,
    pub base: TreeId,
    pub tree: TreeId,
}

impl Fold {
    /// Folds one event in.
    pub fn apply(&mut self, event: &Event) {
        self.state.apply(event);
        self.last_at_ms = event.at_ms;
        match &event.fact {
            Fact::Sealed { .. } => self.started_at_ms = event.at_ms,
            Fact::Finished { .. } => self.ended_at_ms = Some(event.at_ms),
            Fact::Settled { settlement } => self.settled(*settlement),
            Fact::Began { key } => self.began(key),
            Fact::Ended { key, result } => self.ended(key, result),
            Fact::StrategyReset => self.strategy_reset = true,
            Fact::UnitFinished { .. } | Fact::UnitSkipped { .. } => {
                self.last_settlement = None;
                self.rejected.clear();
            }
            Fact::Rejected { .. } => {
                let unit = &self.state.unit;
                let settled = unit.last.as_ref().map(|(_, candidate)| candidate);
                if let Some(looked_at) = self.state.candidate().or(settled) {
                    self.rejects(looked_at.tree.clone(), unit.iteration);
                }
            }
            Fact::Attached { .. } | Fact::Bound { .. } | Fact::Adopted { .. } | Fact::Reopened { .. } => {}
            Fact::Spent { .. } | Fact::Claimed { .. } | Fact::Answered { .. } | Fact::Approved { .. } => {}
            Fact::Amended { .. } | Fact::Steered { .. } | Fact::FeedbackTold { .. } => {}
            Fact::PauseAsked | Fact::CancelAsked | Fact::Outrun => {}
            Fact::Paused { .. } | Fact::Resumed | Fact::Woke => {}
            Fact::Divided { .. } | Fact::PartTold { .. } | Fact::Edited { .. } | Fact::Researched { .. } => {}
            Fact::Taken { .. } | Fact::Decided { .. } | Fact::Refused { .. } | Fact::TailDropped { .. } => {}
            Fact::LandingAsked { .. } | Fact::LandingTold { .. } | Fact::Discarded { .. } => {}
        }
    }

    /// What the worker was to be told stays to be told where its next attempt never heard it.
    fn settled(&mut self, settlement: Settlement) {
        if settlement.came_to_something() {
            self.last_settlement = Some(settlement);
            self.strategy_reset = false;
        }
    }

    fn began(&mut self, key: &EffectKey) {
        if let (EffectKind::Turn, Some(base)) = (&key.work, self.state.base()) {
            self.begun.entry(key.unit).or_insert_with(|| base.tree.clone());
        }
    }

    fn ended(&mut self, key: &EffectKey, result: &EffectResult) {
        if key.work == EffectKind::Turn {
            self.last_turn.insert(key.unit, (key.iteration, key.attempt));
        }
        if let EffectResult::Snapshot(snapshot) = result {
            self.left_out.clone_from(&snapshot.left_out);
        }
        if let EffectResult::Judge(JudgeWord::Rejected { .. }) = result
            && let Some(candidate) = self.state.candidate()
        {
            let tree = candidate.tree.clone();
            self.rejected_in.insert(tree.clone(), key.iteration);
            self.rejects(tree, key.iteration);
        }
    }

    fn rejects(&mut self, tree: TreeId, iteration: u32) {
        let Some(base) = self.state.base().map(|base| base.tree.clone()) else { return };
        if self.rejected.iter().all(|one| one.tree != tree) {
            self.rejected.push(RejectedCandidate { iteration, base, tree });
        }
    }
}

impl Book {
    /// Opens the journal in a loop's folder for writing: one process at a time.
    pub fn open(folder: &Utf8Path) -> Result<(Self, Option<Torn>), RunError> {
        let note = format!("process {}", std::process::id());
        let (journal, torn, records) = LocalJournal::open_and_read(folder, note.as_bytes())?;
        let events = parse(&records)?;
        Ok((Self { fold: fold(&events), journal, events }, torn))
    }

    /// What the journal amounts to, and all that stands in it; it stays this process's until the last part is dropped.
    pub fn into_parts(self) -> (Fold, Vec<Event>, LocalJournal) {
        (self.fold, self.events, self.journal)
    }

    /// What the journal amounts to.
    pub fn fold(&self) -> &Fold {
        &self.fold
    }

    /// The state of the loop.
    pub fn state(&self) -> &State {
        &self.fold.state
    }

    /// Appends facts while nobody drives the loop, so that its own time stands still.
    pub fn add(&mut self, facts: Vec<Fact>, at_ms: u64) -> Result<(), RunError> {
        let stamp = Stamp { at_ms, active_ms: self.state().active_ms };
        self.record(facts, stamp, Durability::Synced, |_, _| {})
    }

    /// Appends facts, then believes them; `told` hears each with the state after it.
    pub fn record(
        &mut self,
        facts: Vec<Fact>,
        stamp: Stamp,
        durability: Durability,
        mut told: impl FnMut(&Event, &State),
    ) -> Result<(), RunError> {
        let first = self.fold.state.sequence + 1;
        let Stamp { at_ms, active_ms } = stamp;
        let event = |(sequence, fact)| Event { sequence, at_ms, active_ms, fact };
        let events: Vec<Event> = (first..).zip(facts).map(event).collect();
        let lines = events.iter().map(print).collect::<Result<Vec<_>, _>>()?;
        self.journal.append(first, &lines, durability)?;
        for event in &events {
            self.fold.apply(event);
            told(event, &self.fold.state);
        }
        self.events.extend(events);
        Ok(())
    }
}

/// Reads a loop's events, whether or not somebody drives it.
pub fn read(folder: &Utf8Path) -> Result<Vec<Event>, RunError> {
    parse(&journal::read(folder)?)
}

/// So much of a journal holds its last events.
const END_BYTES_MAX: u64 = 16 << 10;

/// When a loop ended; none while it has not. The end is among the last events, and whoever asks it of a thousand loops
/// reads no more of each.
pub fn ended_at_ms(folder: &Utf8Path) -> Option<u64> {
    let (bytes, _) = files::read_end(&folder.join(journal::JOURNAL_FILE), END_BYTES_MAX).ok()?;
    for line in bytes.split(|byte| *byte == b'\n').rev().filter(|line| !line.is_empty()) {
        let Ok(Line { event, .. }) = serde_json::from_slice::<Line<Event>>(line) else { break };
        if matches!(event.fact, Fact::Finished { .. }) {
            return Some(event.at_ms);
        }
        // What may follow an end, and changes nothing about it.
        if !matches!(event.fact, Fact::Decided { .. } | Fact::Refused { .. } | Fact::Spent { .. }) {
            break;
        }
    }
    let fold = fold(&read(folder).ok()?);
    matches!(&fold.state.stage, Stage::Ended(_)).then_some(fold.ended_at_ms)?
}

/// Reads the events up to where the journal makes no sense any more, and says what stands there.
pub fn read_readable(folder: &Utf8Path) -> Result<(Vec<Event>, BookRest), RunError> {
    let Readable { records, rest } = journal::read_readable(folder)?;
    let mut events = Vec::new();
    for record in &records {
        match parse_record(record) {
            Ok(event) => events.push(event),
            Err(error) => return Ok((events, BookRest::Damaged(error))),
        }
    }
    let rest = match rest {
        journal::Rest::Nothing => BookRest::Nothing,
        journal::Rest::Unfinished { bytes } => BookRest::Unfinished { bytes },
        journal::Rest::Damaged(error) => BookRest::Damaged(error.into()),
    };
    Ok((events, rest))
}

/// Folds events from the beginning.
pub fn fold(events: &[Event]) -> Fold {
    let mut fold = Fold::default();
    events.iter().for_each(|event| fold.apply(event));
    fold
}

/// One line of the journal, without its end.
pub fn print(event: &impl Serialize) -> Result<Vec<u8>, RunError> {
    records::encode("an event", &Line { v: FORMAT_VERSION, event })
}

/// Their events, where all can be read.
pub(crate) fn parse<Event: DeserializeOwned>(records: &[Record]) -> Result<Vec<Event>, RunError> {
    records.iter().map(parse_record).collect()
}

fn parse_record<Event: DeserializeOwned>(record: &Record) -> Result<Event, RunError> {
    let sequence = record.sequence;
    let read: Result<Line<Event>, _> = serde_json::from_slice(&record.line);
    match read {
        Ok(line) if line.v <= FORMAT_VERSION => Ok(line.event),
        Ok(line) => Err(RunError::NewerJournal { sequence, version: line.v }),
        // A newer gulf may write what this one cannot read: then its version says so.
        Err(source) => Err(match serde_json::from_slice(&record.line) {
            Ok(LineVersion { v }) if v > FORMAT_VERSION => RunError::NewerJournal { sequence, version: v },
            Ok(_) | Err(_) => RunError::Event { sequence, source },
        }),
    }
}
