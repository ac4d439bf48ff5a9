//! Remotes: what they are called and where they lie, fetching a branch, pushing one commit with a lease.
//!
//! Here git talks with others. Where to is read once, at the start; after that only the person's global configuration
//! counts, so that a worker who writes the local one neither redirects a push nor makes git run a command. Nobody is
//! asked for a password: what would need one fails.

mod outcome;

use std::time::Duration;

use super::Repository;
use super::branches::BranchName;
use super::error::{GitError, Result};
use super::names::{CommitId, RefName};
use super::program::{Answer, Call};
use super::refs::Expected;
use super::store::Scratch;
use crate::crash;

use outcome::brief_words;
pub use outcome::{Fetch, PushOutcome};

/// The longest an exchange with a remote may take.
const EXCHANGE_SECONDS_MAX: u64 = 600;

/// A remote as it was configured when it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    pub name: String,
    /// Where a push goes, with the person's rewriting (`insteadOf`) applied.
    pub push_url: String,
}

/// What git pushes to, as its settings write it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PushTargets {
    /// What is fetched from, too.
    pub for_both: Vec<String>,
    pub for_pushes: Vec<String>,
}

/// A branch of a remote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteBranch {
    pub remote: String,
    pub branch: BranchName,
}

impl Repository {
    /// The remote of this name, if there is one.
    pub fn remote(&self, name: &str) -> Result<Option<Remote>> {
        if !self.remote_names()?.iter().any(|known| known == name) {
            return Ok(None);
        }
        let answer = self.person_call("remote")?.args(["get-url", "--push", "--", name]).run()?;
        let push_url = self.absolute(answer.text().lines().next().unwrap_or_default());
        Ok(Some(Remote { name: name.to_owned(), push_url }))
    }

    /// Where a push to a remote of the person's would go: the remotes' own addresses, and those for pushes alone.
    pub fn push_targets(&self) -> Result<PushTargets> {
        let call =
            self.person_call("config")?.args(["--null", "--get-regexp", r"^remote\..*\.(url|pushurl)$"]);
        // 1: there is none.
        let answer = call.accept(&[0, 1]).run()?;
        let mut targets = PushTargets::default();
        for entry in answer.text().split('\0') {
            let Some((key, url)) = entry.split_once('\n').filter(|(_, url)| !url.is_empty()) else {
                continue;
            };
            let kind =
                if key.ends_with(".pushurl") { &mut targets.for_pushes } else { &mut targets.for_both };
            kind.push(url.to_owned());
        }
        targets.for_pushes.retain(|url| !targets.for_both.contains(url));
        Ok(targets)
    }

    /// The branch of a remote that a branch of the person's follows, if it follows one.
    pub fn remote_of(&self, branch: &BranchName) -> Result<Option<RemoteBranch>> {
        let format = "--format=%(upstream:remotename)%00%(upstream:remoteref)%00%(refname)";
        let answer = self.person_call("for-each-ref")?.args([format, branch.as_str()]).run()?;
        for line in answer.text().lines() {
            let fields: Vec<&str> = line.split('\0').collect();
            let [remote, followed, name] = fields[..] else { continue };
            if name == branch.as_str() && !remote.is_empty() && remote != "." {
                let branch = BranchName::parse(followed)?;
                return Ok(Some(RemoteBranch { remote: remote.to_owned(), branch }));
            }
        }
        Ok(None)
    }

    /// What `origin/main` means: a branch of the remote whose name it begins with, the longest where several fit.
    pub fn remote_branch(&self, text: &str) -> Result<Option<RemoteBranch>> {
        let mut names = self.remote_names()?;
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        for remote in names {
            let rest = text.strip_prefix(&remote).and_then(|rest| rest.strip_prefix('/'));
            if let Some(Ok(branch)) = rest.map(BranchName::from_short_name) {
                return Ok(Some(RemoteBranch { remote, branch }));
            }
        }
        Ok(None)
    }

    /// Brings a branch of a remote here, and lets one of gulf's references hold it.
    pub fn fetch(&self, url: &str, branch: &BranchName, into: &RefName) -> Result<Fetch> {
        let exchange = Exchange::new(self, url)?;
        let call = exchange.call("fetch").args(["--quiet", "--no-tags", "--no-write-fetch-head"]);
        let call = call.args(["--no-auto-maintenance", "--no-recurse-submodules", "--refmap="]);
        let refspec = format!("+{}:{into}", branch.as_str());
        crash::point("git.fetch");
        let failure = match exchange.ask(call.args(["--", url, &refspec]))? {
            Ok(_) => {
                let fetched = exchange.scratch.store.call("rev-parse");
                let fetched = fetched.args(["--verify", &format!("{into}^{{commit}}")]).run()?;
                let commit = CommitId::parse(&fetched.text())?;
                self.update_ref(into, &commit, &Expected::Anything)?;
                return Ok(Fetch::Fetched { commit });
            }
            Err(words) => words,
        };
        Ok(match exchange.read_tip(branch)? {
            Ok(None) => Fetch::Absent,
            Ok(Some(_)) | Err(_) => Fetch::Unreachable { words: failure },
        })
    }

    /// Sends one commit to a branch of a remote that must be where it is expected; no hook of the project runs.
    pub fn push(
        &self,
        url: &str,
        commit: &CommitId,
        branch: &BranchName,
        expected: Option<&CommitId>,
    ) -> Result<PushOutcome> {
        if let Some(old) = expected
            && !self.descends(commit, old)?
        {
            return Err(GitError::NotDescendant { newer: commit.clone(), older: old.clone() });
        }
        let exchange = Exchange::new(self, url)?;
        let lease = expected.map_or("", CommitId::as_str);
        let call = exchange.call("push").args(["--quiet", "--no-verify", "--no-follow-tags", "--no-signed"]);
        let call = call.args(["--recurse-submodules=no", "--no-thin"]);
        let call = call.arg(format!("--force-with-lease={}:{lease}", branch.as_str()));
        let call = call.args(["--", url, &format!("{commit}:{}", branch.as_str())]);
        crash::point("git.push");
        let failure = match exchange.ask(call)? {
            Ok(_) => return Ok(PushOutcome::Pushed),
            Err(words) => words,
        };
        // What became of it is not read from git's words: the remote itself is asked.
        Ok(match exchange.read_tip(branch)? {
            Ok(now) if now.as_ref() == Some(commit) => PushOutcome::Pushed,
            Ok(now) if now.as_ref() != expected => PushOutcome::Moved { now },
            Ok(_) => PushOutcome::Declined { words: failure },
            Err(_) => PushOutcome::Unreachable { words: failure },
        })
    }

    /// Where a branch of a remote stands now; `Err`: it cannot be asked, in its words.
    pub fn look_at_remote(&self, url: &str, branch: &BranchName) -> Result<Result<Option<CommitId>, String>> {
        Exchange::new(self, url)?.read_tip(branch)
    }

    fn remote_names(&self) -> Result<Vec<String>> {
        let answer = self.person_call("remote")?.run()?;
        Ok(answer.text().lines().map(str::to_owned).collect())
    }

    /// A path beside the person's worktree, in full: a call runs elsewhere.
    fn absolute(&self, url: &str) -> String {
        let path = self.work_tree().join(url);
        if !url.is_empty() && path.exists() { path.into_string() } else { url.to_owned() }
    }
}

/// Calls that talk with one remote.
struct Exchange<'a> {
    url: &'a str,
    scratch: Scratch,
    ssh: String,
}

impl<'a> Exchange<'a> {
    fn new(repository: &Repository, url: &'a str) -> Result<Self> {
        let mut scratch = Scratch::with_all_refs(repository)?;
        scratch.take_settings(repository, None)?;
        let configured = scratch.store.call("config").args(["--get", "core.sshCommand"]);
        let ssh = without_questions(&configured.accept(&[0, 1]).run()?.text());
        Ok(Self { url, scratch, ssh })
    }

    fn call(&self, verb: &'static str) -> Call {
        let settings =
            ["credential.interactive=false", "push.gpgSign=false", "push.useForceIfIncludes=false"];
        self.scratch
            .store
            .call_with(&settings.map(str::to_owned), verb)
            .variable("GIT_SSH_COMMAND", &self.ssh)
            .variable("GIT_ASKPASS", "")
            .variable("SSH_ASKPASS_REQUIRE", "never")
            .variable("GCM_INTERACTIVE", "never")
            .wall_max(Duration::from_secs(EXCHANGE_SECONDS_MAX))
    }

    /// A failure of git is an answer here, in words that hold no password.
    fn ask(&self, call: Call) -> Result<Result<Answer, String>> {
        match call.run() {
            Ok(answer) => Ok(Ok(answer)),
            Err(GitError::Failed { said, .. }) => Ok(Err(brief_words(&said, self.url))),
            Err(error @ GitError::TimedOut { .. }) => Ok(Err(brief_words(&error.to_string(), self.url))),
            Err(error) => Err(error),
        }
    }

    fn read_tip(&self, branch: &BranchName) -> Result<Result<Option<CommitId>, String>> {
        let call = self.call("ls-remote").args(["--quiet", "--refs", "--", self.url, branch.as_str()]);
        let answer = match self.ask(call)? {
            Ok(answer) => answer,
            Err(words) => return Ok(Err(words)),
        };
        // A pattern also names what ends with it.
        let text = answer.text();
        let mut lines = text.lines().filter_map(|line| line.split_once('\t'));
        let found = lines.find(|(_, name)| *name == branch.as_str());
        Ok(Ok(found.map(|(id, _)| CommitId::parse(id)).transpose()?))
    }
}

/// The person's own command for ssh, but never asking for a password or a strange host.
fn without_questions(configured: &str) -> String {
    let command = if configured.is_empty() { "ssh" } else { configured };
    let program = command.split_whitespace().next().unwrap_or_default();
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    // Other programs than OpenSSH have other options for it.
    if matches!(name, "ssh" | "ssh.exe") { format!("{command} -oBatchMode=yes") } else { command.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::without_questions;

    #[test]
    fn only_openssh_is_told_to_ask_nothing() {
        assert_eq!(without_questions(""), "ssh -oBatchMode=yes");
        assert_eq!(without_questions("/usr/bin/ssh -i key"), "/usr/bin/ssh -i key -oBatchMode=yes");
        assert_eq!(without_questions("plink -x"), "plink -x");
    }
}
