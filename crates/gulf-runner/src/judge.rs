//! The judge gate: shows the candidate to somebody who did not make it, and looks at what it points to (SPEC B4, G7).
//!
//! It stands apart because here a second agent runs, on a checkout of its own, of which nothing that the worker wrote
//! may reach it as an instruction.

mod exhibits;
mod room;

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::agents::{Purpose, Schema};
use gulf_agents::judge::{
    self, Answer, Asked, Exhibits, FALSE_APPROVAL_BP, Fence, JudgeRecord, Judgement, LineAnswer, NoVerdict,
    Outcome, Part, Scope, Spoken, Trial, Verdict, Votes,
};
use gulf_engine::{Digest, EffectKey, JudgeWord, OnFindings, TurnOutcome};
use gulf_host::files::{self, Durability};
use gulf_host::random;
use gulf_spec::prompts::judge::{AnswerForm, JudgeBrief, judge as prompt};

use crate::agreement::{JudgeTerms, Protocol, engine_digest};
use crate::calls::{Call, Reply};
use crate::error::RunError;
use crate::folder::Folder;
use crate::turn::left_microdollars;
use crate::workshop::{Errand, Failure, Workshop};

/// So often another nonce is drawn when the worker's text holds one.
const NONCES_MAX: usize = 8;
/// More calls than this for one verdict, and the change is too large to be judged.
pub(crate) const PARTS_MAX: usize = 64;
/// How much of a record is read back.
const RECORD_BYTES_MAX: u64 = 16 << 20;

/// What one call of a judge came to.
enum Heard {
    /// It spoke; whether that is a verdict is looked at later.
    Reply(Reply),
    Unreachable(String),
    NeedsPerson(String),
    RateLimited(u64),
}

/// A case as it is put before a judge.
struct Case<'case> {
    terms: &'case JudgeTerms,
    exhibits: Exhibits,
    parts: Vec<Part>,
    nonce: String,
    room: Utf8PathBuf,
}

/// What all parts came to.
enum Hearing {
    Judgement(Judgement),
    Unreachable(String),
    NeedsPerson(String),
    RateLimited(u64),
}

impl Workshop {
    /// Asks the judge about the candidate in hand.
    pub(crate) fn judge(&self, errand: Errand<'_>) -> Result<JudgeWord, Failure> {
        let Errand { key, fold, .. } = errand;
        let terms = self.agreement.judge.as_ref();
        let terms = terms.ok_or_else(|| Failure::Refused("the contract has no judge".to_owned()))?;
        let candidate = fold.state.candidate();
        let candidate = candidate.ok_or_else(|| Failure::Refused("no candidate is in hand".to_owned()))?;
        files::create_private_directories(&self.folder.logs(key), Durability::Buffered)?;
        let exhibits = self.exhibits(key, fold, candidate)?;
        let fence = fence(&exhibits)?;
        let room_bytes = usize::try_from(terms.call_bytes_max).unwrap_or(usize::MAX);
        let parts = judge::parts(&exhibits, &fence, room_bytes);
        if parts.len() > PARTS_MAX {
            // No retry makes it smaller; a person can.
            let calls = parts.len();
            let why = format!(
                "the change would take {calls} calls to judge, and {PARTS_MAX} are the limit: raise \
                 judge.call_limit, or split the work"
            );
            self.note_failure(key, &why)?;
            return Ok(JudgeWord::NoVerdict);
        }
        let room = self.judge_room(candidate)?;
        let case = Case { terms, exhibits, parts, nonce: fence.nonce().to_owned(), room };
        match self.hear(&case, errand)? {
            Hearing::Unreachable(why) => Ok(JudgeWord::Unreachable { why }),
            Hearing::NeedsPerson(why) => Ok(JudgeWord::NeedsPerson { why }),
            Hearing::RateLimited(wait_ms) => Ok(JudgeWord::RateLimited { wait_ms }),
            Hearing::Judgement(judgement) => self.conclude(&case, key, judgement),
        }
    }

    fn hear(&self, case: &Case<'_>, errand: Errand<'_>) -> Result<Hearing, Failure> {
        let name = case.terms.tool.to_string();
        let count = u32::try_from(case.parts.len()).unwrap_or(u32::MAX);
        let mut replies = Vec::new();
        for part in &case.parts {
            match self.hear_part(case, part, errand)? {
                Heard::Reply(reply) => replies.push(reply),
                Heard::RateLimited(wait_ms) => return Ok(Hearing::RateLimited(wait_ms)),
                Heard::NeedsPerson(why) => return Ok(Hearing::NeedsPerson(why)),
                Heard::Unreachable(why) => {
                    self.note_failure(errand.key, &why)?;
                    return Ok(Hearing::Unreachable(why));
                }
            }
        }
        Ok(Hearing::Judgement(match case.terms.protocol {
            Protocol::Evidence => {
                let answers: Vec<_> = replies.iter().map(|reply| case.evidence(reply)).collect();
                judge::judged(&name, count, &answers, &case.exhibits)
            }
            Protocol::Line => {
                let answers: Vec<_> = replies.iter().map(|reply| case.line(reply)).collect();
                judge::judged_by_line(&name, count, &answers)
            }
        }))
    }

    /// Why there is no answer, for people.
    fn note_failure(&self, key: &EffectKey, why: &str) -> Result<(), Failure> {
        let log = self.folder.log(key, "judge-failure.txt");
        Ok(files::replace(&log, why.as_bytes(), Durability::Buffered)?)
    }

    fn hear_part(&self, case: &Case<'_>, part: &Part, errand: Errand<'_>) -> Result<Heard, Failure> {
        let Errand { key, fold, .. } = errand;
        let name = if part.of > 1 { format!("judge-{}", part.number) } else { "judge".to_owned() };
        let text = case.prompt(part)?;
        let log = self.folder.log(key, &format!("{name}-prompt.md"));
        files::replace(&log, text.as_bytes(), Durability::Buffered)?;
        let schema = match case.terms.protocol {
            Protocol::Evidence => Some(self.schema(key, case.scope())?),
            Protocol::Line => None,
        };
        let call = Call {
            tool: &case.terms.tool,
            prompt: text,
            purpose: Purpose::Judge { schema },
            directory: case.room.clone(),
            folders: Vec::new(),
            environment: self.environment.for_judge(&self.home, &self.agreement.loop_id),
            extra: Vec::new(),
            wall: Duration::from_millis(case.terms.timeout_ms),
            idle: None,
            microdollars_max: left_microdollars(fold),
            name: &name,
        };
        let reply = match self.call(errand, &call) {
            // Its program is not there, or was killed: whoever works goes on being able to.
            Err(Failure::Refused(why)) => return Ok(Heard::Unreachable(why)),
            reply => reply?,
        };
        let said = self.folder.log(key, &format!("{name}-answer.txt"));
        files::replace(&said, reply.message.as_bytes(), Durability::Buffered)?;
        Ok(heard(reply))
    }

    /// The schema as text, and as the file that some agents want.
    fn schema(&self, key: &EffectKey, scope: Scope) -> Result<Schema, Failure> {
        let text = judge::schema(scope);
        let file = self.folder.log(key, "judge-schema.json");
        files::replace(&file, text.as_bytes(), Durability::Buffered)?;
        Ok(Schema { text, file: file.to_string() })
    }

    /// Writes the record, and says what the words come to.
    fn conclude(&self, case: &Case<'_>, key: &EffectKey, judgement: Judgement) -> Result<JudgeWord, Failure> {
        let protocol = match case.terms.protocol {
            Protocol::Evidence => judge::Protocol::Evidence,
            Protocol::Line => judge::Protocol::Line,
        };
        let votes = Votes::ONE;
        let trial = Trial::new(self.judgements_before(key).saturating_add(1), FALSE_APPROVAL_BP, votes);
        self.keep_note(key.iteration, &judgement)?;
        let inside = inside(&judgement, self.agreement.criteria.len());
        let record = JudgeRecord::new(protocol, &case.exhibits, &case.parts, vec![judgement], votes, trial);
        let text =
            record.print().map_err(|source| RunError::Encode { what: "the record of a verdict", source })?;
        files::replace(&self.folder.log(key, "judge.json"), text.as_bytes(), Durability::Buffered)?;
        let asked_findings = case.exhibits.criteria.len() > self.agreement.criteria.len();
        Ok(match record.outcome {
            Outcome::Approved { .. } => JudgeWord::Approved {
                evidence_inside: inside,
                findings: if asked_findings { OnFindings::Follow } else { OnFindings::Silent },
            },
            Outcome::Rejected { fingerprint, .. } => JudgeWord::Rejected {
                fingerprint: Digest::new(engine_digest(fingerprint.as_bytes()).as_str()),
            },
            Outcome::NoVerdict { .. } => JudgeWord::NoVerdict,
        })
    }

    /// How many verdicts were asked for before, in this loop.
    fn judgements_before(&self, key: &EffectKey) -> u32 {
        let own = self.folder.log(key, "judge.json");
        let records = self.judge_records();
        u32::try_from(records.iter().filter(|path| **path != own).count()).unwrap_or(u32::MAX)
    }

    fn judge_records(&self) -> Vec<Utf8PathBuf> {
        records(&self.folder)
    }

    /// The verdict about the last candidate that the judge spoke about in this iteration, if there is one.
    pub(crate) fn last_record(&self, iteration: u32) -> Option<JudgeRecord> {
        last_record(&self.folder, iteration)
    }
}

/// Every record of a verdict of a loop, in the order of the iterations.
pub fn records(folder: &Folder) -> Vec<Utf8PathBuf> {
    let list = gulf_host::programs::list(&folder.iterations(), 2, usize::MAX);
    let is_record = |path: &String| {
        let name = Utf8Path::new(path).file_name().unwrap_or_default();
        name == "judge.json" || (name.starts_with("judge-attempt-") && name.ends_with(".json"))
    };
    list.into_iter().filter(is_record).map(|path| folder.iterations().join(path)).collect()
}

/// The last verdict of an iteration, if it can be read.
pub fn last_record(folder: &Folder, iteration: u32) -> Option<JudgeRecord> {
    let name = format!("{iteration:03}");
    let mut records = records(folder);
    records.retain(|path| {
        path.parent().and_then(Utf8Path::file_name).is_some_and(|parent| parent.ends_with(&name))
    });
    records.sort_by_key(|path| attempt_of(path));
    JudgeRecord::read(&files::read_text(records.last()?, RECORD_BYTES_MAX).ok()?.content).ok()
}

/// The attempt in a record's name.
fn attempt_of(path: &Utf8Path) -> u32 {
    let stem = path.file_stem().unwrap_or_default();
    stem.strip_prefix("judge-attempt-").and_then(|number| number.parse().ok()).unwrap_or(1)
}

impl Case<'_> {
    fn scope(&self) -> Scope {
        if self.parts.len() > 1 { Scope::Part } else { Scope::Whole }
    }

    fn prompt(&self, part: &Part) -> Result<String, Failure> {
        let brief = JudgeBrief {
            goal: self.exhibits.goal.clone(),
            criteria: self.exhibits.criteria.clone(),
            nonce: self.nonce.clone(),
            part: part.number,
            parts: part.of,
            material: part.material.clone(),
            form: match self.terms.protocol {
                Protocol::Evidence => AnswerForm::Evidence { schema: judge::schema(self.scope()) },
                Protocol::Line => AnswerForm::Line,
            },
        };
        prompt(&brief).map_err(|source| RunError::Prompt { source: Box::new(source) }.into())
    }

    fn evidence(&self, reply: &Reply) -> Result<Answer, NoVerdict> {
        let asked = Asked { criteria: self.exhibits.criteria.len(), scope: self.scope() };
        let spoken = match &reply.structured {
            Some(value) => Spoken::Structured(value),
            None => Spoken::Text(&reply.message),
        };
        judge::read_evidence(spoken, asked)
    }

    fn line(&self, reply: &Reply) -> Result<LineAnswer, NoVerdict> {
        judge::read_line(&reply.message, self.scope())
    }
}

/// A reply is heard where the agent came to its end; any other end says nothing about the work.
fn heard(reply: Reply) -> Heard {
    match &reply.outcome {
        TurnOutcome::Completed => Heard::Reply(reply),
        TurnOutcome::RateLimited { wait_ms } => Heard::RateLimited(*wait_ms),
        TurnOutcome::NeedsPerson { why } => Heard::NeedsPerson(why.clone()),
        TurnOutcome::TimedOut => Heard::Unreachable(format!("{} (judge.timeout)", reply.detail)),
        TurnOutcome::ContextFull => Heard::Unreachable(
            "the material does not fit into its context: lower judge.call_limit".to_owned(),
        ),
        TurnOutcome::OutOfBudget => Heard::Unreachable("what was left of the budget is spent".to_owned()),
        TurnOutcome::Failed { exit } => {
            let code = exit.map(|code| format!(" with exit code {code}")).unwrap_or_default();
            let why = if reply.detail.is_empty() { String::new() } else { format!(": {}", reply.detail) };
            Heard::Unreachable(format!("it failed{code}{why}"))
        }
    }
}

/// A fence that stands nowhere in what it encloses.
fn fence(exhibits: &Exhibits) -> Result<Fence, Failure> {
    for _ in 0..NONCES_MAX {
        let nonce = random::nonce().map_err(|error| Failure::Refused(error.to_string()))?;
        if let Ok(fence) = Fence::new(&nonce, exhibits) {
            return Ok(fence);
        }
    }
    Err(Failure::Refused("no fence could be made around what the worker wrote".to_owned()))
}

/// Criteria of the person's with evidence inside the change; the question about tests is gulf's own.
fn inside(judgement: &Judgement, criteria: usize) -> u32 {
    let Verdict::Approved { inside } = &judgement.verdict else { return 0 };
    let own = |number: &&u32| usize::try_from(**number).is_ok_and(|number| number <= criteria);
    u32::try_from(inside.iter().filter(own).count()).unwrap_or(u32::MAX)
}
