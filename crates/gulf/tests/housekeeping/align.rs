//! `gulf align`: is it written down what the work means, and is a question open?

use gulf_testkit::{Sample, Sandbox};

use crate::{document, gulf, names};

const FILE: &str = ".claude/gulf-align.md";

const ALIGNED: &str = "\
## 명세 정렬
- **목표**: 로그인 폼

## Process alignment
- **Approach**: the store first

## Evaluation alignment
- **Machine checks**: `npm test`, `npm run lint`

## Gulf of Envisioning — Gap check
- **Capability gaps**: none
- **Blocking questions**: none

## Loop completed — 2026-02-28 14:22:11 | iteration 23

ORIGINAL_GOAL: a login form
DECISIONS:
- chose: argon2id
CONFIDENCE: 80
";

fn project(alignment: &str) -> Sandbox {
    let sandbox = Sandbox::with(&Sample::green());
    sandbox.write(FILE, alignment);
    sandbox
}

#[test]
fn without_an_alignment_what_it_is_written_from_is_gathered() {
    let readme: String = (1..=70).map(|line| format!("line {line}\n")).collect();
    let sandbox =
        Sandbox::with(&Sample::green().file("README.md", &readme).file("RUBRIC.md", "## Checks\n- make\n"));
    sandbox.write("value.txt", "other\n");
    sandbox.write("한글.txt", "new\n");
    let finished = gulf(&sandbox, ["align"]).run().expect_exit(0);
    finished
        .says("  branch         main\n")
        .says(" base\n")
        .says("  changed files  2\n")
        .says("RUBRIC.md:\n\n  ## Checks\n  - make\n")
        .says("  line 60\n")
        .does_not_say("line 61")
        .says("gulf align --init");
    assert!(!sandbox.state().exists() && !sandbox.file(".claude").exists());
}

#[test]
fn what_is_not_known_is_said() {
    let sandbox = Sandbox::without_git();
    gulf(&sandbox, ["align"])
        .variable("HOME", "")
        .run()
        .expect_exit(0)
        .says("  branch         not known: there is no git here\n")
        .says("RUBRIC.md: there is none\n");
    let finished = gulf(&sandbox, ["align", "--json"]).run().expect_exit(0);
    let document = document(&finished.stdout);
    assert_eq!((document["version"].as_u64(), document["aligned"].as_bool()), (Some(1), None));
    assert!(document["material"]["branch"].is_null() && document["material"]["changed_files"].is_null());
}

#[test]
fn an_unborn_branch_and_a_detached_head_are_called_so() {
    let sandbox = Sandbox::without_git();
    sandbox.git(["init", "--quiet"]);
    gulf(&sandbox, ["align"])
        .run()
        .expect_exit(0)
        .says("main (no commit yet)")
        .says("last commit    not known: there is none yet");
    let sandbox = Sandbox::with(&Sample::green());
    sandbox.git(["checkout", "--quiet", "--detach"]);
    gulf(&sandbox, ["align"]).run().expect_exit(0).says("none: HEAD is at ");
}

// proves: G12
#[test]
fn what_was_agreed_on_is_aligned() {
    let sandbox = project(ALIGNED);
    gulf(&sandbox, ["align"])
        .run()
        .expect_exit(0)
        .says(".claude/gulf-align.md: aligned, and no question is open\n")
        .says("  npm run lint\n")
        .says("Handed on by 1 loop, the last at 2026-02-28 14:22:11, iteration 23:\n")
        .says("  - chose: argon2id\n");
}

#[test]
fn an_open_question_and_a_missing_section_are_told() {
    let text = ALIGNED.replace("questions**: none", "questions**:\n  - Which hash?\n  - [x] Which port?");
    let sandbox = project(&text.replace("## Process alignment", "## Proces alignment"));
    gulf(&sandbox, ["align"])
        .run()
        .expect_exit(1)
        .says("not aligned: 1 question open, 1 problem\n")
        .says("  .claude/gulf-align.md:13:1: Which hash?\n")
        .does_not_say("Which port?")
        .says("error: .claude/gulf-align.md:4:1: the heading `## Proces alignment` is not `## Process alignment`")
        .says("hint: write `## Process alignment`");
}

#[test]
fn a_program_gets_the_same() {
    let sandbox = project(&ALIGNED.replace("questions**: none", "questions**: Which hash?"));
    let finished = gulf(&sandbox, ["align", "--json"]).run().expect_exit(1);
    let document = document(&finished.stdout);
    assert_eq!((document["version"].as_u64(), document["aligned"].as_bool()), (Some(1), Some(false)));
    assert_eq!(document["open_questions"][0]["text"], "Which hash?");
    assert_eq!(document["machine_checks"][1]["command"], "npm run lint");
    assert_eq!(document["last_handoff"]["iteration"], 23);
    assert_eq!(document["problems"].as_array().unwrap().len(), 0);
}

#[test]
fn a_skeleton_is_written_once_and_is_not_yet_aligned() {
    let sandbox = Sandbox::with(&Sample::green());
    gulf(&sandbox, ["align", "--init"]).run().expect_exit(0).says(".claude/gulf-align.md is written");
    let skeleton = sandbox.read(FILE);
    gulf(&sandbox, ["align"])
        .run()
        .expect_exit(1)
        .says("not aligned: 0 questions open, 4 problems")
        .says("the section `## Gap check` is empty");
    gulf(&sandbox, ["align", "--init"]).run().expect_exit(2).says("is there already");
    assert_eq!(sandbox.read(FILE), skeleton);
    assert_eq!(names(&sandbox.file(".claude")), ["gulf-align.md"]);
    gulf(&sandbox, ["align", "--init", "--json"]).run().expect_exit(2);
}

#[test]
fn a_skeleton_goes_above_what_earlier_loops_handed_on() {
    let (_, handoff) = ALIGNED.split_once("\n## Loop").unwrap();
    let sandbox = project(&format!("\n## Loop{handoff}"));
    gulf(&sandbox, ["align"]).run().expect_exit(1).says("only what earlier loops handed on stands here");
    gulf(&sandbox, ["align", "--init"]).run().expect_exit(0);
    gulf(&sandbox, ["align"]).run().expect_exit(1).says("4 problems").says("iteration 23");
    assert!(sandbox.read(FILE).ends_with(&format!("\n\n## Loop{handoff}")));
}

#[test]
fn a_text_with_escapes_cannot_repaint_the_screen_and_one_that_is_no_text_is_an_error() {
    let sandbox = project(&ALIGNED.replace("questions**: none", "questions**: Which\u{1b}[2J\u{202e} hash?"));
    let finished = gulf(&sandbox, ["align"]).run().expect_exit(1);
    assert!(!finished.stdout.contains(['\u{1b}', '\u{202e}']), "{}", finished.stdout);
    sandbox.write(FILE, [0, 159, 146, 150, 0]);
    gulf(&sandbox, ["align"]).run().expect_exit(2).says("gulf-align.md").does_not_say("panicked");
}
