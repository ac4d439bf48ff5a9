//! As much of HTTP/1.1 as two command-line agents speak: one request per connection, answered whole or as events.
//!
//! Nothing here knows what a model is.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};

use serde_json::Value;

const HEAD_BYTES_MAX: usize = 256 * 1024;
const HEADERS_MAX: usize = 128;
const BODY_BYTES_MAX: u64 = 32 * 1024 * 1024;
const CHUNK_LINE_BYTES_MAX: usize = 1024;

/// A request as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Received {
    pub(crate) method: String,
    /// With its query.
    pub(crate) path: String,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// `None` when the client went away without asking for anything.
pub(crate) fn read(mut stream: impl Read) -> io::Result<Option<Received>> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 16 * 1024];
    loop {
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            return if bytes.is_empty() { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        }
        bytes.extend_from_slice(&buffer[..count]);
        if let Some((mut received, head_bytes)) = parse_head(&bytes)? {
            received.body = read_body(&received, bytes[head_bytes..].chain(stream))?;
            return Ok(Some(received));
        }
        if bytes.len() > HEAD_BYTES_MAX {
            return Err(invalid("the head is too long"));
        }
    }
}

/// The body is not in it yet.
fn parse_head(bytes: &[u8]) -> io::Result<Option<(Received, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut request = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(length) = request.parse(bytes).map_err(invalid)? else { return Ok(None) };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let named = |header: &httparse::Header<'_>| (header.name.to_ascii_lowercase(), text(header.value));
    let received = Received {
        method: request.method.unwrap_or_default().to_owned(),
        path: request.path.unwrap_or_default().to_owned(),
        headers: request.headers.iter().map(named).collect(),
        body: Vec::new(),
    };
    Ok(Some((received, length)))
}

fn read_body(head: &Received, mut stream: impl Read) -> io::Result<Vec<u8>> {
    if head.header("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
        return read_chunks(stream);
    }
    let length = head.header("content-length").map_or(Ok(0), str::parse).map_err(invalid)?;
    let mut body = Vec::new();
    read_exactly(&mut stream, length, &mut body)?;
    Ok(body)
}

fn read_chunks(mut stream: impl Read) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = read_line(&mut stream)?;
        let Ok(httparse::Status::Complete((_, length))) = httparse::parse_chunk_size(&line) else {
            return Err(invalid("a chunk without a length"));
        };
        if length == 0 {
            // Trailers, up to an empty line.
            while read_line(&mut stream)? != b"\r\n" {}
            return Ok(body);
        }
        read_exactly(&mut stream, length, &mut body)?;
        read_line(&mut stream)?;
    }
}

fn read_exactly(stream: &mut impl Read, length: u64, body: &mut Vec<u8>) -> io::Result<()> {
    if body.len() as u64 + length > BODY_BYTES_MAX {
        return Err(invalid("the body is too long"));
    }
    let read = stream.take(length).read_to_end(body)?;
    if (read as u64) < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
}

fn read_line(stream: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.last() != Some(&b'\n') {
        if line.len() == CHUNK_LINE_BYTES_MAX {
            return Err(invalid("a line of a chunked body is too long"));
        }
        stream.read_exact(&mut byte)?;
        line.extend(byte);
    }
    Ok(line)
}

/// The whole answer; after HEAD only its head.
pub(crate) fn send_json(
    mut stream: &TcpStream,
    method: &str,
    status: u16,
    headers: &[(String, String)],
    body: &Value,
) -> io::Result<()> {
    let text = body.to_string();
    let mut answer = head(status, "application/json", headers);
    answer.push_str(&format!("content-length: {}\r\n\r\n", text.len()));
    if method != "HEAD" {
        answer.push_str(&text);
    }
    stream.write_all(answer.as_bytes())?;
    stream.shutdown(Shutdown::Write)
}

/// An answer of any kind, whole.
pub(crate) fn send(
    mut stream: &TcpStream,
    status: u16,
    content: &str,
    headers: &[(String, String)],
    body: &str,
) -> io::Result<()> {
    let mut answer = head(status, content, headers);
    answer.push_str(&format!("content-length: {}\r\n\r\n{body}", body.len()));
    stream.write_all(answer.as_bytes())?;
    stream.shutdown(Shutdown::Write)
}

/// Begins an answer that ends with the connection.
pub(crate) fn begin_events(mut stream: &TcpStream, headers: &[(String, String)]) -> io::Result<()> {
    let mut answer = head(200, "text/event-stream", headers);
    answer.push_str("cache-control: no-cache\r\n\r\n");
    stream.write_all(answer.as_bytes())
}

/// One event; its `type` is its name, in protocols that have one.
pub(crate) fn send_event(mut stream: &TcpStream, event: &Value) -> io::Result<()> {
    let name = event["type"].as_str().map(|name| format!("event: {name}\n")).unwrap_or_default();
    stream.write_all(format!("{name}data: {event}\n\n").as_bytes())
}

/// Until the client, or the drop of the listener, has closed the connection.
pub(crate) fn wait_until_closed(mut stream: &TcpStream) {
    let mut buffer = [0; 1024];
    while stream.read(&mut buffer).is_ok_and(|count| count > 0) {}
}

fn head(status: u16, content: &str, headers: &[(String, String)]) -> String {
    let mut head = format!("HTTP/1.1 {status} \r\ncontent-type: {content}\r\nconnection: close\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head
}

fn invalid(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}
