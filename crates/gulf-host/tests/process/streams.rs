//! What goes into a program and what comes out.
//!
//! Agents live in these streams: a byte lost here is a message lost.

use std::fs;

use gulf_host::process::{Ending, Output, ProcessRequest, SpawnError, Stdin, Stream};

use crate::{Room, spawn, text};

#[test]
fn a_program_without_input_reads_the_end_at_once() {
    let outcome = Room::new().run("cat; echo end");
    assert_eq!(outcome.ending, Ending::Exited(0));
    assert_eq!(text(&outcome.stdout_tail), "end\n");
}

#[test]
fn a_prompt_arrives_byte_for_byte() {
    let room = Room::new();
    let prompt: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    let request = ProcessRequest { stdin: Stdin::Bytes(prompt.clone()), ..room.shell("cat") };
    assert_eq!(spawn(request).wait().ending, Ending::Exited(0));
    assert!(room.read("stdout.log") == prompt, "the log differs from the prompt");
}

#[test]
fn a_program_that_never_reads_its_prompt_does_not_block() {
    for script in ["exit 4", "exec <&-; echo closed; exit 4"] {
        let room = Room::new();
        let request = ProcessRequest { stdin: Stdin::Bytes(vec![b'x'; 10_000_000]), ..room.shell(script) };
        assert_eq!(spawn(request).wait().ending, Ending::Exited(4));
    }
}

#[test]
fn two_hundred_megabytes_are_complete_on_disk_and_bounded_in_memory() {
    let room = Room::new();
    let script = "head -c 200000000 /dev/zero; grep VmHWM /proc/$PPID/status";
    let outcome = spawn(room.shell(script)).wait();
    assert_eq!(outcome.ending, Ending::Exited(0));
    assert_eq!(fs::metadata(room.file("stdout.log")).unwrap().len(), outcome.stdout_bytes);
    assert_eq!(outcome.stdout_tail.len(), 1_000);
    let tail = String::from_utf8_lossy(&outcome.stdout_tail);
    let peak_line = tail.trim_start_matches('\0');
    assert_eq!(outcome.stdout_bytes, 200_000_000 + u64::try_from(peak_line.len()).unwrap());
    let peak_kilobytes: u64 = peak_line.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(peak_kilobytes < 20_000, "the shim needed {peak_kilobytes} kB");
}

#[test]
fn both_streams_in_one_log_keep_their_order() {
    let room = Room::new();
    let outcome = room.run("for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done");
    let expected: String = (1..=5).map(|i| format!("out {i}\nerr {i}\n")).collect();
    assert_eq!(text(&room.read("stdout.log")), expected);
    assert_eq!(text(&outcome.stdout_tail), expected);
    assert_eq!((outcome.stderr_bytes, outcome.stderr_tail.len()), (0, 0));
}

#[test]
fn two_logs_keep_the_streams_apart() {
    let room = Room::new();
    let script = "echo out; echo err >&2; exit 1";
    let request = ProcessRequest { stderr_log: Some(room.file("stderr.log")), ..room.shell(script) };
    let outcome = spawn(request).wait();
    assert_eq!((room.read("stdout.log"), room.read("stderr.log")), (b"out\n".to_vec(), b"err\n".to_vec()));
    assert_eq!((outcome.stdout_tail, outcome.stderr_tail), (b"out\n".to_vec(), b"err\n".to_vec()));
    assert_eq!((outcome.stdout_bytes, outcome.stderr_bytes), (4, 4));
}

#[test]
fn output_that_is_no_text_is_kept_as_it_is() {
    let room = Room::new();
    let outcome = room.run(r"printf '\377\000\200'");
    assert_eq!(outcome.stdout_tail, [255, 0, 128]);
    assert_eq!(room.read("stdout.log"), [255, 0, 128]);
}

#[test]
fn a_listener_hears_everything_once_and_in_order() {
    let room = Room::new();
    let script = "seq 1 100000; seq 1 50000 >&2; echo last";
    let request = ProcessRequest { stderr_log: Some(room.file("stderr.log")), ..room.shell(script) };
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let outcome = spawn(request).watch(&mut |Output { stream, bytes }| match stream {
        Stream::Stdout => stdout.extend_from_slice(bytes),
        Stream::Stderr => stderr.extend_from_slice(bytes),
    });
    assert_eq!(outcome.ending, Ending::Exited(0));
    assert!(stdout == room.read("stdout.log") && stdout.ends_with(b"100000\nlast\n"));
    assert!(stderr == room.read("stderr.log") && stderr.ends_with(b"50000\n"));
}

#[test]
fn an_earlier_log_is_replaced() {
    let room = Room::new();
    fs::write(room.file("stdout.log"), "much longer than the new one").unwrap();
    room.run("echo new");
    assert_eq!(room.read("stdout.log"), b"new\n");
}

#[test]
fn a_log_that_was_deleted_meanwhile_still_tells_its_end() {
    let room = Room::new();
    let outcome = room.run("echo before; rm stdout.log; echo after");
    assert_eq!(text(&outcome.stdout_tail), "before\nafter\n");
}

#[test]
fn a_full_disk_shortens_the_log_and_is_told() {
    let room = Room::new();
    let request = ProcessRequest { stdout_log: "/dev/full".into(), ..room.shell("echo lost; exit 5") };
    let outcome = spawn(request).wait();
    assert_eq!(outcome.ending, Ending::Exited(5));
    assert_eq!(outcome.stdout_bytes, 5);
    assert!(outcome.log_failure.unwrap().contains("No space left"));
}

#[test]
fn a_log_without_a_folder_is_refused_before_anything_runs() {
    let room = Room::new();
    let request = ProcessRequest { stdout_log: room.file("없는/log"), ..room.shell("touch ran") };
    let shim = gulf_host::process::ShimProgram::other("/no/shim", Vec::new());
    let error = gulf_host::process::spawn(&shim, request).unwrap_err();
    assert!(matches!(&error, SpawnError::Log { path, .. } if path.ends_with("없는/log")), "{error}");
}

#[test]
fn a_missing_or_wrong_shim_is_an_error_and_no_panic() {
    let room = Room::new();
    let missing = gulf_host::process::ShimProgram::other("/no/shim", Vec::new());
    let error = gulf_host::process::spawn(&missing, room.shell("true")).unwrap_err();
    assert!(matches!(error, SpawnError::Shim { .. }), "{error}");

    let wrong = gulf_host::process::ShimProgram::other("true", Vec::new());
    match gulf_host::process::spawn(&wrong, room.shell("true")) {
        Ok(running) => assert_eq!(running.wait().ending, Ending::Lost),
        Err(error) => assert!(matches!(error, SpawnError::Request { .. }), "{error}"),
    }
}
