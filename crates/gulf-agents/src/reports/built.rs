//! The JUnit files that Maven and Gradle leave by themselves, beside what they print.
//!
//! The two print little: Maven counts and names what failed, Gradle is silent where all is well. Such a file lies
//! where tests can write, too, so it is believed where its own totals agree with its tests, and Maven's where its
//! lines state the same.

use std::collections::{BTreeMap, BTreeSet};

use super::section::{Results, Section, settle};
use super::{Completeness, JunitFile, Runner, forms};

/// What makes a folder one of a build tool's.
pub const BUILD_FILES: [&str; 5] =
    ["pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];

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
    ///
    /// What lies below another build, or among sources, is the sample of a test.
    pub fn of_report(path: &str) -> Option<Self> {
        let mut parts = path.rsplit('/');
        let name = parts.next()?.strip_prefix("TEST-")?;
        let (tool, above) = match (parts.next()?, parts.next()?) {
            ("surefire-reports" | "failsafe-reports", "target") => (Self::Maven, None),
            (_, "test-results") => (Self::Gradle, Some(parts.next()?)),
            _ => return None,
        };
        let is_sample = parts.any(|part| ["target", "build", "src"].contains(&part));
        (name.ends_with(".xml") && above.is_none_or(|above| above == "build") && !is_sample).then_some(tool)
    }

    /// Those reports that a run wrote, by when each was written, as they lay there before it and lie there now.
    ///
    /// Gradle empties the folder of a task that runs: where something older lies, others wrote there.
    pub fn written_anew<T: PartialEq>(
        before: &BTreeMap<String, T>,
        now: BTreeMap<String, T>,
    ) -> Vec<(Self, String)> {
        let folder_of = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        let (old, new): (BTreeMap<_, _>, _) =
            now.into_iter().partition(|(path, written)| before.get(path) == Some(written));
        let shared: BTreeSet<String> = old.keys().map(|path| folder_of(path)).collect();
        let reports = new.into_keys().filter_map(|path| Some((Self::of_report(&path)?, path)));
        reports.filter(|(tool, path)| *tool == Self::Maven || !shared.contains(&folder_of(path))).collect()
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
