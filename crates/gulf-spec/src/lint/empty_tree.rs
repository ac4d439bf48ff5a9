//! What a check's word on an empty tree is worth: a check that is green where there is nothing cannot tell work from
//! no work.
//!
//! Apart because somebody else ran the commands; here it is weighed.

use super::checks::cannot_fail;
use super::{Finding, Rule, quoted};
use crate::problem::Weight;
use crate::progress::even;

/// A check, and its word where there was nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnEmptyTree {
    pub command: String,
    /// Where the check stands: `RUBRIC.md:3`, `gulf.toml:5:1`.
    pub origin: String,
    pub word: EmptyTreeWord,
}

/// What it said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmptyTreeWord {
    Green,
    /// Green, and its runner says that there was nothing to run.
    GreenWithoutTests,
    Red,
}

/// One finding for each check that was green, except those whose text shows already that they cannot fail. If none was red, nothing can tell work from no work: an error. Else the
/// green ones may be guards (`! grep -r password src`), which is a warning.
pub fn on_empty_tree(checks: &[OnEmptyTree]) -> Vec<Finding> {
    let some_red = checks.iter().any(|check| check.word == EmptyTreeWord::Red);
    let (weight, hint) = if some_red {
        (Weight::Warning, "as a guard it may stay; it proves nothing about the work")
    } else {
        (Weight::Error, "name a check that fails as long as the work is not done")
    };
    let finding = |check: &OnEmptyTree| {
        let why = match check.word {
            EmptyTreeWord::Red => return None,
            EmptyTreeWord::Green => "is green on an empty tree: it cannot tell work from no work",
            EmptyTreeWord::GreenWithoutTests => "is green on an empty tree, where it ran no test",
        };
        Some(Finding {
            rule: Rule::CheckGreenOnEmptyTree,
            weight,
            place: Some(check.origin.clone()),
            message: format!("`{}` {why}", quoted(&check.command)),
            hint: Some(hint.to_owned()),
        })
    };
    checks.iter().filter(|check| !cannot_fail(&even(&check.command))).filter_map(finding).collect()
}
