//! One turn of the worker, and the candidate that is built of what it left.

use std::time::Duration;

use gulf_agents::agents::{self, AgentRole, Confinement, Writes};
use gulf_agents::command;
use gulf_engine::{Base, Brief, Candidate, Claim, EffectKey, Remainder, Research, Session, Snapshot, Turn};
use gulf_host::files::{self, Durability};
use gulf_host::git::CommitWithTree;
use gulf_host::random;
use gulf_spec::own_texts::{OWN_TEXTS, Writer};
use gulf_spec::progress;

use crate::agreement::{RepositoryKind, Tool, engine_digest};
use crate::book::Fold;
use crate::calls::{Call, CallWords, Reply};
use crate::candidate::KeptCandidate;
use crate::edits;
use crate::effects::AgentEffect;
use crate::environment::WorkerVariables;
use crate::error::Failure;
use crate::plan::TEXT_BYTES_MAX;
use crate::ralph;
use crate::references;
use crate::resources::Resources;
use crate::snapshot::{left_out, take_snapshot};
use crate::spending::Allowance;

/// The command by which a worker brings together what does not land by itself.
const MERGE: &str = "git merge";

impl Resources {
    /// Runs the agent once.
    pub(crate) fn turn(&self, effect: AgentEffect<'_>) -> Result<Turn, Failure> {
        let AgentEffect { key, fold, .. } = effect;
        files::create_private_directories(&self.folder.logs(key), Durability::Buffered)?;
        self.link_logs(key);
        if let Some(turn) = self.turn_in_parts(effect)? {
            return Ok(turn);
        }
        let prompt = self.prompt(fold, key)?;
        files::replace(&self.folder.log(key, "prompt.md"), prompt.as_bytes(), Durability::Buffered)?;
        self.keep_feedback(fold, key)?;
        let (session, tool) = (fold.state.session(), self.agreement.tool_of(key.unit));
        let allowance = Allowance::whole(&self.agreement, fold);
        self.work(effect, CallWords { prompt, session, name: "agent", tool, allowance })
    }

    /// Asks once more in the turn's own session: done, a question, or what remains (SPEC B6).
    pub(crate) fn follow_up(&self, effect: AgentEffect<'_>) -> Result<Turn, Failure> {
        let AgentEffect { key, fold, .. } = effect;
        let prompt = self.follow_up_prompt(fold, key)?;
        let log = self.folder.log(key, "follow-up-prompt.md");
        files::replace(&log, prompt.as_bytes(), Durability::Buffered)?;
        let session = fold.state.unit().session.as_ref();
        let tool = self.agreement.tool_of(key.unit);
        let allowance = Allowance::whole(&self.agreement, fold);
        self.work(effect, CallWords { prompt, session, name: "follow-up", tool, allowance })
    }

    fn work(&self, effect: AgentEffect<'_>, words: CallWords<'_>) -> Result<Turn, Failure> {
        let AgentEffect { key, fold, .. } = effect;
        let remainder = self.remainder()?;
        let reply = self.ask_worker(effect, words)?;
        self.turn_of(fold, key, reply, &remainder)
    }

    /// Calls the agent with all that a worker may do, and waits for its end.
    pub(crate) fn ask_worker(&self, effect: AgentEffect<'_>, words: CallWords<'_>) -> Result<Reply, Failure> {
        let AgentEffect { key, fold, .. } = effect;
        let agent = &self.agreement.agent;
        let session = match words.session {
            Some(session) => agents::TurnSession::Continue { id: session.id.clone() },
            None => agents::TurnSession::Fresh {
                id: random::uuid().map_err(|error| Failure::Refused(error.to_string()))?,
            },
        };
        let variables = WorkerVariables {
            programs: &self.folder.worker_programs(),
            home: &self.home,
            loop_id: &self.agreement.loop_id,
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
                readable: self.readable_to_worker(fold),
                confinement: Confinement::ByTool,
                tools: self.own_tools(words.tool, &variables),
            },
            directory: self.project().to_owned(),
            folders: self.folders_of_worker(words.tool),
            environment: self.environment.for_worker(&variables, self.own_variables_of_worker()?),
            // They are the agent's: another program need not understand them.
            extra: if *words.tool == agent.tool { agent.arguments.clone() } else { Vec::new() },
            wall: words.allowance.wall,
            idle: Some(Duration::from_millis(agent.idle_timeout_ms)),
            microdollars_max: words.allowance.microdollars_max,
            name: words.name,
        };
        self.call(effect, &call)
    }

    /// The ports of the worker's checkout, and no way to the project's remotes.
    fn own_variables_of_worker(&self) -> Result<Vec<(String, String)>, Failure> {
        let ports = self.ports_of(self.project())?.into_iter();
        Ok(ports.chain(self.pushes.setting(&self.repository)?).collect())
    }

    /// What lands may have to be merged with what others brought, by the worker itself.
    fn allowed_to_worker(&self) -> Vec<String> {
        let merges = self.agreement.landing.iter().map(|_| MERGE.to_owned());
        self.agreement.agent.allow.iter().cloned().chain(merges).collect()
    }

    /// What was kept of a landing that was refused: the prompt names it.
    fn readable_to_worker(&self, fold: &Fold) -> Vec<String> {
        let kept = [self.clash_folder(fold), self.left_out_folder()];
        kept.into_iter().filter(|folder| folder.is_dir()).map(String::from).collect()
    }

    /// Codex keeps its worker out of every folder but the project, `.git` included; `gulf claim` leaves its requests
    /// in the first of these, and a commit is made in the others.
    fn folders_of_worker(&self, tool: &Tool) -> Vec<String> {
        let is_kept_out = tool.descriptor().is_some_and(|agent| agent.writes == Writes::NamedFolders);
        if !is_kept_out {
            return Vec::new();
        }
        let mut folders = vec![self.folder.requests().directory().to_string()];
        if self.agreement.repository == RepositoryKind::Own {
            let layout = self.repository.layout();
            folders.extend([layout.git_dir.to_string(), layout.common_dir.to_string()]);
            folders.dedup();
        }
        folders
    }

    fn turn_of(&self, fold: &Fold, key: &EffectKey, reply: Reply, before: &str) -> Result<Turn, Failure> {
        let message = &reply.message;
        let is_token = self.agreement.list.is_some()
            && command::is_last_line(message, &self.agreement.completion_promise);
        // Said by a command, too late for the agent to wait for it: the worker meant it all the same.
        let was_cut_off = reply.cut_off.iter().any(|text| command::runs_claim(text));
        let promised = is_token || was_cut_off || ralph::claims(&self.agreement, message);
        files::replace(&self.folder.log(key, "message.txt"), message.as_bytes(), Durability::Buffered)?;
        if !reply.last_words.is_empty() {
            let log = self.folder.log(key, "failure.txt");
            files::replace(&log, reply.last_words.join("\n").as_bytes(), Durability::Buffered)?;
        }
        let now = self.remainder()?;
        let is_named = now != before && !now.trim().is_empty();
        Ok(Turn {
            outcome: reply.outcome,
            claim: ralph::stuck(&self.agreement, message)
                .or(promised.then_some(Claim::Done { no_test: None })),
            tool_calls: reply.tool_calls,
            brief: self.brief(fold, key)?,
            duration_ms: reply.duration_ms,
            message: Some(engine_digest(message.as_bytes())),
            session: reply.session.map(|id| Session { id, used_bp: reply.used_bp }),
            denials: reply.denials,
            remainder: if is_named { Remainder::Named } else { Remainder::Unnamed },
            blocks_left: None,
            orientation: reply.orientation,
        })
    }

    /// What the worker wrote down as remaining.
    fn remainder(&self) -> Result<String, Failure> {
        let text = self.project_text("progress.txt")?.unwrap_or_default();
        Ok(progress::parse(&text).remaining_gap().unwrap_or_default())
    }

    /// What the worker wrote down of its research (SPEC G5). A brief of an earlier loop is no brief.
    pub(crate) fn brief(&self, fold: &Fold, key: &EffectKey) -> Result<Brief, Failure> {
        let asked = fold.state.contract().is_some_and(|contract| contract.policy.research != Research::Off);
        if !asked || key.iteration != 1 {
            return Ok(Brief::NotAsked);
        }
        let text = self.project_text("progress.txt")?.unwrap_or_default();
        let is_adopted = self.agreement.worker.is_adopted();
        if !is_adopted && self.agreement.texts.get("progress.txt") == Some(&engine_digest(text.as_bytes())) {
            return Ok(Brief::Incomplete {
                missing: vec!["a brief of this loop: progress.txt is unchanged".to_owned()],
            });
        }
        let gaps =
            if is_adopted { progress::seed_brief(&text).blocking } else { progress::brief(&text).gaps };
        if gaps.is_empty() {
            return Ok(Brief::Complete);
        }
        Ok(Brief::Incomplete { missing: gaps.iter().map(ToString::to_string).collect() })
    }

    /// A text of the loop in the project, if it is there and readable as one.
    pub(crate) fn project_text(&self, name: &str) -> Result<Option<String>, Failure> {
        match files::read_text(&self.project().join(name), TEXT_BYTES_MAX) {
            Ok(text) => Ok(Some(text.content)),
            // The worker wrote it: what cannot be read says nothing, and is no reason to stop.
            Err(_) => Ok(None),
        }
    }

    /// Builds the iteration's candidate (SPEC B2).
    pub(crate) fn snapshot(&self, key: &EffectKey, fold: &Fold) -> Result<Snapshot, Failure> {
        let last = self.kept_candidate();
        let known = last.as_ref().map_or_else(|| as_host(self.base(fold)), KeptCandidate::parent);
        let head = self.repository.head_with_tree(Some(&known))?;
        let mut drifted = self.drifted_texts();
        let newer = match &head {
            Some(head) => self.newer_base(&head.commit, fold, &mut drifted)?,
            None => None,
        };
        let base = newer.as_ref().unwrap_or(self.base(fold));
        let taken = take_snapshot(&self.repository, &self.agreement, base, &self.folder.index())?;
        edits::note_left(&self.agreement, &self.folder, &taken.tree);
        let parent = self.parent_without_secrets(head.as_ref(), base, &mut drifted)?;
        let commit = self.candidate_commit(&taken.tree, parent, last, (key, fold))?;
        drifted.extend(self.committed_too_much(head.as_ref())?);
        drifted.extend(self.lost_start(head.as_ref())?);
        drifted.extend(references::changes(&self.repository, &self.folder, &self.agreement)?);
        Ok(Snapshot {
            base: newer,
            tasks: self.task_tally(&taken.tree)?,
            resembles: self.resembles(fold, &taken.tree)?,
            candidate: Candidate { commit, tree: taken.tree.clone() },
            drifted,
            left_out: left_out(&taken),
        })
    }

    /// What the candidate is built on: the branch's commit. A candidate is handed on with its history, and a private file
    /// is in neither; where a commit holds one, it is built without those commits.
    pub(crate) fn parent_without_secrets(
        &self,
        head: Option<&CommitWithTree>,
        base: &Base,
        drifted: &mut Vec<String>,
    ) -> Result<CommitWithTree, Failure> {
        let base = as_host(base);
        let Some(head) = head else { return Ok(base) };
        let private = self.agreement.verification.environment.private_paths();
        if !self.repository.touches(&base.commit, &head.commit, &private)? {
            return Ok(head.clone());
        }
        let paths = private.join(", ");
        drifted.push(format!("{paths} (a commit touches it; the candidate is built without that commit)"));
        Ok(base)
    }

    /// The person's texts that are no longer as they were sealed: reported, without effect (SPEC B1).
    fn drifted_texts(&self) -> Vec<String> {
        let texts = OWN_TEXTS.iter().filter(|text| matches!(text.writer, Writer::Person));
        texts
            .filter(|text| {
                let now = files::read_bytes(&self.project().join(text.path), TEXT_BYTES_MAX);
                let now = now.ok().map(|bytes| engine_digest(&bytes));
                now.as_ref() != self.agreement.texts.get(text.path)
            })
            .map(|text| text.path.to_owned())
            .collect()
    }

    /// What was committed before the loop began is not the worker's to take from the branch; in the tree it would look
    /// like any other change.
    fn lost_start(&self, head: Option<&CommitWithTree>) -> Result<Option<String>, Failure> {
        let Some(start) = &self.agreement.head else { return Ok(None) };
        if let Some(head) = head
            && (head.commit == *start || self.repository.descends(&head.commit, start)?)
        {
            return Ok(None);
        }
        let start = start.as_str();
        Ok(Some(format!(
            "HEAD (it does not come from {start:.7} any more, where the loop began; \
             `git log HEAD..{start:.7}` shows what is gone from it)"
        )))
    }

    /// What the person had not committed at the start is not the worker's to commit (SPEC G4).
    fn committed_too_much(&self, head: Option<&CommitWithTree>) -> Result<Vec<String>, Failure> {
        let dirty = &self.agreement.dirty_paths;
        let (Some(head), false) = (head, dirty.is_empty()) else { return Ok(Vec::new()) };
        let changes = match &self.agreement.head {
            Some(commit) if *commit == head.commit => return Ok(Vec::new()),
            Some(commit) => self.repository.diff_from(commit, &head.tree)?,
            None => self.repository.diff(&self.repository.empty_tree(), &head.tree)?,
        };
        let committed = changes.iter().map(|change| change.path.to_string());
        Ok(committed
            .filter(|path| dirty.contains(path))
            .map(|path| format!("{path} (a commit contains it, and it was uncommitted at the start)"))
            .collect())
    }
}

fn as_host(base: &Base) -> CommitWithTree {
    CommitWithTree { commit: base.commit.clone(), tree: base.tree.clone() }
}
