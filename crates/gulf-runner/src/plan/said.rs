//! What was said for one loop alone, by flags and variables: kept, so that a later look at gulf.toml reads the same
//! settings above it.

use gulf_spec::config::{CheckSetting, Config, Key, Origin, SettingLayer};

use crate::agreement::StatedSetting;

/// What flags and variables say, in the form of flags.
pub(super) fn stated_settings(config: &Config) -> Vec<StatedSetting> {
    let is_said = |origin: &&Origin| matches!(origin.layer, SettingLayer::Environment | SettingLayer::Flag);
    let say =
        |key: Key, value: &str| StatedSetting { path: key.row().path.to_owned(), value: value.to_owned() };
    let keys = Key::rows().iter().filter_map(|row| {
        let origin = config.origin(row.key).filter(is_said)?;
        Some(say(row.key, origin.source.text()))
    });
    let checks = config.checks.iter().filter(|check| is_said(&&check.origin));
    let key = |check: &CheckSetting| match (check.is_hidden, check.is_new) {
        (true, _) => Key::CheckHidden,
        (false, true) => Key::CheckNew,
        (false, false) => Key::CheckCommand,
    };
    keys.chain(checks.map(|check| say(key(check), &check.command))).collect()
}

/// The same as flags again. What a later gulf no longer knows is left out: it says so where it reads the contract.
pub fn flags(said: &[StatedSetting]) -> Vec<(Key, String)> {
    let key = |path: &str| Key::rows().iter().find(|row| row.path == path).map(|row| row.key);
    said.iter().filter_map(|one| Some((key(&one.path)?, one.value.clone()))).collect()
}
