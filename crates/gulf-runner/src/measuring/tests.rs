//! Which files count as written by a run.

use std::time::{Duration, SystemTime};

use super::{EarlierReports, WrittenReports};
use crate::agreement::{Place, SealedCheck};
use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::measure::ReportFile;
use gulf_agents::reports::BuildTool;
use gulf_engine::{Baseline, CheckName};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.0.path()).unwrap()
    }
}

fn check(reports: &[&str]) -> SealedCheck {
    SealedCheck {
        name: CheckName::new("test"),
        command: "pytest --cov".to_owned(),
        timeout_ms: 1,
        directory: Utf8PathBuf::from("web"),
        environment: std::collections::BTreeMap::new(),
        place: Place::Checkout,
        isolation: crate::agreement::CheckIsolation::Off,
        baseline: Baseline::Refused,
        measures: None,
        reports: reports.iter().map(|path| (*path).to_owned()).collect(),
        is_new: false,
        held_out: None,
        origin: String::new(),
    }
}

fn write(path: &Utf8Path, text: &str, seconds: u64) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
}

// proves: L3
#[test]
fn a_report_counts_where_this_run_wrote_it_and_not_an_earlier_one() {
    let folder = Folder::new();
    let web = folder.path().join("web");
    write(&web.join("coverage.xml"), "old", 1);
    write(&web.join("lcov.info"), "old", 1);
    let reports = EarlierReports::before(&check(&[]), folder.path(), 16 << 20);
    assert_eq!(reports.left(), WrittenReports::default());
    write(&web.join("lcov.info"), "new", 2);
    write(&web.join("coverage/lcov.info"), "first", 2);
    let files = vec![ReportFile::read(b"first"), ReportFile::read(b"new")];
    assert_eq!(reports.left(), WrittenReports { files, ..WrittenReports::default() }, "nobody promised them");
}

#[test]
fn where_a_check_names_its_reports_no_others_are_read() {
    let folder = Folder::new();
    let reports = EarlierReports::before(&check(&["out/cov.xml"]), folder.path(), 16 << 20);
    write(&folder.path().join("web/coverage.xml"), "usual", 2);
    write(&folder.path().join("web/out/cov.xml"), "<coverage></coverage>", 2);
    let files = vec![ReportFile::read(b"<coverage></coverage>")];
    assert_eq!(reports.left(), WrittenReports { files, ..WrittenReports::default() });
}

// proves: L3
#[test]
fn a_report_that_a_check_names_and_does_not_leave_whole_is_lacking() {
    let folder = Folder::new();
    let reports = EarlierReports::before(&check(&["out/cut.sarif", "out/none.xml"]), folder.path(), 16 << 20);
    write(&folder.path().join("web/out/cut.sarif"), "{\"version\":\"2.1.0\",\"runs\":[{\"resu", 2);
    let left = reports.left();
    assert_eq!(left.lacking, ["out/cut.sarif is no whole report", "out/none.xml was not written"]);
    assert_eq!(left.files.len(), 1);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_elsewhere_is_no_report() {
    let folder = Folder::new();
    let reports = EarlierReports::before(&check(&[]), folder.path(), 16 << 20);
    write(&folder.path().join("elsewhere"), "secret", 2);
    std::fs::create_dir_all(folder.path().join("web")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("elsewhere"), folder.path().join("web/lcov.info")).unwrap();
    assert_eq!(reports.left(), WrittenReports::default());
}

#[test]
fn a_report_that_is_too_large_is_refused_with_the_setting_that_raises_the_limit() {
    let folder = Folder::new();
    let reports = EarlierReports::before(&check(&["out/cov.xml"]), folder.path(), 10 << 20);
    write(&folder.path().join("web/out/cov.xml"), &" ".repeat(11 << 20), 2);
    let left = reports.left();
    assert_eq!(left.lacking, ["out/cov.xml has 11 MiB, and 10 MiB are read (verify.report_limit)"]);
}

const SUITE: &str =
    "<testsuite name=\"a.B\" tests=\"1\"><testcase name=\"adds\" classname=\"a.B\"/></testsuite>";

// proves: L3
#[test]
fn reports_of_build_tools_count_where_this_run_wrote_them_in_any_module() {
    let folder = Folder::new();
    let web = folder.path().join("web");
    write(&web.join("pom.xml"), "", 1);
    for old in ["target/surefire-reports/TEST-a.Old.xml", "app/build/test-results/test/TEST-a.Old.xml"] {
        write(&web.join(old), SUITE, 1);
    }
    let reports = EarlierReports::before(&check(&[]), folder.path(), 16 << 20);
    assert_eq!(reports.left(), WrittenReports::default());
    write(&web.join("target/surefire-reports/TEST-a.B.xml"), SUITE, 2);
    write(&web.join("core/target/failsafe-reports/TEST-a.B.xml"), SUITE, 2);
    write(&web.join("core/build/test-results/test/TEST-a.B.xml"), SUITE, 2);
    // Gradle would have taken the old one away.
    write(&web.join("app/build/test-results/test/TEST-a.B.xml"), SUITE, 2);
    write(&web.join("node_modules/a/target/surefire-reports/TEST-a.B.xml"), SUITE, 2);
    let tools: Vec<_> = reports.left().built.iter().map(|built| built.tool).collect();
    assert_eq!(tools, [BuildTool::Gradle, BuildTool::Maven, BuildTool::Maven]);
}

#[test]
fn reports_of_build_tools_are_not_looked_for_elsewhere_or_beyond_the_limit() {
    let folder = Folder::new();
    let web = folder.path().join("web");
    let report = web.join("target/surefire-reports/TEST-a.B.xml");
    let reports = EarlierReports::before(&check(&[]), folder.path(), 16 << 20);
    write(&report, SUITE, 2);
    assert_eq!(reports.left(), WrittenReports::default(), "no build tool is at home there");
    write(&web.join("pom.xml"), "", 1);
    let named = EarlierReports::before(&check(&["out/tests.xml"]), folder.path(), 16 << 20);
    let small = EarlierReports::before(&check(&[]), folder.path(), u64::try_from(SUITE.len()).unwrap());
    write(&report, SUITE, 3);
    assert_eq!(small.left().built.len(), 1);
    write(&web.join("target/surefire-reports/TEST-a.C.xml"), SUITE, 3);
    assert_eq!(small.left().built, [], "together they are too large");
    assert_eq!(named.left().built, [], "a check that names its reports means those");
}
