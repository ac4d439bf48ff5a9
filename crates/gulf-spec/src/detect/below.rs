//! Projects in sub-folders, where there is none at the top: each is looked at as if it stood alone, and tested where it is.

use std::collections::BTreeSet;

use super::{Detected, MANIFESTS, NESTED_NAMED_MAX, ProjectFiles, WEAK_MANIFESTS, detect, free_name};

/// The outermost folders with a manifest.
pub(super) fn folders(project: &ProjectFiles<'_>) -> Vec<String> {
    let manifests = project.paths.iter().filter_map(|path| path.rsplit_once('/'));
    let known = manifests.filter(|(_, name)| MANIFESTS.contains(name) || WEAK_MANIFESTS.contains(name));
    let all: BTreeSet<&str> = known.map(|(folder, _)| folder).collect();
    let is_outermost = |folder: &&&str| !all.iter().any(|other| other != *folder && is_in(folder, other));
    all.iter().filter(is_outermost).map(|folder| (*folder).to_owned()).collect()
}

pub(super) fn is_in(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// What stands at the top, and what each of these folders has.
pub(super) fn joined(
    mut at_top: Detected,
    folders: &[String],
    paths: &[String],
    read: &dyn Fn(&str) -> Option<String>,
) -> Detected {
    for folder in folders.iter().take(NESTED_NAMED_MAX) {
        let inner = |path: &String| path.strip_prefix(folder.as_str())?.strip_prefix('/').map(str::to_owned);
        let mut within: Vec<String> = paths.iter().filter_map(inner).collect();
        // A virtual environment at the top is everybody's.
        let is_shared = |path: &&String| [".venv/bin/", "venv/bin/"].iter().any(|bin| path.starts_with(bin));
        let is_below_top = !folder.contains('/');
        within
            .extend(paths.iter().filter(|_| is_below_top).filter(is_shared).map(|path| format!("../{path}")));
        let found = detect(&within, &|path| read(&format!("{folder}/{path}")));
        if found.checks.is_empty() {
            if let Some(name) = MANIFESTS.iter().find(|name| within.iter().any(|path| path == *name)) {
                at_top.notes.push(super::mention(folder, name));
            }
            continue;
        }
        let languages = found.languages.into_iter().filter(|language| !at_top.languages.contains(language));
        at_top.languages.extend(languages.collect::<Vec<_>>());
        for mut check in found.checks {
            let name = format!("{}-{}", check.kind.name(), folder.rsplit('/').next().unwrap_or(folder));
            let name: String =
                name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
            check.name = free_name(&name, &[&at_top.checks]);
            check.why = format!("in {folder}: {}", check.why);
            check.folder.clone_from(folder);
            at_top.checks.push(check);
        }
        at_top.lockfiles.extend(found.lockfiles.into_iter().map(|path| format!("{folder}/{path}")));
        if let Some(command) = found.setup_command {
            at_top.setup(&format!("(cd '{}' && {command})", folder.replace('\'', r"'\''")));
        }
        at_top.notes.extend(found.notes);
    }
    at_top.notes.extend(super::more(folders.len()));
    at_top
}
