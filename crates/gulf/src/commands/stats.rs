//! `gulf stats`: numbers over all loops of this repository.

use gulf_engine::State;
use gulf_runner::agreement::{Agreement, Tool, WorkerTerms};
use gulf_runner::book;
use gulf_views::{History, Stats, StatsWorker, stats_json};

use super::report::{terms, write_page};
use crate::cli::StatsArguments;
use crate::failure::Failure;
use crate::{place, screen};

pub fn stats(arguments: &StatsArguments) -> Result<u8, Failure> {
    let place = place::here()?;
    let mut loops: Vec<(StatsWorker, History, State)> = Vec::new();
    for known in place::known(&place, None)? {
        let worker = known.agreement().map_or_else(|_| unknown(), |agreement| worker(&agreement));
        loops.push((worker, History::of(&book::read(known.home.root())?), known.fold.state));
    }
    let stats = Stats::of(loops.iter().map(|(worker, history, state)| (worker.clone(), history, state)));
    if let Some(file) = &arguments.html {
        write_page(file, &gulf_faces::stats(&stats, terms()))?;
    } else if arguments.json {
        outln!("{}", stats_json(&stats));
    } else {
        screen::say(&gulf_views::stats(&stats, screen::look(&std::io::stdout())))?;
    }
    Ok(0)
}

/// Of a contract that another version of gulf sealed.
fn unknown() -> StatsWorker {
    StatsWorker { agent: "unknown".to_owned(), model: None }
}

fn worker(agreement: &Agreement) -> StatsWorker {
    let (agent, model) = match (&agreement.worker, &agreement.agent.tool) {
        (WorkerTerms::Session { host } | WorkerTerms::Adopted { host, .. }, _) => {
            (format!("{host} session"), None)
        }
        (WorkerTerms::Processes, Tool::Agent { agent, model }) => (agent.name().to_owned(), model.clone()),
        (WorkerTerms::Processes, Tool::Command { command }) => {
            let program = command.split_whitespace().next().unwrap_or_default();
            (format!("command:{program}"), None)
        }
    };
    StatsWorker { agent, model }
}
