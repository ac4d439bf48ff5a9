//! What a check sees as its environment: where it runs, in which ports, and what makes its runner name each test.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::reports;
use gulf_host::files;

use crate::agreement::SealedCheck;
use crate::checks::Checks;
use crate::environment::{Variables, activate, python_environment, unattended};
use crate::error::Result;

/// Settings that a person gave Go for good.
const GO_ENVIRONMENT_BYTES_MAX: u64 = 64 << 10;

impl Checks<'_> {
    pub(super) fn check_environment(
        &self,
        check: &SealedCheck,
        directory: &Utf8Path,
        reports: &Utf8Path,
    ) -> Result<Variables> {
        let own = check.environment.iter().map(|(name, value)| (name.clone(), value.clone()));
        let own = self.resources.ports_of(directory)?.into_iter().chain(own);
        let mut environment = self.resources.environment.for_check(self.resources.project(), directory, own);
        // Only what was there at the start: another one is the worker's.
        let mut folders = self.resources.terms().dependency_folders.iter().map(Utf8Path::new);
        let root = python_environment(&check.command).map(|root| check.directory.join(root));
        if let Some(root) = root.filter(|root| folders.any(|folder| folder == root)) {
            activate(&mut environment, &directory.join(root));
        }
        let before = |name: &str| environment.get(name).map_or("", String::as_str);
        let names_go = reports::runs_go_tests(&check.command)
            && names_go(&environment, &directory.join(&check.directory));
        let for_go = names_go.then(|| reports::verbose_go(before("GOFLAGS")));
        let for_pytest = reports::for_pytest(before("PYTEST_ADDOPTS"), reports.as_str());
        environment.extend(for_go.into_iter().chain(for_pytest));
        unattended(&mut environment);
        Ok(environment)
    }
}

/// Is there a Go module here, and are its flags not kept where a variable would take their place (`go env -w`)?
fn names_go(variables: &Variables, directory: &Utf8Path) -> bool {
    let value = |name: &str| variables.get(name).cloned();
    let of_home = || value("HOME").map(|home| format!("{home}/.config"));
    let folder = value("XDG_CONFIG_HOME").or_else(of_home).map(|folder| format!("{folder}/go/env"));
    let kept = value("GOENV").or(folder).map(Utf8PathBuf::from);
    let is_kept = || {
        let text = kept.and_then(|path| files::read_bytes(&path, GO_ENVIRONMENT_BYTES_MAX).ok());
        text.is_some_and(|text| {
            text.starts_with(b"GOFLAGS=") || text.windows(9).any(|part| part == b"\nGOFLAGS=")
        })
    };
    directory.join("go.mod").is_file() && (value("GOFLAGS").is_some() || !is_kept())
}
