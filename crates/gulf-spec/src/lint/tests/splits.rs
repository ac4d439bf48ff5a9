//! When work is too much for one loop, and how it is split.

use proptest::prelude::*;

use super::super::{LOOP_CRITERIA_MAX, SplitSignal, split, split_signals};
use super::{LintMaterial, Rule, config, lint, page, rubric};
use crate::config::{self as settings, Key, SettingLayers};
use crate::rubric::parse;
use crate::text::Source;

fn criteria(count: usize) -> String {
    let items: String = (1..=count).map(|number| format!("- Door {number} is blue.\n")).collect();
    format!(
        "---\nmodel: opus # the large one\nhitl_threshold: 3\n---\n## Checks\n- npm test\n## Judge criteria\n{items}"
    )
}

// proves: G25
#[test]
fn eight_criteria_are_a_signal_and_seven_are_none() {
    let rules = |count| {
        let source = rubric(&criteria(count));
        let found = lint(&LintMaterial { rubric: Some(&source), ..LintMaterial::default() });
        found.into_iter().map(|finding| finding.rule).collect::<Vec<_>>()
    };
    assert_eq!(rules(7), []);
    assert_eq!(rules(8), [Rule::Split]);
    let source = rubric(&criteria(9));
    insta::assert_snapshot!(page(&LintMaterial { rubric: Some(&source), ..LintMaterial::default() }), @r"
        warning split: 9 criteria are a lot for one loop: from 8 on, split the work · one loop after another: `gulf lint --split DIR` writes a RUBRIC.md for each
        ");
}

// proves: G25
#[test]
fn a_limit_is_a_signal_only_where_it_was_set_for_this_work() {
    assert_eq!(split_signals(0, Some(&config(""))), [], "the default says nothing");
    assert_eq!(split_signals(0, Some(&config("[limits]\nmax_iterations = 39\n"))), []);
    let signals = split_signals(0, Some(&config("[limits]\nmax_iterations = 40\n")));
    let [SplitSignal { message, place: Some(place) }] = signals.as_slice() else { panic!("{signals:?}") };
    assert_eq!((&message[..13], place.as_str()), ("40 iterations", "gulf.toml:2:18"));
    let user = Some(Source::new("user.toml", "[limits]\nmax_iterations = 90\n"));
    let layers = SettingLayers { user, ..SettingLayers::default() };
    assert_eq!(split_signals(0, Some(&settings::load(&layers).unwrap())), []);
    let flags = vec![(Key::LimitsMaxIterations, "60".to_owned())];
    let flagged = settings::load(&SettingLayers { flags, ..layers }).unwrap();
    insta::assert_snapshot!(page(&LintMaterial { config: Some(&flagged), further_checks: 1, ..LintMaterial::default() }), @r"
        warning split: --max-iterations: 60 iterations are a lot for one loop: from 40 on, early decisions get lost · one loop after another, each with a goal of its own; the next inherits what the last decided
        ");
}

#[test]
fn the_criteria_are_spread_evenly_in_their_order_and_every_loop_has_all_checks() {
    let texts = split(&parse(&rubric(&criteria(11))));
    insta::assert_snapshot!(texts[1], @r"
        ---
        model: opus
        hitl_threshold: 3
        ---

        # When is it done? Loop 2 of 3

        ## Checks

        - npm test

        ## Judge criteria

        <!-- The criteria of the loops before are not asked about again: let a check guard what must stay. -->
        - Door 5 is blue.
        - Door 6 is blue.
        - Door 7 is blue.
        - Door 8 is blue.
        ");
    let counts: Vec<usize> = texts.iter().map(|text| parse(&rubric(text)).criteria.len()).collect();
    assert_eq!(counts, [4, 4, 3]);
    assert_eq!(split(&parse(&rubric(&criteria(5)))).len(), 1);
    assert_eq!(split(&parse(&rubric(""))).len(), 1);
}

proptest! {
    #[test]
    fn what_is_split_can_be_read_back(
        model in "[a-z \"'#]{0,8}",
        criteria in proptest::collection::vec("(<!|<!-- x -->|-- |- |`|[a-z가 ]{1,6}|\\[x\\] |#){1,6}", 0..20),
        checks in proptest::collection::vec("(`|[a-z ]{1,6}|\\|| <!-- |\\[ \\] ){1,4}", 0..4),
    ) {
        let lines = |items: &[String]| items.iter().map(|item| format!("- {item}\n")).collect::<String>();
        let text = format!(
            "---\nmodel: {model}\n---\n## Checks\n{}\n## Judge criteria\n{}", lines(&checks), lines(&criteria)
        );
        let whole = parse(&rubric(&text));
        let texts = split(&whole);
        let parts: Vec<_> = texts.iter().map(|text| parse(&rubric(text))).collect();
        let said = |items: &[crate::rubric::Item]| items.iter().map(|item| item.text.clone()).collect::<Vec<_>>();
        for part in &parts {
            prop_assert_eq!(said(&part.checks), said(&whole.checks));
            prop_assert_eq!(part.model.as_ref().map(|item| &item.text), whole.model.as_ref().map(|item| &item.text));
            prop_assert!(part.criteria.len() <= LOOP_CRITERIA_MAX);
            prop_assert!(part.errors().next().is_none());
        }
        let read: Vec<String> = parts.iter().flat_map(|part| said(&part.criteria)).collect();
        let wanted: Vec<String> = said(&whole.criteria).iter().map(|text| text.replace("<!--", "< !--")).collect();
        prop_assert_eq!(read, wanted);
    }
}
