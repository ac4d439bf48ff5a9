//! The table of prices can be read, says where it is from, and never makes an unknown model cheap.

use std::collections::BTreeSet;

use gulf_agents::agents::Usage;
use gulf_agents::agents::prices::{cost, dearest, table};

const MILLION: Usage =
    Usage { input_tokens: 1_000_000, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };

#[test]
fn every_row_has_a_price_a_date_and_a_source() {
    assert!(table().len() > 20);
    for price in table() {
        assert!(price.cache_read <= price.input && price.input < price.output, "{}", price.model);
        assert!(price.cache_write >= price.input, "{}", price.model);
        assert!(price.source.contains("https://"), "{}", price.model);
        assert!(price.date.starts_with("2026-") && price.date.len() == 10, "{}", price.model);
    }
    let names: BTreeSet<&str> = table().iter().map(|price| price.model.as_str()).collect();
    assert_eq!(names.len(), table().len(), "each model once");
}

#[test]
fn a_turn_costs_what_claude_says_it_costs() {
    // From the sample `denied`: `"costUSD":0.00909`.
    let usage =
        Usage { input_tokens: 1_800, output_tokens: 80, cache_read_tokens: 700, cache_write_tokens: 30 };
    assert_eq!(cost("claude-opus-5-5", usage), Some(9_090));
}

#[test]
fn a_dated_name_has_the_price_of_its_model() {
    for name in ["claude-haiku-4-5", "claude-haiku-4-5-20251001", "claude-haiku-4-5-latest"] {
        assert_eq!(cost(name, MILLION), Some(1_000_000), "{name}");
    }
    assert_eq!(cost("gpt-5.4-2026-03-05", MILLION), Some(2_500_000));
    assert_eq!(cost("claude-opus-5-5[1m]", MILLION), Some(4_000_000));
}

#[test]
fn a_later_or_unknown_model_has_no_price_and_is_taken_for_the_dearest() {
    for name in
        ["claude-opus-5-9", "gpt-5.4-turbo", "gpt-5", "fake-model", "", "-", "20251001", "é-2025-10-01x"]
    {
        assert_eq!(cost(name, MILLION), None, "{name}");
    }
    let known = table().iter().filter_map(|price| cost(&price.model, MILLION)).max();
    assert_eq!(Some(dearest(MILLION)), known);
}

#[test]
fn a_part_of_a_microdollar_counts_as_one_and_nothing_overflows() {
    let one = Usage { input_tokens: 1, ..Usage::default() };
    assert_eq!(cost("gpt-6-luna", one), Some(1));
    assert_eq!(cost("gpt-6-luna", Usage::default()), Some(0));
    let all = u64::MAX;
    let most =
        Usage { input_tokens: all, output_tokens: all, cache_read_tokens: all, cache_write_tokens: all };
    assert_eq!(dearest(most), u64::MAX);
}
