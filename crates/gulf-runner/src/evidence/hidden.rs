//! What a candidate does so that less of it is seen: marks in sources, settings of linters, links out of the tree, assertions
//! that mean something else.
//!
//! Nothing of it is a test or a runner's setting, and each makes a check say yes all the same.

use std::collections::BTreeSet;

use camino::Utf8Path;
use gulf_agents::sources::{
    self, Changed, FieldChange, Sighting, Suppression, added_suppressions, extended, file_of,
    is_linter_configuration, is_product, is_source, is_test_path, linter_configuration, linter_programs,
    lost_comments, own_marks, refused_by_name, replaced_assertions, test_aware, whole_file,
};
use gulf_engine::Finding;
use gulf_spec::environment::Selection;

use super::looking::Looking;
use super::{CandidateEvidence, Difference, changed_field, finding_at};
use crate::error::{Failure, Result};

impl CandidateEvidence<'_> {
    /// Settings of linters, as far as somebody looks.
    pub(super) fn linter_settings(&self, looking: &Looking) -> Vec<Finding> {
        let files = &self.difference.files;
        let fields = files.iter().filter(|(path, _)| looking.has_any(linter_programs(path))).flat_map(
            |(path, file)| linter_configuration(path, file.base.as_deref(), file.candidate.as_deref()),
        );
        fields.chain(self.extended_settings(looking)).map(changed_field).collect()
    }

    /// Files of the base that such settings extend, whatever they are called, and those that these extend.
    fn extended_settings(&self, looking: &Looking) -> Vec<FieldChange> {
        const FILES_MAX: usize = 1_000;
        const FORMS: [&str; 10] =
            [".toml", ".json", ".jsonc", ".yaml", ".yml", ".js", ".cjs", ".mjs", ".ini", ".cfg"];
        let may_be =
            |path: &str| FORMS.iter().any(|form| path.ends_with(form)) && !is_linter_configuration(path);
        let mut changed = self.difference.files.iter().collect::<Vec<_>>();
        changed.retain(|(path, file)| file.is_of_base() && may_be(path));
        if changed.is_empty() {
            return Vec::new();
        }
        let there = self.texts.paths().filter(|path| may_be(path));
        let others: Vec<&str> =
            changed.iter().map(|(path, _)| path.as_str()).chain(there).take(FILES_MAX).collect();
        let is_read = |path: &&str| is_linter_configuration(path) && looking.has_any(linter_programs(path));
        let (mut open, mut found): (Vec<&str>, BTreeSet<&str>) =
            (self.texts.paths().filter(is_read).collect(), BTreeSet::new());
        while let Some(path) = open.pop() {
            let text = self.texts.read(Utf8Path::new(""), path).unwrap_or_default();
            open.extend(extended(path, &text, &others).into_iter().filter(|other| found.insert(other)));
        }
        changed.retain(|(path, _)| found.contains(path.as_str()));
        let whole = |(path, file): (&String, &Changed)| {
            whole_file(path, file.base.as_deref(), file.candidate.as_deref())
        };
        changed.into_iter().map(whole).collect()
    }

    /// All of it, as far as somebody looks.
    pub(super) fn hidden(&self, looking: &Looking) -> Result<Vec<Finding>> {
        let Difference { files, changes, .. } = &self.difference;
        let marks = added_suppressions(files, &|programs| looking.has_any(programs));
        let mut found: Vec<Finding> = marks.into_iter().map(suppressed).collect();
        found.extend(files.iter().flat_map(|(path, file)| assertions(path, file)));
        found.extend(changes.iter().filter(|change| change.is_link).filter_map(|change| {
            let path = change.path.as_utf8()?.as_str();
            let target = files.get(path)?.candidate.as_deref()?;
            let to = String::from_utf8_lossy(target);
            let told = || format!("is a link to {to}, and what lies there is no part of the work");
            leads_out(path, target).then(|| finding_at(path, told()))
        }));
        found.extend(files.iter().filter_map(|(path, file)| left_out(path, file)));
        found.extend(self.ignored_sources());
        found.extend(self.undeclared_modules());
        found.extend(self.own_marks());
        found.extend(self.lost_comments(looking));
        found.extend(self.unmet()?);
        Ok(found)
    }

    /// What stands in for what the goal asks for, and what it asks for and nothing reads.
    fn unmet(&self) -> Result<Vec<Finding>> {
        let goal = &self.resources.agreement.goal;
        let products = || self.texts_in(|path: &str| is_source(path) && is_product(path));
        let unread = sources::unread(&self.difference.files, goal, products)?;
        let unread =
            sighted(unread, |line, name| format!("takes `{name}` in line {line}, and nothing reads it"));
        let given_up = sources::given_up(&self.difference.files, goal);
        let given_up = sighted(given_up, |line, what| format!("{what} (line {line})"));
        let left_open = sources::left_open(&self.difference.files, goal);
        let left_open =
            sighted(left_open, |line, says| format!("says in line {line} what is not done: {says}"));
        let unknown = self.unknown_options(products)?;
        Ok(unread.chain(given_up).chain(left_open).chain(self.refused()?).chain(unknown).collect())
    }

    /// Options that the goal names and that stand in no source.
    fn unknown_options(&self, products: impl Fn() -> Result<Vec<String>>) -> Result<Option<Finding>> {
        let goal = &self.resources.agreement.goal;
        let product = self.difference.files.keys().find(|path| is_source(path) && is_product(path));
        let Some(path) = product.filter(|_| goal.contains("--")) else { return Ok(None) };
        let mut texts = products()?;
        texts.extend(self.all_commands());
        let unknown: Vec<String> =
            sources::unknown_options(goal, &texts).iter().map(|option| format!("`--{option}`")).collect();
        let what = || format!("no source knows {}, which the goal names", unknown.join(", "));
        Ok((!unknown.is_empty()).then(|| finding_at(path, what())))
    }

    /// Inputs of tests that are refused by their own name.
    fn refused(&self) -> Result<impl Iterator<Item = Finding>> {
        let tests = || {
            let read = self.sources(|path: &str| is_test_path(path) || path.ends_with(".rs"))?.into_iter();
            let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
            Ok::<_, Failure>(read.map(|(path, bytes)| (path, text(bytes))).collect())
        };
        let goal = &self.resources.agreement.goal;
        Ok(sighted(refused_by_name(&self.difference.files, tests, goal)?, |line, input| {
            format!("refuses {input} by its name in line {line}, as a test wants of this input")
        }))
    }

    /// A change of comments alone, unless the goal asks for their words or for less of them, or a linter looks at how they
    /// are written.
    fn lost_comments(&self, looking: &Looking) -> Option<Finding> {
        const LINTERS: [&str; 14] = [
            "ruff", "flake8", "pycodestyle", "pylint", "black", "eslint", "biome", "prettier", "clippy",
            "fmt", "gofmt", "golangci-lint", "rubocop", "codespell",
        ];
        const ASKING: [&str; 9] =
            ["remov", "delet", "drop", "strip", "typo", "spell", "word", "doc", "licen"];
        let goal = self.resources.agreement.goal.to_lowercase();
        let path = lost_comments(&self.difference.files)?;
        let what = "only comments were changed: all that the work does is as it was";
        let is_asked = ASKING.iter().any(|asking| goal.contains(asking));
        (!is_asked && !looking.has_any(&LINTERS)).then(|| finding_at(path, what))
    }

    /// Comments that keep a check's own program quiet.
    fn own_marks(&self) -> Vec<Finding> {
        let programs = self.texts.decided_by(&self.all_commands());
        let sources = self.difference.files.iter().filter(|(path, _)| is_source(path));
        let sources: Vec<_> = sources.map(|(path, file)| (path.as_str(), file)).collect();
        let found = own_marks(&sources, &programs).into_iter().map(|(path, mark, line)| {
            finding_at(path, format!("adds `{mark}` in line {line}, which a check's own program looks for"))
        });
        found.collect()
    }

    /// Modules of Rust with tests that stay where they are, and that nothing declares any more.
    fn undeclared_modules(&self) -> Vec<Finding> {
        let mut found = Vec::new();
        for (path, file) in self.difference.files.iter().filter(|(path, _)| path.ends_with(".rs")) {
            if file.candidate.is_none() {
                continue;
            }
            let [base, now] = file.texts().map(|text| declared_modules(&text));
            for module in base.iter().filter(|module| !now.contains(module)) {
                let places = places_of_module(path, module);
                let standing =
                    places.iter().filter_map(|place| Some((place, self.text_of_candidate(place)?)));
                let tested = standing.filter(|(_, text)| text.contains("#[test]"));
                let what = format!("{path} no longer declares this module, so its tests do not run");
                found.extend(tested.map(|(place, _)| finding_at(place, what.as_str())));
            }
        }
        found
    }

    fn text_of_candidate(&self, path: &str) -> Option<String> {
        match self.difference.files.get(path) {
            Some(file) => Some(String::from_utf8_lossy(file.candidate.as_deref()?).into_owned()),
            None => self.texts.read(Utf8Path::new(""), path),
        }
    }

    /// Sources of the base that a file of any folder says to ignore: git has them all the same, and linters leave them out.
    fn ignored_sources(&self) -> Vec<Finding> {
        const FILES: [&str; 3] = [".gitignore", ".ignore", ".rgignore"];
        let is_kept =
            |path: &&str| self.difference.files.get(*path).is_none_or(|file| file.candidate.is_some());
        let mut found = Vec::new();
        let files = self.difference.files.iter();
        for (rules, file) in files.filter(|(path, _)| FILES.contains(&file_of(path))) {
            let [old, new] = file.texts();
            let added = new.lines().filter(|line| old.lines().all(|other| other != *line));
            let ignored = Selection::of_words(added);
            let folder = &rules[..rules.len() - file_of(rules).len()];
            let within = |path: &str| path.strip_prefix(folder).is_some_and(|path| ignored.selects(path));
            let what = format!("{rules} says to ignore this file, which is there: linters no longer see it");
            let paths = self.texts.paths().filter(|path| is_source(path) && within(path)).filter(is_kept);
            found.extend(paths.map(|path| finding_at(path, what.as_str())));
        }
        found
    }
}

/// What was sighted, each as its line and what stands there are told.
fn sighted(found: Vec<Sighting>, told: impl Fn(usize, &str) -> String) -> impl Iterator<Item = Finding> {
    found.into_iter().map(move |Sighting { path, line, what }| finding_at(path, told(line, &what)))
}

/// Products that look whether they are tested.
pub(super) fn aware(difference: &Difference) -> impl Iterator<Item = Finding> {
    sighted(test_aware(&difference.files), |line, sign| match sign.starts_with("runs ") {
        true => format!("{sign} (line {line})"),
        false => format!("looks in line {line} whether it is tested: at {sign}"),
    })
}

/// New functions that look at nothing of what the new tests give them.
pub(super) fn heedless(difference: &Difference) -> impl Iterator<Item = Finding> {
    sighted(sources::heedless(&difference.files, &difference.new_test_text()), |line, name| {
        format!("{name} (line {line}) looks at nothing of what its new tests give it")
    })
}

/// `mod text;`, `pub mod text;`
fn declared_modules(source: &str) -> Vec<String> {
    let names = source.lines().filter_map(|line| {
        let (before, name) = line.trim().strip_suffix(';')?.rsplit_once("mod ")?;
        (before.is_empty() || before.starts_with("pub")).then(|| name.trim().to_owned())
    });
    names.collect()
}

/// Where a module lies that the source at this path declares.
fn places_of_module(path: &str, module: &str) -> [String; 2] {
    let (folder, file) =
        path.rsplit_once('/').map_or((String::new(), path), |(at, file)| (format!("{at}/"), file));
    let stem = file.trim_end_matches(".rs");
    let own = if ["lib", "main", "mod"].contains(&stem) { String::new() } else { format!("{stem}/") };
    [format!("{folder}{own}{module}.rs"), format!("{folder}{own}{module}/mod.rs")]
}

fn suppressed(Suppression { path, mark, line, count }: Suppression) -> Finding {
    let more = if count == 1 { String::new() } else { format!(" and {} more", count - 1) };
    finding_at(path, format!("adds `{mark}` in line {line}{more}, so what stands there no longer counts"))
}

fn assertions(path: &str, file: &Changed) -> Vec<Finding> {
    let names = replaced_assertions(path, file.base.as_deref(), file.candidate.as_deref());
    let what =
        |name: String| format!("brings in `{name}` for the tests beside it, which may assert something else");
    names.into_iter().map(|name| finding_at(path, what(name))).collect()
}

/// A source of Go that was always built, and is now only where somebody asks for a tag of the project's own.
fn left_out(path: &str, file: &Changed) -> Option<Finding> {
    const KNOWN: [&str; 24] = [
        "aix", "android", "cgo", "darwin", "dragonfly", "freebsd", "illumos", "ios", "js", "linux", "netbsd",
        "openbsd", "plan9", "solaris", "unix", "wasip1", "windows", "amd64", "arm", "arm64", "riscv64",
        "wasm", "race", "gc",
    ];
    let [before, tag] = file.texts().map(|text| {
        let mut lines = text.lines().take_while(|line| !line.starts_with("package "));
        lines.find(|line| line.starts_with("//go:build ")).map(str::to_owned)
    });
    let tag = tag.filter(|_| path.ends_with(".go") && before.is_none())?;
    let mut words =
        tag["//go:build ".len()..].split(|letter: char| !(letter.is_alphanumeric() || letter == '.'));
    let is_own = |word: &str| !(word.is_empty() || KNOWN.contains(&word) || word.starts_with("go1."));
    let what = format!("was always built, and is only by `{tag}` now");
    (file.base.is_some() && words.any(is_own)).then(|| finding_at(path, what))
}

/// Does a link at this path lead out of the project, or into its git directory?
fn leads_out(path: &str, target: &[u8]) -> bool {
    let Ok(target) = std::str::from_utf8(target) else { return true };
    if target.starts_with('/') || target.contains('\\') || target.as_bytes().get(1) == Some(&b':') {
        return true;
    }
    let mut depth = path.split('/').count() - 1;
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." if depth == 0 => return true,
            ".." => depth -= 1,
            ".git" if depth == 0 => return true,
            _ => depth += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests;
