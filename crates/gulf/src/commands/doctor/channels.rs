//! Can a person be reached by the ways that were set up? Asked without telling anybody anything.

use gulf_host::programs;
use gulf_runner::channels::{NotifyTerms, SecretPlace, read_secret, try_slack};
use gulf_runner::workshop::in_full;
use gulf_spec::config::{Config, Key, is_safe_address};

use camino::Utf8Path;

use super::Finding;
use crate::trusting;

/// What a project can say of the ways by which a person is reached.
const KEYS: [Key; 6] = [
    Key::NotifySlack,
    Key::NotifySlackToken,
    Key::NotifySlackUrl,
    Key::NotifyWebhook,
    Key::NotifyWebhookSecret,
    Key::NotifyCommand,
];

/// Does a person trust the project whose settings these are?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProjectTrust {
    Trusted,
    Strange,
}

/// One finding a channel; none where nobody is to be told anything.
pub(super) fn channels(project: &Utf8Path, config: &Config, trust: ProjectTrust) -> Vec<Finding> {
    if trust == ProjectTrust::Strange && trusting::is_projects(config, &KEYS) {
        // They say where a secret is, and who is to get it.
        let why =
            "the project's settings say who is told; nobody was asked, since this repository is not trusted";
        return vec![Finding::warning("notify", why, "`gulf trust` trusts it")];
    }
    let terms = match NotifyTerms::of(&config.notify, &[project]) {
        Ok(Some(terms)) => terms,
        Ok(None) => return Vec::new(),
        Err(error) => return vec![Finding::problem("notify", error.to_string(), Some(error.hint()))],
    };
    let mut findings = Vec::new();
    findings.extend(slack(&terms));
    findings.extend(webhook(&terms));
    findings.extend(command(&terms));
    findings
}

fn slack(terms: &NotifyTerms) -> Vec<Finding> {
    const ABOUT: &str = "slack";
    let Some(slack) = &terms.slack else { return Vec::new() };
    let mut findings = match try_slack(terms) {
        Some(Ok(identity)) => {
            vec![Finding::ok(ABOUT, format!("{identity}, writes to {}", slack.conversation))]
        }
        Some(Err((why, hint))) => vec![Finding::problem(ABOUT, why, hint)],
        None => Vec::new(),
    };
    if slack.allow.is_empty() {
        let hint = "name those who may: `notify.slack_allow = [\"U0123456789\"]`";
        findings.push(Finding::warning(ABOUT, "nobody may answer there: it only tells", hint));
    }
    findings
}

fn webhook(terms: &NotifyTerms) -> Vec<Finding> {
    const ABOUT: &str = "webhook";
    let Some(webhook) = &terms.webhook else { return Vec::new() };
    let read = |place: &SecretPlace| {
        read_secret(place).map_err(|error| Finding::problem(ABOUT, in_full(&error), error.hint()))
    };
    let url = match read(&webhook.url) {
        Ok(url) => url,
        Err(finding) => return vec![finding],
    };
    if !is_safe_address(url.reveal()) {
        let hint = Some("an address begins with https://, and has no user and password in it".to_owned());
        let what = "its address is neither https nor on this machine, or names a user";
        return vec![Finding::problem(ABOUT, what, hint)];
    }
    match webhook.secret.as_ref().map(read) {
        Some(Err(finding)) => vec![finding],
        Some(Ok(_)) => vec![Finding::ok(ABOUT, "an address is there, and a secret that signs")],
        None => {
            let hint = "name where one is: `notify.webhook_secret`";
            vec![Finding::warning(ABOUT, "an address is there, and nothing that signs", hint)]
        }
    }
}

fn command(terms: &NotifyTerms) -> Option<Finding> {
    const ABOUT: &str = "command";
    let command = terms.command.as_ref()?;
    let is_there = if command.program.contains('/') {
        programs::is_executable(Utf8Path::new(&command.program))
    } else {
        programs::find(&command.program).is_some()
    };
    Some(if is_there {
        Finding::ok(ABOUT, command.program.clone())
    } else {
        let hint = Some("install it, or take `notify.command` out".to_owned());
        Finding::problem(ABOUT, format!("the program {} was not found", command.program), hint)
    })
}
