//! What a turn remembers of those before it (SPEC B13), and the one question after a turn that said nothing (SPEC B6).

use gulf_testkit::model::{Reply, Request, Script, Usage};
use gulf_testkit::{Sample, Sandbox, one_in_turn};

use super::{SECOND_ATTEMPT, Scene, Tool, assert_says, claim, iteration};
use crate::exit;

/// Said by the worker in iteration 1, and by nobody else.
const REMEMBERED: &str = "The value lies in value.txt.";

/// What the follow-up says first.
const FOLLOW_UP: &str = "you neither claimed anything nor wrote down what remains";

fn too_early(tool: Tool, sandbox: &Sandbox, usage: Usage) -> Vec<Reply> {
    let mut steps = tool.edit(sandbox, "value.txt", "wrong", "almost right");
    steps.extend([claim(), Reply::text(REMEMBERED).usage(usage)]);
    steps
}

fn almost_to_right(tool: Tool, sandbox: &Sandbox) -> Vec<Reply> {
    let mut steps = tool.edit(sandbox, "value.txt", "almost right", "right");
    steps.extend([claim(), Reply::text("It is done.")]);
    steps
}

/// The first request of iteration 2: does its conversation hold what was said in iteration 1?
#[track_caller]
fn remembers(scene: &Scene) -> bool {
    let asked: Vec<Request> = scene.server.model_calls();
    let second = asked.iter().find(|request| request.contains(&iteration(2))).unwrap();
    assert_says(&second.text(), &["value.txt says almost right"]);
    second.contains(REMEMBERED)
}

/// How much of each agent's context iteration 1 uses: below half of it, or above and not so much that it is compacted.
const LITTLE: [(Tool, u64); 2] = [(Tool::Claude, 10_000), (Tool::Codex, 10_000)];
const MUCH: [(Tool, u64); 2] = [(Tool::Claude, 600_000), (Tool::Codex, 200_000)];

fn check_context(context: &str, used: [(Tool, u64); 2], expected: bool) {
    for (tool, tokens) in used {
        let usage = Usage::of(tokens, 20);
        let scene = Scene::with(&Sample::shell(), |sandbox| {
            let script = Script::new().conversation(&iteration(2), almost_to_right(tool, sandbox));
            script.conversation(&iteration(1), too_early(tool, sandbox, usage))
        });
        let Some(scene) = scene else { return };
        scene.run(tool, &["--context", context]).run().expect_exit(exit::VERIFIED).says("iteration 2 of 50");
        assert_eq!(remembers(&scene), expected, "{tool:?} with --context {context}");
        let each = scene.server.model_calls().len() as u64 * 120;
        assert_eq!(
            scene.status()["cost"]["tokens"],
            each - 100 + tokens,
            "a session that goes on is paid once"
        );
        scene.close();
    }
}

// proves: B13
#[test]
fn continue_goes_on_in_the_agents_own_session() {
    check_context("continue", MUCH, true);
}

// proves: B13, G24/context-pressure-collapse
#[test]
fn auto_goes_on_in_the_session_while_its_context_is_not_half_used() {
    check_context("auto", LITTLE, true);
}

// proves: B13, G24/context-pressure-collapse
#[test]
fn auto_begins_afresh_when_half_of_the_context_is_used() {
    check_context("auto", MUCH, false);
}

// proves: B13
#[test]
fn fresh_never_goes_on() {
    check_context("fresh", LITTLE, false);
}

#[test]
fn a_session_whose_context_is_full_is_left_for_a_fresh_one() {
    let too_long = "prompt is too long: 1200000 tokens > 1000000 maximum";
    for (tool, full) in [
        (Tool::Claude, Reply::status(400).error("invalid_request_error", too_long)),
        (
            Tool::Codex,
            Reply::stream_error("context_length_exceeded", "Your input exceeds the context window."),
        ),
    ] {
        let scene = Scene::with(&Sample::shell(), |sandbox| {
            let first = Script::new().conversation(SECOND_ATTEMPT, almost_to_right(tool, sandbox));
            let first = first.conversation(REMEMBERED, [full.clone()]);
            first.conversation(&iteration(1), too_early(tool, sandbox, Usage::default()))
        });
        let Some(scene) = scene else { return };
        scene.run(tool, &["--context", "continue"]).run().expect_exit(exit::VERIFIED).says("context is full");
        assert_eq!(scene.sandbox.only_loop().turns(), [(1, 1), (2, 1), (2, 2)]);
        let last = scene.server.wait_for(|request| request.contains(SECOND_ATTEMPT));
        assert!(!last.contains(REMEMBERED), "the full session went on");
        scene.close();
    }
}

/// How a turn that gets it right and claims nothing is followed.
struct Silent {
    leaves: &'static str,
    follow_up: &'static str,
    follow_ups: usize,
    iterations: usize,
}

fn check_silent_turn(tool: Tool, silent: &Silent) {
    let scene = Scene::with(&Sample::shell(), |sandbox| {
        let mut quiet = tool.edit(sandbox, "value.txt", "wrong", "right");
        if !silent.leaves.is_empty() {
            quiet.push(tool.write(sandbox, "progress.txt", silent.leaves));
        }
        quiet.push(Reply::text(REMEMBERED));
        let claims = || [claim(), Reply::text("It is done.")];
        let script = Script::new().conversation(FOLLOW_UP, claims()).conversation(&iteration(2), claims());
        script.conversation(&iteration(1), quiet)
    });
    let Some(scene) = scene else { return };
    let run = scene.run(tool, &[]).variable("GULF_AGENT_FOLLOW_UP", silent.follow_up);
    run.run().expect_exit(exit::VERIFIED);
    let kept = scene.sandbox.only_loop();
    assert_eq!(kept.results("follow-up").len(), silent.follow_ups);
    assert_eq!(kept.turns().len(), silent.iterations);
    let asked = scene.server.model_calls();
    let asked: Vec<&Request> = asked.iter().filter(|request| request.contains(FOLLOW_UP)).collect();
    assert_eq!(asked.is_empty(), silent.follow_ups == 0);
    assert!(
        asked.iter().all(|request| request.contains(REMEMBERED)),
        "it is asked in the turn's own session"
    );
    scene.close();
}

// proves: B6
#[test]
fn a_turn_that_changes_things_and_says_nothing_is_asked_once_in_its_own_session() {
    for tool in one_in_turn([Tool::Claude, Tool::Codex]) {
        check_silent_turn(tool, &Silent { leaves: "", follow_up: "true", follow_ups: 1, iterations: 1 });
    }
}

#[test]
fn a_turn_that_names_what_remains_is_not_asked() {
    let leaves = "REMAINING_GAP: claim it";
    check_silent_turn(Tool::Claude, &Silent { leaves, follow_up: "true", follow_ups: 0, iterations: 2 });
}

#[test]
fn nothing_is_asked_where_the_person_does_not_want_it() {
    check_silent_turn(Tool::Codex, &Silent { leaves: "", follow_up: "false", follow_ups: 0, iterations: 2 });
}
