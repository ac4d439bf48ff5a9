//! What a person reads when a loop is over: the report, and the judge's words behind a verdict (SPEC B11).

use gulf_testkit::{FakeAgent, Sample, Sandbox, Step, quote};

use crate::{document, gulf};

const RIGHT: &str = "grep -qx right value.txt";

/// A loop that ends verified in its second iteration, after a judge's no and a judge's yes.
fn judged() -> Sandbox {
    let rubric = "## Judge criteria\n- the value reads well\n";
    let settings = "research = \"off\"\n[judge]\nprotocol = \"line\"\n";
    let sandbox = Sandbox::with(&Sample::shell().file("RUBRIC.md", rubric).file("gulf.toml", settings));
    let judge = sandbox.path("judge.sh");
    let script =
        "if grep -q polished; then echo APPROVED; else echo 'REJECTED: it reads like a machine'; fi\n";
    std::fs::write(&judge, script).unwrap();
    let progress = "DECISIONS:\n- chose one word | rejected two\nUNCERTAINTIES:\n- whether it is polite\n";
    let agent =
        FakeAgent::new(&sandbox).turn(1, [Step::write("value.txt", "right\n"), Step::claim()]).otherwise([
            Step::write("notes/b.txt", "polished\n"),
            Step::write("progress.txt", progress),
            Step::claim(),
        ]);
    let (flag, judge) = (agent.flag(), format!("command:sh {}", quote(judge.as_str())));
    gulf(&sandbox, ["run", "make it right", "--check", RIGHT, "--agent", &flag, "--judge", &judge])
        .run()
        .expect_exit(0)
        .says("it reads like a machine");
    sandbox
}

// proves: B11
#[test]
fn a_report_says_what_was_asked_and_how_to_repeat_it() {
    let sandbox = judged();
    let told = gulf(&sandbox, ["report"]).run().expect_exit(0).stdout;
    for words in [
        "# verified: make it right", "chose one word", "whether it is polite", "`notes/b.txt`",
        "the value reads well",
    ] {
        assert!(told.contains(words), "{words} is missing:\n{told}");
    }
    assert_eq!(sandbox.read(".gulf/report.md"), told, "what lies in the project is the same");
    let json = document(&gulf(&sandbox, ["report", "--json"]).run().expect_exit(0).stdout);
    assert_eq!(json["version"], 1, "{json:#}");
    let commands = json["reproduce"].as_array().unwrap();
    let first = commands[0].as_str().unwrap();
    let path = format!("PATH={}:\"$PATH\"", quote(folder_of_gulf().as_str()));
    let repeated = sandbox.program("sh", ["-c", &format!("export {path}; {first}")]).run().expect_exit(0);
    repeated.says("passed");
    sandbox.program("sh", ["-c", commands[1].as_str().unwrap()]).run().expect_exit(0);
}

#[test]
fn a_report_of_a_loop_under_way_leaves_nothing_in_the_project() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("notes/a.txt", "x\n")]);
    let flag = agent.flag();
    let run = ["run", "make it right", "--research", "off", "-m", "1", "--check", RIGHT, "--agent", &flag];
    gulf(&sandbox, run).run().expect_exit(10);
    assert!(!sandbox.file(".gulf/report.md").exists());
    gulf(&sandbox, ["report"]).run().expect_exit(0).says("# paused");
    gulf(&sandbox, ["cancel"]).run().expect_exit(0);
    assert!(
        sandbox.read(".gulf/report.md").starts_with("# cancelled"),
        "{}",
        sandbox.read(".gulf/report.md")
    );
    assert!(sandbox.only_loop().path("receipt.json").is_file(), "every end has a receipt");
}

#[test]
fn without_a_loop_there_is_nothing_to_report() {
    let sandbox = Sandbox::with(&Sample::shell());
    gulf(&sandbox, ["report"]).run().expect_exit(0).says("there is no loop here").says("hint:");
}

#[test]
fn the_words_and_files_of_every_iteration_can_be_read() {
    let sandbox = judged();
    let rejected = gulf(&sandbox, ["log", "--iteration", "1", "--verdict"]).run().expect_exit(0);
    assert!(rejected.stdout.starts_with("rejected\n"), "{}", rejected.stdout);
    rejected.says("it reads like a machine");
    gulf(&sandbox, ["log", "--iteration", "2", "--verdict"]).run().expect_exit(0).says("approved");
    let files = gulf(&sandbox, ["log", "--iteration", "1"]).run().expect_exit(0).stdout;
    for name in ["judge.json", "judge.log", "agent.log", "prompt.md"] {
        let path = files.lines().find(|line| line.ends_with(&format!("/001/{name}")));
        assert!(path.is_some_and(|path| std::fs::metadata(path).is_ok()), "{name} is missing:\n{files}");
    }
    gulf(&sandbox, ["log", "--iteration", "2", "--prompt"])
        .run()
        .expect_exit(0)
        .says("it reads like a machine");
    gulf(&sandbox, ["log", "--iteration", "3", "--verdict"]).run().expect_exit(2);
    gulf(&sandbox, ["log", "--verdict"]).run().expect_exit(2);
}

#[test]
fn an_iteration_without_a_judge_has_no_verdict_and_the_prompt_of_its_last_attempt() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox)
        .attempt(1, 1, [Step::Exit { code: 3 }])
        .otherwise([Step::write("value.txt", "right\n"), Step::claim()]);
    let flag = agent.flag();
    let run = ["run", "make it right", "--research", "off", "--check", RIGHT, "--agent", &flag];
    gulf(&sandbox, run).run().expect_exit(0);
    gulf(&sandbox, ["log", "--iteration", "1", "--verdict"]).run().expect_exit(2).says("no judge ran");
    let prompt = gulf(&sandbox, ["log", "--iteration", "1", "--prompt"]).run().expect_exit(0).stdout;
    assert_eq!(prompt, agent.tally().prompt(2));
}

/// Where this build's gulf lies.
fn folder_of_gulf() -> camino::Utf8PathBuf {
    camino::Utf8Path::new(env!("CARGO_BIN_EXE_gulf")).parent().unwrap().to_owned()
}
