//! A session whose person reads Korean: they are told in Korean, and the model in English as ever.

use super::harness::{Host, PROMISE, PROMPT, SECOND, Session};

#[test]
fn the_person_is_told_in_korean_and_the_model_in_english() {
    let session = Session::checked(Host::Claude).variable("LANG", "ko_KR.UTF-8");
    session.marker(SECOND, PROMPT);
    let refused = session.work_and_stop(PROMISE);
    assert!(refused.note().starts_with("Gulf Loop | 3/50회차 | 체크 실패: "), "{refused:#?}");
    let model = refused.continues();
    assert!(!model.contains(|character: char| ('가'..='힣').contains(&character)), "{model}");
    assert!(model.contains("check"), "{model}");
    session.mend();
    let ended = session.stop(PROMISE);
    let told = ended.lets_stop().note();
    assert!(
        told.contains("VERIFIED: 모든 게이트를 통과했고") && told.ends_with("전체 보기 /gulf-loop:status."),
        "{told}"
    );
    let status = session.prompt("/gulf-loop:status");
    assert!(status.refuses_prompt().contains("변경 없이는 실패하는 것을 본 것"), "{status:#?}");
}
