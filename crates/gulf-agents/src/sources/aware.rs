//! Products that look whether they are being tested, or change what tests compare by: what they do then says nothing of what
//! they do otherwise (SPEC B3).
//!
//! Only what is added counts: a line that moved, or a sign that the base has as often, was there before.

mod hours;
mod replaced;
mod taken_in;

use std::collections::{BTreeMap, BTreeSet};

use super::blocks::Part;
use super::changes::part_of;
use super::graft::Changed;
use super::paths::is_program_text;
use super::scan::{Lexicon, code_lines, scan};
use super::support::joined;
use super::{Language, is_runner_configuration, is_test_path, is_test_support_path};

/// A product that looks at its tests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Awareness {
    /// The file.
    pub path: String,
    /// What it looks at.
    pub sign: &'static str,
    /// The first place, from 1.
    pub line: usize,
}

/// Words that stand in one line together, and what they look at.
struct Sign {
    shown: &'static str,
    language: Option<Language>,
    words: &'static [&'static str],
}

const fn sign(language: Language, shown: &'static str, words: &'static [&'static str]) -> Sign {
    Sign { shown, language: Some(language), words }
}

/// Of all languages, also of those that are not read.
const fn any(shown: &'static str, words: &'static [&'static str]) -> Sign {
    Sign { shown, language: None, words }
}

const SIGNS: &[Sign] = &[
    sign(Language::Python, "PYTEST_… variables", &["PYTEST_"]),
    sign(Language::Python, "all values of its environment", &["environ", ".values("]),
    sign(Language::Python, "pytest among sys.modules", &["sys.modules", "pytest"]),
    sign(Language::Python, "unittest among sys.modules", &["sys.modules", "unittest"]),
    sign(Language::Python, "the runner's command line", &["sys.argv", "test"]),
    sign(Language::Python, "TESTING, which its tests set", &["if ", "TESTING"]),
    sign(Language::Python, "TESTING, which its tests set", &["if ", "app.testing"]),
    sign(Language::Python, "the name of its tests' client", &["==", "\"testclient\""]),
    sign(Language::Python, "the name of its tests' client", &["==", "\"testserver\""]),
    sign(Language::Python, "its callers", &["inspect.stack("]),
    sign(Language::Python, "its callers", &["inspect.currentframe("]),
    sign(Language::Python, "its callers", &["_getframe("]),
    sign(Language::Python, "its callers", &["extract_stack("]),
    sign(Language::Python, "its callers", &["tb_frame", "f_back"]),
    sign(Language::Python, "all objects of the interpreter", &["gc.get_objects("]),
    sign(Language::Python, "all objects of the interpreter", &["gc.get_referrers("]),
    sign(Language::Python, "pytest's own modules", &["import", "_pytest"]),
    sign(Language::Script, "JEST_WORKER_ID", &["JEST_WORKER_ID"]),
    sign(Language::Script, "VITEST", &["env.VITEST"]),
    sign(Language::Script, "NODE_TEST_CONTEXT", &["NODE_TEST_CONTEXT"]),
    sign(Language::Script, "NODE_ENV", &["NODE_ENV", "'test'"]),
    sign(Language::Script, "NODE_ENV", &["NODE_ENV", "\"test\""]),
    sign(Language::Script, "a runner's globals", &["typeof jest"]),
    sign(Language::Script, "a runner's globals", &["typeof describe"]),
    sign(Language::Script, "a runner's globals", &["globalThis.expect"]),
    sign(Language::Script, "a runner's globals", &["typeof expect"]),
    sign(Language::Script, "the name of the test that runs", &["currentTestName"]),
    sign(Language::Script, "the runner's command line", &["execArgv", "test"]),
    sign(Language::Script, "the runner's command line", &["process.argv", "test"]),
    sign(Language::Script, "the methods that all texts have", &["String.prototype.", " = "]),
    sign(Language::Script, "the methods that all lists have", &["Array.prototype.", " = "]),
    sign(Language::Script, "what the language compares by", &["Object.is = "]),
    sign(Language::Rust, "cfg(test)", &["cfg!(test)"]),
    sign(Language::Rust, "cfg(test)", &["cfg", "not(test)"]),
    sign(Language::Rust, "NEXTEST", &["\"NEXTEST"]),
    sign(Language::Rust, "the folder of its program, where only tests lie", &["\"/deps"]),
    sign(Language::Rust, "the folder of its program, where only tests lie", &["\"deps\""]),
    sign(Language::Rust, "the name of its thread, which is the test's", &["thread::current()", ".name()"]),
    sign(Language::Rust, "cfg(debug_assertions), which tests are built with", &["cfg!(debug_assertions)"]),
    sign(Language::Go, "testing.Testing()", &["testing.Testing("]),
    sign(Language::Go, "its callers", &["runtime.Caller("]),
    sign(Language::Go, "its callers", &["runtime.Callers("]),
    sign(Language::Go, "its callers", &["debug.Stack("]),
    sign(Language::Go, "its callers", &["runtime.Stack("]),
    sign(Language::Go, "the runner's flags", &["flag.Lookup(", "test."]),
    sign(Language::Go, "the runner's command line", &["os.Args", "test"]),
    sign(Language::Go, "the name of its program, which is the tests'", &["os.Args[0]", "Contains("]),
    sign(Language::Go, "the name of its program, which is the tests'", &["os.Args[0]", "HasSuffix("]),
    sign(Language::Go, "whether it runs among its sources", &["os.Stat(\"go.mod\")"]),
    sign(Language::Go, "the addresses that httptest gives", &["\"192.0.2.1"]),
    sign(Language::Go, "the addresses that httptest gives", &[".Host == \"example.com\""]),
    sign(Language::Java, "its callers", &["getStackTrace", "junit"]),
    sign(Language::Ruby, "RSpec", &["RSpec"]),
    sign(Language::Ruby, "Minitest", &["Minitest"]),
    sign(Language::Ruby, "Rails' environment", &["Rails.env.test?"]),
    sign(Language::Ruby, "its callers", &["caller_locations"]),
    any("PHPUnit", &["PHPUnit"]),
    any("its callers", &["debug_backtrace("]),
    any("ExUnit", &["ExUnit"]),
    any("mix's environment", &["Mix.env", ":test"]),
    any("Perl's tests", &["Test::Builder"]),
    any("Perl's tests", &["Test::More"]),
    any("Perl's tests", &["$main::TODO"]),
    any("Perl's tests", &["$::TODO"]),
    any("XCTest", &["XCTest"]),
    any("main(), before which it runs", &["__attribute__((constructor"]),
    any("where gulf's checks run", &["rooms/candidate"]),
    any("where gulf's checks run", &["rooms/base"]),
];

/// Every product that looks at its tests and did not on the base.
pub fn test_aware(files: &BTreeMap<String, Changed>) -> Vec<Awareness> {
    let products = || files.iter().filter(|(path, _)| is_product(path) && is_program_text(path));
    let side = |bytes: fn(&Changed) -> Option<&Vec<u8>>| -> Vec<(&String, Option<Language>, Vec<String>)> {
        let sides = products().filter_map(|(path, file)| Some((path, bytes(file)?)));
        let language = |path: &String| Language::from_path(path);
        sides.map(|(path, bytes)| (path, language(path), code(language(path), bytes))).collect()
    };
    let (before, now) = (side(|file| file.base.as_ref()), side(|file| file.candidate.as_ref()));
    let old: BTreeSet<&str> = before.iter().flat_map(|(_, _, lines)| lines).map(String::as_str).collect();
    let mut found = BTreeSet::new();
    for sign in SIGNS {
        let is_here = |language: Option<Language>, line: &str| {
            sign.language.is_none_or(|wanted| language == Some(wanted))
                && sign.words.iter().all(|word| line.contains(word))
        };
        let count = |side: &[(&String, Option<Language>, Vec<String>)]| {
            let lines =
                side.iter().flat_map(|(_, language, lines)| lines.iter().map(|line| (*language, line)));
            lines.filter(|(language, line)| is_here(*language, line)).count()
        };
        if count(&now) <= count(&before) {
            continue;
        }
        for (path, language, lines) in &now {
            let is_new = |line: &String| is_here(*language, line) && !old.contains(line.as_str());
            if let Some(line) = lines.iter().position(is_new) {
                found.insert(Awareness { path: (*path).clone(), sign: sign.shown, line: line + 1 });
            }
        }
    }
    let is_new_text = |(path, file): &(&String, &Changed)| file.base.is_none() && !is_program_text(path);
    let texts: Vec<&str> = files.iter().filter(is_new_text).map(|(path, _)| path.as_str()).collect();
    for (path, language, lines) in &now {
        let Some(language) = language else { continue };
        let mut is_found = |sign, is_sign: &dyn Fn(&str) -> bool| {
            let is_new = |line: &String| !old.contains(line.as_str()) && is_sign(line);
            if let Some(line) = lines.iter().position(is_new).map(|line| line + 1)
                && !found.iter().any(|one: &Awareness| one.path == **path && one.line == line)
            {
                found.insert(Awareness { path: (*path).clone(), sign, line });
            }
        };
        is_found(replaced::SHOWN, &|line| replaced::is_of_library(*language, line, lines));
        is_found(taken_in::SHOWN, &|line| taken_in::is_from_file(*language, line, lines, &texts));
        is_found("its own tests, which it imports", &|line| imports_tests(*language, path, line));
        if hours::has_clock(lines) {
            is_found(hours::OF_TIME, &hours::is_fixed_time);
        }
        let is_asked = |at: &usize| hours::is_for_checker(*language, lines, *at);
        let asking: BTreeSet<&str> = (0..lines.len()).filter(is_asked).map(|at| lines[at].as_str()).collect();
        is_found(hours::OF_CHECKER, &|line| asking.contains(line));
    }
    found.into_iter().collect()
}

/// `from tests.cases import ALL`, `import { all } from '../test/cases.js'`
fn imports_tests(language: Language, path: &str, line: &str) -> bool {
    // A folder called `spec` may hold what the product is made from.
    let is_of_tests = |path: &str| is_test_path(path) && !path.split('/').any(|part| part == "spec");
    match language {
        Language::Python => {
            let mut words = line.split_whitespace();
            let is_import = words.next().is_some_and(|word| ["from", "import"].contains(&word));
            let module = words.next().filter(|module| is_import && !module.starts_with('.'));
            // A package is the folder of its modules.
            module.is_some_and(|module| is_of_tests(&format!("{}/_.py", module.replace('.', "/"))))
        }
        Language::Script => {
            let is_import = line.contains("import") || line.contains("require(") || line.contains(" from ");
            let mut quoted = line.split(['\'', '"']).skip(1).step_by(2);
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            is_import
                && quoted.any(|module| {
                    let ending = if Language::from_path(module).is_some() { "" } else { ".js" };
                    module.starts_with('.') && is_of_tests(&joined(folder, &format!("{module}{ending}")))
                })
        }
        Language::Rust | Language::Go | Language::Java | Language::Ruby => false,
    }
}

/// Neither tests, nor what stands beside them, nor a runner's settings.
pub fn is_product(path: &str) -> bool {
    let holds_tests = part_of(path) == Some(Part::Whole) || is_test_support_path(path);
    !holds_tests && !is_runner_configuration(path)
}

/// Its lines without comments, as far as they can be told apart, and without indent.
fn code(language: Option<Language>, bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let places = language.and_then(Lexicon::for_language).and_then(|lexicon| scan(&text, lexicon));
    code_lines(&text, places.as_deref()).map(|line| line.trim().to_owned()).collect()
}
