//! Any trees, any state a person left: the branch moves and nothing of theirs changes, or nothing changes at all.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use super::moves::everything;
use super::support::{Sandbox, files_below, path};
use crate::git::{Advance, BranchName, CommitId, CommitStamp, FastForward, FileMode, Repository, TreeEdit};

/// Names that get into each other's way: files and folders of one name, ignored ones among them.
const NAMES: [&str; 9] = ["a", "b", "d/x", "d/y", "d/e/z", "f", "f/g", "n.log", "d/m.log"];
const WHEN: CommitStamp = CommitStamp { unix_seconds: 1_800_000_000 };

/// A row of numbers that a seed decides.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        // Knuth's MMIX; the upper bits are the good ones.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

/// A tree of some of the names, on `parent`.
fn commit(repository: &Repository, dice: &mut Dice, parent: Option<&CommitId>) -> CommitId {
    let mut tree = repository.empty_tree();
    let ignore = TreeEdit::Put(b"*.log\n".to_vec(), FileMode::File);
    tree = repository.write_tree_with(&tree, &[(path(".gitignore"), ignore)]).unwrap();
    for name in NAMES {
        if dice.throw(2) == 0 {
            let text = format!("tracked {}\n", dice.throw(2)).into_bytes();
            let mode = if dice.throw(6) == 0 { FileMode::Symlink } else { FileMode::File };
            tree = repository.write_tree_with(&tree, &[(path(name), TreeEdit::Put(text, mode))]).unwrap();
        }
    }
    let parents: Vec<&CommitId> = parent.into_iter().collect();
    repository.commit(&tree, &parents, "work\n", WHEN).unwrap()
}

/// One thing a person does to their checkout, if it can be done.
fn disturb(sandbox: &Sandbox, dice: &mut Dice, arriving: &[&str]) {
    let names = if arriving.is_empty() || dice.throw(3) == 0 { &NAMES } else { arriving };
    let name = names[dice.throw(names.len())];
    let file = sandbox.project.join(name);
    match dice.throw(5) {
        0 | 1 => {
            let _ = fs::create_dir_all(file.parent().unwrap());
            let _ = fs::write(&file, format!("mine {}\n", dice.throw(3)));
        }
        2 => {
            let _ = fs::remove_file(&file);
        }
        3 => {
            // Links that lead nowhere and the like are no matter: whatever git adds is staged.
            let add = Command::new("git").args(["add", "-A"]).current_dir(&sandbox.project).output();
            add.unwrap();
        }
        _ => {
            let _ = fs::remove_file(&file);
            let _ = fs::create_dir_all(file.join("sub"));
            let _ = fs::write(file.join("sub/own"), "mine\n");
        }
    }
}

/// The bytes of every file and link on disk.
fn contents(sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    let files = files_below(&sandbox.project).into_iter().filter(|name| !name.ends_with('/'));
    files
        .map(|name| {
            let file = sandbox.project.join(&name);
            let link = fs::read_link(&file).map(|to| to.as_os_str().as_encoded_bytes().to_vec());
            (name, link.or_else(|_| fs::read(&file)).unwrap())
        })
        .collect()
}

fn tracked(repository: &Repository, commit: &CommitId) -> BTreeMap<String, Vec<u8>> {
    let entries = repository.list(&repository.tree_of(commit).unwrap()).unwrap();
    let read = |entry: crate::git::Entry| {
        (entry.path.to_string(), repository.read_blob(&entry.blob, 1 << 20).unwrap())
    };
    entries.into_iter().map(read).collect()
}

/// Gives whether the branch moved.
fn check(seed: u64) -> bool {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let sandbox = Sandbox::new();
    let repository = sandbox.open();
    let from = commit(&repository, &mut dice, None);
    let to = commit(&repository, &mut dice, Some(&from));
    sandbox.git(&["reset", "-q", "--hard", from.as_str()]);
    let (old, new) = (tracked(&repository, &from), tracked(&repository, &to));
    // Where a file arrives that was not there, most can go wrong.
    let is_arriving = |name: &&str| new.contains_key(*name) && !old.contains_key(*name);
    let arriving: Vec<&str> = NAMES.into_iter().filter(is_arriving).collect();
    let disturbances = dice.throw(3);
    for _ in 0..disturbances {
        disturb(&sandbox, &mut dice, &arriving);
    }
    let (before, files) = (everything(&sandbox.project), contents(&sandbox));
    let main = BranchName::from_short_name("main").unwrap();
    let advance =
        repository.fast_forward(&FastForward { branch: &main, from: Some(&from), to: &to }).unwrap();
    let Advance::Moved { .. } = advance else {
        assert_eq!(everything(&sandbox.project), before, "seed {seed}: {advance:?}");
        assert_ne!(disturbances, 0, "seed {seed}: {advance:?}");
        return false;
    };
    let mut expected: BTreeMap<String, Vec<u8>> =
        files.into_iter().filter(|(name, _)| !old.contains_key(name)).collect();
    for (name, bytes) in new {
        assert!(expected.insert(name.clone(), bytes).is_none(), "seed {seed}: {name} was the person's");
    }
    assert_eq!(contents(&sandbox), expected, "seed {seed}");
    let status = sandbox.git(&["status", "--porcelain", "--untracked-files=no"]);
    assert_eq!(status, "", "seed {seed}");
    true
}

#[test]
fn whatever_stands_in_a_checkout_nothing_of_the_persons_is_lost() {
    let count = std::env::var("GULF_TEST_MOVES").ok().and_then(|count| count.parse().ok()).unwrap_or(24);
    let moved = (0..count).filter(|seed| check(*seed)).count();
    assert!(moved > 0 && u64::try_from(moved).unwrap() < count, "{moved} of {count} moved: both must happen");
}
