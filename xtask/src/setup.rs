//! Puts the pinned tools that tests call into `target/tools`; apart from ci, because a person wants them too.

mod agents;
mod axe;

use crate::failure::Failure;
use crate::program::{self, Echo, Exit};
use std::path::{Path, PathBuf};
use std::process::Command;

/// One thing the tests call.
#[derive(Debug)]
pub(crate) enum Tool {
    Ready(PathBuf),
    Missing { tool: &'static str, reason: String },
}

/// Prepares all tools; a missing one is a failure in CI and loud elsewhere.
pub(crate) fn run() -> Result<(), Failure> {
    let tools = prepare()?;
    for tool in &tools {
        match tool {
            Tool::Ready(path) => println!("ready: {}", path.display()),
            Tool::Missing { tool, reason } => println!("SKIPPED: tests that need {tool}: {reason}"),
        }
    }
    for (variable, path) in variables() {
        println!("for tests run by hand: export {variable}='{}'", path.display());
    }
    Ok(())
}

/// Every tool, ready or with the reason why not; in CI the first missing one is an error.
pub(crate) fn prepare() -> Result<Vec<Tool>, Failure> {
    let tools = vec![prepare_node(), prepare_pytest()?, agents::prepare()?, axe::prepare()?];
    for tool in &tools {
        if let (Tool::Missing { tool, reason }, true) = (tool, in_ci()) {
            return Err(Failure::ToolMissing { tool, reason: reason.clone() });
        }
    }
    Ok(tools)
}

/// The variables by which tests find the tools that are there.
pub(crate) fn variables() -> Vec<(&'static str, PathBuf)> {
    let tools = [
        ("GULF_TEST_PYTEST", pytest()),
        ("GULF_TEST_CLAUDE", agents::program("claude")),
        ("GULF_TEST_CODEX", agents::program("codex")),
        ("GULF_TEST_COPILOT", agents::program("copilot")),
        ("GULF_TEST_OPENCODE", agents::program("opencode")),
        ("GULF_TEST_GEMINI", agents::program("gemini")),
        ("GULF_TEST_AXE", axe::script()),
    ];
    tools.into_iter().filter_map(|(variable, path)| Some((variable, path?))).collect()
}

/// Whether this is CI, where nothing may be skipped in silence.
pub(crate) fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}

fn pytest() -> Option<PathBuf> {
    let path = programs_folder(&venv()).join(format!("pytest{}", std::env::consts::EXE_SUFFIX));
    path.is_file().then_some(path)
}

fn venv() -> PathBuf {
    program::root().join("target/tools/venv")
}

fn programs_folder(venv: &Path) -> PathBuf {
    venv.join("bin")
}

fn prepare_node() -> Tool {
    let mut node = Command::new("node");
    node.arg("--version");
    match program::stdout(node) {
        Ok(_) => Tool::Ready("node".into()),
        Err(failure) => Tool::Missing { tool: "node", reason: failure.to_string() },
    }
}

/// Makes the venv once per content of requirements.txt: the copy inside the venv is written last and says it is whole.
fn prepare_pytest() -> Result<Tool, Failure> {
    let requirements = program::root().join("xtask/tools/requirements.txt");
    let wanted = std::fs::read_to_string(&requirements).map_err(Failure::file(&requirements))?;
    let installed = venv().join("requirements.txt");
    if let (Some(pytest), true) =
        (pytest(), std::fs::read_to_string(&installed).is_ok_and(|text| text == wanted))
    {
        return Ok(Tool::Ready(pytest));
    }
    for command in [make_venv(), install(&requirements)] {
        if let Some(reason) = why_not(command) {
            return Ok(Tool::Missing { tool: "pytest", reason });
        }
    }
    std::fs::write(&installed, wanted).map_err(Failure::file(&installed))?;
    let missing = || Tool::Missing { tool: "pytest", reason: "pip installed no pytest".to_owned() };
    Ok(pytest().map_or_else(missing, Tool::Ready))
}

fn make_venv() -> Command {
    let mut command = Command::new("python3");
    command.args(["-m", "venv", "--clear"]).arg(venv());
    command
}

fn install(requirements: &Path) -> Command {
    let mut command = Command::new(programs_folder(&venv()).join("python"));
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
    command.arg(requirements);
    command
}

fn why_not(command: Command) -> Option<String> {
    match program::run(command, Echo::Never) {
        Ok(finished) if finished.exit == Exit::Success => None,
        Ok(finished) => {
            Some(finished.lines.iter().rev().take(3).rev().cloned().collect::<Vec<_>>().join(" | "))
        }
        Err(failure) => Some(failure.to_string()),
    }
}
