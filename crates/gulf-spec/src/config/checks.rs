//! The checks of all layers together; apart because no key outranks another here: they add up.

use std::collections::{BTreeMap, BTreeSet};

use super::{CheckSetting, ConfigProblem, Layer, Origin};
use crate::problem::Located;

/// Drops a check of a flag that repeats an earlier one; two of one name are a problem.
pub(super) fn distinct(
    checks: Vec<CheckSetting>,
    problems: &mut Vec<Located<ConfigProblem>>,
) -> Vec<CheckSetting> {
    let mut names: BTreeMap<String, Origin> = BTreeMap::new();
    let mut commands = BTreeSet::new();
    let mut kept = Vec::new();
    for check in checks {
        if !commands.insert(check.command.clone()) && check.origin.layer == Layer::Flag {
            continue;
        }
        if let Some(first) = names.get(&check.name) {
            let (name, first) = (check.name.clone(), first.to_string());
            problems.push(Located {
                problem: ConfigProblem::DuplicateCheck { name, first },
                source: check.origin.source.clone(),
                span: check.origin.span,
            });
        } else {
            names.insert(check.name.clone(), check.origin.clone());
        }
        kept.push(check);
    }
    kept
}
