//! Figures as they are read: rounded, and marked where nobody told them.

use super::{Cost, dollars, tokens};
use gulf_engine::{Basis, Spent};

fn cost(parts: &[(u64, u64, Basis)]) -> Cost {
    let mut cost = Cost::default();
    for (microdollars, tokens, basis) in parts {
        cost.add(&Spent { microdollars: *microdollars, tokens: *tokens, basis: *basis });
    }
    cost
}

#[test]
fn money_is_rounded_to_cents_and_never_to_nothing() {
    let shown = [0, 1, 9_999, 10_000, 413_333, 1_235_000, 5_000_000, 1_234_560_000].map(dollars);
    assert_eq!(shown, ["$0.00", "<$0.01", "$0.01", "$0.01", "$0.41", "$1.24", "$5.00", "$1234.56"]);
    assert!(dollars(u64::MAX).starts_with('$'));
}

#[test]
fn tokens_are_counted_in_thousands_and_millions() {
    let shown = [0, 1, 999, 1_250, 9_999, 120_400, 999_999, 3_456_000].map(tokens);
    let expected = ["0 tokens", "1 token", "999 tokens", "1.2k tokens", "9.9k tokens", "120k tokens"];
    assert_eq!(shown[..6], expected);
    assert_eq!(shown[6..], ["999k tokens", "3.4M tokens"]);
}

#[test]
fn what_nobody_told_does_not_look_told() {
    let check = |parts: &[(u64, u64, Basis)], expected: &str| assert_eq!(cost(parts).whole(), expected);
    check(&[(1_240_000, 0, Basis::Told)], "$1.24");
    check(&[(1_240_000, 120_000, Basis::Priced)], "~$1.24, 120k tokens");
    check(&[(1_240_000, 0, Basis::Assumed)], "$1.24 assumed");
    check(&[(740_000, 5, Basis::Told), (500_000, 5, Basis::Assumed)], "~$1.24 ($0.50 assumed), 10 tokens");
    check(&[(0, 5_000, Basis::Told)], "5.0k tokens");
    check(&[(0, 5_000, Basis::Assumed)], "5.0k tokens assumed");
    check(&[(0, 0, Basis::Assumed)], "cost unknown");
}

#[test]
fn nothing_spent_is_nothing_to_show() {
    assert_eq!(cost(&[]).unless_nothing(), None);
    assert_eq!(cost(&[(0, 0, Basis::Told)]).unless_nothing(), None);
    assert!(cost(&[(0, 0, Basis::Assumed)]).unless_nothing().is_some(), "unknown cost is not zero");
}

#[test]
fn an_average_needs_something_to_divide_by() {
    let spent = cost(&[(1_240_000, 9, Basis::Told)]);
    assert_eq!(spent.each(3).as_deref(), Some("$0.41"));
    assert_eq!(spent.each(0), None);
    assert_eq!(cost(&[(0, 9, Basis::Told)]).each(1), None);
}
