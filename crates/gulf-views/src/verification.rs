//! What `gulf verify` found: the word first, then what was checked on which commit, and what is not proven.
//!
//! A pass that nothing was compared with must not look like *verified*.

use crate::facts::Facts;
use crate::history::{History, Iteration};
use crate::json::document;
use crate::look::{Look, Tone};
use crate::loop_status::LoopStatus;
use crate::phrase::{Phrase, say};
use crate::result::{check_line, cleared, not_proven, seen_to_fail};
use crate::screen::{heading, item};
use crate::summary::{CheckReport, check_reports};
use crate::unproven::{Statement, unproven};
use crate::{text, wording};
use gulf_engine::{Candidate, CommitId, End, Finding, Proof, Stage, State};
use serde::Serialize;
use serde_json::{Value, json};

/// What the gates said together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum VerificationWord {
    /// Every check said yes; nothing was compared.
    Passed,
    /// As the end of a loop: every gate passed, and something failed without the change.
    Verified,
    /// As the end of a loop: every gate passed, and something keeps it from being proof.
    Attested,
    /// A gate said no.
    Refused,
    /// A gate could not be asked.
    Unavailable,
}

/// Everything that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verification {
    pub word: VerificationWord,
    /// In one sentence.
    pub meaning: String,
    pub candidate: Option<Candidate>,
    /// Does the candidate hold changes that no commit of the person's has?
    pub uncommitted: bool,
    /// The commit whose tests and checks it was held against; without one a pass says that the checks pass, and no more.
    #[serde(skip)]
    pub compared_with: Option<CommitId>,
    pub checks: Vec<CheckReport>,
    /// Tests, runner configuration and texts of the base that are not as they were.
    pub findings: Vec<Finding>,
    /// Changes of tests that hide nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cleared: Vec<Finding>,
    #[serde(rename = "seen_to_fail")]
    pub proofs: Vec<Proof>,
    #[serde(rename = "not_proven")]
    pub unproven: Vec<Statement>,
    pub active_ms: u64,
}

impl Verification {
    /// `events` as folded into `history` and `state`; they end with the last word.
    pub fn new(
        facts: &Facts,
        history: &History,
        state: &State,
        compared_with: Option<CommitId>,
        uncommitted: bool,
    ) -> Verification {
        let evaluated = history.last_evaluated();
        let findings = evaluated.map_or(&[][..], Iteration::findings).to_vec();
        let end = if let Stage::Ended(end) = &state.stage { Some(end) } else { None };
        let checks = check_reports(facts, history, state);
        let word = word(end, compared_with.is_some());
        Verification {
            meaning: meaning(word, end, &findings),
            candidate: evaluated.and_then(Iteration::candidate).cloned(),
            uncommitted,
            checks,
            findings,
            cleared: evaluated.map_or(&[][..], Iteration::cleared).to_vec(),
            proofs: end.map_or(&[][..], End::proofs).to_vec(),
            unproven: not_shown(end, compared_with.is_some(), history, facts, state),
            active_ms: state.active_ms,
            word,
            compared_with,
        }
    }

    /// 0 where every gate passed, 1 else. Changes to the tests of the base are a no until a person has looked.
    pub fn exit_code(&self) -> u8 {
        match self.word {
            VerificationWord::Passed | VerificationWord::Verified => 0,
            VerificationWord::Attested => u8::from(!self.findings.is_empty()),
            VerificationWord::Refused | VerificationWord::Unavailable => 1,
        }
    }
}

impl VerificationWord {
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    fn tone(self) -> Tone {
        match self {
            Self::Passed | Self::Verified => Tone::Verified,
            Self::Attested => Tone::Attention,
            Self::Refused | Self::Unavailable => Tone::Failed,
        }
    }
}

fn word(end: Option<&End>, is_compared: bool) -> VerificationWord {
    match end {
        Some(End::Verified { .. } | End::Attested { .. }) if !is_compared => VerificationWord::Passed,
        Some(End::Verified { .. }) => VerificationWord::Verified,
        Some(End::Attested { .. }) => VerificationWord::Attested,
        None | Some(End::Violated) => VerificationWord::Refused,
        Some(End::Unavailable { .. } | End::Stalled { .. } | End::Exhausted { .. } | End::Cancelled) => {
            VerificationWord::Unavailable
        }
    }
}

fn meaning(word: VerificationWord, end: Option<&End>, findings: &[Finding]) -> String {
    let meaning = match word {
        VerificationWord::Passed => "every check passed on the worktree",
        VerificationWord::Verified => "every gate passed, with proof that the change made the difference",
        VerificationWord::Attested if !findings.is_empty() => {
            "every check passed, but existing tests or their configuration were changed"
        }
        VerificationWord::Attested => "every gate passed, but something keeps it from being proof",
        VerificationWord::Refused => "a check failed",
        VerificationWord::Unavailable => match end {
            Some(End::Unavailable { reason, .. }) => return format!("a gate could not run: {reason}"),
            Some(_) | None => "a gate could not run",
        },
    };
    meaning.to_owned()
}

/// The causes of an end without a base are those of a worktree compared with itself: they say nothing.
fn not_shown(
    end: Option<&End>,
    is_compared: bool,
    history: &History,
    facts: &Facts,
    state: &State,
) -> Vec<Statement> {
    let causes = end.filter(|_| is_compared).map_or(&[][..], End::causes).to_vec();
    let mut shown = unproven(&LoopStatus::Ended(End::Attested { causes }), history, facts, state);
    if !is_compared {
        let what = "that the change made the difference: --base COMMIT compares with the code as it was";
        shown.insert(0, Statement::alone(what));
    }
    shown
}

/// The result as lines, each with its line end.
pub fn verification(found: &Verification, look: Look) -> String {
    let decisive =
        Phrase::new().quote(found.word.tone(), found.word.as_str()).say(format!(": {}", found.meaning));
    let mut screen = decisive.paragraph(look, 2);
    screen.push_str(&checked(found, look));
    let base = found.compared_with.as_ref();
    screen.extend(base.map(|base| heading(say("compared with: commit ").literal(base.as_str()), look)));
    screen.push_str(&seen_to_fail(&found.proofs, look));
    screen.push_str(&cleared(&found.cleared, look));
    screen.push_str(&not_proven(&found.unproven, look));
    screen.push_str(&format!("\n{}\n", look.language.tell(&text::duration(found.active_ms))));
    screen
}

fn checked(found: &Verification, look: Look) -> String {
    let Some(candidate) = &found.candidate else {
        return heading(say("checked: nothing"), look);
    };
    let also = if found.uncommitted { " · with what is not committed yet" } else { "" };
    let about = wording::candidate("checked: commit ", candidate).attention(also);
    found.checks.iter().fold(heading(about, look), |text, check| text + &item(check_line(check), look))
}

/// The result for programs.
pub fn verification_json(found: &Verification) -> Value {
    document(found, json!({ "exit_code": found.exit_code(), "base": found.compared_with }))
}
