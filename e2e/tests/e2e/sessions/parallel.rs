//! Several loops on one goal, each in a worktree and a session of its own: the real Claude Code in all of them.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Invocation, Sample};

use super::{Host, Scene, promise};
use crate::{GOAL, RIGHT};

/// Asked in a worktree whose loop is over.
const ASIDE: &str = "What time is it?";

fn worktrees(scene: &Scene) -> Vec<Utf8PathBuf> {
    let entries = scene.sandbox.root().read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path());
    let is_worktree = |path: &Utf8PathBuf| path.file_name().unwrap().starts_with("repository-gulf-2");
    let mut all: Vec<Utf8PathBuf> = entries.filter(is_worktree).collect();
    all.sort();
    all
}

/// A session that a person opens there.
fn say_in(scene: &Scene, worktree: &Utf8Path, prompt: &str) -> Invocation {
    scene.invocation(Host::Claude.fresh(), prompt).directory(worktree)
}

#[test]
fn each_worktree_is_a_session_of_claude_and_each_lands_on_its_own() {
    let own = |number: u32| format!("echo right > value.txt; echo {number} > own-{number}.txt");
    let scene = Scene::with(Host::Claude, &Sample::shell(), |_| {
        let worker = |number: u32| [Reply::shell(&own(number)), promise()];
        let aside = [Reply::text("It is late.").held()];
        worker(1).into_iter().chain(worker(2)).chain(aside).fold(Script::new(), Script::step)
    });
    let Some(scene) = scene else { return };
    let words = format!("/gulf-loop:start-parallel --no-research --check '{RIGHT}' {GOAL}");
    scene.say(&words).finished.expect_exit(0).says("2 loops are ready");
    assert!(scene.server.model_calls().is_empty(), "it costs nothing");
    let all = worktrees(&scene);
    assert_eq!(all.len(), 2);

    let first = say_in(&scene, &all[0], "/gulf-loop:resume").run().expect_exit(0);
    first.says("landed: main holds it").says("this session stands in it");
    assert_eq!(scene.sandbox.git(["show", "main:own-1.txt"]), "1");
    // Here the person just says something.
    say_in(&scene, &all[1], "go on").run().expect_exit(0).says("landed: main holds it");
    assert_eq!(scene.sandbox.git(["show", "main:own-2.txt"]), "2");
    assert!(scene.sandbox.loops().iter().all(|kept| kept.end().unwrap()["kind"] == "verified"));

    // A session in a worktree whose loop is over is one like any other, and keeps its folder while it is open.
    let aside = say_in(&scene, &all[0], ASIDE).start();
    scene.server.wait_for(|request| request.contains(ASIDE));
    let cleaned = scene.sandbox.gulf(["clean", "--yes"]).run().expect_exit(0);
    if cfg!(target_os = "linux") {
        cleaned.says("in use by");
        assert_eq!(worktrees(&scene), all[..1]);
    }
    scene.server.release();
    aside.finish().expect_exit(0).says("It is late.").does_not_say("Gulf Loop");
    scene.sandbox.gulf(["clean", "--yes"]).run().expect_exit(0);
    assert!(worktrees(&scene).is_empty());
    assert_eq!(scene.sandbox.git(["branch", "--list", "gulf/*"]), "");
    scene.close();
}
