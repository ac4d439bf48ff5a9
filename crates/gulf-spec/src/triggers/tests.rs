//! Which prompts offer a preset, and which only speak of the words.

use super::offers;

#[track_caller]
fn check(prompts: &[&str], presets: &[&str]) {
    for prompt in prompts {
        let found: Vec<&str> = offers(prompt).iter().map(|offer| offer.preset).collect();
        assert_eq!(found, presets, "{prompt:?}");
    }
}

// proves: A1/trigger
#[test]
fn the_seeds_words_offer_their_preset() {
    check(
        &[
            "끝까지 해줘",
            "로그인 기능을 끝까지 완성해 주세요.",
            "Add the login, 끝까지.",
            "(끝까지)",
            "끝까지요!",
            "끝까지, 끝까지",
            "don't stop, it's 끝까지 or nothing, isn't it",
            "5' 끝까지",
        ],
        &["ralph"],
    );
    check(&["최대 성능으로 부탁해", "이 작업은 최대성능으로!", "go 최대  성능"], &["autopilot"]);
    check(&["최대 성능으로 끝까지"], &["ralph", "autopilot"]);
}

// proves: A1/trigger
#[test]
fn a_part_of_another_word_offers_nothing() {
    check(
        &[
            "add a login", "", "세상끝까지", "끝까지의", "끝 까지", "끝까지2", "최대한 성능",
            "최대 크기와 성능",
        ],
        &[],
    );
}

// proves: A1/trigger
#[test]
fn what_is_quoted_or_code_is_not_the_persons_own_word() {
    check(
        &[
            "translate \"끝까지\" into English",
            "rename the label '끝까지' and “끝까지 해줘”",
            "the button says 「끝까지」",
            "'끝까지'를 번역해 줘",
            "use `끝까지` as the key",
            "use ``a ` 끝까지`` as the key",
            "fix this:\n```\nprint('끝까지')\n```\nplease",
            "fix this:\n~~~~\n끝까지\n~~~\n끝까지\n~~~~",
            "he wrote:\n> 끝까지 해줘\nand I disagree",
            "<!-- 끝까지 -->add a login",
            "the text \"is\n끝까지\" over two lines",
        ],
        &[],
    );
}

#[test]
fn a_quote_that_is_never_closed_hides_nothing() {
    check(&["it is 5\" wide\n\n끝까지", "the \" is missing; 끝까지", "say \"yes\", then 끝까지"], &["ralph"]);
}
