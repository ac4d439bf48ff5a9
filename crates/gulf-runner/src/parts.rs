//! A turn whose work several workers do side by side: the steps of a plan that do not depend on each other (SPEC A1, A4).
//!
//! It stands apart because to the rules it is one turn: it begins once, ends once and costs what all its workers cost. What
//! becomes of a part is told, and nothing is decided on it: the gates look at what stands on the loop's branch. What has
//! become of one before a crash is read from git: its work is kept, and the branch holds it or does not.

mod account;
mod joining;
mod schedule;
mod site;
mod telling;

use gulf_engine::{Claim, EffectKey, Fact, Part as Told, Remainder, Turn, TurnOutcome};
use gulf_host::files::{self, Durability};
use gulf_host::git::{BranchName, FastForward, InTheWay};
use gulf_spec::parts::{self, Part};

use crate::agreement::{LandingPlace, engine_digest};
use crate::error::Failure;
use crate::texts::text;
use crate::workshop::{Errand, Workshop};
use schedule::{PartWorkers, PartsEnding};

impl Workshop {
    /// The first turn, where its plan can be divided; otherwise it is one worker's, and that is told with the reason.
    pub(crate) fn turn_in_parts(&self, errand: Errand<'_>) -> Result<Option<Turn>, Failure> {
        let Some(side_by_side) = self.agreement.side_by_side.filter(|_| errand.key.iteration == 1) else {
            return Ok(None);
        };
        let Some(branch) = self.own_branch()? else {
            let why = "steps side by side need a worktree of the loop's own".to_owned();
            self.reports.tell(Fact::Divided { parts: Vec::new(), why });
            return Ok(None);
        };
        self.end_move(&branch)?;
        let parts = match self.division(errand.key, &branch)? {
            Ok(parts) => parts,
            Err(why) => {
                self.reports.tell(Fact::Divided { parts: Vec::new(), why });
                return Ok(None);
            }
        };
        let told = parts.iter().map(|part| Told { id: part.id.clone(), title: part.title.clone() });
        self.reports.tell(Fact::Divided { parts: told.collect(), why: String::new() });
        self.clear_sites(errand, &parts, &branch)?;
        let party = PartWorkers::new(self, errand, parts, branch, side_by_side);
        self.turn_of_party(errand, party.run()?).map(Some)
    }

    /// Where it is checked out in a worktree of its own.
    fn own_branch(&self) -> Result<Option<BranchName>, Failure> {
        let terms = self.agreement.landing.as_ref();
        let terms = terms.filter(|terms| terms.place == LandingPlace::Worktree);
        Ok(terms.map(|terms| BranchName::parse(&terms.branch)).transpose()?)
    }

    /// The parts of the plan, or why they are one worker's.
    fn division(&self, key: &EffectKey, branch: &BranchName) -> Result<Result<Vec<Part>, String>, Failure> {
        let plan = self.folder.thoughts().join(format!("{}-plan.md", key.unit.0 + 1));
        let Some(plan) = text(&plan)? else {
            return Ok(Err("there is no plan".to_owned()));
        };
        if self.has_stand_in(key.unit)? {
            return Ok(Err(parts::UNPLANNED.to_owned()));
        }
        let parts = match parts::divide(&plan) {
            Ok(parts) => parts,
            Err(why) => return Ok(Err(why.to_string())),
        };
        let Some(head) = self.repository.read_branch(branch)? else {
            return Ok(Err(format!("the branch {} is gone", branch.short())));
        };
        let forward = FastForward { branch, from: Some(&head), to: &head };
        let reasons = self.repository.readiness(&forward)?;
        // What an earlier attempt left there uncommitted is only one worker's to go on with.
        Ok(if reasons.is_empty() { Ok(parts) } else { Err(InTheWay::all(&reasons)) })
    }

    /// What the workers left, as one turn of one worker.
    fn turn_of_party(&self, errand: Errand<'_>, ending: PartsEnding) -> Result<Turn, Failure> {
        let Errand { key, fold, .. } = errand;
        let message = ending.summary();
        files::replace(&self.folder.log(key, "message.txt"), message.as_bytes(), Durability::Buffered)?;
        self.keep_left_out(key, &ending)?;
        let outcome = ending.outcome();
        // What is not there whole is not worth a judge; the checks say how far it is.
        let is_whole = outcome == TurnOutcome::Completed && ending.left_out.is_empty();
        Ok(Turn {
            outcome,
            claim: is_whole.then_some(Claim::Done { no_test: None }),
            tool_calls: ending.tool_calls,
            brief: self.brief(fold, key)?,
            duration_ms: ending.duration_ms,
            message: Some(engine_digest(message.as_bytes())),
            session: None,
            denials: ending.denials,
            remainder: Remainder::Unnamed,
            blocks_left: None,
            // Each worker has a context of its own.
            orientation: None,
        })
    }
}

/// The log of what the worker of the n-th part said.
pub(crate) fn log_name(number: usize) -> String {
    format!("part-{number}.log")
}
