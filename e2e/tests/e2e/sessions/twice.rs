//! Hooks that are registered twice, by the plugin and by `gulf install`, count once.

use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Sample, one_in_turn};

use super::{HOSTS, Host, Scene, promise};
use crate::{GOAL, RIGHT};

fn check_twice(host: Host) {
    let scene = Scene::without_plugin(host, &Sample::shell(), |_| {
        let steps = [
            Reply::shell("echo 1 > first.txt"),
            Reply::text("A step further."),
            // The same words again: only the host knows that it is another stop.
            Reply::text("A step further."),
            Reply::shell("echo almost right > value.txt"),
            promise(),
            Reply::shell("echo right > value.txt"),
            promise(),
        ];
        steps.into_iter().fold(Script::new(), Script::step)
    });
    let Some(scene) = scene else { return };
    let (home, file) = match host {
        Host::Claude => (("CLAUDE_CONFIG_DIR", scene.agents.claude_folder()), "settings.json"),
        Host::Codex => (("CODEX_HOME", scene.agents.codex_folder()), "hooks.json"),
        Host::Copilot => (("COPILOT_HOME", scene.agents.copilot_folder()), "hooks/gulf-loop.json"),
    };
    let install = scene.sandbox.gulf(["install", host.name()]).variables(scene.agents.variables());
    install.variable(home.0, &home.1).run().expect_exit(0);
    scene.install_plugin();
    let registered = std::fs::read_to_string(home.1.join(file)).unwrap();
    assert!(registered.contains("\"Stop\""), "{registered}");

    let prompt = format!("/gulf-loop:start --no-research --check '{RIGHT}' {GOAL}");
    scene.say(&prompt).finished.expect_exit(0);
    let kept = scene.sandbox.only_loop();
    assert_eq!(kept.turns(), [(1, 1), (2, 1), (3, 1), (4, 1)]);
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    assert_eq!(scene.server.model_calls().len(), 7);
    scene.close();
}

#[test]
fn hooks_that_a_host_calls_twice_count_once() {
    for host in one_in_turn(HOSTS) {
        check_twice(host);
    }
}
