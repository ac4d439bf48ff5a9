//! What is plainly missing, by real files, and what is believed.

use std::fs;

use gulf_spec::config::{self, Key, SettingLayers};

use super::*;
use crate::agreement::SealedCheck;

struct Project(tempfile::TempDir);

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.0.path()).unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn executable(&self, path: &str, text: &str) {
        self.write(path, text);
        programs::make_executable(&self.path().join(path)).unwrap();
    }

    fn with_git(self) -> Self {
        let git =
            std::process::Command::new("git").args(["init", "--quiet"]).current_dir(self.path()).status();
        assert!(git.unwrap().success());
        self
    }

    fn lacks(&self, command: &str) -> Option<String> {
        self.lacks_with(command, Vec::new())
    }

    fn lacks_with(&self, command: &str, flags: Vec<(Key, String)>) -> Option<String> {
        let config = config::load(&SettingLayers { flags, ..SettingLayers::default() }).unwrap();
        let check = SealedCheck::from_command(command, command, String::new());
        missing(self.path(), &config, &check).map(|missing| missing.to_string())
    }
}

#[test]
fn a_program_that_is_not_there_is_named_wherever_it_stands_first() {
    let project = Project::new(&[("x/a.txt", "")]);
    for command in ["no-such-program -q", "cd x && no-such-program", "env FOO=1 no-such-program"] {
        let told = project.lacks(command);
        assert_eq!(told.as_deref(), Some("the program no-such-program was not found"), "{command}");
    }
    assert_eq!(project.lacks("cd y && sh -c true").as_deref(), Some("there is no folder y"));
    assert_eq!(project.lacks("sh -c true"), None);
    let setup = vec![(Key::EnvironmentSetup, "make tools".to_owned())];
    assert_eq!(project.lacks_with("no-such-program", setup), None, "a set-up may install it");
}

#[test]
fn a_script_is_there_executable_and_has_its_interpreter() {
    let project = Project::new(&[("plain.sh", "exit 0\n")]);
    project.executable("good.sh", "#!/bin/sh\n");
    project.executable("bad.sh", "#!/usr/bin/env no-such-interpreter\n");
    project.executable("worse.sh", "#!/no/such/interpreter -x\n");
    assert_eq!(project.lacks("./good.sh"), None);
    assert_eq!(project.lacks("sh plain.sh"), None);
    assert_eq!(project.lacks("./plain.sh").as_deref(), Some("./plain.sh is not executable"));
    assert_eq!(project.lacks("./check.sh").as_deref(), Some("there is no file ./check.sh"));
    assert_eq!(project.lacks("sh check.sh").as_deref(), Some("there is no file check.sh"));
    let told = "./bad.sh needs the interpreter no-such-interpreter, which was not found";
    assert_eq!(project.lacks("./bad.sh").as_deref(), Some(told));
    let told = "./worse.sh needs the interpreter /no/such/interpreter, which was not found";
    assert_eq!(project.lacks("./worse.sh").as_deref(), Some(told));
}

#[test]
fn a_script_of_package_json_has_to_stand_there() {
    let project = Project::new(&[("package.json", r#"{"scripts": {"test": "true"}}"#)]);
    project.executable("npm", "");
    assert!(has_package_script(project.path(), "test"));
    assert!(!has_package_script(project.path(), "lint"));
    assert_eq!(
        Missing::PackageScript { name: "lint".to_owned() }.to_string(),
        "package.json has no script lint"
    );
}

#[test]
fn what_git_ignores_is_in_no_checkout_unless_every_checkout_is_given_it() {
    let project = Project::new(&[(".gitignore", "/local/\n"), ("local/check.sh", "exit 0\n")]).with_git();
    let told = "git ignores local/check.sh, so the checkouts for checks do not contain it";
    assert_eq!(project.lacks("sh ./local/check.sh").as_deref(), Some(told));
    let copy = vec![(Key::EnvironmentCopy, "local/check.sh".to_owned())];
    assert_eq!(project.lacks_with("sh local/check.sh", copy), None);
}

#[test]
fn what_a_set_up_or_a_build_fills_is_believed() {
    let project = Project::new(&[]);
    for command in
        ["node_modules/.bin/jest", ".venv/bin/pytest -q", "cd build && ctest", "./target/debug/app"]
    {
        let is_believed = project.lacks(command).is_none_or(|told| told.starts_with("the program"));
        assert!(is_believed, "{command}");
    }
}
