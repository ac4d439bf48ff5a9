//! What tells a folder from every other one that is, was or will be at its path.
//!
//! Nothing that lies in a folder can tell it: a copy, an archive and a clone bring along what they like. The file
//! system's own number of a folder, and when it was made, go with a folder that is moved, and with nothing else.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use camino::Utf8Path;

use crate::digest::Digest;

/// As many hexadecimal digits tell the folders of one machine apart.
const DIGITS: usize = 32;

/// A folder's mark: the same for as long as it is this folder, wherever on its file system it lies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Birthmark(String);

impl Birthmark {
    /// The mark of the folder at this path.
    ///
    /// Where the file system does not tell when a folder was made, its path counts besides: one that is moved there is
    /// another one.
    pub fn read(folder: &Utf8Path) -> io::Result<Self> {
        let folder = folder.canonicalize_utf8()?;
        let metadata = std::fs::metadata(&folder)?;
        let born = metadata.created().ok().map(since_epoch);
        let number = metadata.ino();
        let text = match born {
            // A device may get another number at every start of the machine.
            Some(born) => format!("{number} {}", born.as_nanos()),
            None => format!("{} {number} {folder}", metadata.dev()),
        };
        Ok(Self::from_text(&text))
    }

    /// The mark of something that is only what both are together.
    pub fn with(&self, other: &Self) -> Self {
        Self::from_text(&format!("{} {}", self.0, other.0))
    }

    /// As it is written down.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn from_text(text: &str) -> Self {
        let mut digest = Digest::of_bytes(text.as_bytes()).to_string();
        digest.truncate(DIGITS);
        Self(digest)
    }
}

fn since_epoch(time: SystemTime) -> Duration {
    time.duration_since(UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    //! Folders that come and go at one path.

    use std::fs;

    use camino::Utf8PathBuf;

    use super::*;

    fn root() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        (folder, root)
    }

    #[test]
    fn a_folder_keeps_its_mark_whatever_is_written_into_it_and_wherever_it_is_moved() {
        let (_folder, root) = root();
        let first = root.join("하나");
        fs::create_dir(&first).unwrap();
        let mark = Birthmark::read(&first).unwrap();
        fs::write(first.join("file"), "text").unwrap();
        fs::rename(&first, root.join("moved")).unwrap();
        assert_eq!(Birthmark::read(&root.join("moved")).unwrap(), mark);
    }

    #[test]
    fn a_folder_made_anew_at_the_same_path_has_another_mark() {
        let (_folder, root) = root();
        let path = root.join("folder");
        fs::create_dir(&path).unwrap();
        let (mark, born) = (Birthmark::read(&path).unwrap(), fs::metadata(&path).unwrap().created().unwrap());
        // A file system may give the number of a folder that is gone to the next one, and its clock has ticks.
        loop {
            fs::remove_dir(&path).unwrap();
            fs::create_dir(&path).unwrap();
            if fs::metadata(&path).unwrap().created().unwrap() != born {
                break;
            }
        }
        assert_ne!(Birthmark::read(&path).unwrap(), mark);
    }

    #[test]
    fn nothing_at_a_path_has_no_mark() {
        let (_folder, root) = root();
        assert!(Birthmark::read(&root.join("nothing")).is_err());
    }
}
