//! How many errors linters, type checkers and compilers name in an output (SPEC L3).
//!
//! A finding has no name that lives on: only how many there are can be compared between iterations. Whether a check
//! is green is said by its exit code, never by this.

use std::collections::BTreeSet;

mod json;
#[cfg(test)]
mod tests;
mod words;

use crate::reports::clean;

/// Tries for large values in one output that come to nothing.
const LARGE_TRIES_MAX: u32 = 16;

/// A tool whose words are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tool {
    /// rustc, and what cargo says of it; clippy included.
    Rustc,
    Eslint,
    /// ruff, and what writes lines like it, as flake8 does.
    Ruff,
    Mypy,
    Tsc,
    /// A log in SARIF, whoever wrote it.
    Sarif,
    /// `file:line: error: …`, as many compilers write.
    Compiler,
}

/// What an output says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    pub errors: u64,
    /// Who spoke; empty where nobody was recognised.
    pub tools: BTreeSet<Tool>,
    /// Each of them came to its end. Where not, there may be more than was read.
    pub is_whole: bool,
}

/// What a line, or a JSON value, says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ToolLine {
    /// One error.
    Error,
    /// One warning: somebody spoke.
    Warning,
    /// The tool's own closing words: it came to its end, and found so many; 0 where it says no number.
    Ended { errors: u64 },
}

/// Reads stdout and stderr, interleaved as they came.
pub fn read(output: &[u8]) -> Findings {
    let mut account = Account { tries: LARGE_TRIES_MAX, ..Account::default() };
    let mut start = 0;
    for line in output.split(|byte| *byte == b'\n') {
        // What stands within a value that was read says nothing of its own.
        if start >= account.read_to {
            account.line(&clean(line), &output[start..], start);
        }
        start += line.len() + 1;
    }
    account.break_off();
    Findings { is_whole: !account.was_cut, ..account.findings }
}

#[derive(Debug, Default)]
struct Account {
    findings: Findings,
    open: Option<Section>,
    was_cut: bool,
    before: String,
    /// Bytes up to here were read as one value.
    read_to: usize,
    /// So often a value is looked for that may reach to the end of the output.
    tries: u32,
}

/// What one run of one tool has said so far.
#[derive(Debug)]
struct Section {
    tool: Tool,
    errors: u64,
}

impl Account {
    fn line(&mut self, line: &str, rest: &[u8], at: usize) {
        if line.starts_with(['{', '['])
            && let Some((said, length)) = json::read_value(rest, &mut self.tries)
        {
            self.read_to = at + length;
            for (tool, said) in said {
                self.take(tool, said);
            }
        } else if let Some((tool, said)) =
            words::read_line(line, &self.before, self.open.as_ref().map(|open| open.tool))
        {
            self.take(tool, said);
        }
        line.clone_into(&mut self.before);
    }

    fn take(&mut self, tool: Tool, said: ToolLine) {
        match &mut self.open {
            // mypy's lines have the form of many, and only its last one its name.
            Some(open) if (open.tool, tool) == (Tool::Compiler, Tool::Mypy) => open.tool = tool,
            Some(open) if open.tool != tool => self.break_off(),
            Some(_) | None => {}
        }
        let open = self.open.get_or_insert(Section { tool, errors: 0 });
        match said {
            ToolLine::Error => open.errors = open.errors.saturating_add(1),
            ToolLine::Warning => {}
            ToolLine::Ended { errors } => {
                open.errors = open.errors.max(errors);
                self.close();
            }
        }
    }

    /// What is still open was never said to be all of it.
    fn break_off(&mut self) {
        self.was_cut |= self.open.is_some();
        self.close();
    }

    fn close(&mut self) {
        let Some(Section { tool, errors }) = self.open.take() else { return };
        self.findings.tools.insert(tool);
        self.findings.errors = self.findings.errors.saturating_add(errors);
    }
}
