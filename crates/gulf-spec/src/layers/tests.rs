//! Texts and pieces of work, and what comes of them.

use proptest::prelude::*;

use super::*;

fn material(layer: ContextLayer, path: &str, text: &str) -> Material {
    Material { layer, path: path.to_owned(), text: Ok(text.to_owned()) }
}

fn texts() -> Vec<Material> {
    vec![
        material(ContextLayer::Plan, "fix_plan.md", "- [x] set up\n- [ ] add a login\n"),
        material(ContextLayer::Specs, "specs/api.md", "# API\n\n## Sessions\n"),
        material(ContextLayer::Specs, "specs/auth/login.md", "# How to sign in\n"),
        material(ContextLayer::Specs, "specs/결제.md", "# 결제\n## 환불\n"),
        material(ContextLayer::Build, "AGENT.md", "cargo build\n"),
    ]
}

fn told(materials: &[Material], work: &str, building: Building, tokens_max: u64) -> String {
    let layers = choose(materials, &Moment { goal: "the goal", work, building, tokens_max });
    let shown = layers.shown.iter().map(|one| format!("+ {} ({}): {}", one.path, one.tokens, one.why));
    let left = layers.left_out.iter().map(|one| {
        let tokens = one.tokens.map_or("?".to_owned(), |tokens| tokens.to_string());
        format!("- {} ({tokens}): {}", one.path, one.why)
    });
    let lines: Vec<String> = shown.chain(left).collect();
    format!("{} of {}\n{}", layers.tokens, layers.tokens_max, lines.join("\n"))
}

// proves: K4, K4/plan, K4/specs
#[test]
fn a_specification_belongs_to_the_work_by_its_path_its_name_or_its_headings() {
    insta::assert_snapshot!(told(&texts(), "add a login", Building::First, 1000), @r#"
    18 of 1000
    + fix_plan.md (8): always: it says what is to be done
    + specs/auth/login.md (5): in its name: login
    + AGENT.md (3): the first iteration
    - specs/api.md (5): nothing in the work in hand, word for word, points to it
    - specs/결제.md (5): nothing in the work in hand, word for word, points to it
    "#);
    insta::assert_snapshot!(told(&texts(), "환불을 처리한다, see specs/api.md.", Building::AfterRed, 1000), @r#"
    23 of 1000
    + fix_plan.md (8): always: it says what is to be done
    + specs/api.md (5): the work in hand names it
    + specs/결제.md (5): in its headings: 환불
    + AGENT.md (3): a check says no
    - specs/auth/login.md (5): nothing in the work in hand, word for word, points to it
    "#);
}

// proves: K4, K4/agent
#[test]
fn how_to_build_is_shown_where_something_is_built() {
    let is_shown = |work: &str, building| {
        let moment = Moment { goal: "", work, building, tokens_max: 100 };
        choose(&texts(), &moment).shown.iter().any(|one| one.path == "AGENT.md")
    };
    assert!(is_shown("", Building::First));
    assert!(is_shown("", Building::AfterRed));
    assert!(!is_shown("say hello", Building::AsTheWorkSays));
    assert!(is_shown("make the tests faster", Building::AsTheWorkSays));
    assert!(is_shown("배포를 자동화", Building::AsTheWorkSays));
}

// proves: K4
#[test]
fn what_does_not_fit_is_named_and_no_text_is_cut_in_silence() {
    let mut texts = texts();
    texts.push(material(ContextLayer::Specs, "specs/login-long.md", &"x".repeat(400)));
    texts.push(Material {
        layer: ContextLayer::Specs,
        path: "specs/login.png".to_owned(),
        text: Err("no text".to_owned()),
    });
    insta::assert_snapshot!(told(&texts, "login", Building::First, 20), @r#"
    18 of 20
    + fix_plan.md (8): always: it says what is to be done
    + specs/auth/login.md (5): in its name: login
    + AGENT.md (3): the first iteration
    - specs/api.md (5): nothing in the work in hand, word for word, points to it
    - specs/login-long.md (100): in its name: login; but only 5 tokens are left
    - specs/login.png (?): no text
    - specs/결제.md (5): nothing in the work in hand, word for word, points to it
    "#);
    insta::assert_snapshot!(told(&texts, "login", Building::First, 8), @r#"
    7 of 8
    + fix_plan.md (5): always: it says what is to be done; from its first open task on
    - AGENT.md (3): the first iteration; but only 1 tokens are left
    - fix_plan.md (8): too long: only lines from its first open task on fit into 6 tokens
    - specs/api.md (5): nothing in the work in hand, word for word, points to it
    - specs/auth/login.md (5): in its name: login; but only 1 tokens are left
    - specs/login-long.md (100): in its name: login; but only 1 tokens are left
    - specs/login.png (?): no text
    - specs/결제.md (5): nothing in the work in hand, word for word, points to it
    "#);
}

proptest! {
    #[test]
    fn the_budget_holds_whatever_there_is(
        texts in prop::collection::vec(("[a-z/가-힣]{1,12}", "[ -~가-힣\n]{0,300}", 0..3_u8), 0..8),
        work in "[ -~가-힣\n]{0,60}",
        tokens_max in 0..200_u64,
    ) {
        let layers = [ContextLayer::Plan, ContextLayer::Specs, ContextLayer::Build];
        let materials: Vec<Material> =
            texts.iter().map(|(path, text, layer)| material(layers[usize::from(*layer)], path, text)).collect();
        let moment = Moment { goal: "", work: &work, building: Building::AsTheWorkSays, tokens_max };
        let chosen = choose(&materials, &moment);
        prop_assert!(chosen.tokens <= tokens_max);
        let shown = |path: &str| chosen.shown.iter().any(|one| one.path == path);
        let left_out = |path: &str| chosen.left_out.iter().any(|one| one.path == path);
        let is_told = materials.iter().all(|one| shown(&one.path) || left_out(&one.path));
        prop_assert!(is_told);
    }
}
