//! The gates once, now, on what lies in a worktree: `gulf verify`.
//!
//! It contains no rule. A contract of one iteration is sealed in memory, a turn that claimed is put before it, and
//! from there on the engine decides as it does for a loop: which checks run on what, and what they amount to.
//! Nothing is journalled, no reference is written, and the folder goes when it is over.

mod contract;

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use std::{fs, thread};

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{
    Candidate, Claim, CommitId, Decision, EffectKey, EffectKind, EffectResult, Event, Fact, Settlement,
    Snapshot, Turn, UnitId, decide,
};
use gulf_host::clock::{Clock, milliseconds};
use gulf_host::files::{self, Durability, WriteError};
use gulf_host::git::{self, Repository};
use gulf_host::home::Home;
use gulf_host::lock::{Holder, Lock};
use gulf_host::signature::{self, SignatureError, SignatureWord};
use gulf_spec::config::{Config, Key};

use crate::book::Fold;
use crate::builds;
use crate::error::{RunError, RunResult};
use crate::folder::LoopPaths;
use crate::observer::Observer;
use crate::place::Project;
use crate::plan::{self, PlanError, PlannedVerification};
use crate::receipt::{CommitReceipt, ReceiptError};
use crate::resources::Resources;
use crate::snapshot::{as_it_lies, stamp};
use crate::stop::Stop;

/// What is to be verified.
#[derive(Debug)]
pub struct VerifyRequest<'request> {
    pub project: &'request Project,
    pub home: &'request Home,
    pub config: &'request Config,
    pub stated: PlannedVerification,
    pub against: ComparisonBase,
    /// A commit in place of what lies in the worktree.
    pub commit: Option<CommitId>,
}

/// What it is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComparisonBase {
    /// Nothing: a pass says that the checks pass, and no more.
    Nothing,
    /// This commit, by any name that git knows.
    Commit(String),
}

/// Why nothing can be verified.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum VerifyError {
    #[error("there is no commit called {name} here")]
    #[diagnostic(help(
        "a shallow clone may lack it: `git fetch --depth=1 origin {}`, then `--base FETCH_HEAD`",
        name.strip_prefix("origin/").unwrap_or(name)
    ))]
    UnknownBase { name: String },
    #[error("without git there is no commit to compare with")]
    #[diagnostic(help("leave out `--base`"))]
    NoCommits,
    #[error(transparent)]
    #[diagnostic(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Run(#[from] RunError),
}

/// A candidate and everything that its gates need.
#[derive(Debug)]
pub struct CandidateVerification {
    /// What was agreed, the base included, and where the runs of the checks lie as long as this stays.
    pub resources: Resources,
    pub fold: Fold,
    /// What happened so far, as a loop would have journalled it.
    pub events: Vec<Event>,
    /// Are there changes that no commit holds?
    pub is_uncommitted: bool,
    /// What a person should be told before it starts.
    pub notes: Vec<String>,
    /// When the checks began to run.
    began: Duration,
    /// Goes with it.
    _folder: PassingFolder,
}

impl CandidateVerification {
    /// Builds the candidate and the contract; no check runs yet.
    pub fn prepare(request: VerifyRequest<'_>, clock: &Clock) -> Result<Self, VerifyError> {
        let VerifyRequest { project, home, .. } = request;
        home.refuse_inside(&project.directory).map_err(RunError::from)?;
        plan::refuse_unrunnable(&project.directory, request.config, &request.stated.checks)?;
        let passing = PassingFolder::create(home)?;
        let folder = passing.folder();
        let repository = open(project, &folder)?;
        let own = project.layout.as_ref().map(|_| builds::leave_out(&project.directory, &repository));
        let left_out = own.transpose().map_err(RunError::from)?.flatten();
        let message = "gulf verify: what lies in the worktree\n";
        let caches = &request.config.list(Key::EnvironmentCache);
        let lying = as_it_lies(&repository, &folder.index(), caches, message, clock.wall_ms())?;
        let lying = match &request.commit {
            Some(commit) => lying.of_commit(&repository, commit)?,
            None => lying,
        };
        let (agreement, mut notes) = contract::compose(request, &repository, &lying, &folder)?;
        notes.extend(left_out);
        let resources = Resources::open(home.root(), agreement, folder, repository)?;
        let mut verification = Self {
            is_uncommitted: lying.tree != lying.head_tree,
            resources,
            fold: Fold::default(),
            events: Vec::new(),
            notes,
            began: clock.monotonic(),
            _folder: passing,
        };
        let snapshot = Snapshot {
            tasks: None,
            candidate: Candidate { commit: lying.commit, tree: lying.tree },
            drifted: Vec::new(),
            left_out: lying.left_out,
            base: None,
            resembles: None,
        };
        verification.put_before(snapshot, clock.wall_ms())?;
        Ok(verification)
    }

    /// Asks the gates until there is a word; `false` where it was told to stop before.
    pub fn run(&mut self, clock: &Clock, observer: &mut dyn Observer, stop: &Stop) -> RunResult<bool> {
        self.began = clock.monotonic();
        loop {
            if stop.is_asked() {
                return Ok(false);
            }
            match decide(&self.fold.state) {
                Decision::Run { effects, .. } => {
                    for key in effects {
                        self.record(Fact::Began { key: key.clone() }, clock, observer);
                        let result = self.perform(&key, stop, clock, observer);
                        self.record(Fact::Ended { key, result }, clock, observer);
                    }
                    continue;
                }
                // As a loop with this candidate would end: the gates said yes, or the machine could not ask them.
                Decision::End(end) => {
                    self.record(Fact::Finished { end }, clock, observer);
                    return Ok(true);
                }
                // A gate said no.
                Decision::Settle(Settlement::Refused { .. }) => return Ok(true),
                // A claim in the last of one iterations, nothing to pause for, no unit to follow.
                Decision::Settle(Settlement::Research | Settlement::Unclaimed | Settlement::AgentFailed) => {}
                Decision::Settle(Settlement::Asked | Settlement::Approved | Settlement::Questioned) => {}
                Decision::Settle(Settlement::Rejected | Settlement::RateLimited | Settlement::Unjudged) => {}
                Decision::Settle(Settlement::NeedsPerson | Settlement::Declined | Settlement::Steered) => {}
                Decision::Settle(Settlement::Blocked) | Decision::Recover(_) | Decision::Pause(_) => {}
                Decision::ResetStrategy | Decision::FinishUnit(_) => {}
                Decision::SkipUnit(_) | Decision::Rest => {}
            }
            return Err(self.out_of_place());
        }
    }

    /// A turn that claimed, and the candidate that it left.
    fn put_before(&mut self, snapshot: Snapshot, at_ms: u64) -> RunResult<()> {
        let key = |work| EffectKey { unit: UnitId(0), iteration: 1, attempt: 1, work };
        let turn = Turn { claim: Some(Claim::Done { no_test: None }), ..Turn::default() };
        let environment = self.resources.environment.digest();
        let facts = [
            Fact::Sealed { contract: Box::new(self.resources.agreement.contract()?) },
            Fact::Attached { driver: format!("gulf {} verify", env!("CARGO_PKG_VERSION")), environment },
            Fact::Began { key: key(EffectKind::Turn) },
            Fact::Ended { key: key(EffectKind::Turn), result: EffectResult::Turn(turn) },
            Fact::Began { key: key(EffectKind::Snapshot) },
            Fact::Ended { key: key(EffectKind::Snapshot), result: EffectResult::Snapshot(snapshot) },
        ];
        for fact in facts {
            self.believe(fact, at_ms, 0);
        }
        if self.fold.state.candidate().is_some() { Ok(()) } else { Err(self.out_of_place()) }
    }

    /// Does what is wanted, in a thread of its own, so that a person can see the time pass.
    fn perform(
        &self,
        key: &EffectKey,
        stop: &Stop,
        clock: &Clock,
        observer: &mut dyn Observer,
    ) -> EffectResult {
        let (sender, done) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(move || {
                // Whoever asked waits for it below.
                let _ = sender.send(self.resources.perform(key, &self.fold, stop).result);
            });
            loop {
                observer.waiting(&self.fold.state, self.active_ms(clock));
                let said = match observer.tick() {
                    None => done.recv().map_err(RecvTimeoutError::from),
                    Some(tick) => done.recv_timeout(tick),
                };
                match said {
                    Ok(result) => return result,
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => {
                        return EffectResult::Failed { reason: "its thread died".to_owned() };
                    }
                }
            }
        })
    }

    fn record(&mut self, fact: Fact, clock: &Clock, observer: &mut dyn Observer) {
        let event = self.believe(fact, clock.wall_ms(), self.active_ms(clock));
        observer.event(&event, &self.fold.state);
    }

    fn active_ms(&self, clock: &Clock) -> u64 {
        milliseconds(clock.monotonic().saturating_sub(self.began))
    }

    fn believe(&mut self, fact: Fact, at_ms: u64, active_ms: u64) -> Event {
        let event = Event { sequence: self.fold.state.sequence + 1, at_ms, active_ms, fact };
        self.fold.apply(&event);
        self.events.push(event.clone());
        event
    }

    fn out_of_place(&self) -> RunError {
        let what = self.fold.state.anomaly().map_or("no decision that ends it", |anomaly| anomaly.what);
        RunError::Anomaly { sequence: self.fold.state.sequence, what }
    }
}

fn open(project: &Project, folder: &LoopPaths) -> RunResult<Repository> {
    Ok(match &project.layout {
        Some(layout) => Repository::open(layout.clone(), &folder.git())?,
        None => Repository::shadow(&project.directory, &folder.root().join("shadow.git"), &folder.git())?,
    })
}

// A folder in `$GULF_HOME` that goes with the process that made it.

/// The folders of all that run now, below `$GULF_HOME`.
const PARENT: &str = "verify";
/// A folder is called so once it is locked; only then may it be found.
const PREFIX: &str = "run-";
const UNLOCKED_PREFIX: &str = "new-";
const LOCK_FILE: &str = "lock";

/// Removed when dropped.
#[derive(Debug)]
struct PassingFolder {
    root: Utf8PathBuf,
    lock: Option<Lock>,
}

impl PassingFolder {
    fn create(home: &Home) -> RunResult<Self> {
        let parent = home.root().join(PARENT);
        files::create_private_directories(&parent, Durability::Buffered)?;
        remove_abandoned(&parent);
        let failed = |source| WriteError::Failed { path: parent.clone(), action: "make a folder in", source };
        let made = tempfile::Builder::new().prefix(UNLOCKED_PREFIX).tempdir_in(&parent).map_err(failed)?;
        let name = made.path().file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let root = parent.join(name.replacen(UNLOCKED_PREFIX, PREFIX, 1));
        let lock = Lock::try_acquire(&parent.join(name).join(LOCK_FILE), b"gulf verify")?;
        fs::rename(made.keep(), &root).map_err(failed)?;
        Ok(Self { root, lock: Some(lock) })
    }

    fn folder(&self) -> LoopPaths {
        LoopPaths::new(&self.root)
    }
}

impl Drop for PassingFolder {
    fn drop(&mut self) {
        // Where a locked file cannot be removed, the lock must go first.
        drop(self.lock.take());
        // What cannot be removed now, the next one removes.
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// Removes what a process that was killed has left.
fn remove_abandoned(parent: &Utf8Path) {
    let Ok(entries) = parent.read_dir_utf8() else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().starts_with(PREFIX)) {
        if matches!(Lock::holder(&entry.path().join(LOCK_FILE)), Ok(Holder::Nobody)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

// A commit's receipt, read and signed without a loop.

/// Where the person's own settings of git name the keys that they believe, and the key that they sign with.
const ALLOWED_SIGNERS: &str = "gpg.ssh.allowedSignersFile";
const SIGNING_KEY: &str = "user.signingKey";

/// Reads the receipt of a commit, and compares it with the commit.
pub fn receipt(project: &Project, home: &Home, name: &str) -> Result<CommitReceipt, ReceiptError> {
    home.refuse_inside(&project.directory).map_err(RunError::from)?;
    let passing = PassingFolder::create(home)?;
    crate::receipt::read(&open(project, &passing.folder())?, name)
}

/// What each signature is worth here.
pub fn signatures(receipt: &CommitReceipt) -> Result<Vec<SignatureWord>, SignatureError> {
    if receipt.signatures.is_empty() {
        return Ok(Vec::new());
    }
    let allowed = git::own_setting(ALLOWED_SIGNERS).ok().flatten().map(Utf8PathBuf::from);
    let read = |one: &String| signature::read(&receipt.statement, one, allowed.as_deref());
    receipt.signatures.iter().map(read).collect()
}

/// The key that git signs with, where that is a file.
pub fn signing_key() -> Option<Utf8PathBuf> {
    git::own_setting(SIGNING_KEY).ok().flatten().map(Utf8PathBuf::from).filter(|path| path.is_file())
}

/// Puts a signature beside the receipt of this commit.
pub fn add_signature(project: &Project, home: &Home, commit: &CommitId, signature: &str) -> RunResult<()> {
    let passing = PassingFolder::create(home)?;
    Ok(open(project, &passing.folder())?.note(commit, signature.as_bytes(), stamp(Clock::new().wall_ms()))?)
}
