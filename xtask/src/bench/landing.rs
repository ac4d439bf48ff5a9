//! How long a line of loops takes to land, with the real gulf, real git and checks that take a fixed time: beside landing
//! one after another in the same run, beside the simulation of the same line, and beside the bound.
//!
//! Here git, checkouts and processes cost what they cost. Checks sleep, so that lanes overlap on any number of cores;
//! only ratios are shown, and none of them is held against anything.

mod journal;

use super::sandbox::Sandbox;
use crate::failure::Failure;
use crate::program;
use journal::Landings;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long one test of one trial takes.
const CHECK_MS: u64 = 2_000;
const LINES: [u32; 2] = [8, 16];
const LANES: [u32; 3] = [1, 2, 4];
/// Loops that are red wherever they land, of so many.
const FAILING_OF_TEN: [u32; 2] = [0, 1];
/// Only a bench that cannot go on waits so long for a loop to be verified.
const PATIENCE: Duration = Duration::from_secs(300);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The work of loop number $1, and its claim; a failing one leaves what no trial forgives.
const AGENT: &str = "\
number=${1:-${PWD##*-}}
echo $number > entry-$number
for failing in $FAILING; do test $failing = $number && touch bad; done
gulf claim done
";

/// Only a merged commit costs time, and only there somebody is red.
const CHECK: &str = "case \"$PWD\" in *lanes*) sleep $1; ! test -e bad;; esac\n";

/// A line of loops, and what became of it.
struct Row {
    entries: u32,
    failing: usize,
    lanes: u32,
    serial: f64,
    landings: Landings,
}

/// Measures every line, and shows it.
pub(super) fn run(gulf: &Path) -> Result<(), Failure> {
    println!(
        "landing with git and processes; unit: one test of {CHECK_MS} ms. bound: 1/(1/lanes + failure rate)\n"
    );
    println!(
        "{:>7} {:>7} {:>5}  {:>6} {:>8} {:>5}  {:>7} {:>9} {:>5}",
        "entries", "failing", "lanes", "serial", "makespan", "tests", "speedup", "simulated", "bound"
    );
    for entries in LINES {
        for failing_of_ten in FAILING_OF_TEN {
            let failing = spread(entries, failing_of_ten);
            let serial = serially(gulf, entries, &failing)?;
            for lanes in LANES {
                let landings = side_by_side(gulf, entries, &failing, lanes)?;
                show(&Row { entries, failing: failing.len(), lanes, serial, landings })?;
            }
        }
    }
    Ok(())
}

/// The failing ones, evenly spread.
fn spread(entries: u32, failing_of_ten: u32) -> Vec<u32> {
    let count = (entries * failing_of_ten).div_ceil(10);
    (1..=count).map(|number| number * entries / (count + 1) + 1).collect()
}

fn show(row: &Row) -> Result<(), Failure> {
    let Row { entries, failing, lanes, serial, landings } = row;
    let simulated = simulated(*entries, *lanes, &landings.evicted)?;
    let makespan = landings.makespan_ms as f64 / CHECK_MS as f64;
    let rate = *failing as f64 / f64::from(*entries);
    let bound = 1.0 / (1.0 / f64::from(*lanes) + rate);
    println!(
        "{entries:>7} {failing:>7} {lanes:>5}  {serial:>6.1} {makespan:>8.1} {:>5}  {:>7.2} {simulated:>9.2} {bound:>5.2}",
        landings.tests,
        serial / makespan
    );
    Ok(())
}

/// By how much the simulation of the same line, with the same ones failing, is faster than serial landing.
fn simulated(entries: u32, lanes: u32, failing: &[u32]) -> Result<f64, Failure> {
    let mut command = program::cargo(&["run", "--release", "--quiet", "--locked", "--package", "gulf-queue"]);
    command.args(["--example", "simulate", "--"]);
    command.args([entries, lanes].map(|number| number.to_string())).arg(CHECK_MS.to_string());
    command.args(failing.iter().map(u32::to_string));
    let said = program::stdout(command)?;
    let number = |name: &str| {
        let value = said.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        value.and_then(|value| value.parse::<f64>().ok())
    };
    match (number("serial_ms"), number("makespan_ms")) {
        (Some(serial), Some(makespan)) => Ok(serial / makespan),
        (_, _) => Err(Failure::Found {
            what: format!("the simulation said {said}"),
            hint: "see crates/gulf-queue/examples/simulate",
        }),
    }
}

/// Each loop alone in the line, one after another: the time that they waited to land, in tests.
fn serially(gulf: &Path, entries: u32, failing: &[u32]) -> Result<f64, Failure> {
    let ground = Ground::new(gulf)?;
    for number in 1..=entries {
        let goal = format!("entry {number}");
        let own = format!("test -f entry-{number}");
        let mut child = ground.start(&["--preset", "autonomous", "--check", &own], &goal, failing, 1)?;
        child.wait().map_err(started)?;
    }
    let landings = ground.landings(entries)?;
    Ok(landings.waited_ms as f64 / CHECK_MS as f64)
}

/// All of them in the line before anybody leads it.
fn side_by_side(gulf: &Path, entries: u32, failing: &[u32], lanes: u32) -> Result<Landings, Failure> {
    let ground = Ground::new(gulf)?;
    // The first loop of a repository makes its queue; what that remembers is not part of the line.
    let first = ["--preset", "autonomous", "--check", "test -f entry-0"];
    ground.start(&first, "entry 0", &[], lanes)?.wait().map_err(started)?;
    let queue = ground.queue()?;
    let held = queue.join("lock");
    let held = File::options().write(true).open(&held).map_err(Failure::file(&held))?;
    held.lock().map_err(Failure::file(&queue))?;
    let journal = queue.join("journal.jsonl");
    fs::remove_file(&journal).map_err(Failure::file(&journal))?;
    let workers = entries.to_string();
    let line = ["--preset", "parallel", "--workers", &workers, "--check", "ls entry-[1-9]*"];
    let ended = ended(ground.start(&line, "entries", failing, lanes)?);
    await_requests(&queue.join("requests"), entries as usize, &ended)?;
    drop(held);
    // Whoever waits to lead watches this folder.
    let vacant = queue.join("vacant");
    fs::write(&vacant, "begin").map_err(Failure::file(&vacant))?;
    // The other end goes when it is over.
    while ended.recv().is_ok() {}
    ground.landings(entries)
}

fn started(source: std::io::Error) -> Failure {
    Failure::Start { program: "gulf".to_owned(), source }
}

/// Disconnected when the program is over.
fn ended(mut child: Child) -> Receiver<()> {
    let (sender, ended) = mpsc::channel();
    std::thread::spawn(move || {
        // What it left in the queue's journal says whether it ended well.
        let _ = child.wait();
        drop(sender);
    });
    ended
}

fn await_requests(folder: &Path, count: usize, ended: &Receiver<()>) -> Result<(), Failure> {
    let begun = Instant::now();
    loop {
        let entries = fs::read_dir(folder).map_err(Failure::file(folder))?.flatten();
        let is_request = |name: &str| name.ends_with(".json") && !name.starts_with('.');
        if entries.filter(|entry| is_request(&entry.file_name().to_string_lossy())).count() >= count {
            return Ok(());
        }
        let is_over = ended.recv_timeout(LOOK_EVERY) != Err(RecvTimeoutError::Timeout);
        if is_over || begun.elapsed() > PATIENCE {
            return Err(Failure::Found {
                what: format!("fewer than {count} loops came to wait in {}", folder.display()),
                hint: "each is verified by `ls entry-[1-9]*` before it may land",
            });
        }
    }
}

/// A repository, and what its loops and checks need.
struct Ground {
    sandbox: Sandbox,
}

impl Ground {
    fn new(gulf: &Path) -> Result<Self, Failure> {
        let sandbox = Sandbox::new(gulf.to_owned())?;
        for (name, text) in [("agent.sh", AGENT), ("check.sh", CHECK)] {
            let path = sandbox.beside(name);
            fs::write(&path, text).map_err(Failure::file(&path))?;
        }
        Ok(Self { sandbox })
    }

    fn start(&self, how: &[&str], goal: &str, failing: &[u32], lanes: u32) -> Result<Child, Failure> {
        let number = goal.strip_prefix("entry ").unwrap_or_default();
        let failing: Vec<String> = failing.iter().map(u32::to_string).collect();
        let agent = self.sandbox.beside("agent.sh");
        let agent = format!("command:FAILING=\"{}\" sh {} {number}", failing.join(" "), agent.display());
        let check = format!("sh {} {}", self.sandbox.beside("check.sh").display(), CHECK_MS as f64 / 1e3);
        let mut command = self.sandbox.gulf();
        command.args(["run", goal, "--agent", &agent, "--check", &check, "--research", "off", "-n", "1"]);
        command.args(how).env("GULF_LANDING_LANES", lanes.to_string());
        command.spawn().map_err(started)
    }

    /// The folder of the only queue.
    fn queue(&self) -> Result<PathBuf, Failure> {
        let missing = || Failure::Found {
            what: "no queue was made".to_owned(),
            hint: "a queue lies in $GULF_HOME/repositories/*/queues/*",
        };
        let mut folder = self.sandbox.home().join("repositories");
        for name in [None, Some("queues"), None] {
            folder = match name {
                Some(name) => folder.join(name),
                None => {
                    let mut entries = fs::read_dir(&folder).map_err(Failure::file(&folder))?.flatten();
                    entries.find(|entry| entry.path().is_dir()).ok_or_else(missing)?.path()
                }
            };
        }
        Ok(folder)
    }

    fn landings(&self, entries: u32) -> Result<Landings, Failure> {
        let path = self.queue()?.join("journal.jsonl");
        let text = fs::read_to_string(&path).map_err(Failure::file(&path))?;
        let landings = Landings::read(&text);
        let settled = landings.settled;
        if settled == entries {
            return Ok(landings);
        }
        let what = format!("{settled} of {entries} loops came to an end in {}", path.display());
        Err(Failure::Found { what, hint: "see what `gulf log` says of the others" })
    }
}
