//! What lock promises, shown on the real thing.

use super::{Holder, Lock, LockError};
use crate::hint::Hint as _;
use crate::places::{Disk, Folder};
use std::sync::atomic::{AtomicUsize, Ordering};

fn note_of(error: LockError) -> Vec<u8> {
    match error {
        LockError::Held { note, .. } => note,
        LockError::Failed { .. } => panic!("not held: {error:?}"),
    }
}

#[test]
fn a_second_holder_is_refused_and_told_who_the_first_is() {
    let folder = Folder::new();
    let path = folder.join("lock");
    let lock = Lock::try_acquire(&path, b"pid 1, loop a").unwrap();
    assert_eq!(note_of(Lock::try_acquire(&path, b"pid 2").unwrap_err()), b"pid 1, loop a");
    assert_eq!(Lock::holder(&path).unwrap(), Holder::Process { note: b"pid 1, loop a".to_vec() });
    drop(lock);
    assert_eq!(Lock::holder(&path).unwrap(), Holder::Nobody);
    Lock::try_acquire(&path, b"pid 2").unwrap();
}

#[test]
fn whoever_takes_a_lock_or_lets_go_of_it_at_this_very_moment_is_nobody_without_a_name() {
    let folder = Folder::new();
    let path = folder.join("lock");
    std::thread::scope(|scope| {
        let holding = scope.spawn(|| {
            for _ in 0..3_000 {
                drop(Lock::try_acquire(&path, b"loop a").unwrap());
            }
        });
        while !holding.is_finished() {
            let holder = Lock::holder(&path).unwrap();
            assert!(holder == Holder::Nobody || holder == Holder::Process { note: b"loop a".to_vec() });
        }
    });
}

#[test]
fn a_shorter_note_leaves_nothing_of_a_longer_one_before_it() {
    let folder = Folder::new();
    let path = folder.join("lock");
    std::fs::write(&path, b"a long note of someone who died").unwrap();
    assert_eq!(Lock::holder(&path).unwrap(), Holder::Nobody);
    let _lock = Lock::try_acquire(&path, b"new").unwrap();
    assert_eq!(note_of(Lock::try_acquire(&path, b"").unwrap_err()), b"new");
}

#[test]
fn nobody_holds_a_lock_that_was_never_made() {
    let folder = Folder::new();
    assert_eq!(Lock::holder(&folder.join("lock")).unwrap(), Holder::Nobody);
    assert!(folder.names().is_empty(), "looking makes no file");
}

#[test]
fn those_who_only_look_keep_nobody_from_taking_the_lock() {
    let folder = Folder::new();
    let path = folder.join("lock");
    std::fs::write(&path, b"").unwrap();
    let taken = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while taken.load(Ordering::SeqCst) < 200 {
                Lock::holder(&path).unwrap();
            }
        });
        for _ in 0..200 {
            let lock = Lock::try_acquire(&path, b"");
            taken.fetch_add(1, Ordering::SeqCst);
            if let Err(error) = lock {
                taken.store(200, Ordering::SeqCst);
                panic!("{error}");
            }
        }
    });
}

#[test]
fn of_many_threads_one_gets_the_lock_at_a_time() {
    let folder = Folder::new();
    let path = folder.join("lock");
    let (inside, entered) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..100 {
                    if let Ok(_lock) = Lock::try_acquire(&path, b"me") {
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        entered.fetch_add(1, Ordering::SeqCst);
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                }
            });
        }
    });
    assert!(entered.load(Ordering::SeqCst) > 0);
}

#[test]
fn a_lock_that_cannot_be_made_is_an_error_and_not_a_holder() {
    let folder = Folder::new();
    let error = Lock::try_acquire(&folder.join("missing/lock"), b"").unwrap_err();
    assert!(matches!(error, LockError::Failed { .. }), "{error:?}");
    let Some(disk) = Disk::tiny() else { return };
    disk.make_read_only();
    let error = Lock::try_acquire(&disk.path().join("lock"), b"").unwrap_err();
    assert_eq!(error.hint().as_deref(), Some("the file system is mounted read-only"));
}
