//! A person's repository, gulf's folders beside it, and short words for what tests do to them.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

use crate::git::{
    CheckoutRequest, CommitId, CommitStamp, GitError, Keep, Repository, SnapshotRequest, SubmoduleFinding,
    TreeId, TreePath, WorktreeSnapshot,
};

pub(crate) struct Sandbox {
    _folder: TempDir,
    pub(crate) root: Utf8PathBuf,
    pub(crate) project: Utf8PathBuf,
}

impl Sandbox {
    /// An empty repository on branch `main`.
    pub(crate) fn new() -> Self {
        Self::named("project", &[])
    }

    pub(crate) fn named(name: &str, init_arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        let project = root.join(name);
        fs::create_dir_all(&project).unwrap();
        let sandbox = Self { _folder: folder, root, project };
        let mut arguments = vec!["init", "-q", "-b", "main"];
        arguments.extend(init_arguments);
        sandbox.git(&arguments);
        sandbox
    }

    /// A repository with these files committed.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let sandbox = Self::new();
        sandbox.write_all(files);
        sandbox.commit_all();
        sandbox
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        run_git(&self.project, arguments)
    }

    pub(crate) fn commit_all(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "work"]);
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        write_below(&self.project, path, text.as_bytes());
    }

    pub(crate) fn write_all(&self, files: &[(&str, &str)]) {
        for (path, text) in files {
            self.write(path, text);
        }
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.project.join(path)).unwrap();
    }

    pub(crate) fn open(&self) -> Repository {
        open_at(&self.project, &self.root.join("gulf/private"))
    }

    pub(crate) fn index(&self) -> Utf8PathBuf {
        self.root.join("gulf/index")
    }

    pub(crate) fn checkout_directory(&self) -> Utf8PathBuf {
        self.root.join("gulf/checkout")
    }

    pub(crate) fn base(&self, repository: &Repository) -> Option<TreeId> {
        repository.head().unwrap().commit().map(|commit| repository.tree_of(commit).unwrap())
    }

    /// A snapshot on HEAD's tree without loop texts and without a limit.
    pub(crate) fn snapshot(&self, repository: &Repository) -> WorktreeSnapshot {
        self.snapshot_with(repository, &[], u64::MAX).unwrap()
    }

    pub(crate) fn snapshot_with(
        &self,
        repository: &Repository,
        loop_texts: &[&str],
        file_bytes_max: u64,
    ) -> Result<WorktreeSnapshot, GitError> {
        let base = self.base(repository);
        let loop_texts: Vec<TreePath> = loop_texts.iter().map(|text| path(text)).collect();
        let index = self.index();
        repository.snapshot(&SnapshotRequest {
            index: &index,
            base: base.as_ref(),
            loop_texts: &loop_texts,
            file_bytes_max,
        })
    }

    /// The worktree as it is now, as a commit on HEAD.
    pub(crate) fn candidate(&self, repository: &Repository) -> CommitId {
        let tree = self.snapshot(repository).tree;
        commit_of(repository, &tree)
    }

    pub(crate) fn checkout(
        &self,
        repository: &Repository,
        commit: &CommitId,
        keep: Keep,
    ) -> Vec<SubmoduleFinding> {
        self.checkout_keeping(repository, commit, keep, &[]).unwrap()
    }

    pub(crate) fn checkout_keeping(
        &self,
        repository: &Repository,
        commit: &CommitId,
        keep: Keep,
        keep_paths: &[TreePath],
    ) -> Result<Vec<SubmoduleFinding>, GitError> {
        let directory = self.checkout_directory();
        let index = self.root.join("gulf/checkout-index");
        repository.checkout(&CheckoutRequest {
            directory: &directory,
            index: &index,
            commit,
            keep,
            keep_paths,
        })
    }

    pub(crate) fn in_checkout(&self, path: &str) -> Utf8PathBuf {
        self.checkout_directory().join(path)
    }
}

pub(crate) fn commit_of(repository: &Repository, tree: &TreeId) -> CommitId {
    let head = repository.head().unwrap();
    let parents: Vec<&CommitId> = head.commit().into_iter().collect();
    repository.commit(tree, &parents, "candidate\n", CommitStamp { unix_seconds: 1_800_000_000 }).unwrap()
}

pub(crate) fn open_at(directory: &Utf8Path, private: &Utf8Path) -> Repository {
    match Repository::discover(directory).unwrap() {
        Some(layout) => Repository::open(layout, private).unwrap(),
        None => panic!("{directory} should be a repository"),
    }
}

pub(crate) fn run_git(directory: &Utf8Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=Person", "-c", "user.email=person@localhost", "-c", "commit.gpgSign=false"])
        .args(["-c", "protocol.file.allow=always", "-c", "advice.defaultBranchName=false"])
        .args(arguments)
        .current_dir(directory)
        .output()
        .unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?} in {directory}: {complaints}");
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

pub(crate) fn write_below(root: &Utf8Path, path: &str, bytes: &[u8]) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

pub(crate) fn path(text: &str) -> TreePath {
    TreePath::try_from(text).unwrap()
}

/// The paths of a tree, as people read them.
pub(crate) fn paths_of(repository: &Repository, tree: &TreeId) -> Vec<String> {
    repository.list(tree).unwrap().iter().map(|entry| entry.path.to_string()).collect()
}

pub(crate) fn text_of(repository: &Repository, tree: &TreeId, at: &str) -> Option<String> {
    let bytes = repository.read_file(tree, &path(at), 1 << 20).unwrap();
    bytes.map(|bytes| String::from_utf8(bytes).unwrap())
}

/// Everything below a folder but its `.git`, sorted; directories end with a slash.
pub(crate) fn files_below(root: &Utf8Path) -> Vec<String> {
    let walk = walkdir::WalkDir::new(root).min_depth(1).sort_by_file_name().into_iter();
    walk.filter_entry(|entry| entry.file_name() != ".git")
        .map(|entry| {
            let entry = entry.unwrap();
            let slash = if entry.file_type().is_dir() { "/" } else { "" };
            let relative: PathBuf = entry.path().strip_prefix(root).unwrap().to_owned();
            format!("{}{slash}", relative.display())
        })
        .collect()
}

/// What must never change: the person's HEAD, branches, index and configuration.
pub(crate) fn persons_state(sandbox: &Sandbox) -> (String, String, String, Vec<u8>, Vec<u8>) {
    let git_dir = sandbox.project.join(".git");
    (
        fs::read_to_string(git_dir.join("HEAD")).unwrap(),
        sandbox.git(&["for-each-ref", "refs/heads", "refs/tags", "refs/stash"]),
        sandbox.git(&["diff", "--cached", "--raw"]),
        fs::read(git_dir.join("index")).unwrap_or_default(),
        fs::read(git_dir.join("config")).unwrap(),
    )
}

/// Arguments of `git init` for each form of repository that git here knows.
pub(crate) fn forms() -> Vec<Vec<&'static str>> {
    let folder = tempfile::tempdir().unwrap();
    let mut forms = vec![vec![], vec!["--object-format=sha256"]];
    let known = Command::new("git")
        .args(["init", "-q", "--ref-format=reftable"])
        .current_dir(folder.path())
        .output()
        .is_ok_and(|output| output.status.success());
    if known {
        forms.push(vec!["--ref-format=reftable"]);
    } else {
        eprintln!("SKIPPED: this git knows no reftable");
    }
    forms
}

/// Names the folder of the sandbox in which a test's other process acts.
const CHILD_VARIABLE: &str = "GULF_TEST_CRASH_ROOT";

/// In the other process of a test: the folder to act in.
pub(crate) fn crash_root() -> Option<Utf8PathBuf> {
    std::env::var(CHILD_VARIABLE).ok().map(Utf8PathBuf::from)
}

/// Runs the test named `test` in a process of its own that dies at its first crash point, then at its second, and so
/// on until it ends by itself; each time in a new sandbox, which `look` gets. Gives the number of deaths.
pub(crate) fn crash_everywhere(
    test: &str,
    prepare: impl Fn() -> Sandbox,
    look: impl Fn(&Sandbox, &str),
) -> usize {
    for at in 1..200 {
        let sandbox = prepare();
        let count = sandbox.root.join("crash-points");
        let output = Command::new(std::env::current_exe().unwrap())
            .args([test, "--exact", "--nocapture", "--test-threads=1"])
            .env(CHILD_VARIABLE, &sandbox.root)
            .env(crate::crash::COUNT_VARIABLE, &count)
            .env(crate::crash::AT_VARIABLE, at.to_string())
            .output()
            .unwrap();
        let points = fs::read_to_string(&count).unwrap();
        if output.status.success() {
            look(&sandbox, "the end");
            return at - 1;
        }
        assert_eq!(points.lines().count(), at, "{}", String::from_utf8_lossy(&output.stdout));
        look(&sandbox, points.lines().last().unwrap());
    }
    panic!("{test} does not end");
}
