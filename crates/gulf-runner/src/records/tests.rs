//! What becomes of a record that is damaged, of one that cannot be read, and of one that is not there.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::hint::Hint as _;

use super::{find, read};
use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::{judge, references};

fn root(folder: &tempfile::TempDir) -> Utf8PathBuf {
    Utf8Path::from_path(folder.path()).unwrap().join("루프 a b")
}

/// It says which file it is and what to do, and a loop rests for it.
#[track_caller]
fn check(error: &RunError, path: &Utf8Path, what: &str) {
    assert_eq!(error.to_string(), format!("cannot read {path} as {what}"));
    assert!(error.hint().is_some_and(|hint| hint.contains("`gulf ")), "{:?}", error.hint());
    assert!(error.needs_person(), "no retry mends a file");
}

#[test]
fn what_is_damaged_is_an_error_and_what_is_not_there_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = root(&folder);
    assert!(matches!(read::<Vec<u32>>(&path, "numbers"), Ok(None)));
    for damaged in ["", "[1, 2", "{}", "[1] [2]"] {
        fs::write(&path, damaged).unwrap();
        check(&read::<Vec<u32>>(&path, "numbers").unwrap_err(), &path, "numbers");
        assert_eq!(find::<Vec<u32>>(&path), None, "what is only shown is left out");
    }
    fs::write(&path, "[1]").unwrap();
    assert!(matches!(read::<Vec<u32>>(&path, "numbers"), Ok(Some(numbers)) if numbers == [1]));
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(matches!(read::<Vec<u32>>(&path, "numbers"), Err(RunError::Read(_))), "a folder is no record");
}

#[test]
fn whoever_decides_on_a_record_hears_that_it_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let paths = LoopPaths::new(root(&folder));
    let verdict = paths.iteration(1).join("judge.json");
    fs::create_dir_all(verdict.parent().unwrap()).unwrap();
    assert!(matches!(judge::read_last(&paths, 1, judge::JUDGE), Ok(None)));
    assert!(matches!(references::at_start(&paths, "refs/heads/main"), Ok(None)));
    fs::write(&verdict, "{\"version\": 1").unwrap();
    check(&judge::read_last(&paths, 1, judge::JUDGE).unwrap_err(), &verdict, "a verdict");
    assert_eq!(judge::last_of(&paths, 1, judge::JUDGE), None);
    let names = paths.root().join("references.json");
    fs::write(&names, "null and void").unwrap();
    check(&references::at_start(&paths, "refs/heads/main").unwrap_err(), &names, "names of branches");
}
