//! Where the worker of a part works: a branch and a worktree beside the loop's own, made for it and gone with it.
//!
//! What a worker leaves must not go with its worktree: it is kept under a reference of gulf's first. A worktree that
//! an earlier attempt left is looked at in the same way before anything begins.

use std::fs;

use camino::Utf8PathBuf;
use gulf_host::crash;
use gulf_host::git::{
    AddWorktree, BranchName, CommitId, Elsewhere, Expected, Holders, RecoveredWorktree, RefName, Repository,
};
use gulf_spec::parts::Part;

use crate::error::{Failure, Result};
use crate::readiness::{self, FreshCheckout};
use crate::resources::{AgentEffect, Resources};
use crate::snapshot::{loop_texts, stamp, take_snapshot};
use crate::texts::bring_texts;

/// A part's worktree, and all that its worker is called with.
pub(super) struct PartSite {
    pub(super) resources: Resources,
    /// Which part it is.
    pub(super) at_work: usize,
    branch: BranchName,
    /// The commit that it began with.
    pub(super) at: CommitId,
}

impl PartSite {
    /// Gives the worktree what every fresh checkout gets.
    pub(super) fn make_ready(&self, whole: &Resources, effect: AgentEffect<'_>) -> Result<()> {
        bring_texts(whole.project(), self.resources.project())?;
        let name = format!("part-{}-setup", self.at_work + 1);
        readiness::make_ready(&FreshCheckout {
            repository: &whole.repository,
            checkout: self.resources.project(),
            terms: &whole.agreement.verification.environment,
            home: &whole.home,
            environment: &whole.environment,
            shim: &whole.shim,
            log: &whole.folder.log(effect.key, &format!("{name}.log")),
            mark: whole.mark(effect.key, &name),
            stop: effect.stop,
        })?;
        crash::point("parts.ready");
        Ok(())
    }
}

impl AgentEffect<'_> {
    /// A worktree at what stands on the loop's branch now.
    pub(super) fn make_site(&self, at: usize, own: &BranchName) -> Result<PartSite> {
        let head = self.resources.repository.read_branch(own)?;
        let head = head.ok_or_else(|| Failure::Refused(format!("the branch {} is gone", own.short())))?;
        let (path, branch) = self.names(own, at, self.key.attempt)?;
        let failed = |error| Failure::Refused(format!("cannot make the folder {path}: {error}"));
        fs::create_dir_all(&path).map_err(failed)?;
        self.resources.repository.add_worktree(&AddWorktree { path: &path, branch: &branch, at: &head })?;
        crash::point("parts.site");
        self.site(path, branch, head, at)
    }

    /// What is called there is called as the loop's own worker is, but for the folder and what git knows of it.
    fn site(&self, path: Utf8PathBuf, branch: BranchName, at: CommitId, number: usize) -> Result<PartSite> {
        let Some(layout) = Repository::discover(&path)? else {
            return Err(Failure::Refused(format!("{path} is no worktree any more")));
        };
        let private = self.resources.folder.root().join("parts").join(format!("{}.git", number + 1));
        let settings = self.resources.repository.sealed_settings();
        let repository = Repository::open(layout, &private)?.under(settings);
        let mut agreement = self.resources.agreement.clone();
        agreement.project = path;
        let mut resources =
            Resources::open(&self.resources.home, agreement, self.resources.folder.clone(), repository)?;
        resources.environment = self.resources.environment.clone();
        resources.activity = self.resources.activity.clone();
        Ok(PartSite { resources, at_work: number, branch, at })
    }

    /// Ends or takes back what an earlier attempt that was killed left of its worktrees: what lies in them is kept.
    pub(super) fn clear_sites(&self, parts: &[Part], own: &BranchName) -> Result<()> {
        let all = self.resources.repository.branches_like(&[&format!("{}-part-*", own.short())])?;
        for attempt in 1..self.key.attempt {
            for (at, part) in parts.iter().enumerate() {
                let (path, branch) = self.names(own, at, attempt)?;
                let known = all.iter().find(|(name, _)| *name == branch);
                // Its last step is to delete the branch; before its first there is at most an empty folder.
                let Some((_, head)) = known else {
                    let _ = fs::remove_dir(&path);
                    continue;
                };
                let wanted = AddWorktree { path: &path, branch: &branch, at: head };
                match self.resources.repository.recover_worktree(&wanted)? {
                    RecoveredWorktree::Undone if !path.is_dir() => {
                        self.resources.repository.delete_branch(&branch, head, Holders::Anything)?;
                        continue;
                    }
                    RecoveredWorktree::Undone => continue,
                    RecoveredWorktree::WasWhole | RecoveredWorktree::Finished => {}
                }
                let site = self.site(path, branch, head.clone(), at)?;
                let message = format!("{}: {}, interrupted\n", part.id, part.title);
                self.keep_part(&site, &message, false)?;
                self.remove_site(&site)?;
            }
        }
        Ok(())
    }

    /// What the worker left, as a commit that nobody collects; where it came to its end, that is what is joined.
    pub(super) fn keep_part(&self, site: &PartSite, message: &str, is_done: bool) -> Result<CommitId> {
        let (fold, there) = (self.fold, &site.resources);
        let base = self.resources.base(fold);
        let index = self.resources.folder.root().join("parts").join(format!("{}.index", site.at_work + 1));
        let taken = take_snapshot(&there.repository, &there.agreement, base, &index)?;
        let head = there.repository.head_with_tree(None)?;
        // What is reported of it is reported of the candidate, which holds it.
        let within = AgentEffect { resources: there, ..*self };
        let parent = within.parent_without_secrets(head.as_ref(), base, &mut Vec::new())?;
        let commit = if parent.tree == taken.tree {
            parent.commit
        } else {
            there.repository.commit(&taken.tree, &[&parent.commit], message, stamp(fold.started_at_ms))?
        };
        let name = if is_done { self.done(site.at_work)? } else { self.unfinished(site.at_work)? };
        self.resources.repository.update_ref(&name, &commit, &Expected::Anything)?;
        crash::point("parts.kept");
        Ok(commit)
    }

    /// The worktree and its branch: what lay there is kept. What git holds on to stays, and so does a commit that nothing
    /// else holds.
    pub(super) fn remove_site(&self, site: &PartSite) -> Result<Option<String>> {
        let there = site.resources.project();
        let ignored = self.resources.repository.ignored_at_start()?;
        let (copied, mut files) = ([loop_texts()?, ignored].concat(), Vec::new());
        for name in [self.done(site.at_work)?, self.unfinished(site.at_work)?] {
            if let Some(commit) = self.resources.repository.read_ref(&name)? {
                files.push(self.resources.repository.tree_of(&commit)?);
            }
        }
        let held = Elsewhere { commits: Holders::Anything, files: &files, copied: &copied };
        if let Some(kept) = self.resources.repository.remove_worktree(there, held)? {
            return Ok(Some(format!("{there} stays: {}", kept.description())));
        }
        crash::point("parts.removed");
        if let Some(at) = self.resources.repository.read_branch(&site.branch)? {
            self.resources.repository.delete_branch(&site.branch, &at, Holders::Anything)?;
        }
        Ok(None)
    }

    /// The n-th part's worktree and branch; another attempt has others.
    fn names(&self, own: &BranchName, at: usize, attempt: u32) -> Result<(Utf8PathBuf, BranchName)> {
        let again = if attempt > 1 { format!("-attempt-{attempt}") } else { String::new() };
        let suffix = format!("-part-{}{again}", at + 1);
        let branch = BranchName::from_short_name(&format!("{}{suffix}", own.short()))?;
        Ok((Utf8PathBuf::from(format!("{}{suffix}", self.resources.project())), branch))
    }

    /// Whoever brought the part to its end, this is what came of it.
    pub(super) fn done(&self, at: usize) -> Result<RefName> {
        let loop_id = self.resources.agreement.loop_id.as_str();
        Ok(RefName::parse(&format!("refs/gulf/{loop_id}/{}-part-{}", self.key.iteration, at + 1))?)
    }

    /// What lay there when an attempt was cut off: the last of them.
    fn unfinished(&self, at: usize) -> Result<RefName> {
        Ok(RefName::parse(&format!("{}-unfinished-{}", self.done(at)?.as_str(), self.key.attempt))?)
    }
}
