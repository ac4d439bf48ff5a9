//! Names git gives: references, file modes, paths inside a tree; ids of objects are those that the engine knows as well.
//!
//! They stand apart, each a type of its own, so that none can be passed where another belongs.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use camino::{Utf8Path, Utf8PathBuf};

use super::error::{GitError, Result};

pub use gulf_names::{BlobId, CommitId, TreeId};

/// The hash a repository names its objects with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectFormat {
    Sha1,
    Sha256,
}

impl ObjectFormat {
    pub(super) fn parse(text: &str) -> Result<Self> {
        match text {
            "sha1" => Ok(ObjectFormat::Sha1),
            "sha256" => Ok(ObjectFormat::Sha256),
            other => Err(GitError::Invalid { wanted: "an object format", text: other.to_owned() }),
        }
    }

    /// The id of the tree without entries, the base of a repository without commits.
    pub fn empty_tree(self) -> TreeId {
        TreeId::new(match self {
            ObjectFormat::Sha1 => "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
            ObjectFormat::Sha256 => "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
        })
    }

    pub(super) fn zero(self) -> String {
        "0".repeat(self.hexadecimal_digits())
    }

    pub(super) fn hexadecimal_digits(self) -> usize {
        match self {
            ObjectFormat::Sha1 => 40,
            ObjectFormat::Sha256 => 64,
        }
    }
}

/// Where the branches of remotes on which work lands are held.
pub(super) const BASES: &str = "refs/gulf/bases";

/// A reference that belongs to gulf: under `refs/gulf/`, so that nothing here can name a person's branch.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RefName(String);

impl RefName {
    /// Takes `refs/gulf/` and parts of letters, digits, `-`, `_` and `.`.
    pub fn parse(text: &str) -> Result<Self> {
        let good_part = |part: &str| {
            !part.is_empty()
                && !part.starts_with('.')
                && !part.ends_with('.')
                && !part.ends_with(".lock")
                && !part.contains("..")
                && part.chars().all(|character| character.is_alphanumeric() || "-_.".contains(character))
        };
        match text.strip_prefix("refs/gulf/") {
            Some(rest) if rest.split('/').all(good_part) => Ok(Self(text.to_owned())),
            Some(_) | None => {
                Err(GitError::Invalid { wanted: "a reference under refs/gulf/", text: text.to_owned() })
            }
        }
    }

    /// The reference that keeps the tree of one iteration.
    pub fn iteration(loop_id: &str, iteration: u64) -> Result<Self> {
        Self::parse(&format!("refs/gulf/{loop_id}/{iteration}"))
    }

    /// The reference that holds what a remote's branch was last seen at; `digest` tells one branch from another.
    pub fn base(digest: &str) -> Result<Self> {
        Self::parse(&format!("{BASES}/{digest}"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RefName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// What stands at a path of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileMode {
    File,
    Executable,
    Symlink,
    Submodule,
}

impl FileMode {
    pub(super) fn parse(text: &str) -> Result<Self> {
        match text {
            "100644" | "100664" => Ok(FileMode::File),
            "100755" => Ok(FileMode::Executable),
            "120000" => Ok(FileMode::Symlink),
            "160000" => Ok(FileMode::Submodule),
            other => Err(GitError::Invalid { wanted: "a file mode", text: other.to_owned() }),
        }
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            FileMode::File => "100644",
            FileMode::Executable => "100755",
            FileMode::Symlink => "120000",
            FileMode::Submodule => "160000",
        }
    }
}

/// A path inside a tree: bytes with forward slashes, as git keeps them; need not be UTF-8.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TreePath(Vec<u8>);

impl TreePath {
    /// Takes a relative path without empty, `.` or `..` parts and without `.git`.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let bad_part = |part: &[u8]| {
            part.is_empty() || part == b"." || part == b".." || part.eq_ignore_ascii_case(b".git")
        };
        if bytes.contains(&0) || bytes.split(|byte| *byte == b'/').any(bad_part) {
            let text = String::from_utf8_lossy(bytes).into_owned();
            return Err(GitError::Invalid { wanted: "a path inside a tree", text });
        }
        Ok(Self(bytes.to_vec()))
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub fn as_utf8(&self) -> Option<&Utf8Path> {
        std::str::from_utf8(&self.0).ok().map(Utf8Path::new)
    }

    /// The last part of the path.
    pub fn file_name(&self) -> &[u8] {
        self.0.rsplit(|byte| *byte == b'/').next().unwrap_or(&self.0)
    }

    /// Whether this is `other` or lies below it.
    pub fn is_at_or_below(&self, other: &TreePath) -> bool {
        self.0.strip_prefix(other.0.as_slice()).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
    }

    /// Whether this is one of `others` or lies below one.
    pub fn is_within(&self, others: &[TreePath]) -> bool {
        others.iter().any(|other| self.is_at_or_below(other))
    }

    /// Where this path stands below `root`.
    pub fn below(&self, root: &Utf8Path) -> PathBuf {
        root.as_std_path().join(OsStr::from_bytes(&self.0))
    }
}

/// For people: the first path, and how many more there are.
pub(super) fn first_of(paths: &[TreePath]) -> String {
    match paths {
        [] => "nothing".to_owned(),
        [path] => path.to_string(),
        [path, rest @ ..] => format!("{path} and {} more", rest.len()),
    }
}

impl TryFrom<&str> for TreePath {
    type Error = GitError;

    fn try_from(path: &str) -> Result<Self> {
        TreePath::parse(path.as_bytes())
    }
}

impl From<&TreePath> for Utf8PathBuf {
    fn from(path: &TreePath) -> Self {
        Utf8PathBuf::from(path.to_string())
    }
}

/// For people: bytes that are not UTF-8 and control characters are shown escaped.
impl fmt::Display for TreePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in String::from_utf8_lossy(&self.0).chars() {
            if character.is_control() {
                write!(formatter, "{}", character.escape_default())?;
            } else {
                write!(formatter, "{character}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for TreePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\"{self}\"")
    }
}
