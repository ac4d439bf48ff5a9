//! How old a system may be: the newest version of glibc that a binary asks for.

use std::fmt;

const MARK: &[u8] = b"GLIBC_";

/// A version of glibc.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Floor {
    major: u32,
    minor: u32,
}

impl Floor {
    /// `2.17`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.split_once('.')?;
        Some(Self { major: major.parse().ok()?, minor: minor.parse().ok()? })
    }

    /// Of a binary: its table of needed versions names each as `GLIBC_2.17`. None where it names none.
    pub(super) fn of_binary(bytes: &[u8]) -> Option<Self> {
        let places = bytes.windows(MARK.len()).enumerate().filter(|(_, window)| *window == MARK);
        let versions = places.filter_map(|(at, _)| version_at(bytes.get(at + MARK.len()..)?));
        versions.max()
    }
}

impl fmt::Display for Floor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}

/// Up to the zero that ends a name: `2.2.5` counts as 2.2.
fn version_at(rest: &[u8]) -> Option<Floor> {
    let end = rest.iter().take(16).position(|byte| *byte == 0)?;
    let text = std::str::from_utf8(&rest[..end]).ok()?;
    let mut parts = text.split('.');
    let (major, minor) = (parts.next()?, parts.next()?);
    let is_version = parts.all(|part| part.parse::<u32>().is_ok());
    Floor::parse(&format!("{major}.{minor}")).filter(|_| is_version)
}
