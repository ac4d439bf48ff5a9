//! A list of tasks with the real Claude Code: a dependency first, a task that is put back, each verified and committed.

use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Sample, Sandbox};
use serde_json::{Value, json};

use super::Scene;
use crate::exit;

const LIST: &str = "\
# 할 일

- [ ] T1: one (depends on T2)
- [ ] T2: two
- [ ] T3: three
- [ ] T4: four [P0]
- [ ] T5: five
";
const BLOCKER: &str = "a table of numbers";
const ORDER: [&str; 7] = ["T4", "T2", "T1", "T3", "T3-B1", "T3", "T5"];

/// A module with its test, written in one answer, and the token.
fn does(sandbox: &Sandbox, name: &str) -> [Reply; 2] {
    let source = format!("export const {name} = (a) => a * 2;\n");
    let test = format!(
        "import assert from 'node:assert';\nimport {{ test }} from 'node:test';\nimport {{ {name} }} from './{name}.mjs';\n\n\
         test('{name}', () => assert.strictEqual({name}(4), 8));\n"
    );
    let write =
        |path: String, text: String| json!({"file_path": sandbox.file(&path).as_str(), "content": text});
    let files = Reply::tool("Write", write(format!("{name}.mjs"), source))
        .and_tool("Write", write(format!("{name}.test.mjs"), test));
    [files, Reply::text(format!("It is done.\n\nLEARNT: {name} needs nothing\n\nTASK_DONE"))]
}

fn script(sandbox: &Sandbox) -> Script {
    let blocks = [Reply::shell(&format!("gulf claim blocked \"{BLOCKER}\"")), Reply::text("I cannot go on.")];
    Script::new()
        .conversation("since this task was blocked: T3-B1", does(sandbox, "three"))
        .conversation("## Task: T1 - ", does(sandbox, "one"))
        .conversation("## Task: T2 - ", does(sandbox, "two"))
        .conversation("## Task: T3 - ", blocks)
        .conversation("## Task: T3-B1 - ", does(sandbox, "numbers"))
        .conversation("## Task: T4 - ", does(sandbox, "four"))
        .conversation("## Task: T5 - ", does(sandbox, "five"))
}

// proves: R1, R2, R4, R6, R7, K5, K5/blocker, R1/completion-rate
#[test]
fn claude_works_off_five_tasks_with_a_dependency_and_a_blocker_each_verified_in_a_commit_of_its_own() {
    let sample = Sample::node().file("TASKS.md", LIST);
    let Some(scene) = Scene::with(&sample, script) else { return };
    scene
        .gulf(["run", "--preset", "tasks", "--agent", "claude", "--check", "node --test"])
        .run()
        .does_not_panic()
        .expect_exit(exit::VERIFIED)
        .says("6 of 6 tasks");

    let heading = |prompt: &String| {
        prompt.split("## Task: ").nth(1).map(|rest| rest.split(' ').next().map(str::to_owned))
    };
    let order: Vec<String> = scene.prompts().iter().filter_map(heading).flatten().collect();
    assert_eq!(order, ORDER);

    let tasks = scene.status()["tasks"].as_array().unwrap().clone();
    let is_verified = |task: &&Value| task["state"] == "complete" && task["end"]["kind"] == "verified";
    assert_eq!(tasks.iter().filter(is_verified).count(), 6, "{tasks:#?}");
    let log = scene.sandbox.git(["log", "--reverse", "--format=%s"]);
    let subjects: Vec<&str> = log.lines().skip(1).collect();
    let blocker = format!("T3-B1: {BLOCKER}");
    assert_eq!(subjects, ["T4: four", "T2: two", "T1: one", &blocker, "T3: three", "T5: five"]);
    let kept: Vec<&str> = tasks.iter().map(|task| task["commit"].as_str().unwrap()).collect();
    assert_eq!(
        kept,
        scene.sandbox.git(["log", "--reverse", "--format=%H", "-6"]).lines().collect::<Vec<_>>()
    );

    let added = format!("- [ ] {blocker} (blocks T3)\n- [ ] T3");
    let done = LIST.replace("- [ ] T3", &added).replace("[ ]", "[x]");
    assert_eq!(scene.sandbox.read("TASKS.md"), done);
    assert_eq!(scene.sandbox.git(["status", "--porcelain"]), "");
    let last = scene.prompts().pop().unwrap();
    assert!(last.contains("- four needs nothing") && last.contains("- numbers needs nothing"), "{last}");
    scene.close();
}
