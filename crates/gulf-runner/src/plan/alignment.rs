//! gulf-align.md at a start: questions that nobody has answered stop it (SPEC G12).

use camino::Utf8PathBuf;
use gulf_spec::alignment::{self, ALIGNMENT_PATH, Alignment};
use gulf_spec::rubric::Item;

use super::{PlanError, Questions, source};
use crate::agreement::SealedCheck;
use crate::place::PlaceOfWork;

/// Checks that were agreed on, and that nobody runs.
pub(super) fn unrun(agreed: &Alignment, checks: &[SealedCheck]) -> Vec<String> {
    let even = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_run = |agreed: &String| checks.iter().any(|check| even(&check.command) == even(agreed));
    texts(&agreed.checks).into_iter().filter(|agreed| !is_run(agreed)).collect()
}

pub(super) fn texts(items: &[Item]) -> Vec<String> {
    items.iter().map(|item| item.text.clone()).collect()
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
pub(super) fn agreed(place: &PlaceOfWork, mode: Questions) -> Result<Alignment, PlanError> {
    let Some(source) = source(&place.project.join(ALIGNMENT_PATH), ALIGNMENT_PATH)? else {
        return Ok(Alignment::default());
    };
    let alignment = alignment::parse(&source);
    let problems: Vec<_> = alignment.errors().cloned().collect();
    if !problems.is_empty() {
        return Err(PlanError::Alignment { path: Utf8PathBuf::from(ALIGNMENT_PATH), problems });
    }
    if mode == Questions::Stop && !alignment.open_questions.is_empty() {
        let (path, questions) = (Utf8PathBuf::from(ALIGNMENT_PATH), texts(&alignment.open_questions));
        return Err(PlanError::OpenQuestions { path, questions });
    }
    Ok(alignment)
}
