//! The judge gate: shows the candidate to somebody who did not make it, and looks at what it points to (SPEC B4, G7).
//!
//! Here a second agent runs, on a checkout of its own, of which nothing that the worker wrote may reach it as an
//! instruction.

mod exhibits;
mod records;

use std::borrow::Cow;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::agents::{AgentRole, Schema};
use gulf_agents::judge::{
    self, Asked, CheckExhibit, Exhibits, FALSE_APPROVAL_BP, Fence, JudgeRecord, JudgedScope, Judgement,
    Outcome, Part, SCENARIOS_MAX, Scenario, Trial, Verdict, read_scenarios,
};
use gulf_engine::{Candidate, JudgeWord, OnFindings, Reviewer, TurnOutcome};
use gulf_host::random;
use gulf_spec::prompts::judge::{
    AnswerForm, JudgeBrief, ScenarioBrief, judge as prompt, scenarios as scenarios_prompt,
};
use gulf_spec::reviews::criteria as criteria_of;

use crate::agreement::{JudgeTerms, SealedCheck, VerdictForm, engine_digest};
use crate::calls::{Call, Reply};
use crate::checks::{Checks, RunEnd, RunPurpose};
use crate::error::{Failure, Result, RunError};
use crate::masking;
use crate::resources::{AgentEffect, Resources};
use crate::spending::left_microdollars;

pub(crate) use records::read_last;
pub use records::{last_of, records, refusals, spoken};

/// So often another nonce is drawn when the worker's text holds one.
const NONCES_MAX: usize = 8;
/// More calls than this for one verdict, and the change is too large to be judged.
pub(crate) const PARTS_MAX: usize = 64;
/// As the judge's logs are called; a reviewer's are called by its word.
pub const JUDGE: &str = "judge";

/// What somebody who was asked came to say, or the judge's word where nobody spoke.
type JudgeReply<Said> = Result<Said, JudgeWord>;

/// A case as it is put before a judge.
struct JudgeCase {
    exhibits: Exhibits,
    parts: Vec<Part>,
    nonce: String,
    room: Utf8PathBuf,
    /// As its logs are called.
    name: &'static str,
}

/// How a judge is asked about a candidate.
#[derive(Clone, Copy)]
pub(crate) struct JudgeEffect<'effect> {
    resources: &'effect Resources,
    effect: AgentEffect<'effect>,
    terms: &'effect JudgeTerms,
    candidate: &'effect Candidate,
}

impl<'effect> JudgeEffect<'effect> {
    /// About the candidate in hand.
    pub(crate) fn begin(effect: AgentEffect<'effect>) -> Result<Self> {
        let resources = effect.resources;
        let terms = resources.agreement.judge.as_ref();
        let terms = terms.ok_or_else(|| Failure::Refused("the contract has no judge".to_owned()))?;
        let candidate = effect.fold.state.candidate();
        let candidate = candidate.ok_or_else(|| Failure::Refused("no candidate is in hand".to_owned()))?;
        Ok(Self { resources, effect, terms, candidate })
    }

    /// The judge, or somebody beside it, with criteria of gulf's own (SPEC A4).
    pub(crate) fn ask(&self, by: Option<Reviewer>) -> Result<JudgeWord> {
        let name = by.map_or(JUDGE, Reviewer::word);
        let mut exhibits = self.exhibits()?;
        exhibits.criteria = by.map_or(exhibits.criteria, criteria_of);
        let room = self.judge_room(name)?;
        if by == Some(Reviewer::Qa) {
            match self.tried_out(&exhibits, &room)? {
                Ok(scenarios) => exhibits.checks.extend(scenarios),
                Err(word) => return Ok(word),
            }
        }
        let exhibits = masking::exhibits(&self.resources.mask, exhibits);
        let (nonce, parts) = self.parts(&exhibits)?;
        if parts.len() > PARTS_MAX {
            // No retry makes it smaller; a person can.
            let calls = parts.len();
            let why = format!(
                "the change would take {calls} calls to judge, and {PARTS_MAX} are the limit: raise \
                 judge.call_limit, or split the work"
            );
            self.note_failure(name, &why)?;
            return Ok(JudgeWord::NoVerdict);
        }
        let case = JudgeCase { exhibits, parts, nonce, room, name };
        match self.hear(&case)? {
            Ok(judgement) => self.conclude(&case, judgement),
            Err(word) => Ok(word),
        }
    }

    /// What fits into a call each, behind a fence that stands nowhere in what it encloses: the fence's word, and the parts.
    fn parts(&self, exhibits: &Exhibits) -> Result<(String, Vec<Part>)> {
        let bytes_max = usize::try_from(self.terms.call_bytes_max).unwrap_or(usize::MAX);
        for _ in 0..NONCES_MAX {
            let nonce = random::nonce().map_err(|error| Failure::Refused(error.to_string()))?;
            if let Some(fence) = Fence::new(&nonce, exhibits) {
                return Ok((nonce, judge::parts(exhibits, &fence, bytes_max)));
            }
        }
        Err(Failure::Refused("no fence could be made around what the worker wrote".to_owned()))
    }

    fn hear(&self, case: &JudgeCase) -> Result<JudgeReply<Judgement>> {
        let name = self.terms.tool.to_string();
        let count = u32::try_from(case.parts.len()).unwrap_or(u32::MAX);
        let mut replies = Vec::new();
        for part in &case.parts {
            match self.hear_part(case, part)? {
                Ok(reply) => replies.push(reply),
                Err(word) => return self.silent(case.name, word).map(Err),
            }
        }
        Ok(Ok(match self.terms.protocol {
            VerdictForm::Evidence => {
                let asked = Asked { criteria: case.exhibits.criteria.len(), scope: case.scope() };
                let answer = |reply: &Reply| judge::read_evidence(&answer_of(reply), asked);
                let answers: Vec<_> = replies.iter().map(answer).collect();
                judge::judged(&name, count, &answers, &case.exhibits)
            }
            VerdictForm::Line => {
                let answer = |reply: &Reply| judge::read_line(&reply.message, case.scope());
                let answers: Vec<_> = replies.iter().map(answer).collect();
                judge::judged_by_line(&name, count, &answers)
            }
        }))
    }

    /// Why there is no answer, for people.
    fn note_failure(&self, name: &str, why: &str) -> Result<()> {
        Ok(self.resources.folder.write_log(self.effect.key, &format!("{name}-failure.txt"), why)?)
    }

    /// The judge's word where nobody spoke; that it could not be reached is noted.
    fn silent(&self, name: &str, word: JudgeWord) -> Result<JudgeWord> {
        if let JudgeWord::Unreachable { why } = &word {
            self.note_failure(name, why)?;
        }
        Ok(word)
    }

    fn hear_part(&self, case: &JudgeCase, part: &Part) -> Result<JudgeReply<Reply>> {
        let name = if part.of > 1 { format!("{}-{}", case.name, part.number) } else { case.name.to_owned() };
        let (form, schema) = match self.terms.protocol {
            VerdictForm::Evidence => {
                let schema = judge::schema(case.scope());
                (AnswerForm::Evidence { schema: schema.clone() }, Some(schema))
            }
            VerdictForm::Line => (AnswerForm::Line, None),
        };
        let brief = JudgeBrief {
            goal: case.exhibits.goal.clone(),
            criteria: case.exhibits.criteria.clone(),
            nonce: case.nonce.clone(),
            part: part.number,
            parts: part.of,
            material: part.material.clone(),
            form,
        };
        self.put(&case.room, &name, prompt(&brief)?, schema)
    }

    /// One call of the judge's program.
    fn put(
        &self,
        room: &Utf8Path,
        name: &str,
        text: String,
        schema: Option<String>,
    ) -> Result<JudgeReply<Reply>> {
        let AgentEffect { key, fold, .. } = self.effect;
        let Resources { agreement, environment, home, .. } = self.resources;
        let text = self.resources.mask.owned(text);
        self.resources.folder.write_log(key, &format!("{name}-prompt.md"), &text)?;
        let call = Call {
            tool: &self.terms.tool,
            prompt: text,
            purpose: AgentRole::Judge { schema: schema.map(|text| self.schema(name, text)).transpose()? },
            directory: room.to_owned(),
            folders: Vec::new(),
            environment: environment.for_judge(home, &agreement.loop_id),
            extra: Vec::new(),
            wall: Duration::from_millis(self.terms.timeout_ms),
            idle: None,
            microdollars_max: left_microdollars(fold),
            name,
        };
        let mut reply = self.effect.call(&call);
        if reply.as_ref().is_ok_and(|reply| matches!(reply.turn.outcome, TurnOutcome::Declined { .. })) {
            // Once more, afresh: a judge has no session.
            reply = self.effect.call(&call);
        }
        let reply = match reply {
            // Its program is not there, or was killed: whoever works goes on being able to.
            Err(Failure::Refused(why)) => return Ok(Err(JudgeWord::Unreachable { why })),
            reply => reply?,
        };
        self.resources.folder.write_log(key, &format!("{name}-answer.txt"), &reply.message)?;
        Ok(heard(reply))
    }

    /// The schema as text, and as the file that some agents want.
    fn schema(&self, name: &str, text: String) -> Result<Schema> {
        let name = format!("{name}-schema.json");
        self.resources.folder.write_log(self.effect.key, &name, &text)?;
        let file = self.resources.folder.log(self.effect.key, &name);
        Ok(Schema { text, file: file.to_string() })
    }

    /// Writes the record, and says what the words come to.
    fn conclude(&self, case: &JudgeCase, judgement: Judgement) -> Result<JudgeWord> {
        let protocol = match self.terms.protocol {
            VerdictForm::Evidence => judge::Protocol::Evidence,
            VerdictForm::Line => judge::Protocol::Line,
        };
        let trial = Trial::new(self.judgements_before(case.name).saturating_add(1), FALSE_APPROVAL_BP);
        self.keep_note(self.effect.key.iteration, &judgement)?;
        let is_judge = case.name == JUDGE;
        let criteria = self.resources.agreement.criteria_of(self.effect.key.unit).len();
        let inside = if is_judge { inside(&judgement, criteria) } else { 0 };
        let record = JudgeRecord::new(protocol, &case.exhibits, &case.parts, judgement, trial);
        let text =
            record.print().map_err(|source| RunError::Encode { what: "the record of a verdict", source })?;
        self.resources.folder.write_log(self.effect.key, &format!("{}.json", case.name), &text)?;
        let asked_findings = is_judge && case.exhibits.criteria.len() > criteria;
        Ok(match record.outcome {
            Outcome::Approved { .. } => JudgeWord::Approved {
                evidence_inside: inside,
                findings: if asked_findings { OnFindings::Follow } else { OnFindings::Silent },
            },
            Outcome::Rejected { fingerprint, .. } => {
                JudgeWord::Rejected { fingerprint: engine_digest(fingerprint.as_bytes()) }
            }
            Outcome::NoVerdict { .. } => JudgeWord::NoVerdict,
        })
    }

    /// How many verdicts were asked for before, in this loop, of the same.
    fn judgements_before(&self, name: &str) -> u32 {
        let own = self.resources.folder.log(self.effect.key, &format!("{name}.json"));
        let records = records(&self.resources.folder, name);
        u32::try_from(records.iter().filter(|path| **path != own).count()).unwrap_or(u32::MAX)
    }
}

impl JudgeCase {
    fn scope(&self) -> JudgedScope {
        if self.parts.len() > 1 { JudgedScope::Part } else { JudgedScope::Whole }
    }
}

/// What a host says was given as structured output, else what was said.
fn answer_of(reply: &Reply) -> Cow<'_, str> {
    let structured = reply.structured.as_ref().map(|value| Cow::Owned(value.to_string()));
    structured.unwrap_or(Cow::Borrowed(&reply.message))
}

/// A reply is heard where the agent came to its end; any other end says nothing about the work.
fn heard(reply: Reply) -> JudgeReply<Reply> {
    let why = match &reply.turn.outcome {
        TurnOutcome::Completed => return Ok(reply),
        TurnOutcome::RateLimited { wait_ms } => return Err(JudgeWord::RateLimited { wait_ms: *wait_ms }),
        TurnOutcome::NeedsPerson { why } => return Err(JudgeWord::NeedsPerson { why: why.clone() }),
        TurnOutcome::Declined { why } => {
            return Err(JudgeWord::NeedsPerson { why: format!("its model declined twice: {why}") });
        }
        TurnOutcome::TimedOut => format!("{} (judge.timeout)", reply.detail),
        TurnOutcome::ContextFull => {
            "the material does not fit into its context: lower judge.call_limit".to_owned()
        }
        TurnOutcome::OutOfBudget => "what was left of the budget is spent".to_owned(),
        TurnOutcome::Failed { exit } => {
            let code = exit.map(|code| format!(" with exit code {code}")).unwrap_or_default();
            let why = if reply.detail.is_empty() { String::new() } else { format!(": {}", reply.detail) };
            format!("it failed{code}{why}")
        }
    };
    Err(JudgeWord::Unreachable { why })
}

/// Criteria of the person's with evidence inside the change; the question about tests is gulf's own.
fn inside(judgement: &Judgement, criteria: usize) -> u32 {
    let Verdict::Approved { inside } = &judgement.verdict else { return 0 };
    let own = |number: &&u32| usize::try_from(**number).is_ok_and(|number| number <= criteria);
    u32::try_from(inside.iter().filter(own).count()).unwrap_or(u32::MAX)
}

// Trying the work out: a reviewer names commands, gulf runs them on the candidate, and the reviewer judges what came of it.

/// The longest run of one command.
const SCENARIO_TIMEOUT_MS: u64 = 60_000;
/// As the logs of the first call are called.
const NAME: &str = "scenarios";
/// How much of an output is searched.
const OUTPUT_BYTES_MAX: usize = 1 << 20;

impl JudgeEffect<'_> {
    fn tried_out(&self, exhibits: &Exhibits, room: &Utf8Path) -> Result<JudgeReply<Vec<CheckExhibit>>> {
        let (nonce, parts) = self.parts(exhibits)?;
        let brief = ScenarioBrief {
            goal: exhibits.goal.clone(),
            nonce,
            // What does not fit is judged later in parts; the first one shows what there is.
            material: parts.first().map(|part| part.material.clone()).unwrap_or_default(),
            schema: judge::scenario_schema(),
            most: SCENARIOS_MAX,
        };
        let text = scenarios_prompt(&brief)?;
        let reply = match self.put(room, NAME, text, Some(judge::scenario_schema()))? {
            Ok(reply) => reply,
            Err(word) => return self.silent(NAME, word).map(Err),
        };
        match read_scenarios(&answer_of(&reply)) {
            Ok(scenarios) => self.run_scenarios(&scenarios).map(Ok),
            Err(why) => {
                self.note_failure(NAME, &why.why)?;
                Ok(Err(JudgeWord::NoVerdict))
            }
        }
    }

    fn run_scenarios(&self, scenarios: &[Scenario]) -> Result<Vec<CheckExhibit>> {
        let AgentEffect { resources, key, stop, .. } = self.effect;
        let (checks, mut exhibits) = (Checks { resources, key, stop }, Vec::new());
        for (number, scenario) in (1..).zip(scenarios) {
            let (name, by) = (number.to_string(), "a reviewer".to_owned());
            let check = SealedCheck::from_command(&name, &scenario.command, by);
            let check = SealedCheck { timeout_ms: SCENARIO_TIMEOUT_MS, ..check };
            let ran = checks.run(&check, RunPurpose::Scenario, &self.candidate.commit)?;
            let exit = if let RunEnd::Exited { code } = ran.record.end { Some(code) } else { None };
            let from = ran.output.len().saturating_sub(OUTPUT_BYTES_MAX);
            let output = String::from_utf8_lossy(&ran.output[from..]);
            exhibits.push(scenario.exhibit(number, exit, &output, &ran.record.tail));
        }
        self.keep_scenarios(&exhibits)?;
        Ok(exhibits)
    }

    /// What was tried and what came of it, for people.
    fn keep_scenarios(&self, exhibits: &[CheckExhibit]) -> Result<()> {
        let told = exhibits.iter().map(|CheckExhibit { name, command, passed, tail }| {
            let word = if *passed { "Passed" } else { "Failed" };
            format!("{name}: {word}\n$ {command}\n{tail}\n")
        });
        let text = told.collect::<Vec<_>>().join("\n");
        Ok(self.resources.folder.write_log(self.effect.key, "scenarios.txt", &text)?)
    }
}
