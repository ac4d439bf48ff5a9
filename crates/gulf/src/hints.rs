//! What a prompt's words are offered: a preset that is made for them (SPEC A1). Nothing is ever switched.
//!
//! A prompt comes by the command line, by a command in a session, or as an ordinary prompt there.

use camino::Utf8Path;
use gulf_spec::config::{Config, Key, SettingLayer};
use gulf_spec::slash_commands::{Foreign, foreign};
use gulf_spec::triggers::{Offer, offers};

use crate::settings;

/// For a loop that begins, a note for each preset; none where the person named one.
pub fn of_presets(goal: &str, config: &Config) -> Vec<String> {
    let is_said = config.origin(Key::Preset).is_some_and(|origin| origin.layer == SettingLayer::Flag);
    if is_said || !config.switch(Key::PresetHints) {
        return Vec::new();
    }
    let others = offers(goal).into_iter().filter(|offer| offer.preset != config.preset.word());
    others
        .map(|Offer { words, preset, what }| {
            format!("the prompt says “{words}”, and nothing was switched: `--preset {preset}` {what}")
        })
        .collect()
}

/// For a prompt that is a command of another design's, which command of gulf's does what it says; none for any other.
pub fn of_command(prompt: &str) -> Option<String> {
    let Foreign { typed, instead } = foreign(prompt)?;
    Some(format!("gulf: `{typed}` starts nothing of gulf's: {instead}."))
}

/// For a prompt of a session without a loop; empty where nothing is offered. Settings that cannot be read offer nothing:
/// this is said beside somebody's work.
pub fn in_session(project: &Utf8Path, prompt: &str) -> String {
    let found = offers(prompt);
    let is_on = || settings::readable(project).is_some_and(|config| config.switch(Key::PresetHints));
    if found.is_empty() || !is_on() {
        return String::new();
    }
    let lines = found.iter().map(|Offer { words, preset, what }| {
        format!("gulf: the prompt says “{words}”: `/gulf-loop:{preset} PROMPT` {what}. Nothing was started.")
    });
    lines.collect::<Vec<_>>().join("\n")
}
