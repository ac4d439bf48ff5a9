//! Worktrees are made ready in real repositories, with the real package managers; `gulf` is the shim of the set-up.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use camino::Utf8PathBuf;
use gulf_host::git::Repository;
use gulf_host::hint::Hint as _;
use gulf_host::process::ShimProgram;
use gulf_runner::agreement::EnvironmentTerms;
use gulf_runner::environment::Environment;
use gulf_runner::error::ReadyError;
use gulf_runner::plan::detected;
use gulf_runner::readiness::{self, FreshCheckout, make_ready};
use gulf_runner::stop::Stop;
use gulf_spec::config::{SettingLayers, load};
use gulf_spec::text::Source;
use tempfile::TempDir;

/// A person's checkout and a worktree at its commit.
struct Place {
    _folder: TempDir,
    root: Utf8PathBuf,
    person: Utf8PathBuf,
    fresh: Utf8PathBuf,
}

impl Place {
    /// The files are committed.
    fn with(files: &[(&str, &str)]) -> Place {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        let [person, fresh] = ["my 프로젝트", "my 프로젝트-gulf-1"].map(|name| root.join(name));
        fs::create_dir(&person).unwrap();
        let place = Place { _folder: folder, root, person, fresh };
        place.run("git init -q -b main . && git config user.name a && git config user.email a@b.c");
        files.iter().for_each(|(path, text)| place.write(path, text));
        place.run("git add -A && git commit -qm first --allow-empty");
        place
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.person.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// In the person's checkout.
    fn run(&self, command: &str) -> String {
        run(&self.person, command)
    }

    /// In the worktree, as a worker or a check would.
    fn run_fresh(&self, command: &str) -> String {
        run(&self.fresh, command)
    }

    fn terms(&self, settings: &str) -> EnvironmentTerms {
        let project = Some(Source::new("gulf.toml", format!("[environment]\n{settings}").as_str()));
        let config = load(&SettingLayers { project, ..SettingLayers::default() }).unwrap();
        readiness::terms(&self.person, &config, detected(&self.person)).unwrap()
    }

    fn log(&self) -> Utf8PathBuf {
        self.root.join("home/logs/setup.log")
    }

    /// Did the set-up run?
    fn is_set_up(&self) -> bool {
        self.log().exists()
    }

    /// Makes the worktree, and makes it ready; gives what a person is told.
    fn ready(&self, settings: &str) -> Result<Vec<String>, ReadyError> {
        self.run(&format!("git worktree add -q --detach '{}'", self.fresh));
        let layout = Repository::discover(&self.person).unwrap().unwrap();
        let repository = Repository::open(layout, &self.root.join("home/git")).unwrap();
        make_ready(&FreshCheckout {
            repository: &repository,
            checkout: &self.fresh,
            terms: &self.terms(settings),
            home: &self.root.join("home"),
            environment: &Environment::of_this_process(),
            shim: &ShimProgram::other(gulf_testkit::gulf(), vec!["__shim".to_owned()]),
            log: &self.log(),
            mark: format!("readiness-test-{}", self.root.file_name().unwrap()),
            stop: &Stop::default(),
        })
    }

    fn fresh_text(&self, path: &str) -> String {
        fs::read_to_string(self.fresh.join(path)).unwrap()
    }
}

fn run(directory: &Utf8PathBuf, command: &str) -> String {
    let output = Command::new("sh").args(["-c", command]).current_dir(directory).output().unwrap();
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{command}: {said}");
    said
}

fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        gulf_testkit::skip(&format!("{program} is not installed"));
    }
    found
}

const NODE: [(&str, &str); 6] = [
    (".gitignore", "node_modules/\n"),
    (
        "package.json",
        r#"{"name": "app", "version": "1.0.0", "type": "module", "scripts": {"test": "node --test"}, "dependencies": {"greet": "file:lib/greet"}}"#,
    ),
    ("package-lock.json", NODE_LOCK),
    ("lib/greet/package.json", r#"{"name": "greet", "version": "1.0.0", "main": "index.js"}"#),
    ("lib/greet/index.js", "module.exports = () => 'hello';\n"),
    (
        "app.test.js",
        "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport greet from 'greet';\n\
         test('greets', () => assert.strictEqual(greet(), 'hello'));\n",
    ),
];
const NODE_LOCK: &str = r#"{"name": "app", "version": "1.0.0", "lockfileVersion": 3, "requires": true, "packages": {
"": {"name": "app", "version": "1.0.0", "dependencies": {"greet": "file:lib/greet"}},
"lib/greet": {"version": "1.0.0"},
"node_modules/greet": {"resolved": "lib/greet", "link": true}}}"#;

#[test]
fn an_npm_project_that_is_installed_works_in_its_worktree_without_a_set_up() {
    let place = Place::with(&NODE);
    place.run("npm ci --silent --no-audit --no-fund --offline");
    place.ready("").unwrap();
    assert!(!place.is_set_up());
    assert!(place.fresh.join("node_modules").is_dir());
    place.run_fresh("npm test");
    // The worktree's own library is imported, not the person's.
    fs::write(place.fresh.join("lib/greet/index.js"), "module.exports = () => 'bye';\n").unwrap();
    assert!(
        Command::new("npm").arg("test").current_dir(&place.fresh).output().unwrap().status.code() == Some(1)
    );
    assert_eq!(place.run_fresh("git status --porcelain"), " M lib/greet/index.js\n");
}

#[test]
fn an_npm_project_that_was_never_installed_is_set_up_in_its_worktree() {
    let place = Place::with(&NODE);
    place.ready("").unwrap();
    assert!(place.is_set_up());
    place.run_fresh("npm test");
    assert!(!place.person.join("node_modules").exists());
}

#[test]
fn a_lockfile_that_differs_from_the_persons_calls_for_the_set_up() {
    let place = Place::with(&NODE);
    place.run("npm ci --silent --no-audit --no-fund --offline");
    place.write("package-lock.json", &NODE_LOCK.replace("\"requires\": true, ", ""));
    place.ready("").unwrap();
    assert!(place.is_set_up());
}

#[test]
fn a_cargo_project_builds_and_tests_in_its_worktree() {
    let place = Place::with(&[
        (".gitignore", "/target\n"),
        ("Cargo.toml", "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        (
            "Cargo.lock",
            "# This file is automatically @generated by Cargo.\n# It is not intended for manual editing.\nversion = 4\n\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\n",
        ),
        ("src/lib.rs", "#[test]\nfn it_works() {}\n"),
    ]);
    place.ready("").unwrap();
    assert!(place.is_set_up());
    let test = "env -u CARGO_TARGET_DIR cargo test --offline 2>&1";
    assert!(place.run_fresh(test).contains("test it_works ... ok"));
    place.run(test);
    place.run(&format!("git worktree remove --force '{}'", place.fresh));
    fs::remove_file(place.log()).unwrap();
    place.ready("").unwrap();
    assert!(!place.is_set_up());
    assert!(place.fresh.join("target/debug").is_dir());
    // What was copied is of the person's code, and never taken for the worktree's.
    fs::write(place.fresh.join("src/lib.rs"), "#[test]\nfn it_is_new() {}\n").unwrap();
    assert!(place.run_fresh(test).contains("test it_is_new ... ok"));
}

#[test]
fn a_virtual_environment_with_an_editable_install_imports_the_worktrees_code() {
    if !has("python3") {
        return;
    }
    let place = Place::with(&[
        (".gitignore", ".venv/\n__pycache__/\n"),
        ("requirements.txt", "\n"),
        ("src/app.py", "WORD = 'hello'\n"),
    ]);
    place.run("python3 -m venv --without-pip .venv");
    place.run("for site in .venv/lib/python3*/site-packages; do echo \"$PWD/src\" > $site/__editable__.app.pth; done");
    place.ready("").unwrap();
    assert!(!place.is_set_up());
    fs::write(place.fresh.join("src/app.py"), "WORD = 'bye'\n").unwrap();
    let said = place.run_fresh(".venv/bin/python -c 'import app, sys; print(app.WORD, sys.prefix)'");
    assert_eq!(said, format!("bye {}\n", place.fresh.join(".venv")));
}

#[test]
fn a_go_project_tests_in_its_worktree() {
    if !has("go") {
        return;
    }
    let place = Place::with(&[
        ("go.mod", "module example.org/app\n\ngo 1.21\n"),
        ("app_test.go", "package app\n\nimport \"testing\"\n\nfunc TestApp(t *testing.T) {}\n"),
    ]);
    place.ready("").unwrap();
    assert!(!place.is_set_up());
    place.run_fresh("go test ./...");
}

#[test]
fn private_files_are_copied_with_their_bits_and_stay_out_of_git() {
    let place = Place::with(&[(".gitignore", ".env*\n!.env.example\n*.local\n"), (".env.example", "KEY=\n")]);
    for path in [".env", "web/.env", "config/a.local", "config/b.local"] {
        place.write(path, &format!("{path}\n"));
        fs::set_permissions(place.person.join(path), fs::Permissions::from_mode(0o600)).unwrap();
    }
    place.write(".worktreeinclude", "# ours\nconfig/b.local\nnotes.txt\n");
    place.write("notes.txt", "git does not ignore it\n");
    place.ready("copy = [\".env*\"]\n").unwrap();
    let copied = |path: &&str| place.fresh.join(path).exists();
    let paths = [".env", "config/a.local", "config/b.local", "web/.env"];
    assert!(paths.iter().filter(|path| copied(path)).eq(&[".env", "config/b.local", "web/.env"]));
    let mode = fs::metadata(place.fresh.join(".env")).unwrap().permissions().mode() & 0o777;
    assert_eq!((place.fresh_text("web/.env").as_str(), mode), ("web/.env\n", 0o600));
    assert_eq!(place.fresh_text(".env.example"), "KEY=\n");
    assert!(!place.fresh.join("notes.txt").exists() && !place.fresh.join(".gulf").exists());
    assert_eq!(place.run_fresh("git status --porcelain"), "");
}

#[test]
fn what_only_the_persons_uncommitted_rules_ignore_is_hidden_in_the_worktree_too() {
    let place = Place::with(&[(".gitignore", "data/\n")]);
    place.write(".gitignore", "data/\n.env\n");
    place.write(".env", "KEY=1\n");
    place.write("data/large.bin", "x\n");
    let before = place.run("git status --porcelain");
    let settings =
        "copy = [\".env\", \".gitignore\", \"!b\", \"mistyped.env\"]\nlink = [\"data/\", \"gone\"]\n";
    let notes = place.ready(settings).unwrap();
    assert!(place.fresh.join("data").is_symlink());
    assert_eq!(place.fresh_text(".env"), "KEY=1\n");
    assert_eq!(
        notes,
        [
            "mistyped.env (environment.copy) is no file of the project: no checkout gets it",
            "gone (environment.link) is not there: no checkout gets it"
        ]
    );
    assert_eq!(place.run_fresh("git status --porcelain"), "", "a rule for a folder does not mean a link");
    assert_eq!(place.fresh_text("data/large.bin"), "x\n");
    assert_eq!(place.run("git status --porcelain"), before);
}

#[test]
fn what_would_become_part_of_the_work_or_leads_out_is_refused_with_what_to_do() {
    let place = Place::with(&[(".gitignore", "*.local\n"), ("data/a", "a\n")]);
    place.write(".env", "KEY=1\n");
    place.write("loose/b", "b\n");
    fs::write(place.root.join("outside"), "x\n").unwrap();
    std::os::unix::fs::symlink("../outside", place.person.join("out.local")).unwrap();
    for (settings, error, hint) in [
        (
            "copy = [\".env\"]",
            ".env is to be copied into fresh checkouts, but git does not ignore it",
            ".gitignore",
        ),
        ("link = [\"data\"]", "git tracks it", "environment.link"),
        (
            "link = [\"loose\"]",
            "loose is to be linked into fresh checkouts, but git does not ignore it",
            ".gitignore",
        ),
        ("copy = [\"out.local\"]", "out.local is a link that leads out of", "environment.link"),
    ] {
        let refused = place.ready(settings).unwrap_err();
        assert!(refused.to_string().contains(error), "{settings}: {refused}");
        assert!(refused.hint().unwrap().contains(hint), "{settings}: {:?}", refused.hint());
        place.run(&format!("git worktree remove --force '{}'", place.fresh));
    }
    place.write("large.local", "more than a byte\n");
    let refused = place.ready("copy = [\"large.local\"]\ncopy_limit = \"1B\"\n").unwrap_err();
    assert!(refused.hint().unwrap().contains("environment.copy_limit"), "{refused}");
}

#[test]
fn a_set_up_that_fails_says_why_and_where_all_of_it_stands() {
    let place = Place::with(&[("a.txt", "a\n")]);
    let refused = place.ready("setup = \"echo not today >&2; exit 7\"\n").unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the set-up command `echo not today >&2; exit 7` failed: exit code 7: not today"
    );
    assert!(refused.hint().unwrap().contains(place.log().as_str()));
    assert_eq!(fs::read_to_string(place.log()).unwrap(), "not today\n");
    // Node ends with a stack and its own version.
    let said =
        "printf 'Error: no signature\\\\n    at verify (x.js:1:2)\\\\n\\\\nNode.js v20.1.0\\\\n'; exit 1";
    let refused = Place::with(&[("a.txt", "a\n")]).ready(&format!("setup = \"{said}\"\n")).unwrap_err();
    assert!(refused.to_string().ends_with("failed: exit code 1: Error: no signature"), "{refused}");
}

#[test]
fn a_set_up_that_does_not_end_is_ended() {
    let place = Place::with(&[("a.txt", "a\n")]);
    let refused = place.ready("setup = \"tail -f /dev/null\"\nsetup_timeout = \"1s\"\n").unwrap_err();
    assert!(refused.to_string().ends_with("failed: not done within 1 seconds"), "{refused}");
}

#[test]
fn a_set_up_has_ports_and_paths_of_the_worktree() {
    let place = Place::with(&[("a.txt", "a\n")]);
    let settings = "setup = \"echo $PORT $DB_PORT $PWD > ../said\"\nports = [\"PORT\", \"DB_PORT\"]\n\
                    port_range = \"25600-25601\"\n";
    place.ready(settings).unwrap();
    let said = fs::read_to_string(place.root.join("said")).unwrap();
    let words: Vec<&str> = said.trim().splitn(3, ' ').collect();
    let mut ports = words[..2].to_vec();
    ports.sort_unstable();
    assert_eq!((ports, words[2]), (vec!["25600", "25601"], place.fresh.as_str()));
}

#[test]
fn a_cache_is_there_from_the_start_and_one_that_git_tracks_is_said() {
    let place = Place::with(&[(".gitignore", ".next/\n"), ("assets/a", "a\n")]);
    place.write(".next/cache/page", "built\n");
    let notes = place.ready("cache = [\".next/cache\", \"assets\"]\n").unwrap();
    assert_eq!(place.fresh_text(".next/cache/page"), "built\n");
    assert!(notes[0].contains("assets (environment.cache) is not ignored by git"), "{notes:?}");
}
