//! The checkouts that a loop keeps for its checks: one for candidates, one for the base.
//!
//! What a check reaches from there stands in `isolation`.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::EffectKey;
use gulf_host::files::{self, Durability, WriteError};
use gulf_host::git::{CheckoutRequest, CommitId, Keep, TreePath};
use gulf_host::process::Program;
use gulf_host::programs;
use gulf_host::provision::{self, Provided, ProvisionRequest, provision};

use crate::agreement::{KeptOutput, SetupBy};
use crate::checks::{Checks, Ran};
use crate::error::{Failure, Result, RunError};
use crate::program;
use crate::readiness::{self, Unprepared, are_complete, lockfiles, run_set_up};
use crate::resources::Resources;
use crate::texts::{AUTOCHECKS, TEXT_BYTES_MAX, text};

/// A set-up that a network failed may work a moment later.
const SETUP_TRIES_MAX: u32 = 3;

/// Whose checkout it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum CheckCheckout {
    Candidate,
    Base,
}

impl Checks<'_> {
    /// Brings a room exactly to a commit and gives it the dependencies it needs. Where what the base could be prepared with
    /// fails on this candidate, that is a word about the candidate.
    pub(crate) fn bring(&self, room: CheckCheckout, commit: &CommitId) -> Result<Option<Unprepared>> {
        let directory = self.resources.folder.room(room.into());
        let folders = self.resources.dependency_folders()?;
        let keep = match self.resources.agreement.verification.output {
            KeptOutput::Kept => Keep::IgnoredOutput,
            KeptOutput::Cleared => Keep::Nothing,
        };
        self.resources.provide_base(&folders)?;
        // Dependencies first: what a copied build folder holds is then older than every source, and built anew.
        let provided = self.resources.provide(room, &folders)?;
        self.resources.terms().clear_out(&directory)?;
        self.resources.clear_installed(room, commit, &folders)?;
        self.resources.repository.checkout(&CheckoutRequest {
            directory: &directory,
            index: &self.resources.beside(room, "index"),
            commit,
            keep,
            keep_paths: &folders,
        })?;
        self.resources.put_autochecks(&directory)?;
        self.resources.terms().furnish(&self.resources.folder, &directory)?;
        let unprepared = self.set_up(&directory, room, &provided)?;
        let is_of_person = self.resources.terms().setup_by == SetupBy::Person;
        match unprepared {
            Some(failed) if is_of_person && self.resources.is_of_the_machine(room) => {
                Err(at_fault(&failed, self.key))
            }
            unprepared => Ok(unprepared),
        }
    }

    /// What a check came to in a room that a set-up of gulf's own finding could not prepare. A pass needs nothing that is
    /// missing; a failure where nothing was ever prepared is the machine's, and on the base it would pass for a proof.
    pub(crate) fn in_spite_of(&self, failed: &Unprepared, mut ran: Ran, room: CheckCheckout) -> Result<Ran> {
        if ran.record.is_green() {
            return Ok(ran);
        }
        if self.resources.is_of_the_machine(room) {
            return Err(at_fault(failed, self.key));
        }
        let said = self.resources.mask.owned(failed.error().to_string());
        ran.record.tail = format!("[{said}; the check ran without it]\n{}", ran.record.tail);
        Ok(ran)
    }

    /// Runs the set-up command where a dependency folder is missing or was made for another lockfile.
    fn set_up(
        &self,
        directory: &Utf8Path,
        room: CheckCheckout,
        provided: &[Provided],
    ) -> Result<Option<Unprepared>> {
        let Some(command) = &self.resources.terms().setup else { return Ok(None) };
        let wanted = lockfiles(self.resources.terms(), directory);
        let due = match text(&self.resources.beside(room, "setup"))? {
            Some(made_for) => made_for != wanted,
            // Nothing was there at the start: the project has not been set up, or needs no folder.
            None => !are_complete(provided),
        };
        if due {
            let program = Program::Shell(command.clone());
            let run = |program| {
                let Resources { environment, folder, activity, shim, .. } = self.resources;
                let ports = self.resources.ports_of(directory)?;
                let environment = environment.for_check(self.resources.project(), directory, ports);
                let log = (folder.log(self.key, "setup.log"), self.resources.mark(self.key, "setup"));
                let timeout = Duration::from_millis(self.resources.terms().setup_timeout_ms);
                activity.set(format!("set-up: {command}"));
                let request = program::request(program, directory, environment, log, timeout);
                let ran = run_set_up(command, request, shim, self.stop);
                activity.set(String::new());
                ran
            };
            let failed = match room {
                CheckCheckout::Base => run(program)?,
                // What the candidate's files have it run is the worker's choice.
                CheckCheckout::Candidate => {
                    let confined = self.resources.confined(program, directory, &[])?;
                    self.resources.putting_back(&self.resources.mark(self.key, "setup"), || run(confined))?
                }
            };
            if failed.is_some() {
                return Ok(failed);
            }
            let made = provision::installed_folders(directory)?;
            let made: String = made.iter().map(|folder| format!("{folder}\n")).collect();
            self.resources.keep_beside(room, "installed", &made)?;
        }
        self.resources.keep_beside(room, "setup", &wanted)?;
        Ok(None)
    }
}

impl Resources {
    /// Copies the dependencies as they lie there now: before the first turn, so that they are the person's. The first turn
    /// waits for one copy; the base's is made from that one, beside it.
    pub(crate) fn provide_rooms(&self) -> Result<()> {
        let folders = self.dependency_folders()?;
        self.provide_for_lockfiles(CheckCheckout::Candidate, &folders)?;
        if self.untouched(&folders).is_none() {
            self.provide_for_lockfiles(CheckCheckout::Base, &folders)?;
        }
        Ok(())
    }

    fn provide_for_lockfiles(&self, room: CheckCheckout, folders: &[TreePath]) -> Result<()> {
        let provided = self.provide(room, folders)?;
        if are_complete(&provided) {
            // They were made for the lockfiles that lie beside them.
            self.keep_beside(room, "setup", &lockfiles(self.terms(), self.project()))?;
        }
        Ok(())
    }

    /// Before anything runs in the candidates' room, whose copy is everybody's until then.
    fn provide_base(&self, folders: &[TreePath]) -> Result<()> {
        if self.untouched(folders).is_none()
            || is_whole(&self.folder.room(CheckCheckout::Base.into()), folders)
        {
            return Ok(());
        }
        self.provide(CheckCheckout::Base, folders)?;
        if let Some(made_for) = text(&self.beside(CheckCheckout::Candidate, "setup"))? {
            self.keep_beside(CheckCheckout::Base, "setup", &made_for)?;
        }
        Ok(())
    }

    /// Removes what neither the start nor the set-up installed, where another commit was checked: a check did, and what it
    /// left there could make this one pass.
    fn clear_installed(&self, room: CheckCheckout, commit: &CommitId, folders: &[TreePath]) -> Result<()> {
        if text(&self.beside(room, "commit"))?.as_deref() == Some(commit.as_str()) {
            return Ok(());
        }
        let directory = self.folder.room(room.into());
        let by_setup = match text(&self.beside(room, "installed"))? {
            Some(by_setup) => by_setup,
            // An earlier version wrote down nothing of what its set-up made there.
            None if self.beside(room, "index").exists() => return Ok(()),
            None => String::new(),
        };
        self.keep_beside(room, "installed", &by_setup)?;
        let mut found = provision::installed_folders(&directory)?;
        found.retain(|folder| {
            !folders.contains(folder) && by_setup.lines().all(|line| line != folder.to_string())
        });
        for folder in self.repository.ignored(&directory, &self.beside(room, "index"), &found)? {
            provision::remove_tree(&folder.below(&directory)).map_err(|error| {
                Failure::Refused(format!("cannot remove {folder} in {directory}: {error}"))
            })?;
        }
        Ok(self.keep_beside(room, "commit", commit.as_str())?)
    }

    /// The candidates' room while nothing has run in it, if it has all that was to be copied.
    fn untouched(&self, folders: &[TreePath]) -> Option<Utf8PathBuf> {
        let room = self.folder.room(CheckCheckout::Candidate.into());
        let is_pristine =
            !self.beside(CheckCheckout::Candidate, "index").exists() && is_whole(&room, folders);
        (is_pristine && !folders.is_empty()).then_some(room)
    }

    fn provide(&self, room: CheckCheckout, folders: &[TreePath]) -> Result<Vec<Provided>> {
        let checkout = self.folder.room(room.into());
        let provider = self.folder.provider();
        let copy = self.untouched(folders).filter(|_| room == CheckCheckout::Base);
        files::create_private_directories(&checkout, Durability::Buffered)?;
        provision(&ProvisionRequest {
            work_tree: copy.as_deref().or(provider.as_deref()).unwrap_or(self.project()),
            checkout: &checkout,
            staging: &self.beside(room, "staging"),
            folders,
            bytes_max: self.terms().copy_bytes_max,
        })
        .map_err(|error| Failure::Refused(format!("cannot provide dependency folders: {error}")))
    }

    fn dependency_folders(&self) -> Result<Vec<TreePath>> {
        Ok(readiness::tree_paths(&self.terms().dependency_folders)?)
    }

    /// The person's script of checks stands in the checkout as it was sealed, also where git ignores it.
    fn put_autochecks(&self, directory: &Utf8Path) -> Result<()> {
        let sealed = self.folder.sealed_texts().join(AUTOCHECKS);
        if !self.agreement.checks.iter().any(|check| check.origin == AUTOCHECKS) {
            return Ok(());
        }
        let path = directory.join(AUTOCHECKS);
        let bytes = files::read_bytes(&sealed, TEXT_BYTES_MAX)?;
        // A link there would lead out of the checkout.
        if let Some(parent) = path.parent().filter(|parent| parent.is_symlink()) {
            return Err(Failure::Refused(format!("{parent} is a link, so the checks have no place there")));
        }
        files::keep(&path, &bytes, Durability::Buffered)?;
        programs::make_executable(&path)
            .map_err(|error| Failure::Refused(format!("cannot make {path} executable: {error}")))
    }

    /// What is kept of a room beside it: the `index` of its checkout, what its set-up `installed`, one a line, for which
    /// lockfiles that was its `setup`.
    pub(crate) fn beside(&self, room: CheckCheckout, what: &str) -> Utf8PathBuf {
        self.folder.room(&format!("{room}.{what}"))
    }

    fn keep_beside(&self, room: CheckCheckout, what: &str, text: &str) -> Result<(), WriteError> {
        files::replace(&self.beside(room, what), text.as_bytes(), Durability::Buffered)
    }

    /// Where the base could not be prepared either, or was not yet, the machine is at fault.
    fn is_of_the_machine(&self, room: CheckCheckout) -> bool {
        room == CheckCheckout::Base || !self.beside(CheckCheckout::Base, "setup").exists()
    }
}

fn is_whole(room: &Utf8Path, folders: &[TreePath]) -> bool {
    folders.iter().all(|folder| folder.below(room).exists())
}

/// Soon it is a person's to put right.
fn at_fault(failed: &Unprepared, key: &EffectKey) -> Failure {
    let error = RunError::from(failed.error());
    if key.attempt >= SETUP_TRIES_MAX {
        return error.into();
    }
    Failure::Refused(format!("{error}; tried again in a moment, in case a network failed it"))
}
