//! What people write about the ways by which they are reached.

use std::time::Duration;

use super::super::{SettingLayers, load};
use super::{CommandSays, NotifyEvent, SecretPlace, SlackTerms, is_safe_address};
use crate::problem::{Located, Mistake};
use crate::text::Source;

const SLACK: &str = "[notify]\nslack = \"C01\"\nslack_token = \"SLACK_BOT_TOKEN\"\n";

fn project(text: &str) -> SettingLayers {
    SettingLayers { project: Some(Source::new("gulf.toml", text)), ..SettingLayers::default() }
}

/// The problems of a file, each with its place and as it is shown.
#[track_caller]
fn refused(text: &str) -> Vec<(Mistake, String, String)> {
    let problems = load(&project(text)).unwrap_err();
    let shown = |problem: &Located<Mistake>| format!("{:?}", miette::Report::new(problem.clone()));
    problems.iter().map(|problem| (problem.problem.clone(), problem.place(), shown(problem))).collect()
}

#[test]
fn nobody_is_told_anything_unless_somebody_says_so() {
    let notify = load(&SettingLayers::default()).unwrap().notify;
    assert_eq!((&notify.slack, &notify.webhook, &notify.command), (&None, &None, &None));
    assert_eq!(notify.events, [NotifyEvent::Question, NotifyEvent::Pause, NotifyEvent::End]);
    assert_eq!((notify.poll(), notify.wait()), (Duration::from_secs(30), Some(Duration::from_mins(10))));
}

#[test]
fn each_channel_names_where_its_secret_is() {
    let text = format!(
        "{SLACK}slack_allow = [\"U1\", \"U2\"]\nwebhook = \"/run/secrets/hook\"\nwebhook_secret = \"HOOK_KEY\"\n\
         command = [\"notify-send\", \"gulf\"]\ncommand_answers = true\npoll = \"50ms\"\nwait = \"off\"\n"
    );
    let notify = load(&project(&text)).unwrap().notify;
    assert_eq!((notify.poll(), notify.wait()), (Duration::from_millis(50), None));
    let variable = |name: &str| SecretPlace::Variable { name: name.to_owned() };
    assert_eq!(
        notify.slack,
        Some(SlackTerms {
            conversation: "C01".to_owned(),
            token: variable("SLACK_BOT_TOKEN"),
            allow: vec!["U1".to_owned(), "U2".to_owned()],
            url: "https://slack.com/api".to_owned(),
        })
    );
    let webhook = notify.webhook.unwrap();
    assert_eq!(webhook.url, SecretPlace::File { path: "/run/secrets/hook".to_owned() });
    assert_eq!(webhook.secret, Some(variable("HOOK_KEY")));
    assert_eq!(notify.command.unwrap().says, CommandSays::Answers);
}

#[test]
fn pages_are_named_by_where_they_are_and_never_with_what_lets_in() {
    let web = |address: &str| load(&project(&format!("[notify]\nweb = \"{address}\"\n")));
    let named = |address: &str| web(address).unwrap().notify.web;
    assert_eq!(named("https://box.example/").as_deref(), Some("https://box.example"));
    assert_eq!(named("http://127.0.0.1:7777").as_deref(), Some("http://127.0.0.1:7777"));
    assert_eq!(named(""), None);
    for wrong in ["http://127.0.0.1:7777/?token=SECRET", "http://box.example", "box.example"] {
        let shown = format!("{:?}", web(wrong).unwrap_err());
        assert!(!shown.contains("SECRET") && shown.contains("notify.web"), "{shown}");
    }
}

#[test]
fn a_secret_that_stands_in_the_file_is_refused_and_never_repeated() {
    for secret in [
        "xoxb-12345-SECRET", "https://hooks.example/SECRET", "GULF_SECRET", "relative/SECRET",
        "b1946acSECRETd0a",
    ] {
        let text = format!("[notify]\nslack = \"C01\"\nslack_token = \"{secret}\"\n");
        let problems = refused(&text);
        let (problem, place, shown) = &problems[0];
        assert_eq!(
            problem.to_string(),
            "`notify.slack_token` says where a secret is: the name of a variable in capital letters, or an absolute \
             path of a file"
        );
        assert_eq!(place, "gulf.toml:3:15");
        assert!(!shown.contains("SECRET") && shown.contains("****"), "{shown}");
    }
}

#[test]
fn slack_needs_a_token_and_ids_not_names() {
    let problems = refused("[notify]\nslack = \"#general\"\nslack_allow = [\"@kim\"]\n");
    let words: Vec<String> = problems.iter().map(|(problem, ..)| problem.to_string()).collect();
    assert_eq!(
        words,
        [
            "`notify.slack` must be the id of a channel or user, such as \"C0123456789\", not `#general`",
            "`notify.slack` needs `notify.slack_token`",
            "`notify.slack_allow` must be ids of users, such as \"U0123456789\", not `@kim`",
        ]
    );
}

#[test]
fn events_have_names() {
    let problems = refused("[notify]\nevents = [\"question\", \"everything\"]\n");
    assert_eq!(problems[0].0.to_string(), "`notify.events` must be question, pause or end, not `everything`");
}

#[test]
fn a_token_travels_encrypted_or_not_at_all() {
    for url in [
        "https://slack.com/api",
        "http://127.0.0.1:8080/api",
        "http://localhost",
        "http://[::1]:1/x",
        "https://chat.example/rooms/@ops?to=a@b",
    ] {
        assert!(is_safe_address(url), "{url}");
    }
    for url in [
        "http://slack.com/api",
        "http://127.0.0.1.evil.example/",
        "http://localhost@evil.example",
        "https://",
        "ftp://x",
        "slack.com",
        "https://a b",
        "https://kim:SECRET@chat.example/",
        "https://chat.example\\\\@evil.example/",
    ] {
        assert!(!is_safe_address(url), "{url}");
        let text = format!("{SLACK}slack_url = \"{url}\"\n");
        let shown = format!("{:?}", load(&project(&text)).unwrap_err());
        assert!(!shown.contains("SECRET"), "{shown}");
    }
}
