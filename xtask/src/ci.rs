//! Everything a change must pass, step by step; one list, so that a laptop and CI cannot disagree.

#[cfg(test)]
mod tests;

use crate::failure::Failure;
use crate::program::{self, Echo, Exit};
use crate::reference;
use crate::scratch::Scratch;
use crate::setup::{self, Tool};
use crate::tidy;
use crate::trace;
use std::cell::Cell;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::process::Command;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Set by `.ci/run` to the reason why cargo-deny could not be installed; without it, CI insists.
const WITHOUT_DENY_VARIABLE: &str = "GULF_CI_WITHOUT_DENY";
/// The same for the guide.
const WITHOUT_GUIDE_VARIABLE: &str = "GULF_CI_WITHOUT_GUIDE";

/// Where proptest looks for the seed of its random inputs.
const SEED_VARIABLE: &str = "PROPTEST_RNG_SEED";

/// Where tests that try one case of many look for whose turn it is (`gulf_testkit::in_turn`).
const TURN_VARIABLE: &str = "GULF_TEST_TURN";

/// Random inputs of a property in a soak; proptest's own number is 256.
const SOAK_CASES: &str = "4096";

/// How much of the first failure's output is repeated at the end, where people look.
const OUTPUT_AGAIN_LINES_MAX: usize = 60;

/// The programs that tests and references run; cargo builds them for the tests of their own packages.
const PROGRAMS: [&str; 2] = ["gulf", "gulf-fake-agent"];

/// Lints while it compiles: `cargo clippy` would read all sources once more, for a third of the time.
const BY_CLIPPY: [&str; 2] = ["--config", "build.rustc-workspace-wrapper='clippy-driver'"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    Everything,
    Fast,
}

#[derive(Debug)]
enum Verdict {
    /// With the line that sums it up, where there is one.
    Passed(String),
    Failed(Vec<String>),
    Skipped(String),
}

struct Step {
    name: &'static str,
    /// The smallest extent that contains it.
    extent: Extent,
    run: fn(&Work) -> Result<Verdict, Failure>,
}

type Tools = JoinHandle<Result<Vec<Tool>, Failure>>;

/// What the steps share.
struct Work {
    extent: Extent,
    /// They wait for the network, while the compiler waits for processors.
    tools: Cell<Option<Tools>>,
}

struct Outcome {
    name: &'static str,
    verdict: Verdict,
    elapsed: Duration,
}

const STEPS: [Step; 9] = [
    Step { name: "format", extent: Extent::Fast, run: |_| cargo(&["fmt", "--all", "--check"]) },
    Step { name: "tidy", extent: Extent::Fast, run: |_| chore(tidy::run()) },
    Step { name: "proofs", extent: Extent::Fast, run: |_| chore(trace::run(trace::Print::Gaps)) },
    Step { name: "clippy", extent: Extent::Fast, run: |_| clippy() },
    Step { name: "tools", extent: Extent::Fast, run: |work| tools(work.tools.take()) },
    Step { name: "tests", extent: Extent::Fast, run: |work| tests(work.extent) },
    Step {
        name: "references",
        extent: Extent::Everything,
        run: |work| chore(build(work.extent).and_then(|gulf| reference::run(reference::Mode::Check, &gulf))),
    },
    Step { name: "dependencies", extent: Extent::Everything, run: |_| deny() },
    Step { name: "guide", extent: Extent::Everything, run: |_| guide() },
];

/// Runs every step, also after a failure: one run tells all that is wrong.
pub(crate) fn run(extent: Extent) -> Result<(), Failure> {
    let work = Work { extent, tools: Cell::new(Some(thread::spawn(setup::prepare))) };
    let mut outcomes = Vec::new();
    for step in &STEPS {
        println!("── {}", step.name);
        let started = Instant::now();
        let verdict = judge(step, &work);
        let outcome = Outcome { name: step.name, verdict, elapsed: started.elapsed() };
        println!("   {}", describe(&outcome));
        outcomes.push(outcome);
    }
    println!("{}", report(&outcomes));
    match first_failure(&outcomes) {
        None => Ok(()),
        Some((name, _)) => {
            let what = format!("{name} failed");
            Err(Failure::Found {
                what,
                hint: "the end of its output stands above the table, all of it at its step",
            })
        }
    }
}

fn judge(step: &Step, work: &Work) -> Verdict {
    if work.extent == Extent::Fast && step.extent == Extent::Everything {
        return Verdict::Skipped("left out by --fast".to_owned());
    }
    match (step.run)(work) {
        Ok(verdict) => verdict,
        Err(failure) => {
            failure.print();
            Verdict::Failed(vec![failure.to_string()])
        }
    }
}

fn cargo(arguments: &[&str]) -> Result<Verdict, Failure> {
    verdict(program::cargo(arguments), Echo::Never)
}

/// A chore of our own, in this process: cargo may replace our executable while we run.
fn chore(result: Result<(), Failure>) -> Result<Verdict, Failure> {
    result.map(|()| Verdict::Passed(String::new()))
}

/// What is built and tested. One selection for both: with another one, libraries have other features, and half of the
/// workspace is compiled twice.
fn selection(extent: Extent) -> &'static [&'static str] {
    match extent {
        Extent::Everything => &["--locked", "--workspace", "--tests"],
        Extent::Fast => &["--locked", "--workspace", "--exclude", "e2e", "--tests"],
    }
}

/// Tests and their programs; where gulf is.
fn build(extent: Extent) -> Result<PathBuf, Failure> {
    let mut command = program::cargo(&["test", "--no-run"]);
    command.args(selection(extent)).args(BY_CLIPPY);
    let executables = program::built(command)?;
    let [gulf, worker] = PROGRAMS.map(|name| program::named(&executables, name));
    worker.and(gulf)
}

/// Builds what is tested and all else, and passes where the compiler had nothing to say.
fn clippy() -> Result<Verdict, Failure> {
    let mut command =
        program::cargo(&["test", "--no-run", "--quiet", "--locked", "--workspace", "--all-targets"]);
    command.args(BY_CLIPPY);
    let finished = program::run(command, Echo::Never)?;
    if finished.exit == Exit::Success && finished.lines.is_empty() {
        return Ok(Verdict::Passed(String::new()));
    }
    finished.lines.iter().for_each(|line| println!("{line}"));
    Ok(Verdict::Failed(finished.lines.into()))
}

/// Waits for those that are still on their way.
fn tools(begun: Option<Tools>) -> Result<Verdict, Failure> {
    let prepared = match begun.map(JoinHandle::join) {
        Some(Ok(prepared)) => prepared?,
        Some(Err(panic)) => resume_unwind(panic),
        None => setup::prepare()?,
    };
    let missing: Vec<String> = prepared
        .into_iter()
        .filter_map(|tool| match tool {
            Tool::Ready(_) => None,
            Tool::Missing { tool, reason } => Some(format!("{tool}: {reason}")),
        })
        .collect();
    Ok(if missing.is_empty() { Verdict::Passed(String::new()) } else { Verdict::Skipped(missing.join("; ")) })
}

/// Shown as they run: this is the long step, and its closing lines are what people look for.
fn tests(extent: Extent) -> Result<Verdict, Failure> {
    let mut command = test_runner(extent)?;
    command.envs(setup::variables());
    let scratch = Scratch::in_memory();
    scratch.lend(&mut command);
    if let Some(seed) = seed()? {
        for (variable, what) in [(SEED_VARIABLE, "random inputs"), (TURN_VARIABLE, "cases in turn")] {
            if std::env::var_os(variable).is_none() {
                println!("   {what}: {variable}={seed}");
                command.env(variable, seed.to_string());
            }
        }
    }
    verdict(command, Echo::Live)
}

/// Everything once: what a run leaves to others in turn, what is left to a soak, and more random inputs.
pub(crate) fn soak() -> Result<(), Failure> {
    setup::prepare()?;
    let mut command = nextest("soak");
    command.env(TURN_VARIABLE, "all").env("PROPTEST_CASES", SOAK_CASES);
    match program::run(command, Echo::Live)?.exit {
        Exit::Success => Ok(()),
        Exit::Failure => {
            Err(Failure::Found { what: "the soak failed".to_owned(), hint: "what failed stands above" })
        }
    }
}

/// Of the committed tree: whoever runs the same sources tries the same inputs, other sources try others. None without git,
/// where every run tries others.
fn seed() -> Result<Option<u64>, Failure> {
    let mut git = Command::new("git");
    git.args(["rev-parse", "--verify", "HEAD^{tree}"]).current_dir(program::root());
    let finished = program::run(git, Echo::Never)?;
    let tree = finished.lines.back().filter(|_| finished.exit == Exit::Success);
    Ok(tree.and_then(|tree| u64::from_str_radix(tree.get(..16)?, 16).ok()))
}

/// All tests, in this profile.
pub(crate) fn nextest(profile: &str) -> Command {
    let mut command = program::cargo(&["nextest", "run", "--profile", profile]);
    command.args(selection(Extent::Everything)).args(["--test-threads", &tests_at_once().to_string()]);
    command.envs(setup::variables());
    command
}

/// nextest; where a person has not installed it, `cargo test` says the same more slowly.
fn test_runner(extent: Extent) -> Result<Command, Failure> {
    if program::has_cargo_subcommand("nextest") {
        let profile = if setup::in_ci() { "ci" } else { "default" };
        let mut command = program::cargo(&["nextest", "run", "--profile", profile]);
        command.args(selection(extent)).args(BY_CLIPPY);
        command.args(["--test-threads", &tests_at_once().to_string()]);
        return Ok(command);
    }
    if setup::in_ci() {
        return Err(Failure::ToolMissing { tool: "cargo-nextest", reason: ".ci/run installs it".to_owned() });
    }
    println!("   cargo-nextest is not installed; `cargo test` stands in");
    println!("   hint: cargo install --locked cargo-nextest");
    let mut command = program::cargo(&["test", "--no-fail-fast"]);
    command.args(selection(extent));
    Ok(command)
}

/// Half as many again as there are processors: a quarter of their time, tests wait for what another process does.
fn tests_at_once() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    processors + processors.div_ceil(2)
}

/// Without the advisories: their database needs the network, and changes without us.
fn deny() -> Result<Verdict, Failure> {
    if program::has_cargo_subcommand("deny") {
        return cargo(&["deny", "--log-level", "error", "check", "bans", "licenses", "sources"]);
    }
    without("cargo-deny", WITHOUT_DENY_VARIABLE, "cargo install --locked cargo-deny")
}

/// In CI a step is skipped only where `.ci/run` says why.
fn without(tool: &'static str, variable: &str, install: &str) -> Result<Verdict, Failure> {
    let reason = std::env::var(variable).unwrap_or_default();
    match (setup::in_ci(), reason.as_str()) {
        (true, "") => Err(Failure::ToolMissing { tool, reason: ".ci/run installs it".to_owned() }),
        (true, reason) => Ok(Verdict::Skipped(reason.to_owned())),
        (false, _) => Ok(Verdict::Skipped(format!("not installed; hint: {install}"))),
    }
}

/// As its readers get it: a page that mdbook warns about is none.
fn guide() -> Result<Verdict, Failure> {
    let mut mdbook = Command::new("mdbook");
    mdbook.arg("build").current_dir(program::root());
    let finished = match program::run(mdbook, Echo::Never) {
        Err(Failure::Start { .. }) => {
            let install = "cargo install --locked mdbook --no-default-features";
            return without("mdbook", WITHOUT_GUIDE_VARIABLE, install);
        }
        finished => finished?,
    };
    let is_warned = finished.lines.iter().any(|line| line.contains("WARN") || line.contains("ERROR"));
    if finished.exit == Exit::Success && !is_warned {
        return Ok(Verdict::Passed(String::new()));
    }
    finished.lines.iter().for_each(|line| println!("{line}"));
    Ok(Verdict::Failed(finished.lines.into()))
}

fn verdict(command: Command, echo: Echo) -> Result<Verdict, Failure> {
    let finished = program::run(command, echo)?;
    Ok(match (finished.exit, echo) {
        (Exit::Success, _) => Verdict::Passed(closing_line(&finished.lines)),
        (Exit::Failure, Echo::Never) => {
            finished.lines.iter().for_each(|line| println!("{line}"));
            Verdict::Failed(finished.lines.into())
        }
        (Exit::Failure, Echo::Live) => Verdict::Failed(finished.lines.into()),
    })
}

/// What nextest says last (`Summary [ 1.2s] 30 tests run: 30 passed`).
fn closing_line<'a>(lines: impl IntoIterator<Item = &'a String>) -> String {
    let summaries = lines.into_iter().map(|line| line.trim()).filter(|line| line.starts_with("Summary ["));
    summaries.last().unwrap_or_default().to_owned()
}

fn describe(outcome: &Outcome) -> String {
    let seconds = outcome.elapsed.as_secs_f64();
    let word = match &outcome.verdict {
        Verdict::Passed(summary) => format!("passed  {summary}"),
        Verdict::Failed(lines) => format!("FAILED  {}", closing_line(lines)),
        Verdict::Skipped(reason) => format!("SKIPPED ({reason})"),
    };
    format!("{:<14}{seconds:>7.1} s  {}", outcome.name, word.trim_end())
}

/// The end of the first failure's output again, then one line per step.
fn report(outcomes: &[Outcome]) -> String {
    let mut lines = Vec::new();
    if let Some((name, output)) = first_failure(outcomes) {
        let cut = output.len().saturating_sub(OUTPUT_AGAIN_LINES_MAX);
        lines.push(format!("\n── end of the output of {name}"));
        lines.extend_from_slice(output.get(cut..).unwrap_or_default());
    }
    lines.push("\n── summary".to_owned());
    lines.extend(outcomes.iter().map(describe));
    lines.join("\n")
}

fn first_failure(outcomes: &[Outcome]) -> Option<(&'static str, &[String])> {
    outcomes.iter().find_map(|outcome| match &outcome.verdict {
        Verdict::Failed(lines) => Some((outcome.name, lines.as_slice())),
        Verdict::Passed(_) | Verdict::Skipped(_) => None,
    })
}
