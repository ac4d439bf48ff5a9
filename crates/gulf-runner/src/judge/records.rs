//! The records of verdicts in the folders of iterations, read back.
//!
//! Apart because people, workers and later judgements read them; whoever judges only writes.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::judge::{JudgeRecord, Outcome};
use gulf_host::files;

use super::JUDGE;
use crate::error::RunResult;
use crate::folder::LoopPaths;
use crate::records::undecoded;

/// How much of a record is read back.
const RECORD_BYTES_MAX: u64 = 16 << 20;
/// Everybody who may have spoken, in the order in which they are shown.
const SPEAKERS: [(&str, &str); 4] = [
    (JUDGE, "the judge"),
    ("qa", "the QA review"),
    ("security", "the security review"),
    ("documents", "the documentation review"),
];

/// Every record of this speaker's verdicts in a loop, in the order of the iterations.
pub fn records(folder: &LoopPaths, name: &str) -> Vec<Utf8PathBuf> {
    let list = gulf_host::programs::list(&folder.iterations(), 2, usize::MAX);
    let is_record = |path: &String| attempt_of(Utf8Path::new(path), name).is_some();
    list.into_iter().filter(is_record).map(|path| folder.iterations().join(path)).collect()
}

/// The last verdict of everybody who spoke in an iteration, the judge first.
pub fn spoken(folder: &LoopPaths, iteration: u32) -> Vec<(&'static str, JudgeRecord)> {
    let records = SPEAKERS.into_iter().map(|(name, who)| Some((who, last_of(folder, iteration, name)?)));
    records.flatten().collect()
}

/// Those among them who said no.
pub fn refusals(folder: &LoopPaths, iteration: u32) -> Vec<(&'static str, JudgeRecord)> {
    let mut spoken = spoken(folder, iteration);
    spoken.retain(|(_, record)| matches!(record.outcome, Outcome::Rejected { .. }));
    spoken
}

/// The last verdict of an iteration by whoever is called so, if it can be read.
pub fn last_of(folder: &LoopPaths, iteration: u32, name: &str) -> Option<JudgeRecord> {
    read_last(folder, iteration, name).ok().flatten()
}

/// The same, where something is decided on it.
pub(crate) fn read_last(folder: &LoopPaths, iteration: u32, name: &str) -> RunResult<Option<JudgeRecord>> {
    let number = format!("{iteration:03}");
    let mut records = records(folder, name);
    records.retain(|path| {
        path.parent().and_then(Utf8Path::file_name).is_some_and(|parent| parent.ends_with(&number))
    });
    records.sort_by_key(|path| attempt_of(path, name));
    let Some(path) = records.last() else { return Ok(None) };
    let text = files::read_text(path, RECORD_BYTES_MAX)?.content;
    JudgeRecord::read(&text).map(Some).map_err(|problem| undecoded(path, "a verdict", problem))
}

/// The attempt in the name of a record of this speaker; none where it is another file.
fn attempt_of(path: &Utf8Path, name: &str) -> Option<u32> {
    let stem = path.file_name()?.strip_suffix(".json")?.strip_prefix(name)?;
    if stem.is_empty() { Some(1) } else { stem.strip_prefix("-attempt-")?.parse().ok() }
}
