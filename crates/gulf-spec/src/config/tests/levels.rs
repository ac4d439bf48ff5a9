//! Who looks at the work at which level of verification; apart because two settings name them.

use gulf_engine::Reviewer;

use super::*;

// proves: A4, A4/verify-loop
#[test]
fn each_level_of_verification_has_its_reviewers_and_names_add_to_them() {
    let reviewers = |preset: &str, more: &[(Key, &str)]| {
        let said = more.iter().map(|(key, text)| (*key, (*text).to_owned()));
        let flags = [(Key::Preset, preset.to_owned())].into_iter().chain(said).collect();
        load(&Layers { flags, ..Layers::default() }).unwrap().judge.reviewers
    };
    let all = [Reviewer::Qa, Reviewer::Security, Reviewer::Documents];
    for (level, expected) in [("1", &all[..0]), ("2", &all[..0]), ("3", &all[..1]), ("4", &all[..])] {
        assert_eq!(reviewers("ralph", &[(Key::VerifyLevel, level)]), expected, "level {level}");
    }
    let named = [(Key::VerifyLevel, "3"), (Key::JudgeReviewers, "documents")];
    assert_eq!(reviewers("ralph", &named), [Reviewer::Qa, Reviewer::Documents]);
    assert_eq!(reviewers("judge", &[]), []);
}
