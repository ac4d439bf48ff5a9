//! Where a command works, and which loop it means.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{EffectKind, End, Party, QueueFacts, Stage, State};
use gulf_host::git::GitError;
use gulf_host::hint::Hint as _;
use gulf_host::home::Home;
use gulf_host::lock::{Holder, Lock};
use gulf_runner::agreement::{
    AgentTerms, Agreement, CheckIsolation, GroupWorker, LandingPlace, Place, PushTerms, SealedCheck,
    WorkerTerms, WorkerWalls,
};
use gulf_runner::book::{self, Fold};
use gulf_runner::channels::Deliveries;
use gulf_runner::error::RunError;
use gulf_runner::folder::LoopPaths;
use gulf_runner::landing;
use gulf_runner::place::{PlaceOfWork, Project};
use gulf_runner::start::{Damaged, KnownLoop, Loops, StartError, loops};
use gulf_runner::{branching, group, keeping, known, notes};
use gulf_spec::goal::goal_title;
use gulf_spec::handle::{self, Meant};
use gulf_views::{
    BranchFacts, ChannelFacts, DriverPresence, Facts, History, LandingFacts, LoopStatus, Member, NoteFacts,
    WorkerFacts,
};

use crate::failure::{Failure, Result};
use crate::out::say_note;
use crate::report::gone_with_work;
use crate::{again, excerpts, input, paths};

/// Stands for what was agreed on where that is in a form that this gulf does not read.
pub const UNREADABLE: &str = "(its contract cannot be read)";

/// The project around the current directory.
pub fn here() -> Result<PlaceOfWork> {
    let home = Home::from_environment()?;
    Ok(PlaceOfWork::find(&current_directory()?, home)?)
}

/// The project around the current directory, without a home: nothing is written to find it, and no git is needed.
pub fn project() -> Result<Project> {
    let directory = current_directory()?;
    match Project::find(&directory) {
        Err(RunError::Git(GitError::ProgramMissing)) => Ok(Project { directory, layout: None }),
        found => Ok(found?),
    }
}

/// Nothing that drives a loop works without it.
pub fn is_git_missing() -> Result<bool> {
    Ok(matches!(Project::find(&current_directory()?), Err(RunError::Git(GitError::ProgramMissing))))
}

/// What to do instead of a loop on a whole home.
pub const OWN_FOLDER: &str =
    "`cd` into the project's own folder, or make one: `mkdir work && cd work && git init`";

/// Would a loop take a whole home or disk for its project? Without git, every file below is one of its own.
pub fn taken_whole(project: &Project) -> Option<String> {
    let home = std::env::var_os("HOME").and_then(|home| std::path::Path::new(&home).canonicalize().ok());
    let is_home = home.as_deref() == Some(project.directory.as_std_path());
    let is_whole = project.layout.is_none() && (is_home || project.directory.parent().is_none());
    is_whole
        .then(|| format!("{} is no repository, and all of it would be the loop's project", project.directory))
}

/// Asks before a loop takes a whole home or disk for its project.
pub fn is_project(place: &PlaceOfWork) -> Result<()> {
    let Some(what) = taken_whole(&place.as_project()) else { return Ok(()) };
    if input::agrees(&format!("{what}. Start here all the same?"))? {
        return Ok(());
    }
    Err(Failure::usage(what, OWN_FOLDER))
}

/// What is typed in a folder of a project is about its top all the same.
pub fn note_of_folder(place: &PlaceOfWork) {
    let top = &place.project;
    if current_directory().is_ok_and(|here| here != *top && here.starts_with(top)) {
        say_note(format!("agent and checks run at the top of the project, {top}; their paths begin there"));
    }
}

pub fn current_directory() -> Result<Utf8PathBuf> {
    let directory = std::env::current_dir().map_err(|error| {
        Failure::world(&error, Some("the current directory is gone; go to another".to_owned()))
    })?;
    paths::utf8(directory, "work in a folder whose path is UTF-8")
}

/// The loops that can be read. One that cannot is an error where it is meant, or alone; else a word on stderr.
pub fn known(place: &PlaceOfWork, id: Option<&str>) -> Result<Vec<KnownLoop>> {
    let Loops { known, mut damaged } = loops(place).map_err(Failure::from)?;
    let is_meant = |one: &Damaged| match id {
        Some(id) => handle::begins(one.name.as_str(), id),
        None => known.is_empty(),
    };
    if let Some(meant) = damaged.iter().position(is_meant) {
        return Err(damaged.swap_remove(meant).error.into());
    }
    pass_over(&damaged);
    Ok(known)
}

/// The loops of which it was said that they cannot be read: once in a command, however often it looks.
static PASSED_OVER: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Says which loops cannot be read.
pub fn pass_over(damaged: &[Damaged]) {
    let mut told = PASSED_OVER.lock().unwrap_or_else(PoisonError::into_inner);
    for one in damaged.iter().filter(|one| told.insert(one.name.as_str().to_owned())) {
        say_note(format!("passing over {}, which cannot be read: {}", one.name.as_str(), one.error));
    }
}

fn no_loop(place: &PlaceOfWork) -> StartError {
    tell_of_earlier(place);
    StartError::NoLoop
}

/// Names the unfinished loops that began here in a repository which was removed or replaced since: none of them is this
/// one's, and none is passed over in silence.
pub fn tell_of_earlier(place: &PlaceOfWork) {
    for one in earlier(place) {
        let id = one.handle();
        say_note(format!(
            "the loop {id} began here in another repository, which was removed or replaced since (`gulf status {id}` \
             shows it): bring that one's .git back, then `gulf resume {id}`; or `gulf cancel {id}`"
        ));
    }
    for (id, told) in left_behind(place) {
        say_note(format!("the loop {id} of this repository {told} (`gulf status {id}` shows it)"));
    }
}

/// The loops that are unfinished or did not land, and whose checkout is gone, as where the repository was moved.
pub fn left_behind(place: &PlaceOfWork) -> Vec<(String, String)> {
    let known = loops(place).map(|loops| loops.known).unwrap_or_default().into_iter();
    let left = known.filter(|one| one.is_unfinished() || gone_with_work(one).is_some());
    left.filter_map(|one| Some((one.handle(), gone(&one)?))).collect()
}

/// Where a project was moved, the work lies there as if it were its person's.
pub fn tell_if_moved(known: &KnownLoop) {
    if let Some(folder) = gone_with_work(known) {
        let id = known.handle();
        say_note(format!(
            "{id} worked in {folder}, which is not there any more; where the project was moved here, `git stash --include-untracked` puts its change aside, and `gulf land {id}` lands it"
        ));
    }
}

/// Where its checkout was, if that is gone.
fn gone(known: &KnownLoop) -> Option<String> {
    let project = known.agreement().ok()?.project;
    (!project.exists()).then(|| format!("works in {project}, which is not there any more"))
}

/// The unfinished loops that worked in this very project while another repository lay there.
fn earlier(place: &PlaceOfWork) -> Vec<KnownLoop> {
    let kept = place.earlier_repositories().unwrap_or_default().into_iter();
    let there = kept.map(|repository| PlaceOfWork { repository, ..place.clone() });
    let known = there.flat_map(|there| loops(&there).map(|loops| loops.known).unwrap_or_default());
    known.filter(|one| one.is_unfinished() && one.works_in(&place.project)).collect()
}

/// The loop that is named, or the one in this checkout that is meant by whoever names none.
pub fn meant(place: &PlaceOfWork, id: Option<&str>) -> Result<KnownLoop> {
    match id {
        Some(id) => by_id_here(place, &known(place, Some(id))?, id),
        None => foremost(known_here(place, None)?)?.ok_or_else(|| no_loop(place).into()),
    }
}

/// The one rule for whoever names no loop: what runs comes first, then what ended or came to rest last.
pub fn foremost(known: Vec<KnownLoop>) -> Result<Option<KnownLoop>> {
    let mut ranked = Vec::new();
    for one in known {
        let runs = matches!(
            LoopStatus::new(&one.fold.state, driver_of(&one)?),
            LoopStatus::Running | LoopStatus::InSession { .. }
        );
        let Fold { started_at_ms, ended_at_ms, .. } = one.fold;
        let since_ms = if runs { started_at_ms } else { ended_at_ms.unwrap_or(one.fold.last_at_ms) };
        ranked.push(((runs, since_ms), one));
    }
    Ok(ranked.into_iter().max_by_key(|(rank, _)| *rank).map(|(_, one)| one))
}

/// Does somebody drive it right now?
pub fn driver_of(known: &KnownLoop) -> Result<DriverPresence> {
    let is_held = matches!(Lock::holder(&known.home.lock())?, Holder::Process { .. });
    Ok(if is_held { DriverPresence::Present } else { DriverPresence::Absent })
}

/// The loop that is named; without a name the unfinished one in this checkout.
pub fn unfinished(place: &PlaceOfWork, id: Option<&str>) -> Result<KnownLoop> {
    if let Some(id) = id {
        return by_id_here(place, &known(place, Some(id))?, id);
    }
    let known = known_here(place, None)?;
    let none = if known.is_empty() { no_loop(place) } else { StartError::NothingToResume };
    let mut open: Vec<KnownLoop> = known.into_iter().filter(KnownLoop::is_unfinished).collect();
    match open.len() {
        0 | 1 => open.pop().ok_or_else(|| none.into()),
        _ => Err(StartError::Ambiguous { ids: open.iter().map(KnownLoop::handle).collect() }.into()),
    }
}

/// All of this checkout.
pub fn known_here(place: &PlaceOfWork, id: Option<&str>) -> Result<Vec<KnownLoop>> {
    Ok(known(place, id)?.into_iter().filter(|one| one.is_of(&place.project)).collect())
}

/// All that are unfinished in this checkout.
pub fn open_here(place: &PlaceOfWork) -> Result<Vec<KnownLoop>> {
    Ok(known_here(place, None)?.into_iter().filter(KnownLoop::is_unfinished).collect())
}

/// The unfinished loop in this checkout; of a group, any: where one is meant, all are.
pub fn unfinished_group(place: &PlaceOfWork) -> Result<KnownLoop> {
    let mut open = open_here(place)?;
    if let Some(one) = open.first()
        && group::together(one, &open).len() == open.len()
    {
        return Ok(open.swap_remove(0));
    }
    unfinished(place, None)
}

/// Who names a loop means it also where its repository was removed or replaced since.
fn by_id_here(place: &PlaceOfWork, known: &[KnownLoop], id: &str) -> Result<KnownLoop> {
    by_id(known, id).or_else(|unknown| by_id(&earlier(place), id).map_err(|_| unknown))
}

fn by_id(known: &[KnownLoop], id: &str) -> Result<KnownLoop> {
    let names: Vec<&str> = known.iter().map(|one| one.name.as_str()).collect();
    let meant = match handle::meant(id, &names) {
        Meant::None => None,
        Meant::One(name) => known.iter().find(|one| one.name.as_str() == name).cloned(),
        Meant::Several(names) => {
            let each = known.iter().filter(|one| names.contains(&one.name.as_str()));
            let each = each.map(|one| format!("{} ({})", one.handle(), one.name)).collect::<Vec<_>>();
            let what = format!("several loops begin with `{id}`: {}", each.join(", "));
            return Err(Failure::usage(what, "type more of the one that is meant"));
        }
    };
    meant.ok_or_else(|| StartError::Unknown { id: id.to_owned() }.into())
}

/// What the views must be told of a sealed contract.
pub fn facts(agreement: &Agreement, folder: &Utf8Path) -> Facts {
    let mut asked = agreement.checks.iter().filter(|check| check.place == Place::Checkout).peekable();
    let is_isolated = asked.peek().is_some() && asked.all(|check| check.isolation != CheckIsolation::Off);
    let apart = match is_isolated {
        true => "checks ran isolated: without the machine's network, home and processes",
        false => "checks ran in a checkout of their own, not isolated from the machine",
    };
    let worker = match (&agreement.worker, agreement.agent.sandbox) {
        _ if agreement.agent == AgentTerms::default() => None,
        (WorkerTerms::Processes, WorkerWalls::On) => {
            Some("the agent could write neither toolchains, settings nor gulf's own files")
        }
        (WorkerTerms::Processes, WorkerWalls::Off) => {
            Some("the agent worked with the rights of whoever started it")
        }
        (WorkerTerms::Session { .. } | WorkerTerms::Adopted { .. }, _) => {
            Some("the agent worked in a session of its host's")
        }
    };
    let surroundings =
        std::iter::once(apart).chain(worker).chain(gulf_host::platform::limits().iter().copied());
    let checks = agreement.checks.iter();
    let tasks = agreement.list.iter().flat_map(|list| &list.tasks);
    let (again_command, again_limits) = again::command(agreement);
    Facts {
        loop_id: agreement.loop_id.clone(),
        handle: known::handle(folder),
        is_alone: is_here(agreement) && (known::is_alone(folder) || known::is_foremost(folder)),
        spec_id: agreement.spec.as_ref().map_or_else(
            || gulf_runner::agreement::goal_digest(&agreement.goal).to_string(),
            |spec| spec.id.clone(),
        ),
        goal: agreement.goal.clone(),
        passed_over: agreement.ignored_questions.clone(),
        unrun_checks: agreement.unrun_checks.clone(),
        title: goal_title(&agreement.goal).to_owned(),
        promise: agreement.completion_promise.clone(),
        checks: checks.map(|check| (check.name.clone(), check.command.clone())).collect(),
        // Where somebody judges them, the judge's word says what became of them.
        criteria: agreement.criteria.clone(),
        isolation: less_isolated(agreement, folder),
        surroundings: surroundings.map(str::to_owned).collect(),
        logs: folder.join("iterations").to_string(),
        logs_shown: paths::shown(&folder.join("iterations")),
        branch: branch(agreement),
        fork: again::fork(agreement),
        landing: agreement.landing.as_ref().map(|terms| LandingFacts {
            base: branching::short(&terms.base).to_owned(),
            push: terms.push.as_ref().map(PushTerms::name),
            ..LandingFacts::default()
        }),
        channels: channels(agreement, folder),
        preset: agreement.preset.clone(),
        again_command,
        again_limits,
        prd: agreement.project_folder.as_ref().and_then(|folder| Some(folder.prd.as_ref()?.path.clone())),
        list: agreement.list.as_ref().map(|list| list.path.clone()),
        task_criteria: tasks.map(|task| (task.id.clone(), task.criteria.clone())).collect(),
        ..Facts::default()
    }
}

/// Does a command typed here mean a loop of this checkout, if it names none?
fn is_here(agreement: &Agreement) -> bool {
    let checkouts = person(agreement).into_iter().chain([agreement.project.as_path()]);
    current_directory().is_ok_and(|here| checkouts.into_iter().any(|checkout| here.starts_with(checkout)))
}

/// The same, with what the queue of its base branch says at this moment.
pub fn facts_now(agreement: &Agreement, folder: &Utf8Path) -> Facts {
    let mut facts = facts(agreement, folder);
    if let Some(landing) = &mut facts.landing {
        let seen = landing::seen(agreement, &LoopPaths::new(folder));
        (landing.moved_to, landing.merge) = (seen.moved_to, seen.merge);
        landing.queue = seen.place;
    }
    facts
}

/// Where a loop that is landing waits; of any other no queue is read.
pub fn queue(agreement: &Agreement, known: &KnownLoop) -> Option<QueueFacts> {
    let lands = known.fold.state.running.iter().any(|key| key.work == EffectKind::Land);
    lands.then(|| landing::seen(agreement, &known.home).place).flatten()
}

/// One of a group as it stands, and the title of the goal of all.
pub fn member(known: &KnownLoop, driver: DriverPresence) -> Result<(Member, String)> {
    let (facts, _) = facts_of(known)?;
    let history = History::fold(&book::read(known.home.root())?);
    Ok((Member::new(&facts, &history, &known.fold.state, driver), facts.title))
}

/// The same, of a loop that another version of gulf may have sealed: then what its journal alone tells, which is said.
pub fn facts_of(known: &KnownLoop) -> Result<(Facts, Option<Agreement>)> {
    let error = match known.agreement() {
        Ok(agreement) => return Ok((facts_now(&agreement, known.home.root()), Some(agreement))),
        Err(error @ RunError::ForeignContract { .. }) => error,
        Err(error) => return Err(error.into()),
    };
    say_note(&error);
    errln!("hint: {}", error.hint().unwrap_or_default());
    let contract = known.fold.state.contract();
    let checks = contract.map_or(&[][..], |contract| &contract.checks).iter();
    let facts = Facts {
        loop_id: gulf_engine::LoopId::new(known.name.as_str()),
        handle: known.handle(),
        is_alone: known::is_alone(known.home.root()),
        spec_id: contract.map(|contract| contract.goal.to_string()).unwrap_or_default(),
        goal: UNREADABLE.to_owned(),
        title: UNREADABLE.to_owned(),
        checks: checks.map(|terms| (terms.name.clone(), terms.name.to_string())).collect(),
        logs: known.home.root().join("iterations").to_string(),
        logs_shown: paths::shown(&known.home.root().join("iterations")),
        again_command: "gulf run".to_owned(),
        ..Facts::default()
    };
    Ok((facts, None))
}

/// What the ways to reach a person were told; what cannot be read tells nothing.
fn channels(agreement: &Agreement, folder: &Utf8Path) -> Vec<ChannelFacts> {
    let Some(terms) = &agreement.notify else { return Vec::new() };
    let told = Deliveries::read(folder).unwrap_or_default();
    let facts = |name: &str| {
        let by = told.channels.get(name);
        let keys = by.map(|by| by.told.keys().filter(|key| !key.starts_with("to-")).cloned().collect());
        let trouble = by.and_then(|by| by.trouble.as_ref()).map(|trouble| trouble.why.clone());
        let (name, told) = (name.to_owned(), keys.unwrap_or_default());
        ChannelFacts { name, told, trouble, unread: Vec::new() }
    };
    terms.names().into_iter().map(facts).collect()
}

/// What ran with less between it and the machine, or its project, than checks usually have.
pub fn less_isolated(agreement: &Agreement, folder: &Utf8Path) -> Vec<String> {
    let merged = if agreement.landing.is_some() { ", and not on the merged commit" } else { "" };
    let in_place = in_place(agreement)
        .map(|check| format!("the check {} ran in place, in the project itself{merged}", check.name));
    let opened = agreement.opened(&LoopPaths::new(folder)).into_iter();
    let opened = opened.map(|(check, why)| format!("the check {check} was not isolated: {why}"));
    in_place.chain(opened).collect()
}

fn in_place(agreement: &Agreement) -> impl Iterator<Item = &SealedCheck> {
    agreement.checks.iter().filter(|check| check.place == Place::Project)
}

/// What the worker last said of its progress.
pub fn note(home: &LoopPaths, state: &State) -> Option<NoteFacts> {
    let (iteration, note) = notes::newest(home, state)?;
    Some(NoteFacts { iteration, text: note.text, at_ms: note.at_ms })
}

/// What is to be said of a loop that is over: what its agent said last, and what it undid of the person's.
pub fn add_end(facts: &mut Facts, home: &LoopPaths, history: &History, state: &State) {
    let is_out_of_reach = matches!(&state.stage, Stage::Ended(End::Unavailable { party: Party::Agent, .. }));
    let failing = history.failing.as_ref().filter(|_| is_out_of_reach);
    facts.last_words = failing.map_or_else(Vec::new, |failing| excerpts::last_words(home, &failing.key));
    let contract = state.contract().filter(|_| matches!(&state.stage, Stage::Ended(_)));
    let agreement = contract.and_then(|contract| Agreement::open(home, &contract.digest).ok());
    let undone = agreement.and_then(|agreement| keeping::undone(&agreement, home).ok());
    facts.undone = undone.unwrap_or_default();
}

/// The loop's own branch, where it has one.
pub fn branch(agreement: &Agreement) -> Option<BranchFacts> {
    let landing = agreement.landing.as_ref()?;
    Some(BranchFacts {
        name: branching::short(&landing.branch).to_owned(),
        base: branching::short(&landing.base).to_owned(),
        // After its work has landed it is removed.
        worktree: (landing.place == LandingPlace::Worktree && agreement.project.exists())
            .then(|| agreement.project.to_string()),
        kept: None,
        unchecked_when_merged: in_place(agreement).map(|check| check.name.clone()).collect(),
        worker: group::worker(agreement).map(|GroupWorker { group, number, of, .. }| WorkerFacts {
            group: group.clone(),
            number: *number,
            of: *of,
        }),
    })
}

/// The checkout in which a person started a loop with a branch of its own.
pub fn person(agreement: &Agreement) -> Option<&camino::Utf8Path> {
    agreement.branching.as_ref().map(|branching| branching.checkout.as_path())
}

/// The place where a loop works, to be driven there.
pub fn of_loop(place: &PlaceOfWork, known: &KnownLoop) -> Result<PlaceOfWork> {
    let agreement = known.agreement()?;
    if !known.home.root().starts_with(place.repository.root()) {
        return Err(place.git_is_gone(&known.handle()).into());
    }
    if agreement.project == place.project {
        return Ok(place.clone());
    }
    if let (Some(landing), false) = (&agreement.landing, agreement.project.join(".git").exists()) {
        let id = known.handle();
        let branch = branching::short(&landing.branch).to_owned();
        return Err(StartError::WorktreeGone { id, path: agreement.project, branch }.into());
    }
    if !agreement.project.exists() {
        return Err(StartError::ProjectGone { id: known.handle(), path: agreement.project }.into());
    }
    Ok(PlaceOfWork::find(&agreement.project, place.home.clone())?)
}
