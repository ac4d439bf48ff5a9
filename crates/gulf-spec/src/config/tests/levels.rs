//! Who looks at the work at which level of verification; apart because two settings name them.

use gulf_engine::{Reviewer, StepWhen};

use super::*;

// proves: A4, A4/verify-loop
#[test]
fn each_level_of_verification_has_its_reviewers_and_names_add_to_them() {
    let reviewers = |preset: &str, more: &[(Key, &str)]| {
        let said = more.iter().map(|(key, text)| (*key, (*text).to_owned()));
        let flags = [(Key::Preset, preset.to_owned())].into_iter().chain(said).collect();
        load(&SettingLayers { flags, ..SettingLayers::default() }).unwrap().reviewers
    };
    let all = [Reviewer::Qa, Reviewer::Security, Reviewer::Documents];
    for (level, expected) in [("1", &all[..0]), ("2", &all[..0]), ("3", &all[..1]), ("4", &all[..])] {
        assert_eq!(reviewers("ralph", &[(Key::VerifyLevel, level)]), expected, "level {level}");
    }
    let named = [(Key::VerifyLevel, "3"), (Key::JudgeReviewers, "documents")];
    assert_eq!(reviewers("ralph", &named), [Reviewer::Qa, Reviewer::Documents]);
    assert_eq!(reviewers("judge", &[]), []);
}

// proves: A1, A1/limit, A1/parallel, A5/limit, A5/repeated
#[test]
fn autopilot_is_ralph_in_a_hurry_and_with_several_workers() {
    let of = |preset: &str| {
        let flags = vec![(Key::Preset, preset.to_owned()), (Key::VerifyLevel, "3".to_owned())];
        load(&SettingLayers { flags, ..SettingLayers::default() }).unwrap()
    };
    let iterations = |config: &Config| config.count(Key::LimitsMaxIterations);
    let (ralph, autopilot) = (of("ralph"), of("autopilot"));
    assert_eq!((iterations(&ralph), iterations(&autopilot)), (10, 3));
    assert_eq!((ralph.count(Key::StuckSameFailure), autopilot.count(Key::StuckSameFailure)), (3, 2));
    assert_eq!((ralph.count(Key::StepsParallel), autopilot.count(Key::StepsParallel)), (1, 4));
    assert_eq!((ralph.text(Key::StuckThen), autopilot.text(Key::StuckThen)), ("ask", "ask"));
    assert_eq!(ralph.reviewers, autopilot.reviewers);
    assert_eq!(ralph.steps, autopilot.steps);
    assert!(autopilot.steps.iter().any(|step| step.terms.when == StepWhen::First));
    assert!(autopilot.preset.lands() && !ralph.preset.lands());
}

#[test]
fn autopilot_is_never_in_place() {
    let flags = vec![(Key::Preset, "autopilot".to_owned()), (Key::LandingInPlace, "true".to_owned())];
    let refused = load(&SettingLayers { flags, ..SettingLayers::default() }).unwrap_err().to_string();
    assert!(refused.contains("`--in-place` is for the preset autonomous"), "{refused}");
}
