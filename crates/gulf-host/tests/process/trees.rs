//! What a program leaves behind must not stay.
//!
//! This is the promise of DESIGN invariant 6: nothing that gulf started outlives it.

use std::fs;
use std::process::{Command, Stdio};

use gulf_host::process::{Ending, ProcessRequest, StopMode};
use rustix::process::{Pid, Signal, kill_process};

use crate::{FIXTURE, Room, assert_dies, is_alive, last_number, spawn, text};

/// Leaves a process that has left every session and group of its ancestors, and prints its number.
const DETACHED: &str = "mkfifo ready
    ( setsid bash -c '( setsid bash -c \"echo \\$\\$ > ready; exec sleep 1000\" & )' & )
    read -r detached < ready; echo $detached";

#[test]
fn a_grandchild_that_left_session_and_group_twice_is_killed() {
    let outcome = Room::new().run(&format!("{DETACHED}; exit 3"));
    assert_eq!(outcome.ending, Ending::Exited(3));
    assert!(!is_alive(last_number(&outcome)));
    assert!(outcome.leftovers_killed >= 1, "{outcome:?}");
    assert_eq!(outcome.survivors, 0);
}

#[test]
fn a_grandchild_without_environment_that_ignores_sigterm_is_killed() {
    let script = DETACHED.replace("exec sleep", "trap \\\"\\\" TERM; exec env -i /bin/sleep");
    let outcome = Room::new().run(&script);
    assert_eq!(outcome.ending, Ending::Exited(0));
    assert!(!is_alive(last_number(&outcome)));
    assert_eq!(outcome.survivors, 0);
}

#[test]
fn a_grandchild_that_holds_the_output_open_does_not_hold_up_the_end() {
    let outcome = Room::new().run("sleep 1000 & echo $!");
    assert_eq!(outcome.ending, Ending::Exited(0));
    assert!(!is_alive(last_number(&outcome)));
    assert_eq!(outcome.leftovers_killed, 1);
}

#[test]
fn a_program_that_leaves_nothing_has_no_leftovers() {
    assert_eq!(Room::new().run("sleep 0 & wait; (true &)").survivors, 0);
    assert_eq!(Room::new().run("true").leftovers_killed, 0);
}

#[test]
fn a_wide_tree_of_stubborn_processes_is_killed_to_the_last() {
    let room = Room::new();
    let counted = room.meeting_point("counted");
    let script = "trap '' TERM
        grow() { if [ $1 -gt 0 ]; then grow $(($1 - 1)) & grow $(($1 - 1)) & fi; echo x; exec sleep 1000; }
        grow 6 > counted & echo working; wait";
    // Held open until all is over: the end of the pipe then says that every writer in the tree is dead.
    let held = fs::OpenOptions::new().read(true).write(true).open(room.file("counted")).unwrap();
    let reader = std::thread::spawn(move || counted.read());
    let running = spawn(room.shell(script));
    let canceller = running.canceller();
    // Cancelled while it still grows.
    let outcome = running.watch(&mut |_output| canceller.cancel(StopMode::Now));
    assert_eq!((outcome.ending, outcome.survivors), (Ending::Cancelled, 0));
    drop(held);
    assert!(reader.join().unwrap().lines().count() <= 127);
}

#[test]
fn an_orphan_that_ends_is_reaped_while_the_program_goes_on() {
    // A zombie can still be signalled, so the script would go round until its wall limit.
    let script = "mkfifo ready; (setsid bash -c 'echo $$ > ready' &); read -r orphan < ready
        while kill -0 $orphan; do sleep 0.01; done; exit 8";
    assert_eq!(Room::new().run(script).ending, Ending::Exited(8));
}

#[test]
fn a_program_that_signals_its_own_group_does_not_hit_the_shim() {
    assert_eq!(Room::new().run("kill -KILL 0").ending, Ending::Signalled(9));
}

#[test]
fn a_program_runs_in_the_session_of_its_shim_where_no_terminal_reaches_it() {
    let outcome =
        Room::new().run("read -r _ _ _ _ group session _ < /proc/self/stat; echo $PPID $$ $session $group");
    let numbers: Vec<&str> = text(&outcome.stdout_tail).split_whitespace().collect();
    assert_eq!((numbers[2], numbers[3]), (numbers[0], numbers[1]));
}

#[test]
fn a_program_inherits_no_file_of_gulf_or_its_shim() {
    // What the harness itself was given open, and leaves open, is not ours.
    let inherited: Vec<String> = fs::read_dir("/proc/self/fd")
        .unwrap()
        .filter_map(|file| Some(fs::read_link(file.unwrap().path()).ok()?.display().to_string()))
        .collect();
    let room = Room::new();
    let script = "cd /proc/$$/fd; for file in [0-9]*; do printf '%s ' $file; readlink $file; done";
    let outcome = spawn(ProcessRequest { tail_bytes_max: 100_000, ..room.shell(script) }).wait();
    let files: Vec<(&str, &str)> =
        text(&outcome.stdout_tail).lines().map(|line| line.split_once(' ').unwrap()).collect();
    assert!(files.contains(&("0", "/dev/null")), "{files:?}");
    for (number, file) in files {
        // The shell opens and closes a file of its own to list the folder; that one has no name any more.
        let own = file.is_empty() || ["0", "1", "2"].contains(&number);
        let expected = own || inherited.iter().any(|inherited| inherited == file);
        assert!(expected && !file.ends_with("stdout.log"), "{number} is {file}");
    }
}

#[test]
fn sigterm_to_the_shim_cancels_the_program() {
    assert_eq!(Room::new().run("kill -TERM $PPID; exec sleep 1000").ending, Ending::Cancelled);
}

#[test]
fn a_shim_that_is_killed_is_noticed_and_its_tree_swept() {
    let room = Room::new();
    // What the dying shim had not yet read is lost with it, so the numbers go to a file.
    let script = format!(
        "({DETACHED}) > left; env -i sleep 1000 & echo $! >> left; kill -KILL $PPID; exec sleep 1000"
    );
    let outcome = room.run(&script);
    assert_eq!(outcome.ending, Ending::Lost);
    let left: Vec<u32> = text(&room.read("left")).lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(left.len(), 2);
    for process in left {
        assert!(!is_alive(process), "{process}");
    }
    assert!(outcome.leftovers_killed >= 3, "{outcome:?}");
    assert_eq!(outcome.survivors, 0);
}

#[test]
fn a_handle_that_is_dropped_takes_its_tree_along() {
    let room = Room::new();
    let started = room.meeting_point("started");
    let running = spawn(room.shell("echo $$ > started; exec sleep 1000"));
    let process = started.read_process();
    assert!(is_alive(process));
    drop(running);
    assert!(!is_alive(process));
}

#[test]
fn a_handle_moves_between_threads_and_the_first_may_end() {
    let room = Room::new();
    let request = room.shell("echo $PPID; sleep 0.2; exit 6");
    let running = std::thread::spawn(move || spawn(request)).join().unwrap();
    assert_eq!(running.wait().ending, Ending::Exited(6));
}

#[test]
fn when_gulf_is_killed_the_whole_tree_dies() {
    let room = Room::new();
    let started = room.meeting_point("started");
    let script = format!("{DETACHED}; (echo $PPID $$ $detached) > started; exec sleep 1000");
    let mut driver = Command::new(FIXTURE)
        .args(["drive", room.path().as_str(), &script])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let tree: Vec<u32> = started.read().split_whitespace().map(|number| number.parse().unwrap()).collect();
    assert_eq!(tree.len(), 3);
    assert!(tree.iter().all(|process| is_alive(*process)));
    kill_process(Pid::from_child(&driver), Signal::KILL).unwrap();
    driver.wait().unwrap();
    for process in tree {
        assert_dies(process);
    }
}

#[test]
fn a_gulf_that_inherited_ignored_child_signals_still_learns_exit_codes() {
    let room = Room::new();
    let perl = ["-e", "$SIG{CHLD} = 'IGNORE'; exec @ARGV", FIXTURE, "drive", room.path().as_str(), "exit 7"];
    let output = Command::new("perl").args(perl).output().unwrap();
    assert_eq!(text(&output.stdout), "Exited(7)\n");
}
