//! Files that a candidate adds, and that no test and no product asks for: by where they lie, or by what they are, they reach
//! the base's tests all the same (SPEC B3).

use std::collections::{BTreeMap, BTreeSet};

use super::graft::Changed;
use super::support::{file_of, is_below, parent_of};
use super::{is_runner_configuration, is_source, is_test_path, is_test_support_path, names_file};

/// With more of them, nobody asks who names each.
const ASKED_MAX: usize = 100;

/// Of these changes, those without which the base's tests are to be run: `base` are its paths, and `is_taken_in` tells what a
/// check takes in by where it lies. Of attributes, it is what decides on the bytes of other files.
pub fn strays(
    changed: &BTreeMap<String, Changed>,
    base: &[&str],
    is_taken_in: &dyn Fn(&str) -> bool,
) -> BTreeSet<String> {
    let files = || changed.iter().map(|(path, file)| (path.as_str(), file));
    let is_added = |file: &Changed| file.base.is_none() && file.candidate.is_some();
    let by_itself = files().filter(|(path, file)| {
        (file_of(path) == ".gitattributes" && decides_on_bytes(file))
            || (is_added(file) && takes_effect(path, base))
    });
    let mut found: BTreeSet<String> = by_itself.map(|(path, _)| path.to_owned()).collect();
    let is_beside = |path: &str| {
        (is_test_support_path(path) || is_taken_in(path))
            && !(is_test_path(path) || is_runner_configuration(path))
    };
    let beside: Vec<&str> =
        files().filter(|(path, file)| is_added(file) && is_beside(path)).map(|(path, _)| path).collect();
    let is_asked_for = |path: &&&str| beside.len() <= ASKED_MAX && is_named_anew(path, changed);
    found.extend(beside.iter().filter(|path| !is_asked_for(path)).map(|path| (*path).to_owned()));
    found
}

/// Does an added or changed test or product name the file, and did it not before?
fn is_named_anew(path: &str, changed: &BTreeMap<String, Changed>) -> bool {
    let file = file_of(path);
    let stem = file.split('.').next().unwrap_or(file);
    let quoted = ["'", "\""].map(|quote| format!("{quote}{stem}{quote}"));
    let names = |text: &str| names_file(text, path) || quoted.iter().any(|name| text.contains(name.as_str()));
    let speaks = |other: &str| is_source(other) || !(is_test_support_path(other) || other.ends_with(".md"));
    let mut others = changed.iter().filter(|(other, _)| *other != path && speaks(other));
    others.any(|(_, file)| {
        let [base, now] = file.texts();
        names(&now) && !names(&base)
    })
}

/// Does it change by its name alone what other names lead to, or what is built and collected?
fn takes_effect(path: &str, base: &[&str]) -> bool {
    const COMPILED: [&str; 12] =
        ["o", "obj", "a", "lib", "so", "dylib", "dll", "pyd", "pyc", "class", "node", "wasm"];
    let (folder, file) = (parent_of(path), file_of(path));
    let is_compiled = |path: &str| COMPILED.contains(&path.rsplit('.').next().unwrap_or(path));
    let stem = |path: &str| file_of(path).split('.').next().map(str::to_owned);
    let is_source_of_it =
        |other: &str| parent_of(other) == folder && stem(other) == stem(path) && !is_compiled(other);
    // What is a package of its own now was a part of another one.
    let parts_off = ["go.mod", "package.json"].contains(&file) && !folder.is_empty();
    (parts_off && base.iter().any(|other| is_source(other) && is_below(other, folder)))
        || (is_compiled(path) && base.iter().any(|other| is_source_of_it(other)))
        || file == "pyvenv.cfg"
        || folder.split('/').any(|part| part == "__mocks__")
}

/// Do other lines than before say how bytes of files become those of a checkout?
fn decides_on_bytes(file: &Changed) -> bool {
    const NAMES: [&str; 7] = ["text", "eol", "crlf", "binary", "working-tree-encoding", "ident", "filter"];
    let name = |word: &str| word.trim_start_matches(['-', '!']).split('=').next().map(str::to_owned);
    let sets = |word: &str| name(word).is_some_and(|name| NAMES.contains(&name.as_str()));
    let texts = file.texts();
    let [base, now] = texts.each_ref().map(|text| {
        text.lines().filter(|line| line.split_whitespace().skip(1).any(sets)).collect::<BTreeSet<_>>()
    });
    base != now
}
