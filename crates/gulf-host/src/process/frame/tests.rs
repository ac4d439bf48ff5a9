//! What frame promises, shown on the real thing.

use std::time::Duration;

use super::{read_request, write_request};
use crate::process::{ProcessRequest, Program, Stdin};

fn request(stdin: Stdin) -> ProcessRequest {
    ProcessRequest {
        program: Program::Exec { program: "한글 program".to_owned(), arguments: vec!["a\nb".to_owned()] },
        directory: "/a b".into(),
        environment: vec![("KEY".to_owned(), "=value=".to_owned())],
        stdin,
        wall_max: Duration::from_millis(1_500),
        idle_max: None,
        stdout_log: "/out".into(),
        stderr_log: Some("/err".into()),
        output_bytes_max: u64::MAX,
        tail_bytes_max: 10,
        mark: "mark".to_owned(),
    }
}

#[test]
fn a_request_arrives_as_it_was_sent_and_leaves_the_stop_bytes_alone() {
    for stdin in [Stdin::Closed, Stdin::Bytes(Vec::new()), Stdin::Bytes(vec![0, 255, b'\n'])] {
        let sent = request(stdin);
        let mut bytes = Vec::new();
        write_request(&mut bytes, &sent).unwrap();
        bytes.push(b'k');
        let mut rest = bytes.as_slice();
        let received = read_request(&mut rest).unwrap();
        assert_eq!(format!("{received:?}"), format!("{sent:?}"));
        assert_eq!(rest, b"k");
    }
}

#[test]
fn a_request_that_was_cut_anywhere_is_an_error() {
    let mut bytes = Vec::new();
    write_request(&mut bytes, &request(Stdin::Bytes(b"prompt".to_vec()))).unwrap();
    for length in 0..bytes.len() {
        assert!(read_request(&mut &bytes[..length]).is_err(), "cut at {length}");
    }
}

#[test]
fn a_length_beyond_all_reason_is_an_error_before_it_is_believed() {
    assert!(read_request(&mut [255; 64].as_slice()).is_err());
}
