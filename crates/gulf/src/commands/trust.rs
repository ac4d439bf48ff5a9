//! `gulf trust`: in which repositories hooks may act.
//!
//! It is the one command that looks at what a stranger wrote without believing any of it.

use camino::Utf8Path;
use gulf_host::clock::local_second;
use gulf_host::home::{Home, canonical};
use gulf_runner::place::Project;
use gulf_runner::plan::{CheckNeed, PlanError, stated};
use gulf_runner::trust::{GivenOn, Trust, TrustStore, TrustedPlace};
use gulf_spec::config;
use gulf_views::one_line;

use super::tell;
use crate::cli::TrustArguments;
use crate::failure::{Failure, Result};
use crate::out::say_note;
use crate::paths::utf8;
use crate::trusting::{self, Word};
use crate::{place, requests, settings};

pub fn trust(arguments: &TrustArguments) -> Result<u8> {
    let home = Home::from_environment()?;
    let store = TrustStore::open(&home);
    if arguments.list {
        let all = store.all();
        let trusts = || all.iter().map(|(trust, _)| trust).collect::<Vec<_>>();
        let json = || serde_json::json!({ "version": 1, "trusted": trusts() });
        return tell(arguments.json, json, || list(&all));
    }
    requests::refuse_agents("trust a repository")?;
    let here = place::current_directory()?;
    let path = arguments.path.as_ref().map_or_else(|| here.clone(), |path| here.join(path));
    if arguments.revoke { revoke(&store, &path, arguments) } else { give(&home, &path, arguments) }
}

fn give(home: &Home, path: &Utf8Path, arguments: &TrustArguments) -> Result<u8> {
    let project = Project::find(path)?;
    home.refuse_inside(&project.directory)?;
    let commands = commands(&project.directory);
    trusting::give(&project, home, Word::terminal("gulf trust", GivenOn::Looking), &commands)?;
    let json = || serde_json::json!({ "version": 1, "trusted": project.directory, "commands": commands });
    let lines = || commands.iter().map(|command| format!("  {}\n", one_line(command))).collect::<String>();
    let none = "No check is configured here yet; a hook shows what it would run before running it.\n";
    let text = || if commands.is_empty() { none.to_owned() } else { format!("Hooks may run:\n{}", lines()) };
    tell(arguments.json, json, || format!("trusted: {}\n{}", project.directory, text()))
}

/// What would be run here as it is now; what cannot be read is not trusted by this, and is shown when it can.
fn commands(project: &Utf8Path) -> Vec<String> {
    let config = settings::layers(project, Vec::new()).and_then(|layers| Ok(config::load(&layers)?));
    let told = |failure: &Failure| say_note(format!("no command is trusted: {}", failure.in_one_line()));
    let Ok(config) = config.inspect_err(told) else { return Vec::new() };
    let checks = match stated(project, &config, None, CheckNeed::OrCriteria) {
        Ok(stated) => stated.checks,
        Err(PlanError::NoCheck { .. } | PlanError::OnlyProposed { .. }) => Vec::new(),
        Err(error) => {
            say_note(format!("no check is trusted: {}", Failure::from(error).in_one_line()));
            Vec::new()
        }
    };
    trusting::commands(project, &config, &checks)
}

fn revoke(store: &TrustStore, path: &Utf8Path, arguments: &TrustArguments) -> Result<u8> {
    let (mut was_trusted, named) = match Project::find(path) {
        Ok(project) => (store.revoke(project.mark()?.as_str())?, project.directory),
        // A folder that is gone is known by its path alone.
        Err(_) => (false, utf8(canonical(path)?, "name another folder")?),
    };
    was_trusted |= store.revoke_at(&named)?;
    let json = || serde_json::json!({ "version": 1, "revoked": named, "was_trusted": was_trusted });
    let word = if was_trusted { "no longer trusted" } else { "was not trusted" };
    tell(arguments.json, json, || format!("{word}: {named}\n"))
}

fn list(all: &[(Trust, TrustedPlace)]) -> String {
    if all.is_empty() {
        return "No repository is trusted yet. `gulf trust` trusts this one.\n".to_owned();
    }
    let line = |(one, lies): &(Trust, TrustedPlace)| {
        let (when, by) = (local_second(one.given_at_ms), one_line(&one.by));
        let gone = match lies {
            TrustedPlace::Itself => "",
            TrustedPlace::Another => "  (a different one is there now)",
            TrustedPlace::Nothing => "  (not there any more)",
        };
        format!("{}  since {when} by {by}{gone}\n", one.project)
    };
    all.iter().map(line).collect()
}
