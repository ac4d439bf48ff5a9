//! A loop's folder in the project, `.gulf/loops/LOOP/` (SPEC A2): where it lies, and the worker's notepad in it.
//!
//! A worker can write there. gulf leaves views of the journal and reads none of them back; what the worker notes
//! comes into its prompts between fences, and nothing else ever asks for it.
//!
//! A worker with a worktree of its own has the same path there, since a sandbox lets it write nowhere else. What it
//! notes is copied to the person's checkout, where the loop was started and where everything else of the folder lies.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, Durability, WriteError};
use gulf_spec::layers::tokens;
use gulf_spec::prompts::{ContextBlock, Notepad};

use crate::agreement::Agreement;
use crate::error::RunError;
use crate::own_text;

/// The folders of all loops, relative to the project.
pub const LOOPS: &str = ".gulf/loops";
/// The worker's own text in it.
pub const NOTEPAD: &str = "notepad.md";
/// The description of the product, as it was read at the start.
const PRD: &str = "prd.md";
/// Stands for a loop that has no name yet.
const UNNAMED: &str = "LOOP";
/// Of a notepad, so much of its end is read and copied.
const NOTEPAD_BYTES_MAX: u64 = 256 << 10;
/// Of a notepad, so much stands in a prompt, whatever else there is room for.
const NOTEPAD_TOKENS_MAX: u64 = 4_000;

/// The folder of one loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectFolder {
    /// Where it was started.
    checkout: Utf8PathBuf,
    /// Where it works.
    workplace: Utf8PathBuf,
    /// `.gulf/loops/LOOP`
    relative: Utf8PathBuf,
    /// The text of the product's description.
    prd: Option<String>,
}

impl ProjectFolder {
    /// The loop's folder, if it has one.
    pub fn from_agreement(agreement: &Agreement) -> Option<Self> {
        let terms = agreement.project_folder.as_ref()?;
        Some(Self {
            checkout: agreement.stated_in().to_owned(),
            workplace: agreement.project.clone(),
            relative: Utf8Path::new(LOOPS).join(agreement.loop_id.as_str()),
            prd: terms.prd.as_ref().map(|prd| prd.text.clone()),
        })
    }

    /// Where person and programs find it.
    pub fn path(&self) -> Utf8PathBuf {
        self.checkout.join(&self.relative)
    }

    /// Puts a view there in one step, whatever somebody wrote in its place. Nothing depends on its success.
    pub fn put(&self, name: &str, text: &str) {
        if let Some(folder) = own_folder(&self.checkout, &self.relative) {
            let _ = files::replace(&folder.join(name), text.as_bytes(), Durability::Buffered);
        }
    }

    /// What no event changes: the description of the product, and what a worker elsewhere has noted since.
    pub fn put_texts(&self) {
        if let Some(prd) = &self.prd {
            self.put_unless_there(PRD, prd);
        }
        self.copy_notes();
    }

    fn put_unless_there(&self, name: &str, text: &str) {
        if fs::read(self.path().join(name)).map_or(true, |there| there != text.as_bytes()) {
            self.put(name, text);
        }
    }

    fn copy_notes(&self) {
        if self.workplace == self.checkout {
            return;
        }
        if let Some((text, _)) = self.notes() {
            self.put_unless_there(NOTEPAD, &text);
        }
    }

    /// Takes the folder away, and the worker's part of it elsewhere. What is not there is no error.
    pub fn remove(&self) -> Result<(), RunError> {
        for project in [&self.workplace, &self.checkout] {
            let path = project.join(&self.relative);
            if is_own(project, &self.relative) && path.is_dir() {
                files::remove_directory(&path)?;
            }
        }
        Ok(())
    }

    /// Is anything of it there?
    pub fn exists(&self) -> bool {
        self.path().is_dir() && is_own(&self.checkout, &self.relative)
    }

    /// One line for a worker whose own worktree is gone; what stands there already is not noted again.
    fn note(&self, line: &str) {
        let (mut text, _) = self.notes().unwrap_or_default();
        let fits = text.len() + line.len() < usize::try_from(NOTEPAD_BYTES_MAX).unwrap_or(usize::MAX);
        if !fits || text.lines().any(|there| there == line) {
            return;
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(line);
        text.push('\n');
        if let Some(folder) = own_folder(&self.workplace, &self.relative) {
            let _ = files::replace(&folder.join(NOTEPAD), text.as_bytes(), Durability::Buffered);
        }
    }

    /// The end of the worker's notes, and whether that is all of them. A link leads to what is no note.
    fn notes(&self) -> Option<(String, bool)> {
        let path = self.workplace.join(&self.relative).join(NOTEPAD);
        if !is_own(&self.workplace, &self.relative) || path.is_symlink() {
            return None;
        }
        let (bytes, before) = files::read_end(&path, NOTEPAD_BYTES_MAX).ok()?;
        Some((String::from_utf8_lossy(&bytes).into_owned(), before == 0))
    }
}

/// The notepad in the first prompt of a loop that has not started.
pub(crate) fn first() -> Notepad {
    Notepad::empty(&format!("{LOOPS}/{UNNAMED}/{NOTEPAD}"))
}

/// The worker's notepad for this prompt, in the room that the project's other texts leave; its folder is there then.
pub(crate) fn notepad(agreement: &Agreement, context: &ContextBlock) -> Option<Notepad> {
    let terms = agreement.project_folder.as_ref()?;
    let folder = ProjectFolder::from_agreement(agreement)?;
    own_folder(&folder.workplace, &folder.relative);
    let taken = context.layers.tokens.max(tokens(&agreement.goal));
    let room = terms.tokens_max.saturating_sub(taken).min(NOTEPAD_TOKENS_MAX);
    let path = folder.relative.join(NOTEPAD);
    let (text, is_whole) = folder.notes().unwrap_or((String::new(), true));
    Some(Notepad::from_end(path.as_str(), &text, is_whole, room))
}

/// Notes a line in the worker's place, where the loop has a notepad. Nothing depends on it.
pub(crate) fn note(agreement: &Agreement, line: &str) {
    if let Some(folder) = ProjectFolder::from_agreement(agreement) {
        folder.note(line);
        folder.copy_notes();
    }
}

/// The folder, made where it is missing; none where a link would lead gulf's pen out of the project.
fn own_folder(project: &Utf8Path, relative: &Utf8Path) -> Option<Utf8PathBuf> {
    let path = project.join(relative);
    (is_own(project, relative) && fs::create_dir_all(&path).is_ok()).then_some(path)
}

/// Writes a text of the loop's own into the project, and makes its folder where it is missing; `false` where a link would lead
/// elsewhere.
pub(crate) fn put_own(project: &Utf8Path, relative: &str, text: &str) -> Result<bool, WriteError> {
    let path = project.join(relative);
    if !is_own(project, Utf8Path::new(relative)) {
        return Ok(false);
    }
    // Where it cannot be made, writing says so.
    let _ = fs::create_dir_all(path.parent().unwrap_or(project));
    own_text::write(project, &path, text).map(|()| true)
}

/// No part of the way is a link: that would lead gulf's pen out of the project.
pub fn is_own(project: &Utf8Path, relative: &Utf8Path) -> bool {
    let mut path = project.to_owned();
    relative.components().all(|part| {
        path.push(part.as_str());
        !path.is_symlink()
    })
}

#[cfg(test)]
mod tests;
