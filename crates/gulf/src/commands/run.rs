//! `gulf run`: start a loop, or go on with the same goal's interrupted one, and drive it.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

use gulf_agents::sessions::{Host, spelled_for};
use gulf_host::clock::Clock;
use gulf_runner::agreement::WorkerTerms;
use gulf_runner::branching::short;
use gulf_runner::claims::Caller;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::Plan;
use gulf_runner::prompt::first_prompt;
use gulf_runner::session::{self, Bound, Means, Outcome, Seat};
use gulf_runner::stop::Stop;
use gulf_runner::trust::GivenOn;
use gulf_runner::{specs, tasks};
use gulf_spec::alignment::ALIGNMENT_PATH;
use gulf_spec::config::{Key, Preset};
use gulf_views::tame_text;

use crate::cli::{RunArguments, StartArguments};
use crate::commands::ui;
use crate::drive::notify;
use crate::ending::{self, Replacing};
use crate::failure::{Failure, Result};
use crate::in_session::conclude::concluded;
use crate::in_session::seal::{self, SealedSession, refuse_if_busy, seal};
use crate::out::say_note;
use crate::screen::TellingStyle;
use crate::starting::{self, RunRequest, composed_of, drive_goal, free_spec, preview};
use crate::trusting::{TypedPlace, Word};
use crate::{input, place, settings};

pub fn run(arguments: &RunArguments) -> Result<u8> {
    if arguments.ui {
        return ui::run();
    }
    let place = place::here()?;
    let flags = settings::flags(&arguments.terms);
    let goal = match &arguments.terms.spec {
        Some(id) => specs::find(&place.project, id).map(|(spec, text)| (Some(spec), text))?,
        None => (None, prompt(arguments, &place, &flags)?),
    };
    let mut request = RunRequest::from_flags(&arguments.terms, goal, flags, WorkerTerms::Processes);
    request.manner.telling = TellingStyle::from_json_flag(arguments.json);
    request.manner.patience = notify::patience(arguments.wait.as_deref())?;
    if arguments.dry_run { show(&place, &request) } else { drive_goal(&place, &request) }
}

/// The prompt: given, from a file, from standard input, or PROMPT.md; a list says itself what is to be done.
fn prompt(arguments: &RunArguments, place: &PlaceOfWork, flags: &[(Key, String)]) -> Result<String> {
    match (&arguments.prompt, &arguments.terms.file) {
        (Some(prompt), _) if prompt == "-" => input::from_stdin("the prompt"),
        (Some(prompt), _) => Ok(prompt.clone()),
        (None, Some(file)) => starting::in_file(file),
        (None, None) => {
            let config = settings::load(place, flags.to_vec())?;
            if config.preset != Preset::Tasks {
                return starting::of_project(place)?.ok_or_else(|| starting::missing("run"));
            }
            let list = tasks::find(&place.project, config.optional_text(Key::TasksFile))?;
            Ok(format!("Work through the tasks of {}", list.path))
        }
    }
}

// `gulf run --dry-run`: the first prompt and what would be sealed; nothing is run, and nothing is written.

fn show(place: &PlaceOfWork, request: &RunRequest) -> Result<u8> {
    let (config, plan) = composed_of(place, request)?;
    let (plan, sites) =
        if config.preset.lands() { preview::preview(place, &config, plan)? } else { (plan, Vec::new()) };
    let prompt = first_prompt(place, &plan.terms)?;
    match request.manner.telling {
        TellingStyle::Json => outln!("{}", document(&plan, &sites, &prompt)),
        TellingStyle::Lines => {
            outln!("The first prompt:\n\n{}\n", tame_text(prompt.trim_end()));
            outln!("What would be sealed:\n");
            for (what, value) in sealed(&plan, &sites) {
                outln!("  {what:<10} {}", tame_text(&value));
            }
            for note in &plan.notes {
                outln!("\nnote: {}", tame_text(note));
            }
            outln!("\nNothing was run, and nothing was written.");
        }
    }
    Ok(0)
}

fn document(Plan { terms, notes, .. }: &Plan, sites: &[String], prompt: &str) -> serde_json::Value {
    serde_json::json!({
        "version": 1,
        "goal": terms.goal,
        "agent": terms.agent,
        "judge": terms.judge,
        "landing": terms.landing,
        "branches": sites,
        "checks": terms.checks,
        "criteria": terms.criteria,
        "ignored_questions": terms.ignored_questions,
        "policy": terms.policy,
        "verification": terms.verification,
        "notes": notes,
        "prompt": prompt,
    })
}

/// What is agreed, one line each.
fn sealed(Plan { terms, .. }: &Plan, sites: &[String]) -> Vec<(&'static str, String)> {
    let mut lines = vec![("agent", terms.agent.tool.to_string())];
    lines.extend(terms.checks.iter().map(|one| ("check", format!("{}   ({})", one.command, one.origin))));
    lines.extend(terms.judge.iter().map(|judge| ("judge", judge.tool.to_string())));
    let word = if terms.judge.is_some() { "judged" } else { "not judged" };
    lines.extend(terms.criteria.iter().map(|criterion| (word, criterion.clone())));
    let tests = &terms.verification;
    lines.extend(tests.tests_may_change.iter().map(|pattern| ("may change", pattern.clone())));
    lines.extend(tests.count_as_tests.iter().map(|pattern| ("a test", pattern.clone())));
    lines.extend(terms.ignored_questions.iter().map(|question| ("ignored", question.clone())));
    lines.extend(sites.iter().map(|site| ("branch", site.clone())));
    lines.extend(terms.landing.as_ref().map(|landing| ("lands on", short(&landing.base).to_owned())));
    let limits = &terms.policy.limits;
    let time = limits.active_ms_max.map(Duration::from_millis);
    let bounds =
        settings::bounds(limits.iterations_max.get(), time, limits.microdollars_max, limits.tokens_max);
    lines.push(("at most", bounds.join(", ")));
    if terms.judge.is_some() {
        let rejections = terms.policy.rejections.threshold;
        lines.push(("pause", format!("after {rejections} rejections in a row")));
    }
    lines
}

// `gulf start`: arms a loop in an agent's session, from a terminal or from within the session.

pub fn start(arguments: &StartArguments) -> Result<u8> {
    let place = place::here()?;
    place::is_project(&place)?;
    let bound = session_here();
    let flags = settings::of_session(&place, settings::flags(&arguments.terms))?;
    let goal = match &arguments.terms.spec {
        Some(id) => specs::find(&place.project, id).map(|(spec, text)| (Some(spec), text))?,
        None => (None, session_prompt(arguments, &place, &flags)?),
    };
    let worker = WorkerTerms::Session { host: bound.host.name().to_owned() };
    let request = RunRequest::from_flags(&arguments.terms, goal, flags, worker);
    if Caller::of_this_process() != Caller::Person
        && (request.replacing != Replacing::Refused || place.trust().is_none())
    {
        let what = "only a person may replace a loop, or begin one in a repository that is not trusted: this comes from an agent's process";
        let hint = "type it into the session: `/gulf-loop:start …`; `gulf trust` in a terminal of your own lets agents begin loops here";
        return Err(Failure::usage(what, spelled_for(bound.host, hint)));
    }
    let clock = Arc::new(Clock::new());
    if seal::is_meant(&place, &request)? {
        outln!("{}", seal::prepare(&place, &request, (bound.host, START), &clock)?);
        return Ok(0);
    }
    if request.replacing != Replacing::Refused {
        place::open_here(&place)?.iter().try_for_each(|one| ending::may_end(one, request.replacing))?;
    }
    let _spec = free_spec(&place, &request)?;
    refuse_if_busy(&place, request.replacing)?;
    let SealedSession { held, agreed, notes } = seal(&place, &request, START, &clock)?;
    if !place.project.join(ALIGNMENT_PATH).is_file() {
        errln!("TIP: `gulf align` writes down what the work means, before a loop begins");
    }
    notes.iter().for_each(say_note);
    let means = Means { clock, leave: Stop::default() };
    let closed = Seat::close(&place.home, &place.project)?;
    let (mut seat, outcome) = session::begin(&place, held, &bound, closed, means)?;
    outln!("[gulf] Loop initialized.\n{agreed}");
    if let Outcome::Driven(driven) = outcome {
        concluded(&mut seat, &driven)?;
        if bound.id.is_none() {
            outln!(
                "  Next       : open your agent in this folder and say \"continue\": that session is the worker"
            );
        } else if let Some(news) = &driven.news {
            outln!("\n{news}");
        }
    }
    Ok(0)
}

/// A person begins something in this repository.
const START: Word<'static> =
    Word { by: "gulf start", typed: TypedPlace::Terminal, occasion: GivenOn::Beginning };

/// The session that this command was typed or run in, if any.
fn session_here() -> Bound {
    let value = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let known = [("CLAUDE_CODE_SESSION_ID", Host::Claude), ("CODEX_THREAD_ID", Host::Codex)];
    let found = known.into_iter().find_map(|(name, host)| Some((value(name)?, host)));
    let (id, host) = found.unzip();
    Bound { host: host.unwrap_or(Host::Other), id, file_bytes: 0 }
}

/// In words, from a file, from a pipe, or from PROMPT.md.
fn session_prompt(
    arguments: &StartArguments,
    place: &PlaceOfWork,
    flags: &[(Key, String)],
) -> Result<String> {
    if let Some(file) = &arguments.terms.file {
        return starting::in_file(file);
    }
    let words = arguments.prompt.join(" ");
    if !words.trim().is_empty() && words != "-" {
        return Ok(words);
    }
    if !std::io::stdin().is_terminal() {
        let text = input::from_stdin("the prompt")?;
        if !text.trim().is_empty() {
            return Ok(text);
        }
    }
    if settings::load(place, flags.to_vec())?.preset == Preset::Tasks {
        return Err(starting::no_list_in_session());
    }
    let own = if words == "-" { None } else { starting::of_project(place)? };
    own.ok_or_else(|| starting::missing("start"))
}
