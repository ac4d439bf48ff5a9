//! What a person does in a real browser: every act, two windows at once, and a server that was killed and is back.

use std::net::TcpListener;

use gulf_testkit::{Browser, FakeAgent, Meeting, Sample, Sandbox, Size, Step, Terminal};

use super::{Site, loop_that_is, two_loops};
use crate::{exit, hanging, mend, run};

/// A goal in another script is in the address of its loop.
const GOAL_IN_KOREAN: &str = "인사말을 고친다";

/// On a terminal, where a person's own word counts; and the address that it printed.
fn on_terminal(sandbox: &Sandbox) -> (Terminal, String) {
    let terminal = sandbox.gulf(["web"]).on_terminal(Size { rows: 24, columns: 120 });
    let shown = terminal.wait_for("Ctrl-C stops it");
    let address = shown.split_whitespace().next().unwrap().to_owned();
    (terminal, address)
}

/// Presses a button of a form, with words where it takes some, and once more where it is asked again.
fn act(browser: &mut Browser, word: &str, words: &str) -> String {
    let words = serde_json::json!(words);
    browser.go(&format!(
        "for (const field of document.querySelectorAll('main textarea')) field.value = {words};
         document.querySelector('button[value={word}]').click()"
    ));
    if browser.evaluate("document.querySelector('[name=confirmed]') !== null") == true {
        browser.go("document.querySelector('.buttons button').click()");
    }
    let said = browser.evaluate("document.getElementById('said').innerText");
    said.as_str().unwrap_or_else(|| panic!("{word} leads to a page of gulf's: {said}")).to_owned()
}

/// The acts that the page offers.
fn buttons(browser: &mut Browser) -> String {
    let words = "[...document.querySelectorAll('.acts button')].map(one => one.value).join(' ')";
    browser.evaluate(words).as_str().unwrap().to_owned()
}

#[track_caller]
fn does(browser: &mut Browser, word: &str, words: &str) {
    let said = act(browser, word, words);
    assert!(said.starts_with(word) && said.contains(": done"), "{said}");
}

#[test]
fn a_loop_is_steered_paused_and_goes_on_and_its_work_is_landed_by_clicks() {
    let sandbox = Sandbox::with(&Sample::shell());
    let Some(mut browser) = Browser::start(&sandbox) else { return };
    let (here, was_here) = (Meeting::new(&sandbox, "here"), sandbox.path("was here"));
    let hangs =
        format!("test -e '{was_here}' || {{ touch '{was_here}'; echo > '{}'; sleep 600; }}", here.path());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::run(&hangs)].into_iter().chain(mend()));
    let flag = agent.flag();
    let running =
        sandbox.gulf(["run", GOAL_IN_KOREAN, "--research", "off", "--agent", &flag, "--check", crate::RIGHT]);
    let running = running.start();
    here.wait();
    let site = Site::start(&sandbox, &[]);
    browser.open(&format!("http://{}/?token={}", site.host, site.token));
    browser.go("document.querySelector('.card a').click()");
    browser.wait_for("live");
    assert_eq!(buttons(&mut browser), "steer pause cancel");
    does(&mut browser, "steer", "shorter, please");
    // Another window looks on.
    let address = browser.evaluate("location.href");
    let first = browser.open_window();
    browser.open(address.as_str().unwrap());
    browser.wait_for("live");
    let second = browser.turn_to(first);
    does(&mut browser, "pause", "");
    running.finish().expect_exit(exit::PAUSED);
    browser.wait_for("a pause was requested");
    let first = browser.turn_to(second);
    browser.wait_for("a pause was requested");
    assert!(
        browser.evaluate("document.querySelector('main textarea').value") == "",
        "it was not opened anew"
    );
    assert_eq!(buttons(&mut browser), "steer reject resume cancel");
    let second = browser.turn_to(first);
    act(&mut browser, "resume", "");
    browser.wait_for("every gate passed");
    does(&mut browser, "land", "");
    assert!(sandbox.git(["show", "HEAD:value.txt"]).contains("right"));
    assert_eq!(buttons(&mut browser), "");
    browser.turn_to(second);
    browser.wait_for("every gate passed");
    assert_eq!(sandbox.only_loop().facts_of("steered").len(), 1);
    // A page that is older than what happened may ask for more; what is refused is told as the command tells it.
    browser.evaluate(
        "const button = document.createElement('button');
         [button.name, button.value] = ['act', 'skip'];
         [...document.querySelectorAll('main form')].at(-1).append(button)",
    );
    let skipped = act(&mut browser, "skip", "");
    assert!(skipped.contains("skip ") && skipped.contains("exit code"), "{skipped}");
}

#[test]
fn a_question_is_answered_and_loops_are_cancelled_and_discarded_by_clicks() {
    let sandbox = two_loops();
    let Some(mut browser) = Browser::start(&sandbox) else { return };
    let site = Site::start(&sandbox, &[]);
    browser.open(&format!("http://{}/?token={}", site.host, site.token));
    let [asking, verified] = ["paused", "verified"].map(|word| loop_that_is(&site, word));
    browser.open(&format!("http://{}{asking}", site.host));
    does(&mut browser, "answer", "팔십");
    let inbox = sandbox.gulf(["inbox", "--all", "--json"]).run().expect_exit(0);
    assert!(inbox.stdout.contains("팔십"), "{inbox:#?}");
    browser.go("document.querySelector('button[value=cancel]').click()");
    browser.wait_for("This cannot be taken back.");
    browser.go("document.querySelector('.buttons a').click()");
    sandbox.gulf(["list"]).run().expect_exit(0).does_not_say("cancelled");
    does(&mut browser, "cancel", "");
    sandbox.gulf(["list"]).run().expect_exit(0).says("cancelled");
    browser.open(&format!("http://{}{verified}", site.host));
    assert_eq!(browser.evaluate("document.getElementById('said').innerText"), "", "that was another loop's");
    does(&mut browser, "discard", "");
    assert_eq!(sandbox.read("value.txt"), "wrong\n");
}

#[test]
fn a_persons_own_word_counts_where_the_server_has_their_terminal() {
    for (word, fact) in [("approve", "approved"), ("reject", "rejected")] {
        let Some((sandbox, _)) = crate::base_tests::changed_expectation("ask") else { return };
        let Some(mut browser) = Browser::start(&sandbox) else { return };
        let (_terminal, address) = on_terminal(&sandbox);
        browser.open(&address);
        browser.go("document.querySelector('.card a').click()");
        does(&mut browser, word, "sums are\ntexts <b>now</b>");
        let facts = sandbox.only_loop().facts_of(fact);
        assert!(facts[0].to_string().contains("sums are\\ntexts <b>now</b>"), "{facts:?}");
    }
}

#[test]
fn a_page_whose_server_was_killed_lives_again_when_the_browser_is_let_in_by_the_next_one() {
    let sandbox = Sandbox::with(&Sample::shell());
    let Some(mut browser) = Browser::start(&sandbox) else { return };
    let running = hanging(&sandbox);
    let listen = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let site = Site::start(&sandbox, &["--listen", &listen]);
    browser.open(&format!("http://{listen}/?token={}", site.token));
    browser.go("document.querySelector('.card a').click()");
    browser.wait_for("live");
    drop(site);
    browser.wait_for("not connected");
    running.interrupt();
    running.finish().expect_exit(exit::INTERRUPTED);
    let site = Site::start(&sandbox, &["--listen", &listen]);
    let old = browser.open_window();
    browser.open(&format!("http://{listen}/?token={}", site.token));
    browser.turn_to(old);
    browser.wait_for("interrupted");
    browser.wait_for("live");
    does(&mut browser, "steer", "the form is the new server's");
}

#[test]
fn what_a_worker_writes_in_every_place_is_text_in_a_browser_and_runs_nothing() {
    let attack = "<img src=x onerror=document.title=1><script>document.title=1</script>\u{202e}\"'`";
    let sandbox = Sandbox::with(&Sample::shell());
    let Some(mut browser) = Browser::start(&sandbox) else { return };
    let asks =
        ["gulf", "claim", "need-decision", attack, "--option", attack].map(gulf_testkit::quote).join(" ");
    let steps = [Step::print(attack), Step::write("<b onclick=x>.js", attack), Step::run(&asks)];
    let agent = FakeAgent::new(&sandbox).turn(1, steps);
    let check = format!("echo {}; false", gulf_testkit::quote(attack));
    run(&sandbox, &agent, &["--check", &check]).run().expect_exit(exit::PAUSED);
    let site = Site::start(&sandbox, &[]);
    browser.open(&format!("http://{}/?token={}", site.host, site.token));
    let page = loop_that_is(&site, "paused");
    let tabs = ["", "/turn", "/diff", "/verdict", "/journal", "/prompt", "/report", "/iterations/1"];
    let pages =
        ["/".to_owned(), "/inbox".to_owned()].into_iter().chain(tabs.map(|tab| format!("{page}{tab}")));
    for page in pages {
        browser.open(&format!("http://{}{page}", site.host));
        let ran =
            "document.title === '1' || document.querySelector('main img, main script, main b') !== null";
        assert_eq!(browser.evaluate(ran), false, "{page}");
        assert_eq!(browser.evaluate("document.body.innerText.includes('\\u202e')"), false, "{page}");
    }
}
