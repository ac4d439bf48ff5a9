//! Who takes all places, who comes through a proxy, and what is offered to choose from.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;

use gulf_testkit::{FakeAgent, Sample, Sandbox, Step, gulf, in_turn};

use super::{Site, loop_that_is, next};
use crate::{exit, mend, run_right};

/// An attack of one machine, in a soak; each turn has a fifth of it.
const STRANGERS: usize = 10_000;
/// Of strangers, so many are heard at once.
const KNOCKING_MAX: usize = 64;
/// Its pages, its places, and what it opens for itself.
const OPEN_FILES_MAX: usize = 200;

fn open_files(site: &Site) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(format!("/proc/{}/fd", site.child.id())).unwrap();
    // What was closed while they were counted is not open.
    entries.filter_map(|entry| std::fs::read_link(entry.unwrap().path()).ok()).collect()
}

/// Without the folders that it looks into now and then.
fn sockets(site: &Site) -> usize {
    open_files(site).iter().filter(|file| file.to_string_lossy().starts_with("socket:")).count()
}

/// Cut off, with an answer or without.
fn is_cut_off(mut stream: TcpStream) {
    let mut said = Vec::new();
    let _ = stream.read_to_end(&mut said);
    assert!(!String::from_utf8_lossy(&said).contains("200 OK"));
}

#[test]
fn thousands_of_strangers_keep_nobody_waiting() {
    let sandbox = Sandbox::with(&Sample::shell());
    let site = Site::start(&sandbox, &[]);
    let mut stream = site.listen("", "");
    next(&mut stream, "id: ");
    let mut strangers = VecDeque::new();
    for number in 0..in_turn(5, 0..STRANGERS).len() {
        let mut stranger = site.connect();
        match number % 4 {
            // Half a head is as good as none, and one without the cookie, too.
            0 => drop(stranger.write_all(b"GET / HTTP/1.1\r\nHost: ")),
            1 => drop(write!(stranger, "GET / HTTP/1.1\r\nHost: {}\r\n\r\n", site.host)),
            _ => {}
        }
        strangers.push_back(stranger);
        // More than are heard, and fewer than a process may have open.
        if strangers.len() > 4 * KNOCKING_MAX {
            strangers.pop_front();
        }
        if number % 500 == 499 {
            assert_eq!(site.ask("GET", "/", &[], "").code, 200, "after {number}");
            let open = open_files(&site).len();
            assert!(open < OPEN_FILES_MAX, "{open} after {number}");
        }
    }
    run_right(&sandbox, &FakeAgent::new(&sandbox).turn(1, mend()), &[]).run().expect_exit(exit::VERIFIED);
    next(&mut stream, "id: ");
    strangers.into_iter().for_each(is_cut_off);
}

#[test]
fn whoever_says_nothing_loses_its_place() {
    let sandbox = Sandbox::with(&Sample::shell());
    let site = Site::start(&sandbox, &[]);
    let before = sockets(&site);
    let mut silent: Vec<_> = (0..KNOCKING_MAX / 2).map(|_| site.connect()).collect();
    silent.iter_mut().step_by(2).for_each(|stream| stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap());
    silent.into_iter().for_each(is_cut_off);
    // One thread serves all: who is answered now is answered after the last one's socket was closed.
    assert_eq!(site.ask("GET", "/", &[], "").code, 200);
    let left = sockets(&site);
    assert!(left <= before + 1, "{left} sockets are open, {before} were before");
}

/// Behind `https://box.example`, on a port that is free.
fn behind_proxy(sandbox: &Sandbox) -> Site {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let mut command = sandbox.command(gulf().as_str());
    command.args(["web", "--listen", &address, "--behind-proxy", "https://Box.example/"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let token = line.trim().strip_prefix("https://box.example/?token=").unwrap().to_owned();
    Site { child, host: address, token, cookie: String::new() }
}

#[test]
fn behind_a_proxy_only_its_name_and_its_https_pages_are_believed() {
    let sandbox = super::two_loops();
    let mut site = behind_proxy(&sandbox);
    let through = ("Host", "box.example");
    let entry = format!("/?token={}", site.token);
    assert_eq!(site.ask("GET", &entry, &[], "").code, 421, "the port itself is no entrance");
    let came = site.ask("GET", &entry, &[through], "");
    let cookie = came.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.ends_with("; HttpOnly; SameSite=Strict; Path=/; Secure"), "{cookie}");
    site.cookie = cookie.split(';').next().unwrap().to_owned();
    let page = site.ask("GET", "/inbox", &[through], "").body;
    let csrf = page.split_once("name=\"csrf\" value=\"").unwrap().1.split('"').next().unwrap();
    let action = page.split_once("action=\"").unwrap().1.split('"').next().unwrap();
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    let sent = |origin: &str| {
        let fields = format!("csrf={csrf}&act=steer&text=hurry");
        site.ask("POST", action, &[through, form, ("Origin", origin)], &fields).code
    };
    let own = format!("http://{}", site.host);
    for other in ["http://box.example", "https://evil.example", "https://box.example.evil.example", &own] {
        assert_eq!(sent(other), 403, "{other}");
    }
    assert_eq!(sent("https://box.example"), 303);
}

#[test]
fn what_a_worker_offers_is_a_button_and_its_own_words_are_the_answer() {
    let sandbox = Sandbox::with(&Sample::shell());
    let asks = "gulf claim need-decision 'Which port?' --option '<b>80</b>' --option \"$(printf '2\\342\\200\\256')\"";
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::run(asks)]).turn(2, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::PAUSED);
    let site = Site::start(&sandbox, &[]);
    let inbox = site.page("/inbox");
    assert!(
        inbox.contains("<button name=\"option\" value=\"1\">&lt;b&gt;80&lt;&#x2f;b&gt;</button>"),
        "{inbox}"
    );
    assert!(inbox.contains("Or in your own words"), "{inbox}");
    let (csrf, act) = (site.csrf("/inbox"), format!("{}/act", loop_that_is(&site, "paused")));
    let choose =
        |option: &str| site.post(&act, &format!("csrf={csrf}&act=answer&question=1&option={option}")).code;
    assert_eq!([choose("0"), choose("3")], [400, 400]);
    assert_eq!(site.post(&act, &format!("csrf={csrf}&act=answer&question=7&option=1")).code, 400);
    let shown = Site::start(&sandbox, &["--read-only"]).page("/inbox");
    assert!(shown.contains("<li>&lt;b&gt;80") && !shown.contains("<button"), "{shown}");
    assert_eq!(choose("2"), 303);
    let inbox = sandbox.gulf(["inbox", "--all", "--json"]).run().expect_exit(0).json_lines().remove(0);
    assert_eq!(inbox["questions"][0]["question"]["answer"], "2\u{202e}", "{inbox:#}");
}
