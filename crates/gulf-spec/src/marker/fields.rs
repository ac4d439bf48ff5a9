//! The keys of a state file: each is read with its default, and written as it is read.
//!
//! Apart from the form because here stands what each key means, and the one order in which they are written.

use super::{
    Autonomy, BASE_BRANCH, COMPLETION_PROMISE, HITL_THRESHOLD, ITERATIONS_MAX, Marker, MarkerActivity,
    MarkerPause, MarkerWarning,
};
use crate::problem::{PROBLEMS_MAX, nearest};
use crate::text::Line;

/// Written beside `branch` as the original does, and never read.
pub(super) const MERGE_STATUS: &str = "merge_status";

/// Characters of a value that a warning repeats.
const FOUND_CHARACTERS_MAX: usize = 60;

/// One key as it is written.
pub(super) struct MarkerField {
    pub(super) key: &'static str,
    pub(super) value: String,
    /// Whether there is a line for it at all.
    pub(super) is_written: bool,
}

/// Every key in the order of the file.
pub(super) fn to_fields(marker: &Marker) -> Vec<MarkerField> {
    let judge = marker.judge_enabled;
    let branch = !marker.branch.is_empty();
    let autonomous = marker.autonomy == Autonomy::Autonomous;
    let hitl = judge || marker.hitl_threshold != HITL_THRESHOLD;
    let promise = !judge || marker.completion_promise != COMPLETION_PROMISE;
    let pause = marker.pause_reason.as_ref().map(MarkerPause::to_string);
    let rejected = judge || marker.consecutive_rejections > 0;
    let field =
        |key, value: &dyn ToString, is_written| MarkerField { key, value: value.to_string(), is_written };
    let text = |key, value: &str, is_written| field(key, &bare(value), is_written);
    let optional = |key, value: Option<&str>| text(key, value.unwrap_or_default(), value.is_some());
    vec![
        field("active", &(marker.standing == MarkerActivity::Active), true),
        field("iteration", &marker.iteration, true),
        field("max_iterations", &marker.iterations_max, true),
        field("autonomous", &autonomous, autonomous),
        field("judge_enabled", &judge, judge),
        field("consecutive_rejections", &marker.consecutive_rejections, rejected),
        field("hitl_threshold", &marker.hitl_threshold, hitl),
        field("completion_promise", &format!("\"{}\"", marker.completion_promise), promise),
        text("branch", &marker.branch, branch),
        text("base_branch", &marker.base_branch, branch || marker.base_branch != BASE_BRANCH),
        text(MERGE_STATUS, "pending", branch),
        text("worktree_path", &marker.worktree_path, !marker.worktree_path.is_empty()),
        field("milestone_every", &marker.milestone_every, marker.milestone_every > 0),
        field("structured_memory", &marker.structured_memory, marker.structured_memory),
        field("force_max", &marker.force_max, marker.force_max),
        optional("pause_reason", pause.as_deref()),
        optional("session_id", marker.session.as_deref()),
        optional("loop", marker.loop_id.as_deref()),
    ]
}

/// What stands between the fences, and what of it did not count.
pub(super) struct MarkerFields<'t> {
    lines: Vec<Line<'t>>,
    pub(super) warnings: Vec<MarkerWarning>,
}

impl<'t> MarkerFields<'t> {
    pub(super) fn new(lines: Vec<Line<'t>>) -> Self {
        Self { lines, warnings: Vec::new() }
    }

    /// The marker of a gulf-loop.
    pub(super) fn marker(&mut self, prompt: String) -> Marker {
        Marker {
            standing: self.standing(),
            iteration: self.always("iteration", 1),
            iterations_max: self.always("max_iterations", ITERATIONS_MAX),
            completion_promise: self.text("completion_promise", COMPLETION_PROMISE),
            autonomy: if self.switch("autonomous") { Autonomy::Autonomous } else { Autonomy::Attended },
            judge_enabled: self.switch("judge_enabled"),
            consecutive_rejections: self.number("consecutive_rejections", 0),
            hitl_threshold: self.number("hitl_threshold", HITL_THRESHOLD),
            branch: self.text("branch", ""),
            base_branch: self.text("base_branch", BASE_BRANCH),
            worktree_path: self.text("worktree_path", ""),
            milestone_every: self.number("milestone_every", 0),
            structured_memory: self.switch("structured_memory"),
            force_max: self.switch("force_max"),
            pause_reason: self.optional("pause_reason").and_then(|word| word.parse().ok()),
            loop_id: self.optional("loop"),
            session: self.optional("session_id"),
            prompt,
        }
    }

    /// The marker of a ralph-loop, which knows five of the keys.
    pub(super) fn ralph(&mut self, prompt: &str) -> Marker {
        let mut marker = Marker {
            standing: self.standing(),
            iteration: self.always("iteration", 1),
            iterations_max: self.always("max_iterations", ITERATIONS_MAX),
            session: self.optional("session_id"),
            ..Marker::new(prompt)
        };
        if marker.iterations_max == 0 {
            marker.iterations_max = ITERATIONS_MAX;
            let what = "`max_iterations` is 0, which is no limit for ralph-loop";
            self.warn(None, format!("{what}; taken as `{ITERATIONS_MAX}`"));
        }
        match *self.find("completion_promise") {
            [] | ["null" | ""] => {
                let what = "`completion_promise` is not set";
                self.warn(None, format!("{what}; taken as `{COMPLETION_PROMISE}`"));
            }
            [_, ..] => marker.completion_promise = self.text("completion_promise", COMPLETION_PROMISE),
        }
        marker
    }

    /// Only the literal `false` pauses.
    fn standing(&mut self) -> MarkerActivity {
        match self.either("active", true) {
            true => MarkerActivity::Active,
            false => MarkerActivity::Paused,
        }
    }

    fn switch(&mut self, key: &'static str) -> bool {
        self.either(key, false)
    }

    fn either(&mut self, key: &'static str, default: bool) -> bool {
        self.value(key, default, "`true` or `false`", |found| found.parse().ok())
    }

    /// A number that every state file has.
    fn always(&mut self, key: &'static str, default: u32) -> u32 {
        if self.find(key).is_empty() {
            self.warn(Some(key), format!("`{key}` is missing; taken as `{default}`"));
        }
        self.number(key, default)
    }

    fn number(&mut self, key: &'static str, default: u32) -> u32 {
        self.value(key, default, "a whole number", number)
    }

    /// A text; an empty one counts only where that is the default.
    fn text(&mut self, key: &'static str, default: &str) -> String {
        let counts = |found: &str| !found.is_empty() || default.is_empty();
        self.value(key, default.to_owned(), "a text", |found| counts(found).then(|| found.to_owned()))
    }

    fn optional(&mut self, key: &'static str) -> Option<String> {
        Some(self.text(key, "")).filter(|value| !value.is_empty())
    }

    fn value<T: ToString>(
        &mut self,
        key: &'static str,
        default: T,
        expected: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> T {
        let wrong = match *self.find(key) {
            [] => return default,
            [found] => match read(found) {
                Some(value) => return value,
                None => format!("is {} and not {expected}", shown(&legible(found))),
            },
            [_, _, ..] => "appears more than once".to_owned(),
        };
        self.warn(Some(key), format!("`{key}` {wrong}; taken as {}", shown(&default.to_string())));
        default
    }

    /// A misspelt or indented key says nothing, so that is said.
    pub(super) fn warn_of_unknown(&mut self) {
        let known: Vec<_> = to_fields(&Marker::new("")).iter().map(|field| field.key).collect();
        let keys = self.lines.iter().filter_map(|line| line.text.split_once(':')).map(|(key, _)| key);
        let unknown = keys
            .filter(|key| !known.contains(key) && !key.starts_with('#') && key.len() <= FOUND_CHARACTERS_MAX);
        let meant = unknown.take(PROBLEMS_MAX).filter_map(|found| {
            let key = nearest(found.trim(), known.iter().copied())?;
            Some(format!("`{}` does not count; did you mean `{key}` at the left margin?", legible(found)))
        });
        meant.collect::<Vec<_>>().into_iter().for_each(|what| self.warn(None, what));
    }

    fn warn(&mut self, unread: Option<&'static str>, what: String) {
        self.warnings.push(MarkerWarning { what, unread });
    }

    /// What is said with a key, as often as it is there.
    fn find(&self, key: &str) -> Box<[&'t str]> {
        let values = self.lines.iter().filter_map(|line| line.text.strip_prefix(key)?.strip_prefix(':'));
        values.map(unquoted).collect()
    }
}

/// The value without one pair of quotes around it, and without blanks at its ends.
fn unquoted(value: &str) -> &str {
    let value = value.trim();
    ['"', '\'']
        .into_iter()
        .find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote))
        .map_or(value, str::trim)
}

/// The value so that [`unquoted`] gives it back.
fn bare(value: &str) -> String {
    if unquoted(value) == value { value.to_owned() } else { format!("\"{value}\"") }
}

fn number(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// A value as a warning shows it.
pub(super) fn shown(value: &str) -> String {
    if value.is_empty() { "empty".to_owned() } else { format!("`{value}`") }
}

/// The beginning of what was found, on one line and without anything that could move a cursor.
pub(crate) fn legible(found: &str) -> String {
    let mut characters = found.chars().map(|character| if character.is_control() { ' ' } else { character });
    let mut text: String = characters.by_ref().take(FOUND_CHARACTERS_MAX).collect();
    if characters.next().is_some() {
        text.push('…');
    }
    text
}
