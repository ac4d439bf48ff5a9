//! What is told, what is meant, and what Slack says, whole, cut and strange.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::answer::{Understood, understand};
use super::slack::{self, From, Message, Page, SlackError};
use super::{Answers, Notice, NoticeKind, Takes};

fn notice(takes: Takes, options: &[&str]) -> Notice {
    Notice {
        key: "question-1".to_owned(),
        kind: NoticeKind::Question,
        loop_id: "2026-02-13T1430_greeting".to_owned(),
        goal: "make the greeting say hello".to_owned(),
        project: "shop".to_owned(),
        standing: "paused".to_owned(),
        says: "the worker needs a decision".to_owned(),
        text: Some("Is it for one person or for all?".to_owned()),
        evidence: Some("greeting.txt says: hi".to_owned()),
        options: options.iter().map(|option| (*option).to_owned()).collect(),
        takes,
        command: "gulf answer 1 \"…\"".to_owned(),
        page: None,
    }
}

#[track_caller]
fn answered(options: &[&str], said: &str, meant: &str) {
    assert_eq!(
        understand(&notice(Takes::Answer, options), said),
        Understood::Answer(meant.to_owned()),
        "{said}"
    );
}

#[track_caller]
fn unclear(takes: Takes, options: &[&str], said: &str) {
    let understood = understand(&notice(takes, options), said);
    assert!(matches!(understood, Understood::Unclear(_)), "{said}: {understood:?}");
}

// proves: A6
#[test]
fn an_option_is_meant_by_its_number_its_letter_or_its_text_in_any_case() {
    let options = ["Keep it", "remove it", "옛 이름"];
    for said in [
        "2", "2.", "#2", "(2)", "option 2", "2번", "2 번", "b", "B", "Remove IT", " `remove it` ", "*2*",
        "“remove it”",
    ] {
        answered(&options, said, "remove it");
    }
    answered(&options, "옛 이름", "옛 이름");
    answered(&options, "answer: ask the owner", "ask the owner");
    answered(&options, "답: 둘 다", "둘 다");
}

#[test]
fn an_options_own_text_comes_before_the_number_of_another() {
    answered(&["3", "1"], "1", "1");
    answered(&["Yes", "yes"], "yes", "yes");
}

// proves: A6
#[test]
fn chatter_is_no_answer_where_options_are_offered() {
    for said in
        ["", "  ", "hm, let me look", "1 or 2", "0", "4", "1234", "keep", "answer:", "answer me", "thanks!"]
    {
        unclear(Takes::Answer, &["keep it", "remove it"], said);
    }
    unclear(Takes::Answer, &["Yes", "yes"], "YES");
}

// proves: A6
#[test]
fn without_options_what_is_said_is_the_answer() {
    answered(&[], "use the old name, please", "use the old name, please");
    for blank in ["\n ", "``", "\u{1b}\u{7}"] {
        unclear(Takes::Answer, &[], blank);
    }
}

#[test]
fn quotes_around_an_answer_are_a_keyboards_and_those_within_it_are_the_persons() {
    answered(&[], " “use the old name” ", "use the old name");
    answered(&[], "*`old`*", "old");
    for own in ["call it `old`", "`old` it is", "\"old\" or \"new\"", "_init or __init__", "don't"] {
        answered(&[], own, own);
        answered(&["one", "two"], &format!("answer: {own}"), own);
    }
    answered(&["keep \"as it is\"", "`main`"], "keep “as it is”", "keep \"as it is\"");
    answered(&["keep \"as it is\"", "`main`"], "main", "`main`");
}

#[test]
fn a_verdict_needs_its_reason_and_a_pause_a_word_that_means_going_on() {
    let verdict = |said| understand(&notice(Takes::Verdict, &[]), said);
    assert_eq!(
        verdict("Approve: the wording is ours"),
        Understood::Approve("the wording is ours".to_owned())
    );
    assert_eq!(verdict("승인: 괜찮다"), Understood::Approve("괜찮다".to_owned()));
    assert_eq!(
        verdict("reject : it must name the file"),
        Understood::Reject("it must name the file".to_owned())
    );
    assert_eq!(verdict("Go on."), Understood::GoOn);
    for said in ["approve", "approved by nobody", "yes", "no", "approve it later?"] {
        unclear(Takes::Verdict, &[], said);
    }
    assert_eq!(understand(&notice(Takes::GoOn, &[]), "yes"), Understood::GoOn);
    for said in ["계속", "네", "OK"] {
        assert_eq!(understand(&notice(Takes::GoOn, &[]), said), Understood::GoOn);
    }
    for said in ["no", "approve: fine", "should it go on?"] {
        unclear(Takes::GoOn, &[], said);
    }
    unclear(Takes::Nothing, &[], "thanks");
}

#[test]
fn a_message_says_what_is_asked_and_how_to_answer() {
    assert_eq!(
        notice(Takes::Answer, &["for one", "for all"]).message(Answers::Here),
        "shop: make the greeting say hello\n\
         paused: the worker needs a decision\n\n\
         > Is it for one person or for all?\n\
         it saw:\n\
         > greeting.txt says: hi\n\
         1. for one\n\
         2. for all\n\n\
         reply in this thread with the number of an option, or `answer: …` in your own words; or type in the project: \
         gulf answer 1 \"…\"\n\
         (2026-02-13T1430_greeting, question-1)"
    );
    let only_told = notice(Takes::Answer, &["for one", "for all"]).message(Answers::InProject);
    assert!(only_told.contains("\n\ntype in the project: gulf answer 1 \"…\"\n"), "{only_told}");
    let long = Notice { text: Some("길".repeat(10_000)), ..notice(Takes::Answer, &[]) };
    assert!(long.message(Answers::Here).chars().count() < 4_000);
    assert!(
        notice(Takes::Nothing, &[])
            .message(Answers::Here)
            .ends_with("(2026-02-13T1430_greeting, question-1)")
    );
}

#[test]
fn what_a_worker_asks_cannot_pass_for_gulfs_own_words_or_for_further_options() {
    let text = "Which?\n1. keep it\n\nreply in this thread with `1`\u{1b}[2J\u{202e}";
    let sly = Notice { text: Some(text.to_owned()), ..notice(Takes::Answer, &["one\n2. none", "two"]) };
    let message = sly.message(Answers::Here);
    assert!(
        message.contains("\n> Which?\n> 1. keep it\n> \n> reply in this thread with `1`[2J\n"),
        "{message}"
    );
    assert!(message.contains("\n1. one 2. none\n2. two\n"), "{message}");
}

#[test]
fn a_notice_for_programs_is_versioned() {
    let document: Value = serde_json::from_slice(&notice(Takes::Answer, &["a"]).json()).unwrap();
    assert_eq!(document["version"], 1);
    assert_eq!(document["notice"]["loop"], "2026-02-13T1430_greeting");
    assert_eq!(
        (&document["notice"]["kind"], &document["notice"]["takes"]),
        (&json!("question"), &json!("answer"))
    );
}

#[test]
fn what_a_worker_wrote_calls_nobody_and_leads_nowhere() {
    let body =
        slack::message("C1", Some("1.2"), "<!channel> see <https://evil.example|here> & <@U1>", ("l", "k"));
    assert_eq!(body["text"], "&lt;!channel&gt; see &lt;https://evil.example|here&gt; &amp; &lt;@U1&gt;");
    assert_eq!((&body["mrkdwn"], &body["thread_ts"]), (&json!(false), &json!("1.2")));
    assert_eq!(body["metadata"]["event_payload"], json!({ "loop": "l", "key": "k" }));
    assert!(slack::message("C1", None, "x", ("l", "k")).get("thread_ts").is_none());
}

fn page(messages: &Value) -> Page {
    let body = json!({ "ok": true, "messages": messages, "response_metadata": { "next_cursor": "" } });
    slack::page(200, body.to_string().as_bytes()).unwrap()
}

#[test]
fn only_what_a_person_wrote_and_left_as_it_was_is_said() {
    let messages = page(&json!([
        { "ts": "1.0", "user": "UBOT", "bot_id": "B1", "text": "the question", "metadata":
            { "event_type": "gulf_notice", "event_payload": { "loop": "l", "key": "question-1" } } },
        { "ts": "2.0", "user": "U1", "text": "<@UBOT> 2 &amp; &lt;b&gt;" },
        { "ts": "3.0", "user": "U1", "text": "1", "edited": { "user": "U1", "ts": "3.5" } },
        { "ts": "4.0", "subtype": "message_deleted", "hidden": true, "user": "U1", "text": "1" },
        { "ts": "5.0", "subtype": "thread_broadcast", "user": "U2", "text": "1" },
        { "ts": "6.0", "text": "nobody's" },
        { "text": "without a name" },
        "not even an object",
    ]))
    .messages;
    let from: Vec<&From> = messages.iter().map(|message| &message.from).collect();
    let person = |id: &str| From::Person(id.to_owned());
    let edited = From::Edited("U1".to_owned());
    let expected = [&From::Program, &person("U1"), &edited, &From::Program, &person("U2"), &From::Program];
    assert_eq!(from, expected);
    assert_eq!(messages[0].notice, Some(("l".to_owned(), "question-1".to_owned())));
    assert_eq!(messages[1].text, "2 & <b>");
}

#[test]
fn a_file_that_looks_like_a_host_is_said_as_it_was_typed() {
    for (sent, typed) in [
        ("edit <http://README.md|README.md> &amp; <http://main.rs|main.rs>", "edit README.md & main.rs"),
        ("see <https://example.com/a?b=1&amp;c>", "see https://example.com/a?b=1&c"),
        ("<@UBOT> ask <@U2>, <#C1|general> or <!here>", "ask @U2, general or here"),
        ("a &lt;b|c&gt; d", "a <b|c> d"),
        ("cut <http://a", "cut <http://a"),
    ] {
        let said = page(&json!([{ "ts": "1.0", "user": "U1", "text": sent, "subtype": "file_share" }]));
        assert_eq!(said.messages[0].text, typed);
        assert_eq!(said.messages[0].from, From::Person("U1".to_owned()));
    }
}

#[test]
fn a_page_names_the_next_one() {
    let body = br#"{"ok":true,"messages":[],"has_more":true,"response_metadata":{"next_cursor":"bmV4dA=="}}"#;
    assert_eq!(slack::page(200, body), Ok(Page { messages: Vec::new(), next: Some("bmV4dA==".to_owned()) }));
}

#[test]
fn each_refusal_is_told_apart_with_what_helps() {
    let refused = |error: &str| {
        let body = json!({ "ok": false, "error": error, "needed": "chat:write" }).to_string();
        slack::posted(200, body.as_bytes()).unwrap_err()
    };
    for error in ["invalid_auth", "token_revoked", "account_inactive", "token_expired", "not_authed"] {
        assert_eq!(refused(error), SlackError::Off(error.to_owned()));
    }
    assert_eq!(refused("channel_not_found"), SlackError::NoConversation("channel_not_found".to_owned()));
    assert_eq!(refused("not_in_channel").hint(), Some("invite the bot into the channel: `/invite @…`"));
    assert_eq!(refused("missing_scope").to_string(), "the token may not do this: chat:write is missing");
    assert_eq!(refused("ratelimited"), SlackError::RateLimited);
    assert!(refused("internal_error").is_passing() && !refused("something_new").is_passing());
    assert_eq!(slack::posted(429, b"").unwrap_err(), SlackError::RateLimited);
    assert_eq!(slack::posted(200, b"<html>Sign in</html>").unwrap_err(), SlackError::NotJson);
    assert_eq!(
        slack::posted(502, b"<html>Bad gateway</html>").unwrap_err(),
        SlackError::Outage("status 502".to_owned())
    );
    assert_eq!(slack::posted(200, br#"{"ok":true}"#).unwrap_err(), SlackError::NotJson);
}

#[test]
fn a_messages_name_tells_when_it_was_written() {
    assert_eq!(slack::said_at_ms("1700000000.123456"), 1_700_000_000_123);
    assert_eq!(slack::said_at_ms("nonsense"), 0);
    assert_eq!(slack::identity(200, br#"{"ok":true,"team":"T","user":"gulf"}"#), Ok("gulf in T".to_owned()));
}

proptest! {
    #[test]
    fn any_answer_of_slacks_is_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200), status in 100..600_u16) {
        let _ = slack::page(status, &bytes);
        let _ = slack::posted(status, &bytes);
    }

    #[test]
    fn any_words_are_understood_or_unclear(said in any::<String>(), take in 0..4_usize) {
        let takes = [Takes::Nothing, Takes::Answer, Takes::GoOn, Takes::Verdict][take];
        let understood = understand(&notice(takes, &["one", "두 번째"]), &said);
        if let Understood::Answer(answer) = understood {
            prop_assert!(!answer.trim().is_empty());
        }
    }

    #[test]
    fn any_text_of_a_message_is_read(text in any::<String>()) {
        let message = json!({ "ts": "1.0", "user": "U1", "text": text });
        prop_assert_eq!(page(&json!([message])).messages.len(), 1);
    }
}

#[test]
fn a_page_cut_anywhere_is_no_page() {
    let whole = json!({ "ok": true, "messages": [{ "ts": "1.0", "user": "U1", "text": "1" }] }).to_string();
    for cut in 0..whole.len() {
        assert!(slack::page(200, &whole.as_bytes()[..cut]).is_err(), "{cut}");
    }
    let message = Message {
        ts: "1.0".to_owned(),
        text: "1".to_owned(),
        from: From::Person("U1".to_owned()),
        notice: None,
    };
    assert_eq!(slack::page(200, whole.as_bytes()).unwrap().messages, [message]);
}
