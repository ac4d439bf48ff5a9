//! The files that show a project where its loop stands. Nothing is ever read back from them.
//!
//! They stand apart because everything that moves a loop writes them, and a worker may have put a link in their place.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{Stage, State};
use gulf_host::files::{self, Durability};
use gulf_runner::project_folder::ProjectFolder;
use gulf_views::{Driver, Facts, History, goals, orchestrate_state, progress_report, ralph_state, tasks};

/// The seed's names.
const STATE: &str = ".claude/orchestrate-state.json";
const GOALS: &str = ".claude/goals/progress.md";
/// In the loop's own folder.
const LOOP_STATE: &str = "ralph-state.md";
const LOOP_REPORT: &str = "report.md";

/// Writes the seed's files of a list, where one is worked off (SPEC R6).
pub fn of_list(project: &Utf8Path, facts: &Facts, history: &History, state: &State) {
    let Some(list) = &facts.list else { return };
    let tasks = tasks(history, state);
    let mut document = format!("{:#}", orchestrate_state(&facts.loop_id, list, &tasks));
    document.push('\n');
    put(project, STATE, &document);
    put(project, GOALS, &goals(&facts.title, &tasks));
}

/// Writes the folder that a loop has in the project (SPEC A2).
pub fn of_folder(folder: &ProjectFolder, facts: &Facts, history: &History, state: &State) {
    folder.put(LOOP_STATE, &ralph_state(facts, history, state));
    folder.put_texts();
    if matches!(state.stage(), Stage::Ended(_)) {
        folder.put(LOOP_REPORT, &progress_report(facts, history, state, Driver::Present));
    }
}

fn put(project: &Utf8Path, name: &str, text: &str) {
    let path = project.join(name);
    let folders: Vec<Utf8PathBuf> =
        path.ancestors().skip(1).take_while(|folder| *folder != project).map(Utf8Path::to_owned).collect();
    let is_ours = folders.iter().all(|folder| !folder.is_symlink()) && !path.is_symlink();
    if is_ours && path.parent().is_some_and(|folder| fs::create_dir_all(folder).is_ok()) {
        let _ = files::replace(&path, text.as_bytes(), Durability::Buffered);
    }
}
