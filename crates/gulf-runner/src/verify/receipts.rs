//! A commit's receipt, read and signed without a loop.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::clock::Clock;
use gulf_host::git;
use gulf_host::home::Home;
use gulf_host::signature::{self, SignatureError, SignatureWord};

use super::open;
use super::passing::PassingFolder;
use crate::error::RunError;
use crate::place::Project;
use crate::receipt::{self, CommitReceipt, ReceiptError};
use crate::snapshot::stamp;

/// Where the person's own settings of git name the keys that they believe, and the key that they sign with.
const ALLOWED_SIGNERS: &str = "gpg.ssh.allowedSignersFile";
const SIGNING_KEY: &str = "user.signingKey";

/// Reads the receipt of a commit, and compares it with the commit.
pub fn receipt(project: &Project, home: &Home, name: &str) -> Result<CommitReceipt, ReceiptError> {
    home.refuse_inside(&project.directory).map_err(RunError::from)?;
    let passing = PassingFolder::create(home)?;
    receipt::read(&open(project, &passing.folder())?, name)
}

/// What each signature is worth here.
pub fn signatures(receipt: &CommitReceipt) -> Result<Vec<SignatureWord>, SignatureError> {
    if receipt.signatures.is_empty() {
        return Ok(Vec::new());
    }
    let allowed = git::own_setting(ALLOWED_SIGNERS).ok().flatten().map(Utf8PathBuf::from);
    let read = |one: &String| signature::read(&receipt.statement, one, allowed.as_deref());
    receipt.signatures.iter().map(read).collect()
}

/// The key that git signs with, where that is a file.
pub fn signing_key() -> Option<Utf8PathBuf> {
    git::own_setting(SIGNING_KEY).ok().flatten().map(Utf8PathBuf::from).filter(|path| path.is_file())
}

/// Signs the receipt, and puts the signature beside it.
pub fn sign(
    project: &Project,
    home: &Home,
    receipt: &CommitReceipt,
    key: &Utf8Path,
) -> Result<(), SignError> {
    let made = signature::sign(&receipt.statement, key)?;
    let passing = PassingFolder::create(home)?;
    let repository = open(project, &passing.folder())?;
    let when = stamp(Clock::new().wall_ms());
    Ok(repository.note(&receipt.commit, made.as_bytes(), when).map_err(RunError::from)?)
}

/// Why there is no signature.
#[derive(Debug, thiserror::Error)]
pub enum SignError {
    #[error(transparent)]
    Signature(#[from] SignatureError),
    #[error(transparent)]
    World(#[from] RunError),
}
