//! How a test runner is asked for a few of its tests, each in its own words.
//!
//! A selection only saves time: it may run more than was asked for, never decide anything, and whoever uses one must
//! see every wanted test in its output, or run the whole check instead.

mod calls;

use crate::sources::{NewTest, fixed_parts};
use calls::{Call, is_linter, is_plain, is_script_of_package, parts, recognized};

/// More names than this are no selection any more.
const NAMES_MAX: usize = 64;
/// So long may all names of one selection be together, on a command line.
const NAMES_BYTES_MAX: usize = 8 << 10;

/// Where pytest and RSpec look for options, wherever they are called.
const PYTEST: &str = "PYTEST_ADDOPTS";
const RSPEC: &str = "SPEC_OPTS";

/// The test runners that can be asked for tests by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TestRunner {
    Pytest,
    Unittest,
    Cargo,
    Nextest,
    Go,
    Node,
    /// Those that take one regular expression over full titles, after this option.
    Titles(&'static str),
    Ava,
    Maven,
    Gradle,
    Rspec,
}

/// A check's command that runs a few of its tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestSelection {
    /// The command in place of the check's own.
    pub command: String,
    /// Variables whose value grows by these words.
    pub environment: Vec<(&'static str, String)>,
}

/// The names of new tests, as a selection takes them.
pub fn names_of_new(tests: &[NewTest]) -> Vec<String> {
    tests.iter().map(|test| test.name.clone()).collect()
}

/// The check's command for these tests alone; `None` where no runner is recognized that can be asked for them.
///
/// `behind` are the commands of the base that the check's own command runs: a makefile's recipe, a package's scripts, each
/// before those that it calls in turn.
pub fn select(command: &str, behind: &[String], names: &[String]) -> Option<TestSelection> {
    let bytes: usize = names.iter().map(String::len).sum();
    if names.is_empty() || names.len() > NAMES_MAX || bytes > NAMES_BYTES_MAX {
        return None;
    }
    let own = parts(command).unwrap_or_default();
    let chosen_here = own.iter().any(|part| recognized(part).is_some()).then(|| chosen(&own, names));
    if let Some(selection) = chosen_here
        && (selection.is_some() || own.len() == 1)
    {
        return selection;
    }
    let inner: Vec<&str> = behind.iter().map(String::as_str).filter(|inner| *inner != command).collect();
    let is_script = is_script_of_package(command);
    if let [script] = inner[..]
        && is_script
        && parts(script).is_some_and(|parts| parts.len() == 1)
        && let Some(Call { runner, after, .. }) = recognized(script)
        && direct(runner, script, after, names).is_some()
        && let Some(selection) = appended_to_script(runner, command, script, names)
    {
        return Some(selection);
    }
    let of_script = is_script.then(|| behind_script(&inner, names)).flatten();
    of_script.or_else(|| indirect(command, &inner, names))
}

/// What of a package's scripts is run for a selection: whatever comes before the runner and is no linter, and the runner.
///
/// `behind` has them in the order in which they run, each before what it calls in turn. A manager puts its folder of
/// programs on the PATH, so that is done here.
fn behind_script(behind: &[&str], names: &[String]) -> Option<TestSelection> {
    let called = behind.iter().map(|script| parts(script)).collect::<Option<Vec<_>>>()?.concat();
    // What a script is told in turn is lost here; then the wanted tests are not seen, and the whole check runs.
    let is_own = |part: &&str| !is_script_of_package(part.split(" -- ").next().unwrap_or(part));
    let own: Vec<&str> = called.into_iter().filter(is_own).collect();
    let TestSelection { command, environment } = chosen(&own, names)?;
    let command = format!("export PATH=\"$PWD/node_modules/.bin:$PATH\" && {command}");
    Some(TestSelection { command, environment })
}

/// Of commands joined by `&&`, the one that calls a runner, with what it may need before it.
fn chosen(parts: &[&str], names: &[String]) -> Option<TestSelection> {
    let calls: Vec<Option<Call<'_>>> = parts.iter().map(|part| recognized(part)).collect();
    let place = calls.iter().position(Option::is_some)?;
    if calls[place + 1..].iter().any(Option::is_some) {
        return None;
    }
    let Call { runner, command, after } = calls[place]?;
    let TestSelection { command, environment } = direct(runner, command, after, names)?;
    let before = parts[..place].iter().copied().filter(|part| !is_linter(part));
    let command = before.chain([command.as_str()]).collect::<Vec<_>>().join(" && ");
    Some(TestSelection { command, environment })
}

/// The runner's own options, in the command itself.
fn direct(runner: TestRunner, command: &str, after: usize, names: &[String]) -> Option<TestSelection> {
    let (head, tail) = command.split_at(after);
    let selects = |word: &str| runner.selecting().contains(&word.split('=').next().unwrap_or(word));
    if tail.split_whitespace().any(selects) {
        return None;
    }
    let words = runner.arguments(names)?;
    let command = match runner {
        TestRunner::Pytest => return Some(by_variable(command, PYTEST, words)),
        TestRunner::Rspec => return Some(by_variable(command, RSPEC, words)),
        TestRunner::Cargo | TestRunner::Nextest => {
            let separator = if tail.split_whitespace().any(|word| word == "--") { "" } else { " --" };
            format!("{command}{separator} {words}")
        }
        TestRunner::Go | TestRunner::Node => format!("{head} {words}{tail}"),
        TestRunner::Maven if tail.contains("-Dtest") => return None,
        TestRunner::Unittest | TestRunner::Titles(_) | TestRunner::Ava | TestRunner::Maven => {
            format!("{command} {words}")
        }
        // The option belongs to the task before it, and only this one takes it.
        TestRunner::Gradle => {
            let before = head.trim_end_matches(|letter: char| !letter.is_whitespace());
            format!("{before}test {words}{tail}")
        }
    };
    Some(TestSelection { command, environment: Vec::new() })
}

impl TestRunner {
    /// The options of a command that selects by itself already.
    fn selecting(self) -> &'static [&'static str] {
        match self {
            Self::Unittest => &["-k"],
            Self::Go => &["-run", "--run", "-skip", "--skip"],
            Self::Node => &["--test-name-pattern", "--test-skip-pattern", "--test-only"],
            Self::Titles(_) | Self::Ava => &["-t", "--testNamePattern", "-g", "--grep", "--match", "-m"],
            Self::Gradle => &["--tests"],
            Self::Pytest | Self::Cargo | Self::Nextest | Self::Maven | Self::Rspec => &[],
        }
    }

    /// The words that ask for these tests.
    fn arguments(self, names: &[String]) -> Option<String> {
        let joined = |separator: &str, word: &dyn Fn(&str) -> Option<String>| {
            let words: Option<Vec<String>> = names.iter().map(|name| word(name)).collect();
            words.map(|words| words.join(separator))
        };
        let owned = |word: Option<&str>| word.map(str::to_owned);
        Some(match self {
            Self::Pytest => {
                format!("-k '{}'", joined(" or ", &|name| owned(identifier(python_leaf(name))))?)
            }
            Self::Unittest => joined(" ", &|name| Some(format!("-k {}", identifier(python_leaf(name))?)))?,
            Self::Cargo | Self::Nextest => joined(" ", &|name| owned(rust_path(name)))?,
            Self::Go => format!("-run {}", quoted(&go_pattern(names)?)),
            Self::Node => joined(" ", &|name| {
                Some(format!("--test-name-pattern={}", quoted(&escaped(title_leaf(name)))))
            })?,
            Self::Titles(option) => {
                format!("{option} {}", quoted(&joined("|", &|name| Some(escaped(title_leaf(name))))?))
            }
            Self::Ava if names.iter().any(|name| name.contains(['*', '!'])) => return None,
            Self::Ava => joined(" ", &|name| {
                Some(format!("--match={}", quoted(&format!("*{}*", fixed_parts(title_leaf(name)).join("*")))))
            })?,
            // Methods by name, in whatever class and module.
            Self::Gradle => joined(" ", &|name| Some(format!("--tests '*.{}*'", java_method(name)?)))?,
            Self::Maven => {
                let methods = joined("+", &|name| owned(java_method(name)))?;
                format!("'-Dtest=*#{methods}' -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false")
            }
            // Examples whose full description has these words: of groups joined with a blank, or with none before `#`
            // and `.`.
            Self::Rspec => {
                let title = |name: &str| Some(name.split(" > ").map(escaped).collect::<Vec<_>>().join(" ?"));
                format!("--example-matches {}", quoted(&joined("|", &title)?))
            }
        })
    }
}

/// What is appended to a call of a package's script; npm wants `--` before it.
fn appended_to_script(
    runner: TestRunner,
    command: &str,
    inner: &str,
    names: &[String],
) -> Option<TestSelection> {
    let separator = if command.starts_with("npm") { " --" } else { "" };
    match runner {
        TestRunner::Pytest | TestRunner::Go | TestRunner::Rspec => {
            return indirect(command, &[inner], names);
        }
        TestRunner::Node => {
            // What follows a file is the file's own, so the option must come first.
            let files = inner.split_whitespace().skip_while(|word| *word != "--test").skip(1);
            if files.clone().any(|word| !word.starts_with('-')) {
                return None;
            }
        }
        TestRunner::Titles(_) | TestRunner::Ava => {}
        TestRunner::Unittest | TestRunner::Cargo | TestRunner::Nextest => return None,
        TestRunner::Maven | TestRunner::Gradle => return None,
    }
    let command = format!("{command}{separator} {}", runner.arguments(names)?);
    Some(TestSelection { command, environment: Vec::new() })
}

/// The variables that pytest, go and RSpec read wherever they are called.
fn indirect(command: &str, behind: &[&str], names: &[String]) -> Option<TestSelection> {
    let commands = || behind.iter().copied().chain([command]);
    let mut words = commands().flat_map(|command| command.split(|end: char| !is_plain(end)));
    if words.clone().any(|word| word == "pytest") {
        return Some(by_variable(command, PYTEST, TestRunner::Pytest.arguments(names)?));
    }
    // A task of rake's says nowhere in its call what it runs.
    if words.any(|word| ["rspec", "rake"].contains(&word)) {
        return Some(by_variable(command, RSPEC, TestRunner::Rspec.arguments(names)?));
    }
    let calls_go = |command: &str| {
        let words: Vec<&str> = command.split(|end: char| !is_plain(end)).collect();
        words.windows(2).any(|pair| pair == ["go", "test"])
    };
    let pattern = commands().any(calls_go).then(|| go_pattern(names))??;
    Some(by_variable(command, "GOFLAGS", format!("-run={pattern}")))
}

/// The command's own words stay as they are, and win.
fn by_variable(command: &str, variable: &'static str, words: String) -> TestSelection {
    TestSelection { command: command.to_owned(), environment: vec![(variable, words)] }
}

/// The function's name in `tests/test_a.py::TestB::test_c[1]`, the file's where nothing but it is named.
fn python_leaf(name: &str) -> &str {
    let name = name.split('[').next().unwrap_or(name);
    let leaf = name.rsplit("::").next().unwrap_or(name);
    if let Some(file) = leaf.strip_suffix(".py") {
        return file.rsplit('/').next().unwrap_or(file);
    }
    // unittest: `test_c (tests.test_a.TestB.test_c)`.
    let leaf = leaf.split(" (").next().unwrap_or(leaf);
    leaf.rsplit('.').next().unwrap_or(leaf)
}

/// A word that means nothing to a shell or to an expression of pytest.
fn identifier(word: &str) -> Option<&str> {
    let is_name =
        !word.is_empty() && word.chars().all(|character| character.is_alphanumeric() || character == '_');
    (is_name && !["or", "and", "not"].contains(&word)).then_some(word)
}

/// `a::tests::adds` in `binary > a::tests::adds`.
fn rust_path(name: &str) -> Option<&str> {
    let path = title_leaf(name);
    let is_path = !path.is_empty()
        && path.chars().all(|character| character.is_alphanumeric() || "_:".contains(character));
    is_path.then_some(path)
}

/// `^(TestA|TestB)$`, of `package::TestA/case` as well.
fn go_pattern(names: &[String]) -> Option<String> {
    let mut tests: Vec<&str> = Vec::new();
    for name in names {
        let test = name.rsplit("::").next().unwrap_or(name);
        let test = identifier(test.split('/').next().unwrap_or(test))?;
        if !tests.contains(&test) {
            tests.push(test);
        }
    }
    Some(format!("^({})$", tests.join("|")))
}

/// The method's name in `a.BTest > each(int)[1]`.
fn java_method(name: &str) -> Option<&str> {
    let leaf = title_leaf(name).rsplit("::").next().unwrap_or(name);
    identifier(leaf.split(['(', '[', '{']).next().unwrap_or(leaf).trim())
}

/// `works` in `file > group > works`.
fn title_leaf(name: &str) -> &str {
    name.rsplit(" > ").next().unwrap_or(name)
}

/// A title as a regular expression that matches it, whatever its rows put into it. A letter is any character where escaping
/// differs between runners.
fn escaped(title: &str) -> String {
    let plain = |character: char| character.is_alphanumeric() || character == ' ' || character == '_';
    let of_part = |part: &str| -> String {
        part.chars().map(|character| if plain(character) { character } else { '.' }).collect()
    };
    fixed_parts(title).into_iter().map(of_part).collect::<Vec<_>>().join(".*")
}

/// One word for a shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests;
