//! What lies in a loop's worktree: whether it can go without anything being lost, and what is kept of it.
//!
//! A worker may never commit: then its work lies in its files, and is held by the candidate that landed and by
//! nothing else.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{Act, EffectResult, Event, Fact, Stage, Worker};
use gulf_host::clock::Clock;
use gulf_host::files::{self, Durability};
use gulf_host::git::{
    BranchName, CommitId, Elsewhere, Expected, Holders, InTheWay, RefName, Repository, Return, Returned,
    TreeId, TreePath,
};
use gulf_host::leftovers::{Leftovers, PROGRAMS_ARE_SEEN, programs_in};
use gulf_spec::own_texts::{OWN_TEXTS, Writer, own_text};

use super::branches::{is_here, open};
use crate::agreement::{Agreement, ForkedFrom, LandingPlace};
use crate::book;
use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::keeping::{KeepingError, Result, TakeOut, alone, in_the_way, planned, revert, reverted};
use crate::known::{KnownLoop, why_kept};
use crate::landing::seen;
use crate::place::PlaceOfWork;
use crate::room::CheckCheckout;
use crate::snapshot::{left_out, loop_texts, stamp, take_snapshot, texts_of};

/// More than any loop's texts; a larger one keeps the worktree.
const TEXT_BYTES_MAX: u64 = 64 << 20;
/// So many files of texts are kept.
const TEXTS_MAX: usize = 1_000;

/// A loop's worktree, as its contract and its journal tell of it.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) agreement: Agreement,
    folder: LoopPaths,
    /// Empty where its work does not stand on the base branch; else the merge, and the candidate that is in it.
    pub(super) landed: Vec<CommitId>,
    /// May a session be open there that nobody can see? Whoever cleans up by hand knows.
    pub(super) may_have_session: bool,
}

impl Ground {
    /// None where the contract cannot be read.
    pub(super) fn open(root: &Utf8Path) -> Option<Self> {
        let events = book::read(root).ok()?;
        let fold = book::fold(&events);
        let folder = LoopPaths::new(root);
        let agreement = Agreement::open(&folder, &fold.state.contract()?.digest).ok()?;
        // What could not be pushed stands on the base branch all the same.
        let landed = fold.state.landed_as().cloned().or_else(|| seen(&agreement, &folder).moved_to);
        let landed = landed.filter(|_| matches!(&fold.state.stage, Stage::Ended(_)));
        let candidate = landed.as_ref().and_then(|_| events.iter().rev().find_map(candidate)).cloned();
        let landed = landed.into_iter().chain(candidate).collect();
        let may_have_session = matches!(&fold.state.worker, Worker::Session { .. }) && !PROGRAMS_ARE_SEEN;
        Some(Self { agreement, folder, landed, may_have_session })
    }

    /// Why the worktree must stay; changes nothing.
    pub(super) fn keeps(
        &self,
        repository: &Repository,
        path: &Utf8Path,
        holders: Holders<'_>,
    ) -> Result<Option<String>, RunError> {
        let copied = needs_no_commit(repository, &self.folder)?;
        let files = self.held_files(repository, holders)?;
        let held = Elsewhere { commits: holders, files: &files, copied: &copied };
        if let Some(kept) = repository.keeps_worktree(path, held)? {
            return Ok(Some(kept.description()));
        }
        let wanted = self.wanted(repository, path)?;
        if !wanted.is_empty() {
            return Ok(Some(format!("git ignores it, and it is nowhere else: {}", wanted.join(", "))));
        }
        let programs = programs_in(path);
        Ok((!programs.is_empty()).then(|| format!("in use by {}", programs.join(", "))))
    }

    /// The worktree, after its texts were copied; gives what keeps it.
    pub(super) fn remove(
        &self,
        repository: &Repository,
        path: &Utf8Path,
        holders: Holders<'_>,
    ) -> Result<Option<String>, RunError> {
        if let Some(kept) = self.keeps(repository, path, holders)? {
            return Ok(Some(kept));
        }
        if let Some(large) = self.keep_texts(path)? {
            return Ok(Some(format!("{large} is too large to be kept elsewhere")));
        }
        gulf_host::crash::point("remains.texts");
        let copied = needs_no_commit(repository, &self.folder)?;
        let files = self.held_files(repository, holders)?;
        let held = Elsewhere { commits: holders, files: &files, copied: &copied };
        Ok(repository.remove_worktree(path, held)?.map(|kept| kept.description()))
    }

    /// The files of what landed, as far as its commits are held.
    fn held_files(&self, repository: &Repository, holders: Holders<'_>) -> Result<Vec<TreeId>, RunError> {
        let mut files = Vec::new();
        for commit in &self.landed {
            if repository.is_reachable(commit, holders)? {
                files.push(repository.tree_of(commit)?);
            }
        }
        Ok(files)
    }

    /// What git ignores and somebody may want.
    pub(super) fn wanted(&self, repository: &Repository, path: &Utf8Path) -> Result<Vec<String>, RunError> {
        let mut ignored = repository.ignored_in(path)?;
        ignored.retain(|path| path.as_utf8().is_none_or(|path| own_text(path.as_str()).is_none()));
        let terms = &self.agreement.verification.environment;
        let given = terms.private_paths();
        Ok(Leftovers {
            worktree: path,
            ignored: &ignored,
            caches: &terms.caches,
            copies: &[self.folder.sealed_files(), terms.person.clone()],
            rebuilt_in: &self.folder.room(CheckCheckout::Candidate.into()),
            given: &given,
        }
        .wanted())
    }

    /// Copies the loop's own texts beside its journal; gives one that is too large.
    pub(super) fn keep_texts(&self, path: &Utf8Path) -> Result<Option<Utf8PathBuf>, RunError> {
        let mut bytes_left = TEXT_BYTES_MAX;
        let mut texts = Vec::new();
        for text in OWN_TEXTS {
            list(&path.join(text.path.trim_end_matches('/')), &mut texts);
        }
        if texts.len() > TEXTS_MAX {
            return Ok(texts.into_iter().nth(TEXTS_MAX));
        }
        for text in texts {
            let Ok(relative) = text.strip_prefix(path) else { continue };
            let size = fs::metadata(&text).map_or(u64::MAX, |metadata| metadata.len());
            let Some(left) = bytes_left.checked_sub(size) else { return Ok(Some(relative.to_owned())) };
            bytes_left = left;
            let to = self.folder.left_texts().join(relative);
            files::keep(&to, &files::read_bytes(&text, TEXT_BYTES_MAX)?, Durability::Synced)?;
        }
        Ok(None)
    }
}

/// What goes with a worktree though no commit has it: the loop's own texts, and what git ignored when the loop began.
fn needs_no_commit(repository: &Repository, folder: &LoopPaths) -> Result<Vec<TreePath>, RunError> {
    let ignored = repository.clone().under(Some(&folder.git())).ignored_at_start()?;
    Ok([loop_texts()?, ignored].concat())
}

/// The candidate that an iteration came to.
fn candidate(event: &Event) -> Option<&CommitId> {
    let Fact::Ended { result: EffectResult::Snapshot(snapshot), .. } = &event.fact else { return None };
    Some(&snapshot.candidate.commit)
}

/// Every file at or below this path; links are not followed, and hold nothing.
fn list(path: &Utf8Path, found: &mut Vec<Utf8PathBuf>) {
    let Ok(metadata) = path.symlink_metadata() else { return };
    if metadata.is_file() {
        found.push(path.to_owned());
    } else if metadata.is_dir()
        && let Ok(entries) = path.read_dir_utf8()
    {
        for entry in entries.flatten() {
            if found.len() > TEXTS_MAX {
                return;
            }
            list(entry.path(), found);
        }
    }
}

// Throws the worktree and the branch of a loop that is over away, on a person's word.

const PUT_RIGHT: &str = "put that right; then the same command removes it";

/// What throwing a loop's own ground away would take.
#[derive(Debug)]
pub struct ThrowAway {
    pub branch: Option<String>,
    pub worktree: Option<Utf8PathBuf>,
    /// Its change, where it worked in the person's checkout.
    pub out: Option<TakeOut>,
    /// Ignored files that are nowhere else, and would be gone.
    pub lost: Vec<String>,
}

impl ThrowAway {
    pub fn is_nothing(&self) -> bool {
        let is_out = self.out.as_ref().is_none_or(TakeOut::is_nothing);
        self.branch.is_none() && self.worktree.is_none() && is_out
    }
}

/// Looks; nothing is touched. `place` is another checkout than the loop's.
pub fn to_throw_away(place: &PlaceOfWork, known: &KnownLoop) -> Result<ThrowAway> {
    let agreement = known.agreement()?;
    let repository = open(place)?;
    let own = Own::read(place, known, &agreement, &repository)?;
    let lost = match (&own.worktree, Ground::open(known.home.root())) {
        (Some(path), Some(ground)) => ground.wanted(&repository, path)?,
        (Some(_) | None, _) => Vec::new(),
    };
    let out = own.checkout.as_ref().map(|there| planned(there, known)).transpose()?;
    let branch = own.at.as_ref().map(|_| own.branch.short().to_owned());
    Ok(ThrowAway { branch, worktree: own.worktree, out, lost })
}

/// Does it.
pub fn throw_away(place: &PlaceOfWork, known: &KnownLoop, by: &str, clock: &Clock) -> Result<()> {
    let agreement = known.agreement()?;
    let repository = open(place)?;
    let mut own = Own::read(place, known, &agreement, &repository)?;
    let lock = own.worktree.as_ref().unwrap_or(&agreement.project);
    let _nobody_else = alone(place, known, lock)?;
    let (mut book, fact) = known.admit::<KeepingError>(Act::Discard { by: by.to_owned() })?;
    let kept_by = RefName::parse(&format!("refs/gulf/{}/discarded", agreement.loop_id))?;
    if let Some(path) = &own.worktree {
        if is_here(path) {
            return Err(in_the_way("you are in its worktree", "`cd` to your own checkout first"));
        }
        let programs = programs_in(path);
        if !programs.is_empty() {
            return Err(in_the_way(format!("in use by {}", programs.join(", ")), "end them first"));
        }
        let tree = keep(place, known, &agreement, path, &kept_by, clock)?;
        if let Some(large) =
            Ground::open(known.home.root()).map(|ground| ground.keep_texts(path)).transpose()?.flatten()
        {
            return Err(in_the_way(format!("{large} is too large to be kept"), "move it elsewhere first"));
        }
        gulf_host::crash::point("discard.kept");
        remove(&repository, path, &known.home, &[tree])?;
    } else if let Some(there) = &own.checkout {
        revert(there, known, own.at.as_ref(), clock)?;
        own.leave(&there.open(&known.home.git())?, known, &agreement)?;
        // Its commits went off it with the change.
        own.at = repository.read_branch(&own.branch)?;
    } else if let Some(at) = &own.at {
        repository.update_ref(&kept_by, at, &Expected::Anything)?;
        if own.is_apart {
            // Its folder is gone, and the repository may count it all the same.
            remove(&repository, &agreement.project, &known.home, &[])?;
        }
    }
    gulf_host::crash::point("discard.worktree-gone");
    if let Some(at) = &own.at
        && let Some(why) =
            why_kept(repository.delete_branch(&own.branch, at, Holders::Reference(&kept_by))?)
    {
        let what = format!("its branch {} stays: {why}", own.branch.short());
        return Err(in_the_way(what, PUT_RIGHT));
    }
    gulf_host::crash::point("discard.branch-gone");
    book.add(vec![fact], clock.wall_ms())?;
    reverted(known)
}

/// What is a loop's own, as far as it is still there.
struct Own {
    branch: BranchName,
    at: Option<CommitId>,
    is_apart: bool,
    worktree: Option<Utf8PathBuf>,
    /// The person's, where it worked in that, and its change may lie there.
    checkout: Option<PlaceOfWork>,
}

impl Own {
    fn read(
        place: &PlaceOfWork,
        known: &KnownLoop,
        agreement: &Agreement,
        repository: &Repository,
    ) -> Result<Self> {
        let none = || in_the_way("the loop had no branch of its own", "`gulf status` says where it worked");
        let (branch, is_apart) = match (&agreement.landing, &agreement.forked_from) {
            (Some(landing), _) => {
                (BranchName::parse(&landing.branch)?, landing.place == LandingPlace::Worktree)
            }
            (None, Some(ForkedFrom { branch: Some(branch), .. })) => {
                (BranchName::from_short_name(branch)?, true)
            }
            (None, Some(ForkedFrom { branch: None, .. }) | None) => return Err(none()),
        };
        let at = repository.read_branch(&branch)?;
        let worktree = (is_apart && agreement.project.exists()).then(|| agreement.project.clone());
        let is_here = !is_apart && agreement.project.exists() && known.fold.state.landed_as().is_none();
        let checkout =
            is_here.then(|| PlaceOfWork::find(&agreement.project, place.home.clone())).transpose()?;
        Ok(Self { branch, at, is_apart, worktree, checkout })
    }

    /// The person's checkout stands on the base branch again.
    fn leave(&self, there: &Repository, known: &KnownLoop, agreement: &Agreement) -> Result<()> {
        let (Some(landing), Some(start)) = (&agreement.landing, &agreement.head) else { return Ok(()) };
        let to = BranchName::parse(&landing.base)?;
        let (work, keeps) = (agreement.start_tree(there)?, texts_of(Writer::Loop)?);
        let wanted = Return { from: &self.branch, to: &to, landed: start, work: &work, keeps: &keeps };
        let why = match there.go_back(&wanted)? {
            Returned::Back | Returned::Elsewhere => return Ok(()),
            Returned::NotReady { reasons } => InTheWay::all(&reasons),
            Returned::Taken { at } => format!("{to} is checked out at {at}"),
            Returned::Left => format!("{to} no longer contains where the loop began"),
        };
        let (id, own) = (known.handle(), self.branch.short());
        Err(in_the_way(
            format!("the loop's change is reverted, and its branch {own} is still checked out: {why}"),
            format!("`git switch {}`, then `gulf discard {id}` deletes that branch", to.short()),
        ))
    }
}

/// All that lies in the worktree and is not ignored, on top of what is committed there, held by a reference.
fn keep(
    place: &PlaceOfWork,
    known: &KnownLoop,
    agreement: &Agreement,
    path: &Utf8PathBuf,
    kept_by: &RefName,
    clock: &Clock,
) -> Result<TreeId> {
    let there = PlaceOfWork::find(path, place.home.clone())?.open(&known.home.git())?;
    let mut taken = take_snapshot(&there, agreement, &agreement.base, &known.home.index())?;
    // What git ignored goes with the worktree, as it always does.
    taken.ignored.clear();
    if let Some(what) = left_out(&taken).first() {
        return Err(in_the_way(format!("no commit can hold {what}"), "move it elsewhere, or remove it"));
    }
    let head = there.head_commit()?;
    let parents: Vec<&CommitId> = head.iter().collect();
    let message = format!("gulf: what lay there when {} was discarded\n", agreement.loop_id);
    let commit = there.commit(&taken.tree, &parents, &message, stamp(clock.wall_ms()))?;
    there.update_ref(kept_by, &commit, &Expected::Anything)?;
    Ok(taken.tree)
}

fn remove(repository: &Repository, path: &Utf8Path, home: &LoopPaths, files: &[TreeId]) -> Result<()> {
    let copied = needs_no_commit(repository, home)?;
    let held = Elsewhere { commits: Holders::Anything, files, copied: &copied };
    match repository.remove_worktree(path, held)? {
        None => Ok(()),
        Some(kept) => Err(in_the_way(kept.description(), PUT_RIGHT)),
    }
}
