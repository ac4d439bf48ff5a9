//! The sealed contract in full: every text and number that was agreed at the start (SPEC B1).
//!
//! The engine knows the numbers; the commands, the goal and the templates are here. One file, hashed; the hash
//! stands in the journal, so that a contract which somebody changed is noticed and never used.

use std::collections::BTreeMap;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{Baseline, CheckName, CheckTerms, CommitId, Contract, Digest, LoopId, Policy};
use gulf_host::files::Durability;
use gulf_host::{digest, files};
use serde::{Deserialize, Serialize};

use crate::error::RunError;

/// Far more than any honest contract.
const CONTRACT_BYTES_MAX: u64 = 64 << 20;

/// Everything that was agreed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    pub version: u32,
    pub loop_id: LoopId,
    /// Byte for byte as the person gave it.
    pub goal: String,
    /// The checkout the worker works in.
    pub project: Utf8PathBuf,
    pub repository: RepositoryKind,
    /// What the branch stood at.
    pub head: Option<CommitId>,
    /// Paths that the person had changed before the loop began.
    pub dirty_paths: Vec<String>,
    pub agent: AgentTerms,
    pub checks: Vec<SealedCheck>,
    /// Criteria of RUBRIC.md, listed as not proven until a judge exists.
    pub criteria: Vec<String>,
    pub completion_promise: String,
    /// A project's own prompt template.
    pub prompt_template: Option<PromptTemplate>,
    pub verification: VerificationTerms,
    /// The digests of the loop's own texts at the start; drift is reported.
    pub texts: BTreeMap<String, Digest>,
    pub base: gulf_engine::Base,
    pub policy: Policy,
}

/// Whose git this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepositoryKind {
    /// The person's.
    Own,
    /// The project has none; gulf keeps one for it.
    Shadow,
}

/// The agent and its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentTerms {
    /// Any program: prompt on stdin, final message on stdout.
    pub command: String,
    pub timeout_ms: u64,
    pub idle_timeout_ms: u64,
}

/// One check as sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedCheck {
    pub name: CheckName,
    pub command: String,
    pub timeout_ms: u64,
    /// Relative to the project.
    pub directory: Utf8PathBuf,
    pub environment: BTreeMap<String, String>,
    pub place: Place,
    pub baseline: Baseline,
    /// Who asked for it: `RUBRIC.md:4`, `--check`, `detected: Cargo.toml`.
    pub origin: String,
}

/// Where a check runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// In a checkout of the candidate.
    Checkout,
    /// In the project itself: the receipt says so.
    Project,
}

/// A template and where it came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptTemplate {
    pub path: String,
    pub text: String,
}

/// How checks get a checkout they can run in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerificationTerms {
    /// Makes a fresh checkout ready for the checks.
    pub setup: Option<String>,
    pub lockfiles: Vec<String>,
    pub output: KeptOutput,
    /// Folders of dependencies that were there at the start; others are a worker's and stay out.
    pub dependency_folders: Vec<String>,
    pub copy_bytes_max: u64,
    /// Files over this are named, not stored.
    pub file_bytes_max: u64,
}

/// Does build output stay in the checkout between runs?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeptOutput {
    Kept,
    /// `--verify-from-clean`
    Cleared,
}

impl Agreement {
    /// The part that the rules need.
    pub fn contract(&self) -> Result<Contract, RunError> {
        Ok(Contract {
            digest: self.digest()?,
            goal: goal_digest(&self.goal),
            base: self.base.clone(),
            checks: self.checks.iter().map(SealedCheck::terms).collect::<Result<_, _>>()?,
            units: std::num::NonZeroU32::MIN,
            policy: self.policy.clone(),
        })
    }

    /// Writes it where no worker looks.
    pub fn seal(&self, path: &Utf8Path) -> Result<(), RunError> {
        Ok(files::replace(path, &self.encode()?, Durability::Synced)?)
    }

    /// Reads it back, and makes sure that it is the one the journal speaks of.
    pub fn open(path: &Utf8Path, sealed: &Contract) -> Result<Self, RunError> {
        let bytes = files::read_bytes(path, CONTRACT_BYTES_MAX)?;
        if engine_digest(&bytes) != sealed.digest {
            return Err(RunError::ContractChanged { path: path.to_owned() });
        }
        serde_json::from_slice(&bytes).map_err(|source| RunError::Decode {
            path: path.to_owned(),
            what: "a contract",
            source,
        })
    }

    /// The check of this name.
    pub fn check(&self, name: &CheckName) -> Option<&SealedCheck> {
        self.checks.iter().find(|check| check.name == *name)
    }

    fn digest(&self) -> Result<Digest, RunError> {
        Ok(engine_digest(&self.encode()?))
    }

    fn encode(&self) -> Result<Vec<u8>, RunError> {
        serde_json::to_vec_pretty(self).map_err(|source| RunError::Encode { what: "the contract", source })
    }
}

impl SealedCheck {
    pub fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }

    fn terms(&self) -> Result<CheckTerms, RunError> {
        let bytes =
            serde_json::to_vec(self).map_err(|source| RunError::Encode { what: "a check", source })?;
        Ok(CheckTerms { name: self.name.clone(), digest: engine_digest(&bytes), baseline: self.baseline })
    }
}

/// The same goal resumes the same loop.
pub fn goal_digest(goal: &str) -> Digest {
    engine_digest(goal.as_bytes())
}

/// A digest as the engine's events carry it.
pub fn engine_digest(bytes: &[u8]) -> Digest {
    Digest::new(digest::Digest::of_bytes(bytes).to_string())
}
