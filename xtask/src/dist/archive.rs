//! Archives whose bytes depend on their contents alone: tar, gzip and ar without the machine's users, times and order.
//!
//! Two builds must give the same bytes, and no program is asked that another system has in another form; only the
//! compressing is gzip's.

use crate::failure::Failure;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const BLOCK_BYTES: usize = 512;
/// A path longer than this is parted in two by the format, and none of ours is.
const PATH_BYTES_MAX: usize = 100;

/// Files by path, each with its permissions.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree(BTreeMap<String, Entry>);

#[derive(Debug, Clone)]
struct Entry {
    mode: u32,
    bytes: Vec<u8>,
}

impl Tree {
    pub(super) fn text(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.0.insert(path.to_owned(), Entry { mode: 0o644, bytes: bytes.into() });
    }

    pub(super) fn program(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.0.insert(path.to_owned(), Entry { mode: 0o755, bytes: bytes.into() });
    }

    /// All of another one, below a folder.
    pub(super) fn add(&mut self, folder: &str, other: &Tree) {
        for (path, entry) in &other.0 {
            self.0.insert(format!("{folder}{path}"), entry.clone());
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.values().map(|entry| entry.bytes.len()).sum()
    }

    /// In the order of paths, folders before what is in them, everything root's and of this time.
    pub(super) fn tar(&self, seconds: u64) -> Result<Vec<u8>, Failure> {
        let mut archive = Vec::new();
        let mut made = Vec::new();
        for (path, entry) in &self.0 {
            for folder in folders(path) {
                if !made.contains(&folder) {
                    archive.extend(header(&folder, (b'5', 0o755), 0, seconds)?);
                    made.push(folder);
                }
            }
            archive.extend(header(path, (b'0', entry.mode), entry.bytes.len(), seconds)?);
            archive.extend(&entry.bytes);
            archive.resize(archive.len().next_multiple_of(BLOCK_BYTES), 0);
        }
        archive.resize(archive.len() + 2 * BLOCK_BYTES, 0);
        Ok(archive)
    }
}

/// `a/`, `a/b/` of `a/b/c`.
fn folders(path: &str) -> Vec<String> {
    path.match_indices('/').map(|(at, _)| path[..=at].to_owned()).filter(|folder| folder != "./").collect()
}

fn header(
    path: &str,
    (kind, mode): (u8, u32),
    size: usize,
    seconds: u64,
) -> Result<[u8; BLOCK_BYTES], Failure> {
    if path.len() > PATH_BYTES_MAX {
        let what = format!("the path {path} is too long for an archive");
        return Err(Failure::Found { what, hint: "a shorter one has at most 100 bytes" });
    }
    let mut header = [0; BLOCK_BYTES];
    let mut put = |at: usize, text: &[u8]| header[at..at + text.len()].copy_from_slice(text);
    put(0, path.as_bytes());
    put(100, format!("{mode:07o}\0").as_bytes());
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    put(124, format!("{size:011o}\0").as_bytes());
    put(136, format!("{seconds:011o}\0").as_bytes());
    // While the sum is formed, its own place holds blanks.
    put(148, b"        ");
    put(156, &[kind]);
    put(257, b"ustar\x0000");
    put(265, b"root");
    put(297, b"root");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(header)
}

/// Without the name and the time that gzip keeps otherwise.
pub(super) fn gzip(bytes: Vec<u8>) -> Result<Vec<u8>, Failure> {
    let program = "gzip -9n".to_owned();
    let start = |source| Failure::Start { program: program.clone(), source };
    let mut command = Command::new("gzip");
    command.arg("-9n").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(start)?;
    let stdin = child.stdin.take();
    // A thread of its own: gzip writes before it has read everything.
    let writer = std::thread::spawn(move || stdin.map_or(Ok(()), |mut stdin| stdin.write_all(&bytes)));
    let output = child.wait_with_output().map_err(start)?;
    let written = writer.join().unwrap_or(Ok(()));
    written.map_err(start)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(Failure::Program { program, output: output.status.to_string() })
}

/// The archive of Debian's packages.
pub(super) fn ar(members: &[(&str, &[u8])], seconds: u64) -> Vec<u8> {
    let mut archive = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        let head = format!("{name:<16}{seconds:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, "100644", bytes.len());
        archive.extend(head.as_bytes());
        archive.extend(*bytes);
        if bytes.len() % 2 == 1 {
            archive.push(b'\n');
        }
    }
    archive
}

pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    super::make_parent(path)?;
    std::fs::write(path, bytes).map_err(Failure::file(path))
}
