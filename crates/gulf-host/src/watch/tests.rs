//! What watch promises, shown on the real thing.

use super::*;
use crate::places::Folder;

/// Both ways of watching. Each test starts one when it needs it: what another one saw before is none of its business.
const STARTS: [fn(&Utf8Path) -> io::Result<Watch>; 2] =
    [Watch::start, |folder| Watch::begin(&[folder], |_| Err(io::ErrorKind::Unsupported.into()))];

#[test]
fn a_new_file_and_a_removed_one_end_the_wait() {
    let folder = Folder::new();
    for start in STARTS {
        let watch = start(folder.path()).unwrap();
        std::fs::write(folder.join("요청.json"), b"{}").unwrap();
        watch.wait();
        // The kernel may tell of the creation and of the writing one after the other.
        while watch.wait_at_most(Duration::ZERO) == Wake::Notified {}
        std::fs::remove_file(folder.join("요청.json")).unwrap();
        watch.wait();
    }
}

#[test]
fn what_is_over_soon_never_asks_the_kernel_and_what_is_not_misses_nothing_on_the_way_to_it() {
    let folder = Folder::new();
    let asked = |_: &[Utf8PathBuf]| -> io::Result<OwnedFd> { panic!("the kernel was asked") };
    let watch = Watch::begin(&[folder.path()], asked).unwrap();
    std::fs::write(folder.join("soon"), b"").unwrap();
    watch.wait();
    drop(watch);
    let many = [folder.path(); FEW + 1];
    for watch in [Watch::start(folder.path()).unwrap(), Watch::all_of(&many).unwrap()] {
        for number in 0..20 {
            std::fs::write(folder.join(&number.to_string()), b"").unwrap();
            watch.wait();
            // Those of one file come one after the other.
            while watch.wait_at_most(Duration::from_millis(20)) == Wake::Notified {}
            std::fs::remove_file(folder.join(&number.to_string())).unwrap();
            watch.wait();
            while watch.wait_at_most(Duration::from_millis(20)) == Wake::Notified {}
        }
    }
}

#[test]
fn a_waker_ends_the_wait_from_another_thread() {
    let folder = Folder::new();
    for start in STARTS {
        let watch = start(folder.path()).unwrap();
        let waker = watch.waker();
        let thread = std::thread::spawn(move || waker.wake());
        watch.wait();
        thread.join().unwrap();
    }
}

#[test]
fn many_wakes_are_one_notice_and_none_is_a_time_out() {
    let folder = Folder::new();
    let watch = Watch::start(folder.path()).unwrap();
    let waker = watch.waker();
    for _ in 0..1000 {
        waker.wake();
    }
    assert_eq!(watch.wait_at_most(Duration::ZERO), Wake::Notified);
    assert_eq!(watch.wait_at_most(Duration::ZERO), Wake::TimedOut);
}

#[test]
fn a_directory_that_goes_away_ends_the_wait() {
    let folder = Folder::new();
    let directory = folder.join("requests");
    for start in STARTS {
        std::fs::create_dir(&directory).unwrap();
        let watch = start(&directory).unwrap();
        std::fs::remove_dir(&directory).unwrap();
        watch.wait();
    }
}

#[test]
fn a_missing_directory_and_a_file_cannot_be_watched() {
    let folder = Folder::new();
    std::fs::write(folder.join("file"), b"").unwrap();
    assert_eq!(Watch::start(&folder.join("missing")).unwrap_err().kind(), io::ErrorKind::NotFound);
    assert_eq!(Watch::start(&folder.join("file")).unwrap_err().kind(), io::ErrorKind::NotADirectory);
}

#[test]
fn a_waker_that_outlives_its_watch_wakes_nobody() {
    let folder = Folder::new();
    for start in STARTS {
        let watch = start(folder.path()).unwrap();
        let waker = watch.waker();
        drop(watch);
        waker.wake();
    }
}
