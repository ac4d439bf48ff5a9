//! Products that look whether they are being tested, or change what tests compare by: what they do then says nothing of what
//! they do otherwise (SPEC B3).
//!
//! Only what is added counts: a line that moved, or a sign that the base has as often, was there before.

mod hours;
mod replaced;
mod taken_in;

use std::collections::{BTreeMap, BTreeSet};

use super::graft::Changed;
use super::paths::is_program_text;
use super::scan::{Scanned, code_lines};
use super::support::{joined, parent_of};
use super::{Language, Sighting, is_runner_configuration, is_test_path, is_test_support_path};

/// Of a language, or of all, also of those that are not read: what is looked at, and by which words. Those of a form, between
/// which there are points, stand in one line together.
const SIGNS: &[(Option<Language>, &str, &str)] = &[
    (Some(Language::Python), "PYTEST_… variables", "PYTEST_"),
    (Some(Language::Python), "all values of its environment", "environ….values("),
    (Some(Language::Python), "pytest among sys.modules", "sys.modules…pytest"),
    (Some(Language::Python), "unittest among sys.modules", "sys.modules…unittest"),
    (Some(Language::Python), "the runner's command line", "sys.argv…test"),
    (Some(Language::Python), "TESTING, which its tests set", "if …TESTING|if …app.testing"),
    (Some(Language::Python), "the name of its tests' client", "==…\"testclient\"|==…\"testserver\""),
    (Some(Language::Python), "its callers", "inspect.stack(|inspect.currentframe(|_getframe("),
    (Some(Language::Python), "its callers", "extract_stack(|tb_frame…f_back"),
    (Some(Language::Python), "all objects of the interpreter", "gc.get_objects(|gc.get_referrers("),
    (Some(Language::Python), "pytest's own modules", "import…_pytest"),
    (Some(Language::Script), "JEST_WORKER_ID", "JEST_WORKER_ID"),
    (Some(Language::Script), "VITEST", "env.VITEST"),
    (Some(Language::Script), "NODE_TEST_CONTEXT", "NODE_TEST_CONTEXT"),
    (Some(Language::Script), "NODE_ENV", "NODE_ENV…'test'|NODE_ENV…\"test\""),
    (Some(Language::Script), "a runner's globals", "typeof jest|typeof describe"),
    (Some(Language::Script), "a runner's globals", "globalThis.expect|typeof expect"),
    (Some(Language::Script), "the name of the test that runs", "currentTestName"),
    (Some(Language::Script), "the runner's command line", "execArgv…test|process.argv…test"),
    (Some(Language::Script), "the methods that all texts have", "String.prototype.… = "),
    (Some(Language::Script), "the methods that all lists have", "Array.prototype.… = "),
    (Some(Language::Script), "what the language compares by", "Object.is = "),
    (Some(Language::Rust), "cfg(test)", "cfg!(test)|cfg…not(test)"),
    (Some(Language::Rust), "NEXTEST", "\"NEXTEST"),
    (Some(Language::Rust), "the folder of its program, where only tests lie", "\"/deps|\"deps\""),
    (Some(Language::Rust), "the name of its thread, which is the test's", "thread::current()….name()"),
    (Some(Language::Rust), "cfg(debug_assertions), which tests are built with", "cfg!(debug_assertions)"),
    (Some(Language::Go), "testing.Testing()", "testing.Testing("),
    (Some(Language::Go), "its callers", "runtime.Caller(|runtime.Callers(|debug.Stack(|runtime.Stack("),
    (Some(Language::Go), "the runner's flags", "flag.Lookup(…test."),
    (Some(Language::Go), "the runner's command line", "os.Args…test"),
    (Some(Language::Go), "the name of its program, which is the tests'", "os.Args[0]…Contains("),
    (Some(Language::Go), "the name of its program, which is the tests'", "os.Args[0]…HasSuffix("),
    (Some(Language::Go), "whether it runs among its sources", "os.Stat(\"go.mod\")"),
    (Some(Language::Go), "the addresses that httptest gives", "\"192.0.2.1|.Host == \"example.com\""),
    (Some(Language::Java), "its callers", "getStackTrace…junit"),
    (Some(Language::Ruby), "RSpec", "RSpec"),
    (Some(Language::Ruby), "Minitest", "Minitest"),
    (Some(Language::Ruby), "Rails' environment", "Rails.env.test?"),
    (Some(Language::Ruby), "its callers", "caller_locations"),
    (None, "PHPUnit", "PHPUnit"),
    (None, "its callers", "debug_backtrace("),
    (None, "ExUnit", "ExUnit"),
    (None, "mix's environment", "Mix.env…:test"),
    (None, "Perl's tests", "Test::Builder|Test::More|$main::TODO|$::TODO"),
    (None, "XCTest", "XCTest"),
    (None, "main(), before which it runs", "__attribute__((constructor"),
    (None, "where gulf's checks run", "rooms/candidate|rooms/base"),
];

/// Every product that looks at its tests and did not on the base: what at, and in which line first.
pub fn test_aware(files: &BTreeMap<String, Changed>) -> Vec<Sighting> {
    let products = || files.iter().filter(|(path, _)| is_product(path) && is_program_text(path));
    let side = |bytes: fn(&Changed) -> Option<&Vec<u8>>| -> Vec<(&String, Option<Language>, Vec<String>)> {
        let sides = products().filter_map(|(path, file)| Some((path, bytes(file)?)));
        sides.map(|(path, bytes)| (path, Language::from_path(path), code(path, bytes))).collect()
    };
    let (before, now) = (side(|file| file.base.as_ref()), side(|file| file.candidate.as_ref()));
    let old: BTreeSet<&str> = before.iter().flat_map(|(_, _, lines)| lines).map(String::as_str).collect();
    let mut found = BTreeSet::new();
    let forms =
        SIGNS.iter().flat_map(|(of, sign, forms)| forms.split('|').map(move |form| (*of, *sign, form)));
    for (of, sign, form) in forms {
        let is_here = |language: Option<Language>, line: &str| {
            of.is_none_or(|wanted| language == Some(wanted))
                && form.split('…').all(|word| line.contains(word))
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
                found.insert((*path, sign, line + 1));
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
                && !found.iter().any(|(other, _, at)| other == path && *at == line)
            {
                found.insert((*path, sign, line));
            }
        };
        is_found(replaced::SHOWN, &|line| replaced::is_of_library(*language, line, lines));
        is_found(taken_in::SHOWN, &|line| taken_in::is_from_file(*language, line, lines, &texts));
        is_found("its own tests, which it imports", &|line| imports_tests(*language, path, line));
        if lines.iter().any(|line| hours::asks_for_time(line)) {
            is_found(hours::OF_TIME, &hours::is_fixed_time);
        }
        let is_asked = |at: &usize| hours::is_for_checker(*language, lines, *at);
        let asking: BTreeSet<&str> = (0..lines.len()).filter(is_asked).map(|at| lines[at].as_str()).collect();
        is_found(hours::OF_CHECKER, &|line| asking.contains(line));
    }
    found.into_iter().map(|(path, sign, line)| Sighting::new(path, line, sign)).collect()
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
            is_import
                && quoted.any(|module| {
                    let ending = if Language::from_path(module).is_some() { "" } else { ".js" };
                    module.starts_with('.')
                        && is_of_tests(&joined(parent_of(path), &format!("{module}{ending}")))
                })
        }
        Language::Rust | Language::Go | Language::Java | Language::Ruby => false,
    }
}

/// Neither tests, nor what stands beside them, nor a runner's settings.
pub fn is_product(path: &str) -> bool {
    !(is_test_path(path) || is_test_support_path(path) || is_runner_configuration(path))
}

/// Its lines without comments, as far as they can be told apart, and without indent.
pub(super) fn code(path: &str, bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let source = Language::from_path(path).and_then(|language| Scanned::read(&text, language));
    code_lines(&text, source.as_ref()).map(|line| line.trim().to_owned()).collect()
}
