//! The change that a report is about: which files, of what kind, and how a stranger repeats the verdict.

use std::collections::{BTreeMap, HashMap};

use gulf_agents::coverage::UnrunLines;
use gulf_agents::sources::{is_test_path, is_test_support_path};
use gulf_engine::{Base, Candidate};
use gulf_host::git::{BlobId, DiffForm, GitError, Repository, TreeId};
use gulf_runner::agreement::{HeldOut, RepositoryKind, SealedCheck};
use gulf_runner::checks::RunRecord;
use gulf_runner::folder::LoopPaths;
use gulf_runner::measuring::unrun::common;
use gulf_runner::place::PlaceOfWork;
use gulf_views::{ChangedFile, FileKind, History, LineChange, PatchPlace};

use super::ReportedLoop;
use crate::paths::quoted;

/// A source that is longer is not searched for tests.
const SOURCE_BYTES_MAX: u64 = 1 << 20;
/// Endings of files that are programs.
const CODE: [&str; 34] = [
    "c", "cc", "cjs", "clj", "cpp", "cs", "cxx", "ex", "exs", "go", "h", "hpp", "hs", "java", "js", "jsx",
    "kt", "lua", "m", "mjs", "ml", "mts", "php", "pl", "py", "rb", "rs", "scala", "sh", "swift", "ts", "tsx",
    "vue", "zig",
];

/// What differs between the base and the candidate that was looked at last; nothing where that cannot be told.
pub(super) fn files(place: &PlaceOfWork, told: &ReportedLoop<'_>) -> Vec<ChangedFile> {
    let Some(to) = candidate(told.history) else { return Vec::new() };
    between(place, told.folder, &base(told).into(), to).unwrap_or_default()
}

/// What the candidate was compared with: a worker may have merged a newer commit of its base branch. Each task of a list
/// is compared with the one before it, and a report is about all of them.
fn base<'told>(told: &ReportedLoop<'told>) -> &'told Base {
    let moved = told.state.base().filter(|_| told.agreement.list.is_none());
    moved.unwrap_or(&told.agreement.base)
}

/// What differs between two candidates; none where that cannot be told.
pub fn between(
    place: &PlaceOfWork,
    folder: &LoopPaths,
    from: &Candidate,
    to: &Candidate,
) -> Option<Vec<ChangedFile>> {
    let repository = place.open(&folder.git()).ok()?;
    changed(&repository, &from.tree, &to.tree).ok()
}

/// How many lines each iteration changed of what it found; nothing where that cannot be told.
pub(super) fn sizes(place: &PlaceOfWork, told: &ReportedLoop, files: &[ChangedFile]) -> BTreeMap<u32, u64> {
    let mut before = &base(told).tree;
    let mut numbers = Vec::new();
    let mut pairs = Vec::new();
    for iteration in &told.history.iterations {
        let Some(Candidate { tree, .. }) = iteration.candidate() else { continue };
        numbers.push(iteration.number);
        pairs.push((before.clone(), tree.clone()));
        before = tree;
    }
    if let [number] = numbers.as_slice() {
        // The whole change, which is counted already.
        return BTreeMap::from([(*number, files.iter().map(ChangedFile::size).sum())]);
    }
    let counted = place.open(&told.folder.git()).and_then(|git| Ok(git.count_each(&pairs)?));
    counted.map(|counted| numbers.into_iter().zip(counted).collect()).unwrap_or_default()
}

/// How the candidate differs from the base, in git's form; nothing where that cannot be told.
pub(super) fn patch(place: &PlaceOfWork, told: &ReportedLoop<'_>) -> String {
    patch_from(base(told), place, told.folder, told.history)
}

/// The same from another commit on.
pub fn patch_from(base: &Base, place: &PlaceOfWork, folder: &LoopPaths, history: &History) -> String {
    let patch = || {
        let repository = place.open(&folder.git()).ok()?;
        repository.diff_text(&base.tree, &candidate(history)?.tree, DiffForm::Patch).ok()
    };
    patch().map(|patch| String::from_utf8_lossy(&patch).into_owned()).unwrap_or_default()
}

/// Where each file differs. A line of the change itself begins with a blank, `+` or `-`: none of them is taken for a head.
pub(super) fn read_places(patch: &str) -> BTreeMap<String, Vec<PatchPlace>> {
    let mut places: BTreeMap<String, Vec<PatchPlace>> = BTreeMap::new();
    let mut path: Option<&str> = None;
    for line in patch.lines() {
        if let Some(head) = line.strip_prefix("diff --git ") {
            path = head.rsplit_once(" b/").map(|(_, path)| path);
            continue;
        }
        let Some(path) = path else { continue };
        if line.starts_with("@@ ") {
            let place = PatchPlace { head: line.to_owned(), lines: Vec::new() };
            places.entry(path.to_owned()).or_default().push(place);
        } else if let Some(last) = places.get_mut(path).and_then(|places| places.last_mut()) {
            last.lines.push(line.to_owned());
        }
    }
    places
}

fn changed(repository: &Repository, base: &TreeId, candidate: &TreeId) -> Result<Vec<ChangedFile>, GitError> {
    let counts = repository.count_lines(base, candidate)?;
    // Only sources of Rust hold tests that their paths do not tell of.
    let is_source = |path: &str| path.ends_with(".rs");
    let is_any = counts.iter().any(|one| is_source(&one.path.to_string()));
    let changes = if is_any { repository.diff(base, candidate)? } else { Vec::new() };
    let files = changes.into_iter().filter_map(|change| Some((change.path.to_string(), change.new_blob?)));
    let sources: HashMap<String, BlobId> = files.filter(|(path, _)| is_source(path)).collect();
    let blobs: Vec<BlobId> = sources.values().cloned().collect();
    let contents = repository.read_small_blobs(&blobs, SOURCE_BYTES_MAX)?;
    let has_inline_tests = |path: &str| {
        let source = sources.get(path).and_then(|blob| contents.get(blob));
        source.is_some_and(|bytes| String::from_utf8_lossy(bytes).contains("#[test]"))
    };
    let counted = |(added, removed)| LineChange::Counted { added, removed };
    let files = counts.into_iter().map(|one| {
        let path = one.path.to_string();
        let kind = if has_inline_tests(&path) { FileKind::Test } else { kind(&path) };
        ChangedFile { path, lines: one.lines.map_or(LineChange::Binary, counted), kind }
    });
    Ok(files.collect())
}

fn kind(path: &str) -> FileKind {
    if is_test_path(path) || is_test_support_path(path) {
        return FileKind::Test;
    }
    let ending =
        path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, ending)| ending);
    if CODE.contains(&ending) { FileKind::Code } else { FileKind::Other }
}

/// The candidate in a checkout of its own, and the gates on it.
pub(super) fn reproduce(told: &ReportedLoop<'_>) -> Vec<String> {
    let agreement = told.agreement;
    let Some(candidate) = candidate(told.history) else { return Vec::new() };
    let flag = |check: &SealedCheck| match &check.held_out {
        Some(HeldOut::Folder { from, .. }) => format!(" --acceptance {}", quoted(from.as_str())),
        Some(HeldOut::Command) => format!(" --acceptance {}", quoted(&check.command)),
        None => format!(" --check {}", quoted(&check.command)),
    };
    let checks: String = agreement.checks.iter().map(flag).collect();
    if agreement.repository == RepositoryKind::Shadow {
        return vec![format!("gulf verify{checks}")];
    }
    let commit = candidate.commit.as_str();
    let folder = format!("../verify-{commit:.7}");
    let base = base(told).commit.as_str();
    vec![
        format!(
            "git worktree add --detach {folder} {commit} && (cd {folder} && gulf verify --base {base}{checks})"
        ),
        format!("git worktree remove {folder}"),
    ]
}

fn candidate(history: &History) -> Option<&Candidate> {
    history.last_evaluated().and_then(|iteration| iteration.candidate())
}

// Changed lines that no check ran, where a check measured that.

/// Of each changed file that was measured; nothing is read of the change where none was.
pub(super) fn untested(
    place: &PlaceOfWork,
    told: &ReportedLoop<'_>,
    changed: &[ChangedFile],
) -> BTreeMap<String, Vec<UnrunLines>> {
    let mut unrun = unrun(told);
    unrun.retain(|path, _| changed.iter().any(|file| file.path == *path));
    if unrun.values().any(|lines| !lines.is_empty()) {
        let places = read_places(&patch(place, told));
        for (path, lines) in &mut unrun {
            *lines = common(lines, &added(places.get(path).map_or(&[], Vec::as_slice)));
        }
    }
    unrun
}

/// What no check ran of the last candidate, of each file that any of them measured.
fn unrun(told: &ReportedLoop<'_>) -> BTreeMap<String, Vec<UnrunLines>> {
    let mut all: BTreeMap<String, Vec<UnrunLines>> = BTreeMap::new();
    let Some(last) = told.history.last_evaluated() else { return all };
    let Some(candidate) = last.candidate() else { return all };
    let runs = last.checks.keys().map(|name| told.folder.run(candidate.tree.as_str(), name.as_str()));
    let records = runs.filter_map(|run| RunRecord::find(&run));
    for (path, lines) in records.flat_map(|record| record.unrun) {
        match all.get_mut(&path) {
            Some(before) => *before = common(before, &lines),
            None => drop(all.insert(path, lines)),
        }
    }
    all
}

/// The lines that a change brought, as they are counted after it: `@@ -1,2 +1,3 @@`.
fn added(places: &[PatchPlace]) -> Vec<UnrunLines> {
    let mut added: Vec<UnrunLines> = Vec::new();
    for place in places {
        let begin =
            place.head.split(" +").nth(1).and_then(|rest| rest.split([',', ' ']).next()?.parse().ok());
        let Some(begin): Option<u32> = begin else { continue };
        let kept = place.lines.iter().filter(|line| !line.starts_with(['-', '\\']));
        for (line, _) in (begin..).zip(kept).filter(|(_, line)| line.starts_with('+')) {
            match added.last_mut() {
                Some((_, to)) if *to + 1 == line => *to = line,
                Some(_) | None => added.push((line, line)),
            }
        }
    }
    added
}

#[cfg(test)]
mod tests {
    //! What a file is for, and where it changed; lines are counted as an editor counts them.

    use super::{FileKind, added, kind, read_places};

    #[test]
    fn places_are_read_by_file_and_no_changed_line_is_taken_for_one() {
        let patch = "diff --git a/src/a b.rs b/src/a b.rs\n--- a/src/a b.rs\n+++ b/src/a b.rs\n@@ -1 +1 @@\n-x\n+@@ y\n\
                     @@ -9 +9 @@\n-x\n+diff --git a/z b/z\ndiff --git a/logo.png b/logo.png\nBinary files differ\n";
        let places = read_places(patch);
        assert_eq!(places.keys().collect::<Vec<_>>(), ["src/a b.rs"]);
        let read = places["src/a b.rs"].iter().map(|place| (place.head.as_str(), place.lines.join(" ")));
        assert_eq!(
            read.collect::<Vec<_>>(),
            [("@@ -1 +1 @@", "-x +@@ y".to_owned()), ("@@ -9 +9 @@", "-x +diff --git a/z b/z".to_owned())]
        );
    }

    #[test]
    fn code_tests_and_other_files_are_told_apart_by_their_paths() {
        assert_eq!(kind("src/main.rs"), FileKind::Code);
        assert_eq!(kind("tests/login.rs"), FileKind::Test);
        assert_eq!(kind("tests/data/a.json"), FileKind::Test);
        assert_eq!(kind("web/app.test.ts"), FileKind::Test);
        assert_eq!(kind("README.md"), FileKind::Other);
        assert_eq!(kind("Makefile"), FileKind::Other);
    }

    #[test]
    fn added_lines_have_the_numbers_that_they_have_after_the_change() {
        let patch = "diff --git a/m.py b/m.py\n--- a/m.py\n+++ b/m.py\n@@ -1,4 +1,5 @@ def f():\n a\n-b\n+B\n+C\n d\n+e\n\\ No newline at end of file\n@@ -20 +21,0 @@\n-x\n";
        assert_eq!(added(&read_places(patch)["m.py"]), [(2, 3), (5, 5)]);
        let new = "diff --git a/n.py b/n.py\nnew file mode 100644\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1,2 @@\n+a\n+b\n";
        assert_eq!(added(&read_places(new)["n.py"]), [(1, 2)]);
    }
}
