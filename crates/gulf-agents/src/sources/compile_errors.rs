//! Where compilers and loaders say that a source cannot be built or loaded.
//!
//! A missing function shows in Rust and Go as an error of the compiler, in Python and JavaScript as an error while
//! the module of tests is loaded. An error without a place is kept as such: it may be anyone's.

use regex::Regex;

use crate::patterns::{form, parts};
use crate::reports::{go_build_output, lines};

/// Places kept from one output.
const LOCATIONS_MAX: usize = 1000;

/// What Go says of a package that has tests alone, when a test imports it: `go build example.org/slug: no non-test …`,
/// or `imports example.org/slug: no non-test …`.
pub(super) const NO_GO_PRODUCT: &str = ": no non-test Go files in ";

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// As the tool names it, `/` between folders.
    pub path: String,
    /// From 1; none where the tool names the file only.
    pub line: Option<usize>,
    /// The module that could not be found, where the tool names no line.
    pub missing: Option<String>,
}

/// What could not be built or loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompileErrors {
    /// Errors with a place.
    pub located: Vec<Location>,
    /// Errors without one, in the tool's words.
    pub unlocated: Vec<String>,
}

impl CompileErrors {
    /// Nothing failed to build or load.
    pub fn is_empty(&self) -> bool {
        self.located.is_empty() && self.unlocated.is_empty()
    }
}

/// Every compile or load error in an output of rustc, pytest, unittest, node, tsc, go, javac, gcc, clang, swiftc or RSpec.
///
/// Take the checkout's own path out of the output first (`take_root_out`).
pub fn compile_errors(output: &[u8]) -> CompileErrors {
    let mut reader = Reader::default();
    for line in lines(output) {
        match go_build_output(&line) {
            Some(text) => text.lines().for_each(|line| reader.read(line)),
            None => reader.read(&line),
        }
    }
    reader.finish()
}

#[derive(Debug, Default)]
struct Reader {
    found: CompileErrors,
    /// An error of rustc whose place has not come yet.
    rustc: Option<String>,
    /// Such errors without a place. Many a program says `error: ` of something else, so they count where a build has
    /// failed.
    rustc_unlocated: Vec<String>,
    is_build: bool,
    python: Option<Python>,
    /// A place that node prints before it says what is wrong there.
    node: Option<Location>,
    /// RSpec could not load a file, and has not said where.
    rspec: bool,
    /// The product ended Jest, called from these places, the outermost last.
    exit: Option<Vec<Location>>,
}

/// A module that pytest or unittest could not load, or a program of tests that did not come to run them.
#[derive(Debug)]
struct Python {
    /// Its file, where it is named.
    module: Option<String>,
    /// What is said where no place is; a program says nothing of its own.
    said: Option<String>,
    /// The deepest place within the checkout.
    frame: Option<Location>,
}

impl Reader {
    fn read(&mut self, line: &str) {
        self.read_rustc(line);
        self.read_python(line);
        // AVA indents what node prints.
        let of_ava = line.strip_prefix("  ").filter(|text| text.starts_with("SyntaxError: "));
        self.read_node(line.strip_prefix("# ").or(of_ava).unwrap_or(line));
        self.read_rspec(line);
        self.read_exit(line.trim_start());
        if line.contains(NO_GO_PRODUCT) && self.found.unlocated.len() < LOCATIONS_MAX {
            self.found.unlocated.push(line.to_owned());
        }
        if let Some(location) = of_compilers(line) {
            self.push(location);
        }
    }

    fn finish(mut self) -> CompileErrors {
        self.end_rustc();
        self.end_python();
        self.end_exit();
        if self.is_build {
            self.found.unlocated.append(&mut self.rustc_unlocated);
        }
        self.found.located.sort();
        self.found.located.dedup();
        self.found
    }

    fn push(&mut self, location: Location) {
        if self.found.located.len() < LOCATIONS_MAX {
            self.found.located.push(location);
        } else {
            self.found.unlocated.truncate(LOCATIONS_MAX);
            self.found.unlocated.push("too many errors".to_owned());
        }
    }

    fn read_rustc(&mut self, line: &str) {
        if line.starts_with("error[") || line.starts_with("error: ") {
            self.end_rustc();
            let says = |words: &[&str]| words.iter().any(|words| line.contains(words));
            let ends_a_build = says(&["could not compile", "aborting due to"]);
            let ends_a_run = says(&["test failed", "doctest failed", "test run failed", "no tests to run"]);
            self.is_build |= ends_a_build;
            let is_summary = ends_a_build || ends_a_run || line.ends_with("targets failed:");
            self.rustc = (!is_summary).then(|| line.to_owned());
        } else if line.starts_with("warning") {
            self.end_rustc();
        } else if let Some(place) =
            self.rustc.as_ref().and_then(|_| location(form!(r"^[ \t]*--> (.*):([0-9]+):[^:]*$"), line))
        {
            self.rustc = None;
            self.push(place);
        }
    }

    fn end_rustc(&mut self) {
        if let Some(error) = self.rustc.take().filter(|_| self.rustc_unlocated.len() < LOCATIONS_MAX) {
            self.rustc_unlocated.push(error);
        }
    }

    fn read_python(&mut self, line: &str) {
        let title = line.trim_matches(['_', '=', ' ']);
        if let Some(module) = title.strip_prefix("ERROR collecting ").filter(|_| line.starts_with('_')) {
            self.end_python();
            self.python =
                Some(Python { module: Some(module.to_owned()), said: Some(title.to_owned()), frame: None });
        } else if line.starts_with("ImportError while loading conftest ") {
            self.end_python();
            let said = Some("a conftest cannot be loaded".to_owned());
            self.python = Some(Python { module: None, said, frame: None });
        } else if line.starts_with("ImportError: Failed to import test module: ") {
            // unittest says so of any error within the module, in place of its first words.
            self.end_python();
            self.python = Some(Python { module: None, said: Some(line.to_owned()), frame: None });
        } else if line == "Traceback (most recent call last):" && self.python.is_none() {
            self.python = Some(Python { module: None, said: None, frame: None });
        } else if ["==", "__", "----"].iter().any(|rule| line.starts_with(rule)) {
            self.end_python();
        } else if let Some(python) = &mut self.python
            && let Some(frame) = of_python(line)
            && is_inside(&frame.path)
        {
            if python.said.is_none() && python.frame.is_none() && !line.ends_with(", in <module>") {
                // Within a test, which ran.
                self.python = None;
            } else {
                python.frame = Some(frame);
            }
        } else if self.python.as_ref().is_some_and(|python| python.said.is_none()) && !line.starts_with(' ') {
            self.end_python();
        }
    }

    fn end_python(&mut self) {
        let Some(python) = self.python.take() else { return };
        match (python.frame, python.module) {
            (Some(frame), _) => self.push(frame),
            (None, Some(path)) => self.push(Location { path, line: None, missing: None }),
            (None, None) => self.found.unlocated.extend(python.said),
        }
    }

    /// `An error occurred while loading ./spec/a_spec.rb.`, and below it `# ./spec/a_spec.rb:1:in …`, the deepest first.
    fn read_rspec(&mut self, line: &str) {
        if line.starts_with("An error occurred while loading ") {
            self.rspec = true;
        } else if let Some(place) =
            self.rspec.then(|| location(form!(r"^# \./(.*?\.rb):([0-9]+)(?::|$)"), line)).flatten()
        {
            self.rspec = false;
            self.push(place);
        }
    }

    /// `●  process.exit called with "1"`, and below it where from: nothing else is said of the test.
    fn read_exit(&mut self, line: &str) {
        if line.starts_with("●  process.exit called with") {
            self.end_exit();
            self.exit = Some(Vec::new());
        } else if let (Some(frames), Some(frame)) = (&mut self.exit, line.strip_prefix("at "))
            && let Some((place, _)) = frame.rsplit(['(', ' ']).next().and_then(|place| place.rsplit_once(':'))
            && is_inside(place)
            && !place.contains("node_modules/")
            && let Some(location) = node_place(place)
        {
            frames.push(location);
        } else if self.exit.as_ref().is_some_and(|frames| !frames.is_empty()) {
            self.end_exit();
        }
    }

    fn end_exit(&mut self) {
        if let Some(location) = self.exit.take().and_then(|mut frames| frames.pop()) {
            self.push(location);
        }
    }

    fn read_node(&mut self, line: &str) {
        let of_mocha = line.trim_start().strip_prefix("Exception during run: ");
        let line = of_mocha.unwrap_or(line);
        if let Some([missing, path]) = unresolved(line) {
            self.push(Location { path: path.to_owned(), line: None, missing: Some(missing.to_owned()) });
        } else if let Some(error) =
            of_mocha.filter(|error| error.contains("does not provide an export named"))
        {
            // Mocha takes the place off.
            self.found.unlocated.push(error.to_owned());
        } else if let Some(place) = node_place(line) {
            self.node = Some(place);
        } else if line.contains("ERR_MODULE_NOT_FOUND]") || line.starts_with("Error: Cannot find module ") {
            self.node = None;
            let missing = line.split_once("Cannot find ").and_then(|(_, rest)| rest.split('\'').nth(1));
            let missing = missing.map(str::to_owned);
            match line.rsplit_once(" imported from ") {
                // Vitest quotes it.
                Some((_, path)) => {
                    let path = path.trim().trim_matches('\'').to_owned();
                    self.push(Location { path, line: None, missing });
                }
                // CommonJS names the importing file in the list below.
                None => self.node = Some(Location { path: String::new(), line: None, missing }),
            }
        } else if line.split([':', ' ']).next().is_some_and(|word| word.ends_with("Error")) {
            if let Some(place) = self.node.take() {
                self.push(place);
            }
        } else if let Some(path) = line.strip_prefix("- ")
            && let Some(Location { path: empty, missing, .. }) = &self.node
            && empty.is_empty()
        {
            let location = Location { path: path.trim().to_owned(), line: None, missing: missing.clone() };
            self.node = None;
            self.push(location);
        }
    }
}

/// Where compilers name a file and a line.
fn of_compilers(line: &str) -> Option<Location> {
    let forms = [
        // `./calc_test.go:12:9: undefined: Mul`
        form!(r"^(?:vet: )?((?:\./.*?|[^ ]*?)\.go):([0-9]+):[0-9]+:"),
        // javac's `src/…/BTest.java:5: error: …`, before which Gradle 4 leaves the line of its task open.
        form!(r"^(?::.*?compileTestJava)?([^ ]*?\.java):([0-9]+): error: "),
        // Maven's `[ERROR] src/test/java/a/BTest.java:[5,50] cannot find symbol`
        form!(r"^\[ERROR\] ([^ ]*?\.java):\[([0-9]+),"),
        // `test/mul.test.ts(3,5): error TS2305: …`
        form!(r"^[ \t]*(.+)\(([0-9]+)(?:,[^()]*)?\): error TS"),
        // `test/mul.test.ts:3:5 - error TS2305: …`, which ts-jest indents.
        form!(r"^[ \t]*(.+):([0-9]+):[^:]*(?::| -) error TS"),
        // `tests/stats.cpp:15:14: error: 'variance' was not declared in this scope`
        form!(r"^(.+?\.(?:c|cc|cpp|cxx|h|hh|hpp|swift)):([0-9]+):[0-9]+: (?:fatal )?error: "),
    ];
    forms.into_iter().find_map(|form| location(form, line))
}

/// `tests/test_a.py:1: in <module>`, `E     File "tests/test_a.py", line 3`, and unittest's the same without the letter.
fn of_python(line: &str) -> Option<Location> {
    let quoted = location(form!(r#"^(?:E|  )[ \t]*File "(.+?)", line ([0-9]+)"#), line);
    quoted.or_else(|| location(form!(r"^([^:]*\.py):([0-9]+): in "), line))
}

/// What is missing, and who asks for it: `Cannot find module './mul.js' from 'test/mul.test.js'`, as Jest says of a suite that
/// failed to run, and `Error: Failed to resolve import "./mul" from "test/mul.test.ts". Does the file exist?`
fn unresolved(line: &str) -> Option<[&str; 2]> {
    let by_jest = parts(form!(r"^    Cannot find module '(.+?)' from '(.+)'[ \t]*$"), line);
    by_jest.or_else(|| parts(form!(r#"Failed to resolve import "(.+?)" from "([^"]+)""#), line))
}

fn location(form: &Regex, line: &str) -> Option<Location> {
    let [path, number] = parts(form, line)?;
    let path = path.trim_start_matches("./").replace('\\', "/");
    Some(Location { path, line: Some(number.parse().ok()?), missing: None })
}

/// Places outside the checkout are absolute.
fn is_inside(path: &str) -> bool {
    let is_of_drive = matches!(path.get(1..3), Some(":/" | ":\\"));
    !path.starts_with(['/', '<', ' ']) && !path.starts_with("../") && !is_of_drive
}

/// `test/a.test.js:3` alone on its line, as node names the source of a syntax error.
fn node_place(line: &str) -> Option<Location> {
    let form = form!(r"^[ \t]*(?:file://)?(.+\.(?:[cm]?[jt]s|[jt]sx)):([0-9]+)$");
    location(form, line).filter(|place| !place.path.contains(": "))
}
