//! What only a page has room for: how outputs end, what the worker said, and where it changed a file.

use std::collections::BTreeMap;

use camino::Utf8Path;
use gulf_agents::coverage::UnrunLines;
use gulf_engine::{CheckName, TreeId};
use gulf_host::files;
use gulf_runner::checks::RunRecord;
use gulf_runner::measuring::unrun::common;
use gulf_runner::place::PlaceOfWork;
use gulf_views::{ChangedFile, CheckWords, PatchPlace, ReportTexts};

use super::{ReportedLoop, change};
use crate::out::masked;
use crate::{excerpts, verdicts};

/// Of the new tests' output on the base's code; a longer one is not shown.
const LOG_BYTES_MAX: u64 = 1 << 20;

pub(super) fn look_up(texts: &mut ReportTexts, place: &PlaceOfWork, told: &ReportedLoop<'_>) {
    texts.outputs = outputs(told);
    texts.messages = messages(told);
    texts.places = change::read_places(&plain_text(&change::patch(place, told)));
    texts.new_tests_on_base = told.history.last_evaluated().and_then(|last| {
        let logs = told.folder.iteration(last.number);
        told.agreement.checks.iter().find_map(|check| new_tests(&logs, check.name.as_str()))
    });
}

/// Of every check on the base and on the last candidate, and of those that said no in between.
fn outputs(told: &ReportedLoop<'_>) -> CheckWords {
    let mut outputs = CheckWords::new();
    let mut look_up = |tree: &TreeId, name: &CheckName| {
        if let Some(printed) = verdicts::printed(told.folder, tree, name) {
            outputs.insert((tree.clone(), name.clone()), plain_text(&printed));
        }
    };
    if let Some(base) = told.state.base() {
        told.state.probes.keys().for_each(|name| look_up(&base.tree, name));
    }
    let last = told.history.last_evaluated().map(|last| last.number);
    for iteration in &told.history.iterations {
        let Some(candidate) = iteration.candidate() else { continue };
        let is_last = Some(iteration.number) == last;
        let shown = iteration.checks.iter().filter(|(_, run)| is_last || !run.is_green());
        shown.for_each(|(name, _)| look_up(&candidate.tree, name));
    }
    outputs
}

fn messages(told: &ReportedLoop<'_>) -> BTreeMap<u32, String> {
    let numbers = told.history.iterations.iter().map(|iteration| iteration.number);
    let said = |number| Some((number, plain_text(&excerpts::final_message(&told.folder.iteration(number))?)));
    numbers.filter_map(said).collect()
}

fn new_tests(logs: &Utf8Path, check: &str) -> Option<String> {
    let stem = format!("new-tests-on-base-{}", gulf_runner::folder::file_name(check));
    let path = excerpts::last_attempt(logs, &stem, "log")?;
    Some(plain_text(&files::read_text(&path, LOG_BYTES_MAX).ok()?.content))
}

/// Without colours, and without what is secret: markup may hide a secret from whoever masks the whole page.
fn plain_text(text: &str) -> String {
    masked(&anstream::adapter::strip_str(text).to_string()).into_owned()
}

// Changed lines that no check ran, where a check measured that.

/// Of each changed file that was measured; nothing is read of the change where none was.
pub(super) fn lines(
    place: &PlaceOfWork,
    told: &ReportedLoop<'_>,
    changed: &[ChangedFile],
) -> BTreeMap<String, Vec<UnrunLines>> {
    let mut unrun = unrun(told);
    unrun.retain(|path, _| changed.iter().any(|file| file.path == *path));
    if unrun.values().any(|lines| !lines.is_empty()) {
        let places = change::read_places(&change::patch(place, told));
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
    let records = last
        .checks
        .keys()
        .filter_map(|name| RunRecord::find(&told.folder.run(candidate.tree.as_str(), name.as_str())));
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
    //! Lines are counted as an editor counts them.

    use super::{added, change};

    #[test]
    fn added_lines_have_the_numbers_that_they_have_after_the_change() {
        let patch = "diff --git a/m.py b/m.py\n--- a/m.py\n+++ b/m.py\n@@ -1,4 +1,5 @@ def f():\n a\n-b\n+B\n+C\n d\n+e\n\\ No newline at end of file\n@@ -20 +21,0 @@\n-x\n";
        assert_eq!(added(&change::read_places(patch)["m.py"]), [(2, 3), (5, 5)]);
        let new = "diff --git a/n.py b/n.py\nnew file mode 100644\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1,2 @@\n+a\n+b\n";
        assert_eq!(added(&change::read_places(new)["n.py"]), [(1, 2)]);
    }
}
