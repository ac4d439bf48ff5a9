//! Says of a failed command that it never came to its tests, by the words of the shell or tool that was to begin them.
//!
//! Such a command exits like one whose tests fail: a project without its runner would count as one with a red test, and
//! whoever installs the runner as one who mended it. A wrapper (`make`, a script, `… || exit 1`) turns a shell's own exit
//! code into an ordinary one, and then only the words are left. They count in the tool's own form and from what the command
//! itself names: wherever they name what it is to run, else where they are the last. A test that prints such a line is
//! followed by its runner's closing lines, which do not have that form.

use regex::Regex;

use super::{Completeness, TestReport, lines};
use crate::patterns::form;

/// Programs that find and start others, by the name they complain under.
const STARTERS: [&str; 13] = [
    "sh", "bash", "dash", "zsh", "ksh", "ash", "busybox", "env", "make", "gmake", "timeout", "xargs", "nohup",
];
/// What runs recipes, whose scripts the command does not name.
const RUNNERS: [&str; 11] =
    ["make", "gmake", "npm", "yarn", "pnpm", "bun", "just", "task", "rake", "invoke", "docker"];
/// So many of the last lines are looked at.
const LINES_MAX: usize = 24;

/// How a tool says that what it is to run is not there. The command has one of these words, if there are any; what the form's
/// group holds is one of its words, behind this one if there is one.
type Complaint = (&'static [&'static str], &'static str, &'static Regex);

/// Of what the command names.
fn of_named() -> [Complaint; 11] {
    [
        // In the interpreter's own form: what a test cannot import is quoted, and stands behind an exception's name.
        (&[], "-m", form!(r"^(?:.*/)?python[0-9.]*: No module named (.+?)(?:\.__main__.*)?$")),
        // `uv run --with httpx pytest`: uv names the one it could not run.
        (&["uv"], "", form!("^error: Failed to spawn: `(.*)`$")),
        (&["poetry"], "run", form!("^Command not found: (.*)$")),
        (&["bundle"], "exec", form!("^bundler: command not found: (.*)$")),
        (&["npm"], "", form!("^npm (?:error|ERR!) [Mm]issing script:")),
        (&["npx"], "", form!("npx canceled due to missing packages")),
        (&["manage.py"], "", form!("^ModuleNotFoundError: No module named 'django'$")),
        (&["manage.py"], "", form!(r"^ImportError: Couldn't import Django\.")),
        (&["cargo"], "", form!("^error: no such command: `")),
        (&["make"], "", form!(r"^make: \*\*\* No rule to make target '(.*?)'\.")),
        (&["just"], "", form!("^error: Justfile does not contain recipe")),
    ]
}

/// Where they are the last words.
fn last() -> [Complaint; 9] {
    const NO_DOCKER: &str = "(?:Cannot connect to the Docker daemon|failed to connect to the docker API|permission denied \
                             while trying to connect to the Docker daemon socket)";
    const NO_COMMAND: &str =
        "bash: -c: line [0-9]+: (?:syntax error|unexpected |`)|sh: [0-9]+: Syntax error: ";
    [
        // Of the command itself, after which a shell shows the line.
        (&[], "", form!(&format!("^(?:{NO_COMMAND})"))),
        (&[], "", form!(&format!("^(?:docker: |ERROR: |error during connect: )?{NO_DOCKER}"))),
        (&[], "", form!(r"^npm (?:error|ERR!) .*Could not read package\.json: Error: ENOENT")),
        (&["yarn"], "", form!(r"^error Couldn't find a package\.json file in ")),
        (&["pnpm"], "", form!("ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND")),
        // `make[1]: *** [Makefile:2: test] Error 127`
        (&[], "", form!(r"^(?:g?make: \*\*\* |make\[.*\]: \*\*\* \[).*\] Error 127$")),
        (&["make", "gmake"], "", form!(r"^g?make: \*\*\* No targets specified and no makefile found\.")),
        (&["make", "gmake"], "", form!(r"^g?make: \*\*\* [^ \t]+: No such file or directory\.  Stop\.$")),
        (&[], "", form!(r"^zsh: command not found: [^ \t]+$")),
    ]
}

/// The line that says that nothing began: of what the command names, wherever it stands; else where no test was counted, if
/// nothing but closing lines follows it.
pub fn unbegun(command: &str, output: &[u8], report: &TestReport) -> Option<String> {
    let command = UnbegunCommand::new(command);
    let complaints = of_named();
    let is_named = |line: &str| complaints.iter().any(|complaint| command.hears(complaint, line.trim()));
    let named = lines(output).find(|line| is_named(line)).map(|line| line.trim().to_owned());
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

    fn hears(&self, (by, behind, said): &Complaint, line: &str) -> bool {
        let is_told = by.is_empty() || by.iter().any(|name| self.has(name));
        let is_at = |at: usize| behind.is_empty() || (at > 0 && self.words[at - 1] == *behind);
        let is_own = |word: &str| (0..self.words.len()).any(|at| self.words[at] == word && is_at(at));
        let named = || said.captures(line).and_then(|found| found.get(1));
        is_told && said.is_match(line) && named().is_none_or(|word| is_own(word.as_str()))
    }

    fn last_complaint(&self, output: &[u8]) -> Option<String> {
        let said = super::last_lines(output, LINES_MAX, usize::MAX);
        // What says only that something inside of it failed.
        let closing = form!(
            "^(?:make: \\*\\*\\*|make\\[.*\\]: |npm (?:error|ERR!)|Run 'docker |See 'docker |ELIFECYCLE|\
             error Command failed with exit code 127|info Visit https://yarnpkg\\.com/)"
        );
        let complaints = said.iter().rev().take_while(|line| self.is_missing(line) || closing.is_match(line));
        // The first of a tool's complaints is the reason of the others.
        let told = complaints.filter(|line| self.is_missing(line)).last().cloned();
        // The results of runners that gulf does not count.
        const AROUND: &str = r"[^a-zA-Z0-9 \t]*";
        const WORD: &str = "(?:passed|failed|passing|failing|tests|failures)";
        let of_tests = form!(&format!(
            r"^[ \t]*(?:ok |not ok |PASS|FAIL|--- |✓|✔|✗|✖|1\.\.)|(?:^|[ \t]){AROUND}[0-9]+{AROUND}[ \t]+{AROUND}{WORD}{AROUND}(?:[ \t]|$)"
        ));
        told.filter(|_| !lines(output).any(|line| of_tests.is_match(&line)))
    }

    /// Says the line that what was to be run is not there?
    fn is_missing(&self, line: &str) -> bool {
        last().iter().any(|complaint| self.hears(complaint, line)) || self.is_of_shell(line)
    }

    fn is_of_shell(&self, line: &str) -> bool {
        let Some((who, said)) = line.split_once(": ") else { return false };
        // `1: X: not found`, `line 2: X: command not found`, `1: cd: can't cd to X`. Elsewhere than in its first line, a file
        // that cannot be opened is what a test reads.
        let by_shell = form!(
            "^(?:line )?(?:[0-9]*: .*: (?:command )?not found|0: can(?:not|'t) open .*|\
             [0-9]*[^ \t0-9][^ \t]*: (?:command )?not found|\
             (?:[0-9]*: )?cd: (?:can't cd to .*|.*: No such file or directory))$"
        );
        // What programs say so that start others.
        let by_starter = form!(
            "^(?:line )?(?:failed to run command [^ \t]+|[0-9]*[^ \t0-9][^ \t]*): No such file or directory$"
        );
        let is_starter = STARTERS.contains(&file_name(who));
        self.is_ours(who) && (by_shell.is_match(said) || (is_starter && by_starter.is_match(said)))
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
