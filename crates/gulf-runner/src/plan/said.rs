//! What was said for one loop alone, by flags and variables: kept, so that a later look at gulf.toml reads the same
//! settings above it.

use camino::Utf8Path;
use gulf_spec::config::{CheckSetting, Config, Key, Origin, PresetJudge, SettingLayer};

use super::policy::{Judging, judging};
use super::{Plan, PlanError};
use crate::agreement::StatedSetting;
use crate::environment::Environment;

/// What flags and variables say, in the form of flags.
pub(super) fn stated_settings(config: &Config) -> Vec<StatedSetting> {
    let is_said = |origin: &&Origin| matches!(origin.layer, SettingLayer::Environment | SettingLayer::Flag);
    let say =
        |key: Key, value: &str| StatedSetting { path: key.row().path.to_owned(), value: value.to_owned() };
    let keys = Key::rows()
        .iter()
        .filter_map(|row| Some(say(row.key, config.origin(row.key).filter(is_said)?.source.text())));
    let checks = config.checks.iter().filter(|check| is_said(&&check.origin));
    let key = |check: &CheckSetting| match (check.is_hidden, check.is_new) {
        (true, _) => Key::CheckHidden,
        (false, true) => Key::CheckNew,
        (false, false) => Key::CheckCommand,
    };
    keys.chain(checks.map(|check| say(key(check), &check.command))).collect()
}

/// Nobody judges: a flag for a judge or a reviewer would have no effect. In a file it may wait for criteria.
pub(super) fn refuse_unjudged(config: &Config, Plan { terms, notes }: &mut Plan) -> Result<(), PlanError> {
    if terms.judge.is_some() || terms.worker.is_adopted() {
        return Ok(());
    }
    let (why, help) = match (judging(config), config.preset.judge()) {
        (Judging::Never, PresetJudge::ByLevel) => ("level 1 has none".to_owned(), "choose `--level 2`"),
        (Judging::Never, _) => {
            (format!("the preset {} has none", config.preset.word()), "choose `--preset judge`")
        }
        _ if terms.criteria.is_empty() => (
            format!("{} has no criteria", terms.rubric),
            "write `## Judge criteria` there with one line `- criterion` each",
        ),
        _ => ("none is installed".to_owned(), "name one that is, such as `--judge claude`"),
    };
    let has_reviewers = !config.list(Key::JudgeReviewers).is_empty();
    for (key, is_set) in [(Key::JudgeReviewers, has_reviewers), (Key::JudgeTool, config.judge.is_some())] {
        let is_typed = config.origin(key).is_some_and(|origin| origin.layer == SettingLayer::Flag);
        if let Some(flag) = key.row().flag.filter(|_| is_set && is_typed) {
            return Err(PlanError::Unjudged { flag, why, help });
        }
    }
    if has_reviewers {
        notes.push(format!("judge.reviewers has no effect, because no judge is asked: {why}"));
    }
    Ok(())
}

/// Paths that are shown to a check or an agent and lead nowhere. Who shares a gulf.toml need not have all of them.
pub(super) fn lost_paths(config: &Config, project: &Utf8Path) -> impl Iterator<Item = String> {
    let environment = Environment::of_this_process();
    let listed = [Key::VerifyVisible, Key::AgentReach].into_iter();
    let listed = listed.flat_map(|key| config.list(key).iter().map(move |path| (key.row().path, path)));
    let lost = listed.filter(move |(_, path)| !environment.spelled_out(path, project).exists());
    lost.map(|(setting, path)| format!("`{setting}` names {path}, and there is no such path"))
}

/// The same as flags again. What a later gulf no longer knows is left out: it says so where it reads the contract.
pub fn flags(said: &[StatedSetting]) -> Vec<(Key, String)> {
    let key = |path: &str| Key::rows().iter().find(|row| row.path == path).map(|row| row.key);
    said.iter().filter_map(|one| Some((key(&one.path)?, one.value.clone()))).collect()
}
