//! `gulf run`: start a loop, or go on with the same goal's interrupted one, and drive it.

mod dry_run;

use gulf_runner::agreement::WorkerTerms;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::specs;
use gulf_runner::tasks;
use gulf_spec::config::{Key, Preset};

use crate::cli::RunArguments;
use crate::commands::ui;
use crate::drive::reach;
use crate::failure::Failure;
use crate::screen::TellingStyle;
use crate::starting::{RunRequest, drive_goal, goal};
use crate::{input, place, settings};

pub fn run(arguments: &RunArguments) -> Result<u8, Failure> {
    if arguments.ui {
        return ui::run();
    }
    let place = place::here()?;
    let flags = settings::flags(&arguments.terms);
    let goal = match &arguments.terms.spec {
        Some(id) => specs::find(&place.project, id).map(|(spec, text)| (Some(spec), text))?,
        None => (None, prompt(arguments, &place, &flags)?),
    };
    let request = RunRequest {
        telling: TellingStyle::of(arguments.json),
        patience: reach::patience(arguments.wait.as_deref())?,
        ..RunRequest::of(&arguments.terms, goal, flags, WorkerTerms::Processes)
    };
    if arguments.dry_run { dry_run::show(&place, &request) } else { drive_goal(&place, &request) }
}

/// The prompt: given, from a file, from standard input, or PROMPT.md; a list says itself what is to be done.
fn prompt(arguments: &RunArguments, place: &PlaceOfWork, flags: &[(Key, String)]) -> Result<String, Failure> {
    match (&arguments.prompt, &arguments.terms.file) {
        (Some(prompt), _) if prompt == "-" => input::from_stdin("the prompt"),
        (Some(prompt), _) => Ok(prompt.clone()),
        (None, Some(file)) => goal::in_file(file),
        (None, None) if settings::load(place, flags.to_vec())?.preset == Preset::Tasks => {
            let config = settings::load(place, flags.to_vec())?;
            let list = tasks::find(&place.project, config.tasks.file.as_deref())?;
            Ok(format!("Work through the tasks of {}", list.path))
        }
        (None, None) => goal::of_project(place)?.ok_or_else(|| goal::missing("run")),
    }
}
