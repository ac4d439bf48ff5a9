//! Where a prompt ends and the flags behind it begin.
//!
//! Apart because it must tell flags from prose that speaks of flags. Only what is flags up to the very end is taken;
//! what could be meant for one and is none is refused, and never silently becomes a part of the prompt.

use std::collections::BTreeSet;

use super::flags::{self, Flag, FoundFlag, WrongFlag, is_flag_like};
use super::problem::{FlagPlace, FlagProblem};
use super::words::{self, first_word, quoted, skip_blanks};
use crate::problem::Mistake;

/// A prompt and the flags behind it.
#[derive(Debug)]
pub(super) struct PromptTail<'t, 'f> {
    pub(super) prompt: String,
    pub(super) flags: Vec<FoundFlag<'f>>,
    /// The flags as they stand there.
    pub(super) text: Option<&'t str>,
}

/// Words at the end of the prose that are looked at: a flag whose value looks like a flag as well.
const LAST_WORDS: usize = 2;

/// Takes the flags off the end of a prompt that begins with no flag.
pub(super) fn split<'t, 'f>(known: &'f [Flag], body: &'t str) -> Result<PromptTail<'t, 'f>, Mistake> {
    let body = body.trim();
    match quoted(body) {
        Some(Some((prompt, end))) if skip_blanks(body, end) != end || end == body.len() => {
            let at = skip_blanks(body, end);
            if let Some(flags) = only_flags(known, body, at)? {
                return Ok(PromptTail { prompt, flags, text: text_from(body, at) });
            }
        }
        Some(_) | None => {}
    }
    let starts = dashed_words(body);
    let at = first_of_run(known, body, &starts);
    let prose = body[..at].trim_end();
    let last = starts.iter().rev().filter(|start| **start < prose.len()).take(LAST_WORDS);
    for start in last {
        refuse_unfinished(known, prose, *start)?;
    }
    let flags = only_flags(known, body, at)?.unwrap_or_default();
    Ok(PromptTail { prompt: prose.to_owned(), flags, text: text_from(body, at) })
}

/// All from `at` on as flags; none where there is something else.
fn only_flags<'f>(
    known: &'f [Flag],
    body: &str,
    mut at: usize,
) -> Result<Option<Vec<FoundFlag<'f>>>, Mistake> {
    let mut flags = Vec::new();
    while at < body.len() {
        let Some(taken) = flags::take_at(known, body, at, FlagPlace::AtEnd)? else { return Ok(None) };
        at = skip_blanks(body, taken.end);
        flags.push(taken);
    }
    Ok(Some(flags))
}

/// Where the longest run of flags begins that ends with the text.
fn first_of_run(known: &[Flag], body: &str, starts: &[usize]) -> usize {
    // Whether flags from here on reach the end, for each start behind the one that is looked at.
    let mut complete = BTreeSet::from([body.len()]);
    let mut first = body.len();
    for start in starts.iter().rev() {
        if let Some(Ok(taken)) = flags::take(known, body, *start)
            && complete.contains(&skip_blanks(body, taken.end))
        {
            complete.insert(*start);
            first = *start;
        }
    }
    first
}

/// Refuses a flag at the end of the prose that has a wrong value, none, or a name that is nearly one of ours.
fn refuse_unfinished(known: &[Flag], prose: &str, start: usize) -> Result<(), Mistake> {
    let problem = match flags::take(known, prose, start) {
        Some(Err(WrongFlag { problem, end })) => {
            Some(problem).filter(|_| skip_blanks(prose, end) == prose.len())
        }
        Some(Ok(_)) => None,
        None => misspelt(known, prose, start),
    };
    problem.map_or(Ok(()), |problem| Err(problem.at(FlagPlace::AtEnd)))
}

/// A name that is nearly one of ours, where it stands as ours would.
fn misspelt(known: &[Flag], prose: &str, start: usize) -> Option<FlagProblem> {
    let word = first_word(&prose[start..]);
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    let (right, flag) = flags::misspelt(known, name)?;
    let behind = skip_blanks(prose, start + word.len());
    let is_last = behind == prose.len()
        || flag.takes_value() && name == word && {
            let (value, end) = words::value(prose, behind);
            end == prose.len() && value.is_ok_and(|value| flag.check(name, &value).is_ok())
        };
    is_last.then(|| FlagProblem::unknown(name, Some(right)))
}

/// Where words begin that may be flags, behind the first word. What stands between backticks is quoted, and is none.
fn dashed_words(body: &str) -> Vec<usize> {
    let last_backtick = body.rfind('`').unwrap_or(0);
    let mut is_quoted = false;
    let mut starts = Vec::new();
    let mut before = 'x';
    for (at, character) in body.char_indices() {
        is_quoted ^= character == '`';
        let may_be_flag = matches!(character, '–' | '—') || is_flag_like(&body[at..]);
        if before.is_whitespace() && may_be_flag && !(is_quoted && at < last_backtick) {
            starts.push(at);
        }
        before = character;
    }
    starts
}

fn text_from(body: &str, at: usize) -> Option<&str> {
    Some(&body[at..]).filter(|text| !text.is_empty())
}
