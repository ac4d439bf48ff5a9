//! Files of data as wholes: which of them are compared, and what they may say instead.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::{CheckText, TextWord, is_prose, is_source, word_ranges};
use crate::sources::paths::is_program_text;
use crate::sources::spliced;
use crate::sources::support::file_of;
use crate::sources::tokens::{Lexeme, tokens};

/// Programs that compare files, as a script that tells its commands names them.
const COMPARING: [&str; 3] = ["diff", "cmp", "comm"];

/// The files that a script compared with what the work gave (`+ diff expected.txt out.txt`), by their place among the texts,
/// unless it writes them itself, or gives them to something else (`app.py sample.json | diff sample.json -`).
pub fn compared_files(texts: &[CheckText], trace: &str) -> BTreeSet<usize> {
    let commands = trace.lines().filter(|line| line.starts_with('+'));
    let commands =
        commands.map(|line| line.trim_start_matches(['+', ' ']).split_whitespace().collect::<Vec<_>>());
    let (compared, others): (Vec<_>, Vec<_>) =
        commands.partition(|words| words.first().is_some_and(|first| COMPARING.contains(first)));
    let plain = |word: &&'_ str| word.trim_matches(['\'', '"']).trim_start_matches("./").to_owned();
    let given: BTreeSet<String> = others.iter().flatten().map(plain).collect();
    let named: BTreeSet<String> =
        compared.iter().flatten().map(plain).filter(|name| !given.contains(name)).collect();
    let is_written = |name: &str| {
        let names = || [format!("> {name}"), format!(">{name}")];
        texts.iter().any(|one| names().iter().any(|sign| one.text.contains(sign)))
    };
    let is_compared = |one: &CheckText| {
        let is_named = |name: &String| one.path == *name || one.path.ends_with(&format!("/{name}"));
        !one.path.is_empty()
            && !is_source(&one.path)
            && named.iter().any(is_named)
            && !is_written(file_of(&one.path))
    };
    let found: BTreeSet<usize> =
        (0..).zip(texts).filter(|(_, one)| is_compared(one)).map(|(index, _)| index).collect();
    // What two commands say at once gets mixed up: the others of its kind are compared, too.
    let of_kind = roles(texts).into_iter().filter(|role| !role.is_disjoint(&found)).flatten();
    let of_kind = of_kind.filter(|index| !given.contains(&texts[*index].path));
    found.iter().copied().chain(of_kind.collect::<Vec<_>>()).collect()
}

/// Files of data that are alike in all but the name, where each has others of its name beside it: what goes in, and what
/// comes out.
pub fn roles(texts: &[CheckText]) -> Vec<BTreeSet<usize>> {
    let mut found: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (kind, index) in cases(texts).into_values().filter(|files| files.len() > 1).flatten() {
        found.entry(kind).or_default().insert(index);
    }
    found.into_values().filter(|role| role.len() > 1).collect()
}

/// By name, what is alike in all files of data but the name, and where each of them is.
fn cases(texts: &[CheckText]) -> BTreeMap<&str, BTreeMap<String, usize>> {
    let mut cases: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
    for (index, one) in texts.iter().enumerate().filter(|(_, one)| is_case(one)) {
        cases.entry(stem(&one.path)).or_default().insert(kind(&one.path), index);
    }
    cases
}

/// What two runs show of the words that these texts have and the others had not, where both show the same: what is given comes
/// out of two products as two texts, and what is expected as one.
pub fn are_shown_alike(was: &[CheckText], is: &[CheckText], [one, other]: [&str; 2]) -> bool {
    let of = |texts: &[CheckText]| -> BTreeSet<String> {
        texts.iter().flat_map(|one| word_ranges(&one.text).map(|at| one.text[at].to_owned())).collect()
    };
    let (old, new) = (of(was), of(is));
    let strange: Vec<&String> = new.difference(&old).collect();
    let pieces = |output: &str| -> BTreeSet<String> {
        let all = output.split(['"', '\'', '`', '\n']);
        let is_strange = |piece: &&str| strange.iter().any(|word| piece.contains(word.as_str()));
        all.filter(is_strange).map(str::to_owned).collect()
    };
    let (one, other) = (pieces(one), pieces(other));
    !one.is_empty() && one.is_subset(&other)
}

fn is_case(one: &CheckText) -> bool {
    let is_code = || !is_prose(&one.path) && tokens(&one.path, &one.text).iter().any(|token| token.is(";"));
    let has_kind = stem(&one.path).len() < file_of(&one.path).len();
    has_kind && !is_program_text(&one.path) && !one.path.ends_with("sh") && !is_code()
}

/// `cases/*.in` of `cases/one.in`
fn kind(path: &str) -> String {
    let (name, stem) = (file_of(path), stem(path));
    format!("{}*{}", &path[..path.len() - name.len()], &name[stem.len()..])
}

impl CheckText {
    /// With its last line many times, where it is data.
    pub fn longer(&self) -> Self {
        const TIMES: usize = 7;
        let last = self.text.trim_end().lines().next_back().unwrap_or_default();
        let is_data = !is_source(&self.path) && super::is_prose_like(&self.path) && !self.text.contains(';');
        let more = if is_data { format!("{last}\n").repeat(TIMES) } else { String::new() };
        Self { path: self.path.clone(), text: format!("{}\n{more}", self.text.trim_end()) }
    }

    /// With another word in the place of each, or of the last one of each line, before which the question may stand.
    pub fn otherwise(&self, is_last_only: bool) -> Self {
        let is_last = |at: &Range<usize>| {
            let rest = self.text[at.end..].lines().next().unwrap_or_default();
            word_ranges(rest).next().is_none()
        };
        let flipped = |at: Range<usize>| {
            let flipped = self.word(0, at.clone()).flipped();
            (at, flipped)
        };
        let words = word_ranges(&self.text).filter(|at| !is_last_only || is_last(at));
        Self { path: self.path.clone(), text: spliced(&self.text, words.map(flipped)) }
    }
}

/// The texts where files of data stand under each other's names: `one.in` and `one.out` hold what `two.in` and `two.out` held.
/// None where names say something: they stand in a text, and not where it lists them all, or a part of them in what the check
/// runs. `paths` are all of the tree.
pub fn under_other_names(texts: &[CheckText], paths: &[String], trace: &str) -> Option<Vec<CheckText>> {
    let all = cases(texts);
    let mut cases = all.clone();
    let is_free = |name: &str| {
        let digits = name.split(|letter: char| !letter.is_ascii_digit()).find(|part| !part.is_empty());
        let says = digits
            .is_some_and(|digits| digits != name && trace.split_whitespace().any(|word| word == digits));
        let like = all.iter().filter(|(_, files)| files.keys().eq(all[name].keys())).map(|(name, _)| *name);
        let like: Vec<&str> = like.filter(|other| *other != name).collect();
        let is_list =
            |line: &str| !like.is_empty() && like.iter().all(|other| super::is_word_of(other, [line]));
        let is_told =
            |one: &CheckText| one.text.lines().any(|line| super::is_word_of(name, [line]) && !is_list(line));
        !says && (!texts.iter().any(is_told) || digits == Some(name))
    };
    let is_whole = |name: &str, files: usize| paths.iter().filter(|path| stem(path) == name).count() == files;
    cases.retain(|name, files| is_free(name) && is_whole(name, files.len()));
    let mut groups: BTreeMap<Vec<&String>, Vec<&BTreeMap<String, usize>>> = BTreeMap::new();
    for files in cases.values() {
        groups.entry(files.keys().collect()).or_default().push(files);
    }
    let mut moved = texts.to_vec();
    for group in groups.values() {
        for (files, others) in group.iter().zip(group.iter().cycle().skip(1)) {
            for (index, other) in files.values().zip(others.values()) {
                moved[*index].text.clone_from(&texts[*other].text);
            }
        }
    }
    (moved != texts).then_some(moved)
}

/// What a source of a language that is not read compares with a value, and what is given for it: `digits(19) != 10`.
pub fn comparisons(texts: &[CheckText]) -> Vec<(TextWord, Vec<TextWord>)> {
    let mut found = Vec::new();
    let is_unread = |one: &CheckText| !is_source(&one.path) && !is_prose(&one.path);
    for (index, one) in texts.iter().enumerate().filter(|(_, one)| is_unread(one)) {
        let tokens = tokens(&one.path, &one.text);
        let value = |token: &Lexeme| token.literal().map(|_| one.word(index, token.bytes.clone()));
        for at in 1..tokens.len().saturating_sub(1) {
            let is_comparison = (tokens[at].is("==") || tokens[at].is("!=")) && tokens[at - 1].is(")");
            let Some(expected) = value(&tokens[at + 1]).filter(|_| is_comparison) else { continue };
            let open = (0..at).rev().find(|open| tokens[*open].is("(")).unwrap_or(at);
            found.push((expected, tokens[open..at].iter().filter_map(value).collect()));
        }
    }
    found
}

/// A script whose comparisons show what they compare.
pub(super) fn telling(script: &str) -> String {
    const SILENCING: [&str; 6] =
        ["&> /dev/null", "&>/dev/null", "2> /dev/null", "2>/dev/null", "> /dev/null", ">/dev/null"];
    let line = |line: &str| {
        let mut line = line.to_owned();
        if COMPARING.iter().any(|program| super::is_word_of(program, [line.as_str()])) {
            for silent in ["cmp -s", "cmp --silent", "diff -q", "diff --brief"] {
                line = line.replace(silent, "diff");
            }
            line = SILENCING.iter().fold(line, |line, silent| line.replace(silent, ""));
        }
        line
    };
    script.split_inclusive('\n').map(line).collect()
}

/// `one` of `cases/one.in`
pub(super) fn stem(path: &str) -> &str {
    // Of `.gitignore` nothing.
    let name = file_of(path);
    name.split_once('.').map_or(name, |(stem, _)| stem)
}
