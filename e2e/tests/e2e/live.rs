//! The live screen on a real terminal of three sizes: what it shows of real loops, and what its keys do to them.

use gulf_testkit::{FakeAgent, Key, Meeting, Sample, Sandbox, Size, Step, Terminal};

use crate::{exit, hanging, mend, run, run_right};

const SIZES: [Size; 3] =
    [Size { rows: 24, columns: 80 }, Size { rows: 40, columns: 120 }, Size { rows: 10, columns: 40 }];

/// A loop that is verified, and one that asks.
fn two_loops() -> Sandbox {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::append("other", "x"), Step::claim()]).turn(2, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let asks =
        FakeAgent::named(&sandbox, "asks").turn(1, [Step::run("gulf claim need-decision '어느 포트?'")]);
    run(&sandbox, &asks, &["--check", "test -e port"]).run().expect_exit(exit::PAUSED);
    sandbox
}

fn left(terminal: Terminal) {
    terminal.press(Key::Character('q'));
    assert_eq!(terminal.finish(), 0);
}

#[test]
fn the_screen_lists_loops_and_shows_one_in_full_at_every_size() {
    let sandbox = two_loops();
    for size in SIZES {
        let terminal = sandbox.gulf(["ui"]).on_terminal(size);
        // Loops are read bit by bit: on a busy machine the second appears later than the first.
        let shown = ["asking: 1", "paused", "verified", "어느 포트?"];
        terminal
            .wait_until("both loops and what one asks", |list| shown.iter().all(|text| list.contains(text)));
        terminal.press(Key::Enter);
        terminal.wait_for("question 1: 어느 포트?");
        terminal.press(Key::Character('5'));
        terminal.wait_for("journal");
        terminal.press(Key::Character('?'));
        terminal.wait_for("answer");
        terminal.press(Key::Character('x'));
        left(terminal);
    }
}

#[test]
fn an_answer_and_a_cancellation_are_those_of_the_commands() {
    let sandbox = two_loops();
    let terminal = sandbox.gulf(["ui"]).on_terminal(SIZES[0]);
    terminal.wait_for("asking: 1");
    terminal.write("a");
    terminal.wait_for("answer:");
    terminal.write("팔십");
    terminal.wait_for("팔십");
    terminal.press(Key::Enter);
    let told = terminal.wait_for("asking: 0");
    assert!(told.contains("done"), "{told}");
    terminal.write("C");
    terminal.wait_for("y: yes");
    terminal.write("y");
    terminal.wait_for("cancelled");
    left(terminal);
    let inbox = sandbox.gulf(["inbox", "--all", "--json"]).run().expect_exit(0);
    assert!(inbox.stdout.contains("팔십"), "{inbox:#?}");
    sandbox.gulf(["list"]).run().expect_exit(0).says("cancelled");
}

#[test]
fn what_happens_elsewhere_appears_by_itself_also_on_a_terminal_that_became_smaller() {
    let sandbox = two_loops();
    let terminal = sandbox.gulf(["ui"]).on_terminal(SIZES[0]);
    terminal.wait_for("asking: 1");
    terminal.resize(SIZES[2]);
    sandbox.gulf(["cancel"]).run().expect_exit(0);
    let told = terminal.wait_for("asking: 0");
    assert!(told.contains("cancelled"), "{told}");
    left(terminal);
}

#[test]
fn what_a_loop_refuses_is_told_and_changes_nothing() {
    let sandbox = Sandbox::with(&Sample::shell());
    run_right(&sandbox, &FakeAgent::new(&sandbox).turn(1, mend()), &[]).run().expect_exit(exit::VERIFIED);
    let before = sandbox.only_loop().events().len();
    let terminal = sandbox.gulf(["ui"]).on_terminal(SIZES[1]);
    terminal.wait_for("verified");
    terminal.write("p");
    let is_told = |screen: &str| screen.contains("loops: 1") && screen.contains("pause ");
    terminal.wait_until("what came of the pause", is_told);
    left(terminal);
    assert_eq!(sandbox.only_loop().events().len(), before);
}

/// A worker that waits in its first turn.
fn waiting(sandbox: &Sandbox) -> (FakeAgent, Meeting, Meeting) {
    let (here, go_on) = (Meeting::new(sandbox, "here"), Meeting::new(sandbox, "go on"));
    let steps = [here.reached(), go_on.held()].into_iter().chain(mend());
    (FakeAgent::new(sandbox).turn(1, steps), here, go_on)
}

#[test]
fn a_run_on_the_screen_goes_on_when_the_screen_is_left() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (agent, here, go_on) = waiting(&sandbox);
    let terminal = run_right(&sandbox, &agent, &["--ui"]).on_terminal(SIZES[1]);
    here.wait();
    terminal.wait_for("overview");
    terminal.press(Key::Character('q'));
    let told = terminal.wait_for("keeps running without this screen");
    assert!(told.contains("`gulf ui` shows it again"), "{told}");
    assert_eq!(terminal.finish(), 130, "nothing is proven yet");
    let follower = sandbox.gulf(["status", "--watch"]).start();
    go_on.release();
    follower.finish().expect_exit(0).says("verified: every gate passed");
    sandbox.assert_nothing_left();
}

#[test]
fn a_run_that_ends_on_the_screen_says_what_it_would_have_said_without() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (agent, here, go_on) = waiting(&sandbox);
    let terminal = run_right(&sandbox, &agent, &["--ui"]).on_terminal(SIZES[1]);
    here.wait();
    terminal.wait_for("overview");
    go_on.release();
    terminal.wait_for("`gulf run` has ended");
    terminal.press(Key::Character('q'));
    terminal.wait_for("verified: every gate passed");
    assert_eq!(terminal.finish(), 0);
}

#[test]
fn a_question_of_a_run_is_answered_on_its_screen_and_the_run_goes_on_by_itself() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (here, go_on) = (Meeting::new(&sandbox, "here"), Meeting::new(&sandbox, "go on"));
    let asks = Step::run("gulf claim need-decision 'Which port?'");
    let agent = FakeAgent::new(&sandbox).turn(1, [here.reached(), go_on.held(), asks]).turn(2, mend());
    let terminal = run_right(&sandbox, &agent, &["--ui"]).on_terminal(SIZES[1]);
    here.wait();
    terminal.wait_for("overview");
    go_on.release();
    terminal.wait_for("question 1: Which port?");
    terminal.write("a");
    terminal.wait_for("answer:");
    terminal.write("8080");
    terminal.wait_for("answer: 8080");
    terminal.press(Key::Enter);
    terminal.wait_for("`gulf run` has ended");
    left(terminal);
    sandbox.gulf(["list"]).run().expect_exit(0).says("verified");
}

#[test]
fn a_run_that_asks_when_its_screen_is_left_waits_and_says_how_it_goes_on() {
    let sandbox = Sandbox::with(&Sample::shell());
    let asks = Step::run("gulf claim need-decision 'Which port?'");
    let agent = FakeAgent::new(&sandbox).turn(1, [asks]).turn(2, mend());
    let terminal = run_right(&sandbox, &agent, &["--ui"]).on_terminal(SIZES[1]);
    terminal.wait_for("question 1: Which port?");
    terminal.press(Key::Character('q'));
    terminal.wait_for("is paused and waits for you");
    assert_eq!(terminal.finish(), u32::try_from(exit::PAUSED).unwrap());
    sandbox.gulf(["answer", "8080"]).run().expect_exit(0).says("continues by itself");
    sandbox.assert_nothing_left();
    sandbox.gulf(["list"]).run().expect_exit(0).says("verified");
}

#[test]
fn a_run_that_cannot_begin_leaves_the_screen_and_says_why() {
    let sandbox = Sandbox::with(&Sample::shell());
    let terminal = sandbox.gulf(["run", "--ui", "-f", "nowhere.md"]).on_terminal(SIZES[0]);
    terminal.wait_for("nowhere.md");
    assert_eq!(terminal.finish(), u32::try_from(exit::REFUSED_START).unwrap());
    let piped = sandbox.gulf(["run", "--ui", "a greeting"]).run().expect_exit(exit::REFUSED_START);
    piped.says("needs a terminal").says("hint: drop `--ui`");
    assert!(sandbox.loops().is_empty());
}

#[test]
fn a_loop_that_is_killed_while_it_is_watched_is_shown_as_stopped_with_how_it_goes_on() {
    let sandbox = Sandbox::with(&Sample::shell());
    let running = hanging(&sandbox);
    let terminal = sandbox.gulf(["ui"]).on_terminal(SIZES[1]);
    terminal.wait_for("running");
    terminal.press(Key::Enter);
    terminal.wait_for("overview");
    running.kill();
    running.finish();
    terminal.wait_until("how it goes on", |screen| {
        screen.contains("interrupted") && screen.contains("gulf resume")
    });
    left(terminal);
    sandbox.assert_nothing_left();
}

#[test]
fn without_a_terminal_the_screen_is_refused_with_what_to_do_instead() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox
        .gulf(["ui"])
        .run()
        .expect_exit(exit::REFUSED_START)
        .says("needs a terminal")
        .says("hint: `gulf status`");
}

#[test]
fn a_status_that_is_watched_follows_the_loop_and_ends_with_it() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (agent, here, go_on) = waiting(&sandbox);
    let running = run_right(&sandbox, &agent, &[]).start();
    here.wait();
    let terminal = sandbox.gulf(["status", "--watch"]).on_terminal(SIZES[0]);
    terminal.wait_for("Ctrl-C leaves; the loop keeps running");
    go_on.release();
    running.finish().expect_exit(exit::VERIFIED);
    terminal.wait_for("verified: every gate passed");
    assert_eq!(terminal.finish(), 0);
    // What is over is said once.
    let said = sandbox.gulf(["status", "--watch"]).run().expect_exit(0).stdout;
    assert_eq!(said.matches("verified: every gate passed").count(), 1, "{said}");
}
