//! The settings in force: files, variables and flags, read in one place.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::{self};
use gulf_spec::config::{self, Config, Key, SettingLayers};
use gulf_spec::quantity;

use crate::cli::{ChecksArguments, TermsArguments};
use crate::failure::Result;

/// Whose settings count besides the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsScope {
    /// The person's file, the project's, and variables.
    Everyone,
    /// The flags only: a sample of gulf's own goes the same way on every machine.
    Nobody,
}

/// The settings in force for this request.
pub fn heard(place: &PlaceOfWork, heard: SettingsScope, flags: Vec<(Key, String)>) -> Result<Config> {
    match heard {
        SettingsScope::Everyone => load(place, flags),
        SettingsScope::Nobody => Ok(config::load(&SettingLayers { flags, ..SettingLayers::default() })?),
    }
}

/// Where a project's settings stand.
pub const PROJECT_FILE: &str = "gulf.toml";

/// Reads every layer; the flags come last.
pub fn load(place: &PlaceOfWork, flags: Vec<(Key, String)>) -> Result<Config> {
    Ok(config::load(&layers(&place.project, flags)?)?)
}

/// In force in a project, where all of them can be read.
pub fn readable(project: &Utf8Path) -> Option<Config> {
    config::load(&layers(project, Vec::new()).ok()?).ok()
}

/// What every layer says, not looked at yet.
pub fn layers(project: &Utf8Path, flags: Vec<(Key, String)>) -> Result<SettingLayers> {
    let user = match user_file() {
        Some(path) => plan::source(&path, path.as_str())?,
        None => None,
    };
    let ralphrc = plan::ralphrc(project)?;
    let project = plan::source(&project.join(PROJECT_FILE), PROJECT_FILE)?;
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.to_string_lossy().into_owned())));
    let environment = variables.filter(|(name, _)| name.starts_with("GULF_")).collect();
    Ok(SettingLayers { user, ralphrc, project, environment, flags })
}

/// Where a person's own settings lie.
pub fn user_file() -> Option<Utf8PathBuf> {
    let folder = match std::env::var("XDG_CONFIG_HOME") {
        Ok(folder) if folder.starts_with('/') => Utf8PathBuf::from(folder),
        Ok(_) | Err(_) => Utf8PathBuf::from(std::env::var("HOME").ok()?).join(".config"),
    };
    Some(folder.join("gulf").join("gulf.toml"))
}

/// The flags of a start, by the key that each sets.
pub fn flags(arguments: &TermsArguments) -> Vec<(Key, String)> {
    let mut said = [arguments.settings.said.as_slice(), &arguments.of_designs.said].concat();
    said.extend(arguments.no_research.then(|| (Key::Research, "off".to_owned())));
    // `--with-judge` alone is short for a preset.
    if said.iter().all(|(key, _)| *key != Key::Preset)
        && let Some(alone) = said.iter_mut().find(|(key, _)| *key == Key::JudgeRequired)
    {
        *alone = (Key::Preset, "judge".to_owned());
    }
    said
}

/// The flags of gates that are asked without a loop.
pub fn checks(arguments: &ChecksArguments) -> impl Iterator<Item = (Key, String)> {
    let checks = arguments.check.iter().map(|command| (Key::CheckCommand, command.clone()));
    let held_out = arguments.acceptance.iter().map(|command| (Key::CheckHidden, command.clone()));
    let on = |key: Key, set: bool| set.then(|| (key, "true".to_owned()));
    checks
        .chain(held_out)
        .chain(on(Key::VerifyFromClean, arguments.verify_from_clean))
        .chain(on(Key::VerifyDetected, arguments.detected))
}

/// The flags of a start in a session: the original's presets all take a base branch, and where nothing lands it does
/// nothing.
pub fn of_session(place: &PlaceOfWork, mut flags: Vec<(Key, String)>) -> Result<Vec<(Key, String)>> {
    let said = flags.extract_if(.., |(key, _)| *key == Key::LandingBase).next();
    if load(place, flags.clone())?.preset.lands() {
        flags.extend(said);
    }
    Ok(flags)
}

/// What a loop may spend, in words.
pub fn bounds(
    iterations: u32,
    time: Option<Duration>,
    microdollars: Option<u64>,
    tokens: Option<u64>,
) -> Vec<String> {
    let tokens = tokens.map(|most| format!("{} tokens", quantity::print_tokens(most)));
    let money = microdollars.map(quantity::print_money);
    let iterations = Some(gulf_views::iterations(iterations));
    [iterations, time.map(quantity::print_duration), money, tokens].into_iter().flatten().collect()
}
