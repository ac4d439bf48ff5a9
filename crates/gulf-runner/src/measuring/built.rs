//! The reports of tests that build tools leave at places of their own, in a module or in several.
//!
//! It stands apart because nobody names these files: they are looked for, before a run and after it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::reports::{BuildTool, BuiltReport, JunitFile};
use gulf_host::files;

/// What makes a folder one of a build tool's.
const BUILDS: [&str; 5] =
    ["pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];
/// Folders below each other that are looked into: four of modules, three of a report.
const DEPTH_MAX: usize = 7;
/// Of a larger build nothing is read.
const ENTRIES_MAX: usize = 100_000;

/// The reports that lie there, and when each was written.
pub(super) type Found = BTreeMap<Utf8PathBuf, Option<SystemTime>>;

/// Looks for them; none where no build tool is at home.
pub(super) fn find(folder: &Utf8Path) -> Found {
    let mut found = Found::new();
    if !BUILDS.iter().any(|name| folder.join(name).is_file()) {
        return found;
    }
    let (mut entries, mut open) = (0, vec![(folder.to_owned(), 0)]);
    while let Some((inner, depth)) = open.pop() {
        for entry in inner.read_dir_utf8().into_iter().flatten().flatten() {
            entries += 1;
            if entries > ENTRIES_MAX {
                return Found::new();
            }
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            if kind.is_dir() && depth < DEPTH_MAX && BuildTool::may_report_in(&slashed(path)) {
                open.push((entry.path().to_owned(), depth + 1));
            } else if kind.is_file() && BuildTool::of_report(&slashed(path)).is_some() {
                found.insert(path.to_owned(), super::written_at(entry.path()));
            }
        }
    }
    found
}

/// What the run wrote. Gradle empties the folder of a task that runs: where something older lies, others wrote there.
pub(super) fn written(folder: &Utf8Path, before: &Found, bytes_max: u64) -> Vec<BuiltReport> {
    let now = find(folder);
    let is_old = |path: &Utf8Path| before.get(path).is_some_and(|then| now.get(path) == Some(then));
    let shared: BTreeSet<_> =
        now.keys().filter(|path| is_old(path)).filter_map(|path| path.parent()).collect();
    let mut left = Vec::new();
    let mut bytes = bytes_max;
    for path in now.keys().filter(|path| !is_old(path)) {
        let Some(tool) = BuildTool::of_report(&slashed(path)) else { continue };
        if tool == BuildTool::Gradle && path.parent().is_some_and(|folder| shared.contains(folder)) {
            continue;
        }
        // All of them together are one report, of which a part says nothing.
        let Ok(file) = files::read_bytes(&folder.join(path), bytes) else { return Vec::new() };
        bytes = bytes.saturating_sub(u64::try_from(file.len()).unwrap_or(u64::MAX));
        left.push(BuiltReport { tool, file: JunitFile::read(&file) });
    }
    left
}

fn slashed(path: &Utf8Path) -> String {
    path.as_str().replace('\\', "/")
}
