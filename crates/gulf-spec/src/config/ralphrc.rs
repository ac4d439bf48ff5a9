//! A project's `.ralphrc` as a layer of settings, below its `gulf.toml` (SPEC K6).
//!
//! Apart from the layers of gulf's own because its names are another program's: what counts here is where each value
//! came from.

use std::collections::BTreeMap;

use super::{ConfigProblem, Key, Layer, Origin, Setting, Value};
use crate::problem::{Located, Problem, Weight};
use crate::ralphrc;
use crate::text::Source;

/// Adds what has a counterpart; what a shell would have to find out is a problem only where it would count.
pub(super) fn read(
    source: &Source,
    settings: &mut BTreeMap<Key, Setting>,
    problems: &mut Vec<Located<ConfigProblem>>,
) {
    let read = ralphrc::parse(source);
    let located = |problem, span| Located { problem, source: source.clone(), span };
    for one in read.settings {
        let origin = Origin { layer: Layer::Project, source: source.clone(), span: one.span };
        match Value::read(one.key.row(), &one.value) {
            Ok(value) => _ = settings.insert(one.key, Setting { value, origin }),
            Err(problem) => problems.push(located(problem, one.span)),
        }
    }
    let errors = read.problems.into_iter().filter(|one| one.problem.weight() == Weight::Error);
    problems.extend(errors.map(|one| located(ConfigProblem::Ralphrc(one.problem), one.span)));
}
