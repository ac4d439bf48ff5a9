//! What was committed, and what comes from what.
//!
//! Walking history needs to know where a shallow clone ends.

use camino::Utf8PathBuf;

use super::Repository;
use super::error::{GitError, Result};
use super::names::{CommitId, TreeId};
use super::program::Call;

/// One commit, as it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub commit: CommitId,
    pub parents: Vec<CommitId>,
    pub tree: TreeId,
    /// The first line of its message.
    pub title: String,
    pub trailers: Vec<Trailer>,
}

/// `Name: value` at the end of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trailer {
    pub name: String,
    pub value: String,
}

impl Trailer {
    pub fn new(name: &str, value: &(impl ToString + ?Sized)) -> Self {
        Self { name: name.to_owned(), value: value.to_string() }
    }
}

impl Repository {
    /// The newest commits of HEAD that are not reachable from `since`, newest first, at most `commits_max`.
    pub fn log_since(&self, since: &CommitId, commits_max: usize) -> Result<Vec<Step>> {
        match self.head_commit()? {
            Some(head) if head != *since => self.log(&[], &format!("{since}..{head}"), commits_max),
            Some(_) | None => Ok(Vec::new()),
        }
    }

    /// The commit that HEAD stands at, if there is one.
    pub fn newest(&self) -> Result<Option<Step>> {
        let Some(head) = self.head_commit()? else { return Ok(None) };
        Ok(self.log(&[], head.as_str(), 1)?.pop())
    }

    /// The newest commit that both HEAD and the named one come from, if they have one.
    pub fn merge_base(&self, name: &str) -> Result<Option<CommitId>> {
        match (self.head_commit()?, self.find_commit(name)?) {
            (Some(head), Some(other)) => self.common_ancestor(&head, &other),
            (_, None) | (None, Some(_)) => Ok(None),
        }
    }

    /// The newest commit that both come from; `None` for histories without a common beginning.
    pub fn common_ancestor(&self, one: &CommitId, other: &CommitId) -> Result<Option<CommitId>> {
        let call = self.history_call(&[], "merge-base").args([one.as_str(), other.as_str()]);
        let answer = call.accept(&[0, 1]).run()?;
        match answer.code {
            0 => Ok(Some(CommitId::parse(answer.text().trim())?)),
            _ if self.is_shallow() => Err(GitError::HistoryCut { one: one.clone(), other: other.clone() }),
            _ => Ok(None),
        }
    }

    /// The newest commit of `until` that is not reachable from `since` and touches one of these paths.
    pub fn newest_touching(
        &self,
        since: &CommitId,
        until: &CommitId,
        paths: &[String],
    ) -> Result<Option<CommitId>> {
        if paths.is_empty() || since == until {
            return Ok(None);
        }
        let range = format!("{since}..{until}");
        // In a simplified history a file that came and went again would not be seen.
        let call = self
            .history_call(&[], "log")
            .variable("GIT_LITERAL_PATHSPECS", "1")
            .args(["--full-history", "--no-show-signature", "--format=%H", "--max-count=1", &range, "--"]);
        let answer = call.args(paths).run()?.text();
        Ok(answer.lines().next().map(CommitId::parse).transpose()?)
    }

    /// What a commit says, title and all.
    pub fn message_of(&self, commit: &CommitId) -> Result<String> {
        let call = self.history_call(&[], "log");
        let call = call.args(["--max-count=1", "--no-show-signature", "--no-color", "--encoding=UTF-8"]);
        let answer = call.args(["--format=%B", commit.as_str()]).run()?;
        Ok(String::from_utf8_lossy(&answer.stdout).into_owned())
    }

    /// Whether `newer` is `older` or comes from it.
    pub fn descends(&self, newer: &CommitId, older: &CommitId) -> Result<bool> {
        let call =
            self.history_call(&[], "merge-base").args(["--is-ancestor", older.as_str(), newer.as_str()]);
        Ok(call.accept(&[0, 1]).run()?.code == 0)
    }

    /// The commits by which a branch went from `older` to `newer`, newest first, at most `commits_max`: of each merge
    /// only the merge itself.
    pub fn steps(&self, older: Option<&CommitId>, newer: &CommitId, commits_max: usize) -> Result<Vec<Step>> {
        let range = older.map_or_else(|| newer.to_string(), |older| format!("{older}..{newer}"));
        self.log(&["--first-parent"], &range, commits_max)
    }

    /// A call that walks history: where a shallow clone ends it must be told, or git looks for parents that are not
    /// there.
    pub(super) fn history_call(&self, settings: &[String], verb: &'static str) -> Call {
        let call = self.store.call_with(settings, verb);
        if self.is_shallow() { call.variable("GIT_SHALLOW_FILE", self.shallow_file()) } else { call }
    }

    /// Whether older history was left out when the repository was cloned.
    pub fn is_shallow(&self) -> bool {
        self.shallow_file().is_file()
    }

    fn shallow_file(&self) -> Utf8PathBuf {
        self.layout.common_dir.join("shallow")
    }

    fn log(&self, options: &[&str], range: &str, commits_max: usize) -> Result<Vec<Step>> {
        let answer = self
            .history_call(&["trailer.separators=:".to_owned()], "log")
            .args(["-z", "--no-show-signature", "--no-color", "--encoding=UTF-8"])
            .arg("--format=%H%n%P%n%T%n%s%n%(trailers:only=true,unfold=true)")
            .args(options)
            .args([&format!("--max-count={commits_max}"), range])
            .run()?;
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        text.split('\0').filter(|record| !record.trim().is_empty()).map(step).collect()
    }
}

/// Lines of id, parents, tree and title, and then a line per trailer.
fn step(record: &str) -> Result<Step> {
    let unknown = || GitError::answer("log", record);
    let mut lines = record.trim_start_matches('\n').split('\n');
    let mut line = || lines.next().ok_or_else(unknown);
    let (commit, parents, tree, title) = (line()?, line()?, line()?, line()?.to_owned());
    let parents = parents.split(' ').filter(|id| !id.is_empty()).map(CommitId::parse);
    let trailer = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some(Trailer::new(name.trim(), value.trim()))
    };
    let (commit, tree) = (CommitId::parse(commit)?, TreeId::parse(tree)?);
    let (parents, trailers) = (parents.collect::<Result<_, _>>()?, lines.filter_map(trailer).collect());
    Ok(Step { commit, parents, tree, title, trailers })
}
