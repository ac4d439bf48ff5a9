//! Objects that are what their names say: git computes an id when it writes an object, and believes it when it reads one.
//! Whoever may write in a repository can so put other bytes in the place of a file's.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use camino::Utf8Path;
use sha1::Sha1;
use sha2::{Digest, Sha256};

use super::Repository;
use super::error::GitError;
use super::names::{ObjectFormat, TreeId, TreePath};

/// So many objects are in memory at once.
const AT_ONCE: usize = 100;

/// No text that tests are made of is larger.
const BYTES_MAX: usize = 32 << 20;

/// Is that the object with this id?
pub(super) fn is_named(id: &str, kind: &str, bytes: &[u8], format: ObjectFormat) -> bool {
    let head = format!("{kind} {}\0", bytes.len());
    let computed = match format {
        ObjectFormat::Sha1 => hexadecimal(&Sha1::new().chain_update(head).chain_update(bytes).finalize()),
        ObjectFormat::Sha256 => hexadecimal(&Sha256::new().chain_update(head).chain_update(bytes).finalize()),
    };
    computed == id
}

fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Repository {
    /// Reads every folder of these trees: an error names one that is not what it is called.
    pub fn verify_trees(&self, trees: &[TreeId]) -> Result<(), GitError> {
        let mut seen: BTreeSet<String> = trees.iter().map(ToString::to_string).collect();
        let mut due: Vec<String> = seen.iter().cloned().collect();
        while !due.is_empty() {
            let now: Vec<String> = due.drain(..due.len().min(AT_ONCE)).collect();
            for (_, bytes) in self.contents(&now)? {
                due.extend(folders(&bytes, self.layout.object_format).filter(|id| seen.insert(id.clone())));
            }
        }
        Ok(())
    }

    /// The same of files in the index of a checkout.
    pub(super) fn verify_files(
        &self,
        directory: &Utf8Path,
        index: &Utf8Path,
        paths: &[TreePath],
    ) -> Result<(), GitError> {
        for paths in paths.chunks(AT_ONCE) {
            let call = self.store.call_in(directory, index, "ls-files").args(["-z", "-s", "--"]);
            let call = call.variable("GIT_LITERAL_PATHSPECS", "1");
            let listed = call.args(paths.iter().map(|path| OsStr::from_bytes(path.as_bytes()))).run()?;
            let entries = listed.stdout.split(|byte| *byte == 0).filter_map(|entry| {
                let terms = entry.split(|byte| *byte == b'\t').next()?;
                let mut terms = std::str::from_utf8(terms).ok()?.split(' ');
                // Of a submodule nothing is kept here.
                terms.next().filter(|mode| *mode != "160000")?;
                terms.next().map(str::to_owned)
            });
            let ids: Vec<String> = entries.collect();
            let found = self.headers(&ids)?.into_iter().flatten();
            let small = found.filter(|header| header.bytes <= BYTES_MAX).map(|header| header.id);
            self.contents(&small.collect::<Vec<_>>())?;
        }
        Ok(())
    }
}

/// The folders in a tree: `<mode> <name>`, an end, and the bytes of the id.
fn folders(tree: &[u8], format: ObjectFormat) -> impl Iterator<Item = String> + use<'_> {
    let id_bytes = match format {
        ObjectFormat::Sha1 => 20,
        ObjectFormat::Sha256 => 32,
    };
    let mut rest = tree;
    let entries = std::iter::from_fn(move || {
        let end = rest.iter().position(|byte| *byte == 0)?;
        let (name, behind) = rest.split_at(end);
        let id = behind.get(1..=id_bytes)?;
        rest = &behind[1 + id_bytes..];
        Some((name.starts_with(b"40000 "), id))
    });
    entries.filter(|(is_folder, _)| *is_folder).map(|(_, id)| hexadecimal(id))
}
