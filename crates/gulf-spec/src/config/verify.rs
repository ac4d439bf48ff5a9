//! How the work is checked, as settings say it.

use gulf_engine::FindingsPolicy;

/// How checks get a checkout they can run in (SPEC B2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifySettings {
    pub from_clean: bool,
    /// Names of checks that run in the project itself.
    pub in_place: Vec<String>,
    pub isolation: Isolation,
    /// Names of checks that are not isolated.
    pub open: Vec<String>,
    /// What isolated checks may read outside of the project.
    pub visible: Vec<String>,
    pub baseline: bool,
    /// What CI and task files run counts without a further word.
    pub detected: bool,
    /// Who looks at the work, in presets with levels (SPEC A4): 1 the checks alone, 2 a judge as well, 3 a QA review too,
    /// 4 security and documents too.
    pub level: u32,
    /// The largest report that is read, and how much of an output's end.
    pub report_bytes_max: u64,
    /// Tests whose expectations the work may change.
    pub tests_may_change: Vec<String>,
    /// What follows where tests were changed that may not.
    pub on_test_change: FindingsPolicy,
}

/// Is something kept from parts of the machine?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolation {
    /// Where the machine can do it, and for checks where the base says the same.
    Auto,
    Isolated,
    None,
}
