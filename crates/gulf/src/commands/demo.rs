//! `gulf demo`: `gulf run` in a small repository of gulf's own, with a scripted worker that is too sure of itself.
//!
//! Nothing here drives or judges anything: what is seen is the real loop. It only makes the folder, says what will
//! happen, and takes the folder away again.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::git;
use gulf_host::home::Home;
use gulf_runner::place::PlaceOfWork;
use gulf_spec::config::Key;
use gulf_views::{NextStep, Palette, Tone};
use tempfile::TempDir;

use crate::cli::DemoArguments;
use crate::drive::{ClosingOffer, DriveStyle};
use crate::failure::{Failure, Result};
use crate::language::translated;
use crate::paths::{quoted, utf8};
use crate::screen::TellingStyle;
use crate::settings::SettingsScope;
use crate::starting::{RunRequest, drive_goal};

/// The repository as the worker finds it.
const REPOSITORY: [(&str, &str); 3] = [
    ("README.md", include_str!("../../demo/README.md")),
    ("leap.sh", include_str!("../../demo/leap.sh")),
    ("tests/leap.sh", include_str!("../../demo/tests/leap.sh")),
];
const WORKER: &str = include_str!("../../demo/worker.sh");

const GOAL: &str = "leap.sh must know every leap year";
const CHECK: &str = "sh tests/leap.sh";
/// Few enough that a worker which never listens runs out of them before it counts as stuck.
const ITERATIONS_MAX: &str = "3";

/// The folder of one demo.
struct Stage {
    folder: TempDir,
    root: Utf8PathBuf,
    repository: Utf8PathBuf,
    /// $GULF_HOME of the demo: the person's own stays as it is.
    state: Utf8PathBuf,
}

pub fn demo(arguments: &DemoArguments) -> Result<u8> {
    let stage = Stage::set()?;
    let place = PlaceOfWork::find(&stage.repository, Home::at(stage.state.clone())?)?;
    let request = request(arguments, &stage);
    if request.manner.telling == TellingStyle::Lines {
        introduce(arguments);
    }
    let left = drive_goal(&place, &request);
    if arguments.keep {
        let _ = stage.folder.keep();
    } else if let Err(error) = stage.folder.close() {
        errln!("note: the demo's folder {} could not be removed: {error}", stage.root);
    }
    left
}

impl Stage {
    fn set() -> Result<Self> {
        let hint = "name a folder where you can write with TMPDIR";
        let failed = |error: std::io::Error| Failure::world(&error, Some(hint.to_owned()));
        let folder = tempfile::Builder::new().prefix("gulf-demo-").tempdir().map_err(failed)?;
        let root = folder.path().canonicalize().map_err(failed)?;
        let root = utf8(root, "name another with TMPDIR")?;
        let stage = Self { repository: root.join("leap"), state: root.join("state"), folder, root };
        for (path, text) in REPOSITORY {
            write(&stage.repository.join(path), text).map_err(failed)?;
        }
        write(&stage.root.join("worker.sh"), WORKER).map_err(failed)?;
        git::begin_repository(&stage.repository, "Say which years are leap years")?;
        Ok(stage)
    }
}

fn write(path: &Utf8Path, text: &str) -> std::io::Result<()> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    std::fs::write(path, text)
}

/// Beside the repository, where no change of the worker's can reach it.
fn worker(arguments: &DemoArguments) -> &'static str {
    if arguments.without_fix { "command:sh ../worker.sh stubborn" } else { "command:sh ../worker.sh" }
}

fn request(arguments: &DemoArguments, stage: &Stage) -> RunRequest {
    let flags = vec![
        (Key::AgentTool, worker(arguments).to_owned()),
        (Key::CheckCommand, CHECK.to_owned()),
        (Key::LimitsMaxIterations, ITERATIONS_MAX.to_owned()),
        (Key::Research, "off".to_owned()),
    ];
    let usual = DriveStyle::usual(TellingStyle::from_json_flag(arguments.json));
    RunRequest {
        heard: SettingsScope::Nobody,
        manner: DriveStyle { parting: parting(arguments, stage), ..usual },
        ..RunRequest::new(GOAL.to_owned(), flags, gulf_runner::agreement::WorkerTerms::Processes)
    }
}

/// What will be seen, and the very command that shows it.
fn introduce(arguments: &DemoArguments) {
    let story = if arguments.without_fix {
        "It claims too early, is refused with the reason, and never listens."
    } else {
        "It claims too early, is refused by the tests, reads why, and gets it right."
    };
    let worker = worker(arguments);
    let command =
        format!("gulf run \"{GOAL}\" --agent '{worker}' --check '{CHECK}' -n {ITERATIONS_MAX} --no-research");
    let worker = "The worker in this demo is a shell script, not a model; everything else is real.";
    let command = Tone::Literal.paint(&command, Palette::Colour);
    errln!("{}\n{}\n\n$ {command}\n", translated(worker), translated(story));
}

fn parting(arguments: &DemoArguments, stage: &Stage) -> ClosingOffer {
    let step = |command: String, purpose: &str| NextStep { command, purpose: purpose.to_owned() };
    if arguments.keep {
        let (repository, state) = (quoted(stage.repository.as_str()), quoted(stage.state.as_str()));
        return ClosingOffer::Elsewhere(vec![
            step(format!("cd {repository} && export GULF_HOME={state}"), "opens the folder, which is kept"),
            step("gulf log --iteration 2 --prompt".to_owned(), "shows what the worker was told"),
            step("git diff".to_owned(), "shows what it changed"),
        ]);
    }
    let again = if arguments.without_fix {
        step("gulf demo".to_owned(), "shows a worker that listens")
    } else {
        step("gulf demo --without-fix".to_owned(), "shows a worker that never listens")
    };
    ClosingOffer::Gone(vec![
        again,
        step("gulf demo --keep".to_owned(), "keeps the folder, to look around"),
        step("gulf".to_owned(), "in your own project, says what it finds and asks what to do"),
    ])
}
