//! Reading files that people or other programs wrote: bounded, never blocking, and clear about what is wrong.
//!
//! Its errors are for people: they name the place and what the file looks like.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};

use camino::{Utf8Path, Utf8PathBuf};
use rustix::fs::OFlags;

use crate::files::system_hint;

/// A text as it stands in its file. Line ends are kept as they are: a parser that wants `\n` alone normalises, and
/// so can still point at the right byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileText {
    pub content: String,
    /// A mark that was there is not part of `content`; offsets into the file are then 3 bytes larger.
    pub byte_order_mark: ByteOrderMark,
}

/// Whether a UTF-8 byte order mark stood in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrderMark {
    Absent,
    Stripped,
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ReadError {
    #[error("{path} does not exist")]
    Missing { path: Utf8PathBuf },
    #[error("{path} is {kind}, not a file")]
    NotAFile { path: Utf8PathBuf, kind: &'static str },
    #[error("{path} is too large: {bytes} bytes, where {bytes_max} are allowed")]
    #[diagnostic(help("check that it is the file you meant"))]
    TooLarge { path: Utf8PathBuf, bytes: u64, bytes_max: u64 },
    #[error("{path} is not UTF-8 text: the byte at offset {offset} fits no character")]
    #[diagnostic(help("{hint}"))]
    NotUtf8 { path: Utf8PathBuf, offset: u64, hint: String },
    #[error("{path} is binary, not text: it has a NUL byte at offset {offset}")]
    Binary { path: Utf8PathBuf, offset: u64 },
    #[error("cannot read {path}")]
    #[diagnostic(help("{}", system_hint(source).unwrap_or_default()))]
    Failed { path: Utf8PathBuf, source: io::Error },
}

/// Reads a whole text file of at most `bytes_max` bytes (its byte order mark included).
pub fn read_text(path: &Utf8Path, bytes_max: u64) -> Result<FileText, ReadError> {
    let bytes = read_bytes(path, bytes_max)?;
    let not_utf8 =
        |offset: usize, hint| ReadError::NotUtf8 { path: path.to_owned(), offset: offset as u64, hint };
    if looks_like_utf16(&bytes) {
        let offset = std::str::from_utf8(&bytes).err().map_or(0, |error| error.valid_up_to());
        return Err(not_utf8(offset, looks_like("UTF-16", "UTF-16", path)));
    }
    if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
        return Err(ReadError::Binary { path: path.to_owned(), offset: offset as u64 });
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let (offset, is_cut) = (error.utf8_error().valid_up_to(), error.utf8_error().error_len().is_none());
        let cut = || "it ends in the middle of a character: the file was cut off".to_owned();
        not_utf8(offset, if is_cut { cut() } else { guess(error.as_bytes(), path) })
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => FileText { content: rest.to_owned(), byte_order_mark: ByteOrderMark::Stripped },
        None => FileText { content: text, byte_order_mark: ByteOrderMark::Absent },
    })
}

/// What was read; none where there is no such file.
pub fn if_there<T>(read: Result<T, ReadError>) -> Result<Option<T>, ReadError> {
    match read {
        Err(ReadError::Missing { .. }) => Ok(None),
        read => read.map(Some),
    }
}

/// Reads a whole file of at most `bytes_max` bytes.
pub fn read_bytes(path: &Utf8Path, bytes_max: u64) -> Result<Vec<u8>, ReadError> {
    let (file, metadata) = open_regular(path)?;
    let too_large = |bytes| ReadError::TooLarge { path: path.to_owned(), bytes, bytes_max };
    if metadata.len() > bytes_max {
        return Err(too_large(metadata.len()));
    }
    // A vector that grows by doubling would take twice as much of a large file.
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().saturating_add(1)).unwrap_or(0));
    // The size may be a lie: a file can grow meanwhile, and files under /proc say 0.
    let failed = |source| ReadError::Failed { path: path.to_owned(), source };
    file.take(bytes_max.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > bytes_max { Err(too_large(bytes.len() as u64)) } else { Ok(bytes) }
}

/// Reads the beginning of a file, at most `bytes_max` bytes of it.
pub fn read_start(path: &Utf8Path, bytes_max: u64) -> Result<Vec<u8>, ReadError> {
    let (file, _) = open_regular(path)?;
    let mut bytes = Vec::new();
    let failed = |source| ReadError::Failed { path: path.to_owned(), source };
    file.take(bytes_max).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// Reads the end of a file, at most `bytes_max` bytes of it, and says how many stand before.
pub fn read_end(path: &Utf8Path, bytes_max: u64) -> Result<(Vec<u8>, u64), ReadError> {
    let failed = |source| ReadError::Failed { path: path.to_owned(), source };
    let (mut file, metadata) = open_regular(path)?;
    let before = file.seek(SeekFrom::Start(metadata.len().saturating_sub(bytes_max))).map_err(failed)?;
    let wanted = metadata.len().saturating_sub(before);
    let mut bytes = Vec::with_capacity(usize::try_from(wanted.saturating_add(1)).unwrap_or(0));
    // It may grow meanwhile.
    file.take(bytes_max).read_to_end(&mut bytes).map_err(failed)?;
    Ok((bytes, before))
}

/// Opens a regular file for reading, following links; a FIFO, socket or device is refused and never waited for.
pub fn open_regular(path: &Utf8Path) -> Result<(File, Metadata), ReadError> {
    // Looked at before it is opened, because opening alone can do something to a device, and again after, because
    // the path may have become something else in between.
    let metadata = std::fs::metadata(path).map_err(|error| unreadable(path, error))?;
    refuse_special(path, &metadata)?;
    // A FIFO without a writer or a terminal line does not make it wait.
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let opened = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path);
    let file = opened.map_err(|error| unreadable(path, error))?;
    let metadata = file.metadata().map_err(|error| unreadable(path, error))?;
    refuse_special(path, &metadata)?;
    Ok((file, metadata))
}

fn refuse_special(path: &Utf8Path, metadata: &Metadata) -> Result<(), ReadError> {
    let kind = metadata.file_type();
    let kind = if kind.is_file() {
        return Ok(());
    } else if kind.is_dir() {
        "a directory"
    } else if kind.is_fifo() {
        "a FIFO"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_block_device() || kind.is_char_device() {
        "a device"
    } else {
        "something else"
    };
    Err(ReadError::NotAFile { path: path.to_owned(), kind })
}

fn unreadable(path: &Utf8Path, source: io::Error) -> ReadError {
    // A file where a folder should be means, to whoever asked, that there is no such file.
    if matches!(source.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
        ReadError::Missing { path: path.to_owned() }
    } else {
        ReadError::Failed { path: path.to_owned(), source }
    }
}

/// A byte order mark of UTF-16, or so many NULs on only the odd or only the even places as ASCII in UTF-16 has.
fn looks_like_utf16(bytes: &[u8]) -> bool {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return true;
    }
    let nuls_at = |parity| bytes.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (nuls_at(0), nuls_at(1));
    let many = bytes.len() / 4;
    bytes.len() >= 4 && bytes.len().is_multiple_of(2) && (even == 0 && odd > many || odd == 0 && even > many)
}

fn looks_like(name: &str, from: &str, path: &Utf8Path) -> String {
    format!("it looks like {name}; convert it: `iconv -f {from} -t UTF-8 '{path}' > new`, then look at it")
}

/// What a text that is not UTF-8 looks like; CP949 is what older Korean editors write.
fn guess(bytes: &[u8], path: &Utf8Path) -> String {
    let runs = || bytes.split(u8::is_ascii).filter(|run| !run.is_empty());
    let is_double_byte = |run: &[u8]| run.len().is_multiple_of(2) && run.iter().all(|byte| *byte >= 0xa1);
    if runs().all(is_double_byte) {
        looks_like("EUC-KR or CP949", "CP949", path)
    } else if runs().flatten().all(|byte| *byte >= 0xa0) {
        looks_like("Latin-1 (ISO 8859-1)", "ISO-8859-1", path)
    } else {
        String::new()
    }
}
