//! One story from beginning to end, in every form of repository: work beside the person, merge, land, keep, clean up.

use super::support::{Sandbox, forms, open_at, run_git, write_below};
use crate::git::{
    AddWorktree, Advance, BranchName, CommitId, CommitStamp, Deletion, FastForward, Head, Holders,
    MergeMessage, Merged, PushOutcome, RecoveredMove, RecoveredWorktree,
};

const WHEN: CommitStamp = CommitStamp { unix_seconds: 1_800_000_000 };

#[test]
fn work_beside_the_person_lands_in_every_form_of_repository() {
    for form in forms() {
        let sandbox = Sandbox::named("project", &form);
        sandbox.write_all(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
        sandbox.commit_all();
        sandbox.git(&["clone", "-q", "--bare", ".", sandbox.root.join("remote.git").as_str()]);
        land(&sandbox);
    }
}

fn land(sandbox: &Sandbox) {
    let repository = sandbox.open();
    let Head::Branch { name: base, commit: from } = repository.head().unwrap() else {
        panic!("no branch");
    };
    let wanted = BranchName::from_short_name("gulf/auto-20261122-104500").unwrap();
    let (branch, path) = repository.free_names(&wanted, &sandbox.root.join("project-gulf-auto")).unwrap();
    let request = AddWorktree { path: &path, branch: &branch, at: &from };
    repository.add_worktree(&request).unwrap();
    assert_eq!(repository.recover_worktree(&request).unwrap(), RecoveredWorktree::WasWhole);
    write_below(&path, "a.txt", b"worked\n");
    run_git(&path, &["commit", "-q", "-am", "worked"]);
    let candidate = CommitId::parse(&run_git(&path, &["rev-parse", "HEAD"])).unwrap();
    sandbox.write("b.txt", "the person's\n");
    sandbox.commit_all();
    let tip = repository.read_branch(&base).unwrap().unwrap();
    let Merged::Clean(tree) = repository.merge(&tip, &candidate).unwrap() else { panic!("conflict") };
    let message = MergeMessage { title: "merge".to_owned(), body: String::new(), trailers: Vec::new() };
    let merge = repository.commit(&tree, &[&tip, &candidate], &message.text(), WHEN).unwrap();
    let forward = FastForward { branch: &base, from: Some(&tip), to: &merge };
    let advance = repository.fast_forward(&forward).unwrap();
    assert_eq!(advance, Advance::Moved { checkouts: vec![sandbox.project.clone()] });
    assert_eq!(repository.recover_fast_forward(&forward).unwrap(), RecoveredMove::Moved);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
    repository.note(&merge, b"receipt\n", WHEN).unwrap();
    assert_eq!(sandbox.git(&["notes", "--ref=gulf", "show", "main"]), "receipt");
    let url = sandbox.root.join("remote.git");
    assert_eq!(repository.push(url.as_str(), &merge, &base, Some(&from)).unwrap(), PushOutcome::Pushed);
    let from_within = open_at(&path, &sandbox.root.join("gulf/within"));
    assert_eq!(from_within.worktrees().unwrap(), repository.worktrees().unwrap());
    assert_eq!(repository.remove_worktree(&path, Holders::Anything).unwrap(), None);
    let deletion = repository.delete_branch(&branch, &candidate, Holders::Anything).unwrap();
    assert_eq!(deletion, Deletion::Deleted);
}
