//! The worker of the tests: does what its script says for this turn, and notes everything in a tally.
//!
//! A program of its own because gulf must start, feed, stop and mistrust it like any other agent.
//!
//! `gulf-fake-agent SCRIPT` with the prompt on stdin. `gulf-fake-agent --linger TALLY` is what a turn leaves behind.

#![expect(clippy::unwrap_used, reason = "a fake worker that cannot go on fails loudly, as a real one would")]

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::process::{Command, Stdio, exit};

use camino::Utf8Path;
use gulf_testkit::{Script, Step, Tally, TallyLine};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--linger", tally] => linger(tally),
        ["--lingering", tally] => lingering(tally),
        [script] => perform(Utf8Path::new(script)),
        _ => {
            eprintln!("usage: gulf-fake-agent SCRIPT");
            exit(2);
        }
    }
}

struct Worker {
    tally: Tally,
    iteration: u32,
    attempt: u32,
}

fn perform(script: &Utf8Path) {
    let script: Script = serde_json::from_slice(&fs::read(script).unwrap()).unwrap();
    let worker = Worker {
        tally: Tally::at(script.tally.clone()),
        iteration: number("GULF_ITERATION"),
        attempt: number("GULF_ATTEMPT"),
    };
    let mut prompt = Vec::new();
    io::stdin().read_to_end(&mut prompt).unwrap();
    worker.tally.add(&TallyLine::Began {
        iteration: worker.iteration,
        attempt: worker.attempt,
        process: std::process::id(),
        prompt: String::from_utf8_lossy(&prompt).into_owned(),
    });
    for step in script.steps(worker.iteration, worker.attempt) {
        worker.step(step);
    }
    worker.finish(0);
}

impl Worker {
    fn step(&self, step: &Step) {
        match step {
            Step::Write { path, text } => write(path, text),
            Step::Append { path, text } => append(path, text),
            Step::Delete { path } => delete(path),
            Step::Run { command } => self.run(command, Command::new("sh").args(["-c", command])),
            Step::Claim { no_test } => self.claim(no_test.as_deref()),
            Step::Print { line } => println!("{line}"),
            Step::Complain { line } => eprintln!("{line}"),
            Step::Promise { word } => println!("<promise>{word}</promise>"),
            Step::Flood { bytes } => flood(*bytes),
            Step::Meet { fifo } => fs::write(fifo, std::process::id().to_string()).unwrap(),
            Step::Await { fifo } => drop(fs::read(fifo).unwrap()),
            Step::Linger => self.leave_behind(),
            Step::Hang => hang(),
            Step::Exit { code } => self.finish(*code),
        }
    }

    fn claim(&self, no_test: Option<&str>) {
        let mut claim = Command::new("gulf");
        claim.args(["claim", "done"]);
        if let Some(reason) = no_test {
            claim.args(["--no-test", reason]);
        }
        self.run("gulf claim done", &mut claim);
    }

    fn run(&self, said: &str, command: &mut Command) {
        let output = command.stdin(Stdio::null()).output();
        let (exit, text) = match output {
            Ok(output) => (output.status.code(), [output.stdout, output.stderr].concat()),
            Err(error) => (None, error.to_string().into_bytes()),
        };
        self.tally.add(&TallyLine::Ran {
            iteration: self.iteration,
            attempt: self.attempt,
            command: said.to_owned(),
            exit,
            output: String::from_utf8_lossy(&text).into_owned(),
        });
    }

    /// Returns when the process that stays has noted its number.
    fn leave_behind(&self) {
        let status = me().args(["--linger", self.tally.path().as_str()]).status().unwrap();
        assert!(status.success());
    }

    fn finish(&self, code: i32) -> ! {
        io::stdout().flush().unwrap();
        self.tally.add(&TallyLine::Finished { iteration: self.iteration, attempt: self.attempt });
        exit(code);
    }
}

fn number(variable: &str) -> u32 {
    std::env::var(variable).ok().and_then(|value| value.parse().ok()).unwrap_or(0)
}

fn write(path: &Utf8Path, text: &str) {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).unwrap();
    }
    fs::write(path, text).unwrap();
}

fn append(path: &Utf8Path, text: &str) {
    let mut file = OpenOptions::new().append(true).create(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

fn delete(path: &Utf8Path) {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    // A worker that finds nothing to delete has what it wanted.
    drop(removed);
}

fn flood(bytes: u64) {
    io::copy(&mut io::repeat(b'x').take(bytes), &mut io::stdout()).unwrap();
    println!();
}

fn me() -> Command {
    Command::new(std::env::current_exe().unwrap())
}

/// The middle one: leaves the session, starts the one that stays, and is gone as soon as that one has noted itself.
fn linger(tally: &str) {
    leave_session();
    let mut stays = me();
    stays.args(["--lingering", tally]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    #[expect(clippy::zombie_processes, reason = "being forgotten is the point")]
    let mut child = stays.spawn().unwrap();
    // Closed by the child once it has written its number.
    child.stdout.take().unwrap().read_to_end(&mut Vec::new()).unwrap();
}

fn lingering(tally: &str) -> ! {
    leave_session();
    std::env::set_current_dir("/").unwrap();
    Tally::at(tally).add(&TallyLine::Lingers { process: std::process::id() });
    close_stdout();
    hang()
}

fn hang() -> ! {
    loop {
        std::thread::park();
    }
}

#[cfg(unix)]
fn leave_session() {
    rustix::process::setsid().unwrap();
}

#[cfg(not(unix))]
fn leave_session() {}

#[cfg(unix)]
fn close_stdout() {
    let nowhere = fs::File::options().write(true).open("/dev/null").unwrap();
    rustix::stdio::dup2_stdout(nowhere).unwrap();
}

#[cfg(not(unix))]
fn close_stdout() {}
