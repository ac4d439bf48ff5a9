//! One turn of the worker, and what is read of it.

use gulf_agents::command;
use gulf_engine::{Claim, Remainder, Session, Turn};

use crate::agreement::engine_digest;
use crate::calls::CallWords;
use crate::error::Result;
use crate::ralph::{self, link_logs};
use crate::resources::AgentEffect;
use crate::spending::Allowance;
use crate::worker::{brief, remainder};

impl AgentEffect<'_> {
    /// Runs the worker's agent once.
    pub(crate) fn turn(&self) -> Result<Turn> {
        let AgentEffect { resources, key, fold, .. } = *self;
        link_logs(resources, key);
        if let Some(turn) = self.turn_in_parts()? {
            return Ok(turn);
        }
        let prompt = self.prompt()?;
        resources.folder.write_log(key, "prompt.md", &prompt)?;
        self.keep_feedback()?;
        self.work(prompt, fold.state.session(), "agent")
    }

    /// Asks once more in the turn's own session: done, a question, or what remains (SPEC B6).
    pub(crate) fn follow_up(&self) -> Result<Turn> {
        let prompt = self.follow_up_prompt()?;
        self.resources.folder.write_log(self.key, "follow-up-prompt.md", &prompt)?;
        self.work(prompt, self.fold.state.unit.session.as_ref(), "follow-up")
    }

    fn work(&self, prompt: String, session: Option<&Session>, name: &str) -> Result<Turn> {
        let agreement = &self.resources.agreement;
        let before = remainder(self.resources)?;
        let (tool, allowance) = (agreement.tool_of(self.key.unit), Allowance::whole(agreement, self.fold));
        let reply = self.ask(CallWords { prompt, session, name, tool, allowance })?;
        let message = &reply.message;
        let is_token =
            agreement.list.is_some() && command::is_last_line(message, &agreement.completion_promise);
        // Said by a command, too late for the agent to wait for it: the worker meant it all the same.
        let was_cut_off = reply.cut_off.iter().any(|text| command::runs_claim(text));
        let promised = is_token || was_cut_off || ralph::claims(agreement, message);
        self.keep_words(&reply, "message.txt", "failure.txt")?;
        let now = remainder(self.resources)?;
        let is_named = now != before && !now.trim().is_empty();
        Ok(Turn {
            claim: ralph::stuck(agreement, message).or(promised.then_some(Claim::Done { no_test: None })),
            brief: brief(self.resources, self.fold, self.key)?,
            message: Some(engine_digest(message.as_bytes())),
            remainder: if is_named { Remainder::Named } else { Remainder::Unnamed },
            ..reply.turn
        })
    }
}
