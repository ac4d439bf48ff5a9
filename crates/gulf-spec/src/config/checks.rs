//! The checks of the settings: each once, and no two of one name.
//!
//! They are the only settings that are a list of things.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{FoundProblems, Origin, SettingLayer};
use crate::problem::{Located, Mistake};

/// One check of `gulf.toml` or `--check`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckSetting {
    pub name: String,
    pub command: String,
    pub timeout: Duration,
    /// Relative to the project, inside it; empty is the project itself.
    pub cwd: String,
    pub env: BTreeMap<String, String>,
    /// None where its command and its words tell.
    pub measures: Option<Measures>,
    /// Files that it writes, below its folder; empty: where tools usually write them.
    pub reports: Vec<String>,
    /// It cannot run yet: what it runs is part of the work.
    pub is_new: bool,
    /// The worker hears its name, and that it failed.
    pub is_hidden: bool,
    pub origin: Origin,
}

/// What a check's numbers mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measures {
    Tests,
    Lint,
    Build,
    Coverage,
}

/// What is held out is not called by its command: the worker hears its name.
const HELD_OUT: &str = "acceptance";

/// Drops a check of a flag that repeats an earlier one; two of one name are a problem.
pub(super) fn distinct(checks: Vec<CheckSetting>, problems: &mut FoundProblems) -> Vec<CheckSetting> {
    let mut names: BTreeMap<String, Origin> = BTreeMap::new();
    let mut commands = BTreeSet::new();
    let mut kept: Vec<CheckSetting> = Vec::new();
    let mut unnamed = 0;
    for mut check in checks {
        if check.name.is_empty() {
            unnamed += 1;
            check.name = if unnamed == 1 { HELD_OUT.to_owned() } else { format!("{HELD_OUT} {unnamed}") };
        }
        if !commands.insert(check.command.clone()) && check.origin.layer == SettingLayer::Flag {
            for earlier in kept.iter_mut().filter(|earlier| earlier.command == check.command) {
                if earlier.is_hidden != check.is_hidden {
                    let problem = Mistake::error(
                        format!("`{}` is to be held out, and is a check that the worker sees", check.command),
                        "leave one of the two out, or hold out another command",
                    );
                    let Origin { source, span, .. } = check.origin.clone();
                    problems.push(Located { problem, source, span });
                }
                earlier.is_new |= check.is_new;
            }
            continue;
        }
        if let Some(first) = names.get(&check.name) {
            let problem = Mistake::error(
                format!("two checks are called `{}`", check.name),
                format!("the first stands at {first}; give one of them another `name`"),
            );
            let Origin { source, span, .. } = check.origin.clone();
            problems.push(Located { problem, source, span });
        } else {
            names.insert(check.name.clone(), check.origin.clone());
        }
        kept.push(check);
    }
    kept
}
