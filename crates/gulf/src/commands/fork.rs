//! `gulf fork`: a new loop with the same goal and contract that goes on from an iteration, beside the person's checkout.

use std::sync::Arc;

use gulf_engine::LoopId;
use gulf_host::clock::Clock;
use gulf_host::git::CommitId;
use gulf_runner::agreement::{Agreement, RepositoryKind, WorkerTerms};
use gulf_runner::amend;
use gulf_runner::channels::NotifyTerms;
use gulf_runner::claims::Caller;
use gulf_runner::error::RunError;
use gulf_runner::fork::{ForkOrigin, ForkRequest, ForkedFrom, again, make_place, take_back};
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::{agent, check_agent};
use gulf_runner::start;
use gulf_runner::trust::GivenOn;
use gulf_spec::config::{Config, Key};

use crate::cli::ForkArguments;
use crate::drive::{Manner, drive_and_show};
use crate::failure::Failure;
use crate::iterations::{self, RecordedLoop};
use crate::out::say_note;
use crate::screen::TellingStyle;
use crate::settings;
use crate::trusting::{self, Word};

pub fn fork(arguments: &ForkArguments) -> Result<u8, Failure> {
    if Caller::of_this_process() != Caller::Person {
        return Err(Failure::usage(
            "only a person may fork a loop, and this comes from an agent's process",
            "run it in a terminal of your own",
        ));
    }
    let point = iterations::point(arguments.point.as_deref())?;
    let recorded = RecordedLoop::find(point.loop_id.as_deref())?;
    let (number, candidate) = recorded.candidate(point.iteration)?;
    let (sealed, config) = contract(&recorded, arguments)?;
    if sealed.repository == RepositoryKind::Shadow {
        let hint = format!("`gulf restore {}@{number} --to DIR`, then `gulf run` there", recorded.handle());
        return Err(Failure::usage("a project without git has no branches to fork to", hint));
    }
    if sealed.list.is_some() {
        let hint = format!(
            "`gulf restore {}@{number} --to DIR`, then `gulf run --preset tasks` there",
            recorded.handle()
        );
        return Err(Failure::usage(
            "a loop that works off a list is not forked: its list stands with what is done",
            hint,
        ));
    }
    check_agent(&recorded.place, &sealed.agent.tool)?;
    let clock = Arc::new(Clock::new());
    let commit = CommitId::parse(candidate.commit.as_str()).map_err(RunError::from)?;
    let repository = recorded.repository()?;
    let terms = sealed.verification.environment.clone();
    let notify = sealed.notify.clone();
    let wanted = ForkRequest {
        place: &recorded.place,
        repository: &repository,
        folder: &recorded.folder(),
        terms: &terms,
        commit: &commit,
        worktrees: config.environment.worktrees.as_deref(),
        secrets: notify.as_ref().map(NotifyTerms::variables).unwrap_or_default(),
        at_ms: clock.wall_ms(),
    };
    trusting::give_at(&recorded.place, Word::terminal("gulf fork", GivenOn::Beginning), &[])?;
    let made = make_place(&wanted)?;
    let name = LoopId::new(recorded.known.name.as_str());
    anstream::eprintln!("forked {}@{number}: branch {} in {}", recorded.handle(), made.branch, made.path);
    for told in &made.notes {
        say_note(told);
    }
    let from = ForkedFrom { loop_id: name, iteration: number, commit: candidate.commit };
    let origin = ForkOrigin { from, base: recorded.compared_with(number) };
    let started = PlaceOfWork::find(&made.path, recorded.place.home.clone())
        .map_err(Failure::from)
        .and_then(|there| Ok((start::start(&there, again(sealed, origin), &clock)?, there)));
    let (held, there) = started.inspect_err(|_| take_back(&wanted, &made))?;
    drive_and_show(&there, held, Manner::usual(TellingStyle::of(arguments.json)), &clock)
}

/// What was sealed, with the agent and the limits that the person names now; and all that is set now.
fn contract(recorded: &RecordedLoop, arguments: &ForkArguments) -> Result<(Agreement, Config), Failure> {
    let sealed = recorded.known.agreement()?;
    let named = [(Key::AgentTool, &arguments.agent), (Key::AgentModel, &arguments.model)];
    let named = named.into_iter().filter_map(|(key, value)| Some((key, value.clone()?)));
    let flags: Vec<(Key, String)> =
        named.chain(arguments.limits.said.clone()).chain(settings::allowed(&arguments.allow)).collect();
    let is_another = arguments.agent.is_some() || arguments.model.is_some();
    if !is_another && sealed.worker != WorkerTerms::Processes {
        return Err(Failure::usage(
            "a session worked on this loop, and a fork works in processes of gulf's own",
            "name an agent: `--agent claude`, `--agent codex`, `--agent 'command:my-agent'`",
        ));
    }
    let mut spoken = amend::settings(&sealed);
    spoken.retain(|(key, _)| flags.iter().all(|(flag, _)| flag != key));
    spoken.extend(flags);
    let config = settings::load(&recorded.place, spoken)?;
    let mut sealed = amend::with_flags(&sealed, &config);
    if is_another {
        let allow = sealed.agent.allow.clone();
        sealed.agent = agent(&recorded.place, &config, &sealed.checks)?;
        sealed.agent.allow.extend(allow);
        sealed.agent.allow.sort();
        sealed.agent.allow.dedup();
    }
    Ok((sealed, config))
}
