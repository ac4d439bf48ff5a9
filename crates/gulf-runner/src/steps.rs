//! A turn beside the work: an agent is asked to think, and what it says is kept for the turns that follow.
//!
//! Nothing that it leaves decides anything: no candidate is built of it, and no claim is heard.

use camino::Utf8PathBuf;
use gulf_engine::{Digest, Fact, Step, StepEnd, StepWord, Turn, TurnOutcome};
use gulf_host::files::{self, Durability};
use gulf_spec::goal::goal_title;
use gulf_spec::parts;
use gulf_spec::prompts::{self, ContextBlock, StepBrief};
use gulf_spec::thoughts::{self, TriedBefore};

use crate::agreement::engine_digest;
use crate::calls::{CallWords, Reply};
use crate::error::{Result, RunError};
use crate::project_folder::notepad;
use crate::resources::AgentEffect;
use crate::spending::Allowance;
use crate::texts::text;
use crate::thoughts::{has_stand_in, kept_thoughts, thinking_tool, thought_path};

/// So many proposals are remembered; older ones are another matter by now.
const TRIED_MAX: usize = 10;

/// How an agent is asked to think.
#[derive(Clone, Copy)]
pub(crate) struct Thinking<'effect> {
    pub(crate) effect: AgentEffect<'effect>,
    pub(crate) step: Step,
}

impl Thinking<'_> {
    /// Asks, and keeps the answer.
    pub(crate) fn step(&self) -> Result<StepEnd> {
        let AgentEffect { resources, key, fold, .. } = self.effect;
        if self.step == Step::Criticize && has_stand_in(resources, key.unit)? {
            // A critic has nothing to say of what nobody planned, and costs nothing.
            return Ok(ended(Reply::default(), StepWord::Said, None));
        }
        let (folder, name) = (&resources.folder, self.step.word());
        let prompt = self.step_prompt()?;
        folder.write_log(key, &format!("{name}-prompt.md"), &prompt)?;
        let tool = thinking_tool(&resources.agreement, self.step);
        let allowance = Allowance::whole(&resources.agreement, fold);
        let reply = self.effect.ask(CallWords { prompt, session: None, name, tool, allowance })?;
        let said = reply.message.as_bytes();
        self.effect.keep_words(&reply, &format!("{name}.md"), &format!("{name}-failure.txt"))?;
        let word = self.word(&reply.message)?;
        if reply.turn.outcome == TurnOutcome::Completed && self.is_last_try_of_a_plan(&word)? {
            return self.go_on_without_a_plan(reply);
        }
        if reply.turn.outcome == TurnOutcome::Completed {
            // What the critic objected to is told to whoever plans again; what says nothing replaces nothing.
            let is_kept = !matches!(word, StepWord::Incomplete { .. });
            let place = if is_kept { thought_path(resources, key.unit, self.step) } else { self.unusable() };
            files::keep(&place, said, Durability::Buffered)?;
            if is_kept && self.step == Step::Cause {
                files::replace(&self.cause_before(key.iteration), said, Durability::Buffered)?;
            }
        }
        let message = Some(engine_digest(said));
        Ok(ended(reply, word, message))
    }

    /// Whose form is wrong so often has it wrong the next time as well: to rest for it would cost a night. A plan that its
    /// critic objected to is another matter: that is a person's to decide.
    fn is_last_try_of_a_plan(&self, word: &StepWord) -> Result<bool> {
        let AgentEffect { resources, key, fold, .. } = self.effect;
        let retries_max = fold.state.contract().map(|contract| contract.policy.retries.research_max.get());
        let is_last = retries_max.is_some_and(|most| fold.state.unit.steps.repeated >= most);
        if self.step != Step::Plan || !matches!(word, StepWord::Incomplete { .. }) || !is_last {
            return Ok(false);
        }
        let criticism = text(&thought_path(resources, key.unit, Step::Criticize))?;
        Ok(criticism.is_none_or(|text| thoughts::objections(&text).is_empty()))
    }

    /// One worker gets the whole goal; the plan says so, and so do the journal and the last screen.
    fn go_on_without_a_plan(&self, reply: Reply) -> Result<StepEnd> {
        let AgentEffect { resources, key, .. } = self.effect;
        let plan = parts::stand_in(goal_title(&resources.agreement.goal), &reply.message);
        files::keep(&thought_path(resources, key.unit, Step::Plan), plan.as_bytes(), Durability::Buffered)?;
        // Where workers could share it, that is told when the turn begins.
        if resources.agreement.side_by_side.is_none() {
            resources.reports.tell(Fact::Divided { parts: Vec::new(), why: parts::UNPLANNED.to_owned() });
        }
        Ok(ended(reply, StepWord::Said, Some(engine_digest(plan.as_bytes()))))
    }

    fn step_prompt(&self) -> Result<String> {
        let AgentEffect { resources, key, fold, .. } = self.effect;
        let agreement = &resources.agreement;
        let brief = StepBrief {
            step: self.step,
            goal: agreement.goal.clone(),
            iteration: key.iteration,
            side_by_side: agreement.side_by_side.is_some(),
            own: agreement.thinkers.get(&self.step).and_then(|thinker| thinker.prompt.clone()),
            gaps: if fold.state.unit.steps.repeated > 0 { self.gaps_of_thought()? } else { Vec::new() },
            tried: if self.step == Step::Cause { self.tried()? } else { Vec::new() },
            notes: fold.state.notes.to_vec(),
            fixes: if self.step == Step::Plan { Vec::new() } else { self.effect.fixes() },
            thoughts: kept_thoughts(self.effect)?,
            // A critic who reads the planner's own reasons is none.
            notepad: (self.step != Step::Criticize)
                .then(|| notepad(agreement, &ContextBlock::default()))
                .flatten(),
        };
        Ok(prompts::step(&brief)?)
    }

    /// What its last answer lacked, if it was of no use.
    fn gaps_of_thought(&self) -> Result<Vec<String>, RunError> {
        let Some(text) = text(&self.unusable())? else { return Ok(Vec::new()) };
        let word = match self.step {
            Step::Cause => thoughts::cause(&text, &self.tried()?),
            Step::Analyze | Step::Plan | Step::Criticize => thoughts::word(self.step, &text),
        };
        Ok(match word {
            StepWord::Incomplete { missing } => missing,
            StepWord::Said | StepWord::Objected { .. } => Vec::new(),
        })
    }

    /// What an answer comes to. Who proposes what was tried is asked once for something else; a second time it may be
    /// meant: the same change, done right.
    fn word(&self, text: &str) -> Result<StepWord, RunError> {
        if self.step == Step::Cause && self.effect.fold.state.unit.steps.repeated == 0 {
            return Ok(thoughts::cause(text, &self.tried()?));
        }
        Ok(thoughts::word(self.step, text))
    }

    /// What was to change before the iterations so far, the newest first.
    fn tried(&self) -> Result<Vec<TriedBefore>, RunError> {
        let earlier = (1..self.effect.key.iteration).rev().map(|iteration| {
            Ok(text(&self.cause_before(iteration))?.and_then(|text| TriedBefore::read(iteration, &text)))
        });
        earlier.filter_map(Result::transpose).take(TRIED_MAX).collect()
    }

    /// The cause that preceded this iteration.
    fn cause_before(&self, iteration: u32) -> Utf8PathBuf {
        let AgentEffect { resources, key, .. } = self.effect;
        resources.folder.thoughts().join(format!("{}-cause-{iteration}.md", key.unit.0 + 1))
    }

    fn unusable(&self) -> Utf8PathBuf {
        let AgentEffect { resources, key, .. } = self.effect;
        resources.folder.thoughts().join(format!("{}-{}-unusable.md", key.unit.0 + 1, self.step.word()))
    }
}

fn ended(reply: Reply, word: StepWord, message: Option<Digest>) -> StepEnd {
    let Turn { outcome, duration_ms, denials, .. } = reply.turn;
    StepEnd { outcome, word, duration_ms, message, denials }
}
