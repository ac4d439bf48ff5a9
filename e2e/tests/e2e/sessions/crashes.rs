//! The hook dies in the midst of its work: the session ends, and the next stop goes on.

use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Sample, Sandbox, one_in_turn};

use super::{HOSTS, Host, Scene, promise};
use crate::GOAL;
use crate::real::{TO_JUDGE, met, rubric};

const NOTE: &str = "notes/why.txt";
const CRITERION: &str = "A file in notes/ says why value.txt was wrong";
const WHY: &str = "It was wrong since the first import.";

/// The judge's first answer never comes in time.
fn script(_: &Sandbox) -> Script {
    let verdicts = [met(NOTE, WHY).held(), met(NOTE, WHY)];
    let script = Script::new().each_conversation(TO_JUDGE, verdicts);
    let steps =
        [Reply::shell(&format!("echo right > value.txt; echo '{WHY}' > {NOTE}")), promise(), promise()];
    steps.into_iter().fold(script, Script::step)
}

fn check_kill(host: Host) {
    let sample = Sample::shell().file("RUBRIC.md", &rubric(CRITERION));
    let Some(scene) = Scene::with(host, &sample, script) else { return };
    let started = scene.begin(&format!("/gulf-loop:start-with-judge --no-research {GOAL}"));
    scene.server.wait_for(|request| request.contains(TO_JUDGE));
    let left = scene.sandbox.leftovers();
    let hooks: Vec<_> = left.iter().filter(|process| process.command.ends_with("gulf hook")).collect();
    assert_eq!(hooks.len(), 1, "{left:#?}");
    hooks[0].kill();
    let session = host.session_of(&started.finish().expect_exit(0));
    let kept = scene.sandbox.only_loop();
    assert_eq!(kept.end(), None);
    scene.sandbox.assert_nothing_left();

    scene.say_again(&session, "Go on.").finished.expect_exit(0);
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    assert_eq!(scene.judged(), 2);
    scene.close();
}

#[test]
fn after_a_kill_of_the_hook_while_it_judges_a_session_goes_on_at_its_next_stop() {
    for host in one_in_turn(HOSTS) {
        check_kill(host);
    }
}
