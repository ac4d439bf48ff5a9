//! The checkouts that a loop keeps for its checks: one for candidates, one for the base.
//!
//! It stands apart because it is the place of the isolated room to come (SPEC B2): today a checkout of its own, with
//! the person's programs and network, and the receipt says so.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::EffectKey;
use gulf_host::files::{self, Durability};
use gulf_host::git::{CheckoutRequest, CommitId, Keep, TreePath};
use gulf_host::process::{Ending, ProcessOutcome, ProcessRequest, Program, Stdin};
use gulf_host::programs;
use gulf_host::provision::{How, Provided, ProvisionRequest, provision};
use std::time::Duration;

use crate::agreement::{KeptOutput, engine_digest};
use crate::checks::read_end;
use crate::plan::{AUTOCHECKS, TEXT_BYTES_MAX};
use crate::stop::Stop;
use crate::turn::OUTPUT_BYTES_MAX;
use crate::workshop::{Failure, Workshop};

/// How long a set-up command may take.
const SETUP_MAX: Duration = Duration::from_secs(30 * 60);
/// How much of its output's end is searched for its last line.
const SAID_BYTES_MAX: u64 = 4 << 10;
/// How much of a lockfile is read.
const LOCKFILE_BYTES_MAX: u64 = 64 << 20;

/// Whose checkout it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    Candidate,
    Base,
}

/// A checkout that stands at a commit.
#[derive(Clone, Debug)]
pub(crate) struct Ready {
    pub(crate) directory: Utf8PathBuf,
    /// What the base could be prepared with failed on this candidate: that is a word about the candidate.
    pub(crate) unprepared: Option<Unprepared>,
}

/// A set-up command that failed.
#[derive(Clone, Debug)]
pub(crate) struct Unprepared {
    pub(crate) outcome: ProcessOutcome,
    pub(crate) log: Utf8PathBuf,
    command: String,
}

impl Unprepared {
    /// In one line, with what the command said last.
    pub(crate) fn why(&self) -> String {
        let how = match &self.outcome.ending {
            Ending::Exited(code) => format!("exit code {code}"),
            Ending::Signalled(signal) => format!("ended by signal {signal}"),
            Ending::TimedOut(_) => format!("not done within {} minutes", SETUP_MAX.as_secs() / 60),
            Ending::TooMuchOutput => "it wrote too much".to_owned(),
            Ending::NotStarted(why) => format!("could not be started: {why}"),
            Ending::Cancelled | Ending::Lost => "it was stopped".to_owned(),
        };
        let output = read_end(&self.log, SAID_BYTES_MAX).unwrap_or_default();
        let output = String::from_utf8_lossy(&output);
        let last = output.lines().map(str::trim).rfind(|line| !line.is_empty());
        let said = last.map(|line| format!(": {line}")).unwrap_or_default();
        format!("the set-up command `{}` failed: {how}{said}", self.command)
    }
}

impl Room {
    pub fn name(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Base => "base",
        }
    }
}

impl Workshop {
    /// Brings a room exactly to a commit and gives it the dependencies it needs.
    pub(crate) fn bring(
        &self,
        room: Room,
        commit: &CommitId,
        key: &EffectKey,
        stop: &Stop,
    ) -> Result<Ready, Failure> {
        let directory = self.folder.room(room.name());
        let folders = self.dependency_folders()?;
        let keep = match self.agreement.verification.output {
            KeptOutput::Kept => Keep::IgnoredOutput,
            KeptOutput::Cleared => Keep::Nothing,
        };
        // Dependencies first: what a copied build folder holds is then older than every source, and built anew.
        let provided = self.provide(room, &folders)?;
        self.repository.checkout(&CheckoutRequest {
            directory: &directory,
            index: &self.room_index(room),
            commit,
            keep,
            keep_paths: &folders,
        })?;
        self.put_autochecks(&directory)?;
        let unprepared = self.set_up(&directory, room, &provided, key, stop)?;
        match unprepared {
            // Where the base could not be prepared either, or was not yet, the machine is at fault.
            Some(failed) if room == Room::Base || !self.setup_marker(Room::Base).exists() => {
                Err(Failure::Refused(format!(
                    "{} (all of it: {}; `verify.setup` in gulf.toml names another command)",
                    failed.why(),
                    failed.log
                )))
            }
            unprepared => Ok(Ready { directory, unprepared }),
        }
    }

    /// Gives both rooms the dependencies as they lie there now: before the first turn, so that they are the person's.
    pub(crate) fn provide_rooms(&self) -> Result<(), Failure> {
        let folders = self.dependency_folders()?;
        for room in [Room::Candidate, Room::Base] {
            let provided = self.provide(room, &folders)?;
            if has_folder(&provided) && !is_incomplete(&provided) {
                // They were made for the lockfiles that lie beside them.
                let digest = self.lockfiles(self.project());
                files::replace(&self.setup_marker(room), digest.as_bytes(), Durability::Buffered)?;
            }
        }
        Ok(())
    }

    /// The memory of a room's checkout.
    pub(crate) fn room_index(&self, room: Room) -> Utf8PathBuf {
        self.folder.room(&format!("{}.index", room.name()))
    }

    fn setup_marker(&self, room: Room) -> Utf8PathBuf {
        self.folder.room(&format!("{}.setup", room.name()))
    }

    fn dependency_folders(&self) -> Result<Vec<TreePath>, Failure> {
        let folders = self.agreement.verification.dependency_folders.iter();
        Ok(folders.map(|path| TreePath::try_from(path.as_str())).collect::<Result<_, _>>()?)
    }

    /// The person's script of checks stands in the checkout as it was sealed, also where git ignores it.
    fn put_autochecks(&self, directory: &Utf8Path) -> Result<(), Failure> {
        let sealed = self.folder.sealed_texts().join(AUTOCHECKS);
        let is_a_check = self.agreement.checks.iter().any(|check| check.origin == AUTOCHECKS);
        if !is_a_check {
            return Ok(());
        }
        let path = directory.join(AUTOCHECKS);
        let bytes = files::read_bytes(&sealed, TEXT_BYTES_MAX)?;
        if let Some(parent) = path.parent() {
            // A link there would lead out of the checkout.
            if parent.is_symlink() {
                return Err(Failure::Refused(format!(
                    "{parent} is a link, so the checks have no place there"
                )));
            }
            files::create_private_directories(parent, Durability::Buffered)?;
        }
        files::replace(&path, &bytes, Durability::Buffered)?;
        programs::make_executable(&path)
            .map_err(|error| Failure::Refused(format!("cannot make {path} executable: {error}")))
    }

    fn provide(&self, room: Room, folders: &[TreePath]) -> Result<Vec<Provided>, Failure> {
        let checkout = self.folder.room(room.name());
        files::create_private_directories(&checkout, Durability::Buffered)?;
        provision(&ProvisionRequest {
            work_tree: self.project(),
            checkout: &checkout,
            staging: &self.folder.room(&format!("{}.staging", room.name())),
            folders,
            bytes_max: self.agreement.verification.copy_bytes_max,
        })
        .map_err(|error| Failure::Refused(format!("cannot provide dependency folders: {error}")))
    }

    /// What the project's lockfiles say, in one digest.
    fn lockfiles(&self, directory: &Utf8Path) -> String {
        let mut locks = Vec::new();
        for name in &self.agreement.verification.lockfiles {
            locks.extend(files::read_bytes(&directory.join(name), LOCKFILE_BYTES_MAX).unwrap_or_default());
        }
        engine_digest(&locks).to_string()
    }

    /// Runs the set-up command where a dependency folder is missing or was made for another lockfile.
    fn set_up(
        &self,
        directory: &Utf8Path,
        room: Room,
        provided: &[Provided],
        key: &EffectKey,
        stop: &Stop,
    ) -> Result<Option<Unprepared>, Failure> {
        let Some(command) = &self.agreement.verification.setup else { return Ok(None) };
        let wanted = self.lockfiles(directory);
        let marker = self.setup_marker(room);
        let made_for = files::read_text(&marker, 1024).map(|text| text.content).ok();
        let due = match &made_for {
            Some(digest) => *digest != wanted,
            // Nothing was there at the start: the project has not been set up, or needs no folder.
            None => is_incomplete(provided) || !has_folder(provided),
        };
        if due && let Some(failed) = self.run_setup(command, directory, key, stop)? {
            return Ok(Some(failed));
        }
        files::replace(&marker, wanted.as_bytes(), Durability::Buffered)?;
        Ok(None)
    }

    fn run_setup(
        &self,
        command: &str,
        directory: &Utf8Path,
        key: &EffectKey,
        stop: &Stop,
    ) -> Result<Option<Unprepared>, Failure> {
        let log = self.folder.log(key, "setup.log");
        files::create_private_directories(&self.folder.logs(key), Durability::Buffered)?;
        let outcome = self.run(
            ProcessRequest {
                program: Program::Shell(command.to_owned()),
                directory: directory.to_owned(),
                environment: self.environment.for_check(self.project(), directory, []),
                stdin: Stdin::Closed,
                wall_max: SETUP_MAX,
                idle_max: None,
                stdout_log: log.clone(),
                stderr_log: None,
                output_bytes_max: OUTPUT_BYTES_MAX,
                tail_bytes_max: 4096,
                mark: self.mark(key, "setup"),
            },
            stop,
        )?;
        match outcome.ending {
            Ending::Exited(0) => Ok(None),
            Ending::Cancelled | Ending::Lost => Err(Failure::Stopped),
            Ending::Exited(_)
            | Ending::Signalled(_)
            | Ending::TimedOut(_)
            | Ending::TooMuchOutput
            | Ending::NotStarted(_) => Ok(Some(Unprepared { outcome, log, command: command.to_owned() })),
        }
    }
}

fn has_folder(provided: &[Provided]) -> bool {
    provided.iter().any(Provided::is_folder)
}

/// Is a folder too large to be copied?
fn is_incomplete(provided: &[Provided]) -> bool {
    provided.iter().any(|folder| matches!(folder.how, How::NeedsSetUp { .. }))
}
