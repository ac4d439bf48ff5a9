//! Begins loops with branches of their own: all of them, or none.
//!
//! A crash may come between any two of its steps. What is to be made is on disk before it is made; whoever comes next
//! takes back what no complete start stands on.

use camino::{Utf8DirEntry, Utf8Path, Utf8PathBuf};
use gulf_engine::Stage;
use gulf_host::clock::Clock;
use gulf_host::crash;
use gulf_host::files::{self, Durability};
use gulf_host::git::TreePath;
use gulf_host::lock::Lock;
use gulf_host::process::ShimProgram;
use serde::{Deserialize, Serialize};

use super::ground::Site;
use super::{BranchingError, StartingPoint, private, short};
use crate::agreement::{LandingPlace, NotifyTerms};
use crate::cleanup::remains;
use crate::environment::Environment;
use crate::error::RunError;
use crate::known::{KnownLoop, loops};
use crate::place::PlaceOfWork;
use crate::plan::Plan;
use crate::readiness::{self, FreshCheckout};
use crate::start::{self, Held, StartError};
use crate::stop::Stop;
use crate::texts::TEXT_BYTES_MAX;
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

/// Makes every site and seals a loop on each, for this process to drive; gives what a person should know before they work,
/// too.
pub fn begin(
    place: &PlaceOfWork,
    start: &StartingPoint,
    planned: Vec<(Site, Plan)>,
    clock: &Clock,
) -> Result<(Vec<Held>, Vec<String>), StartError> {
    start::refuse_unread(place)?;
    if let Some((site, plan)) = planned.first() {
        has_its_list(place, start, site, plan)?;
    }
    let reserved = planned.into_iter().map(|(site, plan)| reserve(place, start, site, plan));
    let reserved = reserved.collect::<Result<Vec<_>, _>>()?;
    let sites: Vec<Site> = reserved.iter().map(|(site, ..)| site.clone()).collect();
    let record = BeginningRecord { version: FORMAT_VERSION, sites };
    let path = folder(place).join(format!("{}-{}.json", clock.wall_ms(), std::process::id()));
    records::keep(&path, WHAT, &record, Durability::Synced)?;
    crash::point("branching.recorded");
    let begun = begin_each(place, start, reserved, clock).inspect_err(|_| {
        // This failure is what the person hears of; what cannot be taken back is found by the next start.
        if take_back(place, &record).is_ok() {
            let _ = files::remove_file(&path);
        }
    })?;
    crash::point("branching.begun");
    files::remove_file(&path).map_err(RunError::from)?;
    Ok(begun)
}

/// A list of tasks is sealed as it lies before the person, and worked through as it was committed. Where the two differ,
/// no ticking could ever satisfy the seal.
fn has_its_list(
    place: &PlaceOfWork,
    start: &StartingPoint,
    site: &Site,
    plan: &Plan,
) -> Result<(), BranchingError> {
    let list = plan.terms.ralph.as_ref().and_then(|ralph| ralph.list.as_ref());
    let Some(list) = list.filter(|_| site.place == LandingPlace::Worktree) else { return Ok(()) };
    let path = TreePath::try_from(list.path.as_str())?;
    let committed =
        start.repository.read_file(&start.repository.tree_of(&start.at)?, &path, TEXT_BYTES_MAX)?;
    let here = files::read_bytes(&place.project.join(&list.path), TEXT_BYTES_MAX).map_err(RunError::from)?;
    // Line ends are git's to choose.
    let lines = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    if committed.is_some_and(|committed| lines(&committed) == lines(&here)) {
        return Ok(());
    }
    Err(BranchingError::ListElsewhere { path: list.path.clone(), base: short(&start.base).to_owned() })
}

/// Takes the site for this process alone. Another gulf that starts in the same second chose the same names: whoever
/// comes second takes the next ones, so nothing that is made, or taken back, is anybody else's.
fn reserve(
    place: &PlaceOfWork,
    start: &StartingPoint,
    wanted: Site,
    mut plan: Plan,
) -> Result<(Site, Plan, Lock), StartError> {
    if wanted.place == LandingPlace::InPlace {
        let lock = take(place, &wanted)?;
        return Ok((wanted, plan, lock));
    }
    let mut site = wanted.clone();
    for number in 2..=NAMES_MAX {
        match take(place, &site) {
            Ok(lock) if start.is_free(&site)? => {
                if let Some(landing) = &mut plan.terms.landing {
                    landing.branch.clone_from(&site.branch);
                }
                return Ok((site, plan, lock));
            }
            Ok(_) | Err(StartError::Driven { .. }) => {}
            Err(error) => return Err(error),
        }
        let next = |name: &str| format!("{name}-{number}");
        let (branch, folder) = (next(short(&wanted.branch)), next(wanted.path.as_str()));
        site = start.site(&branch, Utf8Path::new(&folder))?;
    }
    Err(StartError::Driven { id: String::new() })
}

fn begin_each(
    place: &PlaceOfWork,
    start: &StartingPoint,
    reserved: Vec<(Site, Plan, Lock)>,
    clock: &Clock,
) -> Result<(Vec<Held>, Vec<String>), StartError> {
    let (mut held, mut told) = (Vec::new(), Vec::new());
    for (site, plan, checkout) in reserved {
        let mut notes = site.make(start)?;
        crash::point("branching.made");
        notes.extend(site.bring_texts(&place.project)?);
        notes.extend(make_ready(place, start, &site, &plan)?);
        let there = PlaceOfWork::find(&site.path, place.home.clone())?;
        held.push(start::start_in(&there, plan, checkout, clock)?);
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
fn make_ready(
    place: &PlaceOfWork,
    start: &StartingPoint,
    site: &Site,
    plan: &Plan,
) -> Result<Vec<String>, RunError> {
    if site.place == LandingPlace::InPlace {
        return Ok(Vec::new());
    }
    let name = site.path.file_name().unwrap_or("worktree");
    let shim = ShimProgram::this_program().map_err(|source| RunError::OwnProgram { source })?;
    let secrets = plan.terms.notify.as_ref().map(NotifyTerms::variables).unwrap_or_default();
    let ready = readiness::make_ready(&FreshCheckout {
        repository: &start.repository,
        checkout: &site.path,
        terms: &plan.terms.verification.environment,
        home: place.home.root(),
        environment: &Environment::of_this_process().without(&secrets),
        shim: &shim,
        log: &folder(place).join(format!("{name}.log")),
        mark: format!("{name}@{}/set-up", std::process::id()),
        stop: &Stop::default(),
    })?;
    crash::point("branching.ready");
    Ok(ready.notes)
}

/// Takes back what earlier starts left half made, and tells of each, for people; what is being begun by another process is
/// left alone.
pub fn clear_away(place: &PlaceOfWork) -> Result<Vec<String>, RunError> {
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
            told.extend(take_back(place, &record)?);
        }
        crash::point("branching.taken-back");
        files::remove_file(&path)?;
    }
    Ok(told)
}

/// Is there a sealed loop for every site, or work on one of them?
fn stays(place: &PlaceOfWork, record: &BeginningRecord) -> Result<bool, RunError> {
    let known = loops(place)?.known;
    let on = |site: &Site| known.iter().find(|one| stands_on(one, site));
    let is_complete = record.sites.iter().all(|site| on(site).is_some());
    let has_begun = |one: &KnownLoop| one.fold.state.unit.iteration > 0;
    Ok(is_complete || record.sites.iter().filter_map(on).any(has_begun))
}

fn stands_on(known: &KnownLoop, site: &Site) -> bool {
    let Ok(agreement) = known.agreement() else { return false };
    agreement.landing.is_some_and(|landing| landing.branch == site.branch) && agreement.project == site.path
}

/// Takes every site back, and the loops that were sealed on some of them: no turn of theirs has begun.
fn take_back(place: &PlaceOfWork, record: &BeginningRecord) -> Result<Vec<String>, RunError> {
    let mut sealed = loops(place)?.known;
    sealed.retain(|one| record.sites.iter().any(|site| stands_on(one, site)));
    sealed.retain(|one| matches!(&one.fold.state.stage, Stage::Between(_)));
    sealed.retain(|one| one.fold.state.unit.iteration == 0);
    let repository = place.open(&private(place))?;
    let mut notes = Vec::new();
    for site in &record.sites {
        notes.extend(site.take_back(place, &repository)?);
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

fn records(place: &PlaceOfWork) -> Result<Vec<Utf8PathBuf>, RunError> {
    let folder = folder(place);
    let entries =
        files::entries(&folder).map_err(|source| RunError::Directory { path: folder.clone(), source })?;
    let paths = entries.into_iter().map(Utf8DirEntry::into_path);
    let mut paths: Vec<Utf8PathBuf> = paths.filter(|path| path.extension() == Some("json")).collect();
    paths.sort();
    Ok(paths)
}
