//! Where a loop's work lands and what became of it, as programs and people are told.

use gulf_engine::{
    Clash, CommitId, Digest, EffectKind, EffectResult, End, Fact, LandingWord, PauseReason, QueueDoing,
    QueueFacts,
};
use gulf_views::{
    CheckoutChange, Facts, LandingFacts, LandingReport, LandingStanding, Look, Palette, result,
};
use serde_json::json;

use crate::scene::{Scene, ends, facts};

const WIDE: Look = Look::terminal(Palette::Plain, 200);

fn to_main(push: Option<&str>, queue: Option<QueueFacts>) -> Facts {
    let push = push.map(str::to_owned);
    let landing = LandingFacts { base: "main".into(), push, queue, ..LandingFacts::default() };
    Facts { landing: Some(landing), ..facts() }
}

fn landed() -> LandingWord {
    LandingWord::Landed { commit: CommitId::new("e1e1e1e1e1"), onto: CommitId::new("d0d0d0d0d0") }
}

fn clash() -> LandingWord {
    LandingWord::Refused {
        by: Clash::Conflict,
        base: CommitId::new("d0d0d0d0d0"),
        summary: "app.py".into(),
        fingerprint: Digest::new("f"),
    }
}

fn after(word: LandingWord) -> Scene {
    Scene::honest().done(EffectKind::Land, EffectResult::Landing(word))
}

fn attested() -> End {
    let attested = ends().into_iter().map(|(_, end)| end);
    attested.into_iter().find(|end| matches!(end, End::Attested { .. })).expect("one of them is attested")
}

#[track_caller]
fn check(scene: &Scene, facts: &Facts, standing: LandingStanding, told: Option<&str>) -> LandingReport {
    let report = LandingReport::new(facts, &scene.history, &scene.state).expect("it is to land");
    assert_eq!(report.standing, standing);
    let screen = result(&scene.summary_of(facts, &CheckoutChange::Clean), WIDE);
    match told {
        Some(told) => assert!(screen.contains(told), "{screen}"),
        None => assert!(!screen.contains("land"), "{screen}"),
    }
    report
}

#[test]
fn who_is_not_to_land_has_no_report() {
    let scene = Scene::honest();
    assert_eq!(LandingReport::new(&facts(), &scene.history, &scene.state), None);
}

#[test]
fn a_loop_waits_at_its_place_in_the_queue() {
    check(&Scene::honest(), &to_main(None, None), LandingStanding::Pending, None);
    let waiting = Scene::honest().begun(EffectKind::Land).0;
    let told = "waiting to land on main";
    check(&waiting, &to_main(None, None), LandingStanding::Waiting, Some(told));
    let queue = QueueFacts { position: 2, of: 3, doing: QueueDoing::Testing };
    let told = "waiting to land on main, number 2 of 3: being tested";
    let report = check(&waiting, &to_main(None, Some(queue)), LandingStanding::Waiting, Some(told));
    assert_eq!(
        serde_json::to_value(&report).expect("a document"),
        json!({
            "standing": "waiting",
            "base_branch": "main",
            "queue": { "position": 2, "of": 3, "doing": "testing" },
            "commit": null,
            "onto": null,
            "pushed_to": null,
            "refused": null,
            "in_the_way": null,
            "asked_by": null,
        })
    );
}

#[test]
fn what_landed_names_its_commit_and_where_it_was_pushed() {
    let scene = after(landed()).finished(attested());
    let told = "landed: main holds it as e1e1e1e, pushed to origin/main";
    let report = check(&scene, &to_main(Some("origin/main"), None), LandingStanding::Landed, Some(told));
    assert_eq!(report.pushed_to.as_deref(), Some("origin/main"));
    assert_eq!(report.onto, Some(CommitId::new("d0d0d0d0d0")));
}

#[test]
fn what_is_refused_and_what_is_in_the_way_is_named() {
    let scene = after(clash());
    let told = "not landed: it conflicts with the base branch: app.py";
    let report = check(&scene, &to_main(None, None), LandingStanding::Refused, Some(told));
    assert_eq!(report.refused.map(|refused| refused.by), Some(Clash::Conflict));
    check(&scene.finished(End::Cancelled), &to_main(None, None), LandingStanding::NotLanded, Some(told));
    let why = || LandingWord::NotReady { why: "in /work/shop: uncommitted changes: app.py".into() };
    let scene = after(why()).then(Fact::Paused { reason: PauseReason::ReadyToLand });
    let told = "Reason: in /work/shop: uncommitted changes: app.py.";
    let report = check(&scene, &to_main(Some("origin/main"), None), LandingStanding::ReadyToLand, Some(told));
    assert!(report.in_the_way.is_some() && report.pushed_to.is_none());
}

#[test]
fn what_a_person_wants_after_the_end_is_told_with_who_and_where() {
    let wish = Fact::LandingAsked {
        by: "ada".into(),
        base: "refs/heads/release".into(),
        push: Some("origin/release".into()),
    };
    let told = |word| Fact::LandingTold { word };
    let scene = Scene::honest().finished(attested()).then(wish).then(told(landed()));
    let screen = "landed: release holds it as e1e1e1e, pushed to origin/release";
    let report = check(&scene, &facts(), LandingStanding::Landed, Some(screen));
    assert_eq!(report.asked_by.as_deref(), Some("ada"));
    let elsewhere = Fact::LandingAsked { by: "ada".into(), base: "refs/heads/old".into(), push: None };
    let scene = scene.then(elsewhere).then(told(clash()));
    check(&scene, &facts(), LandingStanding::Landed, Some(screen));
}

#[test]
fn of_loops_that_landed_together_each_shows_its_own_merge() {
    let (_, verified) = ends().into_iter().next().unwrap();
    let scene = after(landed()).finished(verified);
    let shown = |merge: Option<&str>| {
        let mut facts = to_main(None, None);
        facts.landing.as_mut().unwrap().merge = merge.map(CommitId::new);
        result(&scene.summary_of(&facts, &CheckoutChange::Clean), WIDE)
    };
    assert!(shown(None).contains("git show e1e1e1e  shows what landed"));
    let own = shown(Some("c3c3c3c3c3"));
    assert!(
        own.contains("main holds it as e1e1e1e") && own.contains("git show c3c3c3c  shows what landed"),
        "{own}"
    );
}
