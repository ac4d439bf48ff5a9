//! What a queue wants, done: merges without a worktree, trials in a fresh checkout, the move of the base.
//!
//! Here the queue's names become commits, and nothing is decided.

use std::collections::BTreeSet;
use std::sync::Arc;

use camino::Utf8PathBuf;
use gulf_engine::{CheckName, CommitId, Digest, EffectKey, EffectKind, TreeId, UnitId};
use gulf_host::clock::Clock;
use gulf_host::files::{self, Durability};
use gulf_host::git::{Layout, Repository};
use gulf_queue::{EntryLanding, FailureEvidence, Flake, QueueKey, QueueResult, QueueWork, Ticket, Tip};

use super::base::{BaseBranch, tip_of};
use super::leader_lease::LeaderContext;
use super::place::QueuePlace;
use super::request::{LandingRequest, QueuedLoop};
use super::together::together;
use crate::agreement::SealedCheck;
use crate::checks::{Checks, RunPurpose};
use crate::error::{Failure, Result, RunError, in_full};
use crate::evidence::changed_tests_between;
use crate::receipt::{self, FlakyChecks, LandedLoop, LandedWork, ReceiptStatement};
use crate::resources::Resources;
use crate::snapshot::{loop_texts, stamp};
use crate::stop::Stop;
use crate::{FORMAT_VERSION, records};

const RECEIPT_BYTES_MAX: u64 = 16 << 20;

/// Everything that a queue's effects are done with.
#[derive(Debug)]
pub(super) struct QueueEffectRunner {
    pub(super) place: QueuePlace,
    pub(super) lead: LeaderContext,
    pub(super) repository: Repository,
    base: BaseBranch,
}

/// One effect, by whom it is done, and what it may need to know.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueueEffect<'a> {
    pub(super) runner: &'a QueueEffectRunner,
    pub(super) key: &'a QueueKey,
    pub(super) stop: &'a Stop,
    pub(super) queued_loops: &'a [Arc<QueuedLoop>],
    /// Where the base was when it began.
    pub(super) base: Option<&'a Tip>,
    pub(super) lane: Option<usize>,
}

impl QueueEffectRunner {
    pub(super) fn open(place: &QueuePlace, lead: &LeaderContext) -> Result<Self, RunError> {
        let repository = Repository::open(lasting(&lead.layout, &place.git())?, &place.git())?;
        let repository = repository.under(lead.settings.as_deref());
        let base = BaseBranch::from_terms(&lead.terms)?;
        Ok(Self { place: place.clone(), lead: lead.clone(), repository, base })
    }

    /// Where the base is now.
    pub(super) fn tip(&self) -> Result<Tip, RunError> {
        let gone = || RunError::BaseGone { branch: self.base.name().to_owned() };
        Ok(tip_of(&self.repository, self.base.tip(&self.repository)?.ok_or_else(gone)?)?)
    }

    /// What became of an effect whose leader is gone.
    pub(super) fn recovered(&self, key: &QueueKey) -> QueueResult {
        match &key.work {
            QueueWork::Merge { .. } | QueueWork::Test { .. } => QueueResult::Interrupted,
            QueueWork::Move { from, to, .. } => {
                let failed = |failure| QueueResult::Failed { reason: in_full(&failure) };
                self.recover_move(from, to).unwrap_or_else(failed)
            }
        }
    }

    fn merge(&self, queued: &QueuedLoop, onto: &CommitId) -> Result<QueueResult> {
        let candidate = &queued.order.candidate.commit;
        let tree = match together(&self.repository, onto, candidate)? {
            Ok(tree) => tree,
            Err(paths) => return Ok(QueueResult::Conflict { paths }),
        };
        let message = queued.message(&self.repository)?;
        let when = stamp(queued.order.at_ms);
        let commit = self.repository.commit(&tree, &[onto, candidate], &message.text(), when)?;
        Ok(QueueResult::Merged(Tip { commit, tree }))
    }

    fn recover_move(&self, from: &CommitId, to: &Tip) -> Result<QueueResult> {
        Ok(self.noted(to, self.base.recover(&self.repository, [from, &to.commit])?))
    }

    /// The receipt stands beside a commit that the base was moved to as well. A note is for people: without it nothing is
    /// less true.
    fn noted(&self, to: &Tip, moved: QueueResult) -> QueueResult {
        if moved == QueueResult::Moved {
            gulf_host::crash::point("landing.moved");
            if let Ok(receipt) = files::read_bytes(&self.place.receipt(to.commit.as_str()), RECEIPT_BYTES_MAX)
            {
                let _ = self.repository.note(&to.commit, &receipt, stamp(Clock::new().wall_ms()));
            }
        }
        moved
    }

    /// For the receipt: without it nothing is less true.
    pub(super) fn keep_flake(&self, flake: &Flake) {
        let Flake { tip, evidence, .. } = flake;
        let flaky = FlakyChecks { checks: evidence.checks.clone(), summary: evidence.summary.clone() };
        let Ok(bytes) = serde_json::to_vec(&flaky) else { return };
        let _ = files::keep(&self.place.flake(tip.commit.as_str()), &bytes, Durability::Buffered);
    }
}

impl<'a> QueueEffect<'a> {
    /// Does what is wanted and says what came of it.
    pub(super) fn perform(&self) -> QueueResult {
        let done = match &self.key.work {
            QueueWork::Merge { ticket, onto } => {
                self.queued(*ticket).and_then(|queued| self.runner.merge(queued, onto))
            }
            QueueWork::Test { tip, checks, .. } => self.test(tip, checks),
            QueueWork::Move { from, to, landing } => self.move_base(from, to, landing),
        };
        match done {
            Ok(result) => result,
            Err(Failure::Stopped) => QueueResult::Interrupted,
            Err(_) if self.stop.is_asked() && self.key.work.is_repeatable() => QueueResult::Interrupted,
            Err(failure) => QueueResult::Failed { reason: in_full(&failure) },
        }
    }

    fn move_base(&self, from: &CommitId, to: &Tip, landing: &[EntryLanding]) -> Result<QueueResult> {
        let runner = self.runner;
        self.write_receipt(from, to, landing)?;
        gulf_host::crash::point("landing.move");
        match runner.base.advance(&runner.repository, [from, &to.commit]) {
            Ok(moved) => Ok(runner.noted(to, moved)),
            // Whether it moved, only the branch itself can tell.
            Err(error) => {
                let known = runner.recover_move(from, to)?;
                if known == QueueResult::Interrupted { Err(error.into()) } else { Ok(known) }
            }
        }
    }

    /// Before the base moves: what was tested is known, and a crash must not lose it.
    fn write_receipt(&self, from: &CommitId, to: &Tip, landing: &[EntryLanding]) -> Result<()> {
        let QueueEffectRunner { place, lead, .. } = self.runner;
        let mut landed = Vec::new();
        for EntryLanding { ticket, commit } in landing {
            let queued = self.queued(*ticket)?;
            let LandingRequest { candidate, receipt, .. } = &queued.order;
            landed.push(LandedLoop {
                commit: commit.clone(),
                receipt: receipt.clone(),
                said: receipt::kept(&queued.folder, candidate, receipt)?,
                unchecked_when_merged: queued.unchecked().cloned().collect(),
                flaky: records::find(&place.flake(commit.as_str())),
            });
        }
        let landed = LandedWork {
            version: FORMAT_VERSION,
            gulf_version: env!("CARGO_PKG_VERSION").to_owned(),
            base_branch: lead.terms.base.clone(),
            base_before: Some(from.clone()),
            environment: lead.environment.digest(),
            landed,
        };
        let bytes = ReceiptStatement::new(to.commit.as_str(), to.tree.as_str(), landed).encode()?;
        Ok(files::keep(&place.receipt(to.commit.as_str()), &bytes, Durability::Synced)?)
    }

    /// The entry with this number.
    fn queued(&self, ticket: Ticket) -> Result<&'a QueuedLoop> {
        let found = self.queued_loops.iter().find(|queued| queued.ticket == ticket);
        let missing = || Failure::Refused(format!("what number {} wants to land cannot be read", ticket.0));
        found.map(Arc::as_ref).ok_or_else(missing)
    }
}

/// The repository by its own directory: a loop's worktree may be gone tomorrow.
fn lasting(layout: &Layout, private: &camino::Utf8Path) -> Result<Layout, RunError> {
    let here = Repository::open(layout.clone(), private)?;
    let main = here.worktrees()?.into_iter().next().map(|main| main.path);
    let is_there = |path: &Utf8PathBuf| path.is_dir();
    let work_tree = main.filter(is_there).unwrap_or_else(|| layout.common_dir.clone());
    Ok(Layout { work_tree, git_dir: layout.common_dir.clone(), ..layout.clone() })
}

// Tests a merged commit: the checks of all who are in it, in a checkout that holds this commit and nothing else.

/// So many merges are in one trial at most.
const STEPS_MAX: usize = 1_000;

/// A merge of the trial: whose it is, the tree before, and the tree that came of it.
struct TrialMerge<'a> {
    queued: &'a QueuedLoop,
    before: TreeId,
    merged: TreeId,
}

impl<'a> QueueEffect<'a> {
    fn test(&self, tip: &Tip, checks: &BTreeSet<Digest>) -> Result<QueueResult> {
        let merges = self.merges(&tip.commit)?;
        let tests_lost = self.runner.tests_lost(&merges)?;
        if !tests_lost.is_empty() {
            let summary = super::first_of(&tests_lost);
            let evidence = FailureEvidence { tests_lost, summary, ..FailureEvidence::default() };
            return Ok(QueueResult::Red(evidence));
        }
        if let Some(summary) = self.runner.untested(&merges)? {
            return Ok(QueueResult::Red(FailureEvidence { summary, ..FailureEvidence::default() }));
        }
        for digest in checks {
            let (queued, check) = self.owner(digest)?;
            if let Some(evidence) = self.run(queued, check, &tip.commit)? {
                let failed = BTreeSet::from([digest.clone()]);
                return Ok(QueueResult::Red(FailureEvidence { failed, ..evidence }));
            }
        }
        Ok(QueueResult::Green)
    }

    /// What one check says about the merged commit: nothing where it says yes.
    fn run(
        &self,
        queued: &QueuedLoop,
        check: &SealedCheck,
        commit: &CommitId,
    ) -> Result<Option<FailureEvidence>> {
        let resources = self.room_for(queued, commit)?;
        let (iteration, attempt) = (queued.ticket.0, self.key.attempt);
        let key = EffectKey { unit: UnitId(0), iteration, attempt, work: EffectKind::Land };
        let checks = Checks { resources: &resources, key: &key, stop: self.stop };
        let ran = checks.run(check, RunPurpose::Candidate, commit)?;
        let said = checks.word_on(&ran, check, &queued.order.base)?;
        let path = self.runner.place.record(commit.as_str(), check.name.as_str());
        records::keep(&path, "a check's record", &ran.record, Durability::Buffered)?;
        if said.is_green() {
            return Ok(None);
        }
        let exit = said.exit.map(|code| format!("exit code {code}"));
        let parts: Vec<String> =
            exit.into_iter().chain(Some(said.summary).filter(|text| !text.is_empty())).collect();
        let summary = format!("{}: {}", check.name, parts.join("; "));
        let checks = vec![check.name.clone()];
        Ok(Some(FailureEvidence { checks, summary, log: said.log, ..FailureEvidence::default() }))
    }

    /// A checkout of a merged commit, with what the loop's own checks have: here the clean room's walls will stand.
    fn room_for(&self, queued: &QueuedLoop, commit: &CommitId) -> Result<Resources> {
        let QueueEffectRunner { place, lead, repository, .. } = self.runner;
        let lane = place.lane(self.lane.unwrap_or(1), commit.as_str());
        files::create_private_directories(&lane.rooms, Durability::Buffered)?;
        let folder = queued.folder.clone().with_lane(lane);
        let repository = Repository::open(repository.layout().clone(), &place.git())?;
        let repository = repository.under(lead.settings.as_deref());
        let mut resources = Resources::open(&lead.home, queued.agreement.clone(), folder, repository)?;
        resources.environment = lead.environment.clone();
        Ok(resources)
    }

    fn merges(&self, tip: &CommitId) -> Result<Vec<TrialMerge<'a>>> {
        let Some(base) = self.base else { return Ok(Vec::new()) };
        let (repository, mut merges) = (&self.runner.repository, Vec::new());
        for step in repository.steps(Some(&base.commit), tip, STEPS_MAX)? {
            let [before, candidate] = step.parents.as_slice() else { continue };
            let is_it = |queued: &&Arc<QueuedLoop>| queued.order.candidate.commit == *candidate;
            let Some(queued) = self.queued_loops.iter().find(is_it) else { continue };
            let before = repository.tree_of(before)?;
            merges.push(TrialMerge { queued: queued.as_ref(), before, merged: step.tree });
        }
        Ok(merges)
    }

    /// Whose check it is; the same one may be several loops'.
    fn owner(&self, digest: &Digest) -> Result<(&'a QueuedLoop, &'a SealedCheck)> {
        for queued in self.queued_loops {
            if let Some(check) = queued.check(digest)
                && queued.is_as_it_joined()?
            {
                return Ok((queued, check));
            }
        }
        let name = self.queued_loops.iter().find_map(|queued| queued.order.checks.get(digest));
        let name = name.map_or_else(|| digest.to_string(), CheckName::to_string);
        Err(Failure::Refused(format!("the check {name} is not as it was when the work was verified")))
    }
}

impl QueueEffectRunner {
    /// Why a merge in the trial can be tested by nothing, if so. What was verified without a check that runs elsewhere
    /// lands only as exactly what was verified.
    fn untested(&self, merges: &[TrialMerge<'_>]) -> Result<Option<String>> {
        for TrialMerge { queued, before, merged } in merges {
            if queued.order.checks.is_empty() && !self.is_as_verified(queued, before, merged)? {
                let names: Vec<String> = queued.unchecked().map(ToString::to_string).collect();
                let in_place = format!("{} can only run in place", super::first_of(&names));
                let is_unchecked = names.is_empty();
                return Ok(Some(if is_unchecked { "the loop has no check".to_owned() } else { in_place }));
            }
        }
        Ok(None)
    }

    /// Is what came of the merge what the loop's gates said yes about? Its own texts are nobody's work.
    fn is_as_verified(&self, queued: &QueuedLoop, before: &TreeId, merged: &TreeId) -> Result<bool> {
        let candidate = self.repository.tree_of(&queued.order.candidate.commit)?;
        Ok(self.repository.with_paths_of(&candidate, &loop_texts()?, before)? == *merged)
    }

    /// Tests that merging changed or lost, though the candidate had not: of each merge in the trial.
    fn tests_lost(&self, merges: &[TrialMerge<'_>]) -> Result<Vec<String>> {
        let mut lost = Vec::new();
        for TrialMerge { queued, before, merged } in merges {
            let merged = changed_tests_between(&self.repository, before, merged)?;
            if merged.is_empty() {
                continue;
            }
            // Judged already, by the loop's own gates.
            let candidate = self.repository.tree_of(&queued.order.candidate.commit)?;
            let known = changed_tests_between(&self.repository, &queued.order.base.tree, &candidate)?;
            let new = merged.into_iter().filter(|finding| !known.contains(finding));
            lost.extend(new.map(|finding| format!("{}: {}", finding.path, finding.what)));
        }
        lost.sort();
        lost.dedup();
        Ok(lost)
    }
}
