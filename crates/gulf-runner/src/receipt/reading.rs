//! The receipt of a commit as a stranger reads it, and what of it holds without running anything.
//!
//! Everything in a note may have been written by anybody: nothing of it is run, and what is believed is what the commit
//! itself bears out.

use gulf_engine::CommitId;
use gulf_host::git::{GitError, Repository};

use super::{
    LandedLoop, LandedWork, PREDICATE_TYPE, ReceiptStatement, STATEMENT_TYPE, SUBJECT_COMMIT, SUBJECT_TREE,
    WorkReceipt, digest_of,
};
use crate::FORMAT_VERSION;
use crate::error::{RunError, of_the_world};
use crate::landing::{TRAILER_CANDIDATE, TRAILER_RECEIPT};

const SIGNATURE_BEGIN: &str = "-----BEGIN SSH SIGNATURE-----";
const SIGNATURE_END: &str = "-----END SSH SIGNATURE-----";

/// A commit's receipt, and whether it belongs to it.
#[derive(Clone, Debug)]
pub struct CommitReceipt {
    pub commit: CommitId,
    pub landed: LandedWork,
    /// What was said about each loop's work within it.
    pub works: Vec<WorkReceipt>,
    /// The bytes that a signature is made over.
    pub statement: Vec<u8>,
    /// Armoured, as `ssh-keygen -Y sign` writes them.
    pub signatures: Vec<String>,
    pub agrees: Vec<String>,
    pub differs: Vec<String>,
}

/// Why there is nothing to compare.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ReceiptError {
    #[error("there is no commit called {name} here")]
    #[diagnostic(help("`git fetch` brings what was pushed since"))]
    UnknownCommit { name: String },
    #[error("the commit {commit} has no receipt here")]
    #[diagnostic(help(
        "notes are not part of a clone: `git fetch origin refs/notes/gulf:refs/notes/gulf` brings them"
    ))]
    NoNote { commit: CommitId },
    #[error("the note on {commit} is not a receipt that this version of gulf can read: {why}")]
    #[diagnostic(help("`git notes --ref gulf show COMMIT` shows the note"))]
    Unreadable { commit: CommitId, why: String },
    #[error(transparent)]
    #[diagnostic(transparent)]
    World(#[from] RunError),
}

of_the_world!(ReceiptError::World: GitError);

/// Reads the note on a commit, and compares it with the commit.
pub fn read(repository: &Repository, name: &str) -> Result<CommitReceipt, ReceiptError> {
    let unknown = || ReceiptError::UnknownCommit { name: name.to_owned() };
    let commit = repository.find_commit(name)?.ok_or_else(unknown)?;
    let note = repository.read_note(&commit)?;
    let note = note.ok_or_else(|| ReceiptError::NoNote { commit: commit.clone() })?;
    let unreadable = |why: String| ReceiptError::Unreadable { commit: commit.clone(), why };
    let mut statements = serde_json::Deserializer::from_slice(&note).into_iter::<ReceiptStatement>();
    let first = statements.next().ok_or_else(|| unreadable("it is empty".to_owned()))?;
    let statement = first.map_err(|error| unreadable(error.to_string()))?;
    let (bytes, beside) = note.split_at(statements.byte_offset());
    let works = statement.predicate.landed.iter().map(|one| serde_json::from_value(one.said.clone()));
    let mut receipt = CommitReceipt {
        works: works.collect::<Result<_, _>>().map_err(|error| unreadable(error.to_string()))?,
        statement: bytes.trim_ascii().to_vec(),
        signatures: Vec::new(),
        agrees: Vec::new(),
        differs: Vec::new(),
        commit: commit.clone(),
        landed: statement.predicate.clone(),
    };
    receipt.take_signatures(&String::from_utf8_lossy(beside));
    receipt.compare_subject(&statement, repository)?;
    receipt.compare_history(repository)?;
    Ok(receipt)
}

impl CommitReceipt {
    fn say(&mut self, holds: bool, agrees: &str, differs: impl Into<String>) {
        if holds {
            self.agrees.push(agrees.to_owned());
        } else {
            self.differs.push(differs.into());
        }
    }

    fn take_signatures(&mut self, beside: &str) {
        let mut rest = beside;
        let mut other = String::new();
        while let Some((before, after)) = rest.split_once(SIGNATURE_BEGIN) {
            other.push_str(before);
            rest = "";
            let Some((body, behind)) = after.split_once(SIGNATURE_END) else {
                other.push_str(after);
                break;
            };
            self.signatures.push(format!("{SIGNATURE_BEGIN}{body}{SIGNATURE_END}\n"));
            rest = behind;
        }
        other.push_str(rest);
        if !other.trim().is_empty() {
            self.differs.push("the note holds more than one receipt and its signatures".to_owned());
        }
    }

    fn compare_subject(
        &mut self,
        statement: &ReceiptStatement,
        repository: &Repository,
    ) -> Result<(), ReceiptError> {
        let ReceiptStatement { kind, predicate_type, predicate, .. } = statement;
        let is_known = kind == STATEMENT_TYPE
            && predicate_type == PREDICATE_TYPE
            && predicate.version <= FORMAT_VERSION
            && !predicate.landed.is_empty();
        self.say(is_known, "its kind is one that this gulf knows", "it is a receipt of another kind");
        let tree = repository.tree_of(&self.commit)?;
        let is_commit = statement.is_about(SUBJECT_COMMIT, self.commit.as_str());
        self.say(is_commit, "it is about this commit", "it is about another commit");
        let is_tree = statement.is_about(SUBJECT_TREE, tree.as_str());
        self.say(
            is_tree,
            "the commit has the tree that it names",
            "the commit has another tree than it names",
        );
        Ok(())
    }

    /// The base, and what the messages of the commits name.
    fn compare_history(&mut self, repository: &Repository) -> Result<(), ReceiptError> {
        if let Some(before) = self.landed.base_before.clone() {
            let holds = before.as_str() != self.commit.as_str() && self.stands_below(&before, repository)?;
            self.say(
                holds,
                "the commit stands on the base that it names",
                format!("the base {before} that it names is not below the commit here"),
            );
        }
        for one in self.landed.landed.clone() {
            self.compare_work(&one, repository)?;
        }
        Ok(())
    }

    fn compare_work(&mut self, one: &LandedLoop, repository: &Repository) -> Result<(), ReceiptError> {
        let is_there = one.commit == self.commit || self.stands_below(&one.commit, repository)?;
        // A name that is no id may stand there as well.
        let is_id = CommitId::parse(one.commit.as_str()).is_ok();
        let message = if is_id && is_there { repository.message_of(&one.commit)? } else { String::new() };
        let named = format!("sha256:{}", one.receipt);
        let is_named = trailer(&message, TRAILER_RECEIPT) == Some(named.as_str());
        self.say(
            is_named && digest_of(&one.said)? == one.receipt,
            "contract, checks and findings are those that the commit's message names (Gulf-Receipt)",
            "contract, checks and findings are not those that the commit's message names (Gulf-Receipt)",
        );
        let candidate = one.said.pointer("/candidate/commit").and_then(serde_json::Value::as_str);
        self.say(
            candidate.is_some() && trailer(&message, TRAILER_CANDIDATE) == candidate,
            "the candidate is the one that the message names (Gulf-Candidate)",
            "it tells of another candidate than the message (Gulf-Candidate)",
        );
        Ok(())
    }

    fn stands_below(&self, older: &CommitId, repository: &Repository) -> Result<bool, ReceiptError> {
        let Some(older) = repository.find_commit(older.as_str())? else { return Ok(false) };
        Ok(repository.descends(&self.commit, &older)?)
    }
}

/// The last one of this name, in the last paragraph: all above may be a worker's words.
fn trailer<'message>(message: &'message str, name: &str) -> Option<&'message str> {
    let last = message.trim_end().rsplit("\n\n").next()?;
    last.lines().rev().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}
