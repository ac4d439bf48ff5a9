//! Which languages a project uses, and the commands that test, lint and type-check it.
//!
//! Apart because it only proposes: from names of files and the text of a few small ones, without running
//! anything. `gulf init` runs the proposals and keeps those that are green.

mod below;
mod node;
mod others;
mod proposed;
mod python;

use std::collections::BTreeSet;
use std::fmt;

/// What a project seems to be made of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Detected {
    pub languages: Vec<ProjectLanguage>,
    /// Tests first within each language; names are unique.
    pub checks: Vec<DetectedCheck>,
    /// What the project runs in files of its own, where no language said how to test: a person's word makes them checks.
    pub proposed: Vec<DetectedCheck>,
    /// Files whose change means that dependencies must be set up again.
    pub lockfiles: Vec<String>,
    /// Prepares a fresh checkout; needs the network.
    pub setup_command: Option<String>,
    /// What pip is to install for the tests, where the project has no manager that does.
    pub pip_arguments: Option<String>,
    /// What a person should know, such as projects in sub-folders.
    pub notes: Vec<String>,
}

/// A command that could be a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetectedCheck {
    pub name: String,
    pub command: String,
    pub kind: CheckKind,
    /// What it was concluded from.
    pub why: String,
    /// What does the same where its runner is not installed.
    pub otherwise: Option<String>,
    /// Where it runs, below the project; empty at its top.
    pub folder: String,
}

/// What a check looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum CheckKind {
    Test,
    Lint,
    Types,
    Format,
}

/// A language, or a build tool that stands for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum ProjectLanguage {
    Rust,
    Node,
    Deno,
    Python,
    Go,
    Java,
    #[strum(serialize = "dotnet")]
    DotNet,
    Elixir,
    Swift,
    Ruby,
    Php,
    Perl,
    #[strum(serialize = "cmake")]
    CMake,
    Make,
    Just,
}

/// Manifests of which one in a sub-folder is a project of its own, and those that are one only where it has tests.
const MANIFESTS: [&str; 9] = [
    "Cargo.toml", "package.json", "pyproject.toml", "go.mod", "pom.xml", "build.gradle", "mix.exs",
    "Package.swift", "composer.json",
];

const WEAK_MANIFESTS: [&str; 6] =
    ["requirements.txt", "setup.py", "setup.cfg", "manage.py", "Gemfile", "CMakeLists.txt"];

/// Folders whose content is not the project's own.
pub const FOREIGN_FOLDERS: [&str; 7] = ["node_modules", "vendor", "target", ".venv", "venv", "dist", ".git"];

/// Python's runner where a project says nothing of how it is run: a module, which may not be installed.
pub const PYTEST: &str = "python3 -m pytest";

/// Projects in sub-folders that are named one by one.
const NESTED_NAMED_MAX: usize = 5;

/// Looks at a listing of the project's files (relative, with `/`) and at small ones through `read`.
///
/// Where there is a manifest at the top, those below are mentioned: what it names reaches them, or nobody knows. Where there
/// is none, each folder that has one is a project. A file that cannot be read or parsed counts as one that says nothing.
pub fn detect(paths: &[String], read: &dyn Fn(&str) -> Option<String>) -> Detected {
    let (foreign, own): (BTreeSet<&str>, BTreeSet<&str>) =
        paths.iter().map(String::as_str).partition(|path| is_foreign(path));
    let mut project = ProjectFiles { paths: own, foreign, read };
    let has_manifest = MANIFESTS.iter().chain(&WEAK_MANIFESTS).any(|name| project.has(name));
    let folders = if has_manifest { Vec::new() } else { below::folders(&project) };
    project.paths.retain(|path| !folders.iter().any(|folder| below::is_in(path, folder)));
    let at_top = detect_at_top(&project);
    if folders.is_empty() || at_top.checks.iter().any(|check| check.kind == CheckKind::Test) {
        return at_top;
    }
    below::joined(at_top, &folders, paths, read)
}

fn detect_at_top(project: &ProjectFiles<'_>) -> Detected {
    let mut found = Detected::default();
    for look in
        [others::by_table, node::node, python::python, others::ruby, others::php, others::cmake, others::perl]
    {
        look(project, &mut found);
    }
    if !found.checks.iter().any(|check| check.kind == CheckKind::Test) {
        others::make_and_just(project, &mut found);
    }
    found.shorten_names();
    found.notes = nested(project);
    for check in proposed::proposed(project, &found) {
        let name = free_name(check.kind.name(), &[&found.checks, &found.proposed]);
        found.proposed.push(DetectedCheck { name, ..check });
    }
    found
}

/// The name, with a number where another check is called so.
fn free_name(name: &str, others: &[&[DetectedCheck]]) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let is_free = |name: &String| others.iter().copied().flatten().all(|other| other.name != *name);
    std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

impl DetectedCheck {
    /// At the project's top, and called by its kind.
    fn new(kind: CheckKind, command: impl Into<String>, why: impl Into<String>) -> Self {
        let (name, command, why) = (kind.name().to_owned(), command.into(), why.into());
        Self { name, command, kind, why, otherwise: None, folder: String::new() }
    }
}

impl CheckKind {
    /// The name of a check of this kind.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl ProjectLanguage {
    /// As part of a check's name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for ProjectLanguage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Rust => "Rust",
            Self::Node => "JavaScript (Node)",
            Self::Deno => "JavaScript (Deno)",
            Self::Python => "Python",
            Self::Go => "Go",
            Self::Java => "Java",
            Self::DotNet => ".NET",
            Self::Elixir => "Elixir",
            Self::Swift => "Swift",
            Self::Ruby => "Ruby",
            Self::Php => "PHP",
            Self::Perl => "Perl",
            Self::CMake => "C or C++ (CMake)",
            Self::Make => "make",
            Self::Just => "just",
        })
    }
}

/// The files of a project.
struct ProjectFiles<'p> {
    paths: BTreeSet<&'p str>,
    /// Below the folders that package managers and builds fill.
    foreign: BTreeSet<&'p str>,
    read: &'p dyn Fn(&str) -> Option<String>,
}

impl ProjectFiles<'_> {
    fn has(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    /// The first of these files that is there.
    fn first<'n>(&self, names: &[&'n str]) -> Option<&'n str> {
        names.iter().copied().find(|name| self.has(name))
    }

    fn text(&self, path: &str) -> Option<String> {
        self.has(path).then(|| (self.read)(path)).flatten()
    }

    /// The first file whose own name passes.
    fn first_named(&self, passes: impl Fn(&str) -> bool) -> Option<&str> {
        self.paths.iter().copied().find(|path| passes(path.rsplit('/').next().unwrap_or(path)))
    }
}

impl Detected {
    /// Where each sub-folder is tested by itself, those that are not.
    pub fn left_out(&self) -> &[String] {
        if self.checks.iter().all(|check| check.folder.is_empty()) { &[] } else { &self.notes }
    }

    /// A check of the language that was found last.
    fn check(&mut self, kind: CheckKind, command: impl Into<String>, why: impl Into<String>) {
        if let Some(language) = self.languages.last() {
            let name = format!("{}-{}", kind.name(), language.name());
            self.checks.push(DetectedCheck { name, ..DetectedCheck::new(kind, command, why) });
        }
    }

    fn lockfile(&mut self, project: &ProjectFiles<'_>, path: &str) -> bool {
        let there = project.has(path);
        self.lockfiles.extend(there.then(|| path.to_owned()));
        there
    }

    /// One thing more that prepares a fresh checkout.
    fn setup(&mut self, command: &str) {
        let before = self.setup_command.take().map(|before| format!("{before} && "));
        self.setup_command = Some(before.unwrap_or_default() + command);
    }

    /// Where only one language has a check of a kind, that is its whole name.
    fn shorten_names(&mut self) {
        let kinds: Vec<_> = self.checks.iter().map(|check| check.kind).collect();
        let is_alone = |kind: CheckKind| kinds.iter().filter(|other| **other == kind).count() == 1;
        for check in self.checks.iter_mut().filter(|check| is_alone(check.kind)) {
            check.kind.name().clone_into(&mut check.name);
        }
    }
}

fn is_foreign(path: &str) -> bool {
    path.split('/').any(|part| FOREIGN_FOLDERS.contains(&part))
}

/// Names the projects in sub-folders that the commands at the top may not reach.
fn nested(project: &ProjectFiles<'_>) -> Vec<String> {
    let below = project.paths.iter().filter_map(|path| path.rsplit_once('/'));
    let nested: Vec<_> = below.filter(|(_, name)| MANIFESTS.contains(name) && !project.has(name)).collect();
    let mut notes: Vec<_> =
        nested.iter().take(NESTED_NAMED_MAX).map(|(folder, name)| mention(folder, name)).collect();
    notes.extend(more(nested.len()));
    notes
}

/// How many of them nobody names.
fn more(projects: usize) -> Option<String> {
    let more = projects.checked_sub(NESTED_NAMED_MAX).filter(|more| *more > 0)?;
    Some(format!("{more} more projects in sub-folders; add a `[[check]]` with `cwd` for each"))
}

fn mention(folder: &str, name: &str) -> String {
    format!("`{folder}/{name}` is a project of its own; add a `[[check]]` with `cwd = \"{folder}\"`")
}

#[cfg(test)]
mod tests;
