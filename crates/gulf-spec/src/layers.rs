//! The project's own texts in a prompt: which of them, why, and which are left out (SPEC K4).
//!
//! Apart from the prompt because it is a choice under a budget: mechanical, by words that a person can find again, and
//! never silent about what it leaves out.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::markdown::{heading, lines_without_code};

/// Bytes that count as one token: nobody knows the agent's own way of counting.
pub(crate) const TOKEN_BYTES: u64 = 4;

/// Which layer of the context a text belongs to; the goal is the first, and always there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContextLayer {
    /// The list of tasks: always.
    Plan,
    /// A specification: where the work in hand has to do with it.
    Specs,
    /// How to build and test: where that is done.
    Build,
}

/// A text of the project, and where it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Material {
    pub layer: ContextLayer,
    /// Relative to the project, with `/`.
    pub path: String,
    /// What stands in it, or why that cannot be said.
    pub text: Result<String, String>,
}

/// What the iteration is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment<'m> {
    /// Stands in the prompt anyway, and counts.
    pub goal: &'m str,
    /// The words of the work in hand.
    pub work: &'m str,
    pub building: Building,
    pub tokens_max: u64,
}

/// Is something built or tested in this iteration?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Building {
    /// Everything is new to the worker.
    First,
    /// A check said no.
    AfterRed,
    /// Only if the work in hand says so.
    AsTheWorkSays,
}

/// What a prompt shows of the project.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layers {
    pub shown: Vec<ShownText>,
    pub left_out: Vec<LeftOut>,
    /// Of the goal and all that is shown.
    pub tokens: u64,
    pub tokens_max: u64,
}

/// A text that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownText {
    pub path: String,
    pub text: String,
    pub tokens: u64,
    pub why: String,
}

/// A text that is not shown, or not to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    pub path: String,
    /// None where it could not be read.
    pub tokens: Option<u64>,
    pub why: String,
}

/// What a text counts for.
pub fn tokens(text: &str) -> u64 {
    (text.len() as u64).div_ceil(TOKEN_BYTES)
}

/// Chooses, in the order of the layers; of specifications those first that have most to do with the work.
pub fn choose(materials: &[Material], moment: &Moment<'_>) -> Layers {
    let tokens = tokens(moment.goal);
    let mut choice = Layers { tokens, tokens_max: moment.tokens_max, ..Layers::default() };
    let heard = GoalWords(words_of(moment.work));
    let mut wanted = Vec::new();
    for material in materials {
        match (&material.text, reason(material, moment, &heard)) {
            (Err(why), _) => choice.leave_out(material, None, why.clone()),
            (Ok(text), Err(why)) => choice.leave_out(material, Some(self::tokens(text)), why.to_owned()),
            (Ok(text), Ok((rank, why))) => wanted.push((material, text, rank, why)),
        }
    }
    wanted.sort_by_key(|(material, _, rank, _)| (material.layer, u32::MAX - rank, material.path.clone()));
    for (material, text, _, why) in wanted {
        choice.take(material, text, why);
    }
    choice.left_out.sort_by(|one, other| one.path.cmp(&other.path));
    choice
}

/// How much a text belongs into the prompt, and why; or why it does not.
type Relevance = Result<(u32, String), &'static str>;
fn reason(material: &Material, moment: &Moment<'_>, heard: &GoalWords) -> Relevance {
    match (material.layer, moment.building) {
        (ContextLayer::Plan, _) => Ok((0, "always: it says what is to be done".to_owned())),
        (ContextLayer::Build, Building::First) => Ok((0, "the first iteration".to_owned())),
        (ContextLayer::Build, Building::AfterRed) => Ok((0, "a check says no".to_owned())),
        (ContextLayer::Build, Building::AsTheWorkSays) => match heard.building() {
            Some(word) => Ok((0, format!("the work in hand says `{word}`"))),
            None => Err("neither is a check red, nor does the work in hand speak of building or testing"),
        },
        (ContextLayer::Specs, _) => relevance(material, moment, heard),
    }
}

/// By its path, its name, or the words of its headings.
fn relevance(material: &Material, moment: &Moment<'_>, heard: &GoalWords) -> Relevance {
    let file = material.path.rsplit('/').next().unwrap_or(&material.path);
    if names(moment.work, &material.path) || names(moment.work, file) {
        return Ok((1_000, "the work in hand names it".to_owned()));
    }
    let in_path = heard.common(&words_of(&path_below_top(&material.path)));
    let text = material.text.as_deref().unwrap_or_default();
    let in_headings = heard.common(&headings(text));
    let rank = in_path.len() * 3 + in_headings.len();
    let why = match (in_path.as_slice(), in_headings.as_slice()) {
        ([], []) => return Err("nothing in the work in hand, word for word, points to it"),
        ([], headings) => format!("in its headings: {}", headings.join(", ")),
        (path, _) => format!("in its name: {}", path.join(", ")),
    };
    Ok((u32::try_from(rank).unwrap_or(u32::MAX), why))
}

/// `specs/auth/login.md` without the folder that all of them lie in, and without its ending.
fn path_below_top(path: &str) -> String {
    let below = path.split_once("specs/").map_or(path, |(_, below)| below);
    below.rsplit_once('.').map_or(below, |(stem, _)| stem).to_owned()
}

impl Layers {
    /// Did a prompt have to choose at all?
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty() && self.left_out.is_empty()
    }

    fn left(&self) -> u64 {
        self.tokens_max.saturating_sub(self.tokens)
    }

    fn take(&mut self, material: &Material, text: &str, why: String) {
        let all = tokens(text);
        if all <= self.left() {
            return self.show(material, text.to_owned(), why);
        }
        let left = self.left();
        match material.layer {
            ContextLayer::Plan => {
                let part = part_of_plan(text, left);
                if !part.is_empty() {
                    self.show(material, part.to_owned(), format!("{why}; from its first open task on"));
                }
                let why = format!("too long: only lines from its first open task on fit into {left} tokens");
                self.leave_out(material, Some(all), why);
            }
            ContextLayer::Specs | ContextLayer::Build => {
                self.leave_out(material, Some(all), format!("{why}; but only {left} tokens are left"));
            }
        }
    }

    fn show(&mut self, material: &Material, text: String, why: String) {
        let tokens = tokens(&text);
        self.tokens += tokens;
        self.shown.push(ShownText { path: material.path.clone(), text, tokens, why });
    }

    fn leave_out(&mut self, material: &Material, tokens: Option<u64>, why: String) {
        self.left_out.push(LeftOut { path: material.path.clone(), tokens, why });
    }
}

/// Whole lines from the first open box on.
fn part_of_plan(text: &str, tokens_max: u64) -> &str {
    let first = text.find("[ ]").map_or(0, |at| text[..at].rfind('\n').map_or(0, |end| end + 1));
    let rest = &text[first..];
    let bytes = usize::try_from(tokens_max.saturating_mul(TOKEN_BYTES)).unwrap_or(usize::MAX);
    let cut = &rest[..rest.floor_char_boundary(bytes)];
    if cut.len() == rest.len() { rest } else { cut.rfind('\n').map_or("", |end| &cut[..=end]) }
}

// The words by which a text has to do with a piece of work.

/// Words that say nothing about what a text is about.
const COMMON: [&str; 60] = [
    "the", "and", "for", "with", "from", "into", "onto", "that", "this", "these", "those", "when", "where",
    "which", "what", "then", "than", "not", "are", "was", "has", "have", "can", "must", "should", "will",
    "all", "any", "each", "every", "new", "add", "make", "use", "used", "using", "get", "set", "let", "its",
    "out", "also", "only", "task", "tasks", "file", "files", "spec", "specs", "implement", "create",
    "update", "write", "project", "code", "work", "done", "you", "your", "overview",
];

/// Words of building and testing.
const BUILDING: [&str; 18] = [
    "build", "builds", "building", "compile", "compiles", "test", "tests", "testing", "deploy", "install",
    "setup", "release", "package", "lint", "빌드", "테스트", "설치", "배포",
];

/// Shorter words only fit as a whole; letters of other scripts say more.
const STEM_ASCII_MIN: usize = 4;
const STEM_OTHER_MIN: usize = 2;

/// The words of the work in hand.
struct GoalWords(BTreeSet<String>);

impl GoalWords {
    /// The word by which the work is about building or testing.
    fn building(&self) -> Option<&str> {
        let is_building = |word: &&String| BUILDING.iter().any(|one| is_stem(one, word) || one == word);
        self.0.iter().find(is_building).map(String::as_str)
    }

    /// Those that it has in common with these, as they stand there.
    fn common(&self, words: &BTreeSet<String>) -> Vec<String> {
        let is_common = |word: &&String| {
            self.0.iter().any(|own| own == *word || is_stem(own, word) || is_stem(word, own))
        };
        words.iter().filter(is_common).cloned().collect()
    }
}

/// Is this the beginning of that: `auth` of `authentication`, `로그인` of `로그인을`?
fn is_stem(stem: &str, word: &str) -> bool {
    let min = if stem.is_ascii() { STEM_ASCII_MIN } else { STEM_OTHER_MIN };
    stem.chars().count() >= min && word.starts_with(stem)
}

/// The telling words of a text, in small letters.
fn words_of(text: &str) -> BTreeSet<String> {
    let split = text.split(|character: char| !character.is_alphanumeric());
    let words = split.map(str::to_lowercase);
    let is_telling = |word: &String| {
        let min = if word.is_ascii() { 3 } else { 2 };
        word.chars().count() >= min && !COMMON.contains(&word.as_str())
    };
    words.filter(is_telling).collect()
}

/// The telling words of a text's headings.
fn headings(text: &str) -> BTreeSet<String> {
    lines_without_code(text).filter_map(heading).flat_map(|heading| words_of(heading.title)).collect()
}

/// Does a text name this path, as a word of its own?
fn names(text: &str, path: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || "/._-".contains(character);
    text.match_indices(path).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(is_part);
        let after = text[at + path.len()..].trim_start_matches('.').starts_with(is_part);
        !before && !after
    })
}

#[cfg(test)]
mod tests;
