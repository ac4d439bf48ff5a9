//! HEAD and the references under `refs/gulf/`.
//!
//! They are what keeps gulf's trees from being collected as garbage; a reference is moved only with its expected old
//! value.

use camino::Utf8PathBuf;

use super::branches::{BranchName, HEADS};
use super::error::{GitError, Result};
use super::kept::{ObjectHeader, headers_in};
use super::named_references::{REF_BYTES_MAX, text};
use super::names::{CommitId, RefName, TreeId};
use super::program::Call;
use super::worktrees::Operation;
use super::{Layout, Repository};
use crate::{crash, files};

const VERB: &str = "update-ref";

/// Where a HEAD stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// On a branch with a commit: the only one there is something to start from and to land on.
    Branch { name: BranchName, commit: CommitId },
    /// On a branch without commits.
    Unborn { name: BranchName },
    /// On no branch.
    Detached { commit: CommitId },
}

impl Head {
    pub(super) fn new(branch: Option<BranchName>, commit: Option<CommitId>) -> Option<Self> {
        match (branch, commit) {
            (Some(name), Some(commit)) => Some(Head::Branch { name, commit }),
            (Some(name), None) => Some(Head::Unborn { name }),
            (None, commit) => commit.map(|commit| Head::Detached { commit }),
        }
    }

    pub fn commit(&self) -> Option<&CommitId> {
        match self {
            Head::Branch { commit, .. } | Head::Detached { commit } => Some(commit),
            Head::Unborn { .. } => None,
        }
    }

    /// Its commit, where it stands on this branch: none where the branch has no commit.
    pub fn on(&self, branch: &BranchName) -> Option<Option<&CommitId>> {
        match self {
            Head::Branch { name, .. } | Head::Unborn { name } => (name == branch).then(|| self.commit()),
            Head::Detached { .. } => None,
        }
    }
}

/// A commit, and the tree it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitWithTree {
    pub commit: CommitId,
    pub tree: TreeId,
}

/// What a reference must be for it to be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    Absent,
    At(CommitId),
    Anything,
}

impl Layout {
    /// The commit that HEAD stands at, and its tree, if there is one.
    pub fn head_with_tree(&self) -> Result<Option<CommitWithTree>> {
        let call = self.person_call("cat-file")?.arg("--batch-check");
        let text = call.input(b"HEAD^{commit}\nHEAD^{tree}\n".to_vec()).run()?.stdout;
        commit_with_tree(&headers_in(&text)?)
    }
}

/// What stands in the answers for a commit and for its tree.
fn commit_with_tree(headers: &[Option<ObjectHeader>]) -> Result<Option<CommitWithTree>> {
    match headers {
        [None, _] => Ok(None),
        // The commit can be read, and what it consists of cannot.
        [Some(commit), None] => Err(GitError::StoreDamaged {
            verb: "cat-file".to_owned(),
            said: format!("the tree of commit {} is not there", commit.id),
        }),
        [Some(commit), Some(tree)] => {
            Ok(Some(CommitWithTree { commit: CommitId::parse(&commit.id)?, tree: TreeId::parse(&tree.id)? }))
        }
        other => Err(GitError::answer("cat-file", format!("{other:?}"))),
    }
}

impl Repository {
    /// Reads the person's HEAD.
    pub fn head(&self) -> Result<Head> {
        let call = self.person_call("rev-parse")?.args(["HEAD^{commit}", "--symbolic-full-name", "HEAD"]);
        let answer = call.accept(&[0, 128]).run()?;
        let text = if answer.code == 0 { answer.text() } else { String::new() };
        let mut lines = text.lines();
        let commit = lines.next().map(CommitId::parse).transpose()?;
        let name = match lines.next() {
            Some("HEAD") => None,
            Some(name) => Some(name.to_owned()),
            // No commit is there yet, or something else is called HEAD, too.
            None => {
                let name = self.person_call("symbolic-ref")?.args(["-q", "HEAD"]).accept(&[0, 1]).run()?;
                (name.code == 0).then(|| name.text())
            }
        };
        // HEAD may name any reference; what is no branch is nothing to land on.
        let branch = name.and_then(|name| BranchName::parse(&name).ok());
        Head::new(branch, commit).ok_or_else(|| GitError::answer("symbolic-ref", "HEAD is nowhere"))
    }

    /// For people: why no branch with a commit is checked out, and what they can do; none where one is.
    pub fn lacks_branch(&self, head: &Head) -> Option<(String, &'static str)> {
        match (head, Operation::in_progress(&self.layout.git_dir)) {
            (Head::Branch { .. }, _) => None,
            (Head::Unborn { name }, _) => Some((
                format!("the branch {name} has no commit yet"),
                "commit something first: `git commit --allow-empty`",
            )),
            (Head::Detached { .. }, Some(operation)) => Some((
                format!("no branch is checked out: {} is in progress", operation.description),
                "finish it: `git status` says how",
            )),
            (Head::Detached { commit }, None) => Some((
                format!("no branch is checked out: HEAD is detached at {commit}"),
                "check out one of `git branch`: `git switch NAME`, or make one: `git switch -c NAME`",
            )),
        }
    }

    /// The commit that HEAD stands at, if there is one.
    pub fn head_commit(&self) -> Result<Option<CommitId>> {
        self.resolve("HEAD")
    }

    /// The commit that HEAD stands at, and its tree, if there is one. Nothing is asked where plain files say that HEAD
    /// stands at a commit of which git gave the tree, `last` or another one.
    pub fn head_with_tree(&self, last: Option<&CommitWithTree>) -> Result<Option<CommitWithTree>> {
        if let Some(commit) = self.plain_head().and_then(|head| CommitId::parse(head.trim_end()).ok()) {
            let last = last.filter(|last| last.commit == commit).map(|last| last.tree.clone());
            if let Some(tree) = last.or_else(|| self.remembered.trees.known(&commit)) {
                return Ok(Some(CommitWithTree { commit, tree }));
            }
        }
        let asked = ["HEAD^{commit}", "HEAD^{tree}"].map(str::to_owned);
        let found = commit_with_tree(&self.headers_by_name(&asked)?)?;
        if let Some(CommitWithTree { commit, tree }) = &found {
            self.remembered.trees.keep(commit.clone(), tree.clone());
        }
        Ok(found)
    }

    /// Does HEAD's file name a commit, so that no branch is checked out?
    pub fn is_detached(&self) -> bool {
        let head = files::read_bytes(&self.layout.git_dir.join("HEAD"), REF_BYTES_MAX);
        head.is_ok_and(|head| !head.starts_with(b"ref: "))
    }

    /// What HEAD stands at, where a file says it: an id, or a branch with a file of its own, which counts before any
    /// packed one. All else is git's to read.
    fn plain_head(&self) -> Option<String> {
        let read = |path: Utf8PathBuf| text(&path, REF_BYTES_MAX);
        let head = read(self.layout.git_dir.join("HEAD"))?;
        let Some(name) = head.strip_prefix("ref: ") else { return Some(head) };
        let name = name.trim_end();
        // Where references are kept in another form, HEAD names `.invalid`.
        let is_plain =
            name.strip_prefix(HEADS)?.split('/').all(|part| !part.starts_with('.') && !part.is_empty());
        if is_plain { read(self.layout.common_dir.join(name)) } else { None }
    }

    /// The commit that a person means by a name of theirs: a branch, a tag, the beginning of an id.
    pub fn find_commit(&self, name: &str) -> Result<Option<CommitId>> {
        // What no revision can hold would end git with another code than an unknown one.
        let is_plain = !name.is_empty() && !name.chars().any(char::is_control);
        if is_plain { self.resolve(name) } else { Ok(None) }
    }

    /// The commit one of gulf's references stands at.
    pub fn read_ref(&self, name: &RefName) -> Result<Option<CommitId>> {
        self.resolve(name.as_str())
    }

    /// The references at or below `prefix`, e.g. `refs/gulf/<loop>`.
    pub fn list_refs(&self, prefix: &str) -> Result<Vec<(RefName, CommitId)>> {
        let answer =
            self.person_call("for-each-ref")?.args(["--format=%(objectname) %(refname)", prefix]).run()?;
        let text = answer.text();
        let entry = |line: &str| {
            let (id, name) = line.split_once(' ').ok_or_else(|| GitError::answer("for-each-ref", line))?;
            Ok((RefName::parse(name)?, CommitId::parse(id)?))
        };
        text.lines().map(entry).collect()
    }

    /// Moves a reference to `new` if it is what was expected.
    pub fn update_ref(&self, name: &RefName, new: &CommitId, expected: &Expected) -> Result<()> {
        self.move_ref(name.as_str(), new, expected)
    }

    /// The same of one that is no loop's.
    pub(super) fn move_ref(&self, name: &str, new: &CommitId, expected: &Expected) -> Result<()> {
        let old = match expected {
            Expected::Absent => self.layout.object_format.zero(),
            Expected::At(old) => old.to_string(),
            Expected::Anything => String::new(),
        };
        crash::point("git.update-ref");
        let done = self.change_ref(&format!("update {name}\0{new}\0{old}\0"));
        let done = done.map_err(|error| self.explain_ref(name, expected, error));
        crash::point("git.update-ref.done");
        done
    }

    /// One transaction, by a kept git. That it has begun is what a kept one is tried by: what follows is said once.
    fn change_ref(&self, instruction: &str) -> Result<()> {
        self.require_work_tree(VERB)?;
        let begin = || {
            let call = self.person_call(VERB)?.in_directory(&self.store.directory);
            Ok(call.args(["--no-deref", "--stdin", "-z"]))
        };
        let ((), mut lent) =
            self.kept.references.lend(&self.layout, begin, |git| git.say(b"start\0", "start: ok"))?;
        lent.program.say(format!("{instruction}commit\0").as_bytes(), "commit: ok")?;
        self.kept.references.keep(lent);
        Ok(())
    }

    /// Deletes a reference if it is what was expected; one that is not there is deleted already.
    pub fn delete_ref(&self, name: &RefName, expected: &Expected) -> Result<()> {
        self.remove(name.as_str(), expected)
    }

    /// Ends a call of `update-ref` that has its options; `old` is none where nothing is there yet.
    pub(super) fn swap(&self, call: Call, name: &str, new: &CommitId, old: Option<&CommitId>) -> Result<()> {
        let expected = old.cloned().map_or(Expected::Absent, Expected::At);
        crash::point("git.update-ref");
        let done = call.args([name, new.as_str(), &self.id_or_zero(old)]).run().map(drop);
        let done = done.map_err(|error| self.explain_ref(name, &expected, error));
        crash::point("git.update-ref.done");
        done
    }

    pub(super) fn id_or_zero(&self, commit: Option<&CommitId>) -> String {
        commit.map_or_else(|| self.layout.object_format.zero(), ToString::to_string)
    }

    pub(super) fn remove(&self, name: &str, expected: &Expected) -> Result<()> {
        let Some(actual) = self.resolve(name)? else { return Ok(()) };
        let old = match expected {
            Expected::Anything => actual,
            Expected::At(old) => old.clone(),
            Expected::Absent => {
                return Err(GitError::RefMoved { name: name.to_owned(), actual: Some(actual) });
            }
        };
        crash::point("git.delete-ref");
        self.change_ref(&format!("delete {name}\0{old}\0"))
            .map_err(|error| self.explain_ref(name, expected, error))
    }

    /// Git says with one exit code that a reference moved and that it could not be written: the reference itself
    /// tells which.
    fn explain_ref(&self, name: &str, expected: &Expected, error: GitError) -> GitError {
        let Ok(actual) = self.resolve(name) else { return error };
        let as_expected = match expected {
            Expected::Anything => true,
            Expected::Absent => actual.is_none(),
            Expected::At(old) => actual.as_ref() == Some(old),
        };
        if as_expected { error } else { GitError::RefMoved { name: name.to_owned(), actual } }
    }

    pub(super) fn resolve(&self, name: &str) -> Result<Option<CommitId>> {
        let found = self.headers_by_name(&[format!("{name}^{{commit}}")])?.pop().flatten();
        Ok(found.map(|header| CommitId::parse(&header.id)).transpose()?)
    }
}
