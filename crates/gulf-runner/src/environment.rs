//! The variables that workers and checks see, and what of them a check's word depends on.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::sessions::CLAUDE_CAP_VARIABLE;
use gulf_engine::{Digest, LoopId};
use gulf_host::ports::{self, PortError, PortLeases, PortRequest};

use crate::agreement::{Agreement, NotifyTerms, PortTerms, engine_digest};

/// Variables that differ between two terminals and say nothing about a check.
const VOLATILE: [&str; 22] = [
    "_", "PWD", "OLDPWD", "SHLVL", "TERM", "COLORTERM", "COLUMNS", "LINES", "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION", "TERM_SESSION_ID", "TMUX", "TMUX_PANE", "STY", "WINDOWID", "DISPLAY",
    "DBUS_SESSION_BUS_ADDRESS", "GPG_TTY", "SSH_AUTH_SOCK", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY",
];

/// What an agent's program tells those that it starts of its session: of no concern to checks and judges, and other
/// in every session.
const OF_A_SESSION: [&str; 22] = [
    "CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_MESSAGING_SOCKET", "CLAUDE_CODE_MESSAGING_TOKEN",
    "CLAUDE_CODE_CHILD_NOTES_DIR", CLAUDE_CAP_VARIABLE, "CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT",
    "CLAUDE_PLUGIN_DATA", "CLAUDE_PID", "CLAUDE_EFFORT", "CLAUDE_ENV_FILE", "AI_AGENT", "PLUGIN_ROOT",
    "PLUGIN_DATA", "CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_CI", "COPILOT_CLI",
];

/// Variables that lead out of a checkout.
const SHARED: [&str; 3] = ["OLDPWD", "CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"];

/// gulf's own variables, which checks do not see.
const OWN_PREFIX: &str = "GULF_";

/// What a program sees, by name.
pub type Variables = BTreeMap<String, String>;

/// The person's variables when the driver started. A variable that is not UTF-8 cannot be passed on.
#[derive(Clone, Debug)]
pub struct Environment {
    variables: Variables,
    /// From the person's checkout to the loop's own, where that is another one.
    moved: Option<(Utf8PathBuf, Utf8PathBuf)>,
}

/// What tells a worker's programs which turn they belong to.
#[derive(Clone, Copy, Debug)]
pub struct WorkerVariables<'turn> {
    /// The folder that comes first on the PATH.
    pub programs: &'turn Utf8Path,
    pub home: &'turn Utf8Path,
    pub loop_id: &'turn LoopId,
    pub iteration: u32,
    pub attempt: u32,
}

impl WorkerVariables<'_> {
    /// gulf's own.
    pub(crate) fn own(&self) -> Vec<(String, String)> {
        let own = [
            ("GULF_HOME", self.home.to_string()),
            ("GULF_LOOP", self.loop_id.to_string()),
            // Loops of two projects may have one name: the same words in the same minute.
            ("GULF_LOOP_HOME", self.programs.parent().unwrap_or(self.programs).to_string()),
            ("GULF_ITERATION", self.iteration.to_string()),
            ("GULF_ATTEMPT", self.attempt.to_string()),
        ];
        own.map(|(name, value)| (name.to_owned(), value)).into()
    }
}

/// The ports of a loop's checkouts, leased when they are first asked for.
#[derive(Debug, Default)]
pub struct Ports {
    leases: Mutex<BTreeMap<Utf8PathBuf, PortLeases>>,
}

/// What of this process's variables is text.
pub(crate) fn variables_of_this_process() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

impl Environment {
    /// This process's own.
    pub fn of_this_process() -> Self {
        Self::from_variables(variables_of_this_process())
    }

    /// The given ones, without gulf's own.
    pub fn from_variables(variables: impl Iterator<Item = (String, String)>) -> Self {
        let is_own = |name: &str| name.starts_with(OWN_PREFIX) || OF_A_SESSION.contains(&name);
        Self { variables: variables.filter(|(name, _)| !is_own(name)).collect(), moved: None }
    }

    /// The same without these: what is secret is nobody's but gulf's.
    pub fn without(mut self, names: &[&str]) -> Self {
        self.variables.retain(|name, _| !names.contains(&name.as_str()));
        self
    }

    /// The same for a loop in a checkout of its own: what points into the person's points into that one.
    pub fn taken_from(self, person: &Utf8Path, project: &Utf8Path) -> Self {
        let moved = (person != project).then(|| (person.to_owned(), project.to_owned()));
        Self { moved, ..self }
    }

    /// Over everything that a check's word may depend on.
    pub fn digest(&self) -> Digest {
        let lasting = self.variables.iter().filter(|(name, _)| !VOLATILE.contains(&name.as_str()));
        let told: String = lasting.map(|(name, value)| format!("{name}={value}\0")).collect();
        engine_digest(told.as_bytes())
    }

    /// For the worker: gulf stands first on its PATH, and it knows which turn this is.
    pub fn for_worker(&self, turn: &WorkerVariables<'_>, own: Vec<(String, String)>) -> Variables {
        let mut variables = self.variables_here();
        let path = variables.get("PATH").map(|path| format!("{PATH_SEPARATOR}{path}")).unwrap_or_default();
        variables.insert("PATH".to_owned(), format!("{}{path}", turn.programs));
        variables.extend(own.into_iter().chain(turn.own()));
        variables
    }

    /// For the judge: it knows the loop only so that nothing below it passes for a person, or starts one of its own.
    pub fn for_judge(&self, home: &Utf8Path, loop_id: &LoopId) -> Variables {
        let mut variables = self.variables_here();
        let own = [("GULF_HOME", home.as_str()), ("GULF_LOOP", loop_id.as_str()), ("GULF_EXTERNAL", "1")];
        variables.extend(own.map(|(name, value)| (name.to_owned(), value.to_owned())));
        variables
    }

    /// For a check in `checkout`: what points into the project points into the checkout instead, so that an
    /// activated virtual environment is the checkout's.
    pub fn for_check(
        &self,
        project: &Utf8Path,
        checkout: &Utf8Path,
        own: impl IntoIterator<Item = (String, String)>,
    ) -> Variables {
        let mut variables = self.variables_here();
        move_all(&mut variables, project, checkout);
        variables.extend(own);
        variables
    }

    /// As it is, for a command that runs in the project itself and is no check of a loop.
    pub fn as_it_is(self) -> Variables {
        self.variables
    }

    /// As the loop's own checkout has them.
    fn variables_here(&self) -> Variables {
        let mut variables = self.variables.clone();
        if let Some((person, project)) = &self.moved {
            move_all(&mut variables, person, project);
        }
        variables
    }

    /// One variable.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }

    /// A path with the home folder or a variable at its beginning in full, else from `project` on.
    pub(crate) fn spelled_out(&self, path: &str, project: &Utf8Path) -> Utf8PathBuf {
        let below = |variable: &str, rest: &str| Some(Utf8Path::new(self.value(variable)?).join(rest));
        let named = path.strip_prefix('$').and_then(|path| path.split_once('/'));
        let of_home = path.strip_prefix("~/").map(|rest| ("HOME", rest));
        let found = of_home.or(named).and_then(|(variable, rest)| below(variable, rest));
        found.unwrap_or_else(|| project.join(path))
    }
}

impl Agreement {
    /// What workers, checks and judges see of this process's variables: nothing that is secret.
    pub(crate) fn environment(&self) -> Environment {
        let secrets = self.notify.as_ref().map(NotifyTerms::variables).unwrap_or_default();
        let person = &self.verification.environment.person;
        Environment::of_this_process().without(&secrets).taken_from(person, &self.project)
    }
}

impl Ports {
    /// The variables of this checkout, with ports that no other checkout on this machine has as long as this process
    /// lives.
    pub fn variables(
        &self,
        terms: &PortTerms,
        home: &Utf8Path,
        checkout: &Utf8Path,
    ) -> Result<Vec<(String, String)>, PortError> {
        if terms.variables.is_empty() {
            return Ok(Vec::new());
        }
        let mut leases = self.leases.lock().unwrap_or_else(PoisonError::into_inner);
        if !leases.contains_key(checkout) {
            let request = PortRequest {
                directory: &home.join("ports"),
                first: terms.first,
                last: terms.last,
                count: terms.variables.len(),
                whose: checkout.as_str(),
            };
            leases.insert(checkout.to_owned(), ports::lease(&request)?);
        }
        let numbers = leases.get(checkout).map(PortLeases::numbers).unwrap_or_default();
        Ok(terms.variables.iter().cloned().zip(numbers.iter().map(u16::to_string)).collect())
    }
}

/// The virtual environment whose program a command names, as far as its path tells.
pub(crate) fn python_environment(command: &str) -> Option<&str> {
    command.split(' ').next()?.rsplit_once("/bin/").map(|(root, _)| root)
}

/// As if this virtual environment were activated: without it tests of a project's own program would try what the machine has
/// of the same name.
pub(crate) fn activate(variables: &mut Variables, root: &Utf8Path) {
    if root.join("pyvenv.cfg").is_file() {
        let path = variables.entry("PATH".to_owned()).or_default();
        *path = format!("{root}/bin{PATH_SEPARATOR}{path}");
        variables.insert("VIRTUAL_ENV".to_owned(), root.to_string());
    }
}

/// Nobody looks on: runners that would wait for changes (`vitest`, `react-scripts test`) or write what they expect end.
pub(crate) fn unattended(variables: &mut Variables) {
    variables.entry("CI".to_owned()).or_insert_with(|| "true".to_owned());
}

/// What points into one checkout points into the other; variables that two checkouts must not share go.
fn move_all(variables: &mut Variables, project: &Utf8Path, checkout: &Utf8Path) {
    for (name, value) in variables.iter_mut() {
        match name.as_str() {
            "PATH" | "PYTHONPATH" | "NODE_PATH" | "LD_LIBRARY_PATH" => {
                let parts: Vec<String> =
                    value.split(PATH_SEPARATOR).map(|part| moved(part, project, checkout)).collect();
                *value = parts.join(&PATH_SEPARATOR.to_string());
            }
            "PWD" => *value = checkout.to_string(),
            _ => *value = moved(value, project, checkout),
        }
    }
    // A build folder shared between checkouts would run one's programs for the other.
    variables.retain(|name, _| !SHARED.contains(&name.as_str()));
}

fn moved(value: &str, project: &Utf8Path, checkout: &Utf8Path) -> String {
    // One of the two may lie within the other.
    if Utf8Path::new(value).starts_with(checkout) && checkout.starts_with(project) {
        return value.to_owned();
    }
    match Utf8Path::new(value).strip_prefix(project) {
        Ok(rest) if rest.as_str().is_empty() => checkout.to_string(),
        Ok(rest) => checkout.join(rest).to_string(),
        Err(_) => value.to_owned(),
    }
}

const PATH_SEPARATOR: char = ':';

#[cfg(test)]
mod tests;
