//! The files that show a project where its loop stands. Nothing is ever read back from them.
//!
//! Everything that moves a loop writes them, and a worker may have put a link in their place.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{Stage, State};
use gulf_host::files::{self, Durability};
use gulf_runner::agreement::Agreement;
use gulf_runner::folder::{LoopPaths, file_name};
use gulf_runner::place::PlaceOfWork;
use gulf_runner::project_folder::{ProjectFolder, is_own};
use gulf_runner::ralph::RalphTerms;
use gulf_runner::specs;
use gulf_views::{
    DriverPresence, Facts, History, goals, orchestrate_state, progress_report, ralph_state,
    ralph_status_json, state_json, status_json, tasks,
};
use serde_json::Value;

use crate::out::masked;

/// The seed's names.
const STATE: &str = ".claude/orchestrate-state.json";
const GOALS: &str = ".claude/goals/progress.md";
/// In the loop's own folder.
const LOOP_STATE: &str = "ralph-state.md";
const LOOP_REPORT: &str = "report.md";

/// The folder of gulf's projections in a project, unless it is a link: that would lead gulf's pen to wherever a worker
/// wants it.
pub fn folder(project: &Utf8Path) -> Option<Utf8PathBuf> {
    let folder = project.join(".gulf");
    // Not where the project itself is gone: it may have been moved, and come back.
    let is_own = !folder.is_symlink() && (folder.is_dir() || fs::create_dir(&folder).is_ok());
    files::close_to_others(&folder);
    is_own.then_some(folder)
}

/// Where the files of one loop lie.
#[derive(Debug)]
pub struct Projections {
    pub home: LoopPaths,
    project: Utf8PathBuf,
    /// Where the project lets gulf show how the loop stands.
    folder: Option<Utf8PathBuf>,
    /// Where the goal is a Ralph project's own, which has a `status.json`.
    ralph: Option<RalphTerms>,
    /// Where the loop has a folder in the project.
    own_folder: Option<ProjectFolder>,
}

impl Projections {
    pub fn new(place: &PlaceOfWork, home: &LoopPaths, agreement: Option<&Agreement>) -> Self {
        Self {
            home: home.clone(),
            project: place.project.clone(),
            folder: folder(&place.project),
            ralph: agreement.and_then(|agreement| agreement.ralph.clone()),
            own_folder: agreement.and_then(ProjectFolder::from_agreement),
        }
    }

    /// Writes each anew: beside the journal, and into the project.
    pub fn write(&self, facts: &Facts, history: &History, state: &State, driver: DriverPresence) {
        // The seed's files of a list, where one is worked off (SPEC R6).
        if let Some(list) = &facts.list {
            let tasks = tasks(history, state);
            put(&self.project, STATE, &text_of(&orchestrate_state(&facts.loop_id, list, &tasks)));
            put(&self.project, GOALS, &goals(&facts.title, &tasks));
        }
        write(&self.home.state(), &state_json(facts, history, state));
        // A link may have come since.
        if let Some(folder) = self.folder.as_ref().filter(|folder| !folder.is_symlink()) {
            write(&folder.join("status.json"), &status_json(facts, history, state, driver));
            of_feedback(folder, facts, history, state);
        }
        if let Some(folder) = &self.own_folder {
            of_folder(folder, facts, history, state);
        }
        if let Some(ralph) = &self.ralph {
            of_ralph(&self.project, ralph, facts, history, state);
        }
    }
}

/// Writes the seed's state file while the loop lives; at the end it goes to the archive (SPEC L8). Only loops that numbers
/// steer have one.
fn of_feedback(projections: &Utf8Path, facts: &Facts, history: &History, state: &State) {
    let steers = state.contract().is_some_and(|contract| contract.policy.feedback.is_some());
    let folder = projections.join("feedback");
    let archive = folder.join("archive");
    if !steers || folder.is_symlink() || archive.is_symlink() {
        return;
    }
    let id = &facts.spec_id;
    let name = if specs::is_id(id) { id.clone() } else { file_name(id) };
    let live = folder.join(format!("{name}.json"));
    let document = text_of(&state_json(facts, history, state)).into_bytes();
    if matches!(&state.stage, Stage::Ended(_)) {
        let archived = archive.join(format!("{name}_{}.json", facts.loop_id));
        let is_kept = fs::create_dir_all(&archive).is_ok()
            && files::replace(&archived, &document, Durability::Buffered).is_ok();
        if is_kept {
            let _ = fs::remove_file(&live);
        }
    } else if fs::create_dir_all(&folder).is_ok() {
        let _ = files::replace(&live, &document, Durability::Buffered);
    }
}

/// Writes a Ralph project's `status.json`, unless it would lie elsewhere.
fn of_ralph(project: &Utf8Path, ralph: &RalphTerms, facts: &Facts, history: &History, state: &State) {
    let (Some(staging), Some(path)) = (folder(project), ralph.status_file(project)) else { return };
    let bytes = text_of(&ralph_status_json(facts, history, state)).into_bytes();
    let _ = files::replace_through(&staging, &path, &bytes, Durability::Buffered);
}

/// Writes the folder that a loop has in the project (SPEC A2).
pub fn of_folder(folder: &ProjectFolder, facts: &Facts, history: &History, state: &State) {
    folder.put(LOOP_STATE, &masked(&ralph_state(facts, history, state)));
    folder.put_texts();
    if matches!(&state.stage, Stage::Ended(_)) {
        folder.put(LOOP_REPORT, &masked(&progress_report(facts, history, state, DriverPresence::Present)));
    }
}

fn put(project: &Utf8Path, name: &str, text: &str) {
    let path = project.join(name);
    let folder = path.parent().filter(|_| is_own(project, Utf8Path::new(name)));
    if folder.is_some_and(|folder| fs::create_dir_all(folder).is_ok()) {
        let _ = files::replace(&path, masked(text).as_bytes(), Durability::Buffered);
    }
}

/// In lines, for people and programs.
fn text_of(document: &Value) -> String {
    masked(&format!("{document:#}\n")).into_owned()
}

/// Writes a document in one line. Nothing is decided on it, so nothing depends on its success.
pub fn write(path: &Utf8Path, document: &Value) {
    let line = format!("{document}\n");
    let _ = files::replace(path, masked(&line).as_bytes(), Durability::Buffered);
}
