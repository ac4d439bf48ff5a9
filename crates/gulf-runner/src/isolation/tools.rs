//! Programs and settings of tools that came to the home while a worker was at work: no check sees them.
//!
//! What was there before, a worker can only read. What comes between two turns is a person's.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::Durability;
use serde::{Deserialize, Serialize};

use super::room::{SETTINGS_OF_TOOLS, machine};
use crate::agreement::WorkerWalls;
use crate::error::RunError;
use crate::records;
use crate::resources::Resources;

const WHAT: &str = "which tools were there";

#[derive(Debug, Default, Serialize, Deserialize)]
struct HomeTools {
    /// What no worker made.
    known: BTreeSet<Utf8PathBuf>,
    made: BTreeSet<Utf8PathBuf>,
    is_in_turn: bool,
}

impl HomeTools {
    /// None before the first turn. What cannot be read is an error: without it, a worker's tools would pass for a person's.
    fn read(resources: &Resources) -> Result<Option<Self>, RunError> {
        records::read(&file(resources), WHAT)
    }

    fn keep(&self, resources: &Resources) -> Result<(), RunError> {
        records::keep(&file(resources), WHAT, self, Durability::Buffered)
    }

    /// What is new since a turn began is a worker's.
    fn with_new(mut self, resources: &Resources) -> Self {
        self.made.extend(there(resources).into_iter().filter(|path| !self.known.contains(path)));
        self
    }
}

impl Resources {
    pub(crate) fn worker_begins(&self) -> Result<(), RunError> {
        if self.agreement.agent.sandbox == WorkerWalls::Off {
            return Ok(());
        }
        let mut tools = HomeTools::read(self)?.unwrap_or_default();
        if tools.is_in_turn {
            // It was cut off, or another part of the work is under way.
            tools = tools.with_new(self);
        } else {
            let theirs: Vec<_> = there(self).into_iter().filter(|path| !tools.made.contains(path)).collect();
            tools.known.extend(theirs);
        }
        tools.is_in_turn = true;
        tools.keep(self)
    }

    pub(crate) fn worker_ended(&self) -> Result<(), RunError> {
        match HomeTools::read(self)? {
            Some(tools) => HomeTools { is_in_turn: false, ..tools.with_new(self) }.keep(self),
            None => Ok(()),
        }
    }

    /// Did a worker make what lies there?
    pub(super) fn is_made_by_worker(&self) -> Result<impl Fn(&Utf8Path) -> bool + use<>, RunError> {
        let tools = HomeTools::read(self)?.unwrap_or_default();
        let made = if tools.is_in_turn { tools.with_new(self).made } else { tools.made };
        Ok(move |path: &Utf8Path| made.iter().any(|made| path.starts_with(made)))
    }
}

fn there(resources: &Resources) -> BTreeSet<Utf8PathBuf> {
    let machine = machine(resources);
    let settings = machine.of_home(&SETTINGS_OF_TOOLS).filter(|path| path.exists());
    machine.programs().into_iter().chain(settings).collect()
}

fn file(resources: &Resources) -> Utf8PathBuf {
    resources.folder.root().join("sealed").join("tools.json")
}
