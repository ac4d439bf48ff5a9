//! How loops fare whose base branch lies at a remote: they land by a push, and nothing of the person's moves.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

use gulf_testkit::in_turn;

use crate::support::{Ground, git, said};

const HAS_A: &str = "test -f a.txt";
const MERGE_OF_ONE: &str = "merge(gulf-loop): gulf/auto-one → origin/main [autonomous]";

/// A bare repository that clones push to.
#[derive(Debug)]
struct Remote {
    _folder: TempDir,
    path: Utf8PathBuf,
}

impl Remote {
    fn with(files: &[(&str, &str)]) -> Self {
        let first = Ground::with(files);
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        let path = path.join("remote.git");
        git(&first.project(), &["clone", "-q", "--bare", ".", path.as_str()]);
        Self { _folder: folder, path }
    }

    fn clone(&self) -> Ground {
        Ground::clone_of(&self.path)
    }

    /// A hook of the remote's own.
    fn hook(&self, name: &str, text: &str) -> Utf8PathBuf {
        let path = self.path.join("hooks").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn titles(&self) -> Vec<String> {
        let log = git(&self.path, &["log", "--first-parent", "--format=%s", "main"]);
        log.lines().map(str::to_owned).collect()
    }

    fn landings(&self, worker: &str) -> usize {
        self.titles().iter().filter(|title| title.contains(&format!("gulf/auto-{worker} "))).count()
    }

    fn on_main(&self, path: &str) -> String {
        git(&self.path, &["show", &format!("main:{path}")])
    }

    /// Somebody else pushes this from another clone.
    fn is_moved(&self, path: &str, text: &str) {
        let other = self.clone();
        other.commit(&[(path, text)], &format!("{path}: {}", text.trim()));
        other.git(&["push", "-q", "origin", "main"]);
    }
}

/// Drives these loops of a clone; what was printed.
fn run(ground: &Ground, remote: &Utf8Path, workers: &[&str]) -> String {
    said(&command(ground, remote, workers).output().unwrap())
}

fn command(ground: &Ground, remote: &Utf8Path, workers: &[&str]) -> Command {
    let mut command = ground.gulf(2, workers);
    command.env("PUSH_TO", remote.as_str()).env("BASE", "refs/remotes/origin/main");
    command
}

/// Everything of the person's that no landing may move.
fn standing(ground: &Ground) -> String {
    let refs = ground.git(&["for-each-ref", "refs/heads/main", "refs/remotes", "refs/tags"]);
    format!("{refs}\n{}", ground.git(&["status", "--porcelain", "--branch"]))
}

/// Everything that was journalled here.
fn journals(folder: &Utf8Path) -> String {
    let mut text = String::new();
    for entry in folder.read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        if path.is_dir() {
            text.push_str(&journals(&path));
        } else if path.file_name() == Some("journal.jsonl") {
            text.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
    text
}

#[test]
fn work_lands_at_the_remote_by_a_push_and_nothing_of_the_persons_moves() {
    let remote = Remote::with(&[("README", "hi\n")]);
    let ground = remote.clone();
    remote.is_moved("elsewhere.txt", "elsewhere\n");
    ground.worker("one", HAS_A, &["echo a > a.txt; echo notes > progress.txt"]);
    fs::write(ground.project().join("README"), "mine\n").unwrap();
    fs::write(ground.project().join(".git/hooks/pre-push"), "#!/bin/sh\nexit 1\n").unwrap();
    let before = standing(&ground);
    let said = run(&ground, &remote.path, &["one"]);
    assert!(said.contains("Verified"), "{said}");
    assert_eq!(remote.titles(), [MERGE_OF_ONE, "elsewhere.txt: elsewhere", "first"]);
    assert_eq!(git(&remote.path, &["ls-tree", "--name-only", "main"]), "README\na.txt\nelsewhere.txt");
    assert_eq!(standing(&ground), before);
    let landed = git(&remote.path, &["rev-parse", "main"]);
    assert!(ground.git(&["notes", "--ref", "gulf", "show", &landed]).contains("refs/remotes/origin/main"));
    assert_eq!(git(&remote.path, &["for-each-ref", "--format=%(refname)"]), "refs/heads/main");
}

#[test]
fn what_the_remotes_hooks_decline_waits_with_their_words_and_lands_later() {
    for (name, text) in [
        ("pre-receive", "echo 'main is protected: ask for a review' >&2; exit 1"),
        ("update", "echo 'main is protected: ask for a review' >&2; test $1 != refs/heads/main"),
    ] {
        let remote = Remote::with(&[("README", "hi\n")]);
        let ground = remote.clone();
        let hook = remote.hook(name, text);
        ground.worker("one", HAS_A, &["echo a > a.txt"]);
        let paused = run(&ground, &remote.path, &["one"]);
        assert!(paused.contains("Paused(ReadyToLand)"), "{paused}");
        assert_eq!(remote.titles(), ["first"]);
        let told = "origin/main declines what would be pushed: main is protected: ask for a review";
        assert!(journals(&ground.root.join("home")).contains(told));
        fs::remove_file(hook).unwrap();
        let said = run(&ground, &remote.path, &["one"]);
        assert!(said.contains("Verified"), "{said}");
        assert_eq!(remote.landings("one"), 1);
        assert_eq!(remote.titles().len(), 2);
    }
}

#[test]
fn a_remote_that_others_move_while_the_merge_is_tested_is_landed_on_where_it_is() {
    let remote = Remote::with(&[("README", "hi\n")]);
    let ground = remote.clone();
    let other = remote.clone();
    ground.worker(
        "one",
        "test -f a.txt && { test -f \"$OTHER/moved\" || case $PWD in *lanes*) touch \"$OTHER/moved\"; \
         git -C \"$OTHER/project\" commit -q --allow-empty -m meanwhile; git -C \"$OTHER/project\" push -q;; esac; }",
        &["echo a > a.txt"],
    );
    let mut command = command(&ground, &remote.path, &["one"]);
    let said = said(&command.env("OTHER", other.root.as_str()).output().unwrap());
    assert!(said.contains("Verified"), "{said}");
    assert_eq!(remote.titles(), [MERGE_OF_ONE, "meanwhile", "first"]);
}

#[test]
fn a_conflict_with_what_others_pushed_is_a_task_and_what_comes_of_it_lands() {
    let remote = Remote::with(&[("value.txt", "wrong\n")]);
    let ground = remote.clone();
    ground.worker(
        "one",
        "grep -q one value.txt",
        &[
            "echo one > value.txt",
            "git add -A; git commit -qm mine; git merge -q $(cat ../tip) >/dev/null; \
             echo 'one and two' > value.txt; git add -A; git commit -qm merged",
        ],
    );
    remote.is_moved("value.txt", "two\n");
    let tip = git(&remote.path, &["rev-parse", "main"]);
    fs::write(ground.root.join("tip"), &tip).unwrap();
    let before = standing(&ground);
    let said = run(&ground, &remote.path, &["one"]);
    assert!(said.contains("Verified"), "{said}");
    assert_eq!(remote.on_main("value.txt"), "one and two");
    assert_eq!(remote.landings("one"), 1);
    let prompt = ground.prompt("one", 2);
    for part in ["- value.txt", "value.txt: two", "origin/main", &format!("git merge {tip}")] {
        assert!(prompt.contains(part), "{part}: {prompt}");
    }
    assert_eq!(standing(&ground), before);
}

#[test]
fn a_remote_that_is_away_loses_nothing_and_is_asked_before_anything_is_tested() {
    let remote = Remote::with(&[("README", "hi\n")]);
    let ground = remote.clone();
    ground.worker("one", HAS_A, &[&format!("echo a > a.txt; mv {0} {0}-away", remote.path)]);
    let paused = run(&ground, &remote.path, &["one"]);
    assert!(paused.contains("Paused(ReadyToLand)"), "{paused}");
    let told = journals(&ground.root.join("home"));
    assert!(told.contains("origin cannot be reached: ") && !told.contains("\"joined\""), "{told}");
    fs::rename(format!("{}-away", remote.path), &remote.path).unwrap();
    let said = run(&ground, &remote.path, &["one"]);
    assert!(said.contains("Verified"), "{said}");
    assert_eq!(remote.landings("one"), 1);
}

#[test]
fn a_branch_that_the_remote_has_no_more_is_said() {
    let remote = Remote::with(&[("README", "hi\n")]);
    let ground = remote.clone();
    ground.worker("one", HAS_A, &["echo a > a.txt"]);
    git(&remote.path, &["branch", "-q", "-m", "main", "trunk"]);
    let paused = run(&ground, &remote.path, &["one"]);
    assert!(paused.contains("Paused(ReadyToLand)"), "{paused}");
    assert!(journals(&ground.root.join("home")).contains("origin no longer has a branch main"));
    git(&remote.path, &["branch", "-q", "-m", "trunk", "main"]);
    assert!(run(&ground, &remote.path, &["one"]).contains("Verified"));
    assert_eq!(remote.landings("one"), 1);
}

#[test]
fn two_clones_land_on_one_remote_each_with_a_gulf_of_its_own() {
    let remote = Remote::with(&[("README", "hi\n")]);
    let grounds = [remote.clone(), remote.clone()];
    let names: [&[&str]; 2] = [&["left1", "left2", "left3"], &["right1", "right2", "right3"]];
    std::thread::scope(|scope| {
        for (ground, names) in grounds.iter().zip(names) {
            for name in names {
                ground.worker(name, &format!("test -f {name}.txt"), &[&format!("echo {name} > {name}.txt")]);
            }
            let remote = &remote.path;
            scope.spawn(move || {
                let said = run(ground, remote, names);
                assert_eq!(said.matches("Verified").count(), names.len(), "{said}");
            });
        }
    });
    for name in names.concat() {
        assert_eq!(remote.landings(name), 1, "{name}");
        assert_eq!(remote.on_main(&format!("{name}.txt")), name);
    }
    assert_eq!(remote.titles().len(), 7, "{:?}", remote.titles());
}

/// Runs the loop until it dies where it is told to; the points by which it came.
fn killed_at(ground: &Ground, remote: &Remote, at: Option<usize>) -> Vec<String> {
    let count = ground.root.join("count");
    let mut command = command(ground, &remote.path, &["one"]);
    command.env("GULF_CRASH_COUNT", count.as_str());
    if let Some(at) = at {
        command.env("GULF_CRASH_AT", at.to_string());
    }
    command.output().unwrap();
    fs::read_to_string(&count).unwrap_or_default().lines().map(str::to_owned).collect()
}

#[test]
fn killed_at_any_point_of_the_push_it_lands_once() {
    let scene = || {
        let remote = Remote::with(&[("README", "hi\n")]);
        let ground = remote.clone();
        ground.worker("one", HAS_A, &["echo a > a.txt; git add -A; git commit -qm work"]);
        (remote, ground)
    };
    let (remote, ground) = scene();
    let points = killed_at(&ground, &remote, None);
    let first = points.iter().position(|name| name == "landing.move").unwrap();
    assert!(points[first..].iter().any(|name| name == "landing.pushed"), "{points:?}");
    for (at, name) in in_turn(6, (1..).zip(&points).skip(first)) {
        let (remote, ground) = scene();
        killed_at(&ground, &remote, Some(at));
        let said = run(&ground, &remote.path, &["one"]);
        assert!(said.contains("Verified"), "killed at {at} ({name}): {said}");
        assert_eq!(remote.titles(), [MERGE_OF_ONE, "first"], "killed at {at} ({name})");
    }
}
