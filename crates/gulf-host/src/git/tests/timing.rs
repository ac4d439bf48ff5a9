//! How many calls of git the frequent operations cost; times are printed for people, not judged.

use std::fs;
use std::time::{Duration, Instant, SystemTime};

use super::support::{Sandbox, commit_of};
use crate::git::Keep;

#[test]
fn a_repository_of_300_files_is_snapshot_and_checked_out() {
    let sandbox = Sandbox::new();
    for number in 0..300 {
        let name = format!("d{}/f{number}.txt", number % 20);
        sandbox.write(&name, &format!("{number}\n").repeat(800));
        // Files of ordinary life are older than the index; those of this second git would read again each time.
        let file = fs::File::options().write(true).open(sandbox.project.join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
    }
    sandbox.commit_all();
    let repository = sandbox.open();
    let time = |what: &str, work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        eprintln!("{what}: {:.1} ms", start.elapsed().as_secs_f64() * 1000.0);
    };
    let mut trees = Vec::new();
    time("a git that does nothing", &mut || drop(sandbox.git(&["--version"])));
    time("first snapshot", &mut || trees.push(sandbox.snapshot(&repository)));
    time("unchanged snapshot", &mut || trees.push(sandbox.snapshot(&repository)));
    sandbox.write("d1/f1.txt", "changed\n");
    sandbox.write("new.txt", "new\n");
    time("changed snapshot", &mut || trees.push(sandbox.snapshot(&repository)));
    time("unchanged snapshot again", &mut || trees.push(sandbox.snapshot(&repository)));
    assert_eq!(trees[0], trees[1]);
    assert_ne!(trees[1], trees[2]);
    assert_eq!(trees[2], trees[3]);
    let base = commit_of(&repository, &trees[0].tree);
    let candidate = commit_of(&repository, &trees[2].tree);
    for _ in 0..5 {
        time("unchanged snapshot, warm", &mut || drop(sandbox.snapshot(&repository)));
    }
    time("first checkout", &mut || drop(sandbox.checkout(&repository, &base, Keep::IgnoredOutput)));
    for _ in 0..5 {
        time("same checkout", &mut || drop(sandbox.checkout(&repository, &base, Keep::IgnoredOutput)));
    }
    time("changed checkout", &mut || drop(sandbox.checkout(&repository, &candidate, Keep::IgnoredOutput)));
}
