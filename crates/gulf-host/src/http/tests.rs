//! What comes back from a server that is slow, large, gone, or points elsewhere.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::{Answer, Http, HttpError, Post};
use crate::secret::Secret;

const PATIENCE: Duration = Duration::from_secs(20);

/// Answers one request with these bytes; gives back what was asked.
fn serve(answer: impl Into<Vec<u8>>) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let url = format!("http://{}/hook/SECRET", listener.local_addr().unwrap());
    let answer = answer.into();
    let served = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut asked = Vec::new();
        let mut buffer = [0; 4096];
        while !asked.ends_with(b"body") {
            let count = stream.read(&mut buffer).unwrap();
            asked.extend_from_slice(&buffer[..count]);
        }
        // A client may have had enough.
        drop(stream.write_all(&answer));
        String::from_utf8(asked).unwrap()
    });
    (url, served)
}

fn post(url: &str, timeout: Duration) -> Result<Answer, HttpError> {
    let (url, bearer) = (Secret::new(url), Secret::new("xoxb-TOKEN"));
    let headers = vec![("idempotency-key", "one".to_owned())];
    let body = b"body".to_vec();
    Http::new(timeout).post(&Post { url: &url, bearer: Some(&bearer), content: "text/plain", headers, body })
}

#[test]
fn an_answer_is_an_answer_whatever_its_status() {
    let (url, served) = serve("HTTP/1.1 429 Slow down\r\nretry-after: 7\r\ncontent-length: 4\r\n\r\nwait");
    let answer = post(&url, PATIENCE).unwrap();
    let retry_after = Some(Duration::from_secs(7));
    assert_eq!(answer, Answer { status: 429, retry_after, body: b"wait".to_vec() });
    let asked = served.join().unwrap().to_lowercase();
    assert!(asked.starts_with("post /hook/secret http/1.1\r\n"), "{asked}");
    assert!(
        asked.contains("authorization: bearer xoxb-token\r\n") && asked.contains("idempotency-key: one\r\n")
    );
}

#[test]
fn a_token_does_not_follow_to_where_somebody_points() {
    let (url, _) = serve("HTTP/1.1 307 Go\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n");
    assert_eq!(post(&url, PATIENCE).unwrap().status, 307);
}

#[test]
fn a_huge_answer_is_refused_and_one_that_is_none_as_well() {
    let mut huge = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    huge.resize(5 << 20, b'x');
    assert!(matches!(post(&serve(huge).0, PATIENCE), Err(HttpError::TooLarge)));
    let nonsense = post(&serve("SSH-2.0-OpenSSH_9.6\r\n\r\n").0, PATIENCE).unwrap_err();
    assert!(nonsense.is_unknown(), "{nonsense}");
}

#[test]
fn nobody_is_waited_for_longer_than_was_said() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let url = format!("http://{}/SECRET", listener.local_addr().unwrap());
    assert!(matches!(post(&url, Duration::from_millis(50)), Err(HttpError::TimedOut)));
}

#[test]
fn no_error_repeats_the_address_or_the_token() {
    let gone = format!(
        "http://{}/SECRET",
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap()
    );
    for url in [gone.as_str(), "no address SECRET", "https://127.0.0.1:1/SECRET", "ftp://SECRET.invalid/"] {
        let error = post(url, PATIENCE).unwrap_err();
        let words = format!("{error} {error:?}");
        assert!(!words.contains("SECRET") && !words.contains("TOKEN"), "{words}");
    }
}
