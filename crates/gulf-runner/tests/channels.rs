//! Channels against a workspace and a receiver on loopback: what they tell once, what they hear, and what they survive.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails, and says where")]

use std::sync::Arc;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::channels::{Notice, NoticeKind, Takes};
use gulf_host::clock::Clock;
use gulf_runner::agreement::{NotifyEvent, NotifyTerms, SecretPlace, SlackTerms, WebhookTerms};
use gulf_runner::channels::{
    AnswerWindow, Channels, Deliveries, Delivery, DeliveryProgress, HeardStanding, try_slack,
};
use gulf_testkit::{Fault, SlackServer, WebhookServer};
use serde_json::json;

const TOKEN: &str = "xoxb-1-SECRET";

/// A loop's folder, and a token beside it.
struct Case {
    folder: tempfile::TempDir,
    slack: SlackServer,
}

impl Case {
    fn new() -> Case {
        let folder = tempfile::Builder::new().prefix("gulf 시험 ").tempdir().unwrap();
        std::fs::write(folder.path().join("token"), TOKEN).unwrap();
        Case { folder, slack: SlackServer::start(TOKEN) }
    }

    fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).unwrap()
    }

    fn terms(&self, conversation: &str) -> NotifyTerms {
        NotifyTerms {
            events: vec![NotifyEvent::Question, NotifyEvent::Pause, NotifyEvent::End],
            poll_ms: 10,
            wait_ms: None,
            timeout_ms: 5_000,
            slack: Some(SlackTerms {
                conversation: conversation.to_owned(),
                token: SecretPlace::File { path: self.path().join("token").into_string() },
                allow: vec!["U01".to_owned()],
                url: self.slack.url(),
            }),
            webhook: None,
            command: None,
            web: None,
        }
    }

    /// A new process, with what the one before it left on disk.
    fn channels(&self) -> Channels {
        self.channels_of(self.terms("C01"))
    }

    fn channels_of(&self, terms: NotifyTerms) -> Channels {
        Channels::new(terms, "loop-길", self.path(), Arc::new(Clock::new())).unwrap()
    }

    fn delivery(&self) -> Option<Delivery> {
        let told = Deliveries::read(self.path()).unwrap();
        told.channels.get("slack").and_then(|slack| slack.told.get("question-1")).cloned()
    }

    /// As a gulf leaves it that is killed while it posts.
    fn is_being_posted(&self) {
        let at_ms = 1_000;
        let told = json!({ "version": 1, "channels": { "slack": { "trouble": null, "told":
            { "question-1": { "kind": "sending", "since_ms": at_ms } } } } });
        std::fs::write(self.path().join("channels.json"), told.to_string()).unwrap();
    }
}

fn question() -> Notice {
    Notice {
        key: "question-1".to_owned(),
        kind: NoticeKind::Question,
        loop_id: "loop-길".to_owned(),
        goal: "a goal".to_owned(),
        project: "shop".to_owned(),
        standing: "paused".to_owned(),
        says: "the worker needs a decision".to_owned(),
        text: Some("which?".to_owned()),
        evidence: None,
        options: vec!["a".to_owned(), "b".to_owned()],
        takes: Takes::Answer,
        command: "gulf answer 1 \"…\"".to_owned(),
        page: None,
    }
}

fn tell(channels: &mut Channels) -> DeliveryProgress {
    channels.tell(&[question()], AnswerWindow::Nobody).unwrap()
}

// proves: A6
#[test]
fn what_was_told_is_not_told_again_by_any_later_process() {
    let case = Case::new();
    assert_eq!(tell(&mut case.channels()), DeliveryProgress::Done);
    assert_eq!(tell(&mut case.channels()), DeliveryProgress::Done);
    assert_eq!(case.slack.posts().len(), 1);
    assert_eq!(case.slack.calls().len(), 1);
    // Neither is what was posted, and never written down.
    for conversation in ["C01", "U07"] {
        let case = Case::new();
        tell(&mut case.channels_of(case.terms(conversation)));
        case.is_being_posted();
        case.slack.pages(1, 2);
        assert_eq!(tell(&mut case.channels_of(case.terms(conversation))), DeliveryProgress::Done);
        assert_eq!(case.slack.posts().len(), 1, "{conversation}");
        assert!(matches!(case.delivery(), Some(Delivery::Posted { .. })));
        case.slack.say("U01", "b");
        let heard = case.channels_of(case.terms(conversation)).hear(&[question()]).unwrap();
        assert_eq!(heard.len(), 1, "it is delivered twice, and is one message");
    }
}

#[test]
fn only_what_somebody_wants_to_hear_of_is_told() {
    let case = Case::new();
    let terms = NotifyTerms { events: vec![NotifyEvent::Pause, NotifyEvent::End], ..case.terms("C01") };
    assert_eq!(tell(&mut case.channels_of(terms)), DeliveryProgress::Done);
    assert!(case.slack.posts().is_empty());
}

// proves: A6
#[test]
fn what_was_announced_and_never_posted_is_posted() {
    let case = Case::new();
    case.is_being_posted();
    assert_eq!(tell(&mut case.channels()), DeliveryProgress::Done);
    assert_eq!(case.slack.posts().len(), 1);
}

// proves: A6
#[test]
fn who_said_what_is_heard_in_order_and_programs_are_not() {
    let case = Case::new();
    tell(&mut case.channels());
    case.slack.say("U99", "1");
    case.slack.say("U01", "2");
    case.slack.say_with(json!({ "user": "U01", "text": "1", "edited": { "user": "U01" } }));
    case.slack.say_with(json!({ "user": "U01", "text": "1", "subtype": "message_deleted" }));
    case.slack.say_with(json!({ "user": "U05", "bot_id": "B2", "text": "1" }));
    case.slack.pages(2, 1);
    let heard = case.channels().hear(&[question()]).unwrap();
    let standings: Vec<(&str, HeardStanding)> =
        heard.iter().map(|heard| (heard.text.as_str(), heard.standing)).collect();
    let expected =
        [("1", HeardStanding::Stranger), ("2", HeardStanding::Allowed), ("1", HeardStanding::Edited)];
    assert_eq!(standings, expected);
    let replies = case.slack.calls().into_iter().filter(|call| call.method == "conversations.replies");
    assert_eq!(replies.count(), 3, "six messages are three pages of two");
    // Nothing is taken in yet, so the next process hears the same.
    assert_eq!(case.channels().hear(&[question()]).unwrap(), heard);
}

// proves: A6
#[test]
fn each_trouble_is_said_once_and_what_passes_is_tried_again() {
    let case = Case::new();
    let mut channels = case.channels();
    case.slack.fail("chat.postMessage", Fault::RateLimited(7));
    assert_eq!(tell(&mut channels), DeliveryProgress::Again);
    assert_eq!(channels.look_again_in(), Duration::from_secs(7));
    assert_eq!(channels.look_again_in(), Duration::from_millis(10), "as agreed");
    assert_eq!(case.delivery(), None, "a refused post stands nowhere");
    for (fault, telling, word) in [
        (Fault::Error("internal_error"), DeliveryProgress::Again, "out of order"),
        (Fault::Html, DeliveryProgress::Again, "no JSON of Slack's"),
        (Fault::Huge(5 << 20), DeliveryProgress::Again, "larger than"),
        (Fault::Error("channel_not_found"), DeliveryProgress::Done, "no such conversation"),
        (Fault::Error("not_in_channel"), DeliveryProgress::Done, "/invite"),
        (Fault::Error("missing_scope"), DeliveryProgress::Done, "scope"),
        (Fault::Error("xoxb-1-SECRET"), DeliveryProgress::Done, "Slack says no: ***"),
    ] {
        case.slack.fail("chat.postMessage", fault.clone());
        drop(channels.notes());
        assert_eq!(tell(&mut channels), telling, "{fault:?}");
        let notes = channels.notes().join("\n");
        assert!(notes.contains(word) && !notes.contains("SECRET"), "{fault:?}: {notes}");
        case.slack.fail("chat.postMessage", fault);
        tell(&mut channels);
        assert!(channels.notes().is_empty(), "it was said already");
    }
    assert_eq!(tell(&mut channels), DeliveryProgress::Done);
    assert_eq!(case.slack.posts().len(), 1);
    assert_eq!(Deliveries::read(case.path()).unwrap().channels["slack"].trouble, None);
}

// proves: A6
#[test]
fn a_token_that_does_not_count_is_not_sent_again_and_a_new_one_is() {
    let case = Case::new();
    std::fs::write(case.path().join("token"), "xoxb-old").unwrap();
    let mut channels = case.channels();
    for _ in 0..3 {
        assert_eq!(tell(&mut channels), DeliveryProgress::Done);
    }
    assert_eq!(case.slack.calls().len(), 1);
    assert!(channels.notes()[0].contains("invalid_auth"));
    std::fs::write(case.path().join("token"), TOKEN).unwrap();
    tell(&mut channels);
    assert_eq!(case.slack.posts().len(), 1);
    case.slack.revoke();
    let (why, hint) = try_slack(&case.terms("C01")).unwrap().unwrap_err();
    assert!(why.contains("token_revoked") && hint.is_some());
}

// proves: A6
#[test]
fn a_network_that_is_down_delays_nobody_and_loses_nothing() {
    let case = Case::new();
    let mut terms = case.terms("C01");
    let there = terms.slack.as_ref().unwrap().url.clone();
    terms.slack.as_mut().unwrap().url = "http://127.0.0.1:1/api".to_owned();
    let mut channels = case.channels_of(terms);
    assert_eq!(tell(&mut channels), DeliveryProgress::Again);
    assert!(channels.notes()[0].contains("slack: connection failed"));
    assert_eq!(there, case.slack.url());
    assert_eq!(tell(&mut case.channels()), DeliveryProgress::Done);
    assert_eq!(case.slack.posts().len(), 1);
}

// proves: B15
#[test]
fn a_webhook_takes_each_notice_once_and_one_that_refuses_is_left_alone() {
    let case = Case::new();
    let hook = WebhookServer::start([503, 200]);
    let address = case.path().join("hook");
    std::fs::write(&address, hook.url()).unwrap();
    let at = |path: &Utf8PathBuf| SecretPlace::File { path: path.to_string() };
    let terms = NotifyTerms {
        slack: None,
        webhook: Some(WebhookTerms { url: at(&address), secret: Some(at(&case.path().join("token"))) }),
        ..case.terms("C01")
    };
    let mut channels = case.channels_of(terms.clone());
    assert_eq!(tell(&mut channels), DeliveryProgress::Again);
    assert_eq!(channels.notes(), ["webhook: it answers with status 503; `gulf inbox` has what is asked"]);
    assert_eq!(tell(&mut channels), DeliveryProgress::Done);
    assert_eq!(tell(&mut case.channels_of(terms.clone())), DeliveryProgress::Done);
    let delivered = hook.delivered();
    assert_eq!(delivered.len(), 2);
    assert_eq!(delivered[0].header("idempotency-key"), Some("loop-%EA%B8%B8%2Fquestion-1"));
    assert_eq!(delivered[0], delivered[1], "the same, signed the same");
    let refusing = WebhookServer::start([410, 410]);
    std::fs::write(&address, refusing.url()).unwrap();
    let end = Notice { key: "end".to_owned(), kind: NoticeKind::End, takes: Takes::Nothing, ..question() };
    for _ in 0..2 {
        let mut channels = case.channels_of(terms.clone());
        assert_eq!(
            channels.tell(std::slice::from_ref(&end), AnswerWindow::Nobody).unwrap(),
            DeliveryProgress::Done
        );
    }
    assert_eq!(refusing.delivered().len(), 1);
    std::fs::write(&address, "http://hooks.example/SECRET").unwrap();
    let pause = Notice { key: "pause-9".to_owned(), kind: NoticeKind::Pause, ..question() };
    let mut channels = case.channels_of(terms);
    channels.tell(&[pause], AnswerWindow::Nobody).unwrap();
    assert!(
        channels.notes()[0].starts_with("webhook: its address is neither https"),
        "nothing is sent in the open"
    );
}

/// As many notices as a worker may ask questions at once.
fn sixteen() -> Vec<Notice> {
    (1..=16).map(|number| Notice { key: format!("question-{number}"), ..question() }).collect()
}

// proves: A6
#[test]
fn a_network_that_swallows_everything_is_asked_once_a_round_and_not_once_a_question() {
    let case = Case::new();
    let hole = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = case.path().join("hook");
    std::fs::write(&address, format!("http://{}/x", hole.local_addr().unwrap())).unwrap();
    let mut terms = case.terms("C01");
    terms.timeout_ms = 100;
    terms.slack.as_mut().unwrap().url = format!("http://{}/api", hole.local_addr().unwrap());
    terms.webhook =
        Some(WebhookTerms { url: SecretPlace::File { path: address.into_string() }, secret: None });
    let mut channels = case.channels_of(terms);
    for round in [1, 2] {
        assert_eq!(channels.tell(&sixteen(), AnswerWindow::Nobody).unwrap(), DeliveryProgress::Again);
        assert!(channels.hear(&sixteen()).unwrap().is_empty());
        hole.set_nonblocking(true).unwrap();
        let came = std::iter::from_fn(|| hole.accept().ok()).count();
        assert_eq!(came, 2, "one call each, in round {round}");
    }
    assert_eq!(channels.notes().len(), 2, "each trouble is said once");
}

// proves: B15
#[test]
fn who_was_refused_for_its_address_or_secret_is_told_once_that_is_mended() {
    let case = Case::new();
    let hook = WebhookServer::start([401, 403]);
    let (address, secret) = (case.path().join("hook"), case.path().join("secret"));
    std::fs::write(&address, hook.url()).unwrap();
    std::fs::write(&secret, "old-and-revoked").unwrap();
    let at = |path: &Utf8PathBuf| SecretPlace::File { path: path.to_string() };
    let webhook = Some(WebhookTerms { url: at(&address), secret: Some(at(&secret)) });
    let terms = NotifyTerms { slack: None, webhook, ..case.terms("C01") };
    let tell = || tell(&mut case.channels_of(terms.clone()));
    for sent in [1, 1] {
        assert_eq!(tell(), DeliveryProgress::Done);
        assert_eq!(hook.delivered().len(), sent);
    }
    std::fs::write(&secret, "another-one").unwrap();
    for sent in [2, 2] {
        assert_eq!(tell(), DeliveryProgress::Done);
        assert_eq!(hook.delivered().len(), sent, "another secret, refused as well");
    }
    std::fs::write(&address, format!("{}/mended", hook.url())).unwrap();
    tell();
    assert_eq!(hook.delivered().len(), 3, "taken at last");
    std::fs::write(&secret, "a-third-one").unwrap();
    tell();
    assert_eq!(hook.delivered().len(), 3, "what was taken is not sent again, whatever changes");
    let told = std::fs::read_to_string(case.path().join("channels.json")).unwrap();
    assert!(!told.contains("old-and-revoked") && !told.contains("T0KEN-IN-A-PATH"), "{told}");
}

// proves: B15
#[test]
fn what_an_earlier_gulf_wrote_as_refused_is_tried_once_more() {
    let case = Case::new();
    let hook = WebhookServer::start([]);
    let address = case.path().join("hook");
    std::fs::write(&address, hook.url()).unwrap();
    let told = json!({ "version": 1, "channels": { "webhook": { "trouble": null, "told":
        { "question-1": { "kind": "refused" } } } } });
    std::fs::write(case.path().join("channels.json"), told.to_string()).unwrap();
    let webhook = Some(WebhookTerms { url: SecretPlace::File { path: address.into_string() }, secret: None });
    let terms = NotifyTerms { slack: None, webhook, ..case.terms("C01") };
    tell(&mut case.channels_of(terms.clone()));
    tell(&mut case.channels_of(terms));
    assert_eq!(hook.delivered().len(), 1);
}

#[test]
fn only_what_is_wanted_is_told() {
    let case = Case::new();
    let terms = NotifyTerms { events: vec![NotifyEvent::End], ..case.terms("C01") };
    tell(&mut case.channels_of(terms));
    assert!(case.slack.calls().is_empty());
}
