//! What a directory turns out to be.

use crate::hint::Hint as _;
use std::fs;
use std::os::unix::net::UnixListener;

use camino::Utf8PathBuf;

use super::support::{Sandbox, open_at, run_git};
use crate::git::discovery::discover_with;
use crate::git::{BranchName, GitError, Head, ObjectFormat, Repository, ignored_paths};

#[test]
fn a_directory_below_the_top_belongs_to_its_repository() {
    let sandbox = Sandbox::with(&[("deep/er/a.txt", "a\n")]);
    let repository = open_at(&sandbox.project.join("deep/er"), &sandbox.root.join("private"));
    assert_eq!(repository.work_tree(), sandbox.project);
    assert_eq!(repository.layout().object_format, ObjectFormat::Sha1);
}

#[test]
fn a_socket_of_gits_own_is_nothing_that_git_waits_for() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let _listener = UnixListener::bind(sandbox.project.join(".git/fsmonitor--daemon.ipc")).unwrap();
    let repository = open_at(&sandbox.project, &sandbox.root.join("private"));
    assert_eq!(repository.no_file(), None);
}

#[test]
fn a_folder_without_git_is_not_a_repository() {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
    assert_eq!(Repository::discover(&path).unwrap(), None);
}

#[test]
fn an_ignored_path_is_one_that_is_not_tracked_and_without_git_there_is_none() {
    let sandbox = Sandbox::with(&[(".gitignore", "*.lock\n"), ("a.lock", "a\n"), ("README.md", "r\n")]);
    sandbox.git(&["add", "--force", "a.lock"]);
    sandbox.write("b.lock", "b\n");
    let asked = ["a.lock", "b.lock", "README.md"].map(str::to_owned);
    assert_eq!(ignored_paths(&sandbox.project, &asked).unwrap(), ["b.lock"]);
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
    assert_eq!(ignored_paths(&path, &asked).unwrap(), [""; 0]);
}

#[test]
fn an_empty_folder_where_a_repository_would_be_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
    fs::create_dir_all(path.join(".git")).unwrap();
    fs::create_dir_all(path.join("project")).unwrap();
    assert_eq!(Repository::discover(&path.join("project")).unwrap(), None);
    assert_eq!(Repository::discover(&path).unwrap(), None);
}

#[test]
fn a_bare_repository_and_a_git_directory_are_refused() {
    let bare = Sandbox::named("bare.git", &["--bare"]);
    assert!(matches!(Repository::discover(&bare.project), Err(GitError::Bare { .. })));
    let sandbox = Sandbox::new();
    let inside = Repository::discover(&sandbox.project.join(".git/refs"));
    assert!(matches!(inside, Err(GitError::InsideGitDirectory { .. })));
}

#[test]
fn a_repository_of_someone_else_is_refused_with_the_setting_that_would_trust_it() {
    let sandbox = Sandbox::new();
    let environment = [("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")];
    let error = discover_with(&sandbox.project, &environment).unwrap_err();
    assert!(matches!(error, GitError::Ownership { .. }), "{error}");
    assert!(error.hint().unwrap().contains("safe.directory"));
}

#[test]
fn a_broken_repository_is_not_taken_for_no_repository() {
    let sandbox = Sandbox::new();
    fs::remove_file(sandbox.project.join(".git/HEAD")).unwrap();
    let error = Repository::discover(&sandbox.project).unwrap_err();
    assert!(matches!(error, GitError::Broken { .. }), "{error}");
}

#[test]
fn a_path_with_spaces_and_korean_is_found() {
    let sandbox = Sandbox::named("내 프로젝트 (1)", &[]);
    sandbox.write("한글 파일.txt", "가\n");
    sandbox.commit_all();
    let repository = sandbox.open();
    assert_eq!(repository.work_tree(), sandbox.project);
    assert_eq!(Some(sandbox.snapshot(&repository).tree), sandbox.base(&repository));
}

#[test]
fn head_is_a_branch_or_unborn_or_detached() {
    let sandbox = Sandbox::new();
    let repository = sandbox.open();
    let name = BranchName::parse("refs/heads/main").unwrap();
    assert_eq!(repository.head().unwrap(), Head::Unborn { name: name.clone() });
    sandbox.commit_all();
    let Head::Branch { name: on, commit } = repository.head().unwrap() else { panic!("on a branch") };
    assert_eq!((on, commit.as_str()), (name, sandbox.git(&["rev-parse", "HEAD"]).as_str()));
    sandbox.git(&["checkout", "-q", "--detach"]);
    assert_eq!(repository.head().unwrap(), Head::Detached { commit });
}

#[test]
fn a_tag_that_is_called_head_does_not_hide_the_branch() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    let before = repository.head().unwrap();
    sandbox.git(&["update-ref", "refs/tags/HEAD", "HEAD"]);
    assert_eq!(repository.head().unwrap(), before);
    sandbox.git(&["checkout", "-q", "--detach"]);
    assert!(matches!(repository.head().unwrap(), Head::Detached { .. }));
}

#[test]
fn a_submodule_is_a_repository_of_its_own() {
    let library = Sandbox::with(&[("lib.txt", "1\n")]);
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    sandbox.git(&["submodule", "add", "-q", library.project.as_str(), "lib"]);
    let repository = open_at(&sandbox.project.join("lib"), &sandbox.root.join("private"));
    assert_eq!(repository.work_tree(), sandbox.project.join("lib"));
    assert_eq!(Some(sandbox.snapshot(&repository).tree), sandbox.base(&repository));
    run_git(&sandbox.project.join("lib"), &["status"]);
}

#[test]
fn head_is_known_again_only_while_it_stands_where_git_said() {
    let sandbox = Sandbox::new();
    let repository = sandbox.open();
    assert_eq!(repository.head_with_tree(None).unwrap(), None, "nothing is committed");
    let mut last = None;
    let mut check = |what: &str| {
        let now = repository.head_with_tree(last.as_ref()).unwrap().unwrap();
        assert_eq!(now.commit.as_str(), sandbox.git(&["rev-parse", "HEAD"]), "{what}");
        assert_eq!(now.tree.as_str(), sandbox.git(&["rev-parse", "HEAD^{tree}"]), "{what}");
        assert_eq!(repository.head_with_tree(Some(&now)).unwrap().as_ref(), Some(&now), "{what}, again");
        last = Some(now);
    };
    let changes: [(&str, &[&[&str]]); 7] = [
        ("a first commit", &[&["commit", "-q", "--allow-empty", "-m", "one"]]),
        ("another commit", &[&["commit", "-q", "--allow-empty", "-m", "two"]]),
        ("packed references", &[&["pack-refs", "--all"], &["commit", "-q", "--allow-empty", "-m", "three"]]),
        ("a branch with folders", &[&["switch", "-q", "-c", "a/b/c"], &["reset", "-q", "--soft", "HEAD^"]]),
        (
            "no branch",
            &[&["switch", "-q", "--detach", "HEAD"], &["commit", "-q", "--allow-empty", "-m", "four"]],
        ),
        (
            "a branch that stands for another",
            &[&["symbolic-ref", "refs/heads/x", "refs/heads/main"], &["switch", "-q", "x"]],
        ),
        ("only packed references", &[&["switch", "-q", "main"], &["pack-refs", "--all"]]),
    ];
    for (what, commands) in changes {
        for command in commands {
            sandbox.git(command);
        }
        check(what);
    }
}

#[test]
fn head_of_a_repository_without_files_for_branches_is_gits_to_read() {
    let folder = Sandbox::new();
    let project = folder.root.join("reftable");
    let init = ["init", "-q", "-b", "main", "--ref-format=reftable", project.as_str()];
    let made = std::process::Command::new("git").args(init).output().unwrap();
    if !made.status.success() {
        // This git knows no other form.
        return;
    }
    let commit = |message: &str| run_git(&project, &["commit", "-q", "--allow-empty", "-m", message]);
    commit("one");
    let repository = super::support::open_at(&project, &folder.root.join("gulf/reftable"));
    let first = repository.head_with_tree(None).unwrap().unwrap();
    assert_eq!(repository.head_with_tree(Some(&first)).unwrap().as_ref(), Some(&first));
    commit("two");
    let second = repository.head_with_tree(Some(&first)).unwrap().unwrap();
    assert_eq!(second.commit.as_str(), run_git(&project, &["rev-parse", "HEAD"]));
    assert_ne!(first, second);
}
