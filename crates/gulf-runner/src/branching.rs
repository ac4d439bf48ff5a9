//! A loop with a branch of its own: where it starts, where its work lands, and what of the person's is no part of it
//! (SPEC G17).
//!
//! Everything here is looked at before anything is made: a start that is refused leaves nothing behind.

mod adopted;
mod beginning;

use std::num::NonZeroU32;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::ReadError;
use gulf_host::git::{self, BranchName, Fetch, GitError, RemoteBranch, Repository};
use gulf_host::secret::at_home;
use gulf_spec::config::{LandingSettings, Push};
use gulf_spec::own_texts::own_text;
use gulf_spec::text::listed;

use crate::agreement::{Agreement, LandingPlace, LandingTerms, PushTerms, REMOTES};
use crate::error::{RunError, of_the_world};
use crate::landing::RemoteBase;
use crate::place::PlaceOfWork;
use crate::snapshot::as_it_lies;
use crate::texts::AUTOCHECKS;

pub use crate::agreement::{Branching, GroupSelection, GroupWorker, short};
pub use adopted::as_the_marker_says;
pub use beginning::{Site, begin, clear_away};

/// Who a loop without a branch of its own is, in the merge's message.
const BY_HAND: &str = "by hand";
/// How the branches are called that gulf makes for loops.
const OWN: [&str; 2] = ["gulf/auto-", "gulf/parallel-"];
/// Paths that a note names one by one.
const NAMED_MAX: usize = 8;

/// From where loops start and where they land.
#[derive(Clone, Debug)]
pub struct StartingPoint {
    /// In full: `refs/heads/main`.
    pub base: String,
    pub at: git::CommitId,
    pub place: LandingPlace,
    pub push: Option<PushTerms>,
    /// What a person should know before it starts.
    pub notes: Vec<String>,
    /// The checkout, or the folder, with the texts of the person's that no commit has.
    pub(crate) texts: Utf8PathBuf,
    pub(crate) repository: Repository,
}

/// Where worktrees may lie instead.
const ELSEWHERE: &str = "name another folder for worktrees: `worktrees = \"~/worktrees\"` under [environment] in gulf.toml, \
                         or GULF_ENVIRONMENT_WORKTREES";

/// Where no other error is named, it is a [`BranchingError`].
type Result<T, E = BranchingError> = std::result::Result<T, E>;

/// Why no loop with a branch of its own can start here.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum BranchingError {
    #[error("a loop with a branch of its own needs git, and {project} is no repository")]
    #[diagnostic(help("`git init`, and a first commit; or take the preset basic"))]
    NeedsGit { project: Utf8PathBuf },
    #[error("no starting point for the loop: {why}")]
    #[diagnostic(help("{hint}; or name a branch: `--base-branch NAME`"))]
    Nowhere { why: String, hint: &'static str },
    #[error("there is no branch {name}")]
    #[diagnostic(help("`git branch --all` lists them; a remote's is called `origin/main`"))]
    NoSuchBranch { name: String },
    #[error("{base} is a remote branch: work reaches it only by a push")]
    #[diagnostic(help(
        "add `--push`: `--base-branch {base} --push`; or land here and push nothing: `--base-branch {local}`"
    ))]
    NeedsPush { base: String, local: String },
    #[error("{base} is a remote branch, but in place a loop starts from a local one")]
    #[diagnostic(help("leave `--in-place` out: the loop works in a worktree of its own"))]
    RemoteInPlace { base: String },
    #[error("{remote} does not say where {base} is: {words}")]
    #[diagnostic(help(
        "`git fetch {remote}` shows whether it answers you; gulf is never asked for a password, so let an agent or a credential helper know it"
    ))]
    RemoteAway { base: String, remote: String, words: String },
    #[error("no push destination is known for {base}")]
    #[diagnostic(help(
        "let it follow a remote's branch, `git branch --set-upstream-to=origin/main`; or leave out `--push` or `--pull-request`"
    ))]
    NoRemote { base: String },
    #[error("{words} is in progress in this checkout")]
    #[diagnostic(help(
        "end it first; `gulf run` without `--in-place` works elsewhere, and touches nothing here"
    ))]
    InProgress { words: &'static str },
    #[error("in place the loop starts from what is checked out, and that is {head}, not {base}")]
    #[diagnostic(help("`git switch {base}` first; `gulf run` without `--in-place` works elsewhere"))]
    NotOnBase { head: String, base: String },
    #[error("{AUTOCHECKS} is not committed, so what lands could not be checked with it")]
    #[diagnostic(help("commit it first, or remove it"))]
    AutochecksUncommitted,
    #[error(
        "the list {path} is not committed to {base} as it lies here, and the loop starts from the commit"
    )]
    #[diagnostic(help(
        "commit it first (`git add -f '{path}'`, then `git commit`); or let the loop work in this checkout: `gulf run --preset basic`"
    ))]
    ListElsewhere { path: String, base: String },
    #[error("cannot make the folder {path}")]
    #[diagnostic(help("{ELSEWHERE}"))]
    Folder { path: Utf8PathBuf, source: std::io::Error },
    #[error("the folder for worktrees, {path}, is inside the repository")]
    #[diagnostic(help("{ELSEWHERE}"))]
    Inside { path: Utf8PathBuf },
    #[error(transparent)]
    #[diagnostic(transparent)]
    Run(#[from] RunError),
}

of_the_world!(BranchingError::Run: GitError, ReadError);

/// Looks from where a loop would start and where its work would land; nothing is moved.
pub fn starting_point(place: &PlaceOfWork, settings: &LandingSettings, at_ms: u64) -> Result<StartingPoint> {
    let (repository, standing) = opened(place)?;
    let (base, at, push) = base(&repository, settings, &standing)?;
    if settings.place == LandingPlace::InPlace {
        stays_here(&repository, &standing, &base)?;
    }
    let (texts, none) = (place.project.clone(), Vec::new());
    let point = StartingPoint { base, at, place: settings.place, push, notes: none, texts, repository };
    Ok(StartingPoint { notes: notes(place, &point, at_ms)?, ..point })
}

/// Where the work of a loop that is over lands: where that was agreed on, unless a person names another branch.
pub fn lands_on(
    place: &PlaceOfWork,
    agreement: &Agreement,
    settings: &LandingSettings,
) -> Result<LandingTerms> {
    let (repository, standing) = opened(place)?;
    let named = |base: &str| LandingSettings { base: Some(base.to_owned()), ..settings.clone() };
    let agreed = agreement.landing.as_ref();
    let (base, _, push) = match agreed.filter(|_| settings.base.is_none()) {
        Some(terms) if terms.push.is_some() || settings.push == Push::Never => return Ok(terms.clone()),
        Some(terms) => base(&repository, &named(&terms.base), &standing)?,
        None => base(&repository, settings, &standing)?,
    };
    let by_hand = || (format!("refs/heads/{}", agreement.loop_id), BY_HAND.to_owned());
    let (branch, label) = agreed.map_or_else(by_hand, |terms| (terms.branch.clone(), terms.label.clone()));
    Ok(LandingTerms { base, branch, place: LandingPlace::Worktree, push, lanes: NonZeroU32::MIN, label })
}

/// The person's repository, and where their checkout stands in it.
fn opened(place: &PlaceOfWork) -> Result<(Repository, git::Head)> {
    if place.layout.is_none() {
        return Err(BranchingError::NeedsGit { project: place.project.clone() });
    }
    place.repository.create().map_err(RunError::from)?;
    let repository = place.open(&private(place))?;
    let standing = repository.head()?;
    Ok((repository, standing))
}

/// The branch that is checked out here, with a commit or without.
pub fn checked_out(place: &PlaceOfWork) -> Result<Option<BranchName>> {
    place.repository.create().map_err(RunError::from)?;
    Ok(match place.open(&private(place))?.head()? {
        git::Head::Branch { name, .. } | git::Head::Unborn { name } => Some(name),
        git::Head::Detached { .. } => None,
    })
}

/// Is this branch checked out where the loop worked?
pub fn stands_on(place: &PlaceOfWork, agreement: &Agreement, branch: &str) -> Result<bool> {
    let repository = place.open(&private(place))?;
    let Ok(branch) = BranchName::parse(branch) else { return Ok(false) };
    Ok(repository.where_checked_out(&branch)?.iter().any(|one| one.path == agreement.project))
}

impl StartingPoint {
    /// Where a loop may stand: a branch that is not there yet, and a folder beside the repository, both ending in
    /// these words; in place the person's checkout.
    pub fn site(&self, branch: &str, folder: &Utf8Path) -> Result<Site> {
        let (branch, path) = self.repository.free_names(&BranchName::from_short_name(branch)?, folder)?;
        Ok(Site {
            branch: branch.as_str().to_owned(),
            path: match self.place {
                LandingPlace::Worktree => path,
                LandingPlace::InPlace => self.repository.work_tree().to_owned(),
            },
            at: self.at.clone(),
            place: self.place,
            base: self.base.clone(),
        })
    }

    /// Is nothing there that has one of its names?
    fn is_free(&self, site: &Site) -> Result<bool> {
        let (branch, path) = self.repository.free_names(&site.branch()?, &site.path)?;
        Ok(branch.as_str() == site.branch && path == site.path)
    }
}

/// gulf's own git directory for what is done before there is a loop.
fn private(place: &PlaceOfWork) -> Utf8PathBuf {
    place.repository.root().join("branching.git")
}

type LandingTarget = (String, git::CommitId, Option<PushTerms>);

fn base(repository: &Repository, settings: &LandingSettings, standing: &git::Head) -> Result<LandingTarget> {
    let nowhere = || {
        let (why, hint) = repository.lacks_branch(standing).unwrap_or_default();
        BranchingError::Nowhere { why, hint }
    };
    let local = match (&settings.base, standing) {
        (Some(name), _) => BranchName::parse(name).or_else(|_| BranchName::from_short_name(name)).ok(),
        (None, git::Head::Branch { name, .. }) => Some(name.clone()),
        (None, git::Head::Unborn { .. } | git::Head::Detached { .. }) => {
            return Err(nowhere());
        }
    };
    if let Some(local) = local
        && let Some(branch) = repository.real_branch(&local)?
        && let Some(at) = repository.read_branch(&branch)?
    {
        let push = (settings.push == Push::Asked).then(|| pushed_to(repository, &branch)).transpose()?;
        return Ok((branch.as_str().to_owned(), at, push));
    }
    let name = settings.base.clone().unwrap_or_default();
    if let Some(there) = repository.remote_branch(name.strip_prefix(REMOTES).unwrap_or(&name))? {
        return remote_base(repository, settings, &there);
    }
    let is_here = matches!(standing, git::Head::Unborn { name: unborn } if unborn.short() == name);
    Err(if is_here { nowhere() } else { BranchingError::NoSuchBranch { name } })
}

/// A remote's branch, where the remote says that it is now.
fn remote_base(
    repository: &Repository,
    settings: &LandingSettings,
    there: &RemoteBranch,
) -> Result<LandingTarget> {
    let short = format!("{}/{}", there.remote, there.branch);
    let base = format!("{REMOTES}{short}");
    match settings.push {
        Push::Asked => {}
        Push::Never if repository.find_commit(&base)?.is_none() => {
            return Err(BranchingError::NoSuchBranch { name: short });
        }
        Push::Never => {
            return Err(BranchingError::NeedsPush { base: short, local: there.branch.short().to_owned() });
        }
    }
    if settings.place == LandingPlace::InPlace {
        return Err(BranchingError::RemoteInPlace { base: short });
    }
    let push = push_terms(repository, there, &short)?;
    match RemoteBase::new(&base, &push)?.fetch(repository)? {
        Fetch::Fetched { commit } => Ok((base, commit, Some(push))),
        Fetch::Absent => Err(BranchingError::NoSuchBranch { name: short }),
        Fetch::Unreachable { words } => {
            Err(BranchingError::RemoteAway { base: short, remote: there.remote.clone(), words })
        }
    }
}

/// What the branch follows, else the branch of the same name at `origin`.
fn pushed_to(repository: &Repository, branch: &BranchName) -> Result<PushTerms> {
    let usual = || RemoteBranch { remote: "origin".to_owned(), branch: branch.clone() };
    push_terms(repository, &repository.remote_of(branch)?.unwrap_or_else(usual), branch.short())
}

fn push_terms(repository: &Repository, there: &RemoteBranch, base: &str) -> Result<PushTerms> {
    let none = || BranchingError::NoRemote { base: base.to_owned() };
    let remote = repository.remote(&there.remote)?.ok_or_else(none)?;
    Ok(PushTerms { remote: remote.name, url: remote.push_url, branch: there.branch.as_str().to_owned() })
}

/// The loop's branch is to be checked out where the base is, with all that lies there.
fn stays_here(repository: &Repository, standing: &git::Head, base: &str) -> Result<()> {
    let here = repository.worktrees()?.into_iter().find(|one| one.path == repository.work_tree());
    if let Some(operation) = here.and_then(|here| here.operation) {
        return Err(BranchingError::InProgress { words: operation.description });
    }
    let head = match standing {
        git::Head::Branch { name, .. } if name.as_str() == base => return Ok(()),
        git::Head::Branch { name, .. } => name.short(),
        git::Head::Unborn { .. } | git::Head::Detached { .. } => "no branch",
    };
    Err(BranchingError::NotOnBase { head: head.to_owned(), base: short(base).to_owned() })
}

/// What is uncommitted here, and what that means.
fn notes(place: &PlaceOfWork, point: &StartingPoint, at_ms: u64) -> Result<Vec<String>> {
    let StartingPoint { base, repository, .. } = point;
    let index = place.repository.root().join(format!("branching-{}.index", std::process::id()));
    let lying = as_it_lies(repository, &index, &[], "gulf: what lies in the checkout\n", at_ms);
    git::forget_index(&index);
    let lying = lying?;
    let in_place = point.place == LandingPlace::InPlace;
    let changes = repository.diff(&lying.head_tree, &lying.tree)?;
    let paths: Vec<String> = changes.iter().map(|change| change.path.to_string()).collect();
    if paths.iter().any(|path| path == AUTOCHECKS) {
        return Err(BranchingError::AutochecksUncommitted);
    }
    // What a person writes for gulf is sealed as it lies here, committed or not.
    let paths: Vec<String> = paths.into_iter().filter(|path| own_text(path).is_none()).collect();
    let (mut notes, named) = (Vec::new(), listed(&paths, NAMED_MAX));
    if !paths.is_empty() && in_place {
        notes.push(format!("uncommitted here, and taken along on the loop's branch: {named}"));
    } else if !paths.is_empty() {
        notes.push(format!("uncommitted here, and no part of the loop: {named}"));
    }
    if OWN.iter().any(|own| short(base).starts_with(own)) {
        notes.push(format!(
            "{0} is an earlier loop's own branch, and what this one does lands there; if that is not meant, cancel it \
             and begin on another",
            short(base)
        ));
    }
    let Ok(branch) = BranchName::parse(base) else { return Ok(notes) };
    for other in repository.where_checked_out(&branch)?.into_iter().filter(|_| !in_place) {
        if other.path == place.project && !paths.is_empty() {
            notes.push(format!(
                "{} is checked out here: landing waits until your changes are committed or set aside",
                branch.short()
            ));
        } else if other.path != place.project {
            notes.push(format!(
                "{} is checked out at {}: landing brings the files there forward, where nothing is uncommitted",
                branch.short(),
                other.path
            ));
        }
    }
    Ok(notes)
}

/// The folder in which worktrees are made: beside the repository, unless somebody named another.
pub fn worktrees_folder(project: &Utf8Path, said: Option<&str>) -> Result<Utf8PathBuf> {
    let folder = match said {
        None => project.parent().unwrap_or(project).to_owned(),
        Some(said) => project.join(at_home(Utf8Path::new(said))),
    };
    let failed = |source| BranchingError::Folder { path: folder.clone(), source };
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let folder = folder.canonicalize_utf8().map_err(failed)?;
    if folder.starts_with(project) {
        return Err(BranchingError::Inside { path: folder });
    }
    Ok(folder)
}
