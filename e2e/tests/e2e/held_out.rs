//! Checks that the worker does not get to know (SPEC B3): `--acceptance` and `hidden = true`.

use std::fs;

use camino::Utf8PathBuf;
use gulf_testkit::{FakeAgent, Sample, Sandbox, Step, quote};
use serde_json::json;

use crate::{exit, run};

/// Knows only one pair of what it is to do.
const ONE_PAIR: &str = "def add(a, b):\n    return 3\n";
const ADDS: &str = "def add(a, b):\n    return a + b\n";
const OPEN: &str = "python3 -B -c 'from calc import add; assert add(1, 2) == 3'";
const SECRET: &str = "the sum of twenty and twenty-two";

fn sample() -> Sandbox {
    Sandbox::with(&Sample::shell().file("calc.py", "def add(a, b):\n    return a - b\n"))
}

/// A folder beside the project with a program that says what it wants.
fn acceptance(sandbox: &Sandbox) -> Utf8PathBuf {
    let folder = sandbox.path("acceptance");
    fs::create_dir_all(folder.join("cases")).unwrap();
    fs::write(folder.join("cases/pairs.txt"), "20 22 42\n").unwrap();
    let program = format!(
        "#!/bin/sh\nread a b sum < \"$GULF_ACCEPTANCE/cases/pairs.txt\"\n\
         python3 -B -c \"from calc import add; assert add($a, $b) == $sum, '{SECRET}'\"\n"
    );
    fs::write(folder.join("run"), program).unwrap();
    sandbox.program("chmod", ["+x", folder.join("run").as_str()]).run().expect_exit(0);
    folder
}

// proves: B3, G24
#[test]
fn a_worker_hears_that_what_is_held_out_failed_and_nothing_of_it() {
    for kind in ["folder", "command"] {
        let sandbox = sample();
        let folder = acceptance(&sandbox);
        let command = format!("GULF_ACCEPTANCE={0} sh {0}/run", quote(folder.as_str()));
        let held_out = if kind == "folder" { folder.to_string() } else { command };
        let agent = FakeAgent::new(&sandbox)
            .turn(1, [Step::write("calc.py", ONE_PAIR), Step::print("Not yet.")])
            .turn(2, [Step::claim()])
            .turn(3, [Step::write("calc.py", ADDS), Step::claim()]);
        let flags = ["--check", OPEN, "--acceptance", &held_out, "-n", "4"];
        let finished = run(&sandbox, &agent, &flags).run().does_not_panic().expect_exit(exit::VERIFIED);
        finished.says("check acceptance fails on the base");
        let report = sandbox.gulf(["report", "--markdown"]).run().expect_exit(0);
        report.says(" --acceptance ").does_not_say("GULF_ACCEPTANCE/run\"'");
        let repeated = sandbox.gulf(["verify", "--base", "HEAD", "--acceptance", &held_out]).run();
        repeated.expect_exit(0).says("check acceptance fails on the base");
        let kept = sandbox.only_loop();
        let refused = json!({"type": "settled", "settlement": {"kind": "refused", "gate": "checks"}});
        assert_eq!(kept.facts_of("settled")[1], refused);
        for turn in 1..=3 {
            let prompt = agent.tally().prompt(turn);
            for word in [SECRET, "pairs", "twenty", held_out.as_str(), "GULF_ACCEPTANCE"] {
                assert!(!prompt.contains(word), "turn {turn} reads {word}:\n{prompt}");
            }
            assert_eq!(prompt.contains("the acceptance check \"acceptance\""), turn == 3, "{prompt}");
        }
        // Nor where else a worker may look.
        let journal = fs::read_to_string(kept.path("journal.jsonl")).unwrap();
        assert!(!journal.contains(SECRET), "{journal}");
        let logs = sandbox.program("grep", ["-rl", SECRET, kept.path("iterations").as_str()]).run();
        logs.expect_exit(1);
    }
}

// proves: B3
#[test]
fn what_is_held_out_runs_at_a_claim_only_and_by_the_bytes_that_were_sealed() {
    let sandbox = sample();
    let folder = acceptance(&sandbox);
    let seen = sandbox.path("seen");
    let program = fs::read_to_string(folder.join("run")).unwrap();
    let counting =
        program.replace("#!/bin/sh\n", &format!("#!/bin/sh\necho run >> {}\n", quote(seen.as_str())));
    fs::write(folder.join("run"), counting).unwrap();
    let loosened = format!("printf '#!/bin/sh\\n' > {}", quote(folder.join("run").as_str()));
    let ran = format!("test ! -e {}", quote(seen.as_str()));
    let agent = FakeAgent::new(&sandbox)
        // Without a claim only the open check runs.
        .turn(1, [Step::run(&loosened), Step::write("calc.py", ONE_PAIR)])
        .turn(2, [Step::run(&ran), Step::claim()])
        .turn(3, [Step::write("calc.py", ADDS), Step::claim()]);
    let flags = ["--check", OPEN, "--acceptance", folder.as_str(), "-n", "3"];
    run(&sandbox, &agent, &flags).run().does_not_panic().expect_exit(exit::VERIFIED);
    assert_eq!(fs::read_to_string(&seen).unwrap().lines().count(), 3, "twice at a claim, once on the base");
}

// proves: B3
#[test]
fn a_check_of_gulf_toml_is_held_out_by_its_name_and_what_lies_in_the_project_is_refused() {
    let sandbox = sample();
    let folder = acceptance(&sandbox);
    let hidden = format!("[[check]]\nname = \"sums\"\ncommand = \"{folder}\"\nhidden = true\n");
    sandbox.write("gulf.toml", &hidden);
    let agent = FakeAgent::new(&sandbox).otherwise([Step::write("calc.py", ONE_PAIR), Step::claim()]);
    let finished = run(&sandbox, &agent, &["--check", OPEN, "-n", "2"]).run().does_not_panic();
    finished.expect_exit(exit::EXHAUSTED);
    assert!(agent.tally().prompt(2).contains("the acceptance check \"sums\""));
    sandbox.write("held/run", "");
    let inside = "is inside the project";
    for (flag, said) in
        [("held", inside), ("sh held/run", inside), ("../state", "has no executable file `run`")]
    {
        fs::create_dir_all(sandbox.path("state")).unwrap();
        let refused = run(&sandbox, &agent, &["--replace", "--acceptance", flag]).run();
        refused.expect_exit(exit::REFUSED_START).says(said).says("hint: ");
    }
}
