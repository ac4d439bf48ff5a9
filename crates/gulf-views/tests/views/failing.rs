//! An agent that is out of reach: how it failed and what it said last, on the screen, in JSON and in the receipt.

use crate::scene::{self, Scene, dirty, facts, turn};
use gulf_engine::*;
use gulf_views::{DriverPresence, Facts, JournalHead, Look, Palette, Receipt, line, result, status_json};

const WIDE: Look = Look::terminal(Palette::Plain, 80);

/// Fails with these exit codes, one turn after the other.
fn failing(codes: &[Option<i32>]) -> Scene {
    failing_in(Scene::sealed(), codes)
}

fn failing_in(scene: Scene, codes: &[Option<i32>]) -> Scene {
    codes.iter().fold(scene, |scene, exit| {
        let failed = Turn { outcome: TurnOutcome::Failed { exit: *exit }, ..turn(None) };
        scene
            .done(EffectKind::Turn, EffectResult::Turn(failed))
            .done(EffectKind::Snapshot, EffectResult::Snapshot(scene::snapshot("aaaaaaaaaaaa")))
            .then(Fact::Settled { settlement: Settlement::AgentFailed })
    })
}

fn out_of_reach(scene: Scene) -> Scene {
    let reason = "the agent failed and changed nothing".into();
    scene.finished(End::Unavailable { party: Party::Agent, reason })
}

fn saying(words: &[&str]) -> Facts {
    Facts { last_words: words.iter().map(|word| (*word).to_owned()).collect(), ..facts() }
}

#[test]
fn the_log_says_how_long_until_the_next_try_and_whether_there_is_one() {
    let last = |failures: usize| {
        let looked = Scene::sealed().probe("test", scene::green(None)).probe("lint", scene::green(None));
        let scene = failing_in(looked, &vec![Some(3); failures]);
        line(scene.events.last().unwrap(), &scene.state, Look::piped()).unwrap()
    };
    let told = |failures| last(failures).split_once(' ').unwrap().1.to_owned();
    assert_eq!(told(1), "trying again in 1.0s: the agent failed and changed nothing");
    assert_eq!(told(4), "trying again in 8.0s: the agent failed and changed nothing");
    assert_eq!(told(5), "not tried again: the agent failed and changed nothing");
}

// proves: B11
#[test]
fn how_it_failed_and_what_it_said_stands_below_the_decisive_fact() {
    let scene = out_of_reach(failing(&[Some(1), None, Some(7)]));
    let said = saying(&["\u{1b}[31mError:\u{1b}[0m 연결할 수 없습니다 \u{202e}", "", "  try later"]);
    let screen = result(&scene.summary_of(&said, &dirty()), WIDE);
    let told = "\nthe agent, in iteration 1: it failed 3 times in a row, the last time with exit code 7;\n  \
                its last words\n";
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat(&screen).contains(&flat(told)), "{screen}");
    assert!(screen.contains("│ try later"), "{screen}");
    assert!(!screen.contains('\u{1b}') && !screen.contains('\u{202e}'), "{screen:?}");
    assert!(!screen.contains("agent.reach"), "{screen}");
    let kept_out = saying(&["mkdir /home/kim/.tool: Read-only file system"]);
    let kept_out = result(&scene.summary_of(&kept_out, &dirty()), WIDE);
    assert!(flat(&kept_out).contains("`agent.reach` in gulf.toml names what the agent writes"), "{kept_out}");
    let quiet = result(&scene.summary_of(&facts(), &dirty()), WIDE);
    assert!(quiet.contains("without a message"), "{quiet}");
}

#[test]
fn programs_and_the_receipt_have_the_same() {
    let scene = out_of_reach(failing(&[Some(7)]));
    let said = saying(&["no such model"]);
    let status = status_json(&said, &scene.history, &scene.state, DriverPresence::Absent);
    let wanted = serde_json::json!({
        "iteration": 1, "times": 1, "exit_code": 7, "last_words": ["no such model"]
    });
    assert_eq!(status["failure"], wanted);
    let journal = JournalHead { sequence: scene.history.sequence, digest: Digest::new("4ead4ead") };
    let receipt = Receipt::new(&said, "0.1.0", journal, &scene.history, &scene.state).unwrap();
    assert_eq!(serde_json::to_value(&receipt).unwrap()["failure"], wanted);
}

#[test]
fn a_turn_that_came_to_something_is_no_failing_any_more() {
    let scene = failing(&[Some(7)]).turn(None, "bbbbbbbbbbbb");
    assert!(scene.history.failing.is_none());
    // One that failed and left something is none either, once it is settled.
    let failed = Turn { outcome: TurnOutcome::Failed { exit: Some(7) }, ..turn(None) };
    let left = Scene::sealed()
        .done(EffectKind::Turn, EffectResult::Turn(failed))
        .done(EffectKind::Snapshot, EffectResult::Snapshot(scene::snapshot("bbbbbbbbbbbb")))
        .check("test", scene::green(None))
        .then(Fact::Settled { settlement: Settlement::Unclaimed });
    assert!(left.history.failing.is_none());
}

#[test]
fn many_and_long_words_are_few() {
    let words: Vec<String> = (0..100).map(|number| format!("{number} {}", "x".repeat(10_000))).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let summary = out_of_reach(failing(&[Some(7)])).summary_of(&saying(&words), &dirty());
    let kept = summary.failure.unwrap().last_words;
    assert_eq!(kept.len(), 6);
    assert!(kept.iter().all(|line| line.len() <= 500) && kept[5].starts_with("99 "), "{kept:?}");
}

#[test]
fn other_ends_tell_of_no_failing() {
    let scene = failing(&[Some(7)]).finished(End::Cancelled);
    assert_eq!(scene.summary_of(&saying(&["no"]), &dirty()).failure, None);
}
