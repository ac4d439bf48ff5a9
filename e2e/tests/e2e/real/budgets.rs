//! Budgets of money and tokens (SPEC B12): no further turn begins, and what nobody tells is never nothing.

use gulf_testkit::model::{Reply, Script, Usage};
use gulf_testkit::{FakeAgent, Sample, Sandbox, Step};

use super::{Scene, TO_JUDGE, Tool, claim, iteration, rubric, unmet};
use crate::{exit, run_right};

/// What a turn costs here, of which its last answer has nearly all.
const TOKENS: u64 = 100_000;

/// How a loop that never gets it right ends.
struct Ending {
    flag: [&'static str; 2],
    turns: usize,
    basis: &'static str,
    microdollars_max: u64,
}

/// Tries something else in each iteration, and is wrong.
fn hopeless(tool: Tool, sandbox: &Sandbox) -> Script {
    (1..=9).rev().fold(Script::new(), |script, number| {
        let tries = tool.write(sandbox, &format!("try-{number}.txt"), "a try");
        let again = Reply::text("Again.").usage(Usage::of(TOKENS, 0));
        script.conversation(&iteration(number), [tries, claim(), again])
    })
}

fn check_exhausted(tool: Tool, ending: &Ending) {
    let Some(scene) = Scene::with(&Sample::shell(), |sandbox| hopeless(tool, sandbox)) else { return };
    let finished = scene.run(tool, &ending.flag).arguments(["--context", "fresh"]).run();
    finished.expect_exit(exit::EXHAUSTED).says(ending.flag[0]).says("Spent: ");
    assert_eq!(scene.sandbox.only_loop().turns().len(), ending.turns);
    assert_eq!(scene.prompts().len(), ending.turns, "nobody was asked for more");
    let cost = &scene.status()["cost"];
    assert_eq!(cost["tokens"], ending.turns as u64 * (TOKENS + 240), "{cost}");
    assert_eq!(cost["basis"], ending.basis);
    let microdollars = cost["microdollars"].as_u64().unwrap();
    assert!((1..=ending.microdollars_max).contains(&microdollars), "{cost}");
    scene.close();
}

#[test]
fn claude_is_held_to_what_is_left_of_the_money_but_for_its_last_answer() {
    let flag = ["--max-cost", "1.00"];
    let one_answer = 400_800;
    let microdollars_max = 1_000_000 + one_answer;
    check_exhausted(Tool::Claude, &Ending { flag, turns: 3, basis: "told", microdollars_max });
}

#[test]
fn no_turn_of_codex_begins_for_which_the_money_may_not_suffice() {
    let flag = ["--max-cost", "1.40"];
    check_exhausted(Tool::Codex, &Ending { flag, turns: 2, basis: "priced", microdollars_max: 1_400_000 });
}

#[test]
fn no_turn_begins_for_which_the_tokens_may_not_suffice() {
    let flag = ["--max-tokens", "250k"];
    check_exhausted(Tool::Claude, &Ending { flag, turns: 2, basis: "told", microdollars_max: 1_000_000 });
    check_exhausted(Tool::Codex, &Ending { flag, turns: 2, basis: "priced", microdollars_max: 1_100_000 });
}

// proves: B12
#[test]
fn what_a_judge_costs_counts_and_leaves_no_further_turn() {
    for (tool, judge, basis) in [
        (Tool::Claude, "claude", "told"),
        (Tool::Codex, "codex:gpt-5.5", "priced"),
        // A judge of Codex leaves no session behind that would tell its model.
        (Tool::Codex, "codex", "assumed"),
    ] {
        let sample = Sample::shell().file("RUBRIC.md", &rubric("value.txt says right"));
        let scene = Scene::with(&sample, |sandbox| {
            let rejects = unmet("It says nothing.").usage(Usage::of(300_000, 0));
            let script = Script::new().conversation(TO_JUDGE, [rejects]);
            script.conversation(&iteration(1), tool.mend(sandbox))
        });
        let Some(scene) = scene else { return };
        let finished = scene.run(tool, &["--max-cost", "1", "--judge", judge]).run();
        finished.expect_exit(exit::EXHAUSTED).says("--max-cost");
        assert_eq!((scene.prompts().len(), scene.judged().len()), (1, 1));
        let cost = &scene.status()["cost"];
        assert_eq!(cost["basis"], basis, "{judge}: {cost}");
        assert!(cost["microdollars"].as_u64().unwrap() > 1_000_000, "{cost}");
        scene.close();
    }
}

#[test]
fn a_command_that_tells_no_cost_counts_as_assumed_and_says_so() {
    let sandbox = Sandbox::for_agents(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("value.txt", "more\n"), Step::claim()]);
    let finished = run_right(&sandbox, &agent, &["--max-cost", "12"]).run().expect_exit(exit::EXHAUSTED);
    finished
        .says("$5.00 assumed")
        .says("$10.00 assumed of $12.00")
        .says("The most expensive iteration cost $5.00")
        .does_not_say("`limits.assumed_cost`");
    assert_eq!(agent.tally().turns(), [(1, 1), (2, 1)]);
    let sandbox = Sandbox::for_agents(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("value.txt", "more\n"), Step::claim()]);
    let finished = run_right(&sandbox, &agent, &["--max-cost", "4"]).run().expect_exit(exit::EXHAUSTED);
    finished.says("each counts as `limits.assumed_cost`, which is more than this loop's budget");
}
