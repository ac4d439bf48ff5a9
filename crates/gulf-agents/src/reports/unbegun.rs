//! Says of a failed command that it never came to its tests, by the last words of the shell or tool that was to begin them.
//!
//! A wrapper (`make`, a script, `… || exit 1`) turns a shell's own exit code into an ordinary one, and then only the
//! words are left. They count where they are the last, in the tool's own form and from what the command itself names:
//! a test that prints such a line is followed by its runner's closing lines, which do not have that form.

use super::lines;

/// Programs that find and start others, by the name they complain under.
const STARTERS: [&str; 13] = [
    "sh", "bash", "dash", "zsh", "ksh", "ash", "busybox", "env", "make", "gmake", "timeout", "xargs", "nohup",
];
/// What runs recipes, whose scripts the command does not name.
const RUNNERS: [&str; 11] =
    ["make", "gmake", "npm", "yarn", "pnpm", "bun", "just", "task", "rake", "invoke", "docker"];
/// So many of the last lines are looked at.
const LINES_MAX: usize = 24;

/// What one of the last lines is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    /// What was to be run is not there.
    Missing,
    /// Says only that something inside of it failed.
    Closing,
    /// Anything else.
    Said,
}

/// The line that says that nothing began, if nothing but closing lines follows it.
pub fn unbegun(command: &str, output: &[u8]) -> Option<String> {
    let command = UnbegunCommand::new(command);
    let said = super::last_lines(output, LINES_MAX, usize::MAX);
    let words = said.iter().rev().map(|line| (line, command.word(line)));
    let mut told = None;
    for (line, word) in words {
        match word {
            // The first of a tool's complaints is the reason of the others.
            Word::Missing => told = Some(line.clone()),
            Word::Closing => {}
            Word::Said => break,
        }
    }
    told.filter(|_| !lines(output).any(|line| is_of_tests(line.trim_start())))
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

    fn word(&self, line: &str) -> Word {
        if self.is_of_docker(line)
            || self.is_of_package(line)
            || self.is_of_make(line)
            || self.is_of_shell(line)
        {
            Word::Missing
        } else if is_closing(line) {
            Word::Closing
        } else {
            Word::Said
        }
    }

    /// `sh: 1: X: not found`, `./c1.sh: line 2: X: command not found`, `sh: 1: cd: can't cd to X`.
    fn is_of_shell(&self, line: &str) -> bool {
        if line.strip_prefix("zsh: command not found: ").is_some_and(is_one_word) {
            return true;
        }
        let Some((who, rest)) = line.split_once(": ") else { return false };
        if !self.is_ours(who) {
            return false;
        }
        let rest = rest.strip_prefix("line ").unwrap_or(rest);
        match rest.split_once(": ") {
            Some((number, rest)) if number.chars().all(|one| one.is_ascii_digit()) => {
                let is_not_found =
                    [": not found", ": command not found"].iter().any(|end| rest.ends_with(end));
                // Elsewhere than in its first line, a file that cannot be opened is what a test reads.
                let is_script =
                    number == "0" && ["cannot open ", "can't open "].iter().any(|how| rest.starts_with(how));
                is_not_found || is_script || is_of_cd(rest)
            }
            Some((name, "command not found" | "not found")) => is_one_word(name),
            Some((name, "No such file or directory")) if !name.starts_with("cd: ") => {
                let name = name.strip_prefix("failed to run command ").unwrap_or(name);
                STARTERS.contains(&file_name(who)) && is_one_word(name)
            }
            Some((name, rest)) => is_of_cd(&format!("{name}: {rest}")),
            None => false,
        }
    }

    /// Does it come from what the command starts, and not from a program below it?
    fn is_ours(&self, who: &str) -> bool {
        let name = file_name(who);
        let is_script = self.is_recipe && (name.ends_with(".sh") || name.ends_with(".bash"));
        STARTERS.contains(&name) || self.has(name) || is_script
    }

    fn is_of_make(&self, line: &str) -> bool {
        let Some(rest) = line.strip_prefix("make: *** ").or_else(|| line.strip_prefix("gmake: *** ")) else {
            return is_of_inner_make(line);
        };
        let is_command = (self.has("make") || self.has("gmake")) && is_of_make_itself(rest);
        is_command || rest.ends_with("] Error 127")
    }

    fn is_of_package(&self, line: &str) -> bool {
        let of_npm = line.strip_prefix("npm error ").or_else(|| line.strip_prefix("npm ERR! "));
        let is_of_npm =
            of_npm.is_some_and(|rest| rest.contains("Could not read package.json: Error: ENOENT"));
        let is_of_yarn = line.starts_with("error Couldn't find a package.json file in ");
        let is_of_pnpm = line.contains("ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND");
        is_of_npm || (is_of_yarn && self.has("yarn")) || (is_of_pnpm && self.has("pnpm"))
    }

    fn is_of_docker(&self, line: &str) -> bool {
        let rest = ["docker: ", "ERROR: ", "error during connect: "]
            .iter()
            .find_map(|start| line.strip_prefix(start));
        let rest = rest.unwrap_or(line);
        let said = [
            "Cannot connect to the Docker daemon",
            "failed to connect to the docker API",
            "permission denied while trying to connect to the Docker daemon socket",
        ];
        said.iter().any(|start| rest.starts_with(start))
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|one| one.is_ascii_digit())
}

/// The results of runners that gulf does not count.
fn is_of_tests(line: &str) -> bool {
    let starts = ["ok ", "not ok ", "PASS", "FAIL", "--- ", "✓", "✔", "✗", "✖", "1.."];
    let mut words =
        line.split_whitespace().map(|word| word.trim_matches(|one: char| !one.is_ascii_alphanumeric()));
    let mut is_count = false;
    let is_counted = words.any(|word| {
        let was_count = std::mem::replace(&mut is_count, is_number(word));
        was_count && ["passed", "failed", "passing", "failing", "tests", "failures"].contains(&word)
    });
    starts.iter().any(|start| line.starts_with(start)) || is_counted
}

fn file_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

fn is_one_word(name: &str) -> bool {
    !name.is_empty() && !name.contains(char::is_whitespace)
}

fn is_of_cd(rest: &str) -> bool {
    let of_cd = rest.strip_prefix("cd: ");
    of_cd
        .is_some_and(|rest| rest.starts_with("can't cd to ") || rest.ends_with(": No such file or directory"))
}

fn is_of_make_itself(rest: &str) -> bool {
    rest.starts_with("No targets specified and no makefile found.")
        || rest.strip_suffix(": No such file or directory.  Stop.").is_some_and(is_one_word)
}

/// `make[1]: *** [Makefile:2: test] Error 127`
fn is_of_inner_make(line: &str) -> bool {
    line.starts_with("make[") && line.contains("]: *** [") && line.ends_with("] Error 127")
}

fn is_closing(line: &str) -> bool {
    let is_of_make = line.starts_with("make: ***") || (line.starts_with("make[") && line.contains("]: "));
    let is_of_npm = ["npm error", "npm ERR!"].iter().any(|start| line.starts_with(start));
    let is_of_docker = line.starts_with("Run 'docker ") || line.starts_with("See 'docker ");
    let is_of_yarn = line.starts_with("error Command failed with exit code 127")
        || line.starts_with("info Visit https://yarnpkg.com/")
        || line.starts_with("ELIFECYCLE");
    is_of_make || is_of_npm || is_of_docker || is_of_yarn
}

#[cfg(test)]
mod tests;
