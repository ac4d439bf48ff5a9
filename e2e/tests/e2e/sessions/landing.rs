//! An autonomous loop in the hosts themselves: typed in, worked on a branch of its own, in conflict with what others
//! brought meanwhile, and landed.

use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Sample, Sandbox, one_in_turn};
use serde_json::json;

use super::{HOSTS, Host, Scene, promise};
use crate::{GOAL, RIGHT};

/// Others commit to the base branch, in a worktree of theirs.
const OTHERS: &str = "git worktree add -q ../others main && cd ../others && echo otherwise > value.txt && git commit \
                      -qam 'say it otherwise' && git worktree remove .";
/// As the task says.
const MERGE: &str = "git commit -qam right; git merge -q main; echo right > value.txt; echo both > both.txt; git add \
                     value.txt both.txt && git commit -qm 'keep both'";

fn script(_: &Sandbox) -> Script {
    let work = Reply::shell(&format!("echo right > value.txt; {OTHERS}"));
    let steps = [work, promise(), Reply::shell(MERGE), promise()];
    steps.into_iter().fold(Script::new(), Script::step)
}

fn check_landing(host: Host) {
    let Some(scene) = Scene::with(host, &Sample::shell(), script) else { return };
    let start = format!("/gulf-loop:start-autonomous --no-research --check '{RIGHT}' {GOAL}");
    scene.say(&start).finished.expect_exit(0).does_not_panic();
    let sandbox = &scene.sandbox;
    let kept = sandbox.only_loop();
    let refused = json!({"type": "settled", "settlement": {"kind": "refused", "gate": "landing"}});
    assert_eq!(kept.facts_of("settled"), [refused], "{host:?}");
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    assert_eq!(sandbox.git(["branch", "--show-current"]), "main");
    assert_eq!(sandbox.git(["branch", "--list", "gulf/*"]), "");
    assert_eq!(sandbox.git(["status", "--porcelain"]), "");
    assert_eq!((sandbox.read("value.txt"), sandbox.read("both.txt")), ("right\n".into(), "both\n".into()));
    let log = sandbox.git(["log", "--format=%s", "--first-parent", "main"]);
    let lines: Vec<&str> = log.lines().collect();
    assert!(lines[0].starts_with("merge(gulf-loop): gulf/auto-") && lines[1] == "say it otherwise", "{log}");
    scene.close();
}

#[test]
fn a_session_works_on_a_branch_of_its_own_resolves_a_conflict_and_lands() {
    for host in one_in_turn(HOSTS) {
        check_landing(host);
    }
}
