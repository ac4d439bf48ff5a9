//! A loop's decisions, made once more: what the rules of this gulf want after each event of its journal, beside what was
//! decided then.
//!
//! The journal's own words about decisions are not believed: so a change of the rules is noticed. Within one version of the
//! rules a difference is a bug; across versions it is news.

mod screen;

use crate::json::document;
use crate::loop_status::pause_meaning;
use crate::wording;
use gulf_engine::{
    Decision, ENGINE_VERSION, EffectKey, EffectKind, End, Event, Fact, LoopId, Settlement, State, Word,
    decide,
};
use serde::Serialize;
use serde_json::{Value, json};

pub use screen::replay;

/// What came of deciding everything once more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Replay {
    pub decisions: Vec<Redecided>,
    /// How many events were folded.
    pub events: u64,
    /// Where it ends before the journal does.
    #[serde(rename = "stopped")]
    pub stop: Option<ReplayStop>,
}

/// One decision, then and now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Redecided {
    /// Of the event that tells of it.
    pub sequence: u64,
    pub active_ms: u64,
    /// The iteration that it is about; 0 before the first.
    pub iteration: u32,
    pub journalled: String,
    /// What the rules of this gulf want there.
    pub computed: String,
    /// What it rests on, in the words of the gates.
    pub grounds: Vec<String>,
    pub agrees: bool,
    /// Of the rules that decided then.
    pub engine_version: u32,
}

/// Why a replay ends before its journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReplayStop {
    /// The last event that was folded.
    pub after: u64,
    pub why: String,
    pub damage: Damage,
}

/// Is it more than the last line of a journal that was cut?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Damage {
    /// It was never believed, so nothing is missing.
    UnfinishedLine,
    /// What follows cannot be read, or is not what a driver writes.
    Corrupt,
}

impl Replay {
    /// Decides after each event; `stop` is where the journal could be read no further.
    pub fn from_events(events: &[Event], stop: Option<ReplayStop>) -> Replay {
        let mut replayer = Replayer::new(events);
        for event in events {
            replayer.take(event);
            if let Some(anomaly) = replayer.state.anomaly() {
                let why = format!("event {} is out of place: {}", anomaly.sequence, anomaly.what);
                let after = event.sequence.saturating_sub(1);
                replayer.replay.stop = Some(ReplayStop { after, why, damage: Damage::Corrupt });
                return replayer.replay;
            }
            replayer.replay.events += 1;
        }
        replayer.replay.stop = stop;
        replayer.replay
    }

    /// The decisions that come out otherwise.
    pub fn differences(&self) -> impl Iterator<Item = &Redecided> {
        self.decisions.iter().filter(|one| !one.agrees)
    }

    /// Does anything differ that these very rules had decided?
    pub fn is_bug(&self) -> bool {
        self.differences().any(|one| one.engine_version == ENGINE_VERSION)
    }

    /// 1 where these rules contradict themselves, or the journal is damaged; a report across versions is no failure.
    pub fn exit_code(&self) -> u8 {
        let is_corrupt = self.stop.as_ref().is_some_and(|stop| stop.damage == Damage::Corrupt);
        u8::from(self.is_bug() || is_corrupt)
    }
}

struct Replayer {
    state: State,
    /// What was wanted before the batch of facts in hand, and its word for people.
    wanted: Decision,
    told: Option<(Word, String)>,
    /// The stamp of the last fact, where it was one that a driver writes together with the next.
    batch: Option<(u64, u64)>,
    /// Whether that batch began with a word about the decision.
    is_told: bool,
    version: u32,
    replay: Replay,
}

impl Replayer {
    fn new(events: &[Event]) -> Replayer {
        Replayer {
            state: State::default(),
            wanted: Decision::Rest,
            told: None,
            batch: None,
            is_told: false,
            // What stands before the first word about a decision was decided by the same rules.
            version: events.iter().find_map(|event| version(&event.fact)).unwrap_or(ENGINE_VERSION),
            replay: Replay::default(),
        }
    }

    fn take(&mut self, event: &Event) {
        let stamp = (event.at_ms, event.active_ms);
        if self.batch != Some(stamp) {
            self.wanted = decide(&self.state);
            self.told = self.wanted.explanation(&self.state);
            self.is_told = false;
        }
        self.compare(event);
        let goes_on = matches!(event.fact, Fact::Decided { .. } | Fact::Began { .. });
        self.batch = goes_on.then_some(stamp);
        self.state.apply(event);
    }

    /// Only what the rules decide is compared; what a person, a session or the world does is taken as it is.
    fn compare(&mut self, event: &Event) {
        match &event.fact {
            Fact::Decided { word, reason, engine_version } => {
                self.version = *engine_version;
                self.is_told = true;
                let agrees = self.told.as_ref() == Some(&(*word, reason.clone()));
                self.note(event, describe_decision(*word, reason), agrees);
            }
            Fact::Settled { settlement } => {
                let agrees = self.wanted == Decision::Settle(*settlement);
                self.note(event, settled(*settlement), agrees);
            }
            Fact::Began { key } => {
                // A session that went on without having been told had a turn as well.
                let is_decided = self.is_told || key.work != EffectKind::Turn;
                let agrees = matches!(&self.wanted, Decision::Run { effects, .. } if effects.contains(key));
                if is_decided && !agrees {
                    self.note(event, format!("run {}", effect_name(key)), false);
                }
            }
            Fact::Paused { reason } if self.is_told => self.confirm(event, &Decision::Pause(*reason)),
            Fact::StrategyReset => self.confirm(event, &Decision::ResetStrategy),
            Fact::UnitFinished { end } => self.confirm(event, &Decision::FinishUnit(end.clone())),
            Fact::UnitSkipped { why, .. } if *why != End::Cancelled => {
                self.confirm(event, &Decision::SkipUnit(why.clone()));
            }
            Fact::Finished { end } => self.confirm(event, &Decision::End(end.clone())),
            // As a state file says that a person wrote.
            Fact::UnitSkipped { .. } | Fact::Paused { .. } | Fact::Adopted { .. } => {}
            Fact::Sealed { .. } | Fact::Attached { .. } | Fact::Bound { .. } | Fact::Reopened { .. } => {}
            Fact::Ended { .. } | Fact::Spent { .. } | Fact::Claimed { .. } | Fact::Answered { .. } => {}
            Fact::Approved { .. } | Fact::Rejected { .. } | Fact::Amended { .. } | Fact::Steered { .. } => {}
            Fact::FeedbackTold { .. } | Fact::PauseAsked | Fact::CancelAsked | Fact::Outrun => {}
            Fact::Resumed | Fact::Woke | Fact::Divided { .. } | Fact::PartTold { .. } => {}
            Fact::Edited { .. } | Fact::Researched { .. } | Fact::Taken { .. } | Fact::Refused { .. } => {}
            Fact::LandingAsked { .. } | Fact::LandingTold { .. } | Fact::Discarded { .. } => {}
            Fact::TailDropped { .. } => {}
        }
    }

    /// What followed from a decision is what was decided: it has a line of its own only where it is not.
    fn confirm(&mut self, event: &Event, done: &Decision) {
        if self.wanted != *done || !self.is_told {
            let agrees = self.wanted == *done;
            self.note(event, described(done), agrees);
        }
    }

    fn note(&mut self, event: &Event, journalled: String, agrees: bool) {
        let computed = match &self.told {
            _ if agrees => journalled.clone(),
            Some((word, reason)) => describe_decision(*word, reason),
            None => described(&self.wanted),
        };
        self.replay.decisions.push(Redecided {
            sequence: event.sequence,
            active_ms: event.active_ms,
            iteration: about(&self.wanted).unwrap_or(self.state.unit.iteration),
            journalled,
            computed,
            grounds: screen::grounds(&self.wanted, &self.state),
            agrees,
            engine_version: self.version,
        });
    }
}

fn version(fact: &Fact) -> Option<u32> {
    let Fact::Decided { engine_version, .. } = fact else { return None };
    Some(*engine_version)
}

/// The iteration that a turn would begin.
fn about(decision: &Decision) -> Option<u32> {
    let Decision::Run { effects, .. } = decision else { return None };
    effects.iter().find(|key| key.work == EffectKind::Turn).map(|key| key.iteration)
}

fn describe_decision(word: Word, reason: &str) -> String {
    let word = match word {
        Word::Continue => "continue",
        Word::Complete => "complete",
        Word::Pause => "pause",
        Word::ResetStrategy => "reset strategy",
        Word::NextTask => "next task",
        Word::Abort => "abort",
    };
    format!("{word}: {reason}")
}

fn settled(settlement: Settlement) -> String {
    format!("settle: {}", wording::settled(settlement))
}

/// A decision that has no word for people.
fn described(decision: &Decision) -> String {
    match decision {
        Decision::Run { effects, .. } if effects.is_empty() => "wait, and run nothing".to_owned(),
        Decision::Run { effects, .. } => {
            format!("run {}", effects.iter().map(effect_name).collect::<Vec<_>>().join(" and "))
        }
        Decision::Recover(key) => format!("look what became of {}", effect_name(key)),
        Decision::Settle(settlement) => settled(*settlement),
        Decision::Pause(reason) => format!("pause: {}", pause_meaning(*reason)),
        Decision::ResetStrategy => "reset strategy".to_owned(),
        Decision::FinishUnit(end) => format!("next task: {}", end.word()),
        Decision::SkipUnit(end) => format!("next task, this one given up: {}", end.word()),
        Decision::End(end) => format!("end: {}", end.word()),
        Decision::Rest => "rest".to_owned(),
    }
}

fn effect_name(key: &EffectKey) -> String {
    let work = match &key.work {
        EffectKind::Step { step } => format!("the step {}", step.word()),
        EffectKind::Snapshot => "the snapshot".to_owned(),
        EffectKind::Probe { .. } => return wording::work(&key.work),
        EffectKind::Integrity => "the comparison with the base".to_owned(),
        EffectKind::Review { by } => format!("the {} review", by.word()),
        EffectKind::Turn | EffectKind::FollowUp | EffectKind::Check { .. } | EffectKind::Overlay => {
            wording::work(&key.work)
        }
        EffectKind::Judge | EffectKind::Land | EffectKind::Close => wording::work(&key.work),
    };
    format!("{work} of iteration {}, attempt {}", key.iteration, key.attempt)
}

/// The replay as one document.
pub fn replay_json(loop_id: &LoopId, replay: &Replay) -> Value {
    let computed = json!({
        "loop": loop_id,
        "engine_version": ENGINE_VERSION,
        "differences": replay.differences().count(),
        "exit_code": replay.exit_code(),
    });
    document(replay, computed)
}
