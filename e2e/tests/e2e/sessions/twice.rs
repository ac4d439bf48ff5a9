//! Hooks that are registered twice, by the plugin and by `gulf install`, count once; those of a gulf that is replaced while
//! a session runs go on.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use camino::Utf8PathBuf;
use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Sample, gulf, one_in_turn, quote};

use super::{HOSTS, Host, Scene, promise};
use crate::{GOAL, RIGHT};

/// Where the host looks for its settings, and in which file hooks stand.
fn home_of(scene: &Scene) -> ((&'static str, Utf8PathBuf), &'static str) {
    match scene.host {
        Host::Claude => (("CLAUDE_CONFIG_DIR", scene.agents.claude_folder()), "settings.json"),
        Host::Codex => (("CODEX_HOME", scene.agents.codex_folder()), "hooks.json"),
        Host::Copilot => (("COPILOT_HOME", scene.agents.copilot_folder()), "hooks/gulf-loop.json"),
    }
}

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
    let (home, file) = home_of(&scene);
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

/// The new one is a script that tells of each call, so that it is seen who was called.
fn check_upgrade(host: Host) {
    let scene = Scene::without_plugin(host, &Sample::shell(), |sandbox| {
        let (own, new) = (sandbox.path("installed/gulf"), sandbox.path("new-gulf"));
        let upgrade = format!("mv {} {}", quote(new.as_str()), quote(own.as_str()));
        let steps = [
            Reply::text("A step further."),
            Reply::shell(&format!("{upgrade} && echo right > value.txt")),
            promise(),
        ];
        steps.into_iter().fold(Script::new(), Script::step)
    });
    let Some(scene) = scene else { return };
    let sandbox = &scene.sandbox;
    let own = sandbox.path("installed/gulf");
    fs::create_dir(sandbox.path("installed")).unwrap();
    fs::copy(gulf(), &own).unwrap();
    let (new, calls) = (sandbox.path("new-gulf"), sandbox.path("calls"));
    let (program, told) = (quote(gulf().as_str()), quote(calls.as_str()));
    fs::write(&new, format!("#!/bin/sh\necho \"$1\" >> {told}\nexec {program} \"$@\"\n")).unwrap();
    fs::set_permissions(&new, fs::Permissions::from_mode(0o755)).unwrap();
    let (home, file) = home_of(&scene);
    let install = sandbox.program(own.as_str(), ["install", host.name()]).variables(scene.agents.variables());
    install.variable(home.0, &home.1).run().expect_exit(0);
    let registered = fs::read_to_string(home.1.join(file)).unwrap();
    assert!(registered.contains("installed/gulf"), "{registered}");

    let prompt = format!("/gulf-loop:start --no-research --check '{RIGHT}' {GOAL}");
    scene.say(&prompt).finished.expect_exit(0);
    let kept = sandbox.only_loop();
    assert_eq!(kept.turns(), [(1, 1), (2, 1)]);
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    let called = fs::read_to_string(&calls).unwrap_or_default();
    assert!(called.lines().any(|call| call == "hook"), "the new gulf was never called: {called}");
    scene.close();
}

#[test]
fn an_upgrade_of_gulf_in_the_middle_of_a_turn_is_taken_up_by_the_sessions_hooks() {
    for host in one_in_turn(HOSTS) {
        check_upgrade(host);
    }
}
