//! Who works and who judges: what was named, or else the first agent that is installed.
//!
//! Here a start looks at the machine: a program that is not there is refused before anything is sealed.

use gulf_agents::agents::{self, Models};
use gulf_agents::sessions::Host;
use gulf_host::isolation::Bubblewrap;
use gulf_host::{files, programs};
use gulf_spec::config::{self, AgentTool, Config, Key, StepSetting};
use gulf_spec::tasks::Task;

use super::{PlanError, TEXT_BYTES_MAX};
use crate::agreement::{
    AgentTerms, JudgeTerms, OwnTools, SealedCheck, Thinker, Thinkers, Tool, WorkerTerms, WorkerWalls,
};
use crate::environment::Environment;
use crate::own_tools::in_the_way;
use crate::place::PlaceOfWork;

/// Words before the program of a command.
const PREFIXES: [&str; 4] = ["env", "exec", "time", "command"];
/// So many commands are allowed by name.
const ALLOWED_MAX: usize = 64;

/// Who does the work.
pub(super) fn agent(
    place: &PlaceOfWork,
    config: &Config,
    checks: &[SealedCheck],
    worker: &WorkerTerms,
    notes: &mut Vec<String>,
) -> Result<AgentTerms, PlanError> {
    let model = config.optional_text(Key::AgentModel);
    let tool = match (config.agent.as_ref().map(|tool| sealed(tool, model)), worker) {
        // Where a session works, whoever continues outside of it hears then what is not installed.
        (Some(tool), _) => tool,
        (None, WorkerTerms::Processes) => installed(model, notes, "agent").ok_or(PlanError::NoAgent)?,
        (None, WorkerTerms::Session { host } | WorkerTerms::Adopted { host, .. }) => of_host(host, model),
    };
    if *worker == WorkerTerms::Processes {
        check_program("agent", &tool, place)?;
    }
    let mut allow = needed(checks);
    allow.extend(config.list(Key::AgentAllow).iter().cloned());
    allow.dedup();
    if config.switch(Key::AgentMcp)
        && let Some(why) = in_the_way(&tool, &Environment::of_this_process())
    {
        notes.push(format!("agent.mcp: {tool} gets no tools of gulf's, it has the commands: {why}"));
    }
    Ok(AgentTerms {
        tool,
        timeout_ms: config.milliseconds(Key::AgentTimeout).unwrap_or(u64::MAX),
        idle_timeout_ms: config.milliseconds(Key::AgentIdleTimeout).unwrap_or(u64::MAX),
        allow,
        arguments: config.list(Key::AgentArguments).to_vec(),
        assumed: config.assumed(),
        own_tools: config.switched(Key::AgentMcp, OwnTools::Mcp, OwnTools::None),
        sandbox: sandbox(config, worker)?,
        reach: config.list(Key::AgentReach).to_vec(),
    })
}

/// Walls around it, where this machine can make them; an agent in a session has its host's.
fn sandbox(config: &Config, worker: &WorkerTerms) -> Result<WorkerWalls, PlanError> {
    let wanted: config::Isolation = config.choice(Key::AgentSandbox);
    if wanted == config::Isolation::None || *worker != WorkerTerms::Processes {
        return Ok(WorkerWalls::Off);
    }
    match Bubblewrap::find() {
        Ok(_) => Ok(WorkerWalls::On),
        Err(source) if wanted == config::Isolation::Isolated => Err(PlanError::NotIsolated(source)),
        Err(_) => Ok(WorkerWalls::Off),
    }
}

/// Who does a task of somebody named by the list; the loop's own agent where nobody is named for them.
pub(crate) fn specialist(
    place: &PlaceOfWork,
    config: &Config,
    task: &Task,
    notes: &mut Vec<String>,
) -> Result<Option<Tool>, PlanError> {
    let Some(name) = &task.specialist else { return Ok(None) };
    if let Some(tool) = config.specialists.get(&name.to_lowercase()) {
        let tool = sealed(tool, None);
        check_program("agent", &tool, place)?;
        return Ok(Some(tool));
    }
    let note = format!(
        "no agent is named for the specialist {name}: the loop's own agent does those tasks (`[tasks] specialists`)"
    );
    if !notes.contains(&note) {
        notes.push(note);
    }
    Ok(None)
}

/// Who judges: `--judge`, else the agent itself in a process of its own, else the first that is installed.
pub(super) fn judge(
    place: &PlaceOfWork,
    config: &Config,
    agent: &Tool,
    rubric_model: Option<&str>,
    worker: &WorkerTerms,
    notes: &mut Vec<String>,
) -> Result<JudgeTerms, PlanError> {
    let tool = match (&config.judge, agent) {
        (Some(tool), _) => sealed(tool, rubric_model),
        (None, Tool::Agent { agent, model }) => {
            let rubric_model = rubric_model.filter(|_| agent.descriptor().models == Models::OfRubrics);
            Tool::for_agent(*agent, rubric_model.or(model.as_deref()).map(str::to_owned))
        }
        (None, Tool::Command { .. }) => installed(rubric_model, notes, "judge").ok_or(PlanError::NoJudge)?,
    };
    // The seed finds out at the first stop; then it is a judge that is unavailable.
    if !worker.is_adopted() {
        check_program("judge", &tool, place)?;
    }
    Ok(JudgeTerms {
        tool,
        protocol: config.choice(Key::JudgeProtocol),
        timeout_ms: config.milliseconds(Key::JudgeTimeout).unwrap_or(u64::MAX),
        call_bytes_max: config.size(Key::JudgeCallLimit),
    })
}

/// The program of a session's host; of one that is no agent of its own, the first that is installed.
fn of_host(host: &str, model: Option<&str>) -> Tool {
    let of = |agent| Tool::for_agent(agent, model.map(str::to_owned));
    match Host::from_name(host) {
        Some(Host::Claude) => of(agents::Tool::Claude),
        Some(Host::Codex) => of(agents::Tool::Codex),
        // It keeps its credentials from its hooks, so a process of its own that a hook starts may not be signed in.
        Some(Host::Copilot | Host::Other) | None => {
            installed(model, &mut Vec::new(), "agent").unwrap_or_else(|| of(agents::Tool::Claude))
        }
    }
}

/// Who thinks in the steps before a turn, and with which words, where somebody said so.
pub(super) fn thinkers(place: &PlaceOfWork, config: &Config) -> Result<Thinkers, PlanError> {
    let mut thinkers = Thinkers::new();
    for StepSetting { terms, agent, prompt } in &config.steps {
        let tool = agent.as_ref().map(|tool| sealed(tool, None));
        tool.iter().try_for_each(|tool| check_program(terms.step.word(), tool, place))?;
        let prompt = prompt.as_ref().map(|path| files::read_text(&place.project.join(path), TEXT_BYTES_MAX));
        let prompt = prompt.transpose()?.map(|text| text.content);
        if tool.is_some() || prompt.is_some() {
            thinkers.insert(terms.step, Thinker { tool, prompt });
        }
    }
    Ok(thinkers)
}

/// What was named, with its own model or the one that is said elsewhere.
fn sealed(tool: &AgentTool, model: Option<&str>) -> Tool {
    match tool {
        AgentTool::Command(command) => Tool::Command { command: command.clone() },
        AgentTool::Named { name, model: own } => {
            let of = |agent| Tool::for_agent(agent, own.as_deref().or(model).map(str::to_owned));
            agents::Tool::from_name(name).map_or_else(|| Tool::Command { command: (*name).to_owned() }, of)
        }
    }
}

fn installed(model: Option<&str>, notes: &mut Vec<String>, who: &str) -> Option<Tool> {
    let found = agents::Tool::ALL.into_iter().find(|agent| programs::find(agent.name()).is_some())?;
    notes.push(format!("no {who} was named; found and used: {}", found.name()));
    Some(Tool::for_agent(found, model.map(str::to_owned)))
}

/// Can it be started here? A session's agent need not be.
pub fn check_program(who: &'static str, tool: &Tool, place: &PlaceOfWork) -> Result<(), PlanError> {
    let missing = match (tool, tool.program()) {
        (Tool::Command { command }, _) => programs::missing_program(command, &place.project),
        (_, program) => program.filter(|name| programs::find(name).is_none()).map(str::to_owned),
    };
    let Some(program) = missing else { return Ok(()) };
    Err(match programs::is_plain_file(&program, &place.project) {
        true => PlanError::AgentNotExecutable { who, program },
        false => PlanError::AgentMissing { who, program },
    })
}

/// What the sealed checks need (DESIGN "Processes"): each command as it is, and its programs with other arguments. A
/// check runs what the worker wrote anyway, so its programs give the worker nothing new.
fn needed(checks: &[SealedCheck]) -> Vec<String> {
    let mut allow = Vec::new();
    for check in checks.iter().filter(|check| check.held_out.is_none()) {
        for command in std::iter::once(check.command.as_str()).chain(programs_of(&check.command)) {
            if allow.len() < ALLOWED_MAX && !allow.iter().any(|one| one == command) {
                allow.push(command.to_owned());
            }
        }
    }
    allow
}

/// The first words of a command line's parts, without variables and words like `env` before them.
fn programs_of(command: &str) -> impl Iterator<Item = &str> {
    command.split(['\n', ';', '|', '&', '(', ')']).filter_map(|part| {
        part.split_whitespace().find(|word| {
            let is_variable = word.split_once('=').is_some_and(|(name, _)| {
                !name.is_empty() && name.chars().all(|one| one.is_ascii_alphanumeric() || one == '_')
            });
            !is_variable && !PREFIXES.contains(word) && !word.starts_with(['-', '!', '{', '"', '\''])
        })
    })
}

#[cfg(test)]
mod tests {
    //! What a check's command needs.

    use super::programs_of;

    #[test]
    fn the_programs_of_a_check_are_found_behind_variables_and_operators() {
        let found = |command| programs_of(command).collect::<Vec<_>>();
        assert_eq!(found("cargo test --all"), ["cargo"]);
        assert_eq!(found("RUST_LOG=debug cargo test && npm run lint | tee log"), ["cargo", "npm", "tee"]);
        assert_eq!(found("env A=1 ./check.sh; (cd web && yarn)"), ["./check.sh", "cd", "yarn"]);
        assert_eq!(found("  "), [""; 0]);
    }
}
