//! gulf-align.md at a start: questions that nobody has answered stop it (SPEC G12).

use camino::Utf8PathBuf;
use gulf_spec::alignment::{self, ALIGNMENT_PATH};

use super::{PlanError, Questions, source};
use crate::agreement::SealedCheck;
use crate::place::PlaceOfWork;

/// What was agreed on, as far as a start needs it.
#[derive(Default)]
pub(super) struct Agreed {
    /// The open questions that the person lets pass.
    pub(super) ignored_questions: Vec<String>,
    /// Commands.
    checks: Vec<String>,
}

impl Agreed {
    /// Checks that were agreed on, and that nobody runs.
    pub(super) fn unrun(&self, checks: &[SealedCheck]) -> Vec<String> {
        let even = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_run = |agreed: &&String| checks.iter().any(|check| even(&check.command) == even(agreed));
        self.checks.iter().filter(|agreed| !is_run(agreed)).cloned().collect()
    }
}

/// How to have them run.
pub(super) fn note(left: &[String]) -> Option<String> {
    (!left.is_empty()).then(|| {
            let flags: Vec<String> = left.iter().map(|command| format!("--check '{command}'")).collect();
            format!(
                "{ALIGNMENT_PATH} lists checks that do not run here: {}; to run them: {}, or `[[check]]` in gulf.toml",
                left.join(", "),
                flags.join(" ")
            )
        })
}

/// What was agreed on; open questions are an error where nobody said that they may pass.
pub(super) fn agreed(place: &PlaceOfWork, mode: Questions) -> Result<Agreed, PlanError> {
    let Some(source) = source(&place.project.join(ALIGNMENT_PATH), ALIGNMENT_PATH)? else {
        return Ok(Agreed::default());
    };
    let alignment = alignment::parse(&source);
    let problems: Vec<_> = alignment.errors().cloned().collect();
    if !problems.is_empty() {
        return Err(PlanError::Alignment { path: Utf8PathBuf::from(ALIGNMENT_PATH), problems });
    }
    let open: Vec<String> = alignment.open_questions.iter().map(|question| question.text.clone()).collect();
    match mode {
        Questions::Stop if !open.is_empty() => {
            Err(PlanError::OpenQuestions { path: Utf8PathBuf::from(ALIGNMENT_PATH), questions: open })
        }
        Questions::Stop | Questions::Ignored => Ok(Agreed {
            ignored_questions: open,
            checks: alignment.checks.iter().map(|check| check.text.clone()).collect(),
        }),
    }
}
