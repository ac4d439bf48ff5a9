//! The layers that are files: the person's gulf.toml, a Ralph project's `.ralphrc` (SPEC K6), the project's gulf.toml.
//!
//! Apart from variables and flags because a `.ralphrc` has another program's names: what counts of it is where each value
//! came from, and gulf.toml outranks it.

use std::collections::BTreeMap;

use super::{
    CheckSetting, ConfigProblem, Key, LayerReader, Origin, Setting, SettingLayer, SettingLayers, Value,
};
use crate::problem::{Located, Problem, Weight};
use crate::ralphrc;
use crate::text::Source;

type Settings = BTreeMap<Key, Setting>;
type ConfigProblems = Vec<Located<ConfigProblem>>;

/// Reads them, the later ones above the earlier ones.
pub(super) fn read(
    layers: &SettingLayers,
    settings: &mut Settings,
    checks: &mut Vec<CheckSetting>,
    problems: &mut ConfigProblems,
) {
    if let Some(user) = &layers.user {
        file(SettingLayer::User, user, settings, checks, problems);
    }
    if let Some(source) = &layers.ralphrc {
        of_ralph(source, settings, problems);
    }
    if let Some(project) = &layers.project {
        file(SettingLayer::Project, project, settings, checks, problems);
    }
}

fn file(
    layer: SettingLayer,
    source: &Source,
    settings: &mut Settings,
    checks: &mut Vec<CheckSetting>,
    problems: &mut ConfigProblems,
) {
    let mut reader = LayerReader::new(layer, source.clone());
    reader.file();
    settings.extend(reader.settings);
    problems.extend(reader.problems);
    if !reader.checks.is_empty() {
        *checks = reader.checks;
    }
}

/// What has a counterpart; what a shell would have to find out is a problem only where it would count.
fn of_ralph(source: &Source, settings: &mut Settings, problems: &mut ConfigProblems) {
    let read = ralphrc::parse(source);
    let located = |problem, span| Located { problem, source: source.clone(), span };
    for one in read.settings {
        let origin = Origin { layer: SettingLayer::Project, source: source.clone(), span: one.span };
        match Value::read(one.key.row(), &one.value) {
            Ok(value) => _ = settings.insert(one.key, Setting { value, origin }),
            Err(problem) => problems.push(located(problem, one.span)),
        }
    }
    let errors = read.problems.into_iter().filter(|one| one.problem.weight() == Weight::Error);
    problems.extend(errors.map(|one| located(ConfigProblem::Ralphrc(one.problem), one.span)));
}
