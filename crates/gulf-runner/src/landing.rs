//! Finished work comes onto its base branch: through a queue that all loops of a repository share (SPEC G18, B10).
//!
//! Here several loops, and several processes, work on one thing. A loop joins and waits; one process at a time leads:
//! it merges, tests the merged commits and moves the base, and whoever comes after it goes on from the queue's
//! journal.

mod base;
mod clash;
mod effects;
mod ground;
mod late;
mod leader;
mod leader_lease;
mod place;
mod request;
mod together;
mod waiting;

use gulf_engine::{Act, Candidate, Clash, EffectKey, LandingWord};
use gulf_host::clock::Clock;
use gulf_queue::{EntryEnding, EntryId, Eviction};
use gulf_spec::text::listed;
use leader_lease::{LeaderContext, QueueWait};
use request::LandingRequest;
use waiting::Waiting;

use crate::agreement::{Agreement, LandingTerms, engine_digest};
use crate::book::Fold;
use crate::claims::RequestFile;
use crate::error::{Failure, Result, in_full};
use crate::resources::{AgentEffect, Resources};
use crate::stop::Stop;

pub use base::with_present_address;
pub(crate) use base::{BaseBranch, RemoteBase};
pub(crate) use clash::{clash_folder, landing_fixes, last_iteration, newest};
pub(crate) use late::leave_ground;
pub use late::{LateError, land_late};
pub(crate) use place::QueuePlace;
pub use request::LandingIntent;
pub(crate) use request::{TRAILER_CANDIDATE, TRAILER_LOOP, TRAILER_RECEIPT};
pub(crate) use together::together;
pub use waiting::{Seen, seen};
pub(crate) use waiting::{landed_before, withdraw};

/// So many paths or tests are named in one line.
const NAMED_MAX: usize = 3;

/// So often the machine may fail at one landing before a person is asked; less often than ends a loop.
const TRIES_MAX: u32 = 3;

/// What is said to a loop that one of the same group was faster than.
const ONE_IS_ENOUGH: &str = "another worker landed first, and one is enough (--select first)";

/// How work is brought onto its base branch.
#[derive(Clone, Copy)]
pub(crate) struct LandingEffect<'effect> {
    resources: &'effect Resources,
    key: &'effect EffectKey,
    fold: &'effect Fold,
    stop: &'effect Stop,
    candidate: &'effect Candidate,
    /// None: it lands because that was agreed on before.
    wish: Option<&'effect LandingIntent>,
}

impl<'effect> LandingEffect<'effect> {
    /// Of the candidate in hand.
    pub(crate) fn begin(effect: AgentEffect<'effect>) -> Result<Self> {
        let AgentEffect { resources, key, fold, stop, .. } = effect;
        let nothing = || Failure::Refused("no candidate is in hand".to_owned());
        let candidate = fold.state.candidate().ok_or_else(nothing)?;
        Ok(Self { resources, key, fold, stop, candidate, wish: None })
    }

    /// Waits until the candidate stands on its base branch, or cannot. What is verified is not given up because the
    /// machine could not land it: after a few tries a person looks, and goes on.
    pub(crate) fn land(&self) -> Result<LandingWord> {
        let is_last = self.key.attempt >= TRIES_MAX;
        match self.bring_home() {
            Err(failure @ (Failure::World(_) | Failure::Refused(_))) if is_last => {
                Ok(LandingWord::NotReady { why: in_full(&failure) })
            }
            word => word,
        }
    }

    /// Brings this work onto its base branch, or says why not.
    fn bring_home(&self) -> Result<LandingWord> {
        let terms = self.landing_terms()?;
        let base = BaseBranch::from_terms(terms)?;
        if let Some(why) = base.fetch_tip(&self.resources.repository)? {
            return Ok(LandingWord::NotReady { why });
        }
        let place = QueuePlace::for_loop(&self.resources.folder, terms);
        place.create()?;
        let id = entry_id(&self.resources.agreement, self.candidate);
        let queue = place.state()?;
        let own = queue.settled().iter().filter(|settled| settled.entry.id == id);
        let endings: Vec<EntryEnding> = own.map(|settled| settled.ending.clone()).collect();
        if let Some(word) = self.landed_already(endings.last(), &base)? {
            return self.pushed(word);
        }
        // How often it has waited before: the same until it has an ending, so that a crash joins as the same again.
        let order = LandingRequest::prepare(self, &place, endings.len())?;
        let seat = QueueWait::take(&place, LeaderContext::new(self.resources, terms))?;
        let ending = Waiting { place: &place, id }.until_it_ended(&order, &seat, self.stop)?;
        drop(seat);
        self.pushed(match ending {
            EntryEnding::Landed { from, to, .. } => LandingWord::Landed { commit: to, onto: from },
            EntryEnding::Evicted { why } => {
                self.keep_clash(&place, &order, &why)?;
                refused(&why)
            }
            EntryEnding::NotReady { reason: why } | EntryEnding::Failed { reason: why } => {
                LandingWord::NotReady { why }
            }
            EntryEnding::Left => return Err(Failure::Stopped),
            EntryEnding::Outrun { .. } => {
                // This one is over, as if whoever drives them all had said so already.
                let requests = self.resources.folder.requests();
                RequestFile::by_this_process(Act::Outrun).leave(&requests, Clock::new().wall_ms())?;
                LandingWord::NotReady { why: ONE_IS_ENOUGH.to_owned() }
            }
        })
    }

    fn pushed(&self, word: LandingWord) -> Result<LandingWord> {
        let LandingWord::Landed { commit, .. } = &word else { return Ok(word) };
        match self.push_landed(commit) {
            Ok(()) => Ok(word),
            // A person may change what stands in the way of it; nothing is taken back.
            Err(Failure::Refused(why)) => Ok(LandingWord::NotReady { why }),
            Err(failure) => Err(failure),
        }
    }

    pub(crate) fn landing_terms(&self) -> Result<&LandingTerms> {
        let nothing = || Failure::Refused("nothing was agreed on where the work lands".to_owned());
        self.resources.agreement.landing.as_ref().ok_or_else(nothing)
    }

    /// A crash may have come between the landing and its being written down. Where the base was taken back since, the
    /// work is to land again.
    fn landed_already(&self, last: Option<&EntryEnding>, base: &BaseBranch) -> Result<Option<LandingWord>> {
        let Some(EntryEnding::Landed { to, from, .. }) = last else { return Ok(None) };
        let Some(tip) = base.tip(&self.resources.repository)? else { return Ok(None) };
        let stands = self.resources.repository.descends(&tip, to)?;
        Ok(stands.then(|| LandingWord::Landed { commit: to.clone(), onto: from.clone() }))
    }
}

/// The place of this work in any queue.
fn entry_id(agreement: &Agreement, candidate: &Candidate) -> EntryId {
    EntryId { loop_id: agreement.loop_id.clone(), candidate: candidate.commit.clone() }
}

/// How the message of a merge begins that brings this branch.
pub(crate) fn merge_title(branch: &str) -> String {
    format!("merge(gulf-loop): {branch} → ")
}

fn refused(why: &Eviction) -> LandingWord {
    let (Eviction::Conflict { tip, .. } | Eviction::Red { tip, .. }) = why;
    let (by, summary, parts) = clash(why);
    let told = format!("{by:?}\0{tip}\0{}", parts.join("\0"));
    LandingWord::Refused { by, base: tip.clone(), summary, fingerprint: engine_digest(told.as_bytes()) }
}

/// What does not go together: in one word and in one line, and the paths, tests or checks that this is about.
fn clash(why: &Eviction) -> (Clash, String, Vec<String>) {
    match why {
        Eviction::Conflict { paths, .. } => (Clash::Conflict, first_of(paths), paths.clone()),
        Eviction::Red { evidence, .. } if !evidence.tests_lost.is_empty() => {
            (Clash::Tests, first_of(&evidence.tests_lost), evidence.tests_lost.clone())
        }
        Eviction::Red { evidence, .. } if evidence.is_untested() => {
            (Clash::Untested, evidence.summary.clone(), Vec::new())
        }
        Eviction::Red { evidence, .. } => {
            (Clash::Red, evidence.summary.clone(), evidence.checks.iter().map(ToString::to_string).collect())
        }
    }
}

/// The first ones by name, the others by their number.
fn first_of(names: &[String]) -> String {
    listed(names, NAMED_MAX)
}
