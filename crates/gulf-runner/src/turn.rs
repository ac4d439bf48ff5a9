//! One turn of the worker, and what is read of it.

use gulf_agents::command;
use gulf_engine::{Claim, Remainder, Session, Turn};
use gulf_host::files::{self, Durability};

use crate::agreement::engine_digest;
use crate::calls::CallWords;
use crate::error::Failure;
use crate::prompt::Prompts;
use crate::ralph::{self, link_logs};
use crate::resources::AgentEffect;
use crate::spending::Allowance;
use crate::worker::{brief, remainder};

impl AgentEffect<'_> {
    /// Runs the worker's agent once.
    pub(crate) fn turn(&self) -> Result<Turn, Failure> {
        let AgentEffect { resources, key, fold, .. } = *self;
        files::create_private_directories(&self.resources.folder.logs(key), Durability::Buffered)?;
        link_logs(self.resources, key);
        if let Some(turn) = self.turn_in_parts()? {
            return Ok(turn);
        }
        let prompts = Prompts { resources, fold, key };
        let prompt = prompts.prompt()?;
        self.resources.folder.write_log(key, "prompt.md", &prompt)?;
        prompts.keep_feedback()?;
        let (session, tool) = (fold.state.session(), self.resources.agreement.tool_of(key.unit));
        let allowance = Allowance::whole(&self.resources.agreement, fold);
        self.work(CallWords { prompt, session, name: "agent", tool, allowance })
    }

    /// Asks once more in the turn's own session: done, a question, or what remains (SPEC B6).
    pub(crate) fn follow_up(&self) -> Result<Turn, Failure> {
        let AgentEffect { resources, key, fold, .. } = *self;
        let prompt = Prompts { resources, fold, key }.follow_up_prompt()?;
        self.resources.folder.write_log(key, "follow-up-prompt.md", &prompt)?;
        let session = fold.state.unit.session.as_ref();
        let tool = self.resources.agreement.tool_of(key.unit);
        let allowance = Allowance::whole(&self.resources.agreement, fold);
        self.work(CallWords { prompt, session, name: "follow-up", tool, allowance })
    }

    fn work(&self, words: CallWords<'_>) -> Result<Turn, Failure> {
        let before = remainder(self.resources)?;
        let reply = self.ask(words)?;
        let message = &reply.message;
        let is_token = self.resources.agreement.list.is_some()
            && command::is_last_line(message, &self.resources.agreement.completion_promise);
        // Said by a command, too late for the agent to wait for it: the worker meant it all the same.
        let was_cut_off = reply.cut_off.iter().any(|text| command::runs_claim(text));
        let promised = is_token || was_cut_off || ralph::claims(&self.resources.agreement, message);
        self.resources.folder.write_log(self.key, "message.txt", message)?;
        if !reply.last_words.is_empty() {
            self.resources.folder.write_log(self.key, "failure.txt", &reply.last_words.join("\n"))?;
        }
        let now = remainder(self.resources)?;
        let is_named = now != before && !now.trim().is_empty();
        Ok(Turn {
            outcome: reply.outcome,
            claim: ralph::stuck(&self.resources.agreement, message)
                .or(promised.then_some(Claim::Done { no_test: None })),
            tool_calls: reply.tool_calls,
            brief: brief(self.resources, self.fold, self.key)?,
            duration_ms: reply.duration_ms,
            message: Some(engine_digest(message.as_bytes())),
            session: reply.session.map(|id| Session { id, used_bp: reply.used_bp }),
            denials: reply.denials,
            remainder: if is_named { Remainder::Named } else { Remainder::Unnamed },
            orientation: reply.orientation,
            ..Turn::default()
        })
    }
}
