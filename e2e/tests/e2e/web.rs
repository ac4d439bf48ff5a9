//! `gulf web` over plain sockets: who gets in, what the pages show of real loops, and what their forms do.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use gulf_testkit::{FakeAgent, Meeting, Sample, Sandbox, Size, Step, chromium, gulf};

use crate::{exit, hanging, mend, run, run_right};

mod browsing;
mod entrance;
mod limits;
mod reading;
mod several;

/// A server, and who talks to it. Killed when dropped.
pub(crate) struct Site {
    child: Child,
    host: String,
    token: String,
    cookie: String,
}

/// What came back.
struct Answer {
    code: u16,
    head: String,
    body: String,
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Site {
    pub(crate) fn start(sandbox: &Sandbox, flags: &[&str]) -> Site {
        Site::start_by(&mut sandbox.command(gulf().as_str()), flags)
    }

    fn start_by(command: &mut Command, flags: &[&str]) -> Site {
        command.arg("web").args(flags).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap();
        let (host, token) = address.split_once("/?token=").unwrap();
        let (host, token) = (host.to_owned(), token.to_owned());
        let mut site = Site { child, host, token, cookie: String::new() };
        let entry = site.ask("GET", &format!("/?token={}", site.token), &[], "");
        assert_eq!(entry.code, 303);
        assert!(entry.head.to_lowercase().contains("location: /\r\n"), "{}", entry.head);
        let cookie = entry.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        assert!(cookie.contains("; HttpOnly; SameSite=Strict; Path=/"), "{cookie}");
        site.cookie = cookie.split(';').next().unwrap().to_owned();
        site
    }

    /// Headers that are given replace the usual ones.
    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let length = body.len().to_string();
        let mut all =
            vec![("Host", self.host.as_str()), ("Connection", "close"), ("Content-Length", &length)];
        if !self.cookie.is_empty() {
            all.push(("Cookie", &self.cookie));
        }
        all.retain(|(name, _)| headers.iter().all(|(other, _)| name != other));
        all.extend(headers.iter().filter(|(_, value)| !value.is_empty()));
        let mut request = format!("{method} {path} HTTP/1.1\r\n");
        for (name, value) in all {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str(&format!("\r\n{body}"));
        self.raw(request.as_bytes())
    }

    fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        stream.write_all(request).unwrap();
        let mut text = Vec::new();
        // Whoever is refused may be cut off after the answer, with more to send.
        let _ = stream.read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let code = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { code, head: format!("{head}\r\n"), body: body.to_owned() }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    pub(crate) fn page(&self, path: &str) -> String {
        let answer = self.ask("GET", path, &[], "");
        assert_eq!(answer.code, 200, "{path}: {}{}", answer.head, answer.body);
        answer.body
    }

    fn csrf(&self, path: &str) -> String {
        let page = self.page(path);
        let after = page.split_once("name=\"csrf\" value=\"").unwrap().1;
        after.split('"').next().unwrap().to_owned()
    }

    /// The stream of the loop with this page; without one that of the list.
    pub(crate) fn listen(&self, page: &str, last: &str) -> BufReader<TcpStream> {
        let (mut stream, id) = (self.connect(), page.rsplit('/').next().unwrap());
        let Site { host, cookie, .. } = self;
        let which = if id.is_empty() { String::new() } else { format!("?loop={id}") };
        let request =
            format!("GET /events{which} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n{last}\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        BufReader::new(stream)
    }

    /// As a browser sends a form of a page.
    fn post(&self, path: &str, fields: &str) -> Answer {
        let origin = format!("http://{}", self.host);
        let form = ("Content-Type", "application/x-www-form-urlencoded");
        self.ask("POST", path, &[("Origin", &origin), form], fields)
    }
}

/// The next event that a stream tells.
pub(crate) fn next(stream: &mut BufReader<TcpStream>, what: &str) -> u64 {
    loop {
        let mut line = String::new();
        assert_ne!(stream.read_line(&mut line).unwrap(), 0, "the stream ended before `{what}`");
        if let Some(said) = line.strip_prefix(what) {
            return said.trim().parse().unwrap();
        }
    }
}

/// A loop that is verified, and one that asks.
fn two_loops() -> Sandbox {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::append("other", "x"), Step::claim()]).turn(2, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let asks = FakeAgent::named(&sandbox, "asks")
        .turn(1, [Step::run("gulf claim need-decision '어느 <b>포트</b>?' --option 80 --option '빈 것'")]);
    run(&sandbox, &asks, &["--check", "test -e port"]).run().expect_exit(exit::PAUSED);
    sandbox
}

/// The address of the loop whose card says this word.
fn loop_that_is(site: &Site, word: &str) -> String {
    let page = site.page("/");
    let card = page.split("<li class=\"card\">").find(|card| card.contains(&format!(">{word}</span>")));
    let card = card.unwrap_or_else(|| panic!("no loop is {word}: {page}"));
    card.split_once("href=\"").unwrap().1.split('"').next().unwrap().to_owned()
}

#[test]
fn only_who_has_the_address_gets_in_and_only_by_the_names_of_this_server() {
    let sandbox = Sandbox::with(&Sample::shell());
    let site = Site::start(&sandbox, &[]);
    let port = site.host.split_once(':').unwrap().1;
    let asked = |headers: &[(&str, &str)]| site.ask("GET", "/", headers, "").code;
    assert_eq!(asked(&[]), 200);
    assert_eq!(asked(&[("Host", &format!("localhost:{port}"))]), 200);
    assert_eq!(asked(&[("Host", "evil.example")]), 421);
    assert_eq!(asked(&[("Host", "127.0.0.1")]), 421);
    assert_eq!(asked(&[("Host", "")]), 421);
    assert_eq!(asked(&[("Cookie", "")]), 401);
    let near = format!("{}0", &site.cookie[..site.cookie.len() - 1]);
    let other =
        if near == site.cookie { format!("{}1", &site.cookie[..site.cookie.len() - 1]) } else { near };
    assert_eq!(asked(&[("Cookie", &other)]), 401);
    assert_eq!(site.ask("GET", "/?token=0123", &[("Cookie", "")], "").code, 401);
    for path in ["/style.css", "/script.js", "/events", "/inbox", "/loops/x", "/nowhere"] {
        assert_eq!(site.ask("GET", path, &[("Cookie", "")], "").code, 401, "{path}");
    }
    assert_eq!(site.ask("GET", "/nowhere", &[], "").code, 404);
}

#[test]
fn every_answer_forbids_what_is_not_of_this_server() {
    let sandbox = Sandbox::with(&Sample::shell());
    let site = Site::start(&sandbox, &[]);
    for (path, cookie) in
        [("/", site.cookie.as_str()), ("/", ""), ("/nowhere", &site.cookie), ("/script.js", &site.cookie)]
    {
        let head = site.ask("GET", path, &[("Cookie", cookie)], "").head;
        for said in [
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'\r\n",
            "x-content-type-options: nosniff\r\n",
            "cache-control: no-store\r\n",
        ] {
            assert!(head.contains(said), "{path}: {head}");
        }
    }
}

#[test]
fn beyond_this_machine_it_wants_a_proxy_that_is_named() {
    let sandbox = Sandbox::with(&Sample::shell());
    let refused = sandbox.gulf(["web", "--listen", "0.0.0.0:0"]).run().expect_exit(exit::REFUSED_START);
    refused.says("is reachable by others").says("--behind-proxy");
    let proxy = ["web", "--listen", "0.0.0.0:0", "--behind-proxy", "http://box.example"];
    sandbox.gulf(proxy).run().expect_exit(exit::REFUSED_START).says("speaks HTTPS");
}

#[test]
fn pages_show_what_the_loops_are_and_what_a_worker_wrote_is_text() {
    let sandbox = two_loops();
    let site = Site::start(&sandbox, &[]);
    let list = site.page("/");
    assert!(list.contains("어느 &lt;b&gt;포트&lt;&#x2f;b&gt;?"), "{list}");
    let verified = loop_that_is(&site, "verified");
    for (tab, says) in [
        ("", "<dt>proven</dt>"),
        ("/diff", "diff --git"),
        ("/journal", "verified"),
        ("/verdict", "<h2>verdict</h2>"),
        ("/turn", "<h2>turn</h2>"),
        ("/report", "What is proven"),
        ("/iterations/2", "iteration 2"),
    ] {
        let page = site.page(&format!("{verified}{tab}"));
        assert!(page.contains(says), "{tab}: {page}");
        assert!(!page.contains(sandbox.home().as_str()), "{tab} names the home: {page}");
        assert!(
            !page.contains(" style=") && !page.contains("<style"),
            "{tab} would be drawn without its style"
        );
    }
    for gone in [
        "/loops/nothing",
        "/loops/%2e%2e",
        "/loops/nothing/diff",
        "/loops/nothing/report",
        &format!("{verified}/nothing"),
    ] {
        assert_eq!(site.ask("GET", gone, &[], "").code, 404, "{gone}");
    }
    assert!(site.page("/inbox").contains("어느"));
}

#[test]
fn an_answer_and_a_cancellation_are_those_of_the_commands() {
    let sandbox = two_loops();
    let site = Site::start(&sandbox, &[]);
    let asking = loop_that_is(&site, "paused");
    let csrf = site.csrf("/inbox");
    let act = format!("{asking}/act");
    let answered =
        site.post(&act, &format!("csrf={csrf}&act=answer&question=1&text=--yes+%ED%8C%94%EC%8B%AD"));
    assert_eq!(answered.code, 303, "{}", answered.body);
    let page = site.page(&asking);
    assert!(page.contains("answer") && page.contains("done"), "{page}");
    let inbox = sandbox.gulf(["inbox", "--all", "--json"]).run().expect_exit(0);
    assert!(inbox.stdout.contains("--yes 팔십"), "{inbox:#?}");
    let asked = site.post(&act, &format!("csrf={csrf}&act=cancel"));
    assert_eq!(asked.code, 200);
    assert!(asked.body.contains("cannot be taken back"), "{}", asked.body);
    sandbox.gulf(["list"]).run().expect_exit(0).does_not_say("cancelled");
    assert_eq!(site.post(&act, &format!("csrf={csrf}&act=cancel&confirmed=yes")).code, 303);
    sandbox.gulf(["list"]).run().expect_exit(0).says("cancelled");
}

#[test]
fn a_secret_is_masked_in_titles_and_questions_although_markup_spells_its_signs_out() {
    let sandbox = Sandbox::with(&Sample::shell());
    let secret = "k9/x'Q&4v<w>7Zp0r";
    let asks = format!("gulf claim need-decision \"May it be {secret}?\"");
    let asks = FakeAgent::new(&sandbox).turn(1, [Step::run(&asks)]);
    let goal = format!("use {secret} here");
    let words = ["run", &goal, "--research", "off", "--agent", &asks.flag(), "--check", "test -e port"];
    sandbox.gulf(words).run().expect_exit(exit::PAUSED);
    let known = Site::start(&sandbox, &[]);
    assert!(known.page("/").contains("k9&#x2f;x&#x27;Q"), "nobody said that it is one");
    let mut command = sandbox.command(gulf().as_str());
    let site = Site::start_by(command.env("DEPLOY_TOKEN", secret), &[]);
    let asking = loop_that_is(&site, "paused");
    for path in ["/", "/inbox", &asking, &format!("{asking}/journal"), &format!("{asking}/report")] {
        let page = site.page(path);
        assert!(!page.contains("k9&#x2f;x") && !page.contains("Q&amp;4v"), "{path}: {page}");
    }
    let screen = sandbox.gulf(["ui"]).variable("DEPLOY_TOKEN", secret);
    let terminal = screen.on_terminal(Size { rows: 24, columns: 120 });
    let shown = terminal.wait_for("May it be");
    assert!(!shown.contains("k9/x"), "{shown}");
}

#[test]
fn no_act_is_done_for_another_site_without_a_word_or_read_only() {
    let sandbox = two_loops();
    let site = Site::start(&sandbox, &[]);
    let asking = loop_that_is(&site, "paused");
    let (csrf, act) = (site.csrf(&asking), format!("{asking}/act"));
    let fields = format!("csrf={csrf}&act=cancel&confirmed=yes");
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    for origin in ["", "null", "https://evil.example", "http://evil.example:80"] {
        assert_eq!(site.ask("POST", &act, &[("Origin", origin), form], &fields).code, 403, "{origin}");
    }
    assert_eq!(site.post(&act, "csrf=0&act=cancel&confirmed=yes").code, 403);
    assert!(site.post(&act, "act=cancel&confirmed=yes").code >= 400);
    assert_eq!(site.ask("GET", &format!("{act}?{fields}"), &[], "").code, 405);
    assert_eq!(site.post(&act, &format!("csrf={csrf}&act=explode")).code, 400);
    assert_eq!(site.post(&act, &format!("{fields}&text={}", "x".repeat(70_000))).code, 413);
    assert_eq!(site.post(&act, &format!("csrf={csrf}&act=approve&text=fine&confirmed=yes")).code, 303);
    assert!(site.page(&asking).contains("only a person at a terminal"), "an approval is a person's own word");
    let shows = Site::start(&sandbox, &["--read-only"]);
    assert!(!shows.page(&asking).contains("<form"));
    assert!(shows.post(&act, &fields).code == 403);
    sandbox.gulf(["list"]).run().expect_exit(0).says("paused").does_not_say("cancelled");
}

#[test]
fn changes_arrive_and_whoever_comes_back_misses_none() {
    let sandbox = two_loops();
    let site = Site::start(&sandbox, &[]);
    let asking = loop_that_is(&site, "paused");
    let mut first = site.listen(&asking, "");
    let before = next(&mut first, "data: ");
    sandbox.gulf(["cancel"]).run().expect_exit(0);
    let after = next(&mut first, "data: ");
    assert!(after > before, "{before} and then {after}");
    drop(first);
    let mut late = site.listen(&asking, &format!("Last-Event-ID: {before}\r\n"));
    assert_eq!(next(&mut late, "data: "), after, "what happened meanwhile is told at once");
}

#[test]
fn a_loop_that_is_killed_while_it_is_watched_is_shown_as_stopped_with_how_it_goes_on() {
    let sandbox = Sandbox::with(&Sample::shell());
    let running = hanging(&sandbox);
    let site = Site::start(&sandbox, &[]);
    let running_loop = loop_that_is(&site, "running");
    assert!(site.page(&running_loop).contains("<code>gulf pause</code>"));
    let mut stream = site.listen(&running_loop, "");
    let before = next(&mut stream, "data: ");
    running.kill();
    running.finish();
    assert_eq!(next(&mut stream, "data: "), before, "it is told, though the journal holds no word of it");
    let page = site.page(&running_loop);
    assert!(page.contains(">interrupted</span>") && page.contains("<code>gulf resume</code>"), "{page}");
}

#[test]
fn fifty_open_pages_all_hear_of_a_turn_that_goes_on_and_of_a_loop_that_begins() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (here, go_on) = (Meeting::new(&sandbox, "here"), Meeting::new(&sandbox, "go on"));
    let talks = [here.reached(), go_on.held(), Step::print("a word of the worker's"), Step::Hang];
    let agent = FakeAgent::new(&sandbox).turn(1, talks);
    let site = Site::start(&sandbox, &[]);
    let mut lists: Vec<_> = (0..25).map(|_| site.listen("", "")).collect();
    lists.iter_mut().for_each(|stream| assert_eq!(next(stream, "data: "), 0));
    let running = run_right(&sandbox, &agent, &[]).start();
    here.wait();
    lists.iter_mut().for_each(|stream| assert!(next(stream, "data: ") > 0));
    let page = loop_that_is(&site, "running");
    let mut turns: Vec<_> = (0..25).map(|_| site.listen(&page, "")).collect();
    turns.iter_mut().for_each(|stream| assert!(next(stream, "data: ") > 0));
    go_on.release();
    turns.iter_mut().for_each(|stream| assert!(next(stream, "data: ") > 0));
    running.interrupt();
    running.finish().expect_exit(exit::INTERRUPTED);
}

#[test]
fn a_head_that_is_too_long_or_broken_is_refused_and_others_are_served() {
    let sandbox = Sandbox::with(&Sample::shell());
    let site = Site::start(&sandbox, &[]);
    let _silent = site.connect();
    let long = format!("GET /{} HTTP/1.1\r\nHost: {}\r\n\r\n", "a".repeat(1 << 20), site.host);
    let mut stream = site.connect();
    // It may break off before it has read all of that.
    let _ = stream.write_all(long.as_bytes());
    let mut said = Vec::new();
    let _ = stream.read_to_end(&mut said);
    assert!(!String::from_utf8_lossy(&said).contains("200 OK"));
    assert_eq!(site.raw(b"NONSENSE\r\n\r\n").code, 400);
    assert_eq!(site.ask("GET", "/", &[], "").code, 200);
}

#[test]
fn a_real_browser_shows_the_pages_under_their_policy() {
    let Some(chromium) = chromium() else { return };
    let sandbox = two_loops();
    let site = Site::start(&sandbox, &[]);
    let folder = sandbox.path("browser");
    let mut browser = Command::new(chromium);
    browser.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]);
    browser.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
    browser.args(["--enable-logging=stderr", "--window-size=360,800", "--dump-dom"]);
    browser.arg(format!("--user-data-dir={folder}"));
    browser.arg(format!("http://{}/?token={}", site.host, site.token));
    let shown = browser.output().unwrap();
    let (page, log) = (String::from_utf8_lossy(&shown.stdout), String::from_utf8_lossy(&shown.stderr));
    assert!(page.contains("<li class=\"card\">") && page.contains("어느"), "{page}\n{log}");
    assert!(!log.contains("Content Security Policy"), "{log}");
}
