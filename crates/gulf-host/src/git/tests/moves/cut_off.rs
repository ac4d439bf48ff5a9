//! A move that was cut off is ended or taken back, whatever happened meanwhile; apart from the moves themselves because each
//! begins with what a dead process left.

use super::*;

#[test]
fn what_cannot_be_taken_back_stays_locked_until_it_can() {
    let sandbox = with_a_move();
    let repository = sandbox.open();
    let (from, to) = ends_of_the_move(&repository);
    let words = format!("gulf moves refs/heads/main from {from} to {to}\n");
    sandbox.write(".git/index.lock", &words);
    sandbox.write("a.txt", "changed\n");
    sandbox.write(".git/refs/heads/main.lock", "");
    let wanted = FastForward { branch: &main(), from: Some(&from), to: &to };
    let error = repository.recover_fast_forward(&wanted).unwrap_err();
    assert!(matches!(error, GitError::Failed { .. }), "{error}");
    assert_eq!(fs::read_to_string(sandbox.project.join(".git/index.lock")).unwrap(), words);
    sandbox.remove(".git/refs/heads/main.lock");
    assert_eq!(recover(&repository), RecoveredMove::Undone);
    sandbox.remove("mine.txt");
    stands_at(&sandbox.project, &from);
}

#[test]
fn a_branch_that_went_on_from_the_new_commit_has_moved() {
    let sandbox = with_a_move();
    let repository = sandbox.open();
    let (from, to) = ends_of_the_move(&repository);
    let after = on(&repository, &to, &[]);
    sandbox.git(&["update-ref", "refs/heads/main", after.as_str()]);
    sandbox.write(".git/index.lock", &format!("gulf moves refs/heads/main from {from} to {to}\n"));
    assert_eq!(recover(&repository), RecoveredMove::Moved);
    sandbox.remove("mine.txt");
    stands_at(&sandbox.project, &after);
}

/// The move that is cut off, seen from the sandbox's root.
fn ends_of_the_move(repository: &Repository) -> (CommitId, CommitId) {
    let find = |name: &str| repository.find_commit(name).unwrap().unwrap();
    (find("refs/gulf/from"), find("refs/gulf/to"))
}

fn with_a_move() -> Sandbox {
    let sandbox = Sandbox::with(&FILES);
    let repository = sandbox.open();
    let (from, to) = (head(&repository), next(&repository));
    sandbox.git(&["update-ref", "refs/gulf/from", from.as_str()]);
    sandbox.git(&["update-ref", "refs/gulf/to", to.as_str()]);
    sandbox.git(&["worktree", "add", "-q", "--force", sandbox.root.join("linked").as_str(), "main"]);
    sandbox.write_all(&[("mine.txt", "untracked\n"), ("x.log", "ignored\n")]);
    sandbox
}

/// In the other process: the move itself.
fn move_in(root: &Utf8Path) {
    let repository = open_at(&root.join("project"), &root.join("gulf/private"));
    let (from, to) = ends_of_the_move(&repository);
    let advance = repository.fast_forward(&FastForward { branch: &main(), from: Some(&from), to: &to });
    assert!(matches!(advance.unwrap(), Advance::Moved { .. }));
}

fn recover(repository: &Repository) -> RecoveredMove {
    let (from, to) = ends_of_the_move(repository);
    repository.recover_fast_forward(&FastForward { branch: &main(), from: Some(&from), to: &to }).unwrap()
}

#[test]
fn a_move_cut_off_at_any_step_is_ended_or_taken_back() {
    if let Some(root) = crash_root() {
        return move_in(&root);
    }
    let test = "git::tests::moves::cut_off::a_move_cut_off_at_any_step_is_ended_or_taken_back";
    let deaths = crash_everywhere(test, with_a_move, |sandbox, at| {
        let repository = sandbox.open();
        let (from, to) = ends_of_the_move(&repository);
        let expected = match recover(&repository) {
            RecoveredMove::Moved => &to,
            RecoveredMove::Undone => &from,
            RecoveredMove::BaseMoved { now } => panic!("{at}: {now:?}"),
        };
        assert_eq!(repository.read_branch(&main()).unwrap().as_ref(), Some(expected), "{at}");
        sandbox.remove("mine.txt");
        stands_at(&sandbox.project, expected);
        stands_at(&sandbox.root.join("linked"), expected);
        assert!(sandbox.project.join("x.log").exists());
        if *expected == from {
            assert!(matches!(advance(&repository, &to), Advance::Moved { .. }), "{at}");
        }
        assert_eq!(recover(&repository), RecoveredMove::Moved, "{at}");
    });
    assert!(deaths >= 12, "{deaths}");
}

#[test]
fn a_move_cut_off_is_taken_back_when_somebody_else_has_moved_the_branch() {
    if let Some(root) = crash_root() {
        return move_in(&root);
    }
    let test =
        "git::tests::moves::cut_off::a_move_cut_off_is_taken_back_when_somebody_else_has_moved_the_branch";
    crash_everywhere(test, with_a_move, |sandbox, at| {
        let repository = sandbox.open();
        let (from, to) = ends_of_the_move(&repository);
        if repository.read_branch(&main()).unwrap().as_ref() != Some(&from) {
            return;
        }
        let meanwhile = on(&repository, &from, &[]);
        assert_ne!(meanwhile, to);
        sandbox.git(&["update-ref", "refs/heads/main", meanwhile.as_str()]);
        let recovered = recover(&repository);
        assert_eq!(recovered, RecoveredMove::BaseMoved { now: Some(meanwhile.clone()) }, "{at}");
        sandbox.remove("mine.txt");
        stands_at(&sandbox.project, &meanwhile);
        stands_at(&sandbox.root.join("linked"), &meanwhile);
    });
}

#[test]
fn a_file_that_git_wrote_half_is_brought_back_and_one_of_the_persons_is_not() {
    let sandbox = with_a_move();
    let repository = sandbox.open();
    let (from, to) = ends_of_the_move(&repository);
    let words = format!("gulf moves refs/heads/main from {from} to {to}\n");
    sandbox.write(".git/index.lock", &words);
    sandbox.write_all(&[("a.txt", "chan"), ("new/deep/c.txt", ""), ("gone.txt", "the person's\n")]);
    sandbox.remove("dir/b.txt");
    assert_eq!(recover(&repository), RecoveredMove::Undone);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), " M gone.txt\n?? mine.txt");
    assert!(!sandbox.project.join("new").exists());
    sandbox.write(".git/index.lock", "somebody else's");
    assert_eq!(recover(&repository), RecoveredMove::Undone);
    assert_eq!(fs::read_to_string(sandbox.project.join(".git/index.lock")).unwrap(), "somebody else's");
}

#[test]
fn a_person_who_commits_meanwhile_loses_nothing() {
    let sandbox = Sandbox::with(&FILES);
    let repository = sandbox.open();
    for round in 0..8 {
        let (from, to) =
            (head(&repository), on(&repository, &head(&repository), &[("r.txt", put(&round.to_string()))]));
        let advance = std::thread::scope(|scope| {
            let person = scope.spawn(|| {
                let output = std::process::Command::new("git")
                    .args([
                        "-c", "user.name=p", "-c", "user.email=p@x", "commit", "-q", "--allow-empty", "-m",
                        "p",
                    ])
                    .current_dir(&sandbox.project)
                    .output();
                output.unwrap().status.success()
            });
            let wanted = FastForward { branch: &main(), from: Some(&from), to: &to };
            let advance = repository.fast_forward(&wanted).unwrap();
            (advance, person.join().unwrap())
        });
        let status = sandbox.git(&["status", "--porcelain"]);
        assert_eq!(status, "", "{advance:?}");
        let log = sandbox.git(&["log", "--format=%H %s"]);
        assert_eq!(log.contains(to.as_str()), matches!(advance.0, Advance::Moved { .. }), "{advance:?}");
    }
}
