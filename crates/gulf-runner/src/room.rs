//! The checkouts that a loop keeps for its checks: one for candidates, one for the base.
//!
//! What a check reaches from there stands in `isolation`.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::EffectKey;
use gulf_host::files::{self, Durability};
use gulf_host::git::{CheckoutRequest, CommitId, Keep, TreePath};
use gulf_host::hint::Hint as _;
use gulf_host::process::Program;
use gulf_host::programs;
use gulf_host::provision::{self, Provided, ProvisionRequest, provision};

use crate::agreement::{KeptOutput, SetupBy};
use crate::checks::{Ran, RunEnd};
use crate::error::{Failure, RunError};
use crate::readiness::{self, SetUp, Unprepared, has_dependencies, is_incomplete, lockfiles};
use crate::resources::Resources;
use crate::stop::Stop;
use crate::texts::{AUTOCHECKS, TEXT_BYTES_MAX, text};

/// A set-up that a network failed may work a moment later.
const SETUP_TRIES_MAX: u32 = 3;

/// Whose checkout it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckCheckout {
    Candidate,
    Base,
}

impl CheckCheckout {
    pub fn name(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Base => "base",
        }
    }
}

/// Both of a loop's.
#[derive(Clone, Copy)]
pub(crate) struct CheckRooms<'resources> {
    pub(crate) resources: &'resources Resources,
}

impl CheckRooms<'_> {
    /// Brings a room exactly to a commit and gives it the dependencies it needs. Where what the base could be prepared with
    /// fails on this candidate, that is a word about the candidate.
    pub(crate) fn bring(
        &self,
        room: CheckCheckout,
        commit: &CommitId,
        key: &EffectKey,
        stop: &Stop,
    ) -> Result<Option<Unprepared>, Failure> {
        let directory = self.resources.folder.room(room.name());
        let folders = self.dependency_folders()?;
        let keep = match self.resources.agreement.verification.output {
            KeptOutput::Kept => Keep::IgnoredOutput,
            KeptOutput::Cleared => Keep::Nothing,
        };
        self.provide_base(&folders)?;
        // Dependencies first: what a copied build folder holds is then older than every source, and built anew.
        let provided = self.provide(room, &folders)?;
        readiness::clear_out(self.resources.terms(), &directory)?;
        self.clear_installed(room, commit, &folders)?;
        self.resources.repository.checkout(&CheckoutRequest {
            directory: &directory,
            index: &self.room_index(room),
            commit,
            keep,
            keep_paths: &folders,
        })?;
        self.put_autochecks(&directory)?;
        readiness::furnish(self.resources.terms(), &self.resources.folder, &directory)?;
        let unprepared = self.set_up(&directory, room, &provided, key, stop)?;
        let is_of_person = self.resources.terms().setup_by == SetupBy::Person;
        match unprepared {
            Some(failed) if is_of_person && self.is_of_the_machine(room) => Err(at_fault(&failed, key)),
            unprepared => Ok(unprepared),
        }
    }

    /// Removes what neither the start nor the set-up installed, where another commit was checked: a check did, and what it
    /// left there could make this one pass.
    fn clear_installed(
        &self,
        room: CheckCheckout,
        commit: &CommitId,
        folders: &[TreePath],
    ) -> Result<(), Failure> {
        let marker = self.resources.folder.room(&format!("{}.commit", room.name()));
        if text(&marker)?.as_deref() == Some(commit.as_str()) {
            return Ok(());
        }
        let directory = self.resources.folder.room(room.name());
        let by_setup = match text(&self.installed(room))? {
            Some(by_setup) => by_setup,
            // An earlier version wrote down nothing of what its set-up made there.
            None if self.room_index(room).exists() => return Ok(()),
            None => String::new(),
        };
        files::replace(&self.installed(room), by_setup.as_bytes(), Durability::Buffered)?;
        let mut found = provision::installed_folders(&directory)?;
        found.retain(|folder| {
            !folders.contains(folder) && by_setup.lines().all(|line| line != folder.to_string())
        });
        for folder in self.resources.repository.ignored_below(&directory, &self.room_index(room), &found)? {
            provision::remove_tree(&folder.below(&directory)).map_err(|error| {
                Failure::Refused(format!("cannot remove {folder} in {directory}: {error}"))
            })?;
        }
        Ok(files::replace(&marker, commit.as_str().as_bytes(), Durability::Buffered)?)
    }

    /// What a room's set-up made, one a line.
    fn installed(&self, room: CheckCheckout) -> Utf8PathBuf {
        self.resources.folder.room(&format!("{}.installed", room.name()))
    }

    /// What a check came to in a room that a set-up of gulf's own finding could not prepare. A pass needs nothing that is
    /// missing; a failure where nothing was ever prepared is the machine's, and on the base it would pass for a proof.
    pub(crate) fn in_spite_of(
        &self,
        (failed, key): (&Unprepared, &EffectKey),
        mut ran: Ran,
        room: CheckCheckout,
    ) -> Result<Ran, Failure> {
        if ran.record.end == (RunEnd::Exited { code: 0 }) {
            return Ok(ran);
        }
        if self.is_of_the_machine(room) {
            return Err(at_fault(failed, key));
        }
        let said = self.resources.mask.owned(failed.in_full());
        ran.record.tail = format!("[{said}; the check ran without it]\n{}", ran.record.tail);
        Ok(ran)
    }

    /// Where the base could not be prepared either, or was not yet, the machine is at fault.
    fn is_of_the_machine(&self, room: CheckCheckout) -> bool {
        room == CheckCheckout::Base || !self.setup_marker(CheckCheckout::Base).exists()
    }

    /// Copies the dependencies as they lie there now: before the first turn, so that they are the person's. The first turn
    /// waits for one copy; the base's is made from that one, beside it.
    pub(crate) fn provide_rooms(&self) -> Result<(), Failure> {
        let folders = self.dependency_folders()?;
        self.provide_for_lockfiles(CheckCheckout::Candidate, &folders)?;
        if self.untouched(&folders).is_none() {
            self.provide_for_lockfiles(CheckCheckout::Base, &folders)?;
        }
        Ok(())
    }

    fn provide_for_lockfiles(&self, room: CheckCheckout, folders: &[TreePath]) -> Result<(), Failure> {
        let provided = self.provide(room, folders)?;
        if has_dependencies(&provided) && !is_incomplete(&provided) {
            // They were made for the lockfiles that lie beside them.
            let digest = lockfiles(self.resources.terms(), self.resources.project());
            files::replace(&self.setup_marker(room), digest.as_bytes(), Durability::Buffered)?;
        }
        Ok(())
    }

    /// Before anything runs in the candidates' room, whose copy is everybody's until then.
    fn provide_base(&self, folders: &[TreePath]) -> Result<(), Failure> {
        if self.untouched(folders).is_none()
            || is_whole(&self.resources.folder.room(CheckCheckout::Base.name()), folders)
        {
            return Ok(());
        }
        self.provide(CheckCheckout::Base, folders)?;
        if let Some(made_for) = text(&self.setup_marker(CheckCheckout::Candidate))? {
            files::replace(
                &self.setup_marker(CheckCheckout::Base),
                made_for.as_bytes(),
                Durability::Buffered,
            )?;
        }
        Ok(())
    }

    /// The candidates' room while nothing has run in it, if it has all that was to be copied.
    fn untouched(&self, folders: &[TreePath]) -> Option<Utf8PathBuf> {
        let room = self.resources.folder.room(CheckCheckout::Candidate.name());
        let is_pristine = !self.room_index(CheckCheckout::Candidate).exists() && is_whole(&room, folders);
        (is_pristine && !folders.is_empty()).then_some(room)
    }

    /// The memory of a room's checkout.
    pub(crate) fn room_index(&self, room: CheckCheckout) -> Utf8PathBuf {
        self.resources.folder.room(&format!("{}.index", room.name()))
    }

    fn setup_marker(&self, room: CheckCheckout) -> Utf8PathBuf {
        self.resources.folder.room(&format!("{}.setup", room.name()))
    }

    fn dependency_folders(&self) -> Result<Vec<TreePath>, Failure> {
        let folders = self.resources.terms().dependency_folders.iter();
        Ok(folders.map(|path| TreePath::try_from(path.as_str())).collect::<Result<_, _>>()?)
    }

    /// The person's script of checks stands in the checkout as it was sealed, also where git ignores it.
    fn put_autochecks(&self, directory: &Utf8Path) -> Result<(), Failure> {
        let sealed = self.resources.folder.sealed_texts().join(AUTOCHECKS);
        let is_a_check = self.resources.agreement.checks.iter().any(|check| check.origin == AUTOCHECKS);
        if !is_a_check {
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

    fn provide(&self, room: CheckCheckout, folders: &[TreePath]) -> Result<Vec<Provided>, Failure> {
        let checkout = self.resources.folder.room(room.name());
        let provider = self.resources.folder.provider();
        let copy = self.untouched(folders).filter(|_| room == CheckCheckout::Base);
        files::create_private_directories(&checkout, Durability::Buffered)?;
        provision(&ProvisionRequest {
            work_tree: copy.as_deref().or(provider.as_deref()).unwrap_or(self.resources.project()),
            checkout: &checkout,
            staging: &self.resources.folder.room(&format!("{}.staging", room.name())),
            folders,
            bytes_max: self.resources.terms().copy_bytes_max,
        })
        .map_err(|error| Failure::Refused(format!("cannot provide dependency folders: {error}")))
    }

    /// Runs the set-up command where a dependency folder is missing or was made for another lockfile.
    fn set_up(
        &self,
        directory: &Utf8Path,
        room: CheckCheckout,
        provided: &[Provided],
        key: &EffectKey,
        stop: &Stop,
    ) -> Result<Option<Unprepared>, Failure> {
        let Some(command) = &self.resources.terms().setup else { return Ok(None) };
        let wanted = lockfiles(self.resources.terms(), directory);
        let marker = self.setup_marker(room);
        let made_for = text(&marker)?;
        let due = match &made_for {
            Some(digest) => *digest != wanted,
            // Nothing was there at the start: the project has not been set up, or needs no folder.
            None => is_incomplete(provided) || !has_dependencies(provided),
        };
        if due {
            let program = Program::Shell(command.clone());
            let run = |program| self.run_setup((command, program), directory, key, stop);
            let failed = match room {
                CheckCheckout::Base => run(program)?,
                // What the candidate's files have it run is the worker's choice.
                CheckCheckout::Candidate => {
                    let confined = self.resources.confined(program, directory, &[])?;
                    self.resources.putting_back(&self.resources.mark(key, "setup"), || run(confined))?
                }
            };
            if failed.is_some() {
                return Ok(failed);
            }
            let made = provision::installed_folders(directory)?;
            let made: String = made.iter().map(|folder| format!("{folder}\n")).collect();
            files::replace(&self.installed(room), made.as_bytes(), Durability::Buffered)?;
        }
        files::replace(&marker, wanted.as_bytes(), Durability::Buffered)?;
        Ok(None)
    }

    fn run_setup(
        &self,
        (command, program): (&str, Program),
        directory: &Utf8Path,
        key: &EffectKey,
        stop: &Stop,
    ) -> Result<Option<Unprepared>, Failure> {
        let setup = SetUp {
            command,
            program,
            checkout: directory,
            environment: self.resources.environment.for_check(
                self.resources.project(),
                directory,
                self.resources.ports_of(directory)?,
            ),
            timeout: Duration::from_millis(self.resources.terms().setup_timeout_ms),
            log: &self.resources.folder.log(key, "setup.log"),
            mark: self.resources.mark(key, "setup"),
        };
        self.resources.activity.set(format!("set-up: {command}"));
        let ran = setup.run(&self.resources.shim, stop);
        self.resources.activity.set(String::new());
        ran
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
    let hint = error.hint().unwrap_or_default();
    Failure::Refused(format!("{error} ({hint})"))
}
