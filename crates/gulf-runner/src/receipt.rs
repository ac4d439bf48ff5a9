//! The receipt that travels with a commit: an in-toto statement, as a git note on it.
//!
//! A stranger reads it, who has the commit and nothing else of gulf's. What the gates said about the work is hashed
//! before the commit is made, and the commit's message names that digest: whoever writes another note later has to
//! write another commit, too.

mod reading;

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use gulf_engine::{
    Base, Candidate, CheckName, CheckRun, CheckVerdict, CommitId, Digest, Finding, Gate, JudgeWord, LoopId,
    Overlay, PersonWord, Stage, TestCounts, earned,
};
use gulf_host::files::{self, Durability};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agreement::{Agreement, CheckIsolation, Place, SealedCheck, engine_digest};
use crate::book::Fold;
use crate::error::{Failure, Result, RunError};
use crate::folder::LoopPaths;
use crate::isolation::Level;
use crate::{FORMAT_VERSION, masking, records};

pub use reading::{CommitReceipt, ReceiptError, read};

/// What a receipt is called in an error.
const WHAT: &str = "a receipt";
const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";
const PREDICATE_TYPE: &str = "urn:gulf-loop:receipt:1";
/// A receipt names checks and findings, and holds no output.
const RECEIPT_BYTES_MAX: u64 = 16 << 20;
const SUBJECT_COMMIT: &str = "gitCommit";
const SUBJECT_TREE: &str = "gitTree";

/// <https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md>
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ReceiptStatement {
    #[serde(rename = "_type")]
    kind: String,
    subject: Vec<ReceiptSubject>,
    #[serde(rename = "predicateType")]
    predicate_type: String,
    predicate: LandedWork,
}

#[derive(Debug, Serialize, Deserialize)]
struct ReceiptSubject {
    name: String,
    digest: BTreeMap<String, String>,
}

/// What stands on the branch by this commit, and what was said about it before.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LandedWork {
    pub version: u32,
    pub gulf_version: String,
    pub base_branch: String,
    /// None where the commit is the first one.
    pub base_before: Option<CommitId>,
    /// Of the surroundings in which the checks ran.
    pub environment: Digest,
    pub landed: Vec<LandedLoop>,
}

/// One loop's work within it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LandedLoop {
    /// The commit whose message names this receipt.
    pub commit: CommitId,
    /// Of what follows.
    pub receipt: Digest,
    /// A [`WorkReceipt`], as it was hashed.
    pub said: Value,
    /// Those that said yes about the candidate, in place, and were not asked about the merge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked_when_merged: Vec<CheckName>,
    /// Checks that said no about this merge, and yes when they were asked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flaky: Option<FlakyChecks>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlakyChecks {
    pub checks: Vec<CheckName>,
    /// What was said first.
    pub summary: String,
}

/// What the gates said about one loop's candidate. No time stands in it: after a crash it has the same digest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WorkReceipt {
    pub version: u32,
    #[serde(rename = "loop")]
    pub loop_id: LoopId,
    pub contract: Digest,
    pub candidate: Candidate,
    /// What the candidate was compared with.
    pub base: Base,
    /// `verified`, `attested` …: what the work has earned; none where its gates never said yes.
    pub end: Option<String>,
    pub checks: Vec<WorkCheck>,
    pub findings: Vec<Finding>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cleared: Vec<Finding>,
    pub overlay: Option<Overlay>,
    pub judge: Option<JudgeWord>,
    pub waivers: Vec<WorkWaiver>,
    /// Who wanted it to land after the loop's end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub landed_by: Option<String>,
}

/// A check, what it ran, and what it said.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WorkCheck {
    pub name: CheckName,
    /// None where it is held out from workers.
    pub command: Option<String>,
    /// Relative to the project.
    pub directory: Utf8PathBuf,
    /// Over command, directory, environment and time-out.
    pub terms: Digest,
    /// `isolated`, `open`, `none`, `in-place`.
    pub isolation: String,
    pub candidate: Option<WorkResult>,
    pub base: Option<WorkResult>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkResult {
    /// `passed`, `failed`, `could-not-run`.
    pub word: String,
    pub exit: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<TestCounts>,
    /// Of its complete output.
    pub log: Option<Digest>,
}

/// A gate that a person overruled.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WorkWaiver {
    pub gate: Gate,
    pub reason: String,
}

impl ReceiptStatement {
    pub(crate) fn new(commit: &str, tree: &str, predicate: LandedWork) -> Self {
        let subject = |name: &str, kind: &str, id: &str| ReceiptSubject {
            name: name.to_owned(),
            digest: BTreeMap::from([(kind.to_owned(), id.to_owned())]),
        };
        Self {
            kind: STATEMENT_TYPE.to_owned(),
            subject: vec![subject("commit", SUBJECT_COMMIT, commit), subject("tree", SUBJECT_TREE, tree)],
            predicate_type: PREDICATE_TYPE.to_owned(),
            predicate,
        }
    }

    pub(crate) fn encode(&self) -> Result<Vec<u8>, RunError> {
        let mut bytes = records::encode_pretty(WHAT, self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// What it says it is about.
    fn is_about(&self, kind: &str, id: &str) -> bool {
        self.subject.iter().any(|subject| subject.digest.get(kind).is_some_and(|named| named == id))
    }
}

impl WorkReceipt {
    /// What is known about this candidate by now; masked, since others read it.
    pub(crate) fn compose(
        agreement: &Agreement,
        folder: &LoopPaths,
        fold: &Fold,
        candidate: &Candidate,
        landed_by: Option<&str>,
    ) -> Result<Self, RunError> {
        let contract = fold.state.contract().ok_or(RunError::NoContract)?;
        let words = fold.state.unit.words.get(&candidate.tree).cloned().unwrap_or_default();
        let probes = &fold.state.probes;
        let terms = |name: &CheckName| {
            let found = contract.checks.iter().find(|terms| terms.name == *name);
            found.map_or_else(|| Digest::new(""), |terms| terms.digest.clone())
        };
        let check = |check: &SealedCheck| WorkCheck {
            name: check.name.clone(),
            command: check.held_out.is_none().then(|| check.command.clone()),
            directory: check.directory.clone(),
            terms: terms(&check.name),
            isolation: isolation(check, folder).to_owned(),
            candidate: words.checks.get(&check.name).map(WorkResult::from_run),
            base: probes.get(&check.name).map(WorkResult::from_run),
        };
        let waived = matches!(words.person, Some(PersonWord::Approved));
        let waiver = WorkWaiver { gate: Gate::Judge, reason: "a person approved it".to_owned() };
        let checks = agreement.checks.iter().map(check).collect();
        let ended = if let Stage::Ended(end) = &fold.state.stage { Some(end.clone()) } else { None };
        let end = ended.or_else(|| earned(&fold.state));
        let integrity = words.integrity.unwrap_or_default();
        Ok(Self {
            version: FORMAT_VERSION,
            loop_id: agreement.loop_id.clone(),
            contract: contract.digest.clone(),
            candidate: candidate.clone(),
            base: fold.state.base().unwrap_or(&contract.base).clone(),
            end: end.map(|end| end.word().to_owned()),
            checks,
            findings: integrity.findings,
            cleared: integrity.cleared,
            overlay: words.overlay,
            judge: words.judge,
            waivers: waived.then_some(waiver).into_iter().collect(),
            landed_by: landed_by.map(str::to_owned),
        })
    }

    /// Writes it into the loop's folder; its digest, and what was hashed.
    pub(crate) fn keep(&self, folder: &LoopPaths) -> Result<(Digest, Value), RunError> {
        let said = self.value()?;
        let bytes = records::encode_pretty(WHAT, &said)?;
        files::keep(&file(folder, &self.candidate), &bytes, Durability::Synced)?;
        Ok((digest_of(&said)?, said))
    }

    /// As it is hashed.
    fn value(&self) -> Result<Value, RunError> {
        let encode = |source| RunError::Encode { what: WHAT, source };
        let text = serde_json::to_string(self).map_err(encode)?;
        serde_json::from_str(&masking::of_this_process().text(&text)).map_err(encode)
    }
}

/// What was kept of this candidate, where it is what this digest stands for.
pub(crate) fn kept(folder: &LoopPaths, candidate: &Candidate, digest: &Digest) -> Result<Value> {
    let bytes = files::read_bytes(&file(folder, candidate), RECEIPT_BYTES_MAX).map_err(RunError::from)?;
    let said = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    if digest_of(&said)? == *digest {
        return Ok(said);
    }
    Err(Failure::Refused(format!("the receipt of {} is not as it was written", candidate.commit)))
}

fn file(folder: &LoopPaths, candidate: &Candidate) -> Utf8PathBuf {
    folder.receipts().join(format!("{}.json", candidate.commit))
}

/// Of a value's text without blanks, its keys in order.
pub(crate) fn digest_of(said: &Value) -> Result<Digest, RunError> {
    Ok(engine_digest(&records::encode(WHAT, said)?))
}

fn isolation(check: &SealedCheck, folder: &LoopPaths) -> &'static str {
    match (check.place, check.isolation) {
        (Place::Project, _) => "in-place",
        (Place::Checkout, CheckIsolation::Off) => "none",
        (Place::Checkout, CheckIsolation::Required) => "isolated",
        (Place::Checkout, CheckIsolation::WherePossible) => {
            match Level::settled(folder, check.name.as_str()) {
                Some(Level::Open { .. }) => "open",
                Some(Level::Isolated) | None => "isolated",
            }
        }
    }
}

impl WorkResult {
    pub fn from_run(run: &CheckRun) -> Self {
        let word = match run.verdict {
            CheckVerdict::Green { .. } => "passed",
            CheckVerdict::Red { .. } => "failed",
            CheckVerdict::Unrunnable { .. } => "could-not-run",
        };
        Self { word: word.to_owned(), exit: run.exit, tests: run.tests, log: run.log.clone() }
    }
}
