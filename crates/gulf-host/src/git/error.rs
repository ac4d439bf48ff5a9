//! What can go wrong with git, typed, with a hint where a person can do something about it.
//!
//! It stands apart so that callers decide on a variant and never on git's prose.

use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use camino::Utf8PathBuf;

use super::branches::BranchName;
use super::names::CommitId;
use crate::files;

/// What git says of an object that it has and cannot read, or must have and has not.
const DAMAGE_STARTS: [&str; 13] = [
    "inflate: ",
    "unable to unpack ",
    "object file ",
    "loose object ",
    "packed object ",
    "corrupt loose object ",
    "garbage at end of loose object ",
    "not a tree object",
    "failed to unpack tree object ",
    "unable to read tree ",
    "unable to read sha1 file of ",
    "bad tree object ",
    "bad object HEAD",
];
const DAMAGE_ENDS: [&str; 2] = [" is not a valid object", ": bad file"];

/// A failure of git or of the files beside it.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    #[error("could not run git: no such program on PATH")]
    ProgramMissing,
    #[error("could not run git {verb}")]
    Start { verb: String, source: io::Error },
    #[error("git {verb} cannot run: {folder} no longer exists")]
    FolderGone { verb: String, folder: String },
    #[error("git {verb} failed{}: {}", exit_words(*.code), said_words(said))]
    Failed { verb: String, code: Option<i32>, said: String },
    #[error("git {verb} was killed by signal {signal}")]
    Killed { verb: String, signal: i32 },
    #[error("git cannot read {what} of commit {commit}: {said}")]
    ObjectCorrupt { commit: CommitId, what: String, said: String },
    #[error("the {kind} {id} does not match its name: it was overwritten")]
    ObjectForged { kind: String, id: String },
    #[error("git {verb} found a damaged repository: {said}")]
    StoreDamaged { verb: String, said: String },
    #[error("git {verb} timed out after {seconds} s")]
    TimedOut { verb: String, seconds: u64 },
    #[error("git {verb} wrote more than {bytes_max} bytes")]
    OutputTooLarge { verb: String, bytes_max: usize },
    #[error("git {verb} answered in a form gulf does not know: {answer}")]
    Answer { verb: String, answer: String },
    #[error("{directory} is a bare repository: it has no worktree to loop in")]
    Bare { directory: Utf8PathBuf },
    #[error("{directory} lies inside a git directory, not in a worktree")]
    InsideGitDirectory { directory: Utf8PathBuf },
    #[error("the repository of {directory} is owned by another user")]
    Ownership { directory: Utf8PathBuf },
    #[error("git {version} is too old")]
    TooOld { version: String },
    #[error("the repository at {directory} cannot be opened: {said}")]
    Broken { directory: Utf8PathBuf, said: String },
    #[error("could not {action} {path}")]
    File { action: &'static str, path: String, source: io::Error },
    #[error("`{text}` is not {wanted}")]
    Invalid { wanted: &'static str, text: String },
    #[error("the reference {name} is at {}, not where it was expected", at_words(.actual.as_ref()))]
    RefMoved { name: String, actual: Option<CommitId> },
    #[error("the branch {name} already exists, or another branch's name conflicts with it")]
    BranchTaken { name: BranchName },
    #[error("{path} already exists")]
    PathTaken { path: Utf8PathBuf },
    #[error("{path} is not a worktree of this repository")]
    NotAWorktree { path: Utf8PathBuf },
    #[error("the merge base of {one} and {other} is not in this shallow clone")]
    HistoryCut { one: CommitId, other: CommitId },
    #[error("{newer} is not a descendant of {older}")]
    NotDescendant { newer: CommitId, older: CommitId },
    #[error("{name} refers to something that is not a branch")]
    NotABranch { name: BranchName },
    #[error("no free name like {name} was found")]
    NoFreeName { name: BranchName },
    #[error("{directory} does not stay as commit {commit} has it: {path}")]
    CheckoutUnstable { directory: Utf8PathBuf, commit: CommitId, path: String },
    #[error(
        "not enough space for commit {commit} in {directory}: it needs {wanted_bytes} bytes, {free_bytes} are free"
    )]
    NoRoom { directory: Utf8PathBuf, commit: CommitId, wanted_bytes: u64, free_bytes: u64 },
    #[error("{path} is larger than {bytes_max} bytes")]
    BlobTooLarge { path: String, bytes_max: u64 },
    #[error("git has no object {id}")]
    ObjectMissing { id: String },
}

impl GitError {
    /// Is it so until a person puts something right, however often it is tried?
    pub fn needs_person(&self) -> bool {
        match self {
            GitError::ProgramMissing | GitError::FolderGone { .. } | GitError::Bare { .. } => true,
            GitError::TooOld { .. } => true,
            GitError::InsideGitDirectory { .. } | GitError::Ownership { .. } | GitError::Broken { .. } => {
                true
            }
            GitError::ObjectCorrupt { .. }
            | GitError::ObjectMissing { .. }
            | GitError::ObjectForged { .. } => true,
            GitError::StoreDamaged { .. } => true,
            GitError::HistoryCut { .. } => true,
            // The machine may have more memory, room or time in a moment, and somebody else be done.
            GitError::Start { .. } | GitError::Failed { .. } | GitError::Killed { .. } => false,
            GitError::TimedOut { .. } | GitError::OutputTooLarge { .. } | GitError::Answer { .. } => false,
            GitError::File { .. } | GitError::Invalid { .. } | GitError::RefMoved { .. } => false,
            GitError::BranchTaken { .. } | GitError::PathTaken { .. } | GitError::NotAWorktree { .. } => {
                false
            }
            GitError::NotDescendant { .. } | GitError::NotABranch { .. } | GitError::NoFreeName { .. } => {
                false
            }
            GitError::CheckoutUnstable { .. } | GitError::NoRoom { .. } | GitError::BlobTooLarge { .. } => {
                false
            }
        }
    }

    /// What the person can do, where there is something.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            GitError::ProgramMissing | GitError::TooOld { .. } => "install git 2.38 or newer, or put it on PATH".to_owned(),
            GitError::Bare { .. } => "run gulf in a worktree: `git worktree add ../work`".to_owned(),
            GitError::InsideGitDirectory { .. } => "change to the project's own directory".to_owned(),
            GitError::Ownership { directory } => {
                format!("if you trust it: `git config --global --add safe.directory '{directory}'`")
            }
            GitError::Broken { .. } => "`git status` there shows what is wrong with it".to_owned(),
            GitError::RefMoved { .. } => {
                "another gulf process or a person moved it; `gulf status` shows the loops".to_owned()
            }
            GitError::BranchTaken { .. } | GitError::PathTaken { .. } | GitError::NoFreeName { .. } => {
                "`git worktree list` and `git branch` show what earlier loops left".to_owned()
            }
            GitError::FolderGone { .. } => "`git worktree list` names it and its branch, where it was a worktree; \
                 `git worktree prune`, then `git worktree add FOLDER BRANCH` restore it with what was committed"
                .to_owned(),
            GitError::NotAWorktree { .. } => "`git worktree list` shows those there are".to_owned(),
            GitError::HistoryCut { .. } => "`git fetch --unshallow` brings the older history".to_owned(),
            GitError::CheckoutUnstable { .. } => {
                "something writes into the checkout; end the processes left by earlier checks".to_owned()
            }
            GitError::NoRoom { .. } => {
                "free some space there, `gulf clean` shows what earlier loops left; then run it again"
                    .to_owned()
            }
            GitError::ObjectMissing { .. } => {
                "the repository was pruned, or is a partial clone: `git fetch --refetch`".to_owned()
            }
            GitError::ObjectCorrupt { .. } | GitError::ObjectForged { .. } | GitError::StoreDamaged { .. } => {
                "the repository itself is damaged, not the checkout: `git fsck` names the objects, `git fetch \
                 --refetch` brings those that a remote has; then `gulf resume`"
                    .to_owned()
            }
            GitError::Killed { .. } => "it was killed, perhaps because memory ran out (see `dmesg`); run the same command again"
                .to_owned(),
            GitError::Failed { .. } => "`git status` and `git fsck` in the project say more about it".to_owned(),
            GitError::TimedOut { .. } => {
                "the disk or network drive may be slow or hanging; try `git status` there, then run it again".to_owned()
            }
            GitError::Start { source, .. } => {
                return files::system_hint(source).map(str::to_owned).or_else(|| {
                    Some("there may be too many processes or too little memory; stop some, then run it again".to_owned())
                });
            }
            GitError::File { source, .. } => return files::system_hint(source).map(str::to_owned),
            GitError::OutputTooLarge { .. }
            | GitError::Answer { .. }
            | GitError::NotDescendant { .. }
            | GitError::NotABranch { .. }
            | GitError::Invalid { .. }
            | GitError::BlobTooLarge { .. } => return None,
        };
        Some(hint)
    }

    /// Of a git that ended otherwise than was wanted.
    pub(super) fn of_exit(verb: &str, status: ExitStatus, said: String) -> GitError {
        let verb = verb.to_owned();
        match (status.code(), status.signal()) {
            (None, Some(signal)) => GitError::Killed { verb, signal },
            _ if is_of_damage(&said) => GitError::StoreDamaged { verb, said: last_words(&said) },
            (code, _) => GitError::Failed { verb, code, said },
        }
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

fn exit_words(code: Option<i32>) -> String {
    code.map_or_else(String::new, |code| format!(" with status {code}"))
}

fn said_words(said: &str) -> &str {
    if said.trim().is_empty() { "it did not say why" } else { said }
}

fn at_words(actual: Option<&CommitId>) -> String {
    actual.map_or_else(|| "no commit".to_owned(), ToString::to_string)
}
