//! A judge's verdict in words: the journal holds only what came of it, the reasons lie in the iteration's folder.

use crate::language::translated as in_language;
use gulf_agents::judge::{CriterionWord, Evidence, Finding, JudgeRecord, Outcome, Word, reason};
use gulf_engine::{CheckName, TreeId};
use gulf_runner::checks::RunRecord;
use gulf_runner::folder::LoopPaths;
use gulf_runner::judge::{JUDGE, last_of, refusals};
use gulf_views::{CheckWords, History, RefusalReport, Refuser, Summary, one_line, up_to_cause};

/// A quote that is longer says no more.
const QUOTE_CHARS_MAX: usize = 200;

/// What a check printed last about a candidate's tree.
pub fn printed(folder: &LoopPaths, tree: &TreeId, check: &CheckName) -> Option<String> {
    RunRecord::find(&folder.run(tree.as_str(), check.as_str())).map(|record| record.tail)
}

/// The last screen, with why a check, a judge or a review said no.
pub fn explained(mut summary: Summary, folder: &LoopPaths) -> Summary {
    let iterations: Vec<u32> = summary.rejected.iter().map(|rejected| rejected.iteration).collect();
    for iteration in iterations {
        let said: Vec<_> = refusals(folder, iteration).iter().flat_map(|(_, one)| reasons(one)).collect();
        if !said.is_empty() {
            summary.explain(iteration, said);
        }
    }
    let Some(RefusalReport { iteration, reasons: refused, of: _ }) = &mut summary.refusal else {
        return summary;
    };
    for one in refused {
        let of = |name| Some(reasons(&last_of(folder, *iteration, name)?).join("\n"));
        let words = match &one.by {
            Refuser::Check { name, tree } => printed(folder, tree, name).map(|printed| up_to_cause(&printed)),
            Refuser::Judge => of(JUDGE),
            Refuser::Reviewer { by } => of(by.word()),
            Refuser::Rule => None,
        };
        one.say(&words.unwrap_or_default());
    }
    summary
}

/// What a failing check printed last, of each candidate.
pub fn check_words(folder: &LoopPaths, history: &History) -> CheckWords {
    let mut words = CheckWords::new();
    for iteration in &history.iterations {
        let Some(candidate) = iteration.candidate() else { continue };
        for (name, _) in iteration.checks.iter().filter(|(_, run)| !run.is_green()) {
            let tail = printed(folder, &candidate.tree, name).unwrap_or_default();
            if let Some(last) = tail.lines().rev().map(str::trim).find(|line| !line.is_empty()) {
                let quoted = last.chars().take(QUOTE_CHARS_MAX).collect();
                words.insert((candidate.tree.clone(), name.clone()), quoted);
            }
        }
    }
    words
}

/// Why it was not approved, one line each.
pub fn reasons(record: &JudgeRecord) -> Vec<String> {
    match &record.outcome {
        Outcome::Approved { .. } => Vec::new(),
        Outcome::Rejected { unmet, .. } => {
            reason(&record.criteria, unmet).lines().map(str::to_owned).collect()
        }
        Outcome::NoVerdict { missing } => missing.clone(),
    }
}

/// The whole verdict: what it came to, and each judge's word about each criterion.
pub fn describe(record: &JudgeRecord) -> Vec<String> {
    let word = match &record.outcome {
        Outcome::Approved { .. } => "approved",
        Outcome::Rejected { .. } => "rejected",
        Outcome::NoVerdict { .. } => "no verdict",
    };
    let mut lines = vec![in_language(word)];
    for judgement in &record.judgements {
        lines.push(in_language(format!("by {}", one_line(&judgement.judge))));
        for criterion in &judgement.criteria {
            lines.push(criterion_line(record, criterion));
            lines.extend(evidence(criterion).iter().map(|found| format!("     {}", one_line(found))));
        }
        let silent = judgement.silent.iter();
        lines.extend(silent.map(|silence| format!("  part {}: {}", silence.part, one_line(&silence.why))));
    }
    let is_told = record.judgements.iter().any(|judgement| !judgement.criteria.is_empty());
    if !is_told {
        lines.extend(reasons(record).iter().map(|reason| format!("  {}", one_line(reason))));
    }
    lines
}

fn criterion_line(record: &JudgeRecord, said: &CriterionWord) -> String {
    let index = usize::try_from(said.number).unwrap_or(usize::MAX).checked_sub(1);
    let text = index.and_then(|index| record.criteria.get(index)).map_or("", String::as_str);
    let word = match said.word {
        Word::Met => "met",
        Word::Unmet => "unmet",
        Word::Unsure => "unsure",
        Word::NotHere => "not shown",
    };
    let word = in_language(word);
    format!("  {}. {word}: {} — {}", said.number, one_line(text), one_line(&said.reason))
}

/// What was found where the judge said that it is.
pub fn evidence(said: &CriterionWord) -> Vec<String> {
    let found = said.evidence.iter().filter(|weighed| match weighed.finding {
        Finding::Inside | Finding::Counts => true,
        Finding::Weak { .. } | Finding::Absent { .. } => false,
    });
    found
        .map(|weighed| match &weighed.evidence {
            Evidence::Quote { path, text } => {
                let quote: String = text.chars().take(QUOTE_CHARS_MAX).collect();
                format!("{path}: {quote}")
            }
            Evidence::Check { name } => format!("check {name}"),
            Evidence::Examined { path } => path.clone(),
        })
        .collect()
}
