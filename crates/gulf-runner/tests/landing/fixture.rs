//! A tiny `gulf` for the tests of landing: drives loops with branches of their own, and can be killed.
//!
//! What is shown must hold for processes, and a test cannot kill itself.
#![expect(clippy::unwrap_used, reason = "a test's own program fails where a test would")]

use std::num::NonZeroU32;
use std::process::Command;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{Fact, Landing, Stage};
use gulf_host::clock::Clock;
use gulf_host::home::{Home, Name};
use gulf_host::journal::Durability;
use gulf_host::process;
use gulf_runner::agreement::{LandingPlace, LandingTerms, PushTerms, WorkerTerms};
use gulf_runner::book::Stamp;
use gulf_runner::drive::Driver;
use gulf_runner::group;
use gulf_runner::observer::Unobserved;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::{CheckNeed, PlanRequest, Questions, plan};
use gulf_runner::start::{self, Held, KnownLoop};
use gulf_runner::stop::Stop;
use gulf_spec::config::{Key, SettingLayers, load};
use gulf_spec::text::Source;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["__shim"] => process::shim_main(),
        ["loops", root, lanes, workers @ ..] => {
            let lanes: NonZeroU32 = lanes.parse().unwrap();
            let root = Utf8PathBuf::from(*root);
            std::thread::scope(|scope| {
                for worker in workers {
                    let root = root.clone();
                    scope.spawn(move || one(&root, lanes, worker));
                }
            });
        }
        ["in-turn", root, lanes, workers @ ..] => {
            for worker in workers {
                one(Utf8Path::new(root), lanes.parse().unwrap(), worker);
            }
        }
        ["cancel", root, _, workers @ ..] => {
            for worker in workers {
                let (_, here) = here(Utf8Path::new(root), worker);
                start::replace(here.last().unwrap(), &Clock::new()).unwrap();
            }
        }
        ["stop", root, _, workers @ ..] => {
            for worker in workers {
                let (place, here) = here(Utf8Path::new(root), worker);
                group::stop(&place.loop_home(&here.last().unwrap().name), &Clock::new()).unwrap();
            }
        }
        _ => panic!("unknown arguments {words:?}"),
    }
}

/// One loop, begun or gone on with: `NAME`, whose settings lie in `NAME.toml` beside the repository.
fn one(root: &Utf8Path, lanes: NonZeroU32, worker: &str) {
    let checkout = root.join(format!("project-{worker}"));
    let branch = format!("gulf/auto-{worker}");
    if !checkout.join(".git").exists() {
        git(
            &root.join("project"),
            &["worktree", "add", "-q", "--force", "-B", &branch, checkout.as_str(), "main"],
        );
    }
    let (place, here) = here(root, worker);
    let clock = Arc::new(Clock::new());
    let goal = format!("do the work of {worker}");
    let mut held = match here.last() {
        Some(over) if !over.is_unfinished() => return println!("{worker} {:?}", &over.fold.state.stage),
        Some(same) => {
            let checkout = start::take_checkout(&place, same.name.as_str()).unwrap();
            start::hold(&place, &Name::parse(same.name.as_str()).unwrap(), checkout).unwrap()
        }
        None => begin(&place, root, worker, &goal, lanes, &branch),
    };
    if matches!(&held.book.state().stage, Stage::Paused(..)) {
        let stamp = Stamp { at_ms: clock.wall_ms(), active_ms: held.book.state().active_ms };
        held.book.record(vec![Fact::Resumed], stamp, Durability::Synced, |_, _| {}).unwrap();
    }
    let Held { book, resources, .. } = held;
    let mut observer = Unobserved;
    let driver = Driver::new(book, resources, clock, &mut observer, Stop::default()).unwrap();
    println!("{worker} {:?}", driver.drive().unwrap().left);
}

/// The loops of this worker.
fn here(root: &Utf8Path, worker: &str) -> (PlaceOfWork, Vec<KnownLoop>) {
    let checkout = root.join(format!("project-{worker}"));
    let place = PlaceOfWork::find(&checkout, Home::at(root.join("home")).unwrap()).unwrap();
    // Whoever drives hundreds of loops need not read all of them for each.
    let own = format!("do-the-work-of-{worker}");
    if !place.repository.loop_names().unwrap().iter().any(|name| name.as_str().contains(&own)) {
        return (place, Vec::new());
    }
    let known = start::loops(&place).unwrap().known;
    let here = known.into_iter().filter(|one| one.works_in(&place.project)).collect();
    (place, here)
}

fn begin(
    place: &PlaceOfWork,
    root: &Utf8Path,
    worker: &str,
    goal: &str,
    lanes: NonZeroU32,
    branch: &str,
) -> Held {
    let text = std::fs::read_to_string(root.join(format!("{worker}.toml"))).unwrap();
    let project = Some(Source::new("gulf.toml", text.as_str()));
    // What walls keep apart has tests of its own; here workers meet at files.
    let flags = [(Key::VerifyIsolation, "none"), (Key::AgentSandbox, "off")];
    let flags = flags.map(|(key, off)| (key, off.to_owned())).to_vec();
    let config = load(&SettingLayers { project, flags, ..SettingLayers::default() }).unwrap();
    let request = PlanRequest {
        goal: goal.to_owned(),
        rubric: None,
        evidence: CheckNeed::Required,
        questions: Questions::Stop,
        worker: WorkerTerms::Processes,
        spec: None,
    };
    let mut plan = plan(place, &config, request).unwrap();
    plan.terms.policy.landing = Some(Landing::OrAttested);
    plan.terms.landing = Some(LandingTerms {
        base: std::env::var("BASE").unwrap_or_else(|_| "refs/heads/main".to_owned()),
        branch: format!("refs/heads/{branch}"),
        place: LandingPlace::Worktree,
        push: std::env::var("PUSH_TO").ok().map(pushed_to),
        lanes,
        label: "autonomous".to_owned(),
    });
    start::start(place, plan, &Clock::new()).unwrap()
}

fn pushed_to(url: String) -> PushTerms {
    PushTerms { remote: "origin".to_owned(), url, branch: "refs/heads/main".to_owned() }
}

fn git(directory: &Utf8Path, arguments: &[&str]) {
    let status = Command::new("git").current_dir(directory).args(arguments).status().unwrap();
    assert!(status.success(), "git {arguments:?}");
}
