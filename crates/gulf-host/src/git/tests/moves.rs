//! A branch moves forward with its checkouts, or nothing moves and the person keeps every byte.

mod cut_off;

use std::collections::BTreeMap;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

use super::support::{
    Sandbox, crash_everywhere, crash_root, files_below, forms, open_at, path, run_git, write_below,
};
use crate::git::{
    Advance, BranchName, CommitId, CommitStamp, FastForward, FileMode, GitError, InTheWay, Obstacle,
    Operation, RecoveredMove, Repository, TreeEdit, TreePath,
};

const WHEN: CommitStamp = CommitStamp { unix_seconds: 1_800_000_000 };

fn branch(short: &str) -> BranchName {
    BranchName::from_short_name(short).unwrap()
}

fn main() -> BranchName {
    branch("main")
}

fn put(text: &str) -> TreeEdit {
    TreeEdit::Put(text.as_bytes().to_vec(), FileMode::File)
}

/// A commit on the other with these edits; in no checkout.
fn on(repository: &Repository, parent: &CommitId, edits: &[(&str, TreeEdit)]) -> CommitId {
    let base = repository.tree_of(parent).unwrap();
    let edits: Vec<_> = edits.iter().map(|(at, edit)| (path(at), edit.clone())).collect();
    let tree = repository.write_tree_with(&base, &edits).unwrap();
    repository.commit(&tree, &[parent], "work\n", WHEN).unwrap()
}

const FILES: [(&str, &str); 5] = [
    ("a.txt", "a\n"),
    ("gone.txt", "g\n"),
    ("dir/b.txt", "b\n"),
    ("same.txt", "s\n"),
    (".gitignore", "*.log\n"),
];

/// A commit that changes, removes and adds, a folder too, and makes a folder of a file.
fn next(repository: &Repository) -> CommitId {
    let from = head(repository);
    on(
        repository,
        &from,
        &[
            ("a.txt", put("changed\n")),
            ("gone.txt", TreeEdit::Remove),
            ("dir", TreeEdit::Remove),
            ("dir", put("a file now\n")),
            ("new/deep/c.txt", put("c\n")),
            ("made.log", put("tracked though ignored\n")),
        ],
    )
}

fn head(repository: &Repository) -> CommitId {
    repository.head_commit().unwrap().unwrap()
}

fn advance(repository: &Repository, to: &CommitId) -> Advance {
    let from = repository.read_branch(&main()).unwrap();
    repository.fast_forward(&FastForward { branch: &main(), from: from.as_ref(), to }).unwrap()
}

fn moved(checkouts: &[&Utf8Path]) -> Advance {
    Advance::Moved { checkouts: checkouts.iter().map(|path| path.to_path_buf()).collect() }
}

/// Every byte of a checkout that is the person's: files, index, flags, stash, references, what git says.
pub(super) fn everything(directory: &Utf8Path) -> BTreeMap<String, Vec<u8>> {
    let git_dir = Utf8PathBuf::from(run_git(directory, &["rev-parse", "--absolute-git-dir"]));
    let mut found = BTreeMap::new();
    for name in ["index", "HEAD", "config", "MERGE_HEAD", "index.lock", "index.gulf", "index.gulf-lock"] {
        found.insert(name.to_owned(), fs::read(git_dir.join(name)).unwrap_or_default());
    }
    for file in files_below(directory) {
        let whole = directory.join(&file);
        let bytes = fs::read_link(&whole).map(|to| to.as_os_str().as_encoded_bytes().to_vec());
        let metadata = whole.symlink_metadata().unwrap();
        let time = metadata.is_file().then(|| metadata.modified().unwrap());
        let bytes = bytes.or_else(|_| fs::read(&whole)).unwrap_or_default();
        found.insert(format!("file {file} {time:?} {:?}", metadata.permissions()), bytes);
    }
    for arguments in [
        &["--no-optional-locks", "status", "--porcelain=v2", "--branch", "--ignored"][..],
        &["stash", "list"],
        &["ls-files", "-v", "-s"],
        &["for-each-ref"],
    ] {
        found.insert(arguments.join(" "), run_git(directory, arguments).into_bytes());
    }
    found
}

/// The move is refused for exactly this, and nothing has changed.
fn check(sandbox: &Sandbox, to: &CommitId, obstacle: &Obstacle) {
    let repository = sandbox.open();
    let before = everything(&sandbox.project);
    let Advance::NotReady { reasons } = advance(&repository, to) else { panic!("{obstacle:?}") };
    let wanted = InTheWay { checkout: sandbox.project.clone(), obstacle: obstacle.clone() };
    assert_eq!(reasons, [wanted]);
    assert!(reasons[0].to_string().starts_with(&format!("in {}: ", sandbox.project)));
    assert_eq!(everything(&sandbox.project), before, "{obstacle:?}");
    let from = repository.read_branch(&main()).unwrap();
    let looked = repository.readiness(&FastForward { branch: &main(), from: from.as_ref(), to });
    assert_eq!(looked.unwrap(), reasons);
    assert_eq!(everything(&sandbox.project), before, "{obstacle:?}");
}

fn paths(texts: &[&str]) -> Vec<TreePath> {
    texts.iter().map(|text| path(text)).collect()
}

fn stands_at(directory: &Utf8Path, to: &CommitId) {
    assert_eq!(run_git(directory, &["rev-parse", "HEAD"]), to.as_str());
    assert_eq!(run_git(directory, &["--no-optional-locks", "status", "--porcelain"]), "");
    let git_dir = Utf8PathBuf::from(run_git(directory, &["rev-parse", "--absolute-git-dir"]));
    for name in ["index.lock", "index.gulf", "index.gulf.lock", "index.gulf-lock"] {
        assert!(!git_dir.join(name).exists(), "{name}");
    }
}

#[test]
fn a_checkout_goes_along_and_keeps_what_is_its_own() {
    let sandbox = Sandbox::with(&FILES);
    let repository = sandbox.open();
    let (from, to) = (head(&repository), next(&repository));
    sandbox.write_all(&[("mine.txt", "untracked\n"), ("x.log", "ignored\n")]);
    sandbox.git(&["update-index", "--assume-unchanged", "same.txt"]);
    assert_eq!(advance(&repository, &to), moved(&[&sandbox.project]));
    assert_eq!(sandbox.git(&["status", "--porcelain", "--ignored"]), "?? mine.txt\n!! x.log");
    assert_eq!(
        files_below(&sandbox.project),
        [
            ".gitignore", "a.txt", "dir", "made.log", "mine.txt", "new/", "new/deep/", "new/deep/c.txt",
            "same.txt", "x.log"
        ]
    );
    assert_eq!(fs::read_to_string(sandbox.project.join("a.txt")).unwrap(), "changed\n");
    assert!(sandbox.git(&["ls-files", "-v"]).contains("h same.txt"), "marks stay");
    assert!(sandbox.git(&["reflog", "main"]).contains("gulf: fast-forward"));
    assert!(sandbox.git(&["reflog", "HEAD"]).contains("gulf: fast-forward"));
    assert_eq!(sandbox.git(&["symbolic-ref", "HEAD"]), "refs/heads/main");
    let again = repository.fast_forward(&FastForward { branch: &main(), from: Some(&from), to: &to });
    assert_eq!(again.unwrap(), Advance::BaseMoved { now: Some(to) });
}

#[test]
fn a_branch_that_is_checked_out_nowhere_moves_alone() {
    for form in forms() {
        let sandbox = Sandbox::named("project", &form);
        sandbox.write_all(&FILES);
        sandbox.commit_all();
        sandbox.git(&["pack-refs", "--all"]);
        sandbox.git(&["checkout", "-q", "-b", "elsewhere"]);
        sandbox.write("a.txt", "dirty\n");
        let repository = sandbox.open();
        let to = next(&repository);
        let before = files_below(&sandbox.project);
        assert_eq!(advance(&repository, &to), moved(&[]));
        assert_eq!(repository.read_branch(&main()).unwrap(), Some(to));
        assert_eq!(files_below(&sandbox.project), before);
        assert_eq!(sandbox.git(&["status", "--porcelain"]), " M a.txt");
    }
}

#[test]
fn every_checkout_of_a_branch_goes_along_or_none() {
    let sandbox = Sandbox::with(&FILES);
    let (linked, gone) = (sandbox.root.join("linked"), sandbox.root.join("gone"));
    for path in [&linked, &gone] {
        sandbox.git(&["worktree", "add", "-q", "--force", path.as_str(), "main"]);
    }
    fs::remove_dir_all(&gone).unwrap();
    let repository = sandbox.open();
    let to = next(&repository);
    write_below(&linked, "a.txt", b"dirty\n");
    let before = (everything(&sandbox.project), everything(&linked));
    let changed = Obstacle::Changed(paths(&["a.txt"]));
    let reasons = vec![InTheWay { checkout: linked.clone(), obstacle: changed }];
    assert_eq!(advance(&repository, &to), Advance::NotReady { reasons });
    assert_eq!((everything(&sandbox.project), everything(&linked)), before);
    run_git(&linked, &["checkout", "-q", "a.txt"]);
    assert_eq!(advance(&repository, &to), moved(&[&sandbox.project, &linked]));
    stands_at(&sandbox.project, &to);
    stands_at(&linked, &to);
}

#[test]
fn a_branch_of_a_bare_repository_and_one_with_another_name_move() {
    let sandbox = Sandbox::with(&FILES);
    let (bare, there) = (sandbox.root.join("bare.git"), sandbox.root.join("there"));
    sandbox.git(&["clone", "-q", "--bare", sandbox.project.as_str(), bare.as_str()]);
    run_git(&bare, &["worktree", "add", "-q", "-b", "work", there.as_str()]);
    let repository = open_at(&there, &sandbox.root.join("gulf/private"));
    let to = next(&repository);
    assert_eq!(advance(&repository, &to), moved(&[]));
    assert_eq!(run_git(&bare, &["rev-parse", "main"]), to.as_str());
    run_git(&bare, &["symbolic-ref", "refs/heads/alias", "refs/heads/work"]);
    let from = repository.read_branch(&branch("alias")).unwrap();
    let wanted = FastForward { branch: &branch("alias"), from: from.as_ref(), to: &to };
    assert_eq!(repository.fast_forward(&wanted).unwrap(), moved(&[&there]));
    stands_at(&there, &to);
    assert_eq!(run_git(&bare, &["symbolic-ref", "refs/heads/alias"]), "refs/heads/work");
}

#[test]
fn a_branch_without_a_commit_gets_its_first_one() {
    let sandbox = Sandbox::new();
    let repository = sandbox.open();
    let edits = [(path("a.txt"), put("a\n")), (path("dir/b.txt"), put("b\n"))];
    let tree = repository.write_tree_with(&repository.empty_tree(), &edits).unwrap();
    let to = repository.commit(&tree, &[], "first\n", WHEN).unwrap();
    sandbox.write("a.txt", "mine\n");
    let obstacle = Obstacle::Untracked(paths(&["a.txt"]));
    let reasons = vec![InTheWay { checkout: sandbox.project.clone(), obstacle }];
    assert_eq!(advance(&repository, &to), Advance::NotReady { reasons });
    assert_eq!(fs::read_to_string(sandbox.project.join("a.txt")).unwrap(), "mine\n");
    sandbox.remove("a.txt");
    assert_eq!(advance(&repository, &to), moved(&[&sandbox.project]));
    stands_at(&sandbox.project, &to);
}

#[test]
fn a_branch_moves_only_forward_and_only_from_where_it_is() {
    let sandbox = Sandbox::with(&FILES);
    let repository = sandbox.open();
    let (from, to) = (head(&repository), next(&repository));
    let other = on(&repository, &from, &[("a.txt", put("other\n"))]);
    let wanted = |from, to| repository.fast_forward(&FastForward { branch: &main(), from, to });
    let error = wanted(Some(&to), &other).unwrap_err();
    assert!(matches!(error, GitError::NotDescendant { .. }), "{error}");
    sandbox.git(&["commit", "-q", "--allow-empty", "-m", "meanwhile"]);
    let before = everything(&sandbox.project);
    let now = head(&repository);
    assert_eq!(wanted(Some(&from), &to).unwrap(), Advance::BaseMoved { now: Some(now.clone()) });
    assert_eq!(wanted(None, &to).unwrap(), Advance::BaseMoved { now: Some(now) });
    assert_eq!(everything(&sandbox.project), before);
}

#[test]
fn uncommitted_work_is_in_the_way() {
    let sandbox = Sandbox::with(&FILES);
    let to = next(&sandbox.open());
    sandbox.write("same.txt", "stashed\n");
    sandbox.git(&["stash"]);
    sandbox.write_all(&[("same.txt", "dirty\n"), ("mine.txt", "untracked\n")]);
    check(&sandbox, &to, &Obstacle::Changed(paths(&["same.txt"])));
    sandbox.git(&["add", "same.txt"]);
    check(&sandbox, &to, &Obstacle::Staged(paths(&["same.txt"])));
    sandbox.git(&["reset", "-q", "--hard"]);
    sandbox.git(&["rm", "-q", "--cached", "same.txt"]);
    check(&sandbox, &to, &Obstacle::Staged(paths(&["same.txt"])));
    sandbox.git(&["reset", "-q", "--hard"]);
    sandbox.remove("a.txt");
    check(&sandbox, &to, &Obstacle::Changed(paths(&["a.txt"])));
}

#[test]
fn files_that_would_be_overwritten_are_in_the_way() {
    let sandbox = Sandbox::with(&FILES);
    let to = next(&sandbox.open());
    sandbox.write("new/deep/c.txt", "mine\n");
    check(&sandbox, &to, &Obstacle::Untracked(paths(&["new/deep/c.txt"])));
    fs::remove_dir_all(sandbox.project.join("new")).unwrap();
    sandbox.write("new", "a file where a folder comes\n");
    check(&sandbox, &to, &Obstacle::Untracked(paths(&["new"])));
    sandbox.remove("new");
    sandbox.write("made.log", "ignored\n");
    check(&sandbox, &to, &Obstacle::Ignored(paths(&["made.log"])));
    sandbox.remove("made.log");
    sandbox.write("dir/x.log", "ignored, in a folder that becomes a file\n");
    check(&sandbox, &to, &Obstacle::Ignored(paths(&["dir/x.log"])));
    sandbox.remove("dir/x.log");
    sandbox.write("dir/mine.txt", "untracked, in a folder that becomes a file\n");
    check(&sandbox, &to, &Obstacle::Untracked(paths(&["dir/mine.txt"])));
}

#[test]
fn what_a_person_has_begun_is_in_the_way() {
    let sandbox = Sandbox::with(&FILES);
    let repository = sandbox.open();
    let from = head(&repository);
    let to = next(&repository);
    let other = on(&repository, &from, &[("same.txt", put("other\n"))]);
    sandbox.git(&["merge", "-q", "--no-commit", "--no-ff", "-s", "ours", other.as_str()]);
    check(&sandbox, &to, &Obstacle::Operation(Operation { description: "a merge", branch: None }));
    sandbox.git(&["merge", "--abort"]);
    sandbox.git(&["bisect", "start"]);
    check(
        &sandbox,
        &to,
        &Obstacle::Operation(Operation { description: "a bisection", branch: Some(main()) }),
    );
    sandbox.git(&["bisect", "reset"]);
    sandbox.write(".git/index.lock", "");
    check(&sandbox, &to, &Obstacle::IndexLocked);
    sandbox.remove(".git/index.lock");
    sandbox.write(".git/refs/heads/main.lock", "");
    let Advance::NotReady { reasons } = advance(&repository, &to) else { panic!() };
    assert!(matches!(reasons[0].obstacle, Obstacle::BranchLocked(_)), "{reasons:?}");
    sandbox.remove(".git/refs/heads/main.lock");
    assert_eq!(advance(&repository, &to), moved(&[&sandbox.project]));
}

#[test]
fn a_rebase_that_will_move_the_branch_is_in_the_way() {
    let sandbox = Sandbox::with(&FILES);
    sandbox.commit_all();
    let to = next(&sandbox.open());
    sandbox.git(&[
        "-c",
        "sequence.editor=sed -i s/pick/edit/",
        "rebase",
        "-q",
        "-i",
        "--keep-empty",
        "HEAD^",
    ]);
    check(&sandbox, &to, &Obstacle::Operation(Operation { description: "a rebase", branch: Some(main()) }));
}

#[test]
fn marks_in_the_index_are_in_the_way() {
    let sandbox = Sandbox::with(&FILES);
    let to = next(&sandbox.open());
    sandbox.git(&["update-index", "--assume-unchanged", "a.txt"]);
    sandbox.write("a.txt", "hidden\n");
    check(&sandbox, &to, &Obstacle::AssumedUnchanged(paths(&["a.txt"])));
    sandbox.git(&["update-index", "--no-assume-unchanged", "a.txt"]);
    sandbox.git(&["checkout", "-q", "a.txt"]);
    sandbox.git(&["update-index", "--skip-worktree", "same.txt"]);
    check(&sandbox, &to, &Obstacle::SparseCheckout(paths(&["same.txt"])));
    sandbox.git(&["update-index", "--no-skip-worktree", "same.txt"]);
    sandbox.git(&["sparse-checkout", "set", "dir"]);
    sandbox.git(&["sparse-checkout", "set", "--no-cone", "/dir/", "/a.txt", "/same.txt", "/.gitignore"]);
    check(&sandbox, &to, &Obstacle::SparseCheckout(paths(&["gone.txt"])));
    sandbox.git(&["sparse-checkout", "disable"]);
    sandbox.git(&["update-index", "--split-index"]);
    check(&sandbox, &to, &Obstacle::SplitIndex);
}

#[test]
fn hidden_changes_of_files_that_stay_as_they_are_stay_too() {
    let sandbox = Sandbox::with(&FILES);
    let repository = sandbox.open();
    let to = next(&repository);
    sandbox.git(&["update-index", "--assume-unchanged", "same.txt"]);
    sandbox.write("same.txt", "hidden\n");
    assert_eq!(advance(&repository, &to), moved(&[&sandbox.project]));
    assert_eq!(fs::read_to_string(sandbox.project.join("same.txt")).unwrap(), "hidden\n");
    assert!(sandbox.git(&["ls-files", "-v"]).contains("h same.txt"));
}

#[test]
fn filters_and_submodules_are_in_the_way() {
    let sandbox = Sandbox::with(&FILES);
    let repository = sandbox.open();
    let to = on(
        &repository,
        &head(&repository),
        &[(".gitattributes", put("*.bin filter=lfs\n")), ("x.bin", put("pointer\n")), ("a.txt", put("x\n"))],
    );
    let filtered = Obstacle::Filtered { paths: paths(&["x.bin"]), filter: "lfs".to_owned() };
    check(&sandbox, &to, &filtered);
    let library = Sandbox::with(&[("lib.txt", "1\n")]);
    sandbox.git(&["submodule", "add", "-q", library.project.as_str(), "lib"]);
    sandbox.commit_all();
    let to = on(&repository, &head(&repository), &[("lib", TreeEdit::Remove)]);
    check(&sandbox, &to, &Obstacle::Submodules(paths(&["lib"])));
    let to = next(&repository);
    run_git(&sandbox.project.join("lib"), &["commit", "-q", "--allow-empty", "-m", "two"]);
    check(&sandbox, &to, &Obstacle::Submodules(paths(&["lib"])));
}

#[test]
fn files_that_cannot_all_be_written_are_all_brought_back() {
    let sandbox = Sandbox::with(&FILES);
    let repository = sandbox.open();
    let from = head(&repository);
    let too_long = format!("z{}", "z".repeat(300));
    let to = on(&repository, &next(&repository), &[(&too_long, put("z\n"))]);
    let index = fs::read(sandbox.project.join(".git/index")).unwrap();
    let wanted = FastForward { branch: &main(), from: Some(&from), to: &to };
    let error = repository.fast_forward(&wanted).unwrap_err();
    assert!(matches!(error, GitError::Failed { .. }), "{error}");
    assert_eq!(fs::read(sandbox.project.join(".git/index")).unwrap(), index);
    stands_at(&sandbox.project, &from);
}

#[cfg(unix)]
#[test]
fn moving_a_checkout_runs_nothing_of_the_project() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::with(&FILES);
    let repository = sandbox.open();
    let to = next(&repository);
    let mark = format!("touch '{}/ran'; cat", sandbox.root);
    for key in ["core.fsmonitor", "filter.evil.smudge", "filter.evil.clean", "hook.evil.command"] {
        sandbox.git(&["config", key, &mark]);
    }
    sandbox.git(&["config", "hook.evil.event", "reference-transaction"]);
    for hook in ["post-checkout", "reference-transaction", "post-index-change", "post-merge", "post-update"] {
        sandbox.write(&format!(".git/hooks/{hook}"), &format!("#!/bin/sh\n{mark}\n"));
        let hook = sandbox.project.join(".git/hooks").join(hook);
        fs::set_permissions(hook, fs::Permissions::from_mode(0o755)).unwrap();
    }
    assert_eq!(advance(&repository, &to), moved(&[&sandbox.project]));
    assert!(!sandbox.root.join("ran").exists());
}

#[test]
fn a_checkout_on_a_disk_that_comes_back_is_in_the_way() {
    let sandbox = Sandbox::with(&FILES);
    let repository = sandbox.open();
    let to = next(&repository);
    let away = sandbox.root.join("away");
    sandbox.git(&["worktree", "add", "-q", "--force", away.as_str(), "main"]);
    sandbox.git(&["worktree", "lock", away.as_str()]);
    fs::rename(&away, sandbox.root.join("unplugged")).unwrap();
    let reasons = vec![InTheWay { checkout: away.clone(), obstacle: Obstacle::OutOfReach }];
    assert_eq!(advance(&repository, &to), Advance::NotReady { reasons });
    fs::rename(sandbox.root.join("unplugged"), &away).unwrap();
    assert_eq!(advance(&repository, &to), moved(&[&sandbox.project, &away]));
}
