//! Runs other programs with closed stdin and keeps the end of what they say, so that a chore can show it or not.

#[cfg(all(test, unix))]
mod tests;

use crate::failure::Failure;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A failing build prints a lot; the end is what says why.
const OUTPUT_LINES_MAX: usize = 4_000;

/// When the output reaches the terminal: long steps as it comes, short ones only if they fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Echo {
    Live,
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Success,
    Failure,
}

/// What a program left behind: how it ended and the last lines of stdout and stderr, in the order written.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) exit: Exit,
    /// None where a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) lines: VecDeque<String>,
}

/// The workspace this xtask was built from.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// The cargo that runs us, in the workspace.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// Runs to the end with stdout and stderr in one pipe.
pub(crate) fn run(mut command: Command, echo: Echo) -> Result<Finished, Failure> {
    let program = name(&command);
    let start = |source| Failure::Start { program: program.clone(), source };
    let (reader, writer) = std::io::pipe().map_err(start)?;
    command.stdin(Stdio::null()).stdout(writer.try_clone().map_err(start)?).stderr(writer);
    let mut child = command.spawn().map_err(start)?;
    // The command holds the writing ends; until it is gone the pipe never ends.
    drop(command);
    let lines = read_lines(BufReader::new(reader), echo).map_err(start)?;
    let status = child.wait().map_err(start)?;
    let exit = if status.success() { Exit::Success } else { Exit::Failure };
    Ok(Finished { exit, code: status.code(), lines })
}

/// Stdout of a program that must succeed.
pub(crate) fn stdout(mut command: Command) -> Result<String, Failure> {
    let program = name(&command);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = command.output().map_err(|source| Failure::Start { program: program.clone(), source })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Failure::Program { program, output: format!("{}\n{}", output.status, said.trim_end()) })
}

/// Lets cargo build, and says which executables there are by then, built anew or not.
pub(crate) fn built(mut command: Command) -> Result<Vec<PathBuf>, Failure> {
    command.arg("--message-format=json-render-diagnostics");
    let messages = stdout(command)?;
    let executables = messages.lines().filter_map(|line| {
        let (_, rest) = line.split_once("\"executable\":\"")?;
        Some(PathBuf::from(rest.split_once('"')?.0))
    });
    Ok(executables.collect())
}

/// The one of this name.
pub(crate) fn named(executables: &[PathBuf], name: &str) -> Result<PathBuf, Failure> {
    let found = executables.iter().rev().find(|path| path.file_stem().is_some_and(|stem| stem == name));
    let nothing = || Failure::Found {
        what: format!("cargo built no `{name}`"),
        hint: "a crate must have this binary, and tests that use it",
    };
    found.cloned().ok_or_else(nothing)
}

/// Whether `cargo <subcommand>` can run here.
pub(crate) fn has_cargo_subcommand(subcommand: &str) -> bool {
    stdout(cargo(&[subcommand, "--version"])).is_ok()
}

fn name(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

fn read_lines(mut reader: impl BufRead, echo: Echo) -> std::io::Result<VecDeque<String>> {
    let mut lines = VecDeque::new();
    let mut bytes = Vec::new();
    while reader.read_until(b'\n', &mut bytes)? > 0 {
        let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
        bytes.clear();
        if echo == Echo::Live {
            println!("{line}");
        }
        if lines.len() == OUTPUT_LINES_MAX {
            lines.pop_front();
        }
        lines.push_back(line);
    }
    Ok(lines)
}
