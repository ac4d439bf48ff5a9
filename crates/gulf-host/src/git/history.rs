//! What was committed since a commit, one line each.
//!
//! It stands apart because it is for people to read; nothing is decided on it.

use super::Repository;
use super::error::GitError;
use super::names::CommitId;

/// One commit, as a person wants to see it in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    pub commit: CommitId,
    pub subject: String,
}

impl Repository {
    /// The newest commits of HEAD that are not reachable from `since`, newest first, at most `lines_max`.
    pub fn log_since(&self, since: &CommitId, lines_max: usize) -> Result<Vec<LogLine>, GitError> {
        let Some(head) = self.head()?.commit().cloned() else { return Ok(Vec::new()) };
        self.log(&format!("{since}..{head}"), lines_max)
    }

    /// The commit that HEAD stands at, if there is one.
    pub fn newest(&self) -> Result<Option<LogLine>, GitError> {
        let Some(head) = self.head_commit()? else { return Ok(None) };
        Ok(self.log(head.as_str(), 1)?.pop())
    }

    /// The newest commit that both HEAD and the named one come from, if they have one.
    pub fn merge_base(&self, name: &str) -> Result<Option<CommitId>, GitError> {
        let (Some(head), Some(other)) = (self.head_commit()?, self.find_commit(name)?) else {
            return Ok(None);
        };
        let found = self.store.call("merge-base").args([head.as_str(), other.as_str()]).run();
        match found {
            Ok(answer) => Ok(CommitId::parse(String::from_utf8_lossy(&answer.stdout).trim()).ok()),
            // Histories without a common beginning.
            Err(_) => Ok(None),
        }
    }

    fn log(&self, range: &str, lines_max: usize) -> Result<Vec<LogLine>, GitError> {
        let mut call =
            self.store.call("log").args(["-z", "--no-show-signature", "--no-color", "--format=%H %s"]);
        let shallow = self.layout.common_dir.join("shallow");
        if shallow.is_file() {
            // Without it git would look for parents that a shallow clone does not have.
            call = call.variable("GIT_SHALLOW_FILE", shallow);
        }
        let answer = call.arg(format!("--max-count={lines_max}")).arg(range).run()?;
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        let line = |line: &str| {
            let (commit, subject) = line.split_once(' ').unwrap_or((line, ""));
            Ok(LogLine { commit: CommitId::parse(commit)?, subject: subject.to_owned() })
        };
        text.split('\0').filter(|text| !text.trim().is_empty()).map(|text| line(text.trim())).collect()
    }
}
