//! The table of all settings: its order, and that each can be said by its variable.

use super::*;

#[test]
fn the_table_is_in_the_order_of_its_keys_and_each_path_and_variable_stands_once() {
    for (index, row) in Key::rows().iter().enumerate() {
        assert_eq!(row.key as usize, index, "{}", row.path);
        let same = |other: &&crate::config::KeyRow| {
            other.path == row.path || (other.variable.is_some() && other.variable == row.variable)
        };
        assert_eq!(Key::rows().iter().filter(same).count(), 1, "{}", row.path);
    }
    assert_eq!(reference().lines().count(), Key::rows().len() + 2);
}

#[test]
fn every_key_can_be_said_by_its_variable() {
    for row in Key::rows() {
        let Some(variable) = row.variable else { continue };
        let mut layers = SettingLayers {
            environment: vec![(variable.to_owned(), row.default.to_owned())],
            ..SettingLayers::default()
        };
        if row.default.is_empty() {
            let is_tool = row.path.ends_with("tool") || row.path.ends_with("_agent");
            let is_place =
                [Key::NotifySlackToken, Key::NotifyWebhook, Key::NotifyWebhookSecret].contains(&row.key);
            let is_id = [Key::NotifySlack, Key::NotifySlackAllow].contains(&row.key);
            let words = [
                (row.key == Key::TasksSpecialists, "a=codex"),
                (row.key == Key::JudgeReviewers, "qa, security"),
                (row.key == Key::VerifyVisible, "/a, ~/b"),
                (is_tool, "command:a, b"),
                (is_place, "SOME_VARIABLE"),
                (is_id, "U0123"),
                (row.key == Key::NotifyWeb, "https://box.example"),
                (true, "a, b"),
            ];
            layers.environment[0].1 = words.iter().find(|(fits, _)| *fits).unwrap().1.to_owned();
            if row.key == Key::NotifySlack {
                layers.environment.push(("GULF_NOTIFY_SLACK_TOKEN".to_owned(), "SOME_VARIABLE".to_owned()));
            }
        }
        let config = load(&layers).unwrap();
        assert_eq!(config.origin(row.key).unwrap().to_string(), variable);
    }
}
