//! What people write for a session: the commands that they type, and state files; apart because both hold a prompt,
//! and of a prompt no byte may be lost.

use gulf_spec::config::{self, Key, SettingLayers, Shape};
use gulf_spec::marker::{self, Marker, MarkerProblem, Reading};
use gulf_spec::problem::Problem;
use gulf_spec::slash_commands::{self as words, Flag, FlagTakes, Flagged, SlashCommand};

use crate::{Outcome, parts};

/// A prompt as a session's host hands it on.
pub fn spoken(bytes: &[u8]) -> Outcome {
    let prompt = String::from_utf8_lossy(bytes);
    let heard = words::spoken(&prompt, &flags);
    let close = "</pasted_content";
    if prompt.starts_with("/gulf-loop:") && !prompt.contains(close) {
        let pasted = format!("\n\n<pasted_content id=\"1\">\n{prompt}\n{close} id=\"1\">\n");
        assert_eq!(words::spoken(&pasted, &flags), heard, "pasted and typed are the same");
    }
    assert_eq!(heard.is_some(), words::is_command(&prompt), "a command is one whatever its flags are");
    let typed = match heard {
        None => return Outcome::Refused,
        Some(Err(error)) => {
            assert!(!error.to_string().is_empty() && error.hint() != Some(String::new()), "it is said why");
            return Outcome::Refused;
        }
        Some(Ok(SlashCommand::Start(typed) | SlashCommand::Resume(typed) | SlashCommand::Clean(typed))) => {
            typed.to_arguments()
        }
        Some(Ok(SlashCommand::Align(_) | SlashCommand::Status | SlashCommand::Cancel)) => Vec::new(),
        Some(Ok(SlashCommand::Answer(_) | SlashCommand::Help)) => Vec::new(),
    };
    let mut typed = typed.into_iter();
    // Whether there is such a judge, and whether the preset has one, shows when settings are loaded.
    let flags = typed.by_ref().take_while(|word| word != "--").filter_map(|word| setting(&word));
    let layers = SettingLayers {
        flags: flags.filter(|(key, _)| ![Key::JudgeTool, Key::JudgeRequired].contains(key)).collect(),
        ..SettingLayers::default()
    };
    assert!(config::load(&layers).is_ok(), "what was understood can be loaded: {:?}", layers.flags);
    let goal: Vec<String> = typed.collect();
    assert!(goal.len() <= 1 && goal.iter().all(|text| !text.trim().is_empty()), "{goal:?}");
    Outcome::Read
}

/// What a flag sets, where it sets a key.
fn setting(word: &str) -> Option<(Key, String)> {
    let (name, value) = word.split_once('=').unwrap_or((word, "true"));
    Key::rows().iter().find(|row| row.flag == Some(name)).map(|row| (row.key, value.to_owned()))
}

/// Flags like those of the command line, which only the program has: those that set keys, and one of each other kind.
fn flags(of: Flagged) -> Vec<Flag> {
    let flag = |name: &str, short: Option<&str>, takes| Flag {
        names: if name == "--preset" {
            vec![name.to_owned(), "--mode".to_owned()]
        } else {
            vec![name.to_owned()]
        },
        short: short.map(str::to_owned),
        takes,
    };
    let keys = Key::rows().iter().filter_map(|row| {
        let takes = match (row.key, row.shape) {
            (Key::CheckCommand | Key::CheckNew | Key::ParallelStrategies, _) => FlagTakes::Values,
            (Key::AgentTool | Key::AgentModel | Key::AgentAllow | Key::AgentContext, _) => FlagTakes::OnlyRun,
            (Key::TasksFile | Key::TasksOnly | Key::TasksOnLimit, _) => FlagTakes::OnlyRun,
            (_, Shape::Switch) if row.default == "false" => FlagTakes::Nothing,
            _ => FlagTakes::Value,
        };
        let short = if row.key == Key::LimitsMaxIterations { Some("-n") } else { None };
        Some(flag(row.flag?, short, takes))
    });
    let help = flag("--help", Some("-h"), FlagTakes::Nothing);
    match of {
        Flagged::Start => keys
            .chain([flag("--file", Some("-f"), FlagTakes::Value), flag("--spec", None, FlagTakes::Value)])
            .chain([flag("--replace", None, FlagTakes::Nothing), help])
            .collect(),
        Flagged::Resume => keys.chain([flag("--accept-contract", None, FlagTakes::Nothing), help]).collect(),
        Flagged::Clean => vec![flag("--yes", None, FlagTakes::Nothing), help],
    }
}

/// A state file as it was written, and as it is found: of gulf, and of the plugin ralph-loop.
pub fn state_file(bytes: &[u8]) -> Outcome {
    let texts: Vec<_> = parts(bytes).into_iter().map(String::from_utf8_lossy).collect();
    let found = texts.get(1).and_then(|text| marker::read(text).ok());
    let of_ralph = marker::read_ralph(&texts[0]);
    let of_gulf = marker::read(&texts[0]);
    for reading in [of_gulf.as_ref(), of_ralph.as_ref()].into_iter().flatten() {
        assert_eq!(read_again(&reading.marker), Ok(reading.marker.clone()), "what is printed is read back");
        if let Some(found) = &found {
            // Whatever stands there; the worst of it is only named.
            let _ = marker::edits(&reading.marker, found);
        }
        let same = Reading { marker: reading.marker.clone(), warnings: Vec::new() };
        assert_eq!(marker::edits(&reading.marker, &same), [], "nothing was changed");
    }
    if of_gulf.is_ok() { Outcome::Read } else { Outcome::Refused }
}

/// The marker of what is printed, which has nothing to warn of.
fn read_again(marker: &Marker) -> Result<Marker, MarkerProblem> {
    let Reading { marker, warnings } = marker::read(&marker::print(marker))?;
    assert_eq!(warnings, [], "what gulf writes is right");
    Ok(marker)
}
