//! The candidate's tests on the base's code: the tree on which an honest new test fails (SPEC B3).
//!
//! It decides, file by file, what is test and what is product. Decided here:
//!
//! - test files and what stands beside them (fixtures, snapshots) are the candidate's, deletions included;
//! - Rust sources keep the base's items byte for byte and get the candidate's tests in place of the base's; a new
//!   one is its tests alone, declared where the candidate declares it;
//! - manifests and lock files are the candidate's unless it changed a field that decides what runs: they say which
//!   libraries there are, and a test that is red only because its library is missing proves nothing;
//! - runner configuration that the base has stays the base's; where the base has none, the candidate's is needed
//!   to run anything.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::blocks::{Block, BlockKind, Part, blocks};
use super::changes::{is_in, part_of};
use super::configuration::{is_runner_configuration, runner_configuration};
use super::paths::is_program_text;
use super::scan::{is_word, last_word};
use super::support::{file_of, names_file};
use super::{
    Language, LineRange, NewTest, examples, is_test_path, is_test_support_path, lines_of, new_tests,
};

use crate::reports::TestId;

mod rust;

/// A file that the candidate changed; `None` where it does not exist.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// Its bytes in the base.
    pub base: Option<Vec<u8>>,
    /// Its bytes in the candidate.
    pub candidate: Option<Vec<u8>>,
}

impl Changed {
    /// Its text in the base and in the candidate; empty where it does not exist.
    pub fn texts(&self) -> [Cow<'_, str>; 2] {
        [&self.base, &self.candidate].map(|side| String::from_utf8_lossy(side.as_deref().unwrap_or_default()))
    }

    /// The same where both exist, and are text.
    pub(super) fn whole_texts(&self) -> Option<[&str; 2]> {
        let [base, now] = [self.base.as_deref()?, self.candidate.as_deref()?].map(std::str::from_utf8);
        Some([base.ok()?, now.ok()?])
    }

    /// Was it there, and is it not as it was?
    pub fn is_of_base(&self) -> bool {
        self.base.is_some() && self.base != self.candidate
    }
}

/// One change of the base's tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The file.
    pub path: String,
    /// What it is to hold; none removes it.
    pub bytes: Option<Vec<u8>>,
}

/// Where test text stands in a file of the grafted tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grafted {
    /// The file.
    pub path: String,
    /// Test text that the base has not.
    pub new_lines: Vec<LineRange>,
    /// Test text that the base has not, in words.
    pub new_text: String,
}

/// The candidate's tests on the base's code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graft {
    /// What to change in the base's tree.
    pub edits: Vec<Edit>,
    /// The files with tests among them.
    pub grafted: Vec<Grafted>,
    /// The tests that are new or changed.
    pub new_tests: Vec<NewTest>,
    /// Is there data beside the tests that the base has not? A test may go through all that lies there.
    pub has_new_data: bool,
    /// Something else than tests, and than what they need, is the candidate's: libraries, settings of a runner.
    pub has_settings: bool,
}

impl Graft {
    /// Is this the result of one of the new tests?
    pub fn has_result(&self, id: &TestId) -> bool {
        self.new_tests.iter().any(|test| test.has_result(id))
    }

    /// Is there test text that the base has not?
    pub fn has_new_text(&self) -> bool {
        !self.new_tests.is_empty() || self.has_unnamed_text()
    }

    /// Is some of it in no test that has a name in the source? A loop may make tests of it, or a macro, or data.
    pub fn has_unnamed_text(&self) -> bool {
        let named = |path: &str, lines: &LineRange| {
            self.new_tests.iter().any(|test| test.path == path && test.lines.contains(lines.first))
        };
        self.has_new_data
            || self.grafted.iter().any(|file| file.new_lines.iter().any(|lines| !named(&file.path, lines)))
    }
}

/// Builds the graft from the files the candidate changed, by path from the root with `/`.
pub fn graft(changed: &BTreeMap<String, Changed>) -> Graft {
    let mut graft = Graft::default();
    let modules = rust::modules_with_tests(changed);
    for (path, file) in changed {
        if file.base == file.candidate {
            continue;
        }
        let edit = match part_of(path) {
            Some(Part::InlineTests) => rust::grafted(path, file, &modules).map(Some),
            Some(Part::Whole) if !is_runner_configuration(path) => Some(file.candidate.clone()),
            Some(Part::Whole) | None => is_taken(path, file).then(|| file.candidate.clone()),
        };
        let Some(bytes) = edit else { continue };
        // A conftest.py holds no test, so no error in it is a test's own.
        if let Some(bytes) = &bytes
            && !is_runner_configuration(path)
            && let Some(place) = describe(path, file.base.as_deref(), bytes)
        {
            graft.grafted.push(place);
            let candidate = file.candidate.as_deref().unwrap_or_default();
            graft.new_tests.extend(new_tests(path, file.base.as_deref(), candidate));
        }
        graft.has_new_data |= bytes.is_some() && is_test_support_path(path) && !is_program_text(path);
        graft.has_settings |=
            is_runner_configuration(path) || !(is_test_support_path(path) || part_of(path).is_some());
        graft.edits.push(Edit { path: path.clone(), bytes });
    }
    graft
}

/// The base's tests on the candidate's code: what to change in the candidate's tree, so that its tests, what stands beside
/// them and its runners' settings are the base's again. Manifests stay: they say which libraries the code needs. `support`
/// names files that only tests use, although their path does not say so.
pub fn restored(changed: &BTreeMap<String, Changed>, support: &BTreeSet<String>) -> Vec<Edit> {
    let swap = |file: &Changed| Changed { base: file.candidate.clone(), candidate: file.base.clone() };
    let swapped: BTreeMap<String, Changed> =
        changed.iter().map(|(path, file)| (path.clone(), swap(file))).collect();
    let modules = rust::modules_with_tests(&swapped);
    let manifests = changed.iter().filter(|(path, _)| path.ends_with("CMakeLists.txt"));
    let manifests: Vec<_> = manifests.map(|(_, file)| file.texts()).collect();
    let is_built =
        |path: &str| is_program_text(path) && manifests.iter().any(|[_, text]| names_file(text, path));
    let edits = swapped.iter().filter(|(_, file)| file.base != file.candidate).filter_map(|(path, file)| {
        let bytes = match part_of(path) {
            _ if support.contains(path) => file.candidate.clone(),
            Some(Part::InlineTests) => {
                let grafted = rust::grafted(path, file, &modules);
                let product = grafted.as_ref().or(file.base.as_ref());
                Some(with_examples(path, product, file).or(grafted)?)
            }
            Some(Part::Whole) => file.candidate.clone(),
            None if is_manifest(path) => return None,
            // What a manifest that stays builds has to be there.
            None if file.candidate.is_none() && is_built(path) => return None,
            None if is_runner_configuration(path) || is_test_support_path(path) => file.candidate.clone(),
            None => Some(with_examples(path, file.base.as_ref(), file)?),
        };
        Some(Edit { path: path.clone(), bytes })
    });
    edits.collect()
}

/// A product's source with the examples that the other side of a change has, where they differ.
fn with_examples(path: &str, product: Option<&Vec<u8>>, file: &Changed) -> Option<Vec<u8>> {
    examples::put_back(path, product?, file.candidate.as_ref()?)
}

/// A file of the base with these tests in place of its own: where product and tests share a file, the product is the base's.
/// None where it has no place for them.
pub fn with_tests(path: &str, base: Option<&[u8]>, tests: &[u8]) -> Option<Vec<u8>> {
    if part_of(path) != Some(Part::InlineTests) {
        return Some(tests.to_vec());
    }
    let file = Changed { base: base.map(<[u8]>::to_vec), candidate: Some(tests.to_vec()) };
    rust::grafted(path, &file, &BTreeSet::new())
}

/// Could what was added here change what the base's tests do? Not where it is new tests alone, or no source.
pub fn reaches_old_tests(path: &str, file: &Changed) -> bool {
    let (Some(part), Some(candidate)) = (part_of(path), &file.candidate) else { return false };
    if part == Part::InlineTests {
        return false;
    }
    let Some(found) = blocks(path, candidate, part) else { return true };
    let old = file.base.as_ref().and_then(|base| blocks(path, base, part)).unwrap_or_default();
    let is_used = |name: &str| {
        let mut words = old.iter().flat_map(|block| block.text.split(|letter| !is_word(letter)));
        words.any(|word| word == last_word(name))
    };
    let reaches = |block: &Block| match &block.kind {
        BlockKind::Test(_) | BlockKind::Import => false,
        // A name that no old test knows reaches none.
        BlockKind::Definition(name) => is_used(name),
        BlockKind::Statement => true,
    };
    let has_tests = found.iter().any(|block| block.test_name().is_some());
    !has_tests || found.iter().any(|block| reaches(block) && !is_in(block, &old))
}

/// Is this a file that tests need and that holds no product?
fn is_taken(path: &str, file: &Changed) -> bool {
    if is_manifest(path) {
        let decided = || runner_configuration(path, file.base.as_deref(), file.candidate.as_deref(), &[]);
        return file.candidate.is_some() && (file.base.is_none() || decided().is_empty());
    }
    // A conftest.py of the base stays the base's.
    if is_runner_configuration(path) { file.base.is_none() } else { is_test_support_path(path) }
}

fn is_manifest(path: &str) -> bool {
    let file = file_of(path);
    let names = [
        "Cargo.toml", "Cargo.lock", "package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock",
        "pnpm-lock.yaml", "pyproject.toml", "poetry.lock", "uv.lock", "setup.cfg", "setup.py", "go.mod",
        "go.sum", "Pipfile", "Pipfile.lock", "CMakeLists.txt",
    ];
    names.contains(&file) || (file.starts_with("requirements") && file.ends_with(".txt"))
}

/// A file of tests in a language that is not taken apart: what is new in it are the lines that the base has not.
fn describe_unread(path: &str, base: Option<&[u8]>, grafted: &[u8]) -> Option<Grafted> {
    let text = String::from_utf8_lossy(grafted);
    let base = String::from_utf8_lossy(base.unwrap_or_default());
    let old: BTreeSet<&str> = base.lines().map(str::trim).collect();
    let is_new = |line: &&str| !(line.trim().is_empty() || old.contains(line.trim()));
    let new = (1..).zip(text.lines()).filter(|(_, line)| is_new(line));
    let new_lines = new.clone().map(|(at, _)| LineRange { first: at, last: at }).collect();
    let new_text = new.map(|(_, line)| line).collect::<Vec<_>>().join("\n");
    let is_of_tests = is_test_support_path(path) && is_program_text(path);
    is_of_tests.then(|| Grafted { path: path.to_owned(), new_lines, new_text })
}

fn describe(path: &str, base: Option<&[u8]>, grafted: &[u8]) -> Option<Grafted> {
    if Language::from_path(path).is_none() {
        return describe_unread(path, base, grafted);
    }
    let part = if is_test_path(path) { Part::Whole } else { Part::InlineTests };
    let text = String::from_utf8_lossy(grafted);
    let path = path.to_owned();
    let Some(found) = blocks(&path, grafted, part).filter(|_| base.is_some() || part == Part::InlineTests)
    else {
        // Not to be taken apart, or all of it: new only if the whole file is.
        let whole = LineRange { first: 1, last: text.lines().count().max(1) };
        let new_lines = base.is_none().then_some(whole).into_iter().collect();
        let new_text = base.map_or_else(|| text.into_owned(), |_| String::new());
        return Some(Grafted { path, new_lines, new_text });
    };
    let old = base.and_then(|base| blocks(&path, base, part)).unwrap_or_default();
    let new = || found.iter().filter(|block| !is_in(block, &old));
    let new_lines = new().map(|block| lines_of(&text, &block.bytes)).collect();
    let new_text = new().map(|block| format!("{}\n", &text[block.bytes.clone()])).collect();
    Some(Grafted { path, new_lines, new_text })
}
