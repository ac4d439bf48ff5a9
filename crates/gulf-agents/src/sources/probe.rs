//! Does a new test fail without the change? The verdict on the candidate's tests run on the base's code.
//!
//! It is the one place where a failure is good news, and so the one place where a failure must be attributed: to a
//! test that is new, and to nothing else (SPEC B3).

use super::compile_errors::{CompileErrors, Location, NO_GO_PRODUCT, compile_errors};
use super::support::parent_of;
use super::{Edit, Graft, Grafted, Language, NewTest, fixed_parts};
use crate::reports::{Completeness, TestId, TestOutcome, TestReport};

/// What the run on the base's code shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeVerdict {
    /// A new test failed there and passes on the candidate: it can tell the work from no work.
    Red {
        /// By which tests, or by which places within new test text.
        by: Vec<Proof>,
    },
    /// Every new test passes there too: none of them tells anything.
    Passes {
        /// The tests.
        tests: Vec<TestId>,
    },
    /// Nothing can be said.
    Inconclusive {
        /// For this reason.
        why: Unclear,
    },
}

/// What makes a probe red.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// This test failed.
    Test(TestId),
    /// This place, within new test text, does not compile or load.
    Place(Location),
}

/// Why a probe says nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// The candidate has no new test.
    NoNewTest,
    /// No result of a new test could be read.
    NotSeen,
    /// What fails there does not pass on the candidate either, or it cannot be read that it does.
    NotPassedOnCandidate,
    /// A place outside new test text does not compile or load.
    ErrorElsewhere {
        /// There.
        at: Location,
    },
    /// Something does not compile or load, and no place is named.
    ErrorWithoutPlace {
        /// In the tool's words.
        said: String,
    },
}

/// A run of the checks on the base's code with the candidate's tests, and the two that it is compared with.
///
/// They must not share build output: cargo takes two checkouts of one package for the same and would test the code of
/// the other one.
#[derive(Debug)]
pub struct ProbeRun<'run> {
    /// The checks' working directory from the root of the checkout, empty for the root itself.
    pub directory: &'run str,
    /// What they wrote, without the checkout's own path (`take_root_out`).
    pub output: &'run [u8],
    /// Their report.
    pub report: &'run TestReport,
    /// What they said of the candidate.
    pub candidate: &'run TestReport,
    /// What they said of the base, with its own tests.
    pub base: Option<&'run TestReport>,
}

impl ProbeRun<'_> {
    /// Did this result come with the candidate's tests? Its source is a new test, or nobody had heard its name before.
    fn is_new(&self, graft: &Graft, id: &TestId) -> bool {
        let is_unheard =
            |base: &TestReport| base.complete == Completeness::Every && !base.tests.contains_key(id);
        // Why a file could not be loaded is said elsewhere.
        (graft.has_result(id) && not_loaded(id.as_str()).is_none()) || self.base.is_some_and(is_unheard)
    }

    /// Did the new text of its file make it fail, whatever it is called? Yes where all was green with the base's own tests,
    /// and nothing but tests is different.
    fn is_by_new_text(&self, graft: &Graft, id: &TestId) -> bool {
        let was_green = |base: &TestReport| {
            base.complete != Completeness::None && base.counts.passed > 0 && base.counts.failed == 0
        };
        let is_here = |path: &str| {
            let file = id.as_str().split(" > ").next().unwrap_or_default();
            // Names of Ruby's tests, and of those in a language that is not read, say nothing of files.
            matches!(Language::from_path(path), None | Some(Language::Ruby))
                || (!file.is_empty() && (ends_with(path, file, "/") || ends_with(file, path, "/")))
        };
        let mut changed = graft.grafted.iter().filter(|file| !file.new_lines.is_empty());
        let is_by_any = graft.has_new_data || changed.any(|file| is_here(&file.path));
        !graft.has_settings && self.base.is_some_and(was_green) && is_by_any
    }

    fn passes_on_candidate(&self, id: &TestId) -> bool {
        self.candidate.tests.get(id) == Some(&TestOutcome::Passed)
            || (!self.candidate.tests.contains_key(id) && self.is_candidate_green())
            || (Language::from_path(id.as_str()).is_none() && self.passes_as_a_whole(id))
    }

    /// A file that does not load there stands for all tests that it has where it does.
    fn passes_as_a_whole(&self, file: &TestId) -> bool {
        let within = format!("{} > ", file.as_str());
        let mut own =
            self.candidate.tests.iter().filter(|(id, _)| id.as_str().starts_with(&within)).peekable();
        own.peek().is_some() && own.all(|(_, outcome)| *outcome == TestOutcome::Passed)
    }

    /// A runner that names failures only, and has none: then what ran has passed; and no more was skipped than there,
    /// where the new test ran.
    fn is_candidate_green(&self) -> bool {
        let counts = self.candidate.counts;
        self.candidate.complete == Completeness::FailuresOnly
            && counts.passed > 0
            && counts.failed == 0
            && counts.skipped <= self.report.counts.skipped
    }
}

/// Judges a run of the checks on the base's code with the candidate's tests.
pub fn judge_probe(graft: &Graft, run: &ProbeRun<'_>) -> ProbeVerdict {
    if !graft.has_new_text() {
        return ProbeVerdict::Inconclusive { why: Unclear::NoNewTest };
    }
    let is_new = |id: &TestId| run.is_new(graft, id);
    let counts = |id: &&TestId| is_new(id) || run.is_by_new_text(graft, id);
    let failed: Vec<&TestId> = run.report.failed().filter(counts).collect();
    let passing = failed.iter().filter(|id| run.passes_on_candidate(id));
    let proven: Vec<Proof> = passing.map(|id| Proof::Test((*id).clone())).collect();
    if !proven.is_empty() {
        return ProbeVerdict::Red { by: proven };
    }
    let errors = compile_errors(run.output);
    if !errors.is_empty() {
        return judge_errors(graft, run, errors);
    }
    if !failed.is_empty() {
        return ProbeVerdict::Inconclusive { why: Unclear::NotPassedOnCandidate };
    }
    let passed =
        run.report.tests.iter().filter(|(id, outcome)| **outcome == TestOutcome::Passed && is_new(id));
    let tests: Vec<TestId> = passed.map(|(id, _)| id.clone()).collect();
    let is_seen = |test: &NewTest| tests.iter().any(|id| test.has_result(id));
    if !tests.is_empty() && graft.new_tests.iter().all(is_seen) {
        ProbeVerdict::Passes { tests }
    } else {
        ProbeVerdict::Inconclusive { why: Unclear::NotSeen }
    }
}

fn judge_errors(graft: &Graft, run: &ProbeRun<'_>, errors: CompileErrors) -> ProbeVerdict {
    let mut places = errors.located;
    for said in errors.unlocated {
        match importer(graft, &said) {
            Some(place) => places.push(place),
            None => return ProbeVerdict::Inconclusive { why: Unclear::ErrorWithoutPlace { said } },
        }
    }
    let is_in_fixtures = |place: &Location| is_in_fixtures(graft, run.directory, place);
    let is_elsewhere =
        |place: &&Location| !is_in_new_text(graft, run.directory, place) && !is_in_fixtures(place);
    if let Some(at) = places.iter().find(is_elsewhere) {
        return ProbeVerdict::Inconclusive { why: Unclear::ErrorElsewhere { at: at.clone() } };
    }
    let passed = run.candidate.tests.iter().filter(|(_, outcome)| **outcome == TestOutcome::Passed);
    let passed: Vec<&TestId> = passed.map(|(id, _)| id).filter(|id| run.is_new(graft, id)).collect();
    let some_new_test_passes = !passed.is_empty();
    if some_new_test_passes && places.iter().any(is_in_fixtures) {
        return ProbeVerdict::Red { by: passed.into_iter().map(|id| Proof::Test(id.clone())).collect() };
    }
    // One name may stand for all tests of a program in a language that is not read.
    let is_unread = places.iter().all(|place| Language::from_path(&place.path).is_none());
    let all_pass = run.candidate.counts.passed > 0 && run.candidate.counts.failed == 0;
    if some_new_test_passes || run.is_candidate_green() || (is_unread && all_pass) {
        ProbeVerdict::Red { by: places.into_iter().map(Proof::Place).collect() }
    } else {
        ProbeVerdict::Inconclusive { why: Unclear::NotPassedOnCandidate }
    }
}

/// Who imports what a module does not have, or a package of Go that is not there, where the loader names no place but
/// the names: a new test, whose text has them. The base's own sources load without the new tests.
fn importer(graft: &Graft, said: &str) -> Option<Location> {
    let mut names = said.split('\'').skip(1).step_by(2);
    let package = said.split_once(NO_GO_PRODUCT).and_then(|(head, _)| head.rsplit(' ').next());
    let (module, name) = match package {
        Some(package) => (package, format!("\"{package}\"")),
        None => (names.next()?, names.next()?.to_owned()),
    };
    let names = |file: &&Grafted| [module, &name].iter().all(|part| file.new_text.contains(part));
    let file = graft.grafted.iter().find(names).filter(|_| !module.is_empty() && !name.is_empty())?;
    Some(Location { path: file.path.clone(), line: None, missing: Some(module.to_owned()) })
}

/// Is this in fixtures of pytest's that came or changed with the tests? Without them none of its tests runs.
fn is_in_fixtures(graft: &Graft, directory: &str, location: &Location) -> bool {
    let is_conftest = location.path.rsplit('/').next() == Some("conftest.py");
    let is_here = |edit: &Edit| edit.bytes.is_some() && is_at(&edit.path, directory, location);
    is_conftest && graft.edits.iter().any(is_here)
}

/// Is this location in the file at a path, as seen from the root or from the check's directory?
fn is_at(path: &str, directory: &str, location: &Location) -> bool {
    let from_root = location.path.trim_start_matches("./");
    path == from_root || path == format!("{}/{from_root}", directory.trim_end_matches('/'))
}

fn is_in_new_text(graft: &Graft, directory: &str, location: &Location) -> bool {
    let file = graft.grafted.iter().find(|file| is_at(&file.path, directory, location));
    let Some(file) = file else { return false };
    match (location.line, &location.missing) {
        (Some(line), _) => file.new_lines.iter().any(|lines| lines.contains(line)),
        (None, Some(missing)) => {
            let name = missing.rsplit('/').next().unwrap_or(missing);
            !name.is_empty() && file.new_text.contains(name)
        }
        (None, None) => false,
    }
}

impl NewTest {
    /// As a runner calls it that names no test which passes.
    pub fn id(&self) -> Option<TestId> {
        match Language::from_path(&self.path)? {
            Language::Script => Some(TestId::new(format!("{} > {}", self.path, self.name))),
            Language::Python => Some(TestId::new(format!("{}::{}", self.path, self.name))),
            Language::Ruby => Some(TestId::new(self.name.as_str())),
            Language::Rust | Language::Go | Language::Java => None,
        }
    }

    /// Is this its result, or that of one that a class inherits from it?
    pub fn has_result(&self, id: &TestId) -> bool {
        self.inherited.iter().chain([&self.name]).any(|name| is_named(id.as_str(), &self.path, name))
    }
}

/// Runners name a file in their own ways, so ends are compared.
fn is_named(id: &str, path: &str, test: &str) -> bool {
    match Language::from_path(path) {
        Some(Language::Rust) => {
            let modules = rust_modules(path);
            let name = if modules.is_empty() { test.to_owned() } else { format!("{modules}::{test}") };
            // `#[rstest]` makes a module of a test, with one for each of its cases.
            let id = id.replace(" > ", "::");
            let above = id.match_indices("::").filter_map(|(end, _)| id.get(..end));
            // With `--quiet` nothing says in which of the files of `tests/` it stands.
            let is_program = path.starts_with("tests/") || path.contains("/tests/");
            above.chain([id.as_str()]).any(|above| ends_with(above, &name, "::"))
                || (is_program && id == test)
        }
        Some(Language::Python) => {
            is_unittest_result(id, path, test).unwrap_or_else(|| is_pytest_result(id, path, test))
        }
        Some(Language::Script) => is_script_result(id, path, test),
        Some(Language::Go) => {
            let Some((package, name)) = id.split_once("::") else { return false };
            let folder = parent_of(path);
            let is_package = folder.is_empty() || ends_with(package, folder, "/");
            is_package && name.strip_prefix(test).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }
        Some(Language::Java) => is_java_result(id, path, test),
        Some(Language::Ruby) => {
            let name = squeezed(&test.replace(" > ", " "));
            squeezed(id) == name || minitest_spec(id).is_some_and(|id| id == name.replace("::", ""))
        }
        None => false,
    }
}

/// RSpec joins the names of groups with a blank or without one.
fn squeezed(name: &str) -> String {
    name.split_whitespace().collect()
}

/// Minitest numbers the examples of a group: `Calc::add#test_0001_adds`
fn minitest_spec(id: &str) -> Option<String> {
    let (groups, name) = id.split_once("#test_")?;
    let (number, name) = name.split_once('_')?;
    let is_number = number.len() == 4 && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| squeezed(&format!("{}{name}", groups.replace("::", ""))))
}

/// `calc.CalcTest > adds`, `calc.CalcTest$Inner > adds(int)[1]`, with `::` where the suite has another name than the class.
fn is_java_result(id: &str, path: &str, test: &str) -> bool {
    let Some((class, name)) = id.rsplit_once("::").or_else(|| id.rsplit_once(" > ")) else { return false };
    let class = class.rsplit(" > ").next().unwrap_or(class);
    let (package, class) = class.rsplit_once('.').unwrap_or(("", class));
    let name = name.split(['(', '[', '{']).next().unwrap_or(name).trim();
    let folder = parent_of(path).replace('/', ".");
    (package.is_empty() || ends_with(&folder, package, "."))
        && format!("{}::{name}", class.replace('$', "::")) == test
}

fn ends_with(text: &str, end: &str, separator: &str) -> bool {
    text == end || text.strip_suffix(end).is_some_and(|rest| rest.ends_with(separator))
}

/// `a.test.js > math > adds`, or what is below it: subtests, and the assertions that tap names.
fn is_script_result(id: &str, path: &str, test: &str) -> bool {
    // AVA and Jest draw another arrow, and a title may hold one.
    let name = test.replace(" › ", " > ");
    let mut above = id.match_indices(" > ").filter_map(|(end, _)| id.get(..end));
    if ends_with(id, &name, " > ") || above.any(|id| ends_with(id, &name, " > ")) {
        return true;
    }
    let is_file = |file: &str| ends_with(path, file, "/") || ends_with(file, path, "/");
    // Where a file could not be loaded, none of its tests ran.
    if let Some(file) = not_loaded(id) {
        return is_file(file);
    }
    // Of a test with rows all that is known is what stands around their values, and the file where the runner says it.
    let (file, fixed) = (id.split(" > ").next().unwrap_or_default(), fixed_parts(&name));
    let is_here = Language::from_path(file).is_none() || is_file(file);
    let mut rest = id;
    let is_found = |fixed: &&str| {
        let found = rest.find(*fixed).map(|at| &rest[at + fixed.len()..]);
        rest = found.unwrap_or(rest);
        found.is_some()
    };
    is_here && fixed.len() > 1 && fixed.iter().all(is_found)
}

/// The file in Jest's and Vitest's names of one that could not be loaded.
fn not_loaded(id: &str) -> Option<&str> {
    let of_jest = id.strip_suffix(" > Test suite failed to run");
    of_jest.or_else(|| Some(id.split_once(" [ ")?.0)).filter(|file| !file.contains(" > "))
}

/// The modules that a file of Rust stands for: `src/a/b.rs` is `a::b`, `tests/it.rs` the binary `it`.
fn rust_modules(path: &str) -> String {
    let inner = ["src/bin/", "src/", "tests/"].iter().find_map(|folder| {
        path.strip_prefix(folder).or_else(|| Some(path.rsplit_once(&format!("/{folder}"))?.1))
    });
    let mut parts: Vec<&str> = inner.unwrap_or(path).trim_end_matches(".rs").split('/').collect();
    if parts.last().is_some_and(|last| ["mod", "lib", "main"].contains(last)) {
        parts.pop();
    }
    parts.join("::")
}

/// `tests/test_a.py::TestB::test_c[1]`, or in JUnit `tests.test_a.TestB::test_c[1]`.
fn is_pytest_result(id: &str, path: &str, test: &str) -> bool {
    let id = id.split('[').next().unwrap_or(id);
    let in_output = format!("{path}::{test}");
    if ends_with(id, &in_output, "/") || ends_with(&in_output, id, "/") {
        return true;
    }
    let module = path.trim_end_matches(".py").replace('/', ".");
    let in_file = match test.rsplit_once("::") {
        Some((class, name)) => format!("{module}.{}::{name}", class.replace("::", ".")),
        None => format!("{module}::{test}"),
    };
    ends_with(id, &in_file, ".") || ends_with(&in_file, id, ".")
}

/// `test_c (tests.test_a.TestB.test_c)`, without the last name before Python 3.11, with the subtest behind it; `None` where
/// it has another form. A file that is run itself calls its module `__main__`.
fn is_unittest_result(id: &str, path: &str, test: &str) -> Option<bool> {
    let (name, rest) = id.split_once(" (")?;
    let (dotted, _) = rest.split_once(')')?;
    let (class, own) = test.rsplit_once("::")?;
    let class = class.replace("::", ".");
    let found = dotted.strip_suffix(own).and_then(|path| path.strip_suffix('.')).unwrap_or(dotted);
    if name != own {
        return Some(false);
    }
    let module = path.trim_end_matches(".py").replace('/', ".");
    let wanted = format!("{module}.{class}");
    let is_in_module = |class: &str| found.strip_suffix(class).is_some_and(|module| module.ends_with('.'));
    Some(
        found.strip_prefix("__main__.") == Some(class.as_str())
            || (is_in_module(&class) && (ends_with(found, &wanted, ".") || ends_with(&wanted, found, "."))),
    )
}
