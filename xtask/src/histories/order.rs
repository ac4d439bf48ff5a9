//! Which histories are replayed, and how.

use std::path::{Path, PathBuf};

use super::commit::Wanted;
use super::project;
use crate::failure::Failure;

/// So many commits of each clone, unless told otherwise.
const COMMITS: usize = 10;
/// So long may one replay take, unless told otherwise.
const MINUTES: u64 = 20;

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Order {
    pub(super) clones: Vec<PathBuf>,
    /// Of each clone.
    pub(super) commits: usize,
    /// Commands that are run in checkouts first: `COMMAND` in any, `NAME=COMMAND` in those of one clone.
    pub(super) setups: Vec<String>,
    pub(super) which: Wanted,
    /// Leave each replay where it was made, with what gulf said.
    pub(super) keep: bool,
    /// What one replay may take.
    pub(super) minutes: u64,
    /// What else `gulf run` is told.
    pub(super) arguments: Vec<String>,
}

impl Order {
    /// `[--commits N] [--minutes N] [--with-tests] [--keep] [--setup [NAME=]COMMAND]… CLONE… [-- ARGUMENTS of gulf run]`; none where the words are no order.
    pub(crate) fn read(words: &[&str]) -> Option<Result<Self, Failure>> {
        let (clones, setups, arguments) = (Vec::new(), Vec::new(), Vec::new());
        let (commits, minutes, which) = (COMMITS, MINUTES, Wanted::Any);
        let mut order = Self { clones, commits, setups, which, keep: false, minutes, arguments };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--commits" => order.commits = words.next()?.parse().ok().filter(|count| *count > 0)?,
                "--minutes" => order.minutes = words.next()?.parse().ok().filter(|count| *count > 0)?,
                "--with-tests" => order.which = Wanted::WithTests,
                "--keep" => order.keep = true,
                "--setup" => order.setups.push((*words.next()?).to_owned()),
                "--" => order.arguments = words.by_ref().map(|word| (*word).to_owned()).collect(),
                option if option.starts_with('-') => return None,
                clone => order.clones.push(PathBuf::from(clone)),
            }
        }
        if order.clones.is_empty() {
            return None;
        }
        let missing = order.clones.iter().find(|clone| !clone.is_dir());
        Some(match missing {
            Some(clone) => Err(Failure::Found {
                what: format!("{} is no folder", clone.display()),
                hint: "name clones of projects, each with its history",
            }),
            None => Ok(order),
        })
    }

    /// What is run first in a checkout of this clone: what names it, or else what names none.
    pub(super) fn setup_of(&self, clone: &Path) -> Option<&str> {
        let names: Vec<String> = self.clones.iter().map(|clone| project(clone)).collect();
        let own = project(clone);
        let named = self.setups.iter().find_map(|setup| command_for(&own, setup));
        let is_for_all = |setup: &&String| names.iter().all(|name| command_for(name, setup).is_none());
        named.or_else(|| self.setups.iter().find(is_for_all).map(String::as_str))
    }
}

fn command_for<'setup>(name: &str, setup: &'setup str) -> Option<&'setup str> {
    setup.strip_prefix(name)?.strip_prefix('=')
}
