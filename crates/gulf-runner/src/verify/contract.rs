//! What `gulf verify` agrees with itself: one iteration, the project's own checks, and what it is compared with.

use std::num::NonZeroU32;

use gulf_engine::{
    Base, Baseline, FindingsPolicy, ForceMax, Gate, JudgeWhen, Limits, LoopId, Policy, Research, Reserve,
    RetryPolicy,
};
use gulf_host::git::Repository;
use gulf_spec::config::Key;

use super::{ComparisonBase, VerifyError, VerifyRequest};
use crate::agreement::{
    Agreement, EnvironmentTerms, RepositoryKind, SealedCheck, VerificationTerms, WorkerTerms, agreed_channels,
};
use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::place::Project;
use crate::snapshot::WorktreeState;
use crate::{held_out, plan, readiness, start};

/// The contract, and what a person should be told of it.
pub(super) fn compose(
    request: VerifyRequest<'_>,
    repository: &Repository,
    lying: &WorktreeState,
    folder: &LoopPaths,
) -> Result<(Agreement, Vec<String>), VerifyError> {
    let VerifyRequest { project, config, stated, against, .. } = request;
    let base = base(project, repository, &against, lying)?;
    let mut notes = stated.notes;
    let checks = checks(stated.checks, &against, &mut notes);
    let terms = plan::PolicyTerms {
        config,
        checks: &checks,
        judged: plan::Judged::ByNobody { criteria: stated.criteria.len() },
        agent: None,
        hitl_threshold: None,
        evidence: plan::CheckNeed::Required,
        worker: &WorkerTerms::Processes,
    };
    let policy = narrowed(plan::policy(&terms), &against);
    // Whatever cannot run is said as the one answer that is asked for: nothing rests.
    let mut checks =
        checks.into_iter().map(|check| SealedCheck { is_new: true, ..check }).collect::<Vec<_>>();
    held_out::seal(&mut checks, folder)?;
    let verification = plan::verification(&project.directory, config, stated.detected)?;
    let environment =
        readiness::sealed(&verification.environment, repository, folder).map_err(RunError::from)?;
    notes.extend(readiness::notes(&environment, &lying.dependency_folders));
    let environment =
        EnvironmentTerms { dependency_folders: lying.dependency_folders.clone(), ..environment };
    let agreement = Agreement {
        loop_id: LoopId::new("verify"),
        project: project.directory.clone(),
        repository: if project.layout.is_some() { RepositoryKind::Own } else { RepositoryKind::Shadow },
        checks,
        criteria: stated.criteria,
        completion_promise: config.text(Key::CompletionPromise).to_owned(),
        texts: start::seal_texts(&project.directory, folder)?,
        base,
        // Nobody is told anything; the checks do not see what is secret all the same.
        notify: agreed_channels(&config.notify, &[]).ok().flatten(),
        ..Agreement::draft(VerificationTerms { environment, ..verification }, policy)
    };
    Ok((agreement, notes))
}

/// Without a commit to compare with, the worktree itself: then nothing has changed, and no proof is looked for.
fn base(
    project: &Project,
    repository: &Repository,
    against: &ComparisonBase,
    lying: &WorktreeState,
) -> Result<Base, VerifyError> {
    let name = match against {
        ComparisonBase::Nothing => {
            return Ok(Base { commit: lying.commit.clone(), tree: lying.tree.clone() });
        }
        ComparisonBase::Commit(_) if project.layout.is_none() => return Err(VerifyError::NoCommits),
        ComparisonBase::Commit(name) => name,
    };
    let unknown = || VerifyError::UnknownBase { name: name.clone() };
    let commit = repository.find_commit(name).map_err(RunError::from)?.ok_or_else(unknown)?;
    Ok(Base { tree: repository.tree_of(&commit).map_err(RunError::from)?, commit })
}

/// Which failures are old, only a base can tell.
fn checks(stated: Vec<SealedCheck>, against: &ComparisonBase, notes: &mut Vec<String>) -> Vec<SealedCheck> {
    let forgiving = stated.iter().any(|check| check.baseline == Baseline::Accepted);
    if !forgiving || *against != ComparisonBase::Nothing {
        return stated;
    }
    notes.push("every failure counts: without `--base` nothing tells which were there before".to_owned());
    stated.into_iter().map(|check| SealedCheck { baseline: Baseline::Refused, ..check }).collect()
}

/// The project's policy as far as it speaks about gates; one iteration, and nothing is tried twice.
fn narrowed(policy: Policy, against: &ComparisonBase) -> Policy {
    Policy {
        limits: Limits {
            iterations_max: NonZeroU32::MIN,
            active_ms_max: None,
            microdollars_max: None,
            tokens_max: None,
            turns_per_hour: None,
            reserve: Reserve::Nothing,
        },
        landing: None,
        milestone_every: None,
        force_max: ForceMax::Off,
        research: Research::Off,
        gates: match against {
            ComparisonBase::Nothing => vec![Gate::Checks],
            ComparisonBase::Commit(_) => vec![Gate::Checks, Gate::Integrity],
        },
        judge: JudgeWhen::OnClaim,
        findings: FindingsPolicy::Attest,
        retries: RetryPolicy { failures_max: NonZeroU32::MIN, ..policy.retries },
        ..policy
    }
}
