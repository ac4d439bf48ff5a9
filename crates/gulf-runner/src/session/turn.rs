//! A session's turn as an effect's result: what its host told of it, and what stands in the session's file.
//!
//! Gulf did not run this turn: it hears of it when it is over, and not everything.

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::agents::{LINE_BYTES_MAX, TurnUsage};
use gulf_agents::command;
use gulf_agents::sessions::{Host, ResetBy, TranscriptChange, folder_of_subagents, hear};
use gulf_engine::{Claim, EffectKey, Spent, Turn};
use gulf_host::watch::Watch;

use super::armed::{Armed, in_the_world};
use super::stop::Stopped;
use crate::agreement::{Agreement, engine_digest};
use crate::book::Fold;
use crate::error::RunError;
use crate::ralph::{self, link_logs};
use crate::resources::Resources;
use crate::spending::{self, SessionSeen};
use crate::worker::brief;

/// A host may write its file a moment after it calls the hook.
const LATE_MAX: Duration = Duration::from_millis(400);
/// Of a session's file, since the last stop.
const FILE_BYTES_MAX: u64 = 256 << 20;
/// So much of it is in memory at a time, and a line that is longer.
const PIECE_BYTES_MAX: u64 = 1 << 20;

/// What the host and the session's file say of the turn since the last stop, and what it cost.
pub(super) fn ended(
    resources: &Resources,
    fold: &Fold,
    key: &EffectKey,
    armed: &mut Armed,
    stopped: &Stopped,
    worked_ms: u64,
) -> Result<(Turn, Option<Spent>), RunError> {
    // Some hosts tell the last words there only.
    let to_its_end = spending::assumed(&resources.agreement).is_some() || stopped.message.is_none();
    let heard = heard(armed, stopped, to_its_end);
    let message = stopped.message.clone().or_else(|| heard.final_message.clone()).unwrap_or_default();
    link_logs(resources, key);
    resources.folder.write_log(key, "message.txt", &message)?;
    let promised = is_promised(&message, &resources.agreement);
    let brief = brief(resources, fold, key).map_err(in_the_world)?;
    let spent = spent(resources, &heard, stopped);
    let claim = promised.then_some(Claim::Done { no_test: None });
    let turn = Turn {
        claim: ralph::stuck(&resources.agreement, &message).or(claim),
        tool_calls: heard.tool_calls,
        brief,
        duration_ms: worked_ms,
        message: Some(engine_digest(message.as_bytes())),
        blocks_left: blocks_left(armed, &heard, stopped),
        // A session does not begin cold, it goes on: nothing is said of how it began.
        ..Turn::default()
    };
    Ok((turn, spent))
}

/// The original compares after quotes were taken out of its state file: who wrote `I'm done` there says `Im done`.
pub(super) fn is_promised(message: &str, agreement: &Agreement) -> bool {
    let unquoted = agreement.completion_promise.replace(['"', '\''], "");
    let is = |promise: &str| !promise.trim().is_empty() && command::promise(message, promise).is_some();
    ralph::claims(agreement, message) || is(&unquoted)
}

/// Reads on in the session's file.
fn heard(armed: &mut Armed, stopped: &Stopped, to_its_end: bool) -> TranscriptChange {
    let Some(path) = &stopped.transcript else { return TranscriptChange::default() };
    let mut heard = read_on(armed, stopped.event.host, path);
    if to_its_end && !heard.is_current(&stopped.event) {
        heard = read_late(armed, stopped, path);
    }
    armed.read_bytes = armed.read_bytes.saturating_add(heard.complete_bytes as u64);
    armed.read_mark.clone_from(&heard.mark);
    heard
}

/// Reads again whenever the file has grown, until it tells of this stop.
fn read_late(armed: &Armed, stopped: &Stopped, path: &Utf8Path) -> TranscriptChange {
    let began = Instant::now();
    loop {
        let seen = length(path);
        let heard = read_on(armed, stopped.event.host, path);
        let left = LATE_MAX.saturating_sub(began.elapsed());
        if heard.is_current(&stopped.event) || !grows(path, seen, left) {
            return heard;
        }
    }
}

fn read_on(armed: &Armed, host: Host, path: &Utf8Path) -> TranscriptChange {
    let mark = armed.read_mark.as_deref();
    // One that is not there yet says nothing; a shorter one is another one.
    let new = File::open(path).and_then(|mut file| {
        file.seek(SeekFrom::Start(armed.read_bytes))?;
        hear_in_pieces(host, file.take(FILE_BYTES_MAX), mark)
    });
    new.unwrap_or_else(|_| hear(host, b"", mark))
}

/// A file of any length is never in memory as a whole, and a line longer than any that is understood is passed over.
fn hear_in_pieces(host: Host, mut file: impl Read, mark: Option<&str>) -> std::io::Result<TranscriptChange> {
    let mut heard = hear(host, b"", mark);
    let mut piece = Vec::new();
    let mut passed_over = 0;
    loop {
        let before = piece.len();
        if file.by_ref().take(PIECE_BYTES_MAX).read_to_end(&mut piece)? == 0 {
            return Ok(heard);
        }
        if passed_over > 0 || piece.len() > LINE_BYTES_MAX {
            let end = piece[before..].iter().position(|byte| *byte == b'\n').map(|end| before + end + 1);
            passed_over += piece.drain(..end.unwrap_or(piece.len())).len();
            if end.is_none() {
                continue;
            }
            heard.complete_bytes += std::mem::take(&mut passed_over);
        }
        let next = hear(host, &piece, heard.mark.as_deref());
        piece.drain(..next.complete_bytes);
        heard = heard.then(next);
    }
}

/// How long a file is; nothing where it is not there.
pub(super) fn length(path: &Utf8Path) -> u64 {
    path.metadata().map_or(0, |metadata| metadata.len())
}

/// Waits until the file is longer than that, but not for ever.
pub(super) fn grows(path: &Utf8Path, beyond: u64, at_most: Duration) -> bool {
    let began = Instant::now();
    if length(path) > beyond {
        return true;
    }
    let Ok(watch) = Watch::start(path.parent().unwrap_or(path)) else { return false };
    loop {
        if length(path) > beyond {
            return true;
        }
        let Some(left) = at_most.checked_sub(began.elapsed()) else { return false };
        watch.wait_at_most(left);
    }
}

/// What the turn cost, where its file tells; else what is assumed where a budget counts it.
fn spent(resources: &Resources, heard: &TranscriptChange, stopped: &Stopped) -> Option<Spent> {
    let own = heard.spent.iter().map(|(model, usage)| {
        spending::spent(&TurnUsage::unpriced(*usage), model.as_deref(), SessionSeen::FromItsBeginning)
    });
    let sum = own.reduce(Spent::plus);
    let of_helpers = |path: &Utf8PathBuf| folder_of_subagents(stopped.event.host, path.as_str());
    let helpers = stopped.transcript.as_ref().and_then(of_helpers);
    let has_helpers = helpers.is_some_and(|folder| Utf8Path::new(&folder).is_dir());
    // Sub-agents have files of their own, which nobody adds up here.
    if sum.is_none() || has_helpers {
        return sum.into_iter().chain(spending::assumed(&resources.agreement)).reduce(Spent::plus);
    }
    sum
}

/// How often the session may still be sent on before its host overrules that.
fn blocks_left(armed: &mut Armed, heard: &TranscriptChange, stopped: &Stopped) -> Option<u32> {
    let cap = stopped.cap?;
    if !stopped.continuing {
        armed.blocks = 0;
    }
    if cap.reset_by == ResetBy::ToolUse && heard.tool_calls.unwrap_or(0) > 0 {
        // What was read late may have been called before the last answer.
        armed.blocks = if heard.is_current(&stopped.event) { 0 } else { armed.blocks.min(1) };
    }
    Some(cap.blocks.saturating_sub(armed.blocks))
}
