//! The JUnit files that Maven and Gradle leave by themselves, beside what they print.
//!
//! It stands apart because the two print little: Maven counts and names what failed, Gradle is silent where all is well.
//! Such a file lies where tests can write, too, so it is believed where its own totals agree with its tests, and Maven's
//! where its lines state the same.

use super::section::{Results, Section, settle};
use super::{Completeness, JunitFile, Runner, forms};

/// Who writes reports without being asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BuildTool {
    /// Surefire's and Failsafe's, of every class that ran.
    Maven,
    /// Those of the tasks that had something to do: what is up to date is not written anew.
    Gradle,
}

/// A report of a build tool's, written by the run that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltReport {
    /// By which tool's custom it lay there.
    pub tool: BuildTool,
    /// What it says.
    pub file: JunitFile,
}

impl BuildTool {
    /// Whose report this is: `app/target/surefire-reports/TEST-a.BTest.xml`, `build/test-results/test/TEST-a.BTest.xml`
    pub fn of_report(path: &str) -> Option<Self> {
        let mut parts = path.rsplit('/');
        let name = parts.next()?.strip_prefix("TEST-")?;
        if !name.ends_with(".xml") {
            return None;
        }
        match (parts.next(), parts.next(), parts.next()) {
            (Some("surefire-reports" | "failsafe-reports"), Some("target"), _) => Some(Self::Maven),
            (Some(_), Some("test-results"), Some("build")) => Some(Self::Gradle),
            _ => None,
        }
    }

    /// May such reports lie in this folder, or in one below it? Seen from where the tool is called.
    pub fn may_report_in(folder: &str) -> bool {
        let mut parts = folder.split('/').skip_while(|part| !["target", "build"].contains(part));
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some("target"), below, None, None) => {
                below.is_none_or(|below| ["surefire-reports", "failsafe-reports"].contains(&below))
            }
            (Some(_), Some(below), _, None) => below == "test-results",
            (Some(_), None, None, None) => true,
            (Some(_), ..) => false,
            (None, ..) => folder.split('/').all(|part| {
                !part.starts_with('.') && !["node_modules", "src", "out", "bin", "vendor"].contains(&part)
            }),
        }
    }
}

/// The reports within an output, with what lies beside it.
pub(super) fn sections(output: &[u8], files: Vec<BuiltReport>) -> Vec<Section> {
    let mut sections = forms::sections(output);
    let (maven, gradle): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| file.tool == BuildTool::Maven);
    if let Some(built) = joined(maven, Runner::Junit) {
        // Quiet, Maven prints nothing of tests that pass.
        match sections.iter_mut().find(|section| section.runner == Runner::Maven) {
            Some(lines) if lines.stated.is_some() && lines.stated == built.stated => *lines = built,
            Some(_) => {}
            None => sections.push(built),
        }
    }
    if let Some(mut built) = joined(gradle, Runner::Gradle) {
        built.complete = built.complete.min(Completeness::FailuresOnly);
        sections.push(built);
    }
    sections
}

/// All of one tool's as one report; one that is cut, or says two things, leaves the failures only.
fn joined(files: Vec<BuiltReport>, runner: Runner) -> Option<Section> {
    let files: Vec<JunitFile> =
        files.into_iter().map(|built| built.file).filter(|file| file.is_one).collect();
    if files.is_empty() {
        return None;
    }
    let agree = files.iter().all(|file| file.is_whole() && file.states_what_it_holds);
    let mut results = Results::default();
    files.into_iter().for_each(|file| results.append(file.section.results));
    let stated = agree.then(|| results.counts());
    Some(settle(runner, results, stated))
}
