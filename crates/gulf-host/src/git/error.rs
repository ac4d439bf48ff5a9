//! What can go wrong with git, typed, with a hint where a person can do something about it.
//!
//! It stands apart so that callers decide on a variant and never on git's prose.

use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use camino::Utf8PathBuf;
use gulf_names::NotAnId;

use super::branches::BranchName;
use super::names::CommitId;
use crate::files;

/// What git says of an object that it has and cannot read, or must have and has not.
const DAMAGE_STARTS: [&str; 13] = [
    "inflate: ", "unable to unpack ", "object file ", "loose object ", "packed object ",
    "corrupt loose object ", "garbage at end of loose ", "not a tree object", "failed to unpack tree object",
    "unable to read tree ", "unable to read sha1 file of ", "bad tree object ", "bad object HEAD",
];
const DAMAGE_ENDS: [&str; 2] = [" is not a valid object", ": bad file"];

const NEWER_GIT: &str = "install git 2.38 or newer, or put it on PATH";
const EARLIER_LOOPS: &str = "`git worktree list` and `git branch` show what earlier loops left";
const CROWDED: &str = "there may be too many processes or too little memory; stop some, then run it again";
const DAMAGED: &str = "the repository itself is damaged, not the checkout: `git fsck` names the objects, `git fetch --refetch` \
                       brings those that a remote has; then `gulf resume`. Where `git fsck` names none, those that gulf \
                       kept are gone: `gulf cancel`, and start the goal again";

/// What git is asked for: where no other error is named, it is a [`GitError`].
pub(crate) type Result<T, E = GitError> = std::result::Result<T, E>;

/// A failure of git or of the files beside it.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum GitError {
    #[error("could not run git: no such program on PATH")]
    #[diagnostic(help("{NEWER_GIT}"))]
    ProgramMissing,
    #[error("could not run git {verb}")]
    #[diagnostic(help("{}", files::system_hint(source).unwrap_or(CROWDED)))]
    Start { verb: String, source: io::Error },
    #[error("git {verb} cannot run: {folder} no longer exists")]
    #[diagnostic(help(
        "`git worktree list` names it and its branch, where it was a worktree; `git worktree prune`, then `git worktree add FOLDER BRANCH` restore it with what was committed"
    ))]
    FolderGone { verb: String, folder: String },
    #[error("git {verb} failed with status {code}: {}", said_words(said))]
    #[diagnostic(help("{}", failure_hint(said)))]
    Failed { verb: String, code: i32, said: String },
    #[error("git {verb} was killed by signal {signal}")]
    #[diagnostic(help(
        "it was killed, perhaps because memory ran out (see `dmesg`); run the same command again"
    ))]
    Killed { verb: String, signal: i32 },
    #[error("git cannot read {what} of commit {commit}: {said}")]
    #[diagnostic(help("{DAMAGED}"))]
    ObjectCorrupt { commit: CommitId, what: String, said: String },
    #[error("the {kind} {id} does not match its name: it was overwritten")]
    #[diagnostic(help("{DAMAGED}"))]
    ObjectForged { kind: String, id: String },
    #[error("git {verb} found a damaged repository: {said}")]
    #[diagnostic(help("{DAMAGED}"))]
    StoreDamaged { verb: String, said: String },
    #[error("git {verb} cannot read a configuration: {said}")]
    #[diagnostic(help("correct that line of the file"))]
    Configuration { verb: String, said: String },
    #[error("git {verb} timed out after {seconds} s")]
    #[diagnostic(help(
        "the disk or network drive may be slow or hanging; try `git status` there, then run it again"
    ))]
    TimedOut { verb: String, seconds: u64 },
    #[error("git {verb} was ended: it said nothing for 5 s after gulf was asked to end")]
    #[diagnostic(help("see whether `git status` works there; then `gulf resume`"))]
    Silent { verb: String },
    #[error("{path} is no file: git would wait for ever for something to come out of it")]
    #[diagnostic(help("remove it, and restore what was there; `git status` says what is missing"))]
    NoFile { path: Utf8PathBuf },
    #[error("git {verb} wrote more than {bytes_max} bytes")]
    OutputTooLarge { verb: String, bytes_max: usize },
    #[error("git {verb} answered in a form gulf does not know: {answer}")]
    Answer { verb: String, answer: String },
    #[error("{directory} is a bare repository: it has no worktree to loop in")]
    #[diagnostic(help("run gulf in a worktree: `git worktree add ../work`"))]
    Bare { directory: Utf8PathBuf },
    #[error("{directory} lies inside a git directory, not in a worktree")]
    #[diagnostic(help("change to the project's own directory"))]
    InsideGitDirectory { directory: Utf8PathBuf },
    #[error("the repository of {directory} is owned by another user")]
    #[diagnostic(help("if you trust it: `git config --global --add safe.directory '{directory}'`"))]
    Ownership { directory: Utf8PathBuf },
    #[error("git {version} is too old")]
    #[diagnostic(help("{NEWER_GIT}"))]
    TooOld { version: String },
    #[error("the repository at {directory} cannot be opened: {said}")]
    #[diagnostic(help("`git status` there shows what is wrong with it"))]
    Broken { directory: Utf8PathBuf, said: String },
    #[error("could not {action} {path}")]
    #[diagnostic(help("{}", files::system_hint(source).unwrap_or_default()))]
    File { action: &'static str, path: String, source: io::Error },
    #[error("`{text}` is not {wanted}")]
    Invalid { wanted: &'static str, text: String },
    #[error(transparent)]
    NotAnId(#[from] NotAnId),
    #[error("the reference {name} is at {}, not where it was expected", at_words(.actual.as_ref()))]
    #[diagnostic(help("another gulf process or a person moved it; `gulf status` shows the loops"))]
    RefMoved { name: String, actual: Option<CommitId> },
    #[error("the branch {name} already exists, or another branch's name conflicts with it")]
    #[diagnostic(help("{EARLIER_LOOPS}"))]
    BranchTaken { name: BranchName },
    #[error("{path} already exists")]
    #[diagnostic(help("{EARLIER_LOOPS}"))]
    PathTaken { path: Utf8PathBuf },
    #[error("{path} is not a worktree of this repository")]
    #[diagnostic(help("`git worktree list` shows those there are"))]
    NotAWorktree { path: Utf8PathBuf },
    #[error("the merge base of {one} and {other} is not in this shallow clone")]
    #[diagnostic(help("`git fetch --unshallow` brings the older history"))]
    HistoryCut { one: CommitId, other: CommitId },
    #[error("{newer} is not a descendant of {older}")]
    NotDescendant { newer: CommitId, older: CommitId },
    #[error("{name} refers to something that is not a branch")]
    NotABranch { name: BranchName },
    #[error("no free name like {name} was found")]
    #[diagnostic(help("{EARLIER_LOOPS}"))]
    NoFreeName { name: BranchName },
    #[error("{directory} does not stay as commit {commit} has it: {path}")]
    #[diagnostic(help(
        "something writes into the checkout: end the processes left by earlier checks; or git converts that file's line \
         ends to others each time: `git ls-files --eol` shows which"
    ))]
    CheckoutUnstable { directory: Utf8PathBuf, commit: CommitId, path: String },
    #[error(
        "not enough space for commit {commit} in {directory}: it needs {wanted_bytes} bytes, {free_bytes} are free"
    )]
    #[diagnostic(help(
        "free some space there, then run it again; `gulf clean`, which needs a little itself, removes what earlier loops left"
    ))]
    NoRoom { directory: Utf8PathBuf, commit: CommitId, wanted_bytes: u64, free_bytes: u64 },
    #[error("{path} is larger than {bytes_max} bytes")]
    BlobTooLarge { path: String, bytes_max: u64 },
    #[error("git has no object {id}")]
    #[diagnostic(help("the repository was pruned, or is a partial clone: `git fetch --refetch`"))]
    ObjectMissing { id: String },
}

impl GitError {
    /// Is it so until a person puts something right, however often it is tried?
    pub fn needs_person(&self) -> bool {
        // Of the others the machine may have more memory, room or time in a moment, or somebody else be done.
        matches!(
            self,
            GitError::ProgramMissing
                | GitError::FolderGone { .. }
                | GitError::Bare { .. }
                | GitError::TooOld { .. }
                | GitError::InsideGitDirectory { .. }
                | GitError::Ownership { .. }
                | GitError::Broken { .. }
                | GitError::ObjectCorrupt { .. }
                | GitError::ObjectMissing { .. }
                | GitError::ObjectForged { .. }
                | GitError::StoreDamaged { .. }
                | GitError::Configuration { .. }
                | GitError::HistoryCut { .. }
        )
    }

    /// Of a git that ended otherwise than was wanted.
    pub(super) fn of_exit(verb: &str, status: ExitStatus, said: String) -> GitError {
        let verb = verb.to_owned();
        match (status.code(), status.signal()) {
            (None, Some(signal)) => GitError::Killed { verb, signal },
            _ if said.contains("bad config ") => GitError::Configuration { verb, said: last_words(&said) },
            _ if is_of_damage(&said) => GitError::StoreDamaged { verb, said: last_words(&said) },
            (code, _) => GitError::Failed { verb, code: code.unwrap_or_default(), said },
        }
    }

    /// Of words that git gave where it should have given others.
    pub(super) fn answer(verb: &str, answer: impl AsRef<[u8]>) -> GitError {
        let answer = String::from_utf8_lossy(answer.as_ref()).into_owned();
        GitError::Answer { verb: verb.to_owned(), answer }
    }

    pub(super) fn file(
        action: &'static str,
        path: &(impl ToString + ?Sized),
    ) -> impl FnOnce(io::Error) -> GitError {
        let path = path.to_string();
        move |source| GitError::File { action, path, source }
    }
}

/// In git's own words, of the objects it keeps: whoever asks for a name that is not there is told otherwise.
fn is_of_damage(said: &str) -> bool {
    said.lines().any(|line| {
        let line = line.strip_prefix("fatal: ").or_else(|| line.strip_prefix("error: ")).unwrap_or(line);
        DAMAGE_STARTS.iter().any(|start| line.starts_with(start))
            || line.contains(" with nonexistent object ")
            || DAMAGE_ENDS.iter().any(|end| line.ends_with(end))
    })
}

fn last_words(said: &str) -> String {
    let mut lines = said.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    let last = lines.next().unwrap_or_default();
    last.trim_start_matches("fatal: ").trim_start_matches("error: ").to_owned()
}

/// What the machine lacked, by the system's words in git's; what is wrong with the repository, git knows better.
fn failure_hint(said: &str) -> &'static str {
    const WORDS: [(&str, io::ErrorKind); 5] = [
        ("No space left on device", io::ErrorKind::StorageFull),
        ("Disk quota exceeded", io::ErrorKind::QuotaExceeded),
        ("Read-only file system", io::ErrorKind::ReadOnlyFilesystem),
        ("Permission denied", io::ErrorKind::PermissionDenied),
        ("insufficient permission", io::ErrorKind::PermissionDenied),
    ];
    let lacking = WORDS.iter().find(|(words, _)| said.contains(words));
    let hint = lacking.and_then(|(_, kind)| files::system_hint(&(*kind).into()));
    hint.unwrap_or("`git status` and `git fsck` in the project say more about it")
}

fn said_words(said: &str) -> &str {
    if said.trim().is_empty() { "it did not say why" } else { said }
}

fn at_words(actual: Option<&CommitId>) -> String {
    actual.map_or_else(|| "no commit".to_owned(), ToString::to_string)
}
