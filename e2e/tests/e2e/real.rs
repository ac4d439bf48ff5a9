//! The real Claude Code and Codex as gulf's worker and judge, with a scripted model at the far end of their line.
//!
//! Here nothing is acted: prompts, tools, sessions, errors and costs are what these programs make of them.

mod budgets;
mod contexts;
mod denials;
mod judging;
mod late;
mod lists;
mod others;
mod outages;
mod parallel;
mod patience;
mod questions;
mod refusals;
mod story;
mod tools;

use std::time::{SystemTime, UNIX_EPOCH};

use gulf_testkit::model::{ModelServer, Reply, Script};
use gulf_testkit::{Invocation, RealAgents, Sample, Sandbox, has_turn};
use serde_json::{Value, json};

use crate::{GOAL, RIGHT};

/// What stands in every judge's prompt, and in nobody else's.
pub(crate) const TO_JUDGE: &str = "You are the judge of work that somebody else did";

/// Of the tests but the stories, each has one turn in so many.
pub(crate) const EVERY: u64 = 3;

/// An agent as `--agent` and `--judge` name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    Claude,
    Codex,
}

/// A sandbox with both agents in it, and the model they ask.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) sandbox: Sandbox,
    pub(crate) server: ModelServer,
    pub(crate) agents: RealAgents,
}

impl Tool {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Tool::Claude => "claude",
            Tool::Codex => "codex",
        }
    }

    /// Changes a line of a file by the agent's own tools, as the model says.
    pub(crate) fn edit(self, sandbox: &Sandbox, path: &str, old: &str, new: &str) -> Vec<Reply> {
        let file = sandbox.file(path);
        match self {
            Tool::Claude => vec![
                Reply::tool("Read", json!({"file_path": file})),
                Reply::tool("Edit", json!({"file_path": file, "old_string": old, "new_string": new})),
            ],
            Tool::Codex => {
                let patch = format!("*** Update File: {path}\n@@\n-{old}\n+{new}");
                vec![Reply::freeform_tool("apply_patch", &enclosed(&patch))]
            }
        }
    }

    /// All that the goal asks for, in one turn.
    pub(crate) fn mend(self, sandbox: &Sandbox) -> Vec<Reply> {
        let mut steps = self.edit(sandbox, "value.txt", "wrong", "right");
        steps.extend([claim(), Reply::text("It is done.")]);
        steps
    }

    /// Makes a file of one line.
    pub(crate) fn write(self, sandbox: &Sandbox, path: &str, line: &str) -> Reply {
        match self {
            Tool::Claude => {
                let input = json!({"file_path": sandbox.file(path), "content": format!("{line}\n")});
                Reply::tool("Write", input)
            }
            Tool::Codex => {
                let patch = format!("*** Add File: {path}\n+{line}");
                Reply::freeform_tool("apply_patch", &enclosed(&patch))
            }
        }
    }
}

fn enclosed(patch: &str) -> String {
    format!("*** Begin Patch\n{patch}\n*** End Patch\n")
}

impl Scene {
    /// Or a loud word that it is not its turn, or that the agents are not installed here.
    #[track_caller]
    pub(crate) fn with(sample: &Sample, script: impl FnOnce(&Sandbox) -> Script) -> Option<Scene> {
        if has_turn(EVERY) { Scene::in_every_run(sample, script) } else { None }
    }

    pub(crate) fn in_every_run(sample: &Sample, script: impl FnOnce(&Sandbox) -> Script) -> Option<Scene> {
        let sandbox = Sandbox::for_agents(sample);
        let server = ModelServer::start(script(&sandbox));
        let agents = RealAgents::ready(&sandbox, &server)?;
        Some(Scene { sandbox, server, agents })
    }

    /// gulf with both agents on its PATH.
    pub(crate) fn gulf<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
        self.sandbox.gulf(arguments).variables(self.agents.variables())
    }

    /// `gulf run` on the goal, each turn afresh and without a research brief.
    pub(crate) fn run(&self, tool: Tool, arguments: &[&str]) -> Invocation {
        let always = ["run", GOAL, "--research", "off", "--check", RIGHT, "--agent", tool.name()];
        self.gulf(always).arguments(arguments.iter().copied())
    }

    /// `gulf status --json`
    #[track_caller]
    pub(crate) fn status(&self) -> Value {
        let finished = self.gulf(["status", "--json"]).run().expect_exit(0);
        serde_json::from_str(&finished.stdout).unwrap()
    }

    /// The first prompts of all conversations with the worker, the oldest first.
    pub(crate) fn prompts(&self) -> Vec<String> {
        let calls = self.server.model_calls().into_iter();
        let begun = calls.filter(|call| call.answers_before() == 0 && !call.contains(TO_JUDGE));
        begun.map(|call| call.text()).collect()
    }

    /// The prompts of all judges, the oldest first.
    pub(crate) fn judged(&self) -> Vec<String> {
        let calls = self.server.model_calls().into_iter();
        let begun = calls.filter(|call| call.answers_before() == 0 && call.contains(TO_JUDGE));
        begun.map(|call| call.text()).collect()
    }

    /// Nothing runs any more, and nobody was asked but the model.
    #[track_caller]
    pub(crate) fn close(self) {
        self.sandbox.assert_nothing_left();
        self.agents.assert_no_other_traffic();
    }
}

/// What the worker says when it is done, by the command that every prompt names.
pub(crate) fn claim() -> Reply {
    Reply::shell("gulf claim done")
}

/// What stands in the worker's prompt when an iteration is tried again.
pub(crate) const SECOND_ATTEMPT: &str = "begins again (attempt 2)";

/// What stands in the worker's prompt of an iteration.
pub(crate) fn iteration(number: u32) -> String {
    format!("# Iteration {number} of at most")
}

/// A judge's answer to one criterion, met with these words of this file.
pub(crate) fn met(path: &str, quote: &str) -> Reply {
    verdict("met", "", &json!([{"path": path, "text": quote}]))
}

/// A judge's answer to one criterion that is not met.
pub(crate) fn unmet(reason: &str) -> Reply {
    verdict("unmet", reason, &json!([]))
}

fn verdict(word: &str, reason: &str, quotes: &Value) -> Reply {
    let criterion = json!({
        "number": 1, "word": word, "reason": reason, "quotes": quotes, "checks": [], "examined": [],
    });
    Reply::structured(json!({"criteria": [criterion], "principle": "Look at the notes first."}))
}

/// So many seconds from now, as a provider writes a time.
pub(crate) fn in_seconds(seconds: u64) -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() + seconds
}

/// A rubric with one criterion.
pub(crate) fn rubric(criterion: &str) -> String {
    format!("## Checks\n- {RIGHT}\n\n## Judge criteria\n- {criterion}\n")
}

/// A prompt is long: what is missing is named, and what stands there is shown from where gulf begins.
#[track_caller]
pub(crate) fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in\n{}", own_part(text));
    }
}

#[track_caller]
pub(crate) fn assert_silent(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(!text.contains(part), "{part:?} is in\n{}", own_part(text));
    }
}

/// Without the instructions that the agent itself puts before and after.
fn own_part(text: &str) -> &str {
    let begins = [GOAL, TO_JUDGE].iter().filter_map(|mark| text.find(mark)).min();
    &text[begins.unwrap_or(0)..]
}
