//! SHA-256 digests: how gulf names contents it must recognise later.
//!
//! It stands apart so that one hash, in one spelling, is used for contracts, commands, logs and journals.

use std::fmt;
use std::io::{self, Read};

use camino::Utf8Path;
use sha2::{Digest as _, Sha256};

use crate::files::{self, ReadError};

#[cfg(test)]
mod tests;

const DIGEST_BYTES: usize = 32;
const CHUNK_BYTES: usize = 64 * 1024;

/// A SHA-256 digest; printed and stored as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; DIGEST_BYTES]);

impl Digest {
    pub fn of_bytes(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    /// Reads to the end in chunks; memory does not grow with the input.
    pub fn of_reader(mut reader: impl Read) -> io::Result<Digest> {
        let mut hasher = Sha256::new();
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            match reader.read(&mut chunk) {
                Ok(0) => return Ok(Digest(hasher.finalize().into())),
                Ok(bytes) => hasher.update(&chunk[..bytes]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The digest of a regular file of any size; a FIFO or device is refused, as in [`files::read_bytes`].
    pub fn of_file(path: &Utf8Path) -> Result<Digest, ReadError> {
        let (file, _) = files::open_regular(path)?;
        Digest::of_reader(file).map_err(|source| ReadError::Failed { path: path.to_owned(), source })
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hexadecimal(&self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Digest({self})")
    }
}

/// Two lower-case digits for each byte.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
