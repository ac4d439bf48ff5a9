//! When walls come down, and what lies behind them.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::reports::{self, Completeness, TestOutcome};
use gulf_engine::Digest;

use super::room::Machine;
use super::{Level, compared};
use crate::checks::{Ran, RunEnd, RunRecord};
use crate::environment::Environment;

fn ran(code: i32, tests: &[(&str, TestOutcome)], said: &str) -> Ran {
    let tests: BTreeMap<String, TestOutcome> =
        tests.iter().map(|(name, word)| ((*name).to_owned(), *word)).collect();
    let readable = if tests.is_empty() { Completeness::None } else { Completeness::Every };
    Ran {
        record: RunRecord {
            version: 1,
            end: RunEnd::Exited { code },
            duration_ms: 0,
            tail: String::new(),
            tests,
            readable,
            ran: None,
            skipped: None,
            rewritten: Vec::new(),
            unrun: BTreeMap::new(),
        },
        report: reports::read(b""),
        measured: Default::default(),
        lacking: Vec::new(),
        missing: None,
        output: Vec::new(),
        fingerprint: Digest::new(said),
        log: Digest::new(""),
    }
}

fn opened(within: &Ran, without: &Ran) -> Option<String> {
    match compared(within, without) {
        Level::Isolated => None,
        Level::Open { why } => Some(why),
    }
}

// proves: B2
#[test]
fn walls_come_down_only_where_they_take_something_away() {
    use TestOutcome::{Failed, Passed};
    let red = ran(1, &[("adds", Failed), ("asks", Failed)], "one");
    assert_eq!(opened(&red, &ran(1, &[("adds", Failed), ("asks", Failed)], "two")), None);
    // Fewer passes without walls, as where somebody disturbs that run.
    assert_eq!(opened(&ran(1, &[("adds", Failed), ("asks", Passed)], "one"), &red), None);
    let asks = ran(1, &[("adds", Failed), ("asks", Passed)], "two");
    assert_eq!(opened(&red, &asks).unwrap(), "on the base, asks passes only without walls");
    let both = ran(1, &[("adds", Passed), ("asks", Passed)], "two");
    assert_eq!(opened(&red, &both).unwrap(), "on the base, adds and 1 more pass only without walls");
    assert!(opened(&red, &ran(0, &[], "two")).unwrap().contains("in isolation and passes without"));
    assert_eq!(opened(&ran(1, &[], "one"), &ran(1, &[], "one")), None);
    assert!(
        opened(&ran(127, &[], "one"), &ran(1, &[], "two")).unwrap().contains("another result in isolation")
    );
}

#[test]
fn tools_are_found_by_variables_and_in_the_home_and_its_settings_are_not_among_them() {
    let folder = tempfile::tempdir().unwrap();
    let home = Utf8Path::from_path(folder.path()).unwrap();
    for name in ["bin", ".cargo/bin", ".pyenv/shims", "venv/bin", ".cargo/registry"] {
        std::fs::create_dir_all(home.join(name)).unwrap();
    }
    std::fs::write(home.join(".cargo/config.toml"), "").unwrap();
    let path = format!("{home}/bin:{home}/.cargo/bin:{home}/venv/bin:{home}/gone/bin:relative/bin");
    let variables = [("PATH".to_owned(), path)];
    let environment = Environment::from_variables(variables.into_iter());
    let machine = Machine { home: Some(home.to_owned()), environment: &environment };
    let mut programs = machine.programs();
    programs.sort();
    programs.dedup();
    let of_home = |names: &[&str]| names.iter().map(|name| home.join(name)).collect::<Vec<Utf8PathBuf>>();
    assert_eq!(programs, of_home(&[".cargo/bin", ".pyenv", "bin", "venv", "venv/bin"]));
}
