//! Notes on commits, under `refs/notes/gulf`: `git log --notes=gulf` shows them.
//!
//! Many write them at once: each writes on top of what is there, and looks again when somebody was faster, so that
//! nobody's note is lost.

use super::Repository;
use super::error::{GitError, Result};
use super::names::{CommitId, FileMode, TreePath};
use super::objects::{CommitStamp, Entry};
use super::overlay::TreeEdit;
use super::refs::Expected;

const NOTES: &str = "refs/notes/gulf";
/// How often somebody else may be faster.
const ATTEMPTS_MAX: usize = 100;
/// The largest note, with all that was added to it.
const NOTE_BYTES_MAX: u64 = 16 << 20;

impl Repository {
    /// Puts a note on a commit; to one that is there already it is added, unless it is in it.
    pub fn note(&self, commit: &CommitId, bytes: &[u8], when: CommitStamp) -> Result<()> {
        let mut attempts = 1;
        loop {
            match self.try_note(commit, bytes, when) {
                // Moved meanwhile, or locked by who is moving it.
                Err(GitError::RefMoved { .. } | GitError::Failed { .. }) if attempts < ATTEMPTS_MAX => {
                    attempts += 1;
                }
                result => return result,
            }
        }
    }

    /// The note on a commit, if there is one.
    pub fn read_note(&self, commit: &CommitId) -> Result<Option<Vec<u8>>> {
        let Some(notes) = self.resolve(NOTES)? else { return Ok(None) };
        let entries = self.list(&self.tree_of(&notes)?)?;
        self.text_of(&entries, commit)
    }

    fn try_note(&self, commit: &CommitId, bytes: &[u8], when: CommitStamp) -> Result<()> {
        let notes = self.resolve(NOTES)?;
        let tree = match &notes {
            Some(notes) => self.tree_of(notes)?,
            None => self.empty_tree(),
        };
        let entries = self.list(&tree)?;
        let mut text = self.text_of(&entries, commit)?.unwrap_or_default();
        if !bytes.is_empty() && text.windows(bytes.len()).any(|part| part == bytes) {
            return Ok(());
        }
        if !text.is_empty() && !text.ends_with(b"\n") {
            text.push(b'\n');
        }
        text.extend_from_slice(bytes);
        let is_about = |entry: &&Entry| is_about(&entry.path, commit);
        let mut edits: Vec<(TreePath, TreeEdit)> =
            entries.iter().filter(is_about).map(|entry| (entry.path.clone(), TreeEdit::Remove)).collect();
        edits.push((TreePath::try_from(commit.as_str())?, TreeEdit::Put(text, FileMode::File)));
        let tree = self.write_tree_with(&tree, &edits)?;
        let parents: Vec<&CommitId> = notes.iter().collect();
        let new = self.commit(&tree, &parents, "Notes added by gulf\n", when)?;
        let expected = notes.map_or(Expected::Absent, Expected::At);
        self.move_ref(NOTES, &new, &expected)
    }

    /// What stands at all the names of a commit's note, as git puts them together.
    fn text_of(&self, entries: &[Entry], commit: &CommitId) -> Result<Option<Vec<u8>>> {
        let about = entries.iter().filter(|entry| is_about(&entry.path, commit));
        let texts = about.map(|entry| self.read_blob(&entry.blob, NOTE_BYTES_MAX));
        let texts: Vec<Vec<u8>> = texts.collect::<Result<_, _>>()?;
        Ok((!texts.is_empty()).then(|| texts.join(&b'\n')))
    }
}

/// Whether this is the name of a commit's note: its id, cut into folders where there are many notes.
fn is_about(path: &TreePath, commit: &CommitId) -> bool {
    path.as_bytes().iter().filter(|byte| **byte != b'/').eq(commit.as_str().as_bytes())
}
