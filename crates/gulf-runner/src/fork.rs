//! Starts a loop again from an iteration of another one: the same goal and contract, in a worktree and on a branch of its own.
//!
//! Nothing is composed here: what was sealed then holds again, and only who works, what it may cost, and where it
//! goes on differ.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{Base, Policy};
use gulf_host::clock::local_second;
use gulf_host::files::{self, Durability, WriteError};
use gulf_host::git::{self, AddWorktree, BranchName, Holders, Repository, TreePath};
use gulf_host::process::ShimProgram;
use gulf_spec::own_texts::{OWN_TEXTS, Writer};

use crate::agreement::{Agreement, EnvironmentTerms, FolderOwner, RalphTerms, WorkerTerms};
use crate::branching::{BranchingError, worktrees_folder};
use crate::environment::Environment;
use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::place::PlaceOfWork;
use crate::plan::Plan;
use crate::readiness::{FreshCheckout, Readiness, make_ready};
use crate::resources::mark_prefix;
use crate::stop::Stop;
use crate::texts::TEXT_BYTES_MAX;

pub use crate::agreement::ForkedFrom;

/// A branch of the fork's own, and where it is checked out.
#[derive(Clone, Debug)]
pub struct ForkPlace {
    pub branch: BranchName,
    pub path: Utf8PathBuf,
    /// What a person should be told.
    pub notes: Vec<String>,
}

/// What was sealed, to be sealed again. Nothing of it lands: whoever forks looks at what comes of it. `base` is what
/// proofs compare with: where the work began, not where the fork does.
pub fn again(sealed: Agreement, from: ForkedFrom, base: Base) -> Plan {
    let terms = Agreement {
        base,
        forked_from: Some(from),
        policy: Policy { landing: None, ..sealed.policy },
        worker: WorkerTerms::Processes,
        landing: None,
        branching: None,
        ralph: sealed.ralph.map(|ralph| RalphTerms { ground: FolderOwner::Apart, ..ralph }),
        // Never two loops on one spec: the original is that one.
        spec: None,
        list: None,
        side_by_side: None,
        ..sealed
    };
    Plan { terms, notes: Vec::new() }
}

/// Where a fork is wanted.
#[derive(Debug)]
pub struct ForkRequest<'request> {
    pub place: &'request PlaceOfWork,
    /// As the original loop opens it.
    pub repository: &'request Repository,
    /// The folder of the original loop.
    pub folder: &'request LoopPaths,
    /// What the worktree is given besides its commit.
    pub terms: &'request EnvironmentTerms,
    pub commit: &'request git::CommitId,
    /// The folder for worktrees, where somebody named one: `[environment] worktrees`.
    pub worktrees: Option<&'request str>,
    /// Variables that hold a secret.
    pub secrets: Vec<&'request str>,
    pub at_ms: u64,
}

/// Makes the branch at the iteration's commit, and its worktree where worktrees are made, ready to be worked in; the
/// person's texts that no commit has are laid into it as they were sealed.
pub fn make_place(request: &ForkRequest<'_>) -> Result<ForkPlace, BranchingError> {
    let ForkRequest { place, repository, commit, .. } = *request;
    let stamp = stamp(request.at_ms);
    let main = repository.worktrees()?.into_iter().next();
    let main = main.map_or_else(|| place.project.clone(), |main| main.path);
    let name = main.file_name().unwrap_or("repository");
    let beside = worktrees_folder(&main, request.worktrees)?.join(format!("{name}-gulf-fork-{stamp}"));
    let wanted = BranchName::from_short_name(&format!("gulf/fork-{stamp}"))?;
    let (branch, path) = repository.free_names(&wanted, &beside)?;
    let submodules = repository.add_worktree(&AddWorktree { path: &path, branch: &branch, at: commit })?;
    let mut place = ForkPlace { branch, path, notes: Vec::new() };
    let filled = ready(request, &place.path, &stamp)
        .and_then(|readiness| lay_out_texts(request.folder, &place.path).map(|()| readiness));
    let readiness = filled.inspect_err(|_| take_back(request, &place))?;
    let absent = submodules.iter().map(|finding| {
        format!("the submodule {} is not in this repository, and was left empty", finding.path)
    });
    place.notes = absent.chain(readiness.notes).collect();
    Ok(place)
}

/// Takes a place back on which nothing was begun. Its commit is kept by the iteration as well; what cannot go is found by
/// `gulf clean`.
pub fn take_back(request: &ForkRequest<'_>, place: &ForkPlace) {
    let held_by = std::slice::from_ref(&place.branch);
    let tree = request.repository.tree_of(request.commit);
    for text in OWN_TEXTS.iter().filter(|text| matches!(text.writer, Writer::Person)) {
        let committed = tree.as_ref().ok().zip(TreePath::try_from(text.path).ok());
        let committed =
            committed.map(|(tree, path)| request.repository.read_file(tree, &path, TEXT_BYTES_MAX));
        // Laid out, and sealed in the original loop's folder.
        if matches!(committed, Some(Ok(None))) {
            let _ = fs::remove_file(place.path.join(text.path));
        }
    }
    let _ = request.repository.remove_worktree(&place.path, Holders::Branches(held_by));
    let _ = request.repository.delete_branch(&place.branch, request.commit, Holders::Anything);
}

fn ready(request: &ForkRequest<'_>, path: &Utf8Path, stamp: &str) -> Result<Readiness, RunError> {
    let logs = request.folder.root().join("forks");
    files::create_private_directories(&logs, Durability::Buffered)?;
    let shim = ShimProgram::this_program().map_err(|source| RunError::OwnProgram { source })?;
    Ok(make_ready(&FreshCheckout {
        repository: request.repository,
        checkout: path,
        terms: request.terms,
        home: request.place.home.root(),
        environment: &Environment::of_this_process().without(&request.secrets),
        shim: &shim,
        log: &logs.join(format!("{stamp}.log")),
        mark: format!("{}fork-{stamp}", mark_prefix(request.folder.root())),
        stop: &Stop::default(),
    })?)
}

fn lay_out_texts(sealed: &LoopPaths, project: &Utf8Path) -> Result<(), RunError> {
    for text in OWN_TEXTS.iter().filter(|text| matches!(text.writer, Writer::Person)) {
        let (from, to) = (sealed.sealed_texts().join(text.path), project.join(text.path));
        if !from.is_file() || to.symlink_metadata().is_ok() {
            continue;
        }
        let written = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::copy(&from, &to));
        written.map_err(|source| WriteError::Failed { path: to, action: "write", source })?;
    }
    Ok(())
}

/// `20260213-143000`
fn stamp(at_ms: u64) -> String {
    let digits: String = local_second(at_ms).chars().filter(char::is_ascii_digit).collect();
    let (day, time) = digits.split_at(digits.len().min(8));
    format!("{day}-{time}")
}
