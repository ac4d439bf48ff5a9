//! What people write for durations and sizes.

use std::time::Duration;

use proptest::prelude::*;

use super::{
    QuantityError, duration, money, print_duration, print_money, print_size, print_tokens, size, tokens,
};

#[test]
fn durations_are_read_as_people_write_them() {
    for (text, seconds) in [("90s", 90), ("5m", 300), ("1h30m", 5_400), (" 1d ", 86_400), ("0s", 0)] {
        assert_eq!(duration(text), Ok(Duration::from_secs(seconds)), "{text}");
    }
    assert_eq!(duration("50ms"), Ok(Duration::from_millis(50)));
    assert_eq!(print_duration(Duration::from_millis(50)), "50ms");
    assert_eq!(print_duration(Duration::from_millis(1_500)), "1s");
}

#[test]
fn what_is_no_duration_is_refused_with_its_reason() {
    let cases = [
        ("", QuantityError::NoNumber),
        ("m", QuantityError::NoNumber),
        ("90", QuantityError::NoUnit),
        ("5x", QuantityError::UnknownUnit("x".to_owned())),
        ("5ms1s", QuantityError::UnitOrder),
        ("5m1h", QuantityError::UnitOrder),
        ("5m5m", QuantityError::UnitOrder),
        ("99999999999999999999s", QuantityError::TooLarge),
        ("18446744073709551615d", QuantityError::TooLarge),
        ("36601d", QuantityError::TooLarge),
        ("-5m", QuantityError::Negative),
    ];
    for (text, error) in cases {
        assert_eq!(duration(text), Err(error), "{text}");
    }
}

#[test]
fn sizes_are_read_in_binary_and_decimal_units() {
    for (text, bytes) in [("1GiB", 1 << 30), ("2 MB", 2_000_000), ("0B", 0), ("512KiB", 512 << 10)] {
        assert_eq!(size(text), Ok(bytes), "{text}");
    }
    assert_eq!(size("1"), Err(QuantityError::NoUnit));
    assert_eq!(size("1 gigabyte"), Err(QuantityError::UnknownUnit("gigabyte".to_owned())));
    assert_eq!(size("99999999999GiB"), Err(QuantityError::TooLarge));
}

#[test]
fn sizes_are_printed_in_the_largest_unit_that_loses_nothing() {
    assert_eq!(print_size(1 << 30), "1GiB");
    assert_eq!(print_size(1_536), "1536B");
    assert_eq!(print_size(0), "0B");
}

proptest! {
    #[test]
    fn any_text_gives_a_quantity_or_an_error(text in any::<String>()) {
        let _ = duration(&text);
        let _ = size(&text);
    }

    #[test]
    fn a_printed_duration_reads_back(seconds in 0u64..10_000_000) {
        let value = Duration::from_secs(seconds);
        prop_assert_eq!(duration(&print_duration(value)), Ok(value));
    }

    #[test]
    fn a_printed_size_reads_back(bytes in any::<u64>()) {
        prop_assert_eq!(size(&print_size(bytes)), Ok(bytes));
    }
}

#[test]
fn money_is_read_in_dollars_and_printed_so() {
    for (text, microdollars) in [("5", 5_000_000), ("$0.30", 300_000), (" 2.5 ", 2_500_000), ("0.000001", 1)]
    {
        assert_eq!(money(text), Ok(microdollars), "{text}");
    }
    assert_eq!(print_money(2_500_000), "$2.50");
    assert_eq!(print_money(1_234_567), "$1.234567");
    assert_eq!(money("0.0000001"), Err(QuantityError::TooFine));
    assert_eq!(money("$-3"), Err(QuantityError::Negative));
    assert_eq!(money("5 EUR"), Err(QuantityError::UnknownUnit("EUR".to_owned())));
}

proptest! {
    #[test]
    fn what_is_printed_as_money_or_tokens_is_read_back(amount in 0..1_000_000_000_000_u64) {
        prop_assert_eq!(money(&print_money(amount)), Ok(amount));
        prop_assert_eq!(tokens(&print_tokens(amount)), Ok(amount));
    }
}
