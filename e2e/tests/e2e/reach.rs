//! A person who is not at the terminal: told by Slack, a webhook or a program, heard from those who may answer, and never
//! lost (SPEC A5, A6; the second design's escalation).

use std::fs;
use std::net::TcpListener;

use camino::Utf8PathBuf;
use gulf_testkit::{
    FakeAgent, FakeJudge, Fault, Invocation, Sample, Sandbox, SlackServer, Step, WebhookServer,
};
use serde_json::{Value, json};

use crate::web::Site;
use crate::{exit, mend, run_right};

/// A token that must never be found anywhere.
const TOKEN: &str = "xoxb-1234-T0PSECRET";
/// Who may answer.
const PERSON: &str = "U01";

/// A project whose worker asks in iteration 1 and obeys in iteration 2, and a workspace.
struct Case {
    sandbox: Sandbox,
    agent: FakeAgent,
    slack: SlackServer,
}

impl Case {
    fn new() -> Case {
        Case::with("", "10m")
    }

    /// With more lines of `[notify]`, and so long a wait.
    fn with(lines: &str, wait: &str) -> Case {
        let slack = SlackServer::start(TOKEN);
        let settings = format!(
            "[notify]\nslack = \"C01\"\nslack_token = \"SLACK_BOT_TOKEN\"\nslack_allow = [\"{PERSON}\"]\n\
             slack_url = \"{}\"\npoll = \"20ms\"\nwait = \"{wait}\"\n{lines}",
            slack.url()
        );
        let sandbox = Sandbox::awkward(&Sample::shell().file("gulf.toml", &settings));
        let asks =
            "gulf claim need-decision 'Keep <the old> & name?' --option 'keep it' --option 'rename it'";
        // What a worker sees of the person's variables is in its tally.
        let agent = FakeAgent::new(&sandbox)
            .turn(1, [Step::run("env"), Step::run(asks)])
            .turn(2, [Step::write("value.txt", "right\n"), Step::claim()]);
        Case { sandbox, agent, slack }
    }

    fn run(&self, arguments: &[&str]) -> Invocation {
        run_right(&self.sandbox, &self.agent, arguments).variable("SLACK_BOT_TOKEN", TOKEN)
    }

    fn gulf<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
        self.sandbox.gulf(arguments).variable("SLACK_BOT_TOKEN", TOKEN)
    }

    /// The one answer, as the journal has it.
    #[track_caller]
    fn answer(&self) -> Value {
        let answers = self.sandbox.only_loop().facts_of("answered");
        assert_eq!(answers.len(), 1, "{answers:?}");
        answers[0].clone()
    }

    /// The token is nowhere: not in gulf's home, not in the project, not in what the worker saw.
    #[track_caller]
    fn holds_no_secret(&self) {
        let found = holding(self.sandbox.root().to_owned(), TOKEN);
        assert!(found.is_empty(), "the token is in {found:?}");
    }
}

/// The files below a folder that hold this text.
fn holding(folder: Utf8PathBuf, text: &str) -> Vec<Utf8PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8().unwrap() {
            let entry = entry.unwrap();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                folders.push(entry.path().to_owned());
            } else if kind.is_file() {
                let bytes = fs::read(entry.path()).unwrap();
                if bytes.windows(text.len()).any(|window| window == text.as_bytes()) {
                    found.push(entry.path().to_owned());
                }
            }
        }
    }
    found
}

// proves: A5, A6, A6/notify-user
#[test]
fn a_question_goes_to_slack_and_its_answer_leads_on_to_verified() {
    let case = Case::new();
    case.slack.will_answer(PERSON, "2");
    case.run(&[]).run().expect_exit(exit::VERIFIED).does_not_say(TOKEN);
    let posts = case.slack.posts();
    assert_eq!(posts.len(), 2, "{posts:#?}");
    assert!(
        posts[0].contains("&gt; Keep &lt;the old&gt; &amp; name?\n1. keep it\n2. rename it"),
        "{}",
        posts[0]
    );
    assert!(posts[1].contains("verified: every gate passed"), "{}", posts[1]);
    assert_eq!(case.slack.replies(), ["taken: rename it"]);
    let answer = case.answer();
    assert_eq!(answer["answer"], "rename it");
    assert_eq!((&answer["by"]["channel"], &answer["by"]["who"]), (&"slack".into(), &PERSON.into()));
    assert!(case.agent.tally().prompt(2).contains("rename it"));
    case.holds_no_secret();
    case.sandbox.assert_nothing_left();
}

// proves: A6
#[test]
fn after_the_wait_no_process_is_left_and_a_late_answer_is_read_by_resume() {
    let case = Case::with("", "2s");
    case.run(&[]).run().expect_exit(exit::PAUSED).says("waiting for a person about question-1");
    case.sandbox.assert_nothing_left();
    let status = |case: &Case| -> Value {
        serde_json::from_str(&case.gulf(["status", "--json"]).run().expect_exit(0).stdout).unwrap()
    };
    assert_eq!(status(&case)["waiting"], "waiting-user");
    // The time that was agreed on is over: nobody waits for it again.
    case.gulf(["resume"]).run().expect_exit(exit::PAUSED).does_not_say("waiting for a person");
    case.slack.say("U99", "1");
    case.slack.say(PERSON, "hm, let me think");
    assert_eq!(status(&case)["channels"][0]["unread"], Value::Array(Vec::new()));
    case.slack.say_with(json!({ "user": PERSON, "text": "2", "edited": { "user": PERSON } }));
    let ts = case.slack.say(PERSON, "Keep It");
    let before = case.sandbox.only_loop().events().len();
    case.gulf(["status"])
        .run()
        .expect_exit(0)
        .says("U01 answers question-1: Keep It; `gulf resume` accepts it");
    case.gulf(["inbox"]).run().expect_exit(0).says("U01 answers question-1 by slack: Keep It");
    assert_eq!(case.sandbox.only_loop().events().len(), before, "who only looks admits nothing");
    // Who answers twice is told that the first one counts.
    case.slack.say(PERSON, "2");
    case.slack.pages(1, 2);
    case.gulf(["resume"]).run().expect_exit(exit::VERIFIED).does_not_say(TOKEN);
    let answer = case.answer();
    assert_eq!((&answer["answer"], &answer["by"]["message"]), (&"keep it".into(), &ts.into()));
    // Told once each, and only the one who may answer is answered.
    let refused = case.sandbox.only_loop().facts_of("refused");
    assert_eq!(refused.len(), 4, "{refused:#?}");
    assert!(refused[0]["reason"].as_str().unwrap().contains("notify.slack_allow"), "{refused:#?}");
    let replies = case.slack.replies();
    assert_eq!(replies[2..], ["taken: keep it", "not taken: it has already been answered"], "{replies:#?}");
    assert!(replies[0].contains("1. keep it\n2. rename it"), "{replies:#?}");
    assert!(replies[1].starts_with("an edited message does not count"), "{replies:#?}");
    case.holds_no_secret();
}

// proves: A6, G9
#[test]
fn whoever_sees_only_the_chat_is_told_what_was_rejected_and_judges_it_there() {
    let case = Case::with("", "10m");
    case.sandbox.write("RUBRIC.md", "## Judge criteria\n- It says why\n");
    let no = json!({"number": 1, "word": "unmet", "reason": "nobody <says> why", "quotes": []});
    let judge = FakeJudge::new(&case.sandbox).says(&json!({"criteria": [no], "principle": ""}).to_string());
    let flags = ["--judge", &judge.flag(), "-t", "1"];
    let agent = FakeAgent::new(&case.sandbox).otherwise(mend());
    case.slack.will_answer(PERSON, "Approve: the reason is in the ticket");
    let run = run_right(&case.sandbox, &agent, &flags).variable("SLACK_BOT_TOKEN", TOKEN);
    run.run().expect_exit(exit::ATTESTED);
    let told = &case.slack.posts()[0];
    assert!(
        told.contains("This is the gate at work") && told.contains("&gt; rejected in iteration 1"),
        "{told}"
    );
    assert!(told.contains("nobody &lt;says&gt; why"), "{told}");
    let approved = &case.sandbox.only_loop().facts_of("approved")[0];
    assert_eq!(approved["reason"], "the reason is in the ticket");
    assert_eq!((&approved["by"]["channel"], &approved["by"]["who"]), (&"slack".into(), &PERSON.into()));
    assert_eq!(case.slack.replies(), ["taken: approved: the reason is in the ticket"]);
}

// proves: A6
#[test]
fn whoever_waits_goes_on_by_itself_by_a_channel_or_by_another_terminal() {
    let case = Case::with("", "off");
    let waiting = case.run(&["--wait"]).start();
    case.slack.wait_for("conversations.replies", 2);
    case.slack.say(PERSON, "1");
    waiting.finish().expect_exit(exit::VERIFIED);
    let case = Case::with("", "off");
    let waiting = case.run(&["--wait=2h"]).start();
    case.slack.wait_for("conversations.replies", 1);
    case.gulf(["answer", "rename it"])
        .run()
        .expect_exit(0)
        .says("the waiting gulf process continues by itself");
    waiting.finish().expect_exit(exit::VERIFIED);
    assert!(case.answer().get("by").is_none());
    let case = Case::with("", "off");
    case.run(&["--wait=50ms"]).run().expect_exit(exit::PAUSED);
}

// proves: A6, B8
#[test]
fn killed_between_post_and_record_a_question_is_not_asked_twice() {
    for place in ["channels.sending", "channels.sent"] {
        let case = Case::with("", "100ms");
        let killed = case
            .run(&[])
            .variable("GULF_CRASH_COUNT", case.sandbox.path("hits"))
            .variable("GULF_CRASH_AT", place)
            .run();
        assert_eq!(killed.exit, None, "{place}");
        case.slack.will_answer(PERSON, "1");
        if place == "channels.sent" {
            case.slack.say(PERSON, "1");
        }
        case.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
        let questions = case.slack.posts().iter().filter(|post| post.contains("the old")).count();
        assert_eq!(questions, 1, "{place}: {:#?}", case.slack.posts());
        assert_eq!(case.agent.tally().turns(), [(1, 1), (2, 1)]);
    }
}

// proves: A6
#[test]
fn a_revoked_token_is_said_once_and_the_inbox_stays() {
    let case = Case::with("", "100ms");
    case.slack.revoke();
    let paused = case.run(&[]).run().expect_exit(exit::PAUSED).does_not_say(TOKEN);
    assert_eq!(paused.stderr.matches("token_revoked").count(), 1, "{}", paused.stderr);
    assert_eq!(case.slack.calls().len(), 1, "it was asked again with the same token");
    case.gulf(["status"]).run().expect_exit(0).says("slack: the token does not count: token_revoked");
    case.gulf(["doctor"]).run().expect_exit(exit::ERROR).says("token_revoked").does_not_say(TOKEN);
    case.gulf(["inbox"]).run().expect_exit(0).says("1. keep it");
    case.gulf(["answer", "1"]).run().expect_exit(0);
    case.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    case.holds_no_secret();
}

// proves: A6, B15
#[test]
fn a_webhook_is_signed_and_delivered_again_until_it_is_taken() {
    let hook = WebhookServer::start([500]);
    let case = Case::with("webhook = \"HOOK_URL\"\nwebhook_secret = \"HOOK_KEY\"\n", "10m");
    case.slack.will_answer(PERSON, "1");
    let run = case.run(&[]).variable("HOOK_URL", hook.url()).variable("HOOK_KEY", "k3y-of-the-hook");
    let run = run.variable("GULF_NOTIFY_WEB", "https://box.example/");
    run.run().expect_exit(exit::VERIFIED).does_not_say("T0KEN-IN-A-PATH").does_not_say("k3y-of-the-hook");
    let delivered = hook.delivered();
    let keys: Vec<&str> = delivered.iter().map(|one| one.header("idempotency-key").unwrap()).collect();
    assert!(keys.iter().all(|key| key.is_ascii()), "{keys:?}");
    assert!(keys[0].ends_with("question-1") && keys.last().unwrap().ends_with("end"), "{keys:?}");
    let question: Value = serde_json::from_str(&delivered[0].body).unwrap();
    assert_eq!(question["notice"]["options"][1], "rename it");
    let page = question["notice"]["page"].as_str().unwrap().strip_prefix("https://box.example").unwrap();
    let site = Site::start(&case.sandbox, &[]);
    assert!(site.page(page).contains(question["notice"]["goal"].as_str().unwrap()), "{page}");
    assert_eq!(delivered[0].header("x-gulf-signature-256").unwrap().len(), "sha256=".len() + 64);
    for secret in ["T0KEN-IN-A-PATH", "k3y-of-the-hook"] {
        assert_eq!(holding(case.sandbox.root().to_owned(), secret), Vec::<Utf8PathBuf>::new());
    }
}

#[test]
fn a_webhook_that_never_answers_is_waited_for_once() {
    let hook = TcpListener::bind("127.0.0.1:0").unwrap();
    let case = Case::with("webhook = \"HOOK_URL\"\ntimeout = \"1s\"\n", "1s");
    let run = case.run(&[]).variable("HOOK_URL", format!("http://{}/", hook.local_addr().unwrap()));
    run.run().expect_exit(exit::PAUSED).says("webhook: no answer in time");
    hook.set_nonblocking(true).unwrap();
    assert_eq!(std::iter::from_fn(|| hook.accept().ok()).count(), 1);
}

// proves: A6, B15
#[test]
fn any_program_can_answer_and_none_that_the_worker_could_change() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    let program = sandbox.path("ask me.sh");
    fs::write(&program, "#!/bin/sh\ncat >> \"$(dirname \"$0\")/heard\"\necho 2\n").unwrap();
    sandbox.program("chmod", ["+x", program.as_str()]).run().expect_exit(0);
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::run("gulf claim need-decision 'which?' --option a1 --option b2")])
        .turn(2, mend());
    let run = |program: &str| {
        run_right(&sandbox, &agent, &[])
            .variable("GULF_NOTIFY_COMMAND", program)
            .variable("GULF_NOTIFY_COMMAND_ANSWERS", "true")
    };
    let inside = sandbox.file("check.sh");
    run(inside.as_str()).run().expect_exit(exit::REFUSED_START).says("the worker can change it");
    run("./check.sh").run().expect_exit(exit::REFUSED_START).says("the worker can change it");
    run(program.as_str()).run().expect_exit(exit::VERIFIED);
    let answer = &sandbox.only_loop().facts_of("answered")[0];
    assert_eq!((&answer["answer"], &answer["by"]["channel"]), (&"b2".into(), &"command".into()));
    let heard = fs::read_to_string(sandbox.path("heard")).unwrap();
    assert!(heard.contains("\"key\":\"question-1\"") && heard.contains("\"key\":\"end\""), "{heard}");
    sandbox.assert_nothing_left();
    // One that fails has said nothing, whatever it printed.
    fs::write(&program, "#!/bin/sh\ncat > /dev/null\necho 2\nexit 1\n").unwrap();
    let again =
        FakeAgent::new(&sandbox).otherwise([Step::run("gulf claim cannot 'how?' --option a1 --option b2")]);
    let run = run_right(&sandbox, &again, &["--replace"])
        .variable("GULF_NOTIFY_COMMAND", program.as_str())
        .variable("GULF_NOTIFY_COMMAND_ANSWERS", "true")
        .variable("GULF_NOTIFY_WAIT", "2s");
    run.run().expect_exit(exit::PAUSED).says("command: it exited with 1");
}

// proves: A6
#[test]
fn a_workspace_in_trouble_delays_nothing_and_is_asked_again() {
    let case = Case::with("timeout = \"2s\"\n", "10m");
    case.slack.fail("chat.postMessage", Fault::LostAnswer);
    case.slack.fail("conversations.replies", Fault::RateLimited(0));
    case.slack.fail("conversations.replies", Fault::Html);
    case.slack.will_answer(PERSON, "answer: as it is");
    case.run(&[]).run().expect_exit(exit::VERIFIED).says("slack: ");
    assert_eq!(case.answer()["answer"], "as it is");
    let questions = case.slack.posts().iter().filter(|post| post.contains("the old")).count();
    assert_eq!(questions, 1, "the answer was lost, and the question stands there all the same");
}

// proves: A6, B15
#[test]
fn whoever_sleeps_is_told_that_gulf_itself_could_not_go_on_and_how_an_agent_failed() {
    let case = Case::new();
    let requests = format!("find \"{}\" -type d -name requests", case.sandbox.root());
    // What gulf reads between two steps is no folder any more.
    let breaks = format!("{requests} | while read -r it; do rm -r \"$it\"; touch \"$it\"; done");
    let agent = FakeAgent::new(&case.sandbox).turn(1, [Step::run(&breaks)]);
    let run = |agent: &FakeAgent, arguments: &[&str]| {
        let run = run_right(&case.sandbox, agent, arguments).variable("SLACK_BOT_TOKEN", TOKEN);
        run.variable("GULF_MAX_FAILURES", "1").run()
    };
    run(&agent, &[]).expect_exit(exit::ERROR).says("requests").does_not_say(TOKEN);
    let posts = case.slack.posts();
    assert_eq!(posts.len(), 1, "{posts:#?}");
    assert!(
        posts[0].contains("gulf itself could not continue") && posts[0].contains("&gt; "),
        "{}",
        posts[0]
    );
    let mend = format!("find \"{}\" -name requests -type f -delete", case.sandbox.root());
    case.sandbox.program("sh", ["-c", &mend]).run().expect_exit(0);
    // The loop is as it was; what becomes of it is told as ever, in the agent's own words where it failed.
    let line = "no <credit> left".to_owned();
    let fails = FakeAgent::new(&case.sandbox).otherwise([Step::Complain { line }, Step::Exit { code: 7 }]);
    run(&fails, &["--replace"]).expect_exit(exit::UNAVAILABLE);
    let told = &case.slack.posts()[1];
    assert!(told.contains("unavailable") && told.contains("with exit code 7"), "{told}");
    assert!(told.contains("no &lt;credit&gt; left"), "{told}");
}

// proves: A6, B15
#[test]
fn doctor_asks_whose_token_it_is_and_posts_nothing() {
    let case = Case::new();
    case.gulf(["trust"]).run().expect_exit(0);
    case.gulf(["doctor"]).run().says("gulf in Workspace, writes to C01");
    assert!(case.slack.posts().is_empty());
    case.sandbox.gulf(["doctor"]).run().expect_exit(exit::ERROR).says("SLACK_BOT_TOKEN is not set");
    // Where the token is in the project, or stands in the settings, nothing is started.
    case.sandbox.write("token", TOKEN);
    let inside = case.sandbox.file("token");
    let run = case.run(&[]).variable("GULF_NOTIFY_SLACK_TOKEN", inside.as_str());
    run.run().expect_exit(exit::REFUSED_START).says("where the worker can read");
    let run = case.run(&[]).variable("GULF_NOTIFY_SLACK_TOKEN", TOKEN);
    run.run().expect_exit(exit::REFUSED_START).does_not_say(TOKEN);
}
