//! `gulf show`: one iteration: asked, done, claimed, judged, left, and what it changed.

use gulf_engine::{Candidate, CheckName};
use gulf_runner::checks::{RunRecord, is_green};
use gulf_runner::folder::LoopPaths;
use gulf_runner::judge::{last_record, refusals};
use gulf_views::{
    CandidateChange, Iteration, IterationReport, IterationTexts, iteration as screen_of, iteration_json,
};

use crate::cli::ShowArguments;
use crate::excerpts::{last_attempt, said};
use crate::failure::Failure;
use crate::iterations::{self, LoopMoment, RecordedLoop};
use crate::report::change;
use crate::{place, screen, verdicts};

pub fn show(arguments: &ShowArguments) -> Result<u8, Failure> {
    let point = iterations::point(arguments.point.as_deref())?;
    let recorded = RecordedLoop::find(point.loop_id.as_deref())?;
    let report = of(&recorded, point.iteration)?;
    if arguments.json {
        outln!("{}", iteration_json(&report));
    } else {
        screen::say(&screen_of(&report, screen::look(&std::io::stdout())))?;
    }
    Ok(0)
}

/// What is told of an iteration; without a number, of the last one.
pub fn of(recorded: &RecordedLoop, iteration: Option<u32>) -> Result<IterationReport, Failure> {
    let (facts, _) = place::facts_of(&recorded.known)?;
    let history = &recorded.history;
    let state = &recorded.known.fold.state;
    Ok(match recorded.moment(iteration)? {
        LoopMoment::Start => IterationReport::of_start(&facts, history, state, &recorded.base),
        LoopMoment::After(iteration) => {
            IterationReport::of(&facts, history, state, iteration, texts(recorded, iteration))
        }
    })
}

/// What lies beside the journal; what is gone is left out.
fn texts(recorded: &RecordedLoop, iteration: &Iteration) -> IterationTexts {
    let folder = recorded.folder();
    let logs = recorded.known.home.iteration(iteration.number);
    let refused = refusals(&folder, iteration.number);
    let judged = iteration.judge.is_some().then(|| last_record(&folder, iteration.number)).flatten();
    let (since, before) = recorded.before(iteration.number);
    let changed = |since, from: &Candidate| {
        let files = change::between(&recorded.place, &folder, from, iteration.candidate()?)?;
        Some(CandidateChange { since, files })
    };
    IterationTexts {
        prompt: last_attempt(&logs, "prompt", "md").map(Into::into),
        message: said(&logs).unwrap_or_default(),
        outputs: outputs(&folder, iteration),
        reasons: if refused.is_empty() {
            judged.map(|record| verdicts::reasons(&record)).unwrap_or_default()
        } else {
            refused.iter().flat_map(|(_, record)| verdicts::reasons(record)).collect()
        },
        changed_since_last: changed(since, &before),
        // In the first iteration both are the same.
        changed_since_start: if since == 0 { None } else { changed(0, &recorded.base) },
    }
}

fn outputs(folder: &LoopPaths, iteration: &Iteration) -> Vec<(CheckName, String)> {
    let Some(candidate) = iteration.candidate() else { return Vec::new() };
    let red = iteration.checks.iter().filter(|(_, run)| !is_green(run));
    red.filter_map(|(name, _)| {
        let record = RunRecord::find(&folder.run(candidate.tree.as_str(), name.as_str()))?;
        Some((name.clone(), record.tail))
    })
    .collect()
}
