//! What effects cost: told by the agent, priced by the table, or assumed where nobody tells (SPEC B12).

use std::cell::Cell;

use camino::Utf8Path;
use gulf_agents::agents::{Cost, Span, Spent as Told, prices};
use gulf_engine::{Basis, Spent};
use gulf_host::{files, programs};

use crate::agreement::Agreement;

/// Year, month, day, file.
const ROLLOUT_DEPTH: usize = 4;
/// So many sessions are looked through.
const ROLLOUT_FILES_MAX: usize = 100_000;
const ROLLOUT_BYTES_MAX: u64 = 256 << 20;

/// What one effect has cost so far; whatever becomes of the effect, it was spent.
#[derive(Debug, Default)]
pub struct Purse {
    spent: Cell<Option<Spent>>,
}

impl Purse {
    /// Adds what one process cost.
    pub fn pay(&self, more: Spent) {
        let before = self.spent.get().unwrap_or_default();
        self.spent.set(Some(Spent {
            microdollars: before.microdollars.saturating_add(more.microdollars),
            tokens: before.tokens.saturating_add(more.tokens),
            basis: basis(before.basis, more.basis),
        }));
    }

    /// Everything that was paid, if anything was.
    pub fn spent(&self) -> Option<Spent> {
        self.spent.get()
    }
}

/// A sum is as certain as the least certain part of it.
fn basis(one: Basis, other: Basis) -> Basis {
    one.max(other)
}

/// What a process is taken to have cost that does not tell; nothing where no budget counts it.
pub(crate) fn assumed(agreement: &Agreement) -> Option<Spent> {
    let limits = &agreement.policy.limits;
    let assumed = &agreement.agent.assumed;
    let counts = limits.microdollars_max.is_some() || limits.tokens_max.is_some();
    counts.then_some(Spent {
        microdollars: assumed.microdollars,
        tokens: assumed.tokens,
        basis: Basis::Assumed,
    })
}

/// What an agent told of its spending, in the rules' words.
///
/// A sum over a whole session of which gulf did not see the beginning counts in full: unknown is never good news.
pub(crate) fn of(told: &Told, model: Option<&str>, is_first: bool) -> Spent {
    let tokens = told.usage.tokens();
    let spent = |microdollars, basis| Spent { microdollars, tokens, basis };
    let is_whole = told.span == Span::Turn || is_first;
    let known = match told.cost {
        Cost::Told { microdollars } => Some((microdollars, Basis::Told)),
        Cost::Unknown => model
            .and_then(|model| prices::cost(model, told.usage))
            .map(|microdollars| (microdollars, Basis::Priced)),
    };
    match known {
        Some((microdollars, basis)) if is_whole => spent(microdollars, basis),
        Some((microdollars, _)) => spent(microdollars, Basis::Assumed),
        None => spent(prices::dearest(told.usage), Basis::Assumed),
    }
}

/// The file that Codex keeps of a session, if it is to be found below its home.
pub(crate) fn rollout(home: &Utf8Path, session: &str) -> Option<Vec<u8>> {
    let ending = format!("-{session}.jsonl");
    let sessions = home.join("sessions");
    let mut found = programs::list(&sessions, ROLLOUT_DEPTH, ROLLOUT_FILES_MAX);
    found.retain(|path| path.ends_with(&ending));
    files::read_bytes(&sessions.join(found.last()?), ROLLOUT_BYTES_MAX).ok()
}
