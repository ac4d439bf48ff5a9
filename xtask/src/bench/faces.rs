//! What it costs to look: the live screen with a thousand finished loops and beside ten that run, `gulf web` with fifty open
//! pages and twenty loops, and the size of what is looked at.
//!
//! Processor time is read from `/proc`, so that only the face's own counts: not its loops', not ours.

use super::sandbox::Sandbox;
use crate::failure::Failure;
use portable_pty::{CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

const FINISHED: usize = 1_000;
const WATCHED_BY_SCREEN: usize = 10;
const WATCHED_BY_PAGES: usize = 20;
const PAGES: usize = 50;
/// A page of more iterations has no reader.
const ITERATIONS: u32 = 50;
/// So long each is watched, after as long a time to come to rest.
const WATCHED_FOR: Duration = Duration::from_secs(30);
const REST: Duration = Duration::from_secs(5);
/// Of `/proc/…/stat`, on every Linux.
const TICKS_PER_SECOND: f64 = 100.0;
const PATIENCE: Duration = Duration::from_secs(60);

/// A worker that thinks, and one that talks four times a second.
const SILENT: &str = "command:sleep 600";
const TALKING: &str = "command:sh -c 'while :; do echo a word of the worker; sleep 0.25; done'";

pub(super) fn run(gulf: &Path) -> Result<(), Failure> {
    println!("built as it is published; processor time of the face alone, as a share of one core\n");
    let finished = Sandbox::new(gulf.to_owned())?;
    finish(&finished)?;
    let mut openings: Vec<Duration> =
        (0..5).map(|_| opening(&finished, FINISHED).map(|(took, _)| took)).collect::<Result<_, _>>()?;
    openings.sort();
    row("gulf ui, until 1,000 finished loops are listed", &format!("{:.0?}", openings[openings.len() / 2]));
    row("gulf report --html, 50 iterations", &format!("{} bytes", report(gulf)?));
    for (worker, words) in [(SILENT, "at rest"), (TALKING, "whose workers talk")] {
        screen(gulf, worker, words)?;
        pages(gulf, worker, words)?;
    }
    let bytes = fs::metadata(gulf).map_err(Failure::file(gulf))?.len();
    row("gulf, the whole program", &format!("{:.1} MB", bytes as f64 / 1e6));
    Ok(())
}

fn row(what: &str, measured: &str) {
    println!("{what:<58} {measured:>24}");
}

/// One loop that is over, many times.
fn finish(sandbox: &Sandbox) -> Result<(), Failure> {
    let journal = sandbox.run_loop(1)?.journal;
    let (Some(folder), Some(all)) = (journal.parent(), journal.parent().and_then(Path::parent)) else {
        return Err(found("a journal lies in no folder"));
    };
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = name.get(..name.len().saturating_sub(4)).unwrap_or(&name);
    for number in 1..FINISHED {
        let copy = all.join(format!("{stem}{number:04}"));
        let mut command = Command::new("cp");
        // Each has a copy of the program, and nothing is written to any of them.
        command.arg("-Rl").arg(folder).arg(&copy);
        crate::program::stdout(command)?;
    }
    Ok(())
}

fn report(gulf: &Path) -> Result<usize, Failure> {
    let sandbox = Sandbox::new(gulf.to_owned())?;
    sandbox.run_loop(ITERATIONS)?;
    let mut command = sandbox.gulf();
    command.args(["report", "--html", "-"]);
    crate::program::stdout(command).map(|page| page.len())
}

/// Of a program on a terminal.
struct OnTerminal {
    child: Box<dyn portable_pty::Child + Send + Sync>,
    /// While it is open, so is the terminal.
    _master: Box<dyn MasterPty + Send>,
}

impl Drop for OnTerminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How long it takes until the screen counts so many loops.
fn opening(sandbox: &Sandbox, loops: usize) -> Result<(Duration, OnTerminal), Failure> {
    let told = |error: &dyn std::fmt::Display| found(&format!("gulf ui on a terminal: {error}"));
    let pty = native_pty_system();
    let size = PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 };
    let pair = pty.openpty(size).map_err(|error| told(&error))?;
    let command = sandbox.gulf();
    let mut builder = CommandBuilder::new(command.get_program());
    builder.args(["ui", "--all"]);
    builder.env("TERM", "xterm-256color");
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => builder.env(name, value),
            None => builder.env_remove(name),
        }
    }
    builder.cwd(sandbox.repository());
    let began = Instant::now();
    let child = pair.slave.spawn_command(builder).map_err(|error| told(&error))?;
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().map_err(|error| told(&error))?;
    let (sender, shown) = mpsc::channel();
    // Reads on to the end: a program that nobody reads would wait.
    std::thread::spawn(move || {
        let (mut text, mut buffer) = (Vec::new(), [0; 1 << 16]);
        let mark = format!(" loops: {loops} ");
        while let Ok(count @ 1..) = reader.read(&mut buffer) {
            text.extend_from_slice(&buffer[..count]);
            if words(&text).contains(&mark) {
                let _ = sender.send(began.elapsed());
                text.clear();
            }
        }
    });
    let terminal = OnTerminal { child, _master: pair.master };
    let took = shown.recv_timeout(PATIENCE);
    took.map(|took| (took, terminal)).map_err(|_| found("gulf ui does not list its loops"))
}

/// What a terminal was sent, a blank for each of its commands: where nothing stood before, no blank is sent.
fn words(sent: &[u8]) -> String {
    let sent = String::from_utf8_lossy(sent);
    let mut parts = sent.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let end = part.find(|one: char| one.is_ascii_alphabetic()).map_or(part.len(), |end| end + 1);
        format!("{text} {}", &part[end..])
    })
}

/// Loops that run, killed when dropped.
struct Running(Vec<Child>);

impl Drop for Running {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Each in a repository of its own.
fn running(sandbox: &Sandbox, loops: usize, worker: &str) -> Result<Running, Failure> {
    let mut running = Running(Vec::new());
    for number in 0..loops {
        let repository = sandbox.beside(&format!("repository-{number}"));
        let mut copy = Command::new("cp");
        copy.arg("-R").arg(sandbox.repository()).arg(&repository);
        crate::program::stdout(copy)?;
        let mut command = sandbox.gulf();
        // A loop is called by its goal and the minute.
        let goal = format!("wait {number}");
        command.args(["run", &goal, "--check", "false", "--research", "off", "--agent", worker]);
        let start = |source| Failure::Start { program: "gulf".to_owned(), source };
        running.0.push(command.current_dir(repository).spawn().map_err(start)?);
    }
    Ok(running)
}

fn screen(gulf: &Path, worker: &str, words: &str) -> Result<(), Failure> {
    let sandbox = Sandbox::new(gulf.to_owned())?;
    let _loops = running(&sandbox, WATCHED_BY_SCREEN, worker)?;
    std::thread::sleep(REST);
    let (_, terminal) = opening(&sandbox, WATCHED_BY_SCREEN)?;
    let process = terminal.child.process_id().ok_or_else(|| found("gulf ui has no process"))?;
    std::thread::sleep(REST);
    let share = share_of_core(process)?;
    row(&format!("gulf ui beside {WATCHED_BY_SCREEN} loops {words}"), &format!("{share:.2} %"));
    Ok(())
}

/// Killed when dropped.
struct Site {
    child: Child,
    host: String,
    cookie: String,
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn pages(gulf: &Path, worker: &str, words: &str) -> Result<(), Failure> {
    let sandbox = Sandbox::new(gulf.to_owned())?;
    let _loops = running(&sandbox, WATCHED_BY_PAGES, worker)?;
    std::thread::sleep(REST);
    let site = Site::start(&sandbox)?;
    let ids = site.loops()?;
    if ids.len() != WATCHED_BY_PAGES {
        return Err(found(&format!("{} of {WATCHED_BY_PAGES} loops are listed", ids.len())));
    }
    let news = Arc::new(AtomicU64::new(0));
    for page in 0..PAGES {
        // Half of them show the list, the others a loop each.
        let which = ids.get(page).map(|id| format!("?loop={id}")).unwrap_or_default();
        let stream = BufReader::new(site.ask(&format!("/events{which}"))?);
        let news = Arc::clone(&news);
        std::thread::spawn(move || {
            let lines = stream.lines().map_while(Result::ok);
            lines.filter(|line| line.starts_with("data:")).for_each(|_| {
                news.fetch_add(1, Ordering::Relaxed);
            });
        });
    }
    std::thread::sleep(REST);
    let process = site.child.id();
    let (before, heard) = (resident(process), news.load(Ordering::Relaxed));
    let share = share_of_core(process)?;
    let heard = (news.load(Ordering::Relaxed) - heard) as f64 / WATCHED_FOR.as_secs_f64();
    let what = format!("gulf web, {PAGES} pages, {WATCHED_BY_PAGES} loops {words}");
    row(&what, &format!("{share:.2} %, {heard:.1} news/s"));
    let grown = resident(process) as f64 - before as f64;
    let memory = format!("{:.1} MB, {:+.0} kB in {WATCHED_FOR:?}", before as f64 / 1e6, grown / 1e3);
    row("… its memory", &memory);
    Ok(())
}

impl Site {
    fn start(sandbox: &Sandbox) -> Result<Site, Failure> {
        let start = |source| Failure::Start { program: "gulf web".to_owned(), source };
        let mut command = sandbox.gulf();
        let mut child = command.args(["web", "--all"]).stdout(Stdio::piped()).spawn().map_err(start)?;
        let mut line = String::new();
        let said = child.stdout.take().map(|out| BufReader::new(out).read_line(&mut line));
        let mut site = Site { child, host: String::new(), cookie: String::new() };
        said.transpose().map_err(start)?;
        let address = line.trim().strip_prefix("http://").and_then(|address| address.split_once("/?token="));
        let Some((host, token)) = address else { return Err(found(&format!("gulf web said {line:?}"))) };
        host.clone_into(&mut site.host);
        let entry = site.read(&format!("/?token={token}"))?;
        let cookie = entry.lines().find_map(|line| line.strip_prefix("set-cookie: ")?.split(';').next());
        cookie.unwrap_or_default().clone_into(&mut site.cookie);
        Ok(site)
    }

    /// The ids of the loops that its first page lists.
    fn loops(&self) -> Result<Vec<String>, Failure> {
        let page = self.read("/")?;
        let links = page.split("<h2><a href=\"/loops/").skip(1);
        Ok(links.filter_map(|link| Some(link.split_once('"')?.0.to_owned())).collect())
    }

    fn ask(&self, path: &str) -> Result<TcpStream, Failure> {
        let Site { host, cookie, .. } = self;
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n\r\n");
        let asked = TcpStream::connect(host).and_then(|mut stream| {
            stream.write_all(head.as_bytes())?;
            Ok(stream)
        });
        asked.map_err(|error| found(&format!("gulf web at {host}: {error}")))
    }

    fn read(&self, path: &str) -> Result<String, Failure> {
        let mut text = Vec::new();
        let stream = self.ask(path)?;
        // It stays open; what comes within a moment is the page.
        let read = stream.set_read_timeout(Some(Duration::from_secs(2)));
        let read = read.map(|()| (&stream).read_to_end(&mut text));
        read.map_err(|error| found(&format!("gulf web: {error}")))?.ok();
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

/// In hundredths.
fn share_of_core(process: u32) -> Result<f64, Failure> {
    let (before, began) = (ticks(process)?, Instant::now());
    std::thread::sleep(WATCHED_FOR);
    let spent = ticks(process)?.saturating_sub(before) as f64 / TICKS_PER_SECOND;
    Ok(100.0 * spent / began.elapsed().as_secs_f64())
}

/// Of user and system.
fn ticks(process: u32) -> Result<u64, Failure> {
    let path = PathBuf::from(format!("/proc/{process}/stat"));
    let stat = fs::read_to_string(&path).map_err(Failure::file(&path))?;
    // The program's name may hold blanks, and stands in brackets.
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let fields: Vec<u64> =
        fields.split(' ').skip(11).take(2).filter_map(|field| field.parse().ok()).collect();
    Ok(fields.iter().sum())
}

fn resident(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|value| value.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}

fn found(what: &str) -> Failure {
    Failure::Found { what: what.to_owned(), hint: "try the same by hand; see xtask/src/bench/faces.rs" }
}
