//! What is to be done, where nobody says it in words: it stands in a file, or the project itself says it.
//!
//! It stands apart because a loop begins in a terminal, in a session and by its prompt, and each reads the same texts.

use camino::Utf8Path;
use gulf_host::files;
use gulf_runner::error::RunError;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::{TEXT_BYTES_MAX, ralph_layout};
use gulf_spec::texts::is_prompt_skeleton;

use crate::failure::Failure;

/// What stands in a file that a person named.
pub fn in_file(file: &Utf8Path) -> Result<String, Failure> {
    written(file, file.as_str())
}

/// What the project itself says is to be done, if it does: a Ralph project's prompt, else PROMPT.md.
pub fn of_project(place: &PlaceOfWork) -> Result<Option<String>, Failure> {
    let ralph = ralph_layout(&place.project).map_err(RunError::from)?;
    let name = ralph.map_or_else(|| "PROMPT.md".to_owned(), |layout| layout.prompt);
    let file = place.project.join(&name);
    if file.is_file() { written(&file, &name).map(Some) } else { Ok(None) }
}

/// The refusal of a start without a word, by this command.
pub fn missing(command: &str) -> Failure {
    Failure::usage(
        "no prompt was given, and there is no PROMPT.md",
        format!("say what is to be done: `gulf {command} \"add a --json flag\"`"),
    )
}

/// The refusal of a list of tasks where a session is the worker.
pub fn no_list_in_session() -> Failure {
    Failure::usage(
        "a list of tasks is not worked off in a session",
        "`gulf run --preset tasks` works it off in processes of gulf's own",
    )
}

/// What a person wrote down, and not what `gulf init` did.
fn written(file: &Utf8Path, name: &str) -> Result<String, Failure> {
    let text = files::read_text(file, TEXT_BYTES_MAX).map_err(RunError::from)?.content;
    if is_prompt_skeleton(&text) {
        return Err(Failure::usage(
            format!("{name} still is what `gulf init` wrote"),
            "write down what is to be done, or give it: `gulf run \"add a --json flag\"`",
        ));
    }
    Ok(text)
}
