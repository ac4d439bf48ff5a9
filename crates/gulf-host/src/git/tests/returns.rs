//! A checkout goes from a loop's branch back to the base branch, or stays as it is to the byte.

use std::fs;
use std::process::Command;

use camino::Utf8Path;

use super::moves::everything;
use super::support::{Sandbox, crash_everywhere, crash_root, forms, open_at, path, run_git};
use crate::git::{
    BranchName, CommitId, CommitStamp, FileMode, InTheWay, Obstacle, Repository, Return, Returned, TreeEdit,
    TreeId,
};

const FILES: [(&str, &str); 5] = [
    ("value.txt", "wrong\n"),
    ("gone.txt", "g\n"),
    ("dir/same.txt", "s\n"),
    ("notes.txt", "n\n"),
    (".gitignore", "*.log\n"),
];

fn loops() -> BranchName {
    BranchName::from_short_name("gulf/auto-1").unwrap()
}

fn main() -> BranchName {
    BranchName::from_short_name("main").unwrap()
}

/// A checkout on the loop's branch in which the work lies uncommitted, and `main` that holds it as a merge with what
/// others brought; `refs/gulf/work` and `refs/gulf/landed` say so.
fn with_landed_work(form: &[&str]) -> Sandbox {
    let sandbox = Sandbox::named("프로젝트 a'b", form);
    sandbox.write_all(&FILES);
    sandbox.commit_all();
    sandbox.git(&["switch", "-q", "-c", "gulf/auto-1"]);
    sandbox.write("begun.txt", "b\n");
    sandbox.commit_all();
    sandbox.write_all(&[("value.txt", "right\n"), ("new/deep.txt", "d\n")]);
    sandbox.remove("gone.txt");
    let repository = sandbox.open();
    let work = sandbox.candidate(&repository);
    sandbox.git(&["update-ref", "refs/gulf/work", work.as_str()]);
    land(&sandbox, "others.txt");
    sandbox.write_all(&[("x.log", "ignored\n"), ("mine.txt", "untracked\n")]);
    sandbox
}

/// Others bring a file to `main`, and the work is merged into that.
fn land(sandbox: &Sandbox, others: &str) {
    let elsewhere = sandbox.root.join("elsewhere");
    sandbox.git(&["worktree", "add", "-q", elsewhere.as_str(), "main"]);
    fs::write(elsewhere.join(others), "o\n").unwrap();
    run_git(&elsewhere, &["add", "-A"]);
    run_git(&elsewhere, &["commit", "-q", "-m", "others"]);
    run_git(&elsewhere, &["merge", "-q", "--no-ff", "-m", "landed", "refs/gulf/work"]);
    sandbox.git(&["worktree", "remove", "--force", elsewhere.as_str()]);
    sandbox.git(&["update-ref", "refs/gulf/landed", "main"]);
}

fn found(repository: &Repository, name: &str) -> CommitId {
    repository.find_commit(name).unwrap().unwrap()
}

fn work(repository: &Repository) -> TreeId {
    repository.tree_of(&found(repository, "refs/gulf/work")).unwrap()
}

fn back(repository: &Repository) -> Returned {
    let (landed, work) = (found(repository, "refs/gulf/landed"), work(repository));
    let keeps = [path("progress.txt")];
    let wanted = Return { from: &loops(), to: &main(), landed: &landed, work: &work, keeps: &keeps };
    repository.go_back(&wanted).unwrap()
}

#[track_caller]
fn is_back(sandbox: &Sandbox, at: &str) {
    assert_eq!(sandbox.git(&["branch", "--show-current"]), "main", "{at}");
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "?? mine.txt", "{at}");
    let read = |path: &str| fs::read_to_string(sandbox.project.join(path)).unwrap_or_default();
    assert_eq!(
        [read("value.txt"), read("others.txt"), read("x.log")],
        ["right\n", "o\n", "ignored\n"],
        "{at}"
    );
    assert!(!sandbox.project.join("gone.txt").exists(), "{at}");
    for left in ["index.lock", "index.gulf", "index.gulf-lock"] {
        assert!(!sandbox.project.join(".git").join(left).exists(), "{left} {at}");
    }
}

#[test]
fn the_checkout_stands_on_the_base_branch_with_what_landed_in_every_form_of_repository() {
    for form in forms() {
        let sandbox = with_landed_work(&form);
        let repository = sandbox.open();
        let landed = found(&repository, "refs/gulf/landed");
        assert_eq!(back(&repository), Returned::Back, "{form:?}");
        assert_eq!(repository.head_commit().unwrap(), Some(landed), "{form:?}");
        is_back(&sandbox, &format!("{form:?}"));
        assert_eq!(back(&repository), Returned::Elsewhere, "{form:?}");
        assert_eq!(sandbox.git(&["branch", "-d", "gulf/auto-1"]).lines().count(), 1, "{form:?}");
    }
}

#[test]
fn what_landed_on_top_meanwhile_comes_along() {
    let sandbox = with_landed_work(&[]);
    sandbox.git(&["update-ref", "refs/gulf/first", "refs/gulf/landed"]);
    land(&sandbox, "later.txt");
    let repository = sandbox.open();
    let (first, work) = (found(&repository, "refs/gulf/first"), work(&repository));
    let wanted = Return { from: &loops(), to: &main(), landed: &first, work: &work, keeps: &[] };
    let returned = repository.go_back(&wanted);
    assert_eq!(returned.unwrap(), Returned::Back);
    assert_eq!(repository.head_commit().unwrap(), Some(found(&repository, "refs/gulf/landed")));
    is_back(&sandbox, "");
    assert!(sandbox.project.join("later.txt").exists());
}

#[test]
fn what_is_uncommitted_since_and_in_nobodys_way_travels_along() {
    let sandbox = with_landed_work(&[]);
    sandbox.write_all(&[("notes.txt", "the person's\n"), ("dir/same.txt", "staged by them\n")]);
    sandbox.git(&["add", "dir/same.txt"]);
    assert_eq!(back(&sandbox.open()), Returned::Back);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), " M dir/same.txt\n M notes.txt\n?? mine.txt");
}

#[test]
fn a_text_that_only_the_branch_has_stays_as_it_lies() {
    let sandbox = with_landed_work(&[]);
    sandbox.write("progress.txt", "begun\n");
    sandbox.git(&["add", "progress.txt"]);
    sandbox.git(&["commit", "-q", "-m", "as some agents do"]);
    sandbox.write("progress.txt", "gone on\n");
    assert_eq!(back(&sandbox.open()), Returned::Back);
    assert_eq!(fs::read_to_string(sandbox.project.join("progress.txt")).unwrap(), "gone on\n");
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "?? mine.txt\n?? progress.txt");
}

#[test]
fn what_would_be_lost_keeps_the_checkout_where_it_is() {
    let check = |prepare: &dyn Fn(&Sandbox), fits: fn(&Obstacle) -> bool| {
        let sandbox = with_landed_work(&[]);
        // Others change a file of which the person has changes by now.
        let elsewhere = sandbox.root.join("elsewhere");
        sandbox.git(&["worktree", "add", "-q", elsewhere.as_str(), "main"]);
        fs::write(elsewhere.join("notes.txt"), "theirs\n").unwrap();
        fs::write(elsewhere.join("theirs.txt"), "theirs\n").unwrap();
        run_git(&elsewhere, &["add", "-A"]);
        run_git(&elsewhere, &["commit", "-q", "-m", "more"]);
        sandbox.git(&["worktree", "remove", elsewhere.as_str()]);
        prepare(&sandbox);
        let before = everything(&sandbox.project);
        let returned = back(&sandbox.open());
        let Returned::NotReady { reasons } = &returned else { panic!("{returned:?}") };
        assert!(reasons.iter().any(|one| fits(&one.obstacle)), "{reasons:?}");
        assert_eq!(everything(&sandbox.project), before);
    };
    check(&|sandbox| sandbox.write("notes.txt", "mine\n"), |one| matches!(one, Obstacle::Changed(_)));
    check(&|sandbox| sandbox.write("theirs.txt", "mine\n"), |one| matches!(one, Obstacle::Untracked(_)));
    check(&|sandbox| sandbox.write(".git/index.lock", ""), |one| matches!(one, Obstacle::IndexLocked));
    check(&|sandbox| sandbox.write(".git/MERGE_HEAD", &sandbox.git(&["rev-parse", "HEAD"])), |one| {
        matches!(one, Obstacle::Operation(_))
    });
}

/// As `with_landed_work`, and one version of a file is staged, another one lies there; none: the file is gone.
fn with_two_versions(file: &str, staged: &str, lying: Option<&str>) -> Sandbox {
    let sandbox = with_landed_work(&[]);
    sandbox.write(file, staged);
    sandbox.git(&["add", "--force", file]);
    match lying {
        Some(text) => sandbox.write(file, text),
        None => sandbox.remove(file),
    }
    sandbox
}

#[track_caller]
fn is_in_the_way(sandbox: &Sandbox, obstacle: Obstacle) {
    let before = everything(&sandbox.project);
    let reasons = vec![InTheWay { checkout: sandbox.project.clone(), obstacle }];
    assert_eq!(back(&sandbox.open()), Returned::NotReady { reasons });
    assert_eq!(everything(&sandbox.project), before);
}

#[test]
fn a_conflict_that_a_stash_left_keeps_the_checkout_where_it_is() {
    let sandbox = with_landed_work(&[]);
    // Two versions of a file that nobody else touches: one in the stash, one in a commit.
    sandbox.write("notes.txt", "stashed\n");
    sandbox.git(&["stash", "push", "-q", "notes.txt"]);
    sandbox.write("notes.txt", "committed\n");
    sandbox.git(&["commit", "-q", "-m", "as some agents do", "notes.txt"]);
    let popped = Command::new("git").args(["stash", "pop"]).current_dir(&sandbox.project).output();
    assert!(!popped.unwrap().status.success());
    assert!(!sandbox.project.join(".git/MERGE_HEAD").exists());
    is_in_the_way(&sandbox, Obstacle::Unmerged(vec![path("notes.txt")]));
    assert!(sandbox.git(&["stash", "list"]).contains("stash@{0}"));
}

#[test]
fn what_is_staged_and_stands_in_no_file_keeps_the_checkout_where_it_is() {
    let check = |file: &str, lying: Option<&str>| {
        let sandbox = with_two_versions(file, "staged\n", lying);
        is_in_the_way(&sandbox, Obstacle::Staged(vec![path(file)]));
    };
    check("notes.txt", Some("changed again\n"));
    check("notes.txt", None);
    check("own.txt", Some("changed again\n"));
    check("ignored.log", Some("changed again\n"));
}

#[test]
fn what_the_worker_staged_in_between_is_in_nobodys_way() {
    let sandbox = with_two_versions("value.txt", "half right\n", Some("right\n"));
    sandbox.write("tried.txt", "t\n");
    sandbox.git(&["add", "tried.txt"]);
    sandbox.remove("tried.txt");
    assert_eq!(back(&sandbox.open()), Returned::Back);
    is_back(&sandbox, "");
    // A text of the loop's is no part of the work, and stays as it lies.
    let sandbox = with_two_versions("progress.txt", "begun\n", Some("gone on\n"));
    assert_eq!(back(&sandbox.open()), Returned::Back);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "?? mine.txt\n?? progress.txt");
}

#[test]
fn a_base_that_is_elsewhere_or_does_not_hold_the_work_any_more_is_not_gone_back_to() {
    let sandbox = with_landed_work(&[]);
    let elsewhere = sandbox.root.join("elsewhere");
    sandbox.git(&["worktree", "add", "-q", elsewhere.as_str(), "main"]);
    let status = || (sandbox.git(&["branch", "--show-current"]), sandbox.git(&["status", "--porcelain"]));
    let before = status();
    assert_eq!(back(&sandbox.open()), Returned::Taken { at: elsewhere.clone() });
    sandbox.git(&["worktree", "remove", elsewhere.as_str()]);
    sandbox.git(&["branch", "--force", "main", "gulf/auto-1~1"]);
    assert_eq!(back(&sandbox.open()), Returned::Left);
    sandbox.git(&["update-ref", "-d", "refs/heads/main"]);
    assert_eq!(back(&sandbox.open()), Returned::Left);
    assert_eq!(status(), before);
}

fn back_in(root: &Utf8Path) {
    let repository = open_at(&root.join("프로젝트 a'b"), &root.join("gulf/private"));
    assert_eq!(back(&repository), Returned::Back);
}

#[test]
fn a_way_back_cut_off_at_any_step_is_gone_the_next_time_whatever_landed_meanwhile() {
    if let Some(root) = crash_root() {
        return back_in(&root);
    }
    let test =
        "git::tests::returns::a_way_back_cut_off_at_any_step_is_gone_the_next_time_whatever_landed_meanwhile";
    let deaths = crash_everywhere(
        test,
        || with_landed_work(&[]),
        |sandbox, at| {
            let repository = sandbox.open();
            let was_back = sandbox.git(&["branch", "--show-current"]) == "main";
            // Whoever moves the branch after HEAD finds the checkout locked; but it may have moved just before.
            let moves = !was_back || sandbox.project.join(".git/index.lock").exists();
            if moves {
                let landed = found(&repository, "refs/gulf/landed");
                let tree = repository.tree_of(&landed).unwrap();
                let edit = (path("later.txt"), TreeEdit::Put(b"l\n".to_vec(), FileMode::File));
                let tree = repository.write_tree_with(&tree, &[edit]).unwrap();
                let when = CommitStamp { unix_seconds: 1_800_000_000 };
                let later = repository.commit(&tree, &[&landed], "later\n", when).unwrap();
                sandbox.git(&["update-ref", "refs/heads/main", later.as_str()]);
            }
            let returned = back(&repository);
            assert_eq!(matches!(returned, Returned::Elsewhere), was_back, "{at}: {returned:?}");
            is_back(sandbox, at);
            assert_eq!(sandbox.project.join("later.txt").exists(), moves, "{at}");
        },
    );
    assert!(deaths >= 8, "{deaths}");
}

#[test]
fn a_file_that_git_wrote_half_is_no_change_of_the_persons() {
    let sandbox = with_landed_work(&[]);
    let repository = sandbox.open();
    let landed = found(&repository, "refs/gulf/landed");
    let words = format!("gulf goes back from refs/heads/gulf/auto-1 to refs/heads/main at {landed}\n");
    sandbox.git(&["read-tree", "refs/gulf/work"]);
    sandbox.write(".git/index.lock", &words);
    sandbox.write("others.txt", "");
    assert_eq!(back(&repository), Returned::Back);
    is_back(&sandbox, "");
}
