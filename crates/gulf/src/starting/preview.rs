//! Starts loops with branches of their own: one for autonomous, several for parallel (SPEC G17, G19).
//!
//! What they have in common with other loops is only what is sealed: where they start, where they work and what their
//! names are is decided here.

use std::sync::Arc;

use camino::Utf8PathBuf;
use gulf_host::clock::{Clock, compact_second};
use gulf_host::files;
use gulf_host::lock::Lock;
use gulf_runner::agreement::{LandingPlace, LandingTerms, WorkerTerms};
use gulf_runner::branching::{
    Branching, GroupWorker, Site, StartingPoint, begin, short, starting_point, worktrees_folder,
};
use gulf_runner::error::RunError;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::{Plan, TEXT_BYTES_MAX};
use gulf_runner::start::Held;
use gulf_spec::config::{Config, Key, LandingSettings, Preset, SettingLayer};
use gulf_spec::prompts::strategies;
use gulf_spec::quantity::{print_money, print_tokens};

use super::RunRequest;
use crate::drive::drive_and_show;
use crate::drive::together::{self, RestOfGroup};
use crate::failure::Result;
use crate::place;

/// Makes the branches, seals the loops, and drives them. Their spec is found from then on, and its lock let go.
pub fn start(
    place: &PlaceOfWork,
    request: &RunRequest,
    config: &Config,
    (plan, spec): (Plan, Option<Lock>),
    clock: &Arc<Clock>,
) -> Result<u8> {
    let (start, planned) = beside(place, (config, &config.landing()), plan, clock.wall_ms())?;
    let (mut held, notes) = begin(place, &start, planned, clock)?;
    drop(spec);
    for note in start.notes.iter().chain(&notes) {
        errln!("note: {note}");
    }
    if config.preset != Preset::Parallel
        && let Some(one) = held.pop()
    {
        tell(&one);
        let there = of_held(place, &one)?;
        return drive_and_show(&there, one, &request.manner, clock);
    }
    held.iter().for_each(tell);
    let members = held.into_iter().map(|one| Ok((of_held(place, &one)?, one)));
    let members = members.collect::<Result<_>>()?;
    together::drive(members, RestOfGroup::default(), &request.manner, clock)
}

/// What would be sealed where, without its making: for `--dry-run`.
pub fn preview(place: &PlaceOfWork, config: &Config, plan: Plan) -> Result<(Plan, Vec<String>)> {
    let (start, mut planned) = beside(place, (config, &config.landing()), plan, Clock::new().wall_ms())?;
    let sites = planned.iter().map(|(site, _)| match site.place {
        LandingPlace::Worktree => format!("{} in {}", short(&site.branch), site.path),
        LandingPlace::InPlace => format!("{} in this checkout", short(&site.branch)),
    });
    let sites: Vec<String> = sites.collect();
    let (_, mut first) = planned.swap_remove(0);
    first.notes.extend(start.notes);
    Ok((first, sites))
}

/// Where loops begin, each on a branch of its own, and what is sealed for it there.
pub fn beside(
    place: &PlaceOfWork,
    (config, landing): (&Config, &LandingSettings),
    mut plan: Plan,
    at_ms: u64,
) -> Result<(StartingPoint, Vec<(Site, Plan)>)> {
    let start = starting_point(place, landing, at_ms)?;
    let folder = match start.place {
        LandingPlace::Worktree => {
            worktrees_folder(&place.project, config.optional_text(Key::EnvironmentWorktrees))?
        }
        LandingPlace::InPlace => place.project.clone(),
    };
    let stamp = compact_second(at_ms);
    let name = place.project.file_name().unwrap_or("project");
    let mut planned = Vec::new();
    for worker in workers(place, config, &stamp, &mut plan)? {
        let (kind, own, label) = match &worker {
            Some(GroupWorker { number, .. }) => {
                ("parallel-", format!("{stamp}-worker-{number}"), format!("parallel worker {number}"))
            }
            None => ("", format!("auto-{stamp}"), config.preset.word().to_owned()),
        };
        let site = start.site(&format!("gulf/{kind}{own}"), &folder.join(format!("{name}-gulf-{own}")))?;
        let mut plan = plan.clone();
        // Joining moves the branch with its checkout: that must not be a person's.
        // A session has agents of its own, and nothing of theirs is joined.
        let joins = plan.terms.worker == WorkerTerms::Processes;
        let is_apart = site.place == LandingPlace::Worktree;
        plan.terms.side_by_side.take_if(|_| joins && !is_apart);
        plan.terms.branching = Some(Branching { checkout: place.project.clone(), worker });
        plan.terms.landing = Some(LandingTerms {
            base: start.base.clone(),
            branch: site.branch.clone(),
            place: site.place,
            push: start.push.clone(),
            lanes: config.positive(Key::LandingLanes),
            label,
        });
        planned.push((site, plan));
    }
    Ok((start, planned))
}

/// Those of a group, who share what they may spend; a loop of its own is nobody's worker.
fn workers(
    place: &PlaceOfWork,
    config: &Config,
    group: &str,
    plan: &mut Plan,
) -> Result<Vec<Option<GroupWorker>>> {
    if config.preset != Preset::Parallel {
        return Ok(vec![None]);
    }
    let (of, selection) = (config.count(Key::ParallelWorkers), config.choice(Key::ParallelSelect));
    share(plan, of);
    let hints = hints(place, config)?;
    let workers = (1..=of).zip(hints.into_iter().cycle());
    let worker =
        |(number, strategy)| GroupWorker { group: group.to_owned(), number, of, strategy, selection };
    Ok(workers.map(worker).map(Some).collect())
}

pub fn of_held(place: &PlaceOfWork, held: &Held) -> Result<PlaceOfWork> {
    Ok(PlaceOfWork::find(&held.resources.agreement.project, place.home.clone())?)
}

fn tell(held: &Held) {
    if let Some(branch) = place::branch(&held.resources.agreement) {
        let who =
            branch.worker.as_ref().map(|worker| format!("worker {}: ", worker.number)).unwrap_or_default();
        let place = branch.worktree.unwrap_or_else(|| "this checkout".to_owned());
        errln!("{who}on {} in {place}; lands on {}", branch.name, branch.base);
    }
}

/// What all workers together may spend is shared among them; time and iterations are each one's own.
fn share(plan: &mut Plan, workers: u32) {
    let limits = &mut plan.terms.policy.limits;
    let workers = u64::from(workers.max(1));
    if let Some(all) = &mut limits.microdollars_max {
        *all /= workers;
        plan.notes.push(format!("the money is shared evenly: {} for each worker", print_money(*all)));
    }
    if let Some(all) = &mut limits.tokens_max {
        *all /= workers;
        plan.notes.push(format!("the tokens are shared evenly: {} for each worker", print_tokens(*all)));
    }
}

/// How the workers are to go about it: what the person wrote, else gulf's own hints.
fn hints(place: &PlaceOfWork, config: &Config) -> Result<Vec<String>> {
    let files = config.list(Key::ParallelStrategies);
    if files.is_empty() {
        return Ok(strategies().map(str::to_owned).collect());
    }
    // A flag is typed where the person stands; a file speaks of the project.
    let is_typed =
        config.origin(Key::ParallelStrategies).is_some_and(|origin| origin.layer == SettingLayer::Flag);
    let read = |file: &String| {
        let path = if is_typed { Utf8PathBuf::from(file) } else { place.project.join(file) };
        Ok(files::read_text(&path, TEXT_BYTES_MAX).map_err(RunError::from)?.content)
    };
    files.iter().map(read).collect()
}
