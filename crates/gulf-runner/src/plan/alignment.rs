//! gulf-align.md at a start: questions that nobody has answered stop it (SPEC G12).

use camino::Utf8PathBuf;
use gulf_host::files::{self, ReadError};
use gulf_spec::alignment::{self, ALIGNMENT_PATH};
use gulf_spec::text::Source;

use super::{PlanError, Questions, TEXT_BYTES_MAX};
use crate::place::PlaceOfWork;

/// The open questions that the person lets pass; where that was not said, they are an error.
pub(super) fn questions(place: &PlaceOfWork, mode: Questions) -> Result<Vec<String>, PlanError> {
    let text = match files::read_text(&place.project.join(ALIGNMENT_PATH), TEXT_BYTES_MAX) {
        Ok(text) => text.content,
        Err(ReadError::Missing { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let alignment = alignment::parse(&Source::new(ALIGNMENT_PATH, &text));
    let problems: Vec<_> = alignment.errors().cloned().collect();
    if !problems.is_empty() {
        return Err(PlanError::Alignment { path: Utf8PathBuf::from(ALIGNMENT_PATH), problems });
    }
    let open: Vec<String> = alignment.open_questions().map(|question| question.text.clone()).collect();
    match mode {
        Questions::Stop if !open.is_empty() => {
            Err(PlanError::OpenQuestions { path: Utf8PathBuf::from(ALIGNMENT_PATH), questions: open })
        }
        Questions::Stop | Questions::Ignored => Ok(open),
    }
}
