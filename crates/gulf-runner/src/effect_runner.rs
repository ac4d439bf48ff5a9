//! Everything an effect needs, and the one door through which the engine's wishes become deeds.
//!
//! It is shared by the threads in which effects run; what changes in it decides nothing.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::masking::Mask;
use gulf_engine::{Base, Digest, EffectKey, EffectKind, EffectResult, Spent, Step, StepEnd, Turn};
use gulf_host::files::{self, Durability};
use gulf_host::git::Repository;
use gulf_host::hint::Hint as _;
use gulf_host::isolation::{Bubblewrap, Unavailable};
use gulf_host::process::ShimProgram;
use gulf_host::programs;

use crate::agreement::{Agreement, engine_digest};
use crate::book::Fold;
use crate::environment::{Environment, Ports};
use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::pushes::Pushes;
use crate::spending::SpendingMeter;
use crate::stop::{Reports, Stop};
use crate::{masking, references};

pub use crate::error::{Failure, in_full};

/// As many hexadecimal digits tell the loops of one machine apart.
const MARK_DIGITS: usize = 16;

/// What one loop's effects are done with.
#[derive(Debug)]
pub struct EffectRunner {
    pub agreement: Agreement,
    pub folder: LoopPaths,
    /// `$GULF_HOME`.
    pub home: Utf8PathBuf,
    pub repository: Repository,
    pub environment: Environment,
    /// Over everything that is said to a worker, a judge or a person.
    pub mask: Mask,
    /// Those of its checkouts, until the process ends.
    pub ports: Ports,
    pub shim: ShimProgram,
    /// What isolates its checks, looked for when the first one runs.
    pub(crate) bubblewrap: OnceLock<Result<Bubblewrap, Unavailable>>,
    /// What the agent was last seen to do.
    pub activity: Activity,
    /// What became of the parts of a turn, for the journal.
    pub reports: Reports,
    /// What leads a worker's pushes nowhere.
    pub(crate) pushes: Pushes,
}

/// One line that a turn's thread leaves for whoever watches; an unseen one is overwritten.
#[derive(Clone, Debug, Default)]
pub struct Activity {
    latest: Arc<Mutex<Option<String>>>,
}

impl Activity {
    pub(crate) fn set(&self, what: String) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(what);
    }

    pub(crate) fn take(&self) -> Option<String> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// An effect that calls an agent: which one, what is known so far, what may end it, and what it costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AgentEffect<'effect> {
    pub key: &'effect EffectKey,
    pub fold: &'effect Fold,
    pub stop: &'effect Stop,
    pub meter: &'effect SpendingMeter,
}

/// What an effect came to, and what it cost, whatever it came to.
#[derive(Debug)]
pub struct EffectOutcome {
    pub result: EffectResult,
    pub spent: Option<Spent>,
}

impl EffectRunner {
    /// Everything that effects are done with; `home` is `$GULF_HOME`.
    pub(crate) fn open(
        home: &Utf8Path,
        agreement: Agreement,
        folder: LoopPaths,
        repository: Repository,
    ) -> Result<Self, RunError> {
        files::close_to_others(home);
        files::close_to_others(&agreement.project.join(".gulf"));
        let shim = ShimProgram::this_program().map_err(|source| RunError::OwnProgram { source })?;
        files::create_private_directories(&folder.worker_programs(), Durability::Buffered)?;
        let own = std::env::current_exe().map_err(|source| RunError::OwnProgram { source })?;
        if let Some(own) = Utf8Path::from_path(&own) {
            programs::link(own, &folder.worker_programs().join("gulf"))
                .map_err(|source| RunError::OwnProgram { source })?;
        }
        let environment = agreement.environment();
        let mask = masking::of_loop(&agreement, &folder);
        Ok(Self {
            agreement,
            folder,
            mask,
            home: home.to_owned(),
            repository,
            environment,
            ports: Ports::default(),
            shim,
            bubblewrap: OnceLock::new(),
            activity: Activity::default(),
            reports: Reports::default(),
            pushes: Pushes::default(),
        })
    }

    /// Does what is wanted and says what came of it.
    pub fn perform(&self, key: &EffectKey, fold: &Fold, stop: &Stop) -> EffectOutcome {
        let meter = SpendingMeter::default();
        let effect = AgentEffect { key, fold, stop, meter: &meter };
        let done = self.not_lost(&key.work).and_then(|()| match &key.work {
            EffectKind::Step { step } => self.step_of(effect, *step).map(EffectResult::Step),
            EffectKind::Turn => self.turn_of_worker(effect).map(EffectResult::Turn),
            EffectKind::FollowUp => self.follow_up(effect).map(EffectResult::Turn),
            EffectKind::Snapshot => self.snapshot(key, fold).map(EffectResult::Snapshot),
            EffectKind::Check { name } => self.check(key, name, fold, stop).map(EffectResult::Check),
            EffectKind::Probe { name } => self.probe(effect, name).map(EffectResult::Check),
            EffectKind::Integrity => self.integrity(key, fold, stop).map(EffectResult::Integrity),
            EffectKind::Overlay => self.overlay(key, fold, stop).map(EffectResult::Overlay),
            EffectKind::Land => self.land(effect).map(EffectResult::Landing),
            EffectKind::Close => {
                let closing = self.close(effect);
                // Lessons stand in files that are part of a candidate.
                self.note_what_lies(fold);
                closing.map(|closing| EffectResult::Closed { closing })
            }
            EffectKind::Judge => self.judge(effect).map(EffectResult::Judge),
            EffectKind::Review { by } => self.review(effect, *by).map(EffectResult::Judge),
        });
        let result = match done {
            Ok(result) => result,
            Err(Failure::Stopped) => EffectResult::Interrupted,
            Err(_) if stop.is_asked() => EffectResult::Interrupted,
            Err(failure) => self.failed(&failure),
        };
        EffectOutcome { result, spent: meter.spent() }
    }

    fn turn_of_worker(&self, effect: AgentEffect<'_>) -> Result<Turn, Failure> {
        self.edits_since_last_turn(effect.fold).into_iter().for_each(|edits| self.reports.tell(edits));
        let turn = self.turn(effect);
        self.note_end_of_turn(effect.fold, &turn);
        turn
    }

    fn step_of(&self, effect: AgentEffect<'_>, step: Step) -> Result<StepEnd, Failure> {
        self.edits_since_last_turn(effect.fold).into_iter().for_each(|edits| self.reports.tell(edits));
        let end = self.step(effect, step);
        self.note_what_lies(effect.fold);
        end
    }

    /// What no retry helps is told at once; all else is tried again.
    fn failed(&self, failure: &Failure) -> EffectResult {
        if let Ok(Some(why)) = references::lost(&self.repository, &self.folder, &self.agreement) {
            return EffectResult::NeedsPerson { why };
        }
        let reason = self.mask.owned(with_hint(failure));
        match failure {
            Failure::World(error) if error.needs_person() => EffectResult::NeedsPerson { why: reason },
            Failure::World(_) | Failure::Refused(_) | Failure::Stopped => EffectResult::Failed { reason },
        }
    }

    /// Before anything is paid for, or taken from another repository at the same path. A check's word about a candidate
    /// that is there already needs no more than its objects.
    fn not_lost(&self, work: &EffectKind) -> Result<(), Failure> {
        match work {
            EffectKind::Step { .. }
            | EffectKind::Turn
            | EffectKind::FollowUp
            | EffectKind::Snapshot
            | EffectKind::Land
            | EffectKind::Close => match references::lost(&self.repository, &self.folder, &self.agreement)? {
                Some(why) => Err(RunError::RepositoryLost { why }.into()),
                None => Ok(()),
            },
            EffectKind::Check { .. }
            | EffectKind::Probe { .. }
            | EffectKind::Integrity
            | EffectKind::Overlay => Ok(()),
            EffectKind::Judge | EffectKind::Review { .. } => Ok(()),
        }
    }

    /// Every process of this loop carries a mark that begins so.
    pub fn mark_prefix(&self) -> String {
        mark_prefix(self.folder.owner())
    }

    /// The mark of one effect's processes.
    pub fn mark(&self, key: &EffectKey, what: &str) -> String {
        format!("{}{}.{}.{}/{what}", self.mark_prefix(), key.unit.0, key.iteration, key.attempt)
    }

    /// What the candidate is compared with: the start, or the newer commit of the base branch that the work holds.
    pub(crate) fn base<'a>(&'a self, fold: &'a Fold) -> &'a Base {
        fold.state.base().unwrap_or(&self.agreement.base)
    }

    /// What a check's word depends on besides tree and command.
    pub fn environment_digest(&self) -> Digest {
        self.environment.digest()
    }

    /// The checkout the worker works in.
    pub fn project(&self) -> &Utf8Path {
        &self.agreement.project
    }
}

/// Every process of the loop with this folder carries a mark that begins so. Its name alone would not do: the same
/// words in two repositories in the same minute make the same name, and one loop would sweep away the other's worker.
pub fn mark_prefix(loop_home: &Utf8Path) -> String {
    let digest = engine_digest(loop_home.as_str().as_bytes());
    let short: String = digest.as_str().chars().take(MARK_DIGITS).collect();
    format!("{}@{short}/", loop_home.file_name().unwrap_or_default())
}

/// Why an effect came to nothing, and what would help: it is tried again for minutes, and a person may be watching.
fn with_hint(failure: &Failure) -> String {
    let hint = match failure {
        Failure::World(error) => error.hint(),
        Failure::Refused(_) | Failure::Stopped => None,
    };
    let why = in_full(failure);
    hint.map_or_else(|| why.clone(), |hint| format!("{why}; {hint}"))
}
