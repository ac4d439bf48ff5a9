//! What one loop's effects are done with.
//!
//! It is shared by the threads in which effects run; what changes in it decides nothing.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::masking::Mask;
use gulf_engine::{Base, EffectKey};
use gulf_host::files::{self, Durability};
use gulf_host::git::Repository;
use gulf_host::process::ShimProgram;
use gulf_host::programs;

use crate::agreement::{Agreement, EnvironmentTerms, engine_digest};
use crate::book::Fold;
use crate::environment::{Environment, Ports};
use crate::error::{ReadyError, Result, RunError};
use crate::folder::LoopPaths;
use crate::masking;
use crate::pushes::Pushes;
use crate::spending::SpendingMeter;
use crate::stop::{Reports, Stop};
use crate::texts::TEXT_BYTES_MAX;

/// As many hexadecimal digits tell the loops of one machine apart.
const MARK_DIGITS: usize = 16;

/// What one loop's effects are done with.
#[derive(Debug)]
pub struct Resources {
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
    /// What the agent was last seen to do.
    pub activity: Activity,
    /// What became of the parts of a turn, for the journal.
    pub reports: Reports,
    /// What leads a worker's pushes nowhere.
    pub(crate) pushes: Pushes,
    pub(crate) last_look: LastLook,
}

/// When a candidate was built of what lies there, as long as nothing was done since.
#[derive(Debug, Default)]
pub(crate) struct LastLook {
    at: Mutex<Option<Instant>>,
}

impl LastLook {
    /// Nobody saves a file in between.
    const FRESH: Duration = Duration::from_millis(100);

    pub(crate) fn begin(&self) {
        *self.at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    pub(crate) fn end(&self) -> bool {
        let last = self.at.lock().unwrap_or_else(PoisonError::into_inner).take();
        last.is_some_and(|at| at.elapsed() < Self::FRESH)
    }
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

/// What an effect is given: with what it works, which one it is, what is known so far, what may end it, and who is told
/// what an agent that it calls costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AgentEffect<'effect> {
    pub resources: &'effect Resources,
    pub key: &'effect EffectKey,
    pub fold: &'effect Fold,
    pub stop: &'effect Stop,
    pub meter: &'effect SpendingMeter,
}

impl Resources {
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
        Ok(Self {
            mask: masking::of_loop(&agreement, &folder),
            agreement,
            folder,
            home: home.to_owned(),
            repository,
            environment,
            ports: Ports::default(),
            shim,
            activity: Activity::default(),
            reports: Reports::default(),
            pushes: Pushes::default(),
            last_look: LastLook::default(),
        })
    }

    /// The variables that hold this checkout's own ports.
    pub(crate) fn ports_of(&self, checkout: &Utf8Path) -> Result<Vec<(String, String)>> {
        Ok(self.ports.variables(&self.terms().ports, &self.home, checkout).map_err(ReadyError::from)?)
    }

    pub(crate) fn terms(&self) -> &EnvironmentTerms {
        &self.agreement.verification.environment
    }

    /// A text of the loop in the project, if it is there and readable as one.
    pub(crate) fn project_text(&self, name: &str) -> Option<String> {
        // The worker wrote it: what cannot be read says nothing, and is no reason to stop.
        files::read_text(&self.project().join(name), TEXT_BYTES_MAX).ok().map(|text| text.content)
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
