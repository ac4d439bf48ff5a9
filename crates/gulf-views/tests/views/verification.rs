//! What `gulf verify` says last.

use crate::golden;
use crate::scene::{Scene, done, facts, findings, green, red};
use gulf_engine::*;
use gulf_views::{
    Look, Palette, Verification, VerificationWord, checking_line, verification, verification_json,
};

fn gates() -> Scene {
    Scene::sealed().turn(Some(done()), "aaaaaaaaaaaa")
}

fn passing() -> Scene {
    gates().check("test", green(Some(13))).check("lint", green(None))
}

fn base() -> Option<CommitId> {
    Some(CommitId::new("0123456789abcdef"))
}

fn found(scene: &Scene, compared_with: Option<CommitId>) -> Verification {
    Verification::new(&facts(), &scene.history, &scene.state, compared_with, true)
}

fn attested(cause: Cause) -> End {
    End::Attested { causes: vec![cause] }
}

fn check(found: &Verification, word: VerificationWord, exit_code: u8) {
    assert_eq!((found.word, found.exit_code()), (word, exit_code), "{found:#?}");
}

#[test]
fn a_pass_that_nothing_was_compared_with_does_not_look_like_proof() {
    let scene = passing().finished(attested(Cause::NothingChanged));
    let found = found(&scene, None);
    check(&found, VerificationWord::Passed, 0);
    let screen = verification(&found, Look::terminal(Palette::Plain, 80));
    assert!(!screen.contains("nothing was changed"), "{screen}");
    golden!("verify_passed_80", screen);
    golden!("verify_passed_json", format!("{:#}", verification_json(&found)));
}

#[test]
fn a_no_names_the_check() {
    let scene = gates().check("test", red("tests::adds")).check("lint", green(None));
    let found = found(&scene, None);
    check(&found, VerificationWord::Refused, 1);
    golden!("verify_refused_40", verification(&found, Look::terminal(Palette::Plain, 40)));
}

#[test]
fn what_was_seen_to_fail_is_verified() {
    let proofs = vec![Proof::BaseRed { check: CheckName::new("test") }];
    let scene = passing().probe("test", red("tests::adds")).finished(End::Verified { proofs });
    let found = found(&scene, base());
    check(&found, VerificationWord::Verified, 0);
    golden!("verify_verified_80_colour", verification(&found, Look::terminal(Palette::Colour, 80)));
}

#[test]
fn changed_tests_are_listed_once_and_are_no_success() {
    let integrity = EffectResult::Integrity(findings());
    let count = u32::try_from(findings().findings.len()).expect("a few");
    let scene =
        passing().done(EffectKind::Integrity, integrity).finished(attested(Cause::Findings { count }));
    let found = found(&scene, base());
    check(&found, VerificationWord::Attested, 1);
    let screen = verification(&found, Look::piped());
    let first = &findings().findings[0].path;
    assert_eq!(screen.matches(first.as_str()).count(), 1, "{screen}");
    golden!("verify_findings_piped", screen);
}

#[test]
fn work_that_nothing_could_have_refused_is_attested_and_no_failure() {
    let scene = passing().finished(attested(Cause::NothingCouldFail { reason: None }));
    check(&found(&scene, base()), VerificationWord::Attested, 0);
}

#[test]
fn a_gate_that_could_not_be_asked_is_a_failure_with_its_reason() {
    let reason = "the disk is full".to_owned();
    let scene = gates().finished(End::Unavailable { party: Party::Host, reason });
    let found = found(&scene, base());
    check(&found, VerificationWord::Unavailable, 1);
    assert!(found.meaning.ends_with("the disk is full"), "{}", found.meaning);
}

#[test]
fn the_live_line_names_what_is_asked_and_leaves_the_last_column_free() {
    let (scene, _) = gates().begun(EffectKind::Check { name: CheckName::new("test") });
    let line = checking_line(&scene.state, 12_000, Look::terminal(Palette::Plain, 80));
    assert_eq!(line, "00:12 check test …");
    let narrow = checking_line(&scene.state, 12_000, Look::terminal(Palette::Plain, 12));
    assert!(narrow.chars().count() < 12, "{narrow:?}");
}
