//! Which histories are replayed, and how.

use std::path::PathBuf;

use crate::failure::Failure;

/// So many commits of each clone, unless told otherwise.
const COMMITS: usize = 10;

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Order {
    pub(super) clones: Vec<PathBuf>,
    /// Of each clone.
    pub(super) commits: usize,
    /// A command that is run in each checkout first.
    pub(super) setup: Option<String>,
    /// What else `gulf run` is told.
    pub(super) arguments: Vec<String>,
}

impl Order {
    /// `[--commits N] [--setup COMMAND] CLONE… [-- ARGUMENTS of gulf run]`; none where the words are no order.
    pub(crate) fn read(words: &[&str]) -> Option<Result<Self, Failure>> {
        let mut order = Self { clones: Vec::new(), commits: COMMITS, setup: None, arguments: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--commits" => order.commits = words.next()?.parse().ok().filter(|count| *count > 0)?,
                "--setup" => order.setup = Some((*words.next()?).to_owned()),
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
}
