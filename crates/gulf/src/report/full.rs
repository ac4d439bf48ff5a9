//! What only a page has room for: how outputs end, what the worker said, and where it changed a file.

use std::collections::BTreeMap;

use camino::Utf8Path;
use gulf_engine::{CheckName, TreeId};
use gulf_host::files;
use gulf_runner::checks::{RunRecord, is_green};
use gulf_runner::place::PlaceOfWork;
use gulf_views::{CheckWords, ReportTexts};

use super::{Told, change};
use crate::excerpts;
use crate::out::masked;

/// Of the new tests' output on the base's code; a longer one is not shown.
const LOG_BYTES_MAX: u64 = 1 << 20;

pub(super) fn look_up(texts: &mut ReportTexts, place: &PlaceOfWork, told: &Told<'_>) {
    texts.outputs = outputs(told);
    texts.messages = messages(told);
    texts.places = change::read_places(&plain(&change::patch(place, told)));
    texts.new_tests_on_base = told.history.last_evaluated().and_then(|last| {
        let logs = told.folder.iteration(last.number);
        told.agreement.checks.iter().find_map(|check| new_tests(&logs, check.name.as_str()))
    });
}

/// Of every check on the base and on the last candidate, and of those that said no in between.
fn outputs(told: &Told<'_>) -> CheckWords {
    let mut outputs = CheckWords::new();
    let mut look_up = |tree: &TreeId, name: &CheckName| {
        if let Some(record) = RunRecord::find(&told.folder.run(tree.as_str(), name.as_str())) {
            outputs.insert((tree.clone(), name.clone()), plain(&record.tail));
        }
    };
    if let Some(base) = told.state.base() {
        told.state.probes().keys().for_each(|name| look_up(&base.tree, name));
    }
    let last = told.history.last_evaluated().map(|last| last.number);
    for iteration in told.history.iterations() {
        let Some(candidate) = iteration.candidate() else { continue };
        let is_last = Some(iteration.number) == last;
        let shown = iteration.checks.iter().filter(|(_, run)| is_last || !is_green(run));
        shown.for_each(|(name, _)| look_up(&candidate.tree, name));
    }
    outputs
}

fn messages(told: &Told<'_>) -> BTreeMap<u32, String> {
    let numbers = told.history.iterations().iter().map(|iteration| iteration.number);
    let said = |number| Some((number, plain(&excerpts::said(&told.folder.iteration(number))?)));
    numbers.filter_map(said).collect()
}

fn new_tests(logs: &Utf8Path, check: &str) -> Option<String> {
    let stem = format!("new-tests-on-base-{}", gulf_runner::folder::file_name(check));
    let path = excerpts::last_attempt(logs, &stem, "log")?;
    Some(plain(&files::read_text(&path, LOG_BYTES_MAX).ok()?.content))
}

/// Without colours, and without what is secret: markup may hide a secret from whoever masks the whole page.
fn plain(text: &str) -> String {
    masked(&anstream::adapter::strip_str(text).to_string()).into_owned()
}
