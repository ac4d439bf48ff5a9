//! Programs and settings of tools that came, while a loop ran, to where its worker may write: no check sees them.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::Durability;

use super::home::WorkerHome;
use super::room::{Machine, SETTINGS_OF_TOOLS, machine};
use super::worker::SHARED;
use crate::agreement::WorkerWalls;
use crate::error::RunError;
use crate::records;
use crate::resources::Resources;

const WHAT: &str = "which tools were there";

impl Resources {
    /// Keeps what was there before the first turn.
    pub(crate) fn worker_begins(&self) -> Result<(), RunError> {
        let file = tools_file(self);
        if self.agreement.agent.sandbox == WorkerWalls::Off || file.exists() {
            return Ok(());
        }
        let known: BTreeSet<Utf8PathBuf> = there(&machine(self)).map(|(_, leads_to)| leads_to).collect();
        records::keep(&file, WHAT, &known, Durability::Buffered)
    }

    /// Did a worker make what lies there? What cannot be read is an error: a worker's tools would pass for a person's.
    pub(super) fn is_made_by_worker(&self) -> Result<impl Fn(&Utf8Path) -> bool + use<>, RunError> {
        let home = WorkerHome::in_loop(self);
        let known: Option<BTreeSet<Utf8PathBuf>> = records::read(&tools_file(self), WHAT)?;
        let made: Vec<Utf8PathBuf> = known.map_or_else(Vec::new, |known| {
            let reach = self.agreement.agent.reach.iter().map(|path| self.spelled_out(path));
            let shared = SHARED.iter().map(Utf8PathBuf::from);
            let writable: Vec<_> = shared.chain(reach).chain(home.writable()).collect();
            let is_writable = |path: &Utf8PathBuf| writable.iter().any(|folder| path.starts_with(folder));
            // A link may lead elsewhere by now, or be none any more.
            let is_made = |path: &Utf8PathBuf, leads_to: &Utf8PathBuf| {
                (is_writable(path) || is_writable(leads_to)) && !known.contains(leads_to)
            };
            there(&home.machine).filter(|(path, to)| is_made(path, to)).map(|(path, _)| path).collect()
        });
        Ok(move |path: &Utf8Path| made.iter().any(|made| path.starts_with(made)))
    }
}

/// Each with where it leads.
fn there<'a>(machine: &'a Machine<'_>) -> impl Iterator<Item = (Utf8PathBuf, Utf8PathBuf)> + 'a {
    let paths = machine.programs().into_iter().chain(machine.of_home(&SETTINGS_OF_TOOLS));
    paths.filter_map(|path| Some((path.clone(), path.canonicalize_utf8().ok()?)))
}

fn tools_file(resources: &Resources) -> Utf8PathBuf {
    resources.folder.root().join("sealed").join("tools-at-start.json")
}
