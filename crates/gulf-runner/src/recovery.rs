//! Effects that somebody began and nobody saw the end of: over, and paid for.
//!
//! Several look at them: the next driver, and whoever ends a loop that nobody drives.

use std::io::Read;

use gulf_agents::agents::{AgentEvent, Decoder, ProcessEnd};
use gulf_engine::{EffectKey, EffectKind, EffectResult, Fact, Reviewer, Spent, State};
use gulf_host::clock::Clock;
use gulf_host::files;
use gulf_spec::parts::PARTS_MAX as PARTS_OF_TURN_MAX;

use crate::agreement::{Agreement, Tool};
use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::judge::{JUDGE, PARTS_MAX};
use crate::landing::{landed_before, withdraw};
use crate::spending::{self, SessionSeen};
use crate::{parts, thoughts};

/// How much of a stream is read back.
const STREAM_BYTES_MAX: u64 = 1 << 30;
const PIECE_BYTES: usize = 64 * 1024;

/// The facts that end every effect of a loop that nobody drives.
pub(crate) fn cut_off(state: &State, folder: &LoopPaths) -> Result<Vec<Fact>, RunError> {
    if state.running.is_empty() {
        return Ok(Vec::new());
    }
    let agreement = Agreement::open(folder, &state.contract().ok_or(RunError::NoContract)?.digest)?;
    let lands = state.running.iter().any(|key| key.work == EffectKind::Land);
    if let (true, Some(candidate)) = (lands, state.candidate()) {
        withdraw(&agreement, folder, candidate, Clock::new().wall_ms())?;
    }
    Ok(state.running.iter().flat_map(|key| recovered(&agreement, folder, state, key)).collect())
}

/// The facts that end one effect, its cost first.
pub(crate) fn recovered(
    agreement: &Agreement,
    folder: &LoopPaths,
    state: &State,
    key: &EffectKey,
) -> Vec<Fact> {
    let spent = spent(agreement, folder, key).map(|spent| Fact::Spent { key: key.clone(), spent });
    let result = landed(agreement, folder, state, key).unwrap_or(EffectResult::Interrupted);
    spent.into_iter().chain([Fact::Ended { key: key.clone(), result }]).collect()
}

/// What has landed is true, whoever saw it.
fn landed(agreement: &Agreement, folder: &LoopPaths, state: &State, key: &EffectKey) -> Option<EffectResult> {
    if key.work != EffectKind::Land {
        return None;
    }
    landed_before(agreement, folder, state.candidate()?).map(EffectResult::Landing)
}

fn spent(agreement: &Agreement, folder: &LoopPaths, key: &EffectKey) -> Option<Spent> {
    let (tool, logs) = called(agreement, key)?;
    logs.iter().filter_map(|name| unseen(agreement, tool, &folder.log(key, name))).reduce(Spent::plus)
}

/// Whom an effect calls, and the logs of all calls that it may make.
fn called<'agreed>(agreement: &'agreed Agreement, key: &EffectKey) -> Option<(&'agreed Tool, Vec<String>)> {
    let judge = agreement.judge.as_ref().map(|judge| &judge.tool);
    Some(match &key.work {
        EffectKind::Step { step } => {
            (thoughts::thinking_tool(agreement, *step), vec![thoughts::log_name(*step)])
        }
        EffectKind::Turn => {
            let parts = (1..=PARTS_OF_TURN_MAX).map(parts::log_name);
            (agreement.tool_of(key.unit), parts.chain(["agent.log".to_owned()]).collect())
        }
        EffectKind::FollowUp => (agreement.tool_of(key.unit), vec!["follow-up.log".to_owned()]),
        EffectKind::Judge => (judge?, calls(JUDGE).collect()),
        EffectKind::Review { by } => {
            let tried = (*by == Reviewer::Qa).then(|| "scenarios.log".to_owned());
            (judge?, tried.into_iter().chain(calls(by.word())).collect())
        }
        EffectKind::Snapshot | EffectKind::Check { .. } | EffectKind::Probe { .. } => return None,
        EffectKind::Integrity | EffectKind::Overlay | EffectKind::Land | EffectKind::Close => return None,
    })
}

/// The logs of all parts of one verdict.
fn calls(name: &str) -> impl Iterator<Item = String> {
    let parts = (1..=PARTS_MAX).map(move |number| format!("{name}-{number}.log"));
    std::iter::once(format!("{name}.log")).chain(parts)
}

/// What one process had cost, by the stream it left; without a stream there was no process.
fn unseen(agreement: &Agreement, tool: &Tool, log: &camino::Utf8Path) -> Option<Spent> {
    let (mut stream, metadata) = files::open_regular(log).ok()?;
    if metadata.len() > STREAM_BYTES_MAX {
        return None;
    }
    let Some((tool, model)) = tool.known() else { return spending::assumed(agreement) };
    let mut decoder = Decoder::new(tool);
    let mut started = false;
    // It may be as long as a night: a piece at a time.
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let read = stream.read(&mut piece).ok()?;
        if read == 0 {
            break;
        }
        started |= decoder.push(&piece[..read]).iter().any(|event| matches!(event, AgentEvent::Started));
    }
    let report = decoder.finish(ProcessEnd::Signalled);
    spending::of_report(agreement, &report, model, SessionSeen::FromItsBeginning, started)
}
