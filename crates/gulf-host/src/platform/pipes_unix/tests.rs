//! What is heard of children that write too much, too long, to both sides at once, or to nobody.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::Pipes;
use crate::platform::{Heard, HearingLimits};

const LIMITS: usize = 1 << 20;

fn child(script: &str) -> Child {
    let mut command = Command::new("sh");
    command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

#[track_caller]
fn check(script: &str, input: &[u8], expected: &Heard) {
    let mut child = child(script);
    let until = Instant::now() + Duration::from_secs(60);
    let limits = HearingLimits { stdout_bytes_max: LIMITS, stderr_bytes_max: 10, until };
    let heard = Pipes::from_child(&mut child).unwrap().end(input.to_vec(), limits).unwrap();
    assert!(heard == *expected, "{script}");
    let _ = child.kill();
    child.wait().unwrap();
}

fn everything(stdout: &[u8], stderr: &[u8]) -> Heard {
    Heard::Everything { stdout: stdout.to_vec(), stderr: stderr.to_vec() }
}

#[test]
fn both_outputs_are_heard_to_their_end() {
    check("printf out; printf err >&2", b"", &everything(b"out", b"err"));
    check("exec >&- 2>&-; cat > /dev/null", b"nobody hears", &everything(b"", b""));
}

#[test]
fn more_than_a_pipe_holds_goes_in_and_out_at_the_same_time() {
    let much = vec![b'x'; LIMITS];
    check("cat", &much, &everything(&much, b""));
}

#[test]
fn a_child_that_does_not_read_is_no_failure() {
    let much = vec![b'x'; LIMITS];
    check("exec <&-; printf done", &much, &everything(b"done", b""));
}

#[test]
fn of_complaints_the_beginning_is_kept_and_the_child_never_waits() {
    check("head -c 300000 /dev/zero | tr '\\0' e >&2; printf done", b"", &everything(b"done", b"eeeeeeeeee"));
}

#[test]
fn too_much_output_is_told_at_once() {
    check("cat /dev/zero", b"", &Heard::TooMuch);
}

#[test]
fn a_child_that_never_ends_is_left_when_its_time_is_over() {
    let mut child = child("cat");
    let stdin = child.stdin.take();
    let until = Instant::now() + Duration::from_millis(30);
    let limits = HearingLimits { stdout_bytes_max: LIMITS, stderr_bytes_max: 10, until };
    assert!(Pipes::from_child(&mut child).unwrap().end(Vec::new(), limits).unwrap() == Heard::TimedOut);
    drop(stdin);
    child.wait().unwrap();
}

#[test]
fn a_child_that_is_spoken_with_answers_as_often_as_it_is_asked() {
    let mut child = child("while read word; do echo complaint >&2; echo \"$word, $word\"; done");
    let mut pipes = Pipes::from_child(&mut child).unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    let limits = HearingLimits { stdout_bytes_max: LIMITS, stderr_bytes_max: 10, until };
    for word in ["one", "two"] {
        let answer =
            pipes.ask(format!("{word}\n").into_bytes(), |answer| answer.ends_with(b"\n"), limits).unwrap();
        assert_eq!(answer, Heard::Answer(format!("{word}, {word}\n").into_bytes()));
    }
    assert_eq!(pipes.end(Vec::new(), limits).unwrap(), everything(b"", b"complaint\n"));
    child.wait().unwrap();
}

#[test]
fn a_child_that_ends_instead_of_answering_is_heard_to_its_end() {
    let mut child = child("read word; printf half; printf why >&2");
    let mut pipes = Pipes::from_child(&mut child).unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    let limits = HearingLimits { stdout_bytes_max: LIMITS, stderr_bytes_max: 10, until };
    assert_eq!(pipes.ask(b"word\n".to_vec(), |_| false, limits).unwrap(), everything(b"half", b"why"));
    child.wait().unwrap();
}
