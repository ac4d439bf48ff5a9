//! The real gulf, driven as a person drives it, with a scripted worker: what SPEC promises, seen from outside.
//!
//! One binary, apart from every crate, because what is shown here must hold for the program and not for its parts.
//! Nothing waits by the clock: tests and workers meet at FIFOs.

// Elsewhere gulf's processes cannot be watched from outside (see gulf-testkit's platform module).
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on fails; clippy only knows the test functions themselves"
)]

mod action;
mod agents;
mod answers;
mod autonomous;
mod autopilot;
mod base_moves;
mod base_tests;
mod baseline;
mod beginnings;
mod canary;
mod candidate;
mod cheats;
mod commands;
mod contract;
mod crash;
mod damage;
mod documents;
mod environment;
mod faces;
mod failure_modes;
mod feedback;
mod folder;
mod foreign;
mod git_calls;

mod held_out;
mod isolation;
mod journal_cut;
mod judges;
mod keeping;
mod korean;
mod land;
mod landing;
mod limits;
mod live;
mod many;
mod memory;
mod nameless;
mod night;
mod node;
mod ordinary;
mod parallel;
mod peak;
mod pictures;
mod plugin;
mod proposed;
mod put_away;
mod python;
mod ralph;
mod reach;
mod real;
mod receipts;
mod releases;
mod remotes;
mod reruns;
mod runnable;
mod rust;
mod secrets;
mod sessions;
mod signals;
mod steering;
mod steps;
mod stories;
mod surroundings;
mod tampering;
mod tasks;
mod travel;
mod web;

use gulf_testkit::{FakeAgent, Invocation, Meeting, Sandbox, Started, Step};

/// What the worker is asked for, wherever it does not matter.
const GOAL: &str = "make value.txt say right";

/// Red on the samples' base, green when somebody did it.
const RIGHT: &str = "sh check.sh";

/// The exit codes of DESIGN "How a command ends".
mod exit {
    pub(crate) const VERIFIED: i32 = 0;
    pub(crate) const ERROR: i32 = 1;
    pub(crate) const REFUSED_START: i32 = 2;
    pub(crate) const ATTESTED: i32 = 3;
    pub(crate) const PAUSED: i32 = 10;
    pub(crate) const STALLED: i32 = 11;
    pub(crate) const EXHAUSTED: i32 = 12;
    pub(crate) const UNAVAILABLE: i32 = 13;
    pub(crate) const VIOLATED: i32 = 14;
    pub(crate) const CANCELLED: i32 = 15;
    pub(crate) const INTERRUPTED: i32 = 130;
}

/// `gulf run` on [`GOAL`] without a research brief.
fn run(sandbox: &Sandbox, agent: &FakeAgent, arguments: &[&str]) -> Invocation {
    sandbox
        .gulf(["run", GOAL, "--research", "off", "--agent", &agent.flag()])
        .arguments(arguments.iter().copied())
}

/// `gulf run` with [`RIGHT`] as its only check.
fn run_right(sandbox: &Sandbox, agent: &FakeAgent, arguments: &[&str]) -> Invocation {
    run(sandbox, agent, &["--check", RIGHT]).arguments(arguments.iter().copied())
}

/// The same with a worker that does nothing any more, from its first turn on.
fn hanging(sandbox: &Sandbox) -> Started {
    let here = Meeting::new(sandbox, "here");
    let agent = FakeAgent::new(sandbox).turn(1, [here.reached(), Step::Hang]);
    let running = run_right(sandbox, &agent, &[]).start();
    here.wait();
    running
}

/// What people call the only loop.
#[track_caller]
fn handle(sandbox: &Sandbox) -> String {
    handle_of(sandbox, sandbox.only_loop().id())
}

/// What people call the loop with this id.
#[track_caller]
fn handle_of(sandbox: &Sandbox, id: &str) -> String {
    let listed = sandbox.gulf(["list", "--json"]).run().expect_exit(0).json_lines().remove(0);
    let mut loops = listed["loops"].as_array().unwrap().iter();
    loops.find(|one| one["loop"] == id).unwrap()["handle"].as_str().unwrap().to_owned()
}

/// What an honest worker does.
fn mend() -> [Step; 2] {
    [Step::write("value.txt", "right\n"), Step::claim()]
}
