//! Fences around what the worker wrote: a line with a word that it cannot know, before and after.
//!
//! Apart because judges obey text in what they judge. A fence is made only with a nonce that stands nowhere in the
//! exhibits, so nothing within can close it; names, which stand outside of it, are escaped into one line.

use super::exhibits::Exhibits;

/// Characters of a nonce: fewer could be guessed.
pub const NONCE_CHARS_MIN: usize = 16;
/// More would only cost.
pub const NONCE_CHARS_MAX: usize = 64;

/// Characters of a name in a heading; of a longer one, both ends are shown.
const NAME_CHARS_MAX: usize = 240;

/// A word that opens and closes every piece of material, and stands nowhere else in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fence {
    nonce: String,
}

impl Fence {
    /// A fence for these exhibits. There is none where the nonce stands in them, is too short or too long, or has other
    /// characters than ASCII letters and digits: make another one.
    pub fn new(nonce: &str, exhibits: &Exhibits) -> Option<Self> {
        let fits = (NONCE_CHARS_MIN..=NONCE_CHARS_MAX).contains(&nonce.len())
            && nonce.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && !exhibits.texts().any(|text| text.contains(nonce));
        fits.then(|| Self { nonce: nonce.to_owned() })
    }

    pub fn nonce(&self) -> &str {
        &self.nonce
    }

    /// A text between fences; the heading must be one line.
    pub(super) fn around(&self, heading: &str, text: &str) -> String {
        let nonce = &self.nonce;
        let newline = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        format!("<<<{nonce} {heading}>>>\n{text}{newline}<<<{nonce} end>>>\n")
    }

    /// The most that `around` adds to a text.
    pub(super) fn overhead_bytes(&self, heading_bytes: usize) -> usize {
        self.around("", "").len() + heading_bytes + 1
    }
}

/// Any name, path or command, in one line for a heading: never so long that it crowds out what it names.
pub(super) fn name(text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let half = NAME_CHARS_MAX / 2;
    if characters.len() > NAME_CHARS_MAX {
        drop(characters.splice(half..characters.len() - half, ['…']));
    }
    // A heading ends with these.
    escaped(characters, "<>\"\\")
}

/// A text in one line: nothing in it ends a line, moves a cursor, or is not seen.
pub(super) fn one_line(text: &str) -> String {
    escaped(text.chars(), "")
}

/// In one line, with these marks escaped, too.
fn escaped(characters: impl IntoIterator<Item = char>, marks: &str) -> String {
    let mut shown = String::new();
    for character in characters {
        match character {
            '\n' | '\r' | '\t' => shown.extend(character.escape_default()),
            '\\' if marks.contains('\\') => shown.push_str("\\\\"),
            _ if is_unseen(character) || marks.contains(character) => {
                shown.extend(character.escape_unicode());
            }
            _ => shown.push(character),
        }
    }
    shown
}

/// Controls, other line ends, and the characters of Unicode that turn or hide what follows.
fn is_unseen(character: char) -> bool {
    match character {
        '\u{ad}' | '\u{61c}' | '\u{feff}' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => character.is_control(),
    }
}
