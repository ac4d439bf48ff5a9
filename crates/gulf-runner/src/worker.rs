//! How the worker is called, with all that it may do; and what it wrote down.

use crate::own_tools::own_tools;
use std::time::Duration;

use gulf_agents::agents::{self, AgentRole, Confinement, Writes};
use gulf_engine::{Brief, EffectKey, Research};
use gulf_host::random;
use gulf_spec::progress;

use crate::agreement::{RepositoryKind, Tool, engine_digest};
use crate::book::Fold;
use crate::calls::{Call, CallWords, Reply};
use crate::environment::WorkerVariables;
use crate::error::{Failure, Result};
use crate::landing::clash_folder;
use crate::resources::{AgentEffect, Resources};

/// The command by which a worker brings together what does not land by itself.
const MERGE: &str = "git merge";

impl AgentEffect<'_> {
    /// Calls the worker's agent with all that a worker may do, and waits for its end.
    pub(crate) fn ask(&self, words: CallWords<'_>) -> Result<Reply> {
        let AgentEffect { key, fold, .. } = *self;
        let agent = &self.resources.agreement.agent;
        let session = match words.session {
            Some(session) => agents::TurnSession::Continue { id: session.id.clone() },
            None => agents::TurnSession::Fresh {
                id: random::uuid().map_err(|error| Failure::Refused(error.to_string()))?,
            },
        };
        let variables = WorkerVariables {
            programs: &self.resources.folder.worker_programs(),
            home: &self.resources.home,
            loop_id: &self.resources.agreement.loop_id,
            iteration: key.iteration,
            // A claim names the turn, whichever of its prompts it answers.
            attempt: fold.state.unit.attempt.max(1),
        };
        let call = Call {
            tool: words.tool,
            prompt: words.prompt,
            purpose: AgentRole::Worker {
                session,
                allow: self.allowed(),
                readable: self.readable(),
                confinement: Confinement::ByTool,
                tools: own_tools(self.resources, words.tool, &variables),
            },
            directory: self.resources.project().to_owned(),
            folders: self.folders(words.tool),
            environment: self.resources.environment.for_worker(&variables, self.own_variables()?),
            // They are the agent's: another program need not understand them.
            extra: if *words.tool == agent.tool { agent.arguments.clone() } else { Vec::new() },
            wall: words.allowance.wall,
            idle: Some(Duration::from_millis(agent.idle_timeout_ms)),
            microdollars_max: words.allowance.microdollars_max,
            name: words.name,
        };
        self.call(&call)
    }

    /// The ports of the worker's checkout, and no way to the project's remotes.
    fn own_variables(&self) -> Result<Vec<(String, String)>> {
        let ports = self.resources.ports_of(self.resources.project())?.into_iter();
        Ok(ports.chain(self.resources.pushes.setting(&self.resources.repository)?).collect())
    }

    /// What lands may have to be merged with what others brought, by the worker itself.
    fn allowed(&self) -> Vec<String> {
        let merges = self.resources.agreement.landing.iter().map(|_| MERGE.to_owned());
        self.resources.agreement.agent.allow.iter().cloned().chain(merges).collect()
    }

    /// What was kept of a landing that was refused: the prompt names it.
    fn readable(&self) -> Vec<String> {
        let kept = [clash_folder(self.resources, self.fold), self.resources.folder.left_out_parts()];
        kept.into_iter().filter(|folder| folder.is_dir()).map(String::from).collect()
    }

    /// Codex keeps its worker out of every folder but the project, `.git` included; `gulf claim` leaves its requests
    /// in the first of these, and a commit is made in the others.
    fn folders(&self, tool: &Tool) -> Vec<String> {
        let is_kept_out = tool.descriptor().is_some_and(|agent| agent.writes == Writes::NamedFolders);
        if !is_kept_out {
            return Vec::new();
        }
        let mut folders = vec![self.resources.folder.requests().directory().to_string()];
        if self.resources.agreement.repository == RepositoryKind::Own {
            let layout = self.resources.repository.layout();
            folders.extend([layout.git_dir.to_string(), layout.common_dir.to_string()]);
            folders.dedup();
        }
        folders
    }
}

/// What the worker wrote down of its research (SPEC G5). A brief of an earlier loop is no brief.
pub(crate) fn brief(resources: &Resources, fold: &Fold, key: &EffectKey) -> Result<Brief> {
    let asked = fold.state.contract().is_some_and(|contract| contract.policy.research != Research::Off);
    if !asked || key.iteration != 1 {
        return Ok(Brief::NotAsked);
    }
    let text = resources.project_text("progress.txt").unwrap_or_default();
    let is_adopted = resources.agreement.worker.is_adopted();
    if !is_adopted && resources.agreement.texts.get("progress.txt") == Some(&engine_digest(text.as_bytes())) {
        let missing = vec!["a brief of this loop: progress.txt is unchanged".to_owned()];
        return Ok(Brief::Incomplete { missing });
    }
    let gaps = if is_adopted { progress::seed_brief(&text).blocking } else { progress::brief_gaps(&text) };
    if gaps.is_empty() {
        return Ok(Brief::Complete);
    }
    Ok(Brief::Incomplete { missing: gaps.iter().map(ToString::to_string).collect() })
}

/// What the worker wrote down as remaining.
pub(crate) fn remainder(resources: &Resources) -> Result<String> {
    let text = resources.project_text("progress.txt").unwrap_or_default();
    Ok(progress::parse(&text).remaining_gap().unwrap_or_default())
}
