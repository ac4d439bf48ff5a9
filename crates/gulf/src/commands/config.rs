//! `gulf config`: each value in force and who said it, and the form of `gulf.toml` for editors.

use std::fmt::Write as _;

use gulf_spec::config::{self, Explanation, SettingLayer, SettingLayers};
use gulf_views::{Palette, Tone, columns, one_line, padded};

use super::tell;
use crate::cli::ConfigCommand;
use crate::failure::Failure;
use crate::screen::say;
use crate::{place, settings};

/// A value that is wider does not push the others' origins away.
const VALUE_COLUMNS_MAX: usize = 40;

pub fn config(command: Option<&ConfigCommand>) -> Result<u8, Failure> {
    match command {
        None => explain(None, false),
        Some(ConfigCommand::Explain { key, report }) => explain(key.as_deref(), report.json),
        Some(ConfigCommand::Schema) => say(&config::schema()).map(|()| 0),
    }
}

/// Also where no loop could work: settings of a person and of the environment are in force everywhere. Whoever wrote
/// something that is no setting is sent here, and finds what there is, in its default.
fn explain(key: Option<&str>, is_json: bool) -> Result<u8, Failure> {
    let project = place::project().map(|project| project.directory);
    let directory = project.or_else(|_| place::current_directory())?;
    let mut explained = match config::load(&settings::layers(&directory, Vec::new())?) {
        Ok(config) => config.explain(),
        Err(error) => {
            if !is_json {
                say(&table(&config::load(&SettingLayers::default())?.explain()))?;
            }
            return Err(error.into());
        }
    };
    explained.retain(|one| key.is_none_or(|key| one.path.contains(key)));
    if let (Some(key), true) = (key, explained.is_empty()) {
        let what = format!("no setting has `{key}` in its name");
        return Err(Failure::usage(what, "`gulf config explain` shows all of them"));
    }
    let settings = || explained.iter().map(document).collect::<Vec<_>>();
    let json = || serde_json::json!({ "version": 1, "settings": settings() });
    tell(is_json, json, || table(&explained))
}

fn document(one: &Explanation) -> serde_json::Value {
    serde_json::json!({
        "key": one.path,
        "value": one.value,
        "layer": one.origin.layer,
        "origin": one.origin.to_string(),
    })
}

/// Where nobody said anything, the variable by which it is said.
fn origin(one: &Explanation) -> String {
    let variable = one.variable.filter(|_| one.origin.layer == SettingLayer::Default);
    variable.map_or_else(|| one.origin.to_string(), |variable| format!("{}, {variable}", one.origin))
}

fn table(explained: &[Explanation]) -> String {
    let keys = explained.iter().map(|one| columns(&one.path)).max().unwrap_or(0);
    let values = explained.iter().map(|one| columns(&one_line(&one.value)));
    let values = values.filter(|wide| *wide <= VALUE_COLUMNS_MAX).max().unwrap_or(0);
    let mut text = String::new();
    for one in explained {
        let tone = if one.origin.layer == SettingLayer::Default { Tone::Secondary } else { Tone::Literal };
        let (path, value) = (padded(&one.path, keys), padded(&one_line(&one.value), values));
        let origin = tone.paint(&one_line(&origin(one)), Palette::Colour);
        let _ = writeln!(text, "{path}  {value}  {origin}");
    }
    text
}
