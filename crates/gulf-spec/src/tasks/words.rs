//! The words that say something about a task: its id, how urgent it is, whom it waits for, who should do it.
//!
//! Apart from the passes over lists because the same words stand in headings, in titles, in lines below a task and in
//! the fields of a story.

use super::{Priority, RelationCertainty, WrittenName};
use crate::progress::even;
use crate::text::Line;

/// An id is shorter; a longer word is a word.
const ID_CHARS_MAX: usize = 24;
/// An id that is made of a title's words ends at a word, before so many characters.
const MADE_ID_CHARS_MAX: usize = 48;

/// What a line `key: value` below a task says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TaskKey {
    WaitsFor,
    Blocks,
    Specialist,
    Priority,
}

/// A title with and without the id that stands at its head: `T0.1: x`, `**T0.1** x`, `**T0.1: x**`, `[T0.1] x`,
/// `T001 [P] x`, `1.2 x`.
pub(super) fn split_id(text: &str) -> (Option<&str>, &str) {
    for (open, close) in [("**", "**"), ("`", "`"), ("[", "]"), ("__", "__")] {
        let Some((inside, rest)) = text.strip_prefix(open).and_then(|rest| rest.split_once(close)) else {
            continue;
        };
        let (id, _) = without_mark(inside.trim());
        if is_id(id) {
            return (Some(id), without_leading_mark(rest).0);
        }
        if rest.trim().is_empty() {
            return split_bare_id(inside);
        }
    }
    split_bare_id(text)
}

fn split_bare_id(text: &str) -> (Option<&str>, &str) {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let (id, marked) = without_mark(first);
    let (rest, separated) = without_leading_mark(rest);
    let is_capital = id.starts_with(|first: char| first.is_ascii_uppercase() || first.is_ascii_digit());
    let stands_out = marked || separated || has_letters_then_digits(id) || (is_capital && id.contains('.'));
    if is_id(id) && stands_out && !rest.is_empty() { (Some(id), rest) } else { (None, text) }
}

/// A title with and without a word at its head that may be its id, where others call it so: `A: x`, `**login**: x`.
pub(super) fn split_label(text: &str) -> Option<(&str, &str)> {
    let (head, rest) = text.split_once([':', '：'])?;
    let (head, rest) = (head.trim_matches(['*', '`', '_']), rest.trim_start_matches(['*', '`', '_']).trim());
    let is_known = |character: char| character.is_alphanumeric() || ".-_".contains(character);
    let is_word = head.starts_with(char::is_alphanumeric)
        && head.chars().count() <= ID_CHARS_MAX
        && head.chars().all(is_known);
    (is_word && !rest.is_empty()).then_some((head, rest))
}

/// Letters, digits and marks, with a digit in it, as nobody writes a word.
pub(super) fn is_id(word: &str) -> bool {
    let known = |character: char| character.is_ascii_alphanumeric() || ".-_".contains(character);
    word.starts_with(|first: char| first.is_ascii_alphanumeric())
        && word.chars().count() <= ID_CHARS_MAX
        && word.chars().all(known)
        && word.contains(|character: char| character.is_ascii_digit())
}

/// `T1`, `US-001`, `P1-T2`: capitals, then something with a digit. `3` and `2nd` are words.
fn has_letters_then_digits(word: &str) -> bool {
    let rest = word.trim_start_matches(|character: char| character.is_ascii_uppercase());
    rest.len() < word.len() && rest.trim_start_matches(['-', '_']).starts_with(|c: char| c.is_ascii_digit())
}

/// The word without the mark that separates it from what follows.
fn without_mark(word: &str) -> (&str, bool) {
    let bare = word.trim_end_matches([':', '.', ')', '：', ',']);
    (bare, bare.len() < word.len())
}

/// What follows an id, without the mark between them.
fn without_leading_mark(rest: &str) -> (&str, bool) {
    let rest = rest.trim_start();
    for mark in [":", "：", "—", "–", "- "] {
        if let Some(after) = rest.strip_prefix(mark) {
            return (after.trim(), true);
        }
    }
    (rest.trim(), false)
}

/// The id that a title without one is given: its words, in small letters.
pub(super) fn made_id(title: &str) -> String {
    let mut id = String::new();
    for word in title.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let word = word.to_lowercase();
        if !id.is_empty() && id.chars().count() + word.chars().count() >= MADE_ID_CHARS_MAX {
            break;
        }
        if !id.is_empty() {
            id.push('-');
        }
        id.extend(word.chars().take(MADE_ID_CHARS_MAX));
    }
    if id.is_empty() { "task".to_owned() } else { id }
}

/// What `key: value`, in a list item or in bold, says.
pub(super) fn key_and_value(text: &str) -> Option<(TaskKey, &str)> {
    let (key, value) = text.split_once([':', '：'])?;
    let key = match even(&key.replace(['*', '`', '_'], " ")).to_lowercase().as_str() {
        "deps" | "dep" | "depends" | "depends on" | "dependencies" | "dependency" | "dependson"
        | "blocked by" | "blockedby" | "waits for" | "의존성" | "의존" | "선행" | "선행 작업"
        | "선행 태스크" => TaskKey::WaitsFor,
        "blocks" => TaskKey::Blocks,
        "specialist" | "owner" | "agent" | "assignee" | "assigned to" | "담당" | "담당자" | "전문가" => {
            TaskKey::Specialist
        }
        "priority" | "우선순위" => TaskKey::Priority,
        _ => return None,
    };
    Some((key, value.trim().trim_start_matches(['*', '_']).trim()))
}

/// What the brackets in a title say: `(depends on T0.1, T0.2)`, `[P0]`, `(owner: backend)`.
pub(super) fn bracketed(title: &str) -> impl Iterator<Item = &str> {
    let parts = title.split(['(', '[']).skip(1);
    parts.filter_map(|part| part.split_once([')', ']']).map(|(inside, _)| inside.trim()))
}

/// `depends on T1` is said without a colon as well.
pub(super) fn said_in_brackets(inside: &str) -> Option<(TaskKey, &str, RelationCertainty)> {
    const WORDS: [(&str, TaskKey, RelationCertainty); 7] = [
        ("depends on ", TaskKey::WaitsFor, RelationCertainty::Plainly),
        ("blocked by ", TaskKey::WaitsFor, RelationCertainty::Plainly),
        ("requires ", TaskKey::WaitsFor, RelationCertainty::InPassing),
        ("needs ", TaskKey::WaitsFor, RelationCertainty::InPassing),
        ("after ", TaskKey::WaitsFor, RelationCertainty::InPassing),
        ("waits for ", TaskKey::WaitsFor, RelationCertainty::Plainly),
        ("blocks ", TaskKey::Blocks, RelationCertainty::InPassing),
    ];
    if let Some((key, value)) = key_and_value(inside) {
        return Some((key, value, RelationCertainty::Plainly));
    }
    let begins = |word: &str| inside.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    let (word, key, said) = WORDS.into_iter().find(|(word, ..)| begins(word))?;
    let value = inside[word.len()..].trim();
    // "(needs a database)" is about no task; `T9` is meant for one.
    let is_meant = value.split([' ', ',']).next().is_some_and(is_id);
    Some((key, value, if is_meant { RelationCertainty::Plainly } else { said }))
}

/// `(after lunch)` may be about no task, and stays.
fn is_about_order(inside: &str) -> bool {
    said_in_brackets(inside).is_some_and(|(_, _, said)| said == RelationCertainty::Plainly)
}

/// The title without brackets at its end that say something which is known: `a form [P0] (depends on T1)`.
pub(super) fn without_brackets(title: &str) -> &str {
    let mut bare = title.trim();
    while let Some(open) = bare.rfind(['(', '[']).filter(|_| bare.ends_with([')', ']'])) {
        let inside = bare[open + 1..bare.len() - 1].trim();
        let is_priority = inside.parse::<u32>().is_err() && priority(inside).is_some();
        if !is_about_order(inside) && !is_priority {
            break;
        }
        bare = bare[..open].trim_end();
    }
    if bare.is_empty() { title } else { bare }
}

/// The names in `[T1.1, T1.2 (the schema)]`, `T1 and T2`, `없음`.
pub(super) fn names(line: Line<'_>, value: &str, said: RelationCertainty) -> Vec<WrittenName> {
    const NOTHING: [&str; 8] = ["", "-", "—", "–", "none", "n/a", "nothing", "없음"];
    let at = line.span_of(value).start;
    let mut names = Vec::new();
    for part in value.split([',', ';', '&', '、']).flat_map(|part| part.split(" and ")) {
        let bare = part.split_once('(').map_or(part, |(before, _)| before);
        let bare = bare.trim_matches(|c: char| c.is_whitespace() || "[]*`_\"'.".contains(c));
        if NOTHING.contains(&bare.to_lowercase().as_str()) {
            continue;
        }
        let offset = bare.as_ptr() as usize - value.as_ptr() as usize;
        let span = (at + offset..at + offset + bare.len()).into();
        names.push(WrittenName { text: bare.to_owned(), span, said });
    }
    names
}

/// `P0`, `high`, `🔴 High Priority (MANDATORY)`, `Priority 1: Foundation`, `높음`.
pub(super) fn priority(text: &str) -> Option<Priority> {
    let lowered = text.to_lowercase();
    let mut words =
        lowered.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next()?;
    let number = |word: &str| word.parse::<u32>().ok().filter(|number| *number < 1_000);
    let named = match first {
        "critical" | "urgent" | "blocker" | "긴급" => Some(Priority::CRITICAL),
        "high" | "높음" | "상" => Some(Priority::HIGH),
        "medium" | "normal" | "mid" | "중간" | "보통" | "중" => Some(Priority::MEDIUM),
        "low" | "낮음" | "하" => Some(Priority::LOW),
        "priority" | "우선순위" => words.clone().next().and_then(number).map(Priority),
        _ => first.strip_prefix('p').and_then(number).map(Priority),
    };
    named.or_else(|| number(&lowered).map(Priority))
}

/// The priority of a section, by its heading: a bare adjective means another thing there ("High availability").
pub(super) fn priority_of_section(title: &str) -> Option<Priority> {
    if let Some((TaskKey::Priority, value)) = bracketed(title).find_map(key_and_value) {
        return priority(value);
    }
    let said = priority(title)?;
    let lowered = title.to_lowercase();
    let words =
        lowered.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).count();
    let is_number = lowered.starts_with('p') && lowered[1..].starts_with(|c: char| c.is_ascii_digit());
    (words == 1 || is_number || lowered.contains("priority") || lowered.contains("우선순위")).then_some(said)
}
