//! The seed's state file in the project: `.gulf/feedback/SPEC.json` (SPEC L8).
//!
//! It stands apart because it is written for programs of other designs, at every step, and never read back.

use camino::Utf8Path;
use gulf_engine::{Stage, State};
use gulf_host::files::{self, Durability};
use gulf_runner::folder::file_name;
use gulf_runner::specs;
use gulf_views::{Facts, History, state_json};

/// Writes it while the loop lives; at the end it goes to the archive. Only loops that numbers steer have one.
pub fn feedback(projections: &Utf8Path, facts: &Facts, history: &History, state: &State) {
    let steers = state.contract().is_some_and(|contract| contract.policy.feedback.is_some());
    let folder = projections.join("feedback");
    let archive = folder.join("archive");
    if !steers || folder.is_symlink() || archive.is_symlink() {
        return;
    }
    let id = &facts.spec_id;
    let name = if specs::is_id(id) { id.clone() } else { file_name(id) };
    let live = folder.join(format!("{name}.json"));
    let mut document = format!("{:#}", state_json(facts, history, state)).into_bytes();
    document.push(b'\n');
    // Nothing is decided on it, so nothing depends on its success.
    if matches!(state.stage(), Stage::Ended(_)) {
        let archived = archive.join(format!("{name}_{}.json", facts.loop_id));
        let is_kept = std::fs::create_dir_all(&archive).is_ok()
            && files::replace(&archived, &document, Durability::Buffered).is_ok();
        if is_kept {
            let _ = std::fs::remove_file(&live);
        }
    } else if std::fs::create_dir_all(&folder).is_ok() {
        let _ = files::replace(&live, &document, Durability::Buffered);
    }
}
