//! Which of the commands that were found become checks where nobody named one.
//!
//! Nobody tried them: a linter that is red at the start, as a new compiler makes it, would hold up every goal. `gulf
//! init` tries them all and writes down those that are green.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{Baseline, Policy};
use gulf_host::isolation::Bubblewrap;
use gulf_host::{files, programs};
use gulf_spec::config::{self, Config, Key};
use gulf_spec::detect::{CheckKind, Detected, DetectedCheck, FOREIGN_FOLDERS, PYTEST};
use gulf_spec::prd;
use gulf_spec::starting::first_program;

use super::{CheckNeed, PlanError, PlannedVerification, TEXT_BYTES_MAX};
use crate::agreement::{CheckIsolation, HeldOut, Place, SealedCheck, SealedText, SpecTerms};
use crate::held_out::{VARIABLE, named_paths};

/// So deep packages of one repository have their tests: `packages/web/forms/tests/test_forms.py`.
const LISTING_DEPTH_MAX: usize = 5;
/// So deep what installs has its programs: `.venv/bin/pytest`.
const FOREIGN_DEPTH_MAX: usize = 3;
const LISTING_FILES_MAX: usize = 20_000;
/// Package managers of Node.
const MANAGERS: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];

/// What a person types once so that the checks can run here, and their agent can run them: it is only said.
pub fn to_install(project: &Utf8Path, detected: &Detected) -> Option<String> {
    of_node(project, detected).or_else(|| of_python(project, detected))
}

fn of_node(project: &Utf8Path, detected: &Detected) -> Option<String> {
    let program = |command: &str| command.split(' ').next().unwrap_or_default().to_owned();
    let is_managed = |command: &&str| MANAGERS.contains(&program(command).as_str());
    let setup = detected.setup_command.as_deref()?.split(" && ").find(is_managed)?;
    if !detected.checks.iter().any(|check| is_managed(&check.command.as_str())) {
        return None;
    }
    let manager = program(setup);
    if programs::find(&manager).is_some() {
        let is_there = ["node_modules", ".pnp.cjs"].iter().any(|name| project.join(name).exists());
        return (!is_there).then(|| setup.to_owned());
    }
    let by_corepack = ["pnpm", "yarn"].contains(&manager.as_str()) && programs::find("corepack").is_some();
    if by_corepack {
        return Some(format!("corepack enable {manager} && {setup}"));
    }
    programs::find("npm").map(|_| format!("npm install --global {manager} && {setup}"))
}

fn of_python(project: &Utf8Path, detected: &Detected) -> Option<String> {
    let arguments = detected.pip_arguments.as_deref()?;
    let is_lacking = detected.checks.iter().any(|check| check.command == PYTEST) && !is_pytest_installed();
    if !is_lacking || programs::find("python3").is_none() {
        return None;
    }
    // Python 3.13 lets git ignore an environment; earlier ones do not.
    let made = "python3 -m venv .venv && echo '*' > .venv/.gitignore && .venv/bin/python";
    let python = if std::env::var_os("VIRTUAL_ENV").is_some() {
        "python3"
    } else if project.join(".venv/bin/python").exists() {
        ".venv/bin/python"
    } else {
        made
    };
    Some(format!("{python} -m pip install {arguments}"))
}

/// The project's files near the top, as far as the detection looks.
pub(super) fn listing(project: &Utf8Path) -> Vec<String> {
    let mut files = programs::list(project, FOREIGN_DEPTH_MAX, LISTING_FILES_MAX);
    let top = project.read_dir_utf8().into_iter().flatten().flatten();
    let own: BTreeSet<String> = top.map(|entry| entry.file_name().to_owned()).collect();
    for name in own.iter().filter(|name| !FOREIGN_FOLDERS.contains(&name.as_str())) {
        let below = programs::list(&project.join(name), LISTING_DEPTH_MAX - 1, LISTING_FILES_MAX);
        let deep = below.into_iter().filter(|path| path.matches('/').count() + 1 >= FOREIGN_DEPTH_MAX);
        files.extend(deep.map(|path| format!("{name}/{path}")));
    }
    files
}

/// The same with what does it where a runner is not installed. Only the system's own Python is asked: to look at a project
/// runs nothing of it.
pub(super) fn with_runners(mut detected: Detected) -> Detected {
    for check in &mut detected.checks {
        let program = check.command.split(' ').next().unwrap_or_default().to_owned();
        let lacking = match check.command.as_str() {
            PYTEST if is_pytest_installed() => continue,
            // By itself, as pipx and uv install it.
            PYTEST if programs::find("pytest").is_some() => {
                "pytest".clone_into(&mut check.command);
                continue;
            }
            PYTEST => "pytest",
            _ if programs::find(&program).is_some() => continue,
            _ => &program,
        };
        if let Some(otherwise) = check.otherwise.take() {
            check.command = otherwise;
            check.why = format!("{}, and {lacking} is not installed", check.why);
        }
    }
    // What the project's own files run is of use where its tests cannot run by themselves.
    let can_run = |check: &DetectedCheck| check.command != PYTEST || is_pytest_installed();
    if detected.checks.iter().any(|check| check.kind == CheckKind::Test && can_run(check)) {
        detected.proposed.clear();
    }
    for check in &mut detected.proposed {
        // tox and nox, where they are there: else what they would run.
        if programs::find(check.command.split(' ').next().unwrap_or_default()).is_none()
            && let Some(otherwise) = check.otherwise.take()
        {
            check.command = otherwise;
        }
        with_whole_name(check);
    }
    detected
}

/// Many systems have Python by its whole name only.
fn with_whole_name(check: &mut DetectedCheck) {
    let is_python = check.command.starts_with("python ");
    if is_python && programs::find("python").is_none() && programs::find("python3").is_some() {
        check.command = check.command.replacen("python", "python3", 1);
    }
}

fn is_pytest_installed() -> bool {
    programs::find("python3").is_none_or(|python| programs::has_python_module(&python, "pytest"))
}

/// What counts where nobody named a check: what is plain from the project's languages, and on a person's word what its
/// CI and task files run.
pub(super) fn agreed_on(
    detected: &Detected,
    (project, config): (&Utf8Path, &Config),
    need: CheckNeed,
    notes: &mut Vec<String>,
) -> Result<Vec<SealedCheck>, PlanError> {
    let mut on_word = detected.clone();
    if config.switch(Key::VerifyDetected) {
        on_word.checks.append(&mut on_word.proposed);
    }
    let taken = checks(&on_word, project, notes);
    let shown = |check: &DetectedCheck| format!("`{}` ({})", check.command, check.why);
    let runs = |check: &&DetectedCheck| is_runnable(check, project);
    // Of a chain of commands it is said which program is not there.
    let lacking = |check: &DetectedCheck| match programs::missing_program(&check.command, project) {
        Some(program) if check.command.contains("&&") => format!("{}: {program}", shown(check)),
        Some(_) | None => shown(check),
    };
    let missing: Vec<String> =
        on_word.checks.iter().chain(&on_word.proposed).filter(|check| !runs(check)).map(lacking).collect();
    on_word.proposed.retain(|check| runs(&check));
    let found: Vec<String> = on_word.proposed.iter().map(shown).collect();
    match on_word.proposed.first() {
        Some(first) if taken.is_empty() && need == CheckNeed::Required => {
            let example = format!("'{}'", first.command.replace('\'', r"'\''"));
            Err(PlanError::OnlyProposed { found, example })
        }
        Some(_) => {
            notes.push(format!("found, but used only with `--detected`: {}", found.join("; ")));
            Ok(taken)
        }
        None if taken.is_empty() && need == CheckNeed::Required => {
            let install = to_install(project, detected);
            Err(PlanError::NoCheck { project: project.to_owned(), missing, install })
        }
        None => Ok(taken),
    }
}

/// The project's tests, or what else was found where there are none; and in one line what was taken and what was not.
pub(super) fn checks(detected: &Detected, project: &Utf8Path, notes: &mut Vec<String>) -> Vec<SealedCheck> {
    let (runnable, missing): (Vec<_>, Vec<_>) =
        detected.checks.iter().partition(|check| is_runnable(check, project));
    let (tests, others): (Vec<_>, Vec<_>) =
        runnable.into_iter().partition(|check| check.kind == CheckKind::Test);
    let (taken, left) = if tests.is_empty() { (others, tests) } else { (tests, others) };
    if !taken.is_empty() {
        notes.push(format!("no check was named; found and sealed: {}", commands(&taken)));
    }
    notes.extend(detected.left_out().iter().cloned());
    if !left.is_empty() {
        let left_out = commands(&left);
        notes.push(format!("found but left out, never tried: {left_out}; `gulf init` tries all of it"));
    }
    if !missing.is_empty() {
        notes.push(format!("found but left out, not installed: {}", commands(&missing)));
    }
    taken.into_iter().map(seal).collect()
}

/// The description of the product, and the criteria by which it is accepted (SPEC A2).
pub(super) fn product(
    project: &Utf8Path,
    config: &Config,
    notes: &mut Vec<String>,
) -> Result<Option<(SealedText, Vec<String>)>, PlanError> {
    let is_looked_for = config.preset.has_levels();
    let found = || prd::PLACES.iter().copied().find(|place| project.join(place).is_file());
    let path = config.optional_text(Key::Prd).or_else(|| is_looked_for.then(found).flatten());
    let Some(path) = path else { return Ok(None) };
    let text = files::read_text(&project.join(path), TEXT_BYTES_MAX)?.content;
    let criteria = prd::acceptance_criteria(&text);
    notes.push(match criteria.len() {
        0 => {
            format!("{path} has no acceptance criteria: write them below a heading `## Acceptance criteria`")
        }
        count => taken(count, path),
    });
    Ok(Some((SealedText { path: path.to_owned(), text }, criteria)))
}

fn taken(count: usize, path: &str) -> String {
    match count {
        1 => format!("1 criterion is taken from {path}"),
        count => format!("{count} criteria are taken from {path}"),
    }
}

/// What a spec is accepted by, where it says so. It may be no more than a text.
pub(super) fn of_spec(spec: &SpecTerms, text: &str, stated: &mut PlannedVerification) {
    let criteria = prd::acceptance_criteria(text);
    if !criteria.is_empty() {
        stated.notes.push(taken(criteria.len(), spec.path.as_str()));
        stated.criteria.extend(criteria);
    }
}

fn is_runnable(check: &DetectedCheck, project: &Utf8Path) -> bool {
    let is_there = programs::missing_program(&check.command, &project.join(&check.folder)).is_none();
    is_there && (check.command != PYTEST || is_pytest_installed())
}

fn seal(check: &DetectedCheck) -> SealedCheck {
    let sealed = SealedCheck::from_command(&check.name, &check.command, format!("detected: {}", check.why));
    SealedCheck { directory: Utf8PathBuf::from(&check.folder), ..sealed }
}

fn commands(checks: &[&DetectedCheck]) -> String {
    let shown = |check: &&DetectedCheck| match check.folder.as_str() {
        "" => check.command.clone(),
        folder => format!("{} (in {folder})", check.command),
    };
    checks.iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// Where each runs and what it reaches there, and whether failures of the base are accepted.
pub(super) fn place_checks(checks: &mut [SealedCheck], config: &Config) -> Result<(), PlanError> {
    let isolation = isolation(config)?;
    for check in checks.iter_mut() {
        check.isolation = isolation;
    }
    for name in config.list(Key::VerifyInPlace) {
        let check = check_by_name(checks, "verify.in_place", name)?;
        (check.place, check.isolation) = (Place::Project, CheckIsolation::Off);
    }
    for name in config.list(Key::VerifyOpen) {
        check_by_name(checks, "verify.open", name)?.isolation = CheckIsolation::Off;
    }
    if config.switch(Key::VerifyBaseline) {
        for check in checks {
            check.baseline = Baseline::Accepted;
        }
    }
    Ok(())
}

fn check_by_name<'a>(
    checks: &'a mut [SealedCheck],
    setting: &'static str,
    name: &str,
) -> Result<&'a mut SealedCheck, PlanError> {
    let check = checks.iter_mut().find(|check| check.name.as_str() == name);
    check.ok_or_else(|| PlanError::UnknownCheck { setting, name: name.to_owned() })
}

/// What was asked for, where this machine can do it.
fn isolation(config: &Config) -> Result<CheckIsolation, PlanError> {
    Ok(match config.choice(Key::VerifyIsolation) {
        config::Isolation::None => CheckIsolation::Off,
        config::Isolation::Auto if Bubblewrap::find().is_ok() => CheckIsolation::WherePossible,
        config::Isolation::Auto => CheckIsolation::Off,
        config::Isolation::Isolated => {
            Bubblewrap::find().map_err(PlanError::NotIsolated)?;
            CheckIsolation::Required
        }
    })
}

// Which checks are held out from the worker, and where such a check may lie.

/// The program of a folder.
const PROGRAM: &str = "run";

/// Holds a check out: a folder by its program, else a command.
pub(super) fn hold_out(check: &mut SealedCheck, project: &Utf8Path) -> Result<(), PlanError> {
    let from = project.join(&check.command);
    let real = |path: &Utf8Path| path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
    let is_inside = |path: &Utf8Path| real(path).starts_with(real(project));
    if !from.is_dir() {
        // A runner of the project's own may be given what lies outside.
        let is_given = |path: &Utf8Path| path.exists() && !is_inside(path) && !programs::is_executable(path);
        let is_outside = named_paths(&check.command).any(|path| is_given(&path));
        let inside = files_of(&check.command, &project.join(&check.directory))
            .find(|path| path.is_file() && is_inside(path));
        if let Some(path) = inside.filter(|_| !is_outside) {
            return Err(PlanError::HeldOutInProject { path: real(&path) });
        }
        check.held_out = Some(HeldOut::Command);
        return Ok(());
    }
    let from = real(&from);
    if is_inside(&from) {
        return Err(PlanError::HeldOutInProject { path: from });
    }
    if !programs::is_executable(&from.join(PROGRAM)) {
        return Err(PlanError::HeldOutWithoutRun { path: from });
    }
    check.command = format!("\"${VARIABLE}/{PROGRAM}\"");
    check.held_out = Some(HeldOut::Folder { from, digest: None });
    Ok(())
}

/// The program that a command starts, and the script that it is given, where they are named by a path.
fn files_of(command: &str, place: &Utf8Path) -> impl Iterator<Item = Utf8PathBuf> {
    let first = first_program(command).into_iter();
    let files = first.flat_map(|first| {
        let folder: Utf8PathBuf = first.folders.iter().collect();
        let program = Some(first.program).filter(|program| program.contains('/'));
        program.into_iter().chain(first.script).map(move |name| folder.join(name))
    });
    files.map(|path| place.join(path))
}

/// Numbers that steer a loop are told to its worker.
pub(super) fn leave_one_open(checks: &[SealedCheck], policy: &Policy) -> Result<(), PlanError> {
    let is_hidden = !checks.is_empty() && checks.iter().all(|check| check.held_out.is_some());
    if policy.feedback.is_some() && is_hidden { Err(PlanError::NoOpenCheck) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    //! What becomes a check by itself.

    use std::collections::BTreeSet;

    use gulf_spec::config::SettingLayers;

    use super::*;

    fn found(checks: &[(CheckKind, &str)]) -> Detected {
        let check = |(kind, command): &(CheckKind, &str)| DetectedCheck {
            name: kind.name().to_owned(),
            command: (*command).to_owned(),
            kind: *kind,
            otherwise: None,
            folder: String::new(),
            why: "it is there".to_owned(),
        };
        Detected { checks: checks.iter().map(check).collect(), ..Detected::default() }
    }

    #[track_caller]
    fn check(detected: &[(CheckKind, &str)], taken: &[&str], told: &[&str]) {
        let mut notes = Vec::new();
        let sealed = checks(&found(detected), Utf8Path::new("/"), &mut notes);
        assert_eq!(sealed.iter().map(|check| check.command.as_str()).collect::<Vec<_>>(), taken);
        assert_eq!(notes, told);
    }

    #[test]
    fn tests_are_sealed_and_a_linter_that_nobody_tried_is_named() {
        check(
            &[(CheckKind::Test, "true 1"), (CheckKind::Lint, "true 2"), (CheckKind::Format, "true 3")],
            &["true 1"],
            &[
                "no check was named; found and sealed: true 1",
                "found but left out, never tried: true 2, true 3; `gulf init` tries all of it",
            ],
        );
    }

    #[test]
    fn where_there_are_no_tests_the_linter_is_sealed() {
        check(&[(CheckKind::Lint, "true 2")], &["true 2"], &["no check was named; found and sealed: true 2"]);
    }

    #[test]
    fn what_is_not_installed_is_named_and_nothing_waits_for_it() {
        let told = "found but left out, not installed: no-such-program .";
        check(&[(CheckKind::Types, "no-such-program .")], &[], &[told]);
    }

    #[test]
    fn what_is_proposed_and_not_installed_is_named_with_its_place_and_not_offered() {
        let proposed = |command: &str| DetectedCheck {
            name: "test".to_owned(),
            command: command.to_owned(),
            kind: CheckKind::Test,
            otherwise: None,
            folder: String::new(),
            why: "Taskfile.yml:3".to_owned(),
        };
        let error = |commands: &[&str]| {
            let proposed = commands.iter().map(|command| proposed(command)).collect();
            let detected = Detected { proposed, ..Detected::default() };
            let place = (Utf8Path::new("/"), &config::load(&SettingLayers::default()).unwrap());
            agreed_on(&detected, place, CheckNeed::Required, &mut Vec::new()).unwrap_err().to_string()
        };
        assert_eq!(
            error(&["no-such-program test"]),
            "no check can run here; found, and its program is not installed: `no-such-program test` (Taskfile.yml:3)"
        );
        let offered = error(&["no-such-program test", "true"]);
        assert!(offered.contains("`true` (Taskfile.yml:3)") && !offered.contains("no-such"), "{offered}");
        assert_eq!(error(&[]), "no check was found in /");
    }

    #[test]
    fn a_file_of_the_project_is_not_held_out_however_a_command_starts_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        let project = root.join("project");
        std::fs::create_dir_all(project.join("ci")).unwrap();
        for file in ["project/held.sh", "project/ci/held.sh", "outside.sh"] {
            std::fs::write(root.join(file), "").unwrap();
        }
        let hold = |command: &str| {
            let mut check = SealedCheck::from_command("acceptance", command, String::new());
            hold_out(&mut check, &project).map(|()| check.held_out)
        };
        let inside =
            ["./held.sh", "/bin/sh held.sh", "cd ci && ./held.sh", "CI=1 bash -e ./ci/held.sh --all"];
        for command in inside.map(str::to_owned).into_iter().chain([project.join("held.sh").into_string()]) {
            assert!(matches!(hold(&command), Err(PlanError::HeldOutInProject { .. })), "{command}");
        }
        let outside =
            ["../outside.sh", "test -f held.sh", "sh ../outside.sh", "./later.sh"].map(str::to_owned);
        for command in outside.into_iter().chain([format!("./held.sh {root}/outside.sh")]) {
            assert!(matches!(hold(&command), Ok(Some(HeldOut::Command))), "{command}");
        }
    }

    #[test]
    fn packages_are_listed_with_their_tests_and_what_installs_filled_only_near_its_top() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        let (own, foreign) = ("packages/web/forms/tests/test_a.py", ".venv/lib/python3/site-packages/a.py");
        for file in [own, foreign, ".venv/bin/pytest", "setup.py"] {
            std::fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            std::fs::write(root.join(file), "").unwrap();
        }
        let listed: BTreeSet<String> = listing(root).into_iter().collect();
        assert!(listed.iter().eq([".venv/bin/pytest", own, "setup.py"]), "{listed:?}");
    }

    #[test]
    fn tox_is_taken_where_it_is_there_and_else_what_it_would_run() {
        let check = |command: &str| DetectedCheck {
            name: "test".to_owned(),
            command: command.to_owned(),
            kind: CheckKind::Test,
            otherwise: Some("sh test.sh".to_owned()),
            folder: String::new(),
            why: "tox.ini:3".to_owned(),
        };
        let proposed = vec![check("no-such-program -e py"), check("true -e py")];
        let detected = with_runners(Detected { proposed, ..Detected::default() });
        let commands: Vec<&str> = detected.proposed.iter().map(|check| check.command.as_str()).collect();
        assert_eq!(commands, ["sh test.sh", "true -e py"]);
    }
}
