//! The table is whole, and only what it has is translated.

use super::{KOREAN, ScreenLanguage};

#[track_caller]
fn check(english: &str, korean: &str) {
    assert_eq!(ScreenLanguage::Korean.tell(english), korean);
    assert_eq!(ScreenLanguage::English.tell(english), english);
}

#[test]
fn the_locale_of_korean_is_known_in_every_spelling() {
    for locale in ["ko", "ko_KR", "ko_KR.UTF-8", "ko-KR", "KO_kr.eucKR", "ko@hanja"] {
        assert_eq!(ScreenLanguage::of_locale(locale), ScreenLanguage::Korean, "{locale}");
    }
    for locale in ["", "C", "C.UTF-8", "POSIX", "en_US.UTF-8", "kok_IN", "de_KO"] {
        assert_eq!(ScreenLanguage::of_locale(locale), ScreenLanguage::English, "{locale}");
    }
}

#[test]
fn each_translation_names_placeholders_that_its_text_has_and_loses_none() {
    assert!(KOREAN.len() > 400, "the table cannot be read");
    for one in KOREAN.iter() {
        let text = &one.fixed;
        assert!(text.iter().any(|fixed| !fixed.trim().is_empty()), "{text:?} fits every text");
        let between = text.get(1..text.len() - 1).unwrap_or_default();
        assert!(between.iter().all(|fixed| !fixed.is_empty()), "{text:?} has placeholders without a border");
        let mut used: Vec<&str> =
            one.korean.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0)).collect();
        used = used.into_iter().map(|name| name.trim_start_matches(['@', '#'])).collect();
        let mut names: Vec<&str> = one.names.iter().map(String::as_str).collect();
        used.sort_unstable();
        used.dedup();
        names.sort_unstable();
        names.dedup();
        assert_eq!(used, names, "{text:?}: {}", one.korean);
    }
}

#[test]
fn placeholders_are_put_in_as_they_are_or_in_their_turn_translated() {
    check("check cargo test: FAILED exit 101", "체크 cargo test: 실패(종료 코드 101)");
    check("goal: it failed", "목표: it failed");
    check("No verdict from the QA review.", "QA 검토의 판정이 없어요.");
    check(
        "Resuming allows 3 more iterations; `--max-iterations N` sets another limit.",
        "재개하면 3회 더 할 수 있어요. 한도는 `--max-iterations N`으로 바꿔요.",
    );
}

#[test]
fn what_surrounds_a_text_stays_and_parts_of_a_line_are_told_alone() {
    check(": the loop is running", ": 루프가 돌고 있어요");
    check(" · fails on the base", " · base에서는 실패");
    check("loop k3v9 · iteration 2 of 10 · 2m 10s", "루프 k3v9 · 2/10회차 · 2분 10초");
    check("~$1.24 of $5.00, $0.62 a claim, 120k tokens", "~$1.24 / $5.00, 완료 선언당 $0.62, 토큰 120k개");
}

#[test]
fn sentences_of_a_line_are_told_alone_and_lists_only_whole() {
    check("claimed done; refused by the checks; who knows", "완료했다고 선언; 체크가 거절; who knows");
    check(
        "nearer: failing tests 3 → 1, coverage 50 % → 60 %",
        "가까워짐: 실패한 테스트 3 → 1, 커버리지 50 % → 60 %",
    );
    check("nearer: the heart of the matter", "nearer: the heart of the matter");
}

#[test]
fn what_is_not_in_the_table_stays_as_it_is() {
    for text in ["", " ", "cargo test", "the heart of the matter", "a, passed", "한국어", "main.rs files"]
    {
        check(text, text);
    }
}

#[test]
fn a_particle_fits_the_last_sound_of_the_value_before_it() {
    for (handle, particle) in [("k3v9", "가"), ("k3v1", "이"), ("k3vn", "이"), ("루프", "가"), ("일", "이")]
    {
        let english = format!("nobody drives it any more; `gulf resume {handle}` continues it");
        check(&english, &format!("더는 아무도 실행하지 않아요. `gulf resume {handle}`{particle} 이어 가요"));
    }
    let told = |value: &str, after: &str| {
        let mut told = value.to_owned();
        super::push_with_particle(&mut told, after);
        told
    };
    for (value, after, korean) in [
        ("main", "은(는) ", "main은 "),
        ("값", "을(를)", "값을"),
        ("3회", "을(를)", "3회를"),
        ("서울", "(으)로", "서울로"),
        ("부산", "(으)로", "부산으로"),
        ("파일", "의", "파일의"),
        ("", "이(가)", "가"),
    ] {
        assert_eq!(told(value, after), korean);
    }
}
