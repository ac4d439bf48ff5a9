//! Worktrees are made exactly, found with what is going on in them, and removed only where nothing is lost.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

use super::support::{
    Sandbox, commit_of, crash_everywhere, crash_root, files_below, open_at, path, persons_state, run_git,
    write_below,
};
use crate::git::worktrees::patiently;
use crate::git::{
    AddWorktree, BranchName, CommitId, Elsewhere, GitError, Head, Holders, KeptWorktree, Operation,
    RecoveredWorktree, Repository, SubmoduleFinding,
};

fn branch(short: &str) -> BranchName {
    BranchName::from_short_name(short).unwrap()
}

fn head(repository: &Repository) -> CommitId {
    repository.head_commit().unwrap().unwrap()
}

fn place(sandbox: &Sandbox) -> Utf8PathBuf {
    sandbox.root.join("project-gulf 작업")
}

fn add(sandbox: &Sandbox, repository: &Repository) -> Result<Vec<SubmoduleFinding>, GitError> {
    let (path, at) = (place(sandbox), head(repository));
    repository.add_worktree(&AddWorktree { path: &path, branch: &branch("gulf/auto"), at: &at })
}

fn recover(sandbox: &Sandbox, repository: &Repository) -> Result<RecoveredWorktree, GitError> {
    let (path, at) = (place(sandbox), head(repository));
    repository.recover_worktree(&AddWorktree { path: &path, branch: &branch("gulf/auto"), at: &at })
}

fn remove(sandbox: &Sandbox, repository: &Repository) -> Option<KeptWorktree> {
    let kept = repository.remove_worktree(&place(sandbox), Holders::Anything).unwrap();
    assert_eq!(kept.is_some(), place(sandbox).exists(), "{kept:?}");
    kept
}

fn kept(sandbox: &Sandbox, repository: &Repository) -> KeptWorktree {
    let removal = remove(sandbox, repository);
    assert!(place(sandbox).is_dir());
    let kept = removal.unwrap();
    assert!(!kept.description().is_empty());
    kept
}

const SUBMODULE_STAYS: &str = "the submodule lib holds work that exists nowhere else";

fn is_exact(directory: &Utf8Path) {
    assert_eq!(run_git(directory, &["status", "--porcelain", "--ignored"]), "");
    assert_eq!(run_git(directory, &["symbolic-ref", "HEAD"]), "refs/heads/gulf/auto");
}

#[test]
fn an_added_worktree_holds_the_commit_and_the_person_keeps_everything() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n"), ("dir/b.txt", "b\n"), (".gitignore", "*.log\n")]);
    sandbox.write_all(&[("a.txt", "changed\n"), ("new.txt", "new\n")]);
    sandbox.git(&["add", "new.txt"]);
    let repository = sandbox.open();
    let before = persons_state(&sandbox);
    assert_eq!(add(&sandbox, &repository).unwrap(), vec![]);
    assert_eq!(files_below(&place(&sandbox)), [".gitignore", "a.txt", "dir/", "dir/b.txt"]);
    is_exact(&place(&sandbox));
    let after = persons_state(&sandbox);
    assert_eq!((&before.0, &before.2, &before.3, &before.4), (&after.0, &after.2, &after.3, &after.4));
    let worktrees = repository.worktrees().unwrap();
    assert_eq!(worktrees[0].path, sandbox.project);
    assert_eq!(worktrees[1].path, place(&sandbox));
    assert_eq!(worktrees[1].locked, None);
    assert_eq!(worktrees[1].head.as_ref().unwrap().commit(), Some(&head(&repository)));
    assert_eq!(recover(&sandbox, &repository).unwrap(), RecoveredWorktree::WasWhole);
}

#[test]
fn what_is_there_already_is_refused_and_left_alone() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    write_below(&place(&sandbox), "mine.txt", b"mine");
    assert!(matches!(add(&sandbox, &repository), Err(GitError::PathTaken { .. })));
    assert_eq!(repository.read_branch(&branch("gulf/auto")).unwrap(), None);
    fs::remove_file(place(&sandbox).join("mine.txt")).unwrap();
    sandbox.git(&["branch", "gulf/AUTO"]);
    assert!(matches!(add(&sandbox, &repository), Err(GitError::BranchTaken { .. })));
    sandbox.git(&["branch", "-D", "gulf/AUTO"]);
    add(&sandbox, &repository).unwrap();
    assert!(matches!(add(&sandbox, &repository), Err(GitError::PathTaken { .. })));
}

#[test]
fn a_worktree_that_somebody_is_just_making_is_in_nobodys_way() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    add(&sandbox, &repository).unwrap();
    let file = repository.worktrees().unwrap()[1].git_dir.clone().unwrap().join("commondir");
    let whole = fs::read(&file).unwrap();
    // As git makes it: first there, then filled.
    fs::write(&file, "").unwrap();
    let mut looks = 0;
    let seen = patiently(|| {
        looks += 1;
        if looks == 3 {
            fs::write(&file, &whole).unwrap();
        }
        repository.person_call("worktree")?.args(["list", "--porcelain", "-z"]).run()
    });
    assert_eq!((seen.map(|_| ()).ok(), looks), (Some(()), 3));
    // One that stays like that is an error, and not for ever waited for.
    fs::write(&file, "").unwrap();
    let error = repository.worktrees().unwrap_err().to_string();
    assert!(error.contains("failed to read") && error.contains("commondir"), "{error}");
}

#[test]
fn a_worktree_that_goes_while_git_looks_at_it_is_in_nobodys_way() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    add(&sandbox, &repository).unwrap();
    let file = repository.worktrees().unwrap()[1].git_dir.clone().unwrap().join("commondir");
    let whole = fs::read(&file).unwrap();
    // What leads through a folder that is gone, as its own is once this was read.
    fs::write(&file, "gone/../../..\n").unwrap();
    let mut looks = 0;
    let seen = patiently(|| {
        looks += 1;
        if looks == 3 {
            fs::write(&file, &whole).unwrap();
        }
        repository.person_call("worktree")?.args(["list", "--porcelain", "-z"]).run()
    });
    assert_eq!((seen.map(|_| ()).ok(), looks), (Some(()), 3));
}

#[test]
fn a_worktree_beside_a_sparse_checkout_is_whole() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n"), ("dir/b.txt", "b\n"), ("other/c.txt", "c\n")]);
    sandbox.git(&["config", "extensions.worktreeConfig", "true"]);
    sandbox.git(&["sparse-checkout", "set", "dir"]);
    assert!(!sandbox.project.join("other").exists());
    let repository = sandbox.open();
    add(&sandbox, &repository).unwrap();
    assert_eq!(files_below(&place(&sandbox)), ["a.txt", "dir/", "dir/b.txt", "other/", "other/c.txt"]);
    is_exact(&place(&sandbox));
    assert!(!sandbox.project.join("other").exists());
    assert_eq!(remove(&sandbox, &repository), None);
}

#[cfg(unix)]
#[test]
fn making_a_worktree_runs_nothing_of_the_project() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::with(&[("a.txt", "a\n"), (".gitattributes", "* filter=evil\n")]);
    let mark = format!("touch '{}/ran'; cat", sandbox.root);
    for key in ["filter.evil.smudge", "filter.evil.clean", "core.fsmonitor"] {
        sandbox.git(&["config", key, &mark]);
    }
    for hook in ["post-checkout", "reference-transaction", "post-index-change"] {
        sandbox.write(&format!(".git/hooks/{hook}"), &format!("#!/bin/sh\n{mark}\n"));
        let hook = sandbox.project.join(".git/hooks").join(hook);
        fs::set_permissions(hook, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let _ = fs::remove_file(sandbox.root.join("ran"));
    let repository = sandbox.open();
    add(&sandbox, &repository).unwrap();
    assert_eq!(remove(&sandbox, &repository), None);
    assert!(!sandbox.root.join("ran").exists());
}

#[test]
fn a_worktree_cut_off_at_any_step_is_finished_or_undone() {
    if let Some(root) = crash_root() {
        let repository = open_at(&root.join("project"), &root.join("gulf/private"));
        let (path, at) = (root.join("project-gulf 작업"), head(&repository));
        repository.add_worktree(&AddWorktree { path: &path, branch: &branch("gulf/auto"), at: &at }).unwrap();
        return;
    }
    let test = "git::tests::worktrees::a_worktree_cut_off_at_any_step_is_finished_or_undone";
    let prepare = || Sandbox::with(&[("a.txt", "a\n"), ("dir/b.txt", "b\n")]);
    let deaths = crash_everywhere(test, prepare, |sandbox, at| {
        let repository = sandbox.open();
        let recovered = recover(sandbox, &repository).unwrap();
        if recovered == RecoveredWorktree::Undone {
            assert!(!place(sandbox).exists(), "{at}");
            assert_eq!(repository.read_branch(&branch("gulf/auto")).unwrap(), None, "{at}");
            assert_eq!(repository.worktrees().unwrap().len(), 1, "{at}");
            add(sandbox, &repository).unwrap();
        }
        is_exact(&place(sandbox));
        assert_eq!(repository.worktrees().unwrap()[1].locked, None, "{at}");
        assert_eq!(recover(sandbox, &repository).unwrap(), RecoveredWorktree::WasWhole, "{at}");
    });
    assert!(deaths >= 6, "{deaths}");
}

#[test]
fn a_registration_that_git_did_not_finish_is_taken_back() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    repository.create_branch(&branch("gulf/auto"), &head(&repository)).unwrap();
    let admin = ".git/worktrees/project-gulf";
    sandbox.write(&format!("{admin}/locked"), &format!("gulf is making {}\n", place(&sandbox)));
    sandbox.write(".git/worktrees/other/locked", "gulf is making /elsewhere\n");
    write_below(&place(&sandbox), ".git", format!("gitdir: {}/{admin}\n", sandbox.project).as_bytes());
    assert_eq!(recover(&sandbox, &repository).unwrap(), RecoveredWorktree::Undone);
    assert!(!place(&sandbox).exists());
    assert!(!sandbox.project.join(admin).exists());
    assert!(sandbox.project.join(".git/worktrees/other").exists());
    add(&sandbox, &repository).unwrap();
}

#[test]
fn a_worktree_goes_when_nothing_is_lost_and_its_branch_stays() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n"), (".gitignore", "*.log\n")]);
    let repository = sandbox.open();
    assert_eq!(remove(&sandbox, &repository), None);
    add(&sandbox, &repository).unwrap();
    write_below(&place(&sandbox), "build.log", b"ignored");
    assert_eq!(remove(&sandbox, &repository), None);
    assert!(!place(&sandbox).exists());
    assert_eq!(repository.worktrees().unwrap().len(), 1);
    assert_eq!(repository.read_branch(&branch("gulf/auto")).unwrap(), Some(head(&repository)));
    let main = repository.remove_worktree(&sandbox.project, Holders::Anything).unwrap();
    assert_eq!(main.unwrap().why, "it is the repository's own worktree");
}

#[test]
fn a_worktree_with_anything_that_is_nowhere_else_stays() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    let repository = sandbox.open();
    add(&sandbox, &repository).unwrap();
    let there = place(&sandbox);
    let uncommitted = |paths: &[&str]| KeptWorktree {
        why: "in no commit".to_owned(),
        uncommitted: paths.iter().map(|text| path(text)).collect(),
    };
    write_below(&there, "new.txt", b"new");
    assert_eq!(kept(&sandbox, &repository), uncommitted(&["new.txt"]));
    run_git(&there, &["add", "new.txt"]);
    fs::remove_file(there.join("new.txt")).unwrap();
    assert_eq!(kept(&sandbox, &repository), uncommitted(&["new.txt"]));
    run_git(&there, &["reset", "-q", "--hard"]);
    run_git(&there, &["update-index", "--assume-unchanged", "a.txt"]);
    run_git(&there, &["update-index", "--skip-worktree", "b.txt"]);
    write_below(&there, "a.txt", b"x\n");
    write_below(&there, "b.txt", b"y\n");
    assert_eq!(kept(&sandbox, &repository), uncommitted(&["a.txt", "b.txt"]));
    run_git(&there, &["update-index", "--no-assume-unchanged", "a.txt"]);
    run_git(&there, &["update-index", "--no-skip-worktree", "b.txt"]);
    run_git(&there, &["reset", "-q", "--hard"]);
    run_git(&there, &["init", "-q", "nested"]);
    write_below(&there, "nested/x", b"x");
    assert_eq!(kept(&sandbox, &repository), uncommitted(&["nested"]));
    fs::remove_dir_all(there.join("nested")).unwrap();
    sandbox.git(&["worktree", "lock", "--reason", "mine", there.as_str()]);
    assert_eq!(kept(&sandbox, &repository).description(), "it is locked: mine");
    sandbox.git(&["worktree", "unlock", there.as_str()]);
    run_git(&there, &["bisect", "start"]);
    assert_eq!(kept(&sandbox, &repository).description(), "a bisection is in progress there");
    let bisection = Operation { description: "a bisection", branch: Some(branch("gulf/auto")) };
    assert_eq!(repository.worktrees().unwrap()[1].operation, Some(bisection));
    run_git(&there, &["bisect", "reset"]);
    assert_eq!(remove(&sandbox, &repository), None);
}

#[test]
fn a_worktree_whose_commits_nothing_else_holds_stays() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    add(&sandbox, &repository).unwrap();
    let there = place(&sandbox);
    write_below(&there, "a.txt", b"worked\n");
    run_git(&there, &["commit", "-q", "-am", "worked"]);
    let held_by_others = |repository: &Repository| {
        repository.remove_worktree(&there, Holders::AnythingBut(&[branch("gulf/auto")])).unwrap()
    };
    let commit = CommitId::parse(&run_git(&there, &["rev-parse", "HEAD"])).unwrap();
    let why = held_by_others(&repository).unwrap().description();
    assert_eq!(why, format!("no other branch contains its commit {commit}"));
    sandbox.git(&["merge", "-q", "gulf/auto"]);
    assert_eq!(held_by_others(&repository), None);
}

#[test]
fn what_a_commit_elsewhere_holds_needs_no_commit_in_the_worktree() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n"), ("b.txt", "b\n"), (".gitignore", "*.env\ndeep/*\n")]);
    let repository = sandbox.open();
    add(&sandbox, &repository).unwrap();
    let there = place(&sandbox);
    write_below(&there, "a.txt", b"worked\n");
    write_below(&there, "new.txt", b"new\n");
    fs::remove_file(there.join("b.txt")).unwrap();
    write_below(&there, "notes/progress.txt", b"mine\n");
    sandbox.write("a.txt", "worked\n");
    sandbox.write("new.txt", "new\n");
    fs::remove_file(sandbox.project.join("b.txt")).unwrap();
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "-q", "-m", "landed"]);
    let files = [repository.tree_of(&head(&repository)).unwrap()];
    let copied = [path("notes")];
    let held = Elsewhere { commits: Holders::Anything, files: &files, copied: &copied };
    let kept = |held: Elsewhere| match repository.keeps_worktree(&there, held).unwrap() {
        Some(KeptWorktree { uncommitted, .. }) => {
            uncommitted.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        }
        other => format!("{other:?}"),
    };
    assert_eq!(kept(held), "None");
    assert_eq!(kept(Elsewhere { copied: &[], ..held }), "notes/progress.txt");
    assert_eq!(kept(Holders::Anything.into()), "a.txt b.txt new.txt notes/progress.txt");
    run_git(&there, &["add", "-A"]);
    assert_eq!(kept(held), "None", "it may be staged as well");
    write_below(&there, "new.txt", b"newer\n");
    assert_eq!(kept(held), "new.txt");
    run_git(&there, &["add", "new.txt"]);
    write_below(&there, "new.txt", b"new\n");
    assert_eq!(kept(held), "new.txt", "what is staged alone is nowhere else");
    run_git(&there, &["reset", "-q"]);
    write_below(&there, "x.env", b"x");
    write_below(&there, "deep/y", b"y");
    let ignored = repository.ignored_in(&there).unwrap();
    let ignored: Vec<String> = ignored.iter().map(ToString::to_string).collect();
    assert!(ignored.contains(&"x.env".to_owned()) && ignored.iter().any(|path| path.starts_with("deep")));
    assert_eq!(repository.remove_worktree(&there, held).unwrap(), None);
}

#[test]
fn a_removal_cut_off_at_any_step_is_finished_by_the_next() {
    if let Some(root) = crash_root() {
        let repository = open_at(&root.join("project"), &root.join("gulf/private"));
        repository.remove_worktree(&root.join("project-gulf 작업"), Holders::Anything).unwrap();
        return;
    }
    let prepare = || {
        let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
        add(&sandbox, &sandbox.open()).unwrap();
        sandbox
    };
    let test = "git::tests::worktrees::a_removal_cut_off_at_any_step_is_finished_by_the_next";
    crash_everywhere(test, prepare, |sandbox, at| {
        if at == "git.worktree.remove" {
            fs::remove_file(place(sandbox).join("a.txt")).unwrap();
        }
        let removal = remove(sandbox, &sandbox.open());
        assert_eq!(removal, None, "{at}");
        assert!(!place(sandbox).exists(), "{at}");
    });
}

#[test]
fn submodules_are_filled_and_work_in_them_keeps_the_worktree() {
    let library = Sandbox::with(&[("lib.txt", "1\n")]);
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    sandbox.git(&["submodule", "add", "-q", library.project.as_str(), "lib"]);
    sandbox.commit_all();
    let repository = sandbox.open();
    add(&sandbox, &repository).unwrap();
    let inner = place(&sandbox).join("lib");
    assert_eq!(fs::read_to_string(inner.join("lib.txt")).unwrap(), "1\n");
    write_below(&inner, "lib.txt", b"2\n");
    assert_eq!(kept(&sandbox, &repository).description(), SUBMODULE_STAYS);
    run_git(&inner, &["commit", "-q", "-am", "two"]);
    run_git(&place(&sandbox), &["commit", "-q", "-am", "two"]);
    assert_eq!(kept(&sandbox, &repository).description(), SUBMODULE_STAYS);
    run_git(&sandbox.project.join("lib"), &["fetch", "-q", inner.as_str()]);
    assert_eq!(remove(&sandbox, &repository), None);
}

#[test]
fn the_list_tells_what_each_worktree_stands_at_and_what_goes_on_there() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let repository = sandbox.open();
    sandbox.write("a.txt", "b\n");
    let tree = sandbox.snapshot(&repository).tree;
    sandbox.git(&["checkout", "-q", "a.txt"]);
    let other = commit_of(&repository, &tree);
    let at = |name: &str| sandbox.root.join(name);
    sandbox.git(&["worktree", "add", "-q", "--detach", at("detached").as_str()]);
    sandbox.git(&["worktree", "add", "-q", "-b", "rebased", at("rebased").as_str(), other.as_str()]);
    sandbox.git(&["worktree", "add", "-q", "-b", "gone", at("gone").as_str()]);
    sandbox.git(&["worktree", "add", "-q", "--detach", at("unborn").as_str()]);
    run_git(&at("unborn"), &["checkout", "-q", "--orphan", "unborn"]);
    fs::remove_dir_all(at("gone")).unwrap();
    run_git(&at("rebased"), &["-c", "sequence.editor=sed -i s/pick/edit/", "rebase", "-q", "-i", "HEAD^"]);
    let worktrees = repository.worktrees().unwrap();
    let find = |name: &str| worktrees.iter().find(|known| known.path == at(name)).unwrap();
    assert!(matches!(find("detached").head, Some(Head::Detached { .. })));
    assert!(matches!(find("gone").head, Some(Head::Branch { .. })), "a folder that is gone is still known");
    let rebase = Operation { description: "a rebase", branch: Some(branch("rebased")) };
    assert_eq!(find("rebased").operation, Some(rebase));
    assert_eq!(find("unborn").head, Some(Head::Unborn { name: branch("unborn") }));
    let holders = |name: &str| -> Vec<Utf8PathBuf> {
        let found = repository.where_checked_out(&branch(name)).unwrap();
        found.into_iter().map(|worktree| worktree.path).collect()
    };
    assert_eq!(holders("rebased"), [at("rebased")]);
    assert_eq!(holders("main"), [sandbox.project.as_path()]);
    assert_eq!(holders("unknown"), Vec::<Utf8PathBuf>::new());
}

#[test]
fn a_worktree_of_a_bare_repository_adds_others() {
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    let (bare, there) = (sandbox.root.join("bare.git"), sandbox.root.join("there"));
    sandbox.git(&["clone", "-q", "--bare", sandbox.project.as_str(), bare.as_str()]);
    run_git(&bare, &["worktree", "add", "-q", there.as_str(), "main"]);
    let repository = open_at(&there, &sandbox.root.join("gulf/private"));
    add(&sandbox, &repository).unwrap();
    is_exact(&place(&sandbox));
    let worktrees = repository.worktrees().unwrap();
    assert_eq!((&worktrees[0].head, worktrees.len()), (&None, 3));
    assert_eq!(remove(&sandbox, &repository), None);
}
