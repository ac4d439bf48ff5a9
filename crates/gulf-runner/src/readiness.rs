//! Makes a fresh checkout ready: dependency folders, private files, links, and the set-up where it is due.
//!
//! A worker's worktree and the rooms of checks must be given the same, on the same terms: what the person's checkout
//! held at the start, and nothing that a worker made.

use std::collections::BTreeMap;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, Durability, ReadError};
use gulf_host::git::{self, GitError, Repository, TreePath};
use gulf_host::process::{Ending, ProcessOutcome, ProcessRequest, Program, ShimProgram};
use gulf_host::provision::private::{self, Placed, PrivateError, PrivateFile};
use gulf_host::provision::{How, Provided, ProvisionRequest, find_folders, ignores_itself, provision};
use gulf_spec::config::{Config, Key};
use gulf_spec::detect::Detected;
use gulf_spec::environment::{Selection, WORKTREE_INCLUDE, worktree_include};
use gulf_spec::own_texts::own_text;

use crate::agreement::{EnvironmentTerms, PortTerms, SetupBy, engine_digest};
use crate::environment::{Environment, Ports};
use crate::error::{FILES_MAX, Failure, ReadyError, Result, RunError};
use crate::folder::LoopPaths;
use crate::program;
use crate::stop::Stop;
use crate::texts::source;

/// Where folders are staged before they get their name: in a folder that never enters a candidate.
const STAGING: &str = ".gulf/staging";

/// Says which of some paths git ignores in the person's checkout.
type Ignored<'question> = dyn Fn(&[String]) -> Result<Vec<String>, GitError> + 'question;

/// A worktree that was just made at a commit.
#[derive(Debug)]
pub struct FreshCheckout<'request> {
    /// The repository as opened in the person's checkout; the worktree shares its configuration.
    pub repository: &'request Repository,
    pub checkout: &'request Utf8Path,
    /// What it is given; they name the person's checkout.
    pub terms: &'request EnvironmentTerms,
    /// `$GULF_HOME`.
    pub home: &'request Utf8Path,
    /// This process's own.
    pub environment: &'request Environment,
    pub shim: &'request ShimProgram,
    /// Where the set-up's output is kept, outside of the checkout.
    pub log: &'request Utf8Path,
    /// The processes of the set-up carry it.
    pub mark: String,
    pub stop: &'request Stop,
}

impl EnvironmentTerms {
    /// The paths that a checkout is given and that are never part of the work.
    pub fn private_paths(&self) -> Vec<String> {
        let links = self.links.iter().map(|path| path.trim_end_matches('/').to_owned());
        self.copied.keys().cloned().chain(links).collect()
    }

    /// Puts the sealed files and the links into a room that stands at its commit; what the commit has there stands.
    pub(crate) fn furnish(&self, folder: &LoopPaths, room: &Utf8Path) -> Result<(), ReadyError> {
        let root = folder.sealed_files();
        for (path, digest) in &self.copied {
            let file = PrivateFile::read(&root, path, self.copy_bytes_max)?;
            if engine_digest(file.bytes()) != *digest {
                return Err(ReadyError::Changed { path: root.join(path) });
            }
            file.place(room, path)?;
        }
        link(self, room).map(drop)
    }

    /// Takes out of a room what [`Self::furnish`] has put there, and whatever a check put in its place.
    pub(crate) fn clear_out(&self, room: &Utf8Path) -> Result<(), ReadyError> {
        Ok(self.private_paths().iter().try_for_each(|path| private::clear(room, path))?)
    }
}

/// What was agreed about fresh checkouts of this person's checkout; nothing is selected yet.
pub fn terms(person: &Utf8Path, config: &Config, detected: Detected) -> Result<EnvironmentTerms, RunError> {
    let include = source(&person.join(WORKTREE_INCLUDE), WORKTREE_INCLUDE)?;
    let include = include.iter().flat_map(|include| worktree_include(include.text()));
    let include = include.map(str::to_owned).collect();
    let variables = config.list(Key::EnvironmentPorts).to_vec();
    let (setup, ports) =
        (config.optional_text(Key::EnvironmentSetup), config.ports(Key::EnvironmentPortRange));
    Ok(EnvironmentTerms {
        person: person.to_owned(),
        copy: config.list(Key::EnvironmentCopy).to_vec(),
        include,
        links: config.list(Key::EnvironmentLink).to_vec(),
        caches: config.list(Key::EnvironmentCache).to_vec(),
        setup_by: if setup.is_some() { SetupBy::Person } else { SetupBy::Detection },
        setup: setup.map(str::to_owned).or(detected.setup_command),
        setup_timeout_ms: config.milliseconds(Key::EnvironmentSetupTimeout).unwrap_or(u64::MAX),
        lockfiles: detected.lockfiles,
        copy_bytes_max: config.size(Key::EnvironmentCopyLimit),
        ports: PortTerms { variables, first: ports.first, last: ports.last },
        dependency_folders: Vec::new(),
        copied: BTreeMap::new(),
    })
}

/// The terms with the files that they select now, kept in the loop's own folder: from there every room gets them,
/// whatever becomes of those in the checkouts.
pub(crate) fn sealed(
    terms: &EnvironmentTerms,
    repository: &Repository,
    folder: &LoopPaths,
) -> Result<EnvironmentTerms, ReadyError> {
    let ignored = |paths: &[String]| {
        if terms.person != repository.work_tree() {
            return git::ignored_paths(&terms.person, paths);
        }
        // Also right where gulf keeps the repository itself; nothing is tracked in an index that is not there.
        let (paths, index) = (tree_paths(paths)?, folder.root().join("nothing.index"));
        let ignored = repository.ignored(repository.work_tree(), &index, &paths)?;
        Ok(ignored.iter().map(ToString::to_string).collect())
    };
    let root = folder.sealed_files();
    let mut copied = BTreeMap::new();
    copy_each(terms, &selected(terms, &ignored)?, |path, file| {
        copied.insert(path.to_owned(), engine_digest(file.bytes()));
        files::create_private_directories(&root, Durability::Buffered)?;
        private::clear(&root, path)?;
        Ok(file.place(&root, path)?)
    })?;
    Ok(EnvironmentTerms { copied, ..terms.clone() })
}

/// What a person should be told about files, folders and links that no checkout gets.
pub(crate) fn notes(terms: &EnvironmentTerms, folders: &[String]) -> Vec<String> {
    let is_provided =
        |cache: &str| folders.iter().any(|folder| Utf8Path::new(cache).starts_with(folder.as_str()));
    let caches = terms.caches.iter().map(|cache| cache.trim_end_matches('/'));
    let caches = caches.filter(|cache| terms.person.join(cache).is_dir() && !is_provided(cache));
    let caches = caches
        .map(|cache| format!("{cache} (environment.cache) is not ignored by git: it stays part of the work"));
    let links = terms.links.iter().filter(|link| !terms.person.join(link).exists());
    let links = links.map(|link| format!("{link} (environment.link) is not there: no checkout gets it"));
    let copies = terms.copy.iter().filter(|pattern| names_nothing(terms, pattern));
    let copies = copies
        .map(|copy| format!("{copy} (environment.copy) is no file of the project: no checkout gets it"));
    copies.chain(caches).chain(links).collect()
}

/// Files that git tracks are in every checkout, and what only takes back what others select names none.
fn names_nothing(terms: &EnvironmentTerms, pattern: &str) -> bool {
    let Ok(selection) = Selection::new([pattern]) else { return false };
    let is_copied = || terms.copied.keys().any(|path| selection.selects(path));
    let found = || private::find(&terms.person, |path| selection.selects(path));
    !selection.is_empty() && !is_copied() && found().is_ok_and(|found| found.is_empty())
}

/// Gives a fresh worktree what its terms say; gives what a person should be told. After an error the worktree is half made:
/// whoever made it removes it.
pub fn make_ready(request: &FreshCheckout<'_>) -> Result<Vec<String>, ReadyError> {
    let FreshCheckout { repository, checkout, terms, .. } = *request;
    let ignored = |paths: &[String]| git::ignored_paths(&terms.person, paths);
    let selected = selected(terms, &ignored)?;
    let found = find_folders(&terms.person, &terms.caches)?.into_iter();
    let (own, asked): (Vec<_>, Vec<_>) = found.partition(|folder| ignores_itself(&terms.person, folder));
    let mut folders = ignored(&asked.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    folders.extend(own.iter().map(ToString::to_string));
    let provided = provision(&ProvisionRequest {
        work_tree: &terms.person,
        checkout,
        staging: &checkout.join(STAGING),
        folders: &tree_paths(&folders)?,
        bytes_max: terms.copy_bytes_max,
    })
    .map_err(|source| ReadyError::Folders { source })?;
    if let Some(folder) = Utf8Path::new(STAGING).parent() {
        // Nothing is left of it, unless the commit has something there.
        let _ = std::fs::remove_dir(checkout.join(folder));
    }
    let mut copied = Vec::new();
    copy_each(terms, &selected, |path, file| {
        let placed = file.place(checkout, path)?;
        copied.extend((placed == Placed::There).then(|| path.to_owned()));
        Ok(placed)
    })?;
    let linked = link(terms, checkout)?;
    hide(repository, checkout, copied.iter().chain(&linked))?;
    let mut notes = notes(terms, &folders);
    match set_up_if_due(request, &provided) {
        Err(ReadyError::SetUp { command, why, log }) if terms.setup_by == SetupBy::Detection => {
            // The checks say whether anything is missing; they may need nothing of it.
            notes.push(format!(
                "`{command}`, which gulf took for the set-up, failed ({why}): the loop begins without it; all of it: {log}"
            ));
        }
        set_up => set_up?,
    }
    Ok(notes)
}

/// The files of the person's checkout that fresh ones get.
fn selected(terms: &EnvironmentTerms, ignored: &Ignored<'_>) -> Result<Vec<String>, ReadyError> {
    let pattern = |source| ReadyError::Pattern { source };
    let asked = Selection::new(terms.copy.iter().map(String::as_str)).map_err(pattern)?;
    let included = Selection::new(terms.include.iter().map(String::as_str)).map_err(pattern)?;
    look_at_links(terms, ignored)?;
    if asked.is_empty() && included.is_empty() {
        return Ok(Vec::new());
    }
    let is_given = |path: &str| terms.links.iter().any(|link| Utf8Path::new(path).starts_with(link));
    let mut found = private::find(&terms.person, |path| {
        (asked.selects(path) || included.selects(path)) && own_text(path).is_none() && !is_given(path)
    })?;
    let tracked = git::tracked_paths(&terms.person, &found)?;
    found.retain(|path| !tracked.contains(path));
    let ignored = ignored(&found)?;
    if let Some(path) = found.iter().find(|path| asked.selects(path) && !ignored.contains(path)) {
        return Err(ReadyError::NotIgnored { path: path.clone() });
    }
    found.retain(|path| ignored.contains(path));
    if found.len() > FILES_MAX { Err(ReadyError::TooMany) } else { Ok(found) }
}

/// Refuses links in whose place a commit has something, or may get something.
fn look_at_links(terms: &EnvironmentTerms, ignored: &Ignored<'_>) -> Result<(), ReadyError> {
    let links = terms.links.iter().map(|path| path.trim_end_matches('/').to_owned());
    let there: Vec<String> = links.filter(|path| terms.person.join(path).exists()).collect();
    if there.is_empty() {
        return Ok(());
    }
    if let Some(path) = git::tracked_paths(&terms.person, &there)?.into_iter().next() {
        return Err(ReadyError::LinkTracked { path });
    }
    let ignored = ignored(&there)?;
    match there.into_iter().find(|path| !ignored.contains(path)) {
        Some(path) => Err(ReadyError::LinkNotIgnored { path }),
        None => Ok(()),
    }
}

/// Reads each selected file and hands it on, as long as all together are not too large.
fn copy_each(
    terms: &EnvironmentTerms,
    selected: &[String],
    mut hand_on: impl FnMut(&str, &PrivateFile) -> Result<Placed, ReadyError>,
) -> Result<(), ReadyError> {
    let mut left = terms.copy_bytes_max;
    for path in selected {
        let file = match PrivateFile::read(&terms.person, path, left) {
            Err(PrivateError::Read(ReadError::TooLarge { .. })) => {
                return Err(ReadyError::TooLarge { bytes_max: terms.copy_bytes_max });
            }
            other => other?,
        };
        left -= file.bytes().len() as u64;
        hand_on(path, &file)?;
    }
    Ok(())
}

fn link(terms: &EnvironmentTerms, checkout: &Utf8Path) -> Result<Vec<String>, ReadyError> {
    let mut linked = Vec::new();
    for path in terms.links.iter().map(|path| path.trim_end_matches('/')) {
        let target = terms.person.join(path);
        if target.exists() && private::place_link(checkout, path, &target)? == Placed::There {
            linked.push(path.to_owned());
        }
    }
    Ok(linked)
}

/// What the person's checkout ignores, the worktree must ignore too: its commit may have older ignore rules, and a rule
/// for a folder does not mean a link. Lines of `info/exclude` hold in all worktrees, and change nothing where the path
/// is ignored already.
fn hide<'paths>(
    repository: &Repository,
    checkout: &Utf8Path,
    given: impl Iterator<Item = &'paths String>,
) -> Result<(), ReadyError> {
    let given: Vec<String> = given.cloned().collect();
    let ignored = git::ignored_paths(checkout, &given)?;
    let lines: Vec<String> =
        given.iter().filter(|path| !ignored.contains(path)).map(|path| git::exclude_line(path)).collect();
    Ok(repository.exclude(&lines.iter().map(String::as_str).collect::<Vec<_>>())?)
}

/// Runs the set-up where a dependency folder is missing, or was made for another lockfile.
fn set_up_if_due(request: &FreshCheckout<'_>, provided: &[Provided]) -> Result<(), ReadyError> {
    let FreshCheckout { checkout, terms, .. } = *request;
    let Some(command) = &terms.setup else { return Ok(()) };
    if are_complete(provided) && lockfiles(terms, &terms.person) == lockfiles(terms, checkout) {
        return Ok(());
    }
    let ports = Ports::default().variables(&terms.ports, request.home, checkout)?;
    let environment = request.environment.for_check(&terms.person, checkout, ports);
    let log = (request.log.to_owned(), request.mark.clone());
    let timeout = Duration::from_millis(terms.setup_timeout_ms);
    let process = program::request(Program::Shell(command.clone()), checkout, environment, log, timeout);
    match run_set_up(command, process, request.shim, request.stop) {
        Ok(None) => Ok(()),
        Ok(Some(failed)) => Err(failed.error()),
        Err(Failure::Stopped) => Err(ReadyError::Stopped),
        Err(failure @ (Failure::World(_) | Failure::Refused(_))) => {
            Err(ReadyError::NotRun { why: crate::error::in_full(&failure) })
        }
    }
}

// The set-up of a checkout: when it is due, how it is run, and what is said when it fails.

/// How much of a set-up's output's end is searched for the line that says why.
const SAID_BYTES_MAX: u64 = 4 << 10;
/// Of what npm says, which code it is and what it means.
const NPM_LINES_MAX: usize = 3;
/// How much of a lockfile is read.
const LOCKFILE_BYTES_MAX: u64 = 64 << 20;

pub(crate) fn tree_paths(paths: &[String]) -> Result<Vec<TreePath>, GitError> {
    paths.iter().map(|path| TreePath::try_from(path.as_str())).collect()
}

/// What the project's lockfiles say, in one digest.
pub(crate) fn lockfiles(terms: &EnvironmentTerms, directory: &Utf8Path) -> String {
    let mut locks = Vec::new();
    for name in &terms.lockfiles {
        locks.extend(files::read_bytes(&directory.join(name), LOCKFILE_BYTES_MAX).unwrap_or_default());
    }
    engine_digest(&locks).to_string()
}

/// Were there dependencies, and was none of the folders too large to be copied?
pub(crate) fn are_complete(provided: &[Provided]) -> bool {
    provided.iter().any(Provided::is_dependencies)
        && provided.iter().all(|folder| folder.how != How::NeedsSetUp)
}

/// The last line of an output that names an error.
pub(crate) fn named_error(output: &str) -> Option<&str> {
    output.lines().map(str::trim).rfind(|line| line.contains("rror: "))
}

/// A set-up command that failed.
#[derive(Clone, Debug)]
pub(crate) struct Unprepared {
    pub(crate) outcome: ProcessOutcome,
    pub(crate) log: Utf8PathBuf,
    command: String,
    timeout: Duration,
}

/// Runs a set-up command below the shim; none where it succeeded.
pub(crate) fn run_set_up(
    command: &str,
    request: ProcessRequest,
    shim: &ShimProgram,
    stop: &Stop,
) -> Result<Option<Unprepared>> {
    let (log, timeout) = (request.stdout_log.clone(), request.wall_max);
    if let Some(folder) = log.parent() {
        files::create_private_directories(folder, Durability::Buffered)?;
    }
    let outcome = program::run(shim, request, stop)?;
    let is_done = outcome.ending == Ending::Exited(0);
    Ok((!is_done).then(|| Unprepared { outcome, log, command: command.to_owned(), timeout }))
}

impl Unprepared {
    pub(crate) fn error(&self) -> ReadyError {
        ReadyError::SetUp { command: self.command.clone(), why: self.why(), log: self.log.clone() }
    }

    /// How it failed, with what it said last.
    fn why(&self) -> String {
        let how = match &self.outcome.ending {
            Ending::Exited(code) => format!("exit code {code}"),
            Ending::Signalled(signal) => format!("ended by signal {signal}"),
            Ending::TimedOut(_) => format!("not done within {} seconds", self.timeout.as_secs()),
            Ending::TooMuchOutput => "it printed too much".to_owned(),
            Ending::NotStarted(why) => format!("could not be started: {why}"),
            Ending::Cancelled | Ending::Lost => "it was stopped".to_owned(),
        };
        let output = files::read_end(&self.log, SAID_BYTES_MAX).map(|(bytes, _)| bytes).unwrap_or_default();
        let output = String::from_utf8_lossy(&output);
        // Node closes with its own version, whatever failed.
        let is_word = |line: &&str| !line.is_empty() && !line.starts_with("Node.js v");
        // npm begins with what is wrong, and closes with where its log is.
        let of_npm = output.lines().filter_map(|line| line.trim().strip_prefix("npm error ").map(str::trim));
        let of_npm: Vec<&str> = of_npm.filter(|line| !line.is_empty()).take(NPM_LINES_MAX).collect();
        let last = named_error(&output).or_else(|| output.lines().map(str::trim).rfind(is_word));
        if of_npm.is_empty() {
            return last.map_or(how.clone(), |line| format!("{how}: {line}"));
        }
        format!("{how}: npm error {}", of_npm.join(" "))
    }
}
