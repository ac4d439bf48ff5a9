//! Makes a repository of a folder: everything in it as the first commit.
//!
//! Gulf never does this to a person's project, only to a sample of its own; so nothing of the person's git
//! configuration may be needed for it, or get in its way.

use camino::Utf8Path;

use super::error::Result;
use super::program::Call;

/// Local settings of the new repository: what lies in it is what was put there, and whoever tries it out can commit.
const SETTINGS: [(&str, &str); 6] = [
    ("user.name", "gulf"),
    ("user.email", "gulf@example.invalid"),
    ("core.autocrlf", "false"),
    ("core.eol", "lf"),
    ("commit.gpgSign", "false"),
    ("tag.gpgSign", "false"),
];

/// Makes `directory` a repository on the branch `main` and commits all that lies in it.
pub fn begin_repository(directory: &Utf8Path, message: &str) -> Result<()> {
    let call = |verb| Call::new(directory.as_std_path(), &[], verb);
    call("init").args(["--quiet", "--template=", "--initial-branch=main"]).run()?;
    for (name, value) in SETTINGS {
        call("config").args(["--local", name, value]).run()?;
    }
    // The person's own ignore rules say nothing about a sample.
    call("add").args(["--all", "--force"]).run()?;
    call("commit").args(["--quiet", "--message", message]).run().map(drop)
}
