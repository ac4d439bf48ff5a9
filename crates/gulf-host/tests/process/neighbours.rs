//! What stands beside the shim: the sweep, the ancestors, the signals.
//!
//! These look at processes that gulf did not start just now.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::thread;

use gulf_host::process::{MARK_VARIABLE, find, sweep};
use rustix::process::{Pid, Signal, kill_process};

use crate::{FIXTURE, Room, text};

/// Each is caught at another place of its hop.
const CHAINS: u32 = 60;

fn sleeper(mark: &str) -> Child {
    Command::new("sleep").arg("1000").env(MARK_VARIABLE, mark).spawn().unwrap()
}

#[test]
fn a_sweep_kills_what_carries_the_prefix_and_says_what_that_was() {
    let mark = Room::new().mark();
    let mut inside = sleeper(&format!("{mark}/1/"));
    let mut outside = sleeper(&format!("other:{mark}/1/"));
    let report = sweep(&format!("{mark}/"));
    assert_eq!(inside.wait().unwrap().signal(), Some(9));
    assert_eq!(outside.try_wait().unwrap(), None);
    outside.kill().unwrap();
    outside.wait().unwrap();

    let [swept] = report.killed.as_slice() else { panic!("{report:?}") };
    assert_eq!((swept.id, swept.command.as_str()), (inside.id(), "sleep 1000"));
    assert_eq!(report.survivors, []);
    assert_eq!(sweep(&mark), gulf_host::process::SweepReport::default());
}

#[test]
fn a_sweep_takes_unmarked_descendants_along() {
    let mark = Room::new().mark();
    let script = "env -i sleep 1000 & echo $!; wait";
    let mut parent = Command::new("bash");
    parent.args(["-c", script]).env(MARK_VARIABLE, &mark).stdout(Stdio::piped());
    let mut parent = parent.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(parent.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let child: u32 = line.trim().parse().unwrap();
    let killed: Vec<u32> = sweep(&mark).killed.iter().map(|swept| swept.id).collect();
    assert!(killed.contains(&parent.id()) && killed.contains(&child), "{killed:?}");
    parent.wait().unwrap();
}

/// It looks like one that waits to be reaped, and shows neither environment nor arguments.
#[test]
fn a_sweep_kills_what_goes_on_without_its_first_thread() {
    let mark = Room::new().mark();
    let script = "import ctypes, threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()\n\
        print(flush=True)\nctypes.CDLL(None).pthread_exit(None)";
    let mut child = Command::new("python3");
    child.args(["-c", script]).env(MARK_VARIABLE, &mark).stdout(Stdio::piped());
    let mut child = child.spawn().unwrap();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
    let stat = format!("/proc/{}/stat", child.id());
    while !fs::read_to_string(&stat).unwrap().contains(") Z ") {
        thread::yield_now();
    }
    let killed: Vec<u32> = sweep(&mark).killed.iter().map(|swept| swept.id).collect();
    assert_eq!(killed, [child.id()]);
    assert_eq!(child.wait().unwrap().signal(), Some(9));
}

/// While a program is executed, its process shows neither environment nor arguments.
#[test]
fn a_sweep_catches_what_goes_on_from_one_process_to_the_next() {
    const HOP: &str = r#"[ $0 = 0 ] && exec sleep 1000; setsid bash -c "$HOP" $(($0 - 1)) & echo hopped"#;
    for chain in 0..CHAINS {
        let mark = format!("{}/{chain}/", Room::new().mark());
        let mut first = Command::new("bash");
        first.args(["-c", HOP, "3"]).env("HOP", HOP).env(MARK_VARIABLE, &mark).stdout(Stdio::piped());
        let mut first = first.spawn().unwrap();
        let mut hops = BufReader::new(first.stdout.take().unwrap()).lines();
        for _ in 0..chain % 4 {
            hops.next().unwrap().unwrap();
        }
        let report = sweep(&mark);
        assert_eq!(report.survivors, [], "chain {chain}");
        let stays = find(&mark);
        assert_eq!(stays, [], "chain {chain} outlived {report:?}");
        // The stream ends when nobody holds it any more: also none that did not show yet.
        assert!(hops.all(|hop| hop.unwrap() == "hopped"));
        first.wait().unwrap();
    }
}

#[test]
fn a_sweep_spares_itself_and_whoever_called_it() {
    let mark = Room::new().mark();
    let script = format!("'{FIXTURE}' sweep '{mark}'; echo still here");
    let output = Command::new("bash").args(["-c", &script]).env(MARK_VARIABLE, &mark).output().unwrap();
    assert_eq!(text(&output.stdout), "SweepReport { killed: [], survivors: [] }\nstill here\n");
}

#[test]
fn an_agent_that_clears_its_environment_is_still_seen_above() {
    let script = format!("env -i '{FIXTURE}' ancestry; true");
    let output = Command::new("bash").args(["-c", &script]).env("GULF_LOOP", "loop-7").output().unwrap();
    let trace = text(&output.stdout);
    assert!(trace.contains("GULF_LOOP=loop-7"), "{trace}");
}

#[test]
fn an_agents_environment_is_seen_without_looking_further() {
    let output = Command::new(FIXTURE).arg("ancestry").env("GULF_LOOP", "loop-8").output().unwrap();
    assert_eq!(text(&output.stdout), "Some(\"GULF_LOOP=loop-8\")\n");
}

#[test]
fn a_mark_alone_is_a_trace_without_a_loop() {
    let mut command = Command::new(FIXTURE);
    let output = command.arg("ancestry").env_remove("GULF_LOOP").env(MARK_VARIABLE, "any").output().unwrap();
    assert_eq!(text(&output.stdout), "Some(\"GULF_MARK=any\")\n");
}

#[test]
fn the_first_signal_asks_and_the_second_insists() {
    let mut listener = Command::new(FIXTURE).arg("signals").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(listener.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), "listening");
    kill_process(Pid::from_child(&listener), Signal::INT).unwrap();
    assert_eq!(lines.next().unwrap(), "Orderly");
    kill_process(Pid::from_child(&listener), Signal::TERM).unwrap();
    assert_eq!(lines.next().unwrap(), "Now");
    assert!(listener.wait().unwrap().success());
}

#[test]
fn a_signal_that_nohup_switched_off_stays_off() {
    let script = format!("trap '' HUP; exec '{FIXTURE}' signals");
    let mut listener = Command::new("bash").args(["-c", &script]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(listener.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), "listening");
    let status = std::fs::read_to_string(format!("/proc/{}/status", listener.id())).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    let caught = u64::from_str_radix(caught.trim(), 16).unwrap();
    listener.kill().unwrap();
    listener.wait().unwrap();
    // Bit n - 1 stands for signal n: hang-up is 1, interrupt is 2.
    assert_eq!(caught & 0b11, 0b10);
}
