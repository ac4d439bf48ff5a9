//! Where a person should look first: what was overruled, what says no, and the largest change that no test speaks of.

use super::{CriterionVerdict, LookFirst, ReportTexts, words};
use crate::changed_files::{ChangedFile, FileKind};
use crate::history::{History, Iteration};
use crate::summary::Summary;
use crate::wording;
use gulf_engine::Finding;

/// More than this is no longer *first*.
const LOOK_FIRST_MAX: usize = 8;
/// So many files with lines that no check ran.
const UNTESTED_MAX: usize = 3;

/// The most important one first.
pub(crate) fn look_first(summary: &Summary, history: &History, texts: &ReportTexts) -> Vec<LookFirst> {
    let evaluated = history.last_evaluated();
    let mut first = Vec::new();
    if let Some(reason) = evaluated.and_then(|iteration| iteration.waived.as_ref()) {
        first.push(alone(format!("a person overruled the judge: {reason}")));
    }
    first.extend(evaluated.into_iter().flat_map(Iteration::findings).map(of_finding));
    first.extend(summary.checks.iter().filter_map(|check| {
        let run = check.candidate.as_ref()?;
        let tree = &summary.candidate.as_ref()?.tree;
        let printed = texts.check_words.get(&(tree.clone(), check.name.clone()));
        Some(alone(wording::failed_check(&check.name, run, printed.map(String::as_str))?))
    }));
    for (word, what) in [(CriterionVerdict::Unmet, "is unmet"), (CriterionVerdict::Unsure, "is unsure")] {
        let criteria = texts.criteria.iter().filter(|criterion| criterion.word == word);
        first.extend(criteria.map(|criterion| {
            let reason = criterion.reason.as_deref().unwrap_or(&criterion.text);
            alone(format!("criterion {} {what}: {reason}", criterion.number))
        }));
    }
    first.extend(untested(texts));
    first.extend(largest_untested(texts).map(|file| LookFirst {
        path: Some(file.path.clone()),
        why: format!("{}, the largest change without a test of its own", file.counts()),
    }));
    let left_out = evaluated.into_iter().flat_map(Iteration::left_out);
    first.extend(left_out.map(|what| alone(format!("not in the candidate: {what}"))));
    first.truncate(LOOK_FIRST_MAX);
    first
}

fn alone(why: String) -> LookFirst {
    LookFirst { path: None, why }
}

fn of_finding(finding: &Finding) -> LookFirst {
    LookFirst { path: Some(finding.path.clone()), why: finding.what.clone() }
}

/// The files of which most changed lines were not run, where that was measured.
fn untested(texts: &ReportTexts) -> impl Iterator<Item = LookFirst> {
    let mut files: Vec<_> = texts.untested.iter().filter(|(_, lines)| !lines.is_empty()).collect();
    files.sort_by_key(|(_, lines)| {
        std::cmp::Reverse(lines.iter().map(|(from, to)| to - from + 1).sum::<u32>())
    });
    let told = |(path, lines): (&String, &Vec<_>)| LookFirst {
        path: Some(path.clone()),
        why: words::untested(lines),
    };
    files.into_iter().take(UNTESTED_MAX).map(told)
}

/// Code that nothing was measured of, and whose name stands in no changed test's name. That is a hint for a reader, and
/// decides nothing.
fn largest_untested(texts: &ReportTexts) -> Option<&ChangedFile> {
    let files = &texts.changed_files;
    let is_tested = |file: &ChangedFile| {
        if texts.untested.contains_key(&file.path) {
            return true;
        }
        let stem = stem(&file.path);
        let mut tests = files.iter().filter(|other| other.kind == FileKind::Test);
        tests.any(|test| !stem.is_empty() && name(&test.path).contains(stem))
    };
    let untested = files.iter().filter(|file| file.kind == FileKind::Code && !is_tested(file));
    untested.filter(|file| file.size() > 0).max_by_key(|file| file.size())
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn stem(path: &str) -> &str {
    let name = name(path);
    name.split('.').next().unwrap_or(name)
}
