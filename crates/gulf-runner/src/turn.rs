//! One turn of the worker, and the candidate that is built of what it left.

use crate::parts::PartsTurn;
use std::time::Duration;

use gulf_agents::agents::{self, AgentRole, Confinement, Writes};
use gulf_agents::command;
use gulf_engine::{Brief, Claim, EffectKey, Remainder, Research, Session, Turn};
use gulf_host::files::{self, Durability};
use gulf_host::random;
use gulf_spec::progress;

use crate::agreement::{RepositoryKind, Tool, engine_digest};
use crate::book::Fold;
use crate::calls::{AgentCalls, Call, CallWords, Reply};
use crate::effects::AgentEffect;
use crate::environment::WorkerVariables;
use crate::error::Failure;
use crate::landing::clash_folder;
use crate::parts::left_out_folder;
use crate::prompt::Prompts;
use crate::ralph;
use crate::ralph::link_logs;
use crate::resources::Resources;
use crate::spending::Allowance;

/// The command by which a worker brings together what does not land by itself.
const MERGE: &str = "git merge";

/// How the worker is asked for a turn.
#[derive(Clone, Copy)]
pub(crate) struct WorkerTurn<'effect> {
    pub(crate) resources: &'effect Resources,
    pub(crate) effect: AgentEffect<'effect>,
}

impl WorkerTurn<'_> {
    /// Runs the agent once.
    pub(crate) fn turn(&self) -> Result<Turn, Failure> {
        let AgentEffect { key, fold, .. } = self.effect;
        files::create_private_directories(&self.resources.folder.logs(key), Durability::Buffered)?;
        link_logs(self.resources, key);
        if let Some(turn) = (PartsTurn { resources: self.resources, effect: self.effect }).turn_in_parts()? {
            return Ok(turn);
        }
        let prompts = Prompts { resources: self.resources, fold, key };
        let prompt = prompts.prompt()?;
        files::replace(
            &self.resources.folder.log(key, "prompt.md"),
            prompt.as_bytes(),
            Durability::Buffered,
        )?;
        prompts.keep_feedback()?;
        let (session, tool) = (fold.state.session(), self.resources.agreement.tool_of(key.unit));
        let allowance = Allowance::whole(&self.resources.agreement, fold);
        self.work(CallWords { prompt, session, name: "agent", tool, allowance })
    }

    /// Asks once more in the turn's own session: done, a question, or what remains (SPEC B6).
    pub(crate) fn follow_up(&self) -> Result<Turn, Failure> {
        let AgentEffect { key, fold, .. } = self.effect;
        let prompt = Prompts { resources: self.resources, fold, key }.follow_up_prompt()?;
        let log = self.resources.folder.log(key, "follow-up-prompt.md");
        files::replace(&log, prompt.as_bytes(), Durability::Buffered)?;
        let session = fold.state.unit().session.as_ref();
        let tool = self.resources.agreement.tool_of(key.unit);
        let allowance = Allowance::whole(&self.resources.agreement, fold);
        self.work(CallWords { prompt, session, name: "follow-up", tool, allowance })
    }

    fn work(&self, words: CallWords<'_>) -> Result<Turn, Failure> {
        let AgentEffect { key: _, fold: _, .. } = self.effect;
        let remainder = remainder(self.resources)?;
        let reply = self.ask_worker(words)?;
        self.turn_of(reply, &remainder)
    }

    /// Calls the agent with all that a worker may do, and waits for its end.
    pub(crate) fn ask_worker(&self, words: CallWords<'_>) -> Result<Reply, Failure> {
        let AgentEffect { key, fold, .. } = self.effect;
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
            attempt: fold.state.unit().attempt.max(1),
        };
        let call = Call {
            tool: words.tool,
            prompt: words.prompt,
            purpose: AgentRole::Worker {
                session,
                allow: self.allowed_to_worker(),
                readable: self.readable_to_worker(),
                confinement: Confinement::ByTool,
                tools: self.own_tools(words.tool, &variables),
            },
            directory: self.resources.project().to_owned(),
            folders: self.folders_of_worker(words.tool),
            environment: self.resources.environment.for_worker(&variables, self.own_variables_of_worker()?),
            // They are the agent's: another program need not understand them.
            extra: if *words.tool == agent.tool { agent.arguments.clone() } else { Vec::new() },
            wall: words.allowance.wall,
            idle: Some(Duration::from_millis(agent.idle_timeout_ms)),
            microdollars_max: words.allowance.microdollars_max,
            name: words.name,
        };
        AgentCalls { resources: self.resources, effect: self.effect }.call(&call)
    }

    /// The ports of the worker's checkout, and no way to the project's remotes.
    fn own_variables_of_worker(&self) -> Result<Vec<(String, String)>, Failure> {
        let ports = self.resources.ports_of(self.resources.project())?.into_iter();
        Ok(ports.chain(self.resources.pushes.setting(&self.resources.repository)?).collect())
    }

    /// What lands may have to be merged with what others brought, by the worker itself.
    fn allowed_to_worker(&self) -> Vec<String> {
        let merges = self.resources.agreement.landing.iter().map(|_| MERGE.to_owned());
        self.resources.agreement.agent.allow.iter().cloned().chain(merges).collect()
    }

    /// What was kept of a landing that was refused: the prompt names it.
    fn readable_to_worker(&self) -> Vec<String> {
        let kept = [clash_folder(self.resources, self.effect.fold), left_out_folder(self.resources)];
        kept.into_iter().filter(|folder| folder.is_dir()).map(String::from).collect()
    }

    /// Codex keeps its worker out of every folder but the project, `.git` included; `gulf claim` leaves its requests
    /// in the first of these, and a commit is made in the others.
    fn folders_of_worker(&self, tool: &Tool) -> Vec<String> {
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

    fn turn_of(&self, reply: Reply, before: &str) -> Result<Turn, Failure> {
        let message = &reply.message;
        let is_token = self.resources.agreement.list.is_some()
            && command::is_last_line(message, &self.resources.agreement.completion_promise);
        // Said by a command, too late for the agent to wait for it: the worker meant it all the same.
        let was_cut_off = reply.cut_off.iter().any(|text| command::runs_claim(text));
        let promised = is_token || was_cut_off || ralph::claims(&self.resources.agreement, message);
        files::replace(
            &self.resources.folder.log(self.effect.key, "message.txt"),
            message.as_bytes(),
            Durability::Buffered,
        )?;
        if !reply.last_words.is_empty() {
            let log = self.resources.folder.log(self.effect.key, "failure.txt");
            files::replace(&log, reply.last_words.join("\n").as_bytes(), Durability::Buffered)?;
        }
        let now = remainder(self.resources)?;
        let is_named = now != before && !now.trim().is_empty();
        Ok(Turn {
            outcome: reply.outcome,
            claim: ralph::stuck(&self.resources.agreement, message)
                .or(promised.then_some(Claim::Done { no_test: None })),
            tool_calls: reply.tool_calls,
            brief: brief(self.resources, self.effect.fold, self.effect.key)?,
            duration_ms: reply.duration_ms,
            message: Some(engine_digest(message.as_bytes())),
            session: reply.session.map(|id| Session { id, used_bp: reply.used_bp }),
            denials: reply.denials,
            remainder: if is_named { Remainder::Named } else { Remainder::Unnamed },
            blocks_left: None,
            orientation: reply.orientation,
        })
    }
}

/// What the worker wrote down of its research (SPEC G5). A brief of an earlier loop is no brief.
pub(crate) fn brief(resources: &Resources, fold: &Fold, key: &EffectKey) -> Result<Brief, Failure> {
    let asked = fold.state.contract().is_some_and(|contract| contract.policy.research != Research::Off);
    if !asked || key.iteration != 1 {
        return Ok(Brief::NotAsked);
    }
    let text = resources.project_text("progress.txt")?.unwrap_or_default();
    let is_adopted = resources.agreement.worker.is_adopted();
    if !is_adopted && resources.agreement.texts.get("progress.txt") == Some(&engine_digest(text.as_bytes())) {
        return Ok(Brief::Incomplete {
            missing: vec!["a brief of this loop: progress.txt is unchanged".to_owned()],
        });
    }
    let gaps = if is_adopted { progress::seed_brief(&text).blocking } else { progress::brief(&text).gaps };
    if gaps.is_empty() {
        return Ok(Brief::Complete);
    }
    Ok(Brief::Incomplete { missing: gaps.iter().map(ToString::to_string).collect() })
}

/// What the worker wrote down as remaining.
fn remainder(resources: &Resources) -> Result<String, Failure> {
    let text = resources.project_text("progress.txt")?.unwrap_or_default();
    Ok(progress::parse(&text).remaining_gap().unwrap_or_default())
}
