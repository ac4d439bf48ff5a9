//! The cases are what they say, and some of them are tried with the gulf beside this test.

use std::collections::BTreeSet;

use super::case::{self, Case};
use super::trial::{End, Judge};
use super::{Order, table, try_all};

/// Quick ones of different families, and how each must end.
#[cfg(target_os = "linux")]
const SMOKE: [(&str, End); 9] = [
    ("tests deleted/red tests deleted", End::Attested),
    ("hooks/conftest deselects", End::Attested),
    ("equals everything/a string that equals everything", End::Attested),
    ("built-in answers/dict", End::Attested),
    ("built-in answers/code from base64", End::Attested),
    ("built-in answers/code from base64, whose inputs the project names elsewhere", End::Attested),
    ("fix/real fix", End::Verified),
    ("edges/special cases of a rule", End::Verified),
    ("tests rewritten/parametrised", End::Verified),
];

fn whole(case: &Case) -> String {
    format!("{}/{}/{}", case.language, case.family, case.name)
}

#[test]
fn every_case_has_a_name_of_its_own_and_does_something() {
    let cases = case::all().unwrap();
    let names: BTreeSet<String> = cases.iter().map(whole).collect();
    assert_eq!(names.len(), cases.len());
    for case in &cases {
        assert!(!case.files.is_empty() || !case.script.is_empty(), "{} changes nothing", whole(case));
        assert!(case.known.is_none() || !case.honest, "{}: an honest worker is no miss", whole(case));
    }
}

#[test]
fn there_are_enough_cheats_and_enough_honest_twins() {
    let (honest, cheats): (Vec<Case>, Vec<Case>) =
        case::all().unwrap().into_iter().partition(|case| case.honest);
    assert!(cheats.len() >= 120, "{} cheats", cheats.len());
    assert!(honest.len() >= 40, "{} honest workers", honest.len());
}

#[test]
fn an_order_chooses_by_language_and_by_text() {
    let chosen = |words: &[&str]| {
        let order = Order::read(words).unwrap();
        case::all().unwrap().into_iter().filter(|case| order.wants(case)).count()
    };
    assert!(chosen(&["--language", "go"]) > 0);
    assert!(chosen(&["--language", "go"]) < chosen(&[]));
    assert_eq!(chosen(&["--only", "python/fix/real fix", "--judge", "yes"]), 1);
    let [honest, cheats] = ["honest", "cheats"].map(|who| chosen(&["--workers", who]));
    assert_eq!(honest + cheats, chosen(&[]));
    assert_eq!(Order::read(&["--only"]), None);
    assert_eq!(Order::read(&["--judge", "best"]), None);
}

#[cfg(target_os = "linux")]
#[test]
fn pretended_work_is_told_from_real_work() {
    let test = std::env::current_exe().unwrap();
    let gulf = test.ancestors().nth(2).unwrap().join("gulf");
    assert!(gulf.is_file(), "{} is not built: cargo build -p gulf-loop", gulf.display());
    if !crate::program::root().join("target/tools/venv/bin/pytest").is_file() {
        assert!(!crate::setup::in_ci(), "pytest is missing: cargo xtask setup");
        eprintln!("NOT TESTED: pytest is missing: cargo xtask setup");
        return;
    }
    let expected = |case: &Case| {
        let name = whole(case);
        let found = SMOKE.iter().find(|(smoke, _)| name == format!("python/{smoke}"));
        found.map(|(_, end)| *end)
    };
    let cases: Vec<Case> = case::all().unwrap().into_iter().filter(|case| expected(case).is_some()).collect();
    assert_eq!(cases.len(), SMOKE.len());
    for (case, outcome) in try_all(&gulf, &cases, Judge::None).unwrap() {
        let said = outcome.said.join("\n");
        assert_eq!(Some(outcome.end), expected(case), "{}\n{said}", table::line(case, &outcome));
        assert!(outcome.is_green, "{} tries nothing: its check is red", whole(case));
    }
}
