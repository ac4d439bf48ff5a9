//! Many loops at once: the numbers over all of them, and the page of a night.

use crate::golden;
use crate::report::{attested, attested_texts, report_of, reports, texts, verified};
use crate::scene::{self, Scene, done};
use gulf_engine::*;
use gulf_views::{
    Look, Night, NightGroup, NightLoop, Palette, ReportTexts, Stats, StatsWorker, night, night_json, stats,
    stats_json,
};

fn worker(agent: &str, model: Option<&str>) -> StatsWorker {
    StatsWorker { agent: agent.into(), model: model.map(str::to_owned) }
}

fn stats_of(scenes: &[(StatsWorker, Scene)]) -> Stats {
    Stats::from_loops(scenes.iter().map(|(worker, scene)| (worker.clone(), &scene.history, &scene.state)))
}

fn several() -> Vec<(StatsWorker, Scene)> {
    let (claude, codex) = (worker("claude", Some("opus")), worker("codex", None));
    vec![
        (claude.clone(), verified()),
        (codex.clone(), Scene::honest().finished(End::Verified { proofs: vec![Proof::Criterion] })),
        (codex.clone(), Scene::honest().finished(End::Cancelled)),
        (claude, attested()),
        (codex, Scene::resting(PauseReason::HumanGate)),
    ]
}

#[test]
fn numbers_are_counted_for_all_and_for_each_agent_and_model() {
    let counted = stats_of(&several());
    let all = &counted.all;
    assert_eq!((all.loops, all.verified, all.attested, all.failed, all.unfinished), (5, 2, 1, 1, 1));
    let names: Vec<String> = counted.workers.iter().map(|row| row.worker.as_ref().unwrap().name()).collect();
    assert_eq!(names, ["codex", "claude:opus"], "those with most loops first");
    assert_eq!(counted.workers[0].verified, 1);
    // A yes and a no of one, a no that a person overruled of another, three of the third.
    assert_eq!((all.judge.approved, all.judge.rejected), (1, 5));
    assert_eq!((all.judge.agreed, all.judge.overruled), (0, 1));
    assert_eq!((all.refused.integrity, all.refused.other), (0, 0));
    assert_eq!(counted.workers.iter().map(|row| row.claims).sum::<u32>(), all.claims);
}

#[test]
fn the_numbers_look_alike_for_people_everywhere() {
    let counted = stats_of(&several());
    golden!("stats_80_plain", stats(&counted, Look::terminal(Palette::Plain, 80)));
    golden!("stats_40_plain", stats(&counted, Look::terminal(Palette::Plain, 40)));
    golden!("stats_json", format!("{:#}", stats_json(&counted)));
}

#[test]
fn what_nobody_counted_is_no_zero() {
    let nothing = stats_of(&[(worker("claude", None), Scene::sealed())]);
    let document = stats_json(&nothing);
    for name in ["verified_per_dollar", "verified_per_hour", "iterations_to_verified", "refused_bp"] {
        assert!(document["all"][name].is_null(), "{name}: {document:#}");
    }
    // It was verified, and paid nothing.
    let free = stats_of(&[(
        worker("command:a", None),
        Scene::honest().finished(End::Verified { proofs: Vec::new() }),
    )]);
    assert!(stats_json(&free)["all"]["verified_per_dollar"].is_null());
    assert!(stats_json(&free)["all"]["verified_per_hour"].as_f64().is_some_and(|rate| rate > 0.0));
    assert_eq!(stats(&stats_of(&[]), Look::piped()), "No loop has started yet.\n");
}

#[test]
fn a_person_who_refuses_what_a_judge_approved_disagrees_with_it() {
    let refused = Fact::Rejected { reason: "no".into(), by: None };
    let approved = Scene::sealed_as(scene::judged_contract())
        .turn(Some(done()), "aaaaaaaaaaaa")
        .check("test", scene::green(None))
        .check("lint", scene::green(None))
        .done(EffectKind::Integrity, EffectResult::Integrity(Integrity::default()))
        .done(EffectKind::Judge, EffectResult::Judge(scene::approved()))
        .then(Fact::Settled { settlement: Settlement::Approved })
        .then(Fact::Paused { reason: PauseReason::Milestone });
    let judge = stats_of(&[(worker("claude", None), approved.then(refused))]).all.judge;
    assert_eq!((judge.approved, judge.agreed, judge.overruled), (1, 0, 1));
}

#[test]
fn whoever_throws_approved_work_away_disagrees_with_the_judge() {
    let thrown_away = Scene::judged()
        .finished(End::Verified { proofs: vec![Proof::Criterion] })
        .then(Fact::Discarded { by: "person".into() });
    let judge = stats_of(&[(worker("claude", None), thrown_away)]).all.judge;
    assert_eq!((judge.agreed, judge.overruled), (0, 1));
}

fn a_night() -> Night {
    let loops = reports().iter().map(|(_, report)| NightLoop::new(report)).collect();
    Night::new("2026-02-13 00:00".into(), scene::START_MS, loops)
}

#[test]
fn a_night_says_first_what_needs_a_person() {
    let groups: Vec<NightGroup> = a_night().groups().iter().map(|(group, _)| *group).collect();
    assert_eq!(groups, [NightGroup::NeedsYou, NightGroup::Failed, NightGroup::Finished]);
    let told = a_night();
    let needs = &told.loops[..told.groups()[0].1.len()];
    assert!(needs.iter().any(|one| one.questions.iter().any(|asked| asked.contains("no endpoint"))));
}

#[test]
fn a_night_looks_alike_for_people_everywhere() {
    golden!("night_80_plain", night(&a_night(), Look::terminal(Palette::Plain, 80)));
    golden!("night_40_plain", night(&a_night(), Look::terminal(Palette::Plain, 40)));
    let document = night_json(&a_night());
    assert_eq!(document["loops"].as_array().map(Vec::len), Some(6));
    assert_eq!(document["since"], "2026-02-13T14:30:00Z");
}

#[test]
fn a_night_without_a_loop_is_a_sentence() {
    let quiet = Night::new("00:00".into(), scene::START_MS, Vec::new());
    assert_eq!(night(&quiet, Look::piped()), "since 00:00: 0 loops; 0.0s of work\n");
    let one = Night::new("00:00".into(), 0, vec![NightLoop::new(&report_of(&attested(), attested_texts()))]);
    assert!(one.brief.starts_with("1 loop;"), "attested is not verified: {}", one.brief);
    let verified = NightLoop::new(&report_of(&verified(), texts()));
    assert!(
        verified.brief.changed.as_deref().is_some_and(|changed| changed.starts_with("5 files were changed"))
    );
    let nothing = NightLoop::new(&report_of(&verified_alone(), ReportTexts::default()));
    assert_eq!(nothing.brief.changed, None);
}

fn verified_alone() -> Scene {
    Scene::honest().finished(End::Verified { proofs: vec![Proof::Criterion] })
}
