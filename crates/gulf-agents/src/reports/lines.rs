//! The lines of an output as a person would see them: lossy UTF-8, without colours and control characters.
//!
//! Every reader needs exactly the same lines, and outputs are bytes of any length: a line is cut at a limit, and
//! nothing is copied that need not be.

use std::borrow::Cow;

use crate::address::percent_encoded;
use crate::patterns::form;

/// Bytes of one line that are looked at; no runner's own line is longer.
pub const LINE_BYTES_MAX: usize = 64 * 1024;

/// The lines of an output, without line ends, colours and other control characters.
pub(crate) fn lines(output: &[u8]) -> impl DoubleEndedIterator<Item = Cow<'_, str>> {
    output.split(|byte| *byte == b'\n').map(clean)
}

/// Takes the checkout's own path out of an output, so that two checkouts speak of the same files.
///
/// `root` is absolute, without a slash at its end; `file://` addresses (percent-encoded) are shortened as well.
///
/// It may be as large as anybody wants to keep, and there is one of it.
pub fn take_root_out(output: &mut Vec<u8>, root: &str) {
    let root = root.trim_end_matches(['/', '\\']);
    if root.is_empty() {
        return;
    }
    let address = format!("file://{}/", percent_encoded(root, b"/-_.~!$&'()*+,;=:@"));
    let plain_address = format!("file://{root}/");
    let path = format!("{root}/");
    for prefix in [address.as_bytes(), plain_address.as_bytes(), path.as_bytes()] {
        without(output, prefix);
    }
}

/// A line without its end, colours and other control characters.
pub(crate) fn clean(line: &[u8]) -> Cow<'_, str> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let line = &line[..line.len().min(LINE_BYTES_MAX)];
    let text = String::from_utf8_lossy(line);
    let has_controls = text.bytes().any(|byte| (byte < b' ' && byte != b'\t') || byte == 0x7f);
    if has_controls { Cow::Owned(without_controls(&text)) } else { text }
}

fn without_controls(text: &str) -> String {
    // What an escape character begins (ECMA-48 §5.4 and §5.6, `ESC ( B` of `tput sgr0` included).
    let sequence = form!(r"(?s)\x1b(?:\[[^@-~]*[@-~]?|[\]P_^].*?(?:\x07|\x1b\\|\z)|[ -/]+.?|.?)");
    let text = sequence.replace_all(text, "");
    // What a progress bar wrote before a carriage return is overwritten on a terminal.
    let shown = text.rsplit('\r').next().unwrap_or_default();
    shown.chars().filter(|character| *character == '\t' || !character.is_control()).collect()
}

fn without(bytes: &mut Vec<u8>, prefix: &[u8]) {
    let (mut read, mut kept) = (0, 0);
    while read < bytes.len() {
        if bytes[read] == prefix[0] && bytes[read..].starts_with(prefix) {
            read += prefix.len();
        } else {
            bytes[kept] = bytes[read];
            (read, kept) = (read + 1, kept + 1);
        }
    }
    bytes.truncate(kept);
}
