//! Python with pytest, ruff and mypy.
//!
//! Apart because what is configured may stand in any of five files.

use toml::Table;

use super::{CheckKind, Detected, PYTEST, ProjectFiles, ProjectLanguage};

const MANIFESTS: [&str; 6] =
    ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "tox.ini", "pytest.ini"];
const REQUIREMENTS: [&str; 4] =
    ["requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "setup.py"];

/// Names of what tests need, among extras and dependency groups.
const TEST_GROUPS: [&str; 4] = ["test", "tests", "testing", "dev"];

/// Where a project keeps its virtual environment.
const ENVIRONMENTS: [&str; 4] = [".venv", "venv", "../.venv", "../venv"];

pub(super) fn python(project: &ProjectFiles<'_>, found: &mut Detected) {
    let test_file = project.first_named(is_test_file).or_else(|| unittests(project));
    let alone = test_file.is_some() && found.languages.is_empty();
    if project.first(&MANIFESTS).is_none() && !alone && !is_django(project) {
        return;
    }
    found.languages.push(ProjectLanguage::Python);
    let settings = PythonSettings::read(project);
    let (prefix, setup) = runner(project, found);
    // By the manager, in an environment that has the program, and anywhere else.
    let run = |program: &str, [managed, within, plain]: [&str; 3]| match (
        prefix,
        environment_with(project, program),
    ) {
        (Some(prefix), _) => format!("{prefix} {managed}"),
        (None, Some(environment)) => format!("{environment}/bin/{within}"),
        (None, None) => plain.to_owned(),
    };
    let tool = |command: &str| run(command, [command; 3]);
    let pytest = run("pytest", ["pytest", "python -m pytest", PYTEST]);
    let pytest_by = settings.pytest(project);
    if pytest_by.is_none() && is_django(project) {
        let python = run("django-admin", ["python", "python", "python3"]);
        let command = format!("{python} manage.py test");
        found.check(CheckKind::Test, command, "manage.py is Django's");
    } else if let Some(why) = pytest_by.or_else(|| test_file.map(|file| format!("`{file}` is a test file"))) {
        let unittest = test_file.and_then(|file| unittest(project, file));
        // pytest looks into no file of these names.
        let is_unseen = test_file.is_some() && project.first_named(is_test_file).is_none();
        let installed =
            environment_with(project, "pytest").map(|folder| format!("{folder}/bin/python -m pytest"));
        let (command, otherwise) = match unittest {
            Some(unittest) if is_unseen => (unittest, None),
            // Where the manager is not there, what it installed may be.
            otherwise => (pytest, installed.filter(|_| prefix.is_some()).or(otherwise)),
        };
        found.check(CheckKind::Test, command, why);
        if let Some(check) = found.checks.last_mut() {
            check.otherwise = otherwise;
        }
        found.pip_arguments = prefix.is_none().then(|| settings.pip_arguments(project));
    }
    if let Some(why) = settings.configured(project, "ruff", &["ruff.toml", ".ruff.toml"]) {
        found.check(CheckKind::Lint, tool("ruff check ."), why);
    }
    if let Some(why) = settings.configured(project, "mypy", &["mypy.ini", ".mypy.ini"]) {
        found.check(CheckKind::Types, tool("mypy ."), why);
    }
    if let Some(command) = setup {
        found.setup(command);
    }
}

/// Python's own runner, where the tests are its own: it needs no other one.
fn unittest(project: &ProjectFiles<'_>, test_file: &str) -> Option<String> {
    let text = project.text(test_file)?;
    if !text.contains("unittest") || text.contains("import pytest") {
        return None;
    }
    let (folder, name) = test_file.rsplit_once('/').unwrap_or((".", test_file));
    let pattern = if name.starts_with("test") { "" } else { " -p '*_test.py'" };
    let is_plain = folder.chars().all(|each| each.is_alphanumeric() || "/._-".contains(each));
    is_plain.then(|| match folder {
        "." => format!("python3 -m unittest discover -v{pattern}"),
        folder => format!("python3 -m unittest discover -v -s {folder}{pattern}"),
    })
}

/// How programs of the project's environment are run, and what sets that up.
fn runner(project: &ProjectFiles<'_>, found: &mut Detected) -> (Option<&'static str>, Option<&'static str>) {
    if found.lockfile(project, "uv.lock") {
        return (Some("uv run"), Some("uv sync --frozen"));
    }
    if found.lockfile(project, "poetry.lock") {
        return (Some("poetry run"), Some("poetry install"));
    }
    for path in ["Pipfile.lock", "pdm.lock", "requirements.txt"] {
        found.lockfile(project, path);
    }
    (None, None)
}

/// The project's own virtual environment that has the program of a command: it works without being activated.
fn environment_with(project: &ProjectFiles<'_>, command: &str) -> Option<&'static str> {
    let program = command.split(' ').next().unwrap_or(command);
    let has = |folder: &&str| project.foreign.contains(format!("{folder}/bin/{program}").as_str());
    ENVIRONMENTS.into_iter().find(has)
}

/// What the project's files say about tools.
struct PythonSettings {
    pyproject_text: String,
    pyproject: Table,
    setup_cfg: String,
}

impl PythonSettings {
    fn read(project: &ProjectFiles<'_>) -> Self {
        let pyproject_text = project.text("pyproject.toml").unwrap_or_default();
        let pyproject = pyproject_text.parse().unwrap_or_default();
        Self { pyproject_text, pyproject, setup_cfg: project.text("setup.cfg").unwrap_or_default() }
    }

    fn pytest(&self, project: &ProjectFiles<'_>) -> Option<String> {
        if let Some(why) = self.configured(project, "pytest", &["pytest.ini", "conftest.py"]) {
            return Some(why);
        }
        if self.pyproject_text.contains("\"pytest") {
            return Some("pyproject.toml depends on pytest".to_owned());
        }
        let names = |path: &&str| project.text(path).is_some_and(|text| text.contains("pytest"));
        REQUIREMENTS.into_iter().find(names).map(|path| format!("{path} names pytest"))
    }

    /// The project itself with what it names for its tests, and their runner.
    fn pip_arguments(&self, project: &ProjectFiles<'_>) -> String {
        let table = |path: [&str; 2]| self.pyproject.get(path[0])?.get(path[1])?.as_table();
        let first = |groups: &Table| TEST_GROUPS.into_iter().find(|group| groups.contains_key(*group));
        let extra = table(["project", "optional-dependencies"]).and_then(first);
        let is_package = ["project", "build-system"].iter().any(|part| self.pyproject.contains_key(*part));
        let mut arguments = Vec::new();
        match extra {
            Some(extra) => arguments.push(format!("-e '.[{extra}]'")),
            None if is_package || project.has("setup.py") => arguments.push("-e .".to_owned()),
            None => {}
        }
        let is_listed = |path: &&&str| {
            let is_of_tests = path.contains("test") || path.contains("dev") || arguments.is_empty();
            is_of_tests && !path.contains('/') && path.contains("requirements") && path.ends_with(".txt")
        };
        let lists: Vec<String> =
            project.paths.iter().filter(is_listed).map(|path| format!("-r {path}")).collect();
        arguments.extend(lists);
        let groups = self.pyproject.get("dependency-groups").and_then(toml::Value::as_table);
        let group = groups.and_then(|groups| groups.get(first(groups)?)?.as_array());
        let named = group.into_iter().flatten().filter_map(toml::Value::as_str);
        arguments.extend(named.filter(|one| !one.contains('\'')).map(|one| format!("'{one}'")));
        arguments.push("pytest".to_owned());
        arguments.join(" ")
    }

    /// Where a tool is configured: a file of its own, `[tool.NAME]`, or a section of setup.cfg.
    fn configured(&self, project: &ProjectFiles<'_>, tool: &str, files: &[&str]) -> Option<String> {
        if let Some(file) = project.first(files) {
            return Some(format!("{file} is there"));
        }
        if self.pyproject.get("tool").and_then(|tools| tools.get(tool)).is_some() {
            return Some(format!("pyproject.toml has [tool.{tool}]"));
        }
        let sections = [format!("[{tool}]"), format!("[tool:{tool}]")];
        let in_setup =
            self.setup_cfg.lines().any(|line| sections.iter().any(|section| line.trim() == section));
        in_setup.then(|| format!("setup.cfg configures {tool}"))
    }
}

fn is_django(project: &ProjectFiles<'_>) -> bool {
    project.text("manage.py").is_some_and(|text| text.contains("django"))
}

/// A file of tests by a name that many scripts have, too.
fn unittests<'a>(project: &'a ProjectFiles<'_>) -> Option<&'a str> {
    let file = project.first_named(|name| ["test.py", "tests.py"].contains(&name))?;
    project.text(file).is_some_and(|text| text.contains("unittest")).then_some(file)
}

fn is_test_file(name: &str) -> bool {
    name.strip_suffix(".py").is_some_and(|stem| stem.starts_with("test_") || stem.ends_with("_test"))
}
