//! Branches and worktrees that gulf made for loops, and iterations of loops that nobody knows any more: what of them can go
//! without anything being lost.
//!
//! Here a mistake would cost work: whatever is held by nothing else stays, is named, and keeps the folder of its
//! loop.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::git::{BranchName, CommitId, Expected, Holders, RefName, Repository, Worktree};
use gulf_host::home::Name;
use gulf_host::lock::{Lock, LockError};

use super::ground::Ground;
use super::{Remains, RemainsStanding};
use crate::error::RunResult;
use crate::keeping::CLEANING;
use crate::known::{held_by_nothing, why_kept};
use crate::place::PlaceOfWork;

/// How the branches are called that gulf makes for loops.
const OWN_BRANCHES: [&str; 3] = ["gulf/auto-*", "gulf/fork-*", "gulf/parallel-*"];
/// Where the references of iterations lie.
const ITERATIONS: &str = "refs/gulf";

/// A branch that gulf made for a loop, with the worktree that stands on it.
#[derive(Debug)]
pub struct OwnBranch {
    pub name: BranchName,
    pub at: CommitId,
    pub worktree: Option<Utf8PathBuf>,
    /// The loop that works or worked there.
    pub of_loop: Option<String>,
    /// None where it can go.
    pub kept: Option<String>,
}

/// The iterations of a loop that this `$GULF_HOME` knows nothing of.
#[derive(Debug)]
pub struct Forgotten {
    /// The loop's id.
    pub name: String,
    pub references: Vec<(RefName, CommitId)>,
    /// None where a branch or tag holds every one of them.
    pub kept: Option<String>,
}

/// Everything beside the folders of loops.
#[derive(Debug, Default)]
pub struct OutsideFolders {
    pub branches: Vec<OwnBranch>,
    pub forgotten: Vec<Forgotten>,
}

impl OutsideFolders {
    /// Looks at all of it, and changes nothing.
    pub fn find(place: &PlaceOfWork, found: &[Remains]) -> RunResult<OutsideFolders> {
        if place.layout.is_none() && !place.has_shadow() {
            return Ok(OutsideFolders::default());
        }
        let repository = open(place)?;
        let look = BranchLook::begin(place, &repository, found)?;
        let branches = look.own.iter().map(|(name, at)| look.branch(name, at));
        Ok(OutsideFolders { branches: branches.collect::<Result<_, _>>()?, forgotten: look.forgotten()? })
    }

    /// Why the folder of a loop must stay: work that only its worktree holds.
    pub fn kept_work(&self, one: &Remains) -> Option<String> {
        let mut its = self.branches.iter().filter(|branch| branch.of_loop.as_ref() == Some(&one.name));
        its.find_map(|branch| Some(format!("its branch {} stays: {}", branch.name, branch.why_kept()?)))
    }
}

impl OwnBranch {
    /// What keeps it, and where that lies.
    pub fn why_kept(&self) -> Option<String> {
        let why = self.kept.as_ref()?;
        Some(self.worktree.as_ref().map_or_else(|| why.clone(), |path| format!("{why} ({path})")))
    }
}

/// The branch with its worktree, if nothing would be lost; looked at once more, for the world may have moved on. Gives what
/// keeps it.
pub fn remove_branch(place: &PlaceOfWork, name: &BranchName, at: &CommitId) -> RunResult<Option<String>> {
    let repository = open(place)?;
    let found = super::remains(place)?;
    let look = BranchLook::begin(place, &repository, &found)?;
    let own_names = look.own_names();
    let held_by = Holders::AnythingBut(&own_names);
    if let Some(worktree) = look.worktree_of(name) {
        // Nobody begins to work there meanwhile.
        let _nobody_else = match Lock::try_acquire(&place.lock_of(worktree), CLEANING.as_bytes()) {
            Err(LockError::Held { .. }) => return Ok(Some("somebody works there".to_owned())),
            locked => locked?,
        };
        let kept = match look.free_ground(worktree) {
            Ok(ground) => ground.remove(&repository, worktree, held_by)?,
            Err(why) => Some(why),
        };
        if kept.is_some() {
            return Ok(kept);
        }
    }
    gulf_host::crash::point("remains.worktree-gone");
    Ok(why_kept(repository.delete_branch(name, at, held_by)?))
}

/// The branches of loops whose work stands on their base branch: of this one, or of all.
pub(super) fn landed(place: &PlaceOfWork, of: Option<&Name>) -> RunResult<Vec<(BranchName, CommitId)>> {
    // Only a loop that is known here can have landed.
    if place.layout.is_none() || place.repository.loop_names()?.is_empty() {
        return Ok(Vec::new());
    }
    let own = open(place)?.branches_like(&OWN_BRANCHES)?;
    if own.is_empty() {
        return Ok(Vec::new());
    }
    let found = super::remains(place)?;
    let grounds = grounds(&found);
    // Others may be put away at this very moment: only what is meant is looked at.
    let is_meant = |name: &BranchName| {
        landed_on(&grounds, name).is_some_and(|one| of.is_none_or(|of| of.as_str() == one.name))
    };
    Ok(own.into_iter().filter(|(name, _)| is_meant(name)).collect())
}

/// The references, each only if it is where it was looked at.
pub fn remove_forgotten(place: &PlaceOfWork, forgotten: &Forgotten) -> RunResult<()> {
    let repository = open(place)?;
    for (name, at) in &forgotten.references {
        repository.delete_ref(name, &Expected::At(at.clone()))?;
    }
    Ok(())
}

struct BranchLook<'look> {
    repository: &'look Repository,
    found: &'look [Remains],
    /// The loops whose contract can be read, each with where it works.
    grounds: Vec<(&'look Remains, Ground)>,
    own: Vec<(BranchName, CommitId)>,
    worktrees: Vec<Worktree>,
}

impl<'look> BranchLook<'look> {
    fn begin(place: &PlaceOfWork, repository: &'look Repository, found: &'look [Remains]) -> RunResult<Self> {
        let own = repository.branches_like(&OWN_BRANCHES)?;
        let worktrees = if place.layout.is_some() { repository.worktrees()? } else { Vec::new() };
        let grounds = if own.is_empty() { Vec::new() } else { grounds(found) };
        Ok(Self { repository, found, grounds, own, worktrees })
    }

    fn branch(&self, name: &BranchName, at: &CommitId) -> RunResult<OwnBranch> {
        let path = self.worktree_of(name);
        let of_loop = path.and_then(|path| self.worker_in(path));
        let kept = match path {
            Some(path) => self.why_keep(path, of_loop)?,
            None if self.repository.is_reachable(at, Holders::AnythingBut(&self.own_names()))? => None,
            None => Some(held_by_nothing(at)),
        };
        let of_loop = of_loop.map(|(one, _)| one.name.clone());
        let worktree = path.map(Utf8Path::to_owned);
        Ok(OwnBranch { name: name.clone(), at: at.clone(), worktree, of_loop, kept })
    }

    fn worktree_of(&self, name: &BranchName) -> Option<&Utf8Path> {
        self.worktrees.iter().find(|worktree| worktree.holds(name)).map(|worktree| worktree.path.as_path())
    }

    fn why_keep(&self, path: &Utf8Path, of_loop: Option<&(&Remains, Ground)>) -> RunResult<Option<String>> {
        let own_names = self.own_names();
        let held_by = Holders::AnythingBut(&own_names);
        let free = self.free_ground(path);
        if let (Err(why), true) = (&free, is_here(path)) {
            return Ok(Some(why.clone()));
        }
        let kept = match of_loop {
            Some((_, ground)) => ground.keeps(self.repository, path, held_by)?,
            None => self.repository.keeps_worktree(path, held_by)?.map(|kept| kept.description()),
        };
        Ok(kept.or(free.err()))
    }

    /// What is known of a worktree in which nobody works any more; else who does.
    fn free_ground(&self, path: &Utf8Path) -> Result<&Ground, String> {
        match self.worker_in(path) {
            _ if is_here(path) => Err("you are in its worktree".to_owned()),
            Some((one, ground)) if one.is_removable() => Ok(ground),
            Some((one, _)) => Err(format!("the loop {} is not over", one.name)),
            None => Err("no loop that is known here works there".to_owned()),
        }
    }

    /// The loop that works in a worktree; one that is not over before one that is.
    fn worker_in(&self, path: &Utf8Path) -> Option<&(&'look Remains, Ground)> {
        let there = self.grounds.iter().filter(|(_, ground)| is_of(&ground.agreement.project, path));
        there.min_by_key(|(one, _)| one.is_removable())
    }

    fn own_names(&self) -> Vec<BranchName> {
        self.own.iter().map(|(name, _)| name.clone()).collect()
    }

    fn forgotten(&self) -> RunResult<Vec<Forgotten>> {
        let mut all: BTreeMap<String, Forgotten> = BTreeMap::new();
        for (reference, at) in self.repository.list_refs(ITERATIONS)? {
            let Some(name) = loop_of(&reference).filter(|name| !self.is_known(name)) else { continue };
            let is_held = self.repository.is_reachable(&at, Holders::Anything)?;
            let empty = Forgotten { name: name.clone(), references: Vec::new(), kept: None };
            let one = all.entry(name).or_insert(empty);
            if !is_held {
                one.kept.get_or_insert_with(|| held_by_nothing(&at));
            }
            one.references.push((reference, at));
        }
        Ok(all.into_values().collect())
    }

    fn is_known(&self, name: &str) -> bool {
        // A removal that was not finished took the references first.
        let is_there = |one: &Remains| !matches!(one.standing, RemainsStanding::HalfRemoved);
        self.found.iter().any(|one| one.name == name && is_there(one))
    }
}

/// The loops whose contract can be read, each with where it works.
fn grounds(found: &[Remains]) -> Vec<(&Remains, Ground)> {
    found.iter().filter_map(|one| Some((one, Ground::open(&one.root)?))).collect()
}

/// The loop whose branch this is, where it is over and its work stands on the base branch.
fn landed_on<'look>(grounds: &[(&'look Remains, Ground)], name: &BranchName) -> Option<&'look Remains> {
    let own = |(_, ground): &&(&Remains, Ground)| {
        ground.agreement.landing.as_ref().is_some_and(|landing| landing.branch == name.as_str())
    };
    let (one, ground) = grounds.iter().find(own)?;
    let is_free = one.is_removable() && !ground.may_have_session;
    (is_free && !ground.landed.is_empty()).then_some(*one)
}

/// Is this the worktree of the loop that works there, or of a part of its work?
fn is_of(project: &Utf8Path, path: &Utf8Path) -> bool {
    let rest = path.as_str().strip_prefix(project.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("-part-"))
}

/// The loop of `refs/gulf/LOOP/7` and `refs/gulf/LOOP/7-part-2`; other references of gulf's belong to none.
fn loop_of(reference: &RefName) -> Option<String> {
    let (name, number) = reference.as_str().strip_prefix(ITERATIONS)?.strip_prefix('/')?.split_once('/')?;
    let number = number.split_once('-').map_or(number, |(number, _)| number);
    let is_loop = Name::parse(name).is_ok() && begins_with_a_minute(name);
    (is_loop && number.parse::<u32>().is_ok()).then(|| name.to_owned())
}

/// `2026-02-13T1430_…`
fn begins_with_a_minute(name: &str) -> bool {
    const FORM: &[u8] = b"0000-00-00T0000_";
    let fits = |(byte, form): (&u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form };
    name.len() > FORM.len() && name.as_bytes().iter().zip(FORM).all(fits)
}

/// Does this process stand there?
pub(super) fn is_here(path: &Utf8Path) -> bool {
    let here = std::env::current_dir().and_then(|path| path.canonicalize());
    here.is_ok_and(|here| here.starts_with(path))
}

/// Through a git directory of gulf's own that belongs to no loop.
pub(super) fn open(place: &PlaceOfWork) -> RunResult<Repository> {
    place.open(&place.repository.root().join("clean.git"))
}
