//! The reports of tests that build tools leave at places of their own, in a module or in several.
//!
//! It stands apart because nobody names these files: they are looked for, before a run and after it.

use std::collections::BTreeMap;
use std::time::SystemTime;

use camino::Utf8Path;
use gulf_agents::reports::{BUILD_FILES, BuildTool, BuiltReport, JunitFile};
use gulf_host::{files, programs};

/// Four folders of modules, three of a report, and the file.
const DEPTH_MAX: usize = 8;
/// Of a larger tree the rest is not looked at.
const FILES_MAX: usize = 100_000;

/// The reports that lie there, and when each was written.
pub(super) type Found = BTreeMap<String, Option<SystemTime>>;

/// Looks for them; none where no build tool is at home.
pub(super) fn find(folder: &Utf8Path) -> Found {
    let is_built = BUILD_FILES.iter().any(|name| folder.join(name).is_file());
    let mut files = if is_built { programs::list(folder, DEPTH_MAX, FILES_MAX) } else { Vec::new() };
    files.retain(|path| BuildTool::of_report(path).is_some());
    files.into_iter().map(|path| (path.clone(), super::written_at(&folder.join(path)))).collect()
}

/// What the run wrote. All of it is one report, of which a part says nothing.
pub(super) fn written(folder: &Utf8Path, before: &Found, bytes_max: u64) -> Vec<BuiltReport> {
    let mut bytes = bytes_max;
    let read = BuildTool::written_anew(before, find(folder)).into_iter().map(|(tool, path)| {
        let file = files::read_bytes(&folder.join(path), bytes).ok()?;
        bytes = bytes.saturating_sub(u64::try_from(file.len()).unwrap_or(u64::MAX));
        Some(BuiltReport { tool, file: JunitFile::read(&file) })
    });
    read.collect::<Option<_>>().unwrap_or_default()
}
