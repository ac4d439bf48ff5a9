//! Measures gulf against `bash -c :` in the same run: a ratio survives another machine, a number of seconds does not.

mod engine;
mod faces;
mod hook;
mod landing;
mod measure;
mod queue;
mod sandbox;
mod session;
mod trust;

use crate::dist::PROFILE;
use crate::failure::Failure;
use crate::program;
use measure::{Row, Samples};
use sandbox::Sandbox;
use std::path::PathBuf;
pub(crate) use trust::{Order as TrustOrder, run as run_trust, run_faults};

/// Every measure is taken once per round, so that a machine that slows down slows all of them.
const ROUNDS: usize = 15;

/// A run of n + 1 iterations minus a run of one leaves n without start and end.
const ITERATIONS: u32 = 20;

/// Everything: loops that gulf drives, what they cost within its process, what sessions pay for its hook, and how fast a line of loops lands: simulated, and
/// really.
pub(crate) fn run() -> Result<(), Failure> {
    let gulf = build()?;
    loops(gulf.clone())?;
    println!();
    engine::run(&Sandbox::new(gulf.clone())?)?;
    hook::run(gulf)?;
    println!();
    queue::run()?;
    println!();
    landing::run(&build()?)
}

/// Only what sessions pay.
pub(crate) fn run_hook() -> Result<(), Failure> {
    hook::run(build()?)
}

/// Only what saving, loading and deciding cost, and the memory of a loop.
pub(crate) fn run_engine() -> Result<(), Failure> {
    engine::run(&Sandbox::new(build()?)?)
}

/// Only what it costs to look.
pub(crate) fn run_faces() -> Result<(), Failure> {
    faces::run(&build()?)
}

/// Only how fast a line of loops lands.
pub(crate) fn run_queue() -> Result<(), Failure> {
    queue::run()
}

/// Only how fast a line of loops lands really, on git and with processes.
pub(crate) fn run_landing() -> Result<(), Failure> {
    landing::run(&build()?)
}

fn loops(gulf: PathBuf) -> Result<(), Failure> {
    let sandbox = Sandbox::new(gulf)?;
    let measured = measure_rounds(&sandbox)?;
    println!(
        "{ROUNDS} rounds, built as it is published, {} tracked files; unit: `bash -c :`\n",
        sandbox::TRACKED_FILES
    );
    println!("{}", measure::table(&measured.rows(), measured.unit.median()));
    println!("\npeak memory of gulf (VmHWM): {:.1} MB", measured.memory_bytes as f64 / 1e6);
    println!("journal events per iteration: {:.1}", measured.events_per_iteration);
    #[cfg(unix)]
    {
        let (first, whole) = (sandbox.git_calls(1)?, sandbox.git_calls(1 + ITERATIONS)?);
        let further = whole.saturating_sub(first) as f64 / f64::from(ITERATIONS);
        println!("calls of git: {first} in a loop of one iteration, {further:.1} in a further one");
    }
    Ok(())
}

/// What the rounds gave, one sample per round each.
struct Measured {
    unit: Samples,
    status: Samples,
    first: Samples,
    iteration: Samples,
    overhead: Samples,
    snapshot: Samples,
    sync: Samples,
    memory_bytes: u64,
    events_per_iteration: f64,
}

impl Measured {
    fn rows(&self) -> Vec<Row<'_>> {
        vec![
            Row::shown("bash -c : (the agent's own spawn)", &self.unit),
            Row::shown("gulf status, start to end", &self.status),
            Row::shown("gulf run, one iteration, start to end", &self.first),
            Row::shown("one further iteration", &self.iteration),
            Row::shown("… without the agent's own spawn", &self.overhead),
            Row::shown("for comparison: a snapshot by git", &self.snapshot),
            Row::shown("for comparison: one append with fsync", &self.sync),
        ]
    }
}

fn measure_rounds(sandbox: &Sandbox) -> Result<Measured, Failure> {
    let mut measured = Measured {
        unit: Samples::default(),
        status: Samples::default(),
        first: Samples::default(),
        iteration: Samples::default(),
        overhead: Samples::default(),
        snapshot: Samples::default(),
        sync: Samples::default(),
        memory_bytes: 0,
        events_per_iteration: 0.0,
    };
    for round in 1..=ROUNDS {
        eprintln!("round {round} of {ROUNDS}");
        let unit = sandbox.idle_agents(ITERATIONS)? / ITERATIONS;
        let first = sandbox.run_loop(1)?;
        let whole = sandbox.run_loop(1 + ITERATIONS)?;
        let iteration = whole.elapsed.saturating_sub(first.elapsed) / ITERATIONS;
        measured.unit.push(unit);
        measured.first.push(first.elapsed);
        measured.iteration.push(iteration);
        measured.overhead.push(iteration.saturating_sub(unit));
        measured.status.push(sandbox.status()?);
        measured.snapshot.push(sandbox.snapshot()?);
        measured.sync.push(sandbox.append_synced()?);
        measured.memory_bytes = measured.memory_bytes.max(whole.memory_bytes);
        let events = whole.events.saturating_sub(first.events);
        measured.events_per_iteration = events as f64 / f64::from(ITERATIONS);
    }
    Ok(measured)
}

/// The binary as it is published; cargo says where, whatever the target folder is.
fn build() -> Result<PathBuf, Failure> {
    let arguments = ["build", "--profile", PROFILE, "--locked", "--package", "gulf-loop", "--bin", "gulf"];
    program::named(&program::built(program::cargo(&arguments))?, "gulf")
}
