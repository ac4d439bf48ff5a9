//! What a loop leaves for the next one: the handoff in gulf-align.md or `.gulf/`, and the structured memory (SPEC G13, G22).
//!
//! It happens once, at a regular end, and must come to the same after a crash in between: the time it speaks of is
//! written down first.

use std::fs;

use camino::Utf8Path;
use gulf_host::clock::local_second;
use gulf_host::files::{self, Durability};
use gulf_host::programs;
use gulf_spec::alignment::{ALIGNMENT_PATH, handoff};
use gulf_spec::memory::{
    CURRENT_PATH, Completed, INDEX_PATH, MEMORY_FOLDER, MEMORY_FOLDERS, SCAFFOLD, archive, is_untouched,
};

use crate::agreement::MemoryForm;
use crate::error::RunError;
use crate::memory::append_once;
use crate::project_folder::{is_own, put_own};
use crate::resources::Resources;
use crate::texts::text;

/// Handoffs where there is no gulf-align.md; git never sees this folder.
const HANDOFF: &str = ".gulf/handoff.md";
/// So many archives are looked through.
const ARCHIVES_MAX: usize = 10_000;

/// Appends the handoff and files the memory. What cannot be written there is no reason to end otherwise.
pub(crate) fn hand_off(resources: &Resources, iteration: u32, wall_ms: u64) -> Result<(), RunError> {
    let note = resources.folder.root().join("handed-on.txt");
    let at = match text(&note)? {
        Some(at) => at,
        None => {
            let at = local_second(wall_ms);
            files::replace(&note, at.as_bytes(), Durability::Buffered)?;
            at
        }
    };
    let progress = resources.project_text("progress.txt");
    if let Some(progress) = progress.as_deref().filter(|text| !text.trim().is_empty()) {
        let entry = handoff(progress, &at, iteration);
        // Where nobody wrote an alignment, none is left in their repository for them to wonder at.
        let path = if resources.project_text(ALIGNMENT_PATH).is_some() { ALIGNMENT_PATH } else { HANDOFF };
        let heading = entry.lines().find(|line| line.starts_with("## ")).unwrap_or_default();
        append_once(resources, path, &entry, heading);
    }
    if resources.agreement.memory == MemoryForm::Structured {
        file_memory(resources, &at, iteration, progress.as_deref());
    }
    Ok(())
}

fn file_memory(resources: &Resources, at: &str, iteration: u32, progress: Option<&str>) {
    let in_memory = |path: &str| format!("{MEMORY_FOLDER}/{path}");
    let loops = resources.project().join(in_memory("loops"));
    let names = programs::list(&loops, 1, ARCHIVES_MAX);
    let newest = names.iter().filter(|name| name.starts_with("loop-")).max();
    let newest = newest.and_then(|name| resources.project_text(&in_memory(&format!("loops/{name}"))));
    let archive = archive(&Completed {
        at_text: at,
        iteration,
        current: &resources.project_text(&in_memory(CURRENT_PATH)).unwrap_or_default(),
        progress,
        index: &resources.project_text(&in_memory(INDEX_PATH)).unwrap_or_default(),
        names: &names,
        newest: newest.as_deref(),
    });
    write_page(resources, &in_memory(&archive.path), &archive.text);
    write_page(resources, &in_memory(INDEX_PATH), &archive.index);
    write_page(resources, &in_memory(CURRENT_PATH), &archive.current);
}

/// Lays the structured memory out, where it is wanted and not there yet.
pub(crate) fn lay_out_memory(resources: &Resources) {
    if resources.agreement.memory == MemoryForm::Plain {
        return;
    }
    for folder in MEMORY_FOLDERS {
        let folder = Utf8Path::new(MEMORY_FOLDER).join(folder);
        if is_own(resources.project(), &folder) {
            // What cannot be made is missing in the write below.
            let _ = fs::create_dir_all(resources.project().join(folder));
        }
    }
    for (path, text) in SCAFFOLD {
        let path = format!("{MEMORY_FOLDER}/{path}");
        if resources.project_text(&path).is_none() {
            write_page(resources, &path, text);
        }
    }
}

/// What is said at the promise where the loop's own page of the memory says nothing yet: once the loop is over,
/// nobody remembers what it learnt. Nothing is refused for it.
pub(crate) fn unwritten_page(resources: &Resources) -> Option<String> {
    let path = format!("{MEMORY_FOLDER}/{CURRENT_PATH}");
    let is_unwritten = resources.agreement.memory == MemoryForm::Structured
        && resources.project_text(&path).is_some_and(|page| is_untouched(&page));
    is_unwritten
        .then(|| format!("{path} is still the empty page: what this loop learnt will not be in the memory"))
}

/// The worker's folder may be read-only, or a link, which would lead out of the project: then the text is not written.
fn write_page(resources: &Resources, path: &str, text: &str) {
    let _ = put_own(resources.project(), path, text);
}
