//! Trying the work out: a reviewer names commands, gulf runs them on the candidate, and the reviewer judges what came of it.
//!
//! It stands apart because the reviewer itself runs nothing: what it is shown really happened, in a checkout of gulf's own.

use camino::Utf8Path;
use gulf_agents::judge::{self, CheckExhibit, Exhibits, SCENARIOS_MAX, Scenario, Spoken, read_scenarios};
use gulf_engine::{EffectKey, JudgeWord};
use gulf_host::git::CommitId;
use gulf_spec::prompts::judge::{ScenarioBrief, scenarios as prompt};

use super::{Heard, JudgeQuestion, fence};
use crate::agreement::{JudgeTerms, SealedCheck};
use crate::checks::{RunEnd, RunPurpose};
use crate::error::Failure;
use crate::workshop::{Errand, Workshop};

/// The longest run of one command.
const SCENARIO_TIMEOUT_MS: u64 = 60_000;
/// As the logs of the first call are called.
const NAME: &str = "scenarios";
/// How much of an output is searched.
const OUTPUT_BYTES_MAX: usize = 1 << 20;

impl Workshop {
    pub(super) fn tried_out(
        &self,
        errand: Errand<'_>,
        terms: &JudgeTerms,
        exhibits: &Exhibits,
        room: &Utf8Path,
    ) -> Result<Heard<Vec<CheckExhibit>>, Failure> {
        let fence = fence(exhibits)?;
        let room_bytes = usize::try_from(terms.call_bytes_max).unwrap_or(usize::MAX);
        let parts = judge::parts(exhibits, &fence, room_bytes);
        let brief = ScenarioBrief {
            goal: exhibits.goal.clone(),
            nonce: fence.nonce().to_owned(),
            // What does not fit is judged later in parts; the first one shows what there is.
            material: parts.first().map(|part| part.material.clone()).unwrap_or_default(),
            schema: judge::scenario_schema(),
            most: SCENARIOS_MAX,
        };
        let text = prompt(&brief)?;
        let schema = Some(judge::scenario_schema());
        let reply = match self.put(errand, JudgeQuestion { terms, room, name: NAME, text, schema })? {
            Ok(reply) => reply,
            Err(word) => return self.silent(errand.key, NAME, word).map(Err),
        };
        let spoken = reply.structured.as_ref().map_or(Spoken::Text(&reply.message), Spoken::Structured);
        match read_scenarios(spoken) {
            Ok(scenarios) => self.run_scenarios(errand, &scenarios).map(Ok),
            Err(why) => {
                self.note_failure(errand.key, NAME, &why.why)?;
                Ok(Err(JudgeWord::NoVerdict))
            }
        }
    }

    fn run_scenarios(
        &self,
        errand: Errand<'_>,
        scenarios: &[Scenario],
    ) -> Result<Vec<CheckExhibit>, Failure> {
        let Errand { key, fold, stop, .. } = errand;
        let candidate = fold.state.candidate();
        let candidate = candidate.ok_or_else(|| Failure::Refused("no candidate is in hand".to_owned()))?;
        let commit = CommitId::parse(candidate.commit.as_str())?;
        let mut exhibits = Vec::new();
        for (number, scenario) in (1..).zip(scenarios) {
            let check = as_check(number, scenario);
            let ran = self.run_check(key, &check, RunPurpose::Scenario, &commit, stop)?;
            let exit = if let RunEnd::Exited { code } = ran.record.end { Some(code) } else { None };
            let from = ran.output.len().saturating_sub(OUTPUT_BYTES_MAX);
            let output = String::from_utf8_lossy(&ran.output[from..]);
            exhibits.push(scenario.exhibit(number, exit, &output, &ran.record.tail));
        }
        self.keep_scenarios(key, &exhibits)?;
        Ok(exhibits)
    }

    /// What was tried and what came of it, for people.
    fn keep_scenarios(&self, key: &EffectKey, exhibits: &[CheckExhibit]) -> Result<(), Failure> {
        let told = exhibits
            .iter()
            .map(|one| format!("{}: {:?}\n$ {}\n{}\n", one.name, one.word, one.command, one.tail));
        let text = told.collect::<Vec<_>>().join("\n");
        let log = self.folder.log(key, "scenarios.txt");
        Ok(gulf_host::files::replace(&log, text.as_bytes(), gulf_host::files::Durability::Buffered)?)
    }
}

fn as_check(number: usize, scenario: &Scenario) -> SealedCheck {
    let check = SealedCheck::plain(&number.to_string(), &scenario.command, "a reviewer".to_owned());
    SealedCheck { timeout_ms: SCENARIO_TIMEOUT_MS, ..check }
}
