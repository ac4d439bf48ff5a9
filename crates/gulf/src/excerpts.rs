//! The words behind an event: what the worker said last, why it failed, how a failing check's output ends, why a judge
//! said no.
//!
//! The journal holds only their digests: the live log and `gulf log` both look them up in the loop's folder, and show
//! nothing where they are gone.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{EffectKey, EffectKind, EffectResult, Event, Fact, JudgeWord, State, TurnOutcome};
use gulf_host::files;
use gulf_runner::folder::LoopPaths;
use gulf_runner::judge::{JUDGE, last_of};
use gulf_views::{Look, excerpt, up_to_cause};

use crate::verdicts::{printed, reasons};

/// More than any final message that is kept.
const MESSAGE_BYTES_MAX: u64 = 1 << 20;

/// The event's line, with the words that belong under it.
pub fn with_words(line: String, event: &Event, state: &State, folder: &LoopPaths, look: Look) -> String {
    let Some(words) = failure_words(event, state, folder) else { return line };
    let mut lines = vec![line];
    lines.extend(excerpt(&words, look));
    lines.join("\n")
}

fn failure_words(event: &Event, state: &State, folder: &LoopPaths) -> Option<String> {
    let Fact::Ended { key, result } = &event.fact else { return None };
    match (&key.work, result) {
        (EffectKind::Turn | EffectKind::FollowUp, EffectResult::Turn(turn)) => {
            let why = why_failed(&turn.outcome).then(|| kept(folder, key, "failure.txt")).flatten();
            let message = kept(folder, key, "message.txt").unwrap_or_default();
            // The line itself says what is claimed; why it failed may be its last words.
            let is_said =
                |line: &&str| why.as_deref().is_some_and(|why| why.lines().any(|one| one == line.trim()));
            let said = message.lines().filter(|line| !line.trim_start().starts_with("<promise>"));
            let said = said.filter(|line| !is_said(line));
            Some(said.chain(why.as_deref()).collect::<Vec<_>>().join("\n"))
        }
        (EffectKind::Step { step }, EffectResult::Step(end)) if why_failed(&end.outcome) => {
            kept(folder, key, &format!("{}-failure.txt", step.word()))
        }
        (EffectKind::Check { name }, EffectResult::Check(run)) if !run.is_green() => {
            printed(folder, &state.candidate()?.tree, name).map(|printed| up_to_cause(&printed))
        }
        (EffectKind::Judge, EffectResult::Judge(JudgeWord::Rejected { .. } | JudgeWord::NoVerdict)) => {
            // Without an answer there is no record, or only that of an earlier call.
            let failure = kept(folder, key, "judge-failure.txt");
            failure.or_else(|| Some(reasons(&last_of(folder, key.iteration, JUDGE)?).join("\n")))
        }
        (EffectKind::Review { by }, EffectResult::Judge(JudgeWord::Rejected { .. })) => {
            Some(reasons(&last_of(folder, key.iteration, by.word())?).join("\n"))
        }
        (
            EffectKind::Review { by },
            EffectResult::Judge(JudgeWord::NoVerdict | JudgeWord::Unreachable { .. }),
        ) => {
            let failure = kept(folder, key, &format!("{}-failure.txt", by.word()));
            failure.or_else(|| kept(folder, key, "scenarios-failure.txt"))
        }
        (EffectKind::Judge, EffectResult::Judge(JudgeWord::Unreachable { .. })) => {
            kept(folder, key, "judge-failure.txt")
        }
        (_, _) => None,
    }
}

/// What the agent said when it last failed: its failure as it was kept, else the end of its message.
pub fn last_words(folder: &LoopPaths, key: &EffectKey) -> Vec<String> {
    let step = if let EffectKind::Step { step } = &key.work { Some(step) } else { None };
    let name = step.map_or_else(|| "failure.txt".to_owned(), |step| format!("{}-failure.txt", step.word()));
    // Several workers of a turn leave a line each, as the turn's message.
    let said = kept(folder, key, &name).or_else(|| kept(folder, key, "message.txt")).unwrap_or_default();
    said.lines().map(str::to_owned).collect()
}

/// Does the line leave open why the turn came to nothing?
fn why_failed(outcome: &TurnOutcome) -> bool {
    matches!(outcome, TurnOutcome::Failed { .. } | TurnOutcome::TimedOut | TurnOutcome::RateLimited { .. })
}

fn kept(folder: &LoopPaths, key: &EffectKey, name: &str) -> Option<String> {
    Some(files::read_text(&folder.log(key, name), MESSAGE_BYTES_MAX).ok()?.content)
}

/// The worker's final message in an iteration's last attempt, without the promise, which is shown as what it claims.
pub fn final_message(logs: &Utf8Path) -> Option<String> {
    let path = last_attempt(logs, "message", "txt")?;
    let message = files::read_text(&path, MESSAGE_BYTES_MAX).ok()?.content;
    let lines = message.lines().filter(|line| !line.trim_start().starts_with("<promise>"));
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// The file of the iteration's last attempt: `prompt.md`, `prompt-attempt-2.md` …
pub fn last_attempt(logs: &Utf8Path, stem: &str, ending: &str) -> Option<Utf8PathBuf> {
    let attempt = |name: &str| {
        let rest = name.strip_prefix(stem)?.strip_suffix(ending)?.strip_suffix('.')?;
        if rest.is_empty() { Some(1) } else { rest.strip_prefix("-attempt-")?.parse::<u32>().ok() }
    };
    let entries = logs.read_dir_utf8().ok()?.flatten();
    let named = entries.filter_map(|entry| Some((attempt(entry.file_name())?, entry.into_path())));
    named.max().map(|(_, path)| path)
}
