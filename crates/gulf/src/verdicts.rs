//! A judge's verdict in words: the journal holds only what came of it, the reasons lie in the iteration's folder.

use gulf_agents::judge::{CriterionWord, JudgeRecord, Outcome, Word, reason};
use gulf_runner::folder::Folder;
use gulf_runner::judge::refusals;
use gulf_views::{Summary, one_line};

/// Adds to the last screen why the judge said no.
pub fn explain(summary: &mut Summary, folder: &Folder) {
    let iterations: Vec<u32> = summary.rejected.iter().map(|rejected| rejected.iteration).collect();
    for iteration in iterations {
        let said: Vec<_> = refusals(folder, iteration).iter().flat_map(|(_, one)| reasons(one)).collect();
        if !said.is_empty() {
            summary.explain(iteration, said);
        }
    }
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
pub fn told(record: &JudgeRecord) -> Vec<String> {
    let mut lines = vec![word(&record.outcome).to_owned()];
    for judgement in &record.judgements {
        lines.push(format!("by {}", one_line(&judgement.judge)));
        lines.extend(judgement.criteria.iter().map(|criterion| criterion_line(record, criterion)));
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
    format!("  {}. {word}: {} — {}", said.number, one_line(text), one_line(&said.reason))
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Approved { .. } => "approved",
        Outcome::Rejected { .. } => "rejected",
        Outcome::NoVerdict { .. } => "no verdict",
    }
}
