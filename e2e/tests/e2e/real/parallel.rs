//! Two of the real agents change the same line at the same time: the second is told, merges, proves the merge, and both
//! land.
//!
//! Here the task that gulf writes is read, and done, by the agent itself: its tools, its permissions, its session
//! that goes on.

use std::fs;

use gulf_testkit::model::{Reply, Request, Script};
use gulf_testkit::{Sample, Sandbox, one_in_turn, pytest, quote};
use serde_json::json;

use super::{Scene, Tool, assert_says, claim, iteration};
use crate::{GOAL, exit};

const CODE: &str = "def greeting():\n    return \"wrong\"\n";
const TEST: &str = "from calc import greeting\n\n\ndef test_greets():\n    assert \"right\" in greeting()\n";

/// Fails as soon as one of the two sides is lost.
const PROOF: &str = "from calc import greeting\n\n\ndef test_both():\n    assert \"one\" in greeting() and \"two\" in greeting()\n";

/// What stands in the task before the commit to merge, and before the folder that holds both sides.
const MERGE: &str = "`git merge ";
const LOOK: &str = "To look at: ";

/// The word that whoever asks brings into the line.
fn word(request: &Request) -> &'static str {
    if request.contains("You are worker 1 of 2") { "one" } else { "two" }
}

fn code(words: &str) -> String {
    CODE.replace("wrong", &format!("right, says {words}"))
}

/// Both do the same to the same line; whoever comes second is told to merge.
fn answer(tool: Tool, request: &Request) -> Reply {
    if request.contains(MERGE) {
        return merges(tool, request);
    }
    let steps = [
        Reply::shell("pwd"),
        reads(tool, &format!("{}/calc.py", here(request))),
        writes(tool, request, "calc.py", &code(word(request))),
        claim(),
    ];
    step(&steps, request.answers_since(&iteration(1)))
}

fn merges(tool: Tool, request: &Request) -> Reply {
    let (tip, kept) = (named_after(request, MERGE, "`"), named_after(request, LOOK, " holds "));
    let steps = [
        Reply::shell("pwd"),
        reads(tool, &format!("{kept}/theirs.diff")),
        Reply::shell(&format!("git add calc.py && git commit -q -m mine; git merge {tip}; cat calc.py")),
        reads(tool, &format!("{}/calc.py", here(request))),
        writes(tool, request, "calc.py", &code("one and two")),
        writes(tool, request, "test_merge.py", PROOF),
        Reply::shell("git add calc.py test_merge.py && git commit -q -m 'merge: both greet'"),
        claim(),
    ];
    step(&steps, request.answers_since(MERGE))
}

fn step(steps: &[Reply], number: usize) -> Reply {
    steps.get(number).cloned().unwrap_or_else(|| Reply::text("It is done."))
}

fn reads(tool: Tool, path: &str) -> Reply {
    match tool {
        Tool::Claude => Reply::tool("Read", json!({"file_path": path})),
        Tool::Codex => Reply::shell(&format!("cat {}", quote(path))),
    }
}

fn writes(tool: Tool, request: &Request, path: &str, text: &str) -> Reply {
    match tool {
        Tool::Claude => {
            let file = format!("{}/{path}", here(request));
            Reply::tool("Write", json!({"file_path": file, "content": text}))
        }
        Tool::Codex => Reply::shell(&format!("printf %s {} > {path}", quote(text))),
    }
}

/// Where this one works: what its `pwd` said.
fn here(request: &Request) -> String {
    let said = request.tool_results();
    let is_path = |line: &&str| line.starts_with('/') && line.contains("-worker-");
    let found = said.iter().flat_map(|text| text.lines()).find(is_path);
    found.unwrap_or_default().trim().to_owned()
}

fn named_after(request: &Request, before: &str, after: &str) -> String {
    let text = request.text();
    let (_, rest) = text.rsplit_once(before).unwrap_or_default();
    rest.split(after).next().unwrap_or_default().to_owned()
}

/// Looked at where nobody has worked.
#[track_caller]
fn clean_clone_is_green(sandbox: &Sandbox, check: &str) {
    let clone = sandbox.path("clean clone");
    sandbox.git(["clone", "--quiet", "--branch", "main", ".", clone.as_str()]);
    sandbox.program("sh", ["-c", check]).directory(&clone).run().expect_exit(0).says("2 passed");
    assert_eq!(fs::read_to_string(clone.join("calc.py")).unwrap(), code("one and two"));
}

fn check_story(tool: Tool) {
    let Some(check) = pytest().map(|pytest| quote(pytest.as_str())) else { return };
    let sample = Sample::python().file("calc.py", CODE).file("test_calc.py", TEST);
    let script = move |_: &Sandbox| Script::answer(move |request| answer(tool, request));
    let Some(scene) = Scene::with(&sample, script) else { return };
    let arguments = ["run", GOAL, "--research", "off", "--check", &check, "--agent", tool.name()];
    let parallel = ["--preset", "parallel", "--workers", "2", "-n", "4"];
    let finished = scene.gulf(arguments).arguments(parallel).run().expect_exit(exit::VERIFIED);
    finished.says("2 of 2 landed").does_not_say("not allowed");
    let sandbox = &scene.sandbox;
    clean_clone_is_green(sandbox, &check);
    let titles = sandbox.git(["log", "--first-parent", "--format=%s", "main"]);
    assert_eq!(titles.matches("merge(gulf-loop): gulf/parallel-").count(), 2, "{titles}");
    assert_eq!(sandbox.git(["status", "--short"]), "");

    let told = scene.server.wait_for(|request| request.contains(MERGE));
    assert_says(&told.text(), &["- calc.py", GOAL, "Add a test that proves the merge"]);
    let other = if word(&told) == "one" { "two" } else { "one" };
    assert_eq!(
        sandbox.git(["show", "main~1:calc.py"]),
        code(other).trim_end(),
        "the first stood there alone"
    );
    let asked = scene.server.model_calls();
    let said = asked.iter().rfind(|request| request.contains(MERGE)).unwrap().tool_results();
    let theirs = format!("+    return \"right, says {other}\"");
    assert!(said.iter().any(|text| text.contains(&theirs)), "the kept diff was not shown: {said:#?}");
    let refused = sandbox.loops().iter().map(|kept| kept.facts_of("settled").len()).sum::<usize>();
    assert_eq!(refused, 1, "only the second was told anything");
    scene.close();
}

#[test]
fn of_two_workers_on_the_same_line_the_second_merges_adds_a_test_and_both_land() {
    for tool in one_in_turn([Tool::Claude, Tool::Codex]) {
        check_story(tool);
    }
}
