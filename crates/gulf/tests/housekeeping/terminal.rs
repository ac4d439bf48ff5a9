//! What a person types at a terminal when a loop rests: an answer, a verdict, or nothing.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use gulf_testkit::{FakeAgent, Finished, Sample, Sandbox, Step, quote};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::gulf;

/// Only a command that hangs takes so long.
const PATIENCE: Duration = Duration::from_secs(120);

/// gulf at a terminal, where a person has typed this before they were asked; stdout is not part of it.
#[track_caller]
fn typed(sandbox: &Sandbox, arguments: &[&str], words: &str) -> Finished {
    let near = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&near).unwrap();
    unlockpt(&near).unwrap();
    let name = ptsname(&near, Vec::new()).unwrap().into_string().unwrap();
    let far = OpenOptions::new().read(true).write(true).open(name).unwrap();
    let mut near = File::from(near);
    near.write_all(words.as_bytes()).unwrap();
    let mut command = sandbox.command(env!("CARGO_BIN_EXE_gulf"));
    command.args(arguments).stdin(far.try_clone().unwrap()).stderr(far).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The other side of the terminal is open as long as the command can be started again.
    drop(command);
    let mut stdout = child.stdout.take().unwrap();
    let (sender, ended) = mpsc::channel();
    let screen = thread::spawn(move || {
        let mut bytes = Vec::new();
        // A terminal that nobody holds any more ends in an error.
        drop(near.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    });
    thread::spawn(move || {
        let mut text = String::new();
        stdout.read_to_string(&mut text).unwrap();
        drop(sender.send((text, child.wait().unwrap().code())));
    });
    let (stdout, exit) = ended.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{arguments:?} never ended"));
    Finished { said: format!("{arguments:?}"), exit, stdout, stderr: screen.join().unwrap() }
}

/// A project whose judge says no to everything.
fn judged(first: impl IntoIterator<Item = Step>) -> (Sandbox, FakeAgent, String) {
    let rubric = "## Judge criteria\n- the value reads well\n";
    let settings = "research = \"off\"\n[judge]\nprotocol = \"line\"\n";
    let sandbox = Sandbox::with(&Sample::shell().file("RUBRIC.md", rubric).file("gulf.toml", settings));
    let judge = sandbox.path("judge.sh");
    std::fs::write(&judge, "cat > /dev/null\necho 'REJECTED: it reads like a machine'\n").unwrap();
    let agent = FakeAgent::new(&sandbox)
        .turn(1, first)
        .otherwise([Step::append("value.txt", "more\n"), Step::claim()]);
    let judge = format!("command:sh {}", quote(judge.as_str()));
    (sandbox, agent, judge)
}

/// The arguments of a start that asks a person after the first rejection.
fn start<'a>(agent: &'a str, judge: &'a str) -> Vec<&'a str> {
    vec![
        "run", "make it right", "--check", "grep -qx right value.txt", "-t", "1", "--agent", agent,
        "--judge", judge,
    ]
}

fn mend() -> [Step; 2] {
    [Step::write("value.txt", "right\n"), Step::claim()]
}

#[test]
fn a_persons_verdict_needs_a_terminal() {
    let (sandbox, agent, judge) = judged(mend());
    let agent = agent.flag();
    let gated = gulf(&sandbox, start(&agent, &judge)).run().expect_exit(10);
    gated.says("it reads like a machine").says("rejections");
    for act in ["approve", "reject"] {
        gulf(&sandbox, [act, "because"]).run().expect_exit(2).says("a person at a terminal");
    }
    assert!(sandbox.only_loop().facts_of("approved").is_empty());
    typed(&sandbox, &["approve", "I like it"], "").expect_exit(0).says("approved");
    if sandbox.only_loop().end().is_none() {
        gulf(&sandbox, ["resume"]).run().expect_exit(3);
    }
    let end = sandbox.only_loop().end().unwrap();
    assert_eq!(end["kind"], "attested", "{end}");
    assert_eq!(end["causes"][0]["kind"], "waived", "{end}");
    let report = std::fs::read_to_string(sandbox.file(".gulf/report.md")).unwrap();
    assert!(report.contains("I like it"), "{report}");
    gulf(&sandbox, ["approve", "again"]).run().expect_exit(2);
    sandbox.assert_nothing_left();
}

#[test]
fn a_loop_that_is_not_paused_has_nothing_to_approve() {
    let sandbox = Sandbox::with(&Sample::shell());
    typed(&sandbox, &["approve", "good"], "").expect_exit(0).says("there is no loop here");
    typed(&sandbox, &["reject", " "], "").expect_exit(0).says("there is no loop here");
}

#[test]
fn what_a_person_rejects_at_the_gate_is_told_to_the_worker() {
    let (sandbox, agent, judge) = judged(mend());
    let flag = agent.flag();
    let words = "what?\nr\nname the file, too\nl\n";
    let left = typed(&sandbox, &start(&flag, &judge), words).expect_exit(10);
    left.says("Go on, approve, reject, or leave it?");
    assert_eq!(agent.tally().turns(), [(1, 1), (2, 1)]);
    assert!(agent.tally().prompt(2).contains("name the file, too"), "{}", agent.tally().prompt(2));
    assert_eq!(sandbox.only_loop().facts_of("rejected")[0]["reason"], "name the file, too");
}

#[test]
fn what_a_person_approves_at_the_gate_ends_attested() {
    let (sandbox, agent, judge) = judged(mend());
    let flag = agent.flag();
    typed(&sandbox, &start(&flag, &judge), "a\ngood as it is\n").expect_exit(3).says("attested");
    assert_eq!(sandbox.only_loop().facts_of("approved")[0]["reason"], "good as it is");
}

#[test]
fn a_gate_that_nobody_answers_leaves_the_loop_at_rest() {
    let (sandbox, agent, judge) = judged(mend());
    let flag = agent.flag();
    typed(&sandbox, &start(&flag, &judge), "a\n\n").expect_exit(10);
    assert!(sandbox.only_loop().facts_of("approved").is_empty());
    assert_eq!(agent.tally().turns(), [(1, 1)]);
}

#[test]
fn a_question_is_answered_where_it_is_asked() {
    let ask =
        |text: &str| Step::run(&format!("gulf claim need-decision '{text}' --option one --option other"));
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [ask("which?"), ask("and then?")]).otherwise(mend());
    let flag = agent.flag();
    let run = [
        "run", "make it right", "--research", "off", "--check", "grep -qx right value.txt", "--agent", &flag,
    ];
    typed(&sandbox, &run, "2\nneither of them\n")
        .expect_exit(0)
        .says("Your answer to question 1")
        .says("verified");
    let answers: Vec<_> =
        sandbox.only_loop().facts_of("answered").iter().map(|fact| fact["answer"].clone()).collect();
    assert_eq!(answers, ["other", "neither of them"]);
}

#[test]
fn a_question_that_is_left_for_later_waits() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::run("gulf claim cannot 'no way'")]).otherwise(mend());
    let flag = agent.flag();
    let run = ["run", "make it right", "--research", "off", "--check", "true", "--agent", &flag];
    typed(&sandbox, &run, "\n").expect_exit(10).says("no way");
    gulf(&sandbox, ["inbox"]).run().expect_exit(0).says("no way");
}

#[test]
fn a_changed_rubric_is_accepted_at_a_terminal_with_one_word() {
    let sandbox = Sandbox::with(&Sample::shell().file("RUBRIC.md", "## Checks\n- `true`\n"));
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("notes/a.txt", "x\n")]);
    let flag = agent.flag();
    let run = ["run", "make it right", "--research", "off", "-m", "1", "-n", "3", "--agent", &flag];
    gulf(&sandbox, run).run().expect_exit(10);
    sandbox.write("RUBRIC.md", "## Checks\n- `test -e never.txt`\n");
    typed(&sandbox, &["resume"], "n\nn\n").expect_exit(10).says("Accept the current version");
    assert!(sandbox.only_loop().facts_of("amended").is_empty());
    typed(&sandbox, &["resume"], "y\nn\n").expect_exit(10).says("the contract was changed");
    assert_eq!(sandbox.only_loop().facts_of("amended").len(), 1);
}
