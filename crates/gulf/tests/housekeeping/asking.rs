//! What a worker must not decide by itself: `gulf ask`, from its turn over the inbox to the next prompt (SPEC A5).

use gulf_testkit::{FakeAgent, Finished, Sample, Sandbox, Step};

use crate::{document, gulf};

const RIGHT: &str = "grep -qx right value.txt";

/// A loop that rests because its worker did these steps in its first turn; in the next one it mends everything.
#[track_caller]
fn asked(first: impl IntoIterator<Item = Step>) -> (Sandbox, FakeAgent, Finished) {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox)
        .turn(1, first)
        .otherwise([Step::write("value.txt", "right\n"), Step::claim()]);
    let flag = agent.flag();
    let invocation = gulf(&sandbox, ["run", "make it right", "--research", "off", "--check", RIGHT]);
    let finished = invocation.arguments(["--agent", flag.as_str()]).run().expect_exit(10);
    (sandbox, agent, finished)
}

// proves: A5, A5/destructive, B5
#[test]
fn a_destructive_change_waits_for_the_persons_word_whatever_is_claimed_beside_it() {
    let ask = "gulf ask --kind destructive '옛 표를 지울까요?' --option 'drop it' --option 'keep it' --because 'two million rows'";
    let work = Step::write("value.txt", "right\n");
    let (sandbox, agent, paused) = asked([Step::run(ask), Step::run(ask), work, Step::claim()]);
    paused.says("asks before a destructive change").says("옛 표를 지울까요?").says("two million rows");
    let (_, exit, told) = &agent.tally().commands()[0];
    assert_eq!(*exit, Some(0), "{told}");
    assert!(told.contains("do nothing of it before"), "{told}");
    assert!(agent.tally().prompt(1).contains("you MUST ask"), "the prompt says when to ask");

    let inbox = document(&gulf(&sandbox, ["inbox", "--json"]).run().expect_exit(0).stdout);
    assert_eq!(inbox["questions"].as_array().unwrap().len(), 1, "asked twice, it is one: {inbox:#}");
    let question = &inbox["questions"][0]["question"];
    assert_eq!(question["kind"], "destructive", "{inbox:#}");
    assert_eq!(question["options"][1], "keep it", "{inbox:#}");
    let status = document(&gulf(&sandbox, ["status", "--json"]).run().expect_exit(0).stdout);
    assert!(status.to_string().contains("\"kind\":\"destructive\""), "{status:#}");
    gulf(&sandbox, ["status"])
        .run()
        .expect_exit(0)
        .says("asks before a destructive change")
        .says("1. drop it");

    gulf(&sandbox, ["answer", "2"]).run().expect_exit(0).says("answered question 1: keep it");
    gulf(&sandbox, ["resume"]).run().expect_exit(0).says("verified");
    let prompt = agent.tally().prompt(2);
    assert!(prompt.contains("옛 표를 지울까요?\nA person answered: keep it"), "{prompt}");
    gulf(&sandbox, ["report"]).run().expect_exit(0).says("asks before a destructive change").says("keep it");
}

#[test]
fn what_cannot_be_asked_is_refused_while_the_worker_listens() {
    let long = format!("gulf ask --kind unclear '{}'", "x".repeat(16 * 1024 + 1));
    let long_evidence = format!("gulf ask --kind unclear x --because '{}'", "x".repeat(16 * 1024 + 1));
    let many = format!("gulf ask --kind unclear 'which?'{}", " --option x".repeat(17));
    let wrong = [
        ("gulf ask 'which?'", "--kind"),
        ("gulf ask --kind money 'which?'", "destructive, architecture, security, unclear"),
        ("gulf ask --kind security", "QUESTION"),
        ("gulf ask --kind security ' '", "the question is blank"),
        ("gulf ask --kind security x --option ''", "an option is blank"),
        (many.as_str(), "17 options are too many"),
        (long.as_str(), "16384 is the limit"),
        (long_evidence.as_str(), "the evidence has"),
    ];
    let by_pipe = "echo 'which of the two?' | gulf ask --kind unclear - --evidence 'README.md:3'";
    let steps = wrong.iter().map(|(command, _)| Step::run(command)).chain([Step::run(by_pipe)]);
    let (sandbox, agent, paused) = asked(steps.collect::<Vec<_>>());
    paused.says("asks what is meant").says("which of the two?").says("README.md:3");
    let commands = agent.tally().commands();
    for ((_, reason), (command, exit, said)) in wrong.iter().zip(&commands) {
        assert_eq!(*exit, Some(2), "{}: {said}", &command[..command.len().min(80)]);
        assert!(said.contains(reason), "{reason}: {said}");
    }
    assert_eq!(sandbox.only_loop().facts_of("claimed").len(), 1);
}

#[test]
fn outside_of_a_turn_it_is_said_who_asks_and_what_a_person_has_instead() {
    let sandbox = Sandbox::with(&Sample::shell());
    let refused = gulf(&sandbox, ["ask", "--kind", "unclear", "which?"]).run().expect_exit(2);
    refused.says("this is no worker's turn").says("hint: only a worker claims and asks").says("gulf inbox");
    gulf(&sandbox, ["claim", "done"]).run().expect_exit(2).says("this is no worker's turn");
}
