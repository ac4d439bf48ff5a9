//! A worker asks, a person answers: from the claim over the inbox to the next prompt (SPEC B5).

use gulf_testkit::{FakeAgent, Finished, Invocation, Sample, Sandbox, Step};
use serde_json::Value;

use crate::{document, gulf};

const RIGHT: &str = "grep -qx right value.txt";

/// A loop whose worker does these steps in its first turn, and mends everything in the next one.
fn run(sandbox: &Sandbox, first: impl IntoIterator<Item = Step>) -> (FakeAgent, Invocation) {
    let agent = FakeAgent::new(sandbox)
        .turn(1, first)
        .otherwise([Step::write("value.txt", "right\n"), Step::claim()]);
    let flag = agent.flag();
    let invocation = gulf(sandbox, ["run", "make it right", "--research", "off", "--check", RIGHT]);
    let invocation = invocation.arguments(["--agent", flag.as_str()]);
    (agent, invocation)
}

fn cannot() -> Step {
    Step::run(
        "gulf claim cannot 'the value has two meanings' --evidence 'notes/a.txt says a' --option 'the old one' --option 'the new one'",
    )
}

/// A loop that rests because its worker asked this in its first turn.
#[track_caller]
fn asked(first: impl IntoIterator<Item = Step>) -> (Sandbox, FakeAgent, Finished) {
    let sandbox = Sandbox::with(&Sample::shell());
    let (agent, invocation) = run(&sandbox, first);
    let finished = invocation.run().expect_exit(10);
    (sandbox, agent, finished)
}

// proves: B5
#[test]
fn a_question_rests_the_loop_and_its_answer_leads_it_to_its_end() {
    let (sandbox, agent, paused) = asked([cannot()]);
    paused.says("the value has two meanings").says("the old one").says("gulf answer");
    let told = &agent.tally().commands()[0];
    assert_eq!(told.1, Some(0), "{told:?}");
    assert!(told.2.contains("until a person answers"), "{told:?}");
    gulf(&sandbox, ["inbox"]).run().expect_exit(0).says("notes/a.txt says a").says("gulf answer 1 ");
    gulf(&sandbox, ["answer", "b"])
        .run()
        .expect_exit(0)
        .says("answered question 1: the new one")
        .says("gulf resume");
    gulf(&sandbox, ["inbox"]).run().expect_exit(0).says("no question is open");
    gulf(&sandbox, ["inbox", "--all"]).run().expect_exit(0).says("the new one");
    gulf(&sandbox, ["resume"]).run().expect_exit(0).says("verified");
    let prompt = agent.tally().prompt(2);
    assert!(prompt.contains("the value has two meanings") && prompt.contains("the new one"), "{prompt}");
    gulf(&sandbox, ["report"]).run().expect_exit(0).says("the new one");
    sandbox.assert_nothing_left();
}

#[test]
fn a_loop_that_waits_for_an_answer_is_not_resumed_without_one() {
    let (sandbox, agent, _) = asked([cannot()]);
    gulf(&sandbox, ["resume"]).run().expect_exit(10).says("the value has two meanings");
    assert_eq!(agent.tally().turns(), [(1, 1)]);
    assert!(sandbox.only_loop().facts_of("resumed").is_empty());
}

#[test]
fn of_several_questions_one_is_named_by_its_number() {
    let second = Step::run("gulf claim need-decision 'which colour?' --option red --option green");
    let (sandbox, _, _) = asked([cannot(), second]);
    let refused = gulf(&sandbox, ["answer", "red"]).run().expect_exit(2);
    refused.says("2 questions are open").says("which colour?").says("hint:");
    gulf(&sandbox, ["answer", "3", "red"]).run().expect_exit(2).says("question 3 is not open");
    gulf(&sandbox, ["answer", "2", "1"])
        .run()
        .expect_exit(0)
        .says("answered question 2: red")
        .says("one question is still open");
    gulf(&sandbox, ["answer", "the other"]).run().expect_exit(0).says("answered question 1: the other");
    gulf(&sandbox, ["resume"]).run().expect_exit(0);
}

#[test]
fn an_answer_is_refused_where_nothing_is_asked() {
    let sandbox = Sandbox::with(&Sample::shell());
    gulf(&sandbox, ["answer", "yes"]).run().expect_exit(2).says("no question is open").says("hint:");
    let (_, invocation) = run(&sandbox, [Step::write("value.txt", "right\n"), Step::claim()]);
    invocation.run().expect_exit(0);
    gulf(&sandbox, ["answer", "yes"]).run().expect_exit(2).says("no question is open");
    gulf(&sandbox, ["inbox"]).run().expect_exit(0).says("no question is open");
}

#[test]
fn an_answer_without_quotes_is_refused_with_the_command_that_was_meant() {
    let (sandbox, _, _) = asked([cannot()]);
    let refused = gulf(&sandbox, ["answer", "use", "the", "old", "one"]).run().expect_exit(2);
    refused.says("gulf answer \"use the old one\"");
    gulf(&sandbox, ["answer"]).run().expect_exit(2);
    gulf(&sandbox, ["answer", " "]).run().expect_exit(2).says("blank");
    gulf(&sandbox, ["answer", "x", "--loop", "nothing"]).run().expect_exit(2).says("no loop called nothing");
    assert!(sandbox.only_loop().facts_of("answered").is_empty());
}

#[test]
fn a_longer_answer_comes_from_standard_input() {
    let (sandbox, agent, _) = asked([cannot()]);
    let id = sandbox.only_loop().id().to_owned();
    gulf(&sandbox, ["answer", "1", "-", "--loop", &id]).stdin("first\nsecond\n").run().expect_exit(0);
    gulf(&sandbox, ["resume"]).run().expect_exit(0);
    assert!(agent.tally().prompt(2).contains("first\nsecond"), "{}", agent.tally().prompt(2));
}

#[test]
fn programs_read_the_inbox_as_json() {
    let (sandbox, _, _) = asked([cannot()]);
    let inbox = document(&gulf(&sandbox, ["inbox", "--json"]).run().expect_exit(0).stdout);
    let question = &inbox["questions"][0];
    assert_eq!(question["open"], true, "{inbox:#}");
    assert_eq!(question["question"]["options"][1], "the new one");
    assert!(question["command"].as_str().unwrap().starts_with("gulf answer 1 "));
    gulf(&sandbox, ["answer", "yes"]).run().expect_exit(0);
    let inbox = document(&gulf(&sandbox, ["inbox", "--json"]).run().expect_exit(0).stdout);
    assert_eq!(inbox["questions"], Value::Array(Vec::new()));
}

#[test]
fn a_question_in_another_worktree_is_found_and_answered_from_here() {
    let (sandbox, _, _) = asked([cannot()]);
    sandbox.git(["worktree", "add", "--quiet", "--detach", "../elsewhere"]);
    let elsewhere = sandbox.path("elsewhere");
    gulf(&sandbox, ["inbox"]).directory(&elsewhere).run().expect_exit(0).says("the value has two meanings");
    gulf(&sandbox, ["answer", "a"]).directory(&elsewhere).run().expect_exit(0).says("the old one");
}

#[test]
fn a_question_that_says_nothing_or_too_much_is_refused_while_the_worker_listens() {
    let long = format!("gulf claim cannot '{}'", "x".repeat(16 * 1024 + 1));
    let many = format!("gulf claim need-decision 'which?'{}", " --option x".repeat(17));
    let wrong = [
        "gulf claim cannot ' '",
        "gulf claim conflict",
        &long,
        &many,
        "gulf claim need-decision x --option ''",
    ];
    let by_pipe = "echo 'which of the two?' | gulf claim need-decision - --option one --option other";
    let steps = wrong.iter().map(|command| Step::run(command)).chain([Step::run(by_pipe)]);
    let (sandbox, agent, paused) = asked(steps.collect::<Vec<_>>());
    paused.says("which of the two?");
    let commands = agent.tally().commands();
    for (command, exit, said) in &commands[..wrong.len()] {
        assert_eq!(*exit, Some(2), "{}: {said}", &command[..command.len().min(80)]);
    }
    assert_eq!(commands[wrong.len()].1, Some(0), "{commands:?}");
    assert_eq!(sandbox.only_loop().facts_of("claimed").len(), 1);
}

#[test]
fn a_persons_word_from_a_worker_is_refused_and_written_down() {
    let sandbox = Sandbox::with(&Sample::shell());
    let acts = [
        "gulf answer yes",
        "gulf answer 1 yes",
        "gulf approve 'it is good'",
        "gulf reject no",
        "gulf resume --accept-contract",
    ];
    let steps: Vec<Step> = acts.iter().map(|act| Step::run(act)).collect();
    let (agent, invocation) = run(&sandbox, steps);
    invocation.run().expect_exit(0);
    for (command, exit, said) in agent.tally().commands().iter().take(acts.len()) {
        assert_eq!(*exit, Some(2), "{command}: {said}");
        assert!(said.contains("only a person"), "{command} is not told why: {said}");
    }
    let kept = sandbox.only_loop();
    let refused: Vec<Value> = kept.facts_of("refused").iter().map(|fact| fact["request"].clone()).collect();
    assert_eq!(refused, ["answer", "answer", "approve", "reject", "resume"]);
    for granted in ["answered", "approved", "rejected", "amended"] {
        assert!(kept.facts_of(granted).is_empty(), "{granted} was granted");
    }
}

#[test]
fn a_worker_that_finds_its_loop_at_rest_is_refused_and_that_is_written_down() {
    let (sandbox, _, _) = asked([cannot()]);
    let id = sandbox.only_loop().id().to_owned();
    for act in [&["answer", "yes"][..], &["approve", "good"], &["reject", "bad"], &["resume"]] {
        let refused = gulf(&sandbox, act.iter().copied()).variable("GULF_LOOP", &id).run();
        refused.expect_exit(2).says("only a person");
    }
    assert_eq!(sandbox.only_loop().facts_of("refused").len(), 4);
    assert!(sandbox.only_loop().facts_of("answered").is_empty());
}
