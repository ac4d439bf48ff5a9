//! How a test runner is asked for a few of its tests, each in its own words.
//!
//! It stands apart because a selection only saves time: it may run more than was asked for, never decide anything, and
//! whoever uses one must see every wanted test in its output, or run the whole check instead.

use crate::reports::TestId;
use crate::sources::NewTest;

/// More names than this are no selection any more.
const NAMES_MAX: usize = 64;
/// So long may all names of one selection be together, on a command line.
const NAMES_BYTES_MAX: usize = 8 << 10;

/// The test runners that can be asked for tests by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runner {
    Pytest,
    Unittest,
    Cargo,
    Nextest,
    Go,
    Node,
    /// Those that take one regular expression over full titles, after this option.
    Titles(&'static str),
    Ava,
}

/// A check's command that runs a few of its tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The command in place of the check's own.
    pub command: String,
    /// Variables whose value grows by these words.
    pub environment: Vec<(&'static str, String)>,
}

/// The names of new tests, as a selection takes them.
pub fn names_of_new(tests: &[NewTest]) -> Vec<String> {
    tests.iter().map(|test| test.name.clone()).collect()
}

/// The names in a runner's own results, as a selection takes them.
pub fn names_of_results<'id>(ids: impl IntoIterator<Item = &'id TestId>) -> Vec<String> {
    ids.into_iter().map(|id| id.as_str().to_owned()).collect()
}

/// The check's command for these tests alone; `None` where no runner is recognized that can be asked for them.
///
/// `behind` are the commands of the base that the check's own command runs: a makefile's recipe, a package's script.
pub fn select(command: &str, behind: &[String], names: &[String]) -> Option<Selection> {
    let bytes: usize = names.iter().map(String::len).sum();
    if names.is_empty() || names.len() > NAMES_MAX || bytes > NAMES_BYTES_MAX {
        return None;
    }
    if let Some((runner, after)) = recognized(command) {
        return direct(runner, command, after, names);
    }
    let inner: Vec<&str> = behind.iter().map(String::as_str).filter(|inner| *inner != command).collect();
    if let [script] = inner[..]
        && is_script_of_package(command)
        && let Some((runner, _)) = recognized(script)
    {
        return appended_to_script(runner, command, script, names);
    }
    indirect(command, &inner, names)
}

/// A runner that the whole command is one call of, and where in the command its own words begin.
fn recognized(command: &str) -> Option<(Runner, usize)> {
    if command.contains([';', '|', '&', '(', ')', '<', '>', '$', '`', '\n', '\\', '#']) {
        return None;
    }
    let mut end = 0;
    let mut before = "";
    for word in command.split_whitespace() {
        end = end + command[end..].find(word)? + word.len();
        let name = word.rsplit('/').next().unwrap_or(word);
        if let Some(runner) = runner_named(name, before) {
            return Some((runner, end));
        }
        let is_other_subcommand =
            matches!(before, "cargo" | "go") && name != "nextest" && !name.starts_with('+');
        if is_other_subcommand || !is_before_runner(name) {
            return None;
        }
        if !name.starts_with('+') {
            before = name;
        }
    }
    None
}

fn runner_named(name: &str, before: &str) -> Option<Runner> {
    match (before, name) {
        (_, "pytest" | "py.test") => Some(Runner::Pytest),
        ("-m", "unittest") => Some(Runner::Unittest),
        ("cargo", "test" | "t") => Some(Runner::Cargo),
        ("nextest", "run" | "r") => Some(Runner::Nextest),
        ("go", "test") => Some(Runner::Go),
        ("node", "--test") => Some(Runner::Node),
        (_, "jest" | "vitest") => Some(Runner::Titles("-t")),
        (_, "mocha" | "playwright") => Some(Runner::Titles("-g")),
        (_, "ava") => Some(Runner::Ava),
        _ => None,
    }
}

/// Words that stand before a runner: assignments, managers of environments, interpreters.
fn is_before_runner(word: &str) -> bool {
    const WORDS: [&str; 22] = [
        "env", "time", "nice", "uv", "poetry", "pdm", "hatch", "pipenv", "rye", "run", "exec", "npx", "pnpm",
        "yarn", "bun", "bunx", "cargo", "nextest", "go", "node", "-m", "xvfb-run",
    ];
    WORDS.contains(&word) || word.starts_with("python") || word.starts_with('+') || word.contains('=')
}

/// `npm test`, `npm run NAME`, `pnpm test`, `yarn test`: what is said after it reaches the script.
fn is_script_of_package(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    let manager = words.first().is_some_and(|word| ["npm", "pnpm", "yarn"].contains(word));
    manager && words.len() <= 4 && words.iter().all(|word| word.chars().all(is_plain) && *word != "--")
}

fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || "-_:.".contains(character)
}

/// The runner's own options, in the command itself.
fn direct(runner: Runner, command: &str, after: usize, names: &[String]) -> Option<Selection> {
    let (head, tail) = command.split_at(after);
    let inserted = |words: &str| format!("{head} {words}{tail}");
    let selects = |options: &[&str]| tail.split_whitespace().any(|word| is_option(word, options));
    let command = match runner {
        Runner::Pytest => return pytest(command, names),
        Runner::Unittest if selects(&["-k"]) => return None,
        Runner::Unittest => {
            let words: Option<Vec<String>> =
                names.iter().map(|name| Some(format!("-k {}", identifier(python_leaf(name))?))).collect();
            format!("{command} {}", words?.join(" "))
        }
        Runner::Cargo | Runner::Nextest => {
            let names: Option<Vec<&str>> = names.iter().map(|name| rust_path(name)).collect();
            let separator = if tail.split_whitespace().any(|word| word == "--") { "" } else { " --" };
            format!("{command}{separator} {}", names?.join(" "))
        }
        Runner::Go if selects(&["-run", "--run", "-skip", "--skip"]) => return None,
        Runner::Go => inserted(&format!("-run {}", quoted(&go_pattern(names)?))),
        Runner::Node if selects(&["--test-name-pattern", "--test-skip-pattern", "--test-only"]) => {
            return None;
        }
        Runner::Node => inserted(&node_patterns(names)),
        Runner::Titles(_) | Runner::Ava
            if selects(&["-t", "--testNamePattern", "-g", "--grep", "--match", "-m"]) =>
        {
            return None;
        }
        Runner::Titles(_) | Runner::Ava => format!("{command} {}", title_options(runner, names)?),
    };
    Some(Selection { command, environment: Vec::new() })
}

fn is_option(word: &str, options: &[&str]) -> bool {
    options
        .iter()
        .any(|option| word == *option || word.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')))
}

/// What is appended to a call of a package's script; npm wants `--` before it.
fn appended_to_script(runner: Runner, command: &str, inner: &str, names: &[String]) -> Option<Selection> {
    let separator = if command.starts_with("npm") { " --" } else { "" };
    let words = match runner {
        Runner::Pytest | Runner::Go => return indirect(command, &[inner], names),
        Runner::Node => {
            // What follows a file is the file's own, so the option must come first.
            let files = inner.split_whitespace().skip_while(|word| *word != "--test").skip(1);
            if files.clone().any(|word| !word.starts_with('-')) {
                return None;
            }
            node_patterns(names)
        }
        Runner::Titles(_) | Runner::Ava => title_options(runner, names)?,
        Runner::Unittest | Runner::Cargo | Runner::Nextest => return None,
    };
    Some(Selection { command: format!("{command}{separator} {words}"), environment: Vec::new() })
}

/// The variables that pytest and go read wherever they are called.
fn indirect(command: &str, behind: &[&str], names: &[String]) -> Option<Selection> {
    let commands = || behind.iter().copied().chain([command]);
    let mut words = commands().flat_map(|command| command.split(|end: char| !is_plain(end)));
    if words.any(|word| word == "pytest") {
        return pytest(command, names);
    }
    let calls_go = |command: &str| {
        let words: Vec<&str> = command.split(|end: char| !is_plain(end)).collect();
        words.windows(2).any(|pair| pair == ["go", "test"])
    };
    if commands().any(calls_go) {
        let environment = vec![("GOFLAGS", format!("-run={}", go_pattern(names)?))];
        return Some(Selection { command: command.to_owned(), environment });
    }
    None
}

/// `-k` by a variable: the command's own words stay as they are, and win.
fn pytest(command: &str, names: &[String]) -> Option<Selection> {
    let words: Option<Vec<&str>> = names.iter().map(|name| identifier(python_leaf(name))).collect();
    let environment = vec![("PYTEST_ADDOPTS", format!("-k '{}'", words?.join(" or ")))];
    Some(Selection { command: command.to_owned(), environment })
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
    let path = name.rsplit(" > ").next().unwrap_or(name);
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

fn node_patterns(names: &[String]) -> String {
    let pattern = |name: &String| format!("--test-name-pattern={}", quoted(&escaped(title_leaf(name))));
    names.iter().map(pattern).collect::<Vec<_>>().join(" ")
}

fn title_options(runner: Runner, names: &[String]) -> Option<String> {
    match runner {
        Runner::Titles(option) => {
            let titles: Vec<String> = names.iter().map(|name| escaped(title_leaf(name))).collect();
            Some(format!("{option} {}", quoted(&titles.join("|"))))
        }
        Runner::Ava => {
            let option = |name: &String| format!("--match={}", quoted(&format!("*{}*", title_leaf(name))));
            let has_wildcard = names.iter().any(|name| name.contains(['*', '!']));
            (!has_wildcard).then(|| names.iter().map(option).collect::<Vec<_>>().join(" "))
        }
        Runner::Pytest | Runner::Unittest | Runner::Cargo | Runner::Nextest | Runner::Go | Runner::Node => {
            None
        }
    }
}

/// `works` in `file > group > works`.
fn title_leaf(name: &str) -> &str {
    name.rsplit(" > ").next().unwrap_or(name)
}

/// A title as a regular expression that matches it. A letter is any character where escaping differs between runners.
fn escaped(title: &str) -> String {
    let plain = |character: char| character.is_alphanumeric() || character == ' ' || character == '_';
    title.chars().map(|character| if plain(character) { character } else { '.' }).collect()
}

/// One word for a shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests;
