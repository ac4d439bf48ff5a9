//! Tests a merged commit: the checks of all who are in it, in a checkout that holds this commit and nothing else.
//!
//! It stands apart because it is the place where the walls of the clean room will come (`room_for`), and because it
//! alone looks at what merging did to the tests of the base.

use std::collections::BTreeSet;
use std::sync::Arc;

use gulf_engine::{CheckName, Digest, EffectKey, UnitId};
use gulf_host::files::{self, Durability};
use gulf_host::git::{self, Repository};
use gulf_queue::{FailureEvidence, QueueResult, Tip};

use super::deeds::{Bench, QueueEffect};
use super::guest::Guest;
use crate::agreement::SealedCheck;
use crate::checks::RunPurpose;
use crate::error::Failure;
use crate::evidence::changed_tests_between;
use crate::records;
use crate::snapshot::loop_texts;
use crate::stop::Stop;
use crate::workshop::Workshop;

/// So many merges are in one trial at most.
const STEPS_MAX: usize = 1_000;

/// A merge of the trial: whose it is, the tree before, and the tree that came of it.
struct TrialMerge<'a> {
    guest: &'a Guest,
    before: git::TreeId,
    merged: git::TreeId,
}

impl Bench {
    pub(super) fn test(
        &self,
        wish: &QueueEffect<'_>,
        tip: &Tip,
        checks: &BTreeSet<Digest>,
        stop: &Stop,
    ) -> Result<QueueResult, Failure> {
        let commit = git::CommitId::parse(tip.commit.as_str())?;
        let merges = self.merges(wish, &commit)?;
        let tests_lost = self.tests_lost(&merges)?;
        if !tests_lost.is_empty() {
            let summary = super::first_of(&tests_lost);
            return Ok(QueueResult::Red(FailureEvidence {
                tests_lost,
                summary,
                ..FailureEvidence::default()
            }));
        }
        if let Some(summary) = self.untested(&merges)? {
            return Ok(QueueResult::Red(FailureEvidence { summary, ..FailureEvidence::default() }));
        }
        for digest in checks {
            let (guest, check) = owner(wish, digest)?;
            if let Some(evidence) = self.run(wish, guest, check, &commit, stop)? {
                let failed = BTreeSet::from([digest.clone()]);
                return Ok(QueueResult::Red(FailureEvidence { failed, ..evidence }));
            }
        }
        Ok(QueueResult::Green)
    }

    /// What one check says about the merged commit: nothing where it says yes.
    fn run(
        &self,
        wish: &QueueEffect<'_>,
        guest: &Guest,
        check: &SealedCheck,
        commit: &git::CommitId,
        stop: &Stop,
    ) -> Result<Option<FailureEvidence>, Failure> {
        let workshop = self.room_for(wish, guest, commit)?;
        let key = EffectKey {
            unit: UnitId(0),
            iteration: guest.ticket.0,
            attempt: wish.key.attempt,
            work: gulf_engine::Work::Land,
        };
        let ran = workshop.run_check(&key, check, RunPurpose::Candidate, commit, stop)?;
        let said = workshop.word_on(&ran, check, &guest.order.base)?;
        let path = self.place.record(commit.as_str(), check.name.as_str());
        files::create_private_directories(&self.place.trial(commit.as_str()), Durability::Buffered)?;
        records::write(&path, "a check's record", &ran.record, Durability::Buffered)?;
        if crate::checks::is_green(&said) {
            return Ok(None);
        }
        let exit = said.exit.map(|code| format!("exit code {code}"));
        let parts: Vec<String> =
            exit.into_iter().chain(Some(said.summary).filter(|text| !text.is_empty())).collect();
        let summary = format!("{}: {}", check.name, parts.join("; "));
        Ok(Some(FailureEvidence {
            checks: vec![check.name.clone()],
            summary,
            log: said.log,
            ..FailureEvidence::default()
        }))
    }

    /// A checkout of a merged commit, with what the loop's own checks have: here the clean room's walls will stand.
    fn room_for(
        &self,
        wish: &QueueEffect<'_>,
        guest: &Guest,
        commit: &git::CommitId,
    ) -> Result<Workshop, Failure> {
        let lane = self.place.lane(wish.lane.unwrap_or(1), commit.as_str());
        files::create_private_directories(&lane.rooms, Durability::Buffered)?;
        let folder = guest.folder.clone().with_lane(lane);
        let repository = Repository::open(self.repository.layout().clone(), &self.place.git())?;
        let mut workshop = Workshop::open(&self.lead.home, guest.agreement.clone(), folder, repository)?;
        workshop.environment = self.lead.environment.clone();
        workshop.shim = self.lead.shim.clone();
        Ok(workshop)
    }

    fn merges<'a>(
        &self,
        wish: &QueueEffect<'a>,
        tip: &git::CommitId,
    ) -> Result<Vec<TrialMerge<'a>>, Failure> {
        let Some(base) = wish.base else { return Ok(Vec::new()) };
        let base = git::CommitId::parse(base.commit.as_str())?;
        let mut merges = Vec::new();
        for step in self.repository.steps(Some(&base), tip, STEPS_MAX)? {
            let [before, candidate] = step.parents.as_slice() else { continue };
            let is_it = |guest: &&Arc<Guest>| guest.order.candidate.commit.as_str() == candidate.as_str();
            let Some(guest) = wish.guests.iter().find(is_it) else { continue };
            let before = self.repository.tree_of(before)?;
            merges.push(TrialMerge { guest: guest.as_ref(), before, merged: step.tree });
        }
        Ok(merges)
    }

    /// Why a merge in the trial can be tested by nothing, if so. What was verified without a check that runs elsewhere
    /// lands only as exactly what was verified.
    fn untested(&self, merges: &[TrialMerge<'_>]) -> Result<Option<String>, Failure> {
        for TrialMerge { guest, before, merged } in merges {
            if guest.order.checks.is_empty() && !self.is_as_verified(guest, before, merged)? {
                let names: Vec<String> = guest.unchecked().map(ToString::to_string).collect();
                let why = if names.is_empty() {
                    "the loop has no check".to_owned()
                } else {
                    format!("{} can only run in place", super::first_of(&names))
                };
                return Ok(Some(why));
            }
        }
        Ok(None)
    }

    /// Is what came of the merge what the loop's gates said yes about? Its own texts are nobody's work.
    fn is_as_verified(
        &self,
        guest: &Guest,
        before: &git::TreeId,
        merged: &git::TreeId,
    ) -> Result<bool, Failure> {
        let candidate = self.repository.tree_of(&guest.candidate()?)?;
        Ok(self.repository.with_paths_of(&candidate, &loop_texts()?, before)? == *merged)
    }

    /// Tests that merging changed or lost, though the candidate had not: of each merge in the trial.
    fn tests_lost(&self, merges: &[TrialMerge<'_>]) -> Result<Vec<String>, Failure> {
        let mut lost = Vec::new();
        for TrialMerge { guest, before, merged } in merges {
            let merged = changed_tests_between(&self.repository, before, merged)?;
            if merged.is_empty() {
                continue;
            }
            // Judged already, by the loop's own gates.
            let candidate = self.repository.tree_of(&guest.candidate()?)?;
            let known = changed_tests_between(&self.repository, &guest.base_tree()?, &candidate)?;
            let new = merged.into_iter().filter(|finding| !known.contains(finding));
            lost.extend(new.map(|finding| format!("{}: {}", finding.path, finding.what)));
        }
        lost.sort();
        lost.dedup();
        Ok(lost)
    }
}

/// Whose check it is; the same one may be several loops'.
fn owner<'a>(wish: &QueueEffect<'a>, digest: &Digest) -> Result<(&'a Guest, &'a SealedCheck), Failure> {
    for guest in wish.guests {
        if let Some(check) = guest.check(digest)
            && guest.is_as_it_joined()?
        {
            return Ok((guest, check));
        }
    }
    let name = wish.guests.iter().find_map(|guest| guest.order.checks.get(digest));
    let name = name.map_or_else(|| digest.to_string(), CheckName::to_string);
    Err(Failure::Refused(format!("the check {name} is not as it was when the work was verified")))
}
