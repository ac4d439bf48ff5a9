//! Says of a failed command that it never came to its tests, by the words of the shell or tool that was to begin them.
//!
//! Such a command exits like one whose tests fail: a project without its runner would count as one with a red test, and
//! whoever installs the runner as one who mended it. A wrapper (`make`, a script, `… || exit 1`) turns a shell's own exit
//! code into an ordinary one, and then only the words are left. They count in the tool's own form and from what the command
//! itself names: wherever they name what it is to run, else where they are the last. A test that prints such a line is
//! followed by its runner's closing lines, which do not have that form.

use std::sync::LazyLock;

use regex::Regex;

use super::{Completeness, TestReport, lines};
use crate::patterns::pattern;

/// Programs that find and start others, by the name they complain under.
const STARTERS: [&str; 13] = [
    "sh", "bash", "dash", "zsh", "ksh", "ash", "busybox", "env", "make", "gmake", "timeout", "xargs", "nohup",
];
/// What runs recipes, whose scripts the command does not name.
const RUNNERS: [&str; 11] =
    ["make", "gmake", "npm", "yarn", "pnpm", "bun", "just", "task", "rake", "invoke", "docker"];
/// So many of the last lines are looked at.
const LINES_MAX: usize = 24;

/// How a tool says that what it is to run is not there.
struct Complaint {
    /// The command has one of these words, if there are any.
    by: &'static [&'static str],
    /// What the form's group holds is a word of the command, behind this one if there is one.
    behind: &'static str,
    said: Regex,
}

/// Of what the command names.
static OF_NAMED: LazyLock<[Complaint; 10]> = LazyLock::new(|| {
    let complaints: [(&[&str], &str, &str); 10] = [
        // In the interpreter's own form: what a test cannot import is quoted, and stands behind an exception's name.
        (&[], "-m", r"^(?:.*/)?python[0-9.]*: No module named (.+?)(?:\.__main__.*)?$"),
        // `uv run --with httpx pytest`: uv names the one it could not run.
        (&["uv"], "", "^error: Failed to spawn: `(.*)`$"),
        (&["poetry"], "run", "^Command not found: (.*)$"),
        (&["bundle"], "exec", "^bundler: command not found: (.*)$"),
        (&["npm"], "", "^npm (?:error|ERR!) [Mm]issing script:"),
        (&["npx"], "", "npx canceled due to missing packages"),
        (
            &["manage.py"],
            "",
            r"^ModuleNotFoundError: No module named 'django'$|^ImportError: Couldn't import Django\.",
        ),
        (&["cargo"], "", "^error: no such command: `"),
        (&["make"], "", r"^make: \*\*\* No rule to make target '(.*?)'\."),
        (&["just"], "", "^error: Justfile does not contain recipe"),
    ];
    complaints.map(|(by, behind, said)| Complaint { by, behind, said: pattern(said) })
});

/// Where they are the last words.
static MISSING: LazyLock<[Complaint; 9]> = LazyLock::new(|| {
    let complaints: [(&[&str], &str); 9] = [
        // Of the command itself, after which a shell shows the line.
        (&[], "^(?:bash: -c: line [0-9]+: (?:syntax error|unexpected |`)|sh: [0-9]+: Syntax error: )"),
        (
            &[],
            "^(?:docker: |ERROR: |error during connect: )?(?:Cannot connect to the Docker daemon|failed to connect \
             to the docker API|permission denied while trying to connect to the Docker daemon socket)",
        ),
        (&[], r"^npm (?:error|ERR!) .*Could not read package\.json: Error: ENOENT"),
        (&["yarn"], r"^error Couldn't find a package\.json file in "),
        (&["pnpm"], "ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND"),
        // `make[1]: *** [Makefile:2: test] Error 127`
        (&[], r"^(?:g?make: \*\*\* |make\[.*\]: \*\*\* \[).*\] Error 127$"),
        (&["make", "gmake"], r"^g?make: \*\*\* No targets specified and no makefile found\."),
        (&["make", "gmake"], r"^g?make: \*\*\* [^ \t]+: No such file or directory\.  Stop\.$"),
        (&[], r"^zsh: command not found: [^ \t]+$"),
    ];
    complaints.map(|(by, said)| Complaint { by, behind: "", said: pattern(said) })
});

/// What shells say of it behind their name: `1: X: not found`, `line 2: X: command not found`, `1: cd: can't cd to X`.
/// Elsewhere than in its first line, a file that cannot be opened is what a test reads.
static BY_A_SHELL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        "^(?:line )?(?:[0-9]*: .*: (?:command )?not found|0: can(?:not|'t) open .*|\
         [0-9]*[^ \t0-9][^ \t]*: (?:command )?not found|\
         (?:[0-9]*: )?cd: (?:can't cd to .*|.*: No such file or directory))$",
    )
});
/// What programs say so that start others.
static BY_A_STARTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern("^(?:line )?(?:failed to run command [^ \t]+|[0-9]*[^ \t0-9][^ \t]*): No such file or directory$")
});
/// What says only that something inside of it failed.
static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        "^(?:make: \\*\\*\\*|make\\[.*\\]: |npm (?:error|ERR!)|Run 'docker |See 'docker |ELIFECYCLE|\
         error Command failed with exit code 127|info Visit https://yarnpkg\\.com/)",
    )
});
/// The results of runners that gulf does not count.
static OF_TESTS: LazyLock<Regex> = LazyLock::new(|| {
    let around = r"[^a-zA-Z0-9 \t]*";
    let count = format!("{around}[0-9]+{around}");
    let word = format!("{around}(?:passed|failed|passing|failing|tests|failures){around}");
    pattern(&format!(
        r"^[ \t]*(?:ok |not ok |PASS|FAIL|--- |✓|✔|✗|✖|1\.\.)|(?:^|[ \t]){count}[ \t]+{word}(?:[ \t]|$)"
    ))
});

/// The line that says that nothing began: of what the command names, wherever it stands; else where no test was counted, if
/// nothing but closing lines follows it.
pub fn unbegun(command: &str, output: &[u8], report: &TestReport) -> Option<String> {
    let command = UnbegunCommand::new(command);
    let of_named = |line: &str| OF_NAMED.iter().any(|complaint| command.hears(complaint, line.trim()));
    let named = lines(output).find(|line| of_named(line)).map(|line| line.trim().to_owned());
    named.or_else(|| command.last_complaint(output).filter(|_| report.complete == Completeness::None))
}

struct UnbegunCommand<'command> {
    words: Vec<&'command str>,
    is_recipe: bool,
}

impl<'command> UnbegunCommand<'command> {
    fn new(command: &'command str) -> Self {
        let of_shells = |one: char| one.is_whitespace() || "\"'();&|".contains(one);
        let words: Vec<&str> = command.split(of_shells).filter(|word| !word.is_empty()).collect();
        let is_recipe = words.iter().any(|word| RUNNERS.contains(&file_name(word)));
        Self { words, is_recipe }
    }

    fn has(&self, name: &str) -> bool {
        self.words.iter().any(|word| file_name(word) == name)
    }

    fn hears(&self, Complaint { by, behind, said }: &Complaint, line: &str) -> bool {
        let is_told = by.is_empty() || by.iter().any(|name| self.has(name));
        let is_at = |at: usize| behind.is_empty() || (at > 0 && self.words[at - 1] == *behind);
        let is_own = |word: &str| (0..self.words.len()).any(|at| self.words[at] == word && is_at(at));
        let named = || said.captures(line).and_then(|found| found.get(1));
        is_told && said.is_match(line) && named().is_none_or(|word| is_own(word.as_str()))
    }

    fn last_complaint(&self, output: &[u8]) -> Option<String> {
        let said = super::last_lines(output, LINES_MAX, usize::MAX);
        let complaints = said.iter().rev().take_while(|line| self.is_missing(line) || CLOSING.is_match(line));
        // The first of a tool's complaints is the reason of the others.
        let told = complaints.filter(|line| self.is_missing(line)).last().cloned();
        told.filter(|_| !lines(output).any(|line| OF_TESTS.is_match(&line)))
    }

    /// Says the line that what was to be run is not there?
    fn is_missing(&self, line: &str) -> bool {
        MISSING.iter().any(|complaint| self.hears(complaint, line)) || self.is_of_shell(line)
    }

    fn is_of_shell(&self, line: &str) -> bool {
        let Some((who, said)) = line.split_once(": ") else { return false };
        let is_starter = STARTERS.contains(&file_name(who));
        self.is_ours(who) && (BY_A_SHELL.is_match(said) || (is_starter && BY_A_STARTER.is_match(said)))
    }

    /// Does it come from what the command starts, and not from a program below it?
    fn is_ours(&self, who: &str) -> bool {
        let name = file_name(who);
        let is_script = self.is_recipe && (name.ends_with(".sh") || name.ends_with(".bash"));
        STARTERS.contains(&name) || self.has(name) || is_script
    }
}

fn file_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

#[cfg(test)]
mod tests;
