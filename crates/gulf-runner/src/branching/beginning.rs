//! Begins loops with branches of their own: all of them, or none.
//!
//! A crash may come between any two of its steps. What is to be made is on disk before it is made; whoever comes next
//! takes back what no complete start stands on.

use std::fs;

use camino::{Utf8DirEntry, Utf8Path, Utf8PathBuf};
use gulf_engine::Stage;
use gulf_host::clock::Clock;
use gulf_host::crash;
use gulf_host::files::{self, Durability};
use gulf_host::git::{
    AddWorktree, BranchName, CommitId, Holders, RecoveredWorktree, Repository, SubmoduleState, TreePath,
};
use gulf_host::lock::Lock;
use gulf_host::process::ShimProgram;
use gulf_spec::own_texts::{OWN_TEXTS, Writer};
use serde::{Deserialize, Serialize};

use super::{BranchingError, StartingPoint, private, short};
use crate::agreement::{Agreement, LandingPlace, NotifyTerms};
use crate::cleanup::remains;
use crate::environment::Environment;
use crate::error::{RunError, RunResult};
use crate::known::{KnownLoop, loops};
use crate::place::PlaceOfWork;
use crate::plan::Plan;
use crate::readiness::{self, FreshCheckout};
use crate::start::{self, Held, StartError};
use crate::stop::Stop;
use crate::texts::{TEXT_BYTES_MAX, bring_texts, not_written};
use crate::{FORMAT_VERSION, records};

/// What the record is, for people.
const WHAT: &str = "what is being begun";
/// So many starts in the same second are told apart.
const NAMES_MAX: u32 = 100;

/// What is being begun; it lies there until all of it is there.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BeginningRecord {
    version: u32,
    sites: Vec<Site>,
}

/// Loops that begin there.
struct Beginning<'a> {
    place: &'a PlaceOfWork,
    start: &'a StartingPoint,
    clock: &'a Clock,
}

/// Makes every site and seals a loop on each, for this process to drive; gives what a person should know before they work,
/// too.
pub fn begin(
    place: &PlaceOfWork,
    start: &StartingPoint,
    planned: Vec<(Site, Plan)>,
    clock: &Clock,
) -> Result<(Vec<Held>, Vec<String>), StartError> {
    // A fork is held to what was sealed once, whatever lies before the person by now.
    if let Some((site, plan)) = planned.first().filter(|(_, plan)| plan.terms.forked_from.is_none()) {
        start::refuse_unread(place)?;
        start.has_its_list(place, site, plan)?;
    }
    let beginning = Beginning { place, start, clock };
    let reserved = planned.into_iter().map(|(site, plan)| beginning.reserve(site, plan));
    let reserved = reserved.collect::<Result<Vec<_>, _>>()?;
    let sites: Vec<Site> = reserved.iter().map(|(site, ..)| site.clone()).collect();
    let record = BeginningRecord { version: FORMAT_VERSION, sites };
    let path = folder(place).join(format!("{}-{}.json", clock.wall_ms(), std::process::id()));
    records::keep(&path, WHAT, &record, Durability::Synced)?;
    crash::point("branching.recorded");
    let begun = beginning.begin_each(reserved).inspect_err(|_| {
        // This failure is what the person hears of; what cannot be taken back is found by the next start.
        if take_back(place, &record, &start.texts).is_ok() {
            let _ = files::remove_file(&path);
        }
    })?;
    crash::point("branching.begun");
    files::remove_file(&path).map_err(RunError::from)?;
    Ok(begun)
}

impl StartingPoint {
    /// A list of tasks is sealed as it lies before the person, and worked through as it was committed. Where the two differ,
    /// no ticking could ever satisfy the seal.
    fn has_its_list(&self, place: &PlaceOfWork, site: &Site, plan: &Plan) -> Result<(), BranchingError> {
        let list = plan.terms.ralph.as_ref().and_then(|ralph| ralph.list.as_ref());
        let Some(list) = list.filter(|_| site.place == LandingPlace::Worktree) else { return Ok(()) };
        let path = TreePath::try_from(list.path.as_str())?;
        let committed =
            self.repository.read_file(&self.repository.tree_of(&self.at)?, &path, TEXT_BYTES_MAX)?;
        let here = files::read_bytes(&place.project.join(&list.path), TEXT_BYTES_MAX)?;
        // Line ends are git's to choose.
        let lines = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        if committed.is_some_and(|committed| lines(&committed) == lines(&here)) {
            return Ok(());
        }
        Err(BranchingError::ListElsewhere { path: list.path.clone(), base: short(&self.base).to_owned() })
    }
}

impl Beginning<'_> {
    /// Takes the site for this process alone. Another gulf that starts in the same second chose the same names: whoever
    /// comes second takes the next ones, so nothing that is made, or taken back, is anybody else's.
    fn reserve(&self, wanted: Site, mut plan: Plan) -> Result<(Site, Plan, Lock), StartError> {
        if wanted.place == LandingPlace::InPlace {
            let lock = take(self.place, &wanted)?;
            return Ok((wanted, plan, lock));
        }
        let mut site = wanted.clone();
        for number in 2..=NAMES_MAX {
            match take(self.place, &site) {
                Ok(lock) if self.start.is_free(&site)? => {
                    if let Some(landing) = &mut plan.terms.landing {
                        landing.branch.clone_from(&site.branch);
                    }
                    if let Some(from) = &mut plan.terms.forked_from {
                        from.branch = Some(short(&site.branch).to_owned());
                    }
                    return Ok((site, plan, lock));
                }
                Ok(_) | Err(StartError::Driven { .. }) => {}
                Err(error) => return Err(error),
            }
            let next = |name: &str| format!("{name}-{number}");
            let (branch, folder) = (next(short(&wanted.branch)), next(wanted.path.as_str()));
            site = self.start.site(&branch, Utf8Path::new(&folder))?;
        }
        Err(StartError::Driven { id: String::new() })
    }

    fn begin_each(&self, reserved: Vec<(Site, Plan, Lock)>) -> Result<(Vec<Held>, Vec<String>), StartError> {
        let (mut held, mut told) = (Vec::new(), Vec::new());
        for (site, plan, checkout) in reserved {
            let mut notes = site.make(self.start)?;
            crash::point("branching.made");
            let brought = site.bring_texts(self.start)?;
            // Of a fork they are those that were sealed: they lie nowhere before the person.
            notes.extend(brought.into_iter().filter(|_| plan.terms.forked_from.is_none()));
            notes.extend(self.make_ready(&site, &plan)?);
            let there = PlaceOfWork::find(&site.path, self.place.home.clone())?;
            held.push(start::start_in(&there, plan, checkout, self.clock)?);
            crash::point("branching.sealed");
            for note in notes {
                if !told.contains(&note) {
                    told.push(note);
                }
            }
        }
        Ok((held, told))
    }

    /// Gives a worktree what every fresh checkout contains; a person's own has it.
    fn make_ready(&self, site: &Site, plan: &Plan) -> RunResult<Vec<String>> {
        if site.place == LandingPlace::InPlace {
            return Ok(Vec::new());
        }
        let name = site.path.file_name().unwrap_or("worktree");
        let shim = ShimProgram::this_program().map_err(|source| RunError::OwnProgram { source })?;
        let secrets = plan.terms.notify.as_ref().map(NotifyTerms::variables).unwrap_or_default();
        let notes = readiness::make_ready(&FreshCheckout {
            repository: &self.start.repository,
            checkout: &site.path,
            terms: &plan.terms.verification.environment,
            home: self.place.home.root(),
            environment: &Environment::of_this_process().without(&secrets),
            shim: &shim,
            log: &folder(self.place).join(format!("{name}.log")),
            mark: format!("{name}@{}/set-up", std::process::id()),
            stop: &Stop::default(),
        })?;
        crash::point("branching.ready");
        Ok(notes)
    }
}

/// Takes back what earlier starts left half made, and tells of each, for people; what is being begun by another process is
/// left alone.
pub fn clear_away(place: &PlaceOfWork) -> RunResult<Vec<String>> {
    let mut told = Vec::new();
    for path in records(place)? {
        let Some(record) = records::read::<BeginningRecord>(&path, WHAT)? else { continue };
        let mut locks = Vec::new();
        for site in &record.sites {
            // Whoever holds one of them is still at it.
            let Ok(lock) = take(place, site) else { break };
            locks.push(lock);
        }
        if locks.len() < record.sites.len() {
            continue;
        }
        if !stays(place, &record)? {
            let all = match record.sites.len() {
                1 => "its loop was made".to_owned(),
                of => format!("all of its {of} workers were made"),
            };
            told.push(format!(
                "a start was cut off before {all}; none had begun to work, and what there was is taken back"
            ));
            told.extend(take_back(place, &record, &place.project)?);
        }
        crash::point("branching.taken-back");
        files::remove_file(&path)?;
    }
    Ok(told)
}

/// Is there a sealed loop for every site, or work on one of them?
fn stays(place: &PlaceOfWork, record: &BeginningRecord) -> RunResult<bool> {
    let known = loops(place)?.known;
    let on = |site: &Site| known.iter().find(|one| stands_on(one, site));
    let is_complete = record.sites.iter().all(|site| on(site).is_some());
    let has_begun = |one: &KnownLoop| one.fold.state.unit.iteration > 0;
    Ok(is_complete || record.sites.iter().filter_map(on).any(has_begun))
}

fn stands_on(known: &KnownLoop, site: &Site) -> bool {
    let Ok(Agreement { landing, forked_from, project, .. }) = known.agreement() else { return false };
    let branch = landing.map(|landing| short(&landing.branch).to_owned()).or_else(|| forked_from?.branch);
    branch.is_some_and(|branch| branch == short(&site.branch)) && project == site.path
}

/// Takes every site back, with the texts that were brought from there, and the loops that were sealed on some of them: no turn
/// of theirs has begun.
fn take_back(place: &PlaceOfWork, record: &BeginningRecord, texts: &Utf8Path) -> RunResult<Vec<String>> {
    let mut sealed = loops(place)?.known;
    sealed.retain(|one| record.sites.iter().any(|site| stands_on(one, site)));
    sealed.retain(|one| matches!(&one.fold.state.stage, Stage::Between(_)));
    sealed.retain(|one| one.fold.state.unit.iteration == 0);
    let repository = place.open(&private(place))?;
    let mut notes = Vec::new();
    for site in &record.sites {
        notes.extend(site.take_back(place, &repository, texts)?);
    }
    for one in remains(place)? {
        if sealed.iter().any(|known| known.name.as_str() == one.name) {
            one.unmake(place)?;
        }
    }
    Ok(notes)
}

/// Nobody else works there meanwhile.
fn take(place: &PlaceOfWork, site: &Site) -> Result<Lock, StartError> {
    place.repository.create().map_err(RunError::from)?;
    Ok(Lock::try_acquire(&place.lock_of(&site.path), b"")?)
}

fn folder(place: &PlaceOfWork) -> Utf8PathBuf {
    place.repository.root().join("beginnings")
}

fn records(place: &PlaceOfWork) -> RunResult<Vec<Utf8PathBuf>> {
    let folder = folder(place);
    let entries =
        files::entries(&folder).map_err(|source| RunError::Directory { path: folder.clone(), source })?;
    let paths = entries.into_iter().map(Utf8DirEntry::into_path);
    let mut paths: Vec<Utf8PathBuf> = paths.filter(|path| path.extension() == Some("json")).collect();
    paths.sort();
    Ok(paths)
}

// The ground that a loop stands on: its branch, checked out in a worktree of its own or in the person's checkout. It is made
// before the loop is sealed, and must be taken back where that does not come about.

/// Where a loop is to stand; what stands in the record of a beginning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// In full.
    pub branch: String,
    /// A folder that is made, or the person's checkout.
    pub path: Utf8PathBuf,
    /// The commit at which the branch begins.
    pub at: CommitId,
    pub place: LandingPlace,
    /// In full: where the checkout goes back to.
    pub base: String,
}

impl Site {
    pub(super) fn branch(&self) -> RunResult<BranchName> {
        Ok(BranchName::parse(&self.branch)?)
    }

    /// Makes the branch, and the worktree where there is to be one.
    fn make(&self, start: &StartingPoint) -> Result<Vec<String>, BranchingError> {
        let branch = self.branch()?;
        match self.place {
            LandingPlace::Worktree => {
                let failed = |source| BranchingError::Folder { path: self.path.clone(), source };
                fs::create_dir(&self.path).map_err(failed)?;
                let wanted = AddWorktree { path: &self.path, branch: &branch, at: &self.at };
                let submodules = start.repository.add_worktree(&wanted)?;
                let empty = submodules.iter().filter(|one| one.state == SubmoduleState::NotCheckedOut);
                let told =
                    |path| format!("the submodule {path} is not checked out here, so it is empty there");
                Ok(empty.map(|one| told(&one.path)).collect())
            }
            LandingPlace::InPlace => {
                start.repository.create_branch(&branch, &self.at)?;
                crash::point("branching.branch");
                start.repository.stand_on(&branch)?;
                Ok(Vec::new())
            }
        }
    }

    /// Brings the person's texts, and tells which: what is sealed is what they hold.
    fn bring_texts(&self, start: &StartingPoint) -> RunResult<Vec<String>> {
        let brought = match self.place {
            LandingPlace::Worktree => bring_texts(&start.texts, &self.path)?,
            LandingPlace::InPlace => Vec::new(),
        };
        let told = |name| format!("{name} is not committed: the loop gets it as it lies here");
        Ok(brought.into_iter().map(told).collect())
    }

    /// Takes back what no loop stands on. What somebody else put there stays, and so does the branch then.
    fn take_back(
        &self,
        place: &PlaceOfWork,
        repository: &Repository,
        texts: &Utf8Path,
    ) -> RunResult<Option<String>> {
        let branch = self.branch()?;
        match self.place {
            LandingPlace::Worktree => {
                let wanted = AddWorktree { path: &self.path, branch: &branch, at: &self.at };
                match repository.recover_worktree(&wanted)? {
                    RecoveredWorktree::Undone => return Ok(None),
                    RecoveredWorktree::WasWhole | RecoveredWorktree::Finished => {}
                }
                self.take_texts(texts, repository)?;
                crash::point("branching.texts-taken");
                if let Some(kept) = repository.remove_worktree(&self.path, Holders::Anything)? {
                    let (path, why) = (&self.path, kept.description());
                    return Ok(Some(format!("{path} stays, of a start that failed: {why}")));
                }
            }
            LandingPlace::InPlace => {
                if repository.where_checked_out(&branch)?.iter().any(|one| one.path == place.project) {
                    repository.stand_on(&BranchName::parse(&self.base)?)?;
                }
            }
        }
        crash::point("branching.ground-gone");
        repository.delete_branch(&branch, &self.at, Holders::Anything)?;
        Ok(None)
    }

    /// Takes the brought texts away again, as far as they are the person's own to the byte.
    fn take_texts(&self, texts: &Utf8Path, repository: &Repository) -> RunResult<()> {
        let tree = repository.tree_of(&self.at)?;
        for text in OWN_TEXTS.iter().filter(|text| text.writer == Writer::Person) {
            let (from, to) = (texts.join(text.path), self.path.join(text.path));
            let (theirs, there) = (fs::read(&from).ok(), fs::read(&to).ok());
            if there.is_none() || there != theirs {
                continue;
            }
            match repository.read_file(&tree, &TreePath::try_from(text.path)?, TEXT_BYTES_MAX)? {
                Some(committed) if Some(&committed) == there.as_ref() => {}
                Some(committed) => fs::write(&to, &committed).map_err(not_written(&to))?,
                None => fs::remove_file(&to).map_err(not_written(&to))?,
            }
        }
        Ok(())
    }
}
