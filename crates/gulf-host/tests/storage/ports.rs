//! Leases of ports between real processes.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::ports::{self, PortRequest};

const FIRST: u16 = 25_500;
const LAST: u16 = 25_515;

/// Ends when its standard input is closed, which its end as a value does.
struct Lessee {
    process: Child,
}

impl Lessee {
    fn start(folder: &Utf8Path) -> Lessee {
        let process = Command::new(env!("CARGO_BIN_EXE_gulf-storage-fixture"))
            .args(["ports", folder.as_str(), &FIRST.to_string(), &LAST.to_string(), "2"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Lessee { process }
    }

    fn numbers(&mut self) -> Vec<u16> {
        let mut line = String::new();
        BufReader::new(self.process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        line.split_whitespace().map(|number| number.parse().unwrap()).collect()
    }
}

impl Drop for Lessee {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

#[test]
fn eight_processes_at_once_get_distinct_ports_and_those_of_a_killed_one_are_free_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = Utf8PathBuf::from_path_buf(folder.path().join("ports")).unwrap();
    let mut lessees: Vec<_> = (0..8).map(|_| Lessee::start(&folder)).collect();
    let numbers: Vec<Vec<u16>> = lessees.iter_mut().map(Lessee::numbers).collect();
    let all: BTreeSet<u16> = numbers.iter().flatten().copied().collect();
    assert_eq!((all.len(), numbers.concat().len()), (16, 16), "{numbers:?}");
    let request = PortRequest { directory: &folder, first: FIRST, last: LAST, count: 2, whose: "the ninth" };
    assert!(ports::lease(&request).is_err(), "all are taken");
    lessees[3].process.kill().unwrap();
    lessees[3].process.wait().unwrap();
    let again: BTreeSet<u16> = ports::lease(&request).unwrap().numbers().into_iter().collect();
    assert_eq!(again, numbers[3].iter().copied().collect());
}
