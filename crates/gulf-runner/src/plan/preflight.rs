//! Refuses checks that plainly cannot run, before anything is paid for.
//!
//! Only what is certain counts here: whatever a set-up, an earlier command or a shell may still bring is believed,
//! and rests the loop later if it does not come.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::{files, git, programs};
use gulf_spec::config::{Config, Key};
use gulf_spec::environment::{Selection, WORKTREE_INCLUDE, worktree_include};
use gulf_spec::starting::{FirstProgram, first_program};

use super::{MANIFEST_BYTES_MAX, PlanError, Result};
use crate::agreement::{Place, SealedCheck};
use crate::texts::text;

/// A script whose first line is read; what is larger is a program.
const SCRIPT_BYTES_MAX: u64 = 1 << 20;
/// Folders that set-ups and builds fill.
const FILLED: [&str; 10] =
    ["node_modules", ".venv", "venv", "target", "vendor", "build", "dist", "out", "bin", ".tox"];

/// Folders of a project's own programs, which are on the PATH of who activated them.
const TOOLS: [&str; 3] = [".venv/bin", "venv/bin", "node_modules/.bin"];

/// What a check lacks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    #[error("the program {name} was not found")]
    Program {
        name: String,
        /// Where the project has it.
        here: Option<String>,
    },
    /// The program, or a script that it is given.
    #[error("there is no file {path}")]
    File { path: String },
    #[error("{path} is not executable")]
    NotExecutable { path: String },
    #[error("{path} needs the interpreter {interpreter}, which was not found")]
    Interpreter { path: String, interpreter: String },
    #[error("package.json has no script {name}")]
    PackageScript { name: String },
    #[error("there is no folder {path}")]
    Folder { path: String },
    /// It is there, and no checkout of a candidate has it.
    #[error("git ignores {path}, so the checkouts for checks do not contain it")]
    Ignored { path: String },
}

impl Missing {
    /// What the person can do about it; where the work may be to create what the check runs, `new_check` is its command.
    pub fn hint(&self, new_check: Option<&str>) -> String {
        let created = |check| format!("; if the work is to create it: `--new-check '{check}'`");
        let created = new_check.map_or_else(String::new, created);
        match self {
            Self::Program { here: Some(path), .. } => format!("the project has it: write `{path}`"),
            Self::Program { here: None, .. } => {
                format!("install it, correct the name, or have it installed by `environment.setup`{created}")
            }
            Self::File { .. } | Self::PackageScript { .. } | Self::Folder { .. } => {
                format!(
                    "create it, or correct the name, which is looked up from the project's top folder{created}"
                )
            }
            Self::NotExecutable { path } => format!("`chmod +x {path}`, or run it with its interpreter"),
            Self::Interpreter { .. } => {
                format!("install that, or correct the script's first line{created}")
            }
            Self::Ignored { path } => {
                format!(
                    "remove it from .gitignore, or give it to every checkout: `environment.copy = [\"{path}\"]`"
                )
            }
        }
    }
}

/// The first check that plainly cannot run.
pub(crate) fn refuse_unrunnable(project: &Utf8Path, config: &Config, checks: &[SealedCheck]) -> Result<()> {
    for check in checks.iter().filter(|check| !check.is_new) {
        if let Some(why) = missing(project, config, check) {
            let (check, is_held_out) = (check.command.clone(), check.held_out.is_some());
            return Err(PlanError::CheckCannotRun { check, is_held_out, why });
        }
    }
    Ok(())
}

/// What this check lacks, if that is plain to see.
pub fn missing(project: &Utf8Path, config: &Config, check: &SealedCheck) -> Option<Missing> {
    let ground = CheckGround { project, config, check };
    if !project.join(&check.directory).is_dir() {
        return Some(Missing::Folder { path: check.directory.to_string() });
    }
    let first = first_program(&check.command)?;
    let folder = first.folders.iter().fold(check.directory.clone(), |folder, next| folder.join(next));
    if !project.join(&folder).is_dir() {
        return (!ground.is_filled(&folder)).then(|| Missing::Folder { path: folder.to_string() });
    }
    ground.program(&first, &folder).or_else(|| ground.script(&first, &folder)).or_else(|| {
        let name = first.package_script.filter(|name| !has_package_script(&project.join(&folder), name))?;
        Some(Missing::PackageScript { name })
    })
}

/// Where a check is to run.
struct CheckGround<'ground> {
    project: &'ground Utf8Path,
    config: &'ground Config,
    check: &'ground SealedCheck,
}

impl CheckGround<'_> {
    fn program(&self, first: &FirstProgram, folder: &Utf8Path) -> Option<Missing> {
        let name = &first.program;
        if !name.contains('/') {
            let is_there = self.has_path_of_its_own() || programs::find(name).is_some();
            let here = TOOLS.map(|folder| format!("{folder}/{name}"));
            let here = here.into_iter().find(|path| self.project.join(path).exists());
            return (!is_there && !self.has_set_up()).then(|| Missing::Program { name: name.clone(), here });
        }
        let path = folder.join(name);
        let file = self.project.join(&path);
        if !file.exists() {
            return (!self.is_filled(&path)).then(|| Missing::File { path: name.clone() });
        }
        if !programs::is_executable(&file) {
            return Some(Missing::NotExecutable { path: name.clone() });
        }
        self.ignored(&path).or_else(|| {
            let interpreter = interpreter(&file)?;
            let is_there = match interpreter.strip_prefix('/') {
                Some(_) => programs::is_executable(Utf8Path::new(&interpreter)),
                None => self.has_path_of_its_own() || programs::find(&interpreter).is_some(),
            };
            let missing = Missing::Interpreter { path: name.clone(), interpreter };
            (!is_there && !self.has_set_up()).then_some(missing)
        })
    }

    fn script(&self, first: &FirstProgram, folder: &Utf8Path) -> Option<Missing> {
        let name = first.script.as_ref()?;
        let path = folder.join(name);
        // Node finds `test.js` by `test`.
        let endings = ["", ".js", ".mjs", ".cjs", ".json"];
        if !endings.iter().any(|ending| self.project.join(format!("{path}{ending}")).exists()) {
            return (!self.is_filled(&path)).then(|| Missing::File { path: name.clone() });
        }
        self.ignored(&path)
    }

    /// It may name any program.
    fn has_path_of_its_own(&self) -> bool {
        self.check.environment.contains_key("PATH")
    }

    /// A person said how a checkout is prepared; what that brings nobody knows yet.
    fn has_set_up(&self) -> bool {
        !self.config.text(Key::EnvironmentSetup).is_empty()
    }

    /// May a set-up or a build put it there?
    fn is_filled(&self, path: &Utf8Path) -> bool {
        let is_folder_for_it = path.components().any(|part| FILLED.contains(&part.as_str()));
        is_folder_for_it || (self.has_set_up() && !self.ignored_paths(path).is_empty())
    }

    /// A file of the project that no candidate holds.
    fn ignored(&self, path: &Utf8Path) -> Option<Missing> {
        if self.check.place == Place::Project || path.is_absolute() {
            return None;
        }
        let path = normal(path)?;
        let is_filled = path.components().any(|part| FILLED.contains(&part.as_str()));
        let is_left_out = !is_filled && !self.is_given(&path) && !self.ignored_paths(&path).is_empty();
        is_left_out.then(|| Missing::Ignored { path: path.into_string() })
    }

    /// Where git cannot be asked, nothing is ignored.
    fn ignored_paths(&self, path: &Utf8Path) -> Vec<String> {
        let tracked = |path: &str| git::tracked_paths(self.project, &[path.to_owned()]).unwrap_or_default();
        normal(path).map_or_else(Vec::new, |path| {
            let ignored = git::ignored_paths(self.project, &[path.to_string()]).unwrap_or_default();
            if ignored.is_empty() || tracked(path.as_str()).is_empty() { ignored } else { Vec::new() }
        })
    }

    /// Every checkout gets a copy of it, or a link.
    fn is_given(&self, path: &Utf8Path) -> bool {
        let include = text(&self.project.join(WORKTREE_INCLUDE)).ok().flatten().unwrap_or_default();
        let copied = self.config.list(Key::EnvironmentCopy).iter().map(String::as_str);
        let patterns = copied.chain(worktree_include(&include));
        let is_copied = Selection::new(patterns).is_ok_and(|selection| selection.selects(path.as_str()));
        let given = [Key::EnvironmentLink, Key::EnvironmentCache].map(|key| self.config.list(key));
        is_copied || given.iter().copied().flatten().any(|one| path.starts_with(one.trim_end_matches('/')))
    }
}

/// Relative to the project, without `.` and `..`; none where it leads out.
fn normal(path: &Utf8Path) -> Option<Utf8PathBuf> {
    let mut normal = Utf8PathBuf::new();
    for part in path.components() {
        match part.as_str() {
            "." => {}
            ".." if !normal.pop() => return None,
            ".." => {}
            name => normal.push(name),
        }
    }
    (!normal.as_str().is_empty()).then_some(normal)
}

/// What the first line of a script names: a path, or a name behind `env`.
fn interpreter(script: &Utf8Path) -> Option<String> {
    let text = files::read_bytes(script, SCRIPT_BYTES_MAX).ok()?;
    let line = text.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let mut words = std::str::from_utf8(line).ok()?.split_whitespace();
    let program = words.next()?;
    if !program.ends_with("/env") {
        return program.starts_with('/').then(|| program.to_owned());
    }
    let program = words.find(|word| *word != "-S")?;
    (!program.starts_with('-') && !program.contains('=')).then(|| program.to_owned())
}

/// A manifest that is not there or cannot be read is npm's to complain about.
fn has_package_script(folder: &Utf8Path, name: &str) -> bool {
    let Ok(text) = files::read_text(&folder.join("package.json"), MANIFEST_BYTES_MAX) else { return true };
    let text = text.content.trim_start_matches('\u{feff}');
    let Ok(package) = serde_json::from_str::<serde_json::Value>(text) else { return true };
    !package["scripts"][name].is_null()
}

#[cfg(test)]
mod tests;
