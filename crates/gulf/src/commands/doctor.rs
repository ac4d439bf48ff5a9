//! `gulf doctor`: is everything there that a loop needs?
//!
//! It only looks: nothing is repaired, and the network is asked for nothing but whether Slack knows a token that is set up. What it looks at stands in `doctor/`, one function
//! each; here is how it is told.

mod agents;
mod machine;
mod project;
mod sessions;

use std::fmt::Write as _;

use camino::Utf8Path;
use gulf_spec::config::Config;
use gulf_views::{Palette, Tone, columns, counted, one_line, padded};
use serde::Serialize;

use super::tell;
use crate::cli::ReportArguments;
use crate::failure::{ERROR, Result};
use crate::trusting::is_trusted;

/// One thing that was looked at.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    /// What it is about, in one word.
    pub(super) about: &'static str,
    pub(super) word: FindingWord,
    pub(super) message: String,
    hint: Option<String>,
}

/// How it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FindingWord {
    Ok,
    /// A loop runs, but a person should know this.
    Warning,
    /// A loop cannot be started, or not be trusted.
    Problem,
}

pub fn doctor(arguments: &ReportArguments) -> Result<u8> {
    let findings = inspect()?;
    let is_well = findings.iter().all(|finding| finding.word != FindingWord::Problem);
    let json = || serde_json::json!({ "version": 1, "ok": is_well, "findings": findings });
    tell(arguments.json, json, || render(&findings))?;
    Ok(if is_well { 0 } else { ERROR })
}

/// What a loop would work with here, as far as `gulf` alone tells it: the settings; agent, judge and limits. An error is the
/// first mistake in the settings.
pub(super) fn standard(project: &Utf8Path) -> Result<(Config, [Finding; 3]), String> {
    let mut findings = Vec::new();
    let Some(config) = project::settings(project, &mut findings) else {
        return Err(findings.into_iter().next().map(|first| first.message).unwrap_or_default());
    };
    let found = [agents::agent(project, &config), agents::judge(project, &config), agents::limits(&config)];
    Ok((config, found))
}

fn inspect() -> Result<Vec<Finding>> {
    let directory = crate::place::current_directory()?;
    let mut findings = vec![machine::git()];
    let found = project::repository(&directory, &mut findings);
    let project = found.as_ref().map_or(directory.as_path(), |project| &project.directory);
    let home = machine::home(found.as_ref().map(|project| project.directory.as_path()), &mut findings);
    findings.push(machine::shim(project));
    findings.push(machine::walls());
    findings.extend(machine::limits());
    let config = project::settings(project, &mut findings);
    findings.extend(project::rubric(project));
    findings.extend(project::autochecks(project));
    if let Some(config) = &config {
        findings.extend(agents::installed());
        findings.push(agents::agent(project, config));
        findings.push(agents::judge(project, config));
        findings.push(agents::limits(config));
        findings.extend(project::checks(project, config));
        let is_trusted =
            found.as_ref().zip(home.as_ref()).is_some_and(|(found, home)| is_trusted(home, found));
        findings.extend(agents::channels(project, config, is_trusted));
    }
    findings.extend(sessions::hosts());
    if let (Some(_), Some(home)) = (&found, home) {
        findings.extend(project::loops(&directory, home));
    }
    Ok(findings)
}

impl Finding {
    fn ok(about: &'static str, message: impl Into<String>) -> Self {
        Self { about, word: FindingWord::Ok, message: message.into(), hint: None }
    }

    fn warning(about: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { about, word: FindingWord::Warning, message: message.into(), hint: Some(hint.into()) }
    }

    fn problem(about: &'static str, message: impl Into<String>, hint: Option<String>) -> Self {
        Self { about, word: FindingWord::Problem, message: message.into(), hint }
    }
}

impl FindingWord {
    fn painted(self) -> String {
        let (text, tone) = match self {
            Self::Ok => ("ok", Tone::Verified),
            Self::Warning => ("warning", Tone::Attention),
            Self::Problem => ("problem", Tone::Failed),
        };
        let blanks = " ".repeat("problem".len() - text.len());
        format!("{}{blanks}", tone.paint(text, Palette::Colour))
    }
}

fn render(findings: &[Finding]) -> String {
    let width = findings.iter().map(|finding| columns(finding.about)).max().unwrap_or(0);
    let mut text = String::new();
    for finding in findings {
        let about = padded(finding.about, width);
        let _ = writeln!(text, "{}  {about}  {}", finding.word.painted(), one_line(&finding.message));
        if let Some(hint) = &finding.hint {
            let indent = " ".repeat("problem".len() + width + 4);
            let label = Tone::Literal.paint("hint:", Palette::Colour);
            let _ = writeln!(text, "{indent}{label} {}", one_line(hint));
        }
    }
    let number = |word: FindingWord| findings.iter().filter(|finding| finding.word == word).count();
    let warnings = counted(number(FindingWord::Warning), "warning", "warnings");
    let _ = match number(FindingWord::Problem) {
        0 => writeln!(text, "\nNo problem, {warnings}."),
        problems => writeln!(text, "\n{}, {warnings}.", counted(problems, "problem", "problems")),
    };
    text
}
