//! Who works and who judges on this machine, in which version, and what that may cost.

use std::path::PathBuf;

use camino::Utf8Path;
use gulf_agents::agents::{AgentHome, Descriptor, Tool};
use gulf_host::hint::Hint as _;
use gulf_host::programs;
use gulf_runner::agreement::{NotifyTerms, SecretPlace, WebhookTerms, agreed_channels, read_secret};
use gulf_runner::channels::try_slack;
use gulf_runner::error::in_full;
use gulf_runner::plan::{CheckNeed, stated};
use gulf_spec::config::{AgentTool, Config, Key, PresetJudge, is_safe_address};

use super::{Finding, machine};
use crate::settings::bounds;
use crate::trusting;

/// Whether there is a sign-in, and nothing of it, is looked at.
fn sign_in(agent: Tool) -> String {
    let said = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let Descriptor { home: AgentHome { variable, within, default }, signed_in, keys, .. } =
        agent.descriptor();
    let file = signed_in.and_then(|file| {
        let own = said(variable).map(|folder| PathBuf::from(folder).join(within));
        Some(own.or_else(|| Some(PathBuf::from(said("HOME")?).join(default)))?.join(file))
    });
    let is_kept = file.and_then(|file| file.metadata().ok()).is_some_and(|file| file.len() > 0);
    if is_kept || keys.iter().any(|key| said(key).is_some()) {
        return "signed in".to_owned();
    }
    format!("no sign-in found, a keychain not being looked at: start `{}` once", agent.name())
}

/// Which of them are here.
pub(super) fn installed() -> Vec<Finding> {
    let look = |tool: Tool| {
        let (name, tested) = (tool.name(), tool.descriptor().tested_version);
        if programs::find(name).is_none() {
            return Finding::ok("agents", format!("{name} is not installed"));
        }
        match version(name) {
            Ok(version) => {
                Finding::ok("agents", format!("{name} {version} (tested with {tested}); {}", sign_in(tool)))
            }
            Err(why) => {
                let what = format!("{name} is installed, but `{name} --version` says nothing: {why}");
                Finding::warning("agents", what, "reinstall it, or name another agent with `--agent`")
            }
        }
    };
    Tool::ALL.into_iter().map(look).collect()
}

/// What `--version` prints: the first word that begins with a number and has a dot.
fn version(name: &str) -> Result<String, String> {
    // Programs look for settings where they stand, and a project's may name more programs.
    let nowhere = std::env::temp_dir();
    let directory = Utf8Path::from_path(&nowhere).ok_or("the temporary folder's path is not UTF-8")?;
    let printed = machine::run(&format!("{name} --version"), directory)?;
    let is_version =
        |word: &&str| word.starts_with(|first: char| first.is_ascii_digit()) && word.contains('.');
    let found = printed.split_whitespace().find(is_version).map(str::to_owned);
    found.ok_or_else(|| "no version in what it prints".to_owned())
}

/// Who would work.
pub(super) fn agent(project: &Utf8Path, config: &Config) -> Finding {
    let none = "none: no agent is set, and none that gulf knows by name is installed";
    let hint = "install one of them, or name another: `[agent]` `tool = \"command:my-agent\"` in gulf.toml, or `gulf run --agent 'command:my-agent'`";
    let found = named_or_first("agent", config.agent.as_ref(), project);
    found.unwrap_or_else(|| Finding::warning("agent", none, hint))
}

/// Who is named, else the first that is installed; none where nobody is.
fn named_or_first(about: &'static str, named: Option<&AgentTool>, project: &Utf8Path) -> Option<Finding> {
    let mut installed = Tool::ALL.into_iter().map(Tool::name).filter(|name| programs::find(name).is_some());
    let first = |found| Finding::ok(about, format!("{found} (installed; none is set)"));
    named.map(|tool| installation(about, tool, project)).or_else(|| installed.next().map(first))
}

/// Who would judge.
pub(super) fn judge(project: &Utf8Path, config: &Config) -> Finding {
    let criteria =
        stated(project, config, None, CheckNeed::OrCriteria).map_or(0, |stated| stated.criteria.len());
    match (config.preset.judge(), criteria) {
        (PresetJudge::Never, _) => return Finding::ok("judge", "none: the preset is basic"),
        (PresetJudge::WhereCriteria, 0) => {
            return Finding::ok("judge", "none: RUBRIC.md has no criteria");
        }
        (PresetJudge::Always, 0) => {
            let hint = "write `## Judge criteria` with one line `- criterion` each; `gulf init` writes a first RUBRIC.md";
            return Finding::warning("judge", "the preset is judge, and RUBRIC.md has no criteria", hint);
        }
        (PresetJudge::ByLevel, _) if config.count(Key::VerifyLevel) == 1 => {
            return Finding::ok("judge", "none: the level of verification is 1");
        }
        (PresetJudge::Always | PresetJudge::WhereCriteria | PresetJudge::ByLevel, _) => {}
    }
    let same = config.agent.as_ref().filter(|tool| !matches!(tool, AgentTool::Command(_)));
    let none = "RUBRIC.md has criteria, but there is no judge";
    let hint = "install one of claude, codex, copilot, opencode and gemini, or name another: `gulf run --judge 'command:my-judge'`";
    let found = named_or_first("judge", config.judge.as_ref().or(same), project);
    found.unwrap_or_else(|| Finding::warning("judge", none, hint))
}

/// What a loop may spend.
pub(super) fn limits(config: &Config) -> Finding {
    let (money, tokens) = (config.money(Key::LimitsMaxCost), config.tokens(Key::LimitsMaxTokens));
    let time = config.duration(Key::LimitsMaxDuration);
    let bounds = bounds(config.count(Key::LimitsMaxIterations), time, money, tokens).join(", ");
    let told = match (money, tokens) {
        (None, None) => format!("at most {bounds}; no limit on money or tokens"),
        (Some(_), _) | (_, Some(_)) => format!("at most {bounds}"),
    };
    Finding::ok("limits", told)
}

fn installation(about: &'static str, tool: &AgentTool, project: &Utf8Path) -> Finding {
    let (said, missing) = match tool {
        AgentTool::Command(command) => (command.clone(), programs::missing_program(command, project)),
        AgentTool::Named { name, model: Some(model) } => (format!("{name}:{model}"), missing(name)),
        AgentTool::Named { name, model: None } => ((*name).to_owned(), missing(name)),
    };
    let Some(program) = missing else { return Finding::ok(about, said) };
    if programs::is_plain_file(&program, project) {
        let hint = format!("`chmod +x {program}`, or run it with its interpreter");
        return Finding::problem(about, format!("its program is not executable: {program}"), Some(hint));
    }
    let hint = format!("install it, or name another in gulf.toml or with `--{about}`");
    Finding::problem(about, format!("its program was not found: {program}"), Some(hint))
}

fn missing(name: &str) -> Option<String> {
    programs::find(name).is_none().then(|| name.to_owned())
}

// Can a person be reached by the ways that were set up? Asked without telling anybody anything.

/// What a project can say of the ways by which a person is reached.
const KEYS: [Key; 6] = [
    Key::NotifySlack,
    Key::NotifySlackToken,
    Key::NotifySlackUrl,
    Key::NotifyWebhook,
    Key::NotifyWebhookSecret,
    Key::NotifyCommand,
];

/// One finding a channel; none where nobody is to be told anything. Does a person trust the project whose settings these
/// are?
pub(super) fn channels(project: &Utf8Path, config: &Config, is_trusted: bool) -> Vec<Finding> {
    if !is_trusted && trusting::is_projects(config, &KEYS) {
        // They say where a secret is, and who is to get it.
        let why =
            "the project's settings say who is told; nobody was asked, since this repository is not trusted";
        return vec![Finding::warning("notify", why, "`gulf trust` trusts it")];
    }
    let terms = match agreed_channels(&config.notify, &[project]) {
        Ok(Some(terms)) => terms,
        Ok(None) => return Vec::new(),
        Err(error) => return vec![Finding::problem("notify", error.to_string(), error.hint())],
    };
    let webhook = terms.webhook.as_ref().map(|terms| webhook(terms).unwrap_or_else(|finding| finding));
    slack(&terms).into_iter().chain(webhook).chain(command(&terms)).collect()
}

fn slack(terms: &NotifyTerms) -> Vec<Finding> {
    let Some(slack) = &terms.slack else { return Vec::new() };
    let known = try_slack(terms).map(|tried| match tried {
        Ok(identity) => Finding::ok("slack", format!("{identity}, writes to {}", slack.conversation)),
        Err((why, hint)) => Finding::problem("slack", why, hint),
    });
    let hint = "name those who may: `notify.slack_allow = [\"U0123456789\"]`";
    let deaf = Finding::warning("slack", "nobody may answer there: it only tells", hint);
    known.into_iter().chain(slack.allow.is_empty().then_some(deaf)).collect()
}

/// What is well, or the first that is not.
fn webhook(terms: &WebhookTerms) -> Result<Finding, Finding> {
    let read = |place: &SecretPlace| {
        read_secret(place).map_err(|error| Finding::problem("webhook", in_full(&error), error.hint()))
    };
    if !is_safe_address(read(&terms.url)?.reveal()) {
        let hint = "an address begins with https://, and has no user and password in it".to_owned();
        let what = "its address is neither https nor on this machine, or names a user";
        return Err(Finding::problem("webhook", what, Some(hint)));
    }
    let Some(secret) = &terms.secret else {
        let hint = "name where one is: `notify.webhook_secret`";
        return Err(Finding::warning("webhook", "an address is there, and nothing that signs", hint));
    };
    read(secret).map(|_| Finding::ok("webhook", "an address is there, and a secret that signs"))
}

fn command(terms: &NotifyTerms) -> Option<Finding> {
    let command = terms.command.as_ref()?;
    let is_there = if command.program.contains('/') {
        programs::is_executable(Utf8Path::new(&command.program))
    } else {
        programs::find(&command.program).is_some()
    };
    Some(if is_there {
        Finding::ok("command", command.program.clone())
    } else {
        let hint = Some("install it, or take `notify.command` out".to_owned());
        Finding::problem("command", format!("the program {} was not found", command.program), hint)
    })
}
