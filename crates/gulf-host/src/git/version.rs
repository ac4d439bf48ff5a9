//! The version of git on this machine, and whether gulf works with it.
//!
//! It is asked before there is a repository, and only by who looks whether one could work.

use std::fmt;
use std::path::Path;

use super::error::{GitError, Result};
use super::program::Call;

/// Every option that this module gives to git is understood from here on: `merge-tree --write-tree` came last.
const OLDEST: GitVersion = GitVersion { major: 2, minor: 38 };

/// The version of the git program; what follows the minor number says nothing about what it can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct GitVersion {
    pub major: u32,
    pub minor: u32,
}

impl GitVersion {
    /// Asks the program on the PATH.
    pub fn of_program() -> Result<Self> {
        let said = Call::new(Path::new("."), &[], "version").run()?.text();
        Self::parse(&said).ok_or_else(|| GitError::answer("version", said))
    }

    /// Can gulf work with it?
    pub fn is_enough(self) -> bool {
        self >= OLDEST
    }

    /// `git version 2.39.5 (Apple Git-154)`
    fn parse(said: &str) -> Option<Self> {
        let mut numbers = said.strip_prefix("git version ")?.split('.');
        Some(Self { major: numbers.next()?.parse().ok()?, minor: numbers.next()?.parse().ok()? })
    }
}

impl fmt::Display for GitVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::GitVersion;

    #[test]
    fn vendors_words_after_the_numbers_do_not_matter() {
        for said in
            ["git version 2.39.5 (Apple Git-154)", "git version 2.39.0.windows.1", "git version 2.39.2"]
        {
            assert_eq!(GitVersion::parse(said), Some(GitVersion { major: 2, minor: 39 }), "{said}");
        }
        assert_eq!(GitVersion::parse("hub version 2.14"), None);
    }

    #[test]
    fn a_git_without_what_gulf_relies_on_is_too_old() {
        assert!(!GitVersion { major: 2, minor: 37 }.is_enough());
        assert!(!GitVersion { major: 1, minor: 99 }.is_enough());
        assert!(GitVersion { major: 2, minor: 38 }.is_enough());
        assert!(GitVersion { major: 3, minor: 0 }.is_enough());
    }
}
