//! Loops where a person sits in front of the host: what is typed and pasted, what is asked first, and what they see.

use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Key, Sample, Sandbox, Size, Terminal, one_in_turn};

use super::prompts::sealed_goal;
use super::{Host, Scene, promise};
use crate::{GOAL, RIGHT};

/// Wide enough for a command on one line.
const SIZE: Size = Size { rows: 60, columns: 180 };

/// Too early, then right.
fn twice(_: &Sandbox) -> Script {
    // Codex gives each session a title.
    let script = Script::new().conversation("single-line task title", [Reply::text("A title")]);
    let early = [Reply::shell("echo almost right > value.txt"), promise()];
    let right = [Reply::shell("echo right > value.txt"), promise()];
    early.into_iter().chain(right).fold(script, Script::step)
}

/// The host, with whatever it asks first answered.
pub(super) fn open(scene: &Scene) -> Terminal {
    match scene.host {
        Host::Claude => {
            let allowed = ["--permission-mode", "acceptEdits", "--allowedTools", "Bash"];
            let terminal = scene.call(allowed).on_terminal(SIZE);
            terminal.wait_for("accept edits on");
            terminal
        }
        Host::Codex => {
            let alone = ["--no-daemon", "--dangerously-bypass-approvals-and-sandbox"];
            let terminal = scene.call(alone).on_terminal(SIZE);
            terminal.wait_for("3. Continue without trusting");
            terminal.press_until(Key::Character('2'), "› 2. Trust all and continue");
            terminal.press(Key::Enter);
            terminal.wait_for("Ask Codex");
            terminal
        }
        Host::Copilot => {
            let terminal = scene.call(["--allow-all"]).on_terminal(SIZE);
            terminal.wait_for("Do you trust the files");
            terminal.press_until(Key::Enter, "/ commands");
            terminal
        }
    }
}

/// A command as each host takes it on its terminal.
fn command(host: Host, words: &str) -> String {
    match host {
        Host::Claude | Host::Copilot => format!("/gulf-loop:{words}"),
        // A slash is for its own commands only.
        Host::Codex => format!("$gulf-loop:{words}"),
    }
}

/// In the one line that a person gets at the end.
pub(super) const ENDED: &str = ": VERIFIED: every gate passed";

/// Copilot shows nothing of what hooks say beside their block.
fn shows_the_end(host: Host, screen: &str) -> bool {
    match host {
        Host::Claude => screen.contains("Stop says: Gulf Loop") && screen.contains(ENDED),
        Host::Codex => screen.contains("Hook · Gulf Loop") && screen.contains(ENDED),
        Host::Copilot => screen.matches("It is done.").count() == 2 && !screen.contains("Working"),
    }
}

fn check_story(host: Host, refused: &[&str]) {
    let Some(scene) = Scene::with(host, &Sample::shell(), twice) else { return };
    let terminal = open(&scene);
    terminal.enter(&command(host, &format!("start --no-research --check '{RIGHT}' {GOAL}")));
    for words in refused {
        terminal.wait_for(words);
    }
    terminal.wait_until("the end", |screen| shows_the_end(host, screen));
    let before = scene.server.model_calls().len();
    // As plain words it is taken on every terminal.
    terminal.enter("gulf-loop:status");
    terminal.wait_for("Iteration   : 2 / 50");
    assert_eq!(scene.server.model_calls().len(), before);
    // Whoever sees gulf's line is not told it by the model as well.
    let is_told_twice = !scene.server.last_words_calls().is_empty();
    assert_eq!(is_told_twice, host == Host::Copilot);
    drop(terminal);
    let kept = scene.sandbox.only_loop();
    assert_eq!(sealed_goal(&scene), GOAL);
    assert_eq!(kept.turns(), [(1, 1), (2, 1)]);
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    scene.close();
}

#[test]
fn on_claudes_terminal_a_person_sees_the_loop_go_on_and_end() {
    let refused = ["Stop says: Gulf Loop | Iter 2/50 | checks FAILED: sh check.sh (exit 1)"];
    check_story(Host::Claude, &refused);
}

#[test]
fn on_codexs_terminal_a_person_trusts_the_hooks_once_and_sees_the_loop_go_on_and_end() {
    let refused = ["Blocked by hook", "Gulf Loop | Iter 2/50 | checks FAILED: sh check.sh (exit 1)"];
    check_story(Host::Codex, &refused);
}

#[test]
fn on_copilots_terminal_a_command_of_the_plugin_is_obeyed() {
    check_story(Host::Copilot, &["check `sh check.sh` failed with exit code 1"]);
}

const PASTED: &str = "make value.txt say right
with \"quotes\", $(id), `date` and --flags

  and 한국어";

/// Pasted as a whole, or behind the typed command.
fn check_paste(host: Host, typed: &str, pasted: &str) {
    let Some(scene) = Scene::with(host, &Sample::shell(), twice) else { return };
    let terminal = open(&scene);
    if !typed.is_empty() {
        terminal.write(typed);
        terminal.wait_for(typed.trim_end());
    }
    terminal.paste(pasted);
    // Claude folds what is long.
    terminal.wait_until("the paste", |screen| screen.contains("한국어") || screen.contains("[Pasted text"));
    terminal.press(Key::Enter);
    scene.server.wait_for(|request| request.contains(".gulf/brief.md"));
    drop(terminal);
    assert_eq!(sealed_goal(&scene), PASTED);
    scene.close();
}

#[test]
fn what_is_pasted_behind_a_typed_command_is_the_goal() {
    let typed = format!("start --no-research --check '{RIGHT}' ");
    for host in one_in_turn([Host::Claude, Host::Codex]) {
        check_paste(host, &command(host, &typed), PASTED);
    }
}

#[test]
fn a_command_that_is_pasted_as_a_whole_is_obeyed() {
    for host in one_in_turn([Host::Claude, Host::Codex]) {
        let pasted = command(host, &format!("start --no-research --check '{RIGHT}' {PASTED}"));
        check_paste(host, "", &pasted);
    }
}

#[test]
fn a_turn_that_the_person_interrupts_leaves_a_loop_that_goes_on_with_their_next_word() {
    let scene = Scene::with(Host::Claude, &Sample::shell(), |_| {
        let right = [Reply::shell("echo right > value.txt"), promise()];
        [Reply::shell("tail -f /dev/null")].into_iter().chain(right).fold(Script::new(), Script::step)
    });
    let Some(scene) = scene else { return };
    let terminal = open(&scene);
    terminal.enter(&command(Host::Claude, &format!("start --no-research --check '{RIGHT}' {GOAL}")));
    terminal.wait_for("tail -f /dev/null");
    terminal.press(Key::Escape);
    terminal.wait_for("Interrupted");
    let kept = scene.sandbox.only_loop();
    assert_eq!((kept.end(), kept.facts_of("paused")), (None, Vec::new()));
    terminal.enter("Go on, please.");
    terminal.wait_until("the end", |screen| shows_the_end(Host::Claude, screen));
    drop(terminal);
    assert_eq!(kept.turns(), [(1, 1)]);
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    scene.close();
}
