//! What says nothing about the work: failures, waits that a provider asks for, refusals of a model; and how long each is
//! waited for before the next try.
//!
//! They are counted in rows of their own, and what ends a row is one rule.

use crate::end::Party;
use crate::event::Worker;
use crate::state::{Failures, StateFields};
use crate::turn::Denial;
use alloc::{borrow::ToOwned, string::String};
use core::mem;

/// The wait between failures doubles so many times at most.
const BACKOFF_DOUBLINGS_MAX: u32 = 6;
/// Where a provider names no time, the first wait is so many of those between failures: a minute, where they are seconds.
const UNNAMED_WAIT_FACTOR: u64 = 60;
const HOUR_MS: u64 = 3_600_000;
/// And it doubles so many times at most: to half an hour.
const UNNAMED_DOUBLINGS_MAX: u32 = 5;

impl StateFields {
    /// Who cannot work without a person, and why.
    pub fn needs_person(&self) -> Option<(Party, &str)> {
        self.failures.needs_person.first_key_value().map(|(party, why)| (*party, why.as_str()))
    }

    /// A provider asked for a wait, and nothing came of the work since.
    pub fn is_limited(&self) -> bool {
        self.failures.limited > 0
    }

    /// The words with which the model declined last, since anything came of its work.
    pub fn declined(&self) -> Option<&str> {
        (self.failures.declined > 0).then_some(self.failures.declined_why.as_str())
    }

    /// A wait that was asked for is no failure; it is as long as was asked, and never nothing. Where no time was named it
    /// grows with each one in a row.
    pub(crate) fn wait_for_provider(&mut self, party: Party, wait_ms: u64) {
        let doublings = self.failures.limited.min(UNNAMED_DOUBLINGS_MAX);
        let unnamed_ms = self.backoff_ms().saturating_mul(UNNAMED_WAIT_FACTOR << doublings);
        let wait_ms = if wait_ms == 0 { unnamed_ms } else { wait_ms };
        self.not_before(self.failures.limited, wait_ms.max(1));
        self.failures.limited += 1;
        self.failures.last = Some((party, String::from("its provider asks to wait")));
    }

    /// Until when no further turn begins, since as many as may have begun within the hour before.
    pub fn paced_until_ms(&self) -> Option<u64> {
        let earlier = self.turns_begun_ms.len().checked_sub(self.turns_per_hour()?)?;
        let until_ms = self.turns_begun_ms.get(earlier)?.saturating_add(HOUR_MS);
        (self.active_ms < until_ms).then_some(until_ms)
    }

    /// Only the latest count: as many as may begin within an hour.
    pub(crate) fn turn_begun(&mut self) {
        let Some(most) = self.turns_per_hour() else { return };
        self.turns_begun_ms.push(self.active_ms);
        let over = self.turns_begun_ms.len().saturating_sub(most);
        self.turns_begun_ms.drain(..over);
    }

    fn turns_per_hour(&self) -> Option<usize> {
        let most = self.contract.as_ref()?.policy.limits.turns_per_hour?;
        (self.worker == Worker::Processes).then(|| usize::try_from(most.get()).unwrap_or(usize::MAX))
    }

    /// What the agent was not allowed to do is counted by its kind.
    pub(crate) fn deny(&mut self, denials: &[Denial]) {
        for Denial { what, times } in denials {
            let count = self.denials.entry(what.clone()).or_default();
            *count = count.saturating_add(*times);
        }
    }

    pub(crate) fn decline(&mut self, why: &str) {
        self.failures.declined += 1;
        why.clone_into(&mut self.failures.declined_why);
    }

    pub(crate) fn fail(&mut self, party: Party, reason: &str) {
        let count = match party {
            Party::Agent => &mut self.failures.agent,
            Party::Host => &mut self.failures.host,
            Party::Judge => &mut self.failures.judge_unreachable,
        };
        let before = *count;
        *count += 1;
        self.not_before(before, 0);
        self.failures.last = Some((party, String::from(reason)));
    }

    /// One wait never shortens another.
    fn not_before(&mut self, failures_before: u32, wait_ms: u64) {
        let doublings = failures_before.min(BACKOFF_DOUBLINGS_MAX);
        let least_ms = self.backoff_ms().saturating_mul(1 << doublings);
        let until_ms = self.active_ms.saturating_add(wait_ms.max(least_ms));
        self.failures.not_before_ms = self.failures.not_before_ms.max(until_ms);
    }

    fn backoff_ms(&self) -> u64 {
        self.contract.as_ref().map_or(0, |contract| contract.policy.retries.backoff_ms)
    }

    /// Whoever failed is asked anew. What the model declined stays, until something comes of its work or a person looks.
    pub(crate) fn forgive_all_but_declined(&mut self) {
        let Failures { declined, declined_why, .. } = mem::take(&mut self.failures);
        self.failures = Failures { declined, declined_why, ..Failures::default() };
    }

    /// A verdict: what failed before it is over. What somebody asked beside it waits for, it waits for still.
    pub(crate) fn forgive_judge(&mut self) {
        let Failures { needs_person, limited, not_before_ms, last, .. } = self.failures.clone();
        self.forgive_all_but_declined();
        let is_alone = self.contract.as_ref().is_none_or(|contract| contract.policy.reviewers.is_empty());
        if !is_alone {
            self.failures.needs_person = needs_person;
            if self.active_ms < not_before_ms {
                self.failures = Failures { limited, not_before_ms, last, ..mem::take(&mut self.failures) };
            }
        }
    }

    /// A turn came to something: the outage is over, and its notes were read. What a provider asked for stays.
    pub(crate) fn turn_counted(&mut self) {
        let Failures { limited, not_before_ms, last, .. } = mem::take(&mut self.failures);
        if limited > 0 {
            self.failures = Failures { limited, not_before_ms, last, ..Failures::default() };
        }
        self.notes.drain(..self.notes_told);
        self.notes_told = 0;
    }
}
