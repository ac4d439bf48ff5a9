//! A loop's folder in the project: what person and programs read there, what the worker notes, and how it goes.

use std::fs;

use camino::Utf8PathBuf;
use gulf_testkit::{FakeAgent, Meeting, Sample, Sandbox, Step};

use crate::{RIGHT, exit, mend, run};

const PRD: &str = "# 요구 사항\n\n## 수용 기준\n\n- value.txt가 right라고 말한다\n";
/// Nothing is thought about beforehand: that is shown elsewhere.
const AT_ONCE: [(&str, &str); 4] = [
    ("GULF_STEPS_ANALYZE", "off"),
    ("GULF_STEPS_PLAN", "off"),
    ("GULF_STEPS_CRITIC", "off"),
    ("GULF_STEPS_CAUSE", "off"),
];

fn note(text: &str) -> Step {
    Step::run(&format!("cd .gulf/loops/*/ && echo '- {text}' >> notepad.md"))
}

fn folders(sandbox: &Sandbox) -> Vec<Utf8PathBuf> {
    let entries = sandbox.file(".gulf/loops").read_dir_utf8();
    entries.map(|entries| entries.map(|entry| entry.unwrap().into_path()).collect()).unwrap_or_default()
}

// proves: A1/tracking, A2, A2/note, A9, B8
#[test]
fn what_a_killed_worker_noted_stands_in_the_next_prompt_and_a_hand_edited_state_ends_nothing() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    sandbox.write("요구 사항.md", PRD);
    let here = Meeting::new(&sandbox, "here");
    let agent = FakeAgent::new(&sandbox)
        .attempt(1, 1, [note("첫 시도는 틀렸다"), here.reached(), Step::Hang])
        .turn(1, [Step::write("value.txt", "almost right\n"), Step::claim()])
        .turn(2, mend());
    let flags = ["--preset", "ralph", "--level", "1", "--prd", "요구 사항.md", "--check", RIGHT];
    let started = run(&sandbox, &agent, &flags).variables(AT_ONCE).start();
    here.wait();
    started.kill();
    assert_eq!(started.finish().exit, None);
    let folder = folders(&sandbox).pop().unwrap();
    let state = folder.join("ralph-state.md");
    let of_killed = fs::read_to_string(&state).unwrap();
    assert!(
        of_killed.contains("- active: true\n") && of_killed.contains("- phase: execute\n"),
        "{of_killed}"
    );
    sandbox.gulf(["clean", "--yes"]).run().expect_exit(0).says("Nothing to remove");
    fs::write(&state, of_killed.replace("true", "false").replace("execute", "complete")).unwrap();
    fs::write(folder.join("prd.md"), "# nothing\n").unwrap();

    sandbox.gulf(["resume"]).variables(AT_ONCE).run().does_not_panic();
    let kept = sandbox.only_loop();
    assert_eq!(agent.tally().turns(), [(1, 1), (1, 2), (2, 1)]);
    let told = agent.tally().prompt(2);
    assert!(told.contains("```\n- 첫 시도는 틀렸다\n```"), "{told}");
    assert!(told.contains(&format!(".gulf/loops/{}/notepad.md", kept.id())), "{told}");
    let ended = fs::read_to_string(&state).unwrap();
    for line in [
        "# Ralph State\n\n- active: false\n- iteration: 2\n- maxIterations: 10\n- phase: complete\n",
        "- completionLevel: 1\n",
        "- prdPath: 요구 사항.md\n\n## 실행 이력\n\n",
        "- [1] phase: verify | result: refused by the checks (sh check.sh) | action: fix\n- [2] phase: complete",
    ] {
        assert!(ended.contains(line), "{line} is not in:\n{ended}");
    }
    assert_eq!(fs::read_to_string(folder.join("prd.md")).unwrap(), PRD);
    let report = sandbox.gulf(["status", "--report"]).run().expect_exit(0).stdout;
    assert_eq!(fs::read_to_string(folder.join("report.md")).unwrap(), report);

    let (commit, _) = kept.candidate();
    assert!(!sandbox.git(["ls-tree", "-r", "--name-only", &commit]).contains("loops"));
    assert!(!sandbox.git(["status", "--porcelain", "--untracked-files=all"]).contains("loops"));
    sandbox
        .gulf(["clean", "--dry-run", "--unlanded"])
        .run()
        .expect_exit(0)
        .says(&format!("with .gulf/loops/{}", kept.id()));
    assert!(folder.is_dir());
    sandbox.gulf(["clean", "--yes", "--unlanded"]).run().expect_exit(0).says("Removed 1 folder");
    assert!(!folder.exists() && sandbox.loops().is_empty());
    sandbox.gulf(["clean", "--yes"]).run().expect_exit(0).says("Nothing to remove");
}

// proves: A2/note
#[test]
fn what_was_noted_in_a_worktree_lies_in_the_persons_checkout_when_the_worktree_is_gone() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([note("하나")].into_iter().chain(mend()));
    run(&sandbox, &agent, &["--preset", "autonomous", "--check", RIGHT])
        .variable("GULF_LOOP_FOLDER", "true")
        .run()
        .expect_exit(exit::VERIFIED)
        .says("landed: main holds it");
    assert_eq!(sandbox.git(["worktree", "list"]).lines().count(), 1);
    let folder = folders(&sandbox).pop().unwrap();
    assert_eq!(fs::read_to_string(folder.join("notepad.md")).unwrap(), "- 하나\n");
    assert!(fs::read_to_string(folder.join("ralph-state.md")).unwrap().contains("- phase: complete\n"));
    assert!(!sandbox.git(["ls-tree", "-r", "--name-only", "main"]).contains("notepad"));
}
