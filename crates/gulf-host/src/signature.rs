//! Signatures by a person's own ssh key, made and read by `ssh-keygen` as git's are.
//!
//! The key never comes here: ssh-keygen reads it, asks for its passphrase, or asks the agent.

use std::io::{self, Write};
use std::process::{Command, Output, Stdio};

use camino::{Utf8Path, Utf8PathBuf};

use crate::programs;

/// What a signature is for: one made for git or a login is none here.
const NAMESPACE: &str = "gulf";
const PROGRAM: &str = "ssh-keygen";

/// What is known of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignatureWord {
    /// By a key that the allowed signers name.
    Good { signer: String },
    /// Right, by a key that nobody here vouches for; with the key.
    Unknown { key: String },
    /// The allowed signers do not name its key; with the key.
    NotAllowed { key: String },
    /// Made over something else, or no signature; in the program's words.
    Bad { why: String },
}

#[derive(Debug, thiserror::Error)]
pub enum SignatureError {
    #[error("ssh-keygen is not installed")]
    NotInstalled,
    #[error("cannot run ssh-keygen")]
    Io(#[from] io::Error),
    #[error("ssh-keygen could not sign: {words}")]
    NotSigned { words: String },
}

/// Signs with the key in this file, or with the agent's where the file holds a public one. Armoured.
pub fn sign(message: &[u8], key: &Utf8Path) -> Result<String, SignatureError> {
    let made = run(&["sign", "-n", NAMESPACE, "-f", key.as_str()], message)?;
    if made.status.success() {
        return Ok(String::from_utf8_lossy(&made.stdout).into_owned());
    }
    Err(SignatureError::NotSigned { words: first_lines(&made) })
}

/// Who signed this message, as the file of allowed signers tells; with none, whether the signature is right at all.
pub fn read(
    message: &[u8],
    signature: &str,
    allowed: Option<&Utf8Path>,
) -> Result<SignatureWord, SignatureError> {
    let folder = tempfile::tempdir()?;
    let path = Utf8PathBuf::try_from(folder.path().join("signature")).map_err(io::Error::other)?;
    std::fs::write(&path, signature)?;
    let checked = run(&["check-novalidate", "-n", NAMESPACE, "-s", path.as_str()], message)?;
    if !checked.status.success() {
        return Ok(SignatureWord::Bad { why: first_lines(&checked) });
    }
    let said = String::from_utf8_lossy(&checked.stdout).into_owned();
    let key = said.rsplit("with ").next().unwrap_or_default().trim().to_owned();
    let Some(allowed) = allowed else { return Ok(SignatureWord::Unknown { key }) };
    let found = run(&["find-principals", "-f", allowed.as_str(), "-s", path.as_str()], b"")?;
    let named = String::from_utf8_lossy(&found.stdout).into_owned();
    for signer in named.lines().map(str::trim).filter(|_| found.status.success()) {
        let arguments =
            ["verify", "-n", NAMESPACE, "-f", allowed.as_str(), "-I", signer, "-s", path.as_str()];
        if run(&arguments, message)?.status.success() {
            return Ok(SignatureWord::Good { signer: signer.to_owned() });
        }
    }
    Ok(SignatureWord::NotAllowed { key })
}

fn run(arguments: &[&str], input: &[u8]) -> Result<Output, SignatureError> {
    let program = programs::find(PROGRAM).filter(|path| path.is_absolute());
    let mut child = Command::new(program.ok_or(SignatureError::NotInstalled)?)
        .arg("-Y")
        .args(arguments)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // One that ended early says why itself.
        let _ = stdin.write_all(input);
    }
    Ok(child.wait_with_output()?)
}

fn first_lines(output: &Output) -> String {
    let both = [&output.stderr, &output.stdout].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let lines = both.iter().flat_map(|text| text.lines()).map(str::trim).filter(|line| !line.is_empty());
    lines.take(3).collect::<Vec<_>>().join("; ")
}
