//! Starts a loop, or finds the one that goes on.
//!
//! What happens here happens once: the base is built, the contract is sealed, and from then on nothing that lies in
//! the project decides anything.

use std::collections::BTreeMap;
use std::{fs, io};

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{Base, CommitId, Digest, End, Exhaustion, Fact, LoopId, TreeId};
use gulf_host::clock::{Clock, basic_minute};
use gulf_host::files::{self, Durability};
use gulf_host::git::{Expected, Merged, RefName, Repository};
use gulf_host::home::Name;
use gulf_host::lock::{Lock, LockError};
use gulf_spec::goal::goal_title;
use gulf_spec::own_texts::OWN_TEXTS;

use crate::agreement::{Agreement, RepositoryKind, SealedList, WorkerTerms, engine_digest};
use crate::book::Book;
use crate::branching::BranchingError;
use crate::environment::Ports;
use crate::error::{ReadyError, RunError, RunResult};
use crate::folder::LoopPaths;
use crate::keeping::{last_candidate, note_of_dirty_start};
use crate::place::PlaceOfWork;
use crate::plan::Plan;
use crate::recovery::cut_off;
use crate::resources::Resources;
use crate::snapshot::{WorktreeState, as_it_lies, stamp};
use crate::texts::TEXT_BYTES_MAX;
use crate::unread::unread_text;
use crate::{FORMAT_VERSION, book, builds, edits, held_out, known, masking, ralph, readiness, references};

pub use crate::known::{Damaged, KnownLoop, Loops, loops, same_goal};

const AGAIN: &str = "start a new one with `gulf run`";

/// A loop that this process holds and may drive.
#[derive(Debug)]
pub struct Held {
    pub book: Book,
    pub resources: Resources,
    /// Nobody else works in this checkout meanwhile.
    pub checkout: Lock,
    pub notes: Vec<String>,
}

/// What stands in the way of a new loop.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum StartError {
    #[error("{} in this checkout", who_drives(.id))]
    #[diagnostic(help("{}", who_to_ask(id)))]
    Driven { id: String },
    #[error("the loop {id} is unfinished in this checkout, with another goal")]
    #[diagnostic(help(
        "continue it: `gulf resume {id}`; or end it and start this one: `gulf run --replace …`"
    ))]
    Unfinished { id: String },
    #[error("{path} was changed while the loop {id} worked, and nobody has looked at it since")]
    #[diagnostic(help("read it; then commit it, or `touch {path}`, and it counts"))]
    UnreadText { path: String, id: String },
    #[error("there is no loop called {id} here")]
    #[diagnostic(help("{}", who_is_known(id)))]
    Unknown { id: String },
    #[error("there is no loop here")]
    #[diagnostic(help(
        "start one with `gulf run \"…\"`, or watch `gulf demo`; `gulf list` shows those of the whole repository"
    ))]
    NoLoop,
    #[error("there is no unfinished loop here")]
    #[diagnostic(help("`gulf list` shows all loops"))]
    NothingToResume,
    #[error("the loop {id} has ended as {}", end.word())]
    #[diagnostic(help("{}", again(end)))]
    Over { id: String, end: End },
    #[error("several loops are unfinished here: {}", ids.join(", "))]
    #[diagnostic(help("name one: `gulf resume {}`", ids.first().map_or("LOOP", String::as_str)))]
    Ambiguous { ids: Vec<String> },
    #[error("the worktree of the loop {id} is gone: {path}")]
    #[diagnostic(help("{}", known::restoring(path, branch)))]
    WorktreeGone { id: String, path: Utf8PathBuf, branch: String },
    #[error("the loop {id} works in {path}, which is not there any more")]
    #[diagnostic(help(
        "where the project was moved, move it back to go on; or start a new loop here, and `gulf restore {id} --to DIR` \
         writes the last candidate of this one"
    ))]
    ProjectGone { id: String, path: Utf8PathBuf },
    #[error(transparent)]
    #[diagnostic(transparent)]
    Branching(#[from] BranchingError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Run(#[from] RunError),
}

fn who_to_ask(id: &str) -> String {
    match id {
        "" => "`gulf status` shows it in a moment".to_owned(),
        id => format!("watch it with `gulf log -f {id}`, or end it with `gulf cancel {id}`"),
    }
}

/// An end is final; the work that lies there is not lost.
fn again(end: &End) -> String {
    let End::Exhausted { limit } = end else { return AGAIN.to_owned() };
    let flag = match limit {
        Exhaustion::Iterations => "--max-iterations",
        Exhaustion::Time => "--max-duration",
        Exhaustion::Money => "--max-cost",
        Exhaustion::Tokens => "--max-tokens",
        Exhaustion::Tasks => return AGAIN.to_owned(),
    };
    format!(
        "an end is final; a new loop with the same goal continues from the work as it is: `gulf run {flag} … …`"
    )
}

/// In the instant in which a loop begins it has no name yet.
fn who_is_known(id: &str) -> String {
    let iteration =
        id.parse::<u32>().map(|number| format!("; iteration {number} of the last one is `@{number}`"));
    format!("`gulf list` shows all loops{}", iteration.unwrap_or_default())
}

fn who_drives(id: &str) -> String {
    match id {
        "" => "another gulf process is starting a loop".to_owned(),
        id => format!("the loop {id} is being driven by another gulf process"),
    }
}

/// The checkout's lock lies beside the folder of the repository's loops.
fn handle_of_holder(lock: &Utf8Path, note: &[u8]) -> String {
    let id = String::from_utf8_lossy(note);
    match lock.parent().map(|repository| repository.join("loops")) {
        Some(loops) if !id.is_empty() => known::handle(&loops.join(&*id)),
        Some(_) | None => id.into_owned(),
    }
}

impl From<LockError> for StartError {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Held { path, note } => Self::Driven { id: handle_of_holder(&path, &note) },
            LockError::Failed { .. } => Self::Run(error.into()),
        }
    }
}

/// Takes the checkout for a loop that is to be driven.
pub fn take_checkout(place: &PlaceOfWork, id: &str) -> Result<Lock, StartError> {
    place.repository.create().map_err(RunError::from)?;
    Ok(Lock::try_acquire(&place.checkout_lock(), id.as_bytes())?)
}

/// Opens a loop to be driven by this process.
pub fn hold(place: &PlaceOfWork, name: &Name, checkout: Lock) -> Result<Held, StartError> {
    let folder = place.loop_home(name);
    let (mut book, torn) = Book::open(folder.root())?;
    let agreement = Agreement::open(&folder, &book.state().contract().ok_or(RunError::NoContract)?.digest)?;
    if agreement.repository == RepositoryKind::Own && place.layout.is_none() {
        return Err(place.git_is_gone(&known::handle(folder.root())).into());
    }
    // Nobody else writes there now. What cannot be removed is in nobody's way.
    let _ = files::remove_leftovers(folder.root());
    let mut notes = Vec::new();
    if let Some(torn) = torn {
        let at_ms = book.fold().started_at_ms;
        notes.push(format!("the journal had an unfinished last line; it is kept in {}", torn.kept_at));
        book.add(vec![Fact::TailDropped { bytes: torn.bytes }], at_ms)?;
    }
    let repository = place.open(&folder.git())?;
    let resources = Resources::open(place.home.root(), agreement, folder, repository)?;
    Ok(Held { book, resources, checkout, notes })
}

/// Seals a plan as a new loop.
pub fn start(place: &PlaceOfWork, plan: Plan, clock: &Clock) -> Result<Held, StartError> {
    // Whoever sees a lock without a name takes it for that of any loop.
    start_in(place, plan, take_checkout(place, "")?, clock)
}

/// The same in a checkout that this process holds already.
pub fn start_in(place: &PlaceOfWork, plan: Plan, mut lock: Lock, clock: &Clock) -> Result<Held, StartError> {
    let name = new_name(place, &plan.terms.goal, clock)?;
    lock.say(name.as_str().as_bytes()).map_err(RunError::from)?;
    let folder = place.loop_home(&name);
    folder.create().map_err(RunError::from)?;
    let sealed = refuse_unread(place);
    let sealed = sealed.and_then(|()| Ok(seal(place, plan, &name, clock.wall_ms())?));
    // Where that fails, nothing was promised yet, so nothing of it stays.
    let sealed = sealed.inspect_err(|_| drop(fs::remove_dir_all(folder.root())));
    let (agreement, repository, mut notes) = sealed?;
    let (mut book, _) = Book::open(folder.root())?;
    book.add(vec![Fact::Sealed { contract: Box::new(agreement.contract()?) }], clock.wall_ms())?;
    let resources = Resources::open(place.home.root(), agreement, folder, repository)?;
    notes.retain(|note| !note.is_empty());
    Ok(Held { book, resources, checkout: lock, notes })
}

/// Ends an unfinished loop in favour of another one.
pub fn replace(known: &KnownLoop, clock: &Clock) -> Result<(), StartError> {
    let (mut book, _) = Book::open(known.home.root())?;
    let mut facts = cut_off(book.state(), &known.home)?;
    facts.extend([Fact::CancelAsked, Fact::Finished { end: End::Cancelled }]);
    Ok(book.add(facts, clock.wall_ms())?)
}

type Sealed = (Agreement, Repository, Vec<String>);

fn seal(place: &PlaceOfWork, plan: Plan, name: &Name, at_ms: u64) -> RunResult<Sealed> {
    let folder = &place.loop_home(name);
    let mut repository = place.open(&folder.git())?;
    let Plan { mut terms, mut notes } = plan;
    terms.ralph = terms.ralph.map(|ralph| ralph.in_checkout(&place.project, terms.branching.as_ref()));
    ralph::exclude(&repository, terms.ralph.as_ref())?;
    terms.loop_id = LoopId::new(name.as_str());
    terms.verification.environment = readiness::sealed(&terms.verification.environment, &repository, folder)?;
    // They are given back at once: it is only to be said now, and not in the middle, that there are none.
    let (ports, home) = (&terms.verification.environment.ports, place.home.root());
    Ports::default().variables(ports, home, &place.project).map_err(ReadyError::from)?;
    if place.kind() == RepositoryKind::Own {
        notes.extend(builds::leave_out(&place.project, &repository)?);
    }
    repository.seal_settings()?;
    let earlier = EarlierWork::find(place, &terms)?;
    let base = build_base(&repository, folder, &mut terms, earlier.as_ref(), at_ms, &mut notes)?;
    notes.extend(terms.list.as_ref().and_then(|list| list.note_of_uncommitted(&terms.dirty_paths)));
    // Of a loop on a branch of its own it was said what becomes of them.
    notes.extend(note_of_dirty_start(place, &terms.dirty_paths).filter(|_| terms.landing.is_none()));
    let environment = &terms.verification.environment;
    notes.extend(readiness::notes(environment, &environment.dependency_folders));
    if terms.forked_from.is_some() {
        // A fork is compared with what its origin was compared with.
        let first = RefName::iteration(name.as_str(), 0)?;
        repository.update_ref(&first, &terms.base.commit, &Expected::Anything)?;
    } else {
        terms.base = base;
    }
    held_out::seal(&mut terms.checks, folder)?;
    terms.version = FORMAT_VERSION;
    terms.project.clone_from(&place.project);
    terms.repository = place.kind();
    terms.rubric_text = rubric_text(&place.project, &terms.rubric);
    terms.texts = seal_texts(&place.project, folder)?;
    terms.seal(folder)?;
    references::keep(&repository, folder)?;
    Ok((terms, repository, notes))
}

/// What the file of criteria and checks holds now, where it is there and readable.
pub(crate) fn rubric_text(project: &Utf8Path, rubric: &Utf8Path) -> Option<String> {
    files::read_text(&project.join(rubric), TEXT_BYTES_MAX).ok().map(|text| text.content)
}

/// The start as a commit: what lies in the worktree, uncommitted changes included (SPEC G2). What else lies there goes into
/// the terms.
fn build_base(
    repository: &Repository,
    folder: &LoopPaths,
    terms: &mut Agreement,
    earlier: Option<&EarlierWork>,
    at_ms: u64,
    notes: &mut Vec<String>,
) -> RunResult<Base> {
    let (name, caches) = (terms.loop_id.as_str(), &terms.verification.environment.caches);
    let message = format!("gulf: where {name} started\n");
    // The first candidate goes on with this index: it holds the base then.
    let WorktreeState { commit, tree, head, head_tree, left_out, dependency_folders } =
        as_it_lies(repository, &folder.index(), caches, &message, at_ms)?;
    edits::note_tree(folder, &tree);
    notes.extend(left_out.into_iter().map(|what| format!("not part of any candidate: {what}")));
    let first = RefName::iteration(name, 0)?;
    let (commit, tree, dirty) = if let WorkerTerms::Adopted { base_branch, .. } = &terms.worker
        && let Some(commit) = committed_before(repository, base_branch)?
    {
        // The work has begun already: what is uncommitted is part of it.
        (commit.clone(), repository.tree_of(&commit)?, Vec::new())
    } else if let Some(earlier) = earlier
        && let Some(before) = earlier.taken_out(repository, &tree, &head_tree)?
    {
        let handle = &earlier.handle;
        notes.push(format!("goes on with the change of {handle}, and answers for it as for its own"));
        let parents: Vec<&CommitId> = head.iter().collect();
        let commit = repository.commit(&before, &parents, &message, stamp(at_ms))?;
        let dirty = repository.diff(&head_tree, &before)?;
        let list = earlier.list.as_ref().map(|list| list.in_tree(repository, &before)).transpose()?.flatten();
        if let (Some(ralph), Some(list)) = (&mut terms.ralph, list) {
            ralph.list = Some(list);
        }
        (commit, before, dirty)
    } else {
        let dirty = repository.diff(&head_tree, &tree)?;
        (commit, tree, dirty)
    };
    repository.update_ref(&first, &commit, &Expected::Anything)?;
    terms.head = head;
    terms.dirty_paths = dirty.iter().map(|change| change.path.to_string()).collect();
    terms.verification.environment.dependency_folders = dependency_folders;
    Ok(Base { commit, tree })
}

/// A worker must not say what the next loop is held to.
pub(crate) fn refuse_unread(place: &PlaceOfWork) -> Result<(), StartError> {
    match unread_text(place)? {
        Some((path, id)) => Err(StartError::UnreadText { path: path.to_owned(), id }),
        None => Ok(()),
    }
}

/// What the last loop with this goal left in this checkout, if it neither landed nor was discarded: the next one goes on
/// with it. Taken for a person's own, it would be missing from the commit, and no gate would look at it.
struct EarlierWork {
    handle: String,
    base: TreeId,
    candidate: TreeId,
    list: Option<SealedList>,
}

impl EarlierWork {
    fn find(place: &PlaceOfWork, terms: &Agreement) -> RunResult<Option<Self>> {
        if terms.forked_from.is_some() || terms.landing.is_some() || place.kind() != RepositoryKind::Own {
            return Ok(None);
        }
        let last = known::left_here(place, &terms.goal)?.filter(|last| !last.is_unfinished());
        let Some(last) = last else { return Ok(None) };
        let agreement = last.agreement()?;
        let candidate = last_candidate(&book::read(last.home.root())?);
        let is_here = agreement.repository == RepositoryKind::Own && agreement.landing.is_none();
        Ok(candidate.filter(|_| is_here).map(|candidate| Self {
            handle: last.handle(),
            base: agreement.base.tree,
            candidate: candidate.tree,
            list: agreement.ralph.and_then(|ralph| ralph.list),
        }))
    }

    /// What lies there without it; none where it is in a commit, is gone, or was changed since beyond telling apart.
    fn taken_out(&self, repository: &Repository, lies: &TreeId, head: &TreeId) -> RunResult<Option<TreeId>> {
        let without = |tree: &TreeId| match repository.merge_trees(&self.candidate, tree, &self.base)? {
            Merged::Clean(without) => Ok::<_, RunError>(Some(without)),
            Merged::Conflict(_) | Merged::Unrelated => Ok(None),
        };
        if without(head)?.is_none_or(|without| without != *head) {
            return Ok(None);
        }
        Ok(without(lies)?.filter(|without| without != lies))
    }
}

/// Where the branch that is worked on left its base; the branch's own commit where that is not known.
fn committed_before(repository: &Repository, base_branch: &str) -> RunResult<Option<CommitId>> {
    for name in [format!("origin/{base_branch}"), base_branch.to_owned()] {
        if let Some(commit) = repository.merge_base(&name)? {
            return Ok(Some(commit));
        }
    }
    Ok(repository.head_commit()?)
}

/// Keeps what the loop's texts hold at the start, and their digests.
pub(crate) fn seal_texts(project: &Utf8Path, folder: &LoopPaths) -> RunResult<BTreeMap<String, Digest>> {
    let mut texts = BTreeMap::new();
    for text in OWN_TEXTS.iter().filter(|text| !text.path.ends_with('/')) {
        let Ok(bytes) = files::read_bytes(&project.join(text.path), TEXT_BYTES_MAX) else { continue };
        files::keep(&folder.sealed_texts().join(text.path), &bytes, Durability::Buffered)?;
        texts.insert(text.path.to_owned(), engine_digest(&bytes));
    }
    Ok(texts)
}

// What a loop is called on disk: the minute it began in, and the first words of its goal.

/// How long a loop's name may be, of the goal's words.
const SLUG_CHARS_MAX: usize = 40;
/// So many loops may start in one minute with one goal.
const SAME_NAME_MAX: u32 = 1000;

/// A name that no loop has, and from now on this one: the minute, and the goal's first words.
fn new_name(place: &PlaceOfWork, goal: &str, clock: &Clock) -> RunResult<Name> {
    let first = format!("{}_{}", basic_minute(clock.wall_ms()), slug(goal));
    for number in 1..SAME_NAME_MAX {
        let text = if number == 1 { first.clone() } else { format!("{first}-{number}") };
        let name = Name::parse(&text).map_err(|source| RunError::Name { source })?;
        let home = place.loop_home(&name);
        // Loops of one repository may be started at the same time, each in a checkout of its own.
        match fs::create_dir(home.root()) {
            Ok(()) => return Ok(name),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(source) => return Err(RunError::Directory { path: home.root().to_owned(), source }),
        }
    }
    Err(RunError::NoFreeName { name: first })
}

/// A name stands in folders, commits and addresses, where nothing masks it any more.
fn slug(goal: &str) -> String {
    let goal = masking::of_this_process().text(goal_title(goal));
    let words = goal.split(|character: char| !character.is_alphanumeric());
    let mut slug = String::new();
    for word in words.filter(|word| !word.is_empty()) {
        if slug.chars().count() + word.chars().count() >= SLUG_CHARS_MAX {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(&word.to_lowercase());
    }
    if slug.is_empty() { "loop".to_owned() } else { slug }
}

#[cfg(test)]
mod tests;
