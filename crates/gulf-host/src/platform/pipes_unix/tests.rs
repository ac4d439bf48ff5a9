//! What is heard of children that write too much, too long, to both sides at once, or to nobody.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::hear;
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
    let heard = hear(&mut child, Some(input.to_vec()), limits).unwrap();
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
    assert!(hear(&mut child, None, limits).unwrap() == Heard::TimedOut);
    drop(stdin);
    child.wait().unwrap();
}
