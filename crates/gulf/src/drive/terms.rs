//! What was agreed, against what the project says now: shown at a resume, and changed only by a person (SPEC G9, B1).

use gulf_engine::{Fact, State};
use gulf_host::clock::Clock;
use gulf_runner::agreement::Agreement;
use gulf_runner::amend::{self, RubricDrift};
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::{Held, KnownLoop};
use gulf_spec::config::{self, Key, SettingLayers};
use gulf_views::{Palette, Tone, one_line};
use similar::{ChangeTag, TextDiff};

use crate::cli::ResumeArguments;
use crate::failure::{Failure, Result};
use crate::{input, settings};

/// Unchanged lines around a change.
const CONTEXT_LINES: usize = 1;
/// A longer difference is for a tool of its own.
const DIFF_LINES_MAX: usize = 60;

/// Puts the loop under the contract that the person wants now, where that is another one: asked, or refused where nobody
/// can be.
pub fn settle(
    place: &PlaceOfWork,
    held: &mut Held,
    arguments: &ResumeArguments,
    clock: &Clock,
) -> Result<()> {
    let sealed = held.resources.agreement.clone();
    let mut agreed = accepted(place, &sealed, arguments)?.unwrap_or_else(|| sealed.clone());
    if let Some(more) = arguments.iterations {
        agreed = amend::with_more_iterations(&agreed, held.book.state(), more);
    }
    let flags = arguments.limits.said.clone();
    if !flags.is_empty() {
        let config = config::load(&SettingLayers { flags, ..SettingLayers::default() })?;
        agreed = amend::with_flags(&agreed, &config);
    }
    if agreed == sealed {
        return Ok(());
    }
    not_below_use(&sealed, &agreed, held.book.state())?;
    amend::amend(held, agreed, clock.wall_ms())?;
    if let Some((_, allowed)) = arguments.limits.said.iter().find(|(key, _)| *key == Key::AgentAllow) {
        // Who was refused something does not try it again by itself.
        let note = format!("You may run these now: {}", allowed.replace(',', ", "));
        held.book.add(vec![Fact::Steered { note }], clock.wall_ms())?;
    }
    errln!("the contract was changed, and the journal says so; the one before it is kept");
    Ok(())
}

/// Iterations that are over cannot be taken back.
fn not_below_use(sealed: &Agreement, agreed: &Agreement, state: &State) -> Result<()> {
    let (before, most) = (sealed.policy.limits.iterations_max, agreed.policy.limits.iterations_max);
    let granted = state.iterations_max().saturating_sub(before.get());
    let used = state.unit.iterations;
    if most >= before || most.get().saturating_add(granted) >= used {
        return Ok(());
    }
    let least = used.saturating_sub(granted);
    Err(Failure::usage(
        format!("{used} iterations are used already, and `--max-iterations {most}` would allow fewer"),
        format!("`gulf resume --max-iterations {least}` is the least, and {} allows one more", least + 1),
    ))
}

/// The same goal with flags that its loop was not started with: one that decides what counts as done is refused before
/// a turn is spent under other terms than were typed; another one changes nothing, and is named.
pub fn are_those_of(known: &KnownLoop, flags: &[(Key, String)]) -> Result<()> {
    let sealed = known.agreement()?;
    let is_said = |key: &Key, value: &str| {
        sealed.said.iter().any(|said| said.path == key.row().path && said.value.trim() == value.trim())
    };
    let others = flags.iter().filter(|(key, value)| !is_said(key, value)).map(|(key, _)| *key);
    let (decide, change_nothing): (Vec<Key>, Vec<Key>) = others.partition(|key| decides(*key));
    let [decide, change_nothing] = [decide, change_nothing].map(|keys| {
        keys.iter().map(|key| key.row().flag.unwrap_or(key.row().path)).collect::<Vec<_>>().join(", ")
    });
    let id = known.handle();
    if !decide.is_empty() {
        return Err(Failure::usage(
            format!("this goal has an unfinished loop, {id}, that was started with another {decide}"),
            format!("`gulf resume {id}` continues it as it was started; `gulf run --replace` starts over"),
        ));
    }
    if !change_nothing.is_empty() {
        errln!(
            "note: its contract stands, and {change_nothing} changes nothing; `gulf resume` can change limits"
        );
    }
    Ok(())
}

/// Does it say what counts as done?
fn decides(key: Key) -> bool {
    matches!(key, Key::Preset | Key::Expect | Key::Prd | Key::JudgeRequired)
        || matches!(key.row().group(), Some("verify" | "judge" | "check"))
}

/// The contract with the present checks and criteria, where they differ and the person agrees.
fn accepted(
    place: &PlaceOfWork,
    sealed: &Agreement,
    arguments: &ResumeArguments,
) -> Result<Option<Agreement>> {
    let ResumeArguments { accept_contract: accept, keep_contract: keep, .. } = *arguments;
    let is_asked = !arguments.json && input::can_ask();
    let (drift, now) = (amend::drift(sealed), present(place, sealed));
    let changes = now.as_ref().map_or_else(|_| Vec::new(), |now| amend::changes(sealed, now));
    if drift.is_none() && changes.is_empty() {
        if accept {
            now?;
            errln!("note: RUBRIC.md and the checks are as they were sealed: there is nothing to accept");
        }
        return Ok(None);
    }
    if let Some(RubricDrift { path, sealed, now }) = &drift {
        errln!("{path} differs from what was sealed:");
        difference(sealed, now).iter().for_each(|line| errln!("{line}"));
    }
    if !changes.is_empty() {
        errln!("accepting it would mean:");
    }
    changes.iter().for_each(|change| errln!("  {}", one_line(change)));
    if accept {
        return now.map(Some);
    }
    if let Err(failure) = &now {
        errln!("note: it cannot be used as it is: {}", failure.in_one_line());
    }
    // Iterations under terms that the person has changed are paid for nothing.
    if !is_asked && !keep && (now.is_err() || !changes.is_empty()) {
        return Err(Failure::usage(
            "what counts as done differs from what was sealed, and there is no terminal to ask on",
            "`gulf resume --accept-contract` accepts the current version, `gulf resume --keep-contract` keeps the sealed one",
        ));
    }
    if is_asked
        && let Ok(now) = now
        && input::agrees("Accept the current version as the contract?")?
    {
        return Ok(Some(now));
    }
    errln!("continuing with what was sealed; `gulf resume --accept-contract` accepts the current version");
    Ok(None)
}

fn present(place: &PlaceOfWork, sealed: &Agreement) -> Result<Agreement> {
    let place = &PlaceOfWork { project: sealed.stated_in().to_owned(), ..place.clone() };
    let config = settings::load(place, amend::settings(sealed))?;
    Ok(amend::with_present_checks(place, sealed, &config)?)
}

/// The lines that went and came, with a little around them.
fn difference(before: &str, after: &str) -> Vec<String> {
    let diff = TextDiff::from_lines(before, after);
    let mut lines: Vec<String> = Vec::new();
    for group in diff.grouped_ops(CONTEXT_LINES) {
        for change in group.iter().flat_map(|operation| diff.iter_changes(operation)) {
            let (sign, tone) = match change.tag() {
                ChangeTag::Delete => ('-', Tone::Failed),
                ChangeTag::Insert => ('+', Tone::Verified),
                ChangeTag::Equal => (' ', Tone::Secondary),
            };
            lines.push(tone.paint(&format!("  {sign} {}", one_line(change.value())), Palette::Colour));
        }
    }
    let more = lines.len().saturating_sub(DIFF_LINES_MAX);
    if more > 0 {
        lines.truncate(DIFF_LINES_MAX);
        lines.push(format!("  … and {more} more lines"));
    }
    lines
}

#[cfg(test)]
mod tests {
    //! What a person sees of a difference.

    use super::{DIFF_LINES_MAX, difference};

    fn plain(before: &str, after: &str) -> Vec<String> {
        let strip = |line: String| {
            let mut plain = String::new();
            let mut in_colour = false;
            for character in line.chars() {
                match character {
                    '\u{1b}' => in_colour = true,
                    'm' if in_colour => in_colour = false,
                    _ if !in_colour => plain.push(character),
                    _ => {}
                }
            }
            plain
        };
        difference(before, after).into_iter().map(strip).collect()
    }

    #[test]
    fn what_went_and_what_came_stand_beside_their_neighbours() {
        let shown = plain("a\nb\nc\nd\ne\n", "a\nb\nx\nd\ne\n");
        assert_eq!(shown, ["    b", "  - c", "  + x", "    d"]);
    }

    #[test]
    fn a_text_that_was_not_there_is_all_new_and_one_that_is_gone_all_old() {
        assert_eq!(plain("", "a\nb\n"), ["  + a", "  + b"]);
        assert_eq!(plain("a\n", ""), ["  - a"]);
    }

    #[test]
    fn a_long_difference_is_cut_and_says_so() {
        let long = "line\n".repeat(DIFF_LINES_MAX + 5);
        let shown = plain("", &long);
        assert_eq!(shown.len(), DIFF_LINES_MAX + 1);
        assert_eq!(shown.last().unwrap(), "  … and 5 more lines");
    }
}
