//! The state file of a session's loop, `.claude/gulf-loop.local.md`: front matter, then the prompt, byte for byte.
//!
//! Apart because it is a form of its own that other programs and people write as well: keys at the left margin,
//! no comments, no YAML. gulf writes it as a projection and takes back from it only what tightens; a file made by
//! hand, or by the ralph-loop plugin, is read whole and adopted.

mod fields;

use fields::{MERGE_STATUS, MarkerFields, shown};

use crate::problem::Problem;
use crate::text::{Line, lines};

pub(crate) use fields::legible;

/// Iterations of a loop that says nothing of them.
pub const ITERATIONS_MAX: u32 = 50;

/// What claims completion where nothing is said of it.
pub const COMPLETION_PROMISE: &str = "COMPLETE";

/// Rejections in a row before a person is asked, where nothing is said of them.
pub const HITL_THRESHOLD: u32 = 5;

/// Where work is landed, and what the judge compares with, where nothing is said of it.
pub const BASE_BRANCH: &str = "main";

/// What a state file says. Texts have no blanks at their ends; only the prompt is kept byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    pub standing: MarkerActivity,
    /// The iteration that the worker has just finished.
    pub iteration: u32,
    /// Zero ends the loop at once.
    pub iterations_max: u32,
    pub completion_promise: String,
    pub autonomy: Autonomy,
    /// Whether a judge decides.
    pub judge_enabled: bool,
    pub consecutive_rejections: u32,
    /// Zero and one both mean the first rejection.
    pub hitl_threshold: u32,
    /// Empty where the loop has no branch of its own.
    pub branch: String,
    pub base_branch: String,
    /// Empty where the loop has no worktree of its own.
    pub worktree_path: String,
    /// Zero is off.
    pub milestone_every: u32,
    pub structured_memory: bool,
    pub force_max: bool,
    pub pause_reason: Option<MarkerPause>,
    /// The loop that wrote it; none in a file made by hand.
    pub loop_id: Option<String>,
    /// The session that it is bound to; none before its first stop.
    pub session: Option<String>,
    pub prompt: String,
}

/// Whether the loop goes on (`active`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkerActivity {
    Active,
    Paused,
}

/// What becomes of a loop whose judge says no again and again (`autonomous`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Autonomy {
    /// A person is asked.
    Attended,
    /// Another strategy is taken; what is approved is landed.
    Autonomous,
}

/// Why a loop rests (`pause_reason`), by the word that stands in the file.
#[derive(Debug, Clone, PartialEq, Eq, strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum MarkerPause {
    Milestone,
    Hitl,
    /// It rested once, and was resumed.
    None,
    #[strum(default)]
    Other(String),
}

/// A state file, and what in it does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    pub marker: Marker,
    pub warnings: Vec<MarkerWarning>,
}

/// What does not count in a state file, and what counts instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct MarkerWarning {
    what: String,
    /// The key that is missing, or whose value cannot be read.
    unread: Option<&'static str>,
}

/// Why a state file cannot be read. It is kept as it is, and no loop ends as a success because of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
pub enum MarkerProblem {
    #[error("it does not begin with front matter")]
    #[diagnostic(help("let it begin with a line `---`, the keys, and a line `---`; or delete it"))]
    NoFrontMatter,
    #[error("its front matter is not closed")]
    #[diagnostic(help("put a line `---` between the keys and the prompt; or delete it"))]
    Unterminated,
    #[error("there is no prompt below its front matter")]
    #[diagnostic(help("write what is to be done below the second line `---`; or delete it"))]
    BlankPrompt,
    /// For whoever reads the bytes.
    #[error("it is not UTF-8 text")]
    #[diagnostic(help("save it as UTF-8; or delete it"))]
    NotText,
}

/// Reads `.claude/gulf-loop.local.md`.
pub fn read(text: &str) -> Result<Reading, MarkerProblem> {
    let (lines, prompt) = split(text)?;
    let mut fields = MarkerFields::new(lines);
    let marker = fields.marker(prompt.to_owned());
    fields.warn_of_unknown();
    Ok(Reading { marker, warnings: fields.warnings })
}

/// Reads `.claude/ralph-loop.local.md`, the state file of the plugin ralph-loop.
///
/// Nothing bounds such a loop where its `max_iterations` is 0, and nothing ends it where its promise is `null`;
/// here each is the default of gulf, with a warning.
pub fn read_ralph(text: &str) -> Result<Reading, MarkerProblem> {
    let (lines, prompt) = split(text)?;
    // ralph-loop writes an empty line above it.
    let prompt = prompt.strip_prefix("\r\n").or_else(|| prompt.strip_prefix('\n')).unwrap_or(prompt);
    let mut fields = MarkerFields::new(lines);
    let marker = fields.ralph(prompt);
    Ok(Reading { marker, warnings: fields.warnings })
}

/// Writes a state file, so that [`read`] gives the same marker.
///
/// The keys and their order are those of the original's setup; one that it leaves out is left out here as well,
/// unless its value is not the default. A line break in a value cannot be written and becomes a blank.
pub fn print(marker: &Marker) -> String {
    let mut text = String::from("---\n");
    for field in fields::to_fields(marker).into_iter().filter(|field| field.is_written) {
        text.push_str(&format!("{}: {}\n", field.key, field.value.replace('\n', " ")));
    }
    format!("{text}---\n{}\n", marker.prompt)
}

impl Marker {
    /// A loop at its beginning, with the defaults of a state file that says nothing.
    pub fn new(prompt: impl Into<String>) -> Self {
        MarkerFields::new(Vec::new()).marker(prompt.into())
    }
}

impl Problem for MarkerProblem {}

// Where the front matter of a state file ends and its prompt begins.

/// The lines between the two fences, and all below the second but the line ending that closes the file. Blank lines and a
/// byte order mark may stand before the first fence.
fn split(text: &str) -> Result<(Vec<Line<'_>>, &str), MarkerProblem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = lines(text).skip_while(|line| line.text.trim().is_empty());
    if !lines.next().is_some_and(is_fence) {
        return Err(MarkerProblem::NoFrontMatter);
    }
    let mut inside = Vec::new();
    for line in lines {
        if is_fence(line) {
            let below = &text[line.span.end..];
            let (ending, below) = match below.strip_prefix("\r\n") {
                Some(below) => ("\r\n", below),
                None => ("\n", below.strip_prefix('\n').unwrap_or(below)),
            };
            let prompt = below.strip_suffix(ending).unwrap_or(below);
            let is_blank = prompt.trim().is_empty();
            return if is_blank { Err(MarkerProblem::BlankPrompt) } else { Ok((inside, prompt)) };
        }
        inside.push(line);
    }
    Err(MarkerProblem::Unterminated)
}

fn is_fence(line: Line<'_>) -> bool {
    line.text.trim_end() == "---"
}

// What somebody changed in a state file that gulf had written.

/// A change of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkerEdit {
    /// `active: false`.
    Paused,
    /// A lower `max_iterations`.
    LowerIterationsMax(u32),
    /// Anything else. It does not count, and the next write undoes it.
    Loosened {
        /// One sentence about it, without a full stop.
        what: String,
    },
}

/// Compares what gulf last wrote with what is found, in the order of the file.
///
/// A value that cannot be read tightens nothing. White space at the prompt's end and the form of line endings are
/// no change: editors add and alter them unasked.
pub fn edits(ours: &Marker, found: &Reading) -> Vec<MarkerEdit> {
    let unread = |key: &str| found.warnings.iter().any(|warning| warning.unread == Some(key));
    let mut edits = Vec::new();
    for (was, is) in fields::to_fields(ours).into_iter().zip(fields::to_fields(&found.marker)) {
        if was.key == MERGE_STATUS {
            continue;
        }
        if unread(was.key) {
            let what = format!("`{}` is missing or cannot be read", was.key);
            edits.push(MarkerEdit::Loosened { what });
        } else if was.value != is.value {
            let loosened = || {
                let (key, is, was) = (was.key, shown(&legible(&is.value)), shown(&legible(&was.value)));
                MarkerEdit::Loosened { what: format!("`{key}` was set to {is}; it was {was}") }
            };
            edits.push(tightened(was.key, ours, &found.marker).unwrap_or_else(loosened));
        }
    }
    if !is_same_text(&ours.prompt, &found.marker.prompt) {
        edits.push(MarkerEdit::Loosened { what: "the prompt was changed".to_owned() });
    }
    edits
}

/// The change of a key as one that counts.
fn tightened(key: &str, ours: &Marker, found: &Marker) -> Option<MarkerEdit> {
    match key {
        "active" if found.standing == MarkerActivity::Paused => Some(MarkerEdit::Paused),
        "max_iterations" if found.iterations_max < ours.iterations_max => {
            Some(MarkerEdit::LowerIterationsMax(found.iterations_max))
        }
        _ => None,
    }
}

fn is_same_text(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(str::trim_end);
    lines(one).map(|line| line.text).eq(lines(other).map(|line| line.text))
}

#[cfg(test)]
mod tests;
