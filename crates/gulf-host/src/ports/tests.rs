//! What leases of ports promise, on real ports and in threads; other processes try it in `tests/storage/ports.rs`.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Mutex;

use super::{PortError, PortLeases, PortRequest, lease};
use crate::hint::Hint as _;
use crate::places::Folder;

/// A range that no other test uses, below the ports that systems give away.
fn ports(folder: &Folder, range: (u16, u16), count: usize, whose: &str) -> Result<PortLeases, PortError> {
    let directory = folder.join("ports");
    lease(&PortRequest { directory: &directory, first: range.0, last: range.1, count, whose })
}

#[test]
fn two_holders_never_share_a_port_and_each_gets_its_own_again() {
    let folder = Folder::new();
    let one = ports(&folder, (25_000, 25_099), 3, "/a").unwrap();
    let two = ports(&folder, (25_000, 25_099), 3, "/b").unwrap();
    let all: BTreeSet<u16> = one.numbers().into_iter().chain(two.numbers()).collect();
    assert_eq!(all.len(), 6);
    assert!(all.iter().all(|port| (25_000..=25_099).contains(port)));
    let before = one.numbers();
    drop(one);
    assert_eq!(ports(&folder, (25_000, 25_099), 3, "/a").unwrap().numbers(), before);
}

#[test]
fn a_port_that_something_listens_on_is_passed_over() {
    let folder = Folder::new();
    for address in [Ipv4Addr::LOCALHOST, Ipv4Addr::UNSPECIFIED] {
        let listener = TcpListener::bind((address, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let error = ports(&folder, (port, port), 1, "/a").unwrap_err();
        assert_eq!(error.to_string(), format!("only 0 of 1 ports from {port} to {port} are free"));
        assert!(error.hint().unwrap().contains("range"));
        drop(listener);
        assert_eq!(ports(&folder, (port, port), 1, "/a").unwrap().numbers(), [port]);
    }
}

#[test]
fn a_range_that_is_used_up_leases_nothing_at_all() {
    let folder = Folder::new();
    let held = ports(&folder, (25_200, 25_202), 2, "/a").unwrap();
    assert!(matches!(ports(&folder, (25_200, 25_202), 2, "/b"), Err(PortError::Exhausted { found: 1, .. })));
    drop(held);
    assert_eq!(ports(&folder, (25_200, 25_202), 3, "/b").unwrap().numbers().len(), 3);
}

#[test]
fn of_many_threads_no_two_get_one_port() {
    let folder = Folder::new();
    let held = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            let (folder, held) = (&folder, &held);
            // All begin to look at the same number.
            scope.spawn(move || {
                held.lock().unwrap().push(ports(folder, (25_300, 25_331), 4, "/same").unwrap());
            });
        }
    });
    let numbers: BTreeSet<u16> = held.into_inner().unwrap().iter().flat_map(PortLeases::numbers).collect();
    assert_eq!(numbers.len(), 32);
}

#[test]
fn who_wants_no_port_touches_nothing() {
    let folder = Folder::new();
    assert!(ports(&folder, (25_400, 25_400), 0, "/a").unwrap().numbers().is_empty());
    assert!(folder.names().is_empty());
}
