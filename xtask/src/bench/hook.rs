//! What sessions pay for gulf's hook: each row is one whole process, from its start to its end.
//!
//! Here somebody waits for each call: a person at a prompt, an agent before a tool.

use super::measure::{self, Row, Samples};
use super::sandbox;
use super::session::{Claim, Session};
use crate::failure::Failure;
use std::path::PathBuf;

/// Every measure is taken once per round, so that a machine that slows down slows all of them.
const ROUNDS: usize = 40;
/// The unit is short, so it is taken several times a round.
const UNITS: u32 = 5;

/// What the rounds gave, one sample per round each.
#[derive(Debug, Default)]
struct Measured {
    unit: Samples,
    snapshot: Samples,
    snapshot_of_work: Samples,
    sync: Samples,
    no_loop: Samples,
    other_session: Samples,
    tool_without_loop: Samples,
    tool: Samples,
    status: Samples,
    again: Samples,
    again_overhead: Samples,
    claim: Samples,
    claim_overhead: Samples,
}

/// The checkouts that are measured.
struct Scenes {
    alone: Session,
    /// Nothing changes there, and nobody claims.
    idle: Session,
    /// Each turn leaves a file and claims, and the check says no.
    refused: Session,
}

pub(super) fn run(gulf: PathBuf) -> Result<(), Failure> {
    let mut scenes = Scenes {
        alone: Session::alone(gulf.clone())?,
        idle: Session::armed(gulf.clone(), "true")?,
        refused: Session::armed(gulf, "false")?,
    };
    // The first run of a check makes its checkout.
    scenes.refused.stop(Claim::Done)?;
    let mut measured = Measured::default();
    for round in 1..=ROUNDS {
        eprintln!("hook: round {round} of {ROUNDS}");
        measured.take(&mut scenes)?;
    }
    println!(
        "gulf hook: {ROUNDS} rounds, built as it is published, {} tracked files; unit: `bash -c :`\n",
        sandbox::TRACKED_FILES
    );
    println!("{}", measure::table(&measured.rows(), measured.unit.median()));
    Ok(())
}

impl Measured {
    fn take(&mut self, scenes: &mut Scenes) -> Result<(), Failure> {
        let Scenes { alone, idle, refused } = scenes;
        self.unit.push(alone.sandbox.idle_agents(UNITS)? / UNITS);
        let sync = alone.sandbox.append_synced()?;
        self.sync.push(sync);
        self.no_loop.push(alone.stop_elsewhere()?);
        self.tool_without_loop.push(alone.tool()?);
        self.other_session.push(idle.stop_elsewhere()?);
        self.tool.push(idle.tool()?);
        self.status.push(idle.status()?);
        let snapshot = alone.sandbox.snapshot()?;
        let again = idle.stop(Claim::None)?;
        self.again_overhead.push(again.saturating_sub(snapshot + sync));
        alone.work()?;
        let snapshot_of_work = alone.sandbox.snapshot()?;
        refused.work()?;
        let claim = refused.stop(Claim::Done)?;
        self.claim_overhead.push(claim.saturating_sub(snapshot_of_work + sync));
        self.snapshot.push(snapshot);
        self.snapshot_of_work.push(snapshot_of_work);
        self.again.push(again);
        self.claim.push(claim);
        Ok(())
    }

    fn rows(&self) -> Vec<Row<'_>> {
        vec![
            Row::shown("bash -c :", &self.unit),
            Row::shown("for comparison: a snapshot by git", &self.snapshot),
            Row::shown("… of one changed file", &self.snapshot_of_work),
            Row::shown("for comparison: one append with fsync", &self.sync),
            Row::aimed("a stop, no loop", &self.no_loop, 2.0),
            Row::shown("a stop of another session", &self.other_session),
            Row::shown("before a tool, no loop", &self.tool_without_loop),
            Row::shown("before a tool, a loop", &self.tool),
            Row::shown("a person asks for the status", &self.status),
            Row::shown("a stop, nothing changed, sent on", &self.again),
            Row::aimed("… without the snapshot and one fsync", &self.again_overhead, 4.0),
            Row::shown("a stop that claims, one check says no", &self.claim),
            Row::aimed("… without the snapshot and one fsync", &self.claim_overhead, 8.0),
        ]
    }
}
